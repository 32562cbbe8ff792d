#include "bristle/area/push_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>

#include "barrier.hpp"
#include "bristle/core/error.hpp"
#include "quartic_basis.hpp"

namespace bristle {
namespace {

using detail::Local;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The samples in (T_x, T_y, M/L) over `size`, their root mean square, and (v_x, v_y, L ω)/|·|.
struct Scaled {
  std::vector<LimitSample> samples{};
  double size = 1;

  Scaled(std::span<const LimitSample> all, double length) {
    if (!(length > 0) || !std::isfinite(length)) {
      throw InputError({.message = "the length that scales torques must be positive"});
    }
    double sum = 0;
    for (LimitSample s : all) {
      if (!s.wrench.allFinite() || !s.motion.allFinite()) {
        throw InputError({.message = "a sample of a limit surface is not finite"});
      }
      if (s.wrench.isZero(0)) continue;
      s.wrench.z() /= length;
      s.motion = unit_motion(s.motion, length);
      sum += s.wrench.squaredNorm();
      samples.push_back(s);
    }
    if (samples.empty()) throw InputError({.message = "no samples of a limit surface to fit"});
    size = std::sqrt(sum / static_cast<double>(samples.size()));
    for (LimitSample& s : samples) s.wrench /= size;
  }
  Index count() const { return static_cast<Index>(samples.size()); }
};

/// What is asked of the unknowns p, linear in them: `surface` p = 1; `across` p, three rows a
/// sample, is the part of the normal across the motion and `along` p the one along it, which counts
/// only if it is negative.
struct Rows {
  MatrixXd surface, across, along;

  Rows(const Scaled& scaled, Index unknowns)
      : surface(MatrixXd::Zero(scaled.count(), unknowns)),
        across(MatrixXd::Zero(3 * scaled.count(), unknowns)),
        along(MatrixXd::Zero(scaled.count(), unknowns)) {}
  /// The i-th sample, with H and its gradient as functions of the first unknowns.
  void set(Index i, const VectorXd& value, const MatrixXd& gradient, const Planar& motion) {
    const Index n = value.size();
    surface.row(i).head(n) = value;
    if (motion.isZero(0)) return;
    along.row(i).head(n) = motion.transpose() * gradient;
    across.block(3 * i, 0, 3, n) = gradient - motion * along.row(i).head(n);
  }
};

/// A weighted norm √(|r|² + ε²) and its derivatives, r linear in p: gradient Jᵀr, Hessian JᵀJ.
void add_norm(Local& f, double weight, double square, const VectorXd& gradient,
              const MatrixXd& hessian) {
  const double norm = std::sqrt(square);
  f.value += weight * norm;
  f.gradient += weight / norm * gradient;
  f.hessian += weight / norm * (hessian - gradient * gradient.transpose() / square);
}

Local zero_local(Index n) { return {0, VectorXd::Zero(n), MatrixXd::Zero(n, n)}; }

// ---- Quartic -----------------------------------------------------------------------------------

constexpr Index unknowns = 24;

/// One norm each of the coefficients, the surface's residuals and the normals'.
class QuarticObjective {
 public:
  QuarticObjective(const Scaled& scaled, const LimitFitOptions& options)
      : rows_(scaled, unknowns),
        lambda_(options.lambda / std::pow(scaled.size, 4)),
        beta_(options.beta) {
    for (Index i = 0; i < scaled.count(); ++i) {
      const LimitSample& s = scaled.samples[static_cast<std::size_t>(i)];
      const detail::QuarticBasis basis(s.wrench);
      rows_.set(i, basis.value, basis.gradient / scaled.size, s.motion);
    }
    surface_ = rows_.surface.transpose() * rows_.surface;
    across_ = rows_.across.transpose() * rows_.across;
  }

  double value(const VectorXd& p, double mu) const {
    const Residuals r(rows_, p, smoothing(mu));
    return lambda_ * std::sqrt(r.size) + beta_ * std::sqrt(r.off) + std::sqrt(r.turn);
  }
  Local local(const VectorXd& p, double mu) const {
    const Residuals r(rows_, p, smoothing(mu));
    Local f = zero_local(unknowns);
    VectorXd diagonal = VectorXd::Zero(unknowns);
    diagonal.head(15).setOnes();
    add_norm(f, lambda_, r.size, diagonal.cwiseProduct(p), diagonal.asDiagonal());
    add_norm(f, beta_, r.off, rows_.surface.transpose() * r.surface, surface_);
    MatrixXd turning = across_;
    for (Index i = 0; i < r.back.size(); ++i) {
      if (r.back[i] < 0) turning += rows_.along.row(i).transpose() * rows_.along.row(i);
    }
    add_norm(f, 1, r.turn, rows_.across.transpose() * r.across + rows_.along.transpose() * r.back,
             turning);
    return f;
  }

 private:
  struct Residuals {
    VectorXd surface, across, back;
    double size, off, turn;  // squares, smoothed
    Residuals(const Rows& rows, const VectorXd& p, double e2)
        : surface((rows.surface * p).array() - 1),
          across(rows.across * p),
          back((rows.along * p).cwiseMin(0)),
          size(p.head(15).squaredNorm() + e2),
          off(surface.squaredNorm() + e2),
          turn(across.squaredNorm() + back.squaredNorm() + e2) {}
  };
  static double smoothing(double mu) { return std::pow(std::clamp(mu, 1e-6, 1e-2), 2); }

  Rows rows_;
  MatrixXd surface_, across_;
  double lambda_, beta_;
};

void judge(QuarticFit& fit, std::span<const LimitSample> samples, double length) {
  double radius = 0, angle = 0;
  int on = 0, moving = 0;
  for (const LimitSample& s : samples) {
    if (s.wrench.isZero(0)) continue;
    const QuarticValue q =
        quartic_value(fit.coefficients, {s.wrench.x(), s.wrench.y(), s.wrench.z() / length});
    const double off = std::sqrt(std::sqrt(std::fmax(q.value, 0))) - 1;
    radius += off * off;
    ++on;
    if (s.motion.isZero(0)) continue;
    const double a = motion_angle(unit_motion(s.motion, length), q.gradient.normalized());
    angle += a * a;
    ++moving;
  }
  fit.radius_rms = std::sqrt(radius / on);
  fit.angle_rms = moving > 0 ? std::sqrt(angle / moving) : 0;
}

// ---- Ellipsoid ---------------------------------------------------------------------------------

constexpr Index six = 6;  // entries 00, 01, 02, 11, 12, 22 of A
constexpr std::array<std::array<int, 2>, 6> entries{
    {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};

Eigen::Matrix<double, 9, 6> symmetric_basis() {
  Eigen::Matrix<double, 9, 6> basis = Eigen::Matrix<double, 9, 6>::Zero();
  for (Index k = 0; k < six; ++k) {
    const auto [i, j] = entries[static_cast<std::size_t>(k)];
    basis(3 * j + i, k) = basis(3 * i + j, k) = 1;
  }
  return basis;
}

/// A norm for each residual of the surface and each normal.
class EllipsoidObjective {
 public:
  EllipsoidObjective(const Scaled& scaled, const LimitFitOptions& options)
      : rows_(scaled, six),
        lambda_(options.lambda / std::pow(scaled.size, 2)),
        beta_(options.beta) {
    const Eigen::Matrix<double, 9, 6> basis = symmetric_basis();
    twice_ = basis.colwise().squaredNorm();
    for (Index i = 0; i < scaled.count(); ++i) {
      const LimitSample& s = scaled.samples[static_cast<std::size_t>(i)];
      Eigen::Matrix<double, 3, 6> gradient;
      for (Index k = 0; k < six; ++k) {
        gradient.col(k) = Eigen::Map<const Eigen::Matrix3d>(basis.col(k).data()) * s.wrench;
      }
      rows_.set(i, gradient.transpose() * s.wrench, gradient / scaled.size, s.motion);
    }
  }

  double value(const VectorXd& p, double mu) const {
    const double e2 = smoothing(mu);
    double sum = lambda_ * std::sqrt(twice_.dot(p.cwiseAbs2()) + e2);
    for (Index i = 0; i < rows_.surface.rows(); ++i) {
      const Residual r(rows_, i, p, e2);
      sum += beta_ * std::sqrt(r.off) + std::sqrt(r.turn);
    }
    return sum;
  }
  Local local(const VectorXd& p, double mu) const {
    const double e2 = smoothing(mu);
    Local f = zero_local(six);
    add_norm(f, lambda_, twice_.dot(p.cwiseAbs2()) + e2, twice_.cwiseProduct(p),
             twice_.asDiagonal());
    for (Index i = 0; i < rows_.surface.rows(); ++i) {
      const Residual r(rows_, i, p, e2);
      const auto on = rows_.surface.row(i).transpose(), along = rows_.along.row(i).transpose();
      const auto across = rows_.across.middleRows(3 * i, 3);
      add_norm(f, beta_, r.off, r.surface * on, on * on.transpose());
      MatrixXd turning = across.transpose() * across;
      if (r.back < 0) turning += along * along.transpose();
      add_norm(f, 1, r.turn, across.transpose() * r.across + r.back * along, turning);
    }
    return f;
  }

 private:
  struct Residual {
    double surface, back;
    Planar across;
    double off, turn;  // squares, smoothed
    Residual(const Rows& rows, Index i, const VectorXd& p, double e2)
        : surface(rows.surface.row(i).dot(p) - 1),
          back(std::fmin(0, rows.along.row(i).dot(p))),
          across(rows.across.middleRows(3 * i, 3) * p),
          off(surface * surface + e2),
          turn(across.squaredNorm() + back * back + e2) {}
  };
  static double smoothing(double mu) { return std::pow(std::clamp(mu, 1e-4, 1e-2), 2); }

  Rows rows_;
  VectorXd twice_;  // how often an entry stands in A
  double lambda_, beta_;
};

template <class T>
detail::Objective objective(const T& f) {
  return {[&f](const VectorXd& p, double mu) { return f.value(p, mu); },
          [&f](const VectorXd& p, double mu) { return f.local(p, mu); }};
}

/// The n-th of `count` directions spread evenly over the sphere.
Planar spread(int n, int count) {
  const double z = (2 * n + 1.0) / count - 1, r = std::sqrt(1 - z * z),
               angle = 2.399963229728653 * n;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace

QuarticFit fit_quartic(std::span<const LimitSample> samples, double length,
                       const LimitFitOptions& options) {
  const Scaled scaled(samples, length);
  const QuarticObjective f(scaled, options);
  VectorXd start(unknowns);
  start << detail::ball_quartic(), detail::ball_gram();
  constexpr std::array mus{1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
  const VectorXd p = detail::barrier_minimum(
      objective(f), {MatrixXd::Zero(9, 9), detail::gram_basis()}, start, mus);
  QuarticFit fit;
  const double scale = std::pow(scaled.size, -4);
  std::transform(p.data(), p.data() + 15, fit.coefficients.begin(),
                 [&](double c) { return c * scale; });
  judge(fit, samples, length);
  return fit;
}

EllipsoidFit fit_ellipsoid(std::span<const LimitSample> samples, double length,
                           const LimitFitOptions& options) {
  const Scaled scaled(samples, length);
  const EllipsoidObjective f(scaled, options);
  VectorXd start(six);
  start << 1, 0, 0, 1, 0, 1;
  constexpr std::array mus{1e-1, 1e-2, 1e-3, 1e-4};
  const detail::MatrixCone cone{MatrixXd::Zero(3, 3), symmetric_basis()};
  const VectorXd p = detail::barrier_minimum(objective(f), cone, start, mus);
  return {cone.at(p) / (scaled.size * scaled.size), length};
}

Eigen::Matrix3d EllipsoidFit::b() const {
  const Planar scale(1, 1, length);
  const Eigen::Matrix3d b = scale.asDiagonal() * a.inverse() * scale.asDiagonal();
  return (b + b.transpose()) / 2;
}

LimitFitOptions for_wrenches_of(double size, int degree, const LimitFitOptions& relative) noexcept {
  return {relative.lambda * std::pow(size, degree - 1), relative.beta / size};
}

double wrench_size(std::span<const LimitSample> samples, double length) noexcept {
  double sum = 0;
  int count = 0;
  for (const LimitSample& s : samples) {
    sum += Planar(s.wrench.x(), s.wrench.y(), s.wrench.z() / length).squaredNorm();
    count += s.wrench.isZero(0) ? 0 : 1;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

std::vector<double> left_out_angles(std::span<const LimitSample> samples, double length,
                                    std::size_t folds, const LimitFitter& fit) {
  const std::size_t count = samples.size(), every = folds == 0 ? count : std::min(folds, count);
  if (every < 2) throw InputError({.message = "leaving some pairs out needs two of them or more"});
  std::vector<double> angles(count);
  for (std::size_t k = 0; k < every; ++k) {
    std::vector<LimitSample> others;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % every != k) others.push_back(samples[i]);
    }
    const std::unique_ptr<AreaLaw> law = fit(others);
    for (std::size_t i = k; i < count; i += every) {
      angles[i] = motion_angle(predicted_motion(*law, samples[i].wrench, length),
                               unit_motion(samples[i].motion, length));
    }
  }
  return angles;
}

std::vector<LimitSample> limit_samples(const AreaLaw& law, int count) {
  std::vector<LimitSample> samples;
  for (int i = 0; i < count; ++i) {
    Planar motion = spread(i, count);
    motion.z() /= law.length();
    samples.push_back({law.sliding(motion), motion});
  }
  return samples;
}

Planar unit_motion(const Planar& motion, double length) noexcept {
  const Planar scaled(motion.x(), motion.y(), length * motion.z());
  const double size = scaled.stableNorm();
  return size > 0 ? Planar(scaled / size) : Planar::Zero();
}

Planar predicted_motion(const AreaLaw& law, const Planar& wrench, double length) noexcept {
  const Planar d = law.hold(wrench).direction;
  return unit_motion({d.x(), d.y(), d.z() / law.length()}, length);
}

double motion_angle(const Planar& a, const Planar& b) noexcept {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

double mean_angle(const AreaLaw& law, std::span<const LimitSample> samples,
                  double length) noexcept {
  double sum = 0;
  int count = 0;
  for (const LimitSample& s : samples) {
    if (s.motion.isZero(0)) continue;
    sum += motion_angle(predicted_motion(law, s.wrench, length), unit_motion(s.motion, length));
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace bristle
