#include "bristle/identify/track.hpp"

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {

TrackTask read_track(const Document& document) {
  TrackTask task;
  task.title = document["title"].text("Parameters followed in time");
  for (const Node& node : document["data"].required("a list of recordings").items()) {
    task.recordings.push_back(read_recording(node));
  }
  task.law = AnyLaw(document["law"].required("a friction law").word(AnyLaw::names()));
  for (const auto& [key, node] : document["fixed"].entries()) {
    const Parameter& parameter = task.law.info().at(key);
    task.law.set(parameter.name, node.quantity(parse_unit(parameter.unit).dimension));
  }
  for (const auto& [key, node] : document["track"].required("the parameters to follow").entries()) {
    const Parameter& parameter = task.law.info().at(key);
    const Dimension d = parse_unit(parameter.unit).dimension;
    Tracked tracked{.name = parameter.name};
    tracked.start = node["start"].quantity(d);
    tracked.low = node["min"].quantity(d);
    tracked.high = node["max"].quantity(d);
    tracked.spread = node["spread"].quantity(d, 0.0, at_least(0));
    tracked.walk = node["walk"].quantity(d, 0.0, at_least(0));
    task.parameters.push_back(std::move(tracked));
  }
  task.options.noise =
      document["noise"].required("of the force, for example 0.1 N").quantity(dim::force);
  return task;
}

Table track(const TrackTask& task) {
  OnlineEstimator estimator(task.law, task.parameters, task.options);
  Table table;
  table.names = {"t"};
  for (const Tracked& p : task.parameters) {
    table.names.push_back(p.name);
    table.names.push_back(p.name + "_sd");
  }
  table.names.insert(table.names.end(), {"F", "innovation"});
  table.columns.resize(table.names.size());
  for (const Recording& r : task.recordings) {
    const auto &v = r.at("slip"), &fn = r.at("load"), &force = r.at("force");
    for (std::size_t k = 0; k < r.size(); ++k) {
      estimator.update(k == 0 ? 0 : r.t[k] - r.t[k - 1], v[k], fn[k], force[k]);
      std::size_t column = 0;
      const auto put = [&](double x) { table.columns[column++].push_back(x); };
      put(r.t[k]);
      for (std::size_t j = 0; j < estimator.size(); ++j) {
        put(estimator.value(j));
        put(estimator.sd(j));
      }
      put(force[k]);
      put(estimator.innovation());
    }
  }
  return table;
}

ReportPage track_page(const TrackTask& task, const Table& result) {
  ReportPage page{
      .title = task.title,
      .subtitle = fmt::format("law {}, noise {:g} N", task.law.name(), task.options.noise)};
  const std::vector<double>& t = result.at("t");
  Section followed{.title = "Parameters",
                   .paragraphs = {"Estimate, with two standard deviations to either side."}};
  Figure figure;
  for (const Tracked& p : task.parameters) {
    const std::vector<double>&x = result.at(p.name), &sd = result.at(p.name + "_sd");
    std::vector<double> low, high;
    for (std::size_t k = 0; k < x.size(); ++k) {
      low.push_back(x[k] - 2 * sd[k]);
      high.push_back(x[k] + 2 * sd[k]);
    }
    const std::string unit(task.law.info().at(p.name).unit);
    page.headlines.push_back({.label = p.name + ", at the end",
                              .value = fmt::format("{:.4g}", x.back()),
                              .unit = unit == "1" ? "" : unit,
                              .note = fmt::format("± {:.2g}", sd.back())});
    figure.panels.push_back(
        {.x_label = "Time t (s)",
         .y_label = p.name + (unit == "1" ? "" : " (" + unit + ")"),
         .series = {{.label = "estimate", .x = t, .y = x},
                    {.label = "± 2 sd", .x = t, .y = low, .style = Series::Style::dashed},
                    {.label = "", .x = t, .y = high, .style = Series::Style::dashed}}});
  }
  followed.figures.push_back(std::move(figure));
  page.sections.push_back(std::move(followed));
  Figure data;
  data.panels.push_back({.x_label = "Time t (s)",
                         .y_label = "Friction (N)",
                         .series = {{.label = "measured", .x = t, .y = result.at("F")}}});
  data.panels.push_back(
      {.x_label = "Time t (s)",
       .y_label = "Innovation (N)",
       .series = {{.label = "measured − expected", .x = t, .y = result.at("innovation")}}});
  page.sections.push_back({.title = "Data", .figures = {std::move(data)}});
  return page;
}

}  // namespace bristle
