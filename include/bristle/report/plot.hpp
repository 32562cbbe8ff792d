#pragma once

/// Figures of curves, as SVG, as a self-contained page, or as PNG.
///
///   Figure figure;
///   figure.title = "Stribeck curve";
///   figure.panels.push_back({.x_label = "Velocity v (m/s)",
///                            .y_label = "Friction force F (N)",
///                            .series = {{.label = "γ = 2", .x = v, .y = force}}});
///   save_figure(figure, "stribeck.svg");     // or .html, or .png
///
/// Panels are stacked on a common width. Neighbours with the same x label and the same x range
/// share one x axis, and in the page they zoom together.
///
/// What is drawn is what is in the data. A NaN or an infinity breaks the line, as does a value
/// ≤ 0 on a logarithmic axis (these are counted in a note beside the legend); samples at equal x
/// make a vertical line. A curve with more samples than the drawing has pixels is thinned to the
/// minimum and the maximum of each pixel column, never averaged. Panels without data stay empty
/// and say so. The same figure always gives the same bytes.

#include <filesystem>
#include <string>
#include <vector>

namespace bristle {

/// One curve. `x` and `y` have the same length and `x` need not be sorted (a hysteresis loop is
/// drawn in the order given). A series without a label stays out of the legend.
struct Series {
  enum class Style { line, dashed, points };

  std::string label{};
  std::vector<double> x{}, y{};
  Style style = Style::line;
};

/// A stretch of x that is shaded behind the curves, such as a phase of sticking. Bands do not widen
/// the axis: ends may be infinite, and what lies outside is not seen. `kind` (0 to 3) is the
/// colour; labels stand in the legend once. Where bands are narrower than a pixel, the shade of
/// each pixel column is the share of it that they cover.
struct Band {
  double from = 0.0, to = 0.0;
  std::string label{};
  int kind = 0;
};

/// One pair of axes. Labels carry their units: "Velocity v (m/s)".
struct Panel {
  std::string title{}, x_label{}, y_label{};
  std::vector<Series> series{};
  bool x_log = false;
  bool y_log = false;
  std::vector<Band> bands{};
};

/// Panels from top to bottom, below a title and above a caption, which are both optional.
struct Figure {
  std::string title{}, caption{};
  std::vector<Panel> panels{};
};

/// A stand-alone drawing on white. `width` is that of the whole drawing (at least 240), and
/// `panel_height` that of the frame of each panel (at least 60), in pixels; titles, legends and
/// axis labels add to the height. Throws std::invalid_argument when x and y of a series differ in
/// length.
std::string render_svg(const Figure& figure, int width = 760, int panel_height = 300);

/// One page that needs no network and follows the light or dark setting of the reader. Hovering
/// or the arrow keys read out samples, dragging zooms in x and a double click resets. It holds up
/// to 20000 samples of each series; longer ones keep the extremes of equal stretches.
std::string render_html(const Figure& figure);

/// Writes the figure in the format that the ending of `path` names: .svg, .html or .png. Stacked
/// panels are drawn lower than a single one so that the figure still fits a page. Throws
/// InputError when the path is refused (see below) and leaves no partial file.
void save_figure(const Figure& figure, const std::filesystem::path& path);

/// The checks of save_figure without the writing, so that a long computation can be refused
/// before it starts: a known ending, a folder that exists, and for .png the program rsvg-convert.
void check_figure_path(const std::filesystem::path& path);

}  // namespace bristle
