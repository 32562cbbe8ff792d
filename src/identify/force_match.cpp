#include "bristle/identify/force_match.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {

ForceMatch::ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
                       const ForceMatchOptions& options)
    : law_(law), offset_(options.offset) {
  for (const Recording& r : recordings) {
    Part part{r.t, r.at("slip"), r.at("load"), r.at("force"), measured_.size()};
    part.used = std::clamp<std::size_t>(
        static_cast<std::size_t>(options.share * static_cast<double>(r.size())), 1, r.size());
    measured_.insert(measured_.end(), part.force.begin(),
                     part.force.begin() + static_cast<long>(part.used));
    parts_.push_back(std::move(part));
  }
  add_unknowns(options);
  replay_.emplace(law_, sought_);
  if (measured_.size() < unknowns_.size()) {
    throw InputError({.message = fmt::format("{} samples cannot determine {} parameters",
                                             measured_.size(), unknowns_.size()),
                      .file = recordings.empty() ? "" : recordings.front().file});
  }
}

void ForceMatch::add_unknowns(const ForceMatchOptions& options) {
  const auto scale_of = [](std::vector<double> values) -> Scale {
    for (double& v : values) v = std::abs(v);
    std::erase(values, 0.0);
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    // Noise around rest has no telling speed.
    return {values.back(), std::max(values[values.size() / 50], 1e-4 * values.back())};
  };
  std::vector<double> speeds, ratios;
  for (const Part& part : parts_) {
    speeds.insert(speeds.end(), part.v.begin(), part.v.end());
    for (std::size_t k = 0; k < part.fn.size(); ++k) {
      if (part.fn[k] > 0) ratios.push_back(part.force[k] / part.fn[k]);
    }
  }
  speed_ = scale_of(std::move(speeds));
  ratio_ = scale_of(std::move(ratios));
  std::vector<std::string> names;
  std::map<const Parameter*, UnknownSetting> settings;
  for (const Parameter& parameter : law_.info().parameters) names.emplace_back(parameter.name);
  for (const auto& [key, setting] : options.parameters) {
    const Parameter* parameter = law_.info().find(key);
    if (parameter == nullptr) {
      throw InputError({.message = fmt::format("unknown parameter of law '{}'", law_.name()),
                        .key = key,
                        .expected = one_of(names),
                        .nearest = nearest_name(key, names)});
    }
    settings[parameter] = setting;
    if (setting.fixed) law_.set(parameter->name, *setting.fixed);
  }
  for (const Parameter& parameter : law_.info().parameters) {
    const UnknownSetting setting = settings[&parameter];
    if (parameter.kind != Kind::real || setting.fixed) continue;
    add_unknown(parameter, setting, options.speed_sets_range);
  }
  drop_idle();
  add_orders(options);
  if (!offset_) return;
  double most = 0;
  for (const double f : measured_) most = std::max(most, std::abs(f));
  unknowns_.push_back({.name = "offset",
                       .unit = "N",
                       .low = -10 * most,
                       .high = 10 * most,
                       .usual_low = -0.1 * most,
                       .usual_high = 0.1 * most,
                       .text = "constant force"});
}

void ForceMatch::add_unknown(const Parameter& parameter, const UnknownSetting& setting,
                             bool from_data) {
  const std::string_view unit = parameter.unit, name = parameter.name;
  Unknown u{.name = std::string(name), .unit = std::string(unit), .text = parameter.text};
  u.usual_low = parameter.usual.min;
  u.usual_high = parameter.usual.max;
  if (from_data && unit == "m/s" && speed_.large > 0) {
    u.usual_low = speed_.small / 3;
    u.usual_high = speed_.large;
  }
  if (from_data && ratio_.large > 0 && unit == "1" && name.starts_with("mu")) {
    u.usual_low = ratio_.large / 10;
    u.usual_high = 1.5 * ratio_.large;
  }
  if (setting.start) {
    u.usual_low = std::min(*setting.start / 10, *setting.start * 10);
    u.usual_high = std::max(*setting.start / 10, *setting.start * 10);
  }
  u.log = setting.log.value_or(u.usual_low > 0 && parameter.range.min >= 0);
  // Where the data or the shape give the scale, two decades beyond it are enough.
  const bool scaled = unit == "1" || (from_data && unit == "m/s");
  const double beyond = scaled ? 1e2 : 1e4;
  const double reach = std::max(std::abs(u.usual_low), std::abs(u.usual_high)) * beyond;
  u.low =
      setting.low.value_or(u.log ? u.usual_low / beyond : std::max(parameter.range.min, -reach));
  u.high = setting.high.value_or(std::min(parameter.range.max, reach));
  if (u.log) u.low = std::max(u.low, parameter.range.min);
  u.usual_low = std::clamp(u.usual_low, u.low, u.high);
  u.usual_high = std::clamp(u.usual_high, u.low, u.high);
  sought_.emplace_back(name);
  unknowns_.push_back(std::move(u));
}

void ForceMatch::add_orders(const ForceMatchOptions& options) {
  const auto index = [&](std::string_view key) {
    const Parameter* parameter = law_.info().find(key);
    const auto i = std::find(sought_.begin(), sought_.end(), parameter ? parameter->name : key);
    return i == sought_.end() ? -1 : static_cast<int>(i - sought_.begin());
  };
  const auto add = [&](std::string_view greater_key, std::string_view smaller_key) {
    const int greater = index(greater_key), smaller = index(smaller_key);
    if (greater >= 0 && smaller >= 0) {
      orders_.push_back({greater, smaller});
    } else if (greater >= 0) {
      double& low = unknowns_[static_cast<std::size_t>(greater)].low;
      low = std::max(low, law_.get(smaller_key));
    } else if (smaller >= 0) {
      double& high = unknowns_[static_cast<std::size_t>(smaller)].high;
      high = std::min(high, law_.get(greater_key));
    }
  };
  for (const Order& order : law_.info().orders) add(order.greater, order.smaller);
  for (const auto& [greater, smaller] : options.orders) add(greater, smaller);
}

/// Parameters on which no residual depends, at a few points of their ranges: they belong to another
/// form of the law, and seeking them would only blur the others.
void ForceMatch::drop_idle() {
  const std::size_t m = sought_.size();
  const Replay all(law_, sought_);
  std::vector<bool> active(m, false);
  for (int probe = 0; probe < 12; ++probe) {
    std::vector<double> p;
    for (const Unknown& u : unknowns_) {
      // Golden steps: all over the ranges, and no two parameters alike.
      const double walk = 0.618034 * (probe + 1) + 0.754878 * static_cast<double>(p.size());
      const double share = walk - std::floor(walk);
      p.push_back(u.log ? u.usual_low * std::pow(u.usual_high / u.usual_low, share)
                        : u.usual_low + share * (u.usual_high - u.usual_low));
    }
    for (const Part& part : parts_) {
      std::vector<double> force(part.t.size()), by(part.t.size() * m);
      all.run(p, samples(part, part.t.size()), force, by);
      for (std::size_t i = 0; i < by.size(); ++i) {
        if (by[i] != 0) active[i % m] = true;
      }
    }
  }
  for (std::size_t j = m; j-- > 0;) {
    if (active[j]) continue;
    idle_.insert(idle_.begin(), sought_[j]);
    sought_.erase(sought_.begin() + static_cast<long>(j));
    unknowns_.erase(unknowns_.begin() + static_cast<long>(j));
  }
}

SlipSamples ForceMatch::samples(const Part& part, std::size_t count) const {
  const auto cut = [&](const std::vector<double>& list) {
    return std::span<const double>(list).first(count);
  };
  // A set-valued law at rest answers with what was measured, as far as it can.
  const bool holds = law_.info().can(Capability::set_valued);
  return {cut(part.t), cut(part.v), cut(part.fn),
          holds ? cut(part.force) : std::span<const double>()};
}

bool ForceMatch::evaluate(std::span<const double> p, std::span<double> r) const {
  const auto law_values = p.first(sought_.size());
  for (const Part& part : parts_) {
    const auto own = r.subspan(part.first, part.used);
    if (!replay_->run(law_values, samples(part, part.used), own)) return false;
  }
  const double offset = offset_ ? p.back() : 0;
  for (std::size_t k = 0; k < measured_.size(); ++k) r[k] += offset - measured_[k];
  return true;
}

bool ForceMatch::derivatives(std::span<const double> p, std::span<double> r,
                             std::span<double> by) const {
  const std::size_t m = p.size(), own = sought_.size();
  const auto law_values = p.first(own);
  std::vector<double> part_by;
  for (const Part& part : parts_) {
    part_by.resize(part.used * own);
    if (!replay_->run(law_values, samples(part, part.used), r.subspan(part.first, part.used),
                      part_by)) {
      // At the edge of a power or a root a slope may be infinite where the force is not.
      return Problem::derivatives(p, r, by);
    }
    for (std::size_t k = 0; k < part.used; ++k) {
      std::copy_n(part_by.data() + k * own, own, by.data() + (part.first + k) * m);
      if (offset_) by[(part.first + k) * m + own] = 1;
    }
  }
  const double offset = offset_ ? p.back() : 0;
  for (std::size_t k = 0; k < measured_.size(); ++k) r[k] += offset - measured_[k];
  return true;
}

std::unique_ptr<Problem> ForceMatch::part(int count) const {
  auto made = std::make_unique<ForceMatch>(*this);
  const double share = static_cast<double>(count) / residuals();
  made->measured_.clear();
  for (Part& p : made->parts_) {
    p.used =
        std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(p.used)));
    p.first = made->measured_.size();
    made->measured_.insert(made->measured_.end(), p.force.begin(),
                           p.force.begin() + static_cast<long>(p.used));
  }
  return made;
}

std::vector<std::vector<double>> ForceMatch::predict(std::span<const double> p) const {
  std::vector<std::vector<double>> all;
  for (const Part& part : parts_) {
    std::vector<double>& force = all.emplace_back(part.t.size());
    replay_->run(p.first(sought_.size()), samples(part, part.t.size()), force);
    if (!offset_) continue;
    for (double& f : force) f += p.back();
  }
  return all;
}

double ForceMatch::held_out(std::span<const double> p) const {
  const auto predicted = predict(p);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (std::size_t k = parts_[i].used; k < parts_[i].force.size(); ++k, ++count) {
      const double gap = predicted[i][k] - parts_[i].force[k];
      sum += gap * gap;
    }
  }
  return std::sqrt(sum / static_cast<double>(count));
}

AnyLaw ForceMatch::law(std::span<const double> p) const {
  AnyLaw made = law_;
  for (std::size_t j = 0; j < sought_.size(); ++j) made.set(sought_[j], p[j]);
  return made;
}

}  // namespace bristle
