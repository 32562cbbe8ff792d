// Interference from a document, and overlaps put together.

#include "bristle/scenario/interference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/shape/overlap_pairs.hpp"

namespace bristle {
namespace {

Interference read(const std::string& yaml) {
  const Document document = Document::parse(yaml, "pair.yaml");
  Interference pair = read_interference(document);
  document.finish();
  return pair;
}

TEST(Interference, IsReadWithItsPoses) {
  const Interference pair = read(R"(
bodies:
  - {shape: {cone: {radius: 1 cm, length: 3 cm}}, position: [0, 0, 1 cm], rotation: {axis: [1, 0, 0], angle: 180 deg}}
  - {shape: {half-space: {}}, rotation: [0, 1, 0, 0]}
stiffness: [1e9, 2e9 N/m^3]
)");
  EXPECT_EQ(std::get<Cone>(pair.shape[0]).length, 0.03);
  EXPECT_NEAR((axis_z(pair.pose[0]) + Vector3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_EQ(axis_z(pair.pose[1]), Vector3(0, 0, -1));
  EXPECT_EQ((*pair.stiffness)[1], 2e9);
  EXPECT_FALSE(pair.eigenvector);
}

TEST(Interference, TwoPiecesAddUp) {
  // Two boxes on one plane, and the slab they are the ends of.
  const Box end{{1, 1, 1}};
  const auto piece = [&](double x) {
    return *overlap_half_space(end, {{x, 0, 0.49}, Eigen::Quaterniond::Identity()}, {});
  };
  const Overlap both = together(std::vector<Overlap>{piece(-0.5), piece(0.5)});
  const Overlap whole =
      *overlap_half_space(Box{{2, 1, 1}}, {{0, 0, 0.49}, Eigen::Quaterniond::Identity()}, {});
  const Patch p = make_patch(both), q = make_patch(whole);
  EXPECT_NEAR(p.volume, q.volume, 1e-15);
  EXPECT_NEAR(p.area, q.area, 1e-15);
  EXPECT_LT((p.surface_centroid - q.surface_centroid).norm(), 1e-15);
  EXPECT_LT((p.J_V - q.J_V).norm(), 1e-15);
  EXPECT_LT((p.J_s - q.J_s).norm(), 1e-15);
  EXPECT_EQ(p.depth, q.depth);
}

TEST(Interference, SeenAlongAnotherNormalTheSurfaceStays) {
  const Overlap o =
      *overlap_half_space(Sphere{1}, {{0, 0, 0.9}, Eigen::Quaterniond::Identity()}, {});
  const Patch straight = make_patch(seen_along(o, -Vector3::UnitZ()));
  EXPECT_LT((straight.surface_centroid - make_patch(o).surface_centroid).norm(), 1e-16);
  const Vector3 n = Vector3(0.1, 0, -1).normalized();
  const Patch askew = make_patch(seen_along(o, n));
  EXPECT_LT((askew.normal - n).norm(), 1e-15);
  EXPECT_NEAR(askew.surface_centroid.z(), 0, 1e-16);
  EXPECT_NEAR(askew.area, make_patch(o).area * -n.z(), 1e-15);
  const Vector3 way = askew.surface_centroid - askew.volume_centroid;
  EXPECT_LT(way.cross(n).norm(), 1e-16);
}

}  // namespace
}  // namespace bristle
