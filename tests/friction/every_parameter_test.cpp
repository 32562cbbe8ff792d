// Known answers of every law with no parameter at its default, so that none can lose its meaning
// unseen: a term that a default of zero switches off, a power that a default of one hides.

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/friction/any_law.hpp"
#include "support/paths.hpp"

namespace bristle {
namespace {

using Json = nlohmann::json;

const Json& reference() {
  static const Json all =
      Json::parse(std::ifstream(testing_support::reference_dir() + "/friction/parameters.json"));
  return all;
}

AnyLaw law_of(const Json& entry) {
  AnyLaw law(entry["law"].get<std::string>());
  for (const auto& [key, value] : entry["params"].items()) law.set(key, value);
  return law;
}

/// Steady forces, then the forces after each phase; many steps a phase where a step is not exact.
std::vector<double> answers(const AnyLaw& law, const Json& entry) {
  const double fn = reference()["fn"];
  std::vector<double> all;
  for (const Json& phase : reference()["phases"]) all.push_back(law.steady(phase["v"], fn));
  if (entry["force"].empty()) return all;  // its motion is random
  const int steps = entry["tolerance"] < 1e-9 ? 1 : 4000;
  const auto contact = law.line(1);
  contact->reset(0, fn);
  for (const Json& phase : reference()["phases"]) {
    const auto vector = [&](const char* key) {
      return Tangent<double, 1>(phase[key].get<double>());
    };
    const Slip<double, 1> slip[]{{vector("v"), fn, vector("f_e"), vector("v_lag")}};
    const double dt = phase["duration"].get<double>() / steps;
    for (int i = 0; i < steps; ++i) contact->advance(slip, dt);
    Tangent<double, 1> force[1];
    contact->force(slip, force);
    all.push_back(force[0][0]);
  }
  return all;
}

std::vector<double> known(const Json& entry) {
  std::vector<double> all = entry["steady"];
  for (const double force : entry["force"]) all.push_back(force);
  return all;
}

TEST(EveryParameter, AnswersAreThoseOfTheEquations) {
  for (const Json& entry : reference()["entries"]) {
    const std::vector<double> got = answers(law_of(entry), entry), expected = known(entry);
    ASSERT_EQ(got.size(), expected.size()) << entry;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], expected[i], entry["tolerance"].get<double>())
          << entry["law"] << " " << entry["params"] << ", answer " << i;
    }
  }
}

/// A change of any parameter by one per cent shows in some answer: none is there in name only.
TEST(EveryParameter, Counts) {
  std::map<std::string, double> shown;  // in units of the tolerance
  for (const Json& entry : reference()["entries"]) {
    const AnyLaw law = law_of(entry);
    const std::vector<double> before = answers(law, entry);
    for (const Parameter& p : law.info().parameters) {
      if (p.kind != Kind::real || !entry["params"].contains(p.name)) continue;
      AnyLaw changed = law;
      changed.set(p.name, 1.01 * law.get(p.name));
      const std::vector<double> after = answers(changed, entry);
      double& most = shown[std::string(law.name()) + "." + std::string(p.name)];
      for (std::size_t i = 0; i < after.size(); ++i) {
        most = std::max(most, std::abs(after[i] - before[i]) / entry["tolerance"].get<double>());
      }
    }
  }
  // The law only says by how much it looks back; solvers hand it the slip of that time.
  shown.erase("armstrong-7.tau_L");
  for (const auto& [name, most] : shown) EXPECT_GT(most, 20) << name;
}

TEST(EveryParameter, OfEveryLawIsAwayFromItsDefault) {
  std::map<std::string, std::set<std::string>> moved;
  for (const Json& entry : reference()["entries"]) {
    const AnyLaw law = law_of(entry), defaults(law.name());
    for (const auto& [key, value] : entry["params"].items()) {
      if (value != defaults.get(key)) moved[std::string(law.name())].insert(key);
    }
  }
  for (const std::string& name : AnyLaw::names()) {
    for (const Parameter& p : AnyLaw(name).info().parameters) {
      const std::string_view key = p.name;
      // What they do is tested where it is about: random numbers, and loads that fall.
      if (key == "seed" || key == "returns") continue;
      EXPECT_TRUE(moved[name].contains(p.name)) << name << "." << key;
    }
  }
}

/// One set of parameters for each direction, and a constant force.
TEST(EveryParameter, AsymmetricLawsHaveTwoSetsAndAnOffset) {
  AnyLaw plus("stribeck"), minus("stribeck");
  plus.set("mu_k", 0.31);
  plus.set("mu_s", 0.42);
  minus.set("mu_k", 0.17);
  minus.set("mu_s", 0.23);
  const AnyLaw both = plus.asymmetric(minus, 0.05);
  for (const double v : {1e-4, 2e-3, 1.0}) {
    EXPECT_NEAR(both.steady(v, 1.7), plus.steady(v, 1.7) + 0.05, 1e-15) << v;
    EXPECT_NEAR(both.steady(-v, 1.7), minus.steady(-v, 1.7) + 0.05, 1e-15) << v;
  }
}

}  // namespace
}  // namespace bristle
