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

/// The same without the ends of stretches, which can be half as long for it: better where there
/// are only a few stretches to a pixel. A line that turns back keeps its shape instead: stretches
/// of equal length would leave an orbit that mostly rests a polygon.
std::vector<Point> thin_to_extremes(const std::vector<Point>& points, std::size_t count);

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

/// Of bands, strong enough to be laid thinly over the paper: slate, amber, green, pink.
inline constexpr std::array<const char*, 4> band_colours = {"#5B7083", "#E69F00", "#009E73",
                                                            "#CC79A7"};
inline constexpr double band_opacity = 0.15;

/// Outlines around a current point; the shape tells series apart where colour does not.
inline constexpr std::array<const char*, 4> markers = {
    "m-2.6,0a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0z", "m-2.3,-2.3h4.6v4.6h-4.6z",
    "m0,-3.2l3,5.2h-6z", "m0,-3.3l3.3,3.3l-3.3,3.3l-3.3,-3.3z"};

/// A key to one series or to one kind of band, or a note without a key.
struct LegendEntry {
  std::string text;
  std::optional<std::size_t> series;
  std::optional<std::size_t> band = std::nullopt;
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

/// `hidden` counts, for each panel, the values that a logarithmic axis leaves out; it is given
/// where the series no longer hold them.
Layout lay_out(const Figure& figure, int width, int panel_height, bool embedded,
               const std::vector<std::size_t>& hidden = {});
std::size_t count_hidden(const Panel& panel);

struct Drawing {
  std::string svg;
  Layout layout;
};

// ---- bands --------------------------------------------------------------------------------

/// Part of an axis, of which the share `fill` is covered.
struct Stripe {
  double from = 0.0, to = 0.0, fill = 1.0;
};

/// The index of a band's colour.
std::size_t band_kind(const Band& band);

/// The bands of one kind from left to right, as positions along the axis from 0 to 1, cut at the
/// ends; those that overlap are joined.
std::vector<Stripe> stripes_of(const Panel& panel, std::size_t kind, const Axis& axis);

/// The same in units of `columns` equal columns: stripes that stand at least a column apart are
/// kept exactly, the others become columns that are filled in part, so that there are never many
/// more than columns.
std::vector<Stripe> shade(std::vector<Stripe> stripes, double columns);

/// SVG paths relative to the corner of the frame, one for each kind and shade.
std::string band_paths(const Panel& panel, const PanelView& view);

/// `embedded`: inside a page that has its own title, caption, background and colours.
Drawing draw_figure(const Figure& figure, int width, int panel_height, bool embedded,
                    const std::vector<std::size_t>& hidden = {});

/// A height that keeps a stack of panels on one page.
int stacked_height(std::size_t panel_count);

// ---- pages --------------------------------------------------------------------------------

/// Style sheet of a figure in a page.
extern const std::string_view figure_style;

/// Parts of the script, in their order: what knows no figure, and the beginning and the end of the
/// function that brings one figure to life.
extern const std::string_view script_geometry, script_figure, script_reading;

/// From the document type to the end of the head; `more_style` follows the style of figures.
std::string page_head(const std::string& title, std::string_view more_style);

/// One script for all figures of a page.
std::string script_element();

/// How to use a figure with pointer and keys.
extern const std::string_view usage_hint;

/// The parts of a figure in a page that are not in the figure.
struct FigureFrame {
  std::string id;                     ///< begins the ids of its elements, unique in the page
  const char* heading;                ///< "h1", "h3"
  std::string hint;                   ///< below the figure, as HTML; may be empty
  std::string hint_id;                ///< of the element that describes how to use the figure
  int x_digits, y_digits;             ///< significant, of the numbers that the page holds
  std::vector<std::size_t> hidden{};  ///< as in lay_out
};
std::string figure_element(const Figure& figure, const FigureFrame& frame);

/// <name>text</name>, escaped, or nothing when there is no text.
std::string element(const char* name, const std::string& text);

/// A figure whose series have at most `most` samples, with the same axes and notes.
struct ThinnedFigure {
  Figure figure;
  std::vector<std::size_t> hidden;        ///< as in lay_out
  std::size_t shortest = 0, longest = 0;  ///< of the series that were thinned, before
};
ThinnedFigure thin_figure(const Figure& figure, std::size_t most);

// ---- PNG ----------------------------------------------------------------------------------

/// The converter must be there; otherwise InputError for a figure at `path`.
void require_png_converter(const std::filesystem::path& path);
std::string svg_to_png(const std::string& svg, const std::filesystem::path& path);

}  // namespace bristle::plot_detail
