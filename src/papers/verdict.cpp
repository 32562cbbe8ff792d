#include "bristle/papers/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/core/unit.hpp"

namespace bristle::papers {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Half a unit of the last digit, unless a tolerance is given. Rounding must not decide: 1e-9 of
/// the value is added.
double tolerance_for(const Number& number, const Printed& target) {
  const double rounding = 1e-9 * std::abs(target.value);
  std::string text = number.tolerance;
  if (text.empty()) return target.precision + rounding;
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const double value = std::stod(text);
  return (percent ? value / 100 * std::abs(target.value) : value) + rounding;
}

bool meets(const Number& number, double computed, const Printed& target, double tolerance) {
  switch (number.claim) {
    case Number::Claim::at_most:
      return computed <= target.value + (number.tolerance.empty() ? 0 : tolerance);
    case Number::Claim::at_least:
      return computed >= target.value - (number.tolerance.empty() ? 0 : tolerance);
    default:
      return std::abs(computed - target.value) <= tolerance;
  }
}

/// Without saying whether it is printed.
Judged outcome_of(const Number& number, double computed) {
  if (number.claim == Number::Claim::shown) return {computed, nan, nan, Outcome::shown};
  if (number.claim == Number::Claim::holds) {
    const bool holds = std::isfinite(computed) && computed != 0;
    if (holds) return {computed, nan, nan, Outcome::agrees};
    // A printed claim that is false is a finding, if we say why; else it is a difference.
    if (!std::isfinite(computed)) return {computed, nan, nan, Outcome::differs};
    if (!number.why.empty()) return {computed, nan, nan, Outcome::corrected};
    return {computed, nan, nan, number.missing.empty() ? Outcome::differs : Outcome::open};
  }
  struct Target {
    const Printed* printed;
    Outcome outcome;
  };
  const Target targets[] = {
      {&number.published, Outcome::agrees},
      {number.corrected ? &*number.corrected : nullptr, Outcome::corrected},
      {number.exact ? &*number.exact : nullptr, Outcome::open},
  };
  Judged judged{computed, number.published.value, tolerance_for(number, number.published),
                Outcome::differs};
  for (const Target& target : targets) {
    if (target.printed == nullptr) continue;
    judged.target = target.printed->value;
    judged.tolerance = tolerance_for(number, *target.printed);
    if (!meets(number, computed, *target.printed, judged.tolerance)) continue;
    judged.outcome = target.outcome;
    break;
  }
  return judged;
}

}  // namespace

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::corrected:
      return "reproduced with a corrected misprint";
    case Verdict::not_reproducible:
      return "not reproducible from what is printed";
    default:
      return "differs";
  }
}

Judged judge(const Number& number, double computed) {
  Judged judged = outcome_of(number, computed);
  judged.count = count_as(number);
  return judged;
}

Verdict verdict_of(const Item& item, const std::vector<Judged>& numbers) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [&](const Judged& n) { return n.outcome == outcome; });
  };
  if (any(Outcome::differs)) return Verdict::differs;
  if (any(Outcome::open) || !item.missing.empty()) return Verdict::not_reproducible;
  if (any(Outcome::corrected) || !item.correction.empty()) return Verdict::corrected;
  return Verdict::reproduced;
}

}  // namespace bristle::papers
