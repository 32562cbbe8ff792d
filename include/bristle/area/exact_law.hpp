#pragma once

/// Coulomb friction on every element of an area as a law: exact.hpp with what it can hold.
///
/// The power P(t) = ∬σ|v_P| dA is convex in the motion and (T_s, M_s) its gradient: of all
/// wrenches inside the limit surface the one that acts dissipates most. So ξ and the direction of
/// incipient slip are unique, except at the corners and edges of areas that are points or lie on a
/// line.
///
/// Under point supports the surface has flat faces. On a face the area turns about one support,
/// where the force is not sliding friction but whatever is wanted, up to its share. For the support
/// k at r_k, and either sense of turning,
///
///   w = ξ (s_k + share_k (f, r_k × f)),   |f| ≤ 1
///
/// with s_k the sliding friction of all the rest is linear in 1/ξ and f/ξ. Beside the face the
/// support creeps, with δ (cos α, sin α), and slides along f = (cos α, sin α): in δ and α nothing
/// is steep, while in x and y the direction turns round within δ.
///
/// Limits: microseconds per call. `sliding` is smooth but for supports; `hold` fails for a single
/// support, which cannot hold a torque.

#include "bristle/area/exact.hpp"
#include "bristle/area/law.hpp"

namespace bristle {

class ExactAreaLaw final : public AreaLaw {
 public:
  explicit ExactAreaLaw(PressedArea area);

  std::string name() const override { return "exact"; }
  Planar sliding(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override { return true; }
  const PressedArea& area() const noexcept { return area_; }

 private:
  /// Turning about a support in one sense: 1/ξ, and the force over its share that it would have
  /// to bear; on the face if that is at most 1.
  struct Face {
    const PointPiece* support;
    double sense, inverse_xi;
    Point2 force;
    Planar motion(double delta, double alpha) const noexcept;
  };
  bool make_face(const PointPiece& support, double sense, const Planar& wrench,
                 Face& face) const noexcept;
  /// Friction while the support creeps with δ towards α.
  Planar beside(const Face& face, double delta, double alpha) const noexcept;
  bool hold_beside(const Face& face, const Planar& wrench, Hold& hold) const noexcept;
  Hold hold_towards(const Planar& motion, double xi) const noexcept;

  PressedArea area_;
};

/// A length that makes spins comparable with slips, for laws over this area: the mean distance of
/// the pressure from the pole, m; 1 if all of it is at the pole.
double mean_distance(const PressedArea& area);

}  // namespace bristle
