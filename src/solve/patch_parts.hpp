#pragma once

// What a WorldStepper has of contacts over areas. Looks at the geometry are in
// world_patch_looks.cpp, touch-down and parting in world_patch_touch.cpp, the forces of a sub-step
// in world_patch_step.cpp.
//
// A pair of meshes takes a hundred times longer to look at than a sub-step takes to solve, so a
// patch has a model of itself that serves between looks. Along its normal it is a press,
//
//   f = k x^p (1 + a v),   p = (largest depth)/(mean depth),   x = p V/A,   k x^p = k_V V,
//
// which has the force, the stiffness k_V A and the energy of the bed of springs, exactly for flat
// faces, cones and (to δ/3R) spheres; press_step.hpp solves it. Across the normal the bed resists
// tilting with k_V J, J = (A/V)(1 + (p−1)/2) M the second moments of its area, exact for the same
// shapes; the centre of pressure stays where it was seen, and the tilt since then gives the torque.

#include <memory>
#include <vector>

#include "bristle/contact/patch_slip.hpp"
#include "bristle/contact/press_step.hpp"
#include "bristle/contact/volumetric.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "bristle/solve/impact.hpp"
#include "bristle/solve/patch_slots.hpp"
#include "bristle/system/world.hpp"
#include "movers.hpp"

namespace bristle::detail {

/// A finder that can be copied: the copy has its own memory.
class AreaFinder {
 public:
  AreaFinder(Shape a, Shape b) : a_(std::move(a)), b_(std::move(b)), finder_(a_, b_) {}
  AreaFinder(const AreaFinder& o) : AreaFinder(o.a_, o.b_) {}
  AreaFinder& operator=(const AreaFinder& o) { return *this = AreaFinder(o); }
  AreaFinder(AreaFinder&&) noexcept = default;
  AreaFinder& operator=(AreaFinder&&) noexcept = default;
  ~AreaFinder() = default;

  OverlapFinder* operator->() noexcept { return &finder_; }
  const OverlapFinder* operator->() const noexcept { return &finder_; }

 private:
  Shape a_, b_;
  OverlapFinder finder_;
};

/// Along n, e1, e2: velocities of A against B, or the forces that resist them; then about n, e1,
/// e2.
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Duration of an elastic impact is this times x_max/v: 2∫ds/√(1 − s^{p+1}) from 0 to 1.
double duration_factor(double p) noexcept;

/// Answers what contacts over areas ask.
template <class M>
concept MovesAreas = requires(M m, const Vector3& p) { m.respond_all(0, p); };

/// One patch of a pair.
struct PatchSite {
  PatchSlot slot{};
  PatchMemory memory{};
  Patch patch{};  ///< of the last look
  bool impact = false;
  bool fresh = false;     ///< was not there before this look
  bool startled = false;  ///< this sub-step is too long for what happens to it
  bool spent = false;     ///< has given back what it took and pushes no more until it is hit again
  double v_i = 0, duration = 0, age = 0, k_top = 0;
  // The model: depth at the start of the sub-step, tilt of A against B since the last look.
  Press<double> press{};
  double k_v = 0, x = 0;
  Vector3 tilt = Vector3::Zero();
  Vector3 slip_last = Vector3::Zero();  ///< û of the step before
  Vector6 g_last = Vector6::Zero();
  // Of the sub-step, in the middle of it:
  ContactFrame frame{Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitY()};
  Vector3 p = Vector3::Zero();
  Vector3 ground_velocity = Vector3::Zero(), ground_spin = Vector3::Zero();  ///< of fixed sides
  Vector6 y0 = Vector6::Zero(), y1 = Vector6::Zero();
  Matrix6 w = Matrix6::Zero();
  Eigen::Matrix2d stiff = Eigen::Matrix2d::Zero(), damp = Eigen::Matrix2d::Zero();
  Eigen::Matrix2d resist = Eigen::Matrix2d::Zero();  ///< torque per tilting rate without it
  Eigen::Matrix4d w_held = Eigen::Matrix4d::Zero();  ///< w of the rest, the tilt following
  Eigen::Vector2d tilt0 = Eigen::Vector2d::Zero();
  // Found:
  Vector6 g = Vector6::Zero();  ///< mean resistances
  PressStep pressed{};
  PatchSlipAnswer answer{};
  double bn = 0;
  double nudged = 0;  ///< work of other forces on it as the depth is put right

  bool active() const noexcept { return slot.active; }
  /// A length of the patch: torques over it are forces.
  double reach() const noexcept { return patch.r_gyr > 0 ? patch.r_gyr : 1; }

  /// What the next step depends on.
  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.slot.active, s.slot.place, s.slot.normal, s.slot.volume, s.slot.area, s.slot.a, s.memory.z,
      s.memory.theta, s.memory.s_dw, s.memory.a, s.impact, s.spent, s.v_i, s.duration, s.age,
      s.k_top, s.press.k, s.press.p, s.press.a, s.k_v, s.x, s.tilt, s.slip_last, s.g_last, s.y1,
      s.bn, s.p, s.frame.n, s.frame.e1, s.frame.e2, s.patch.volume, s.patch.area,
      s.patch.mean_depth, s.patch.depth, s.patch.r_gyr, s.patch.volume_centroid,
      s.patch.surface_centroid, s.patch.normal);
    const auto columns = [&](auto& m) {
      for (int k = 0; k < 3; ++k) {
        auto column = m.col(k);
        f(column);
      }
    };
    columns(s.patch.J_V);
    columns(s.patch.J_s);
    columns(s.patch.M);
  }
};

/// A volumetric pair.
struct AreaPair {
  int index = 0;         ///< of World::pairs
  int ma = -1, mb = -1;  ///< movers; −1: fixed
  Side a{}, b{};
  VolumetricLaw law{};
  AreaFinder finder;
  bool costly = false;  ///< meshes: looks are rationed
  std::vector<PatchSite> sites{}, found{};
  std::vector<PatchPlace> places{};
  std::vector<PatchSlot> slots{};  ///< copies side by side, for the rules of patch_slots.hpp
  std::vector<PatchMemory> memories{};
  int active = 0;    ///< patches
  int looks = 0;     ///< left in this outer step
  double seen = 0;   ///< time since the last look
  double touch = 0;  ///< when its first patch was made, in the flight just made
  bool failed = false;
  bool lies = false;  ///< without a patch yet, but there at the start
  Impact open{};

  /// A and B as they move: slip is that of A against B.
  struct Mover {
    int m, link;
    double sign;
  };
  std::array<Mover, 2> movers() const noexcept {
    return {Mover{ma, a.link, 1}, Mover{mb, b.link, -1}};
  }

  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.active, s.lies, s.open.t, s.open.t_out, s.open.v_in, s.open.slip_in, s.open.impulse,
      s.open.lost);
  }
};

}  // namespace bristle::detail
