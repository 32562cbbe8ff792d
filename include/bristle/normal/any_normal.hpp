#pragma once

/// Any normal law, chosen by name at run time.
///
///   AnyNormal law("gonthier");
///   law.set("e", 0.8);                        // checked against the description
///   const Press<> press = law.latch(v_i);     // at touch-down; one indirect call
///   const double f = press.force(depth, rate);

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/model.hpp"
#include "bristle/normal/press.hpp"

namespace bristle {

/// All that is known of a normal law without its parameters' values.
struct NormalInfo : ModelInfo {
  bool asks_restitution = false;   ///< its parameters mean a restitution of their own
  bool exact_restitution = false;  ///< and a free impact has it, for every mass
  bool takes_restitution = false;  ///< it has the parameter e
};

class AnyNormal {
 public:
  /// The law of this name with its default parameters; InputError naming the nearest law.
  explicit AnyNormal(std::string_view name);
  AnyNormal(const AnyNormal& other);
  AnyNormal& operator=(const AnyNormal& other);
  AnyNormal(AnyNormal&&) noexcept;
  AnyNormal& operator=(AnyNormal&&) noexcept;
  ~AnyNormal();

  /// All names, in the order of the list of laws.
  static const std::vector<std::string>& names();

  const NormalInfo& info() const noexcept;
  std::string_view name() const noexcept { return info().page.name; }
  /// True if a free impact has the restitution asked for.
  bool exact_restitution() const noexcept { return info().exact_restitution; }

  /// Value of a parameter by name or alias, in SI (flag: 0 or 1, choice: index).
  double get(std::string_view key) const;
  /// Checks the range of this one value; `check` looks at all of them together.
  void set(std::string_view key, double value);
  /// What the law itself finds inconsistent (InputError).
  void check() const;

  /// The force law of a contact that touched down at approach speed v_i; v_i ≤ 0 counts as 0.
  Press<> latch(double v_i) const noexcept;
  /// The restitution that the parameters ask for at v_i; NaN for a law that asks for none.
  double requested(double v_i) const noexcept;
  /// The restitution of a free impact at v_i; NaN where it depends on the mass.
  double achieved(double v_i) const noexcept;

  struct Interface;

 private:
  std::unique_ptr<Interface> law_;
};

/// The law with these settings: keys are parameter names or aliases. Values carry units or are SI.
/// Faults name the setting, its file and line.
AnyNormal make_normal(std::string_view name, std::span<const Setting> settings);

}  // namespace bristle
