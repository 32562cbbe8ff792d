// bristle push.

#include <nlohmann/json.hpp>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/area/push_fit.hpp"
#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

class PushCli : public Cli {
 protected:
  std::string file(const std::string& text) const { return write("push.yaml", text); }
  nlohmann::json answer(const std::string& text) const {
    const Result r = run("push " + file(text) + " --json");
    EXPECT_EQ(r.code, 0) << r.err;
    return nlohmann::json::parse(r.out);
  }
  /// Pairs of an ellipsoid, in N.
  void write_pairs() const {
    const EllipsoidLaw truth(Planar(1, 1, 0.0025).asDiagonal());
    std::string text = "fx [N], fy [N], m [N mm], vx [mm], vy [mm], omega [rad]\n";
    for (const LimitSample& s : limit_samples(truth, 30)) {
      const Planar w = 4 * s.wrench;
      const Planar v = s.motion;
      for (const double x : {w.x(), w.y(), 1e3 * w.z(), v.x(), v.y()}) {
        text += std::to_string(x) + ", ";
      }
      text += std::to_string(1e-3 * v.z()) + "\n";
    }
    write("pairs.csv", text);
  }
};

const char* const block = R"(
object: {shape: {rectangle: {length: 20 cm, width: 10 cm}}, law: exact}
friction: 4 N
pusher: {at: [-10 cm, 0 cm], normal: [2, 0], mu: 0.25, velocity: [2 cm/s, 0 m/s]}
)";

TEST_F(PushCli, ThroughTheCentre) {
  const auto law = answer(block)["laws"][0];
  EXPECT_EQ(law["law"], "exact");
  EXPECT_EQ(law["mode"], "sticking");
  EXPECT_NEAR(law["motion"][0], 0.02, 1e-12);
  EXPECT_NEAR(law["motion"][2], 0, 1e-10);
  EXPECT_NEAR(law["force"][0], 4, 1e-10);
  EXPECT_EQ(law["force_unit"], "N");
  const Result text = run("push " + file(block));
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("sticking"));
}

TEST_F(PushCli, PathAndPicture) {
  const std::string yaml = std::string(block) + "path: {duration: 2 s}\n";
  const auto path = answer(yaml)["laws"][0]["path"];
  EXPECT_EQ(path["end"], "done");
  EXPECT_NEAR(path["states"].back()["pose"][0], 0.04, 1e-8);
  EXPECT_EQ(run("push " + file(yaml) + " --plot " + this->path("path.svg")).code, 0);
  EXPECT_THAT(read(this->path("path.svg")), HasSubstr("pusher"));
  expect_refused("push " + file(block) + " --plot " + this->path("none.svg"),
                 {"--plot", "asks for no path"});
}

TEST_F(PushCli, FitsToPairs) {
  write_pairs();
  const auto laws = answer("pairs: pairs.csv\n")["laws"];
  ASSERT_EQ(laws.size(), 2U);
  for (const auto& law : laws) {
    EXPECT_LT(law["pairs"]["left_out_mean_angle"].get<double>(), 0.05);
    EXPECT_EQ(law["pairs"]["left_out_angles"].size(), 30U);
  }
  EXPECT_NEAR(laws[0]["pairs"]["B"][0][0], 16, 0.8);  // (4 N)²
  EXPECT_EQ(laws[1]["pairs"]["coefficients"].size(), 15U);
  // Supports, and a push by the fitted laws.
  const auto all = answer(R"(
object: {shape: {points: {places: [[-4 cm, -4 cm], [8 cm, -4 cm], [-4 cm, 8 cm]]}}}
pusher: {at: [-5 cm, 2 cm], normal: [1, 0], mu: 0.25, velocity: [2 cm/s, 0 m/s]}
pairs: {file: pairs.csv, length: 5 cm, laws: [supports, quartic], folds: 5}
)")["laws"];
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1]["law"], "fitted supports");
  EXPECT_EQ(all[1]["force_unit"], "of muN");
  EXPECT_EQ(all[1]["pairs"]["shares"].size(), 3U);
  EXPECT_EQ(all[2]["force_unit"], "N");
}

TEST_F(PushCli, WhatIsWrongIsSaid) {
  expect_refused("push " + file("friction: 1 N\n"), {"object", "missing"});
  expect_refused("push " + file("object: {shape: {disc: {radius: 1 cm}}}\n"), {"pusher"});
  expect_refused("push " + file("pairs: none.csv\n"), {"none.csv"});
  write_pairs();
  expect_refused("push " + file("pairs: {file: pairs.csv, laws: [quartik]}\n"),
                 {"push.yaml:1", "did you mean 'quartic'"});
  expect_refused("push " + file("pairs: {file: pairs.csv, laws: supports}\n"), {"on points"});
  expect_refused("push " + file("pairs: pairs.csv\npath: {duration: 2 s}\n"), {"pusher"});
  expect_refused("push " + file(std::string(block) + "frcition: 2 N\n"), {"did you mean"});
  write("units.csv", "fx [N], fy [kg], m, vx, vy, omega\n1, 1, 1, 1, 1, 1\n");
  expect_refused("push " + file("pairs: units.csv\n"), {"units.csv", "'fy'", "force (N)"});
  write("still.csv", "fx, fy, m, vx, vy, omega\n1, 1, 1, 1, 1, 1\n1, 0, 0, 0, 0, 0\n");
  expect_refused("push " + file("pairs: still.csv\n"), {"still.csv:3", "moved nothing"});
}

}  // namespace
}  // namespace bristle
