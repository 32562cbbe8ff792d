#pragma once

/// Two materials meet: how their properties combine.
///
/// **Moduli and shapes.** 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ and 1/R = 1/R₁ + 1/R₂ (R < 0: a bore);
/// then Hertz's k = 4/3 E* √R and the flat punch's k = 2 r E*.
///
/// **Stiffnesses.** k₁ and k₂ are those of each material against a rigid body. Two rules:
///
///   one contact     1/k = 1/k₁ + 1/k₂, for every exponent p
///   two layers      k^(−1/p) = k₁^(−1/p) + k₂^(−1/p)
///
/// The first is Hertz's: both surfaces share one contact area, k = 4/3 E* √R is in proportion to
/// E*, and compliances (1 − ν²)/E add. It also holds for volumetric stiffness. The second is for
/// springs that lie one behind the other, each with its own f = k_i δ_i^p (a coating on a pad, a
/// Winkler foundation): the forces are equal, so δ = δ₁ + δ₂ = f^(1/p) (k₁^(−1/p) + k₂^(−1/p)); for
/// p = 3/2 the exponents are −2/3 and −3/2. For p = 1 the two agree. For equal materials and p =
/// 3/2 they give k/2 and k/2^1.5 = 0.35 k.
///
/// **Restitution and friction** are properties of a pair, not of a material. A table of measured
/// pairs comes first; a rule of mixing is only the fallback, the geometric mean unless another is
/// chosen.
///
///   PairTable pairs;
///   pairs.set("steel", "rubber", {.e = 0.6, .mu = 0.8});
///   combine({"steel", 1e9, 0.9, 0.15}, {"rubber", 1e5, 0.7, 0.9}, pairs);   // e = 0.6, mu = 0.8

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::normal {

/// An elastic solid: Young's modulus, Pa, and Poisson's ratio.
template <class T = double>
struct Elastic {
  T E, nu;
};

/// E* of a solid against a rigid one, and of a pair.
template <class T>
T effective_modulus(const Elastic<T>& one) noexcept {
  return one.E / (T(1) - one.nu * one.nu);
}
template <class T>
T effective_modulus(const Elastic<T>& one, const Elastic<T>& other) noexcept {
  return T(1) / (T(1) / effective_modulus(one) + T(1) / effective_modulus(other));
}
/// 1/R = 1/R₁ + 1/R₂. A plane has an infinite radius, a bore a negative one.
template <class T>
T effective_radius(const T& one, const T& other) noexcept {
  return T(1) / (T(1) / one + T(1) / other);
}
/// 4/3 E* √R, N/m^(3/2).
template <class T>
T hertz_stiffness(const T& modulus, const T& radius) noexcept {
  using std::sqrt;
  return T(4.0 / 3) * modulus * sqrt(radius);
}
/// 2 r E*, N/m.
template <class T>
T flat_punch_stiffness(const T& modulus, const T& radius) noexcept {
  return T(2) * radius * modulus;
}

/// Stiffness of a pair that shares one contact: harmonic, for every exponent.
template <class T>
T one_contact(const T& k1, const T& k2) noexcept {
  return T(1) / (T(1) / k1 + T(1) / k2);
}
/// Stiffness of two layers one behind the other, each with exponent p.
template <class T>
T two_layers(const T& k1, const T& k2, const T& p) noexcept {
  using std::pow;
  return pow(pow(k1, T(-1) / p) + pow(k2, T(-1) / p), -p);
}

/// How numbers that belong to a pair are guessed from two materials.
enum class Mix { geometric, minimum, average, maximum };
/// "geometric", …; InputError naming the nearest for any other name.
Mix mix_named(std::string_view name);
std::string_view to_string(Mix mix);
double mixed(Mix mix, double one, double other) noexcept;

/// What is needed of a material, with k its stiffness against a rigid body.
struct Material {
  std::string name;
  double k = 0, e = 0, mu = 0;
};
/// A measured pair: what is absent falls back to mixing.
struct PairValues {
  std::optional<double> k{}, e{}, mu{};
};
struct Pair {
  double k = 0, e = 0, mu = 0;
};

/// Measured pairs, in either order.
class PairTable {
 public:
  /// Replaces what was known of the pair.
  void set(std::string_view one, std::string_view other, const PairValues& values);
  /// All absent for an unknown pair.
  PairValues find(std::string_view one, std::string_view other) const;

 private:
  struct Row {
    std::string one, other;
    PairValues values;
  };
  std::vector<Row> rows_;
};

/// From the table where it has the pair; else k as one contact, e and mu mixed.
Pair combine(const Material& one, const Material& other, const PairTable& pairs = {},
             Mix mix = Mix::geometric);

}  // namespace bristle::normal
