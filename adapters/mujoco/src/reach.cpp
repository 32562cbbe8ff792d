#include "bristle/mujoco/reach.hpp"

#include <memory>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

struct PointOf {
  int site, body;

  PointOf(const mjModel& m, const std::string& name)
      : site(mj_name2id(&m, mjOBJ_SITE, name.c_str())),
        body(site >= 0 ? m.site_bodyid[site] : mj_name2id(&m, mjOBJ_BODY, name.c_str())) {
    if (body < 0) {
      throw InputError({.message = "the model has no site or body of this name", .value = name});
    }
  }
  Pose pose(const mjModel& m, const mjData& d) const {
    const Pose whole{mujoco_vector(d.xpos + 3 * body), mujoco_rotation(d.xquat + 4 * body)};
    if (site < 0) return whole;
    return compose(whole,
                   {mujoco_vector(m.site_pos + 3 * site), mujoco_rotation(m.site_quat + 4 * site)});
  }
};

Data data_at(const mjModel& m, const std::vector<double>& q) {
  Data d(mj_makeData(&m), mj_deleteData);
  std::copy(q.begin(), q.end(), d->qpos);
  mj_kinematics(&m, d.get());
  mj_comPos(&m, d.get());
  return d;
}

}  // namespace

Pose point_pose(const mjModel& m, const std::vector<double>& q, const std::string& point) {
  return PointOf(m, point).pose(m, *data_at(m, q));
}

std::vector<double> reach(const mjModel& m, std::vector<double> q, const std::string& name,
                          const Pose& wanted) {
  const PointOf point(m, name);
  Eigen::Matrix<double, 6, 1> error;
  for (int round = 0; round < 100; ++round) {
    const Data d = data_at(m, q);
    const Pose pose = point.pose(m, *d);
    const Eigen::AngleAxisd turn(wanted.rotation * pose.rotation.conjugate());
    error << wanted.position - pose.position, turn.angle() * turn.axis();
    if (error.norm() < 1e-9) return q;
    Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor> j(6, m.nv);
    mj_jac(&m, d.get(), j.data(), j.data() + 3 * m.nv, pose.position.data(), point.body);
    // Enough damping to stay calm where the arm is stretched, little enough to converge at once.
    const double damping = 1e-3 * error.squaredNorm() + 1e-12;
    const Eigen::Matrix<double, 6, 6> a =
        j * j.transpose() + damping * Eigen::Matrix<double, 6, 6>::Identity();
    const Eigen::VectorXd step = j.transpose() * a.ldlt().solve(error);
    mj_integratePos(&m, q.data(), step.data(), 1);
  }
  throw InputError({.message = fmt::format("'{}' does not get there: {:.3g} m and {:.3g} rad off",
                                           name, error.head<3>().norm(), error.tail<3>().norm()),
                    .expected = "a place within reach, and a rotation that the joints allow"});
}

}  // namespace bristle
