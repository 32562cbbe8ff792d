#include "functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "bristle/core/error.hpp"
#include "bristle/friction/kudra.hpp"
#include "bristle/normal/materials.hpp"
#include "bristle/normal/restitution.hpp"

namespace bristle::papers::detail {
namespace {

using Arguments = std::span<const Values>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <double (*f)(double)>
Values map(Arguments a) {
  Values result = a[0];
  std::transform(result.begin(), result.end(), result.begin(), f);
  return result;
}

double one(std::string_view name, const Values& values) {
  if (values.size() != 1) refuse_values(name, "one number is wanted, not a list");
  return values[0];
}

/// Lists that belong together, such as times and positions.
void check_pair(std::string_view name, const Values& x, const Values& y) {
  if (x.size() != y.size()) refuse_values(name, "x and y differ in length");
  if (x.empty()) refuse_values(name, "the lists are empty");
}

// ---- one number from a list -----------------------------------------------------------------

Values first(Arguments a) { return {a[0].empty() ? nan : a[0].front()}; }
Values last(Arguments a) { return {a[0].empty() ? nan : a[0].back()}; }
Values count(Arguments a) { return {static_cast<double>(a[0].size())}; }
Values sum(Arguments a) { return {std::accumulate(a[0].begin(), a[0].end(), 0.0)}; }
Values mean(Arguments a) { return {sum(a)[0] / count(a)[0]}; }
Values maximum(Arguments a) {
  return {a[0].empty() ? nan : *std::max_element(a[0].begin(), a[0].end())};
}
Values minimum(Arguments a) {
  return {a[0].empty() ? nan : *std::min_element(a[0].begin(), a[0].end())};
}
Values all(Arguments a) {
  return {std::all_of(a[0].begin(), a[0].end(), [](double x) { return x != 0; }) ? 1.0 : 0.0};
}
Values nth(Arguments a) {
  const double i = one("nth", a[1]);
  if (!(i >= 1 && i <= count(a)[0])) {
    refuse_values("nth", "there are " + std::to_string(a[0].size()) + " numbers");
  }
  return {a[0][static_cast<std::size_t>(i) - 1]};
}
Values rising(Arguments a) {
  return {std::is_sorted(a[0].begin(), a[0].end(), std::less_equal<>()) ? 1.0 : 0.0};
}
Values falling(Arguments a) {
  return {std::is_sorted(a[0].begin(), a[0].end(), std::greater_equal<>()) ? 1.0 : 0.0};
}

// ---- columns that belong together -----------------------------------------------------------

/// y at x0 on the straight lines between samples; x may rise or fall.
Values at(Arguments a) {
  const Values &x = a[0], &y = a[1];
  check_pair("at", x, y);
  const double x0 = one("at", a[2]);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double p = x[i], q = x[i + 1];
    if ((p - x0) * (q - x0) > 0 || p == q) continue;
    return {y[i] + (y[i + 1] - y[i]) * (x0 - p) / (q - p)};
  }
  return {x.size() == 1 && x[0] == x0 ? y[0] : nan};
}
Values window(Arguments a) {
  const Values &x = a[0], &y = a[3];
  check_pair("window", x, y);
  const double from = one("window", a[1]), to = one("window", a[2]);
  Values result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] >= from && x[i] <= to) result.push_back(y[i]);
  }
  return result;
}
/// The x at which y first passes a level, between samples.
Values when(Arguments a) {
  const Values &x = a[0], &y = a[1];
  check_pair("when", x, y);
  const double level = one("when", a[2]);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double p = y[i] - level, q = y[i + 1] - level;
    if (p == 0) return {x[i]};
    if (p * q < 0) return {x[i] + (x[i + 1] - x[i]) * p / (p - q)};
  }
  return {nan};
}
Values argmax(Arguments a) {
  check_pair("argmax", a[0], a[1]);
  return {
      a[0][static_cast<std::size_t>(std::max_element(a[1].begin(), a[1].end()) - a[1].begin())]};
}

struct Line {
  double slope, intercept;
};
Line fit_line(std::string_view name, const Values& x, const Values& y) {
  check_pair(name, x, y);
  const double n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return {xy / xx, my - xy / xx * mx};
}
Values slope(Arguments a) { return {fit_line("slope", a[0], a[1]).slope}; }
Values intercept(Arguments a) { return {fit_line("intercept", a[0], a[1]).intercept}; }

/// Local maxima of a column.
Values maxima(Arguments a) {
  const Values& y = a[0];
  Values result;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (y[i] > y[i - 1] && y[i] >= y[i + 1]) result.push_back(y[i]);
  }
  return result;
}
Values differences(Arguments a) {
  Values result;
  for (std::size_t i = 1; i < a[0].size(); ++i) result.push_back(a[0][i] - a[0][i - 1]);
  return result;
}

// ---- lists ----------------------------------------------------------------------------------

Values grid(Arguments a) {
  const double from = one("grid", a[0]), to = one("grid", a[1]), n = one("grid", a[2]);
  if (!(n >= 2 && n <= 1e6)) refuse_values("grid", "a count from 2 to 1e6 is wanted");
  Values result(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = from + (to - from) * static_cast<double>(i) / (n - 1);
  }
  return result;
}
Values log_grid(Arguments a) {
  Values result = grid(std::array<Values, 3>{Values{std::log(one("log_grid", a[0]))},
                                             Values{std::log(one("log_grid", a[1]))}, a[2]});
  for (double& x : result) x = std::exp(x);
  return result;
}

// ---- of the library -------------------------------------------------------------------------

double above_zero(double x) { return x > 0 ? x : 0; }
double to_degrees(double x) { return x * 180 / std::numbers::pi; }
double to_radians(double x) { return x * std::numbers::pi / 180; }
double peak_factor(double eta) { return kudra_peak_factor(eta); }

Values contact_modulus(Arguments a) {
  const auto number = [&](std::size_t i) { return one("contact_modulus", a[i]); };
  return {normal::effective_modulus(normal::Elastic<double>{number(0), number(1)},
                                    normal::Elastic<double>{number(2), number(3)})};
}
Values hertz(Arguments a) {
  return each("hertz_stiffness", a[0], a[1], [](double modulus, double radius) {
    return normal::hertz_stiffness(modulus, radius);
  });
}
Values hypotenuse(Arguments a) {
  return each("hypot", a[0], a[1], [](double x, double y) { return std::hypot(x, y); });
}

constexpr Function functions[] = {
    {"abs", "x", "magnitude", 1, map<std::abs>},
    {"sqrt", "x", "square root", 1, map<std::sqrt>},
    {"exp", "x", "exponential", 1, map<std::exp>},
    {"ln", "x", "natural logarithm", 1, map<std::log>},
    {"sin", "x", "sine, rad", 1, map<std::sin>},
    {"cos", "x", "cosine, rad", 1, map<std::cos>},
    {"tan", "x", "tangent, rad", 1, map<std::tan>},
    {"asin", "x", "arc sine", 1, map<std::asin>},
    {"acos", "x", "arc cosine", 1, map<std::acos>},
    {"atan", "x", "arc tangent", 1, map<std::atan>},
    {"positive", "x", "x, or 0 where it is negative", 1, map<above_zero>},
    {"deg", "x", "degrees of radians", 1, map<to_degrees>},
    {"rad", "x", "radians of degrees", 1, map<to_radians>},
    {"hypot", "x, y", "root of the sum of squares", 2, hypotenuse},
    {"first", "x", "first of a list", 1, first},
    {"last", "x", "last of a list", 1, last},
    {"nth", "x, n", "n-th of a list, from 1", 2, nth},
    {"count", "x", "length of a list", 1, count},
    {"sum", "x", "sum", 1, sum},
    {"mean", "x", "mean", 1, mean},
    {"max", "x", "largest", 1, maximum},
    {"min", "x", "smallest", 1, minimum},
    {"all", "x", "1 if none is 0", 1, all},
    {"rising", "x", "1 if each is above the one before", 1, rising},
    {"falling", "x", "1 if each is below the one before", 1, falling},
    {"at", "x, y, x0", "y at x0, linear between samples", 3, at},
    {"window", "x, a, b, y", "the y where a <= x <= b", 4, window},
    {"when", "x, y, level", "the x at which y first passes the level", 3, when},
    {"argmax", "x, y", "the x of the largest y", 2, argmax},
    {"slope", "x, y", "slope of the regression line", 2, slope},
    {"intercept", "x, y", "its value at x = 0", 2, intercept},
    {"maxima", "y", "local maxima", 1, maxima},
    {"differences", "x", "of neighbours", 1, differences},
    {"grid", "a, b, n", "n numbers from a to b", 3, grid},
    {"log_grid", "a, b, n", "the same, spaced by ratio", 3, log_grid},
    {"restitution_d", "e", "exact damping d of a restitution", 1, map<normal::solve_d>},
    {"effective_restitution", "u", "restitution of the damping u = a v_i", 1,
     map<normal::effective_restitution>},
    {"kudra_peak_factor", "eta", "eta' of Kudra's law", 1, map<peak_factor>},
    {"contact_modulus", "E1, nu1, E2, nu2", "E* of two materials", 4, contact_modulus},
    {"hertz_stiffness", "E*, R", "4/3 E* sqrt(R)", 2, hertz},
};

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* const found = std::find_if(std::begin(functions), std::end(functions),
                                         [&](const Function& f) { return f.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

std::span<const Function> all_functions() { return functions; }

void refuse_values(std::string_view function, const std::string& why) {
  throw InputError({.message = why, .key = std::string(function)});
}

}  // namespace bristle::papers::detail
