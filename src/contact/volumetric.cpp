#include "bristle/contact/volumetric.hpp"

#include <cmath>
#include <numbers>

#include "bristle/normal/law.hpp"
#include "bristle/shape/touch.hpp"

namespace bristle {

// ---- By name ----------------------------------------------------------------------------------

const ModelInfo& VolumetricLaw::info() {
  static const ModelInfo info = model_info<VolumetricLaw>();
  return info;
}
double VolumetricLaw::get(std::string_view key) const {
  return get_parameter(*this, info().at(key));
}
void VolumetricLaw::set(std::string_view key, double value) {
  set_parameter(*this, checked_parameter(info(), key, value), value);
}
void VolumetricLaw::check() const {
  for (const Order& order : info().orders) {
    check_order(info(), order, get(order.greater), get(order.smaller));
  }
}

// ---- The law ----------------------------------------------------------------------------------

double VolumetricLaw::stiffness_of(const Patch& patch) const noexcept {
  switch (stiffness) {
    case VolumetricStiffness::constant:
      return k_v;
    case VolumetricStiffness::two_bodies:
      return k_a * k_b / (k_a + k_b);
    case VolumetricStiffness::modulus:
      break;
  }
  return 2 * e_star / (std::numbers::pi * std::numbers::sqrt2 * patch.r_gyr);
}

double VolumetricLaw::damping_of(double v_i) const noexcept {
  if (damping == VolumetricDamping::constant) return a;
  const double asked = normal::held_between(e - alpha * v_i, normal::e_floor, 1.0);
  return normal::restitution_damping(asked) / std::fmax(v_i, v_floor);
}

const Matrix3& VolumetricLaw::rolling_tensor(const Patch& patch) const noexcept {
  if (tensor == RollingTensor::M) return patch.M;
  return tensor == RollingTensor::J_s ? patch.J_s : patch.J_V;
}

Patch law_patch(const VolumetricLaw& law, const Overlap& overlap,
                const Vector3& last_normal) noexcept {
  Patch patch = make_patch(overlap, last_normal);
  if (law.normal == PatchNormal::eigenvector && patch.directed) {
    patch = make_patch(seen_along(overlap, eigen_normal(patch)), last_normal);
  }
  if (law.stiffness == VolumetricStiffness::two_bodies) {
    share_deformation(patch, law.k_a, law.k_b);
  }
  return patch;
}

Vector3 in_plane(const Vector3& z, const Vector3& n) noexcept {
  const double length = z.norm();
  if (!(length > 0)) return Vector3::Zero();
  const Vector3 flat = z - z.dot(n) * n;
  const double left = flat.norm();
  return left > 1e-12 * length ? Vector3(flat * (length / left)) : Vector3::Zero();
}

PatchWrench patch_wrench(const VolumetricLaw& law, const Patch& patch, const Motion& motion,
                         const Vector3& mean_spin, const PatchMemory& memory,
                         PatchMemory* rate) noexcept {
  PatchWrench out;
  if (rate != nullptr) *rate = {};
  if (!(patch.volume > 0)) return out;
  const Vector3& n = patch.normal;
  const double v_cn = n.dot(motion.velocity), k_v = law.stiffness_of(patch);
  const double elastic = k_v * patch.volume;
  out.fn = std::fmax(0.0, elastic * (1 + memory.a * v_cn));
  if (n.isZero(0)) out.fn = 0;  // nowhere to push, and no normal to hold on to
  out.elastic_power = elastic * v_cn;

  const double omega_n = n.dot(motion.spin);
  const Vector3 v = motion.velocity - v_cn * n, omega_t = motion.spin - omega_n * n;
  const TangentBasis basis =
      tangent_basis(n, std::abs(n.x()) < 0.7 ? Vector3::UnitX() : Vector3::UnitY());
  const Vector3 z = in_plane(memory.z, n);
  PatchSlip slip;
  slip.u = {basis.e1.dot(v), basis.e2.dot(v), patch.r_gyr * omega_n};
  slip.fn = out.fn;
  slip.r_gyr = patch.r_gyr;
  slip.curve = LimitCurve::from_depths(patch.mean_depth, patch.depth);
  const PatchFriction::State state{{basis.e1.dot(z), basis.e2.dot(z), patch.r_gyr * memory.theta},
                                   memory.s_dw};
  if (out.fn > 0) {
    const Vector3 w = law.wrench(slip, state);
    out.friction = -out.fn * (w[0] * basis.e1 + w[1] * basis.e2);
    out.spin_torque = -out.fn * patch.r_gyr * w[2];
    out.rolling_torque = -k_v * memory.a * (law.rolling_tensor(patch) * omega_t);
    out.rolling_torque -= out.rolling_torque.dot(n) * n;
  }
  out.force = -out.fn * n + out.friction;
  out.torque = out.spin_torque * n + out.rolling_torque;
  out.damped = out.fn * v_cn - out.elastic_power - out.rolling_torque.dot(omega_t);
  out.friction_power = -out.friction.dot(v) - out.spin_torque * omega_n;
  out.bristles = law.stored(slip, state);
  if (rate != nullptr) {
    const PatchFriction::State d = law.rate(slip, state);
    rate->z = d.p[0] * basis.e1 + d.p[1] * basis.e2 + n.dot(mean_spin) * n.cross(z);
    rate->theta = patch.r_gyr > 0 ? d.p[2] / patch.r_gyr : 0;
    rate->s_dw = d.s_dw;
  }
  return out;
}

}  // namespace bristle
