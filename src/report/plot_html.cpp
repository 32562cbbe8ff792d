#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle {
namespace {

using namespace plot_detail;

constexpr std::size_t most_samples = 20000;

/// The page holds the figure laid out for three widths, so that type stays readable on a phone
/// and the figure shows even where scripts are off.
struct View {
  const char* name;
  int width;
};
constexpr std::array<View, 3> views = {{{"wide", 900}, {"middle", 620}, {"narrow", 380}}};

/// The palette again, lightened where it would sink into a dark page.
constexpr std::array<const char*, palette.size()> dark_palette = {
    "#4FA6E0", "#F07C34", "#1FBF92", "#E09AC4", "#F2B52E", "#A3DBFA", "#E8EAED"};

std::string colour_rules(const std::array<const char*, palette.size()>& colours) {
  std::string rules;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    rules += fmt::format(".c{}{{--c:{}}}", i, colours[i]);
  }
  return rules;
}

std::string style_element() {
  return fmt::format(
      "<style>\n{}@media screen{{{}}}\n@media print{{{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{{}}}\n</style>\n",
      page_style, colour_rules(palette), colour_rules(palette), colour_rules(dark_palette));
}

// ---- data ---------------------------------------------------------------------------------

const char* name_of(Series::Style style) {
  switch (style) {
    case Series::Style::dashed:
      return "dashed";
    case Series::Style::points:
      return "points";
    default:
      return "line";
  }
}

/// Digits enough to read a value out and to zoom in x; not a substitute for the data file.
template <class Coordinate>
std::string number_array(const std::vector<Point>& points, int digits, Coordinate coordinate) {
  std::string out = "[";
  for (const Point& point : points) {
    if (out.size() > 1) out += ',';
    if (point.is_gap()) {
      out += "null";
    } else {
      fmt::format_to(std::back_inserter(out), "{:.{}g}", coordinate(point), digits);
    }
  }
  return out + ']';
}

std::string series_json(const Series& series, const Panel& panel) {
  const std::vector<Point> points = thin_to_count(samples(series, panel), most_samples);
  return fmt::format("{{\"label\":{},\"style\":\"{}\",\n\"x\":{},\n\"y\":{}}}",
                     quote_json(series.label), name_of(series.style),
                     number_array(points, 12, [](const Point& point) { return point.x; }),
                     number_array(points, 9, [](const Point& point) { return point.y; }));
}

template <class List, class Format>
std::string json_list(const List& list, Format format) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) out += (i > 0 ? ",\n" : "") + format(i);
  return out + ']';
}

std::string panel_json(const Panel& panel, const PanelView& view) {
  return fmt::format(
      "{{\"xLabel\":{},\"yLabel\":{},\"xLog\":{},\"yLog\":{},\"link\":{},\"xRange\":[{},{}],"
      "\"yRange\":[{},{}],\"series\":{}}}",
      quote_json(panel.x_label), quote_json(panel.y_label), panel.x_log, panel.y_log, view.link,
      view.x_axis.range.lo, view.x_axis.range.hi, view.y_axis.range.lo, view.y_axis.range.hi,
      json_list(panel.series, [&](std::size_t i) { return series_json(panel.series[i], panel); }));
}

/// What tick labels may use between the axis label and the frame.
double y_label_room(const PanelView& view) {
  const double label = metric::label_line * static_cast<double>(view.y_label.size());
  return view.x - metric::tick - 3.0 - metric::margin - label;
}

std::string frames_json(const Layout& layout) {
  return json_list(layout.panels, [&](std::size_t i) {
    const PanelView& view = layout.panels[i];
    return fmt::format(
        "{{\"x\":{:.2f},\"y\":{:.2f},\"w\":{:.2f},\"h\":{:.2f},\"room\":{:.2f},"
        "\"labels\":{}}}",
        view.x, view.y, view.width, view.height, y_label_room(view), view.x_labels_here);
  });
}

using Drawings = std::array<Drawing, views.size()>;

std::string data_json(const Figure& figure, const Drawings& drawings) {
  const std::vector<PanelView>& panels = drawings.front().layout.panels;
  return fmt::format(
      "{{\"panels\":{},\n\"views\":{},\n\"markers\":{},\"loneSample\":\"{}\"}}",
      json_list(figure.panels,
                [&](std::size_t i) { return panel_json(figure.panels[i], panels[i]); }),
      json_list(drawings, [&](std::size_t i) { return frames_json(drawings[i].layout); }),
      json_list(markers, [](std::size_t i) { return quote_json(markers[i]); }), lone_sample);
}

// ---- page ---------------------------------------------------------------------------------

bool is_thinned(const Figure& figure) {
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.x.size() > most_samples) return true;
    }
  }
  return false;
}

std::string views_html(const Drawings& drawings) {
  std::string out;
  for (std::size_t i = 0; i < views.size(); ++i) {
    out += fmt::format("<div class=\"view {}\">\n{}</div>\n", views[i].name, drawings[i].svg);
  }
  return out;
}

std::string hint(const Figure& figure) {
  std::string text =
      "Point at a curve or press the arrow keys to read values. Drag to zoom in; double-click or "
      "press 0 to see everything.";
  if (is_thinned(figure)) {
    text += fmt::format(" Curves of more than {} samples are thinned; their extremes are kept.",
                        most_samples);
  }
  return text;
}

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<link rel="icon" href="data:,">
)";

constexpr const char* body = R"(<body>
<figure>
<header>
{heading}<button id="reset" type="button" hidden>Show everything</button>
</header>
<div id="plot" tabindex="0" role="group" aria-label="Interactive figure" aria-describedby="hint">
{views}<div id="readout" role="status" hidden></div>
</div>
{caption}<p id="hint" class="hint">{hint}</p>
</figure>
<script type="application/json" id="figure-data">
{data}
</script>
<script>
{script}</script>
</body>
</html>
)";

std::string element(const char* name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<{0}>{1}</{0}>\n", name, escape_xml(text));
}

}  // namespace

std::string render_html(const Figure& figure) {
  Drawings drawings;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const int height = stacked_height(figure.panels.size());
    drawings[i] = draw_figure(figure, views[i].width, height, true);
  }
  std::string page = head;
  page += element("title", figure.title.empty() ? "Figure" : figure.title);
  page += style_element();
  page += "</head>\n";
  page += fmt::format(fmt::runtime(body), fmt::arg("heading", element("h1", figure.title)),
                      fmt::arg("views", views_html(drawings)),
                      fmt::arg("caption", element("figcaption", figure.caption)),
                      fmt::arg("hint", hint(figure)), fmt::arg("data", data_json(figure, drawings)),
                      fmt::arg("script", page_script));
  return page;
}

}  // namespace bristle
