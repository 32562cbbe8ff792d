// Stiffness from pressing a body slowly into a plane: Boos 2011, 3.1.1 and 3.3.1.
//
//   F = k_V V(δ),   δ = p − p0                         (3.1), (3.3)
//   sphere          V = π/3 δ² (3r − δ)                (3.11);   Hertz: F = k δ^(3/2)  (3.5)
//   flat cylinder   V = π r² δ                         (3.12)
//   tilted by γ     V = δ S0 − tan γ S1                (3.19)–(3.21), also with the whole face
//   inside
//
// S0 and S1 are the area of the part of the face that is inside and its first moment about the
// deepest edge: with cos φ = 1 − b/r, b = δ/tan γ (φ = π beyond b = 2r), S0 = r² (φ − sin φ cos φ)
// and S1 = r S0 − 2/3 r³ sin³ φ. They are also what V changes by: ∂V/∂δ = S0, ∂V/∂tan γ = −S1.
//
// The point of contact p0, counted from the first sample, is not known and is sought as well. For a
// tilted cylinder k_V may be given (as in the thesis, from the perpendicular punch 2E*/(πr)): as
// long as part of the face is free, F ~ k_V δ^(5/2) (tan γ)^(−3/2), and data cannot tell k_V from
// γ.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "recipe_kit.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

/// The pressed volume, or δ^(3/2) for Hertz, with its derivatives by depth and tan γ.
struct Pressed {
  double value = 0, by_depth = 0, by_tilt = 0;
};

Pressed cap(double r, double depth) {
  constexpr double pi = std::numbers::pi;
  return {pi / 3 * depth * depth * (3 * r - depth), pi * depth * (2 * r - depth)};
}

Pressed hertz(double depth) { return {depth * std::sqrt(depth), 1.5 * std::sqrt(depth)}; }

Pressed face(double r, double depth, double tilt) {
  const double b = tilt > 0 ? depth / tilt : 2 * r;
  const double phi = b < 2 * r ? std::acos(1 - b / r) : std::numbers::pi;
  const double sine = b < 2 * r ? std::sin(phi) : 0.0;
  const double area = r * r * (phi - sine * std::cos(phi));
  const double moment = r * area - 2.0 / 3 * std::pow(r * sine, 3);
  return {depth * area - tilt * moment, area, -moment};
}

struct Press {
  std::string file{};
  std::vector<double> p{}, force{};  ///< position from the first sample, force
  bool offset = false;               ///< a constant force is sought as well
};

Unknown contact_point(const Press& press) {
  const auto [low, high] = range_of(press.p);
  return {.name = "p0",
          .unit = "m",
          .low = low - (high - low),
          .high = high,
          .usual_low = low,
          .usual_high = high,
          .text = "position of first contact, from the first sample"};
}

/// Around the stiffness that the largest force over the largest volume gives.
Unknown stiffness(const Press& press, std::string name, std::string unit, double largest_volume) {
  const double rough = range_of(press.force).second / largest_volume;
  return {.name = std::move(name),
          .unit = std::move(unit),
          .low = 1e-6 * rough,
          .high = 1e12 * rough,
          .usual_low = rough,
          .usual_high = 300 * rough,
          .log = true};
}

/// The zero of the force sensor, which the samples before the contact tell.
void add_offset(const Press& press, std::vector<Unknown>& unknowns) {
  const double most = range_of(press.force).second;
  if (!press.offset) return;
  unknowns.push_back({.name = "offset",
                      .unit = "N",
                      .low = -10 * most,
                      .high = 10 * most,
                      .usual_low = -0.01 * most,
                      .usual_high = 0.01 * most});
}

/// What would tell more, for all shapes.
Helps press_helps(std::string stiffness_name) {
  const std::string deeper =
      "a deeper press, for the force grows with depth and its noise does not";
  return {{std::move(stiffness_name), deeper},
          {"p0", "a slower approach, with more samples about the first contact"},
          {"offset", "a longer approach before the contact, which is what the zero is read from"}};
}

struct PressFit {
  Fit fit;
  Series curve;
};

/// F = k f(p − p0) with k and p0 sought; `shape` gives f.
template <class Shape>
PressFit fit_stiffness(const Press& press, const FitLabel& label, Unknown k, const Shape& shape,
                       Watch& watch) {
  const auto model = [&press, &shape](std::size_t i, std::span<const double> q,
                                      std::span<double> by) {
    const double depth = press.p[i] - q[1];
    const Pressed f = depth > 0 ? shape(depth) : Pressed{};
    if (!by.empty()) {
      by[0] = f.value;
      by[1] = -q[0] * f.by_depth;
      if (press.offset) by[2] = 1;
    }
    return q[0] * f.value + (press.offset ? q[2] : 0);
  };
  std::vector<Unknown> unknowns = {std::move(k), contact_point(press)};
  add_offset(press, unknowns);
  const CurveFit problem(std::move(unknowns), press.force, model);
  PressFit result{.fit = fitted(label, problem, watch), .curve = {}};
  result.curve = {label.name, press.p, problem.curve(result.fit.search.p)};
  return result;
}

/// Tilt and p0, with k_V given or sought too.
PressFit fit_tilt(const Press& press, double r, std::optional<double> known, const Unknown& k,
                  Watch& watch) {
  std::vector<Unknown> unknowns = {{.name = "gamma",
                                    .unit = "rad",
                                    .low = 1e-6,
                                    .high = 0.5,
                                    .usual_low = 1e-4,
                                    .usual_high = 0.05,
                                    .log = true,
                                    .text = "tilt off the normal"},
                                   contact_point(press)};
  if (!known) {
    unknowns.push_back(k);
    unknowns.back().usual_high *= 1e3;
  }
  add_offset(press, unknowns);
  const auto model = [&press, r, known](std::size_t i, std::span<const double> q,
                                        std::span<double> by) {
    const double k_v = known ? *known : q[2], tilt = std::tan(q[0]), depth = press.p[i] - q[1];
    const Pressed f = depth > 0 ? face(r, depth, tilt) : Pressed{};
    if (!by.empty()) {
      by[0] = k_v * f.by_tilt * (1 + tilt * tilt);
      by[1] = -k_v * f.by_depth;
      if (!known) by[2] = f.value;
      if (press.offset) by.back() = 1;
    }
    return k_v * f.value + (press.offset ? q.back() : 0);
  };
  Helps helps = press_helps("gamma");
  if (!known) {
    // While part of the face is free, F ~ k_V (tan γ)^(−3/2) δ^(5/2).
    helps["gamma"] = helps["k_v"] =
        "k_v from another indentation, given in this file: force against depth fixes only "
        "k_V (tan γ)^(−3/2)";
  }
  const FitLabel label{
      .name = "cylinder, tilted",
      .formula = known ? fmt::format("F = k_V V(p − p0, γ), k_V = {:g} N/m³ given", *known)
                       : "F = k_V V(p − p0, γ)",
      .file = press.file,
      .helps = std::move(helps)};
  const CurveFit problem(std::move(unknowns), press.force, model);
  PressFit result{.fit = fitted(label, problem, watch), .curve = {}};
  result.fit.derived.push_back(derived_from(
      result.fit.at("gamma"), [](double x) { return x * 180 / std::numbers::pi; }, "gamma_deg",
      "deg"));
  result.curve = {label.name, press.p, problem.curve(result.fit.search.p)};
  return result;
}

struct Indenter {
  bool sphere = false, tilted = false;
  double radius = 0;
  std::optional<double> k_v{};
};

Indenter read_indenter(const Document& document) {
  const Dimension volumetric = dim::force / raised(dim::length, 3);
  Indenter indenter;
  const Node node =
      document["indenter"].required("{sphere: {radius: …}} or {cylinder: {radius: …}}");
  const Node ball = node["sphere"], cylinder = node["cylinder"];
  if (ball.exists() == cylinder.exists()) throw InputError(node.fault("a sphere or a cylinder"));
  indenter.sphere = ball.exists();
  indenter.radius = (ball.exists() ? ball : cylinder)["radius"].quantity(dim::length, above(0));
  indenter.tilted = cylinder["tilted"].flag(false);
  if (document["k_v"].exists()) {
    indenter.k_v = document["k_v"].quantity(volumetric, above(0));
    if (!indenter.tilted) {
      throw InputError(document["k_v"].fault(
          "the stiffness is what is sought; only a tilted cylinder takes it as given"));
    }
  }
  return indenter;
}

std::vector<PressFit> fits_of(const Press& press, const Indenter& indenter, Watch& watch) {
  const double r = indenter.radius, way = range_of(press.p).second;
  const auto k_of = [&](double volume) { return stiffness(press, "k_v", "N/m^3", volume); };
  std::vector<PressFit> fits;
  if (indenter.sphere) {
    fits.push_back(fit_stiffness(
        press,
        {.name = "sphere, volumetric",
         .formula = "F = k_V π/3 δ² (3r − δ), δ = p − p0",
         .file = press.file,
         .helps = press_helps("k_v")},
        k_of(cap(r, way).value), [r](double depth) { return cap(r, depth); }, watch));
    fits.push_back(fit_stiffness(press,
                                 {.name = "sphere, Hertz",
                                  .formula = "F = k δ^(3/2), δ = p − p0",
                                  .file = press.file,
                                  .helps = press_helps("k")},
                                 stiffness(press, "k", "N/m^(3/2)", hertz(way).value), hertz,
                                 watch));
    return fits;
  }
  const Unknown k = k_of(face(r, way, 0).value);
  if (indenter.tilted) fits.push_back(fit_tilt(press, r, indenter.k_v, k, watch));
  fits.push_back(fit_stiffness(
      press,
      {.name = "cylinder, perpendicular",
       .formula = "F = k_V π r² δ, δ = p − p0",
       .file = press.file,
       .helps = press_helps("k_v")},
      k, [r](double depth) { return face(r, depth, 0); }, watch));
  return fits;
}

void add_notes(Findings& findings) {
  if (findings.fits.size() < 2) return;
  const Fit &first = findings.fits[0], &second = findings.fits[1];
  const bool other = second.confidence.bic < first.confidence.bic;
  findings.notes.push_back(fmt::format(
      "{} describes the data better: rms {:.4g} N against {:.4g} N", (other ? second : first).name,
      (other ? second : first).rms(), (other ? first : second).rms()));
}

}  // namespace

RecipeResult indentation(const Document& document, Watch& watch) {
  Findings findings{.recipe = "indentation",
                    .title = document["title"].text("Indentation"),
                    .source = "Boos 2011, section 3.3.1"};
  findings.recordings = read_data(document, common_roles(), {"position", "force"});
  const Indenter indenter = read_indenter(document);
  Press press{.file = files_of(findings.recordings), .offset = document["offset"].flag(false)};
  document.finish();
  for (const Recording& r : findings.recordings) {
    const std::vector<double>&p = r.at("position"), &force = r.at("force");
    for (const double x : p) press.p.push_back(x - p.front());
    press.force.insert(press.force.end(), force.begin(), force.end());
  }
  std::vector<Series> curves;
  for (PressFit& fit : fits_of(press, indenter, watch)) {
    findings.fits.push_back(std::move(fit.fit));
    curves.push_back(std::move(fit.curve));
  }
  add_notes(findings);
  findings.figures.push_back(curve_figure("Force against depth",
                                          "Position p from the first sample (m)", "Force F (N)",
                                          press.p, press.force, std::move(curves)));
  findings.assumptions = {
      "Slow: damping plays no part. All give of the rig between the position sensor and the "
      "contact counts as give of the contact.",
      "The position grows into the contact; it and p0 count from the first sample. Several "
      "recordings start at the same place.",
      "The stiffness of the volumetric law depends on the range of forces where the true law is "
      "another: from 20 N to 100 N it falls by 40 % on a Hertzian contact."};
  return told(findings);
}

}  // namespace bristle::recipes
