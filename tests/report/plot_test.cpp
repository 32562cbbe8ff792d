#include "bristle/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "bristle/report/gallery.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- reading what was drawn ---------------------------------------------------------------

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

bool contains(std::string_view text, std::string_view part) { return count(text, part) > 0; }

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t start = begin + before.size();
  return text.substr(start, text.find(after, start) - start);
}

/// The element of the n-th series, and the path in it.
std::string curve_element(const std::string& svg, std::size_t series = 0) {
  for (std::size_t at = svg.find("<path class=\"curve"); at != svg.npos;
       at = svg.find("<path class=\"curve", at + 1)) {
    const std::string element = svg.substr(at, svg.find("/>", at) - at);
    if (contains(element, "data-series=\"" + std::to_string(series) + "\"")) return element;
  }
  return {};
}

std::string curve(const std::string& svg, std::size_t series = 0) {
  return between(curve_element(svg, series), " d=\"", "\"");
}

struct Pixel {
  double x, y;
};

/// The corners of a path that consists of M and L only.
std::vector<Pixel> corners(const std::string& path) {
  std::vector<Pixel> result;
  for (std::size_t at = path.find_first_of("ML"); at != path.npos;
       at = path.find_first_of("ML", at + 1)) {
    const std::size_t comma = path.find(',', at);
    result.push_back({std::stod(path.substr(at + 1)), std::stod(path.substr(comma + 1))});
  }
  return result;
}

/// Elements close in the order in which they opened, and attributes are quoted.
bool well_formed(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != xml.npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == xml.npos) return false;
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != tag.npos || count(tag, "\"") % 2 != 0) return false;
    const std::string name(tag.substr(0, tag.find_first_of(" /", 1)));
    if (name.front() == '/') {
      if (open.empty() || open.back() != name.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

/// No number in any attribute failed to be one.
bool numbers_are_finite(const std::string& svg) {
  for (const char* bad : {"nan", "NaN", "inf,", ",inf", "\"inf", "-inf", "-0.00,", ",-0.00L"}) {
    if (contains(svg, bad)) return false;
  }
  return true;
}

// ---- figures ------------------------------------------------------------------------------

Figure figure_of(std::vector<Series> series) {
  Figure figure{.title = "Title", .caption = "Caption"};
  figure.panels.push_back(
      {.title = "Panel", .x_label = "x (m)", .y_label = "y (N)", .series = std::move(series)});
  return figure;
}

Series line(std::vector<double> x, std::vector<double> y) {
  return {.label = "line", .x = std::move(x), .y = std::move(y)};
}

template <class Function>
Series sampled(std::size_t n, Function function) {
  Series series{.label = "sampled"};
  for (std::size_t i = 0; i < n; ++i) {
    series.x.push_back(static_cast<double>(i) / static_cast<double>(n - 1));
    series.y.push_back(function(series.x.back()));
  }
  return series;
}

std::vector<std::string> tick_labels(const std::string& svg) {
  std::vector<std::string> labels;
  for (std::size_t at = svg.find("class=\"ticks\""); at != svg.npos;
       at = svg.find("class=\"ticks\"", at + 1)) {
    const std::string group = svg.substr(at, svg.find("</g>", at) - at);
    for (std::size_t text = group.find("<text"); text != group.npos;
         text = group.find("<text", text + 1)) {
      const std::size_t start = group.find('>', text) + 1;
      labels.push_back(group.substr(start, group.find('<', start) - start));
    }
  }
  return labels;
}

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// ---- structure ----------------------------------------------------------------------------

TEST(PlotSvg, IsAnAccessibleStandAloneDrawing) {
  const std::string svg = render_svg(figure_of({line({0, 1}, {0, 1})}), 760, 300);
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"", 0), 0U);
  EXPECT_TRUE(contains(svg, "viewBox=\"0 0 760 "));
  EXPECT_TRUE(contains(svg, "role=\"img\" aria-label=\"Title. Panel: y (N) over x (m); line\""));
  EXPECT_TRUE(contains(svg, "<title>Title</title>"));
  EXPECT_TRUE(contains(svg, "sans-serif"));
  EXPECT_TRUE(contains(svg, "fill=\"#ffffff\""));
  EXPECT_TRUE(contains(svg, ">Caption</text>"));
  EXPECT_TRUE(contains(svg, ">x (m)</text>"));
  EXPECT_TRUE(contains(svg, ">y (N)</text>"));
  EXPECT_TRUE(well_formed(svg));
}

TEST(PlotSvg, IsDeterministic) {
  const Figure figure = figure_of({sampled(5000, [](double x) { return std::sin(90.0 * x); })});
  EXPECT_EQ(render_svg(figure), render_svg(figure));
  EXPECT_EQ(render_html(figure), render_html(figure));
}

TEST(PlotSvg, EscapesEveryText) {
  Series one = line({0, 1}, {0, 1}), two = one;
  one.label = "<b>&\"'";
  Figure figure = figure_of({one, two});
  figure.title = "a < b & c";
  figure.caption = "</svg>";
  figure.panels[0].title = "<script>";
  figure.panels[0].x_label = "\"x\"";
  const std::string svg = render_svg(figure);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(contains(svg, "<title>a &lt; b &amp; c</title>"));
  EXPECT_TRUE(contains(svg, "&lt;b&gt;&amp;&quot;&#39;"));
  EXPECT_FALSE(contains(svg, "<script>"));
  EXPECT_EQ(count(svg, "</svg>"), 1U);
}

TEST(PlotSvg, ReplacesWhatIsNotTextByASign) {
  Figure figure = figure_of({line({0, 1}, {0, 1})});
  for (const char* broken : {"\xFF", "\x01", "\xC0\xAF", "\xED\xA0\x80", "\xE2\x82"}) {
    figure.title = std::string("a") + broken + "b";
    EXPECT_TRUE(contains(render_svg(figure), "<title>a\uFFFD")) << broken;
    EXPECT_FALSE(contains(render_svg(figure), broken));
  }
  figure.title = "μ ≤ 10⁻⁴ 😀";
  EXPECT_TRUE(contains(render_svg(figure), "<title>μ ≤ 10⁻⁴ 😀</title>"));
}

TEST(PlotSvg, HasALegendForMoreThanOneSeries) {
  Series one = line({0, 1}, {0, 1}), two = one, three = one;
  two.style = Series::Style::dashed;
  three.style = Series::Style::points;
  two.label = "two";
  EXPECT_FALSE(contains(render_svg(figure_of({one})), "class=\"legend\""));
  const std::string svg = render_svg(figure_of({one, two, three}));
  EXPECT_TRUE(contains(svg, "class=\"legend\""));
  EXPECT_TRUE(contains(svg, ">two</text>"));
  EXPECT_FALSE(contains(curve_element(svg, 0), "stroke-dasharray"));
  EXPECT_TRUE(contains(curve_element(svg, 1), "stroke-dasharray"));
  EXPECT_TRUE(contains(curve_element(svg, 2), "class=\"curve dots c2\""));
}

TEST(PlotSvg, StacksPanelsOnACommonAxis) {
  Figure figure = figure_of({line({0, 10}, {0, 1})});
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].series[0].y = {5, 500};
  EXPECT_EQ(count(render_svg(figure), ">x (m)</text>"), 1U);
  figure.panels[1].series[0].x = {0, 20};
  EXPECT_EQ(count(render_svg(figure), ">x (m)</text>"), 2U);
}

TEST(PlotSvg, RefusesSeriesOfUnequalLengths) {
  EXPECT_THROW(render_svg(figure_of({line({0, 1}, {0})})), std::invalid_argument);
  EXPECT_THROW(render_html(figure_of({line({0}, {0, 1})})), std::invalid_argument);
}

// ---- ticks --------------------------------------------------------------------------------

TEST(PlotTicks, AreRoundAndCarryATrueMinus) {
  const auto labels = tick_labels(render_svg(figure_of({line({-0.02, 0.02}, {-2.5, 2.5})})));
  EXPECT_TRUE(has(labels, "−0.020"));
  EXPECT_TRUE(has(labels, "0.015"));
  EXPECT_TRUE(has(labels, "0"));
  EXPECT_TRUE(has(labels, "−2"));
  for (const std::string& label : labels) EXPECT_FALSE(contains(label, "-")) << label;
}

TEST(PlotTicks, ScaleSmallAndLargeNumbers) {
  const auto labels = tick_labels(render_svg(figure_of({line({0, 3e-5}, {0, 4e6})})));
  EXPECT_TRUE(has(labels, "×10⁻⁶"));
  EXPECT_TRUE(has(labels, "×10⁶"));
  EXPECT_TRUE(has(labels, "10"));
  EXPECT_TRUE(has(labels, "4.0"));
}

TEST(PlotTicks, ShowTheRoundEndOfARecordingThatStopsShortOfIt) {
  const auto labels = tick_labels(render_svg(figure_of({line({0, 19.999}, {0, 1})})));
  EXPECT_TRUE(has(labels, "20"));
}

TEST(PlotTicks, OfALogarithmicAxisAreDecades) {
  Figure figure = figure_of({line({1e-6, 1}, {1, 1000})});
  figure.panels[0].x_log = figure.panels[0].y_log = true;
  const std::string svg = render_svg(figure);
  const auto labels = tick_labels(svg);
  EXPECT_TRUE(has(labels, "10⁻⁴"));
  EXPECT_TRUE(has(labels, "100"));
  EXPECT_TRUE(contains(svg, "class=\"minor\""));
}

TEST(PlotTicks, OfAShortLogarithmicAxisAreOneTwoFive) {
  Figure figure = figure_of({line({1e-5, 1e-4}, {2, 3})});
  figure.panels[0].x_log = figure.panels[0].y_log = true;
  const auto labels = tick_labels(render_svg(figure));
  EXPECT_TRUE(has(labels, "1×10⁻⁵"));
  EXPECT_TRUE(has(labels, "5×10⁻⁵"));
  EXPECT_TRUE(has(labels, "1×10⁻⁴"));
  EXPECT_TRUE(has(labels, "2.5") || has(labels, "2.4")) << "linear within less than a decade";
}

TEST(PlotTicks, DoNotCrowd) {
  // Ten digits a label: as many as fit, on a narrow drawing too.
  const Figure figure = figure_of({line({1000.00001, 1000.00009}, {0, 1})});
  std::size_t long_labels = 0;
  for (const std::string& label : tick_labels(render_svg(figure, 300))) {
    if (label.size() >= 9) ++long_labels;
  }
  EXPECT_GE(long_labels, 1U);
  EXPECT_LE(long_labels, 4U);
}

// ---- data ---------------------------------------------------------------------------------

TEST(PlotCurve, KeepsAVerticalSegment) {
  const auto path = corners(curve(render_svg(figure_of({line({-1, 0, 0, 1}, {-1, -2, 2, 1})}))));
  ASSERT_EQ(path.size(), 4U);
  EXPECT_EQ(path[1].x, path[2].x);
  EXPECT_GT(path[1].y - path[2].y, 200.0);
}

TEST(PlotCurve, KeepsAVerticalSegmentWhenThinned) {
  Series series = sampled(20001, [](double x) { return x < 0.5 ? -1.0 : 1.0; });
  series.x[9999] = series.x[10000];
  const auto path = corners(curve(render_svg(figure_of({series}))));
  const auto jump = std::adjacent_find(
      path.begin(), path.end(),
      [](const Pixel& a, const Pixel& b) { return std::abs(a.y - b.y) > 200.0; });
  ASSERT_NE(jump, path.end());
  EXPECT_EQ(jump->x, std::next(jump)->x);
}

TEST(PlotCurve, BreaksAtWhatIsNotANumber) {
  const std::string path =
      curve(render_svg(figure_of({line({0, 1, 2, 3, 4, 5, 6}, {0, 1, nan, 3, infinity, 5, 6})})));
  EXPECT_EQ(count(path, "M"), 3U);
  EXPECT_EQ(count(path, "L"), 2U);
  EXPECT_TRUE(contains(path, "m-1,0a")) << "the lone sample is a dot: " << path;
}

TEST(PlotCurve, KeepsGapsWhenThinned) {
  Series series = sampled(100000, [](double x) { return std::sin(20.0 * x); });
  series.y[30000] = series.y[30001] = series.y[70000] = nan;
  EXPECT_EQ(count(curve(render_svg(figure_of({series}))), "M"), 3U);
}

TEST(PlotCurve, IsThinnedToItsExtremesPerPixelColumn) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1.0, 1.0);
  Series series = sampled(100000, [&](double) { return noise(random); });
  series.y[12345] = 10.0;
  series.y[77777] = -10.0;
  const auto path = corners(curve(render_svg(figure_of({series}), 760, 300)));
  EXPECT_LE(path.size(), 2U * 760U);
  EXPECT_GE(path.size(), 2U * 600U);
  const auto [top, bottom] = std::minmax_element(
      path.begin(), path.end(), [](const Pixel& a, const Pixel& b) { return a.y < b.y; });
  // 5 % of the span are left free on either side.
  EXPECT_NEAR(top->y, 300.0 * 0.05 / 1.1, 0.01);
  EXPECT_NEAR(bottom->y, 300.0 * 1.05 / 1.1, 0.01);
  EXPECT_NEAR(top->x / path.back().x, 0.12345, 2e-4);
  EXPECT_TRUE(std::is_sorted(path.begin(), path.end(),
                             [](const Pixel& a, const Pixel& b) { return a.x < b.x; }));
}

TEST(PlotCurve, DoesNotTiltALongSegmentWhenThinned) {
  // A burst within one pixel, back to zero, then nothing until the far end.
  Series series;
  for (int i = 0; i <= 4000; ++i) {
    series.x.push_back(1e-7 * i);
    series.y.push_back(i == 4000 ? 0.0 : std::sin(0.01 * i));
  }
  series.x.push_back(1.0);
  series.y.push_back(0.0);
  const auto path = corners(curve(render_svg(figure_of({series}))));
  ASSERT_GE(path.size(), 4U);
  EXPECT_EQ(path[path.size() - 2].y, path.back().y);
}

TEST(PlotCurve, IsLeftAloneWhenItHasFewSamples) {
  const auto path = corners(
      curve(render_svg(figure_of({sampled(500, [](double x) { return std::sin(50.0 * x); })}))));
  EXPECT_EQ(path.size(), 500U);
}

TEST(PlotCurve, ThatTurnsBackIsDrawnInItsOrderAndBounded) {
  Series loop;
  for (int i = 0; i < 400000; ++i) {
    loop.x.push_back(std::cos(0.05 * i));
    loop.y.push_back(std::sin(0.05 * i) * (1.0 + 1e-6 * i));
  }
  const auto path = corners(curve(render_svg(figure_of({loop}))));
  EXPECT_LE(path.size(), 20000U);
  EXPECT_GE(path.size(), 5000U);
}

TEST(PlotCurve, ThatMostlyRestsKeepsTheShapeOfItsArc) {
  Series orbit;
  for (int i = 0; i < 20000; ++i) {
    const double angle = i < 19000 ? 0.0 : 2 * std::numbers::pi * (i - 19000) / 1000;
    orbit.x.push_back(std::cos(angle) + 1e-6 * i);
    orbit.y.push_back(std::sin(angle));
  }
  for (const int samples : {100, 1000}) {
    const Series thin =
        thinned(figure_of({orbit}), static_cast<std::size_t>(samples)).panels[0].series[0];
    ASSERT_LE(thin.x.size(), static_cast<std::size_t>(samples));
    double longest = 0;  // chord of the arc
    for (std::size_t i = 1; i < thin.x.size(); ++i) {
      longest = std::max(longest, std::hypot(thin.x[i] - thin.x[i - 1], thin.y[i] - thin.y[i - 1]));
    }
    EXPECT_LE(longest, 20.0 / samples) << "a circle of about " << samples << " chords";
  }
}

TEST(PlotCurve, OfPointsKeepsItsOutliersAndDropsDuplicates) {
  Series cloud = sampled(50000, [](double) { return 0.5; });
  cloud.style = Series::Style::points;
  cloud.y[1000] = 3.0;
  const std::string path = curve(render_svg(figure_of({cloud})));
  EXPECT_LE(count(path, "M"), 700U);
  EXPECT_TRUE(contains(path, ",13.64m")) << "the outlier";
}

TEST(PlotCurve, CountsWhatALogarithmicAxisCannotShow) {
  Figure figure = figure_of({line({1, 2, 3, 4}, {1, 0, -1, 10})});
  EXPECT_FALSE(contains(render_svg(figure), "not shown"));
  figure.panels[0].y_log = true;
  const std::string svg = render_svg(figure);
  EXPECT_TRUE(contains(svg, "2 values ≤ 0 not shown"));
  EXPECT_EQ(count(curve(svg), "M"), 2U);
}

TEST(PlotCurve, CyclesThePaletteWithAnotherDash) {
  std::vector<Series> many(9, line({0, 1}, {0, 1}));
  const std::string svg = render_svg(figure_of(many));
  EXPECT_TRUE(contains(curve_element(svg, 0), "c0\""));
  EXPECT_TRUE(contains(curve_element(svg, 7), "c0\""));
  EXPECT_TRUE(contains(curve_element(svg, 7), "stroke-dasharray"));
}

// ---- nothing to draw ----------------------------------------------------------------------

TEST(PlotOddData, NeitherCrashesNorYieldsNonsense) {
  const double largest = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<Series> odd = {line({}, {}),
                                   line({0}, {0}),
                                   line({1.5}, {-3.25}),
                                   line({0, 1, 2}, {0.3, 0.3, 0.3}),
                                   line({2, 2, 2}, {1, 2, 3}),
                                   line({0, 1}, {nan, nan}),
                                   line({nan, nan}, {0, 1}),
                                   line({0, 1}, {infinity, -infinity}),
                                   line({0, 1}, {-largest, largest}),
                                   line({-1e300, 1e300}, {-1e300, 1e300}),
                                   line({0, tiny}, {0, tiny}),
                                   line({1e-300, 2e-300}, {1e-300, 2e-300}),
                                   line({1, 1 + 1e-15}, {1e9, 1e9 + 1e-6}),
                                   line({1e15, 1e15 + 10}, {-0.0, 0.0})};
  for (std::size_t i = 0; i < odd.size(); ++i) {
    for (const auto style : {Series::Style::line, Series::Style::dashed, Series::Style::points}) {
      for (const bool log : {false, true}) {
        Figure figure = figure_of({odd[i], odd[i]});
        for (Series& series : figure.panels[0].series) series.style = style;
        figure.panels[0].x_log = figure.panels[0].y_log = log;
        const std::string svg = render_svg(figure);
        EXPECT_TRUE(well_formed(svg)) << i;
        EXPECT_TRUE(numbers_are_finite(svg)) << i << ' ' << log << '\n' << svg;
        EXPECT_LT(svg.size(), 30000U) << i;
        EXPECT_FALSE(contains(render_html(figure), "[nan")) << i;
      }
    }
  }
}

TEST(PlotOddData, IsCalledWhatItIs) {
  EXPECT_TRUE(contains(render_svg(figure_of({})), ">No data</text>"));
  EXPECT_TRUE(contains(render_svg(figure_of({line({0, 1}, {nan, nan})})), ">No data</text>"));
  Series empty;
  empty.label = "empty";
  const std::string svg = render_svg(figure_of({line({0, 1}, {0, 1}), empty}));
  EXPECT_FALSE(contains(svg, ">No data</text>"));
  EXPECT_TRUE(contains(svg, ">empty (no data)</text>"));
}

TEST(PlotOddData, OfFiguresWithoutPanelsOrRoom) {
  EXPECT_TRUE(well_formed(render_svg({})));
  EXPECT_FALSE(render_html({}).empty());
  const std::string svg = render_svg(figure_of({line({0, 1}, {0, 1})}), -5, 0);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(contains(svg, "width=\"240\""));
}

// ---- page ---------------------------------------------------------------------------------

nlohmann::json page_data(const std::string& page) {
  return nlohmann::json::parse(
      between(page, "<script type=\"application/json\" id=\"figure-data\">", "</script>"));
}

TEST(PlotHtml, IsOneOfflinePageForLightAndDark) {
  const std::string page = render_html(figure_of({line({0, 1}, {0, 1})}));
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_TRUE(contains(page, "<h1>Title</h1>"));
  EXPECT_TRUE(contains(page, "<figcaption>Caption</figcaption>"));
  EXPECT_TRUE(contains(page, "prefers-color-scheme: dark"));
  EXPECT_TRUE(contains(page, "default-src 'none'"));
  EXPECT_EQ(count(page, "http"), count(page, "http://www.w3.org/2000/svg") + 1U)
      << "besides the name space only http-equiv";
  EXPECT_FALSE(contains(page, " src="));
  EXPECT_FALSE(contains(page, "url("));
  EXPECT_FALSE(contains(page, "import"));
}

TEST(PlotHtml, HoldsTheDataWithGaps) {
  Figure figure = figure_of({line({0, 1, 2}, {0.1, nan, 3e-7})});
  figure.panels[0].y_log = true;
  const nlohmann::json panel = page_data(render_html(figure))["panels"][0];
  EXPECT_EQ(panel["xLabel"], "x (m)");
  EXPECT_EQ(panel["yLog"], true);
  const nlohmann::json series = panel["series"][0];
  EXPECT_EQ(series["x"], nlohmann::json::parse("[0, null, 2]"));
  EXPECT_EQ(series["y"], nlohmann::json::parse("[0.1, null, 3e-7]"));
}

TEST(PlotHtml, ThinsLongSeriesAndKeepsTheirExtremes) {
  Series series = sampled(100000, [](double x) { return std::sin(300.0 * x); });
  series.y[54321] = 7.0;
  series.y[54323] = -7.0;
  series.y[60000] = nan;
  const std::string page = render_html(figure_of({series}));
  const nlohmann::json held = page_data(page)["panels"][0]["series"][0];
  EXPECT_LE(held["y"].size(), 20000U);
  EXPECT_GE(held["y"].size(), 8000U);
  EXPECT_EQ(held["x"].size(), held["y"].size());
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), 7.0), 1);
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), -7.0), 1);
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), nullptr), 1);
  EXPECT_EQ(held["x"].front(), 0.0);
  EXPECT_EQ(held["x"].back(), 1.0);
  EXPECT_TRUE(contains(page, "more than 20000 samples are thinned"));
}

TEST(PlotHtml, DoesNotLetALabelEndTheScript) {
  Series series = line({0, 1}, {0, 1});
  series.label = "</script><b> \"\\ \n";
  const std::string page = render_html(figure_of({series}));
  EXPECT_EQ(page_data(page)["panels"][0]["series"][0]["label"], series.label);
  EXPECT_EQ(count(page, "</script>"), 2U);
  EXPECT_FALSE(contains(page, "<b>"));
}

TEST(PlotHtml, LinksPanelsOfOneAxis) {
  Figure figure = figure_of({line({0, 1}, {0, 1})});
  figure.panels.resize(3, figure.panels[0]);
  figure.panels[1].x_label = "another";
  const nlohmann::json panels = page_data(render_html(figure))["panels"];
  EXPECT_EQ(panels[0]["link"], 0);
  EXPECT_EQ(panels[1]["link"], 1);
  EXPECT_EQ(panels[2]["link"], 0);
}

// ---- files --------------------------------------------------------------------------------

class PlotFile : public testing::Test {
 protected:
  PlotFile() {
    std::random_device random;
    do {
      folder_ = fs::temp_directory_path() / ("bristle_plot_test_" + std::to_string(random()));
    } while (!fs::create_directory(folder_));
  }
  ~PlotFile() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  bool is_empty() const { return fs::is_empty(folder_); }

  fs::path folder_;
  const Figure figure_ = figure_of({line({0, 1}, {0, 1})});
};

/// Sets PATH for the duration of a test.
class SearchPath {
 public:
  explicit SearchPath(const std::string& value) {
    if (const char* old = std::getenv("PATH")) old_ = old;
    ::setenv("PATH", value.c_str(), 1);
  }
  ~SearchPath() {
    if (old_) {
      ::setenv("PATH", old_->c_str(), 1);
    } else {
      ::unsetenv("PATH");
    }
  }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

 private:
  std::optional<std::string> old_;
};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

bool can_make_png(const fs::path& path) {
  try {
    check_figure_path(path);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST_F(PlotFile, IsInTheFormatOfItsEnding) {
  save_figure(figure_, folder_ / "a.svg");
  save_figure(figure_, folder_ / "a.html");
  EXPECT_EQ(content_of(folder_ / "a.svg"), render_svg(figure_));
  EXPECT_EQ(content_of(folder_ / "a.html"), render_html(figure_));
  save_figure(figure_, folder_ / "UPPER.SVG");
  EXPECT_EQ(content_of(folder_ / "UPPER.SVG"), render_svg(figure_));
}

TEST_F(PlotFile, CanBePng) {
  const fs::path path = folder_ / "a.png";
  if (!can_make_png(path)) GTEST_SKIP() << "rsvg-convert is not installed";
  save_figure(figure_, path);
  const std::string png = content_of(path);
  EXPECT_EQ(png.rfind("\x89PNG\r\n\x1a\n", 0), 0U);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(png.at(i)); };
  EXPECT_EQ(byte(18) * 256 + byte(19), 2 * 760) << "twice the nominal width";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(PlotFile, OfAnotherEndingIsRefused) {
  for (const char* name : {"a.jpg", "a.pdf", "a", "a.svg.txt", ".svg"}) {
    const fs::path path = folder_ / name;
    const std::string saved = refusal([&] { save_figure(figure_, path); });
    EXPECT_EQ(refusal([&] { check_figure_path(path); }), saved);
    for (const char* part : {name, ".svg", ".html", ".png"}) EXPECT_TRUE(contains(saved, part));
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(PlotFile, IsCheckedWithoutBeingWritten) {
  check_figure_path(folder_ / "a.svg");
  check_figure_path(folder_ / "a.html");
  EXPECT_TRUE(is_empty());
}

TEST_F(PlotFile, NeedsAFolder) {
  const fs::path path = folder_ / "missing" / "a.svg";
  EXPECT_TRUE(contains(refusal([&] { check_figure_path(path); }), "does not exist"));
  EXPECT_TRUE(contains(refusal([&] { save_figure(figure_, path); }), "does not exist"));
  fs::create_directory(folder_ / "b.svg");
  EXPECT_TRUE(contains(refusal([&] { check_figure_path(folder_ / "b.svg"); }), "names a folder"));
}

TEST_F(PlotFile, OfPngNeedsTheConverter) {
  const SearchPath nowhere(folder_.string());
  const fs::path path = folder_ / "a.png";
  const std::string saved = refusal([&] { save_figure(figure_, path); });
  EXPECT_EQ(refusal([&] { check_figure_path(path); }), saved);
  for (const char* part : {"rsvg-convert", "librsvg2-bin", ".svg"}) {
    EXPECT_TRUE(contains(saved, part)) << saved;
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(PlotFile, OfPngReportsAConverterThatFails) {
  const fs::path fake = folder_ / "rsvg-convert", path = folder_ / "a.png";
  std::ofstream(fake) << "#!/bin/sh\necho out of paper >&2\nexit 3\n";
  fs::permissions(fake, fs::perms::owner_all);
  const SearchPath only_fake(folder_.string());
  const std::string saved = refusal([&] { save_figure(figure_, path); });
  EXPECT_TRUE(contains(saved, "rsvg-convert failed")) << saved;
  EXPECT_TRUE(contains(saved, "out of paper")) << saved;
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace bristle
