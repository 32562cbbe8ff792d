#pragma once

// A mechanism as a mover of the WorldStepper (movers.hpp): in its own coordinates, with the mass
// matrix and the Jacobians of the middle of a sub-step.

#include <memory>

#include "bristle/core/index.hpp"
#include "bristle/system/mechanism.hpp"
#include "movers.hpp"

namespace bristle::detail {

class MechanismMover {
 public:
  using Vector = Mechanism::Vector;
  Vector q, u, last;  ///< places, speeds, accelerations of the last step
  double work = 0;    ///< of motors and joints

  explicit MechanismMover(const Mechanism& mechanism)
      : middle_(mechanism.clone()), now_(mechanism.clone()) {
    q.setZero(mechanism.places());
    u.setZero(mechanism.speeds());
    last.setZero(mechanism.speeds());
    mechanism.initial(span(q), span(u));
    q_middle_ = q;
    u0_ = mean_ = acceleration_ = u;
    now_->place(span(q));
    placed_ = q;
  }
  MechanismMover(const MechanismMover& o)
      : q(o.q),
        u(o.u),
        last(o.last),
        work(o.work),
        middle_(o.middle_->clone()),
        now_(o.now_->clone()),
        placed_(o.placed_),
        u0_(o.u0_),
        q_middle_(o.q_middle_),
        mean_(o.mean_),
        acceleration_(o.acceleration_),
        known_at_(o.known_at_) {}
  MechanismMover(MechanismMover&&) noexcept = default;
  MechanismMover& operator=(const MechanismMover& o) { return *this = MechanismMover(o); }
  MechanismMover& operator=(MechanismMover&&) noexcept = default;
  ~MechanismMover() = default;

  void state_from(const MechanismMover& o) noexcept {
    q = o.q;
    u = o.u;
    last = o.last;
    work = o.work;
  }
  const Mechanism& mechanism() const noexcept { return *middle_; }
  /// The next flight looks ahead anew, even from the same time.
  void forget() noexcept { known_at_ = -1; }

  Pose pose(int link) noexcept {
    if (placed_ != q) {
      now_->place(span(q));
      placed_ = q;
    }
    return now_->pose(link);
  }
  Pose middle(int link) const noexcept { return middle_->pose(link); }
  Vector3 spin_start(int link) const noexcept { return middle_->angular(link) * u0_; }

  void prepare(double t, double h) noexcept {
    u0_ = u;
    look_ahead(t, h);
    u += h * acceleration_;
    known_at_ = -1;  // what flies from here asks anew
  }
  Vector3 velocity_at(int link, const Vector3& p) const noexcept { return moving(link, p, u); }
  Vector3 start_velocity_at(int link, const Vector3& p) const noexcept {
    return moving(link, p, u0_);
  }
  Compliance respond(int link, const Vector3& p, const ContactFrame& f) const noexcept {
    return respond({along(link, p, f.n), along(link, p, f.e1), along(link, p, f.e2)});
  }
  /// Of two links against each other.
  Compliance respond(int a, int b, const Vector3& p, const ContactFrame& f) const noexcept {
    const auto between = [&](const Vector3& d) -> Vector {
      return along(a, p, d) - along(b, p, d);
    };
    return respond({between(f.n), between(f.e1), between(f.e2)});
  }
  void push(int link, const Vector3& p, const Vector3& impulse) noexcept {
    u += moved(link, p, impulse);
  }
  FullCompliance respond_all(int link, const Vector3& p) const noexcept {
    return respond_all({point_columns(link, p), middle_->angular(link)});
  }
  FullCompliance respond_all(int a, int b, const Vector3& p) const noexcept {
    return respond_all(
        {point_columns(a, p) - point_columns(b, p), middle_->angular(a) - middle_->angular(b)});
  }
  Vector3 spin(int link) const noexcept { return middle_->angular(link) * u; }
  void twist(int link, const Vector3& impulse) noexcept {
    Vector x = middle_->angular(link).transpose() * impulse;
    middle_->solve(x);
    u += x;
  }
  static constexpr bool settled() noexcept { return true; }
  void finish(double h) noexcept {
    mean_ = 0.5 * (u0_ + u);
    middle_->move(span(q), span(mean_), h);
    work += h * middle_->drive().dot(mean_);
    if (h > 0) last = (u - u0_) / h;
  }
  double nudge(int link, const Vector3& p, const Vector3& by) noexcept {
    mean_ = moved(link, p, by);
    middle_->move(span(q), span(mean_), 1);
    work += middle_->drive().dot(mean_);
    return middle_->force().dot(mean_);
  }
  /// With the acceleration of the middle of the longest flight from this time: shorter ones, which
  /// the search for a touch-down asks for, need no more than that.
  void fly(double t, double h) noexcept {
    if (t != known_at_) {
      look_ahead(t, h);
      last = acceleration_;  // once more, with what has been found
      look_ahead(t, h);
      known_at_ = t;
    }
    mean_ = u + 0.5 * h * acceleration_;
    middle_->move(span(q), span(mean_), h);
    u += h * acceleration_;
    work += h * middle_->drive().dot(mean_);
    last = acceleration_;
  }
  void slow(double share) noexcept { u *= share; }
  double kinetic() const noexcept {
    now_->look(0, span(q), span(u));
    return now_->kinetic();
  }
  double potential() const noexcept {
    now_->look(0, span(q), span(u));
    return now_->potential();
  }

  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.q, s.u, s.last, s.work);
  }

 private:
  static std::span<const double> span(const Vector& v) noexcept {
    return {v.data(), at(static_cast<int>(v.size()))};
  }
  static std::span<double> span(Vector& v) noexcept {
    return {v.data(), at(static_cast<int>(v.size()))};
  }
  /// Everything at the middle of the h that lie ahead, as far as it can be foreseen.
  void look_ahead(double t, double h) noexcept {
    q_middle_ = q;
    mean_ = u + 0.25 * h * last;
    middle_->move(span(q_middle_), span(mean_), 0.5 * h);
    mean_ = u + 0.5 * h * last;
    middle_->look(t + 0.5 * h, span(q_middle_), span(mean_));
    acceleration_ = middle_->force();
    middle_->solve(acceleration_);
  }
  Vector3 moving(int link, const Vector3& p, const Vector& speeds) const noexcept {
    const Vector3 arm = p - middle_->pose(link).position;
    return middle_->linear(link) * speeds + (middle_->angular(link) * speeds).cross(arm);
  }
  /// Velocity of the point along d per unit of each speed; also the speeds' share of a force there.
  Vector along(int link, const Vector3& p, const Vector3& d) const noexcept {
    const Vector3 turned = (p - middle_->pose(link).position).cross(d);
    return middle_->linear(link).transpose() * d + middle_->angular(link).transpose() * turned;
  }
  Vector moved(int link, const Vector3& p, const Vector3& impulse) const noexcept {
    Vector x = along(link, p, impulse);
    middle_->solve(x);
    return x;
  }
  /// Velocity of the point per unit of each speed.
  Mechanism::Columns point_columns(int link, const Vector3& p) const noexcept {
    const Vector3 arm = p - middle_->pose(link).position;
    Mechanism::Columns list = middle_->linear(link);
    for (int j = 0; j < list.cols(); ++j) {
      list.col(j) += middle_->angular(link).col(j).head<3>().cross(arm);
    }
    return list;
  }
  struct SeenAll {
    Mechanism::Columns point, turn;
  };
  FullCompliance respond_all(const SeenAll& s) const noexcept {
    FullCompliance w;
    for (int k = 0; k < 3; ++k) {
      Vector by_force = s.point.row(k).transpose(), by_torque = s.turn.row(k).transpose();
      middle_->solve(by_force);
      middle_->solve(by_torque);
      w.vv.col(k) = s.point * by_force;
      w.vw.col(k) = s.point * by_torque;
      w.ww.col(k) = s.turn * by_torque;
    }
    return w;
  }
  struct Seen {
    Vector n, e1, e2;
  };
  Compliance respond(const Seen& s) const noexcept {
    Vector in = s.n, i1 = s.e1, i2 = s.e2;
    middle_->solve(in);
    middle_->solve(i1);
    middle_->solve(i2);
    return {s.n.dot(in), {s.e1.dot(in), s.e2.dot(in)}, s.e1.dot(i1), s.e2.dot(i1), s.e2.dot(i2)};
  }

  std::unique_ptr<Mechanism> middle_;  ///< looks at the middle of a step
  std::unique_ptr<Mechanism> now_;     ///< at where it is
  Vector placed_, u0_, q_middle_, mean_, acceleration_;
  double known_at_ = -1;  ///< time from which `acceleration_` is
};

}  // namespace bristle::detail
