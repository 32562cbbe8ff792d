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

// ---- two deformable bodies, the papers' normal
// ---------------------------------------------------

TEST(OverlapReference, TwoDeformableBodiesShareTheCap) {
  const Overlap o = overlap_of(Sphere{0.1}, at(0, 0, 0.098), HalfSpace{}, {});
  const std::vector<std::vector<double>> rows = ContactReference::rows("s6_two_body.csv");
  ASSERT_EQ(rows.size(), 5U);
  for (const std::vector<double>& row : rows) {
    Patch patch = make_patch(o);
    share_deformation(patch, row[0], row[1]);
    EXPECT_NEAR(patch.surface_centroid.z() / row[4], 1, 1e-10) << row[0] << ' ' << row[1];
  }
}

TEST(Overlap, ASlabIsSharedExactly) {
  const Overlap o = overlap_of(Box{{0.2, 0.2, 0.1}}, at(0, 0, 0.049), HalfSpace{}, {});
  Patch patch = make_patch(o);
  share_deformation(patch, 1e13, 3e13);
  // B, three times as stiff, gives a quarter of the depth.
  EXPECT_NEAR(patch.surface_centroid.z(), -0.00025, 1e-16);
  share_deformation(patch, 1, 1e12);
  EXPECT_NEAR(patch.surface_centroid.z(), 0, 1e-14);
}

TEST(Overlap, TheEigenvectorOfAWedgeIsHalfItsAngleOff) {
  for (const double degrees : {0.32, 2.0, 5.0}) {
    const json p{{"r", 0.0127}, {"gamma_deg", degrees}, {"delta_axial", 1e-5}};
    const Scene scene = tilted_cylinder(p);
    const Patch patch = make_patch(overlap_of(scene.a, scene.pose_a, scene.b, scene.pose_b));
    const Vector3 n = eigen_normal(patch);
    const double gamma = degrees * pi / 180;
    EXPECT_NEAR(std::acos(n.dot(patch.normal)) / gamma, 0.5, 1.5e-4 * degrees * degrees) << degrees;
  }
}

// ---- limits
// --------------------------------------------------------------------------------------

/// Boos (3.19)–(3.21) and beyond.
double wedge_volume(double r, double gamma, double delta) {
  const double b = delta / std::tan(gamma);
  if (b >= 2 * r) return pi * r * r * (delta - r * std::tan(gamma));
  const double phi = std::acos((r - b) / r);
  return delta * r * r * r / (3 * b) *
         (2 * std::sin(phi) - std::cos(phi) * (3 * phi - 0.5 * std::sin(2 * phi)));
}

TEST(Overlap, AWedgeGrowsIntoAFullFaceWithoutAJump) {
  const double r = 0.0127, gamma = 0.1, whole = 2 * r * std::tan(gamma);
  const auto patch_at = [&](double delta) {
    const Scene s =
        tilted_cylinder({{"r", r}, {"gamma_deg", gamma * 180 / pi}, {"delta_axial", delta}});
    return make_patch(overlap_of(s.a, s.pose_a, s.b, s.pose_b));
  };
  for (const double part : {0.01, 0.3, 0.9, 0.999, 1.0, 1.001, 1.5}) {
    EXPECT_NEAR(patch_at(part * whole).volume / wedge_volume(r, gamma, part * whole), 1, 1e-11)
        << part;
  }
  // Values and slopes meet: the wedge closes like h^{5/2} in V and h^{3/2} in A.
  const double h = 1e-6 * whole;
  const Patch before = patch_at(whole - h), at_whole = patch_at(whole), after = patch_at(whole + h);
  const auto meets = [&](double left, double middle, double right, double slack) {
    EXPECT_NEAR((right - middle) / (middle - left), 1, slack);
    EXPECT_NEAR(left / middle, 1, 1e-5);
  };
  meets(before.volume, at_whole.volume, after.volume, 1e-5);
  meets(before.J_V(1, 1), at_whole.J_V(1, 1), after.J_V(1, 1), 1e-2);
  EXPECT_NEAR(after.area, at_whole.area, 1e-9 * at_whole.area);
  EXPECT_NEAR(before.area, at_whole.area, 1e-8 * at_whole.area);
}

/// Depth 1e-6 of the size, at places that doubles hold exactly.
TEST(Overlap, ShallowContactsLoseNoDigits) {
  const double d = std::ldexp(1, -20), r = 1;
  const auto patch_of = [&](const Shape& shape, double reach, const Eigen::Quaterniond& rotation) {
    return make_patch(overlap_of(shape, at(0, 0, reach - d, rotation), HalfSpace{}, {}));
  };
  const Eigen::Quaterniond upright(1, 0, 0, 0), lying = about_y(pi / 2);
  // To second order in d: a cap is a paraboloid.
  const double V = pi * d * d * (r - d / 3);
  for (const Patch& p :
       {patch_of(Sphere{r}, r, upright), patch_of(Ellipsoid{{r, r, r}}, r, upright),
        patch_of(Capsule{r, 2}, r + 1, upright)}) {
    EXPECT_NEAR(p.volume / V, 1, 1e-10);
    EXPECT_NEAR(-p.volume_centroid.z() / (d / 3 * (1 + d / 12)), 1, 1e-10);
    EXPECT_NEAR(p.r_gyr / std::sqrt(2 * d / 3 * (1 - 5 * d / 12)), 1, 1e-10);
    EXPECT_NEAR((p.J_V(0, 0) - p.M(0, 0)) / (V * d * d / 18), 1, 1e-5);  // a difference in J itself
  }
  // Ellipse: the radii of curvature at the bottom are 4/3 and 9/3.
  const Patch e = patch_of(Ellipsoid{{2, 3, 3}}, 3, upright);
  EXPECT_NEAR(e.volume / (pi * d * d * (1 - d / 9) * 2), 1, 1e-10);
  const Patch flat = patch_of(Cylinder{r, 2}, 1, upright);
  EXPECT_NEAR(flat.volume / (pi * d), 1, 1e-10);
  EXPECT_NEAR(-flat.volume_centroid.z() / (d / 2), 1, 1e-10);
  // A parabolic strip: (4/3) d √(2 r d) to first order.
  const Patch strip = patch_of(Cylinder{r, 2}, r, lying);
  EXPECT_NEAR(strip.volume / (2 * 4.0 / 3 * d * std::sqrt(2 * r * d) * (1 - 3 * d / 20)), 1, 1e-10);
  EXPECT_NEAR(-strip.volume_centroid.z() / (0.4 * d * (1 + 3 * d / 35)), 1, 1e-6);
  const Patch tip = patch_of(Cone{1, 2}, 1, about_y(pi));
  EXPECT_NEAR(tip.volume / (pi / 12 * d * d * d), 1, 1e-10);
  EXPECT_NEAR(-tip.volume_centroid.z() / (d / 4), 1, 1e-10);
  const Patch box = patch_of(Box{{1, 1, 2}}, 1, upright);
  EXPECT_NEAR(box.volume / d, 1, 1e-10);
  EXPECT_NEAR(-box.volume_centroid.z() / (d / 2), 1, 1e-10);
}

std::optional<Overlap> over_plane(const Shape& shape, double height, const Eigen::Quaterniond& q) {
  std::array<Overlap, 1> out;
  if (overlap(shape, at(0.3, -0.2, height, q), HalfSpace{}, {}, out) == 0) return std::nullopt;
  return out[0];
}

TEST(Overlap, FromTouchingToWhollyInside) {
  const std::vector<Shape> shapes{Sphere{0.5},          Ellipsoid{{0.3, 0.5, 0.4}},
                                  Box{{0.3, 0.5, 0.4}}, Cylinder{0.3, 0.8},
                                  Cone{0.3, 0.8},       Capsule{0.2, 0.5}};
  const std::vector<Eigen::Quaterniond> turns{Eigen::Quaterniond(1, 0, 0, 0),
                                              about_y(pi / 2),
                                              about_y(pi),
                                              about_y(1e-9),
                                              about_y(0.4),
                                              Eigen::Quaterniond(0.5, 0.1, -0.4, 0.7).normalized()};
  for (const Shape& shape : shapes) {
    for (const Eigen::Quaterniond& turn : turns) {
      SCOPED_TRACE(std::string(name(shape)));
      EXPECT_FALSE(over_plane(shape, 1.0, turn));
      // Down until it is gone: V grows from 0 to the volume, S from 0 to 0.
      double last = 0;
      for (double height = 0.6; height > -0.6; height -= 0.01) {
        const std::optional<Overlap> o = over_plane(shape, height, turn);
        const double v = o ? o->moments.volume : 0;
        ASSERT_GE(v, last * (1 - 1e-14));
        last = v;
      }
      const Overlap inside = *over_plane(shape, -0.7, turn);
      EXPECT_NEAR(last / volume(shape), 1, 1e-12);
      EXPECT_DOUBLE_EQ(inside.moments.volume, volume(shape));
      EXPECT_EQ(inside.vector_area, Vector3::Zero());
      const Vector3 centre = apply(at(0.3, -0.2, -0.7, turn), center_of_mass(shape));
      EXPECT_LT((inside.moments.centroid() - centre).norm(), 1e-15);
      const Patch patch = make_patch(inside, Vector3::UnitX());
      EXPECT_FALSE(patch.directed);
      EXPECT_EQ(patch.normal, Vector3::UnitX());
    }
  }
}

/// The last slice before a body is swallowed agrees with the body.
TEST(Overlap, TheMomentsOfABodyAreThoseOfItsLastSlice) {
  for (const Shape& shape :
       {Shape(Cylinder{0.3, 0.8}), Shape(Cone{0.3, 0.8}), Shape(Capsule{0.2, 0.5}),
        Shape(Ellipsoid{{0.3, 0.5, 0.4}}), Shape(Box{{0.3, 0.5, 0.4}})}) {
    const Eigen::Quaterniond turn = Eigen::Quaterniond(0.5, 0.1, -0.4, 0.7).normalized();
    double out = 0.7, in = -0.7;  // the height at which it vanishes
    while (out - in > 1e-7) {
      const double middle = 0.5 * (in + out);
      const std::optional<Overlap> o = over_plane(shape, middle, turn);
      (o && o->vector_area.isZero(0) ? in : out) = middle;
    }
    const Overlap almost = *over_plane(shape, out + 1e-7, turn),
                  whole = *over_plane(shape, in, turn);
    EXPECT_GT(almost.vector_area.norm(), 0);
    EXPECT_LT((almost.moments.centroid() - whole.moments.centroid()).norm(), 1e-6) << name(shape);
    EXPECT_LT((almost.moments.central() - whole.moments.central()).norm(), 1e-8) << name(shape);
    EXPECT_NEAR(almost.wetted_area, whole.wetted_area, 1e-2 * whole.wetted_area) << name(shape);
    EXPECT_NEAR(almost.depth, whole.depth, 1e-6) << name(shape);
  }
}

TEST(Overlap, SpheresFromTouchingToContained) {
  std::array<Overlap, 1> out;
  EXPECT_EQ(overlap(Sphere{1}, {}, Sphere{2}, at(0, 0, 3), out), 0);
  EXPECT_EQ(overlap(Sphere{1}, {}, Sphere{2}, at(0, 0, 1), out), 1);
  EXPECT_EQ(out[0].vector_area, Vector3::Zero());
  EXPECT_DOUBLE_EQ(out[0].moments.volume, volume(Sphere{1}));
  const Overlap near = overlap_of(Sphere{1}, {}, Sphere{2}, at(0, 0, 1 + 1e-9));
  EXPECT_NEAR(near.moments.volume / volume(Sphere{1}), 1, 1e-8);
  EXPECT_EQ(overlap(Sphere{1}, {}, Sphere{1}, {}, out), 1);
  EXPECT_FALSE(make_patch(out[0]).directed);
}

TEST(Overlap, ASphereInABoreOfAnyWidth) {
  const Bore bore{0.5};
  std::array<Overlap, 1> out;
  EXPECT_EQ(overlap(Sphere{0.4}, at(0.05, 0, 3), bore, {}, out), 0);
  // Centred and wider than the hole: a napkin ring of height h has the volume of a ball of that
  // width, π h³/6.
  const Overlap ring = overlap_of(Sphere{0.6}, at(0, 0, 7), bore, {});
  const double h = 2 * std::sqrt(0.6 * 0.6 - 0.5 * 0.5);
  EXPECT_NEAR(ring.moments.volume / (pi * h * h * h / 6), 1, 1e-12);
  EXPECT_FALSE(make_patch(ring).directed);
  // All the way into the wall.
  const Overlap beyond = overlap_of(Sphere{0.4}, at(0.9001, 0, 0), bore, {});
  EXPECT_DOUBLE_EQ(beyond.moments.volume, volume(Sphere{0.4}));
  // The formulas change where the centre passes the wall.
  const Patch in = make_patch(overlap_of(Sphere{0.4}, at(0.5 - 1e-7, 0, 0), bore, {}));
  const Patch over = make_patch(overlap_of(Sphere{0.4}, at(0.5 + 1e-7, 0, 0), bore, {}));
  EXPECT_NEAR(over.volume - in.volume, 2e-7 * in.area, 1e-12);
  EXPECT_NEAR(over.area / in.area, 1, 1e-6);
  EXPECT_LT((over.J_V - in.J_V).norm() / in.J_V.norm(), 1e-5);
  EXPECT_LT((over.surface_centroid - in.surface_centroid).norm(), 1e-6);
}

TEST(Overlap, ASphereOnAFaceOfACylinderIsAsOnAPlane) {
  const Cylinder cylinder{0.5, 1};
  for (const double d : {1e-6, 1e-3, 0.1}) {
    const Patch disc = make_patch(overlap_of(Sphere{0.3}, at(0.1, 0, 0.8 - d), cylinder, {}));
    const Patch plane = make_patch(overlap_of(Sphere{0.3}, at(0.1, 0, 0.3 - d), HalfSpace{}, {}));
    EXPECT_NEAR(disc.volume / plane.volume, 1, 1e-9 * (1 + 1e-7 / d));
    EXPECT_NEAR(disc.area / plane.area, 1, 1e-9);
    EXPECT_LT((disc.J_s - plane.J_s).norm() / plane.J_s.norm(), 1e-9);
    EXPECT_LT((disc.surface_centroid - plane.surface_centroid - Vector3(0, 0, 0.5)).norm(), 1e-12);
    EXPECT_NEAR(disc.depth, d, 1e-15);
  }
  std::array<Overlap, 1> out;
  EXPECT_EQ(overlap(Sphere{0.3}, at(0, 0, 0.8), cylinder, {}, out), 0);
  EXPECT_EQ(overlap(Sphere{0.3}, at(0.8, 0, 0), cylinder, {}, out), 0);
  EXPECT_EQ(overlap(Sphere{0.2}, at(0.2, 0, 0.1), cylinder, {}, out), 1);
  EXPECT_FALSE(make_patch(out[0]).directed);
  EXPECT_EQ(overlap(Sphere{2}, at(0.2, 0, 0.1), cylinder, {}, out), 1);
  EXPECT_DOUBLE_EQ(out[0].moments.volume, volume(cylinder));
}

}  // namespace
}  // namespace bristle::testing
