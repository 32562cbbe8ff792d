#pragma once

// Three tests that any engine can be put to, at its step: restitution, holding and sliding on an
// incline, rolling. Each scene is one body on the plane z = 0; an incline is gravity that leans.
// `bristle accuracy` asks Bristle, benchmarks/peers the others too.

#include <functional>
#include <memory>
#include <vector>

#include "bristle/shape/shape.hpp"

namespace bristle::cli {

struct TestScene {
  Shape shape = Sphere{0.1};  ///< a sphere or a box
  double mass = 1;
  double gap = 0;  ///< between body and plane at the start; at 0 the body rests on the plane
  Vector3 velocity = Vector3::Zero();
  Vector3 gravity = Vector3::Zero();
  double mu = 0.5, e = 0.5;
  double duration = 2e-3;  ///< of an elastic impact, for engines that have one, s
  int count = 1;           ///< alike, in a square, too far apart to touch
};

class TestEngine {
 public:
  TestEngine() = default;
  TestEngine(const TestEngine&) = delete;
  TestEngine& operator=(const TestEngine&) = delete;
  TestEngine(TestEngine&&) = delete;
  TestEngine& operator=(TestEngine&&) = delete;
  virtual ~TestEngine() = default;

  virtual void step(double h) = 0;
  /// Of the first body.
  virtual Vector3 position() const = 0;
  virtual Vector3 velocity() const = 0;
};
using EngineMaker = std::function<std::unique_ptr<TestEngine>(const TestScene&)>;

/// Where body i of a scene starts.
Vector3 start_of(const TestScene& scene, int i);
/// Half its height.
double half_height(const Shape& shape);

/// Bristle: Gonthier's normal law, the bounded 2004 friction law with mu_s = mu_k.
std::unique_ptr<TestEngine> make_bristle(const TestScene& scene);

struct RestitutionRow {
  double e = 0, v = 0, duration = 0;  ///< asked for, approach speed, elastic duration
  double mean = 0;                    ///< restitution over all phases
  double mean_error = 0, worst_error = 0;
};
/// A sphere without gravity, touching down at `phases` places within a step.
RestitutionRow test_restitution(const EngineMaker& make, double e, double v, double duration,
                                double h, int phases);

struct InclineRow {
  double degrees = 0;             ///< direction of the slope against the axes
  double creep = 0;               ///< in 10 s at 80 % of the angle of friction, after 2 s, m
  double acceleration_error = 0;  ///< at 120 %, relative
};
/// A box, its faces along the axes.
InclineRow test_incline(const EngineMaker& make, double degrees, double h);

struct RollingRow {
  double acceleration_error = 0;  ///< relative to 5/7 g sin 20°
};
RollingRow test_rolling(const EngineMaker& make, double h);

}  // namespace bristle::cli
