// The fixed step made for friction: "averaged force, implicit slip".
//
// Over a step h the slip of each contact is frozen at v̂ and its law is solved exactly on that
// straight path; F̄(v̂) is the exact mean of its force. v̂ itself follows from the motion,
//
//   v̂ = v + θ h (b − w F̄(v̂)),   θ = ½ + x/(12 + 2x),   x = h w ∂F̄/∂v,
//
// second order where friction is soft (θ → ½) and L-stable where it is stiff (θ → 1). Then
// u' = u + h M⁻¹ (f − Σ Jᵀ F̄) and q' = q + h (u + u')/2, so the work of F̄ is booked exactly. Other
// forces are taken in the middle of the step: springs need ω h < 2. Several contacts are swept one
// after the other until their forces settle. A set-valued law sticks if the force that brings its
// slip to rest is within its limit.

#include <Eigen/LU>

#include "bristle/solve/dynamics.hpp"
#include "fixed_step.hpp"

namespace bristle {
namespace {

using detail::FixedStep;

constexpr std::size_t ix(int i) noexcept { return static_cast<std::size_t>(i); }

class Averaged final : public FixedStep {
 public:
  Averaged(Dynamics& dynamics, double step)
      : FixedStep(dynamics, step),
        f_(dynamics),
        dofs_(ix(dynamics.dofs())),
        force_(dofs_),
        last_rate_(dofs_),
        contacts_(ix(dynamics.contacts())) {
    const auto count = contacts_.size();
    coupling_.assign(count * count, 0.0);
    for (int c = 0; c < f_.contacts(); ++c) {
      for (int d = 0; d < f_.contacts(); ++d) coupling_[ix(c) * count + ix(d)] = coupling(c, d);
    }
  }

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    FixedStep::start(t, y, quadratures);
    std::fill(last_rate_.begin(), last_rate_.end(), 0.0);
    for (int c = 0; c < f_.contacts(); ++c) contacts_[ix(c)].slip = slip_at(c, t, y_);
  }

 private:
  struct OneContact {
    Planar now = Planar::Zero(), free = Planar::Zero();  ///< slip now, and after h without friction
    Planar slip = Planar::Zero(), force = Planar::Zero();
    double theta = 0.5;
    ContactSlip at{};
  };

  std::span<double> q(std::vector<double>& y) const { return std::span(y).first(dofs_); }
  std::span<double> u(std::vector<double>& y) const { return std::span(y).subspan(dofs_, dofs_); }
  Planar slip_at(int c, double t, std::vector<double>& y) const {
    return f_.mechanics().slip(c, t, q(y), u(y));
  }
  /// J_c M⁻¹ J_dᵀ along the first axis; bodies are as heavy along the second.
  double coupling(int c, int d) const {
    double sum = 0;
    for (const Mechanics::Entry& a : f_.mechanics().slip_row(c, 0)) {
      for (const Mechanics::Entry& b : f_.mechanics().slip_row(d, 0)) {
        if (a.coordinate >= 0 && a.coordinate == b.coordinate) {
          sum += a.factor * b.factor * f_.mechanics().inverse_mass()[ix(a.coordinate)];
        }
      }
    }
    return sum;
  }

  void take(double h) override {
    const Mechanics& mechanics = f_.mechanics();
    const auto inverse = mechanics.inverse_mass();
    const double middle = t_ + h / 2;
    std::vector<double>& half = stage_;
    half = old_;
    for (std::size_t i = 0; i < dofs_; ++i) {
      half[i] += h / 2 * old_[dofs_ + i];
      half[dofs_ + i] += h / 2 * last_rate_[i];
    }
    mechanics.applied(middle, q(half), u(half), force_);
    // Slip after the step if there were no friction at all.
    for (std::size_t i = 0; i < dofs_; ++i) {
      y_[dofs_ + i] = old_[dofs_ + i] + h * inverse[i] * force_[i];
      y_[i] = old_[i] + h / 2 * (old_[dofs_ + i] + y_[dofs_ + i]);
    }
    for (int c = 0; c < f_.contacts(); ++c) {
      OneContact& one = contacts_[ix(c)];
      one.now = slip_at(c, t_, old_);
      one.free = slip_at(c, t_ + h, y_);
      one.at = f_.slip_of(c, middle, q(half), u(half));
      const double w = coupling_[ix(c) * contacts_.size() + ix(c)];
      if (w > 0) one.at.f_e = (one.free - one.now) / (h * w);
      f_.friction(c).put(state_of(old_).subspan(ix(f_.state_start(c)), ix(f_.friction(c).size())));
    }
    sweep(h);
    for (int c = 0; c < f_.contacts(); ++c) {
      mechanics.add_friction(c, contacts_[ix(c)].force, force_);
    }
    for (std::size_t i = 0; i < dofs_; ++i) {
      last_rate_[i] = inverse[i] * force_[i];
      y_[dofs_ + i] = old_[dofs_ + i] + h * last_rate_[i];
      y_[i] = old_[i] + h / 2 * (old_[dofs_ + i] + y_[dofs_ + i]);
      half[i] = old_[i] + h / 2 * old_[dofs_ + i];
      half[dofs_ + i] = (old_[dofs_ + i] + y_[dofs_ + i]) / 2;
    }
    book(h, middle, half);
    for (int c = 0; c < f_.contacts(); ++c) advance(c, h);
  }

  void sweep(double h) {
    const int most = f_.contacts() == 1 ? 1 : 50;
    for (int round = 0; round < most; ++round) {
      double change = 0, size = 0;
      for (int c = 0; c < f_.contacts(); ++c) {
        OneContact& one = contacts_[ix(c)];
        const Planar before = one.force;
        Planar free = one.free;
        for (int d = 0; d < f_.contacts(); ++d) {
          if (d != c)
            free -= h * coupling_[ix(c) * contacts_.size() + ix(d)] * contacts_[ix(d)].force;
        }
        const double w = coupling_[ix(c) * contacts_.size() + ix(c)];
        if (f_.is_set_valued(c)) {
          solve_set_valued(c, one, free, h, w);
        } else {
          solve(c, one, free, h, w);
        }
        change = std::max(change, (one.force - before).norm());
        size = std::max(size, one.force.norm());
      }
      if (change <= 1e-10 * size) return;
    }
  }

  Planar mean_force(int c, OneContact& one, const Planar& slip, double h) const {
    f_.count_evaluation();
    one.at.v = slip;
    if (f_.mechanics().rig().contacts[ix(c)].law.delay() == 0) one.at.v_lag = slip;
    return f_.friction(c).mean_force(one.at, h);
  }
  /// Implicitness from the secant of the mean force: 1/2 when soft, towards 1 when stiff.
  double theta(int c, OneContact& one, const Planar& slip, const Planar& force, double h,
               double w) const {
    const double tiny = 1e-12;
    const Planar probe = slip.norm() > tiny ? slip : Planar(tiny, 0, 0);
    const Planar base = mean_force(c, one, Planar::Zero(), h);
    const Planar top = slip.norm() > tiny ? force : mean_force(c, one, probe, h);
    const double x = std::max(0.0, h * w * (top - base).dot(probe) / probe.squaredNorm());
    return 0.5 + x / (12 + 2 * x);
  }
  /// v̂ − v − θ (free − v − h w F̄(v̂))
  Planar residual(int c, OneContact& one, const Planar& free, const Planar& slip, double h,
                  double w) const {
    one.force = mean_force(c, one, slip, h);
    one.theta = theta(c, one, slip, one.force, h, w);
    return slip - one.now - one.theta * (free - one.now - h * w * one.force);
  }

  void solve(int c, OneContact& one, const Planar& free, double h, double w) const {
    if (w == 0) {  // driven: the slip is what it is
      one.slip = (one.now + free) / 2;
      one.force = mean_force(c, one, one.slip, h);
      return;
    }
    if (f_.mechanics().axes(c) == 1) {
      solve_line(c, one, free, h, w);
    } else {
      solve_plane(c, one, free, h, w);
    }
    one.force = mean_force(c, one, one.slip, h);
  }

  /// Bracketed secant (Illinois), from the slip of the step before: of several roots the nearest.
  void solve_line(int c, OneContact& one, const Planar& free, double h, double w) const {
    const auto g = [&](double v) { return residual(c, one, free, Planar(v, 0, 0), h, w)[0]; };
    double a = one.slip[0], ga = g(a);
    const double scale = std::abs(one.now[0]) + std::abs(free[0]) + 1e-12;
    if (std::abs(ga) <= 1e-13 * scale) return;
    double reach = std::max(std::abs(ga), 1e-12), b = a, gb = ga;
    for (int i = 0; i < 60 && (gb > 0) == (ga > 0); ++i, reach *= 2) {
      a = b;
      ga = gb;
      b = a - (ga > 0 ? reach : -reach);
      gb = g(b);
    }
    for (int i = 0; i < 60; ++i) {
      double v = (a * gb - b * ga) / (gb - ga);
      if (!std::isfinite(v) || v <= std::min(a, b) || v >= std::max(a, b)) v = (a + b) / 2;
      const double gv = g(v);
      one.slip = Planar(v, 0, 0);
      if (std::abs(gv) <= 1e-13 * scale || std::abs(b - a) <= 1e-15 * std::abs(v)) return;
      if ((gv > 0) == (gb > 0)) {
        ga /= (last_side_ == 1 ? 2 : 1);
        b = v;
        gb = gv;
        last_side_ = 1;
      } else {
        gb /= (last_side_ == -1 ? 2 : 1);
        a = v;
        ga = gv;
        last_side_ = -1;
      }
    }
  }

  /// Newton with differences of the mean force, damped where it does not descend.
  void solve_plane(int c, OneContact& one, const Planar& free, double h, double w) const {
    const double scale = one.now.norm() + free.norm() + 1e-12;
    Planar v = one.slip;
    Planar r = residual(c, one, free, v, h, w);
    for (int i = 0; i < 40 && r.norm() > 1e-12 * scale; ++i) {
      const double d = 1e-7 * std::max(v.norm(), 1e-6 * scale) + 1e-18;
      Eigen::Matrix2d slope;
      slope.col(0) = (residual(c, one, free, v + Planar(d, 0, 0), h, w) - r).head<2>() / d;
      slope.col(1) = (residual(c, one, free, v + Planar(0, d, 0), h, w) - r).head<2>() / d;
      Planar step = Planar::Zero();
      step.head<2>() = slope.inverse() * r.head<2>();
      if (!step.allFinite()) break;
      double share = 1;
      for (int k = 0; k < 30; ++k, share /= 2) {
        const Planar trial = v - share * step;
        const Planar rt = residual(c, one, free, trial, h, w);
        if (rt.norm() < r.norm() * (1 - 1e-4 * share)) {
          v = trial;
          r = rt;
          break;
        }
        if (k == 29) share = 0;
      }
      if (share == 0) break;
    }
    one.slip = v;
  }

  void solve_set_valued(int c, OneContact& one, const Planar& free, double h, double w) const {
    const AnyLaw& law = f_.mechanics().rig().contacts[ix(c)].law;
    const StickSet set = law.stick_set(one.at.fn);
    if (w > 0) {
      // The force that brings the slip to rest at the end of the step.
      const Planar stop = free / (h * w);
      const bool stuck = f_.mode(c) == Mode::stick;
      const double kinetic = std::abs(law.steady(std::max(1e-12, 1.001 * set.band), one.at.fn));
      const double top = stuck ? set.max : std::min(set.max, kinetic);
      const double bottom = stuck ? set.min : std::max(set.min, -kinetic);
      const bool holds =
          f_.mechanics().axes(c) == 2 ? stop.norm() <= top : stop[0] <= top && stop[0] >= bottom;
      if (holds) {
        one.force = stop;
        one.slip = Planar::Zero();
        return;
      }
    }
    const Planar way = free.norm() > 0 ? Planar(free.normalized()) : Planar::UnitX();
    double speed = std::max({(one.now + free).norm() / 2, set.band * 1.001, 1e-12});
    for (int i = 0; i < 20; ++i) {
      one.force = mean_force(c, one, way * speed, h);
      const double next =
          std::max({((one.now + free - h * w * one.force) / 2).dot(way), set.band * 1.001, 1e-12});
      if (std::abs(next - speed) <= 1e-12 * speed) break;
      speed = next;
    }
    one.slip = way * speed;
  }

  void advance(int c, double h) {
    OneContact& one = contacts_[ix(c)];
    FrictionState& state = f_.friction(c);
    if (f_.is_set_valued(c)) {
      const bool sticks = one.slip.norm() == 0;
      f_.put_mode(c, t_ + h, sticks ? Mode::stick : Mode::slip,
                  sticks ? Planar::UnitX() : Planar(one.slip.normalized()));
      return;
    }
    one.at.v = one.slip;
    if (f_.mechanics().rig().contacts[ix(c)].law.delay() == 0) one.at.v_lag = one.slip;
    state.advance(one.at, h);
    state.get(state_of(y_).subspan(ix(f_.state_start(c)), ix(state.size())));
  }

  /// Work over the step, from the forces that acted and the mean of both velocities.
  void book(double h, double middle, std::vector<double>& half) {
    const Mechanics& mechanics = f_.mechanics();
    const Powers powers = mechanics.applied(middle, q(half), u(half), force_);
    double input = powers.input;
    for (int c = 0; c < f_.contacts(); ++c) {
      const OneContact& one = contacts_[ix(c)];
      input += mechanics.frame_power(c, middle, q(half), one.force);
      const Planar slip = mechanics.slip(c, middle, q(half), u(half));
      const double work = one.force.dot(slip);
      ContactSlip here = one.at;
      here.v = slip;
      y_[n_ + 2 + 2 * ix(c)] += h * work;
      y_[n_ + 3 + 2 * ix(c)] += h * (f_.is_set_valued(c) ? work : f_.friction(c).dissipation(here));
    }
    y_[n_] += h * input;
    y_[n_ + 1] += h * powers.damped;
  }

  Dynamics& f_;
  std::size_t dofs_;
  std::vector<double> force_, last_rate_, coupling_, stage_;
  std::vector<OneContact> contacts_;
  mutable int last_side_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_averaged(Dynamics& dynamics, double step) {
  return std::make_unique<Averaged>(dynamics, step);
}

}  // namespace bristle
