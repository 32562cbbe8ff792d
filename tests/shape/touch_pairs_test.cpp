// What holds for every pair of shapes.

#include <algorithm>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "bristle/shape/touch.hpp"
#include "shape/scenes.hpp"
#include "support/allocations.hpp"
#include "support/paths.hpp"

namespace bristle::testing {
namespace {

constexpr int cases = 2000;

bool same_kind(const Scene& scene) { return scene.a.index() == scene.b.index(); }

TEST(TouchPairs, EveryCandidateIsWrittenAndUsable) {
  for_every_pair(cases, [](const Scene& scene, SceneDraw&) {
    std::array<Touch, max_touches> out;
    const int n = scene.touches(out);
    ASSERT_EQ(n, touch_count(scene.a, scene.b)) << scene.text();
    for (int i = 0; i < n; ++i) {
      const Touch& t = out[static_cast<std::size_t>(i)];
      ASSERT_TRUE(t.point.allFinite() && std::isfinite(t.gap)) << scene.text();
      ASSERT_NEAR(t.normal.norm(), 1, 1e-14) << scene.text();
      ASSERT_NEAR(t.reference.norm(), 1, 1e-14) << scene.text();
      ASSERT_LT(std::abs(t.normal.dot(t.reference)), 0.9 + 1e-12) << scene.text();
    }
  });
}

TEST(TouchPairs, GapRateIsTheNormalVelocityAtThePointOfAction) {
  int skipped = 0, checked = 0;
  for_every_pair(cases, [&](const Scene& scene, SceneDraw& draw) {
    const Twist ta = draw.twist(), tb = draw.twist();
    constexpr double h = 1e-5;
    std::array<Touch, max_touches> now, before, after;
    const int n = scene.touches(now);
    Scene{scene.a, moved(scene.pose_a, ta, -h), scene.b, moved(scene.pose_b, tb, -h)}.touches(
        before);
    Scene{scene.a, moved(scene.pose_a, ta, h), scene.b, moved(scene.pose_b, tb, h)}.touches(after);
    std::array<double, max_touches> error{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const Touch& t = now[i];
      // Where the nearest face changes within 2h the gap has a kink.
      if ((after[i].normal - before[i].normal).norm() > 1e-2) {
        ++skipped;
        return;
      }
      const double rate = (after[i].gap - before[i].gap) / (2 * h);
      error[i] = rate - t.normal.dot(velocity_at(scene.pose_a, ta, t.point) -
                                     velocity_at(scene.pose_b, tb, t.point));
    }
    for (const double e : error) {
      ASSERT_NEAR(e, 0, 2e-6) << scene.text();
    }
    ++checked;
  });
  EXPECT_LT(skipped, checked / 500);
}

TEST(TouchPairs, MovingTheWholeSceneMovesTheContactAndNothingElse) {
  for_every_pair(cases, [&](const Scene& scene, SceneDraw& draw) {
    const Pose motion = draw.pose(1);
    std::array<Touch, max_touches> here, there;
    const int n = scene.touches(here);
    scene.moved_by(motion).touches(there);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      double error = std::max({(there[i].point - apply(motion, here[i].point)).norm(),
                               (there[i].normal - rotate(motion, here[i].normal)).norm(),
                               std::abs(there[i].gap - here[i].gap)});
      if (!same_kind(scene)) {  // two of a kind: the reference is an axis of the world
        error = std::max(error, (there[i].reference - rotate(motion, here[i].reference)).norm());
      }
      ASSERT_LT(error, 1e-10) << scene.text() << ' ' << i;
    }
  });
}

TEST(TouchPairs, ExchangingTheShapesTurnsTheNormalRound) {
  for_every_pair(cases, [](const Scene& scene, SceneDraw&) {
    std::array<Touch, max_touches> one, other;
    const int n = scene.touches(one);
    ASSERT_EQ(scene.swapped().touches(other), n);
    const double tolerance = same_kind(scene) ? 1e-11 : 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      ASSERT_LE((one[i].point - other[i].point).norm(), tolerance) << scene.text();
      ASSERT_LE((one[i].normal + other[i].normal).norm(), tolerance) << scene.text();
      ASSERT_LE(std::abs(one[i].gap - other[i].gap), tolerance) << scene.text();
      ASSERT_LE((one[i].reference - other[i].reference).norm(), tolerance) << scene.text();
    }
  });
}

/// max n·x over the shape.
double support(const Shape& shape, const Pose& pose, const Vector3& n) {
  const Vector3 m = rotate_inverse(pose, n);
  double h = 0;
  if (const auto* s = std::get_if<Sphere>(&shape)) h = s->radius;
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    h = c->radius * std::hypot(m.x(), m.y()) + 0.5 * c->length * std::abs(m.z());
  }
  if (const auto* b = std::get_if<Box>(&shape)) h = 0.5 * b->size.dot(m.cwiseAbs());
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    h = c->radius + 0.5 * c->length * std::abs(m.z());
  }
  return n.dot(pose.position) + h;
}

// A plane that separates two convex bodies by `gap` proves that they are at least that far apart;
// of penetrating ones it proves the depth. The least gap of all candidates must be that.
TEST(TouchPairs, TheGapIsTheDistanceOfConvexBodies) {
  for_every_pair(cases, [&](const Scene& scene, SceneDraw&) {
    if (std::holds_alternative<Bore>(scene.a) || std::holds_alternative<Bore>(scene.b)) return;
    std::array<Touch, max_touches> out;
    const int n = scene.touches(out);
    const Touch& t = *std::min_element(
        out.begin(), out.begin() + n, [](const Touch& l, const Touch& r) { return l.gap < r.gap; });
    const double gap =
        -support(scene.a, scene.pose_a, -t.normal) - support(scene.b, scene.pose_b, t.normal);
    ASSERT_NEAR(gap, t.gap, 1e-12) << scene.text();
  });
}

TEST(TouchPairs, NothingIsAllocated) {
  for_every_pair(10, [](const Scene& scene, SceneDraw&) {
    std::array<Touch, max_touches> out;
    const long before = allocations();
    scene.touches(out);
    touch_count(scene.a, scene.b);
    ASSERT_EQ(allocations(), before) << scene.text();
  });
}

TEST(TouchPairs, SupportedOnesAreListedOnce) {
  const std::vector<std::string> list = supported_pairs();
  EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
  EXPECT_EQ(list.size(), 18U);
  EXPECT_EQ(list.front(), "sphere – sphere");
  EXPECT_NE(std::find(list.begin(), list.end(), "box – half-space"), list.end());
  EXPECT_EQ(touch_count(Point{}, Point{}), 0);
  EXPECT_EQ(touch_count(Box{}, Box{}), 0);
  EXPECT_EQ(touch_count(HalfSpace{}, HalfSpace{}), 0);
  std::array<Touch, max_touches> out;
  EXPECT_EQ(touches(Box{}, {}, Bore{}, {}, out), 0);
}

TEST(TouchPairs, ThePageListsThemAll) {
  std::ifstream page(testing_support::source_dir() + "/docs/shapes.md");
  std::vector<std::string> listed;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.find(" – ") == std::string::npos) continue;
    listed.push_back(line.substr(2, line.find(" |") - 2));
  }
  std::vector<std::string> supported = supported_pairs();
  std::sort(listed.begin(), listed.end());
  std::sort(supported.begin(), supported.end());
  EXPECT_EQ(listed, supported);
}

}  // namespace
}  // namespace bristle::testing
