#include "bristle/identify/force_match.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/identify/advice.hpp"

namespace bristle {

ForceMatch::ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
                       const ForceMatchOptions& options)
    : ForceMatch(law, recordings, options, parts_of(recordings, options.share)) {}

ForceMatch::ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
                       const ForceMatchOptions& options, std::vector<Part> parts)
    : LawMatch(
          {law, options.parameters, options.speed_sets_range ? scales_of(parts) : DataScales{}}),
      parts_(std::move(parts)),
      offset_(options.offset) {
  for (Part& part : parts_) {
    part.first = measured_.size();
    measured_.insert(measured_.end(), part.force.begin(),
                     part.force.begin() + static_cast<long>(part.used));
    for (const double v : part.v) fastest_ = std::max(fastest_, std::abs(v));
  }
  drop_idle();
  orders_ = law_.orders(options.orders);
  unknowns_ = law_.unknowns;
  if (offset_) add_offset();
  replay_.emplace(law_.law, law_.sought);
  // As many parameters as samples fit anything exactly: nothing is left to judge them by.
  if (measured_.size() <= unknowns_.size()) {
    throw InputError({.message = fmt::format("{} samples cannot determine {} parameters",
                                             measured_.size(), unknowns_.size()),
                      .file = recordings.empty() ? "" : recordings.front().file,
                      .expected = "more samples than parameters"});
  }
}

std::vector<ForceMatch::Part> ForceMatch::parts_of(const std::vector<Recording>& recordings,
                                                   double share) {
  std::vector<Part> parts;
  for (const Recording& r : recordings) {
    const auto used = static_cast<std::size_t>(share * static_cast<double>(r.size()));
    parts.push_back({.file = r.file,
                     .t = r.t,
                     .v = r.at("slip"),
                     .fn = r.at("load"),
                     .force = r.at("force"),
                     .used = std::clamp<std::size_t>(used, 1, r.size())});
  }
  return parts;
}

DataScales ForceMatch::scales_of(const std::vector<Part>& parts) {
  std::vector<double> speeds, ratios;
  for (const Part& part : parts) {
    speeds.insert(speeds.end(), part.v.begin(), part.v.end());
    for (std::size_t k = 0; k < part.fn.size(); ++k) {
      if (part.fn[k] > 0) ratios.push_back(part.force[k] / part.fn[k]);
    }
  }
  const auto sort = [](std::vector<double>& values) {
    for (double& v : values) v = std::abs(v);
    std::erase(values, 0.0);
    std::sort(values.begin(), values.end());
  };
  sort(speeds);
  sort(ratios);
  DataScales scales;
  if (!ratios.empty()) scales.ratio = ratios.back();
  if (speeds.empty()) return scales;
  scales.speed = speeds.back();
  // Noise around rest has no telling speed.
  scales.small_speed = std::max(speeds[speeds.size() / 50], 1e-4 * speeds.back());
  return scales;
}

void ForceMatch::add_offset() {
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

/// Parameters on which no residual depends, at a few points of their ranges: they belong to another
/// form of the law, and seeking them would only blur the others.
void ForceMatch::drop_idle() {
  const std::size_t m = law_.sought.size();
  const Replay all(law_.law, law_.sought);
  std::vector<bool> active(m, false);
  for (int probe = 0; probe < 12; ++probe) {
    std::vector<double> p;
    for (const Unknown& u : law_.unknowns) {
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
    idle_.insert(idle_.begin(), law_.sought[j]);
    law_.drop(j);
  }
}

SlipSamples ForceMatch::samples(const Part& part, std::size_t count) const {
  const auto cut = [&](const std::vector<double>& list) {
    return std::span<const double>(list).first(count);
  };
  // A set-valued law at rest answers with what was measured, as far as it can.
  const bool holds = law_.law.info().can(Capability::set_valued);
  return {cut(part.t), cut(part.v), cut(part.fn),
          holds ? cut(part.force) : std::span<const double>()};
}

bool ForceMatch::evaluate(std::span<const double> p, std::span<double> r) const {
  const auto law_values = p.first(law_.sought.size());
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
  const std::size_t m = p.size(), own = law_.sought.size();
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

std::unique_ptr<Problem> ForceMatch::rough(int count) const {
  if (residuals() <= 2 * count) return nullptr;
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
    replay_->run(p.first(law_.sought.size()), samples(part, part.t.size()), force);
    if (!offset_) continue;
    for (double& f : force) f += p.back();
  }
  return all;
}

std::vector<Matched> ForceMatch::match(std::span<const double> p) const {
  std::vector<Matched> all;
  auto predicted = predict(p);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    all.push_back({.source = part.file,
                   .label = "Friction",
                   .unit = "N",
                   .t = part.t,
                   .measured = part.force,
                   .fitted = std::move(predicted[i])});
  }
  return all;
}

std::vector<ForceLoop> ForceMatch::loops(std::span<const double> p) const {
  std::vector<ForceLoop> all;
  auto predicted = predict(p);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    ForceLoop loop{.source = part.file};
    loop.measured = {part.v, way_of(part.t, part.v), part.force};
    loop.fitted = {part.v, loop.measured.way, std::move(predicted[i])};
    all.push_back(std::move(loop));
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

std::vector<ProposedRecord> ForceMatch::proposals(std::span<const double> p, double noise) const {
  double load = 0, count = 0;
  for (const Part& part : parts_) {
    load = std::accumulate(part.fn.begin(), part.fn.end(), load);
    count += static_cast<double>(part.fn.size());
  }
  std::vector<ProposedRecord> list;
  for (DesignedRecord& design :
       designed_records(law(p), law_.sought, load / count, noise, 30 * fastest_)) {
    design.relative.resize(p.size(), std::numeric_limits<double>::quiet_NaN());  // of the offset
    list.push_back({std::move(design.text), std::move(design.relative)});
  }
  return list;
}

}  // namespace bristle
