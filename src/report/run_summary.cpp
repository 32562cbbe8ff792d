#include <cmath>

#include <nlohmann/json.hpp>

#include "bristle/report/run_report.hpp"

namespace bristle {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json energy_json(const EnergyBooks& books) {
  Json energy{{"input", books.input},
              {"kinetic", books.kinetic},
              {"stored", books.stored},
              {"dissipated", books.dissipated},
              {"springs", books.springs},
              {"dampers", books.damped},
              {"reset_loss", books.reset_loss},
              {"relative_error", books.relative_error},
              {"gain", books.gain},
              {"gain_t", books.gain_t}};
  Json contacts = Json::array();
  for (const EnergyBooks::OfContact& contact : books.contacts) {
    contacts.push_back({{"work", contact.work},
                        {"stored", contact.stored},
                        {"dissipated", contact.dissipated},
                        {"jumps", contact.jumps},
                        {"split_error", number(contact.split_error)}});
  }
  energy["contacts"] = contacts;
  return energy;
}

Json events_json(const std::vector<RunEvent>& events) {
  Json list = Json::array();
  for (const RunEvent& event : events) {
    Json item{{"t", event.t}, {"kind", event.kind}};
    const bool gap = event.kind.starts_with("gap"), stop = event.kind == "stop";
    const bool meets = event.kind == "touch" || event.kind == "part";
    item[gap ? "gap" : (stop ? "stop" : "contact")] = event.where;
    if (gap || stop || meets) item["speed"] = event.value;
    if (!gap && !stop && !meets && event.value != 0) item["energy_lost"] = event.value;
    list.push_back(std::move(item));
  }
  return list;
}

Json impacts_json(const std::vector<Impact>& impacts) {
  Json list = Json::array();
  for (const Impact& impact : impacts) {
    const bool ended = std::isfinite(impact.t_out);
    list.push_back({{"t", impact.t},
                    {"v_in", impact.v_in},
                    {"v_out", ended ? Json(impact.v_out) : Json(nullptr)},
                    {"e_eff", ended ? number(impact.restitution()) : Json(nullptr)},
                    {"impulse", impact.impulse},
                    {"energy_lost", impact.lost},
                    {"t_out", ended ? Json(impact.t_out) : Json(nullptr)},
                    {"slip_in", impact.slip_in},
                    {"contact", impact.pair},
                    {"site", impact.site}});
  }
  return list;
}

Json solver_json(const RunDescription& run, const RunResult& result) {
  Json solver{{"method", result.method},
              {"steps", result.steps},
              {"rhs_evaluations", result.evaluations},
              {"restarts", result.restarts}};
  if (is_fixed_step(result.method)) {
    const BudgetUse& use = result.degraded;
    solver["degraded"] = {{"steps", use.steps},        {"touches", use.touches},
                          {"substeps", use.substeps},  {"sweeps", use.sweeps},
                          {"payments", use.payments},  {"energy_taken_back", use.paid},
                          {"depth_behind", use.behind}};
    solver["step"] = run.step;
  } else {
    solver["rtol"] = run.rtol;
  }
  return solver;
}

}  // namespace

std::string summary_json(const RunDescription& run, const RunResult& result) {
  Json summary{{"scenario", run.scenario}, {"title", run.title}, {"law", run.law}};
  if (!run.normal_law.empty()) summary["normal_law"] = run.normal_law;
  summary["partial"] = result.partial;
  summary["t_end"] = result.t_end;
  Json finals = Json::object(), columns = Json::object();
  for (const Column& column : result.columns) {
    finals[column.name] = number(column.values.back());
    columns[column.name] = column.unit;
  }
  summary["final"] = finals;
  Json metrics = Json::object();
  for (const auto& [name, value] : result.metrics) metrics[name] = number(value);
  for (const auto& [name, values] : result.lists) metrics[name] = values;
  summary["metrics"] = metrics;
  summary["energy"] = energy_json(result.energy);
  Json warnings = Json::array();
  for (const RunWarning& warning : result.warnings) {
    warnings.push_back({{"kind", warning.kind}, {"text", warning.text}});
  }
  summary["warnings"] = warnings;
  summary["events"] = events_json(result.events);
  summary["impacts"] = impacts_json(result.impacts);
  summary["solver"] = solver_json(run, result);
  if (!run.check.empty()) {
    Json check = Json::object();
    for (const CheckedValue& value : run.check) {
      check[value.name] = {{"value", number(value.value)},
                           {"finer", number(value.finer)},
                           {"difference", number(std::abs(value.value - value.finer))}};
    }
    summary["check"] = check;
  }
  summary["columns"] = columns;
  return summary.dump(1) + "\n";
}

std::string compare_json(const std::vector<ComparedRun>& runs) {
  Json list = Json::array();
  for (const ComparedRun& run : runs) {
    Json item = Json::parse(summary_json(run.description, run.result));
    item.erase("columns");
    item.erase("events");
    list.push_back(std::move(item));
  }
  return Json{{"runs", list}}.dump(1) + "\n";
}

}  // namespace bristle
