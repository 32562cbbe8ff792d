#pragma once

/// What is sought of a friction law: all its real parameters but those that are fixed. Ranges,
/// orders and starts come from the law's own description, from the user, and from the scales of the
/// data.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/friction/any_law.hpp"
#include "bristle/identify/problem.hpp"

namespace bristle {

/// What the user says of a parameter; the rest comes from the law's description.
struct UnknownSetting {
  std::optional<double> fixed{}, start{}, low{}, high{};
  std::optional<bool> log{};
};
using UnknownSettings = std::map<std::string, UnknownSetting>;
/// Pairs (greater, smaller) to keep besides those of the law itself.
using NamedOrders = std::vector<std::pair<std::string, std::string>>;

/// Magnitudes in the data: the largest, and small ones that still tell; 0: unknown.
struct DataScales {
  double speed = 0, small_speed = 0;  ///< m/s
  double ratio = 0;                   ///< friction over load
};

struct LawUnknowns {
  AnyLaw law;                       ///< with what is fixed
  std::vector<std::string> sought;  ///< names, as the law writes them
  std::vector<Unknown> unknowns;    ///< of each of them

  /// InputError for settings that name no parameter of the law.
  LawUnknowns(const AnyLaw& law, const UnknownSettings& settings, const DataScales& scales);
  void drop(std::size_t i);
  /// Orders between what is sought. Where one of a pair is fixed, the other's range ends there.
  /// InputError for names that are no parameters of the law.
  std::vector<UnknownOrder> orders(const NamedOrders& more);
  /// Position in `sought`, −1: not sought.
  int find(std::string_view name) const;
  /// The law with these values of what is sought; more values than that are left alone.
  AnyLaw with(std::span<const double> p) const;
};

}  // namespace bristle
