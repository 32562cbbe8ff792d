#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bristle/report/run_report.hpp"
#include "run_detail.hpp"

namespace bristle {

using run_detail::find;
using run_detail::show;

namespace {

using Status = Headline::Status;

/// Columns whose names are one of `stems`, perhaps with a number behind.
std::vector<const Column*> alike(const RunResult& result, const std::set<std::string>& stems) {
  std::vector<const Column*> list;
  for (const Column& column : result.columns) {
    std::string stem = column.name;
    while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back())) != 0) {
      stem.pop_back();
    }
    if (stems.contains(stem) || stems.contains(column.name)) list.push_back(&column);
  }
  return list;
}

/// Metres, metres per second and radians that are rounding and no motion.
constexpr double nothing = 1e-15;

double largest(const std::vector<const Column*>& columns) {
  double most = 0;
  for (const Column* column : columns) {
    for (const double value : column->values) {
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
    }
  }
  return most;
}
/// Forces that are rounding beside the loads.
double no_force(const RunResult& result) { return 1e-12 * largest(alike(result, {"fn"})); }

/// Panels in which nothing rises above `floor` are left out; the caption says so.
void add_panel(Figure& figure, const RunResult& result, const std::set<std::string>& stems,
               const std::string& label, const std::vector<Band>& bands, double floor) {
  const std::vector<const Column*> columns = alike(result, stems);
  if (columns.empty()) return;
  if (largest(columns) <= floor) {
    std::string quantity = label.substr(0, label.find(" ("));
    quantity.front() =
        static_cast<char>(std::tolower(static_cast<unsigned char>(quantity.front())));
    if (!figure.caption.empty()) figure.caption.pop_back();
    figure.caption += (figure.caption.empty() ? "Zero throughout: " : ", ") + quantity + '.';
    return;
  }
  Panel panel{.x_label = "Time t (s)", .y_label = label};
  for (const Column* column : columns) {
    panel.series.push_back(
        {.label = column->name, .x = result.columns.front().values, .y = column->values});
  }
  panel.bands = bands;
  figure.panels.push_back(std::move(panel));
}

std::vector<Band> bands_of(const RunDescription& run, const RunResult& result) {
  return is_world(result) ? contact_bands(result, 0, run.slip_speed)
                          : stick_bands(result, 0, run.slip_speed);
}

Figure motion_figure(const RunDescription& run, const RunResult& result) {
  Figure figure;
  const std::vector<Band> bands = bands_of(run, result);
  add_panel(figure, result, {"x", "y", "z"}, "Position (m)", bands, nothing);
  add_panel(figure, result, {"phi"}, "Angle (rad)", bands, nothing);
  add_panel(figure, result, {"v", "vx", "vy", "vz"}, "Velocity (m/s)", bands, nothing);
  add_panel(figure, result, {"omega", "wx", "wy", "wz"}, "Angular velocity (rad/s)", bands,
            nothing);
  add_panel(figure, result, {"F"}, "Friction (N)", bands, no_force(result));
  add_panel(figure, result, {"T_spin", "T_roll", "M"}, "Torque of contact (N m)", bands,
            no_force(result));
  add_panel(figure, result, {"fn"}, "Load (N)", bands, 0);
  add_panel(figure, result, {"u"}, "Controller output (V)", bands, 0);
  return figure;
}

Figure state_figure(const RunDescription& run, const RunResult& result) {
  Figure figure;
  const std::vector<Band> bands = bands_of(run, result);
  add_panel(figure, result, {"slip", "slipx", "slipy"}, "Slip velocity (m/s)", bands, nothing);
  add_panel(figure, result, {"spin"}, "Spin (rad/s)", bands, nothing);
  const bool world = is_world(result);  // whose z is a position
  add_panel(figure, result,
            {world ? "bristle_x" : "z", "bristle_y", "z_x", "z_y", "p", "p_x", "p_y", "s_x", "s_y",
             "d", "d_x", "d_y"},
            "Deflection (m)", bands, nothing);
  add_panel(figure, result, {"s_dw"}, "Dwell state s_dw", bands, 0);
  return figure;
}

Figure loop_figure(const RunResult& result) {
  Figure figure;
  Panel panel{.x_label = "Slip velocity (m/s)", .y_label = "Friction (N)"};
  const auto slips = alike(result, {"slip"});
  const auto forces = alike(result, {"F"});
  if (largest(slips) <= nothing || largest(forces) <= no_force(result)) return figure;
  for (std::size_t i = 0; i < std::min(slips.size(), forces.size()); ++i) {
    panel.series.push_back(
        {.label = forces[i]->name, .x = slips[i]->values, .y = forces[i]->values});
  }
  if (!panel.series.empty()) figure.panels.push_back(std::move(panel));
  return figure;
}

/// Velocity against position over the last period of an orbit, or the last third of the run.
Figure phase_figure(const RunResult& result) {
  Figure figure;
  if (!result.metrics.contains("orbit_sticks")) return figure;
  const std::vector<double>& t = result.columns.front().values;
  const auto period = result.metrics.find("orbit_period");
  const double from = t.back() - (period != result.metrics.end() ? period->second : t.back() / 3);
  const auto first = std::lower_bound(t.begin(), t.end(), from) - t.begin();
  const auto cut = [&](const Column& c) {
    return std::vector<double>(c.values.begin() + first, c.values.end());
  };
  for (const auto& [place, rate] : {std::pair{"x", "vx"}, {"x", "v"}, {"phi", "omega"}}) {
    const Column *x = find(result, place), *v = find(result, rate);
    if (x == nullptr || v == nullptr) continue;
    figure.panels.push_back({.x_label = fmt::format("{} ({})", place, x->unit),
                             .y_label = fmt::format("{} ({})", rate, v->unit),
                             .series = {{.label = "", .x = cut(*x), .y = cut(*v)}}});
  }
  return figure;
}

Figure energy_figure(const RunResult& result) {
  Figure figure;
  add_panel(figure, result,
            {"W_input", "E_kinetic", "E_stored", "E_potential", "E_contact", "E_total",
             "W_friction", "W_normal", "W_damper"},
            "Energy (J)", {}, 0);
  return figure;
}

PageTable energy_table(const RunResult& result) {
  const EnergyBooks& books = result.energy;
  PageTable table{"Where the energy went", {"part", "J"}, {}};
  const auto add = [&](const char* part, double value) {
    table.rows.push_back({part, show(value)});
  };
  add("put in by sources, drives and moving frames", books.input);
  add("kinetic, at the end", books.kinetic);
  add("stored in springs and bristles, at the end", books.stored);
  add("dissipated, all together", books.dissipated);
  if (is_world(result)) return table;
  add("of which in dampers and gaps", books.damped);
  add("of which removed by velocity resets and stops", books.reset_loss);
  return table;
}

PageTable split_table(const RunResult& result) {
  PageTable table{is_world(result)
                      ? "Work of normal force and friction of each contact, and what "
                        "the laws say of it"
                      : "Friction work of each contact, and the law's own account of it",
                  {"contact", "work ∫F·v dt, J", "stored, J", "dissipated, J", "jumps, J", "error"},
                  {}};
  int c = 0;
  for (const EnergyBooks::OfContact& contact : result.energy.contacts) {
    table.rows.push_back(
        {fmt::format("{}", ++c), show(contact.work), show(contact.stored), show(contact.dissipated),
         show(contact.jumps),
         std::isnan(contact.split_error) ? "–" : fmt::format("{:.1e}", contact.split_error)});
  }
  return table;
}

PageTable metric_table(const RunResult& result) {
  PageTable table{"", {"quantity", "value"}, {}};
  for (const auto& [name, value] : result.metrics) table.rows.push_back({name, show(value)});
  return table;
}

PageTable event_table(const RunResult& result) {
  constexpr std::size_t most = 60;
  PageTable table{"", {"t (s)", "event", "where"}, {}};
  for (std::size_t i = 0; i < std::min(most, result.events.size()); ++i) {
    const RunEvent& event = result.events[i];
    table.rows.push_back(
        {fmt::format("{:.9g}", event.t), event.kind, fmt::format("{}", event.where + 1)});
  }
  return table;
}

PageTable solver_table(const RunDescription& run, const RunResult& result) {
  PageTable table{"", {"", "value"}, {}};
  table.rows.push_back({"method", result.method});
  if (is_fixed_step(result.method)) {
    table.rows.push_back({"step (s)", show(run.step)});
  } else {
    table.rows.push_back({"relative tolerance", show(run.rtol)});
  }
  table.rows.push_back({"steps", fmt::format("{}", result.steps)});
  table.rows.push_back(
      {"evaluations of the right-hand side", fmt::format("{}", result.evaluations)});
  table.rows.push_back({"restarts at events and breaks", fmt::format("{}", result.restarts)});
  table.rows.push_back({"events", fmt::format("{}", result.events.size())});
  if (run.wall_seconds >= 0) {
    table.rows.push_back({"wall time (s)", fmt::format("{:.3g}", run.wall_seconds)});
  }
  return table;
}

PageTable check_table(const RunDescription& run) {
  PageTable table{"Against a finer run (a tenth of the tolerance, or half the step)",
                  {"quantity", "value", "finer", "difference"},
                  {}};
  for (const CheckedValue& value : run.check) {
    table.rows.push_back({value.name, show(value.value), show(value.finer),
                          fmt::format("{:.2e}", std::abs(value.value - value.finer))});
  }
  return table;
}

std::vector<Headline> headlines(const RunResult& result) {
  std::vector<Headline> list;
  const auto metric = [&](const char* name, const char* label, const char* unit) {
    const auto found = result.metrics.find(name);
    if (found == result.metrics.end()) return;
    list.push_back({.label = label, .value = show(found->second), .unit = unit});
  };
  metric("impact_count", "impacts", "");
  metric("first_restitution", "first rebound / approach", "");
  metric("lasting_from", "contact lasts from", "s");
  metric("first_slip_time", "first slip", "s");
  metric("slip_count", "slips", "");
  metric("period", "period", "s");
  metric("orbit_period", "period of the orbit", "s");
  metric("orbit_sticks", "sticks per period", "");
  metric("amplitude", "amplitude", "m");
  metric("peak_friction", "peak friction", "N");
  const double error = energy_error(result.energy);
  list.push_back({.label = "energy error",
                  .value = fmt::format("{:.1e}", error),
                  .unit = "",
                  .note = "gap of the balance, or rise from nowhere, over the largest energy",
                  .status = error <= 1e-6 ? Status::good : Status::warn});
  if (!result.warnings.empty()) {
    list.push_back({.label = result.warnings.size() == 1 ? "warning" : "warnings",
                    .value = std::to_string(result.warnings.size()),
                    .unit = "",
                    .note = result.warnings.front().kind,
                    .status = Status::warn});
  }
  if (result.partial) {
    list.push_back({.label = "partial",
                    .value = show(result.t_end),
                    .unit = "s",
                    .note = "the run was interrupted here",
                    .status = Status::warn});
  }
  return list;
}

/// Columns in which no row has anything to say.
void drop_empty_columns(PageTable& table) {
  for (std::size_t i = table.heads.size(); i-- > 0;) {
    const bool empty = std::all_of(table.rows.begin(), table.rows.end(),
                                   [&](const auto& row) { return row[i] == "–"; });
    if (!empty) continue;
    table.heads.erase(table.heads.begin() + static_cast<long>(i));
    for (auto& row : table.rows) row.erase(row.begin() + static_cast<long>(i));
  }
}

}  // namespace

std::vector<Band> stick_bands(const RunResult& result, int contact, double slip_speed) {
  const bool several = result.energy.contacts.size() > 1;
  const auto name = [&](const std::string& stem) {
    return several ? fmt::format("{}{}", stem, contact + 1) : stem;
  };
  const Column* stick = find(result, name("stick"));
  const Column* slip = find(result, name("slip"));
  const Column* slip_x = find(result, name("slip") + "x");
  const Column* slip_y = find(result, name("slip") + "y");
  const auto sticks = [&](std::size_t i) {
    if (stick != nullptr) return stick->values[i] > 0.5;
    if (slip_speed <= 0) return false;
    const double v = slip != nullptr ? std::abs(slip->values[i])
                                     : std::hypot(slip_x->values[i], slip_y->values[i]);
    return v < slip_speed / 4;
  };
  std::vector<Band> bands;
  if (stick == nullptr && slip == nullptr && slip_x == nullptr) return bands;
  const std::vector<double>& t = result.columns.front().values;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!sticks(i)) continue;
    const std::size_t first = i;
    while (i + 1 < t.size() && sticks(i + 1)) ++i;
    bands.push_back({.from = t[first], .to = t[i], .label = "stick", .kind = 0});
  }
  return bands;
}

ReportPage run_page(const RunDescription& run, const RunResult& result) {
  ReportPage page;
  page.title = run.title;
  page.subtitle =
      fmt::format("{}{}law {}{}, {} to t = {:g} s", run.source, run.source.empty() ? "" : " · ",
                  run.law.empty() ? "none" : run.law,
                  run.normal_law.empty() ? "" : fmt::format(", normal law {}", run.normal_law),
                  result.method, result.t_end);
  page.headlines = headlines(result);
  if (!result.warnings.empty()) {
    Section warnings{.title = "Warnings"};
    for (const RunWarning& warning : result.warnings) {
      warnings.paragraphs.push_back(fmt::format("{}: {}.", warning.kind, warning.text));
    }
    page.sections.push_back(std::move(warnings));
  }
  Section motion{.title = "Motion and friction"};
  if (Section view = scene_section(result); !view.animations.empty()) {
    if (!run.text.empty()) view.paragraphs.push_back(run.text);
    page.sections.push_back(std::move(view));
  } else if (!run.text.empty()) {
    motion.paragraphs.push_back(run.text);
  }
  if (Figure path = path_figure(result); is_world(result) && !path.panels.empty()) {
    motion.figures.push_back(std::move(path));
  }
  if (Figure figure = motion_figure(run, result); !figure.panels.empty()) {
    motion.figures.push_back(std::move(figure));
  }
  motion.tables.push_back(metric_table(result));
  page.sections.push_back(std::move(motion));
  if (!result.patches.empty()) {
    Section patches{.title = "Contact patch"};
    for (const PatchView& view : result.patches) patches.pictures.push_back(patch_picture(view));
    page.sections.push_back(std::move(patches));
  }
  if (!result.impacts.empty()) {
    Section impacts{.title = "Impacts"};
    if (result.impacts.size() > 60) {
      impacts.paragraphs.push_back(
          fmt::format("The first 60 of {}; all are in summary.json.", result.impacts.size()));
    }
    impacts.tables.push_back(impact_table(result));
    page.sections.push_back(std::move(impacts));
  }
  if (Figure phases = phase_figure(result); !phases.panels.empty()) {
    Section orbit{.title = "Orbit"};
    const bool closed = result.metrics.at("orbit_sticks") > 0;
    orbit.paragraphs.push_back(
        closed
            ? fmt::format("The motion is back after {:.10g} s and {:g} slips, up to {:.1e} of its "
                          "range; it sticks {:.1f} % of the time.",
                          result.metrics.at("orbit_period"), result.metrics.at("orbit_sticks"),
                          result.metrics.at("orbit_error"), 100 * result.metrics.at("stick_share"))
            : "The motion has not come back to where slip started: the last third of the run.");
    orbit.figures.push_back(std::move(phases));
    page.sections.push_back(std::move(orbit));
  }
  Section inside{.title = "Inside the contact"};
  for (Figure& figure : std::vector<Figure>{state_figure(run, result), loop_figure(result)}) {
    if (!figure.panels.empty()) inside.figures.push_back(std::move(figure));
  }
  if (!inside.figures.empty()) page.sections.push_back(std::move(inside));
  Section energy{.title = "Energy audit"};
  energy.paragraphs.emplace_back(
      "Every part is measured on its own: work by integrating force times velocity, kinetic and "
      "stored energy from the state. The error is what is left when they are put together.");
  if (Figure figure = energy_figure(result); !figure.panels.empty()) {
    energy.figures.push_back(std::move(figure));
  }
  energy.tables = {energy_table(result), split_table(result)};
  page.sections.push_back(std::move(energy));
  Section numbers{.title = "Parameters"};
  numbers.tables = run.parameters;
  page.sections.push_back(std::move(numbers));
  Section solver{.title = "Solver"};
  solver.tables.push_back(solver_table(run, result));
  if (!run.check.empty()) solver.tables.push_back(check_table(run));
  page.sections.push_back(std::move(solver));
  if (!result.events.empty()) {
    Section events{.title = "Events"};
    if (result.events.size() > 60) {
      events.paragraphs.push_back(
          fmt::format("The first 60 of {}; all are in summary.json.", result.events.size()));
    }
    events.tables.push_back(event_table(result));
    page.sections.push_back(std::move(events));
  }
  return page;
}

PageTable compare_table(const std::vector<ComparedRun>& runs) {
  PageTable table{"",
                  {"law", "final x", "slips", "first slip (s)", "period (s)", "peak friction (N)",
                   "energy error", "method", "rhs evaluations", "wall time (ms)"},
                  {}};
  for (const ComparedRun& run : runs) {
    const auto metric = [&](const char* name) {
      const auto found = run.result.metrics.find(name);
      return found == run.result.metrics.end() ? std::string("–") : show(found->second);
    };
    const bool one_contact = run.result.metrics.contains("peak_friction");
    table.rows.push_back({run.description.law,
                          run.result.columns.size() > 1
                              ? fmt::format("{:.7g}", run.result.columns[1].values.back())
                              : "–",
                          metric("slip_count"), metric("first_slip_time"), metric("period"),
                          metric(one_contact ? "peak_friction" : "peak_friction1"),
                          fmt::format("{:.1e}", energy_error(run.result.energy)), run.result.method,
                          fmt::format("{}", run.result.evaluations),
                          fmt::format("{:.2f}", 1e3 * run.description.wall_seconds)});
  }
  drop_empty_columns(table);
  return table;
}

ReportPage compare_page(const std::vector<ComparedRun>& runs) {
  ReportPage page;
  page.title = runs.empty() ? "Comparison" : runs.front().description.title + ": laws compared";
  page.subtitle = runs.empty() ? "" : runs.front().description.source;
  Section table{.title = "Side by side"};
  table.tables.push_back(compare_table(runs));
  page.sections.push_back(std::move(table));
  Section curves{.title = "Curves"};
  Figure figure;
  std::set<std::string> shown;
  for (const ComparedRun& run : runs) {
    for (const Column* column :
         alike(run.result, {"x", "y", "phi", "v", "vx", "vy", "omega", "F"})) {
      if (!shown.insert(column->name).second) continue;
      Panel panel{.x_label = "Time t (s)",
                  .y_label = fmt::format("{} ({})", column->name, column->unit)};
      for (const ComparedRun& other : runs) {
        const Column* same = find(other.result, column->name);
        if (same == nullptr) continue;
        panel.series.push_back({.label = other.description.law,
                                .x = other.result.columns.front().values,
                                .y = same->values});
      }
      figure.panels.push_back(std::move(panel));
    }
  }
  curves.figures.push_back(std::move(figure));
  page.sections.push_back(std::move(curves));
  return page;
}

}  // namespace bristle
