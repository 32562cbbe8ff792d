#include "bristle/identify/track.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/scenario/signal.hpp"
#include "estimate_report.hpp"
#include "recipe_kit.hpp"

namespace bristle {
namespace {

Tracked read_tracked(const Parameter& parameter, const Node& node) {
  const Dimension d = written_dimension(parameter);
  Tracked tracked{.name = std::string(parameter.name)};
  tracked.low = node["min"].quantity(d, parameter.range);
  Range above_low = parameter.range;
  above_low.min = tracked.low;
  above_low.min_open = true;
  tracked.high = node["max"].quantity(d, above_low);
  tracked.start = node["start"].quantity(d, between(tracked.low, tracked.high));
  tracked.spread = node["spread"].quantity(d, 0.0, at_least(0));
  tracked.walk = node["walk"].quantity(d, 0.0, at_least(0));
  return tracked;
}

std::string unit_of(const TrackTask& task, const Tracked& p) {
  const std::string unit(task.law.info().at(p.name).unit);
  return unit == "1" ? "" : unit;
}

/// Null where it is not known.
const Signal* known_of(const TrackTask& task, std::size_t j) {
  if (j >= task.known.size()) return nullptr;
  const std::optional<Signal>& known = task.known[j];
  return known ? &*known : nullptr;
}

std::size_t samples_of(const TrackTask& task) {
  std::size_t count = 0;
  for (const Recording& r : task.recordings) count += r.size();
  return count;
}

/// A parameter is followed or held, and followed once.
void check_followed(const TrackTask& task, const Parameter& parameter, const Node& node,
                    const Node& fixed) {
  for (const auto& [key, held] : fixed.entries()) {
    if (task.law.info().find(key) != &parameter) continue;
    throw InputError(node.fault(fmt::format(
        "the same parameter is fixed in line {}, and cannot be followed", held.line())));
  }
  for (const Tracked& other : task.parameters) {
    if (other.name == parameter.name) throw InputError(node.fault("the same parameter again"));
  }
}

}  // namespace

TrackTask read_track(const Document& document) {
  TrackTask task;
  task.title = document["title"].text("Parameters followed in time");
  task.recordings = recipes::read_data(document, common_roles(), {"slip", "load", "force"});
  task.law = recipes::known_law(document["law"].required("a friction law").word(AnyLaw::names()),
                                document["fixed"]);
  for (const auto& [key, node] : document["track"].required("the parameters to follow").entries()) {
    const Parameter& parameter = recipes::named_parameter(task.law, key, node);
    check_followed(task, parameter, node, document["fixed"]);
    task.parameters.push_back(read_tracked(parameter, node));
    task.known.emplace_back();
    if (node["known"].exists()) {
      task.known.back() = detail::read_signal(node["known"], written_dimension(parameter));
    }
  }
  task.options.noise =
      document["noise"].required("of the force, for example 0.1 N").quantity(dim::force, above(0));
  return task;
}

std::vector<TrackSample> track_samples(const TrackTask& task) {
  std::vector<TrackSample> samples;
  samples.reserve(samples_of(task));
  for (const Recording& r : task.recordings) {
    const auto &v = r.at("slip"), &fn = r.at("load"), &force = r.at("force");
    for (std::size_t k = 0; k < r.size(); ++k) {
      samples.push_back({k == 0 ? 0 : r.t[k] - r.t[k - 1], v[k], fn[k], force[k], k == 0});
    }
  }
  return samples;
}

void take(OnlineEstimator& estimator, const TrackSample& sample) noexcept {
  if (sample.first) estimator.pause();
  estimator.update(sample.dt, sample.slip, sample.load, sample.force);
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
    table.columns[0].insert(table.columns[0].end(), r.t.begin(), r.t.end());
  }
  for (const TrackSample& sample : track_samples(task)) {
    take(estimator, sample);
    std::size_t column = 1;
    const auto put = [&](double x) { table.columns[column++].push_back(x); };
    for (std::size_t j = 0; j < estimator.size(); ++j) {
      put(estimator.value(j));
      put(estimator.sd(j));
    }
    put(sample.force);
    put(estimator.innovation());
  }
  return table;
}

// ---- judged by what is known ------------------------------------------------------------------

namespace {

/// Samples [begin, end) of the result, in which the known course does not break.
Settled settled_in(const Tracked& p, const Signal& known, const Table& result, double from,
                   std::size_t begin, std::size_t end) {
  const std::vector<double>&t = result.at("t"), &x = result.at(p.name);
  const auto error = [&](std::size_t k) {
    const double truth = known.value(t[k]);
    return std::abs(x[k] - truth) / std::max(std::abs(truth), 1e-300);
  };
  std::size_t k = end;
  double off = 0;
  while (k > begin && error(k - 1) <= Settled::within) off = std::max(off, error(--k));
  const bool never = k == end;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {.parameter = p.name,
          .from = from,
          .to = t[end - 1],
          .known = known.value(from),
          .after = never ? nan : t[k] - from,
          .off = never ? nan : off};
}

}  // namespace

std::vector<Settled> settling(const TrackTask& task, const Table& result) {
  std::vector<Settled> list;
  const std::vector<double>& t = result.at("t");
  for (std::size_t j = 0; j < task.parameters.size(); ++j) {
    const Signal* known = known_of(task, j);
    if (known == nullptr) continue;
    const std::vector<double> breaks = known->breaks();
    std::size_t begin = 0;
    for (const Recording& r : task.recordings) {
      const std::size_t stop = begin + r.size();
      double from = t[begin];
      while (begin < stop) {
        const auto next = std::upper_bound(breaks.begin(), breaks.end(), t[begin]);
        std::size_t end = begin;
        while (end < stop && (next == breaks.end() || t[end] < *next)) ++end;
        list.push_back(settled_in(task.parameters[j], *known, result, from, begin, end));
        begin = end;
        if (next != breaks.end()) from = *next;
      }
    }
  }
  return list;
}

// ---- telling ------------------------------------------------------------------------------------

std::string track_text(const TrackTask& task, const Table& result) {
  std::string text = fmt::format("{}\n{}, {} samples, noise {:g} N\n", task.title, task.law.name(),
                                 samples_of(task), task.options.noise);
  for (const Tracked& p : task.parameters) {
    const std::string unit = unit_of(task, p);
    text += fmt::format("  {:<8} {:.5g} ± {:.2g}{}, at the end\n", p.name, result.at(p.name).back(),
                        result.at(p.name + "_sd").back(), unit.empty() ? "" : " " + unit);
  }
  for (const Settled& s : settling(task, result)) {
    text += fmt::format("  {:<8} known to be {:g} from {:g} s: ", s.parameter, s.known, s.from);
    text += std::isfinite(s.after)
                ? fmt::format("within 5 % after {:.3g} s, at most {:.2g} % off from then on\n",
                              s.after, 100 * s.off)
                : fmt::format("not within 5 % until {:g} s\n", s.to);
  }
  return text;
}

std::string track_json(const TrackTask& task, const Table& result) {
  OrderedJson json{{"title", task.title},
                   {"law", task.law.name()},
                   {"noise", task.options.noise},
                   {"samples", samples_of(task)},
                   {"parameters", OrderedJson::array()},
                   {"settled", OrderedJson::array()},
                   {"data", OrderedJson::array()}};
  for (const Tracked& p : task.parameters) {
    json["parameters"].push_back({{"name", p.name},
                                  {"unit", task.law.info().at(p.name).unit},
                                  {"value", json_number(result.at(p.name).back())},
                                  {"sd", json_number(result.at(p.name + "_sd").back())},
                                  {"start", p.start},
                                  {"min", p.low},
                                  {"max", p.high},
                                  {"walk", p.walk}});
  }
  for (const Settled& s : settling(task, result)) {
    json["settled"].push_back({{"parameter", s.parameter},
                               {"from", s.from},
                               {"to", s.to},
                               {"known", s.known},
                               {"after", json_number(s.after)},
                               {"off", json_number(s.off)}});
  }
  for (const Recording& r : task.recordings) {
    json["data"].push_back({{"file", r.file}, {"samples", r.size()}, {"steps", r.steps}});
  }
  return json.dump(1) + "\n";
}

namespace {

/// Time as it is drawn: recordings do not overlap, and no line goes from one to the next.
class Axis {
 public:
  explicit Axis(const TrackTask& task) : task_(task) {
    double last = -std::numeric_limits<double>::infinity();
    for (const Recording& r : task.recordings) {
      // A recording that began before the last one ended comes from another day.
      const double moved =
          r.t.front() > last ? 0 : last + (r.t.back() - r.t.front()) / 20 - r.t.front();
      moved_ = moved_ || moved != 0;
      for (const double t : r.t) t_.push_back(t + moved);
      last = t_.back();
    }
    t_ = with_breaks(t_, t_);
  }

  std::string label() const {
    return moved_ ? "Time, recordings one after the other (s)" : "Time t (s)";
  }
  Series curve(std::string text, const std::vector<double>& y) const {
    return {.label = std::move(text),
            .x = t_,
            .y = with_breaks(y, std::vector<double>(y.size(), none))};
  }
  /// Two curves of one colour.
  Series band(std::string text, const std::vector<double>& low,
              const std::vector<double>& high) const {
    Series both = curve(std::move(text), low);
    const Series upper = curve("", high);
    both.style = Series::Style::dashed;
    both.x.push_back(t_.back());
    both.y.push_back(none);
    both.x.insert(both.x.end(), upper.x.begin(), upper.x.end());
    both.y.insert(both.y.end(), upper.y.begin(), upper.y.end());
    return both;
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  /// The values with one more, `at` its last sample, after each recording but the last.
  std::vector<double> with_breaks(const std::vector<double>& y,
                                  const std::vector<double>& at) const {
    std::vector<double> all;
    std::size_t k = 0;
    for (const Recording& r : task_.recordings) {
      if (k > 0) all.push_back(at[k - 1]);
      for (std::size_t i = 0; i < r.size(); ++i) all.push_back(y[k++]);
    }
    return all;
  }

  const TrackTask& task_;
  std::vector<double> t_{};
  bool moved_ = false;
};

PageTable settled_table(const std::vector<Settled>& list) {
  PageTable table{
      "",
      {"parameter", "known", "from (s)", "within 5 % after (s)", "then at most off by (%)"},
      {}};
  for (const Settled& s : list) {
    table.rows.push_back(
        {s.parameter, show(s.known), show(s.from), show(s.after), percent(s.off, 2)});
  }
  return table;
}

Headline settled_headline(const std::vector<Settled>& list) {
  double longest = 0;
  bool all = true;
  for (const Settled& s : list) {
    all = all && std::isfinite(s.after);
    longest = std::max(longest, s.after);
  }
  return {.label = "Within 5 % of what is known",
          .value = all ? show(longest) : "not always",
          .unit = all ? "s" : "",
          .note = all ? "after a change, at the latest" : "see the table",
          .status = all ? Headline::Status::good : Headline::Status::warn};
}

}  // namespace

Figure track_figure(const TrackTask& task, const Table& result) {
  const Axis axis(task);
  Figure figure;
  for (std::size_t j = 0; j < task.parameters.size(); ++j) {
    const Tracked& p = task.parameters[j];
    const std::vector<double>&x = result.at(p.name), &sd = result.at(p.name + "_sd");
    const Signal* course = known_of(task, j);
    std::vector<double> low, high, known;
    for (std::size_t k = 0; k < x.size(); ++k) {
      low.push_back(std::max(x[k] - 2 * sd[k], p.low));
      high.push_back(std::min(x[k] + 2 * sd[k], p.high));
      if (course != nullptr) known.push_back(course->value(result.at("t")[k]));
    }
    const std::string unit = unit_of(task, p);
    Panel panel{.x_label = axis.label(),
                .y_label = p.name + (unit.empty() ? "" : " (" + unit + ")"),
                .series = {axis.curve("estimate", x), axis.band("± 2 sd", low, high)}};
    if (course != nullptr) panel.series.push_back(axis.curve("known", known));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

ReportPage track_page(const TrackTask& task, const Table& result) {
  ReportPage page{.title = task.title,
                  .subtitle = fmt::format("law {}, {} samples, noise {:g} N", task.law.name(),
                                          samples_of(task), task.options.noise)};
  for (const Tracked& p : task.parameters) {
    page.headlines.push_back({.label = p.name + ", at the end",
                              .value = fmt::format("{:.4g}", result.at(p.name).back()),
                              .unit = unit_of(task, p),
                              .note = fmt::format("± {:.2g}", result.at(p.name + "_sd").back())});
  }
  const Axis axis(task);
  Section followed{.title = "Parameters",
                   .paragraphs = {"Estimate, with two standard deviations to either side."},
                   .figures = {track_figure(task, result)}};
  if (const std::vector<Settled> list = settling(task, result); !list.empty()) {
    followed.tables.push_back(settled_table(list));
    page.headlines.push_back(settled_headline(list));
  }
  page.sections.push_back(std::move(followed));
  Figure forces;
  forces.panels.push_back({.x_label = axis.label(),
                           .y_label = "Friction (N)",
                           .series = {axis.curve("measured", result.at("F"))}});
  forces.panels.push_back({.x_label = axis.label(),
                           .y_label = "Innovation (N)",
                           .series = {axis.curve("measured − expected", result.at("innovation"))}});
  Section data{.title = "Data", .figures = {std::move(forces)}};
  for (const Recording& r : task.recordings) {
    for (const std::string& step : r.steps) data.paragraphs.push_back(r.file + ": " + step);
  }
  page.sections.push_back(std::move(data));
  return page;
}

}  // namespace bristle
