// bristle patch FILE.yaml: moments of a pressed area, and how well each law does over it.

#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/area/exact.hpp"
#include "bristle/area/fit.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/area/shifted_law.hpp"
#include "bristle/core/names.hpp"
#include "bristle/report/page.hpp"
#include "bristle/scenario/area.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace patch_detail {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file, shape, pressure, out, plot, report;
  std::vector<std::string> laws;
  bool json = false, about_pole = false;
};

struct Moment {
  int i, j, k;
  double value;
  std::string name() const { return fmt::format("c_{}_{}_{}", i, j, k); }
};

struct Entry {
  std::unique_ptr<AreaLaw> law;
  std::optional<RatioPair> force, torque;  ///< of ratio laws
  AreaLawErrors errors;
};

struct Study {
  PressedArea area;
  AreaGrid grid;
  std::vector<Moment> moments;
  std::vector<Entry> laws;
  bool chosen = false;  ///< the laws were asked for by name

  /// Whether a law has its curve in the figures: those asked for, else a few that differ.
  bool draws(const Entry& e) const {
    const std::string name = e.law->name();
    if (name == "I20" || name == "I02") return false;  // they fold
    return chosen || name == "exact" || name == "I00" || name == "I11" || name == "pade" ||
           name == "ellipsoid" || name == "contensou" || name == "quartic";
  }
};

// ---- Input ------------------------------------------------------------------------------------

PressedArea read(const Options& options) {
  if (options.file.empty() == options.shape.empty()) {
    throw InputError({.message = "give an area either as a file or with --shape"});
  }
  Document document = options.file.empty() ? Document() : Document::read(options.file);
  if (!options.shape.empty()) {
    const bool braces = options.shape.starts_with('{');
    document.set("shape", braces ? options.shape : "{" + options.shape + "}");
  }
  if (!options.pressure.empty()) document.set("pressure", options.pressure);
  PressedArea area = read_area(document.root());
  document.finish();
  return area;
}

std::vector<std::string> wanted(const Options& options) {
  if (options.laws.empty()) return {area_law_names().begin(), area_law_names().end()};
  for (const std::string& name : options.laws) {
    const auto names = area_law_names();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw InputError({.message = "unknown law of friction over an area",
                      .key = "--law",
                      .value = name,
                      .expected = one_of(names),
                      .nearest = nearest_name(name, names)});
  }
  return options.laws;
}

// ---- Work ---------------------------------------------------------------------------------------

void note_pairs(Entry& entry) {
  const AreaLaw* law = entry.law.get();
  if (const auto* shifted = dynamic_cast<const ShiftedLaw*>(law)) law = &shifted->law();
  if (const auto* linear = dynamic_cast<const LinearRatioLaw*>(law)) {
    entry.force = entry.torque = RatioPair{linear->m(), linear->b()};
  } else if (const auto* ratio = dynamic_cast<const RatioLaw*>(law)) {
    entry.force = ratio->force_pair();
    entry.torque = ratio->torque_pair();
  }
}

Study study(const Options& options) {
  Study s{.area = read(options), .grid = {}, .moments = {}, .laws = {}, .chosen = false};
  s.grid = AreaGrid::of(s.area);
  s.chosen = !options.laws.empty();
  for (const auto& [i, j, k] : {std::array{0, 1, 1},
                                {1, 0, 1},
                                {0, 0, -1},
                                {1, 0, 0},
                                {0, 1, 0},
                                {2, 0, 3},
                                {1, 1, 3},
                                {0, 2, 3},
                                {2, 0, 0},
                                {1, 1, 0},
                                {0, 2, 0},
                                {3, 0, 0},
                                {2, 1, 0},
                                {1, 2, 0},
                                {0, 3, 0}}) {
    const double value = area_moment(s.area, i, j, k);
    const bool rounding = std::abs(value) < 1e-14 * std::pow(s.area.reach(), i + j - k);
    s.moments.push_back({i, j, k, rounding ? 0 : value});
  }
  for (const std::string& name : wanted(options)) {
    Entry entry;
    try {
      entry.law = make_area_law(name, s.area, {.about_centre = !options.about_pole});
    } catch (const InputError&) {
      if (!options.laws.empty()) throw;
      continue;  // not asked for by name, and there is none for this area
    }
    note_pairs(entry);
    entry.errors = area_law_errors(*entry.law, s.grid);
    s.laws.push_back(std::move(entry));
  }
  return s;
}

// ---- Output -------------------------------------------------------------------------------------

std::string text_of(const Study& s) {
  std::string out = fmt::format("{}\n", s.area.name());
  const auto print = [&]<class... A>(fmt::format_string<A...> format, A&&... a) {
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(a)...);
  };
  print("centre of pressure  {:.6g} {:.6g} m\n", s.area.centre().x(), s.area.centre().y());
  print("reach, gyration     {:.6g} {:.6g} m\n\n", s.area.reach(), s.area.gyration());
  for (const Moment& m : s.moments) print("{:<10} {:>22.15g}\n", m.name(), m.value);
  print("\n{:<13} {:>8} {:>11} {:>8} {:>11} {:>9} {:>9} {:>9}\n", "law", "m", "b", "m_torque",
        "b_torque", "rms", "force", "torque");
  for (const Entry& e : s.laws) {
    const auto cell = [](const std::optional<RatioPair>& p, double RatioPair::*member) {
      return p ? fmt::format("{:.5g}", (*p).*member) : std::string("-");
    };
    print("{:<13} {:>8} {:>11} {:>8} {:>11} {:>9.6f} {:>9.6f} {:>9.6f}\n", e.law->name(),
          cell(e.force, &RatioPair::m), cell(e.force, &RatioPair::b), cell(e.torque, &RatioPair::m),
          cell(e.torque, &RatioPair::b), e.errors.rms, e.errors.max_force, e.errors.max_torque);
  }
  print("\nErrors against the exact integral, in mu N; torques over {:.6g} m mu N.\n",
        s.grid.length);
  return out;
}

Json json_of(const Study& s) {
  Json json{{"area", s.area.name()},
            {"reach", s.area.reach()},
            {"gyration", s.area.gyration()},
            {"centre", {s.area.centre().x(), s.area.centre().y()}},
            {"length", s.grid.length}};
  for (const Moment& m : s.moments) json["coefficients"][m.name()] = m.value;
  json["laws"] = Json::array();
  for (const Entry& e : s.laws) {
    Json law{{"name", e.law->name()}};
    if (const auto& f = e.force) law.update({{"m", f->m}, {"b", f->b}});
    if (const auto& t = e.torque; t && e.law->name().ends_with("-separate")) {
      law.update({{"m_torque", t->m}, {"b_torque", t->b}});
    }
    law.update({{"rms", e.errors.rms},
                {"max_norm", e.errors.max_norm},
                {"max_force", e.errors.max_force},
                {"max_torque", e.errors.max_torque},
                {"worst", {e.errors.worst.x(), e.errors.worst.y(), e.errors.worst.z()}},
                {"associated", e.law->is_associated()}});
    json["laws"].push_back(law);
  }
  return json;
}

/// The curve in which the limit surface is cut by the plane of two unit wrenches.
Series section(const AreaLaw& law, const Planar& along, const Planar& up, double unit) {
  Series curve{.label = law.name()};
  if (law.name() != "exact") curve.style = Series::Style::dashed;
  for (int i = 0; i <= 180; ++i) {
    const double angle = 2 * std::numbers::pi * i / 180;
    const Hold hold = law.hold(std::cos(angle) * along + std::sin(angle) * unit * up);
    const double r = hold.found ? 1 / hold.xi : std::nan("");
    curve.x.push_back(r * std::cos(angle));
    curve.y.push_back(r * std::sin(angle));
  }
  return curve;
}

Figure sections(const Study& s) {
  const double a = s.grid.length;
  const Planar x = Planar::UnitX(), y = Planar::UnitY(), m = Planar::UnitZ();
  Figure figure{
      .title = "Limit surface: " + s.area.name(),
      .caption = fmt::format("Forces over μN, torques over μN × {:.4g} m, about the pole.", a)};
  Panel forward{.title = "T_y = 0", .x_label = "Force T_x (μN)", .y_label = "Torque M (μN a)"};
  Panel sideways{.title = "T_x = 0", .x_label = "Force T_y (μN)", .y_label = "Torque M (μN a)"};
  Panel flat{.title = "M = 0", .x_label = "Force T_x (μN)", .y_label = "Force T_y (μN)"};
  for (const Entry& e : s.laws) {
    if (!s.draws(e)) continue;
    forward.series.push_back(section(*e.law, x, m, a));
    sideways.series.push_back(section(*e.law, y, m, a));
    flat.series.push_back(section(*e.law, x, y, 1));
  }
  figure.panels = {forward};
  if (!s.area.is_round()) figure.panels.insert(figure.panels.end(), {sideways, flat});
  return figure;
}

/// Force along x and torque while the motion goes from sliding along x to spinning.
Figure friction(const Study& s) {
  Figure figure{.title = "Friction between pure sliding along x and pure spin"};
  Panel force{.x_label = "θ = atan(a ω/v) (rad)", .y_label = "Force T_x (μN)"};
  Panel torque{.x_label = force.x_label, .y_label = "Torque M (μN a)"};
  for (const Entry& e : s.laws) {
    if (!s.draws(e)) continue;
    Series t{.label = e.law->name()}, m{.label = e.law->name()};
    if (e.law->name() != "exact") t.style = m.style = Series::Style::dashed;
    for (int i = 0; i <= 90; ++i) {
      const double theta = std::numbers::pi / 2 * i / 90;
      const Planar w = e.law->sliding({std::cos(theta), 0, std::sin(theta) / s.grid.length});
      t.x.push_back(theta);
      m.x.push_back(theta);
      t.y.push_back(w.x());
      m.y.push_back(w.z() / s.grid.length);
    }
    force.series.push_back(t);
    torque.series.push_back(m);
  }
  figure.panels = {force, torque};
  return figure;
}

ReportPage page_of(const Study& s) {
  ReportPage page{.title = "Friction over an area", .subtitle = s.area.name()};
  PageTable laws{.title = "Errors against the exact integral (μN; torques over a μN)",
                 .heads = {"Law", "m", "b", "m torque", "b torque", "rms", "force", "torque"}};
  for (const Entry& e : s.laws) {
    const auto cell = [](const std::optional<RatioPair>& p, double RatioPair::*member) {
      return p ? fmt::format("{:.5g}", (*p).*member) : std::string("–");
    };
    laws.rows.push_back({e.law->name(), cell(e.force, &RatioPair::m), cell(e.force, &RatioPair::b),
                         cell(e.torque, &RatioPair::m), cell(e.torque, &RatioPair::b),
                         fmt::format("{:.5f}", e.errors.rms),
                         fmt::format("{:.5f}", e.errors.max_force),
                         fmt::format("{:.5f}", e.errors.max_torque)});
  }
  PageTable moments{.title = "Moments c_i_j_k of the pressure (SI)", .heads = {"Moment", "Value"}};
  for (const Moment& m : s.moments) {
    moments.rows.push_back({m.name(), fmt::format("{:.12g}", m.value)});
  }
  page.sections.push_back({.title = "Laws", .tables = {laws}, .figures = {friction(s)}});
  page.sections.push_back({.title = "Limit surface", .figures = {sections(s)}});
  page.sections.push_back({.title = "Moments", .tables = {moments}});
  return page;
}

void run(const Options& options) {
  check_result(options.out);
  if (!options.plot.empty()) check_figure_path(options.plot);
  if (!options.report.empty()) check_page_path(options.report);
  const Study s = study(options);
  write_result(options.out, options.json ? json_of(s).dump(2) + "\n" : text_of(s));
  if (!options.plot.empty()) save_figure(sections(s), options.plot);
  if (!options.report.empty()) write_result(options.report, render_page(page_of(s)));
}

}  // namespace patch_detail

void add_patch(CLI::App& app) {
  using namespace patch_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "patch", "moments of a pressed area, and the errors of each friction law over it");
  command->add_option("FILE", options->file, "an area, YAML");
  command->add_option("--shape", options->shape, "the area instead of a file, as in YAML")
      ->type_name("TEXT");
  command->add_option("--pressure", options->pressure, "uniform, hertz, or {kind, slope}")
      ->type_name("TEXT");
  command->add_option("--law", options->laws, "only this law; may be given again")
      ->type_name("NAME");
  command->add_flag("--about-pole", options->about_pole,
                    "write the laws about the pole, as their source does, not about the centre of "
                    "pressure");
  command->add_flag("--json", options->json, "machine-readable");
  command
      ->add_option("--plot", options->plot,
                   "also draw the limit surface: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->add_option("--report", options->report, "also write a page with all of it: FILE.html")
      ->type_name("FILE");
  command->add_option("--out", options->out, "write the result to a file instead")
      ->type_name("FILE");
  command->footer(
      "Example of a file:\n"
      "  shape: {rectangle: {length: 20 cm, width: 10 cm}}\n"
      "  pressure: {slope: [2, 0]}      # 1/m; or hertz for discs and ellipses\n"
      "Shapes: disc {radius}, annulus {inner, outer}, ellipse {a, b}, rectangle {length, width},\n"
      "polygon {corners}, points {places}, table {x, y, values}, overlap of two bodies.\n"
      "Output: c_i_j_k, the moments of x^i y^j (x^2+y^2)^(-k/2) over the pressure, SI; for each\n"
      "law its fitted m and b and its errors against the exact integral, in mu N.\n"
      "Examples:\n"
      "  bristle patch --shape 'disc: {radius: 5 mm}' --pressure hertz\n"
      "  bristle patch pad.yaml --law exact --law I00 --law quartic --report pad.html");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
