#include "check_area.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "pieces.hpp"
#include "polygon.hpp"

namespace bristle::area_detail {
namespace {

using Kind = Pressure::Kind;

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

}  // namespace

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

void need_weight(double weight, const char* key, const std::string& whose) {
  if (std::isfinite(weight) && weight >= 0) return;
  throw InputError({.message = "the weight of " + whose,
                    .key = key,
                    .value = fmt::format("{:g}", weight),
                    .expected = "a finite number that is not negative"});
}

/// Rounding may make it −1e-12.
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

}  // namespace bristle::area_detail
