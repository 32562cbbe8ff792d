#include "bristle/identify/motion_match.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bristle/system/mechanics.hpp"

namespace bristle {
namespace {

/// The friction law of the first contact that has one; none: nothing.
const AnyLaw* law_of(const Scenario& scenario) {
  if (!scenario.world) {
    return scenario.rig.contacts.empty() ? nullptr : &scenario.rig.contacts.front().law;
  }
  for (const ContactPair& pair : scenario.world->pairs) {
    if (!pair.volumetric) return &pair.friction;
  }
  return nullptr;
}

const AnyLaw& law_of(const std::vector<MotionRun>& runs) {
  if (runs.empty()) throw InputError({.message = "motion matching needs a recording"});
  for (const MotionRun& run : runs) {
    if (law_of(run.scenario) == nullptr) {
      throw InputError(
          {.message = "no contact of the scenario has a friction law by name",
           .key = "scenario",
           .value = run.scenario.name,
           .expected = "contacts at points; those over areas have a law of their own"});
    }
    if (run.scenario.world.has_value() != runs.front().scenario.world.has_value()) {
      throw InputError({.message = "bodies with shapes and bodies on lines cannot be mixed",
                        .key = "scenario",
                        .value = run.scenario.name});
    }
  }
  return *law_of(runs.front().scenario);
}

}  // namespace

MotionMatch::MotionMatch(const std::vector<MotionRun>& runs, const MotionMatchOptions& options)
    : LawMatch({law_of(runs), options.parameters, {}}), runs_(runs), options_(options) {
  // Wherever a slip or an impact passes a sample, unless friction itself passes smoothly from stick
  // to slip.
  const LawInfo& law = law_.law.info();
  kinked_ =
      runs_.front().scenario.world || !(law.can(Capability::smooth) && law.can(Capability::memory));
  for (const Observed& o : options_.observe) {
    columns_.push_back(o.column);
    if (options_.observe.size() > 1 && !(o.noise > 0)) {
      throw InputError({.message = "several columns are weighed by their noise, which is missing",
                        .key = "observe." + o.role});
    }
    weights_.push_back(options_.observe.size() > 1 ? 1 / o.noise : 1);
  }
  for (const MotionRun& run : runs_) add_run(run);
  orders_ = law_.orders(options_.orders);
  unknowns_ = law_.unknowns;
  add_quantities();
  if (options_.levels) start_near_levels();
  for (std::size_t i = 0; i < runs_.size() && inexact_because_.empty(); ++i) {
    inexact_because_ = runs_[i].scenario.world
                           ? "bodies with shapes"
                           : insensitive_because(runs_[i].scenario.rig, run_options(i));
  }
  // As many parameters as samples fit anything exactly: nothing is left to judge them by.
  if (measured_.size() <= unknowns_.size()) {
    throw InputError({.message = fmt::format("{} samples cannot determine {} parameters",
                                             measured_.size(), unknowns_.size()),
                      .file = runs_.front().recording.file,
                      .expected = "more samples than parameters"});
  }
}

void MotionMatch::add_run(const MotionRun& run) {
  const Recording& r = run.recording;
  if (r.t.front() < 0) throw InputError(r.fault_at(0, "time before the scenario starts"));
  const auto wanted = static_cast<std::size_t>(options_.share * static_cast<double>(r.size()));
  const Part part{measured_.size(), std::clamp<std::size_t>(wanted, 1, r.size())};
  for (std::size_t k = 0; k < part.used; ++k) {
    for (const Observed& o : options_.observe) measured_.push_back(r.at(o.role)[k]);
  }
  // Faults of columns and methods are the user's: found here, not in the search.
  std::vector<double> values(columns_.size());
  const double first[] = {std::max(r.t[0], 1e-9)};
  watch(run.scenario, run.scenario.options, first, values);
  parts_.push_back(part);
  levels_.push_back(levels_of(run.scenario.rig, r, options_.observe));
}

void MotionMatch::add_quantities() {
  for (const auto& [path, setting] : options_.quantities) {
    if (setting.fixed) continue;
    const double start = setting.start.value_or(1);
    Unknown u{.name = path, .unit = "1", .text = "of the scenario"};
    if (const auto unit = options_.units.find(path); unit != options_.units.end()) {
      u.unit = unit->second;
    }
    u.log = setting.log.value_or(start > 0);
    u.low = setting.low.value_or(u.log ? start / 1e3 : -1e3 * std::abs(start));
    u.high = setting.high.value_or(1e3 * std::abs(start));
    u.usual_low = std::clamp(u.log ? start / 10 : -10 * std::abs(start), u.low, u.high);
    u.usual_high = std::clamp(10 * std::abs(start), u.low, u.high);
    paths_.push_back(path);
    unknowns_.push_back(std::move(u));
  }
  // A path that leads nowhere is the user's fault: found here, not in the search.
  std::vector<double> p(law_.sought.size());
  for (const std::string& path : paths_) {
    p.push_back(options_.quantities.at(path).start.value_or(1));
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) with_quantities(i, p);
}

/// Coefficients start a few per cent around what was read: peaks are read a little too low, since
/// smoothing cuts them.
void MotionMatch::start_near_levels() {
  double sliding = 0, breaking = 0;
  for (const FrictionLevels& l : levels_) {
    sliding += l.sliding / static_cast<double>(levels_.size());
    breaking += l.breaking / static_cast<double>(levels_.size());
  }
  const auto put = [&](std::size_t j, double level, double below, double above) {
    Unknown& u = unknowns_[j];
    if (!std::isfinite(level)) return;
    u.usual_low = std::clamp(level * (1 - below), u.low, u.high);
    u.usual_high = std::clamp(level * (1 + above), u.low, u.high);
  };
  for (std::size_t j = 0; j < law_.sought.size(); ++j) {
    if (!law_.sought[j].starts_with("mu")) continue;
    const bool is_static = std::any_of(orders_.begin(), orders_.end(), [&](const UnknownOrder& o) {
      return o.greater == static_cast<int>(j);
    });
    if (is_static) {
      put(j, breaking, 0.02, 0.06);
    } else {
      put(j, sliding, 0.04, 0.04);
    }
  }
}

Scenario MotionMatch::scenario(std::size_t run, std::span<const double> p) const {
  Scenario made = with_quantities(run, p);
  if (made.world) {
    const AnyLaw law = law_.with(p);
    for (ContactPair& pair : made.world->pairs) {
      if (pair.friction.name() == law.name()) pair.friction = law;
    }
  } else {
    made.rig = rig(run, p);
  }
  return made;
}

/// Read anew with the quantities that are sought or fixed; they are at the end of p.
Scenario MotionMatch::with_quantities(std::size_t run, std::span<const double> p) const {
  const Scenario& original = runs_[run].scenario;
  std::vector<Setting> settings;
  const auto add = [&](const std::string& path, double value) {
    settings.push_back({.key = path, .value = fmt::format("{:.17g}", value), .file = {}});
  };
  for (const auto& [path, setting] : options_.quantities) {
    if (setting.fixed) add(path, *setting.fixed);
  }
  for (std::size_t i = 0; i < paths_.size(); ++i) add(paths_[i], p[law_.sought.size() + i]);
  return settings.empty() ? original : read_scenario(original.resolved, original.name, settings);
}

/// Without the documents where only the law changes, which is nearly always.
Rig MotionMatch::rig(std::size_t run, std::span<const double> p) const {
  Rig made = options_.quantities.empty() ? runs_[run].scenario.rig : with_quantities(run, p).rig;
  const AnyLaw law = law_.with(p);
  for (Contact& contact : made.contacts) {
    if (contact.law.name() == law.name()) contact.law = law;
  }
  return made;
}

RunOptions MotionMatch::run_options(std::size_t run) const {
  RunOptions options = runs_[run].scenario.options;
  options.tolerance.rtol = options_.rtol;
  // A search meets stiff parameters that a user never would.
  const auto& law = law_.law.info();
  if (options.method == "auto" && !runs_[run].scenario.world && law.can(Capability::hybrid) &&
      !law.can(Capability::set_valued)) {
    options.method = "rodas";
  }
  return options;
}

void MotionMatch::simulate(std::size_t run, std::span<const double> p,
                           std::span<const double> times, std::span<double> values) const {
  if (runs_[run].scenario.world) {
    watch(scenario(run, p), run_options(run), times, values);
  } else {
    observe(rig(run, p), run_options(run), times, columns_, values);
  }
}

void MotionMatch::watch(const Scenario& scenario, const RunOptions& options,
                        std::span<const double> times, std::span<double> values) const {
  if (scenario.world) {
    observe(*scenario.world, options, times, columns_, values);
  } else {
    observe(scenario.rig, options, times, columns_, values);
  }
}

bool MotionMatch::evaluate(std::span<const double> p, std::span<double> r) const {
  const std::size_t width = columns_.size();
  try {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Part& part = parts_[i];
      const std::span<const double> times(runs_[i].recording.t);
      simulate(i, p, times.first(part.used), r.subspan(part.first, part.used * width));
    }
  } catch (const std::runtime_error&) {
    return false;  // a run that fails on its way, such as chatter at absurd parameters
  }
  bool finite = true;
  for (std::size_t k = 0; k < measured_.size(); ++k) {
    r[k] = weights_[k % width] * (r[k] - measured_[k]);
    finite = finite && std::isfinite(r[k]);
  }
  return finite;
}

std::unique_ptr<Problem> MotionMatch::rough(int) const {
  auto made = std::make_unique<MotionMatch>(*this);
  made->options_.rtol = std::max(options_.rtol, options_.rough_rtol);
  return made;
}

/// The rig with a little more and a little less of each unknown.
std::vector<NudgedRig> MotionMatch::nudged(std::size_t run, std::span<const double> p) const {
  std::vector<NudgedRig> all;
  std::vector<double> moved(p.begin(), p.end());
  for (std::size_t j = 0; j < p.size(); ++j) {
    const Unknown& u = unknowns_[j];
    const double size = u.log ? std::abs(p[j]) : std::max(std::abs(p[j]), 1e-3 * (u.high - u.low));
    const double h = 1e-8 * size;
    moved[j] = std::min(p[j] + h, u.high);
    NudgedRig n{.up = rig(run, moved), .down = {}, .above = moved[j] - p[j]};
    moved[j] = std::max(p[j] - h, u.low);
    n.down = rig(run, moved);
    n.below = p[j] - moved[j];
    if (j < law_.sought.size()) n.law_parameter = law_.sought[j];
    moved[j] = p[j];
    all.push_back(std::move(n));
  }
  return all;
}

/// Through the simulation itself. False where that cannot be done.
bool MotionMatch::exact_derivatives(std::span<const double> p, std::span<double> r,
                                    std::span<double> by) const {
  if (!inexact_because_.empty()) return false;
  const std::size_t width = columns_.size(), m = p.size();
  std::vector<double> values(measured_.size());
  try {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Part& part = parts_[i];
      const std::span<const double> times(runs_[i].recording.t);
      const std::size_t count = part.used * width;
      if (!observe(rig(i, p), run_options(i), times.first(part.used), columns_,
                   std::span(values).subspan(part.first, count), nudged(i, p),
                   by.subspan(part.first * m, count * m))) {
        return false;
      }
    }
  } catch (const std::runtime_error&) {
    return false;
  }
  for (std::size_t k = 0; k < by.size(); ++k) by[k] *= weights_[(k / m) % width];
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = weights_[k % width] * (values[k] - measured_[k]);
    if (!std::isfinite(values[k])) return false;
  }
  std::copy(values.begin(), values.end(), r.begin());
  return std::all_of(by.begin(), by.end(), [](double slope) { return std::isfinite(slope); });
}

/// Each slip that passes a sample is a kink of the residuals. While they are large, slopes over
/// wide steps see past the kinks to where the valley goes (with exact ones profiles of noisy
/// records end in a kink, too early); near an exact fit there is nothing to see past, and slopes
/// are exact.
bool MotionMatch::derivatives(std::span<const double> p, std::span<double> r,
                              std::span<double> by) const {
  if (!kinked_ && exact_derivatives(p, r, by)) return true;
  if (!evaluate(p, r)) return false;
  double misfit = 0, size = 0;
  for (std::size_t k = 0; k < r.size(); ++k) {
    misfit += r[k] * r[k];
    size += std::pow(weights_[k % columns_.size()] * measured_[k], 2);
  }
  const double share = std::sqrt(misfit / std::max(size, 1e-300));
  const double finest = std::sqrt(options_.rtol);
  if (kinked_ && share < finest && exact_derivatives(p, r, by)) return true;
  differences(p, r, std::clamp(share, finest, std::cbrt(options_.rtol)), by);
  return true;
}

std::string MotionMatch::slopes() const {
  if (!inexact_because_.empty()) return "central differences: " + inexact_because_;
  return kinked_ ? "exact near an exact fit, else differences as wide as the misfit"
                 : "exact, through the simulation";
}

std::vector<std::vector<double>> MotionMatch::predict(std::span<const double> p) const {
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::vector<double>& times = runs_[i].recording.t;
    simulate(i, p, times, all.emplace_back(times.size() * columns_.size()));
  }
  return all;
}

std::vector<Matched> MotionMatch::match(std::span<const double> p) const {
  std::vector<Matched> all;
  const auto predicted = predict(p);
  const std::size_t width = columns_.size();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Recording& r = runs_[i].recording;
    for (std::size_t c = 0; c < width; ++c) {
      const std::string& role = options_.observe[c].role;
      Matched signal{.source = r.file,
                     .label = columns_[c],
                     .unit = si_unit(r.dimension(role)),
                     .t = r.t,
                     .measured = r.at(role),
                     .fitted = {}};
      for (std::size_t k = 0; k < r.size(); ++k)
        signal.fitted.push_back(predicted[i][k * width + c]);
      all.push_back(std::move(signal));
    }
  }
  return all;
}

namespace {

/// Times of the samples and some in between, so that a slip of a few samples is a curve.
std::vector<double> finer(const std::vector<double>& t) {
  constexpr std::size_t wanted = 10000, most = 20;
  const std::size_t parts = std::clamp<std::size_t>(wanted / t.size(), 1, most);
  std::vector<double> fine{t.front()};
  for (std::size_t k = 1; k < t.size(); ++k) {
    for (std::size_t i = 1; i <= parts; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(parts);
      fine.push_back(i == parts ? t[k] : t[k - 1] + share * (t[k] - t[k - 1]));
    }
  }
  return fine;
}

/// Suffixes of the columns of slip and friction: of each contact, in a plane of both axes.
std::vector<std::string> contact_suffixes(const Rig& rig) {
  const Mechanics mechanics(rig);
  std::vector<std::string> all;
  for (std::size_t c = 0; c < rig.contacts.size(); ++c) {
    const std::string number = rig.contacts.size() > 1 ? std::to_string(c + 1) : "";
    if (mechanics.axes(static_cast<int>(c)) == 1) {
      all.push_back(number);
    } else {
      all.insert(all.end(), {number + "x", number + "y"});
    }
  }
  return all;
}

}  // namespace

std::vector<ForceLoop> MotionMatch::loops(std::span<const double> p) const {
  std::vector<ForceLoop> all;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].scenario.world) continue;  // slips in three dimensions make no loop
    const Recording& r = runs_[i].recording;
    const Rig fitted = rig(i, p);
    const std::vector<std::string> suffixes = contact_suffixes(fitted);
    std::vector<std::string> columns;
    for (const std::string& suffix : suffixes) {
      columns.insert(columns.end(), {"slip" + suffix, "F" + suffix});
    }
    const std::vector<double> times = finer(r.t);
    std::vector<double> values(times.size() * columns.size());
    observe(fitted, run_options(i), times, columns, values);
    for (std::size_t c = 0; c < suffixes.size(); ++c) {
      ForceLoop loop{.source = r.file};
      if (suffixes.size() > 1) loop.source += ", contact " + suffixes[c];
      for (std::size_t k = 0; k < times.size(); ++k) {
        loop.fitted.slip.push_back(values[k * columns.size() + 2 * c]);
        loop.fitted.force.push_back(values[k * columns.size() + 2 * c + 1]);
      }
      loop.fitted.way = way_of(times, loop.fitted.slip);
      RecordedFriction recorded = recorded_friction(fitted, r, options_.observe);
      if (!recorded.slip.empty()) {
        loop.measured = {recorded.slip, way_of(r.t, recorded.slip), std::move(recorded.force)};
        loop.derived = true;
      }
      all.push_back(std::move(loop));
    }
  }
  return all;
}

std::string MotionMatch::unit() const {
  if (columns_.size() > 1) return "1";
  return si_unit(runs_.front().recording.dimension(options_.observe.front().role));
}

double MotionMatch::held_out(std::span<const double> p) const {
  const auto predicted = predict(p);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::size_t width = columns_.size();
    for (std::size_t k = parts_[i].used * width; k < predicted[i].size(); ++k, ++count) {
      const auto& measured = runs_[i].recording.at(options_.observe[k % width].role);
      const double gap = weights_[k % width] * (predicted[i][k] - measured[k / width]);
      sum += gap * gap;
    }
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count))
                   : std::numeric_limits<double>::quiet_NaN();
}

std::optional<FittedMotion> MotionMatch::motion(std::span<const double> p) const {
  const Scenario first = scenario(0, p);
  RunOptions options = first.options;
  options.duration = runs_.front().recording.t.back();
  options.frames = 0;
  RunResult result = run(first, options);
  return FittedMotion{std::move(result.metrics), result.energy.relative_error, levels_.front(),
                      slopes()};
}

}  // namespace bristle
