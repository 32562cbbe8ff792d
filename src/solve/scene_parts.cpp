#include "scene_parts.hpp"

#include <numbers>

#include "bristle/core/index.hpp"
#include "bristle/shape/mesh.hpp"
#include "world_state.hpp"

namespace bristle::detail {
namespace {

using Role = ScenePart::Role;

Side side_of_body(int b) { return {.index = b}; }

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

// ---- links of mechanisms
// --------------------------------------------------------------------------

/// Those that have a shape.
std::vector<Side> drawn_links(const World& world, int mechanism) {
  std::vector<Side> list;
  const std::vector<Link>& links = world.mechanisms[at(mechanism)]->links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (std::holds_alternative<Point>(links[i].shape)) continue;
    list.push_back({Side::Kind::mechanism, mechanism, static_cast<int>(i)});
  }
  return list;
}

// ---- walls
// ----------------------------------------------------------------------------------------

/// A wall has no end: as much of it is drawn as what touches it is long, a plate as thick as that.
Shape drawn_wall(const World& world, int body, const Wall& wall) {
  Vector3 size(0, 0, 0);
  for (const ContactPair& pair : world.pairs) {
    if (!pair.b.is_body() || pair.b.index != body) continue;
    const Shape partner = world.shape(pair.a);
    if (const Box* box = std::get_if<Box>(&partner)) size = size.cwiseMax(box->size);
  }
  if (!(size.minCoeff() > 0)) return Point{};
  const double deep = size.z() + wall.chamfer_height, thick = 2 * size.x() + wall.chamfer_width;
  const double w = wall.chamfer_width, h = wall.chamfer_height;
  std::vector<Eigen::Vector2d> outline{{-thick, 0}, {-w, 0}, {0, -h}, {0, -deep}, {-thick, -deep}};
  if (w == 0) outline.erase(outline.begin() + 1);
  const int n = static_cast<int>(outline.size());
  TriangleSoup soup;
  for (const double y : {-0.5 * size.y(), 0.5 * size.y()}) {
    for (const Eigen::Vector2d& p : outline) soup.vertices.emplace_back(p.x(), y, p.y());
  }
  // Clockwise as seen from −y, where x goes right and z up.
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    if (i > 0 && j > 0) {
      soup.triangles.push_back({0, j, i});
      soup.triangles.push_back({n, n + i, n + j});
    }
    soup.triangles.push_back({i, j, n + j});
    soup.triangles.push_back({i, n + j, n + i});
  }
  return MeshShape{Mesh::make(std::move(soup))};
}

}  // namespace

Role role_of(const World& world, Side side) {
  if (world.is_free(side)) return Role::free;
  return world.bodies[at(side.index)].is_driven() ? Role::driven : Role::fixed;
}

std::vector<ScenePart> scene_parts(const World& world) {
  std::vector<ScenePart> parts;
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    const Side side = side_of_body(b);
    Shape shape = world.shape(side);
    if (const Wall* wall = std::get_if<Wall>(&shape)) shape = drawn_wall(world, b, *wall);
    parts.push_back({world.name(side), std::move(shape), role_of(world, side),
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
  for (int m = 0; m < static_cast<int>(world.mechanisms.size()); ++m) {
    for (const Side side : drawn_links(world, m)) {
      parts.push_back({world.name(side), world.shape(side), Role::free, world.pose(side)});
    }
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
    if (m.side.is_pendulum()) {
      PendulumParts{world.pendulums[at(m.side.index)]}.place(couple(y, m.q), poses);
    } else if (m.side.is_link()) {
      for (const Side side : drawn_links(world, m.side.index)) poses.push_back(f.pose(side, t, y));
    }
  }
}

}  // namespace bristle::detail
