// Overlaps against independently computed numbers, closed forms of the papers, and limits.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/shape/overlap_pairs.hpp"
#include "normal/reference.hpp"

namespace bristle::testing {
namespace {

using nlohmann::json;
using std::numbers::pi;

Overlap overlap_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  std::array<Overlap, 1> out;
  EXPECT_EQ(overlap(a, pose_a, b, pose_b, out), 1);
  return out[0];
}
Pose at(double x, double y, double z, const Eigen::Quaterniond& rotation = {1, 0, 0, 0}) {
  return {{x, y, z}, rotation};
}
Eigen::Quaterniond about_y(double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3::UnitY()));
}
Matrix3 matrix_of(const json& rows) {
  Matrix3 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return m;
}
Vector3 vector_of(const json& v) {
  return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

// ---- the reference's scenes: plane z = 0, body above
// ----------------------------------------------

/// A scene with the frame in which the reference gives its numbers.
struct Scene {
  Shape a;
  Pose pose_a;
  Shape b = HalfSpace{};
  Pose pose_b{};
  Pose frame{};
};

/// Leaning on the rim at +x, whose lowest point is at x = 0.
Scene tilted_cylinder(const json& p) {
  const double r = p["r"], gamma = p["gamma_deg"].get<double>() * pi / 180, length = 0.1;
  const Vector3 lowest(0, 0, -p["delta_axial"].get<double>() * std::cos(gamma));
  const Vector3 face(-std::cos(gamma), 0, std::sin(gamma)),
      axis(std::sin(gamma), 0, std::cos(gamma));
  return {.a = Cylinder{r, length},
          .pose_a = {lowest + r * face + 0.5 * length * axis, about_y(gamma)}};
}
Scene turned(const Shape& shape, double reach, const json& p) {
  const Matrix3 m = matrix_of(p["R"]);
  return {.a = shape,
          .pose_a = at(0, 0, reach - p["delta"].get<double>(), Eigen::Quaterniond(m).normalized())};
}
/// Tip at the origin of x, leaning so that the base lies towards +x.
Scene cone(const json& p) {
  const double half = p["half_angle_deg"].get<double>() * pi / 180, length = 0.05;
  const double tilt = p["tilt_deg"].get<double>() * pi / 180;
  const Vector3 up(std::sin(tilt), 0, std::cos(tilt));
  const Vector3 tip(0, 0, -p["delta"].get<double>());
  return {.a = Cone{length * std::tan(half), length},
          .pose_a = {tip + 0.5 * length * up, about_y(pi + tilt)}};
}
/// The lower end at the origin of x, the other towards −x.
Scene leaning_capsule(const json& p) {
  const double r = p["r"], length = p["L"], tilt = p["tilt_deg"].get<double>() * pi / 180;
  const Vector3 axis(-std::cos(tilt), 0, std::sin(tilt));
  const Vector3 end(0, 0, r - p["delta"].get<double>());
  return {.a = Capsule{r, length}, .pose_a = {end + 0.5 * length * axis, about_y(tilt - pi / 2)}};
}
/// The common circle in z = 0, the first sphere above.
Scene spheres(const json& p) {
  const double r1 = p["R1"], r2 = p["R2"], delta = p["delta"], d = r1 + r2 - delta;
  const double up = (d * d + r1 * r1 - r2 * r2) / (2 * d);
  return {.a = Sphere{r1}, .pose_a = at(0, 0, up), .b = Sphere{r2}, .pose_b = at(0, 0, up - d)};
}
/// z outward, its zero at the tangent plane; y along the bore.
Scene bore(const json& p) {
  const double r = p["R"], rb = p["R_bore"], delta = p["delta"];
  return {.a = Sphere{r},
          .pose_a = at(0, 0, delta - r),
          .b = Bore{rb},
          .pose_b = at(0, 0, -rb, Eigen::Quaterniond(Eigen::AngleAxisd(pi / 2, Vector3::UnitX())))};
}

Scene scene_of(const std::string& shape, const json& p) {
  const auto lying = about_y(pi / 2);
  const auto delta = [&] { return p["delta"].get<double>(); };
  if (shape == "sphere cap") {
    const double r = p["R"];
    return {.a = Sphere{r}, .pose_a = at(0, 0, r - delta())};
  }
  if (shape == "flat cylinder") {
    return {.a = Cylinder{p["r"], 0.1}, .pose_a = at(0, 0, 0.05 - delta())};
  }
  if (shape == "tilted cylinder") return tilted_cylinder(p);
  if (shape == "cylinder lying" || shape == "capsule parallel") {
    const double r = p["r"], l = p["L"];
    return {.a = shape.starts_with("cap") ? Shape(Capsule{r, l}) : Shape(Cylinder{r, l}),
            .pose_a = at(0, 0, r - delta(), lying)};
  }
  if (shape == "capsule tilted") return leaning_capsule(p);
  if (shape == "cone tip") return cone(p);
  if (shape == "sphere-sphere") return spheres(p);
  if (shape == "sphere in bore") return bore(p);
  const Vector3 size = vector_of(p[shape == "ellipsoid" ? "axes" : "half"]);
  const Vector3 n = matrix_of(p["R"]).row(2);
  if (shape == "ellipsoid") return turned(Ellipsoid{size}, size.cwiseProduct(n).norm(), p);
  return turned(Box{2 * size}, size.dot(n.cwiseAbs()), p);
}

TEST(OverlapReference, EveryShapeAgreesToTenDigits) {
  BRISTLE_NEEDS_CONTACT_REFERENCE();
  constexpr double tolerance = 1e-10;
  const std::string title = "volume geometry: ";
  const std::vector<json> entries = ContactReference::entries(title);
  EXPECT_EQ(entries.size(), 38U);
  for (const json& entry : entries) {
    const std::string shape = entry["name"].get<std::string>().substr(title.size());
    SCOPED_TRACE(shape + " " + entry["parameters"].dump());
    const Scene scene = scene_of(shape, entry["parameters"]);
    const Patch patch = make_patch(overlap_of(scene.a, scene.pose_a, scene.b, scene.pose_b));
    const json& value = entry["value"];
    const double V = value["V"], A = value["A"], r_gyr = value["r_gyr"], h_V = value["h_V"];
    EXPECT_NEAR(patch.volume / V, 1, tolerance);
    EXPECT_NEAR(patch.area / A, 1, tolerance);
    EXPECT_NEAR(patch.r_gyr / r_gyr, 1, tolerance);
    EXPECT_NEAR(patch.mean_depth / h_V, 1, tolerance);
    const Vector3 p_c = vector_of(value["p_c"]), s_c = vector_of(value["s_c"]);
    for (int i = 0; i < 3; ++i) {
      const double scale = i < 2 ? r_gyr : h_V;
      EXPECT_NEAR((patch.volume_centroid[i] - p_c[i]) / scale, 0, tolerance) << i;
      EXPECT_NEAR((patch.surface_centroid[i] - s_c[i]) / scale, 0, tolerance) << i;
    }
    const Matrix3 J_V = matrix_of(value["J_V"]), J_s = matrix_of(value["J_s"]);
    EXPECT_LT((patch.J_V - J_V).cwiseAbs().maxCoeff() / J_V.cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LT((patch.J_s - J_s).cwiseAbs().maxCoeff() / J_s.cwiseAbs().maxCoeff(), tolerance);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(patch.J_V(i, i) / J_V(i, i), 1, tolerance) << i;
      EXPECT_NEAR(patch.J_s(i, i) / J_s(i, i), 1, tolerance) << i;
    }
  }
}

}  // namespace
}  // namespace bristle::testing
