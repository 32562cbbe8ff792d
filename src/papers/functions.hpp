#pragma once

// The functions that expressions know.

#include <span>
#include <string>
#include <string_view>

#include "bristle/papers/expression.hpp"

namespace bristle::papers::detail {

struct Function {
  std::string_view name, arguments, text;
  int count;  ///< of arguments
  Values (*call)(std::span<const Values> arguments);
};

/// Null if there is none of this name.
const Function* find_function(std::string_view name);
std::span<const Function> all_functions();

/// A fault in an expression's values: which function, and what it got.
[[noreturn]] void refuse_values(std::string_view function, const std::string& why);

/// a ∘ b, element by element; a single number is repeated.
template <class Operation>
Values each(std::string_view name, const Values& a, const Values& b, Operation operation) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
    refuse_values(name, "lists of " + std::to_string(a.size()) + " and " +
                            std::to_string(b.size()) + " numbers do not meet");
  }
  Values result(a.size() == 1 ? b.size() : a.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = operation(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
  }
  return result;
}

}  // namespace bristle::papers::detail
