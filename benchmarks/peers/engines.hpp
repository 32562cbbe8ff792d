#pragma once

// The other engines, behind the interface that the tests of `bristle accuracy` use. Each with the
// settings it comes with, and with settings found to suit a test better.

#include <memory>
#include <string>

#include "engine_tests.hpp"

namespace bristle::peers {

using cli::TestEngine;
using cli::TestScene;

struct MujocoSettings {
  std::string solver = "Newton", cone = "pyramidal", jacobian = "auto";
  double impratio = 1;  ///< friction is this much harder than the normal direction
  int noslip = 0;       ///< iterations of the solver that takes out what slip is left
  bool lean = false;    ///< stages that these scenes do not need are off
  /// A spring and a damper of this duration, set for the restitution asked for, s; 0: the default,
  /// which has none.
  double spring = 0;
};
std::unique_ptr<TestEngine> make_mujoco(const TestScene& scene, const MujocoSettings& settings);

struct BulletSettings {
  bool sleep = false;
  bool lean = false;  ///< boxes of sleeping and static bodies are not updated
  /// Only contacts that overlap are solved, at any speed, overlap is not turned into speed: without
  /// these the restitution asked for is not met.
  bool bounce = false;
};
std::unique_ptr<TestEngine> make_bullet(const TestScene& scene, const BulletSettings& settings);

/// Two links with a sphere for a tip over a floor.
struct PendulumScene {
  double l1, l2, m1, m2, phi1, phi2, rate1, rate2, floor, mu, e;
};
/// position() is the tip, velocity() holds both joint rates.
std::unique_ptr<TestEngine> make_mujoco(const PendulumScene& scene, const MujocoSettings& settings);

std::string mujoco_version();
std::string bullet_version();

}  // namespace bristle::peers
