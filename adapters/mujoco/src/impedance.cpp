#include "bristle/mujoco/impedance.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

/// The rotation as a vector: its axis times its angle, at most π.
Vector3 turn_vector(Eigen::Quaterniond q) noexcept {
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  const double angle = 2 * std::atan2(sine, q.w());
  return sine > 0 ? Vector3(q.vec() * (angle / sine)) : Vector3::Zero();
}
Eigen::Quaterniond turned_by(const Vector3& turn) noexcept {
  const double angle = turn.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle));
}
Vector3 values(const std::array<Signal, 3>& signals, double t) noexcept {
  return {signals[0].value(t), signals[1].value(t), signals[2].value(t)};
}
Vector3 integrals(const std::array<Signal, 3>& signals, double t) noexcept {
  return {signals[0].integral(t), signals[1].integral(t), signals[2].integral(t)};
}

}  // namespace

void weight_force(const mjModel& m, const mjData& d, Mechanism::Vector& f) noexcept {
  f.setZero(m.nv);
  if ((m.opt.disableflags & mjDSBL_GRAVITY) != 0) return;
  const Vector3 g = mujoco_vector(m.opt.gravity);
  for (int i = 0; i < m.nv; ++i) {
    // Axes of speeds are given at the centre of mass of the whole tree.
    const int body = m.dof_bodyid[i];
    const Vector3 lever = mujoco_vector(d.subtree_com + 3 * body) -
                          mujoco_vector(d.subtree_com + 3 * m.body_rootid[body]);
    const mjtNum* axis = d.cdof + 6 * i;
    f[i] = m.body_subtreemass[body] *
           (mujoco_vector(axis + 3).dot(g) + mujoco_vector(axis).dot(lever.cross(g)));
  }
}

ImpedanceControl::ImpedanceControl(TaskImpedance task, const mjModel& m, const mjData& start)
    : task_(std::move(task)), posture_(start.qpos, start.qpos + m.nq) {
  site_ = mj_name2id(&m, mjOBJ_SITE, task_.at.c_str());
  body_ = site_ >= 0 ? m.site_bodyid[site_] : mj_name2id(&m, mjOBJ_BODY, task_.at.c_str());
  if (body_ < 0) {
    std::vector<std::string> names = mujoco_names(m, mjOBJ_SITE);
    for (std::string& name : mujoco_names(m, mjOBJ_BODY)) names.push_back(std::move(name));
    throw InputError({.message = "the model has no site or body of this name",
                      .value = task_.at,
                      .expected = one_of(names),
                      .nearest = nearest_name(task_.at, names)});
  }
  int axes = 0;
  for (const Signal& spin : task_.spin) axes += spin.is_zero() ? 0 : 1;
  if (axes > 1) {
    throw InputError({.message = "the target turns about several axes", .expected = "one axis"});
  }
  for (int k = 0; k < 3; ++k) {
    if (task_.stiffness[k] != 0 || task_.damping[k] != 0) directions_.push_back(k);
  }
  for (int k = 0; k < 3; ++k) {
    if (task_.turning[k] != 0 || task_.turn_damping[k] != 0) directions_.push_back(3 + k);
  }
  start_ = {position(start), rotation(start)};
}

Vector3 ImpedanceControl::position(const mjData& d) const noexcept {
  return mujoco_vector(site_ >= 0 ? d.site_xpos + 3 * site_ : d.xpos + 3 * body_);
}
Eigen::Quaterniond ImpedanceControl::rotation(const mjData& d) const noexcept {
  if (site_ < 0) return mujoco_rotation(d.xquat + 4 * body_);
  mjtNum q[4];
  mju_mat2Quat(q, d.site_xmat + 9 * site_);
  return mujoco_rotation(q);
}

void ImpedanceControl::jacobian(const mjModel& m, const mjData& d) noexcept {
  rows_.resize(6, m.nv);
  const Vector3 p = position(d);
  mj_jac(&m, &d, rows_.data(), rows_.data() + 3 * m.nv, p.data(), body_);
}

void ImpedanceControl::force(const mjModel& m, mjData& d, double t, Mechanism::Vector& f) noexcept {
  const Eigen::Map<const Mechanism::Vector> u(d.qvel, m.nv);
  jacobian(m, d);
  error_ = start_.position + integrals(task_.velocity, t) - position(d);
  turn_error_ =
      turn_vector(turned_by(integrals(task_.spin, t)) * start_.rotation * rotation(d).conjugate());
  const Vector3 lag = values(task_.velocity, t) - rows_.topRows<3>().lazyProduct(u);
  const Vector3 turn_lag = values(task_.spin, t) - rows_.bottomRows<3>().lazyProduct(u);
  push_ = task_.stiffness.cwiseProduct(error_) + task_.damping.cwiseProduct(lag);
  torque_ = task_.turning.cwiseProduct(turn_error_) + task_.turn_damping.cwiseProduct(turn_lag);

  f.setZero(m.nv);
  if (task_.posture_stiffness != 0 || task_.posture_damping != 0) add_posture(m, d, f);
  if (task_.gravity) {
    Mechanism::Vector weight;
    weight_force(m, d, weight);
    f -= weight;
  }
  f += rows_.topRows<3>().transpose().lazyProduct(push_);
  f += rows_.bottomRows<3>().transpose().lazyProduct(torque_);
}

void ImpedanceControl::add_posture(const mjModel& m, mjData& d, Mechanism::Vector& f) noexcept {
  const Eigen::Map<const Mechanism::Vector> u(d.qvel, m.nv);
  Mechanism::Vector draw(m.nv);
  mj_differentiatePos(&m, draw.data(), 1, d.qpos, posture_.data());
  draw = task_.posture_stiffness * draw - task_.posture_damping * u;
  const int count = static_cast<int>(directions_.size());
  if (count > 0) {
    cared_.resize(count, m.nv);
    for (int k = 0; k < count; ++k) {
      cared_.row(k) = rows_.row(directions_[static_cast<std::size_t>(k)]);
    }
    solved_.resize(count, m.nv);
    mj_solveM(&m, &d, solved_.data(), cared_.data(), count);
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
    using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    const Small compliance = solved_.lazyProduct(cared_.transpose());
    const Eigen::SelfAdjointEigenSolver<Small> split(compliance);
    // Directions in which the robot cannot move have nothing to give back.
    SmallVector part = split.eigenvectors().transpose().lazyProduct(solved_.lazyProduct(draw));
    const double least = 1e-9 * split.eigenvalues()[count - 1];
    for (int k = 0; k < count; ++k) {
      part[k] = split.eigenvalues()[k] > least ? part[k] / split.eigenvalues()[k] : 0;
    }
    const SmallVector back = split.eigenvectors().lazyProduct(part);
    draw -= cared_.transpose().lazyProduct(back);
  }
  f += draw;
}

std::vector<double> ImpedanceControl::breaks() const {
  std::vector<double> times;
  for (const auto* signals : {&task_.velocity, &task_.spin}) {
    for (const Signal& signal : *signals) {
      const std::vector<double> more = signal.breaks();
      times.insert(times.end(), more.begin(), more.end());
    }
  }
  return times;
}

void ImpedanceControl::each_signal(const std::function<void(Signal&)>& see) {
  for (Signal& signal : task_.velocity) see(signal);
  for (Signal& signal : task_.spin) see(signal);
}

}  // namespace bristle
