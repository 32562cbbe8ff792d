// Making and checking meshes, and the meshes made by programme.

#include "bristle/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/shape/mass_properties.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "shape/mesh_scenes.hpp"

namespace bristle::testing {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

std::string refusal(const TriangleSoup& soup) {
  try {
    (void)Mesh::make(soup);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<TriangleSoup> made() {
  SpurGear gear;
  gear.bore = 0.01;
  HoleBlock blind;
  blind.depth = 0.03;
  return {make_sphere(0.1, 8),
          make_ellipsoid({0.1, 0.06, 0.04}, 8),
          make_bumpy_sphere(0.1, 0.3, 7, 20),
          make_box({1, 2, 3}, 3, 4, 5),
          make_cylinder(1, 2, 16, 3),
          make_cone(1, 2, 16, 4),
          make_capsule(1, 2, 16, 3),
          make_torus(1, 0.3, 24, 12),
          make_angle_profile(1, 0.2, 2, 4),
          make_spur_gear({}),
          make_spur_gear(gear, 12, 4),
          make_bolt({}, 24, 6),
          make_nut({}, 24, 6),
          make_peg({}, 32, 4),
          make_hole_block({}, 32, 4),
          make_hole_block(blind, 32, 4)};
}

void append(TriangleSoup& soup, const TriangleSoup& other, const Pose& pose = {}) {
  const auto first = static_cast<int>(soup.vertices.size());
  for (const Vector3& v : other.vertices) soup.vertices.push_back(apply(pose, v));
  for (const auto& t : other.triangles) {
    soup.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}
TriangleSoup turned_inside_out(TriangleSoup soup) {
  for (auto& t : soup.triangles) std::swap(t[0], t[1]);
  return soup;
}

// ---- sound meshes -------------------------------------------------------------------------------

TEST(Mesh, MadeMeshesAreSoundInAnyPose) {
  Draw draw(1);
  for (TriangleSoup soup : made()) {
    EXPECT_TRUE(Mesh::check(soup).is_sound()) << soup.name << ": " << Mesh::check(soup).summary();
    // Rounding moves faces that were plane a little off it.
    const Pose pose = any_pose(draw, 1);
    for (Vector3& v : soup.vertices) v = apply(pose, v);
    EXPECT_TRUE(Mesh::check(soup).is_sound()) << soup.name << ": " << Mesh::check(soup).summary();
  }
}

TEST(Mesh, EdgesAndNeighboursAgree) {
  for (const TriangleSoup& soup : made()) {
    const auto mesh = Mesh::make(soup);
    const auto& triangles = mesh->triangles();
    ASSERT_EQ(triangles.size(), soup.triangles.size());
    EXPECT_EQ(mesh->edges().size() * 2, triangles.size() * 3);
    const bool round = mesh->name() == "torus" || mesh->name() == "nut";
    if (round) {  // Euler: a hole
      EXPECT_EQ(mesh->vertices().size() + triangles.size(), mesh->edges().size());
    }
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int side = mesh->triangle_edges()[t][k];
        const MeshEdge& edge = mesh->edges()[static_cast<std::size_t>(side / 2)];
        const bool along = side % 2 == 0;
        EXPECT_EQ(edge.vertex[along ? 0 : 1], triangles[t][k]);
        EXPECT_EQ(edge.vertex[along ? 1 : 0], triangles[t][(k + 1) % 3]);
        EXPECT_EQ(along ? edge.left : edge.right, static_cast<int>(t));
      }
    }
  }
}

TEST(Mesh, TreeHoldsItsTriangles) {
  for (const TriangleSoup& soup : made()) {
    const auto mesh = Mesh::make(soup);
    const auto& tree = mesh->tree();
    ASSERT_EQ(tree.size(), 2 * mesh->triangles().size() - 1);
    EXPECT_EQ(tree[0].begin, 0);
    EXPECT_EQ(tree[0].end, static_cast<int>(mesh->triangles().size()));
    for (const MeshNode& node : tree) {
      EXPECT_LE((node.axes.transpose() * node.axes - Matrix3::Identity()).norm(), 1e-14);
      EXPECT_LE(node.half[0], node.half[1]);
      EXPECT_LE(node.half[1], node.half[2]);
      for (int t = node.begin; t < node.end; ++t) {
        for (const int v : mesh->triangles()[static_cast<std::size_t>(t)]) {
          const Vector3 r =
              node.axes.transpose() * (mesh->vertices()[static_cast<std::size_t>(v)] - node.center);
          ASSERT_TRUE((r.cwiseAbs().array() <= node.half.array()).all()) << soup.name;
        }
      }
      if (node.child < 0) {
        EXPECT_EQ(node.end - node.begin, 1);
        const auto& t = mesh->triangles()[static_cast<std::size_t>(node.begin)];
        const auto at = [&](std::size_t k) {
          return mesh->vertices()[static_cast<std::size_t>(t[k])];
        };
        const Vector3 w = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
        EXPECT_NEAR(std::abs(w.dot(node.axes.col(0))), 1, 1e-12);
      } else {
        const MeshNode &a = tree[static_cast<std::size_t>(node.child)],
                       &b = tree[static_cast<std::size_t>(node.child) + 1];
        EXPECT_EQ(a.begin, node.begin);
        EXPECT_EQ(a.end, b.begin);
        EXPECT_EQ(b.end, node.end);
        EXPECT_LE(std::abs((a.end - a.begin) - (b.end - b.begin)), 1) << "as even as can be";
      }
    }
  }
}

TEST(Mesh, MassPropertiesOfABox) {
  const auto mesh = Mesh::make([] {
    TriangleSoup soup = make_box({1, 2, 3}, 2, 3, 4);
    for (Vector3& v : soup.vertices) v += Vector3(10, 20, 30);
    return soup;
  }());
  EXPECT_NEAR(mesh->volume(), 6, 1e-13);
  EXPECT_NEAR(mesh->area(), 22, 1e-12);
  EXPECT_LE((mesh->centroid() - Vector3(10, 20, 30)).norm(), 1e-13);
  const Matrix3 expected = Vector3(6.0 / 12, 6.0 * 4 / 12, 6.0 * 9 / 12).asDiagonal();
  EXPECT_LE((mesh->central_moments() - expected).norm(), 1e-12);
  EXPECT_NEAR(mesh->bounding_radius(), Vector3(10.5, 21, 31.5).norm(), 1e-14 * 40);
}

TEST(Mesh, EqualVerticesAreOneAlsoZerosOfBothSigns) {
  TriangleSoup loose;
  for (const auto& t : make_box({2, 2, 2}, 2, 2, 2).triangles) {
    const TriangleSoup box = make_box({2, 2, 2}, 2, 2, 2);
    for (const int k : t) {
      Vector3 v = box.vertices[static_cast<std::size_t>(k)];
      for (int i = 0; i < 3; ++i) {
        if (v[i] == 0 && loose.vertices.size() % 2 == 0) v[i] = -0.0;
      }
      loose.vertices.push_back(v);
    }
    const auto n = static_cast<int>(loose.vertices.size());
    loose.triangles.push_back({n - 3, n - 2, n - 1});
  }
  loose.vertices.emplace_back(7, 7, 7);  // unused
  EXPECT_EQ(Mesh::make(loose)->vertices().size(), 26U);
}

TEST(Mesh, CavitiesAndBowtiesAreSound) {
  TriangleSoup hollow = make_box({3, 3, 3});
  append(hollow, turned_inside_out(make_sphere(1, 4)));
  append(hollow, make_sphere(0.2, 2));  // a loose ball in the cavity
  const MeshReport report = Mesh::check(hollow);
  EXPECT_TRUE(report.is_sound()) << report.summary();
  EXPECT_EQ(report.shells, 3);

  TriangleSoup corner = make_box({1, 1, 1});
  append(corner, make_box({1, 1, 1}), {.position = {1, 1, 1}});  // share a corner
  EXPECT_TRUE(Mesh::check(corner).is_sound()) << Mesh::check(corner).summary();
  EXPECT_EQ(Mesh::make(corner)->shells(), 2);
  EXPECT_EQ(Mesh::make(corner)->vertices().size(), 15U);
}

// ---- faults -------------------------------------------------------------------------------------

TEST(MeshCheck, OpenEdges) {
  TriangleSoup soup = make_box({1, 1, 1});
  soup.triangles.pop_back();
  EXPECT_EQ(Mesh::check(soup).open_edges, 3);
  EXPECT_THAT(refusal(soup), HasSubstr("box: not watertight: 3 open edges; the edge of triangle"));
  EXPECT_THAT(refusal(soup), HasSubstr("expected the closed surface of a solid"));
}

TEST(MeshCheck, CrowdedEdges) {
  const auto soup = make_cells({2, 2, 1}, [](int i, int j, int) { return i == j; });
  EXPECT_EQ(Mesh::check(soup).crowded_edges, 1);
  EXPECT_THAT(refusal(soup), HasSubstr("1 edge with more than two triangles"));
}

TEST(MeshCheck, FlippedTriangle) {
  TriangleSoup soup = make_box({1, 1, 1});
  std::swap(soup.triangles[3][0], soup.triangles[3][1]);
  EXPECT_EQ(Mesh::check(soup).flipped_edges, 3);
  EXPECT_THAT(refusal(soup), HasSubstr("3 edges where the sense of the triangles turns"));
}

TEST(MeshCheck, InsideOut) {
  EXPECT_THAT(refusal(turned_inside_out(make_sphere(1, 3))),
              HasSubstr("1 shell with its inside out"));
  TriangleSoup nested = make_box({3, 3, 3});
  append(nested, make_sphere(1, 4));
  EXPECT_THAT(refusal(nested), HasSubstr("bounds a cavity and must have its normals into it"));
}

TEST(MeshCheck, DegenerateTriangles) {
  // A side of the box with a vertex in its middle: two triangles, one of them without area.
  TriangleSoup soup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}}, {}, "wedge"};
  soup.triangles = {{0, 2, 1}, {0, 3, 2}, {1, 2, 3}, {0, 4, 3}, {4, 1, 3}, {0, 1, 4}};
  EXPECT_EQ(Mesh::check(soup).degenerate, 1);
  EXPECT_THAT(refusal(soup),
              HasSubstr("1 triangle without area; triangle 5 at (0, 0, 0) has no area"));
  TriangleSoup collapsed = make_box({1, 1, 1});
  collapsed.triangles.push_back({0, 0, 1});
  EXPECT_THAT(refusal(collapsed), HasSubstr("triangle 12 has two equal corners"));
}

TEST(MeshCheck, NoThickness) {
  const TriangleSoup sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}, "sheet"};
  const MeshReport report = Mesh::check(sheet);
  EXPECT_EQ(report.self_intersections, 1);
  EXPECT_EQ(report.flat_shells, 1);
  EXPECT_THAT(refusal(sheet), HasSubstr("1 shell without volume"));
  // The same with an upper side cut otherwise: no triangle has its like.
  const TriangleSoup square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                            {{0, 1, 2}, {0, 2, 3}, {1, 0, 3}, {1, 3, 2}},
                            "square"};
  EXPECT_GT(Mesh::check(square).self_intersections, 0);
  EXPECT_EQ(Mesh::check(square).flat_shells, 1);
}

TEST(MeshCheck, Crossings) {
  Draw draw(2);
  for (int i = 0; i < 20; ++i) {
    TriangleSoup two = make_sphere(1, 6);
    const Vector3 way = any_vector(draw, 1).normalized();
    append(two, make_sphere(1, 6), {.position = 1.5 * way});
    EXPECT_GT(Mesh::check(two).self_intersections, 8);
    TriangleSoup apart = make_sphere(1, 6);
    append(apart, make_sphere(1, 6), {.position = 2.01 * way});
    EXPECT_TRUE(Mesh::check(apart).is_sound());
  }
  // One vertex pushed through the opposite wall: its neighbours cross that wall.
  TriangleSoup pushed = make_box({1, 1, 1}, 4, 4, 4);
  const auto top = std::find_if(pushed.vertices.begin(), pushed.vertices.end(),
                                [](const Vector3& v) { return v == Vector3(0, 0, 0.5); });
  ASSERT_NE(top, pushed.vertices.end());
  *top = Vector3(0.01, 0.02, -0.7);
  EXPECT_GT(Mesh::check(pushed).self_intersections, 0);
  EXPECT_THAT(refusal(pushed), HasSubstr("pairs of crossing triangles; triangles"));
}

// Sides that meet sides exactly: nowhere does a side go through the inside of a triangle.
TEST(MeshCheck, CrossingsThroughSidesAndCorners) {
  for (const Vector3& shift :
       {Vector3(0.5, 0.5, 0.5), Vector3(0.5, 0.5, 0.25), Vector3(0.5, 0.25, 0.25)}) {
    TriangleSoup two = make_box({1, 1, 1});
    append(two, make_box({1, 1, 1}), {.position = shift});
    EXPECT_GT(Mesh::check(two).self_intersections, 0) << shift.transpose();
  }
  // Two triangles, the corner of either inside the other or on its side.
  const auto cross = [](const Vector3& a, const Vector3& b, const Vector3& c) {
    const TriangleSoup soup{
        {{-1, -1, 0}, {2, 0, 0}, {-1, 1, 0}, a, b, c}, {{0, 1, 2}, {3, 4, 5}}, "two"};
    return Mesh::check(soup).self_intersections == 1;
  };
  EXPECT_TRUE(cross({0, 0, 0}, {-2, 0, 1}, {-2, 0, -1}));
  EXPECT_TRUE(cross({2, 0, 0}, {-1, 0, 1}, {-1, 0, -1}));  // the same piece of the line
  EXPECT_TRUE(cross({3, 0, 0}, {-2, 0, 1}, {-2, 0, -1}));
  EXPECT_FALSE(cross({-1, 0, 0}, {-2, 0, 1}, {-2, 0, -1}));  // from outside, to the side
  EXPECT_FALSE(cross({0, 0, 0}, {-1, 0, 1}, {1, 0, 1}));     // from above
  EXPECT_FALSE(cross({2, 0, 0}, {3, 0, 1}, {3, 0, -1}));     // corner to corner
}

TEST(MeshCheck, BodiesThatTouchDoNotCross) {
  for (const Vector3& shift : {Vector3(1, 1, 1), Vector3(1, 0.5, 0.5), Vector3(1, 1, 0.3)}) {
    TriangleSoup two = make_box({1, 1, 1});
    append(two, make_box({1, 1, 1}), {.position = shift});
    const MeshReport report = Mesh::check(two);
    // Faces that lie on each other are counted, corners and edges are not.
    EXPECT_EQ(report.self_intersections > 0, shift.y() < 1) << shift.transpose();
  }
}

TEST(MeshCheck, NeighboursFoldedOntoEachOther) {
  // A vertex of a plane face moved past the next one: the triangles between lie on each other.
  TriangleSoup soup = make_box({4, 4, 4}, 4, 4, 4);
  const auto at = std::find_if(soup.vertices.begin(), soup.vertices.end(),
                               [](const Vector3& v) { return v == Vector3(0, 0, 2); });
  ASSERT_NE(at, soup.vertices.end());
  *at = Vector3(1.4, 0.3, 2);
  const MeshReport report = Mesh::check(soup);
  EXPECT_GT(report.self_intersections, 0);
  EXPECT_EQ(report.open_edges + report.flipped_edges + report.crowded_edges, 0);
  *at = Vector3(0.4, 0.3, 2);
  EXPECT_TRUE(Mesh::check(soup).is_sound()) << Mesh::check(soup).summary();
}

TEST(MeshCheck, ManyTrianglesAcrossOneAnotherEndSoon) {
  // Every pair was looked at once: more than 20 s.
  TriangleSoup soup{{}, {}, "tangle"};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> at(-1, 1);
  for (int i = 0; i < 40'000; ++i) {
    for (int k = 0; k < 3; ++k) soup.vertices.emplace_back(at(random), at(random), at(random));
    soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const MeshReport report = Mesh::check(soup);
  EXPECT_EQ(report.self_intersections, 1000);
  EXPECT_THAT(report.summary(), HasSubstr("1000 and more pairs of crossing triangles"));
}

TEST(MeshCheck, BoxesOfTrianglesThatAllOverlapEndSoon) {
  // Slanted sheets upon each other: their boxes overlap, they do not.
  TriangleSoup soup{{}, {}, "sheets"};
  for (int i = 0; i < 40'000; ++i) {
    const double d = 1e-6 * i;
    soup.vertices.insert(soup.vertices.end(), {{d, 0, 0}, {1 + d, 1, 0}, {1 + d, 0, 1}});
    soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const MeshReport report = Mesh::check(soup);
  EXPECT_TRUE(report.tangled);
  EXPECT_FALSE(report.is_sound());
  EXPECT_THAT(report.summary(), HasSubstr("too many triangles that lie across one another"));
}

TEST(MeshCheck, WhatCannotEvenBeRead) {
  TriangleSoup soup = make_box({1, 1, 1});
  soup.vertices[3].y() = std::nan("");
  EXPECT_THAT(refusal(soup), HasSubstr("vertex 3 is not finite"));
  soup.vertices[3].y() = 1e300;
  EXPECT_THAT(refusal(soup), HasSubstr("vertex 3 is too far away; expected coordinates up to"));
  soup = make_box({1, 1, 1});
  soup.triangles[2][1] = 8;
  EXPECT_THAT(refusal(soup),
              HasSubstr("value '8': triangle 2 has no such vertex; expected 0 to 7"));
  soup.triangles[2][1] = -1;
  EXPECT_THAT(refusal(soup), HasSubstr("triangle 2 has no such vertex"));
  EXPECT_THAT(refusal({{}, {}, "nothing"}), HasSubstr("nothing: a mesh without triangles"));
}

// ---- meshes by programme ------------------------------------------------------------------------

TEST(MeshMake, VolumesConvergeWithTheSquareOfTheTriangles) {
  struct Case {
    std::function<TriangleSoup(int)> make;
    double volume;
  };
  const std::vector<Case> cases{
      {[](int n) { return make_sphere(1, n); }, 4 * pi / 3},
      {[](int n) {
         return make_ellipsoid({1, 2, 3}, n);
       },
       8 * pi},
      {[](int n) { return make_cylinder(1, 2, 4 * n); }, 2 * pi},
      {[](int n) { return make_cone(1, 3, 4 * n, 2); }, pi},
      {[](int n) { return make_capsule(1, 2, 4 * n); }, 2 * pi + 4 * pi / 3},
      {[](int n) { return make_torus(1, 0.3, 4 * n, 2 * n); }, 2 * pi * pi * 0.09},
      {[](int n) {
         return make_peg({1, 5, 0.2}, 4 * n);
       },
       pi * 4.8 + pi * 0.2 / 3 * (1 + 0.8 + 0.64)},
  };
  for (const Case& c : cases) {
    const double coarse = Mesh::make(c.make(16))->volume() - c.volume,
                 fine = Mesh::make(c.make(32))->volume() - c.volume;
    EXPECT_NEAR(coarse / fine, 4, 0.1) << c.make(4).name;
  }
  EXPECT_NEAR(Mesh::make(make_angle_profile(1, 0.2, 2, 3))->volume(), (0.2 + 0.8 * 0.2) * 2, 1e-14);
  HoleBlock block;  // a polygon of 64 corners for a hole
  const double circle = 32 * std::sin(pi / 32);
  const double r = block.radius, c = block.chamfer;
  const double hole =
      circle * (r * r * (block.height - c) + c / 3 * (r * r + r * (r + c) + (r + c) * (r + c)));
  EXPECT_NEAR(Mesh::make(make_hole_block(block, 64))->volume(),
              block.side * block.side * block.height - hole, 1e-18);
}

TEST(MeshMake, OctaSpheresHaveTheCountsPromised) {
  for (const int n : {1, 16, 32, 64}) {
    const TriangleSoup soup = make_sphere(0.1, n);
    EXPECT_EQ(soup.triangles.size(), static_cast<std::size_t>(8 * n * n));
    EXPECT_EQ(soup.vertices.size(), static_cast<std::size_t>(4 * n * n + 2));
  }
}

TEST(MeshMake, NutGoesOnItsBolt) {
  // In the same phase the nut's thread is outside the bolt's everywhere: no crossing.
  TriangleSoup both = make_bolt({}, 24, 8);
  append(both, make_nut({}, 24, 8), {.position = {0, 0, 4 * Thread{}.pitch}});
  EXPECT_TRUE(Mesh::check(both).is_sound()) << Mesh::check(both).summary();
  TriangleSoup off = make_bolt({}, 24, 8);
  append(off, make_nut({}, 24, 8), {.position = {0, 0, 4.5 * Thread{}.pitch}});
  EXPECT_GT(Mesh::check(off).self_intersections, 0);
}

/// Largest distance of points of the triangles from the ideal surface, and of the vertices.
struct Gap {
  double triangles = 0, vertices = 0;
};
Gap gap(const TriangleSoup& soup, const std::function<double(const Vector3&)>& distance) {
  Gap gap;
  for (const Vector3& v : soup.vertices)
    gap.vertices = std::max(gap.vertices, std::abs(distance(v)));
  constexpr int steps = 6;
  for (const auto& t : soup.triangles) {
    const auto at = [&](std::size_t k) { return soup.vertices[static_cast<std::size_t>(t[k])]; };
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const Vector3 x = (i * at(0) + j * at(1) + (steps - i - j) * at(2)) / steps;
        gap.triangles = std::max(gap.triangles, std::abs(distance(x)));
      }
    }
  }
  return gap;
}

TEST(MeshMake, TessellationsKeepTheirChord) {
  for (const double chord : {0.05, 1e-2, 1e-3}) {
    const Gap sphere =
        gap(tessellate(Sphere{1}, chord), [](const Vector3& x) { return x.norm() - 1; });
    EXPECT_LE(sphere.triangles, chord);
    EXPECT_GE(sphere.triangles, chord / 3) << "finer than asked for";
    EXPECT_LE(sphere.vertices, 1e-15);
    const Gap cylinder = gap(tessellate(Cylinder{1, 4}, chord), [](const Vector3& x) {
      if (std::abs(x.z()) == 2) return 0.0;  // the flat ends
      return x.head<2>().norm() - 1;
    });
    EXPECT_LE(cylinder.triangles, chord);
    EXPECT_GE(cylinder.triangles, chord / 3);
    EXPECT_LE(cylinder.vertices, 1e-15);
    const Gap capsule = gap(tessellate(Capsule{1, 4}, chord), [](const Vector3& x) {
      return (x - Vector3(0, 0, std::clamp(x.z(), -2.0, 2.0))).norm() - 1;
    });
    EXPECT_LE(capsule.triangles, chord);
    EXPECT_GE(capsule.triangles, chord / 4);
    EXPECT_LE(capsule.vertices, 1e-15);
  }
  EXPECT_NEAR(Mesh::make(tessellate(Box{{1, 2, 3}}, 1))->volume(), 6, 1e-14);
}

TEST(MeshMake, UnboundedShapesHaveNoTriangles) {
  EXPECT_THROW(tessellate(HalfSpace{}, 0.1), InputError);
  EXPECT_THROW(tessellate(Bore{1}, 0.1), InputError);
  EXPECT_THROW(tessellate(Point{}, 0.1), InputError);
  EXPECT_THROW(tessellate(Sphere{1}, 0), InputError);
  EXPECT_THROW(tessellate(Sphere{1}, std::nan("")), InputError);
}

}  // namespace
}  // namespace bristle::testing
