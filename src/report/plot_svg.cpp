#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle {
namespace plot_detail {
namespace {

using namespace metric;

constexpr const char* font_stack =
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
constexpr const char* ink = "#1f2328";
constexpr const char* muted = "#59636e";
constexpr const char* grid = "#e7e9ec";
constexpr const char* minor_grid = "#f3f4f5";
constexpr const char* zero = "#b4bac2";
constexpr const char* axis_line = "#6b7480";

// Colours stand in attributes, which every reader of SVG knows; the style sheet of a page
// overrides them through the classes.

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Args>(args)...);
}

/// A coordinate. Two decimals are below what any screen resolves.
std::string num(double value) {
  std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? "0.00" : text;
}

void put_text(std::string& out, double x, double y, std::string_view text) {
  put(out, "<text x=\"{}\" y=\"{}\">{}</text>\n", num(x), num(y), escape_xml(text));
}

void put_lines(std::string& out, double x, double y, double advance,
               const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    put_text(out, x, y, line);
    y += advance;
  }
}

// ---- data ---------------------------------------------------------------------------------

std::vector<Point> to_pixels(std::vector<Point> points, const PanelView& view) {
  for (Point& point : points) {
    if (point.is_gap()) continue;
    point = {view.x_axis.at(point.x) * view.width, (1.0 - view.y_axis.at(point.y)) * view.height};
  }
  return points;
}

/// Above this even a curve that wanders to and fro is thinned along its length.
constexpr std::size_t most_points = 20000;

std::vector<Point> thin_line(const std::vector<Point>& points, double width) {
  if (static_cast<double>(points.size()) <= 2.0 * width) return points;
  return thin_to_count(thin_to_columns(points), most_points);
}

std::string line_path(const std::vector<Point>& points) {
  std::string path;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_gap()) continue;
    const bool starts = i == 0 || points[i - 1].is_gap();
    const bool ends = i + 1 == points.size() || points[i + 1].is_gap();
    put(path, "{}{},{}", starts ? 'M' : 'L', num(points[i].x), num(points[i].y));
    if (starts && ends) path += lone_sample;
  }
  return path;
}

const char* marker_of(std::size_t series) { return markers[series % markers.size()]; }

std::string marker_path(const std::vector<Point>& points, std::size_t series) {
  std::string path;
  for (const Point& point : points) {
    if (!point.is_gap()) put(path, "M{},{}{}", num(point.x), num(point.y), marker_of(series));
  }
  return path;
}

/// After the palette is used up, solid lines start again as dash-dotted ones.
const char* dash_attribute(const Series& series, std::size_t index) {
  if (series.style == Series::Style::dashed) return " stroke-dasharray=\"6.5 4\"";
  return index < palette.size() ? "" : " stroke-dasharray=\"9 3 2 3\"";
}

/// `role` is a class that tells the curve itself from its key in the legend.
void put_mark(std::string& out, const Series& series, std::size_t index, const char* role,
              const std::string& path) {
  const std::size_t colour = index % palette.size();
  const bool points = series.style == Series::Style::points;
  put(out, R"(<path class="{} {} c{}" data-series="{}" d="{}")", role, points ? "dots" : "line",
      colour, index, path);
  if (points) {
    put(out, " fill=\"{}\"/>\n", palette[colour]);
  } else {
    put(out,
        " fill=\"none\" stroke=\"{}\" stroke-width=\"1.75\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"{}\"{}/>\n",
        palette[colour], series.style == Series::Style::dashed ? "butt" : "round",
        dash_attribute(series, index));
  }
}

void put_curve(std::string& out, const Panel& panel, const PanelView& view, std::size_t index) {
  const Series& series = panel.series[index];
  const std::vector<Point> pixels = to_pixels(samples(series, panel), view);
  const bool points = series.style == Series::Style::points;
  put_mark(out, series, index, "curve",
           points ? marker_path(thin_to_cells(pixels), index)
                  : line_path(thin_line(pixels, view.width)));
}

/// Dashes over solid lines and markers over both, so that curves that coincide are all seen.
void put_data(std::string& out, const Panel& panel, const PanelView& view) {
  put(out, "<g class=\"data\" transform=\"translate({} {})\">\n", num(view.x), num(view.y));
  for (const auto style : {Series::Style::line, Series::Style::dashed, Series::Style::points}) {
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      if (panel.series[i].style == style) put_curve(out, panel, view, i);
    }
  }
  out += "</g>\n";
}

// ---- axes ---------------------------------------------------------------------------------

double x_at(const PanelView& view, double value) {
  return view.x + view.x_axis.at(value) * view.width;
}

double y_at(const PanelView& view, double value) {
  return view.y + (1.0 - view.y_axis.at(value)) * view.height;
}

std::string vertical(const PanelView& view, double value) {
  return fmt::format("M{},{}v{}", num(x_at(view, value)), num(view.y), num(view.height));
}

std::string horizontal(const PanelView& view, double value) {
  return fmt::format("M{},{}h{}", num(view.x), num(y_at(view, value)), num(view.width));
}

void put_rule(std::string& out, const char* name, const char* colour, const std::string& path) {
  if (path.empty()) return;
  put(out, "<path class=\"{}\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"/>\n", name,
      path, colour);
}

void put_grid(std::string& out, const PanelView& view) {
  std::string fine, coarse;
  for (const double value : view.x_axis.minor) fine += vertical(view, value);
  for (const double value : view.y_axis.minor) fine += horizontal(view, value);
  for (const Tick& tick_at : view.x_axis.ticks) coarse += vertical(view, tick_at.value);
  for (const Tick& tick_at : view.y_axis.ticks) coarse += horizontal(view, tick_at.value);
  put_rule(out, "minor", minor_grid, fine);
  put_rule(out, "grid", grid, coarse);
}

bool crosses_zero(const Axis& axis) {
  return !axis.log && axis.range.lo < 0.0 && axis.range.hi > 0.0;
}

void put_zero_lines(std::string& out, const PanelView& view) {
  std::string path;
  if (crosses_zero(view.x_axis)) path += vertical(view, 0.0);
  if (crosses_zero(view.y_axis)) path += horizontal(view, 0.0);
  put_rule(out, "zero", zero, path);
}

void put_tick_marks(std::string& out, const PanelView& view) {
  std::string path =
      fmt::format("M{},{}v{}h{}", num(view.x), num(view.y), num(view.height), num(view.width));
  const double bottom = view.y + view.height;
  for (const Tick& tick_at : view.x_axis.ticks) {
    path += fmt::format("M{},{}v{}", num(x_at(view, tick_at.value)), num(bottom), num(tick));
  }
  for (const Tick& tick_at : view.y_axis.ticks) {
    path += fmt::format("M{},{}h{}", num(view.x - tick), num(y_at(view, tick_at.value)), num(tick));
  }
  put_rule(out, "axis", axis_line, path);
}

void put_x_tick_labels(std::string& out, const PanelView& view) {
  if (!view.x_labels_here) return;
  const double baseline = view.y + view.height + 19.0;
  put(out, "<g class=\"ticks\" text-anchor=\"middle\" font-size=\"{}\" fill=\"{}\">\n", tick_font,
      muted);
  for (const Tick& tick_at : view.x_axis.ticks) {
    put_text(out, x_at(view, tick_at.value), baseline, tick_at.label);
  }
  out += "</g>\n";
}

void put_y_tick_labels(std::string& out, const PanelView& view) {
  put(out, "<g class=\"ticks\" text-anchor=\"end\" font-size=\"{}\" fill=\"{}\">\n", tick_font,
      muted);
  for (const Tick& tick_at : view.y_axis.ticks) {
    put_text(out, view.x - tick - 3.0, y_at(view, tick_at.value) + 4.2, tick_at.label);
  }
  if (!view.y_axis.multiplier.empty()) {
    put_text(out, view.x - tick - 3.0, view.y - 10.0, view.y_axis.multiplier);
  }
  if (view.x_labels_here && !view.x_axis.multiplier.empty()) {
    put_text(out, view.x + view.width, view.y + view.height + tick_row + label_line,
             view.x_axis.multiplier);
  }
  out += "</g>\n";
}

void put_axes(std::string& out, const PanelView& view) {
  out += "<g class=\"axes\">\n";
  put_grid(out, view);
  put_zero_lines(out, view);
  put_tick_marks(out, view);
  put_x_tick_labels(out, view);
  put_y_tick_labels(out, view);
  out += "</g>\n";
}

void put_axis_labels(std::string& out, const PanelView& view) {
  put(out, "<g class=\"label\" text-anchor=\"middle\" font-size=\"{}\" fill=\"{}\">\n", label_font,
      ink);
  if (view.x_labels_here) {
    put_lines(out, view.x + view.width / 2.0, view.y + view.height + tick_row + label_line + 1.0,
              label_line, view.x_label);
  }
  const double middle = view.y + view.height / 2.0;
  double x = margin + 9.0;
  for (const std::string& line : view.y_label) {
    put(out, "<text transform=\"translate({} {}) rotate(-90)\">{}</text>\n", num(x), num(middle),
        escape_xml(line));
    x += label_line;
  }
  out += "</g>\n";
}

// ---- panels -------------------------------------------------------------------------------

void put_key(std::string& out, const Series& series, std::size_t index, double x, double y) {
  const std::string path = series.style == Series::Style::points
                               ? marker_path({{x + key / 2.0, y}}, index)
                               : line_path({{x, y}, {x + key, y}});
  put_mark(out, series, index, "key", path);
}

/// A little stronger than the band itself, which is seen by its size.
void put_band_key(std::string& out, std::size_t kind, double x, double y) {
  put(out,
      "<rect class=\"band b{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" rx=\"2\" "
      "fill=\"{}\" fill-opacity=\"{}\"/>\n",
      kind, num(x), num(y), num(key), band_colours[kind], 1.5 * band_opacity);
}

void put_bands(std::string& out, const Panel& panel, const PanelView& view) {
  if (panel.bands.empty()) return;
  put(out, "<g class=\"bands\" transform=\"translate({} {})\">\n{}</g>\n", num(view.x), num(view.y),
      band_paths(panel, view));
}

void put_legend(std::string& out, const Panel& panel, const PanelView& view) {
  if (view.legend.empty()) return;
  put(out, "<g class=\"legend\" font-size=\"{}\" fill=\"{}\">\n", tick_font, ink);
  for (const LegendEntry& entry : view.legend) {
    if (!entry.series && !entry.band) {
      put(out, "<text class=\"note\" x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", num(entry.x),
          num(entry.y), muted, escape_xml(entry.text));
      continue;
    }
    if (entry.band) {
      put_band_key(out, *entry.band, entry.x, entry.y - 10.0);
    } else {
      put_key(out, panel.series[*entry.series], *entry.series, entry.x, entry.y - 4.0);
    }
    put_text(out, entry.x + key + 6.0, entry.y, entry.text);
  }
  out += "</g>\n";
}

void put_panel(std::string& out, const Panel& panel, const PanelView& view, std::size_t index) {
  put(out, "<g class=\"panel\" data-panel=\"{}\">\n", index);
  if (!view.title.empty()) {
    put(out, "<g class=\"panel-title\" font-size=\"{}\" font-weight=\"600\" fill=\"{}\">\n",
        panel_font, ink);
    put_lines(out, view.x, view.title_y, label_line, view.title);
    out += "</g>\n";
  }
  put_legend(out, panel, view);
  put_axes(out, view);
  put_bands(out, panel, view);  // over the grid, which stays visible through them
  put_data(out, panel, view);
  if (!view.has_data) {
    put(out,
        "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{}\" "
        "fill=\"{}\">No data</text>\n",
        num(view.x + view.width / 2.0), num(view.y + view.height / 2.0), label_font, muted);
  }
  put_axis_labels(out, view);
  out += "</g>\n";
}

// ---- figure -------------------------------------------------------------------------------

std::string describe_panel(const Panel& panel, const PanelView& view) {
  std::string text = panel.title;
  if (!panel.y_label.empty()) text += (text.empty() ? "" : ": ") + panel.y_label;
  if (!panel.x_label.empty()) text += (text.empty() ? "over " : " over ") + panel.x_label;
  std::string names;
  for (const Series& series : panel.series) {
    if (!series.label.empty()) names += (names.empty() ? "" : ", ") + series.label;
  }
  for (const LegendEntry& entry : view.legend) {
    if (entry.band) names += (names.empty() ? "shaded: " : ", shaded: ") + entry.text;
  }
  if (!names.empty()) text += (text.empty() ? "" : "; ") + names;
  return text;
}

/// What a reader who cannot see the drawing should know of it.
std::string describe(const Figure& figure, const Layout& layout) {
  std::string text = figure.title;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::string part = describe_panel(figure.panels[i], layout.panels[i]);
    if (!part.empty()) text += (text.empty() ? "" : ". ") + part;
  }
  return text.empty() ? "Figure" : text;
}

void put_title(std::string& out, const Layout& layout) {
  if (layout.title.empty()) return;
  put(out, "<g class=\"title\" font-size=\"{}\" font-weight=\"600\" fill=\"{}\">\n", title_font,
      ink);
  put_lines(out, margin, layout.title_y, title_line, layout.title);
  out += "</g>\n";
}

void put_caption(std::string& out, const Layout& layout) {
  if (layout.caption.empty()) return;
  put(out, "<g class=\"caption\" font-size=\"{}\" fill=\"{}\">\n", caption_font, muted);
  put_lines(out, margin, layout.caption_y, caption_line, layout.caption);
  out += "</g>\n";
}

}  // namespace

Drawing draw_figure(const Figure& figure, int width, int panel_height, bool embedded,
                    const std::vector<std::size_t>& hidden) {
  Drawing drawing{{}, lay_out(figure, width, panel_height, embedded, hidden)};
  const Layout& layout = drawing.layout;
  std::string& out = drawing.svg;
  put(out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\" font-family=\"{3}\">\n",
      layout.width, layout.height, escape_xml(describe(figure, layout)), font_stack);
  if (!embedded) {
    // In a page the title element would pop up as a tool tip over the read-out.
    put(out, "<title>{}</title>\n", escape_xml(figure.title.empty() ? "Figure" : figure.title));
    out += "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  }
  put_title(out, layout);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    put_panel(out, figure.panels[i], layout.panels[i], i);
  }
  put_caption(out, layout);
  out += "</svg>\n";
  return drawing;
}

}  // namespace plot_detail

std::string render_svg(const Figure& figure, int width, int panel_height) {
  return plot_detail::draw_figure(figure, width, panel_height, false).svg;
}

}  // namespace bristle
