#pragma once

/// The equations of motion of a rig, without its friction laws: M u̇ = f(t, q, u) − Σ Jᵀ F.
///
/// Solvers see this class: the applied forces and their exact derivatives, the slip of each
/// contact with its Jacobian, and the energies. M is diagonal, J is constant. Friction F comes
/// from the laws or from the solver itself (sticking contacts). Nothing allocates after set-up.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "bristle/core/planar.hpp"
#include "bristle/system/rig.hpp"

namespace bristle {

/// What the applied forces do, W. Friction is counted by the solver.
struct Powers {
  double input = 0;   ///< by sources, drives and frames
  double damped = 0;  ///< lost in dampers and gaps
};

class Mechanics {
 public:
  explicit Mechanics(Rig rig);

  const Rig& rig() const noexcept { return rig_; }
  int dofs() const noexcept { return static_cast<int>(inverse_mass_.size()); }
  int contacts() const noexcept { return static_cast<int>(rig_.contacts.size()); }
  /// Components of the slip of a contact: 1, 2, or 3 over an area.
  int axes(int contact) const noexcept { return places_[at(contact)].axes; }
  /// First coordinate of a body.
  int coordinate(int body) const noexcept { return start_[at(body)]; }
  std::span<const double> inverse_mass() const noexcept { return inverse_mass_; }
  void initial(std::span<double> q, std::span<double> u) const noexcept;

  /// Forces of springs, dampers, gaps, sources and drives on each coordinate, and their powers.
  Powers applied(double t, std::span<const double> q, std::span<const double> u,
                 std::span<double> force) const noexcept;
  /// Their derivatives, row-major dofs × dofs.
  void applied_derivatives(double t, std::span<const double> q, std::span<const double> u,
                           std::span<double> by_q, std::span<double> by_u) const noexcept;
  double kinetic(std::span<const double> u) const noexcept;
  /// Energy held by springs and gaps.
  double stored(double t, std::span<const double> q) const noexcept;

  // ---- contacts ---------------------------------------------------------------------------
  Planar slip(int contact, double t, std::span<const double> q,
              std::span<const double> u) const noexcept {
    if (axes(contact) > 1) return slip_in_plane(rig_.contacts[at(contact)], t, q, u);
    return {slip_along(contact, t, u), 0, 0};
  }
  /// Of a contact on a line.
  double slip_along(int contact, double t, std::span<const double> u) const noexcept {
    const Contact& c = rig_.contacts[at(contact)];
    return c.radius * (speed(c.a, t, u) - speed(c.b, t, u));
  }
  /// d(slip)/dt − J u̇: from frames that accelerate or turn.
  Planar slip_drift(int contact, double t, std::span<const double> q,
                    std::span<const double> u) const noexcept;
  double load(int contact, double t) const noexcept {
    return std::max(0.0, signed_load(contact, t));
  }
  /// The same before negative values are cut off: it crosses 0 where the contact opens or closes.
  double signed_load(int contact, double t) const noexcept {
    return rig_.contacts[at(contact)].load.value(t);
  }
  bool load_varies(int contact) const noexcept {
    return !rig_.contacts[at(contact)].load.is_constant();
  }
  /// Power that frames at the contact put in against friction.
  double frame_power(int contact, double t, std::span<const double> q,
                     const Planar& friction) const noexcept;
  /// Coordinate and factor of each non-zero of J for axis k: at most two.
  struct Entry {
    int coordinate = -1;
    double factor = 0;
  };
  const std::array<Entry, 2>& slip_row(int contact, int axis) const noexcept {
    return places_[at(contact)].rows[at(axis)];
  }
  /// force += −Jᵀ F.
  void add_friction(int contact, const Planar& friction, std::span<double> force) const noexcept {
    for (int k = 0; k < axes(contact); ++k) {
      for (const Entry& entry : slip_row(contact, k)) {
        if (entry.coordinate >= 0) force[at(entry.coordinate)] -= entry.factor * friction[k];
      }
    }
  }
  /// Turning rate of the plane under the contact: slip depends on q as −spin × (r).
  double spin(int contact, double t) const noexcept;

  // ---- events and samples -----------------------------------------------------------------
  /// Times in (0, end) at which a source, drive or load breaks; sorted.
  std::vector<double> breaks(double end) const;
  /// Of the fastest sine among the sources; infinite if there is none.
  double shortest_period() const noexcept;
  /// Whether time enters the forces, slips and loads at most linearly and apart from q and u:
  /// frames move evenly, sources and loads are constant. Then d(forces)/dt is a constant.
  bool is_even() const noexcept;
  /// Length by which gap k overlaps: its force starts and ends where this crosses 0.
  double overlap(int gap, double t, std::span<const double> q) const noexcept;
  /// Position of the rig's ends, frames included: x, y and angle.
  Planar position(End end, double t, std::span<const double> q) const noexcept;
  Planar velocity(End end, double t, std::span<const double> u) const noexcept;
  /// Shortest sampling period of the drives; 0 if there is none.
  double sampling_period() const noexcept { return period_; }
  /// Lets every drive read the position and hold a new output; k = 0, 1, …
  void sample(int k, std::span<const double> q) noexcept;
  /// Output of drive k, held (its units, before the gain).
  double drive_output(int k) const noexcept { return held_[at(k)].output; }
  /// What the drives hold, as numbers. Both move on to the next free or unread number.
  int memory() const noexcept { return 3 * static_cast<int>(held_.size()); }
  void save(double*& next) const noexcept {
    for (const Held& held : held_) {
      for (const double number : {held.output, held.last, held.before}) *next++ = number;
    }
  }
  void restore(const double*& next) noexcept {
    for (Held& held : held_) {
      for (double* number : {&held.output, &held.last, &held.before}) *number = *next++;
    }
  }

 private:
  struct Place {
    int axes = 1;
    std::array<std::array<Entry, 2>, 3> rows{};
  };
  struct Held {
    double output = 0, last = 0, before = 0;
  };
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  double along(End end, double t, std::span<const double> q) const noexcept {
    if (end.is_body) return q[at(start_[at(end.index)])];
    const Frame& frame = rig_.frames[at(end.index)];
    return frame.position[0] + frame.velocity[0].integral(t);
  }
  double speed(End end, double t, std::span<const double> u) const noexcept {
    if (end.is_body) return u[at(start_[at(end.index)])];
    return rig_.frames[at(end.index)].velocity[0].value(t);
  }
  Planar slip_in_plane(const Contact& contact, double t, std::span<const double> q,
                       std::span<const double> u) const noexcept;
  bool planar(End a, End b) const noexcept;
  template <class Put>
  void each_force(double t, std::span<const double> q, std::span<const double> u,
                  Put&& put) const noexcept;
  Planar spring_force(const Spring& spring, double t, std::span<const double> q) const noexcept;
  struct Push {
    double spring = 0, damper = 0, rate = 0;
    bool cut = false;
  };
  Push push(const Gap& gap, double t, std::span<const double> q,
            std::span<const double> u) const noexcept;
  Planar surface(End end, double t, std::span<const double> q, const Planar& point) const noexcept;
  Planar contact_point(const Contact& contact, double t, std::span<const double> q) const noexcept;

  Rig rig_;
  std::vector<int> start_;
  std::vector<double> inverse_mass_, mass_;
  std::vector<Place> places_;
  std::vector<Held> held_;
  double period_ = 0;
};

}  // namespace bristle
