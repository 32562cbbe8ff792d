// Where a law that is not passive gives back more energy than was put in.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "contact.hpp"

namespace bristle::docgen {
namespace {

/// From `pull_speed` to 1e9 times that, forwards and backwards.
std::vector<double> jump_speeds() {
  constexpr int decades = 9, per_decade = 20;
  std::vector<double> speeds;
  for (int i = 0; i <= decades * per_decade; ++i) {
    const double speed = pull_speed * std::pow(10.0, static_cast<double>(i) / per_decade);
    speeds.insert(speeds.end(), {speed, -speed});
  }
  return speeds;
}

double loss_ratio(const LoneContact& contact, double v) {
  const double work = std::abs(contact.force(v) * v);
  return work > 0 ? contact.dissipation(v) / work : 0.0;
}

/// The numbers of the state but for those of arrays.
std::string state_text(const LoneContact& contact) {
  const std::vector<StateColumn> columns = contact.columns();
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].of_array) continue;
    const std::string unit = columns[i].unit == "1" ? "" : " " + columns[i].unit;
    parts.push_back(fmt::format("{} = {:.3g}{}", columns[i].name, contact.kept()[i], unit));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::optional<NegativeLoss> negative_loss(const AnyLaw& law) {
  constexpr int places = 200;
  const std::vector<double> speeds = jump_speeds();
  const double stride = 4 * presliding_distance(law) / places;
  const auto on_the_way = [&](const auto& look) {
    LoneContact contact(law);
    for (int place = 1; place <= places; ++place) {
      contact.advance(pull_speed, stride / pull_speed);
      contact.keep();
      for (const double v : speeds) look(contact, place * stride, v, loss_ratio(contact, v));
    }
  };
  double least = 0;
  on_the_way(
      [&](const LoneContact&, double, double, double ratio) { least = std::min(least, ratio); });
  if (least > -1e-9) return {};
  // The ratio may fall as long as the speed grows: nine tenths will do, at the lowest speed.
  NegativeLoss found{};
  found.v = infinity;
  on_the_way([&](const LoneContact& contact, double path, double v, double ratio) {
    if (ratio > 0.9 * least || std::abs(v) > std::abs(found.v)) return;
    if (std::abs(v) == std::abs(found.v) && ratio >= found.ratio) return;
    found = {path,
             v,
             contact.force(v),
             contact.dissipation(v),
             contact.stored(),
             state_text(contact),
             ratio,
             least,
             std::abs(speeds.back())};
  });
  return found;
}

std::optional<JumpGain> jump_gain(const AnyLaw& law) {
  constexpr double holding = 0.19;  // N
  if (!law.info().can(Capability::hybrid)) return {};
  const double speed = speed_range(law), reach = 8 * presliding_distance(law);
  LoneContact contact(law);
  contact.advance(speed, reach / speed, holding);
  contact.jump(speed, holding);
  JumpGain gain{.v = 0, .holding = holding, .before = contact.stored(), .after = 0};
  contact.jump(gain.v, holding);
  gain.after = contact.stored();
  if (!(gain.after > gain.before)) return {};
  return gain;
}

std::vector<PassiveFrom> passive_from(const AnyLaw& law) {
  struct Formula {
    const char *key, *text;
    double (*value)(const AnyLaw& law);
  };
  static constexpr std::array<Formula, 2> formulas{{
      {"sigma2", "σ1 (μ_s − μ_k)/μ_k",
       [](const AnyLaw& l) { return l.get("sigma1") * (l.get("mu_s") / l.get("mu_k") - 1); }},
      {"sigma1", "μ_k f_n/(2 v_s)",
       [](const AnyLaw& l) { return l.get("mu_k") * load / (2 * l.get("v_s")); }},
  }};
  std::vector<PassiveFrom> list;
  for (const Formula& formula : formulas) {
    const Parameter* parameter = law.info().find(formula.key);
    if (parameter == nullptr) continue;
    const auto passive_with = [&](double value) {
      AnyLaw other = law;
      other.set(formula.key, value);
      return other.passive(load);
    };
    double without = 1e-9, with = 1e9;
    if (passive_with(without) || !passive_with(with)) continue;
    while (with / without > 1 + 1e-12) {
      const double middle = std::sqrt(without * with);
      (passive_with(middle) ? with : without) = middle;
    }
    list.push_back({*parameter, with, formula.text, formula.value(law)});
  }
  return list;
}

}  // namespace bristle::docgen
