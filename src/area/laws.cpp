#include "bristle/area/laws.hpp"

#include <algorithm>
#include <array>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/fit.hpp"
#include "bristle/area/pade_law.hpp"
#include "bristle/area/push_fit.hpp"
#include "bristle/area/quartic_law.hpp"
#include "bristle/area/shifted_law.hpp"
#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

struct Ratio {
  std::string_view name;
  int n1, n2;
  bool separate;
};
constexpr std::array<Ratio, 8> ratios{{{"I00", 0, 0, false},
                                       {"I00-separate", 0, 0, true},
                                       {"I10", 1, 0, false},
                                       {"I01", 0, 1, false},
                                       {"I11", 1, 1, false},
                                       {"I11-separate", 1, 1, true},
                                       {"I20", 2, 0, false},
                                       {"I02", 0, 2, false}}};

void refuse(std::string_view name, const char* message, const char* expected) {
  throw InputError({.message = message, .key = std::string(name), .expected = expected});
}

/// The pairs of a ratio law: given, or fitted.
RatioFit pairs_of(const Ratio& ratio, const RatioMoments& moments, const PressedArea& area,
                  const AreaLawOptions& o) {
  if (o.m.has_value() != o.b.has_value() || o.m_torque.has_value() != o.b_torque.has_value()) {
    refuse(ratio.name, "m and b belong together", "both of them or neither");
  }
  if (ratio.separate ? o.m.has_value() != o.m_torque.has_value() : o.m_torque.has_value()) {
    refuse(ratio.name, "the pairs do not suit this law",
           ratio.separate ? "two pairs or none" : "one pair or none");
  }
  if (!o.m) {
    return fit_ratio(moments, AreaGrid::of(area, o.length), ratio.n1, ratio.n2, ratio.separate);
  }
  RatioFit given;
  given.force = {*o.m, *o.b};
  given.torque = ratio.separate ? RatioPair{*o.m_torque, *o.b_torque} : given.force;
  return given;
}

std::unique_ptr<AreaLaw> make_ratio(const Ratio& ratio, const PressedArea& area,
                                    const AreaLawOptions& options) {
  const RatioMoments moments = RatioMoments::of(area, ratio.n1 == 2);
  const RatioFit p = pairs_of(ratio, moments, area, options);
  if (ratio.name == "I00") {
    return std::make_unique<LinearRatioLaw>(moments.linear, p.force.m, p.force.b);
  }
  return std::make_unique<RatioLaw>(moments, ratio.n1, ratio.n2, p.force, p.torque);
}

std::unique_ptr<AreaLaw> make_quartic(const PressedArea& area) {
  const ExactAreaLaw exact(area);
  const QuarticFit fit = fit_quartic(limit_samples(exact, 1000), exact.length());
  return std::make_unique<QuarticLaw>(fit.coefficients, exact.length());
}

/// About the area's own pole.
std::unique_ptr<AreaLaw> make_here(std::string_view name, const PressedArea& area,
                                   const AreaLawOptions& options) {
  for (const Ratio& ratio : ratios) {
    if (ratio.name == name) return make_ratio(ratio, area, options);
  }
  if (options.m || options.b || options.m_torque || options.b_torque) {
    refuse(name, "this law has no m and no b", "none given");
  }
  if (name == "pade" || name == "pade2") {
    const auto order = name == "pade" ? PadeLaw::Order::first : PadeLaw::Order::second;
    return std::make_unique<PadeLaw>(RatioMoments::of(area), order);
  }
  if (name == "ellipsoid") return std::make_unique<EllipsoidLaw>(EllipsoidLaw::of(area));
  if (name == "contensou") return std::make_unique<EllipsoidLaw>(EllipsoidLaw::contensou(area));
  if (name == "quartic") return make_quartic(area);
  return std::make_unique<ExactAreaLaw>(area);
}

}  // namespace

std::span<const std::string> area_law_names() noexcept {
  static const std::array<std::string, 14> names{
      "exact", "I00", "I00-separate", "I10",   "I01",       "I11",       "I11-separate",
      "I20",   "I02", "pade",         "pade2", "ellipsoid", "contensou", "quartic"};
  return names;
}

std::unique_ptr<AreaLaw> make_area_law(std::string_view name, const PressedArea& area,
                                       const AreaLawOptions& options) {
  const std::span<const std::string> names = area_law_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError({.message = "unknown law of friction over an area",
                      .value = std::string(name),
                      .expected = one_of(names),
                      .nearest = nearest_name(name, names)});
  }
  // Less than this off the centre is not worth a shift.
  const bool centred = area.centre().norm() < 1e-12 * area.reach();
  if (name == "exact" || centred || !options.about_centre) return make_here(name, area, options);
  const Point2 centre = area.centre();
  return std::make_unique<ShiftedLaw>(make_here(name, area.moved(-centre), options), centre);
}

}  // namespace bristle
