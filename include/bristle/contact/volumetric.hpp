#pragma once

/// Contact over an area: forces from the volume that two undeformed solids share (Gonthier 2007;
/// Boos 2011 ch. 2, 4).
///
///   f_n = k_V V (1 + a v_cn),   never below 0; v_cn > 0 while the bodies approach
///   τ_r = −k_V a J ω_t          rolling resistance (print lacks the minus)
///   f_t, τ_s                    friction with spin (patch_friction.hpp)
///
/// all acting at the centre of pressure s_c. With `damping: restitution` a = d/(e v_i) as in the
/// law of point contact, v_i the speed at which the patch was made: a free, central impact returns
/// e v_i whatever the shapes and the stiffness, since k_V V is a function of the depth alone.
///
/// k_V is a constant of the pair, or of each body (`two-bodies`: 1/k_V = 1/k_a + 1/k_b, and s_c
/// moves towards the softer body), or follows the patch: `modulus`, k_V = 2 E*/(π r), r = √2 r_gyr,
/// exact for a flat round punch, and Hertz's order for a sphere.
///
/// J is the Winkler tensor M; J_s and J_V, the papers' choices, are selectable: they are up to 0.5
/// % larger for shallow contacts and up to 29 % at cones and corners.
///
/// Several patches between two bodies push each on its own. Where patches with different normals
/// merge, the sum of their forces turns abruptly: a property of the model.

#include <string_view>

#include "bristle/contact/patch_friction.hpp"
#include "bristle/contact/rolling.hpp"
#include "bristle/core/model.hpp"
#include "bristle/shape/overlap.hpp"

namespace bristle {

enum class VolumetricStiffness { constant, modulus, two_bodies };
enum class VolumetricDamping { restitution, constant };
enum class PatchNormal { area, eigenvector };

struct VolumetricLaw : PatchFriction {
  VolumetricStiffness stiffness = VolumetricStiffness::constant;
  double k_v = 1e9, e_star = 1e9, k_a = 2e9, k_b = 2e9;
  VolumetricDamping damping = VolumetricDamping::restitution;
  double e = 0.5, alpha = 0, v_floor = 1e-3, a = 0;
  RollingTensor tensor = RollingTensor::M;
  PatchNormal normal = PatchNormal::area;

  static constexpr auto describe() {
    using L = VolumetricLaw;
    return description(
        Page{
            .name = "volumetric",
            .title = "Volumetric contact",
            .source = "Gonthier 2007; Boos 2011 (2.6)–(2.18), (4.31)–(4.42)",
            .formula =
                R"(f_n = k_V V (1 + a\,v_{cn}),\quad \tau_r = -k_V a\,J\,\omega_t,\quad f_t = -f_n\,[\operatorname{sat}(\sigma_0 z + \sigma_1\dot z) + \sigma_2 v],\quad \tau_s = -r_{gyr}^2 f_n\,[\operatorname{sat}(\sigma_0\theta+\sigma_1\dot\theta) + \sigma_2\omega_n])",
            .use = "Bodies that touch over an area: conforming or not, sliding, spinning and "
                   "rolling at once.",
            .limits = "A bed of springs: no coupling between neighbouring points, so k_V depends "
                      "on the geometry. Defined only while the volume has a direction: not for a "
                      "body inside or right through another.",
            .printed = "(2.10) lacks a minus; (2.18) has its sign reversed; (4.5), (4.7) and "
                       "(4.34) have one r_gyr too many",
            .advance = ""},
        fields(
            choice(&L::stiffness, "stiffness", {"constant", "modulus", "two-bodies"},
                   "where k_V comes from: k_v, e_star and the patch, or k_a and k_b"),
            field(&L::k_v, "k_v", "k_V", "N/m^3", above(0), usual(1e6, 1e14),
                  "volumetric stiffness of the pair"),
            field(&L::e_star, "e_star", "E*", "N/m^2", above(0), usual(1e5, 1e12),
                  "contact modulus, 1/E* = sum of (1-nu^2)/E; for stiffness: modulus"),
            field(&L::k_a, "k_a", "k_{V,a}", "N/m^3", above(0), usual(1e6, 1e14),
                  "of the first body; for stiffness: two-bodies"),
            field(&L::k_b, "k_b", "k_{V,b}", "N/m^3", above(0), usual(1e6, 1e14),
                  "of the second body; for stiffness: two-bodies"),
            choice(&L::damping, "damping", {"restitution", "constant"},
                   "where a comes from: e and the approach speed, or the parameter a"),
            field(&L::e, "e", "e", "1", between(0, 1), usual(0.01, 1),
                  "restitution of a free impact, at low speed; below 0.001 counts as 0.001"),
            field(&L::alpha, "alpha", "α", "s/m", at_least(0), usual(0, 0.1),
                  "how fast restitution falls with speed: e(v_i) = e − α v_i"),
            field(&L::v_floor, "v_floor", "v_floor", "m/s", above(0), usual(1e-5, 1e-2),
                  "approach speed below which damping grows no further"),
            field(&L::a, "a", "a", "s/m", at_least(0), usual(0, 1e5),
                  "damping; for damping: constant"),
            choice(&L::tensor, "tensor", {"M", "J_s", "J_V"}, "of the rolling resistance"),
            choice(&L::normal, "normal", {"area", "eigenvector"},
                   "n from the vector area, or the eigenvector of J_V nearest to it"),
            field(&L::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                  "static coefficient after a long rest"),
            field(&L::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1), "kinetic coefficient")
                .also("mu_d", "mu_c"),
            field(&L::sigma0, "sigma0", "σ_0", "1/m", above(0), usual(1e3, 1e6),
                  "bristle stiffness per newton of load"),
            field(&L::sigma1, "sigma1", "σ_1", "s/m", above(0), usual(1, 1e3),
                  "bristle damping per newton of load"),
            field(&L::sigma2, "sigma2", "σ_2", "s/m", at_least(0), usual(0, 1),
                  "viscous coefficient per newton of load"),
            field(&L::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                  "Stribeck speed: slower counts as sticking"),
            field(&L::tau_dw, "tau_dw", "τ_dw", "s", above(0), usual(1e-2, 10),
                  "dwell time constant: how fast static friction builds up at rest"),
            field(&L::v_eps, "v_eps", "v_ε", "m/s", at_least(0), usual(1e-6, 1e-4),
                  "speed below which directions are smoothed; 0 means v_s/100"),
            choice(&L::coupling, "coupling", {"disc", "contensou"},
                   "how sliding and spin share friction: exact for a round patch, or the thesis's "
                   "factors")),
        orders(Order{"mu_s", "mu_k"}));
  }
  // By name, as core/model.hpp asks for.
  static const ModelInfo& info();
  double get(std::string_view key) const;
  void set(std::string_view key, double value);
  void check() const;

  /// k_V of this patch.
  double stiffness_of(const Patch& patch) const noexcept;
  /// a of a contact made at the approach speed v_i.
  double damping_of(double v_i) const noexcept;
  const Matrix3& rolling_tensor(const Patch& patch) const noexcept;
};

/// How A moves against B at a point, world axes.
struct Motion {
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();
};

/// What a patch remembers; world axes.
struct PatchMemory {
  Vector3 z = Vector3::Zero();  ///< bristle deflection, in the tangent plane
  double theta = 0;             ///< about the normal, rad
  double s_dw = 0;
  double a = 0;  ///< damping, latched when the patch was made
};

/// Force and torque on A at s_c, world axes; B gets the opposite. And where the power goes.
struct PatchWrench {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  double fn = 0;
  Vector3 friction = Vector3::Zero();  ///< the tangential part of `force`
  double spin_torque = 0;              ///< the part of `torque` about n
  Vector3 rolling_torque = Vector3::Zero();
  double elastic_power = 0;   ///< k_V V v_cn, W: into the springs
  double damped = 0;          ///< lost in the normal direction and by rolling, W
  double friction_power = 0;  ///< taken by friction and its bristles, W
  double bristles = 0;        ///< energy in them, J
};

/// The geometry as the law wants it: its normal, its s_c.
Patch law_patch(const VolumetricLaw& law, const Overlap& overlap,
                const Vector3& last_normal) noexcept;

/// `motion` is at patch.surface_centroid. Also the rates of the memory: of z, theta and s_dw. z is
/// carried with the surfaces: about n with `mean_spin`, the mean angular velocity of both bodies;
/// with n as it turns, since only its direction within the tangent plane counts.
PatchWrench patch_wrench(const VolumetricLaw& law, const Patch& patch, const Motion& motion,
                         const Vector3& mean_spin, const PatchMemory& memory,
                         PatchMemory* rate = nullptr) noexcept;

/// z turned into the tangent plane of n, its length kept.
Vector3 in_plane(const Vector3& z, const Vector3& n) noexcept;

}  // namespace bristle
