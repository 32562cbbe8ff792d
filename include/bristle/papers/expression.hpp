#pragma once

/// Small formulas over numbers and columns, as the files of published items write them.
///
///   last(x) * 1e3                        at(t, x, 5)
///   slope(window(t, 2, 3, t), window(t, 2, 3, vx))
///   slow.peak_friction > fast.peak_friction
///
/// A value is a list of numbers; one number is a list of one, and meets a longer list by being
/// repeated. Lists of different length do not meet. Comparisons give 1 or 0, `and` joins them.
/// Operators from loose to tight: and; < <= > >= ==; + -; * /; unary -; ^ (to the right).
///
/// Names are those of the data (`x`, or `run.x` where an item has several sources), `pi`, and the
/// functions listed by expression_functions().

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::papers {

using Values = std::vector<double>;

/// What a name stands for; nothing if it is unknown.
using Lookup = std::function<std::optional<Values>(const std::string& name)>;

class Expression {
 public:
  /// InputError that quotes the text and says what is wrong with it.
  explicit Expression(std::string text);

  Values evaluate(const Lookup& lookup) const;
  /// The same where one number is wanted.
  double number(const Lookup& lookup) const;
  const std::string& text() const noexcept { return text_; }
  /// The names in it that are not functions or constants, each once, in order.
  std::vector<std::string> names() const;

  struct Term;

 private:
  std::string text_;
  std::shared_ptr<const Term> root_;
};

/// Name with its arguments and what it gives, one line each.
std::vector<std::string> expression_functions();

}  // namespace bristle::papers
