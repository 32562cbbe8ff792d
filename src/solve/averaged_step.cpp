// The fixed step made for friction: "averaged force, implicit slip".
//
// Over a step h the slip of each contact is frozen at v̂ and its law is solved exactly on that
// straight path; F̄(v̂) is the exact mean of its force. v̂ itself follows from the motion,
//
//   v̂ = v + Θ h (b − W F̄(v̂)),   Θ = (3 + X)(6 + X)⁻¹,   X = h W ∂F̄/∂v,   W = J M⁻¹ Jᵀ,
//
// second order where friction is soft (Θ → ½) and L-stable where it is stiff (Θ → 1): on a line
// θ = ½ + x/(12 + 2x), over an area a matrix (area_slip.hpp says why). ∂F̄/∂v is the secant from
// rest, which knows of a stop ahead. Then u' = u + h M⁻¹ (f − Σ Jᵀ F̄) and q' = q + h (u + u')/2, so
// the work of F̄ is booked exactly. Other forces are taken in the middle of the step: springs need ω
// h < 2. Several contacts are swept one after the other until their forces settle. A set-valued law
// sticks if the force that brings its slip to rest is within its limit.

#include <Eigen/LU>
#include <Eigen/QR>

#include "bristle/solve/area_slip.hpp"
#include "bristle/solve/dynamics.hpp"
#include "fixed_step.hpp"
#include "mixing.hpp"

namespace bristle {
namespace {

using detail::FixedStep;

constexpr std::size_t ix(int i) noexcept { return static_cast<std::size_t>(i); }

class Averaged final : public FixedStep {
 public:
  Averaged(Dynamics& dynamics, double step, int sweeps)
      : FixedStep(dynamics, step),
        f_(dynamics),
        sweeps_(sweeps),
        dofs_(ix(dynamics.dofs())),
        force_(dofs_),
        last_rate_(dofs_),
        stage_(size_),
        contacts_(ix(dynamics.contacts())),
        mixing_(3 * dynamics.contacts()),
        mixed_(3 * dynamics.contacts()),
        image_(3 * dynamics.contacts()) {
    for (int c = 0; c < f_.contacts(); ++c) {
      OneContact& one = contacts_[ix(c)];
      one.w = coupling(c, c);
      if (contact(c).area) one.scale[2] = contact(c).area->length();
      one.band = f_.band(c);
      one.inverse = one.w.completeOrthogonalDecomposition().pseudoInverse();
      for (int d = 0; d < f_.contacts(); ++d) {
        const Eigen::Matrix3d by = coupling(c, d);
        if (d != c && !by.isZero(0)) one.others.push_back({d, by});
      }
    }
  }

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    FixedStep::start(t, y, quadratures);
    std::fill(last_rate_.begin(), last_rate_.end(), 0.0);
    for (int c = 0; c < f_.contacts(); ++c) {
      contacts_[ix(c)].slip = slip_at(c, t, y_);
      contacts_[ix(c)].sticks = false;
    }
  }
  BudgetUse used_up() const noexcept override {
    return {.steps = unsettled_steps_, .sweeps = unsettled_steps_};
  }

 private:
  /// How another contact's force moves the slip here: J_c M⁻¹ J_dᵀ.
  struct Coupled {
    int with;
    Eigen::Matrix3d by;
  };
  struct OneContact {
    Eigen::Matrix3d w, inverse;  ///< J_c M⁻¹ J_cᵀ; its inverse, 0 where nothing moves
    std::vector<Coupled> others{};
    Planar now = Planar::Zero(), free = Planar::Zero();  ///< slip now, and after h without friction
    Planar slip = Planar::Zero(), force = Planar::Zero();
    Planar scale = Planar::Ones();  ///< length of the area at the angle: rad/s to m/s, N m to N
    bool sticks = false;
    double band = 0;
    ContactSlip at{};
  };

  std::span<double> q(std::vector<double>& y) const { return std::span(y).first(dofs_); }
  std::span<double> u(std::vector<double>& y) const { return std::span(y).subspan(dofs_, dofs_); }
  Planar slip_at(int c, double t, std::vector<double>& y) const {
    return f_.mechanics().slip(c, t, q(y), u(y));
  }
  /// J_c M⁻¹ J_dᵀ. Of a contact on a line the rows beyond the first are 0, and so on.
  Eigen::Matrix3d coupling(int c, int d) const {
    const Mechanics& mechanics = f_.mechanics();
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (int i = 0; i < mechanics.axes(c); ++i) {
      for (int k = 0; k < mechanics.axes(d); ++k) {
        for (const Mechanics::Entry& a : mechanics.slip_row(c, i)) {
          for (const Mechanics::Entry& b : mechanics.slip_row(d, k)) {
            if (a.coordinate < 0 || a.coordinate != b.coordinate) continue;
            sum(i, k) += a.factor * b.factor * mechanics.inverse_mass()[ix(a.coordinate)];
          }
        }
      }
    }
    return sum;
  }
  const Contact& contact(int c) const { return f_.mechanics().rig().contacts[ix(c)]; }

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
      one.at.f_e = one.inverse * (one.free - one.now) / h;
      f_.friction(c).put(state_of(old_).subspan(ix(f_.state_start(c)), ix(f_.friction(c).size())));
    }
    unsettled_ = false;
    sweep(h);
    unsettled_steps_ += unsettled_ ? 1 : 0;
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
    if (f_.contacts() == 1) return solve_one(0, h);
    mixing_.start(mixed_.size());
    for (int round = 0; round < sweeps_; ++round) {
      take_forces(mixed_);
      for (int c = 0; c < f_.contacts(); ++c) solve_one(c, h);
      take_forces(image_);
      if ((image_ - mixed_).lpNorm<Eigen::Infinity>() <= 1e-10 * image_.lpNorm<Eigen::Infinity>()) {
        return;
      }
      if (round < 4) continue;  // most settle by themselves
      mixing_.next(mixed_, image_);
      put_forces(mixed_);
    }
    unsettled_ = true;
  }
  /// Torques over the length of their area, so that all are forces.
  void take_forces(Eigen::VectorXd& all) const {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const OneContact& one = contacts_[c];
      all.segment<3>(static_cast<Eigen::Index>(3 * c)) = one.force.cwiseQuotient(one.scale);
    }
  }
  void put_forces(const Eigen::VectorXd& all) {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      OneContact& one = contacts_[c];
      one.force = one.scale.cwiseProduct(all.segment<3>(static_cast<Eigen::Index>(3 * c)));
    }
  }
  /// One contact, with the forces of the others as they are.
  void solve_one(int c, double h) {
    OneContact& one = contacts_[ix(c)];
    Planar free = one.free;
    for (const Coupled& other : one.others)
      free -= h * (other.by * contacts_[ix(other.with)].force);
    if (f_.is_set_valued(c)) {
      solve_set_valued(c, one, free, h);
    } else {
      solve(c, one, free, h);
    }
  }

  void count(int evaluations) const {
    for (int i = 0; i < evaluations; ++i) f_.count_evaluation();
  }
  Planar mean_force(int c, OneContact& one, const Planar& slip, double h) const {
    f_.count_evaluation();
    one.at.v = slip;
    if (contact(c).law.delay() == 0) one.at.v_lag = slip;
    return f_.friction(c).mean_force(one.at, h);
  }
  /// Of the mean force, from rest to this slip, N s/m.
  double secant(int c, OneContact& one, const Planar& slip, const Planar& force, double h) const {
    const double tiny = 1e-12;
    const Planar probe = slip.norm() > tiny ? slip : Planar(tiny, 0, 0);
    const Planar base = mean_force(c, one, Planar::Zero(), h);
    const Planar top = slip.norm() > tiny ? force : mean_force(c, one, probe, h);
    return std::max(0.0, (top - base).dot(probe) / probe.squaredNorm());
  }

  void solve(int c, OneContact& one, const Planar& free, double h) const {
    const int axes = f_.mechanics().axes(c);
    if (axes == 3) return solve_area(c, one, free, h);
    if (one.w.isZero(0)) {  // driven: the slip is what it is
      one.slip = (one.now + free) / 2;
    } else if (axes == 1) {
      solve_line(c, one, free[0], h);
    } else {
      solve_plane(c, one, free, h);
    }
    one.force = mean_force(c, one, one.slip, h);
  }

  /// Bracketed secant (Illinois), from the slip of the step before: of several roots the nearest.
  void solve_line(int c, OneContact& one, double free, double h) const {
    const double hw = h * one.w(0, 0), now = one.now[0];
    // v̂ − v − θ (free − v − h w F̄(v̂))
    const auto g = [&](double v) {
      const Planar slip(v, 0, 0), force = mean_force(c, one, slip, h);
      const double x = hw * secant(c, one, slip, force, h);
      return v - now - (0.5 + x / (12 + 2 * x)) * (free - now - hw * force[0]);
    };
    double a = one.slip[0], ga = g(a);
    const double scale = std::abs(now) + std::abs(free) + 1e-12;
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
    unsettled_ |= std::abs(g(one.slip[0])) > 1e-6 * scale;
  }

  /// Newton with differences of the mean force, damped where it does not descend.
  void solve_plane(int c, OneContact& one, const Planar& free, double h) const {
    const double scale = one.now.norm() + free.norm() + 1e-12;
    const Eigen::Matrix2d hw = h * one.w.topLeftCorner<2, 2>();
    // v̂ − v − Θ (free − v − h W F̄(v̂))
    const auto residual = [&](const Planar& slip) {
      const Planar force = mean_force(c, one, slip, h);
      const Eigen::Matrix2d x = hw * secant(c, one, slip, force, h), unit = x.Identity();
      const Eigen::Vector2d rest = (free - one.now).head<2>() - hw * force.head<2>();
      Planar r = slip - one.now;
      r.head<2>() -= (3 * unit + x) * ((6 * unit + x).inverse() * rest);
      return r;
    };
    Planar v = one.slip;
    Planar r = residual(v);
    for (int i = 0; i < 40 && r.norm() > 1e-12 * scale; ++i) {
      const double d = 1e-7 * std::max(v.norm(), 1e-6 * scale) + 1e-18;
      Eigen::Matrix2d slope;
      slope.col(0) = (residual(v + Planar(d, 0, 0)) - r).head<2>() / d;
      slope.col(1) = (residual(v + Planar(0, d, 0)) - r).head<2>() / d;
      Planar step = Planar::Zero();
      step.head<2>() = slope.inverse() * r.head<2>();
      if (!step.allFinite()) break;
      double share = 1;
      for (int k = 0; k < 30; ++k, share /= 2) {
        const Planar trial = v - share * step;
        const Planar rt = residual(trial);
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
    unsettled_ |= r.norm() > 1e-6 * scale;
  }

  AreaStep area_step(int c, const OneContact& one, const Planar& free, double h) const {
    const Contact& with = contact(c);
    return {.area = *with.area,
            .law = with.law,
            .fn = one.at.fn,
            .slowest = f_.is_set_valued(c) ? slowest(one) : 0,
            .now = one.now,
            .free = free,
            .mobility = h * one.w};
  }
  void put_area_slip(OneContact& one, const AreaStep& step, const Planar& start) const {
    const AreaSlip answer = solve_area_slip(step, start);
    count(answer.evaluations);
    one.slip = answer.slip;
    one.force = answer.force;
    unsettled_ |= !answer.settled;
  }
  /// Whether friction could end the slip in this step, or turn it round.
  static bool near_rest(const OneContact& one, const AreaStep& step) {
    return step.area.speed(step.now) <= 2 * step.area.speed(change(one, step));
  }
  /// Of the slip over the step, with the force of the step before.
  static Planar change(const OneContact& one, const AreaStep& step) {
    return step.free - step.now - step.mobility * one.force;
  }
  bool ends(const OneContact& one, const AreaStep& step) const {
    if (!near_rest(one, step)) return false;
    int evaluations = 0;
    const bool rests = comes_to_rest(step, evaluations);
    count(evaluations);
    return rests;
  }
  /// Where to look for the slip: that of the middle, or near rest the one before.
  static Planar likely_slip(const OneContact& one, const AreaStep& step) {
    if (one.sticks || near_rest(one, step)) return one.slip;
    return step.now + change(one, step) / 2;
  }
  void solve_area(int c, OneContact& one, const Planar& free, double h) const {
    const AreaStep step = area_step(c, one, free, h);
    // A contact that is coming to rest is held by the peak of its friction, which a step may jump.
    const bool rests = !one.sticks && ends(one, step);
    put_area_slip(one, step, rests ? Planar(Planar::Zero()) : likely_slip(one, step));
    one.sticks = step.area.speed(step.mobility * one.force) > 100 * step.area.speed(one.slip);
  }

  // ---- set-valued laws --------------------------------------------------------------------

  static double slowest(const OneContact& one) { return std::max(1.001 * one.band, 1e-12); }

  /// Whether the contact can answer with the force that brings its slip to rest within the step.
  bool holds(int c, const OneContact& one, const Planar& stop, const Planar& free, double h) const {
    const AnyLaw& law = contact(c).law;
    const StickSet set = law.stick_set(one.at.fn);
    const bool stuck = f_.mode(c) == Mode::stick;
    const double kinetic = std::abs(law.steady(slowest(one), one.at.fn));
    const double top = stuck ? set.max : std::min(set.max, kinetic);
    const int axes = f_.mechanics().axes(c);
    if (axes == 1) {
      // Kinetic friction ends a slip; against setting off the other way there is the static one.
      const bool up = !stuck && one.now[0] > 0, down = !stuck && one.now[0] < 0;
      return stop[0] <= (up ? top : set.max) &&
             stop[0] >= (down ? std::max(set.min, -kinetic) : set.min);
    }
    if (axes == 2) return stop.norm() <= top;
    f_.count_evaluation();
    const double grip = contact(c).area->hold(stop).xi;
    return grip <= top || (grip <= set.max && ends(one, area_step(c, one, free, h)));
  }

  void solve_set_valued(int c, OneContact& one, const Planar& free, double h) const {
    const Planar stop = one.inverse * free / h;
    const bool moved =
        !one.w.isZero(0) && (free - h * (one.w * stop)).norm() <= 1e-12 * free.norm();
    const bool slipped = !one.slip.isZero(0);
    one.sticks = moved && holds(c, one, stop, free, h);
    if (one.sticks) {
      one.force = stop;
      one.slip = Planar::Zero();
    } else if (contact(c).area) {
      const AreaStep step = area_step(c, one, free, h);
      const auto out = [&] {  // of rest it starts as it lets go
        return Planar(step.area.hold(stop).direction.cwiseQuotient(one.scale));
      };
      put_area_slip(one, step, slipped ? likely_slip(one, step) : out());
    } else {
      slide(c, one, free, h);
    }
  }
  /// At a point, along the slip that there would be without friction.
  void slide(int c, OneContact& one, const Planar& free, double h) const {
    const Planar way = free.norm() > 0 ? Planar(free.normalized()) : Planar::UnitX();
    const double least = slowest(one);
    double speed = std::max((one.now + free).norm() / 2, least), change = 0;
    for (int i = 0; i < 20; ++i) {
      one.force = mean_force(c, one, way * speed, h);
      const double next =
          std::max(((one.now + free - h * (one.w * one.force)) / 2).dot(way), least);
      change = std::abs(next - speed);
      if (change <= 1e-12 * speed) break;
      speed = next;
    }
    unsettled_ |= change > 1e-6 * speed;
    one.slip = way * speed;
  }

  void advance(int c, double h) {
    OneContact& one = contacts_[ix(c)];
    FrictionState& state = f_.friction(c);
    if (f_.is_set_valued(c)) {
      Planar along = Planar::UnitX();
      if (!one.slip.isZero(0)) along = one.slip / one.scale.cwiseProduct(one.slip).norm();
      f_.put_mode(c, t_ + h, one.sticks ? Mode::stick : Mode::slip, along, one.force);
      return;
    }
    one.at.v = one.slip;
    if (contact(c).law.delay() == 0) one.at.v_lag = one.slip;
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

  // ---- what the next step starts from -----------------------------------------------------

  int own_memory() const noexcept override {
    return 1 + static_cast<int>(dofs_) + 7 * static_cast<int>(contacts_.size());
  }
  void save_own(double*& next) const noexcept override {
    *next++ = last_side_;
    for (const double number : last_rate_) *next++ = number;
    for (const OneContact& one : contacts_) {
      *next++ = one.sticks ? 1 : 0;
      for (const Planar& vector : {one.slip, one.force}) {
        for (const double number : vector) *next++ = number;
      }
    }
  }
  void restore_own(const double*& next) noexcept override {
    last_side_ = static_cast<int>(*next++);
    for (double& number : last_rate_) number = *next++;
    for (OneContact& one : contacts_) {
      one.sticks = *next++ != 0;
      for (Planar* vector : {&one.slip, &one.force}) {
        for (double& number : *vector) number = *next++;
      }
    }
  }

  Dynamics& f_;
  int sweeps_;
  mutable bool unsettled_ = false;  ///< a search of this step ended before it had found its slip
  long unsettled_steps_ = 0;
  std::size_t dofs_;
  std::vector<double> force_, last_rate_, stage_;
  std::vector<OneContact> contacts_;
  detail::Mixing mixing_;
  Eigen::VectorXd mixed_, image_;
  mutable int last_side_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_averaged(Dynamics& dynamics, double step, int sweeps) {
  return std::make_unique<Averaged>(dynamics, step, sweeps);
}

}  // namespace bristle
