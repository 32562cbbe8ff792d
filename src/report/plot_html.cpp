#include <algorithm>
#include <cmath>
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

constexpr std::array<const char*, band_colours.size()> dark_bands = {"#8FA3B8", "#F2B52E",
                                                                     "#1FBF92", "#E09AC4"};

template <std::size_t N>
std::string colour_rules(char name, const std::array<const char*, N>& colours) {
  std::string rules;
  for (std::size_t i = 0; i < N; ++i) {
    rules += fmt::format(".{0}{1}{{--{0}:{2}}}", name, i, colours[i]);
  }
  return rules;
}

std::string light_rules() { return colour_rules('c', palette) + colour_rules('b', band_colours); }

std::string style_element(std::string_view more) {
  return fmt::format(
      "<style>\n{}{}@media screen{{{}}}\n@media print{{{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{{}}}\n</style>\n",
      figure_style, more, light_rules(), light_rules(),
      colour_rules('c', dark_palette) + colour_rules('b', dark_bands));
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

/// Digits of y: a level of 1000 with a ripple of 0.001 needs more of them than the ripple alone.
int y_digits(const Axis& axis, const FigureFrame& frame) {
  if (frame.y_digits > 0) return frame.y_digits;
  if (axis.log) return 7;
  const double size = std::max(std::abs(axis.range.lo), std::abs(axis.range.hi));
  const double ratio = size / (axis.range.hi - axis.range.lo);
  return std::clamp(7 + static_cast<int>(std::ceil(std::log10(ratio))), 7, 15);
}

std::string series_json(const Series& series, const Panel& panel, int x_digits, int digits_of_y) {
  const std::vector<Point> points = thin_to_count(samples(series, panel), most_samples);
  return fmt::format("{{\"label\":{},\"style\":\"{}\",\n\"x\":{},\n\"y\":{}}}",
                     quote_json(series.label), name_of(series.style),
                     number_array(points, x_digits, [](const Point& point) { return point.x; }),
                     number_array(points, digits_of_y, [](const Point& point) { return point.y; }));
}

template <class List, class Format>
std::string json_list(const List& list, Format format) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) out += (i > 0 ? ",\n" : "") + format(i);
  return out + ']';
}

// ---- bands --------------------------------------------------------------------------------

constexpr std::size_t most_bands = 4096;

template <class Part>
std::string stripe_numbers(const std::vector<Stripe>& stripes, Part part) {
  std::string out = "[";
  for (const Stripe& stripe : stripes) {
    if (out.size() > 1) out += ',';
    fmt::format_to(std::back_inserter(out), "{:.9g}", stripe.*part);
  }
  return out + ']';
}

/// Positions along the axis. More bands than anyone can tell apart are held as filled columns.
std::string stripes_json(std::size_t kind, std::vector<Stripe> stripes) {
  const bool many = stripes.size() > most_bands;
  if (many) {
    stripes = shade(std::move(stripes), static_cast<double>(most_bands));
    for (Stripe& stripe : stripes) {
      stripe.from /= static_cast<double>(most_bands);
      stripe.to /= static_cast<double>(most_bands);
    }
  }
  return fmt::format(R"({{"kind":{},"from":{},"to":{}{}}})", kind,
                     stripe_numbers(stripes, &Stripe::from), stripe_numbers(stripes, &Stripe::to),
                     many ? ",\"fill\":" + stripe_numbers(stripes, &Stripe::fill) : "");
}

std::string bands_json(const Panel& panel, const Axis& axis) {
  if (panel.bands.empty()) return {};
  std::string list;
  for (std::size_t kind = 0; kind < band_colours.size(); ++kind) {
    const std::vector<Stripe> stripes = stripes_of(panel, kind, axis);
    if (!stripes.empty()) list += (list.empty() ? "" : ",\n") + stripes_json(kind, stripes);
  }
  return "\"bands\":[" + list + "],\n";
}

std::string panel_json(const Panel& panel, const PanelView& view, const FigureFrame& frame) {
  return fmt::format(
      "{{\"xLabel\":{},\"yLabel\":{},\"xLog\":{},\"yLog\":{},\"link\":{},\"xRange\":[{},{}],"
      "\"yRange\":[{},{}],{}\"series\":{}}}",
      quote_json(panel.x_label), quote_json(panel.y_label), panel.x_log, panel.y_log, view.link,
      view.x_axis.range.lo, view.x_axis.range.hi, view.y_axis.range.lo, view.y_axis.range.hi,
      bands_json(panel, view.x_axis), json_list(panel.series, [&](std::size_t i) {
        return series_json(panel.series[i], panel, frame.x_digits, y_digits(view.y_axis, frame));
      }));
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

std::string data_json(const Figure& figure, const Drawings& drawings, const FigureFrame& frame) {
  const std::vector<PanelView>& panels = drawings.front().layout.panels;
  return fmt::format(
      "{{\"panels\":{},\n\"views\":{},\n\"markers\":{},\"loneSample\":\"{}\"}}",
      json_list(figure.panels,
                [&](std::size_t i) { return panel_json(figure.panels[i], panels[i], frame); }),
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
  std::string text(usage_hint);
  if (is_thinned(figure)) {
    text += fmt::format(" Curves of more than {} samples are thinned; their extremes are kept.",
                        most_samples);
  }
  return fmt::format("<p id=\"figure-hint\" class=\"hint\">{}</p>\n", text);
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

// The data lie inside the element, where the script finds them.
constexpr const char* figure_form = R"(<figure>
<header{bare}>
{heading}<button class="reset" type="button" hidden>Show everything</button>
</header>
<div class="plot" tabindex="0" role="group" aria-label="Interactive figure" aria-describedby="{hint_id}">
{views}<div class="readout" role="status" hidden></div>
</div>
{caption}{hint}<script type="application/json" id="{id}-data">
{data}
</script>
</figure>
)";

}  // namespace

namespace plot_detail {

const std::string_view usage_hint =
    "Point at a curve or press the arrow keys to read values. Drag to zoom in; double-click or "
    "press 0 to see everything.";

std::string element(const char* name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<{0}>{1}</{0}>\n", name, escape_xml(text));
}

std::string page_head(const std::string& title, std::string_view more_style) {
  return head + element("title", title) + style_element(more_style) + "</head>\n";
}

std::string script_element() {
  return fmt::format(
      "<script>\n'use strict';\n(() => {{\n{}{}{}"
      "for (const root of document.querySelectorAll('figure:not(.picture)')) "
      "start(root);\n}})();\n</script>\n",
      script_geometry, script_figure, script_reading);
}

std::string figure_element(const Figure& figure, const FigureFrame& frame) {
  Drawings drawings;
  const int height = stacked_height(figure.panels.size());
  for (std::size_t i = 0; i < views.size(); ++i) {
    drawings[i] = draw_figure(figure, views[i].width, height, true, frame.hidden);
  }
  return fmt::format(
      fmt::runtime(figure_form), fmt::arg("heading", element(frame.heading, figure.title)),
      fmt::arg("bare", figure.title.empty() ? " class=\"bare\"" : ""),
      fmt::arg("hint_id", frame.hint_id), fmt::arg("views", views_html(drawings)),
      fmt::arg("caption", element("figcaption", figure.caption)), fmt::arg("hint", frame.hint),
      fmt::arg("id", frame.id), fmt::arg("data", data_json(figure, drawings, frame)));
}

}  // namespace plot_detail

std::string render_html(const Figure& figure) {
  const FigureFrame frame{"figure", "h1", hint(figure), "figure-hint", 12, 9};
  return page_head(figure.title.empty() ? "Figure" : figure.title, "") + "<body>\n" +
         figure_element(figure, frame) + script_element() + "</body>\n</html>\n";
}

}  // namespace bristle
