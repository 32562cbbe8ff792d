#pragma once

/// Published against computed.

#include <string>
#include <vector>

#include "bristle/papers/item.hpp"

namespace bristle::papers {

enum class Verdict { reproduced, corrected, not_reproducible, differs };
/// "reproduced", "reproduced with a corrected misprint", "not reproducible from what is printed",
/// "differs".
std::string_view text_of(Verdict verdict);

enum class Outcome { agrees, corrected, open, differs, shown };

struct Judged {
  double computed = 0;
  double target = 0, tolerance = 0;  ///< what it was held against; NaN for sentences
  Outcome outcome = Outcome::shown;
  Count count = Count::statement;
};

/// Print first, then its correction, then our reading of what print leaves open.
Judged judge(const Number& number, double computed);

/// The worst of its numbers; `correction` and `missing` of the item lower a clean result.
Verdict verdict_of(const Item& item, const std::vector<Judged>& numbers);

}  // namespace bristle::papers
