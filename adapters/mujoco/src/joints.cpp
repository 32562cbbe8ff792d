#include "joints.hpp"

#include <fmt/format.h>

#include "bristle/mujoco/model.hpp"

namespace bristle::detail {
namespace {

/// Angular velocity in the body's own axes, as MuJoCo has it.
void quaternion_rate(const double* q, const double* w, double* dq) noexcept {
  dq[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
  dq[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  dq[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  dq[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/// A force along a tendon, as speeds feel it: its Jacobian is kept dense or sparse.
void add_tendon(const mjModel& m, const mjData& d, int tendon, double force,
                Mechanism::Vector& f) noexcept {
  if (mj_isSparse(&m) == 0) {
    for (int i = 0; i < m.nv; ++i) f[i] += force * d.ten_J[tendon * m.nv + i];
    return;
  }
  const int first = d.ten_J_rowadr[tendon];
  for (int k = 0; k < d.ten_J_rownnz[tendon]; ++k) {
    f[d.ten_J_colind[first + k]] += force * d.ten_J[first + k];
  }
}

using Output = Mechanism::Output;

void add(std::vector<Output>& list, const std::string& joint,
         std::initializer_list<const char*> parts, const char* unit) {
  for (const char* part : parts) list.push_back({fmt::format("{}_{}", joint, part), unit});
}

std::string joint_name(const mjModel& m, int joint) {
  const char* name = mj_id2name(&m, mjOBJ_JOINT, joint);
  return name != nullptr && *name != '\0' ? name : fmt::format("joint{}", joint + 1);
}

}  // namespace

int joint_places(int type) noexcept { return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1; }
int joint_speeds(int type) noexcept { return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1; }

void place_rate(const mjModel& m, std::span<const double> q, std::span<const double> u,
                std::span<double> dq) noexcept {
  for (int j = 0; j < m.njnt; ++j) {
    const int place = m.jnt_qposadr[j], speed = m.jnt_dofadr[j];
    const double* from = u.data() + speed;
    double* to = dq.data() + place;
    switch (m.jnt_type[j]) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; ++k) to[k] = from[k];
        quaternion_rate(q.data() + place + 3, from + 3, to + 3);
        break;
      case mjJNT_BALL:
        quaternion_rate(q.data() + place, from, to);
        break;
      default:
        *to = *from;
    }
  }
}

void take_springs(const mjModel& m, const mjData& d, Mechanism::Vector& f) noexcept {
  if ((m.opt.disableflags & mjDSBL_PASSIVE) != 0) return;
  for (int j = 0; j < m.njnt; ++j) {
    const double k = m.jnt_stiffness[j];
    if (k == 0) continue;
    const mjtNum* q = d.qpos + m.jnt_qposadr[j];
    const mjtNum* rest = m.qpos_spring + m.jnt_qposadr[j];
    double* to = f.data() + m.jnt_dofadr[j];
    const int type = m.jnt_type[j];
    if (type == mjJNT_SLIDE || type == mjJNT_HINGE) {
      to[0] += k * (q[0] - rest[0]);
      continue;
    }
    if (type == mjJNT_FREE) {
      for (int i = 0; i < 3; ++i) to[i] += k * (q[i] - rest[i]);
      q += 3;
      rest += 3;
      to += 3;
    }
    mjtNum turn[3];
    mju_subQuat(turn, q, rest);
    for (int i = 0; i < 3; ++i) to[i] += k * turn[i];
  }
  for (int i = 0; i < m.ntendon; ++i) {
    const double force = m.tendon_stiffness[i] * (d.ten_length[i] - m.tendon_lengthspring[i]);
    if (force != 0) add_tendon(m, d, i, force, f);
  }
}

std::vector<Output> place_names(const mjModel& m) {
  std::vector<Output> list;
  for (int j = 0; j < m.njnt; ++j) {
    const std::string name = joint_name(m, j);
    const int type = m.jnt_type[j];
    if (type == mjJNT_FREE) add(list, name, {"x", "y", "z"}, "m");
    if (type == mjJNT_FREE || type == mjJNT_BALL) add(list, name, {"qw", "qx", "qy", "qz"}, "1");
    if (type == mjJNT_HINGE) list.push_back({name, "rad"});
    if (type == mjJNT_SLIDE) list.push_back({name, "m"});
  }
  return list;
}

std::vector<Output> speed_names(const mjModel& m) {
  std::vector<Output> list;
  for (int j = 0; j < m.njnt; ++j) {
    const std::string name = joint_name(m, j);
    const int type = m.jnt_type[j];
    if (type == mjJNT_FREE) add(list, name, {"vx", "vy", "vz"}, "m/s");
    if (type == mjJNT_FREE || type == mjJNT_BALL) add(list, name, {"wx", "wy", "wz"}, "rad/s");
    if (type == mjJNT_HINGE) list.push_back({name + "_rate", "rad/s"});
    if (type == mjJNT_SLIDE) list.push_back({name + "_rate", "m/s"});
  }
  return list;
}

}  // namespace bristle::detail
