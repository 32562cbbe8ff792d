#include "bristle/friction/replay.hpp"

#include <algorithm>
#include <cmath>

#include <ceres/jet.h>
#include <fmt/format.h>

#include "bristle/friction/laws.hpp"
#include "group.hpp"

namespace bristle {

struct Replay::Player {
  virtual ~Player() = default;
  virtual bool run(const Values& all, std::span<const double> values, const SlipSamples& samples,
                   std::span<double> force) const noexcept = 0;
  virtual bool run_with_derivatives(const Values& all, std::span<const double> values,
                                    const SlipSamples& samples, std::span<double> force,
                                    std::span<double> by) const noexcept = 0;
  virtual void slopes(const Values& all, std::span<const double> values,
                      const Slip<double, 1>& slip, std::span<const double> state,
                      std::span<double> force_by, std::span<double> rate_by) const noexcept = 0;
  virtual std::unique_ptr<Stepper> stepper(const Values& all) const = 0;
};

namespace {

using detail::Dual;  // derivatives are taken four at a time

/// The slip between samples, in the scalar of the law.
template <class T, class L>
class Path {
 public:
  Path(const SlipSamples& samples, const L& law) : s_(samples) {
    if constexpr (Delayed<L>) delay_ = law.delay();
  }
  /// `share` of the way from sample k to the next.
  Slip<T, 1> at(std::size_t k, double share) const noexcept {
    const std::size_t next = std::min(k + 1, s_.t.size() - 1);
    const auto mix = [&](std::span<const double> list) {
      return list[k] + (list[next] - list[k]) * share;
    };
    Slip<T, 1> slip;
    slip.v[0] = T(mix(s_.v));
    slip.fn = T(mix(s_.fn));
    if (!s_.f_e.empty()) slip.f_e[0] = T(mix(s_.f_e));
    slip.v_lag[0] = value_of(delay_) > 0 ? lagged(mix(s_.t)) : slip.v[0];
    return slip;
  }

 private:
  /// v(t − τ) with its derivative by τ.
  T lagged(double t) const noexcept {
    const double then = t - value_of(delay_);
    if (then <= s_.t.front()) return T(s_.v.front());
    const auto above = std::upper_bound(s_.t.begin(), s_.t.end(), then);
    if (above == s_.t.end()) return T(s_.v.back());
    const auto k = static_cast<std::size_t>(above - s_.t.begin()) - 1;
    const double slope = (s_.v[k + 1] - s_.v[k]) / (s_.t[k + 1] - s_.t[k]);
    return T(s_.v[k]) + slope * (T(t - s_.t[k]) - delay_);
  }

  const SlipSamples& s_;
  T delay_ = T(0);
};

/// Calls record(k, force) at each sample.
template <class L, class T, class F>
void play(const L& law, const SlipSamples& samples, F&& record) noexcept {
  const Path<T, L> path(samples, law);
  auto state = law.template initial<T, 1>(T(samples.fn[0]));
  Tangent<T, 1> last = zero<T, 1>();
  const auto force_at = [&](Slip<T, 1> slip) {
    if constexpr (Hybrid<L>) {
      if (samples.f_e.empty()) slip.f_e = last;
    }
    return friction_force(law, slip, state);
  };
  record(std::size_t{0}, force_at(path.at(0, 0))[0]);
  for (std::size_t k = 0; k + 1 < samples.t.size(); ++k) {
    if constexpr (HasMemory<L>) {
      Slip<T, 1> slip = path.at(k, 0.5);
      if constexpr (Hybrid<L>) {
        if (samples.f_e.empty()) slip.f_e = last;
      }
      state = law.relax(slip.fn, state);
      if constexpr (requires { law.jump(slip, state); }) state = law.jump(slip, state);
      state = law.advance(slip, state, T(samples.t[k + 1] - samples.t[k]));
      last = friction_force(law, slip, state);
    }
    record(k + 1, force_at(path.at(k + 1, 0))[0]);
  }
}

/// Puts all parameters into a law; seeded(value, which) makes its scalar.
template <class L, class F>
void put_values(L& law, const Replay::Values& all, std::span<const double> values,
                F&& seeded) noexcept {
  std::size_t i = 0;
  for_each_parameter(law, [&](const Traits&, auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    const int which = all.free[i];
    if constexpr (std::is_enum_v<M> || std::is_integral_v<M>) {
      assign_parameter(member, all.fixed[i]);
    } else {
      const double x = which < 0 ? all.fixed[i] : values[static_cast<std::size_t>(which)];
      member = M(seeded(x, which));
    }
    ++i;
  });
}

/// The law with its parameters from number `first` on as variables.
template <template <class> class Law>
Law<Dual> seeded_law(const Replay::Values& all, std::span<const double> values,
                     std::size_t first) noexcept {
  Law<Dual> law{};
  put_values(law, all, values, [&](double x, int which) {
    return which < 0 ? Dual(x) : detail::seeded(x, which, static_cast<int>(first));
  });
  return law;
}

/// A point of the run: nothing of it depends on the parameters.
Slip<Dual, 1> constant_slip(const Slip<double, 1>& slip) noexcept {
  Slip<Dual, 1> s;
  s.v[0] = Dual(slip.v[0]);
  s.fn = Dual(slip.fn);
  s.f_e[0] = Dual(slip.f_e[0]);
  s.v_lag[0] = Dual(slip.v_lag[0]);
  s.keep_mode = slip.keep_mode;
  return s;
}
template <class State>
State constant_state(std::span<const double> numbers) noexcept {
  State state{};
  std::size_t i = 0;
  detail::each_number(state, [&](std::string_view, const char*, const char*, int, auto& member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, Dual>) {
      member = Dual(numbers[i++]);
    } else {
      assign_parameter(member, numbers[i++]);
    }
  });
  return state;
}

template <template <class> class Law>
class StepperOf final : public Replay::Stepper {
 public:
  explicit StepperOf(const Replay::Values& all) : all_(all) { reset(0, 1); }
  void reset(double v, double fn) noexcept override {
    state_ = Law<Dual>{}.template initial<Dual, 1>(Dual(fn));
    last_ = Dual(0);
    v_ = v;
    fn_ = fn;
  }
  double step(std::span<const double> values, double dt, double v, double fn, double measured,
              std::span<double> by) noexcept override {
    const Law<Dual> law = seeded_law<Law>(all_, values, 0);
    if constexpr (HasMemory<Law<Dual>>) {
      const Slip<Dual, 1> middle = slip((v_ + v) / 2, (fn_ + fn) / 2, measured);
      state_ = law.relax(middle.fn, state_);
      if constexpr (requires { law.jump(middle, state_); }) state_ = law.jump(middle, state_);
      state_ = law.advance(middle, state_, Dual(dt));
    }
    const Dual f = friction_force(law, slip(v, fn, measured), state_)[0];
    last_ = f;
    v_ = v;
    fn_ = fn;
    for (std::size_t j = 0; j < by.size(); ++j) by[j] = f.v[static_cast<Eigen::Index>(j)];
    return f.a;
  }

 private:
  Slip<Dual, 1> slip(double v, double fn, double measured) const noexcept {
    Slip<Dual, 1> s;
    s.v[0] = s.v_lag[0] = Dual(v);
    s.fn = Dual(fn);
    s.f_e[0] = Hybrid<Law<Dual>> ? last_ : Dual(measured);
    return s;
  }

  Replay::Values all_;
  typename Law<Dual>::template State<Dual, 1> state_{};
  Dual last_ = Dual(0);
  double v_ = 0, fn_ = 1;
};

template <template <class> class Law>
class PlayerOf final : public Replay::Player {
 public:
  bool run(const Replay::Values& all, std::span<const double> values, const SlipSamples& samples,
           std::span<double> force) const noexcept override {
    Law<double> law{};
    put_values(law, all, values, [](double x, int) { return x; });
    bool finite = true;
    play<Law<double>, double>(law, samples, [&](std::size_t k, double f) {
      force[k] = f;
      finite = finite && std::isfinite(f);
    });
    return finite;
  }
  bool run_with_derivatives(const Replay::Values& all, std::span<const double> values,
                            const SlipSamples& samples, std::span<double> force,
                            std::span<double> by) const noexcept override {
    bool finite = true;
    const std::size_t width = values.size();
    for (std::size_t first = 0; first < std::max<std::size_t>(width, 1); first += 4) {
      const Law<Dual> law = seeded_law<Law>(all, values, first);
      play<Law<Dual>, Dual>(law, samples, [&](std::size_t k, const Dual& f) {
        force[k] = f.a;
        finite = finite && std::isfinite(f.a);
        for (std::size_t j = first; j < std::min(first + 4, width); ++j) {
          const double slope = f.v[static_cast<Eigen::Index>(j - first)];
          by[k * width + j] = slope;
          finite = finite && std::isfinite(slope);
        }
      });
    }
    return finite;
  }
  void slopes(const Replay::Values& all, std::span<const double> values,
              const Slip<double, 1>& slip, std::span<const double> state,
              std::span<double> force_by, std::span<double> rate_by) const noexcept override {
    const std::size_t width = values.size();
    std::fill(rate_by.begin(), rate_by.end(), 0.0);
    for (std::size_t first = 0; first < width; first += 4) {
      const Law<Dual> law = seeded_law<Law>(all, values, first);
      const Slip<Dual, 1> s = constant_slip(slip);
      const auto z = constant_state<typename Law<Dual>::template State<Dual, 1>>(state);
      const auto put = [&](std::span<double> row, const Dual& value) {
        for (std::size_t j = first; j < std::min(first + 4, width); ++j) {
          row[j] = value.v[static_cast<Eigen::Index>(j - first)];
        }
      };
      put(force_by, friction_force(law, s, z)[0]);
      if constexpr (HasMemory<Law<Dual>>) {
        const auto rates = law.rate(s, z);
        std::size_t row = 0;
        detail::each_number(
            rates, [&](std::string_view, const char*, const char*, int, const auto& member) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, Dual>) {
                put(rate_by.subspan(row * width, width), member);
              }
              ++row;
            });
      }
    }
  }

  std::unique_ptr<Replay::Stepper> stepper(const Replay::Values& all) const override {
    return std::make_unique<StepperOf<Law>>(all);
  }
};

template <template <class> class Law>
std::shared_ptr<const Replay::Player> player_if(const AnyLaw& law) {
  if (law.name() != Law<double>::describe().page.name) return nullptr;
  if constexpr (Random<Law<double>> || requires(Law<double> l) { l.points; }) {
    return nullptr;
  } else {
    return std::make_shared<PlayerOf<Law>>();
  }
}
template <template <class> class... Law>
std::shared_ptr<const Replay::Player> find_player(const AnyLaw& law, LawList<Law...>) {
  std::shared_ptr<const Replay::Player> found;
  ((found = found ? found : player_if<Law>(law)), ...);
  return found;
}

}  // namespace

bool Replay::can_play(const AnyLaw& law) {
  return !law.is_asymmetric() && find_player(law, Laws{}) != nullptr;
}

Replay::Replay(const AnyLaw& law, std::vector<std::string> parameters)
    : law_(law), names_(std::move(parameters)) {
  if (law.is_asymmetric()) {
    throw InputError({.message = fmt::format("law '{}' with two sides cannot be replayed with "
                                             "derivatives: replay each side",
                                             law.name())});
  }
  for (const Parameter& parameter : law.info().parameters) {
    values_.names.emplace_back(parameter.name);
    values_.fixed.push_back(law.get(parameter.name));
    values_.free.push_back(-1);
  }
  for (std::size_t j = 0; j < names_.size(); ++j) {
    const Parameter& parameter = law.info().at(names_[j]);
    if (parameter.kind != Kind::real) {
      throw InputError({.message = "only a real number can be sought",
                        .key = names_[j],
                        .expected = "a parameter that is no flag, count or choice"});
    }
    const auto i = std::find(values_.names.begin(), values_.names.end(), parameter.name);
    values_.free[static_cast<std::size_t>(i - values_.names.begin())] = static_cast<int>(j);
    names_[j] = parameter.name;
  }
  player_ = find_player(law, Laws{});
  if (!player_) {
    throw InputError(
        {.message = fmt::format("law '{}' cannot be sought along a record: it is random, or its "
                                "curve is data and no formula",
                                law.name()),
         .expected = "another law"});
  }
}

bool Replay::run(std::span<const double> values, const SlipSamples& samples,
                 std::span<double> force) const noexcept {
  return player_->run(values_, values, samples, force);
}
bool Replay::run(std::span<const double> values, const SlipSamples& samples,
                 std::span<double> force, std::span<double> by) const noexcept {
  return player_->run_with_derivatives(values_, values, samples, force, by);
}

void Replay::slopes(std::span<const double> values, const Slip<double, 1>& slip,
                    std::span<const double> state, std::span<double> force_by,
                    std::span<double> rate_by) const noexcept {
  player_->slopes(values_, values, slip, state, force_by, rate_by);
}

std::unique_ptr<Replay::Stepper> Replay::stepper() const {
  if (names_.size() > static_cast<std::size_t>(Dual::DIMENSION)) {
    throw InputError({.message = "too many parameters to follow sample by sample",
                      .value = fmt::format("{}", names_.size()),
                      .expected = fmt::format("at most {}", static_cast<int>(Dual::DIMENSION))});
  }
  return player_->stepper(values_);
}

}  // namespace bristle
