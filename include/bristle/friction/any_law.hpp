#pragma once

/// Any law, chosen by name at run time.
///
///   AnyLaw law("lugre");
///   law.set("sigma0", 2e5);                         // checked against the description
///   auto contacts = law.plane(1000);                // a thousand contacts in the tangent plane
///   contacts->advance(slips, 1e-3);                 // one indirect call for all of them
///   contacts->force(slips, forces);
///
/// Systems and solvers see `Group`, never a law's type. A group owns the states of its contacts,
/// allocated when it is made; nothing allocates or throws after that.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/model.hpp"
#include "bristle/friction/law.hpp"

namespace bristle {

/// All that is known of a law without its parameters' values.
struct LawInfo : ModelInfo {
  std::array<bool, capabilities.size()> has{};
  bool takes_points = false;  ///< a curve given by points: the keys `speeds` and `levels`

  bool can(Capability capability) const { return has[static_cast<std::size_t>(capability)]; }
};

/// One number of a state, as a column: its name ("z_x"), its unit, and whether it is a counter or
/// mode (restored exactly, never integrated).
struct StateColumn {
  std::string name, unit;
  bool discrete = false;
  bool of_array = false;  ///< one of many alike, such as the bonds of the bristle law
};

/// Contacts under one law with one set of parameters. D = 1: on a line; D = 2: in the plane.
template <int D>
class Group {
 public:
  using Vector = Tangent<double, D>;
  using Contact = Slip<double, D>;

  virtual ~Group() = default;

  virtual int size() const noexcept = 0;
  /// Contact i rested and unsheared under load fn.
  virtual void reset(int i, double fn) noexcept = 0;
  /// Friction of each contact with its present state.
  virtual void force(std::span<const Contact> slips, std::span<Vector> forces) const noexcept = 0;
  /// All states over dt with slip and load frozen.
  virtual void advance(std::span<const Contact> slips, double dt) noexcept = 0;

  /// Mean friction of contact i over dt with slip and load frozen, from its present state.
  virtual Vector mean_force(int i, const Contact& slip, double dt) const noexcept = 0;

  /// The state of contact i as state_size() numbers: saved, restored, and its rate.
  virtual int state_size() const noexcept = 0;
  virtual void save(int i, std::span<double> numbers) const noexcept = 0;
  virtual void restore(int i, std::span<const double> numbers) noexcept = 0;
  virtual void rate(int i, const Contact& slip, std::span<double> numbers) const noexcept = 0;
  virtual std::vector<StateColumn> columns() const = 0;
  /// Force, rate of the state and dissipation of contact i at once: what they share is done once.
  virtual void respond(int i, const Contact& slip, Vector& force, std::span<double> rate,
                       double& dissipation) const noexcept = 0;
  /// Exact derivatives of force and rate with respect to v (D columns), the load (one) and the
  /// state (state_size() columns; none for counters and modes): row-major, D and state_size() rows.
  /// A law without delay sees v_lag = v. Zero for the random law, whose bonds snap.
  virtual void derivatives(int i, const Contact& slip, std::span<double> force_by,
                           std::span<double> rate_by) const noexcept = 0;

  virtual double stored(int i, double fn) const noexcept = 0;
  virtual double dissipation(int i, const Contact& slip) const noexcept = 0;

  /// The state admitted under load fn: deflection that the load no longer carries returns at once.
  virtual void relax(int i, double fn) noexcept = 0;

  /// Hybrid laws: value that rises through 0 at a change of mode (others: −1), and the change.
  virtual double guard(int i, const Contact& slip) const noexcept = 0;
  virtual void jump(int i, const Contact& slip) noexcept = 0;
};

/// Stick limits of a set-valued law on a line: any F in [min, max] while −band_minus ≤ v ≤ band.
struct StickSet {
  double min = 0, max = 0, band = 0, band_minus = 0;

  bool rests(double v) const noexcept { return v <= band && -v <= band_minus; }
};

class AnyLaw {
 public:
  /// The law of this name with its default parameters; InputError naming the nearest law.
  explicit AnyLaw(std::string_view name);
  AnyLaw(const AnyLaw& other);
  AnyLaw& operator=(const AnyLaw& other);
  AnyLaw(AnyLaw&&) noexcept;
  AnyLaw& operator=(AnyLaw&&) noexcept;
  ~AnyLaw();

  /// All names, in the order of the list of laws.
  static const std::vector<std::string>& names();

  const LawInfo& info() const noexcept;
  std::string_view name() const noexcept { return info().page.name; }

  /// Value of a parameter by name or alias, in SI (flag: 0 or 1, choice: index).
  double get(std::string_view key) const;
  /// Checks the range of this one value; `check` looks at all of them together.
  void set(std::string_view key, double value);
  /// The points of a law that takes them (InputError for others and for points that make no curve).
  void set_points(std::span<const double> speeds, std::span<const double> levels);
  /// Orders such as mu_s ≥ mu_k, and what the law itself finds inconsistent (InputError).
  void check() const;

  /// The same law with other parameters for v < 0 and a constant force added (on a line only).
  /// `minus` must be the same law.
  AnyLaw asymmetric(const AnyLaw& minus, double offset) const;
  bool is_asymmetric() const noexcept;

  double steady(double v, double fn) const noexcept;
  double bound(double v, double fn) const noexcept;
  bool passive(double fn) const noexcept;
  /// Time by which a delayed law looks back, s; 0 for the others.
  double delay() const noexcept;
  /// For set-valued laws; an empty set for the others.
  StickSet stick_set(double fn) const noexcept;

  std::unique_ptr<Group<1>> line(int contacts) const;
  std::unique_ptr<Group<2>> plane(int contacts) const;

  struct Interface;

 private:
  explicit AnyLaw(std::unique_ptr<Interface> law);
  std::unique_ptr<Interface> law_;
};

/// The law with these settings: keys are parameter names or aliases, `minus.KEY` for v < 0, and
/// `offset`. Values carry units or are SI. Faults name the setting, its file and line.
AnyLaw make_law(std::string_view name, std::span<const Setting> settings);

/// Refuses a law that lacks a capability: "… needs a smooth law; 'coulomb' is not …; laws that
/// have it: …". `asker` names what is asking.
void require(const AnyLaw& law, Capability capability, std::string_view asker);
/// The names of all laws that have it.
std::vector<std::string> laws_with(Capability capability);

}  // namespace bristle
