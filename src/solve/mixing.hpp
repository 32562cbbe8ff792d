#pragma once

/// Anderson's mixing (1965) for a fixed point x = g(x): the next x is the combination of the last
/// few g(x_i) whose residuals g(x_i) − x_i cancel best.
///
/// A sweep over contacts, one after the other, gains a share of 1 − (w_12²/w_11 w_22) or less per
/// round where contacts work on the same body and are stiff: how they share a load settles in as
/// many rounds as friction is stiffer than the mass. There are few such ways to share, and mixing
/// finds one per round. Nothing allocates after set-up.

#include <Eigen/Core>

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
  void next(Numbers x, const Given& image) noexcept;

 private:
  static constexpr int depth = 6;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;

  /// Differences from the round before.
  void keep(const Given& residual, const Given& image) noexcept;
  /// The combination of residual differences nearest to the last residual, of columns of size 1.
  Small weights(Eigen::Index kept) const noexcept;

  Eigen::VectorXd old_g_, old_r_;
  Eigen::MatrixXd g_, r_;
  Eigen::Index n_ = 0;
  Eigen::Index count_ = 0;  ///< differences kept so far
  bool seen_ = false;
};

}  // namespace bristle::detail
