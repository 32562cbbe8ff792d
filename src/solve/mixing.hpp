#pragma once

/// Anderson's mixing (1965) for a fixed point x = g(x): the next x is the combination of the last
/// few g(x_i) whose residuals g(x_i) − x_i cancel best.
///
/// A sweep over contacts, one after the other, gains a share of 1 − (w_12²/w_11 w_22) or less per
/// round where contacts work on the same body and are stiff: how they share a load settles in as
/// many rounds as friction is stiffer than the mass. There are few such ways to share, and mixing
/// finds one per round. Nothing allocates after set-up.

#include <algorithm>

#include <Eigen/QR>

namespace bristle::detail {

class Mixing {
 public:
  explicit Mixing(Eigen::Index size)
      : old_g_(size), old_r_(size), g_(size, depth), r_(size, depth) {}

  void start() noexcept {
    count_ = 0;
    seen_ = false;
  }

  /// From x, of which a round made `image`, to the next x, left in x.
  void next(Eigen::VectorXd& x, const Eigen::VectorXd& image) noexcept {
    x = image - x;  // the residual
    if (seen_) keep(x, image);
    if (count_ > 0 && x.squaredNorm() > 4 * old_r_.squaredNorm()) count_ = 0;  // led astray
    old_r_ = x;
    old_g_ = image;
    seen_ = true;
    const Eigen::Index n = std::min<Eigen::Index>(count_, depth);
    if (n > 0) {
      const Small share = weights(n);
      x = image;
      for (Eigen::Index i = 0; i < n; ++i) x -= share[i] * g_.col(i);
      if (x.allFinite()) return;
      count_ = 0;
    }
    x = image;
  }

 private:
  static constexpr int depth = 6;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;
  using Gram = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;

  /// Differences from the round before.
  void keep(const Eigen::VectorXd& residual, const Eigen::VectorXd& image) noexcept {
    const Eigen::Index i = count_++ % depth;
    g_.col(i) = image - old_g_;
    r_.col(i) = residual - old_r_;
  }
  /// The combination of residual differences nearest to the last residual, of columns of size 1.
  Small weights(Eigen::Index n) const noexcept {
    Small size(n), right(n);
    Gram gram(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double norm = r_.col(i).norm();
      size[i] = norm > 0 ? 1 / norm : 0;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      right[i] = size[i] * r_.col(i).dot(old_r_);
      for (Eigen::Index k = 0; k < n; ++k)
        gram(i, k) = size[i] * size[k] * r_.col(i).dot(r_.col(k));
    }
    Eigen::ColPivHouseholderQR<Gram> qr(n, n);
    qr.setThreshold(1e-13);
    qr.compute(gram);
    return size.cwiseProduct(Small(qr.solve(right)));
  }

  Eigen::VectorXd old_g_, old_r_;
  Eigen::MatrixXd g_, r_;
  Eigen::Index count_ = 0;  ///< differences kept so far
  bool seen_ = false;
};

}  // namespace bristle::detail
