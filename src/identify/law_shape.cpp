#include "bristle/identify/law_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bristle {
namespace {

constexpr double far_above_best = 2, far_above_floor = 3;
constexpr double coloured = 0.5, chance = 0.01;
constexpr double rounding = 1e-6;  // of the signal

}  // namespace

LawShape judge_shape(const ShapeEvidence& law, const std::string& best, double best_rms,
                     double floor) {
  LawShape shape;
  if (best_rms > 0) shape.over_best = law.rms / best_rms;
  if (floor > 0) shape.over_floor = law.rms / floor;
  const bool far = shape.over_best > far_above_best || shape.over_floor > far_above_floor;
  const bool follow = law.whiteness > coloured && law.whiteness_p < chance;
  shape.wrong = far && follow && law.agreeing >= 2 && law.rms > rounding * law.signal;
  if (!shape.wrong) return shape;
  std::vector<std::string> why;
  if (shape.over_best > far_above_best) {
    why.push_back(fmt::format("it misses by {:.2g} times as much as {}", shape.over_best, best));
  }
  if (shape.over_floor > far_above_floor) {
    why.push_back(
        fmt::format("it misses by {:.2g} times what the cycles repeat to", shape.over_floor));
  }
  why.push_back(fmt::format("residuals follow one another (correlation {:.2f})", law.whiteness));
  shape.text = fmt::format("the shape of this law is wrong here, not its parameters: {}",
                           fmt::join(why, ", "));
  if (!law.at_bounds.empty()) {
    shape.text +=
        fmt::format("; within the ranges given: {} ended at {}", fmt::join(law.at_bounds, ", "),
                    law.at_bounds.size() == 1 ? "its bound" : "their bounds");
  }
  return shape;
}

}  // namespace bristle
