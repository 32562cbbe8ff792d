#pragma once

/// Friction laws: the one interface.
///
/// A law is a plain value type, `template <class P> struct LuGre`, whose members are its
/// parameters. P is the scalar of the parameters; the functions are templates over the scalar T of
/// slip, load and state (T is P, or P is double) and over the number D of tangent components.
/// Nothing allocates, locks or throws.
///
/// Signs. v is the slip velocity of body A against body B. F is friction as a resistance: F > 0
/// resists v > 0, the force on A is −F. f_n ≥ 0 is the normal load; with no load every F is 0 and
/// the state is that of a fresh contact.
///
/// Every law has
///   State<T, D>                  what it remembers (empty for velocity-only laws)
///   initial(fn)                  the state of a contact that has rested unloaded in shear
///   relax(fn, state)             the state admitted under this load (stored deflection returns at
///                                once when the load falls; the difference is dissipated)
///   steady(v, fn)                the force after a long time at constant v
///   bound(v, fn)                 a number that |F| never exceeds at this v
///   stored(fn, state)            energy held by the bristles, J
///   dissipation(slip, state)     F·v − d(stored)/dt at constant load, W, from its own formula
///   passive(fn)                  true where dissipation is proved never to be negative
///   mean_force(slip, state, dt)  where it has a closed form: the mean of F over dt at frozen slip
/// and the functions of the capabilities below, of which it offers only those it has. A solver asks
/// for what it needs by concept (or by `Capability` at run time) and refuses a law by name.

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "bristle/core/describe.hpp"
#include "bristle/core/tangent.hpp"

namespace bristle {

/// What the contact tells the law.
template <class T, int D>
struct Slip {
  Tangent<T, D> v = zero<T, D>();      ///< slip velocity, m/s
  T fn = T(1);                         ///< normal load, N
  Tangent<T, D> f_e = zero<T, D>();    ///< friction that would hold the contact still, N: computed
                                       ///< by the solver for all contacts together
  Tangent<T, D> v_lag = zero<T, D>();  ///< slip velocity a delay ago, m/s (delayed laws)
  bool keep_mode = false;              ///< the solver locates changes of mode itself: a hybrid law
                                       ///< answers in the mode it is in, smoothly past its guard
};

/// Slip without history or holding force: v_lag = v, f_e = 0.
template <class T, int D>
Slip<T, D> sliding(const Tangent<T, D>& v, const T& fn) noexcept {
  return {v, fn, zero<T, D>(), v, false};
}

/// Loads below this count as no contact: small enough for any unit, large enough that no product
/// with a stiffness leaves the normal numbers.
template <class T>
bool loaded(const T& fn) noexcept {
  return value_of(fn) > 1e-250;
}

enum class Mode : std::uint8_t { stick, slip, breaking };

// ---- States -------------------------------------------------------------------------------------
// A state lists its members once, in `visit`; saving, restoring, comparing and naming of columns
// are generated from that.

template <class T, int D>
struct NoState {
  template <class S, class F>
  static void visit(S&, F&&) noexcept {}
  bool operator==(const NoState&) const = default;
};

/// Mean bristle deflection.
template <class T, int D>
struct Deflection {
  Tangent<T, D> z = zero<T, D>();
  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f("z", "m", s.z);
  }
  bool operator==(const Deflection&) const = default;
};

// ---- Capabilities -------------------------------------------------------------------------------

template <class L>
using StateOf = typename L::template State<double, 2>;

/// The least that every law offers.
template <class L>
concept FrictionLaw = requires(const L law, const Tangent<double, 2> v, const double fn,
                               const StateOf<L> state, const Slip<double, 2> slip) {
  { law.initial(fn) } -> std::same_as<typename L::template State<double, 1>>;
  { law.relax(fn, state) } noexcept -> std::same_as<StateOf<L>>;
  { law.steady(v, fn) } noexcept -> std::same_as<Tangent<double, 2>>;
  { law.bound(v, fn) } noexcept -> std::same_as<double>;
  { law.stored(fn, state) } noexcept -> std::same_as<double>;
  { law.dissipation(slip, state) } noexcept -> std::same_as<double>;
  { law.passive(fn) } noexcept -> std::same_as<bool>;
  L::describe();
};

/// rate, force and advance: F is a function of slip, load and state, and the state has a rate.
template <class L>
concept Dynamic = FrictionLaw<L> && requires(const L law, const Slip<double, 2> slip,
                                             const StateOf<L> state, const double dt) {
  { law.rate(slip, state) } noexcept -> std::same_as<StateOf<L>>;
  { law.force(slip, state) } noexcept -> std::same_as<Tangent<double, 2>>;
  { law.advance(slip, state, dt) } noexcept -> std::same_as<StateOf<L>>;
};

/// Set-valued at rest: any force up to stick_limit(fn) while |v| ≤ stick_band(); slip_force else.
template <class L>
concept SetValued =
    FrictionLaw<L> && requires(const L law, const Tangent<double, 2> v, const double fn) {
      { law.slip_force(v, fn) } noexcept -> std::same_as<Tangent<double, 2>>;
      { law.stick_limit(fn) } noexcept -> std::same_as<double>;
      { law.stick_band() } noexcept;
    };

/// A mode in the state; guard(slip, state) rises through 0 where jump(slip, state) changes it.
template <class L>
concept Hybrid =
    Dynamic<L> && requires(const L law, const Slip<double, 2> slip, const StateOf<L> state) {
      { law.guard(slip, state) } noexcept -> std::same_as<double>;
      { law.jump(slip, state) } noexcept -> std::same_as<StateOf<L>>;
    };

/// F and its state's rate are continuous functions: any integrator will do.
template <class L>
concept Smooth = Dynamic<L> && !Hybrid<L>;

/// Needs v(t − delay()), which the solver keeps in a history sized at set-up.
template <class L>
concept Delayed = FrictionLaw<L> && requires(const L law) {
  { law.delay() } noexcept;
};

/// Draws random numbers, keyed by its seed and by counters in the state.
template <class L>
concept Random = FrictionLaw<L> && requires(const L law) {
  { law.seed } -> std::convertible_to<int>;
};

template <class L>
concept HasMemory = !std::is_empty_v<StateOf<L>>;

enum class Capability : std::uint8_t {
  smooth,
  set_valued,
  hybrid,
  delayed,
  random,
  memory,
  wrench
};
inline constexpr std::array<Capability, 7> capabilities{
    Capability::smooth, Capability::set_valued, Capability::hybrid, Capability::delayed,
    Capability::random, Capability::memory,     Capability::wrench};
std::string_view to_string(Capability capability);
/// What having the capability means, in one sentence.
std::string_view meaning(Capability capability);

template <FrictionLaw L>
constexpr bool has(Capability capability) {
  switch (capability) {
    case Capability::smooth:
      return Smooth<L>;
    case Capability::set_valued:
      return SetValued<L>;
    case Capability::hybrid:
      return Hybrid<L>;
    case Capability::delayed:
      return Delayed<L>;
    case Capability::random:
      return Random<L>;
    case Capability::memory:
      return HasMemory<L>;
    case Capability::wrench:
      return true;  // point laws adapt, see wrench()
  }
  return false;
}

// ---- Common evaluation --------------------------------------------------------------------------

/// Friction of any law. A set-valued law within its band answers with the holding force f_e as far
/// as its limit allows, and beyond that with the limit along f_e.
template <FrictionLaw L, class T, int D>
Tangent<T, D> friction_force(const L& law, const Slip<T, D>& slip,
                             const typename L::template State<T, D>& state) noexcept {
  if constexpr (SetValued<L>) {
    if (norm<T, D>(slip.v) > T(law.stick_band())) return law.slip_force(slip.v, slip.fn);
    if (!loaded(slip.fn)) return zero<T, D>();
    return clip<T, D>(slip.f_e, law.stick_limit(slip.fn));
  } else {
    return law.force(slip, state);
  }
}

/// Step of any law over dt with slip and load frozen; nothing to do for a law without memory.
template <FrictionLaw L, class T, int D>
typename L::template State<T, D> advance_state(const L& law, const Slip<T, D>& slip,
                                               const typename L::template State<T, D>& state,
                                               const T& dt) noexcept {
  if constexpr (HasMemory<L>) {
    return law.advance(slip, state, dt);
  } else {
    return state;
  }
}

/// Mean of the force over dt with slip and load frozen: the law's own closed form, or Simpson's
/// rule along its exact step.
template <class L, class T, int D>
Tangent<T, D> average_force(const L& law, const Slip<T, D>& slip,
                            const typename L::template State<T, D>& state, const T& dt) noexcept {
  if constexpr (requires { law.mean_force(slip, state, dt); }) {
    return law.mean_force(slip, state, dt);
  } else if constexpr (requires { law.slip_force(slip.v, slip.fn); }) {
    return friction_force(law, slip, state);
  } else if constexpr (std::is_empty_v<typename L::template State<T, D>>) {
    return law.force(slip, state);
  } else {
    const Tangent<T, D> middle = law.force(slip, law.advance(slip, state, T(dt / 2)));
    const Tangent<T, D> end = law.force(slip, law.advance(slip, state, dt));
    return (law.force(slip, state) + T(4) * middle + end) / T(6);
  }
}

/// Sliding and spinning at once: v of the patch's centre and spin about its normal.
template <class T>
struct Twist {
  Tangent<T, 2> v = zero<T, 2>();
  T omega = T(0);
};
template <class T>
struct Wrench {
  Tangent<T, 2> force = zero<T, 2>();
  T torque = T(0);
};

/// A point law in the place of a patch law: a point resists no spin, so its torque is 0.
template <FrictionLaw L, class T>
Wrench<T> wrench(const L& law, const Twist<T>& twist, const Slip<T, 2>& slip,
                 const typename L::template State<T, 2>& state) noexcept {
  Slip<T, 2> at_centre = slip;
  at_centre.v = twist.v;
  return {friction_force(law, at_centre, state), T(0)};
}

// ---- What velocity-only laws share --------------------------------------------------------------

/// No memory: nothing is stored, all work is dissipated.
template <class Law>
struct Memoryless {
  template <class T, int D>
  using State = NoState<T, D>;

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {};
  }
  template <class T, int D>
  State<T, D> relax(const T&, const NoState<T, D>& state) const noexcept {
    return state;
  }
  template <class T, int D>
  T stored(const T&, const NoState<T, D>&) const noexcept {
    return T(0);
  }
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const NoState<T, D>&) const noexcept {
    return self().steady(slip.v, slip.fn).dot(slip.v);
  }
  template <class T>
  bool passive(const T&) const noexcept {
    return true;
  }

 protected:
  const Law& self() const noexcept { return static_cast<const Law&>(*this); }
};

/// A continuous function of velocity: the force is the steady one.
template <class Law>
struct VelocityLaw : Memoryless<Law> {
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const NoState<T, D>&) const noexcept {
    return this->self().steady(slip.v, slip.fn);
  }
  template <class T, int D>
  NoState<T, D> rate(const Slip<T, D>&, const NoState<T, D>&) const noexcept {
    return {};
  }
  template <class T, int D>
  NoState<T, D> advance(const Slip<T, D>&, const NoState<T, D>& state, const T&) const noexcept {
    return state;
  }
};

/// Set-valued at rest: Law gives slip_level(|v|, fn), stick_limit(fn) and stick_band().
template <class Law>
struct SetValuedLaw : Memoryless<Law> {
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const NoState<T, D>& state) const noexcept {
    return friction_force(this->self(), slip, state).dot(slip.v);
  }
  template <class T, int D>
  Tangent<T, D> slip_force(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return direction<T, D>(v) * this->self().slip_level(norm<T, D>(v), fn);
  }
  /// The limit at constant v ≠ 0; 0 at v = 0, where any force up to stick_limit is possible.
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    return slip_force(v, fn);
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return T(0);
    return larger<T>(this->self().stick_limit(fn), this->self().slip_level(norm<T, D>(v), fn));
  }
};

}  // namespace bristle
