/// The makers of PressedArea and what they refuse.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/area/pressed_area.hpp"
#include "bristle/core/error.hpp"
#include "pieces.hpp"
#include "polygon.hpp"

namespace bristle {
namespace {

using namespace area_detail;
using Kind = Pressure::Kind;

void need_positive(double value, const char* key, const std::string& what) {
  if (std::isfinite(value) && value > 0) return;
  throw InputError({.message = what,
                    .key = key,
                    .value = fmt::format("{:g}", value),
                    .expected = "a positive, finite length"});
}

void need_finite(const Point2& point, const std::string& what) {
  if (point.allFinite()) return;
  throw InputError({.message = what + " is not finite",
                    .value = fmt::format("({:g}, {:g})", point.x(), point.y()),
                    .expected = "finite coordinates"});
}

/// `least` is the smallest 1 + slope · (r − centre) in the area; rounding may make it −1e-12.
void need_pressed(const Pressure& pressure, double least, const Point2& where) {
  if (least >= -1e-12) return;
  throw InputError(
      {.message = fmt::format("the pressure is negative at ({:g}, {:g}): {:g} times that at the "
                              "centre",
                              where.x(), where.y(), least),
       .key = "slope",
       .value = fmt::format("({:g}, {:g})", pressure.slope.x(), pressure.slope.y()),
       .expected = "1 + slope · (r − centre) ≥ 0 in the whole area"});
}

void need_flat(const Pressure& pressure, const char* shape) {
  if (pressure.kind == Kind::uniform) return;
  throw InputError({.message = fmt::format("no Hertzian pressure on {}", shape),
                    .key = "kind",
                    .value = "hertz",
                    .expected = "uniform, with or without a slope"});
}

std::string in_words(const Pressure& pressure) {
  const bool even = pressure.slope.isZero(0);
  if (pressure.kind == Kind::hertz) return even ? "Hertz" : "Hertz, linear";
  return even ? "uniform" : "linear";
}

EllipsePiece ellipse_piece(double a, double b, const Pressure& pressure) {
  need_finite(pressure.slope, "the slope of a pressure");
  const Point2 reach(a * pressure.slope.x(), b * pressure.slope.y());
  const double steep = reach.norm();
  const Point2 lowest =
      steep > 0 ? Point2(-a * reach.x() / steep, -b * reach.y() / steep) : Point2::Zero();
  need_pressed(pressure, 1 - steep, lowest);
  EllipsePiece piece;
  piece.a = a;
  piece.b = b;
  piece.hertz = pressure.kind == Kind::hertz;
  piece.level = 1;
  piece.slope = pressure.slope;
  return piece;
}

void need_increasing(std::span<const double> x, const char* key) {
  if (x.size() < 2) {
    throw InputError({.message = "a table of pressures needs two nodes along each axis",
                      .key = key,
                      .value = fmt::format("{} nodes", x.size()),
                      .expected = "at least 2"});
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i]) && (i == 0 || x[i] > x[i - 1])) continue;
    throw InputError({.message = fmt::format("node {} of a table of pressures", i),
                      .key = key,
                      .value = fmt::format("{:g}", x[i]),
                      .expected = "finite numbers that grow"});
  }
}

void need_table(std::span<const double> x, std::span<const double> y,
                std::span<const double> values) {
  need_increasing(x, "x");
  need_increasing(y, "y");
  if (values.size() != x.size() * y.size()) {
    throw InputError({.message = "the size of a table of pressures",
                      .key = "values",
                      .value = fmt::format("{} values", values.size()),
                      .expected = fmt::format("{} × {}", x.size(), y.size())});
  }
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (std::isfinite(values[n]) && values[n] >= 0) continue;
    throw InputError(
        {.message = fmt::format("the pressure at ({:g}, {:g})", x[n % x.size()], y[n / x.size()]),
         .key = "values",
         .value = fmt::format("{:g}", values[n]),
         .expected = "a finite number that is not negative"});
  }
  if (std::all_of(values.begin(), values.end(), [](double p) { return p == 0; })) {
    throw InputError({.message = "a table of pressures that are all zero",
                      .key = "values",
                      .expected = "at least one positive pressure"});
  }
}

/// σ is linear and has these values at the corners.
TrianglePiece triangle(const Point2 (&corner)[3], const double (&value)[3]) {
  const Point2 a = corner[1] - corner[0], b = corner[2] - corner[0];
  TrianglePiece piece{{corner[0], corner[1], corner[2]}};
  piece.slope = left((value[1] - value[0]) * b - (value[2] - value[0]) * a) / -cross(a, b);
  piece.level = value[0] - piece.slope.dot(corner[0]);
  return piece;
}

/// Without repeated corners, the first at the end included; counter-clockwise.
std::vector<Point2> tidy(std::span<const Point2> corners) {
  std::vector<Point2> ring;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    need_finite(corners[i], fmt::format("corner {} of a polygon", i));
    if (ring.empty() || corners[i] != ring.back()) ring.push_back(corners[i]);
  }
  while (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  return ring;
}

/// All corners on a line, as far as rounding can tell.
bool is_flat(std::span<const Point2> ring) {
  Point2 far = Point2::Zero();
  for (const Point2& corner : ring) {
    if ((corner - ring[0]).squaredNorm() > far.squaredNorm()) far = corner - ring[0];
  }
  return std::all_of(ring.begin(), ring.end(), [&](const Point2& corner) {
    return std::abs(cross(far, corner - ring[0])) <= 1e-14 * far.squaredNorm();
  });
}

void need_simple(std::span<const Point2> ring) {
  if (ring.size() < 3) {
    throw InputError({.message = "too few different corners of a polygon",
                      .key = "corners",
                      .value = fmt::format("{}", ring.size()),
                      .expected = "at least 3"});
  }
  if (is_flat(ring)) {
    throw InputError({.message = "a polygon without area",
                      .key = "corners",
                      .value = fmt::format("{} corners on one line", ring.size()),
                      .expected = "corners that are not on one line"});
  }
  const auto crossing = crossing_sides(ring);
  if (!crossing) return;
  const auto side = [&](std::size_t i) {
    const Point2 &a = ring[i], &b = ring[(i + 1) % ring.size()];
    return fmt::format("side {} from ({:g}, {:g}) to ({:g}, {:g})", i, a.x(), a.y(), b.x(), b.y());
  };
  throw InputError({.message = fmt::format("{} and {} cross or touch", side(crossing->first),
                                           side(crossing->second)),
                    .key = "corners",
                    .expected = "a polygon whose sides meet at its corners only"});
}

/// Sides so close to each other that rounding decides which is which stop the cutting.
void need_whole(std::span<const TrianglePiece> triangles, double area) {
  double sum = 0;
  for (const TrianglePiece& t : triangles) sum += area_of(t);
  if (std::abs(sum - area) <= 1e-9 * area) return;
  throw InputError({.message = "a polygon that cannot be cut into triangles",
                    .key = "corners",
                    .value = fmt::format("{:g} of {:g} m²", sum, area),
                    .expected = "sides that are farther apart than rounding"});
}

Point2 centroid_of(std::span<const TrianglePiece> triangles) {
  Point2 sum = Point2::Zero();
  double area = 0;
  const Point2 from = triangles.front().corner[0];
  for (const TrianglePiece& t : triangles) {
    sum += area_of(t) * (centroid(t) - from);
    area += area_of(t);
  }
  return from + sum / area;
}

}  // namespace

PressedArea PressedArea::disc(double radius, const Pressure& pressure) {
  need_positive(radius, "radius", "the radius of a disc");
  PressedArea area;
  area.ellipses_ = {ellipse_piece(radius, radius, pressure)};
  area.finish(fmt::format("disc, radius {:g}, {}", radius, in_words(pressure)));
  return area;
}

PressedArea PressedArea::annulus(double inner, double outer, const Pressure& pressure) {
  need_positive(outer, "outer", "the outer radius of an annulus");
  need_positive(inner, "inner", "the inner radius of an annulus");
  if (inner >= outer) {
    throw InputError({.message = "the inner radius of an annulus",
                      .key = "inner",
                      .value = fmt::format("{:g}", inner),
                      .expected = fmt::format("less than the outer one, {:g}", outer)});
  }
  need_flat(pressure, "an annulus");
  PressedArea area;
  area.ellipses_ = {ellipse_piece(outer, outer, pressure), ellipse_piece(inner, inner, pressure)};
  area.ellipses_[1].level = -1;
  area.ellipses_[1].slope = -pressure.slope;
  area.finish(fmt::format("annulus, radii {:g} and {:g}, {}", inner, outer, in_words(pressure)));
  return area;
}

PressedArea PressedArea::ellipse(double a, double b, const Pressure& pressure) {
  need_positive(a, "a", "a half-axis of an ellipse");
  need_positive(b, "b", "a half-axis of an ellipse");
  PressedArea area;
  area.ellipses_ = {ellipse_piece(a, b, pressure)};
  area.finish(fmt::format("ellipse, half-axes {:g} and {:g}, {}", a, b, in_words(pressure)));
  return area;
}

PressedArea PressedArea::rectangle(double length, double width, const Pressure& pressure) {
  need_positive(length, "length", "the length of a rectangle");
  need_positive(width, "width", "the width of a rectangle");
  need_flat(pressure, "a rectangle");
  const double x = length / 2, y = width / 2;
  PressedArea area =
      polygon(std::array{Point2(-x, -y), Point2(x, -y), Point2(x, y), Point2(-x, y)}, pressure);
  area.name_ = fmt::format("rectangle, {:g} × {:g}, {}", length, width, in_words(pressure));
  return area;
}

PressedArea PressedArea::polygon(std::span<const Point2> corners, const Pressure& pressure) {
  need_flat(pressure, "a polygon");
  need_finite(pressure.slope, "the slope of a pressure");
  std::vector<Point2> ring = tidy(corners);
  need_simple(ring);
  if (twice_area(ring) < 0) std::reverse(ring.begin(), ring.end());
  PressedArea area;
  for (const auto& [i, j, k] : cut_ears(ring)) {
    area.triangles_.push_back({.corner = {ring[i], ring[j], ring[k]}});
  }
  need_whole(area.triangles_, twice_area(ring) / 2);
  const Point2 middle = centroid_of(area.triangles_);
  for (const Point2& corner : ring) {
    need_pressed(pressure, 1 + pressure.slope.dot(corner - middle), corner);
  }
  for (TrianglePiece& t : area.triangles_) {
    t.level = 1 - pressure.slope.dot(middle);
    t.slope = pressure.slope;
  }
  area.finish(fmt::format("polygon, {} corners, {}", ring.size(), in_words(pressure)));
  return area;
}

PressedArea PressedArea::points(std::span<const Support> supports) {
  PressedArea area;
  double sum = 0;
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const Support& s = supports[i];
    need_finite({s.x, s.y}, fmt::format("support {}", i));
    if (!(std::isfinite(s.weight) && s.weight >= 0)) {
      throw InputError({.message = fmt::format("the weight of support {}", i),
                        .key = "weight",
                        .value = fmt::format("{:g}", s.weight),
                        .expected = "a finite number that is not negative"});
    }
    sum += s.weight;
    if (s.weight > 0) area.points_.push_back({{s.x, s.y}, s.weight});
  }
  if (!(sum > 0)) {
    throw InputError({.message = "supports that carry nothing",
                      .key = "weight",
                      .value = fmt::format("{} supports", supports.size()),
                      .expected = "at least one positive weight"});
  }
  area.finish(fmt::format("{} points", area.points_.size()));
  return area;
}

PressedArea PressedArea::table(std::span<const double> x, std::span<const double> y,
                               std::span<const double> values) {
  need_table(x, y, values);
  PressedArea area;
  const auto add = [&](const std::array<std::size_t, 3>& i, const std::array<std::size_t, 3>& j) {
    Point2 corner[3];
    double value[3];
    for (std::size_t n = 0; n < 3; ++n) {
      corner[n] = {x[i[n]], y[j[n]]};
      value[n] = values[j[n] * x.size() + i[n]];
    }
    if (value[0] + value[1] + value[2] > 0) area.triangles_.push_back(triangle(corner, value));
  };
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      add({i, i + 1, i + 1}, {j, j, j + 1});
      add({i, i + 1, i}, {j, j + 1, j + 1});
    }
  }
  area.finish(fmt::format("table, {} × {}", x.size(), y.size()));
  return area;
}

PressedArea PressedArea::together(std::span<const PressedArea> areas,
                                  std::span<const double> weights) {
  if (areas.empty() || areas.size() != weights.size()) {
    throw InputError({.message = "areas and their weights",
                      .key = "weights",
                      .value = fmt::format("{} for {} areas", weights.size(), areas.size()),
                      .expected = "one weight for each area"});
  }
  PressedArea all;
  double sum = 0;
  std::string name;
  for (std::size_t n = 0; n < areas.size(); ++n) {
    const double w = weights[n];
    if (!(std::isfinite(w) && w >= 0)) {
      throw InputError({.message = fmt::format("the weight of area {}", n),
                        .key = "weights",
                        .value = fmt::format("{:g}", w),
                        .expected = "a finite number that is not negative"});
    }
    sum += w;
    name += (n == 0 ? "" : " + ") + areas[n].name();
    if (w == 0) continue;
    for (TrianglePiece t : areas[n].triangles_) {
      t.level *= w;
      t.slope *= w;
      all.triangles_.push_back(t);
    }
    for (EllipsePiece e : areas[n].ellipses_) {
      e.level *= w;
      e.slope *= w;
      all.ellipses_.push_back(e);
    }
    for (PointPiece p : areas[n].points_) all.points_.push_back({p.place, p.share * w});
  }
  if (!(sum > 0)) {
    throw InputError({.message = "areas that carry nothing",
                      .key = "weights",
                      .expected = "at least one positive weight"});
  }
  all.finish(areas.size() > 3 ? fmt::format("{} areas", areas.size()) : name);
  return all;
}

}  // namespace bristle
