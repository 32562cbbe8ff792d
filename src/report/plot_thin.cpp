#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

constexpr Point gap{0.0, std::numeric_limits<double>::quiet_NaN()};

std::vector<Point> kept(const std::vector<Point>& points, const std::vector<bool>& keep) {
  std::vector<Point> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (keep[i]) result.push_back(points[i]);
  }
  return result;
}

double column(const Point& point) { return std::floor(point.x); }

/// One stretch [begin, end) of neighbours in the list, to be reduced to its extremes.
struct Stretch {
  std::size_t begin, end;
};

Stretch column_visit(const std::vector<Point>& points, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < points.size() && !points[end].is_gap() &&
         column(points[end]) == column(points[begin])) {
    ++end;
  }
  return {begin, end};
}

/// Where the line arrives from or leaves to somewhere else than the next column, the very point
/// matters: the extremes alone would tilt a long segment.
bool joins_neighbour(const std::vector<Point>& points, std::size_t from, std::size_t to) {
  if (to >= points.size() || points[to].is_gap()) return false;
  return std::abs(column(points[from]) - column(points[to])) <= 1.0;
}

template <class Coordinate>
void keep_extremes(const std::vector<Point>& points, Stretch stretch, Coordinate coordinate,
                   std::vector<bool>& keep) {
  std::size_t lo = stretch.end, hi = stretch.end;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    if (points[i].is_gap()) continue;
    if (lo == stretch.end || coordinate(points[i]) < coordinate(points[lo])) lo = i;
    if (hi == stretch.end || coordinate(points[i]) > coordinate(points[hi])) hi = i;
  }
  if (lo != stretch.end) keep[lo] = keep[hi] = true;
}

/// A jump stays exactly upright: its two ends share their x, the extremes need not.
void keep_jump(const std::vector<Point>& points, Stretch stretch, std::vector<bool>& keep) {
  double largest = 0.0;
  std::size_t jump = stretch.end;
  for (std::size_t i = stretch.begin; i + 1 < stretch.end; ++i) {
    const double height = std::abs(points[i + 1].y - points[i].y);
    if (points[i].x == points[i + 1].x && height > largest) {
      largest = height;
      jump = i;
    }
  }
  if (jump != stretch.end) keep[jump] = keep[jump + 1] = true;
}

constexpr auto x_of = [](const Point& point) { return point.x; };
constexpr auto y_of = [](const Point& point) { return point.y; };

bool sorted_in_x(const std::vector<Point>& points) {
  double last = -std::numeric_limits<double>::infinity();
  for (const Point& point : points) {
    if (point.is_gap()) continue;
    if (point.x < last) return false;
    last = point.x;
  }
  return true;
}

void keep_first_gap(const std::vector<Point>& points, Stretch stretch, std::vector<bool>& keep) {
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    if (!points[i].is_gap()) continue;
    keep[i] = true;
    return;
  }
}

void keep_stretch(const std::vector<Point>& points, Stretch stretch, bool sorted,
                  std::vector<bool>& keep) {
  keep_extremes(points, stretch, y_of, keep);
  if (!sorted) keep_extremes(points, stretch, x_of, keep);
  keep_first_gap(points, stretch, keep);
}

/// About `count` equal stretches of `size` samples.
template <class Visit>
void for_each_stretch(std::size_t size, std::size_t count, Visit visit) {
  const std::size_t stretches = std::max<std::size_t>(1, count);
  const std::size_t length = (size + stretches - 1) / stretches;
  for (std::size_t begin = 0; begin < size; begin += length) {
    visit({begin, std::min(begin + length, size)});
  }
}

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  const double s = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/// Points between two that are kept, and the one of them that is farthest from the line between.
struct Span {
  std::size_t begin, end, farthest;
  double distance;
  bool operator<(const Span& other) const { return distance < other.distance; }
};

Span span_of(const std::vector<Point>& points, std::size_t begin, std::size_t end) {
  Span span{begin, end, begin, 0.0};
  for (std::size_t i = begin + 1; i < end; ++i) {
    const double d = distance(points[i], points[begin], points[end]);
    if (d > span.distance) span = {begin, end, i, d};
  }
  return span;
}

/// Both axes from 0 to 1, as far as the points go.
std::vector<Point> in_unit_square(std::vector<Point> points) {
  Extent x, y;
  for (const Point& point : points) {
    x.add(point.x);
    y.add(point.y);
  }
  const Range across = x.range().value_or(Range{0, 1}), up = y.range().value_or(Range{0, 1});
  const auto scaled = [](double value, const Range& range) {
    return range.hi > range.lo ? (value - range.lo) / (range.hi - range.lo) : 0.0;
  };
  for (Point& point : points) point = {scaled(point.x, across), scaled(point.y, up)};
  return points;
}

/// For lines that turn back, such as orbits, which may rest for most of their samples: ends,
/// extremes, and then whatever bends the line most (after Ramer, Douglas and Peucker).
std::vector<Point> thin_to_shape(const std::vector<Point>& points, std::size_t count) {
  const std::vector<Point> unit = in_unit_square(points);
  std::vector<bool> keep(points.size(), false);
  keep.front() = keep.back() = true;
  keep_extremes(points, {0, points.size()}, x_of, keep);
  keep_extremes(points, {0, points.size()}, y_of, keep);
  std::priority_queue<Span> spans;
  std::size_t number = 1, last = 0;
  for (std::size_t i = 1; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    spans.push(span_of(unit, last, i));
    last = i;
    ++number;
  }
  for (; number < count && spans.top().distance > 0; ++number) {
    const Span span = spans.top();
    spans.pop();
    keep[span.farthest] = true;
    spans.push(span_of(unit, span.begin, span.farthest));
    spans.push(span_of(unit, span.farthest, span.end));
  }
  return kept(points, keep);
}

std::uint64_t cell_of(const Point& point) {
  constexpr double cell = 1.5;  // pixels; markers this close cover each other
  const auto index = [](double value) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(value / cell)));
  };
  return (std::uint64_t{index(point.x)} << 32) | index(point.y);
}

Range drawn_x(const std::vector<double>& x, bool log) {
  Extent extent;
  for (const double value : x) {
    if (drawable(value, log)) extent.add(value);
  }
  return extent.range().value_or(Range{0.0, 0.0});
}

Series thin_series(const Series& series, const Panel& panel, std::size_t most) {
  Series thin{.label = series.label, .style = series.style};
  const auto add = [&](double x, double y) {
    thin.x.push_back(x);
    thin.y.push_back(y);
  };
  for (const Point& point : thin_to_extremes(samples(series, panel), most)) {
    add(point.is_gap() ? gap.y : point.x, point.y);
  }
  // Where y is missing at an end, x still belongs to the axis.
  const Range whole = drawn_x(series.x, panel.x_log);
  if (whole != drawn_x(thin.x, panel.x_log)) {
    add(whole.lo, gap.y);
    add(whole.hi, gap.y);
  }
  return thin;
}

}  // namespace

std::vector<Point> thin_to_columns(const std::vector<Point>& points) {
  std::vector<bool> keep(points.size(), false);
  std::size_t i = 0;
  while (i < points.size()) {
    if (points[i].is_gap()) {
      keep[i++] = true;
      continue;
    }
    const Stretch visit = column_visit(points, i);
    keep_extremes(points, visit, y_of, keep);
    keep_jump(points, visit, keep);
    if (i == 0 || !joins_neighbour(points, i, i - 1)) keep[i] = true;
    if (!joins_neighbour(points, visit.end - 1, visit.end)) keep[visit.end - 1] = true;
    i = visit.end;
  }
  return kept(points, keep);
}

std::vector<Point> thin_to_cells(const std::vector<Point>& points) {
  std::vector<bool> keep(points.size(), false);
  const Stretch all{0, points.size()};
  keep_extremes(points, all, x_of, keep);
  keep_extremes(points, all, y_of, keep);
  std::unordered_set<std::uint64_t> taken;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].is_gap() && taken.insert(cell_of(points[i])).second) keep[i] = true;
  }
  return kept(points, keep);
}

std::vector<Point> thin_to_count(const std::vector<Point>& points, std::size_t count) {
  if (points.size() <= count) return points;
  const bool sorted = sorted_in_x(points);
  const std::size_t per_stretch = sorted ? 5 : 7;  // ends, extremes and a gap
  std::vector<bool> keep(points.size(), false);
  for_each_stretch(points.size(), count / per_stretch, [&](Stretch stretch) {
    keep[stretch.begin] = keep[stretch.end - 1] = true;
    keep_stretch(points, stretch, sorted, keep);
  });
  return kept(points, keep);
}

std::vector<Point> thin_to_extremes(const std::vector<Point>& points, std::size_t count) {
  if (points.size() <= count) return points;
  const bool sorted = sorted_in_x(points);
  const bool gaps =
      std::any_of(points.begin(), points.end(), [](const Point& point) { return point.is_gap(); });
  // Work that grows with both sizes: a very long line is brought down to extremes first.
  const bool turns = !sorted && !gaps;
  if (turns && points.size() <= 64 * count) return thin_to_shape(points, count);
  const std::size_t aim = turns ? 64 * count : count;
  const std::size_t per_stretch = (sorted ? 2 : 4) + (gaps ? 1 : 0);
  std::vector<bool> keep(points.size(), false);
  for_each_stretch(points.size(), (aim - 2) / per_stretch,
                   [&](Stretch stretch) { keep_stretch(points, stretch, sorted, keep); });
  keep.front() = keep.back() = true;
  return turns ? thin_to_shape(kept(points, keep), count) : kept(points, keep);
}

ThinnedFigure thin_figure(const Figure& figure, std::size_t most) {
  ThinnedFigure result{{.title = figure.title, .caption = figure.caption}, {}};
  for (const Panel& panel : figure.panels) {
    Panel thin{.title = panel.title,
               .x_label = panel.x_label,
               .y_label = panel.y_label,
               .x_log = panel.x_log,
               .y_log = panel.y_log,
               .bands = panel.bands};
    for (const Series& series : panel.series) {
      const std::size_t size = series.x.size();
      thin.series.push_back(size <= most ? series : thin_series(series, panel, most));
      if (size <= most) continue;
      result.shortest = result.longest == 0 ? size : std::min(result.shortest, size);
      result.longest = std::max(result.longest, size);
    }
    result.hidden.push_back(count_hidden(panel));
    result.figure.panels.push_back(std::move(thin));
  }
  return result;
}

std::vector<Point> samples(const Series& series, const Panel& panel) {
  if (series.x.size() != series.y.size()) {
    throw std::invalid_argument(fmt::format("series '{}' has {} values of x but {} of y",
                                            series.label, series.x.size(), series.y.size()));
  }
  std::vector<Point> points;
  points.reserve(series.x.size());
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const bool shown = drawable(series.x[i], panel.x_log) && drawable(series.y[i], panel.y_log);
    if (shown) {
      points.push_back({series.x[i], series.y[i]});
    } else if (!points.empty() && !points.back().is_gap()) {
      points.push_back(gap);  // one gap says as much as many
    }
  }
  if (!points.empty() && points.back().is_gap()) points.pop_back();
  return points;
}

}  // namespace bristle::plot_detail
