#pragma once

/// Impedance control of a point of a robot, in the world's axes, written as generalised forces:
///
///   f = Jᵀ [K e + D ė] − g(q) + N [k_p (q_0 − q) − d_p u]
///
/// e: from where the point is to where it shall be, position and rotation; J its Jacobian. The
/// target starts where the point starts and moves with given velocities. g is the weight's
/// generalised force. The posture draws the joints to where they started, as far as the task does
/// not care: N = 1 − J_sᵀ (J_s M⁻¹ J_sᵀ)⁺ J_s M⁻¹ over the directions s that have a stiffness or a
/// damping.

#include <array>
#include <string>
#include <vector>

#include "bristle/mujoco/model.hpp"
#include "bristle/system/mechanism.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

struct TaskImpedance {
  std::string at{};                        ///< a site, or a body
  Vector3 stiffness = Vector3::Zero();     ///< N/m
  Vector3 damping = Vector3::Zero();       ///< N s/m
  Vector3 turning = Vector3::Zero();       ///< N m/rad
  Vector3 turn_damping = Vector3::Zero();  ///< N m s/rad
  std::array<Signal, 3> velocity{};        ///< of the target, m/s
  std::array<Signal, 3> spin{};            ///< of the target, rad/s; about one axis at most
  bool gravity = true;                     ///< compensated
  double posture_stiffness = 0;            ///< N m/rad, N/m
  double posture_damping = 0;              ///< N m s/rad, N s/m
};

/// That control at a robot of a model.
class ImpedanceControl {
 public:
  /// `start` is at the starting place: the target's, and the posture. InputError for a name that is
  /// not there.
  ImpedanceControl(TaskImpedance task, const mjModel& model, const mjData& start);

  /// Force at the place and velocity of `data`, whose mass matrix is factored.
  void force(const mjModel& model, mjData& data, double t, Mechanism::Vector& f) noexcept;

  const TaskImpedance& task() const noexcept { return task_; }
  Vector3 position(const mjData& data) const noexcept;
  /// Of the last call of force(): what the task asks for at the point, on the robot.
  const Vector3& push() const noexcept { return push_; }
  const Vector3& torque() const noexcept { return torque_; }
  /// From the point to the target; the rotation as a vector.
  const Vector3& error() const noexcept { return error_; }
  const Vector3& turn_error() const noexcept { return turn_error_; }
  std::vector<double> breaks() const;
  void each_signal(const std::function<void(Signal&)>& see);

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6,
                             Mechanism::most_speeds>;
  Eigen::Quaterniond rotation(const mjData& data) const noexcept;
  void jacobian(const mjModel& model, const mjData& data) noexcept;
  void add_posture(const mjModel& model, mjData& data, Mechanism::Vector& f) noexcept;

  TaskImpedance task_;
  int site_ = -1, body_ = -1;
  Pose start_{};
  std::vector<double> posture_;
  std::vector<int> directions_;  // rows of the Jacobian that the task cares for
  Rows rows_, cared_, solved_;
  Vector3 push_ = Vector3::Zero(), torque_ = Vector3::Zero();
  Vector3 error_ = Vector3::Zero(), turn_error_ = Vector3::Zero();
};

/// Generalised force of the weight, from the composite masses of the last mj_comPos.
void weight_force(const mjModel& model, const mjData& data, Mechanism::Vector& f) noexcept;

}  // namespace bristle
