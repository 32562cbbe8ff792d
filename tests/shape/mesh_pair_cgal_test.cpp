// MeshPair against the corefinement of CGAL, which builds the mesh of A ∩ B. CGAL is under the GPL:
// it is used here and nowhere else, in a test program of its own.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

#include "bristle/shape/mesh_pair.hpp"
#include "shape/solids.hpp"
#include "support/draw.hpp"

namespace bristle::testing {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
namespace pmp = CGAL::Polygon_mesh_processing;

int cases() {
  const char* text = std::getenv("BRISTLE_TEST_CASES");
  const int asked = text != nullptr ? std::atoi(text) : 0;
  return asked > 0 ? asked : 1000;
}

/// The vertices are rounded as MeshPair does it.
Surface placed_surface(const Mesh& mesh, const Pose& pose) {
  Surface out;
  const Matrix3 r = pose.rotation.toRotationMatrix();
  std::vector<Surface::Vertex_index> number;
  for (const Vector3& v : mesh.vertices()) {
    const Vector3 x = r * v + pose.position;
    number.push_back(out.add_vertex({x.x(), x.y(), x.z()}));
  }
  for (const auto& [a, b, c] : mesh.triangles()) {
    out.add_face(number[std::size_t(a)], number[std::size_t(b)], number[std::size_t(c)]);
  }
  return out;
}

struct Truth {
  bool known = false;  ///< CGAL writes no mesh whose pieces touch in an edge or a corner only
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  int surfaces = 0;  ///< connected ones: patches and voids
};

Truth intersect(const Mesh& a, const Mesh& b, const Pose& pose_b) {
  Surface sa = placed_surface(a, {}), sb = placed_surface(b, pose_b), both;
  Truth truth;
  truth.known = pmp::corefine_and_compute_intersection(sa, sb, both);
  for (const auto face : both.faces()) {
    std::array<Vector3, 3> x;
    std::size_t k = 0;
    for (const auto v : CGAL::vertices_around_face(both.halfedge(face), both)) {
      x[k++] = Vector3(both.point(v).x(), both.point(v).y(), both.point(v).z());
    }
    const Vector3 s = x[0] + x[1] + x[2];
    const double d = x[0].dot(x[1].cross(x[2]));
    truth.volume += d / 6;
    truth.first += d / 24 * s;
    Matrix3 squares = s * s.transpose();
    for (const Vector3& v : x) squares += v * v.transpose();
    truth.second += d / 120 * squares;
  }
  const auto map = both.add_property_map<Surface::Face_index, std::size_t>("f:part").first;
  truth.surfaces = static_cast<int>(pmp::connected_components(both, map));
  return truth;
}

/// Largest difference, in units of the smaller body: its volume and its diameter.
struct Difference {
  double volume = 0, first = 0, second = 0;
  int patches = 0;
};
Difference compare(const Truth& truth, MeshPair& pair, const Pose& pose_b) {
  Truth ours;
  for (const Overlap& o : pair.find({}, pose_b)) {
    const Moments m = moved(o.moments, Vector3::Zero());
    ours.volume += m.volume;
    ours.first += m.first;
    ours.second += m.second;
    ++ours.surfaces;
  }
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
  const Mesh& small = pair.a()->volume() < pair.b()->volume() ? *pair.a() : *pair.b();
  const double v = small.volume(), l = pair.a()->bounding_radius();
  return {std::abs(ours.volume - truth.volume) / v, (ours.first - truth.first).norm() / (v * l),
          (ours.second - truth.second).norm() / (v * l * l), ours.surfaces - truth.surfaces};
}

void expect_small(const Difference& d, double tolerance) {
  EXPECT_LT(d.volume, tolerance);
  EXPECT_LT(d.first, tolerance);
  EXPECT_LT(d.second, tolerance);
}

Eigen::Quaterniond draw_rotation(Draw& draw) {
  Eigen::Quaterniond q;
  do {
    q.coeffs() = Eigen::Vector4d(draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1),
                                 draw.between(-1, 1));
  } while (q.norm() < 0.1 || q.norm() > 1);
  return q.normalized();
}

TEST(MeshPairCgal, RandomPairsOfConvexAndOtherSolids) {
  Draw draw(11);
  const std::vector<std::shared_ptr<const Mesh>> solids{
      Mesh::make(ellipsoid(8, {1, 0.8, 0.5})),
      Mesh::make(star(9, 0.9, 0.4, 5)),
      Mesh::make(mapped(cubes({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 3),
                        [](const Vector3& x) { return Vector3(0.6 * x); })),
      Mesh::make(torus(0.8, 0.25, 28, 12)),
      Mesh::make(box({1.5, 1, 0.7}, 1)),
      Mesh::make(mapped(cubes({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, 2),
                        [](const Vector3& x) { return Vector3(0.5 * x); })),
  };
  int overlapping = 0, several = 0;
  for (int i = 0; i < cases(); ++i) {
    SCOPED_TRACE(i);
    const auto pick = [&] { return solids[std::size_t(draw.between(0, double(solids.size())))]; };
    MeshPair pair(pick(), pick());
    const Pose b{Vector3(draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1)),
                 draw_rotation(draw)};
    const Truth truth = intersect(*pair.a(), *pair.b(), b);
    ASSERT_TRUE(truth.known);
    const Difference d = compare(truth, pair, b);
    expect_small(d, 1e-12);
    EXPECT_EQ(d.patches, 0);
    overlapping += truth.volume > 0;
    several += truth.surfaces > 1;
  }
  EXPECT_GT(overlapping, cases() / 2);
  EXPECT_GT(several, cases() / 50);
}

/// Quarter turns and places on a grid, so that faces, edges and corners meet exactly, or all but.
TEST(MeshPairCgal, PosesOnALatticeWithNoise) {
  Draw draw(12);
  const std::vector<std::shared_ptr<const Mesh>> solids{
      Mesh::make(cubes({{0, 0, 0}}, 2)),
      Mesh::make(cubes({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 1)),
      Mesh::make(cubes({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, 2)),
      Mesh::make(cubes({{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, 1)),
  };
  int overlapping = 0, unknown = 0;
  for (int i = 0; i < cases(); ++i) {
    SCOPED_TRACE(i);
    const auto pick = [&] { return solids[std::size_t(draw.between(0, double(solids.size())))]; };
    const auto grid = [&] { return 0.25 * std::floor(draw.between(-5, 6)); };
    const auto quarter = [&] {
      const int n = static_cast<int>(draw.between(0, 4));
      const double half = std::sqrt(0.5);
      const std::array<std::array<double, 2>, 4> turn{
          {{1, 0}, {half, half}, {0, 1}, {half, -half}}};
      return turn[std::size_t(n)];
    };
    MeshPair pair(pick(), pick());
    const auto x = quarter(), y = quarter();
    Pose b{Vector3(grid(), grid(), grid()),
           Eigen::Quaterniond(x[0], x[1], 0, 0) * Eigen::Quaterniond(y[0], 0, y[1], 0)};
    if (i % 2 == 1) {
      const double noise = draw.decades(1e-17, 1e-7);
      for (int k = 0; k < 3; ++k) b.position[k] += draw.between(-noise, noise);
      b.rotation.x() += draw.between(-noise, noise);
      b.rotation.normalize();
    }
    const Truth truth = intersect(*pair.a(), *pair.b(), b);
    unknown += !truth.known;
    if (!truth.known) continue;
    expect_small(compare(truth, pair, b), 1e-13);
    overlapping += truth.volume > 0.01;
  }
  EXPECT_LE(unknown, cases() / 500);
  EXPECT_GT(overlapping, cases() / 4);
}

TEST(MeshPairCgal, FineMeshesOfFiveThousandTriangles) {
  MeshPair pair(Mesh::make(star(25, 0.1, 0.3, 5)), Mesh::make(star(25, 0.1, 0.25, 4)));
  const Pose b{{0.07, 0.05, 0.06}, Eigen::Quaterniond(0.3, 0.5, -0.2, 0.7).normalized()};
  const Truth truth = intersect(*pair.a(), *pair.b(), b);
  ASSERT_TRUE(truth.known);
  ASSERT_GT(truth.volume, 1e-5);
  const Difference d = compare(truth, pair, b);
  expect_small(d, 1e-13);
  EXPECT_EQ(d.patches, 0);
}

}  // namespace
}  // namespace bristle::testing
