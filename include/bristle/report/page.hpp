#pragma once

/// A report of a run as one page: headline numbers, text, tables and interactive figures.
///
///   ReportPage page{.title = "Brake squeal", .subtitle = "rig 3, LuGre, 20 s"};
///   page.headlines = {{.label = "Energy error",
///                      .value = "3.1×10⁻⁹",
///                      .unit = "J",
///                      .status = Headline::Status::good}};
///   page.sections.push_back({.title = "Motion", .figures = {figure}});
///   write_file("report.html", render_page(page));
///
/// The page is one file that opens without a network, follows the light or dark setting of the
/// reader, fits a phone and prints. All text is plain and is escaped. Figures read out, zoom and
/// reset as those of render_html, each on its own. The same page always gives the same bytes.
///
/// The curves of a page share a budget of samples, so that the file stays small: up to 20000
/// samples each, and not below 4000 when there are many. Longer curves are thinned to the extremes
/// of equal stretches, which the page says below the figure. Where that does not keep the page
/// below `most_page_bytes`, there is less of everything: shorter curves, of a panel those that vary
/// most, the first tables, rows and pictures, fewer frames. A line below the title says what is
/// left out.

#include <filesystem>
#include <string>
#include <vector>

#include "bristle/report/plot.hpp"
#include "bristle/solve/scene.hpp"

namespace bristle {

/// One number that sums up a run. `note` is a short line below it.
struct Headline {
  enum class Status { none, good, warn };

  std::string label{}, value{}, unit{}, note{};
  Status status = Status::none;
};

/// Rows may be shorter than the heads; missing cells are empty. A column in which all cells are
/// numbers (or empty, or a dash) is aligned to the right.
struct PageTable {
  std::string title{};
  std::vector<std::string> heads{};
  std::vector<std::vector<std::string>> rows{};
};

/// A drawing that is not a plot: SVG as it is, from the program and not from the user.
struct Picture {
  std::string title{}, caption{}, svg{};
};

/// Of a finer mesh the box around it is drawn.
inline constexpr std::size_t most_scene_triangles = 20000;

/// A scene that plays, turns and zooms. Pages with one carry the library that draws it.
struct Animation {
  std::string title{}, caption{};
  Scene scene{};
  std::size_t most_triangles = most_scene_triangles;  ///< of a mesh
};

/// Paragraphs, then animations, then tables, then figures, then pictures.
struct Section {
  std::string title{};
  std::vector<std::string> paragraphs{};
  std::vector<Animation> animations{};
  std::vector<PageTable> tables{};
  std::vector<Figure> figures{};
  std::vector<Picture> pictures{};
};

/// More than three sections are listed at the top.
struct ReportPage {
  std::string title{}, subtitle{};
  std::vector<Headline> headlines{};
  std::vector<Section> sections{};
  std::string footer{};
};

/// Pages are smaller, whatever is on them but their texts.
inline constexpr std::size_t most_page_bytes = 5'000'000;
/// Refuses a path that no page can be written to, before the work (InputError).
void check_page_path(const std::filesystem::path& path);

/// Throws std::invalid_argument when x and y of a series differ in length.
std::string render_page(const ReportPage& page);

}  // namespace bristle
