// Cost of exact friction over a plane area, over fifty motions with the instantaneous centre
// log-uniformly from a hundredth to a hundred sizes away.

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "bristle/area/exact.hpp"
#include "timing.hpp"

namespace bristle {
namespace {

std::vector<Planar> motions() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-2, 2), angle(0, 2 * std::numbers::pi);
  std::vector<Planar> list(50);
  for (Planar& motion : list) {
    const double far = std::pow(10, exponent(random)), phi = angle(random);
    motion = {far * std::cos(phi), far * std::sin(phi), 1};
  }
  return list;
}

std::vector<Point2> regular(int corners) {
  std::vector<Point2> list;
  for (int i = 0; i < corners; ++i) {
    const double phi = 2 * std::numbers::pi * i / corners;
    list.emplace_back(std::cos(phi), std::sin(phi));
  }
  return list;
}

}  // namespace

void exact_area_table() {
  const Pressure hertz{.kind = Pressure::Kind::hertz}, linear{.slope = {0.3, 0.2}};
  const double unit = exp_time();
  fmt::print("\n| exact friction over an area | ns | × exp |\n|---|---|---|\n");
  const std::vector<Planar> list = motions();
  std::vector<Planar> wrenches(list.size());
  for (const PressedArea& area :
       {PressedArea::disc(1), PressedArea::disc(1, hertz), PressedArea::disc(1, linear),
        PressedArea::annulus(0.5, 1), PressedArea::ellipse(1, 0.5),
        PressedArea::ellipse(1, 0.5, hertz), PressedArea::ellipse(1, 0.05, hertz),
        PressedArea::rectangle(2, 1), PressedArea::rectangle(2, 1, linear),
        PressedArea::rectangle(2, 0.01), PressedArea::polygon(regular(12)),
        PressedArea::points(std::vector<Support>{{1, 0, 1}, {-0.5, 0.8, 1}, {-0.5, -0.8, 1}})}) {
    const double thousand = best_time([&] {
      for (std::size_t i = 0; i < list.size(); ++i) {
        wrenches[i] = exact_friction(area, list[i]).wrench;
      }
    });
    const double time = thousand * contacts / static_cast<double>(list.size());
    fmt::print("| {} | {:.0f} | {:.0f} |\n", area.name(), time, time / unit);
  }
}

}  // namespace bristle
