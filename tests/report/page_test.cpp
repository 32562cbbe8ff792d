#include "bristle/report/page.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bristle {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

bool contains(std::string_view text, std::string_view part) { return count(text, part) > 0; }

Series wave(std::size_t n) {
  Series series{.label = "wave"};
  for (std::size_t i = 0; i < n; ++i) {
    series.x.push_back(1e-3 * static_cast<double>(i));
    series.y.push_back(std::sin(0.02 * static_cast<double>(i)));
  }
  return series;
}

Figure figure_of(std::vector<Series> series, std::string title = "Figure") {
  Figure figure{.title = std::move(title)};
  figure.panels.push_back({.x_label = "t (s)", .y_label = "F (N)", .series = std::move(series)});
  return figure;
}

ReportPage page_of(std::vector<Figure> figures) {
  ReportPage page{.title = "Report"};
  page.sections.push_back({.title = "Section", .figures = std::move(figures)});
  return page;
}

nlohmann::json figure_data(const std::string& html, std::size_t number) {
  const std::string before = "id=\"figure-" + std::to_string(number) + "-data\">";
  const std::size_t begin = html.find(before);
  if (begin == html.npos) return {};
  const std::size_t start = begin + before.size();
  return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

std::vector<std::string> ids(const std::string& html) {
  std::vector<std::string> result;
  const std::string before = " id=\"";
  for (std::size_t at = html.find(before); at != html.npos; at = html.find(before, at + 1)) {
    const std::size_t start = at + before.size();
    result.push_back(html.substr(start, html.find('"', start) - start));
  }
  return result;
}

// ---- the whole page -------------------------------------------------------------------------

ReportPage full_page() {
  ReportPage page{.title = "Title", .subtitle = "Subtitle", .footer = "Footer"};
  page.headlines = {{"Energy", "1.5", "J", "note", Headline::Status::good},
                    {"Depth", "2", "m", "", Headline::Status::warn},
                    {"Plain", "3"}};
  for (const char* title : {"One", "Two", "Three", "Four"}) {
    page.sections.push_back({.title = title,
                             .paragraphs = {"First.", "Second."},
                             .tables = {{"Table", {"name", "value"}, {{"a", "1"}, {"b", "2"}}}},
                             .figures = {figure_of({wave(100)}), figure_of({wave(50)}, "")}});
  }
  return page;
}

TEST(Page, ShowsEverythingItIsGiven) {
  const std::string html = render_page(full_page());
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_TRUE(contains(html, "<h1>Title</h1>"));
  EXPECT_TRUE(contains(html, "<p class=\"subtitle\">Subtitle</p>"));
  EXPECT_TRUE(contains(html, "<footer>Footer</footer>"));
  EXPECT_TRUE(contains(html, "<li class=\"good\">"));
  EXPECT_TRUE(contains(html, "<li class=\"warn\">"));
  EXPECT_TRUE(contains(html, "<li><span class=\"name\">Plain</span>"));
  EXPECT_TRUE(contains(html, "1.5 <span class=\"unit\">J</span>"));
  EXPECT_EQ(count(html, "<p>Second.</p>"), 4U);
  EXPECT_EQ(count(html, "<caption>Table</caption>"), 4U);
  EXPECT_EQ(count(html, "<figure>"), 8U);
}

TEST(Page, IsEmptyWithoutFault) {
  const std::string html = render_page({});
  EXPECT_TRUE(contains(html, "<title>Report</title>"));
  EXPECT_FALSE(contains(html, "<h1>"));
  EXPECT_FALSE(contains(html, "<ul class"));
}

TEST(Page, NeedsNoNetwork) {
  const std::string html = render_page(full_page());
  EXPECT_EQ(count(html, "http://"), count(html, "http://www.w3.org/2000/svg"));
  EXPECT_FALSE(contains(html, "https://"));
  EXPECT_FALSE(contains(html, " src="));
  EXPECT_FALSE(contains(html, "url("));
  EXPECT_TRUE(contains(html, "default-src 'none'"));
}

TEST(Page, IsDeterministic) { EXPECT_EQ(render_page(full_page()), render_page(full_page())); }

TEST(Page, ListsItsContentsWhenThereAreMoreThanThreeSections) {
  ReportPage page = full_page();
  const std::string html = render_page(page);
  EXPECT_TRUE(contains(html, "<a href=\"#section-4\">Four</a>"));
  EXPECT_TRUE(contains(html, "<section id=\"section-4\">"));
  page.sections.pop_back();
  EXPECT_FALSE(contains(render_page(page), "<nav"));
}

TEST(Page, EscapesEveryText) {
  const std::string bad = "<b>&\"'</script>";
  ReportPage page{
      .title = bad, .subtitle = bad, .headlines = {{bad, bad, bad, bad}}, .footer = bad};
  Series series = wave(3);
  series.label = bad;
  Figure figure = figure_of({series, series}, bad);
  figure.caption = figure.panels[0].title = figure.panels[0].x_label = bad;
  figure.panels[0].y_label = bad;
  figure.panels[0].bands = {{0.0, 1e-3, bad, 0}};
  const Section section{bad, {bad}, {}, {{bad, {bad}, {{bad}}}}, {figure}};
  page.sections.assign(4, section);
  const std::string html = render_page(page);
  EXPECT_FALSE(contains(html, "<b>"));
  EXPECT_EQ(count(html, "</script>"), 5U) << "the data of four figures, and the script";
  EXPECT_TRUE(contains(html, "<h1>&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;</h1>"));
  EXPECT_EQ(figure_data(html, 4)["panels"][0]["series"][0]["label"], bad);
}

// ---- tables ---------------------------------------------------------------------------------

TEST(Page, AlignsColumnsOfNumbers) {
  ReportPage page;
  page.sections.push_back({.tables = {{"",
                                       {"text", "plain", "powers", "mixed", "blank"},
                                       {{"pad 1", "-1.5e-3", "−2.1×10⁻⁴", "3", ""},
                                        {"pad 2", "–", "≤ 7 %", "3 pads"}}}}});
  const std::string html = render_page(page);
  EXPECT_TRUE(contains(html,
                       "<tr><th scope=\"col\">text</th><th scope=\"col\" class=\"n\">plain</th>"
                       "<th scope=\"col\" class=\"n\">powers</th><th scope=\"col\">mixed</th>"
                       "<th scope=\"col\">blank</th></tr>"));
  EXPECT_TRUE(contains(html, "<td class=\"n\">–</td>"));
  EXPECT_TRUE(contains(html, "<td>3 pads</td><td></td></tr>")) << "a short row is filled up";
}

// ---- figures --------------------------------------------------------------------------------

TEST(Page, GivesEveryElementItsOwnId) {
  const std::vector<std::string> all = ids(render_page(full_page()));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_GE(all.size(), 8U + 4U);
  for (const char* wanted : {"figure-1-data", "figure-8-data", "section-1", "usage"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), wanted), 1) << wanted;
  }
}

TEST(Page, HoldsOneScriptForAllFigures) {
  const std::string html = render_page(full_page());
  EXPECT_EQ(count(html, "function start(root)"), 1U);
  EXPECT_EQ(count(html, "<script>"), 1U);
  EXPECT_FALSE(contains(html, "getElementById"));
  for (std::size_t i = 1; i <= 8; ++i) {
    EXPECT_EQ(figure_data(html, i)["panels"][0]["series"][0]["x"].size(), i % 2 == 1 ? 100U : 50U);
  }
}

TEST(Page, ShowsBands) {
  Figure figure = figure_of({wave(100)});
  figure.panels[0].bands = {{0.01, 0.02, "stick", 0}, {0.03, 0.04, "stick", 0}};
  const std::string html = render_page(page_of({figure}));
  EXPECT_EQ(count(html, "<g class=\"bands\""), 3U) << "in each of three widths";
  EXPECT_EQ(figure_data(html, 1)["panels"][0]["bands"][0]["from"].size(), 2U);
}

TEST(Page, RefusesSeriesOfUnequalLengths) {
  for (const std::size_t n : {3U, 30000U}) {  // kept whole and thinned
    Series series = wave(n);
    series.y.pop_back();
    EXPECT_THROW(render_page(page_of({figure_of({series})})), std::invalid_argument);
  }
}

// ---- long series ----------------------------------------------------------------------------

TEST(Page, KeepsShortSeriesWhole) {
  const std::string html = render_page(page_of({figure_of({wave(20000)})}));
  EXPECT_EQ(figure_data(html, 1)["panels"][0]["series"][0]["x"].size(), 20000U);
  EXPECT_FALSE(contains(html, "Drawn from"));
}

TEST(Page, ThinsLongSeriesToTheirExtremesAndSaysSo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Series series = wave(1000000);
  series.y[543210] = 7.25;
  series.y[543212] = -7.5;
  series.y[700000] = nan;
  const std::string html = render_page(page_of({figure_of({series, wave(100)})}));
  const nlohmann::json held = figure_data(html, 1)["panels"][0]["series"][0];
  EXPECT_LE(held["y"].size(), 20000U);
  EXPECT_GE(held["y"].size(), 12000U);
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), 7.25), 1);
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), -7.5), 1);
  EXPECT_EQ(std::count(held["y"].begin(), held["y"].end(), nullptr), 1);
  EXPECT_EQ(held["x"].front(), 0.0);
  EXPECT_EQ(held["x"].back(), 999.999);
  EXPECT_TRUE(contains(html, "Drawn from 1\u202F000\u202F000 samples, extremes kept."));
}

/// Thinning must change neither the axes nor what is said about them.
TEST(Page, ThinnedFiguresKeepTheirAxesAndNotes) {
  Series series = wave(100000);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(series.y.begin() + 90000, series.y.end(), nan);
  Figure figure = figure_of({series});
  figure.panels[0].y_log = true;
  const auto hidden =
      std::count_if(series.y.begin(), series.y.end(), [](double y) { return y <= 0; });
  const std::string html = render_page(page_of({figure}));
  EXPECT_EQ(figure_data(html, 1)["panels"][0]["xRange"][1], 100.0);
  EXPECT_EQ(count(html, std::to_string(hidden) + " values ≤ 0 not shown"), 3U);
}

TEST(Page, KeepsTheRippleOnALargeLevel) {
  Series series{.label = "level", .x = {0, 1, 2}, .y = {1000.00001, 1000.00002, 1000.00003}};
  const nlohmann::json y =
      figure_data(render_page(page_of({figure_of({series})})), 1)["panels"][0]["series"][0]["y"];
  EXPECT_NEAR(y[1].get<double>() - y[0].get<double>(), 1e-5, 1e-9);
}

TEST(Page, OfManyLongSeriesStaysSmallAndFast) {
  Figure figure;
  for (int p = 0; p < 6; ++p) {
    Figure one = figure_of({wave(1000000), wave(1000000), wave(1000000)});
    for (Series& series : one.panels[0].series) {
      for (double& y : series.y) y *= -1.2345678e-7 * (p + 1);  // the longest numbers
    }
    figure.panels.push_back(std::move(one.panels[0]));
  }
  const ReportPage page = page_of({std::move(figure)});
  const auto start = std::chrono::steady_clock::now();
  const std::string html = render_page(page);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_LT(html.size(), 4000000U);
  EXPECT_LT(time.count(), 20.0) << "some 0.5 s; the limit leaves room for sanitizers";
}

}  // namespace
}  // namespace bristle
