#pragma once

/// A plane contact area and how it is pressed.
///
///   PressedArea pad = PressedArea::rectangle(0.2, 0.1, Pressure{.slope = {2.0, 0.0}});
///   PressedArea feet = PressedArea::points({{0.03, 0.09, 1}, {0.03, 0.03, 1}, {0.09, 0.03, 1}});
///
/// The origin of its coordinates is the pole: slip and torque are about it. The pressure is kept as
/// shares of the load, ∬σ dA = 1, so that an area knows nothing of loads and coefficients.
///
/// Whatever the shape, it is a sum of three kinds of pieces: triangles with a pressure linear in x
/// and y, ellipses with a flat or Hertzian pressure times a linear one, and points. Holes are
/// pieces that count negatively. So everything that is an integral over the area is written three
/// times, not once per shape.

#include <span>
#include <string>
#include <vector>

#include "bristle/core/planar.hpp"

namespace bristle {

/// σ ∝ (1 + slope · (r − centre)), for Hertz times √(1 − (x/a)² − (y/b)²); slope in 1/m. An
/// off-centre load is a slope.
struct Pressure {
  enum class Kind { uniform, hertz };
  Kind kind = Kind::uniform;
  Point2 slope = Point2::Zero();
};

/// σ = level + slope · r inside the triangle, which runs counter-clockwise.
struct TrianglePiece {
  Point2 corner[3];
  double level = 0;
  Point2 slope = Point2::Zero();
};
/// σ = (level + slope · (r − centre)) [√(1 − ρ²)] inside ρ² = (x'/a)² + (y'/b)² < 1, where x', y'
/// are measured from the centre along axes turned by `angle`.
struct EllipsePiece {
  Point2 centre = Point2::Zero();
  double a = 1, b = 1, angle = 0;
  bool hertz = false;
  double level = 0;
  Point2 slope = Point2::Zero();
};
struct PointPiece {
  Point2 place;
  double share = 0;
};

/// A support: place and weight; weights need not add up to 1.
struct Support {
  double x = 0, y = 0, weight = 1;
};

class PressedArea {
 public:
  // All throw InputError for what is no area: a size that is not positive, fewer than three
  // corners, sides that cross, a pressure that is negative somewhere or zero everywhere.
  static PressedArea disc(double radius, const Pressure& pressure = {});
  /// Uniform or linear.
  static PressedArea annulus(double inner, double outer, const Pressure& pressure = {});
  /// Half-axes a along x and b along y.
  static PressedArea ellipse(double a, double b, const Pressure& pressure = {});
  /// |x| ≤ length/2, |y| ≤ width/2.
  static PressedArea rectangle(double length, double width, const Pressure& pressure = {});
  /// Corners in order, either way round; convex or not. Slopes are about the centroid.
  static PressedArea polygon(std::span<const Point2> corners, const Pressure& pressure = {});
  static PressedArea points(std::span<const Support> supports);
  /// Pressure known at the nodes of a grid (x[i], y[j]) → values[j * x.size() + i], any unit;
  /// linear on the two triangles of each cell.
  static PressedArea table(std::span<const double> x, std::span<const double> y,
                           std::span<const double> values);
  /// Several areas, which carry the given shares of the load (weights, need not add up to 1).
  static PressedArea together(std::span<const PressedArea> areas, std::span<const double> weights);

  /// The same area after a turn about the pole, then a shift.
  PressedArea moved(const Point2& shift, double angle = 0) const;

  std::span<const TrianglePiece> triangles() const noexcept { return triangles_; }
  std::span<const EllipsePiece> ellipses() const noexcept { return ellipses_; }
  std::span<const PointPiece> points() const noexcept { return points_; }

  /// Distance of the farthest piece from the pole, m.
  double reach() const noexcept { return reach_; }
  /// Centre of pressure.
  Point2 centre() const noexcept { return centre_; }
  /// Radius of gyration of the pressure about the pole, m.
  double gyration() const noexcept { return gyration_; }
  /// σ at a point; 0 outside. Points have none.
  double pressure(const Point2& r) const noexcept;
  /// Whether it looks the same from every side: discs and annuli about the pole, evenly pressed.
  bool is_round() const noexcept;
  /// In a few words: "disc, radius 1, uniform".
  const std::string& name() const noexcept { return name_; }

 private:
  PressedArea() = default;
  /// Scales the pieces to ∬σ = 1 and finds the sizes.
  void finish(std::string name);

  std::vector<TrianglePiece> triangles_;
  std::vector<EllipsePiece> ellipses_;
  std::vector<PointPiece> points_;
  double reach_ = 0, gyration_ = 0;
  Point2 centre_ = Point2::Zero();
  std::string name_;
};

}  // namespace bristle
