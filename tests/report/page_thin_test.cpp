// A page stays small whatever is on it, and says what it leaves out.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/report/page.hpp"
#include "bristle/shape/mesh.hpp"
#include "bristle/shape/mesh_make.hpp"

namespace bristle {
namespace {

constexpr const char* left_out = "To stay small this page leaves out";

Series noisy(int k, std::size_t size) {
  Series series{.label = fmt::format("F{}", k)};
  for (std::size_t i = 0; i < size; ++i) {
    const double t = 1e-3 * static_cast<double>(i);
    series.x.push_back(t);
    series.y.push_back((k + 1) * std::sin(1e4 * t * (k + 1)) + 1e-7 * std::cos(12345.678 * t));
  }
  return series;
}
Panel panel_of(int curves, std::size_t size) {
  Panel panel{.x_label = "t (s)", .y_label = "F (N)"};
  for (int k = 0; k < curves; ++k) panel.series.push_back(noisy(k, size));
  return panel;
}
PageTable table_of(int rows) {
  PageTable table{"Contact", {"parameter", "value", "meaning"}, {}};
  for (int i = 0; i < rows; ++i) {
    table.rows.push_back({fmt::format("row-{}", i), "0.123456789012345", std::string(60, 'm')});
  }
  return table;
}
ReportPage page_of(Section section) {
  ReportPage page{.title = "Heap"};
  page.sections.push_back(std::move(section));
  return page;
}

TEST(PageThin, AnOrdinaryPageIsWhole) {
  Section section{.title = "Motion"};
  section.figures.push_back({.panels = {panel_of(30, 500), panel_of(3, 5000)}});
  section.tables.push_back(table_of(500));
  const std::string html = render_page(page_of(section));
  EXPECT_LT(html.size(), most_page_bytes);
  EXPECT_EQ(html.find(left_out), html.npos);
  for (const char* text : {"\"F29\"", "row-499"}) EXPECT_NE(html.find(text), html.npos) << text;
}

TEST(PageThin, ManyCurvesAreThoseThatVaryMost) {
  Section section{.title = "Forces"};
  for (int i = 0; i < 6; ++i) section.figures.push_back({.panels = {panel_of(400, 5000)}});
  const std::string html = render_page(page_of(section));
  EXPECT_LT(html.size(), most_page_bytes);
  EXPECT_GT(html.size(), most_page_bytes / 8) << "thinner than it has to be";
  EXPECT_NE(html.find(left_out), html.npos);
  EXPECT_NE(html.find("curves ("), html.npos);
  EXPECT_NE(html.find("Of up to 400 curves the "), html.npos);
  EXPECT_NE(html.find("\"F399\""), html.npos);
  EXPECT_EQ(html.find("\"F0\""), html.npos);
}

TEST(PageThin, ManyTablesRowsAndPictures) {
  Section section{.title = "Parameters"};
  for (int i = 0; i < 2000; ++i) section.tables.push_back(table_of(20));
  section.tables.insert(section.tables.begin(), table_of(30000));
  for (int i = 0; i < 200; ++i) {
    section.pictures.push_back(
        {.title = "patch", .svg = "<svg>" + std::string(90000, 'x') + "</svg>"});
  }
  const std::string html = render_page(page_of(section));
  EXPECT_LT(html.size(), most_page_bytes);
  for (const char* text : {"tables (", "rows of tables (", "pictures ("}) {
    EXPECT_NE(html.find(text), html.npos) << text;
  }
  EXPECT_NE(html.find("row-0"), html.npos);
}

TEST(PageThin, ManyFramesForcesAndFineMeshes) {
  Animation animation;
  for (int i = 0; i < 20; ++i) {
    Peg peg;
    peg.radius = 0.01 + 1e-4 * i;
    ScenePart part;
    part.name = fmt::format("peg-{}", i);
    part.shape = MeshShape{Mesh::make(make_peg(peg, 200, 20))};
    animation.scene.parts.push_back(std::move(part));
  }
  for (int i = 0; i < 3000; ++i) {
    SceneFrame frame;
    frame.t = 1e-3 * i;
    frame.poses.resize(20);
    frame.forces.resize(100);
    animation.scene.frames.push_back(std::move(frame));
  }
  Section section{.title = "Motion"};
  section.animations.push_back(std::move(animation));
  const std::string html = render_page(page_of(section));
  EXPECT_LT(html.size(), most_page_bytes);
  EXPECT_NE(html.find("frames of the animated view ("), html.npos);
  EXPECT_NE(html.find("is drawn as the box around it"), html.npos);
}

}  // namespace
}  // namespace bristle
