// bristle interference.

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace bristle {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

class InterferenceCli : public Cli {
 protected:
  std::string file(const std::string& text) const { return write("pair.yaml", text); }
  nlohmann::json answer(const std::string& text) const {
    const Result r = run("interference " + file(text));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    return nlohmann::json::parse(r.out);
  }
};

const char* const cap = R"(
bodies: [{shape: {sphere: {radius: 0.1}}, position: [0,0,0.08], rotation: [1,0,0,0]},
         {shape: {half-space: {}}}]
)";

TEST_F(InterferenceCli, ASphereOnAPlane) {
  const auto json = answer(cap);
  const double V = pi * 0.02 * 0.02 * (0.3 - 0.02) / 3;
  EXPECT_NEAR(json["volume"].get<double>() / V, 1, 1e-14);
  EXPECT_NEAR(json["area"].get<double>() / (pi * 0.02 * 0.18), 1, 1e-14);
  EXPECT_NEAR(json["depth"], 0.02, 1e-16);
  EXPECT_EQ(json["normal"], (std::vector<double>{0, 0, -1}));
  EXPECT_NEAR(json["volume_centroid"][2], -0.006785714285714286, 1e-17);
  EXPECT_EQ(json["surface_centroid"], (std::vector<double>{0, 0, 0}));
  EXPECT_NEAR(json["r_gyr"], 0.034969374356101125, 1e-15);
  EXPECT_NEAR(json["J_V"][0][0].get<double>() / 7.435401812796188e-08, 1, 1e-13);
  EXPECT_NEAR(json["J_s"][1][1].get<double>() / 7.711263567711404e-08, 1, 1e-13);
  EXPECT_EQ(json["M"][2][2], 0.0);
  EXPECT_EQ(json["directed"], true);
  EXPECT_FALSE(json.contains("patches"));
}

TEST_F(InterferenceCli, TheOrderOfTheBodiesTurnsTheNormal) {
  const auto json = answer(R"(
bodies:
  - {shape: {half-space: {}}}
  - shape: {cylinder: {radius: 1 cm, length: 8 cm}}
    position: [0, 0, 39 mm]
    rotation: {axis: [0, 0, 1], angle: 30 deg}
)");
  EXPECT_EQ(json["normal"], (std::vector<double>{0, 0, 1}));
  EXPECT_NEAR(json["volume"].get<double>() / (pi * 1e-4 * 1e-3), 1, 1e-12);
}

TEST_F(InterferenceCli, BodiesApartHaveNothingInCommon) {
  const auto json = answer(R"(
bodies: [{shape: {cone: {radius: 0.1, length: 0.2}}, position: [0, 0, 0.5]}, {shape: {half-space: {}}}]
)");
  EXPECT_EQ(json["volume"], 0.0);
  for (const char* key : {"area", "volume_centroid", "surface_centroid", "normal", "J_V", "J_s",
                          "M", "r_gyr", "depth"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json[key].is_null()) << key;
  }
}

TEST_F(InterferenceCli, ABodyInsideHasNoDirection) {
  const auto json = answer(R"(
bodies: [{shape: {ellipsoid: {radii: [0.1, 0.2, 0.3]}}, position: [0, 0, -0.5]}, {shape: {half-space: {}}}]
)");
  EXPECT_NEAR(json["volume"].get<double>() / (4.0 / 3 * pi * 0.006), 1, 1e-14);
  EXPECT_EQ(json["volume_centroid"], (std::vector<double>{0, 0, -0.5}));
  EXPECT_EQ(json["directed"], false);
  EXPECT_TRUE(json["normal"].is_null());
  EXPECT_TRUE(json["area"].is_null());
}

// Boos (2.18): the stiffer body keeps its surface.
TEST_F(InterferenceCli, TwoDeformableBodiesShareTheDepth) {
  const auto z = [&](const char* k) {
    return answer(std::string(cap) + "stiffness: " + k + "\n")["surface_centroid"][2].get<double>();
  };
  const double centroid = -0.006785714285714286, mean_depth = 0.010370370370370370;
  EXPECT_NEAR(z("[1e13, 1e13]"), centroid, 1e-15);
  EXPECT_NEAR(z("[1e13 N/m^3, 3e13 N/m^3]"), centroid + mean_depth / 4, 1e-15);
  EXPECT_NEAR(z("[3e13, 1e13]"), centroid - mean_depth / 4, 1e-15);
}

// A wedge: the eigenvector lies half-way between the two faces.
TEST_F(InterferenceCli, TheEigenvectorMayBeTheNormal) {
  const std::string wedge = R"(
bodies:
  - shape: {cylinder: {radius: 5 mm, length: 0.1}}
    position: [0, 0, 0.05001]
    rotation: {axis: [0, 1, 0], angle: 0.32 deg}
  - {shape: {half-space: {}}}
)";
  const auto area = answer(wedge), eigen = answer(wedge + "normal: eigenvector\n");
  const double gamma = 0.32 * pi / 180;
  EXPECT_EQ(area["normal"][2], -1.0);
  EXPECT_NEAR(std::abs(std::asin(eigen["normal"][0].get<double>())) / (gamma / 2), 1, 1e-4);
  // The reference surface stays where it was: the plane.
  EXPECT_NEAR(eigen["surface_centroid"][2], 0, 1e-18);
  EXPECT_NEAR(eigen["area"].get<double>() / area["area"].get<double>(), std::cos(gamma / 2), 1e-9);
}

TEST_F(InterferenceCli, SaysWhatIsWrongAndWhere) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& words) {
    expect_refused("interference " + file(text), words);
  };
  expect_refused("interference " + path("none.yaml"), {"none.yaml"});
  refused("bodys: []\n", {"pair.yaml", "bodies"});
  refused("bodies: [{shape: {sphere: {radius: 1}}}]\n", {"pair.yaml:1", "bodies", "two"});
  refused("bodies:\n  - {shape: {sphere: {radius: -1}}}\n  - {shape: {half-space: {}}}\n",
          {"pair.yaml:2", "bodies.0.shape.sphere.radius", "-1"});
  refused("bodies:\n  - {shape: {spere: {radius: 1}}}\n  - {shape: {half-space: {}}}\n",
          {"pair.yaml:2", "spere", "did you mean 'sphere'"});
  refused("bodies:\n  - {shape: {point: {}}}\n  - {shape: {half-space: {}}}\n",
          {"pair.yaml:1", "point – half-space", "sphere – half-space"});
  refused(
      "bodies:\n  - {shape: {sphere: {radius: 1}}, colour: red}\n  - {shape: {half-space: {}}}\n",
      {"pair.yaml:2", "colour"});
  refused(
      "bodies:\n  - {shape: {sphere: {radius: 1}}, rotation: [2,0,0,0]}\n"
      "  - {shape: {half-space: {}}}\n",
      {"pair.yaml:2", "rotation", "length 1"});
  refused(std::string(cap) + "stiffness: [1e9]\n", {"pair.yaml:4", "stiffness"});
  refused(std::string(cap) + "stiffness: [1e9, 0]\n", {"pair.yaml:4", "stiffness"});
  refused(std::string(cap) + "normal: up\n", {"pair.yaml:4", "normal", "eigenvector"});
}

TEST_F(InterferenceCli, HelpShowsAnExampleThatRuns) {
  const Result r = run("interference --help");
  EXPECT_EQ(r.code, 0);
  const std::size_t begin = r.out.find("  bodies:"), end = r.out.find("Shapes:");
  ASSERT_LT(begin, end);
  EXPECT_NEAR(answer(r.out.substr(begin, end - begin))["depth"], 0.02, 1e-16);
}

}  // namespace
}  // namespace bristle
