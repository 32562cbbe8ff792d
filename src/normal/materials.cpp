#include "bristle/normal/materials.hpp"

#include <algorithm>
#include <array>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle::normal {
namespace {

constexpr std::array mixes{Mix::geometric, Mix::minimum, Mix::average, Mix::maximum};

}  // namespace

std::string_view to_string(Mix mix) {
  switch (mix) {
    case Mix::geometric:
      return "geometric";
    case Mix::minimum:
      return "minimum";
    case Mix::average:
      return "average";
    case Mix::maximum:
      return "maximum";
  }
  return "";
}

Mix mix_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Mix mix : mixes) {
    if (name == to_string(mix)) return mix;
    names.emplace_back(to_string(mix));
  }
  throw InputError({.message = "unknown rule of mixing",
                    .key = "mix",
                    .value = std::string(name),
                    .expected = one_of(names),
                    .nearest = nearest_name(name, names)});
}

double mixed(Mix mix, double one, double other) noexcept {
  switch (mix) {
    case Mix::geometric:
      return std::sqrt(one) * std::sqrt(other);
    case Mix::minimum:
      return std::min(one, other);
    case Mix::average:
      return 0.5 * (one + other);
    case Mix::maximum:
      return std::max(one, other);
  }
  return one;
}

void PairTable::set(std::string_view one, std::string_view other, const PairValues& values) {
  for (Row& row : rows_) {
    if ((row.one == one && row.other == other) || (row.one == other && row.other == one)) {
      row.values = values;
      return;
    }
  }
  rows_.push_back({std::string(one), std::string(other), values});
}

PairValues PairTable::find(std::string_view one, std::string_view other) const {
  for (const Row& row : rows_) {
    if ((row.one == one && row.other == other) || (row.one == other && row.other == one)) {
      return row.values;
    }
  }
  return {};
}

Pair combine(const Material& one, const Material& other, const PairTable& pairs, Mix mix) {
  const PairValues known = pairs.find(one.name, other.name);
  return {known.k.value_or(one_contact(one.k, other.k)),
          known.e.value_or(mixed(mix, one.e, other.e)),
          known.mu.value_or(mixed(mix, one.mu, other.mu))};
}

}  // namespace bristle::normal
