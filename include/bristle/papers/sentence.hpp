#pragma once

/// Text with formulas in it: "within {100*max(x):.1f} %". What a sentence says of numbers is
/// computed, so that it cannot disagree with them.

#include <string>
#include <vector>

#include "bristle/papers/expression.hpp"

namespace bristle::papers {

class Sentence {
 public:
  /// InputError for a brace without its partner, a bad formula or a format that is not .Ng, .Nf or
  /// .Ne.
  explicit Sentence(const std::string& text = "");
  std::string say(const Lookup& lookup) const;
  /// With a dash in the place of every number, for want of values.
  std::string say_nothing() const;
  const std::vector<Expression>& formulas() const noexcept { return formulas_; }

 private:
  std::vector<std::string> texts_, formats_;  // text, formula, text, …, text
  std::vector<Expression> formulas_;
};

}  // namespace bristle::papers
