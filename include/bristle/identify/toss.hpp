#pragma once

/// Tosses of a rigid box onto a plane: what their records say, and what is odd about them.
///
/// A toss is a motion-capture record: position of the centre, rotation, and what the file calls
/// velocity and spin. Those two are only as good as the filter that made them, so their meaning is
/// tested against the poses (examine_velocity, examine_spin); lengths are tested against gravity
/// (free_fall) and against the height at which the box comes to rest.
///
/// Everything here is in the lengths and the time of the record. Coefficients of friction and
/// restitution do not change if lengths are wrong by a common factor, provided that gravity is that
/// of the record too.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "bristle/identify/robust.hpp"
#include "bristle/shape/mass_properties.hpp"

namespace bristle {

struct Toss {
  int id = 0;
  double step = 0;  ///< s, between samples
  std::vector<Pose> pose{};
  std::vector<Vector3> velocity{}, spin{};  ///< as recorded

  std::size_t size() const noexcept { return pose.size(); }
};

struct TossedBox {
  Vector3 edges{0.1, 0.1, 0.1};  ///< full lengths
  double mass = 1;
  double gravity = 9.81;  ///< along −z
  double plane = 0;       ///< height of the plane

  /// Of the solid, body axes.
  Vector3 solid_inertia() const noexcept;
  /// Of the same mass spread over thin walls.
  Vector3 hollow_inertia() const noexcept;
  Vector3 corner(int index) const noexcept;  ///< body axes; bits 0, 1, 2 say +x, +y, +z
};

/// Height of the lowest corner above the plane, and how much higher the next one is.
struct LowestCorner {
  int index = 0;
  double height = 0, next = 0;
};
LowestCorner lowest_corner(const TossedBox& box, const Pose& pose) noexcept;

// ---- what the columns mean --------------------------------------------------------------------

enum class SpinFrame { body, world };
/// Median distance of the recorded spin from that of the rotations, in either frame, rad/s.
struct SpinExam {
  double body = 0, world = 0;
  SpinFrame frame() const noexcept { return body <= world ? SpinFrame::body : SpinFrame::world; }
};
SpinExam examine_spin(std::span<const Toss> tosses);
/// Turns spins given in body axes into world axes, which all that follows expects.
void spin_to_world(std::span<Toss> tosses);

enum class Difference { backward, central, forward };
/// Median distance of the recorded velocity from each difference of the positions, m/s.
struct VelocityExam {
  double backward = 0, central = 0, forward = 0;
  Difference kind() const noexcept;
};
VelocityExam examine_velocity(std::span<const Toss> tosses);

// ---- gravity, rest, impacts, slides -----------------------------------------------------------

/// Second derivative of the height, m/s² (negative), of a parabola through each toss up to where
/// the lowest corner comes within `clearance` of the plane.
std::vector<double> free_falls(std::span<const Toss> tosses, const TossedBox& box,
                               double clearance = 3e-3);
/// Height of the centre at the end over half the edge that stands upright.
std::vector<double> rest_ratios(std::span<const Toss> tosses, const TossedBox& box);

/// The first impact of a toss on one clear corner. Flights before and after are fitted with the
/// gravity of the box (straight lines of x + g t²/2); where they meet in height is the time of the
/// impact.
struct CornerImpact {
  int toss = 0;
  int samples = 0;                                    ///< over which the velocity jumps
  Vector3 arm{0, 0, 0};                               ///< from the centre to the corner
  Vector3 before{0, 0, 0}, after{0, 0, 0};            ///< velocities of the centre
  Vector3 spin_before{0, 0, 0}, spin_after{0, 0, 0};  ///< world axes
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  double depth = 0;  ///< of the corner below the plane at that time
  /// Velocity and spin after as single samples have them: the last of the jump, the next, and the
  /// one after that; carried to the time of the impact by gravity.
  std::array<Vector3, 3> sample_after{}, sample_spin{};
  /// By samples alone, as where no flights are fitted: the last before the jump with the arm at its
  /// rotation, and the same three after it; carried to the middle of the first step of the jump.
  Vector3 plain_before{0, 0, 0}, plain_spin{0, 0, 0}, plain_arm{0, 0, 0};
  std::array<Vector3, 3> plain_after{};

  Vector3 corner_before() const { return before + spin_before.cross(arm); }
  Vector3 corner_after() const { return after + spin_after.cross(arm); }
  double restitution() const { return -corner_after().z() / corner_before().z(); }
  /// The same by one of the samples after the impact.
  double restitution_by(std::size_t sample) const;
  /// The same by samples alone, before the impact too.
  double restitution_between(std::size_t sample) const;
  /// The corner slid in one direction all through: |p_t|/p_n is the coefficient of friction.
  bool slides(double least_speed = 0.15, double least_cosine = 0.8) const;
  /// |p_t|/p_n, from the change of the velocity of the centre.
  double impulse_ratio() const;
  double impulse_ratio_by(std::size_t sample) const;
  /// The inertia in units of `solid` that the impulse and the change of spin ask for.
  double inertia_factor(const TossedBox& box) const;
};

struct ImpactOptions {
  double least_jump = 0;      ///< of the vertical velocity, m/s; 0: from the noise of the flights
  double clear_corner = 0;    ///< the next corner is higher by so much; 0: a tenth of the edge
  double least_speed = 0.3;   ///< of approach, m/s
  int before = 8, after = 8;  ///< most samples of the flights
};

/// What the velocity jumps by in flight from noise alone, times 8.
double least_jump(std::span<const Toss> tosses, const TossedBox& box);
std::vector<CornerImpact> first_impacts(std::span<const Toss> tosses, const TossedBox& box,
                                        const ImpactOptions& options = {});

/// Decelerations of boxes that slide on a face without turning, m/s²: straight lines through the
/// speed of episodes of at least six samples.
std::vector<double> face_slides(std::span<const Toss> tosses, const TossedBox& box);

}  // namespace bristle
