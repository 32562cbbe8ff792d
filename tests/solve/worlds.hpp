#pragma once

// Small worlds to step.

#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "bristle/normal/press.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/world_step.hpp"

namespace bristle::testing {

constexpr double g = 9.81, degree = std::numbers::pi / 180;

/// The world of a built-in scenario: {"e=0.9", …}.
inline World world_of(const std::string& scenario, const std::vector<std::string>& settings = {}) {
  std::vector<Setting> split;
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    split.push_back({text.substr(0, equals), text.substr(equals + 1), "", 0});
  }
  return *load_scenario(scenario, split).world;
}

inline AnyNormal normal_law(double k, double e, double p = 1.5) {
  AnyNormal law("gonthier");
  law.set("k", k);
  law.set("e", e);
  law.set("p", p);
  return law;
}
/// mu_s = mu_k = mu, and nothing viscous.
inline AnyLaw friction_law(double mu, const std::string& name = "gonthier") {
  AnyLaw law(name);
  for (const char* key : {"mu_s", "mu_k"}) {
    if (law.info().find(key) != nullptr) law.set(key, mu);
  }
  if (law.info().find("sigma2") != nullptr) law.set("sigma2", 0);
  return law;
}

inline RigidBody body(const std::string& name, const Shape& shape, double mass,
                      const Vector3& position, const Vector3& velocity = Vector3::Zero()) {
  RigidBody made;
  made.name = name;
  made.shape = shape;
  made.mass = MassProperties::with_mass(shape, mass);
  made.pose.position = position;
  made.velocity = velocity;
  return made;
}
inline RigidBody flat_floor() {
  RigidBody made;
  made.name = "floor";
  made.shape = HalfSpace{};
  made.fixed = true;
  return made;
}
inline Side add_pair(World& world, Side a, Side b, const AnyNormal& normal,
                     const AnyLaw& friction) {
  ContactPair pair;
  pair.a = a;
  pair.b = b;
  pair.normal = normal;
  pair.friction = friction;
  world.pairs.push_back(pair);
  return a;
}

/// A first step of this share of h, then whole ones until `end`.
template <class Each>
void run_steps(WorldStepper& world, double h, double phase, double end, Each&& each) {
  if (phase > 0) world.step(phase * h);
  each();
  while (world.time() < end - 0.5 * h) {
    world.step(h);
    each();
  }
}
inline void run_steps(WorldStepper& world, double h, double phase, double end) {
  run_steps(world, h, phase, end, [] {});
}

inline std::vector<double> saved(const WorldStepper& world) {
  std::vector<double> numbers(static_cast<std::size_t>(world.state_size()));
  world.save(numbers);
  return numbers;
}

/// Numbers that are none count as well.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

inline double energy(const WorldStepper& world) {
  return world.kinetic() + world.potential() + world.springs();
}

}  // namespace bristle::testing
