#include "engine_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/solve/world_step.hpp"

namespace bristle::cli {
namespace {

constexpr double g = 9.81;

/// Gravity of a plane that falls off by `angle` in the direction `way` of the x–y plane.
Vector3 leaning(double angle, double way) {
  return g * Vector3(std::sin(angle) * std::cos(way), std::sin(angle) * std::sin(way),
                     -std::cos(angle));
}

/// Hertz: an elastic impact of mass m at speed v that lasts T is x_max = T v/2.943 deep, and
/// k x_max^(5/2)/(5/2) = m v²/2.
double stiffness_for(double duration, double mass, double v) {
  const double deepest = duration * v / 2.943275184324706;
  return 1.25 * mass * v * v / std::pow(deepest, 2.5);
}

class BristleEngine final : public TestEngine {
 public:
  explicit BristleEngine(const TestScene& scene) : stepper_(world_of(scene)) {}

  void step(double h) override { stepper_.step(h); }
  Vector3 position() const override { return stepper_.pose(0).position; }
  Vector3 velocity() const override { return stepper_.velocity(0); }

 private:
  static World world_of(const TestScene& scene) {
    const double v = std::abs(scene.velocity.z());
    const double k = v > 0 ? stiffness_for(scene.duration, scene.mass, v) : 1e7;
    // A body at rest starts as deep as its weight presses it; a box has four corners down.
    double depth = 0;
    if (scene.gap == 0 && v == 0) {
      const int corners = std::holds_alternative<Box>(scene.shape) ? 4 : 1;
      depth = std::pow(-scene.mass * scene.gravity.z() / corners / k, 2.0 / 3);
    }
    AnyNormal normal("gonthier");
    normal.set("k", k);
    normal.set("e", scene.e);
    AnyLaw friction("gonthier");
    for (const char* key : {"mu_s", "mu_k"}) friction.set(key, scene.mu);
    friction.set("sigma2", 0);
    World world;
    world.gravity = scene.gravity;
    for (int i = 0; i < scene.count; ++i) {
      RigidBody body{.name = fmt::format("body{}", i), .shape = scene.shape};
      body.mass = MassProperties::with_mass(scene.shape, scene.mass);
      body.pose.position = start_of(scene, i) - Vector3(0, 0, depth);
      body.velocity = scene.velocity;
      world.add(body);
    }
    const Side plane = world.add(RigidBody{.name = "plane", .shape = HalfSpace{}, .fixed = true});
    for (int i = 0; i < scene.count; ++i) {
      world.pairs.push_back({Side{.index = i}, plane, normal, friction});
    }
    return world;
  }

  WorldStepper stepper_;
};

/// Whole steps: returns the time that they make.
double advance(TestEngine& engine, double seconds, double h) {
  const long steps = std::lround(seconds / h);
  for (long i = 0; i < steps; ++i) engine.step(h);
  return static_cast<double>(steps) * h;
}
/// Mean acceleration in the second second.
double acceleration(TestEngine& engine, const Vector3& way, double h) {
  advance(engine, 1, h);
  const double before = engine.velocity().dot(way);
  const double time = advance(engine, 1, h);
  return (engine.velocity().dot(way) - before) / time;
}

}  // namespace

double half_height(const Shape& shape) {
  const Box* box = std::get_if<Box>(&shape);
  return box ? 0.5 * box->size.z() : std::get<Sphere>(shape).radius;
}

Vector3 start_of(const TestScene& scene, int i) {
  const int row = static_cast<int>(std::ceil(std::sqrt(scene.count)));
  const double apart = 4 * bounding_radius(scene.shape);
  return {apart * (i % row), apart * (i / row), half_height(scene.shape) + scene.gap};
}

std::unique_ptr<TestEngine> make_bristle(const TestScene& scene) {
  return std::make_unique<BristleEngine>(scene);
}

RestitutionRow test_restitution(const EngineMaker& make, double e, double v, double duration,
                                double h, int phases) {
  RestitutionRow row{.e = e, .v = v, .duration = duration};
  const double radius = 0.1;
  for (int phase = 0; phase < phases; ++phase) {
    const double until_touch = h * (10 + (phase + 0.5) / phases);
    const auto engine = make({.shape = Sphere{radius},
                              .gap = v * until_touch,
                              .velocity = Vector3(0, 0, -v),
                              .e = e,
                              .duration = duration});
    advance(*engine, 12 * h, h);
    // Until it is clear of the plane; an impact of little restitution takes long to end.
    const double longest = 0.1 + 50 * duration;
    for (double t = 0; t < longest; t += h) {
      engine->step(h);
      if (engine->position().z() > radius && engine->velocity().z() > 0) break;
    }
    advance(*engine, 10 * h, h);
    const double got = engine->velocity().z() / v;
    row.mean += got / phases;
    row.mean_error += std::abs(got - e) / phases;
    row.worst_error = std::max(row.worst_error, std::abs(got - e));
  }
  return row;
}

InclineRow test_incline(const EngineMaker& make, double degrees, double h) {
  const double way = degrees * std::numbers::pi / 180;
  const Vector3 downhill(std::cos(way), std::sin(way), 0);
  TestScene scene{.shape = Box{{0.2, 0.2, 0.1}}, .mu = 0.5};
  const double friction_angle = std::atan(scene.mu);

  scene.gravity = leaning(0.8 * friction_angle, way);
  const auto held = make(scene);
  advance(*held, 2, h);
  const Vector3 settled = held->position();
  advance(*held, 10, h);
  const Vector3 moved = held->position() - settled;

  const double steep = 1.2 * friction_angle;
  scene.gravity = leaning(steep, way);
  const auto sliding = make(scene);
  const double right = g * (std::sin(steep) - scene.mu * std::cos(steep));
  return {degrees, std::hypot(moved.x(), moved.y()),
          acceleration(*sliding, downhill, h) / right - 1};
}

RollingRow test_rolling(const EngineMaker& make, double h) {
  const double angle = std::numbers::pi / 9;
  const auto engine = make({.shape = Sphere{0.1}, .gravity = leaning(angle, 0), .mu = 0.5});
  const double right = 5.0 / 7 * g * std::sin(angle);
  return {acceleration(*engine, Vector3::UnitX(), h) / right - 1};
}

}  // namespace bristle::cli
