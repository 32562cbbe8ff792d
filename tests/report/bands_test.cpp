#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/report/plot.hpp"

namespace bristle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

Figure figure_with(std::vector<Band> bands) {
  Figure figure;
  figure.panels.push_back({.x_label = "t (s)",
                           .series = {{.label = "v", .x = {0.0, 10.0}, .y = {0.0, 1.0}}},
                           .bands = std::move(bands)});
  return figure;
}

struct Rectangle {
  double x = 0.0, width = 0.0;
};

/// The rectangles of one kind that are shaded at one of the levels 1, 2 and 3 (full).
std::vector<Rectangle> drawn(const std::string& svg, int kind, int level) {
  std::vector<Rectangle> result;
  const std::string name =
      "<path class=\"band b" + std::to_string(kind) + " l" + std::to_string(level) + "\" d=\"";
  const std::size_t begin = svg.find(name);
  if (begin == svg.npos) return result;
  const std::string path =
      svg.substr(begin + name.size(), svg.find('"', begin + name.size()) - begin - name.size());
  for (std::size_t at = path.find('M'); at != path.npos; at = path.find('M', at + 1)) {
    result.push_back(
        {std::stod(path.substr(at + 1)), std::stod(path.substr(path.find('h', at) + 1))});
  }
  return result;
}

/// All of the axis, in the pixels of `drawn`.
double axis_width(int kind = 0) {
  const auto all = drawn(render_svg(figure_with({{-infinity, infinity, "", kind}})), kind, 3);
  return all.size() == 1 ? all[0].width : nan;
}

nlohmann::json bands_of_page(const Figure& figure) {
  const std::string page = render_html(figure);
  const std::string before = "id=\"figure-data\">";
  const std::size_t begin = page.find(before) + before.size();
  const auto data =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  return data["panels"][0].value("bands", nlohmann::json());
}

TEST(PlotBands, LieWhereTheySay) {
  const double width = axis_width();
  ASSERT_GT(width, 600.0);
  const std::string svg = render_svg(figure_with({{2.0, 4.5, "stick", 0}, {6.0, 7.0, "lift", 2}}));
  const auto stick = drawn(svg, 0, 3), lift = drawn(svg, 2, 3);
  ASSERT_EQ(stick.size(), 1U);
  ASSERT_EQ(lift.size(), 1U);
  EXPECT_NEAR(stick[0].x, 0.2 * width, 0.01);
  EXPECT_NEAR(stick[0].width, 0.25 * width, 0.01);
  EXPECT_NEAR(lift[0].x, 0.6 * width, 0.01);
  EXPECT_LT(svg.find("class=\"bands\""), svg.find("class=\"curve")) << "behind the curves";
}

TEST(PlotBands, LeaveNoTraceWhenThereAreNone) {
  EXPECT_EQ(render_svg(figure_with({})).find("band"), std::string::npos);
  EXPECT_TRUE(bands_of_page(figure_with({})).is_null());
}

TEST(PlotBands, StandInTheLegendOnce) {
  const std::string svg = render_svg(
      figure_with({{0, 1, "stick <1>", 0}, {2, 3, "stick <1>", 0}, {4, 5, "", 0}, {6, 7, "x", 1}}));
  EXPECT_EQ(count(svg, ">stick &lt;1&gt;</text>"), 1U);
  EXPECT_EQ(count(svg, "<rect class=\"band "), 2U);
  EXPECT_EQ(count(svg, "shaded: stick"), 1U) << "told to who cannot see it";
}

TEST(PlotBands, AreCutAtTheAxisAndDoNotWidenIt) {
  const double width = axis_width();
  const auto cut = drawn(render_svg(figure_with({{-50.0, 1.0}, {9.0, infinity}})), 0, 3);
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_EQ(cut[0].x, 0.0);
  EXPECT_NEAR(cut[0].width, 0.1 * width, 0.01);
  EXPECT_NEAR(cut[1].x + cut[1].width, width, 0.01);
  const std::string outside =
      render_svg(figure_with({{-2.0, -1.0}, {11.0, 12.0}, {nan, 5.0}, {5.0, nan}, {5.0, 4.0}}));
  EXPECT_EQ(outside.find("<path class=\"band"), std::string::npos);
}

TEST(PlotBands, WorkOnALogarithmicAxis) {
  Figure figure = figure_with({{-1.0, 0.1}, {1.0, 10.0}});
  figure.panels[0].series[0].x = {0.01, 100.0};
  figure.panels[0].x_log = true;
  const auto bands = drawn(render_svg(figure), 0, 3);
  const double width = axis_width();
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_EQ(bands[0].x, 0.0);
  EXPECT_NEAR(bands[0].width, 0.25 * width, 1.0);
  EXPECT_NEAR(bands[1].x, 0.5 * width, 1.0);
}

TEST(PlotBands, ThatOverlapAreJoined) {
  const auto bands = drawn(render_svg(figure_with({{5, 6}, {1, 3}, {2, 4}, {1, 2}})), 0, 3);
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_NEAR(bands[0].width, 0.3 * axis_width(), 0.01);
}

TEST(PlotBands, NarrowerThanAPixelAreSeenAndAreNotMadeWide) {
  const auto lone = drawn(render_svg(figure_with({{5.0, 5.0 + 1e-6}, {7.0, 7.0}})), 0, 3);
  ASSERT_EQ(lone.size(), 2U);
  EXPECT_EQ(lone[0].width, 1.0);
  EXPECT_NEAR(lone[1].x, 0.7 * axis_width(), 1.0);
  const std::string close = render_svg(figure_with({{5.0, 5.0 + 1e-6}, {5.02, 5.02 + 1e-6}}));
  EXPECT_TRUE(drawn(close, 0, 3).empty());
  EXPECT_FALSE(drawn(close, 0, 1).empty()) << "a little of their columns, as neighbours";
}

TEST(PlotBands, ShortGapsBetweenThemAreSeen) {
  const std::string svg = render_svg(figure_with({{1.0, 5.0}, {5.001, 9.0}}));
  EXPECT_EQ(drawn(svg, 0, 3).size(), 2U) << "not one";
  EXPECT_FALSE(drawn(svg, 0, 2).empty());
}

/// Bands that cover a share of each of n periods.
std::vector<Band> dense(std::size_t n, double share) {
  std::vector<Band> bands;
  const double period = 10.0 / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double from = period * static_cast<double>(i);
    bands.push_back({from, from + share * period, "stick", 0});
  }
  return bands;
}

TEST(PlotBands, ManyStaySmallAndShowTheShareTheyCover) {
  const double width = axis_width();
  const std::string sparse = render_svg(figure_with(dense(50000, 0.3)));
  const std::string close = render_svg(figure_with(dense(50000, 0.7)));
  EXPECT_LT(sparse.size(), 30000U);
  EXPECT_LT(close.size(), 30000U);
  double faint = 0.0, strong = 0.0;
  for (const Rectangle& r : drawn(sparse, 0, 1)) faint += r.width;
  for (const Rectangle& r : drawn(close, 0, 2)) strong += r.width;
  EXPECT_NEAR(faint, width, 3.0);
  EXPECT_NEAR(strong, width, 3.0);
}

TEST(PlotBands, AreHeldByThePageAsPartsOfTheAxis) {
  const nlohmann::json bands = bands_of_page(figure_with({{2, 4, "a", 0}, {6, 20, "b", 3}}));
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_EQ(bands[0]["kind"], 0);
  EXPECT_DOUBLE_EQ(bands[0]["from"][0].get<double>(), 0.2);
  EXPECT_DOUBLE_EQ(bands[0]["to"][0].get<double>(), 0.4);
  EXPECT_EQ(bands[1]["kind"], 3);
  EXPECT_DOUBLE_EQ(bands[1]["to"][0].get<double>(), 1.0);
  EXPECT_FALSE(bands[0].contains("fill"));
}

TEST(PlotBands, OfThePageAreLimitedAndKeepWhatTheyCover) {
  const nlohmann::json bands = bands_of_page(figure_with(dense(100000, 0.3)));
  const auto from = bands[0]["from"].get<std::vector<double>>();
  const auto to = bands[0]["to"].get<std::vector<double>>();
  const auto fill = bands[0]["fill"].get<std::vector<double>>();
  ASSERT_LE(from.size(), 5000U);
  ASSERT_EQ(from.size(), fill.size());
  double covered = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i) covered += fill[i] * (to[i] - from[i]);
  EXPECT_NEAR(covered, 0.3, 1e-6);
}

}  // namespace
}  // namespace bristle
