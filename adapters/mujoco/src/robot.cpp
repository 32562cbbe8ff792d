#include "bristle/mujoco/robot.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/io/located.hpp"
#include "bristle/mujoco/mechanism.hpp"
#include "bristle/mujoco/reach.hpp"
#include "bristle/scenario/signal.hpp"
#include "joints.hpp"

namespace bristle {
namespace {

Fault unknown(const Node& node, const std::string& what, const std::string& value,
              const std::vector<std::string>& names) {
  Fault fault = node.fault("the model has no " + what + " of this name");
  fault.value = value;
  fault.expected = one_of(names);
  fault.nearest = nearest_name(value, names);
  return fault;
}

/// Next to the file that names it, else one of those that come with Bristle.
MujocoModel read_model(const Node& node) {
  const std::string name = node.text();
  const std::filesystem::path path = node.file_path();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return load_mujoco_model(path.string());
  const std::string_view text = builtin_mujoco_model(name);
  if (!text.empty()) return parse_mujoco_model(text, name + " (built in)");
  Fault fault = node.fault("no such file, and no model of this name comes with Bristle");
  fault.expected = "a file in MJCF or URDF, or " + one_of(builtin_mujoco_models());
  fault.nearest = nearest_name(name, builtin_mujoco_models());
  throw InputError(fault);
}

const Dimension& place_dimension(const mjModel& m, int joint) {
  static const Dimension none = dim::none, angle = dim::angle, length = dim::length;
  const int type = m.jnt_type[joint];
  return type == mjJNT_HINGE ? angle : type == mjJNT_SLIDE ? length : none;
}
Dimension speed_dimension(const mjModel& m, int joint) {
  const int type = m.jnt_type[joint];
  return type == mjJNT_HINGE ? dim::angular_speed : type == mjJNT_SLIDE ? dim::speed : dim::none;
}

int joint_of(const mjModel& m, const Node& node, const std::string& name) {
  const int joint = mj_name2id(&m, mjOBJ_JOINT, name.c_str());
  if (joint < 0) throw InputError(unknown(node, "joint", name, mujoco_names(m, mjOBJ_JOINT)));
  return joint;
}

/// The name of a site or body.
std::string check_point(const mjModel& m, const Node& node) {
  const std::string at = node.text();
  if (mj_name2id(&m, mjOBJ_SITE, at.c_str()) >= 0) return at;
  if (mj_name2id(&m, mjOBJ_BODY, at.c_str()) >= 0) return at;
  std::vector<std::string> names = mujoco_names(m, mjOBJ_SITE);
  for (std::string& name : mujoco_names(m, mjOBJ_BODY)) names.push_back(std::move(name));
  throw InputError(unknown(node, "site or body", at, names));
}

/// A list for all of them, in the model's order; or a map of joints.
std::vector<double> read_places(const mjModel& m, const Node& robot) {
  std::vector<double> q(m.qpos0, m.qpos0 + m.nq);
  if (const Node key = robot["keyframe"]; key.exists()) {
    const std::string name = key.text();
    const int id = mj_name2id(&m, mjOBJ_KEY, name.c_str());
    if (id < 0) throw InputError(unknown(key, "keyframe", name, mujoco_names(m, mjOBJ_KEY)));
    q.assign(m.key_qpos + id * m.nq, m.key_qpos + (id + 1) * m.nq);
  }
  const Node joints = robot["joints"];
  if (joints.is_list()) {
    return joints.quantities(m.jnt_type[0] == mjJNT_HINGE ? dim::angle : dim::none,
                             static_cast<std::size_t>(m.nq));
  }
  for (const auto& [name, value] : joints.entries()) {
    const int joint = joint_of(m, value, name);
    const int count = detail::joint_places(m.jnt_type[joint]);
    const std::vector<double> numbers =
        value.quantities(place_dimension(m, joint), static_cast<std::size_t>(count));
    std::copy(numbers.begin(), numbers.end(), q.begin() + m.jnt_qposadr[joint]);
  }
  return q;
}

/// `start` puts a point of the robot there, by joint angles near those it has.
std::vector<double> read_start(const mjModel& m, const Node& start, std::vector<double> q) {
  if (!start.exists()) return q;
  const Node point = start["at"].required("a site or a body of the model");
  Pose wanted = point_pose(m, q, check_point(m, point));
  if (start["position"].exists()) {
    const std::vector<double> p = start["position"].quantities(dim::length, 3);
    wanted.position = {p[0], p[1], p[2]};
  }
  if (start["turn"].exists()) {
    const std::vector<double> turn = start["turn"].quantities(dim::angle, 3);
    const Vector3 about(turn[0], turn[1], turn[2]);
    if (about.norm() > 0) {
      wanted.rotation = Eigen::AngleAxisd(about.norm(), about.normalized()) * wanted.rotation;
    }
  }
  return located(start, [&] { return reach(m, std::move(q), point.text(), wanted); });
}

std::vector<double> read_speeds(const mjModel& m, const Node& rates) {
  std::vector<double> u(static_cast<std::size_t>(m.nv), 0.0);
  if (rates.is_list()) {
    return rates.quantities(m.jnt_type[0] == mjJNT_HINGE ? dim::angular_speed : dim::none,
                            u.size());
  }
  for (const auto& [name, value] : rates.entries()) {
    const int joint = joint_of(m, value, name);
    const int count = detail::joint_speeds(m.jnt_type[joint]);
    const std::vector<double> numbers =
        value.quantities(speed_dimension(m, joint), static_cast<std::size_t>(count));
    std::copy(numbers.begin(), numbers.end(), u.begin() + m.jnt_dofadr[joint]);
  }
  return u;
}

/// Three numbers, or one for all axes.
Vector3 read_axes(const Node& node, const Dimension& dimension) {
  if (!node.exists()) return Vector3::Zero();
  if (node.is_scalar()) return Vector3::Constant(node.quantity(dimension, at_least(0)));
  const std::vector<double> numbers = node.quantities(dimension, 3, at_least(0));
  return {numbers[0], numbers[1], numbers[2]};
}

TaskImpedance read_control(const Node& node) {
  TaskImpedance task;
  task.at = node["at"].text();
  task.stiffness = read_axes(node["stiffness"], dim::stiffness);
  task.damping = read_axes(node["damping"], dim::viscous);
  task.turning = read_axes(node["turning"], dim::energy / dim::angle);
  task.turn_damping = read_axes(node["turn_damping"], dim::energy / dim::angular_speed);
  const char* const along[] = {"x", "y", "z"};
  const char* const about[] = {"turn_x", "turn_y", "turn_z"};
  const Node target = node["target"];
  for (std::size_t k = 0; k < 3; ++k) {
    if (target[along[k]].exists()) {
      task.velocity[k] = detail::read_signal(target[along[k]], dim::speed);
    }
    if (target[about[k]].exists()) {
      task.spin[k] = detail::read_signal(target[about[k]], dim::angular_speed);
    }
  }
  task.gravity = node["gravity"].flag(true);
  task.posture_stiffness = node["posture"]["stiffness"].number(0, at_least(0));
  task.posture_damping = node["posture"]["damping"].number(0, at_least(0));
  return task;
}

}  // namespace

std::shared_ptr<const Mechanism> read_robot(const std::string& name, const Node& node,
                                            const Vector3& gravity) {
  const Node file = node["model"].required("a file in MJCF or URDF");
  const MujocoModel model = read_model(file);
  const mjModel& m = *model;
  MujocoRobot robot;
  robot.name = name;
  robot.gravity = gravity;
  const Node links = node["links"].required("a list of geoms, bodies or sites of the model");
  for (const Node& link : links.items()) robot.links.push_back(link.text());
  robot.places = read_start(m, node["start"], read_places(m, node));
  robot.speeds = read_speeds(m, node["rates"]);
  for (const auto& [actuator, signal] : node["actuators"].entries()) {
    if (mj_name2id(&m, mjOBJ_ACTUATOR, actuator.c_str()) < 0) {
      throw InputError(unknown(signal, "actuator", actuator, mujoco_names(m, mjOBJ_ACTUATOR)));
    }
    robot.actuators.emplace_back(actuator, detail::read_signal(signal, dim::none));
  }
  if (node["control"].exists()) {
    check_point(m, node["control"]["at"].required("a site or a body of the model"));
    robot.control = read_control(node["control"]);
  }
  // What is left to refuse is about links, or about the model as a whole.
  return located(links, [&] { return std::make_shared<const MujocoMechanism>(m, robot); });
}

}  // namespace bristle
