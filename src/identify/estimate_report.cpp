#include "estimate_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bristle {
namespace {

OrderedJson json_of(const Interval& i) {
  return {i.open_low ? OrderedJson() : json_number(i.low),
          i.open_high ? OrderedJson() : json_number(i.high)};
}

std::string unit_of(const Estimate& e) { return e.unit == "1" ? "" : " " + e.unit; }
std::string label_of(const Estimate& e) {
  return e.name + (unit_of(e).empty() ? "" : " (" + e.unit + ")");
}

}  // namespace

OrderedJson json_number(double x) { return std::isfinite(x) ? OrderedJson(x) : OrderedJson(); }

const Interval& interval_of(const Estimate& e) { return e.curve.empty() ? e.wald : e.profile; }

std::string show(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "–"; }
std::string show(const Interval& i) {
  return fmt::format("{} … {}", i.open_low ? "no limit" : show(i.low),
                     i.open_high ? "no limit" : show(i.high));
}
std::string percent(double share, int digits) {
  return std::isfinite(share) ? fmt::format("{:.{}f}", 100 * share, digits) : "–";
}

OrderedJson json_of(const Estimate& e) {
  return {{"name", e.name},
          {"value", json_number(e.value)},
          {"unit", e.unit},
          {"se", json_number(e.se)},
          {"ci95", json_of(interval_of(e))},
          {"wald95", json_of(e.wald)},
          {"verdict", to_string(e.verdict)},
          {"reason", e.reason}};
}
OrderedJson json_of(const std::vector<Estimate>& estimates) {
  OrderedJson all = OrderedJson::array();
  for (const Estimate& e : estimates) all.push_back(json_of(e));
  return all;
}

OrderedJson json_of(const Confidence& c) {
  OrderedJson correlation = OrderedJson::array();
  for (Eigen::Index i = 0; i < c.correlation.rows(); ++i) {
    OrderedJson row = OrderedJson::array();
    for (Eigen::Index k = 0; k < c.correlation.cols(); ++k) {
      row.push_back(json_number(c.correlation(i, k)));
    }
    correlation.push_back(std::move(row));
  }
  return {{"rank", c.rank},
          {"sigma", c.sigma},
          {"samples", c.samples},
          {"aic", c.aic},
          {"bic", c.bic},
          {"whiteness", {{"lag1", c.whiteness}, {"p", c.whiteness_p}}},
          {"singular_values", c.singular_values},
          {"correlation", std::move(correlation)}};
}

OrderedJson json_of_starts(const Search& search) {
  OrderedJson costs = OrderedJson::array();
  for (const StartResult& s : search.starts) costs.push_back(json_number(s.cost));
  return {{"costs", std::move(costs)}, {"agreeing", search.agreeing()}};
}

void add_help(const std::string& help, Estimate& e) {
  if (e.verdict == Verdict::determined || help.empty()) return;
  e.reason += ". What would help: " + help;
}

std::string estimate_lines(const std::vector<Estimate>& estimates) {
  std::string text;
  for (const Estimate& e : estimates) {
    text += fmt::format("  {:<8} {:>12.6g}{:<6} [{}]  {}: {}\n", e.name, e.value, unit_of(e),
                        show(interval_of(e)), to_string(e.verdict), e.reason);
  }
  return text;
}

PageTable estimate_table(const std::vector<Estimate>& estimates) {
  PageTable table{
      "", {"parameter", "estimate", "standard error", "95 % interval", "verdict", "why"}, {}};
  // Digits that say nothing would push the reasons off the page.
  const auto brief = [](double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "–"; };
  for (const Estimate& e : estimates) {
    const Interval& i = interval_of(e);
    table.rows.push_back({label_of(e), show(e.value),
                          std::isfinite(e.se) ? fmt::format("{:.2g}", e.se) : "–",
                          fmt::format("{} … {}", i.open_low ? "no limit" : brief(i.low),
                                      i.open_high ? "no limit" : brief(i.high)),
                          std::string(to_string(e.verdict)), e.reason});
  }
  return table;
}

std::vector<std::string> step_words(const Recording& recording) {
  std::vector<std::string> words;
  for (const std::string& step : recording.steps) words.push_back(recording.file + ": " + step);
  return words;
}

PageTable correlation_table(const Confidence& c) {
  PageTable table{"Correlation", {""}, {}};
  if (c.parameters.size() < 2) return table;
  for (std::size_t i = 0; i < c.parameters.size(); ++i) {
    table.heads.push_back(c.parameters[i].name);
    std::vector<std::string> row = {c.parameters[i].name};
    for (std::size_t k = 0; k <= i; ++k) {
      const double r = c.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
      row.push_back(i == k ? "1" : std::isfinite(r) ? fmt::format("{:.3f}", r) : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string rank_words(const Confidence& c) {
  std::vector<std::string> values;
  for (const double s : c.singular_values) values.push_back(fmt::format("{:.3g}", s));
  return fmt::format(
      "Singular values of the sensitivities, over the noise: {}; rank {} of {}. One over each is "
      "the "
      "standard deviation of a combination of the parameters, of their logarithms where they are "
      "sought so.",
      fmt::join(values, ", "), c.rank, c.parameters.size());
}

Figure loop_figure(const ForceLoop& loop) {
  Figure figure{.title = loop.source};
  const auto panel = [&](const char* label, std::vector<double> ForcePath::*along) {
    Panel drawn{.x_label = label, .y_label = loop.label};
    if (!loop.measured.slip.empty()) {
      drawn.series.push_back({.label = loop.derived ? "from the record, without a law" : "measured",
                              .x = loop.measured.*along,
                              .y = loop.measured.force,
                              .style = loop.derived ? Series::Style::points : Series::Style::line});
    }
    drawn.series.push_back({.label = "fit", .x = loop.fitted.*along, .y = loop.fitted.force});
    figure.panels.push_back(std::move(drawn));
  };
  panel("Slip velocity (m/s)", &ForcePath::slip);
  panel("Displacement (m)", &ForcePath::way);
  return figure;
}

Figure start_figure(const Search& search, int samples, const std::string& unit) {
  Series ends{.label = "end", .style = Series::Style::points},
      from{.label = "start", .style = Series::Style::points};
  for (std::size_t i = 0; i < search.starts.size(); ++i) {
    const StartResult& s = search.starts[i];
    ends.x.push_back(static_cast<double>(i + 1));
    ends.y.push_back(std::sqrt(s.cost / samples));
    from.x.push_back(static_cast<double>(i + 1));
    from.y.push_back(std::sqrt(s.cost_from / samples));
  }
  Figure figure;
  figure.panels.push_back({.x_label = "Start",
                           .y_label = fmt::format("rms residual ({})", unit),
                           .series = {from, ends},
                           .y_log = true});
  return figure;
}

std::string agreement_words(const Search& search) {
  const int agreeing = search.agreeing();
  return fmt::format("{} of {} starts agree{}.", agreeing, search.starts.size(),
                     agreeing > 0 ? "" : "; this minimum turned up later, beside a profile");
}

std::string profile_words() {
  return "Each parameter held at values around its estimate, all others sought anew. Where the "
         "curve stays below the dashed line, the data allow the value.";
}

Figure profile_figure(const Confidence& confidence, double least_cost) {
  Figure figure;
  const double s2 = std::pow(confidence.sigma * confidence.widening, 2);
  for (const Estimate& e : confidence.parameters) {
    if (e.curve.size() < 2 || !(s2 > 0)) continue;
    Series curve{.label = "profile"};
    for (const ProfilePoint& p : e.curve) {
      const double rise = (p.cost - least_cost) / s2;
      if (!std::isfinite(rise) || rise > 30) continue;
      curve.x.push_back(p.value);
      curve.y.push_back(rise);
    }
    if (curve.x.size() < 2) continue;
    const double low = curve.x.front(), high = curve.x.back();
    figure.panels.push_back({.x_label = label_of(e),
                             .y_label = "Rise of Σr² over σ²",
                             .series = {curve,
                                        {.label = "95 %",
                                         .x = {low, high},
                                         .y = {3.84, 3.84},
                                         .style = Series::Style::dashed}}});
  }
  return figure;
}

}  // namespace bristle
