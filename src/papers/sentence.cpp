#include "bristle/papers/sentence.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/error.hpp"

namespace bristle::papers {
namespace {

constexpr const char* dash = "–";

/// ".3g", ".1f" or ".2e".
bool is_format(const std::string& text) {
  return text.size() == 3 && text[0] == '.' && std::isdigit(static_cast<unsigned char>(text[1])) &&
         (text[2] == 'g' || text[2] == 'f' || text[2] == 'e');
}

}  // namespace

Sentence::Sentence(const std::string& text) {
  const auto refuse = [&](const char* why, const char* expected) {
    throw InputError({.message = why, .value = text, .expected = expected});
  };
  std::size_t at = 0;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', at)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) refuse("'{' without '}'", "{formula} or {formula:.3g}");
    std::string formula = text.substr(open + 1, close - open - 1), format = ".3g";
    if (const std::size_t colon = formula.rfind(':'); colon != std::string::npos) {
      format = formula.substr(colon + 1);
      formula.resize(colon);
    }
    if (!is_format(format)) refuse("not a format of a number", ".3g, .1f and the like");
    texts_.push_back(text.substr(at, open - at));
    formulas_.emplace_back(formula);
    formats_.push_back("{:" + format + "}");
    at = close + 1;
  }
  texts_.push_back(text.substr(at));
}

std::string Sentence::say(const Lookup& lookup) const {
  std::string said = texts_.front();
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const double value = formulas_[i].number(lookup);
    said += std::isfinite(value) ? fmt::format(fmt::runtime(formats_[i]), value) : dash;
    said += texts_[i + 1];
  }
  return said;
}

std::string Sentence::say_nothing() const { return fmt::format("{}", fmt::join(texts_, dash)); }

}  // namespace bristle::papers
