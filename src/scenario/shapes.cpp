#include "shapes.hpp"

#include <cmath>

#include "bristle/core/names.hpp"

namespace bristle::detail {

Vector3 read_vector(const Node& node, const Dimension& dimension, const Vector3& fallback) {
  const std::vector<double> v =
      node.quantities(dimension, 3, {}, {fallback[0], fallback[1], fallback[2]});
  return {v[0], v[1], v[2]};
}

Shape read_shape(const Node& node) {
  const auto entries = node.entries();
  static const std::vector<std::string> names{"sphere", "half-space", "bore",  "cylinder",
                                              "box",    "capsule",    "point", "ellipsoid",
                                              "cone",   "mesh",       "wall"};
  if (entries.size() != 1) {
    Fault fault = node.fault("a shape is one of its kinds with its sizes");
    fault.expected = "for example {sphere: {radius: 0.1 m}}; " + one_of(names);
    throw InputError(fault);
  }
  const auto& [kind, sizes] = entries.front();
  const auto length = [&](const char* key) { return sizes[key].quantity(dim::length, above(0)); };
  if (!sizes.is_map()) (void)sizes.entries();  // refuses what is no map; a half-space reads no size
  if (kind == "sphere") return Sphere{length("radius")};
  if (kind == "half-space") return HalfSpace{};
  if (kind == "bore") return Bore{length("radius")};
  if (kind == "cylinder") return Cylinder{length("radius"), length("length")};
  if (kind == "capsule") return Capsule{length("radius"), length("length")};
  if (kind == "cone") return Cone{length("radius"), length("length")};
  if (kind == "point") return Point{};
  if (kind == "wall") {
    const std::vector<double> c = sizes["chamfer"].quantities(dim::length, 2, at_least(0), {0, 0});
    if ((c[0] > 0) != (c[1] > 0)) {
      throw InputError(sizes["chamfer"].fault("a chamfer has a width and a height, or neither"));
    }
    return Wall{c[0], c[1]};
  }
  const auto lengths = [&](const char* key) -> Vector3 {
    const std::vector<double> three = sizes[key].quantities(dim::length, 3, above(0));
    return {three[0], three[1], three[2]};
  };
  if (kind == "box") return Box{lengths("size")};
  if (kind == "mesh") return read_mesh_shape(sizes);
  if (kind == "ellipsoid") return Ellipsoid{lengths("radii")};
  Fault fault = sizes.fault("unknown shape");
  fault.value = kind;
  fault.expected = one_of(names);
  fault.nearest = nearest_name(kind, names);
  throw InputError(fault);
}

Eigen::Quaterniond read_rotation(const Node& node) {
  if (!node.exists()) return Eigen::Quaterniond::Identity();
  if (node.is_map()) {
    const Vector3 axis = read_vector(node["axis"].required("[x, y, z]"), dim::none, {0, 0, 1});
    if (!(axis.norm() > 0)) throw InputError(node["axis"].fault("an axis needs a direction"));
    return Eigen::Quaterniond(
        Eigen::AngleAxisd(node["angle"].quantity(dim::angle), axis.normalized()));
  }
  const std::vector<double> q = node.quantities(dim::none, 4);
  const Eigen::Quaterniond rotation(q[0], q[1], q[2], q[3]);
  if (!(std::abs(rotation.norm() - 1) < 1e-3)) {
    throw InputError(node.fault("a rotation [w, x, y, z] has length 1"));
  }
  return rotation.normalized();
}

Pose read_pose(const Node& body) {
  return {read_vector(body["position"], dim::length, Vector3::Zero()),
          read_rotation(body["rotation"])};
}

}  // namespace bristle::detail
