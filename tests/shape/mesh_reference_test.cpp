// Meshes on a half-space against the independently computed numbers of the ideal shapes: boxes
// exactly, round bodies with an error that falls with the square of the size of the triangles.

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/shape/mesh_half_space.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "normal/reference.hpp"

namespace bristle::testing {
namespace {

using std::numbers::pi;
using Json = nlohmann::json;

struct Row {
  std::string shape;
  Json params;
  std::vector<double> value;  ///< the columns from V on
};

/// Cells may be quoted, with quotes in them doubled.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      if (!quoted && !cells.back().empty()) cells.back() += '"';
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<Row> rows() {
  std::ifstream file(ContactReference::folder() + "/csv/s5_geometry.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row row{cells[0], Json::parse(cells[1]), {}};
    for (std::size_t i = 2; i < cells.size(); ++i) row.value.push_back(std::stod(cells[i]));
    rows.push_back(row);
  }
  return rows;
}

Pose about_y(double angle) {
  return {.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3::UnitY()))};
}
Pose with_axes(const Json& r) {
  Matrix3 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      m(i, j) = r[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return {.rotation = Eigen::Quaterniond(m)};
}

/// The body of a row, cut n times as finely as need be, and its pose.
struct Body {
  TriangleSoup soup;
  Pose pose;
};

/// Lifts the pose so that a point of the body (its own frame) lies at this height.
Pose lifted(Pose pose, const Vector3& point, double height) {
  pose.position.z() = height - rotate(pose, point).z();
  return pose;
}

Body body_of(const Row& row, int n) {
  const Json& p = row.params;
  const double degree = pi / 180;
  const auto number = [&](const char* key) { return p[key].get<double>(); };
  if (row.shape == "sphere cap") {
    const double r = number("R");
    return {make_sphere(r, n), {.position = {0, 0, r - number("delta")}}};
  }
  if (row.shape == "flat cylinder") {
    const double r = number("r");
    return {make_cylinder(r, r, 4 * n), {.position = {0, 0, r / 2 - number("delta")}}};
  }
  if (row.shape == "tilted cylinder") {  // depth along the axis, at the edge in −x
    const double r = number("r"), gamma = number("gamma_deg") * degree;
    return {make_cylinder(r, 4 * r, 4 * n), lifted(about_y(-gamma), Vector3(-r, 0, -2 * r),
                                                   -number("delta_axial") * std::cos(gamma))};
  }
  if (row.shape == "cone tip") {
    const double angle = number("half_angle_deg") * degree, tilt = number("tilt_deg") * degree;
    const double height = 10 * number("delta");
    return {make_cone(height * std::tan(angle), height, 4 * n),
            lifted(about_y(tilt), Vector3::Zero(), -number("delta"))};
  }
  if (row.shape == "cylinder lying") {
    const double r = number("r");
    Pose pose = about_y(pi / 2);
    pose.position.z() = r - number("delta");
    return {make_cylinder(r, number("L"), 4 * n), pose};
  }
  if (row.shape == "ellipsoid") {
    const Vector3 axes(p["axes"][0], p["axes"][1], p["axes"][2]);
    Pose pose = with_axes(p["R"]);
    const Vector3 down = rotate_inverse(pose, Vector3::UnitZ());
    pose.position.z() = axes.cwiseProduct(down).norm() - number("delta");
    return {make_ellipsoid(axes, n), pose};
  }
  const double r = number("r"), length = number("L");  // a capsule along x, lower at +x or level
  const double tilt = p.contains("tilt_deg") ? number("tilt_deg") * degree : 0;
  Pose pose = about_y(pi / 2 - tilt);
  pose.position.z() = r - number("delta") + length / 2 * std::sin(tilt);
  return {make_capsule(r, length, 4 * n), pose};
}

/// V, A, p_c, J_V as in the table, each relative to its size; x of p_c is left out where the
/// table's origin is not the body's.
std::vector<double> errors(const Row& row, const Patch& patch, bool with_place) {
  const auto& w = row.value;
  const double size = std::sqrt(w[1]);
  std::vector<double> e{patch.volume / w[0] - 1, patch.area / w[1] - 1,
                        (patch.volume_centroid.z() - w[4]) / w[4]};
  if (with_place) e.push_back((patch.volume_centroid.x() - w[2]) / size);
  const double j = w[7];
  e.push_back((patch.J_V(0, 0) - w[5]) / j);
  e.push_back((patch.J_V(1, 1) - w[6]) / j);
  e.push_back((patch.J_V(2, 2) - w[7]) / j);
  e.push_back((std::abs(patch.J_V(0, 2)) - std::abs(w[9])) / j);
  return e;
}

Patch patch_of(const Body& body) {
  MeshHalfSpace finder(Mesh::make(body.soup));
  const auto found = finder.find(body.pose, {});
  EXPECT_EQ(found.size(), 1U);
  return make_patch(found.front());
}

double worst(const std::vector<double>& e) {
  double most = 0;
  for (const double x : e) most = std::max(most, std::abs(x));
  return most;
}

TEST(MeshReference, BoxesAreExact) {
  int seen = 0;
  for (const Row& row : rows()) {
    if (!row.shape.starts_with("box")) continue;
    const Vector3 half(row.params["half"][0], row.params["half"][1], row.params["half"][2]);
    Pose pose = with_axes(row.params["R"]);
    const Vector3 up = rotate_inverse(pose, Vector3::UnitZ());
    pose.position.z() = up.cwiseAbs().dot(half) - row.params["delta"].get<double>();
    for (const int n : {1, 5}) {
      const Patch patch = patch_of({make_box(2 * half, n, n + 1, n + 2), pose});
      // The table's own last column: 2e-12 for boxes, and rotations printed with 15 digits.
      EXPECT_LE(worst(errors(row, patch, true)), 1e-10) << row.shape;
      EXPECT_LE((patch.normal + Vector3::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(patch.r_gyr, row.value[14], 1e-10 * row.value[14]);
      EXPECT_NEAR(patch.J_s(0, 0), row.value[11], 1e-10 * row.value[13]);
      EXPECT_NEAR(patch.J_s(1, 1), row.value[12], 1e-10 * row.value[13]);
    }
    ++seen;
  }
  EXPECT_EQ(seen, 6);
}

TEST(MeshReference, RoundBodiesConvergeWithTheSquareOfTheTriangles) {
  // Fine enough that the cap of the shallowest row is many triangles wide.
  const std::map<std::string, int> finest{{"sphere cap", 80},       {"flat cylinder", 96},
                                          {"tilted cylinder", 160}, {"cone tip", 96},
                                          {"cylinder lying", 160},  {"ellipsoid", 64},
                                          {"capsule parallel", 64}, {"capsule tilted", 64}};
  int seen = 0;
  for (const Row& row : rows()) {
    const auto found = finest.find(row.shape);
    if (found == finest.end()) continue;
    // The cap of the first row is smaller than a triangle of any mesh that fits a test.
    if (row.shape == "sphere cap" && row.value[1] < 1e-6) continue;
    // Errors swing with where vertices happen to lie in a small cap, so two steps of refinement.
    const int n = found->second;
    const bool placed = !row.shape.ends_with("tilted") && !row.shape.starts_with("tilted");
    const double coarse = worst(errors(row, patch_of(body_of(row, n / 4)), placed));
    const double fine = worst(errors(row, patch_of(body_of(row, n)), placed));
    EXPECT_LE(fine, 0.02) << row.shape << row.params;
    EXPECT_LE(fine, coarse / 8) << row.shape << row.params << " from " << coarse;
    ++seen;
  }
  EXPECT_EQ(seen, 25);
}

}  // namespace
}  // namespace bristle::testing
