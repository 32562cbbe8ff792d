#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

using namespace metric;

constexpr double y_padding = 0.05;       // of the span, so that curves stay off the frame
constexpr double marker_padding = 0.02;  // the same in x, where markers would be cut
constexpr double pixels_per_y_tick = 42.0, pixels_per_x_tick = 85.0;
constexpr double bold = 1.12;  // how much wider bold type runs
constexpr double legend_row = 20.0, legend_gap = 18.0;

bool has_markers(const Panel& panel) {
  return std::any_of(panel.series.begin(), panel.series.end(),
                     [](const Series& series) { return series.style == Series::Style::points; });
}

/// From all x, also where y is missing: a gap at an end is then seen as one, and panels of one
/// recording keep their common axis.
Range x_range(const Panel& panel) {
  Extent extent;
  for (const Series& series : panel.series) {
    for (const double x : series.x) {
      if (drawable(x, panel.x_log)) extent.add(x);
    }
  }
  return axis_range(extent.range(), panel.x_log, has_markers(panel) ? marker_padding : 0.0);
}

std::optional<Range> y_extent(const Panel& panel) {
  Extent extent;
  for (const Series& series : panel.series) {
    for (const Point& point : samples(series, panel)) {
      if (!point.is_gap()) extent.add(point.y);
    }
  }
  return extent.range();
}

double widest_label(const Axis& axis) {
  double width = 0.0;
  for (const Tick& tick : axis.ticks) width = std::max(width, text_width(tick.label, tick_font));
  return width;
}

/// As many ticks as fit side by side.
Axis make_x_axis(const Range& range, bool log, double width) {
  double target = width / pixels_per_x_tick;
  Axis axis = make_axis(range, log, target);
  const auto crowded = [&] {
    return (widest_label(axis) + 14.0) * static_cast<double>(axis.ticks.size()) > width + 40.0;
  };
  while (target > 1.5 && crowded()) {
    target *= 0.75;
    axis = make_axis(range, log, target);
  }
  return axis;
}

bool same_x_axis(const Figure& figure, const std::vector<PanelView>& views, std::size_t a,
                 std::size_t b) {
  const Panel &one = figure.panels[a], &other = figure.panels[b];
  return one.x_label == other.x_label && one.x_log == other.x_log &&
         views[a].x_axis.range == views[b].x_axis.range;
}

void link_panels(const Figure& figure, std::vector<PanelView>& views) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    std::size_t first = 0;
    while (!same_x_axis(figure, views, first, i)) ++first;
    views[i].link = first;
    views[i].x_labels_here = i + 1 == views.size() || !same_x_axis(figure, views, i, i + 1);
  }
}

// ---- legend -------------------------------------------------------------------------------

bool is_hidden_by_log(double x, double y, const Panel& panel) {
  return std::isfinite(x) && std::isfinite(y) &&
         ((panel.x_log && x <= 0.0) || (panel.y_log && y <= 0.0));
}

void add_band_entries(const Panel& panel, std::vector<LegendEntry>& entries) {
  std::set<std::string_view> seen;
  for (const Band& band : panel.bands) {
    if (band.label.empty() || !seen.insert(band.label).second) continue;
    entries.push_back({band.label, {}, band_kind(band)});
  }
}

std::vector<LegendEntry> legend_entries(const Panel& panel, bool panel_has_data,
                                        std::size_t hidden) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; panel.series.size() > 1 && i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    if (series.label.empty()) continue;
    const bool bare = panel_has_data && samples(series, panel).empty();
    entries.push_back({series.label + (bare ? " (no data)" : ""), i});
  }
  add_band_entries(panel, entries);
  if (hidden > 0) {
    entries.push_back(
        {fmt::format("{} value{} ≤ 0 not shown", hidden, hidden == 1 ? "" : "s"), {}});
  }
  return entries;
}

double entry_width(const LegendEntry& entry) {
  return text_width(entry.text, tick_font) + (entry.series || entry.band ? key + 6.0 : 0.0);
}

/// Sets entries from left to right in rows and returns the number of rows. The coordinates are
/// relative to the left end of the first baseline.
std::size_t arrange_rows(std::vector<LegendEntry>& entries, double width) {
  double x = 0.0;
  std::size_t row = 0;
  for (LegendEntry& entry : entries) {
    entry.text = shorten(entry.text, tick_font, width - key - 6.0);
    const double needed = entry_width(entry);
    if (x > 0.0 && x + needed > width) {
      x = 0.0;
      ++row;
    }
    entry.x = x;
    entry.y = static_cast<double>(row) * legend_row;
    x += needed + legend_gap;
  }
  return entries.empty() ? 0 : row + 1;
}

double row_width(const std::vector<LegendEntry>& entries) {
  return entries.back().x + entry_width(entries.back());
}

void move_by(std::vector<LegendEntry>& entries, double x, double y) {
  for (LegendEntry& entry : entries) {
    entry.x += x;
    entry.y += y;
  }
}

/// The legend stands above the frame, where it covers nothing: beside the title when both fit
/// on one line, else in rows below it. Returns the baseline of the last row.
double place_legend(PanelView& view, double baseline, bool after_title) {
  std::vector<LegendEntry>& entries = view.legend;
  const std::size_t rows = arrange_rows(entries, view.width);
  if (rows == 0) return baseline;
  const double title_width =
      view.title.empty() ? 0.0 : text_width(view.title.back(), panel_font * bold) + 24.0;
  if (rows == 1 && title_width + row_width(entries) <= view.width) {
    if (!after_title) baseline += legend_row;
    const double left = after_title ? view.width - row_width(entries) : 0.0;
    move_by(entries, view.x + left, baseline);
    return baseline;
  }
  move_by(entries, view.x, baseline + legend_row);
  return baseline + legend_row * static_cast<double>(rows);
}

// ---- vertical arrangement -----------------------------------------------------------------

/// Everything above the frame; returns where the frame starts.
double place_header(PanelView& view, double top) {
  double baseline = top;
  if (!view.title.empty()) {
    view.title_y = baseline + 16.0;
    baseline = view.title_y + label_line * static_cast<double>(view.title.size() - 1);
  }
  const bool titled = !view.title.empty();
  baseline = place_legend(view, titled ? baseline : baseline - 4.0, titled);
  if (!titled && view.legend.empty()) return top + (view.y_axis.multiplier.empty() ? 8.0 : 18.0);
  return baseline + 10.0;
}

double axis_height(const PanelView& view) {
  if (!view.x_labels_here) return tick + 3.0;
  const bool multiplied = !view.x_axis.multiplier.empty();
  const std::size_t lines = std::max<std::size_t>(view.x_label.size(), multiplied ? 1 : 0);
  return tick_row + 4.0 + label_line * static_cast<double>(lines);
}

/// Half of a label may stand beyond the end of its axis.
double right_margin(const Figure& figure, const std::vector<PanelView>& views, double width) {
  double right = margin + 8.0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Axis axis = make_x_axis(views[i].x_axis.range, figure.panels[i].x_log, width);
    right = std::max(right, 6.0 + widest_label(axis) / 2.0);
  }
  return right;
}

/// A page can be zoomed, which makes for longer labels.
double left_margin(const std::vector<PanelView>& views, bool embedded) {
  double labels = embedded ? 36.0 : 0.0, titles = 0.0;
  for (const PanelView& view : views) {
    const double multiplier = text_width(view.y_axis.multiplier, tick_font);
    labels = std::max({labels, widest_label(view.y_axis), multiplier});
    titles = std::max(titles, label_line * static_cast<double>(view.y_label.size()));
  }
  return margin + titles + (titles > 0.0 ? 6.0 : 0.0) + labels + tick + 4.0;
}

void prepare(const Panel& panel, double panel_height, std::size_t hidden, PanelView& view) {
  const std::optional<Range> data = y_extent(panel);
  view.has_data = data.has_value();
  view.height = panel_height;
  view.x_axis.range = x_range(panel);
  view.y_axis = make_axis(axis_range(data, panel.y_log, y_padding), panel.y_log,
                          panel_height / pixels_per_y_tick);
  view.y_label = wrap(panel.y_label, label_font, panel_height + 20.0);
  view.legend = legend_entries(panel, view.has_data, hidden);
}

void place(const Panel& panel, double left, double width, PanelView& view) {
  view.x = left;
  view.width = width;
  view.x_axis = make_x_axis(view.x_axis.range, panel.x_log, width);
  view.title = wrap(panel.title, panel_font * bold, width);
  const double reserved = 2.0 * text_width(view.x_axis.multiplier, tick_font);
  view.x_label = wrap(panel.x_label, label_font, width - reserved);
}

}  // namespace

std::size_t count_hidden(const Panel& panel) {
  std::size_t count = 0;
  for (const Series& series : panel.series) {
    const std::size_t size =
        std::min(series.x.size(), series.y.size());  // `samples` refuses others
    for (std::size_t i = 0; i < size; ++i) {
      if (is_hidden_by_log(series.x[i], series.y[i], panel)) ++count;
    }
  }
  return count;
}

int stacked_height(std::size_t panel_count) {
  return panel_count <= 1 ? 300 : panel_count == 2 ? 230 : 180;
}

Layout lay_out(const Figure& figure, int width, int panel_height, bool embedded,
               const std::vector<std::size_t>& hidden) {
  Layout layout;
  layout.width = std::max(width, 240);
  layout.panels.resize(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    prepare(panel, std::max(panel_height, 60), hidden.empty() ? count_hidden(panel) : hidden[i],
            layout.panels[i]);
  }
  link_panels(figure, layout.panels);

  const double left = left_margin(layout.panels, embedded);
  const double right = right_margin(figure, layout.panels, layout.width - left - margin);
  double y = embedded ? 0.0 : margin;
  if (!embedded) {
    layout.title = wrap(figure.title, title_font * bold, layout.width - 2.0 * margin);
    layout.title_y = y + 14.0;
    y += title_line * static_cast<double>(layout.title.size());
  }
  for (std::size_t i = 0; i < layout.panels.size(); ++i) {
    PanelView& view = layout.panels[i];
    place(figure.panels[i], left, layout.width - left - right, view);
    view.y = place_header(view, y);
    y = view.y + view.height + axis_height(view) + (view.x_labels_here ? 10.0 : 4.0);
  }
  if (!embedded && !figure.caption.empty()) {
    layout.caption = wrap(figure.caption, caption_font, layout.width - 2.0 * margin);
    layout.caption_y = y + 12.0;
    y += caption_line * static_cast<double>(layout.caption.size());
  }
  layout.height = std::ceil(y + (embedded ? 0.0 : margin - 4.0));
  return layout;
}

}  // namespace bristle::plot_detail
