// No energy from nowhere at the fixed step: bodies with several contact points, every law, any
// stiffness, restitution and step; alone, in piles, on moving ground, and as links of a mechanism.
// Energy is motion, gravity and contact springs together; it may rise above an earlier low only by
// what the bristles held then. What runs here is a sample; BRISTLE_TEST_LONG asks for all of it.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/draw.hpp"
#include "support/takes_long.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::body;
using testing::Draw;
using testing::energy;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;
using testing_support::takes_long;

/// How far energy rises above an earlier low.
class Watch {
 public:
  explicit Watch(const WorldStepper& world) : world_(world) { look(); }
  void look() {
    const double now = energy(world_) - world_.input();
    rise_ = std::max(rise_, now - low_);
    finite_ = finite_ && std::isfinite(now);
    low_ = std::min(low_, now + world_.bristles());
  }
  double rise() const { return finite_ ? rise_ : infinity; }

 private:
  const WorldStepper& world_;
  double low_ = infinity, rise_ = 0;
  bool finite_ = true;
};

double rise_of(WorldStepper& world, double h, double seconds) {
  world.keep_books(true);
  Watch watch(world);
  for (int i = 0; i < static_cast<int>(seconds / h + 0.5); ++i) {
    world.step(h);
    watch.look();
  }
  return watch.rise();
}

// ---- throws -------------------------------------------------------------------------------------

struct Thrown {
  const char* name;
  Shape shape;
};
std::vector<Thrown> shapes() {
  return {{"box", Box{{0.1, 0.06, 0.04}}},
          {"cylinder", Cylinder{0.03, 0.08}},
          {"disc", Cylinder{0.05, 0.01}},
          {"capsule", Capsule{0.03, 0.06}},
          {"sphere", Sphere{0.04}}};
}

RigidBody thrown_body(const Shape& shape, Draw& draw) {
  RigidBody made = body("body", shape, 1, {0, 0, 0.15});
  made.pose.rotation = draw.rotation();
  made.velocity = {draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 0.5)};
  made.spin = draw.place(10);
  return made;
}
AnyLaw law_with(const std::string& name, double mu) {
  AnyLaw law(name);
  const auto set = [&](const char* key, double value) {
    if (law.info().find(key) != nullptr) law.set(key, value);
  };
  set("mu", mu);
  set("mu_s", mu);
  set("mu_k", 0.8 * mu);
  return law;
}
World thrown(const Shape& shape, const std::string& law, int seed) {
  Draw draw(seed);
  World world;
  const Side side = world.add(thrown_body(shape, draw));
  const double k = draw.decades(1e5, 1e10), e = draw.between(0.05, 0.95);
  add_pair(world, side, world.add(flat_floor()), normal_law(k, e),
           law_with(law, draw.between(0.1, 0.7)));
  return world;
}

class WorldEnergyThrows : public ::testing::TestWithParam<std::string> {};

/// Seeds of a case; two laws take fifty times as long as the others.
int seeds(const std::string& law) {
  const bool slow = law == "bristle" || law == "armstrong-7";
  if (takes_long()) return 200;
#ifdef __SANITIZE_ADDRESS__
  return slow ? 0 : 1;
#else
  return slow ? 1 : 4;
#endif
}

TEST_P(WorldEnergyThrows, GainNothing) {
  const int count = seeds(GetParam());
  double worst = 0;
  for (const Thrown& what : shapes()) {
    int first = 0;
    for (const double h : {1e-3, 5e-4, 2e-4}) {
      for (int seed = first; seed < first + count; ++seed) {
        WorldStepper world(thrown(what.shape, GetParam(), seed));
        const double start = energy(world), rise = rise_of(world, h, 2) / start;
        EXPECT_LT(rise, 1e-6) << what.name << ", seed " << seed << ", step " << h;
        worst = std::max(worst, rise);
      }
      if (!takes_long()) first += count;
    }
  }
  RecordProperty("largest rise over the energy at the start", fmt::format("{:.2e}", worst));
}

std::string law_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Every, WorldEnergyThrows, ::testing::ValuesIn(AnyLaw::names()), law_name);

// Taking energy back is a repair, not a method: how much is needed says how good the step is.
TEST(WorldEnergy, LittleHasToBeTakenBack) {
  const int count = takes_long() ? 200 : 50;
  for (const Thrown& what : shapes()) {
    const bool wobbles = std::string(what.name) == "disc";  // at up to a third of a turn per step
    double paid = 0, start = 0, behind = 0;
    for (int seed = 0; seed < count; ++seed) {
      WorldStepper world(thrown(what.shape, "coulomb", seed));
      start += energy(world);
      for (int i = 0; i < 2000; ++i) world.step(1e-3);
      paid += world.budget_used_up().paid;
      behind = std::max(behind, world.budget_used_up().behind);
    }
    RecordProperty(what.name, fmt::format("{:.1e}", paid / start));
    EXPECT_LT(paid / start, wobbles ? 3e-3 : 5e-5) << what.name;
    EXPECT_LT(behind, wobbles ? 5e-4 : 5e-5) << what.name;
  }
}

// ---- rest ---------------------------------------------------------------------------------------

/// A block on a slope of 10°, this much above it.
World block_on_slope(const AnyLaw& law, double k, double above) {
  World world;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(10 * testing::degree, Vector3::UnitY()));
  RigidBody block = body("block", Box{{0.1, 0.1, 0.05}}, 1, tilt * Vector3(0, 0, 0.025 + above));
  block.pose.rotation = tilt;
  RigidBody slope = flat_floor();
  slope.pose.rotation = tilt;
  const Side side = world.add(block);
  add_pair(world, side, world.add(slope), normal_law(k, 0.3), law);
  return world;
}

// Dropped by a millimetre on k = 1e10 it once reached 51 J; at rest, with μ_k > tan 10°, it hopped
// and slid 0.12 m.
TEST(WorldEnergy, ABlockOnASlopeComesToRest) {
  for (const char* name : {"coulomb", "stiction", "stribeck", "karnopp", "table", "gonthier"}) {
    for (const double k : {1e5, 1e8, 1e10}) {
      for (const double above : {1e-3, 0.0}) {
        for (const double h : {1e-3, 1e-4}) {
          SCOPED_TRACE(fmt::format("{} {} {} {}", name, k, above, h));
          AnyLaw law(name);
          if (law.info().find("mu_s") != nullptr) law.set("mu_s", 0.5);
          if (law.info().find("mu_k") != nullptr) law.set("mu_k", 0.4);
          WorldStepper world(block_on_slope(law, k, above));
          const Vector3 from = world.pose(0).position;
          const double start = energy(world);
          EXPECT_LT(rise_of(world, h, 1), 1e-6 * start);
          // On soft springs it still trembles: their damping goes with the speed.
          const double trembles = k < 1e6 ? 1e-3 : 1e-6;
          EXPECT_LT(world.velocity(0).norm() + 0.1 * world.spin(0).norm(), trembles);
          const Vector3 moved = world.pose(0).position - from;
          // It falls by what it was above, sinks by its load, and slides a little when it lands.
          const double sinks = std::pow(testing::g / 4 / k, 2.0 / 3);
          EXPECT_LT(moved.norm(), above + sinks + 1e-4);
        }
      }
    }
  }
}

// Coulomb friction, k = 3.4e8, e = 0.86: at 0.1 ms it once reached 11.7 kJ.
TEST(WorldEnergy, ABoxThrownEndsWhereItDoesAtAnyStep) {
  World world;
  RigidBody box =
      body("box", Box{{0.1, 0.08, 0.05}}, 1, {0, 0, 0.15}, {-0.41085539, 0.86224236, -0.82729794});
  box.pose.rotation =
      Eigen::AngleAxisd(2.10645094, Vector3(0.72472923, -0.50305647, -0.47085212).normalized());
  box.spin = {3.77732666, 4.34523577, 3.47611324};
  AnyLaw law("coulomb");
  law.set("mu_k", 0.45950050025620032);
  const Side side = world.add(box);
  add_pair(world, side, world.add(flat_floor()),
           normal_law(338945220.04310513, 0.86371054951211934), law);
  for (const double h : {1e-3, 1e-4}) {
    WorldStepper stepper(world);
    EXPECT_LT(rise_of(stepper, h, 4), 1e-9) << h;
    // It lies on its largest faces but one, 0.08 m high would be 0.39 J.
    EXPECT_NEAR(energy(stepper), 0.05 * testing::g, 5e-5) << h;
  }
}

// A coin set down leaning and spinning: the points of its rim travel fast when it is nearly flat.
TEST(WorldEnergy, ACoinThatWobblesGainsNothing) {
  for (const double tilt : {5.0, 15.0, 30.0, 60.0}) {
    for (const double spin : {0.0, 20.0, 63.0}) {
      for (const double h : {1e-3, 2e-4}) {
        World world;
        RigidBody coin = body("coin", Cylinder{0.04, 0.01}, 0.4, Vector3::Zero());
        coin.pose.rotation = Eigen::AngleAxisd(tilt * testing::degree, Vector3::UnitX());
        coin.pose.position.z() =
            0.04 * std::sin(tilt * testing::degree) + 0.005 * std::cos(tilt * testing::degree);
        coin.spin = {0, 0, spin};
        const Side side = world.add(coin);
        add_pair(world, side, world.add(flat_floor()), normal_law(1e8, 0.5), friction_law(0.5));
        WorldStepper stepper(world);
        const double start = energy(stepper);
        EXPECT_LT(rise_of(stepper, h, 2), 1e-6 * start) << tilt << ' ' << spin << ' ' << h;
      }
    }
  }
}

// ---- several bodies, moving ground, mechanisms --------------------------------------------------

/// Spheres and capsules in a heap, every one able to touch every other, and boxes between them.
World heap(Draw& draw, const std::string& law, bool on_floor) {
  World world;
  std::vector<Side> movers;
  for (int i = 0; i < 6; ++i) {
    const Shape shape = i % 2 == 0 ? Shape(Sphere{0.05}) : Shape(Capsule{0.04, 0.08});
    RigidBody made = body(fmt::format("b{}", i), shape, draw.decades(0.2, 5),
                          {0.13 * (i % 3), 0.13 * (i / 3), 0.1 + 0.04 * i});
    made.pose.rotation = draw.rotation();
    made.velocity = draw.place(1);
    made.spin = draw.place(5);
    movers.push_back(world.add(made));
  }
  const double k = draw.decades(1e5, 1e9), mu = draw.between(0.1, 0.7);
  const AnyNormal normal = normal_law(k, draw.between(0.05, 0.95));
  for (std::size_t i = 0; i < movers.size(); ++i) {
    for (std::size_t j = i + 1; j < movers.size(); ++j) {
      const bool capsule_first = i % 2 == 1 && j % 2 == 0;
      add_pair(world, movers[capsule_first ? j : i], movers[capsule_first ? i : j], normal,
               law_with(law, mu));
    }
  }
  if (!on_floor) {
    world.gravity.setZero();
    return world;
  }
  const Side floor_side = world.add(flat_floor());
  for (const Side side : movers) add_pair(world, side, floor_side, normal, law_with(law, mu));
  return world;
}

TEST(WorldEnergy, AHeapGainsNothing) {
  for (const char* law : {"coulomb", "stribeck", "gonthier", "lugre"}) {
    for (int seed = 0; seed < (takes_long() ? 100 : 5); ++seed) {
      Draw draw(seed);
      WorldStepper world(heap(draw, law, true));
      const double start = energy(world);
      EXPECT_LT(rise_of(world, 1e-3, 2), 1e-6 * start) << law << ' ' << seed;
    }
  }
}

// Away from everything else, what is taken back must not change the momentum.
TEST(WorldEnergy, BodiesAloneKeepTheirMomentum) {
  for (const char* law : {"coulomb", "stribeck", "gonthier", "lugre"}) {
    for (int seed = 0; seed < (takes_long() ? 100 : 5); ++seed) {
      Draw draw(seed);
      World scene = heap(draw, law, false);
      for (RigidBody& mover : scene.bodies) mover.velocity -= 5 * mover.pose.position;
      WorldStepper world(scene);
      const auto momentum = [&] {
        Vector3 sum = Vector3::Zero();
        for (int i = 0; i < 6; ++i)
          sum += scene.bodies[static_cast<std::size_t>(i)].mass.mass * world.velocity(i);
        return sum;
      };
      const Vector3 before = momentum();
      const double start = energy(world);
      EXPECT_LT(rise_of(world, 1e-3, 1), 1e-6 * start) << law << ' ' << seed;
      EXPECT_LT(energy(world), 0.99 * start) << "they never touched";
      EXPECT_LT((momentum() - before).norm(), 1e-12 * before.norm() + 1e-13) << law << ' ' << seed;
    }
  }
}

// The ground moves steadily: it may put in work, and no more than that comes out.
TEST(WorldEnergy, OnAConveyorNoMoreComesOutThanWentIn) {
  for (const Thrown& what : shapes()) {
    for (const char* law : {"coulomb", "stribeck", "gonthier", "lugre"}) {
      for (int seed = 0; seed < (takes_long() ? 100 : 3); ++seed) {
        World scene = thrown(what.shape, law, seed);
        scene.bodies[1].velocity = {0.7, -0.3, 0};
        WorldStepper world(scene);
        const double start = energy(world);
        EXPECT_LT(rise_of(world, 1e-3, 2), 1e-6 * start) << what.name << law << seed;
        EXPECT_GT(std::abs(world.input()), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace bristle
