#include "mixing.hpp"

#include <algorithm>

#include <Eigen/QR>

namespace bristle::detail {

void Mixing::next(Numbers x, const Given& image) noexcept {
  x = image - x;  // the residual
  if (seen_) keep(x, image);
  if (count_ > 0 && x.squaredNorm() > 4 * old_r_.head(n_).squaredNorm()) count_ = 0;  // led astray
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

void Mixing::keep(const Given& residual, const Given& image) noexcept {
  const Eigen::Index i = count_++ % depth;
  g_.col(i).head(n_) = image - old_g_.head(n_);
  r_.col(i).head(n_) = residual - old_r_.head(n_);
}

Mixing::Small Mixing::weights(Eigen::Index kept) const noexcept {
  using Gram = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;
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

}  // namespace bristle::detail
