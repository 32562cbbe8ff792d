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

OrderedJson correlation_json(const Confidence& c) {
  OrderedJson all = OrderedJson::array();
  for (Eigen::Index i = 0; i < c.correlation.rows(); ++i) {
    OrderedJson row = OrderedJson::array();
    for (Eigen::Index k = 0; k < c.correlation.cols(); ++k) row.push_back(c.correlation(i, k));
    all.push_back(std::move(row));
  }
  return all;
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
  for (const Estimate& e : estimates) {
    table.rows.push_back({label_of(e), show(e.value), show(e.se), show(interval_of(e)),
                          std::string(to_string(e.verdict)), e.reason});
  }
  return table;
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
