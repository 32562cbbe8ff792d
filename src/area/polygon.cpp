#include "polygon.hpp"

#include <algorithm>
#include <numeric>

#include "pieces.hpp"

namespace bristle::area_detail {
namespace {

double turn(const Point2& a, const Point2& b, const Point2& c) noexcept {
  return cross(b - a, c - a);
}
int sign(double x) noexcept { return (x > 0) - (x < 0); }

/// c on the line of a and b: whether it lies between them.
bool between(const Point2& a, const Point2& b, const Point2& c) noexcept {
  return (c - a).dot(c - b) <= 0;
}

bool meet(const Point2& a, const Point2& b, const Point2& c, const Point2& d) noexcept {
  const int abc = sign(turn(a, b, c)), abd = sign(turn(a, b, d)), cda = sign(turn(c, d, a)),
            cdb = sign(turn(c, d, b));
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) ||
         (cda == 0 && between(c, d, a)) || (cdb == 0 && between(c, d, b));
}

class Sides {
 public:
  explicit Sides(std::span<const Point2> corners) : corner_(corners) {}

  std::size_t next(std::size_t i) const noexcept { return (i + 1) % corner_.size(); }
  double low(std::size_t i) const noexcept {
    return std::min(corner_[i].x(), corner_[next(i)].x());
  }
  double high(std::size_t i) const noexcept {
    return std::max(corner_[i].x(), corner_[next(i)].x());
  }
  /// Neighbours share a corner; they may not fold back on each other.
  bool cross(std::size_t i, std::size_t j) const noexcept {
    if (next(j) == i) std::swap(i, j);
    const Point2 &a = corner_[i], &b = corner_[next(i)], &c = corner_[j], &d = corner_[next(j)];
    if (next(i) != j) return meet(a, b, c, d);
    return turn(a, b, d) == 0 && (a - b).dot(d - b) > 0;
  }

 private:
  std::span<const Point2> corner_;
};

/// A ring of the corners that are left.
class Ring {
 public:
  explicit Ring(std::span<const Point2> corners)
      : corner_(corners), next_(corners.size()), before_(corners.size()) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
      next_[i] = (i + 1) % corners.size();
      before_[next_[i]] = i;
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (turn_at(i) <= 0) reflex_.push_back(i);
    }
  }

  std::size_t next(std::size_t i) const noexcept { return next_[i]; }
  std::array<std::size_t, 3> ear(std::size_t i) const noexcept { return {before_[i], i, next_[i]}; }
  double turn_at(std::size_t i) const noexcept {
    return turn(corner_[before_[i]], corner_[i], corner_[next_[i]]);
  }
  /// A corner without a bend, or one whose triangle holds no other corner.
  bool is_ear(std::size_t i) const noexcept {
    const double bend = turn_at(i);
    if (bend <= 0) return bend == 0;
    const auto [a, b, c] = ear(i);
    return std::none_of(reflex_.begin(), reflex_.end(), [&, a = a, b = b, c = c](std::size_t r) {
      if (r == a || r == b || r == c) return false;
      const Point2& x = corner_[r];
      return turn(corner_[a], corner_[b], x) >= 0 && turn(corner_[b], corner_[c], x) >= 0 &&
             turn(corner_[c], corner_[a], x) >= 0;
    });
  }
  void cut(std::size_t i) {
    const std::size_t a = before_[i], b = next_[i];
    next_[a] = b;
    before_[b] = a;
    std::erase_if(reflex_,
                  [&](std::size_t r) { return r == i || ((r == a || r == b) && turn_at(r) > 0); });
  }

 private:
  std::span<const Point2> corner_;
  std::vector<std::size_t> next_, before_, reflex_;
};

}  // namespace

double twice_area(std::span<const Point2> corners) noexcept {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += turn(corners[0], corners[i], corners[i + 1]);
  }
  return sum;
}

/// Sides sorted by their left ends: only those that overlap in x are compared.
std::optional<std::pair<std::size_t, std::size_t>> crossing_sides(std::span<const Point2> corners) {
  const Sides sides(corners);
  std::vector<std::size_t> order(corners.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return sides.low(i) < sides.low(j) || (sides.low(i) == sides.low(j) && i < j);
  });
  for (std::size_t m = 0; m < order.size(); ++m) {
    for (std::size_t n = m + 1; n < order.size(); ++n) {
      if (sides.low(order[n]) > sides.high(order[m])) break;
      if (sides.cross(order[m], order[n])) return std::minmax(order[m], order[n]);
    }
  }
  return std::nullopt;
}

/// After a cut the next corner is passed over, so that a round polygon is halved again and again
/// instead of becoming a fan of slivers.
std::vector<std::array<std::size_t, 3>> cut_ears(std::span<const Point2> corners) {
  Ring ring(corners);
  std::vector<std::array<std::size_t, 3>> triangles;
  std::size_t left_over = corners.size(), at = 0, refused = 0;
  while (left_over > 2 && refused <= left_over) {
    if (!ring.is_ear(at)) {
      at = ring.next(at);
      ++refused;
      continue;
    }
    if (ring.turn_at(at) > 0) triangles.push_back(ring.ear(at));
    ring.cut(at);
    at = ring.next(ring.next(at));
    refused = 0;
    --left_over;
  }
  return triangles;
}

}  // namespace bristle::area_detail
