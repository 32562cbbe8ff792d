#include "quartic_basis.hpp"

namespace bristle::detail {
namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;

Eigen::Map<Matrix9> matrix(GramBasis& basis, Eigen::Index k) {
  return Eigen::Map<Matrix9>(basis.col(k).data());
}

/// Adds ∂²/∂x_i ∂x_j of the monomial, y_i y_j x_p x_q times its coefficient, to its matrix.
void add_second_derivative(Eigen::Map<Matrix9> q, std::array<int, 3> power, int i, int j) {
  double c = power[static_cast<std::size_t>(i)]--;
  if (c <= 0) return;
  c *= power[static_cast<std::size_t>(j)]--;
  if (c <= 0) return;
  std::array<int, 2> left{};
  std::size_t n = 0;
  for (int a = 0; a < 3; ++a) {
    for (int times = 0; times < power[static_cast<std::size_t>(a)]; ++times) left[n++] = a;
  }
  const auto [p, r] = left;
  for (const auto& [a, b] : {std::array{3 * i + p, 3 * j + r}, std::array{3 * i + r, 3 * j + p}}) {
    q(a, b) += c / 4;
    q(b, a) += c / 4;
  }
}

void add_minor(Eigen::Map<Matrix9> q, int i, int j, int p, int r) {
  q(3 * i + p, 3 * j + r) = q(3 * j + r, 3 * i + p) = 1;
  q(3 * i + r, 3 * j + p) = q(3 * j + p, 3 * i + r) = -1;
}

GramBasis make_gram_basis() {
  GramBasis basis = GramBasis::Zero();
  for (Eigen::Index k = 0; k < 15; ++k) {
    const Power& e = quartic_powers[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) add_second_derivative(matrix(basis, k), {e.i, e.j, e.k}, i, j);
    }
  }
  constexpr std::array<std::array<int, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
  Eigen::Index k = 15;
  for (const auto& [i, j] : pairs) {
    for (const auto& [p, r] : pairs) add_minor(matrix(basis, k++), i, j, p, r);
  }
  return basis;
}

Eigen::Matrix<double, 9, 1> make_ball_gram() {
  Eigen::Matrix<double, 9, 1> e = Eigen::Matrix<double, 9, 1>::Zero();
  e[0] = e[4] = e[8] = 1;
  const Matrix9 wanted = 4 * Matrix9::Identity() + 8 * e * e.transpose();
  const Eigen::Matrix<double, 81, 1> rest =
      Eigen::Map<const Eigen::Matrix<double, 81, 1>>(wanted.data()) -
      gram_basis().leftCols<15>() * ball_quartic();
  // The minors are orthogonal to one another; each has four entries of ±1.
  return gram_basis().rightCols<9>().transpose() * rest / 4;
}

}  // namespace

QuarticBasis::QuarticBasis(const Planar& w) noexcept {
  const Powers x(w.x()), y(w.y()), z(w.z());
  for (std::size_t n = 0; n < 15; ++n) {
    const Power& p = quartic_powers[n];
    const auto i = static_cast<Eigen::Index>(n);
    value[i] = x.value(p.i) * y.value(p.j) * z.value(p.k);
    gradient(0, i) = x.slope(p.i) * y.value(p.j) * z.value(p.k);
    gradient(1, i) = x.value(p.i) * y.slope(p.j) * z.value(p.k);
    gradient(2, i) = x.value(p.i) * y.value(p.j) * z.slope(p.k);
  }
}

Vector15 ball_quartic() noexcept {
  Vector15 c = Vector15::Zero();
  for (const int i : {0, 10, 14}) c[i] = 1;
  for (const int i : {3, 5, 12}) c[i] = 2;
  return c;
}

const GramBasis& gram_basis() {
  static const GramBasis basis = make_gram_basis();
  return basis;
}

const Eigen::Matrix<double, 9, 1>& ball_gram() {
  static const Eigen::Matrix<double, 9, 1> free = make_ball_gram();
  return free;
}

}  // namespace bristle::detail
