#pragma once

/// Quasi-static pushing: how an object that lies on its area moves under a pusher (Lynch, Maekawa
/// and Tanie 1992; Goyal, Ruina and Papadopoulos 1991).
///
///   const EllipsoidLaw law = EllipsoidLaw::of(PressedArea::rectangle(0.2, 0.1));
///   const PushContact contact{.at = {-0.1, 0.02}, .normal = {1, 0}, .mu = 0.3};
///   const Push p = push(law, contact, {0.05, 0});      // p.motion, p.force, p.mode
///
/// Inertia is nothing beside friction, so the pusher's force balances the friction of the support:
/// its wrench (f, r × f) lies on the limit surface and the law's `hold` says which way the object
/// goes. All is in the object's frame, with moments and motions about its origin, as in the law.
///
/// The contact has a limit curve of its own. With ξ(w) of the law, ξ_c(f) = ξ(f, r × f) is a norm
/// of the force, and the velocity of the contact point
///
///   v_c = (v_x − ω r_y, v_y + ω r_x)  ∝  dξ_c/df
///
/// is normal to it. ξ_c is convex, so v_c turns the same way as f and stays within 90° of it:
/// θ(α), the angle of v_c from the normal n for a force at the angle α, grows with α and
/// |θ − α| < 90°. The edges α = ±arctan μ of the friction cone make the edges of the motion cone.
/// With θ_u the angle of the pusher's velocity u,
///
///   θ(−α_μ) ≤ θ_u ≤ θ(α_μ)    sticks: θ(α) = θ_u gives the force, v_c = u
///   θ_u > θ(α_μ)              slides to the left: f on the left edge, v_c·n = u·n
///   θ_u < θ(−α_μ)             slides to the right
///   u·n ≤ 0                   the pusher does not approach and the object stays
///
/// So for u·n > 0 there is one answer and no other, and it does not jump between modes. Left is
/// that of one who looks along n: t = (−n_y, n_x).
///
/// For the ellipsoid with half-axes μN, μN, cμN about the origin Lynch's closed form is
/// ω = (r × u)/(c² + r²), v = u − ω Jr while it sticks.
///
/// Limits: one contact, slow motion, the same pressure all the time. Laws that are not associated
/// may have several answers; one is given. Where the limit surface has a flat (area of a few
/// points) several forces go with a motion, one of which is given; where it has an edge the motions
/// on both sides are joined.

#include <vector>

#include "bristle/area/law.hpp"

namespace bristle {

struct PushContact {
  Point2 at = Point2::Zero();       ///< where it touches, m
  Point2 normal = Point2::UnitX();  ///< into the object; any length but 0
  double mu = 0;                    ///< between pusher and object

  /// Velocity of the object's point at the contact.
  Point2 velocity(const Planar& motion) const noexcept {
    return {motion.x() - motion.z() * at.y(), motion.y() + motion.z() * at.x()};
  }
  Planar wrench(const Point2& force) const noexcept {
    return {force.x(), force.y(), at.x() * force.y() - at.y() * force.x()};
  }
};

enum class PushMode { parted, sticking, sliding_left, sliding_right };
const char* name_of(PushMode mode) noexcept;

struct Push {
  PushMode mode = PushMode::parted;
  Planar motion = Planar::Zero();  ///< of the object, m/s and rad/s
  Point2 force = Point2::Zero();   ///< on the object, over the μN of its support
  double slip = 0;                 ///< of the pusher along the edge, to the left, m/s
  bool found = true;               ///< false if the law gave no direction
};

Push push(const AreaLaw& law, const PushContact& contact, const Point2& velocity) noexcept;

/// Motions for forces on the edges of the friction cone, scaled to a contact point that moves with
/// 1 m/s; a pusher whose velocity is between their contact velocities sticks.
struct MotionCone {
  Planar left = Planar::Zero(), right = Planar::Zero();
  bool found = true;
};
MotionCone motion_cone(const AreaLaw& law, const PushContact& contact) noexcept;

// ---- The path of a push ------------------------------------------------------------------------

/// The object's outline near the contact: a line, or an arc about `at + normal/curvature`.
struct PushEdge {
  Point2 at = Point2::Zero();       ///< where the push begins, m
  Point2 normal = Point2::UnitX();  ///< into the object, there
  double curvature = 0;             ///< 1/m; 1/R for a round object
  double left = 1e9, right = 1e9;   ///< how far the edge goes on either way, m

  /// The contact a distance s to the left of `at`.
  PushContact contact(double s, double mu) const noexcept;
};

struct PushState {
  double time = 0;
  Planar pose = Planar::Zero();  ///< of the object in the world: x, y, angle
  double s = 0;                  ///< of the pusher along the edge
  Push push{};                   ///< in the object's frame
};

struct PushPath {
  enum class End { done, parted, off_edge, failed };
  std::vector<PushState> states{};
  End end = End::done;
};
const char* name_of(PushPath::End end) noexcept;

struct PushPathOptions {
  double tolerance = 1e-9;  ///< of a step, in the law's lengths and in rad
  int most_steps = 100000;
};

/// The object from `start` while the pusher moves with `velocity`, in the world, for `duration`.
/// Adaptive steps of Dormand and Prince; modes change without jumps and need no events. Ends early
/// where the pusher parts from the object or comes to the end of the edge.
PushPath integrate_push(const AreaLaw& law, const PushEdge& edge, double mu, const Planar& start,
                        const Point2& velocity, double duration,
                        const PushPathOptions& options = {});

}  // namespace bristle
