// Thrown bodies that touch over areas, soft to hard as steel, under the step: what a flight begins
// with is never more than any flight before it had.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/shape/mesh_make.hpp"
#include "support/draw.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::Draw;

constexpr double h = 1e-3;

int throws() {
#ifdef __SANITIZE_ADDRESS__
  return 1;
#else
  const char* text = std::getenv("BRISTLE_TEST_LONG");
  return text != nullptr && *text != '\0' ? 200 : 10;
#endif
}

World thrown(const Shape& shape, Draw& draw) {
  VolumetricLaw law;
  law.k_v = draw.decades(1e8, 1e12);
  law.e = draw.between(0, 1);
  law.mu_s = draw.between(0, 0.7);
  law.mu_k = law.mu_s * draw.between(0.6, 1);
  law.sigma0 = draw.decades(1e3, 1e5);
  law.sigma1 = std::sqrt(law.sigma0) * draw.decades(0.3, 3);
  law.v_s = draw.decades(1e-4, 1e-2);
  World world;
  ContactPair pair;
  pair.a = world.add(testing::body("body", shape, draw.between(0.2, 2.2), {0, 0, 0.15}));
  pair.b = world.add(testing::flat_floor());
  pair.volumetric = law;
  world.pairs.push_back(pair);
  RigidBody& body = world.bodies[0];
  body.pose.rotation = draw.rotation();
  body.velocity = {draw.between(-1, 1), draw.between(-1, 1), draw.between(-2, 0)};
  body.spin = {draw.between(-10, 10), draw.between(-10, 10), draw.between(-10, 10)};
  return world;
}

struct Gain {
  double largest = 0;  ///< from one flight to a later one, of the energy at the start
  int substeps = 0, flights = 0;
};
Gain gain_of(const World& world) {
  WorldStepper stepper(world);
  const double first = stepper.kinetic() + stepper.potential();
  double least = first;
  Gain gain;
  for (int i = 0; i < 1500; ++i) {
    stepper.step(h);
    if (stepper.read_area(0).patches > 0) continue;
    const double now = stepper.kinetic() + stepper.potential();
    gain.largest = std::isfinite(now) ? std::max(gain.largest, (now - least) / first) : infinity;
    least = std::min(least, now);
    ++gain.flights;
  }
  gain.substeps = stepper.most_substeps();
  return gain;
}

class Thrown : public ::testing::TestWithParam<const char*> {
 protected:
  static Shape shape() {
    const std::string name = GetParam();
    if (name == "Box") return Box{{0.1, 0.06, 0.04}};
    if (name == "Cylinder") return Cylinder{0.04, 0.08};
    if (name == "Sphere") return Sphere{0.05};
    return MeshShape{Mesh::make(make_box({0.1, 0.06, 0.04}))};
  }
};
TEST_P(Thrown, NeverGainsEnergy) {
  double largest = 0;
  int substeps = 0, flights = 0;
  for (int i = 0; i < throws(); ++i) {
    Draw draw(100 + i);
    const World world = thrown(shape(), draw);
    const Gain gain = gain_of(world);
    EXPECT_LT(gain.largest, 1e-12)
        << i << " k_V " << world.pairs[0].volumetric->k_v << " e " << world.pairs[0].volumetric->e;
    largest = std::max(largest, gain.largest);
    substeps = std::max(substeps, gain.substeps);
    flights += gain.flights;
  }
  EXPECT_GT(flights, 100 * throws());
  EXPECT_LE(substeps, StepBudget{}.substeps + 1);
  RecordProperty("largest gain", fmt::format("{:.1e}", largest));
  RecordProperty("sub-steps", substeps);
  fmt::print("largest gain {:.1e}, at most {} sub-steps\n", largest, substeps);
}
INSTANTIATE_TEST_SUITE_P(Bodies, Thrown,
                         ::testing::Values("Box", "Cylinder", "Sphere", "MeshOfABox"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace bristle
