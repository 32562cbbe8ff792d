// Cost of each law per evaluation and per step, in nanoseconds and as a multiple of one std::exp in
// the same run: the ratio is what can be compared between machines.
//
// Every law runs over the same thousand contacts with slips around its own Stribeck range, so that
// all branches are met; std::exp runs over a thousand numbers in the same way.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "bristle/friction/any_law.hpp"
#include "bristle/friction/laws.hpp"
#include "timing.hpp"

namespace bristle {
namespace {

/// Slips log-uniform over the speeds where stick turns into slip, both directions.
template <int D>
std::vector<Slip<double, D>> slips() {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-6, -1), sign(-1, 1);
  std::vector<Slip<double, D>> list(contacts);
  for (Slip<double, D>& slip : list) {
    const double size = std::pow(10, exponent(random));
    for (int i = 0; i < D; ++i) slip.v[i] = size * sign(random);
    slip.v_lag = slip.v;
    slip.fn = 1 + 0.5 * sign(random);
  }
  return list;
}

struct Cost {
  double force = 0, advance = 0;
};

template <class L, int D>
Cost cost_of(const L& law) {
  const std::vector<Slip<double, D>> list = slips<D>();
  std::vector<typename L::template State<double, D>> states(contacts,
                                                            law.template initial<double, D>(1.0));
  std::vector<Tangent<double, D>> forces(contacts);
  std::vector<Slip<double, D>> back = list;
  for (Slip<double, D>& slip : back) slip.v = slip.v_lag = -slip.v;
  int steps = 0;
  const auto step = [&] {
    // The slip turns back every few steps, so that stretching, breaking away and sliding all count.
    const auto& now = steps++ / 10 % 2 == 0 ? list : back;
    for (std::size_t i = 0; i < states.size(); ++i)
      states[i] = advance_state(law, now[i], states[i], 1e-4);
  };
  const auto evaluate = [&] {
    for (std::size_t i = 0; i < states.size(); ++i)
      forces[i] = friction_force(law, list[i], states[i]);
  };
  Cost cost;
  if (HasMemory<L>) cost.advance = best_time(step);
  cost.force = best_time(evaluate);
  return cost;
}

template <template <class> class... Law>
void table(LawList<Law...>) {
  double unit = exp_time();  // the best of several, spread over the run: noise only adds
  for (int i = 0; i < 4; ++i) unit = std::min(unit, exp_time());
  fmt::print("one std::exp: {:.2f} ns\n\n", unit);
  fmt::print(
      "| law | force, line | × exp | force, plane | × exp | advance, line | × exp | advance, plane "
      "| × exp |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  const auto row = [&](const auto& law) {
    using L = std::remove_cvref_t<decltype(law)>;
    const Cost line = cost_of<L, 1>(law), plane = cost_of<L, 2>(law);
    const auto cell = [&](double t) {
      return t > 0 ? fmt::format("{:.1f} | {:.1f}", t, t / unit) : std::string("– | –");
    };
    fmt::print("| {} | {} | {} | {} | {} |\n", L::describe().page.name, cell(line.force),
               cell(plane.force), cell(line.advance), cell(plane.advance));
  };
  (row(Law<double>{}), ...);
  const double again = exp_time();
  fmt::print("\nstd::exp at the end of the run: {:.2f} ns ({:+.0f} %)\n", again,
             100 * (again / unit - 1));
}

}  // namespace
}  // namespace bristle

namespace bristle {
void normal_table();      // normal_laws.cpp
void overlap_table();     // overlaps.cpp
void mesh_pair_table();   // mesh_pair_bench.cpp
void area_table();        // area_laws.cpp
void exact_area_table();  // area.cpp
void patch_step_table();  // patch_step.cpp
}  // namespace bristle

int main() {
  bristle::table(bristle::Laws{});
  bristle::normal_table();
  bristle::overlap_table();
  bristle::mesh_pair_table();
  bristle::exact_area_table();
  bristle::area_table();
  bristle::patch_step_table();
}
