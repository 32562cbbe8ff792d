// Arms in a scenario:
//
//   arms:
//     arm:
//       base: [0.4 m, 0 m, 0.5 m]
//       links:                                  # rods, unless centre and inertia are given
//         - {length: 0.4 m, mass: 4 kg}
//         - {length: 0.3 m, mass: 3 kg}
//       joints: [200 deg, 40 deg]               # from x towards z, each from the link before
//       tool: {name: peg, shape: {box: {size: [12 mm, 12 mm, 120 mm]}}}
//       start: [0 m, 10 mm, 4 deg]              # of the compliance centre: x, z, angle
//       compliance: {centre: [0 m, -60 mm], stiffness: {x: 2 N/mm, z: 20 N/mm, turn: 40 N m/rad},
//                    damping: {x: 60 N s/m, z: 400 N s/m, turn: 0.5 N m s/rad}}
//       target: {z: [{value: -10 mm/s, until: 9 s}]}   # velocities, from where the tool starts
//       wrench: {z: -5 N}                              # beside it
//
// `start` puts the compliance centre there, by joint angles near `joints`.

#include <memory>

#include "bristle/system/planar_arm.hpp"
#include "reader.hpp"
#include "shapes.hpp"

namespace bristle::detail {
namespace {

constexpr Dimension turning = dim::energy / dim::angle;

ArmSegment read_segment(const Node& node) {
  ArmSegment segment;
  segment.length = node["length"].quantity(dim::length, above(0));
  segment.mass = node["mass"].quantity(dim::mass, above(0));
  segment.centre = node["centre"].quantity(dim::length, 0.5 * segment.length, at_least(0));
  segment.inertia =
      node["inertia"].quantity(dim::mass * raised(dim::length, 2),
                               segment.mass * segment.length * segment.length / 12, at_least(0));
  return segment;
}

Eigen::Vector3d read_planar(const Node& node, const Dimension& along, const Dimension& about) {
  return {node["x"].quantity(along, 0.0, at_least(0)), node["z"].quantity(along, 0.0, at_least(0)),
          node["turn"].quantity(about, 0.0, at_least(0))};
}

void read_signals(const Node& node, const Dimension& along, const Dimension& about,
                  std::array<Signal, 3>& signals) {
  if (node["x"].exists()) signals[0] = read_signal(node["x"], along);
  if (node["z"].exists()) signals[1] = read_signal(node["z"], along);
  if (node["turn"].exists()) signals[2] = read_signal(node["turn"], about);
}

Impedance read_impedance(const Node& node) {
  Impedance control;
  const Node compliance = node["compliance"];
  control.stiffness = read_planar(compliance["stiffness"], dim::stiffness, turning);
  control.damping = read_planar(compliance["damping"], dim::viscous, turning * dim::time);
  read_signals(node["target"], dim::speed, dim::angular_speed, control.velocity);
  read_signals(node["wrench"], dim::force, dim::energy, control.wrench);
  control.compensate = node["carries_weight"].flag(true);
  return control;
}

}  // namespace

std::shared_ptr<const Mechanism> read_arm(const std::string& name, const Node& node,
                                          const Vector3& gravity) {
  PlanarArmSettings s;
  s.name = name;
  s.gravity = gravity;
  s.base = read_vector(node["base"], dim::length, Vector3::Zero());
  for (const Node& link : node["links"].required("a list of links").items()) {
    s.segments.push_back(read_segment(link));
  }
  s.joints = node["joints"].quantities(dim::angle, s.segments.size());
  const Node tool = node["tool"];
  s.tool_name = tool["name"].text("tool");
  if (tool["shape"].exists()) s.tool = read_shape(tool["shape"]);
  const std::vector<double> centre =
      node["compliance"]["centre"].quantities(dim::length, 2, {}, {0, 0});
  s.compliance_centre = {centre[0], centre[1]};
  s.control = read_impedance(node);
  if (const Node at = node["start"]; at.exists()) {
    const std::vector<Node> place = at.items();
    if (place.size() != 3) throw InputError(at.fault("needs [x, z, angle]"));
    const Eigen::Vector3d wanted(place[0].quantity(dim::length), place[1].quantity(dim::length),
                                 place[2].quantity(dim::angle));
    try {
      s.joints = PlanarArm::joints_for(s, wanted, s.joints);
    } catch (const InputError& error) {
      throw InputError(at.fault(error.fault().message));
    }
  }
  return std::make_shared<PlanarArm>(s);
}

}  // namespace bristle::detail
