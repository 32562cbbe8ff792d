// Contact is continuous: along random paths of approach, slide and separation the volume changes no
// faster than it can be swept, and halving the step halves the largest jump of force and torque.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "bristle/shape/flush.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;

struct Bodies {
  const char* name;
  Shape a, b;
  double surface;   ///< of A, m²
  double touching;  ///< distance of the origins along z at which they can touch
};

double box_surface(const Vector3& s) { return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()); }

std::vector<Bodies> all_bodies() {
  constexpr double pi = 3.141592653589793;
  const auto bumpy = Mesh::make(make_bumpy_sphere(0.1, 0.2, 3, 8));
  const auto block = Mesh::make(make_box({0.3, 0.25, 0.2}, 2, 2, 2));
  return {
      {"sphere – half-space", Sphere{0.1}, HalfSpace{}, 4 * pi * 0.01, 0.1},
      {"ellipsoid – half-space", Ellipsoid{{0.1, 0.07, 0.05}}, HalfSpace{}, 4 * pi * 0.01, 0.05},
      {"cylinder – half-space", Cylinder{0.05, 0.2}, HalfSpace{}, 2 * pi * 0.05 * 0.25, 0.08},
      {"cone – half-space", Cone{0.05, 0.1}, HalfSpace{}, pi * 0.05 * 0.17, 0.05},
      {"capsule – half-space", Capsule{0.05, 0.1}, HalfSpace{}, 2 * pi * 0.05 * 0.2, 0.08},
      {"box – half-space", Box{{0.1, 0.08, 0.06}}, HalfSpace{}, box_surface({0.1, 0.08, 0.06}),
       0.04},
      {"sphere – sphere", Sphere{0.1}, Sphere{0.07}, 4 * pi * 0.01, 0.17},
      {"sphere – cylinder", Sphere{0.05}, Cylinder{0.1, 0.1}, 4 * pi * 0.0025, 0.1},
      {"box – box", Box{{0.1, 0.08, 0.06}}, Box{{0.3, 0.3, 0.1}}, box_surface({0.1, 0.08, 0.06}),
       0.1},
      {"mesh – half-space", MeshShape{bumpy}, HalfSpace{}, bumpy->area(), 0.1},
      {"mesh – mesh", MeshShape{bumpy}, MeshShape{block}, bumpy->area(), 0.2},
  };
}

/// Down, along, and up again, turning a little.
struct Path {
  Vector3 lowest, along;
  double lift;
  Eigen::Quaterniond start;
  Vector3 axis;
  double angle;

  Path(const Bodies& bodies, Draw& draw) {
    const double size = bounding_radius(bodies.a);
    lowest = {draw.between(-0.3, 0.3) * size, draw.between(-0.3, 0.3) * size,
              bodies.touching - draw.between(0.02, 0.3) * size};
    along = size * Vector3(draw.between(-0.5, 0.5), draw.between(-0.5, 0.5), 0);
    lift = draw.between(0.5, 2) * size;
    start = draw.rotation();
    axis = draw.place(1).normalized();
    angle = draw.between(-0.5, 0.5);
  }
  Pose at(double t) const {
    const double s = t - 0.5;
    return {lowest + s * along + 4 * s * s * lift * Vector3::UnitZ(),
            Eigen::Quaterniond(Eigen::AngleAxisd(s * angle, axis)) * start};
  }
  /// No point of a body of this radius is faster.
  double speed(double t, double radius) const {
    return along.norm() + 8 * std::abs(t - 0.5) * lift + std::abs(angle) * radius;
  }
};

struct Walk {
  double force = 0, torque = 0;  ///< largest increments
  bool merged = false;           ///< patches joined, split, or lost their direction
  int flush = 0;                 ///< times that faces passed each other exactly flush
  double excess = 0;             ///< of |ΔV| over what could be swept
  double most = 0;               ///< largest volume
};

Walk walk(OverlapFinder& finder, const Bodies& bodies, const Path& path, int steps) {
  const FlushWatch watch(bodies.a, bodies.b);
  Walk result;
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  double volume = 0;
  std::size_t count = 0;
  const double radius = bounding_radius(bodies.a);
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Pose pose = path.at(t);
    Vector3 f = Vector3::Zero(), m = Vector3::Zero();
    double v = 0;
    const auto pieces = finder.find(pose, Pose{});
    const std::size_t found = pieces.size();
    for (const Overlap& piece : pieces) {
      const Patch patch = make_patch(piece);
      result.merged |= !patch.directed;
      v += patch.volume;
      f -= patch.volume * patch.normal;
      m -= (patch.surface_centroid - path.lowest).cross(patch.volume * patch.normal);
    }
    if (i > 0) {
      if (found != count && std::max(found, count) > 1) result.merged = true;
      const double step = 1.0 / steps;
      const double swept =
          bodies.surface * step * std::max(path.speed(t, radius), path.speed(t - step, radius));
      result.excess = std::max(result.excess, std::abs(v - volume) - swept);
      result.force = std::max(result.force, (f - force).norm());
      result.torque = std::max(result.torque, (m - torque).norm());
      const Pose before = path.at(t - step);
      if (v > 0 && watch.between({before, Pose{}}, {pose, Pose{}}, finder)) ++result.flush;
    }
    count = found;
    force = f;
    torque = m;
    volume = v;
    result.most = std::max(result.most, v);
  }
  return result;
}

int paths_wanted() {
  const char* text = std::getenv("BRISTLE_TEST_LONG");
  return text != nullptr && *text != '\0' ? 10000 : 220;
}

TEST(OverlapPaths, ForceAndTorqueAreContinuous) {
  const std::vector<Bodies> list = all_bodies();
  const int each = paths_wanted() / static_cast<int>(list.size());
  int walked = 0, exempt = 0, flush = 0;
  for (const Bodies& bodies : list) {
    OverlapFinder finder(bodies.a, bodies.b);
    for (int i = 0; i < each; ++i) {
      Draw draw(1000 + i);
      const Path path(bodies, draw);
      Walk last = walk(finder, bodies, path, 400);
      if (last.most < 1e-9) continue;  // passed by
      ++walked;
      for (const int steps : {800, 1600, 3200}) {
        const Walk now = walk(finder, bodies, path, steps);
        EXPECT_LE(now.excess, 1e-15) << bodies.name << ' ' << i;
        flush += now.flush;
        if (now.merged || last.merged || now.flush > 0 || last.flush > 0) {
          ++exempt;
          break;
        }
        const double f = now.force / last.force, m = now.torque / last.torque;
        EXPECT_TRUE(f > 0.45 && f < 0.55)
            << bodies.name << ' ' << i << ' ' << steps << " force " << f;
        EXPECT_TRUE(m > 0.45 && m < 0.55)
            << bodies.name << ' ' << i << ' ' << steps << " torque " << m;
        last = now;
      }
    }
  }
  EXPECT_GT(walked, paths_wanted() / 3);
  EXPECT_LT(exempt, walked / 4);
  EXPECT_EQ(flush, 0);  // bodies that turn are never exactly flush
  RecordProperty("walked", walked);
  RecordProperty("exempt", exempt);
  std::printf("%d paths walked, %d with patches that merged or split, %d flush passes\n", walked,
              exempt, flush);
}

// ---- faces that pass each other exactly flush ---------------------------------------------------

/// Upright, and neither turns: sides of A pass those of B.
Path upright(const Bodies& bodies, Draw& draw) {
  Path path(bodies, draw);
  path.start = Eigen::Quaterniond::Identity();
  path.angle = 0;
  return path;
}

/// Each side of A that comes to lie in the plane of a side of B while both overlap is listed, once
/// and only then, whatever the step; the jump does not halve with it. All other paths are
/// continuous as those that turn are.
TEST(OverlapPaths, FlushPassesAreListed) {
  const Vector3 a(0.1, 0.08, 0.06), b(0.12, 0.2, 0.1);
  const Shape box_a = Box{a}, box_b = Box{b};
  const Shape mesh_a = MeshShape{Mesh::make(make_box(a, 2, 3, 1))};
  const Shape mesh_b = MeshShape{Mesh::make(make_box(b, 3, 2, 2))};
  const double top = 0.5 * (a.z() + b.z());
  int listed = 0, quiet = 0;
  for (const Bodies& bodies : {Bodies{"boxes", box_a, box_b, box_surface(a), top},
                               Bodies{"meshes", mesh_a, mesh_b, box_surface(a), top},
                               Bodies{"mesh – box", mesh_a, box_b, box_surface(a), top}}) {
    OverlapFinder finder(bodies.a, bodies.b);
    for (int i = 0; i < 40; ++i) {
      Draw draw(2000 + i);
      const Path path = upright(bodies, draw);
      // Depth as a parabola: while they overlap, which sides change places?
      const double s = std::sqrt((top - path.lowest.z()) / (4 * path.lift));
      const double from = std::max(-s, -0.5), to = std::min(s, 0.5);
      int expected = 0;
      for (const int axis : {0, 1}) {
        for (const double plane : {0.5 * (b[axis] - a[axis]), -0.5 * (b[axis] - a[axis])}) {
          const double first = path.lowest[axis] + from * path.along[axis] - plane;
          const double last = path.lowest[axis] + to * path.along[axis] - plane;
          expected += first * last < 0 ? 1 : 0;
        }
      }
      const Walk coarse = walk(finder, bodies, path, 400), fine = walk(finder, bodies, path, 800);
      EXPECT_EQ(fine.flush, expected) << bodies.name << ' ' << i;
      if (expected > 0) {
        ++listed;
      } else if (coarse.flush == 0) {
        ++quiet;
        const double ratio = fine.force / coarse.force;
        EXPECT_TRUE(ratio > 0.45 && ratio < 0.55) << bodies.name << ' ' << i << ' ' << ratio;
      }
    }
  }
  EXPECT_GT(listed, 10);
  EXPECT_GT(quiet, 10);
}

/// By how much S jumps: the area in which the two faces overlap.
TEST(OverlapPaths, AFlushPassSaysWhatAreaItHas) {
  const Shape a = Box{{0.1, 0.08, 0.06}}, b = Box{{0.12, 0.2, 0.1}};
  OverlapFinder finder(a, b);
  const FlushWatch watch(a, b);
  const auto at = [](double x) {
    return FlushWatch::Poses{{{x, 0.01, 0.07}, Eigen::Quaterniond::Identity()}, Pose{}};
  };
  const auto pass = watch.between(at(0), at(0.05), finder);
  ASSERT_TRUE(pass);
  EXPECT_NEAR(pass->share, 0.2, 1e-12);         // x = 0.01
  EXPECT_NEAR(pass->area, 0.08 * 0.01, 1e-10);  // side by side over the depth
  EXPECT_NEAR(std::abs(pass->normal.x()), 1, 1e-15);
  EXPECT_FALSE(watch.between(at(0), at(0.009), finder));
  EXPECT_TRUE(watch.between(at(0), at(0.01), finder));      // comes to lie in the plane
  EXPECT_FALSE(watch.between(at(0.01), at(0.05), finder));  // has been said
  FlushWatch::Poses turned = at(0.05);
  turned.a.rotation = Eigen::AngleAxisd(1e-6, Vector3::UnitY());
  EXPECT_FALSE(watch.between(at(0), turned, finder));
  FlushWatch::Poses over = at(0.05), before = at(0);
  over.a.position.z() = before.a.position.z() = 0.0801;  // nothing in common
  EXPECT_FALSE(watch.between(before, over, finder));
}
TEST(OverlapPaths, FlatFacesAreFound) {
  EXPECT_EQ(flat_faces(Box{{1, 2, 3}}).size(), 6u);
  EXPECT_EQ(flat_faces(MeshShape{Mesh::make(make_box({1, 2, 3}, 4, 5, 6))}).size(), 6u);
  EXPECT_EQ(flat_faces(Cylinder{1, 2}).size(), 2u);
  EXPECT_EQ(flat_faces(Sphere{1}).size(), 0u);
  EXPECT_EQ(flat_faces(MeshShape{Mesh::make(make_sphere(1, 16))}).size(), 0u);
}

}  // namespace
}  // namespace bristle
