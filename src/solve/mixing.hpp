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
  using Numbers = Eigen::Ref<Eigen::VectorXd>;
  using Given = Eigen::Ref<const Eigen::VectorXd>;

  /// For at most so many unknowns.
  explicit Mixing(Eigen::Index most)
      : old_g_(most), old_r_(most), g_(most, depth), r_(most, depth) {}

  /// Anew, with n unknowns.
  void start(Eigen::Index n) noexcept {
    n_ = n;
    count_ = 0;
    seen_ = false;
  }

  /// From x, of which a round made `image`, to the next x, left in x.
  void next(Numbers x, const Given& image) noexcept {
    x = image - x;  // the residual
    if (seen_) keep(x, image);
    if (count_ > 0 && x.squaredNorm() > 4 * old_r_.head(n_).squaredNorm())
      count_ = 0;  // led astray
    old_r_.head(n_) = x;
    old_g_.head(n_) = image;
    seen_ = true;
    x = image;
    const Eigen::Index kept = std::min<Eigen::Index>(count_, depth);
    if (kept == 0) return;
    const Small share = weights(kept);
    for (Eigen::Index i = 0; i < kept; ++i) x -= share[i] * g_.col(i).head(n_);
    if (x.allFinite()) return;
    count_ = 0;
    x = image;
  }

 private:
  static constexpr int depth = 6;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;
  using Gram = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;

  /// Differences from the round before.
  void keep(const Given& residual, const Given& image) noexcept {
    const Eigen::Index i = count_++ % depth;
    g_.col(i).head(n_) = image - old_g_.head(n_);
    r_.col(i).head(n_) = residual - old_r_.head(n_);
  }
  /// The combination of residual differences nearest to the last residual, of columns of size 1.
  Small weights(Eigen::Index kept) const noexcept {
    Small size(kept), right(kept);
    Gram gram(kept, kept);
    const auto column = [&](Eigen::Index i) { return r_.col(i).head(n_); };
    for (Eigen::Index i = 0; i < kept; ++i) {
      const double norm = column(i).norm();
      size[i] = norm > 0 ? 1 / norm : 0;
    }
    for (Eigen::Index i = 0; i < kept; ++i) {
      right[i] = size[i] * column(i).dot(old_r_.head(n_));
      for (Eigen::Index k = 0; k < kept; ++k)
        gram(i, k) = size[i] * size[k] * column(i).dot(column(k));
    }
    Eigen::ColPivHouseholderQR<Gram> qr(kept, kept);
    qr.setThreshold(1e-13);
    qr.compute(gram);
    return size.cwiseProduct(Small(qr.solve(right)));
  }

  Eigen::VectorXd old_g_, old_r_;
  Eigen::MatrixXd g_, r_;
  Eigen::Index n_ = 0;
  Eigen::Index count_ = 0;  ///< differences kept so far
  bool seen_ = false;
};

}  // namespace bristle::detail
