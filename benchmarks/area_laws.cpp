// Laws of friction over an area: error against the exact integral, and cost of a call.

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "bristle/area/fit.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/area/linear_ratio_law.hpp"
#include "bristle/friction/any_law.hpp"
#include "bristle/friction/kudra.hpp"
#include "timing.hpp"

namespace bristle {

void area_table();

namespace {

struct Shape {
  const char* name;
  PressedArea area;
};

std::vector<Shape> shapes() {
  const Pressure hertz{.kind = Pressure::Kind::hertz};
  const std::vector<Support> feet{{0, 0, 1}, {0.02, 0, 1}, {0, 0.02, 1}};
  const std::vector<Point2> skew{{-0.02, -0.01}, {0.03, -0.012}, {0.025, 0.018}, {-0.01, 0.02}};
  return {{"disc", PressedArea::disc(0.01)},
          {"Hertz", PressedArea::disc(0.01, hertz)},
          {"ellipse", PressedArea::ellipse(0.02, 0.01, hertz)},
          {"rectangle", PressedArea::rectangle(0.02, 0.01)},
          {"annulus", PressedArea::annulus(0.005, 0.01)},
          {"polygon", PressedArea::polygon(skew, {.slope = {8, -5}})},
          {"three feet", PressedArea::points(feet)}};
}

/// Directions spread over the sphere of (v_x, v_y, L ω).
std::vector<Planar> motions(const AreaLaw& law, int count) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> height(-1, 1), turn(-std::numbers::pi, std::numbers::pi);
  std::vector<Planar> t;
  for (int i = 0; i < count; ++i) {
    const double z = height(random), r = std::sqrt(1 - z * z), phi = turn(random);
    t.emplace_back(r * std::cos(phi), r * std::sin(phi), z / law.length());
  }
  return t;
}

/// Nanoseconds per call, the best of several runs.
template <class F>
double time_of(const std::vector<Planar>& t, F&& f) {
  double best = 1e300;
  for (int run = 0; run < 7; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (const Planar& motion : t) benchmark::DoNotOptimize(f(motion));
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(t.size()));
  }
  return best;
}

/// What spin costs: the regularised I00 (m = 2) beside the point law it is made of, in the plane.
void regularised_table() {
  const LinearRatioLaw law(LinearMoments{}, 2, 1);
  AnyLaw point("kudra-1d");
  point.set("mu_k", 1);
  const double eps = point.get("eps"), peak = kudra_peak_factor(point.get("eta"));
  const std::vector<Planar> t = motions(law, 2000);
  const auto group = point.plane(1);
  const double alone = time_of(t, [&](const Planar& x) {
    Slip<double, 2> slip;
    slip.v = 1e-4 * x.head<2>();
    Tangent<double, 2> f;
    group->force({&slip, 1}, {&f, 1});
    return f[0];
  });
  const double area =
      time_of(t, [&](const Planar& x) { return regularised(law, 1e-4 * x, eps, peak)[0]; });
  fmt::print("\n\nregularised I00 {:.1f} ns, its point law {:.1f} ns: {:.2f} x\n", area, alone,
             area / alone);
}

}  // namespace

void area_table() {
  const std::vector<Shape> all = shapes();
  std::vector<AreaGrid> grids;
  fmt::print("\n| rms / largest error, μN |");
  for (const Shape& s : all) {
    grids.push_back(AreaGrid::of(s.area));
    fmt::print(" {} |", s.name);
  }
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < all.size(); ++i) fmt::print("---|");
  for (const std::string& name : area_law_names()) {
    fmt::print("\n| {} |", name);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const AreaLawErrors e = area_law_errors(*make_area_law(name, all[i].area), grids[i]);
      fmt::print(" {:.3f} / {:.3f} |", e.rms, e.max_norm);
    }
  }
  fmt::print(
      "\n\n| ns per call: sliding / hold | disc | rectangle | polygon |\n|---|---|---|---|\n");
  for (const std::string& name : area_law_names()) {
    fmt::print("| {} |", name);
    for (const std::size_t i : {0, 3, 5}) {
      const auto law = make_area_law(name, all[i].area);
      const std::vector<Planar> t = motions(*law, name == "exact" ? 60 : 2000);
      std::vector<Planar> w;
      for (const Planar& motion : t) w.push_back(law->sliding(motion));
      fmt::print(" {:.0f} / {:.0f} |", time_of(t, [&](const Planar& x) { return law->sliding(x); }),
                 time_of(w, [&](const Planar& x) { return law->hold(x).xi; }));
    }
    fmt::print("\n");
  }
  regularised_table();
}

}  // namespace bristle
