#pragma once

/// Models of MuJoCo, from files in MJCF or URDF, and what contact needs of them.
///
///   const MujocoModel model = load_mujoco_model("arm.xml");
///   const MujocoGeom peg = geom_shape(*model, mj_name2id(model.get(), mjOBJ_GEOM, "peg"));

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mujoco/mujoco.h>

#include "bristle/shape/shape.hpp"

namespace bristle {

using MujocoModel = std::shared_ptr<const mjModel>;

/// InputError with the model's file and line for what MuJoCo refuses.
MujocoModel load_mujoco_model(const std::string& path);
/// The same from text; `file` is what faults call it. It can refer to no other file.
MujocoModel parse_mujoco_model(std::string_view xml, const std::string& file);

/// A model that comes with Bristle, "arm7.xml"; nothing if there is none of that name.
std::string_view builtin_mujoco_model(std::string_view name);
std::vector<std::string> builtin_mujoco_models();

/// The shape of a geom and where it is in its body's frame. A plane is a half-space; a mesh is
/// taken as it is, where MuJoCo takes its convex hull. InputError for height fields, and for a mesh
/// that bounds no solid.
struct MujocoGeom {
  Shape shape = Point{};
  Pose at{};
};
MujocoGeom geom_shape(const mjModel& model, int geom);

/// Of an object that has a name; else its kind and number, "joint 3".
std::string mujoco_name(const mjModel& model, mjtObj kind, int id);
/// Names of all objects of a kind that have one.
std::vector<std::string> mujoco_names(const mjModel& model, mjtObj kind);

inline Vector3 mujoco_vector(const mjtNum* numbers) { return Vector3::Map(numbers); }
inline Eigen::Quaterniond mujoco_rotation(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }

}  // namespace bristle
