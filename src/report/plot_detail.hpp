#pragma once

/// Shared by the parts of the plotter and by nothing else: scales and ticks, thinning, text, and
/// the drawing itself, which the page reuses together with the geometry it was laid out with.

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/report/plot.hpp"

namespace bristle::plot_detail {

// ---- scales and ticks ---------------------------------------------------------------------

struct Range {
  double lo = 0.0, hi = 1.0;
  bool operator==(const Range&) const = default;
};

struct Tick {
  double value = 0.0;
  std::string label;
};

struct Axis {
  Range range;
  bool log = false;
  std::vector<Tick> ticks;
  std::vector<double> minor;  ///< unlabelled, between the decades of a logarithmic axis
  std::string multiplier;     ///< "×10⁻⁶" when the labels are scaled, else empty

  /// Position of a value along the axis: 0 at the low end, 1 at the high end.
  double at(double value) const;
};

/// Finite, of a magnitude whose arithmetic cannot overflow, and positive on a logarithmic axis.
bool drawable(double value, bool log);

/// `values` that can be drawn, or nothing when there are none.
class Extent {
 public:
  void add(double value);
  std::optional<Range> range() const;

 private:
  double lo_ = std::numeric_limits<double>::infinity();
  double hi_ = -std::numeric_limits<double>::infinity();
};

/// The interval an axis shows for its data: padded by the fraction `pad` on either side, opened
/// around constant data, and a plain default when there are none.
Range axis_range(const std::optional<Range>& data, bool log, double pad);

/// Ticks at 1, 2 or 5 times a power of ten, about `target` of them.
Axis make_axis(const Range& range, bool log, double target);

// ---- thinning -----------------------------------------------------------------------------

/// A sample, in data or in pixel coordinates; a NaN y is a gap.
struct Point {
  double x = 0.0, y = 0.0;
  bool is_gap() const { return !(y == y); }
};

/// For lines in pixels: the lowest and the highest of each visit to a pixel column, the ends of
/// each unbroken stretch, jumps, and all gaps.
std::vector<Point> thin_to_columns(const std::vector<Point>& points);

/// For markers in pixels: one of those that would cover each other, and the extremes.
std::vector<Point> thin_to_cells(const std::vector<Point>& points);

/// At most `count` points: ends and extremes of equal stretches, and a gap where there is one.
std::vector<Point> thin_to_count(const std::vector<Point>& points, std::size_t count);

/// The samples of a series with everything that cannot be drawn turned into gaps.
std::vector<Point> samples(const Series& series, const Panel& panel);

// ---- text ---------------------------------------------------------------------------------

/// Text and attribute values for XML and HTML. Bytes that are not UTF-8 and characters that XML
/// forbids become U+FFFD, since one of them would make the whole file unreadable.
std::string escape_xml(std::string_view text);

/// A JSON string with its quotes, safe inside a script element.
std::string quote_json(std::string_view text);

/// Digits and minus sign as superscripts.
std::string superscript(int number);

/// A fixed-point number with a true minus sign.
std::string fixed(double value, int decimals);

/// Width in pixels, estimated on the generous side: fonts differ between machines.
double text_width(std::string_view text, double font_size);

/// Words set into lines of at most `width` pixels; line breaks in the text are kept.
std::vector<std::string> wrap(std::string_view text, double font_size, double width);

/// The text, or its beginning and an ellipsis when it is wider than `width`.
std::string shorten(std::string_view text, double font_size, double width);

// ---- drawing ------------------------------------------------------------------------------

/// Okabe and Ito's colours that read well on white, the strongest first.
inline constexpr std::array<const char*, 7> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                       "#E69F00", "#56B4E9", "#000000"};

/// Outlines around a current point; the shape tells series apart where colour does not.
inline constexpr std::array<const char*, 4> markers = {
    "m-2.6,0a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0z", "m-2.3,-2.3h4.6v4.6h-4.6z",
    "m0,-3.2l3,5.2h-6z", "m0,-3.3l3.3,3.3l-3.3,3.3l-3.3,-3.3z"};

/// A key to one series, or a note without a key.
struct LegendEntry {
  std::string text;
  std::optional<std::size_t> series;
  double x = 0.0, y = 0.0;  ///< left end of the baseline
};

/// A lone sample of a line, as a ring that the width of the line fills.
inline constexpr const char* lone_sample = "m-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z";

/// Where a panel came to lie and what it shows.
struct PanelView {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;  ///< the frame
  Axis x_axis, y_axis;
  std::size_t link = 0;       ///< first panel with the same x axis
  bool x_labels_here = true;  ///< false when the panel below shows them
  bool has_data = false;
  double title_y = 0.0;
  std::vector<std::string> title, x_label, y_label;  ///< as lines
  std::vector<LegendEntry> legend;
};

struct Layout {
  double width = 0.0, height = 0.0;
  double title_y = 0.0, caption_y = 0.0;
  std::vector<std::string> title, caption;  ///< as lines
  std::vector<PanelView> panels;
};

/// Sizes and distances, in pixels.
namespace metric {
inline constexpr double margin = 12.0;
inline constexpr double tick_font = 12.0, label_font = 13.0, panel_font = 13.0;
inline constexpr double title_font = 16.0, caption_font = 13.0;
inline constexpr double title_line = 22.0, caption_line = 18.0, label_line = 16.0;
inline constexpr double tick = 5.0;       ///< length of a tick mark
inline constexpr double tick_row = 20.0;  ///< tick labels below a frame
inline constexpr double key = 22.0;       ///< length of the line in a legend
}  // namespace metric

Layout lay_out(const Figure& figure, int width, int panel_height, bool embedded);

struct Drawing {
  std::string svg;
  Layout layout;
};

/// `embedded`: inside a page that has its own title, caption, background and colours.
Drawing draw_figure(const Figure& figure, int width, int panel_height, bool embedded);

/// A height that keeps a stack of panels on one page.
int stacked_height(std::size_t panel_count);

/// Style sheet and script of the page.
extern const std::string_view page_style;
extern const std::string_view page_script;

// ---- PNG ----------------------------------------------------------------------------------

/// The converter must be there; otherwise InputError for a figure at `path`.
void require_png_converter(const std::filesystem::path& path);
std::string svg_to_png(const std::string& svg, const std::filesystem::path& path);

}  // namespace bristle::plot_detail
