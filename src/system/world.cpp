#include "bristle/system/world.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/error.hpp"
#include "bristle/core/index.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "bristle/shape/touch.hpp"

namespace bristle {

using detail::at;

namespace {

void check_body(const RigidBody& body) {
  if (body.fixed) return;
  const auto fault = [&](const char* what, const std::string& value, const char* expected) {
    throw InputError({.message = fmt::format("body '{}': {}", body.name, what),
                      .value = value,
                      .expected = expected});
  };
  // The equations of motion are about the origin of a body's frame.
  if (!(apply(body.shape_at, center_of_mass(body.shape)).norm() <=
        1e-9 * bounding_radius(body.shape))) {
    fault("the origin of a body that moves freely is its centre of mass",
          std::string(name(body.shape)), "shape_at that puts the shape's centre of mass there");
  }
  if (!(body.mass.mass > 0) || !std::isfinite(body.mass.mass)) {
    fault("a body that moves freely needs a mass", fmt::format("{:g}", body.mass.mass),
          "a finite mass above 0, or fixed: true");
  }
  if (!is_inertia(body.mass.inertia)) {
    const Matrix3& m = body.mass.inertia;
    fault("not the inertia of any body",
          fmt::format("[{:g}, {:g}, {:g}; {:g}, {:g}, {:g}]", m(0, 0), m(1, 1), m(2, 2), m(0, 1),
                      m(0, 2), m(1, 2)),
          "a symmetric positive definite tensor whose principal moments each stay below the sum of "
          "the other two");
  }
}

void check_pendulum(const DoublePendulum& p) {
  const bool sizes = p.l1 > 0 && p.l2 > 0 && p.m1 > 0 && p.m2 > 0 && p.j1 >= 0 && p.j2 >= 0;
  const auto inertia = p.inertia({0, 0});
  if (sizes && inertia.m11 * inertia.m22 > inertia.m12 * inertia.m12) return;
  throw InputError({.message = fmt::format("pendulum '{}': lengths and masses must be above 0, and "
                                           "the mass matrix positive definite",
                                           p.name)});
}

}  // namespace

bool is_inertia(const Matrix3& inertia) noexcept {
  if (!inertia.allFinite()) return false;
  if (!(inertia - inertia.transpose()).isZero(1e-9 * inertia.norm())) return false;
  const Vector3 m = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia).eigenvalues();
  const double slack = 1e-9 * m[2];
  return m[0] > 0 && m[0] + m[1] + slack >= m[2];
}

bool RigidBody::is_driven() const noexcept {
  return fixed &&
         (!velocity.isZero(0) || !spin.isZero(0) || !turn.is_zero() ||
          std::any_of(drive.begin(), drive.end(), [](const Signal& s) { return !s.is_zero(); }));
}
Pose RigidBody::pose_at(double t) const noexcept {
  Pose now = pose;
  now.position += t * velocity;
  for (int i = 0; i < 3; ++i) now.position[i] += drive[at(i)].integral(t);
  const double speed = spin.norm();
  if (speed > 0) {
    now.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(speed * t, spin / speed)) * pose.rotation;
  } else if (!turn.is_zero()) {
    now.rotation =
        Eigen::Quaterniond(Eigen::AngleAxisd(turn.integral(t), turn_axis)) * pose.rotation;
  }
  return now;
}
Vector3 RigidBody::spin_at(double t) const noexcept {
  return turn.is_zero() ? spin : Vector3(turn.value(t) * turn_axis);
}
Vector3 RigidBody::velocity_at(double t, const Vector3& point) const noexcept {
  Vector3 v = velocity;
  for (int i = 0; i < 3; ++i) v[i] += drive[at(i)].value(t);
  return v + spin_at(t).cross(point - pose_at(t).position);
}

Side World::add(RigidBody body) {
  bodies.push_back(std::move(body));
  return {.index = static_cast<int>(bodies.size()) - 1};
}
Side World::add(DoublePendulum pendulum) {
  pendulums.push_back(std::move(pendulum));
  return {Side::Kind::pendulum, static_cast<int>(pendulums.size()) - 1};
}
Side World::add(std::shared_ptr<const Mechanism> mechanism) {
  mechanisms.push_back(std::move(mechanism));
  return {Side::Kind::mechanism, static_cast<int>(mechanisms.size()) - 1};
}
const std::string& World::name(Side side) const {
  if (side.is_pendulum()) return pendulums[at(side.index)].name;
  return side.is_link() ? mechanisms[at(side.index)]->links()[at(side.link)].name
                        : bodies[at(side.index)].name;
}
Shape World::shape(Side side) const {
  if (side.is_link()) return mechanisms[at(side.index)]->links()[at(side.link)].shape;
  if (side.is_body()) return bodies[at(side.index)].shape;
  const double radius = pendulums[at(side.index)].tip_radius;
  return radius > 0 ? Shape(Sphere{radius}) : Shape(Point{});
}
Pose World::shape_pose(Side side, const Pose& body) const {
  return side.is_body() ? compose(body, bodies[at(side.index)].shape_at) : body;
}
bool World::is_free(Side side) const { return !side.is_body() || !bodies[at(side.index)].fixed; }
Pose World::pose(Side side) const {
  if (side.is_body()) return bodies[at(side.index)].pose;
  if (side.is_pendulum()) {
    const DoublePendulum& p = pendulums[at(side.index)];
    return {p.tip(p.absolute({p.phi1, p.phi2})), Eigen::Quaterniond::Identity()};
  }
  const std::unique_ptr<Mechanism> mechanism = mechanisms[at(side.index)]->clone();
  std::vector<double> q(at(mechanism->places())), u(at(mechanism->speeds()));
  mechanism->initial(q, u);
  mechanism->place(q);
  return mechanism->pose(side.link);
}
double World::mass(Side side) const {
  if (side.is_link()) return mechanisms[at(side.index)]->links()[at(side.link)].mass;
  if (side.is_body()) return bodies[at(side.index)].mass.mass;
  return pendulums[at(side.index)].m1 + pendulums[at(side.index)].m2;
}
int World::sites(const ContactPair& pair) const {
  if (pair.volumetric) return 0;
  return touch_count(shape(pair.a), shape(pair.b));
}

double World::weight(const ContactPair& pair) const {
  double sum = 0;
  for (const Side side : {pair.a, pair.b}) sum += is_free(side) ? mass(side) : 0;
  return sum * gravity.norm();
}
double World::pressing_speed(const ContactPair& pair, double depth, int points) const {
  const Press<double> press = pair.normal.latch(1);
  const double at_rest = std::pow(weight(pair) / (std::max(points, 1) * press.k), 1 / press.p);
  return speed_of_energy(pair, press.stored(std::max(depth, at_rest)));
}
bool World::touch_at_start(const ContactPair& pair) const {
  const Shape a = shape(pair.a), b = shape(pair.b);
  if (touch_count(a, b) == 0) return false;
  std::array<Touch, max_touches> touch;
  const int count =
      touches(a, shape_pose(pair.a, pose(pair.a)), b, shape_pose(pair.b, pose(pair.b)), touch);
  return std::any_of(touch.begin(), touch.begin() + count,
                     [](const Touch& t) { return t.gap <= no_gap; });
}
double World::speed_of_energy(const ContactPair& pair, double energy) const {
  double inverse = 0;
  for (const Side side : {pair.a, pair.b}) inverse += is_free(side) ? 1 / mass(side) : 0;
  return std::sqrt(2 * inverse * energy);
}

bool World::moves(const ContactPair& pair) const {
  const auto driven = [&](Side side) {
    return is_free(side) || bodies[at(side.index)].is_driven();
  };
  return driven(pair.a) || driven(pair.b);
}

void World::check_volumetric(const ContactPair& pair, const std::string& both) const {
  if (pair.a.is_pendulum() || pair.b.is_pendulum()) {
    throw InputError({.message = both + ": the tip of a pendulum has no volume"});
  }
  pair.volumetric->check();
  if (OverlapFinder::supports(shape(pair.a), shape(pair.b))) return;
  throw InputError(
      {.message = both + ": no volumetric contact between these shapes",
       .value = fmt::format("{} – {}", bristle::name(shape(pair.a)), bristle::name(shape(pair.b))),
       .expected = fmt::format("{}", fmt::join(OverlapFinder::pairs(), ", "))});
}

void World::check_partners(const ContactPair& pair, const std::string& both) const {
  if (!is_free(pair.a) || !is_free(pair.b)) return;
  if (pair.a.is_pendulum() || pair.b.is_pendulum()) {
    throw InputError({.message = both + ": a pendulum touches fixed bodies only"});
  }
  const bool links = pair.a.is_link() && pair.b.is_link() && pair.a.index == pair.b.index;
  if ((pair.a.is_link() || pair.b.is_link()) && !links) {
    throw InputError(
        {.message = both + ": a link touches fixed bodies and links of its own mechanism only"});
  }
}

void World::check() const {
  for (const RigidBody& body : bodies) check_body(body);
  for (const DoublePendulum& pendulum : pendulums) check_pendulum(pendulum);
  for (const ContactPair& pair : pairs) {
    const std::string both = fmt::format("contact of '{}' and '{}'", name(pair.a), name(pair.b));
    if (pair.a == pair.b) throw InputError({.message = both + ": both are the same body"});
    if (!is_free(pair.a) && !is_free(pair.b) && !(pair.volumetric && moves(pair))) {
      throw InputError({.message = both + ": neither can move"});
    }
    check_partners(pair, both);
    if (pair.volumetric) {
      check_volumetric(pair, both);
      continue;
    }
    if (sites(pair) == 0) {
      throw InputError({.message = both + ": these shapes have no contact",
                        .value = fmt::format("{} – {}", bristle::name(shape(pair.a)),
                                             bristle::name(shape(pair.b))),
                        .expected = fmt::format("{}", fmt::join(supported_pairs(), ", "))});
    }
    if (pair.rolling && !(std::holds_alternative<Sphere>(shape(pair.a)) &&
                          std::holds_alternative<HalfSpace>(shape(pair.b)))) {
      throw InputError({.message = both + ": rolling resistance is for a sphere on a half-space"});
    }
    if (pair.friction.is_asymmetric()) {
      throw InputError({.message = both + ": friction on a surface cannot have two sides"});
    }
    if (pair.friction.delay() > 0) {
      throw InputError({.message = both + ": laws that look back in time need a rig on a line",
                        .value = std::string(pair.friction.name())});
    }
  }
}

std::vector<std::string> World::warnings() const {
  std::vector<std::string> list;
  std::array<Touch, max_touches> touch;
  for (const ContactPair& pair : pairs) {
    if (pair.volumetric) continue;
    const int count = touches(shape(pair.a), pose(pair.a), shape(pair.b), pose(pair.b), touch);
    double depth = 0;
    for (int i = 0; i < count; ++i) depth = std::max(depth, -touch[at(i)].gap);
    if (depth <= 0) continue;
    // At rest under three times its own weight a contact is no deeper than this.
    const Press<double> press = pair.normal.latch(0.1);
    if (press.elastic(depth) <= 3 * weight(pair)) continue;
    list.push_back(fmt::format(
        "'{}' starts {:.3g} mm inside '{}': the contact pushes with {:.3g} N ({:.3g} J stored), "
        "as if it had been forced there",
        name(pair.a), 1e3 * depth, name(pair.b), press.elastic(depth), press.stored(depth)));
  }
  return list;
}

}  // namespace bristle
