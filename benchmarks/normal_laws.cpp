// Cost of the normal laws: latching at touch-down, and the force of a pressed contact.

#include <random>
#include <vector>

#include <fmt/format.h>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/restitution.hpp"
#include "timing.hpp"

namespace bristle {

void normal_table();

namespace {

std::vector<double> numbers(double from, double to) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pick(from, to);
  std::vector<double> x(contacts);
  for (double& value : x) value = pick(random);
  return x;
}

}  // namespace

void normal_table() {
  const std::vector<double> e = numbers(0.001, 1), v = numbers(0.01, 3), depth = numbers(0, 1e-3);
  std::vector<double> out(contacts);
  std::vector<Press<>> presses(contacts);
  const double unit = exp_time();
  const auto row = [&](const std::string& what, double t) {
    fmt::print("| {} | {:.1f} | {:.1f} |\n", what, t, t / unit);
  };
  const auto each = [&](auto&& f) {
    return best_time([&] {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(i);
    });
  };
  fmt::print("\n| normal laws | ns | × exp |\n|---|---|---|\n");
  row("d(e) from the table", each([&](std::size_t i) { return normal::restitution_d(e[i]); }));
  row("d(e) solved", each([&](std::size_t i) { return normal::solve_d(e[i]); }));
  row("e(u) solved", each([&](std::size_t i) { return normal::effective_restitution(v[i]); }));
  AnyNormal law("gonthier");
  law.set("alpha", 0.1);  // so that e changes with speed
  row("gonthier by name: latch", best_time([&] {
        for (std::size_t i = 0; i < presses.size(); ++i) presses[i] = law.latch(v[i]);
      }));
  for (const double p : {1.0, 1.5, 2.0, 1.7}) {
    const Press<> press{1e6, p, 0.5, 0.0};
    row(fmt::format("force, p = {}", p),
        each([&](std::size_t i) { return press.force(depth[i], v[i] - 1); }));
  }
}

}  // namespace bristle
