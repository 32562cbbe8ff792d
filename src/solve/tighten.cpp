#include "tighten.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle::detail {
namespace {

/// A speed that the ends of the rig have at the start or are driven with.
double typical_speed(const Rig& rig, double radius) {
  double most = 0;
  for (const Body& body : rig.bodies) {
    for (const double v : body.velocity) most = std::max(most, std::abs(v));
  }
  for (const Frame& frame : rig.frames) {
    for (const Signal& v : frame.velocity) most = std::max(most, std::abs(v.value(0)));
    most = std::max(most, std::abs(frame.spin.value(0)));
  }
  return most * radius;
}

}  // namespace

double turning_speed(const AnyLaw& law) {
  const LawInfo& info = law.info();
  if (info.can(Capability::set_valued) || info.can(Capability::memory)) return 0;
  constexpr double slowest = 1e-14, fastest = 1e3, ratio = 1.25;
  double top = 0;
  for (double v = slowest; v < fastest; v *= ratio) top = std::max(top, law.steady(v, 1.0));
  if (!(top > 0)) return 0;
  double v = slowest;
  while (v < fastest && law.steady(v, 1.0) < top / 2) v *= ratio;
  return v;
}

Tolerance tightened(const Rig& rig, const Tolerance& asked, std::vector<std::string>& notes) {
  constexpr double share = 0.01;    // of the turning speed to which slip must be known
  constexpr double finest = 1e-13;  // what doubles allow
  Tolerance tolerance = asked;
  for (const Contact& contact : rig.contacts) {
    const double turning = turning_speed(contact.law);
    const double speed = typical_speed(rig, contact.area ? 1 : contact.radius);
    if (!(turning > 0) || !(speed > 0)) continue;
    const double needed = share * turning / speed;
    if (needed < finest) {
      throw InputError(
          {.message = fmt::format("law '{}' turns within {:.2g} m/s, which the difference of two "
                                  "speeds of {:.2g} m/s cannot resolve",
                                  contact.law.name(), turning, speed),
           .key = "friction",
           .expected = fmt::format("a regularisation speed above {:.2g} m/s, or a set-valued law",
                                   finest / share * speed)});
    }
    if (needed >= tolerance.rtol) continue;
    tolerance.rtol = needed;
    notes.push_back(
        fmt::format("rtol tightened from {:.2g} to {:.2g}: law '{}' turns within {:.2g} "
                    "m/s, at speeds of {:.2g} m/s",
                    asked.rtol, needed, contact.law.name(), turning, speed));
  }
  return tolerance;
}

}  // namespace bristle::detail
