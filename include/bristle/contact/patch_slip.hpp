#pragma once

/// One implicit step of the friction of a patch that slides and spins (patch_friction.hpp), over a
/// time h while
///
///   u̇ = b − c f_n − W F,   u = (v, r_gyr ω_n),   F = f_n w = (force, torque/r_gyr)
///
/// W the inverse mass that friction sees, c how the normal force drives the slip. As for points
/// (slip_step.hpp) the slip is frozen at û, the bristles are solved exactly on that path, and F̄(û)
/// is the mean of their force:
///
///   û = u + θ h (b − c f_n − W F̄(û)),   θ = ½ + x/(12 + 2x),   x = h W ∂F̄/∂u
///
/// At a given size of û and a given share of spin in it, F̄ is linear in û, so that û solves three
/// linear equations; beyond the limit curve the force is returned to it radially. What remains is
/// one scalar root, |û(ν)| = ν, with the share of spin following.

#include "bristle/contact/patch_friction.hpp"

namespace bristle {

struct PatchSlipProblem {
  Vector3 u = Vector3::Zero(), b = Vector3::Zero(), c = Vector3::Zero();
  Matrix3 w = Matrix3::Zero();
  double h = 1e-3;
};
struct PatchSlipAnswer {
  Vector3 force = Vector3::Zero();   ///< F̄, N
  Vector3 slip = Vector3::Zero();    ///< û
  Vector3 follow = Vector3::Zero();  ///< ∂F̄/∂f_n
  double theta = 0.5;                ///< û = u + θ (u' − u)
};

/// `patch` has the load, the radius of gyration and the curve; its slip is the one to start from.
PatchSlipAnswer patch_slip_step(const PatchFriction& law, const PatchSlip& patch,
                                const PatchFriction::State& state,
                                const PatchSlipProblem& problem) noexcept;

}  // namespace bristle
