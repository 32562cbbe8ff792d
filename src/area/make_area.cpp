/// The makers of PressedArea.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/area/pressed_area.hpp"
#include "bristle/core/error.hpp"
#include "check_area.hpp"
#include "pieces.hpp"
#include "polygon.hpp"

namespace bristle {
namespace {

using namespace area_detail;
using Kind = Pressure::Kind;

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

/// σ is linear and has these values at the corners.
TrianglePiece triangle(const Point2 (&corner)[3], const double (&value)[3]) {
  const Point2 a = corner[1] - corner[0], b = corner[2] - corner[0];
  TrianglePiece piece{{corner[0], corner[1], corner[2]}};
  piece.slope = left((value[1] - value[0]) * b - (value[2] - value[0]) * a) / -cross(a, b);
  piece.level = value[0] - piece.slope.dot(corner[0]);
  return piece;
}

/// Without repeated corners, the first at the end included.
std::vector<Point2> tidy(std::span<const Point2> corners) {
  std::vector<Point2> ring;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    need_finite(corners[i], fmt::format("corner {} of a polygon", i));
    if (ring.empty() || corners[i] != ring.back()) ring.push_back(corners[i]);
  }
  while (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  return ring;
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
    need_weight(s.weight, "weight", fmt::format("support {}", i));
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
    need_weight(w, "weights", fmt::format("area {}", n));
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
    for (const PointPiece& p : areas[n].points_) all.points_.push_back({p.place, p.share * w});
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
