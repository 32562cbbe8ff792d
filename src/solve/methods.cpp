#include "methods.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/names.hpp"

namespace bristle {
namespace {

const std::vector<std::string> methods{"auto",          "rodas", "cvode", "event", "euler",
                                       "semi-implicit", "heun",  "ode3",  "rk4",   "bristle"};

}  // namespace

const std::vector<std::string>& run_methods() { return methods; }
bool is_fixed_step(std::string_view method) {
  return method != "auto" && method != "rodas" && method != "cvode" && method != "event";
}

namespace detail {

void check_known(const std::string& method) {
  if (std::find(methods.begin(), methods.end(), method) != methods.end()) return;
  throw InputError({.message = "unknown method",
                    .key = "solver.method",
                    .value = method,
                    .expected = one_of(methods),
                    .nearest = nearest_name(method, methods)});
}

void check_duration(double duration) {
  if (duration > 0 && std::isfinite(duration)) return;
  throw InputError({.message = "a run needs a duration above 0",
                    .key = "duration",
                    .value = fmt::format("{:g}", duration)});
}

void check_steps(const std::string& method, const RunOptions& options) {
  constexpr double most = 1e9;
  if (!is_fixed_step(method) || options.duration / options.step <= most) return;
  throw InputError({.message = fmt::format("{:.3g} steps", options.duration / options.step),
                    .key = "solver.step",
                    .value = fmt::format("{:g}", options.step),
                    .expected = fmt::format("at most {:g} steps: a longer one, or a shorter "
                                            "duration",
                                            most)});
}

void require_finite(const RunResult& result) {
  for (const Column& column : result.columns) {
    const auto lost = std::find_if_not(column.values.begin(), column.values.end(),
                                       [](double x) { return std::isfinite(x); });
    if (lost == column.values.end()) continue;
    const auto row = static_cast<std::size_t>(lost - column.values.begin());
    throw std::runtime_error(
        fmt::format("column {} is not finite at t = {:.9g} s: look for a parameter or a start of "
                    "extreme size",
                    quote(column.name), result.column("t")[row]));
  }
}

std::unique_ptr<Integrator> make_general(Equations& equations, const std::string& method,
                                         const RunOptions& options) {
  if (method == "rodas") return make_rodas(equations, options.tolerance);
  if (method == "cvode") return make_cvode(equations, options.tolerance);
  if (method == "event") return make_dopri5(equations, options.tolerance);
  return make_explicit(equations, method, options.step);
}

}  // namespace detail
}  // namespace bristle
