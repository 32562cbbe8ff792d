#pragma once

/// One contact's law and state as a solver sees them, on a line, in a plane and over an area alike:
/// forces and slips have three numbers, of which a contact on a line uses the first, one at a point
/// of a plane two.

#include <memory>
#include <span>
#include <vector>

#include "bristle/friction/any_law.hpp"
#include "bristle/friction/replay.hpp"
#include "bristle/system/mechanics.hpp"

namespace bristle {

struct ContactSlip {
  Planar v = Planar::Zero();
  double fn = 1;
  Planar f_e = Planar::Zero();
  Planar v_lag = Planar::Zero();
  bool keep_mode = false;
};

class FrictionState {
 public:
  /// `area` says how a contact over an area shares its friction out; it must live as long.
  static std::unique_ptr<FrictionState> make(const AnyLaw& law, int axes,
                                             const AreaLaw* area = nullptr);
  virtual ~FrictionState() = default;

  /// Numbers that are integrated; modes and counters are kept apart.
  virtual int size() const noexcept = 0;
  virtual void put(std::span<const double> z) noexcept = 0;
  virtual void get(std::span<double> z) const noexcept = 0;
  virtual std::vector<StateColumn> columns() const = 0;  ///< of the integrated numbers
  virtual int mode() const noexcept = 0;                 ///< hybrid laws; −1 for the others

  virtual Planar force(const ContactSlip& slip) const noexcept = 0;
  virtual void rate(const ContactSlip& slip, std::span<double> dz) const noexcept = 0;
  /// Force, rate and dissipation at once, for the state z. On a line the second component of the
  /// force is left as it is: it is not copied here, since a processor waits for halves written
  /// apart before it can read them as one.
  virtual void respond(std::span<const double> z, const ContactSlip& slip, Planar& force,
                       std::span<double> dz, double& dissipation) noexcept = 0;
  /// Rows: force (axes), then rates (size); columns: v (axes), then z (size). Row-major.
  virtual void derivatives(const ContactSlip& slip, std::span<double> matrix) const noexcept = 0;
  /// The same by parameters of the law, which `law` knows: a column for each of its values. On a
  /// line only; elsewhere nothing is written.
  virtual void by_parameters(const ContactSlip& slip, const Replay& law,
                             std::span<const double> values,
                             std::span<double> matrix) const noexcept;
  virtual double guard(const ContactSlip& slip) const noexcept = 0;
  virtual void jump(const ContactSlip& slip) noexcept = 0;
  virtual void advance(const ContactSlip& slip, double dt) noexcept = 0;
  virtual Planar mean_force(const ContactSlip& slip, double dt) const noexcept = 0;
  virtual void relax(double fn) noexcept = 0;
  virtual void reset(double fn) noexcept = 0;
  virtual double stored(double fn) const noexcept = 0;
  virtual double dissipation(const ContactSlip& slip) const noexcept = 0;
  /// Everything, modes and counters too.
  virtual int numbers() const noexcept = 0;
  virtual void save(std::span<double> numbers) const noexcept = 0;
  virtual void restore(std::span<const double> numbers) noexcept = 0;
};

}  // namespace bristle
