#pragma once

// What moves in a WorldStepper: free bodies, pendulums and mechanisms (mechanism_mover.hpp). All
// answer the same questions, so that one template steps each:
//
//   prepare(t, h)     velocities after h without contact, inverse mass at the middle of the step
//   velocity_at       of the point p, now (after what has been pushed so far) and at the start
//   respond           inverse mass seen at p along n, e1, e2
//   push(p, J)        an impulse
//   spin              angular velocity, now
//   twist(L)          an angular impulse
//   finish(h)         places after h
//   nudge             a small displacement along the inverse mass; returns the work of all other
//                     forces over it
//   fly(t, h)         without contact
//
// Those that may have contacts over an area answer one more:
//
//   respond_all       inverse mass seen at p by a force and a torque
//
// Points belong to a link; a body and the tip of a pendulum have but one.

#include <cmath>
#include <utility>

#include <Eigen/LU>

#include "bristle/shape/touch.hpp"
#include "bristle/system/pendulum.hpp"
#include "bristle/system/world.hpp"

namespace bristle::detail {

/// Inverse mass at a contact: n against n, tangents against n, tangents.
struct Compliance {
  double nn = 0;
  Eigen::Vector2d tn = Eigen::Vector2d::Zero();
  double t11 = 0, t12 = 0, t22 = 0;

  Compliance& operator+=(const Compliance& o) noexcept {
    nn += o.nn;
    tn += o.tn;
    t11 += o.t11;
    t12 += o.t12;
    t22 += o.t22;
    return *this;
  }
  /// Largest of the tangential block.
  double t_max() const noexcept {
    if (t12 == 0) return t11 > t22 ? t11 : t22;
    return 0.5 * (t11 + t22) + std::sqrt(0.25 * (t11 - t22) * (t11 - t22) + t12 * t12);
  }
};

struct ContactFrame {
  Vector3 n, e1, e2;

  Eigen::Vector2d across(const Vector3& v) const noexcept { return {e1.dot(v), e2.dot(v)}; }
  /// On A: the normal force along n, friction against the slip.
  Vector3 force(double f, const Eigen::Vector2d& friction) const noexcept {
    return f * n - friction[0] * e1 - friction[1] * e2;
  }
};

/// Velocity of a point and angular velocity that a force and a torque make there, each a
/// block of the inverse mass; the fourth is the transpose of `vw`.
struct FullCompliance {
  Matrix3 vv = Matrix3::Zero(), vw = Matrix3::Zero(), ww = Matrix3::Zero();

  FullCompliance& operator+=(const FullCompliance& o) noexcept {
    vv += o.vv;
    vw += o.vw;
    ww += o.ww;
    return *this;
  }
};

class BodyMover {
 public:
  Eigen::Quaterniond q;
  Vector3 x, v, w;

  BodyMover(const RigidBody& body, Vector3 gravity)
      : q(body.pose.rotation.normalized()),
        x(body.pose.position),
        v(body.velocity),
        w(body.spin),
        g_(std::move(gravity)),
        im_(1 / body.mass.mass),
        inertia_(body.mass.inertia),
        inverse_(body.mass.inertia.inverse()) {
    const double mean = inertia_.trace() / 3;
    round_ = (inertia_ - mean * Matrix3::Identity()).isZero(1e-12 * mean);
    ii_ = 1 / mean;
  }

  /// Place and velocity of another; the rest is of the body itself.
  void state_from(const BodyMover& o) noexcept {
    q = o.q;
    x = o.x;
    v = o.v;
    w = o.w;
  }
  Pose pose(int = 0) const noexcept { return {x, q}; }
  Pose middle(int) const noexcept { return {xm_, qm_}; }
  Vector3 spin_start(int) const noexcept { return w0_; }

  void prepare(double, double h) noexcept {
    v0_ = v;
    w0_ = w;
    xm_ = x + 0.5 * h * v;
    v += h * g_;
    if (round_) {
      qm_ = q;
      return;
    }
    qm_ = rotated(q, 0.5 * h * w);
    const Matrix3 r = qm_.toRotationMatrix();
    world_inverse_ = r * inverse_ * r.transpose();
    Eigen::Quaterniond end;
    w = free_spin(h, end);
  }
  Vector3 velocity_at(int, const Vector3& p) const noexcept { return v + w.cross(p - xm_); }
  Vector3 start_velocity_at(int, const Vector3& p) const noexcept {
    return v0_ + w0_.cross(p - xm_);
  }
  Compliance respond(int, const Vector3& p, const ContactFrame& f) const noexcept {
    const Vector3 r = p - xm_;
    if (round_) {
      const double rn = r.dot(f.n), r1 = r.dot(f.e1), r2 = r.dot(f.e2);
      return {im_ + ii_ * (r1 * r1 + r2 * r2),
              {-ii_ * rn * r1, -ii_ * rn * r2},
              im_ + ii_ * (rn * rn + r2 * r2),
              -ii_ * r1 * r2,
              im_ + ii_ * (rn * rn + r1 * r1)};
    }
    const Vector3 an = r.cross(f.n), a1 = r.cross(f.e1), a2 = r.cross(f.e2);
    const Vector3 in = world_inverse_ * an, i1 = world_inverse_ * a1;
    return {im_ + an.dot(in),
            {a1.dot(in), a2.dot(in)},
            im_ + a1.dot(i1),
            a2.dot(i1),
            im_ + a2.dot(world_inverse_ * a2)};
  }
  FullCompliance respond_all(int, const Vector3& p) const noexcept {
    const Vector3 r = p - xm_;
    Matrix3 cross;
    cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    const Matrix3 inverse = round_ ? Matrix3(ii_ * Matrix3::Identity()) : world_inverse_;
    const Matrix3 turned = cross * inverse;
    return {im_ * Matrix3::Identity() - turned * cross, -turned, inverse};
  }
  const Vector3& spin(int) const noexcept { return w; }
  void twist(int, const Vector3& impulse) noexcept {
    w += round_ ? Vector3(ii_ * impulse) : Vector3(world_inverse_ * impulse);
  }
  void push(int, const Vector3& p, const Vector3& impulse) noexcept {
    v += im_ * impulse;
    const Vector3 turn = (p - xm_).cross(impulse);
    w += round_ ? Vector3(ii_ * turn) : Vector3(world_inverse_ * turn);
  }
  /// Whether the turn of the last sub-step was found.
  bool settled() const noexcept { return settled_; }
  void finish(double h) noexcept {
    x += 0.5 * h * (v0_ + v);
    q = rotated(q, 0.5 * h * (w0_ + w));
  }
  double nudge(int, const Vector3& p, const Vector3& along) noexcept {
    x += im_ * along;
    const Vector3 turn = (p - xm_).cross(along);
    q = rotated(q, round_ ? Vector3(ii_ * turn) : Vector3(world_inverse_ * turn));
    return g_.dot(along);
  }
  void fly(double, double h) noexcept {
    x += h * v + (0.5 * h * h) * g_;
    v += h * g_;
    if (round_) {
      q = rotated(q, h * w);
      return;
    }
    Eigen::Quaterniond end;
    w = free_spin(h, end);
    q = end;
  }
  /// For a round body: its centre, and what pushes at the lever r do to it, at once.
  bool round() const noexcept { return round_; }
  double inverse_mass() const noexcept { return im_; }
  double inverse_inertia() const noexcept { return ii_; }
  const Vector3& gravity() const noexcept { return g_; }
  void move(double h, const Vector3& v1, const Vector3& w1) noexcept {
    x += (0.5 * h) * (v + v1);
    q = rotated(q, (0.5 * h) * (w + w1));
    v = v1;
    w = w1;
  }

  void slow(double share) noexcept {
    v *= share;
    w *= share;
  }
  double kinetic() const noexcept {
    const Vector3 own = q.conjugate() * w;
    return 0.5 * v.squaredNorm() / im_ + 0.5 * own.dot(inertia_ * own);
  }
  double potential() const noexcept { return -g_.dot(x) / im_; }

  /// Place, then velocity: in the order of WorldDynamics.
  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.x, s.q, s.v, s.w);
  }

 private:
  /// Turned by the world vector `angle`: sine and cosine of half of it by their series, exact to
  /// rounding for the angles of a step; the length is kept at 1 without a root.
  static Eigen::Quaterniond rotated(const Eigen::Quaterniond& q, const Vector3& angle) noexcept {
    const double s = 0.25 * angle.squaredNorm();
    if (s == 0) return q;
    double c, t;
    if (s < 0.02) {
      c = 1 - s * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s / 3628800))));
      t = 0.5 * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s / 362880))));
    } else {
      const double half = std::sqrt(s);
      c = std::cos(half);
      t = 0.5 * std::sin(half) / half;
    }
    const double x = t * angle[0], y = t * angle[1], z = t * angle[2];
    const double qw = q.w(), qx = q.x(), qy = q.y(), qz = q.z();
    const double rw = c * qw - x * qx - y * qy - z * qz, rx = c * qx + x * qw + y * qz - z * qy;
    const double ry = c * qy + y * qw + z * qx - x * qz, rz = c * qz + z * qw + x * qy - y * qx;
    const double f = 1.5 - 0.5 * (rw * rw + rx * rx + ry * ry + rz * rz);
    return {f * rw, f * rx, f * ry, f * rz};
  }
  /// Euler's equations without torque by the implicit midpoint rule in body axes: keeps energy and
  /// the size of the angular momentum; the rotation by its Cayley map keeps its direction.
  Vector3 free_spin(double h, Eigen::Quaterniond& end) noexcept {
    const Vector3 own = q.conjugate() * w;
    Vector3 next = own;
    settled_ = false;
    for (int i = 0; i < 12; ++i) {
      const Vector3 middle = 0.5 * (own + next);
      const Vector3 better = own - h * (inverse_ * middle.cross(inertia_ * middle));
      const double change = (better - next).squaredNorm();
      next = better;
      settled_ = change <= 1e-12 * own.squaredNorm();
      if (change <= 1e-30 * own.squaredNorm()) break;
    }
    const Vector3 middle = 0.25 * h * (own + next);
    Eigen::Quaterniond turn(1, middle[0], middle[1], middle[2]);
    turn.normalize();
    end = q * turn;
    end.normalize();
    return end * next;
  }

  Vector3 g_;
  double im_, ii_ = 1;
  bool round_ = false, settled_ = true;
  Matrix3 inertia_, inverse_, world_inverse_ = Matrix3::Identity();
  Vector3 v0_ = Vector3::Zero(), w0_ = Vector3::Zero(), xm_ = Vector3::Zero();
  Eigen::Quaterniond qm_ = Eigen::Quaterniond::Identity();
};

/// Sines and cosines of the angles are carried along and made afresh now and then; the inverse of
/// the mass matrix is made once for each sub-step.
class PendulumMover {
 public:
  using Pair = Eigen::Vector2d;
  using Trig = DoublePendulum::Trig;
  Pair theta, rate;

  PendulumMover(const DoublePendulum& pendulum, const Vector3& gravity)
      : theta(pendulum.absolute({pendulum.phi1, pendulum.phi2})),
        rate(pendulum.absolute({pendulum.rate1, pendulum.rate2})),
        p_(pendulum),
        g_(-gravity.z()),
        m11_(p_.j1 + p_.m1 * p_.c1 * p_.c1 + p_.m2 * p_.l1 * p_.l1),
        m22_(p_.j2 + p_.m2 * p_.c2 * p_.c2),
        m12_(p_.m2 * p_.l1 * p_.c2),
        w1_((p_.m1 * p_.c1 + p_.m2 * p_.l1) * g_),
        w2_(p_.m2 * p_.c2 * g_),
        trig_(theta) {
    last_ = terms(trig_).acceleration(rate);
  }

  void state_from(const PendulumMover& o) noexcept {
    theta = o.theta;
    rate = o.rate;
    last_ = o.last_;
    trig_ = o.trig_;
    turns_ = o.turns_;
  }
  const DoublePendulum& pendulum() const noexcept { return p_; }
  Vector3 tip() const noexcept { return p_.tip(trig_); }
  Pose pose(int = 0) const noexcept { return {tip(), Eigen::Quaterniond::Identity()}; }
  Pose middle(int) const noexcept { return {tip_, Eigen::Quaterniond::Identity()}; }
  Vector3 spin_start(int) const noexcept { return {0, -rate0_[1], 0}; }

  void prepare(double, double h) noexcept {
    rate0_ = rate;
    const Pair ahead = 0.5 * h * rate;
    middle_ = theta + ahead;
    const Trig trig = trig_.turned(ahead);
    middle_trig_ = trig;
    terms_ = terms(trig);
    rate += h * terms_.acceleration(rate + 0.5 * h * last_);
    tip_ = p_.tip(trig);
    columns_ = p_.columns(trig, Vector3::Zero());
    h_ = h;
  }
  // In its own plane, at the tip: rates to velocities along n and t, and impulses back.
  struct Flat {
    Pair n, t, in, it;
  };
  /// n and t have the components x and z.
  Flat flat(const Pair& n, const Pair& t) const noexcept {
    const Vector3 &a = columns_.by1, &b = columns_.by2;
    Flat f;
    f.n = Pair(a.x() * n[0] + a.z() * n[1], b.x() * n[0] + b.z() * n[1]);
    f.t = Pair(a.x() * t[0] + a.z() * t[1], b.x() * t[0] + b.z() * t[1]);
    f.in = terms_.solved(f.n);
    f.it = terms_.solved(f.t);
    return f;
  }
  /// How far the tip is from the pivot along n.
  double height(const Pair& n) const noexcept {
    return n[0] * (p_.l1 * trig_.s1 + p_.l2 * trig_.s2) -
           n[1] * (p_.l1 * trig_.c1 + p_.l2 * trig_.c2);
  }
  const Pair& rate_start() const noexcept { return rate0_; }

  Vector3 velocity_at(int, const Vector3& p) const noexcept { return moving(p, rate); }
  Vector3 start_velocity_at(int, const Vector3& p) const noexcept { return moving(p, rate0_); }
  Compliance respond(int, const Vector3& p, const ContactFrame& f) const noexcept {
    const auto [by1, by2] = columns_at(p);
    const Pair an(by1.dot(f.n), by2.dot(f.n)), a1(by1.dot(f.e1), by2.dot(f.e1)),
        a2(by1.dot(f.e2), by2.dot(f.e2));
    const Pair in = terms_.solved(an), i1 = terms_.solved(a1);
    return {
        an.dot(in), {a1.dot(in), a2.dot(in)}, a1.dot(i1), a2.dot(i1), a2.dot(terms_.solved(a2))};
  }
  void push(int, const Vector3& p, const Vector3& impulse) noexcept { rate += moved(p, impulse); }
  Vector3 spin(int) const noexcept { return {0, -rate[1], 0}; }
  void twist(int, const Vector3& impulse) noexcept { rate += terms_.solved({0, -impulse.y()}); }
  static constexpr bool settled() noexcept { return true; }
  void finish(double h) noexcept { finish(h, Pair::Zero()); }
  /// Further by `off` than the rates say.
  void finish(double h, const Pair& off) noexcept {
    theta += 0.5 * h * (rate0_ + rate) + off;
    trig_ = middle_trig_.turned(theta - middle_);
    refresh();
    last_ = (rate - rate0_) * (1 / h_);
  }
  double nudge(int, const Vector3& p, const Vector3& along) noexcept {
    const Pair by = moved(p, along);
    theta += by;
    trig_ = trig_.turned(by);
    return weight_over(by);
  }
  /// Work of the weight over a small change of the angles.
  double weight_over(const Pair& by) const noexcept {
    return -w1_ * trig_.s1 * by[0] - w2_ * trig_.s2 * by[1];
  }
  void fly(double, double h) noexcept {
    // Nyström's, of fourth order: the two stages in the middle share their angles.
    const Pair k1 = terms(trig_).acceleration(rate);
    const Terms middle = terms(trig_.turned(0.5 * h * rate + (0.125 * h * h) * k1));
    const Pair k2 = middle.acceleration(rate + 0.5 * h * k1);
    const Pair k3 = middle.acceleration(rate + 0.5 * h * k2);
    const Pair ahead = h * rate + (0.5 * h * h) * k3;
    const Trig end = trig_.turned(ahead);
    const Pair k4 = terms(end).acceleration(rate + h * k3);
    const Pair way = h * rate + (h * h / 6) * (k1 + k2 + k3);
    theta += way;
    trig_ = end.turned(way - ahead);
    refresh();
    rate += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    last_ = k4;
  }
  void slow(double share) noexcept { rate *= share; }
  double kinetic() const noexcept { return p_.inertia(theta).energy(rate); }
  double potential() const noexcept { return p_.potential(theta, g_); }

  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.theta, s.rate, s.last_, s.trig_.s1, s.trig_.c1, s.trig_.s2, s.trig_.c2, s.turns_);
  }

 private:
  static constexpr int afresh = 64;  ///< turns until sines and cosines are computed again

  void refresh() noexcept {
    if (++turns_ < afresh) return;
    turns_ = 0;
    trig_ = Trig(theta);
  }
  /// The equations of DoublePendulum at some angles: θ̈ = M⁻¹ (−s θ̇2² − w1, s θ̇1² − w2).
  struct Terms {
    double s = 0, w1 = 0, w2 = 0, i11 = 1, i12 = 0, i22 = 1;
    Pair solved(const Pair& f) const noexcept {
      return {i11 * f[0] + i12 * f[1], i12 * f[0] + i22 * f[1]};
    }
    Pair acceleration(const Pair& u) const noexcept {
      return solved({-s * u[1] * u[1] - w1, s * u[0] * u[0] - w2});
    }
  };
  Terms terms(const Trig& a) const noexcept {
    const double m12 = m12_ * (a.c1 * a.c2 + a.s1 * a.s2);
    const double share = 1 / (m11_ * m22_ - m12 * m12);
    return {m12_ * (a.s1 * a.c2 - a.c1 * a.s2),
            w1_ * a.s1,
            w2_ * a.s2,
            m22_ * share,
            -m12 * share,
            m11_ * share};
  }
  DoublePendulum::Columns columns_at(const Vector3& p) const noexcept {
    const Vector3 arm = p - tip_;
    return {columns_.by1, columns_.by2 + Vector3(-arm.z(), 0, arm.x())};
  }
  Vector3 moving(const Vector3& p, const Pair& u) const noexcept {
    const auto [by1, by2] = columns_at(p);
    return by1 * u[0] + by2 * u[1];
  }
  Pair moved(const Vector3& p, const Vector3& impulse) const noexcept {
    const auto [by1, by2] = columns_at(p);
    return terms_.solved({by1.dot(impulse), by2.dot(impulse)});
  }

  DoublePendulum p_;
  double g_, m11_, m22_, m12_, w1_, w2_;  ///< of `terms`, what does not depend on the angles
  double h_ = 1;
  Trig trig_, middle_trig_{Pair(0, 0)};
  int turns_ = 0;
  Terms terms_;  ///< at the middle of the sub-step
  Pair rate0_ = Pair::Zero(), middle_ = Pair::Zero(), last_ = Pair::Zero();
  Vector3 tip_ = Vector3::Zero();
  DoublePendulum::Columns columns_{Vector3::Zero(), Vector3::Zero()};
};

}  // namespace bristle::detail
