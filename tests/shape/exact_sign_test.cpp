// The exact signs against integers of any length.

#include "bristle/shape/exact_sign.hpp"

#include <array>
#include <cmath>

// GCC 12 sees an uninitialised union member in the library's integers where there is none.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "support/draw.hpp"

namespace bristle::testing {
namespace {

using Integer = boost::multiprecision::cpp_int;
using Row = std::array<Integer, 3>;

/// 2^300 x: every double above 1e-70 or so becomes an integer.
Row integers(const Vector3& x) {
  Row out;
  for (int k = 0; k < 3; ++k) {
    int exponent = 0;
    const double mantissa = std::frexp(x[k], &exponent);
    out[std::size_t(k)] = static_cast<long long>(std::ldexp(mantissa, 53));
    EXPECT_GE(exponent, -247 + (x[k] == 0 ? -1 : 0));
    out[std::size_t(k)] *= Integer(1) << unsigned(exponent - 53 + 300);
  }
  return out;
}
Row minus(const Row& a, const Row& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Row cross(const Row& u, const Row& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
int sign(const Integer& x) { return x.sign(); }
int sign(double x) { return (x > 0) - (x < 0); }

int true_orient(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Row o = integers(a), n = cross(minus(integers(b), o), minus(integers(c), o));
  const Row w = minus(integers(d), o);
  return sign(Integer(n[0] * w[0] + n[1] * w[1] + n[2] * w[2]));
}
int true_leading(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Row n = cross(minus(integers(b), integers(a)), minus(integers(d), integers(c)));
  for (const Integer& x : n) {
    if (x != 0) return sign(x);
  }
  return 0;
}

/// Points that are hard to tell from coplanar: on a grid, in a plane and rounded, with noise of any
/// size, with tiny coordinates.
struct Points {
  explicit Points(int seed) : draw(seed) {}
  Vector3 vector(double size) {
    return {draw.between(-size, size), draw.between(-size, size), draw.between(-size, size)};
  }
  std::array<Vector3, 4> next() {
    const int kind = static_cast<int>(draw.between(0, 5));
    std::array<Vector3, 4> x{vector(1), vector(1), vector(1), vector(1)};
    if (kind == 0) {
      for (Vector3& v : x) v = (4 * v).array().round();
    } else if (kind < 4) {
      const double s = draw.between(-1, 2), t = draw.between(-1, 2);
      x[3] = x[0] + s * (x[1] - x[0]) + t * (x[2] - x[0]);
      if (kind == 2) x[3] += vector(draw.decades(1e-18, 1e-12));
      if (kind == 3) {
        for (Vector3& v : x) v[2] = 0.25;
        x[3][2] += draw.between(0, 1) < 0.5 ? 0 : draw.decades(1e-60, 1e-15);
      }
    } else {
      const double tiny = draw.decades(1e-60, 1);
      for (Vector3& v : x) v *= tiny;
      x[3] = x[0] + 0.5 * (x[1] - x[0]) + 0.25 * (x[2] - x[0]);
    }
    return x;
  }
  Draw draw;
};

constexpr int cases = 20000;

TEST(ExactSign, PointsAndTrianglesAgreeWithLongIntegers) {
  Points points(1);
  int zero = 0, negative = 0;
  for (int i = 0; i < cases; ++i) {
    const auto [a, b, c, d] = points.next();
    const int truth = true_orient(a, b, c, d);
    ASSERT_EQ(sign(above(make_facet(a, b, c), d)), truth) << i;
    ASSERT_EQ(sign(exact::orient(a, b, c, d)), truth) << i;
    zero += truth == 0;
    negative += truth < 0;
  }
  EXPECT_GT(zero, cases / 50);
  EXPECT_GT(negative, cases / 4);
}

TEST(ExactSign, EdgesAgreeWithLongIntegers) {
  Points points(2);
  for (int i = 0; i < cases; ++i) {
    const auto [p, q, a, b] = points.next();
    ASSERT_EQ(sign(passing(p, q, a, b)), true_orient(p, q, a, b)) << i;
    ASSERT_EQ(sign(passing(p, q, a, b)), sign(passing(a, b, p, q))) << i;
  }
}

TEST(ExactSign, LeadingComponentAgreesWithLongIntegers) {
  Points points(3);
  int none = 0;
  for (int i = 0; i < cases; ++i) {
    auto [a, b, c, d] = points.next();
    if (i % 3 == 0) d = c + (b - a);  // parallel, or all but
    if (i % 5 == 0) b.y() = a.y(), b.z() = a.z(), d.y() = c.y(), d.z() = c.z();
    const int truth = true_leading(a, b, c, d);
    ASSERT_EQ(exact::leading_sign(a, b, c, d), truth) << i;
    none += truth == 0;
  }
  EXPECT_GT(none, cases / 10);
}

/// The value is what t on an edge is computed from.
TEST(ExactSign, ExactValueIsRoundedOnce) {
  const Vector3 a(0.1, 0.7, 0.3), b(1.1, 0.2, 0.4), c(0.3, 0.9, 1.3);
  const Vector3 d = a + 0.3 * (b - a) + 0.4 * (c - a);
  const Vector3 n = (b - a).cross(c - a);
  for (const double h : {1e-3, 1e-9, 1e-14}) {
    // The determinant is linear in d: the difference of two is the height between them.
    const Vector3 e = d + h * n;
    const double between = exact::orient(a, b, c, e) - exact::orient(a, b, c, d);
    EXPECT_NEAR(between / n.dot(e - d), 1, 1e-12) << h;
  }
}

/// The rule for ties is B moved by (ε, ε², ε³): a true small motion gives the same answer.
TEST(ExactSign, TiesAreBrokenAsIfBHadMoved) {
  Draw draw(4);
  const auto grid = [&] {
    const auto one = [&] { return std::floor(draw.between(-2, 3)); };
    return Vector3(one(), one(), one());
  };
  const Vector3 motion(0x1p-12, 0x1p-24, 0x1p-36);
  int ties = 0;
  for (int i = 0; i < cases; ++i) {
    const Vector3 p = grid(), q = grid(), a = grid(), b = grid(), c = grid();
    const Vector3 a_moved = a + motion, b_moved = b + motion;
    if ((b - a).cross(q - p).norm() > 0) {
      ASSERT_EQ(passes_left(p, q, a, b), passing(p, q, a_moved, b_moved) > 0) << i;
      ties += passing(p, q, a, b) == 0;
    }
    const Facet facet = make_facet(p, q, c);
    if (facet.normal.norm() > 0 && above(facet, a) == 0) {
      ASSERT_EQ(leans_up(facet), above(facet, a_moved) > 0) << i;
    }
  }
  EXPECT_GT(ties, cases / 20);
}

}  // namespace
}  // namespace bristle::testing
