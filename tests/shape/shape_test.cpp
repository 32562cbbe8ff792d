#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/shape/curvature.hpp"
#include "bristle/shape/mass_properties.hpp"
#include "bristle/shape/touch.hpp"
#include "shape/columns.hpp"
#include "shape/scenes.hpp"

namespace bristle::testing {
namespace {

using std::numbers::pi;

TEST(Pose, InverseAndCompositionActAsTheySay) {
  SceneDraw draw(1);
  for (int k = 0; k < 1000; ++k) {
    const Pose a = draw.pose(2), b = draw.pose(2);
    const Vector3 x = draw.place(3);
    EXPECT_LT((apply(compose(a, b), x) - apply(a, apply(b, x))).norm(), 1e-13);
    EXPECT_LT((apply_inverse(a, apply(a, x)) - x).norm(), 1e-13);
    EXPECT_LT((apply(inverse(a), x) - apply_inverse(a, x)).norm(), 1e-13);
    EXPECT_LT((rotate_inverse(a, rotate(a, x)) - x).norm(), 1e-13);
    const Matrix3 r = a.rotation.toRotationMatrix();
    EXPECT_LT((axis_x(a) - r.col(0)).norm(), 1e-15);
    EXPECT_LT((axis_y(a) - r.col(1)).norm(), 1e-15);
    EXPECT_LT((axis_z(a) - r.col(2)).norm(), 1e-15);
  }
}

TEST(Shape, Names) {
  EXPECT_EQ(name(Sphere{}), "sphere");
  EXPECT_EQ(name(HalfSpace{}), "half-space");
  EXPECT_EQ(name(Capsule{}), "capsule");
  EXPECT_EQ(name(Ellipsoid{}), "ellipsoid");
  EXPECT_EQ(name(Cone{}), "cone");
}

TEST(Shape, BoundingRadius) {
  EXPECT_DOUBLE_EQ(bounding_radius(Box{{2, 4, 4}}), 3);
  EXPECT_DOUBLE_EQ(bounding_radius(Cylinder{3, 8}), 5);
  EXPECT_DOUBLE_EQ(bounding_radius(Capsule{1, 4}), 3);
  EXPECT_DOUBLE_EQ(bounding_radius(Point{}), 0);
  EXPECT_DOUBLE_EQ(bounding_radius(Ellipsoid{{2, 4, 3}}), 4);
  EXPECT_DOUBLE_EQ(bounding_radius(Cone{3, 8}), 5);
  EXPECT_TRUE(std::isinf(bounding_radius(HalfSpace{})));
}

/// Volume and ∫x² of a solid by adding up points spread evenly over a cube (the additive
/// recurrence of the root of x⁴ = x + 1), those that are inside.
struct Sum {
  double volume = 0;
  Vector3 squares = Vector3::Zero();
};
Sum add_up(const Shape& shape, int points) {
  const double r = bounding_radius(shape), cell = 8 * r * r * r / points;
  const double g = 1.2207440846057596;
  const Vector3 step(1 / g, 1 / (g * g), 1 / (g * g * g));
  Sum sum;
  std::array<Touch, 1> touch;
  for (int i = 1; i <= points; ++i) {
    const Vector3 turns = i * step;
    const Vector3 x = r * (2 * (turns.array() - turns.array().floor()) - 1).matrix();
    touches(Point{}, {.position = x}, shape, {}, touch);
    if (touch[0].gap > 0) continue;
    sum.volume += cell;
    sum.squares += cell * x.cwiseAbs2();
  }
  return sum;
}

TEST(MassProperties, AgreeWithSumsOverPoints) {
  for (const Shape& shape : {Shape(Sphere{0.7}), Shape(Cylinder{0.5, 0.9}),
                             Shape(Box{{0.5, 0.8, 1.1}}), Shape(Capsule{0.4, 0.7})}) {
    const Sum sum = add_up(shape, 1000000);
    const MassProperties p = MassProperties::from_shape(shape, 3);
    EXPECT_NEAR(p.mass / (3 * sum.volume), 1, 1e-3) << name(shape);
    const Vector3 about = Vector3::Constant(sum.squares.sum()) - sum.squares;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(p.inertia(i, i) / p.mass, about[i] / sum.volume, 1e-4) << name(shape) << i;
    }
  }
}

TEST(MassProperties, OfEllipsoidAndConeAgreeWithSumsOverColumns) {
  for (const Shape& shape :
       {Shape(Ellipsoid{{0.5, 0.8, 0.3}}), Shape(Cone{0.5, 0.9}), Shape(Cylinder{0.5, 0.9})}) {
    const Pose far{{0, 0, 10}, Eigen::Quaterniond::Identity()};  // a half-space that holds it all
    const Moments sum =
        add_columns(shape, {}, HalfSpace{}, far, Vector3(1, 2, 3).normalized(), 500);
    const MassProperties p = MassProperties::from_shape(shape, 3);
    EXPECT_NEAR(p.mass / (3 * sum.volume), 1, 1e-4) << name(shape);
    EXPECT_LT((sum.centroid() - center_of_mass(shape)).norm(), 1e-4) << name(shape);
    const Vector3 squares = sum.central().diagonal();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(p.inertia(i, i) / p.mass, (squares.sum() - squares[i]) / sum.volume, 1e-4)
          << name(shape) << i;
    }
  }
}

TEST(MassProperties, KnownValues) {
  const MassProperties ball = MassProperties::with_mass(Sphere{0.1}, 2);
  EXPECT_DOUBLE_EQ(ball.inertia(1, 1), 0.4 * 2 * 0.01);
  // A capsule is a sphere without its straight part, and a rod with a thin one.
  EXPECT_NEAR(MassProperties::with_mass(Capsule{0.3, 0}, 1).inertia(0, 0), 0.4 * 0.09, 1e-16);
  EXPECT_NEAR(MassProperties::with_mass(Capsule{1e-6, 2}, 3).inertia(0, 0), 1, 1e-5);
  EXPECT_NEAR(MassProperties::with_mass(Box{{1e-9, 1e-9, 1}}, 2).inertia(0, 0), 1.0 / 6, 1e-15);
  EXPECT_EQ(MassProperties::with_mass(Point{}, 2).inertia, Matrix3::Zero());
  EXPECT_EQ(MassProperties::from_shape(Point{}, 2).mass, 0);
  EXPECT_TRUE(std::isinf(MassProperties::from_shape(Bore{1}, 2).mass));
  EXPECT_TRUE(std::isinf(MassProperties::from_shape(HalfSpace{}, 2).inertia(2, 2)));
}

/// f/(E* δ^{3/2}) of an elliptic patch: Johnson, Contact Mechanics, (4.26).
double hertz_stiffness(const RelativeCurvature& c) {
  const double ratio = c.k1 / c.k2;
  double low = 1e-9, high = 1 - 1e-13;  // square of the eccentricity
  for (int i = 0; i < 200; ++i) {
    const double m = 0.5 * (low + high), e = std::sqrt(m);
    const double E = std::comp_ellint_2(e), K = std::comp_ellint_1(e);
    ((E / (1 - m) - K) / (K - E) > ratio ? high : low) = m;
  }
  const double m = low, e = std::sqrt(m), b = std::sqrt(1 - m);  // a = 1
  const double E = std::comp_ellint_2(e), K = std::comp_ellint_1(e);
  const double p0 = 0.5 * std::sqrt(c.k1 * c.k2) * m / (b * std::sqrt((E / (b * b) - K) * (K - E)));
  return 2.0 / 3 * pi * p0 * b / std::pow(p0 * b * K, 1.5);
}

TEST(Curvature, EffectiveRadius) {
  EXPECT_DOUBLE_EQ(effective_radius(*relative_curvature(Sphere{0.1}, HalfSpace{})), 0.1);
  EXPECT_DOUBLE_EQ(effective_radius(*relative_curvature(HalfSpace{}, Sphere{0.1})), 0.1);
  EXPECT_DOUBLE_EQ(effective_radius(*relative_curvature(Sphere{2}, Sphere{3})), 1.2);
  EXPECT_FALSE(relative_curvature(Sphere{1}, Bore{1}).has_value());
  EXPECT_FALSE(relative_curvature(Box{}, HalfSpace{}).has_value());
}

// The errors stated beside effective_radius.
TEST(Curvature, InABoreOneRadiusStandsForTwo) {
  const auto shortfall = [](double ratio) {
    const RelativeCurvature c = *relative_curvature(Sphere{ratio}, Bore{1});
    return 1 - 4.0 / 3 * std::sqrt(effective_radius(c)) / hertz_stiffness(c);
  };
  EXPECT_NEAR(shortfall(0.01), 0, 1e-4);
  EXPECT_NEAR(shortfall(0.5), 0.0099, 1e-4);
  EXPECT_NEAR(shortfall(0.9), 0.0983, 1e-4);
}

}  // namespace
}  // namespace bristle::testing
