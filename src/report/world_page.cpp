// What reports of bodies in contact have beside those of rigs.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/report/run_report.hpp"
#include "run_detail.hpp"

namespace bristle {

using run_detail::find;
using run_detail::show;

namespace {

/// x to the right, z up, y into the page at 35 degrees and half its length.
struct Perspective {
  double x, y;
  Perspective(double px, double py, double pz)
      : x(px + 0.5 * 0.819 * py), y(pz + 0.5 * 0.574 * py) {}
};

/// One path and its shadow on the plane z = low_z.
void add_path(Panel& panel, const std::string& label, const std::vector<double>& x,
              const std::vector<double>& y, const std::vector<double>& z, double low_z) {
  Series path{.label = label},
      shadow{.label = label + ", projected", .style = Series::Style::dashed};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Perspective p(x[i], y[i], z[i]), s(x[i], y[i], low_z);
    path.x.push_back(p.x);
    path.y.push_back(p.y);
    shadow.x.push_back(s.x);
    shadow.y.push_back(s.y);
  }
  panel.series.push_back(std::move(path));
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  if (*high - *low > 1e-9) panel.series.push_back(std::move(shadow));
}

}  // namespace

bool is_world(const RunResult& result) { return find(result, "E_potential") != nullptr; }

std::vector<Band> contact_bands(const RunResult& result, int pair, double slip_speed) {
  std::vector<Band> bands;
  const std::string number = find(result, "contact") == nullptr ? fmt::format("{}", pair + 1) : "";
  const Column *contact = find(result, "contact" + number), *slip = find(result, "slip" + number);
  if (contact == nullptr || slip == nullptr) return bands;
  const std::vector<double>& t = result.columns.front().values;
  const auto state = [&](std::size_t i) {
    if (contact->values[i] < 0.5) return 0;
    return slip_speed > 0 && slip->values[i] < slip_speed ? 2 : 1;
  };
  for (std::size_t i = 0; i < t.size(); ++i) {
    const int now = state(i);
    if (now == 0) continue;
    const std::size_t first = i;
    while (i + 1 < t.size() && state(i + 1) == now) ++i;
    bands.push_back({.from = t[first],
                     .to = i + 1 < t.size() ? t[i + 1] : t[i],
                     .label = now == 1 ? "contact" : "contact, sticks",
                     .kind = now == 1 ? 1 : 0});
  }
  return bands;
}

Section scene_section(const RunResult& result) {
  Section section{.title = "Motion"};
  if (result.scene.frames.size() > 1) section.animations.push_back({.scene = result.scene});
  return section;
}

PageTable impact_table(const RunResult& result) {
  constexpr std::size_t most = 60;
  PageTable table{"",
                  {"t (s)", "lasts (ms)", "v_n in (m/s)", "v_n out (m/s)", "restitution",
                   "slip in (m/s)", "impulse (N s)", "energy lost (J)", "contact"},
                  {}};
  for (std::size_t i = 0; i < std::min(most, result.impacts.size()); ++i) {
    const Impact& m = result.impacts[i];
    const bool ended = std::isfinite(m.t_out);
    table.rows.push_back({fmt::format("{:.9g}", m.t), ended ? show(1e3 * (m.t_out - m.t)) : "stays",
                          show(m.v_in), ended ? show(m.v_out) : "–",
                          ended ? show(m.restitution()) : "–", show(m.slip_in), show(m.impulse),
                          show(m.lost), fmt::format("{}", m.pair + 1)});
  }
  return table;
}

Figure path_figure(const RunResult& result) {
  Figure figure;
  Panel panel{.x_label = "x, with y into the page (m)", .y_label = "z (m)"};
  double low_z = INFINITY;
  for (const Column& column : result.columns) {
    const bool height = column.name == "z" || (column.name.starts_with("z") && column.unit == "m" &&
                                               column.name.find('_') == std::string::npos);
    if (!height) continue;
    low_z = std::min(low_z, *std::min_element(column.values.begin(), column.values.end()));
  }
  constexpr int most = 8;
  for (int b = 0; b <= most; ++b) {
    const std::string n = b == 0 ? "" : fmt::format("{}", b);
    const Column *x = find(result, "x" + n), *y = find(result, "y" + n), *z = find(result, "z" + n);
    if (x == nullptr || y == nullptr || z == nullptr) continue;
    add_path(panel, b == 0 ? "centre" : fmt::format("body {}", b), x->values, y->values, z->values,
             low_z);
  }
  if (const Column* tip = find(result, "x_tip")) {
    panel.x_label = "x of the tip (m)";
    panel.series.push_back({.label = "tip", .x = tip->values, .y = find(result, "z_tip")->values});
  }
  const bool moves = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& s) {
    const auto spread = [](const std::vector<double>& v) {
      const auto [low, high] = std::minmax_element(v.begin(), v.end());
      return v.empty() ? 0 : *high - *low;
    };
    return spread(s.x) > 1e-12 && spread(s.y) > 1e-12;  // along an axis time tells more
  });
  if (moves) figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace bristle
