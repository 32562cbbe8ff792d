// Spin friction from two force sensors: Boos 2011, 5.3.2.
//
//   τ = L³ (F_x1 − F_x2)/(12 y (L − y))    (5.10)
//   μ = τ/(r_gyr f_n)                      (5.13)
//
// The plate is a beam clamped on two sensors a distance L apart; the specimen turns at y from the
// first. In the middle this is L (F_x1 − F_x2)/3. r_gyr is R/√2 for a flat disc. Friction then is
// found as along a line, at the radius of gyration: `experiment: rest` as break-away, with the
// angle times r_gyr for the displacement, `experiment: steady` as steady-speed.

#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "friction_runs.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

struct Beam {
  double length = 0, gyration = 0;
  std::optional<double> y{};  ///< none: a column
};

const std::vector<Role>& spin_roles() {
  static const std::vector<Role> roles = {
      {.name = "force_1", .dimensions = {dim::force}, .must_vary = true},
      {.name = "force_2", .dimensions = {dim::force}, .must_vary = true},
      {.name = "load", .dimensions = {dim::force}},
      {.name = "position", .dimensions = {dim::angle}, .must_vary = true},
      {.name = "slip", .dimensions = {dim::angular_speed}},
      {.name = "y", .dimensions = {dim::length}}};
  return roles;
}

Beam read_beam(const Document& document) {
  Beam beam;
  beam.length = document["sensor_distance"].quantity(dim::length, above(0));
  const Node disc = document["disc"], gyration = document["radius_of_gyration"];
  if (disc.exists() == gyration.exists()) {
    throw InputError(document.root().fault(
        "needs the contact's size: 'disc: {radius: …}' or 'radius_of_gyration'"));
  }
  beam.gyration = disc.exists() ? disc["radius"].quantity(dim::length, above(0)) / std::sqrt(2.0)
                                : gyration.quantity(dim::length, above(0));
  if (document["y"].exists()) {
    beam.y =
        document["y"].quantity(dim::length, between(1e-6 * beam.length, (1 - 1e-6) * beam.length));
  }
  return beam;
}

/// Torque at y, then everything at the radius of gyration: force τ/r, displacement r φ, speed r ω.
void bring_to_line(const Beam& beam, Recording& r) {
  require_slip(r);
  if (!beam.y && !r.has("y")) {
    throw InputError(r.fault("the place of the specimen is not known: a column or a key 'y'"));
  }
  const std::vector<double>&f1 = r.at("force_1"), &f2 = r.at("force_2");
  const double length = beam.length;
  std::vector<double> force(f1.size());
  for (std::size_t k = 0; k < force.size(); ++k) {
    const double y = beam.y ? *beam.y : r.at("y")[k];
    if (!(y > 0 && y < length)) {
      Fault fault = r.fault_at(k, "the specimen is not between the sensors", "y");
      fault.value = fmt::format("{:g} m", y);
      fault.expected = fmt::format("more than 0 and less than {:g} m", length);
      throw InputError(std::move(fault));
    }
    const double torque = std::pow(length, 3) * (f1[k] - f2[k]) / (12 * y * (length - y));
    force[k] = torque / beam.gyration;
  }
  r.put("force", std::move(force), dim::force);
  for (double& v : r.at("slip")) v *= beam.gyration;
  if (r.has("position")) {
    for (double& x : r.at("position")) x *= beam.gyration;
  }
  r.steps.push_back(fmt::format(
      "torque from the two sensors, then torque, angle and spin at the radius of gyration {:g} m",
      beam.gyration));
}

Figure torque_figure(const Recording& r, double gyration) {
  std::vector<double> torque = r.at("force");
  for (double& f : torque) f *= gyration;
  Figure figure{.title = r.file};
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = "Spin torque τ (N m)",
                           .series = {{.label = "from the sensors", .x = r.t, .y = torque}}});
  return figure;
}

}  // namespace

RecipeResult spin(const Document& document, Watch& watch) {
  Findings findings{.recipe = "spin",
                    .title = document["title"].text("Spin friction"),
                    .source = "Boos 2011, section 5.3.2"};
  const bool from_rest =
      document["experiment"].required("'rest' or 'steady'").word({"rest", "steady"}) == "rest";
  findings.recordings = read_data(document, spin_roles(), {"force_1", "force_2", "load"});
  const Beam beam = read_beam(document);
  const BreakAwayOptions options = read_break_away(document);
  document.finish();
  for (Recording& r : findings.recordings) {
    if (from_rest) static_cast<void>(r.at("position"));
    bring_to_line(beam, r);
    findings.figures.push_back(torque_figure(r, beam.gyration));
  }
  if (from_rest) {
    find_break_away(options, findings, watch);
  } else {
    find_steady_speed(findings);
  }
  findings.assumptions.emplace_back(
      "The plate is a uniform beam clamped at both sensors; displacements and speeds are those at "
      "the radius of gyration.");
  return told(findings);
}

}  // namespace bristle::recipes
