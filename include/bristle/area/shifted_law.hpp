#pragma once

/// A law written about one pole, asked about another.
///
///   slip at the law's own pole c:  t_c = G t = (v + ω Jc, ω),      friction:  w = Gᵀ w_c
///
/// What friction an area feels does not depend on the pole, but how well a ratio of polynomials in
/// v and ω imitates it does. About the centre of pressure the ratio and Padé laws are at their
/// best: for a rectangle whose pole lies beyond a corner I_{0,0} has an rms error of 0.35 μN about
/// that pole and of 0.08 about the centre, and Zhuravlev's Padé law would even drive.

#include <memory>

#include "bristle/area/law.hpp"

namespace bristle {

class ShiftedLaw final : public AreaLaw {
 public:
  /// `law` is about the point `pole`, in the coordinates in which this one is about the origin.
  ShiftedLaw(std::unique_ptr<AreaLaw> law, const Point2& pole);

  std::string name() const override { return law_->name(); }
  Planar sliding(const Planar& motion) const noexcept override;
  double speed(const Planar& motion) const noexcept override;
  Planar speed_gradient(const Planar& motion) const noexcept override;
  Eigen::Matrix3d derivative(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override { return law_->is_associated(); }
  const AreaLaw& law() const noexcept { return *law_; }
  const Point2& pole() const noexcept { return pole_; }

 private:
  Planar there(const Planar& motion) const noexcept;
  Planar back(const Planar& wrench) const noexcept;

  std::unique_ptr<AreaLaw> law_;
  Point2 pole_;
};

}  // namespace bristle
