// Sums of doubles as in Shewchuk, "Adaptive precision floating-point arithmetic and fast robust
// geometric predicates" (1997): a number is a sum of doubles of growing size that share no bits, so
// that its sign is the sign of the last. Nothing here survives -ffast-math or fused products.

#include "bristle/shape/exact_sign.hpp"

#include <cstddef>

namespace bristle::exact {
namespace {

struct Two {
  double high, low;
};

Two two_sum(double a, double b) noexcept {
  const double x = a + b, b_virtual = x - a;
  return {x, (a - (x - b_virtual)) + (b - b_virtual)};
}
/// |a| ≥ |b|.
Two fast_two_sum(double a, double b) noexcept {
  const double x = a + b;
  return {x, b - (x - a)};
}
/// The upper and lower 26 bits (Dekker).
Two split(double a) noexcept {
  const double c = 0x1.0000002p27 * a, high = c - (c - a);
  return {high, a - high};
}
Two two_product(double a, double b) noexcept {
  const double x = a * b;
  const Two p = split(a), q = split(b);
  return {x, p.low * q.low - (((x - p.high * q.high) - p.low * q.high) - p.high * q.low)};
}

/// Components by growing size, no zeros. N bounds how many an operation may need.
template <int N>
struct Sum {
  std::array<double, N> part{};
  int size = 0;

  void add(double x) noexcept {
    if (x != 0) part[static_cast<std::size_t>(size++)] = x;
  }
  double operator[](int i) const noexcept { return part[static_cast<std::size_t>(i)]; }
  double value() const noexcept {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += (*this)[i];
    return sum;
  }
  int sign() const noexcept { return size == 0 ? 0 : ((*this)[size - 1] > 0 ? 1 : -1); }
};

/// e + f: the components merged by size, then one chain of sums (fast-expansion-sum).
template <int N, int M>
Sum<N + M> operator+(const Sum<N>& e, const Sum<M>& f) noexcept {
  Sum<N + M> h;
  int i = 0, j = 0;
  const auto next = [&]() noexcept {
    const bool from_e = j == f.size || (i < e.size && std::abs(e[i]) < std::abs(f[j]));
    return from_e ? e[i++] : f[j++];
  };
  if (e.size + f.size == 0) return h;
  double carry = next();
  bool first = true;
  while (i < e.size || j < f.size) {
    const double x = next();
    const Two s = first ? fast_two_sum(x, carry) : two_sum(x, carry);
    first = false;
    h.add(s.low);
    carry = s.high;
  }
  h.add(carry);
  return h;
}

template <int N>
Sum<N> operator-(Sum<N> e) noexcept {
  for (int i = 0; i < e.size; ++i) e.part[static_cast<std::size_t>(i)] = -e[i];
  return e;
}

/// e b (scale-expansion).
template <int N>
Sum<2 * N> operator*(const Sum<N>& e, double b) noexcept {
  Sum<2 * N> h;
  if (e.size == 0 || b == 0) return h;
  Two q = two_product(e[0], b);
  h.add(q.low);
  for (int i = 1; i < e.size; ++i) {
    const Two t = two_product(e[i], b), s = two_sum(q.high, t.low);
    h.add(s.low);
    q = fast_two_sum(t.high, s.high);
    h.add(q.low);
  }
  h.add(q.high);
  return h;
}

/// A difference a − b, exactly.
Sum<2> difference(double a, double b) noexcept {
  const Two d = two_sum(a, -b);
  Sum<2> e;
  e.add(d.low);
  e.add(d.high);
  return e;
}
template <int N>
Sum<4 * N> operator*(const Sum<N>& e, const Sum<2>& f) noexcept {
  if (f.size == 0) return {};
  const Sum<2 * N> low = e * f[0];
  return low + (f.size == 2 ? e * f[1] : Sum<2 * N>{});
}

using Difference = std::array<Sum<2>, 3>;
Difference difference(const Vector3& a, const Vector3& b) noexcept {
  return {difference(a.x(), b.x()), difference(a.y(), b.y()), difference(a.z(), b.z())};
}
/// Component i of u × v.
Sum<16> minor(const Difference& u, const Difference& v, std::size_t i) noexcept {
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  return u[j] * v[k] + -(u[k] * v[j]);
}

}  // namespace

double orient(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) noexcept {
  const Difference u = difference(b, a), v = difference(c, a), w = difference(d, a);
  return (minor(u, v, 0) * w[0] + minor(u, v, 1) * w[1] + minor(u, v, 2) * w[2]).value();
}

int leading_sign(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) noexcept {
  const Vector3 u = b - a, v = d - c, rounded = u.cross(v);
  const Vector3 error = relative_bound * permanent(u, v);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (std::abs(rounded[k]) > error[k]) return rounded[k] > 0 ? 1 : -1;
    if (error[k] == 0) continue;
    const int sign = minor(difference(b, a), difference(d, c), i).sign();
    if (sign != 0) return sign;
  }
  return 0;
}

double above_slow(const Facet& facet, const Vector3& p) noexcept {
  const auto& [a, b, c] = facet.corner;
  const Vector3 d = p - a;
  const double value = facet.normal.dot(d);
  const double error = relative_bound * permanent(b - a, c - a).dot(d.cwiseAbs());
  if (std::abs(value) > error) return value;
  return error == 0 ? 0 : orient(a, b, c, p);
}

}  // namespace bristle::exact
