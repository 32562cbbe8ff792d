#include "scene_parts.hpp"

#include <numbers>

#include "bristle/core/index.hpp"
#include "world_state.hpp"

namespace bristle::detail {
namespace {

using Role = ScenePart::Role;

Side side_of_body(int b) { return {false, b}; }

// ---- pendulums ----------------------------------------------------------------------------------

/// Links have no thickness of their own: slender ones are drawn. The second ends in a point, unless
/// its tip is a ball.
struct PendulumParts {
  const DoublePendulum& p;

  double thickness() const { return 0.012 * (p.l1 + p.l2); }
  bool has_ball() const { return p.tip_radius > 0; }

  void list(std::vector<ScenePart>& parts) const {
    parts.push_back({p.name + ", link 1", Capsule{thickness(), p.l1}});
    if (has_ball()) {
      parts.push_back({p.name + ", link 2", Capsule{thickness(), p.l2}});
      parts.push_back({.name = p.name + ", tip",
                       .shape = Sphere{p.tip_radius},
                       .traced = Vector3(Vector3::Zero())});
    } else {
      parts.push_back({.name = p.name + ", link 2",
                       .shape = Cone{thickness(), p.l2},
                       .traced = Vector3(0, 0, p.l2 / 2)});
    }
  }

  void place(const Eigen::Vector2d& theta, std::vector<Pose>& poses) const {
    const Vector3 tip = p.tip(theta);
    const Vector3 elbow = p.pivot + p.l1 * Vector3(std::sin(theta[0]), 0, -std::cos(theta[0]));
    // A cone points along its own z, here down the link.
    poses.push_back({0.5 * (p.pivot + elbow), about_y(std::numbers::pi - theta[0])});
    poses.push_back({0.5 * (elbow + tip), about_y(std::numbers::pi - theta[1])});
    if (has_ball()) poses.push_back({tip, about_y(-theta[1])});
  }

 private:
  static Eigen::Quaterniond about_y(double angle) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3::UnitY()));
  }
};

}  // namespace

Role role_of(const World& world, Side side) {
  if (world.is_free(side)) return Role::free;
  return world.bodies[at(side.index)].is_driven() ? Role::driven : Role::fixed;
}

std::vector<ScenePart> scene_parts(const World& world) {
  std::vector<ScenePart> parts;
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    const Side side = side_of_body(b);
    parts.push_back({world.name(side), world.shape(side), role_of(world, side),
                     world.shape_pose(side, world.bodies[at(b)].pose)});
    if (parts.back().role == Role::free) {
      parts.back().traced = apply_inverse(world.shape_pose(side, Pose{}), Vector3::Zero());
    }
  }
  for (const DoublePendulum& pendulum : world.pendulums) {
    const std::size_t first = parts.size();
    const PendulumParts links{pendulum};
    links.list(parts);
    std::vector<Pose> poses;
    links.place(pendulum.absolute({pendulum.phi1, pendulum.phi2}), poses);
    for (std::size_t i = 0; i < poses.size(); ++i) parts[first + i].pose = poses[i];
  }
  return parts;
}

void scene_poses(const WorldDynamics& f, double t, std::span<const double> y,
                 std::vector<Pose>& poses) {
  const World& world = f.world();
  poses.clear();
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    const Side side = side_of_body(b);
    if (role_of(world, side) == Role::fixed) continue;
    poses.push_back(world.shape_pose(side, f.pose(side, t, y)));
  }
  for (const WorldDynamics::Mover& m : f.movers()) {
    if (!m.side.pendulum) continue;
    PendulumParts{world.pendulums[at(m.side.index)]}.place(couple(y, m.q), poses);
  }
}

}  // namespace bristle::detail
