#include "bristle/area/quartic_law.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

struct Power {
  int i, j, k;
};
constexpr std::array<Power, 15> powers{{{4, 0, 0},
                                        {3, 1, 0},
                                        {3, 0, 1},
                                        {2, 2, 0},
                                        {2, 1, 1},
                                        {2, 0, 2},
                                        {1, 3, 0},
                                        {1, 2, 1},
                                        {1, 1, 2},
                                        {1, 0, 3},
                                        {0, 4, 0},
                                        {0, 3, 1},
                                        {0, 2, 2},
                                        {0, 1, 3},
                                        {0, 0, 4}}};

constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
/// How often the monomial occurs in (x + y + z)⁴.
constexpr double multiplicity(const Power& p) {
  return 24.0 / (factorial(p.i) * factorial(p.j) * factorial(p.k));
}

/// 1, x, x², x³, x⁴, and with two leading zeros for derivatives: at[2 + n] = xⁿ.
struct Powers {
  std::array<double, 7> at;
  explicit Powers(double x) noexcept : at{0, 0, 1, x, x * x, x * x * x, x * x * x * x} {}
  double value(int n) const noexcept { return at[static_cast<std::size_t>(n + 2)]; }
  double slope(int n) const noexcept { return n * at[static_cast<std::size_t>(n + 1)]; }
  double bend(int n) const noexcept { return n * (n - 1) * at[static_cast<std::size_t>(n)]; }
};

using Vector15 = Eigen::Matrix<double, 15, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// The 6×6 matrix of second-order moments of H: entry (a, b) is the coefficient of the product of
/// the squares' monomials a and b over its multiplicity.
Matrix6 catalecticant(const Quartic& h) {
  constexpr std::array<Power, 6> squares{
      {{2, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}}};
  Matrix6 m;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      const Power p = squares[static_cast<std::size_t>(a)],
                  q = squares[static_cast<std::size_t>(b)];
      for (std::size_t n = 0; n < 15; ++n) {
        const Power& r = powers[n];
        if (r.i == p.i + q.i && r.j == p.j + q.j) m(a, b) = h[n] / multiplicity(r);
      }
    }
  }
  return m;
}

/// Coefficients of (l·w)⁴.
Vector15 fourth_power(const Planar& l) {
  const Powers x(l.x()), y(l.y()), z(l.z());
  Vector15 c;
  for (std::size_t n = 0; n < 15; ++n) {
    const Power& p = powers[n];
    c[static_cast<Eigen::Index>(n)] = multiplicity(p) * x.value(p.i) * y.value(p.j) * z.value(p.k);
  }
  return c;
}

/// The n-th of `count` directions spread evenly over the sphere.
Planar spread(int n, int count) {
  const double z = (2 * n + 1.0) / count - 1, r = std::sqrt(1 - z * z),
               angle = 2.399963229728653 * n;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Least squares with x ≥ 0 (Lawson and Hanson): the columns with x > 0 are solved for freely, and
/// one column at a time joins or leaves.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  const Eigen::Index n = a.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> used;
  const double small = 1e-13 * a.norm() * b.norm();
  for (int round = 0; round < 300; ++round) {
    Eigen::VectorXd pull = a.transpose() * (b - a * x);
    for (const Eigen::Index i : used) pull[i] = 0;
    Eigen::Index most = 0;
    if (pull.maxCoeff(&most) <= small) break;
    used.push_back(most);
    for (int inner = 0; inner < 100 && !used.empty(); ++inner) {
      const Eigen::MatrixXd part = a(Eigen::all, used);
      const Eigen::VectorXd free = part.colPivHouseholderQr().solve(b);
      double step = 1;
      for (std::size_t i = 0; i < used.size(); ++i) {
        const double f = free[static_cast<Eigen::Index>(i)], now = x[used[i]];
        if (f <= 0) step = std::min(step, now / (now - f));
      }
      for (std::size_t i = 0; i < used.size(); ++i) {
        x[used[i]] += step * (free[static_cast<Eigen::Index>(i)] - x[used[i]]);
      }
      if (step == 1) break;
      std::erase_if(used, [&](Eigen::Index i) {
        if (x[i] > 1e-14 * x.maxCoeff()) return false;
        x[i] = 0;
        return true;
      });
    }
  }
  return x;
}

/// The sphere's two tangents at d.
Eigen::Matrix<double, 3, 2> tangents(const Planar& d) {
  int least = 0;
  d.cwiseAbs().minCoeff(&least);
  Eigen::Matrix<double, 3, 2> t;
  t.col(0) = d.cross(Planar::Unit(least)).normalized();
  t.col(1) = d.cross(t.col(0));
  return t;
}

/// Rows of the least-squares problem: linear in the 15 coefficients.
class Rows {
 public:
  void add(const Vector15& row, double right, double weight) {
    normal_ += weight * row * row.transpose();
    right_ += weight * right * row;
  }
  /// R and y with ‖R h − y‖² the sum of squares but for a constant.
  void reduce(Eigen::MatrixXd& r, Eigen::VectorXd& y) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 15, 15>> eigen(normal_);
    const Vector15 root = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
    r = root.asDiagonal() * eigen.eigenvectors().transpose();
    y = eigen.eigenvectors().transpose() * right_;
    for (Eigen::Index i = 0; i < 15; ++i) y[i] = root[i] > 0 ? y[i] / root[i] : 0;
  }

 private:
  Eigen::Matrix<double, 15, 15> normal_ = Eigen::Matrix<double, 15, 15>::Zero();
  Vector15 right_ = Vector15::Zero();
};

/// H(w) and ∇H(w) as linear functions of the coefficients.
struct Basis {
  Vector15 value;
  Eigen::Matrix<double, 15, 3> gradient;
  explicit Basis(const Planar& w) {
    const Powers x(w.x()), y(w.y()), z(w.z());
    for (std::size_t n = 0; n < 15; ++n) {
      const Power& p = powers[n];
      const auto i = static_cast<Eigen::Index>(n);
      value[i] = x.value(p.i) * y.value(p.j) * z.value(p.k);
      gradient(i, 0) = x.slope(p.i) * y.value(p.j) * z.value(p.k);
      gradient(i, 1) = x.value(p.i) * y.slope(p.j) * z.value(p.k);
      gradient(i, 2) = x.value(p.i) * y.value(p.j) * z.slope(p.k);
    }
  }
};

Vector15 ball() {  // (x² + y² + z²)²
  Vector15 c = Vector15::Zero();
  for (const int i : {0, 10, 14}) c[i] = 1;
  for (const int i : {3, 5, 12}) c[i] = 2;
  return c;
}

/// The samples in (T_x, T_y, M/L) and (v_x, v_y, L ω)/|·|.
std::vector<LimitSample> scaled(std::span<const LimitSample> samples, double length) {
  std::vector<LimitSample> out;
  for (LimitSample s : samples) {
    if (!s.wrench.allFinite() || !s.motion.allFinite() || !(s.weight >= 0)) {
      throw InputError({.message = "a sample of a limit surface is not finite or has a negative "
                                   "weight"});
    }
    s.wrench.z() /= length;
    s.motion.z() *= length;
    if (!s.motion.isZero(0)) s.motion.normalize();
    if (!s.wrench.isZero(0) && s.weight > 0) out.push_back(s);
  }
  if (out.empty()) throw InputError({.message = "no samples of a limit surface to fit"});
  return out;
}

Rows make_rows(const std::vector<LimitSample>& samples, const QuarticFitOptions& options) {
  Rows rows;
  double total = 0;
  for (const LimitSample& s : samples) {
    const Basis basis(s.wrench);
    rows.add(basis.value / 4, 0.25, s.weight);  // (ξ⁴ − 1)/4 ≈ ξ − 1
    total += s.weight;
    const double reach = s.motion.dot(s.wrench);
    if (!(reach > 0)) continue;  // no motion, or one that friction would drive
    // ∇H/4 is d/(d·w) on the surface: what is across d, over the length of that, is an angle.
    const Eigen::Matrix<double, 15, 2> across = basis.gradient * tangents(s.motion) * (reach / 4);
    for (int i = 0; i < 2; ++i) rows.add(across.col(i), 0, s.weight * options.flow * options.flow);
  }
  const Vector15 prior = ball();
  for (Eigen::Index i = 0; i < 15; ++i) {
    Vector15 unit = Vector15::Zero();
    unit[i] = 1;
    rows.add(unit, prior[i], options.ridge * options.ridge * total);
  }
  return rows;
}

Quartic to_quartic(const Vector15& v) {
  Quartic h{};
  std::copy(v.data(), v.data() + 15, h.begin());
  return h;
}

}  // namespace

QuarticValue quartic_value(const Quartic& h, const Planar& w) noexcept {
  const Powers x(w.x()), y(w.y()), z(w.z());
  QuarticValue q;
  for (std::size_t n = 0; n < 15; ++n) {
    const auto [i, j, k] = powers[n];
    const double c = h[n], xi = x.value(i), yj = y.value(j), zk = z.value(k);
    const double dx = c * x.slope(i), dy = c * y.slope(j), dz = c * z.slope(k);
    q.value += c * xi * yj * zk;
    q.gradient += Planar(dx * yj * zk, dy * xi * zk, dz * xi * yj);
    q.hessian(0, 0) += c * x.bend(i) * yj * zk;
    q.hessian(1, 1) += c * y.bend(j) * xi * zk;
    q.hessian(2, 2) += c * z.bend(k) * xi * yj;
    q.hessian(1, 0) += dx * y.slope(j) * zk;
    q.hessian(2, 0) += dx * z.slope(k) * yj;
    q.hessian(2, 1) += dy * z.slope(k) * xi;
  }
  q.hessian(0, 1) = q.hessian(1, 0);
  q.hessian(0, 2) = q.hessian(2, 0);
  q.hessian(1, 2) = q.hessian(2, 1);
  return q;
}

double quartic_margin(const Quartic& h) {
  const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(catalecticant(h), Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[0] / eigen.eigenvalues().cwiseAbs().maxCoeff();
}

QuarticLaw::QuarticLaw(const Quartic& h, double length) : AreaLaw(length), h_(h) {
  const double margin = quartic_margin(h);
  if (!(margin > -1e-12) || !(length > 0)) {
    throw InputError({.message = "no limit surface: the quartic is not a sum of fourth powers",
                      .value = fmt::format("least eigenvalue {:.3g} of the largest", margin),
                      .expected = "a positive semidefinite matrix of coefficients"});
  }
}

Planar QuarticLaw::sliding(const Planar& motion) const noexcept {
  Planar d(motion.x(), motion.y(), length() * motion.z());
  const double size = d.stableNorm();
  if (!(size > 0)) return Planar::Zero();
  d /= size;
  // The least of H(y)/4 − y·d; along d itself to begin with.
  Planar y = d / std::cbrt(quartic_value(h_, d).value);
  QuarticValue q = quartic_value(h_, y);
  for (int i = 0; i < 60; ++i) {
    const Planar slope = q.gradient / 4 - d;
    if (slope.norm() < 4e-16) break;
    Eigen::Matrix3d bend = q.hessian / 4;
    bend.diagonal().array() += 1e-14 * bend.trace();  // Hessians may vanish in some directions
    const Planar step = -bend.ldlt().solve(slope);
    const double before = q.value / 4 - y.dot(d), gain = slope.dot(step);
    double share = 1;
    QuarticValue next = quartic_value(h_, y + step);
    while (share > 1e-6 &&
           next.value / 4 - (y + share * step).dot(d) > before + 0.1 * share * gain + 1e-15) {
      share /= 2;
      next = quartic_value(h_, y + share * step);
    }
    y += share * step;
    q = next;
    if (share == 1 && step.norm() < 1e-9 * y.norm()) break;  // quadratic: the next is rounding
  }
  y /= std::sqrt(std::sqrt(q.value));
  y.z() *= length();
  return y;
}

Hold QuarticLaw::hold(const Planar& wrench) const noexcept {
  Planar w(wrench.x(), wrench.y(), wrench.z() / length());
  const double size = w.stableNorm();
  if (!(size > 0)) return {};
  const QuarticValue q = quartic_value(h_, w / size);
  return {size * std::sqrt(std::sqrt(q.value)), q.gradient.normalized(), q.value > 0};
}

QuarticFit fit_quartic(std::span<const LimitSample> samples, double length,
                       const QuarticFitOptions& options) {
  const std::vector<LimitSample> all = scaled(samples, length);
  Eigen::MatrixXd r;
  Eigen::VectorXd y;
  make_rows(all, options).reduce(r, y);
  QuarticFit fit;
  fit.coefficients = to_quartic(r.colPivHouseholderQr().solve(y));
  if (quartic_margin(fit.coefficients) < 1e-6) {
    fit.at_bound = true;
    constexpr int half = 600;
    Eigen::MatrixXd powers_of(15, half);
    for (int i = 0; i < half; ++i) powers_of.col(i) = fourth_power(spread(i, 2 * half));
    const Eigen::VectorXd x = nonnegative_least_squares(r * powers_of, y);
    fit.coefficients = to_quartic(powers_of * x);
  }
  double radius = 0, angle = 0, total = 0, moving = 0;
  for (const LimitSample& s : all) {
    const QuarticValue q = quartic_value(fit.coefficients, s.wrench);
    const double off = std::sqrt(std::sqrt(std::fmax(q.value, 0))) - 1;
    radius += s.weight * off * off;
    total += s.weight;
    if (s.motion.isZero(0)) continue;
    const double a = std::atan2(s.motion.cross(q.gradient).norm(), s.motion.dot(q.gradient));
    angle += s.weight * a * a;
    moving += s.weight;
  }
  fit.radius_rms = std::sqrt(radius / total);
  fit.angle_rms = moving > 0 ? std::sqrt(angle / moving) : 0;
  return fit;
}

std::vector<LimitSample> limit_samples(const AreaLaw& law, int count) {
  std::vector<LimitSample> samples;
  for (int i = 0; i < count; ++i) {
    Planar motion = spread(i, count);
    motion.z() /= law.length();
    samples.push_back({law.sliding(motion), motion, 1});
  }
  return samples;
}

}  // namespace bristle
