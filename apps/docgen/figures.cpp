#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bristle/solve/prescribed.hpp"
#include "docgen.hpp"

namespace bristle::docgen {

double rounded(double x) {
  const int decade = static_cast<int>(std::floor(std::log10(x)));
  double best = 1, distance = infinity;
  for (const int digit : {1, 2, 5, 10}) {
    // By way of text, so that 0.005 is the number that is read from "0.005".
    const double candidate = std::stod(fmt::format("{}e{}", digit, decade));
    const double away = std::abs(std::log(candidate / x));
    if (away < distance) {
      best = candidate;
      distance = away;
    }
  }
  return best;
}

namespace {

// ---- where the steady curve bends ---------------------------------------------------------------

constexpr double slowest = 1e-7, fastest = 10.0;
constexpr int per_decade = 50;

std::vector<double> speeds_by_ratio(double from, double to) {
  const int n = static_cast<int>(std::lround(per_decade * std::log10(to / from)));
  std::vector<double> speeds;
  for (int i = 0; i <= n; ++i) speeds.push_back(from * std::pow(10.0, double(i) / per_decade));
  return speeds;
}

/// The highest speed at which friction changes faster with the logarithm of the speed than around
/// it: the middle of a bend. Viscous growth has no such place. 0 if there is none.
double last_bend(const AnyLaw& law) {
  const std::vector<double> v = speeds_by_ratio(slowest, fastest);
  const auto change = [&](std::size_t i) {
    return std::abs(law.steady(v[i + 1], load) - law.steady(v[i], load));
  };
  const double noticeable = 0.01 * law.bound(0, load) * std::log(10.0) / per_decade;
  for (std::size_t i = v.size() - 3; i > 0; --i) {
    const double here = change(i);
    if (here > noticeable && here > change(i - 1) && here > change(i + 1)) return v[i];
  }
  return 0;
}

/// The speed at which friction has grown by half; 0 if it does not.
double half_grown(const AnyLaw& law) {
  for (const double v : speeds_by_ratio(slowest, fastest)) {
    if (law.steady(v, load) > 1.5 * law.steady(slowest, load)) return v;
  }
  return 0;
}

// ---- series -------------------------------------------------------------------------------------

struct Curve : Series {
  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

constexpr int fine = 200, coarse = 16;  // samples on either side of rest

/// The steady curve from −range to range without the band of a law that has one. It is drawn up to
/// rest from both sides, and between them all that a set-valued law can hold at rest.
Curve steady_curve(const AnyLaw& law, double range, int samples) {
  const StickSet stick = law.stick_set(load);
  std::vector<double> speeds{stick.band > 0 ? stick.band : range * 1e-9};
  for (int i = 1; i <= samples; ++i) {
    const double speed = range * i / samples;
    if (speed > speeds.front()) speeds.push_back(speed);
  }
  Curve curve;
  for (std::size_t i = speeds.size(); i-- > 0;) {
    curve.add(-speeds[i], law.steady(-speeds[i], load));
  }
  if (stick.band > 0) {
    curve.add(0, std::nan(""));
  } else if (stick.max > stick.min) {
    curve.add(0, stick.min);
    curve.add(0, stick.max);
  }
  for (const double v : speeds) curve.add(v, law.steady(v, load));
  return curve;
}

/// What a law with a band can hold in it.
Curve band_outline(const StickSet& stick) {
  Curve outline;
  outline.style = Series::Style::dashed;
  for (const auto& [v, f] : {std::pair{-stick.band, stick.min},
                             {stick.band, stick.min},
                             {stick.band, stick.max},
                             {-stick.band, stick.max},
                             {-stick.band, stick.min}}) {
    outline.add(v, f);
  }
  return outline;
}

// ---- motion to and fro --------------------------------------------------------------------------

/// From corner to corner of the displacement at constant speed, in steps of `spacing` and to within
/// one of them.
SlipHistory<1> zigzag(const std::vector<double>& corners, double speed, double spacing) {
  SlipHistory<1> history;
  const double dt = spacing / speed;
  const auto add = [&](double v) {
    history.t.push_back(static_cast<double>(history.t.size()) * dt);
    history.v.emplace_back(v);
    history.fn.push_back(load);
  };
  double at = 0;
  add(0);
  for (const double corner : corners) {
    const double direction = corner > at ? 1.0 : -1.0;
    const long steps = std::lround(std::abs(corner - at) / spacing);
    for (long i = 0; i < steps; ++i) add(direction * speed);
    at = corner;
  }
  return history;
}

/// Displacement of a history; the slip is linear between samples.
std::vector<double> displacement(const SlipHistory<1>& history) {
  std::vector<double> x{0.0};
  for (std::size_t k = 1; k < history.t.size(); ++k) {
    const double mean = 0.5 * (history.v[k - 1][0] + history.v[k][0]);
    x.push_back(x.back() + mean * (history.t[k] - history.t[k - 1]));
  }
  return x;
}

double largest_force(const Trace<1>& trace, std::size_t samples) {
  double largest = 0;
  for (std::size_t k = 0; k < samples; ++k)
    largest = std::max(largest, std::abs(trace.force[k][0]));
  return largest;
}

Figure figure_of(const AnyLaw& law, std::string_view what, Panel panel) {
  return {.title = fmt::format("{}: {}", law.info().page.title, what),
          .caption = fmt::format("Default parameters, load {:g} N.", load),
          .panels = {std::move(panel)}};
}

}  // namespace

double speed_range(const AnyLaw& law) {
  const double bend = last_bend(law);
  if (bend > 0) return rounded(5 * bend);
  const double band = law.stick_set(load).band;
  if (band > 0) return rounded(5 * band);
  const double grown = half_grown(law);
  return grown > 0 ? rounded(grown) : 0.01;
}

double slow_speed(const AnyLaw& law) { return rounded(speed_range(law) / 1000); }

double presliding_distance(const AnyLaw& law) {
  constexpr std::size_t samples = 400;
  for (double distance = 1e-9; distance < 1; distance *= 2) {
    const SlipHistory<1> history = zigzag({distance}, slow_speed(law), distance / samples);
    const Trace<1> trace = run_prescribed(law, history);
    const double most = largest_force(trace, samples);
    if (largest_force(trace, samples / 2) < 0.98 * most) continue;  // still rising
    const std::vector<double> x = displacement(history);
    for (std::size_t k = 0; k < samples; ++k) {
      if (std::abs(trace.force[k][0]) > 0.9 * most) return x[k];
    }
  }
  return 1;
}

Figure steady_figure(const AnyLaw& law) {
  Panel panel{.x_label = "Slip velocity v (m/s)",
              .y_label = "Friction F (N)",
              .series = {steady_curve(law, speed_range(law), fine)}};
  const StickSet stick = law.stick_set(load);
  if (stick.band > 0) {
    panel.series[0].label = "sliding";
    panel.series.push_back(band_outline(stick));
    panel.series[1].label = "within the band any force in this frame";
  }
  return figure_of(law, "steady friction", std::move(panel));
}

Figure loop_figure(const AnyLaw& law) {
  const double reach = rounded(presliding_distance(law));
  std::vector<double> corners;
  for (const double amplitude : {0.5, 1.0, 2.0, 4.0}) {
    corners.push_back(amplitude * reach);
    corners.push_back(-amplitude * reach);
  }
  corners.push_back(corners[corners.size() - 2]);  // closes the last loop
  const SlipHistory<1> history = zigzag(corners, slow_speed(law), reach / 40);
  const Trace<1> trace = run_prescribed(law, history);
  Curve curve;
  const std::vector<double> x = displacement(history);
  for (std::size_t k = 0; k < x.size(); ++k) curve.add(1e6 * x[k], trace.force[k][0]);
  Figure figure =
      figure_of(law, "slow motion to and fro",
                {.x_label = "Displacement x (µm)", .y_label = "Friction F (N)", .series = {curve}});
  figure.caption = fmt::format("Default parameters, load {:g} N, {:g} µm/s back and forth.", load,
                               1e6 * slow_speed(law));
  return figure;
}

// ---- comparison ---------------------------------------------------------------------------------

namespace {

constexpr double static_level = 0.25, kinetic_level = 0.2;

AnyLaw at_common_levels(const std::string& name) {
  AnyLaw law(name);
  if (law.info().find("mu_s") != nullptr) law.set("mu_s", static_level);
  if (law.info().find("mu_k") != nullptr) law.set("mu_k", kinetic_level);
  return law;
}

bool coincide(const Series& a, const Series& b) {
  for (std::size_t i = 0; i < a.y.size(); ++i) {
    if (!(std::abs(a.y[i] - b.y[i]) < 1e-6)) return false;
  }
  return a.y.size() == b.y.size();
}

/// Curves that coincide share a line and its entry in the legend.
void add_curve(Panel& panel, Series curve) {
  for (Series& other : panel.series) {
    if (coincide(other, curve)) {
      other.label += ", " + curve.label;
      return;
    }
  }
  panel.series.push_back(std::move(curve));
}

/// Most of these laws slide at one level: lines, dashes and markers keep them apart.
void add_set_valued(Panel& panel, const AnyLaw& law, double range) {
  using Style = Series::Style;
  static constexpr std::array<Style, 4> styles{Style::line, Style::dashed, Style::line,
                                               Style::points};
  const double level = law.steady(range, load);
  const auto alike = std::count_if(panel.series.begin(), panel.series.end(), [&](const Series& s) {
    return std::abs(s.y.back() - level) < 1e-6;
  });
  const Style style = styles[static_cast<std::size_t>(alike) % styles.size()];
  Curve curve = steady_curve(law, range, style == Style::points ? coarse : fine);
  curve.label = law.name();
  curve.style = style;
  panel.series.push_back(std::move(curve));
}

Curve forward_curve(const AnyLaw& law) {
  Curve curve;
  curve.label = law.name();
  for (const double v : speeds_by_ratio(1e-6, 0.1)) curve.add(v, law.steady(v, load));
  return curve;
}

}  // namespace

Figure comparison_figure() {
  constexpr double range = 5e-3;    // of the set-valued laws: they bend below 1 mm/s
  constexpr double viscous = 10.0;  // N s/m, to be seen over this range
  Panel set_valued{.title = "Set-valued: any force of the vertical line is possible at rest",
                   .x_label = "Slip velocity v (m/s)",
                   .y_label = "Friction F (N)"};
  Panel velocity{.title = "Smooth functions of velocity",
                 .x_label = "Slip velocity v (m/s), logarithmic",
                 .y_label = "Friction F (N)",
                 .x_log = true};
  Panel memory = velocity;
  memory.title = "Laws with memory, after a long time at constant velocity";
  for (const std::string& name : AnyLaw::names()) {
    AnyLaw law = at_common_levels(name);
    if (law.info().can(Capability::set_valued)) {
      if (half_grown(law) > 0) law.set("beta", viscous);
      add_set_valued(set_valued, law, range);
    } else {
      add_curve(law.info().can(Capability::memory) ? memory : velocity, forward_curve(law));
    }
  }
  return {.title = "Friction laws of Bristle",
          .caption = fmt::format(
              "Load {:g} N. Where a law has these parameters, the static coefficient is {:g}, the "
              "kinetic one {:g}, and β of a set-valued law with viscous friction {:g} N s/m; all "
              "others have their defaults.",
              load, static_level, kinetic_level, viscous),
          .panels = {set_valued, velocity, memory}};
}

}  // namespace bristle::docgen
