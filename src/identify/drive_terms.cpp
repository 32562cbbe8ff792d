#include "drive_terms.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"

namespace bristle::detail {
namespace {

double sign(double v) { return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0; }

}  // namespace

const std::vector<DriveEntry>& drive_entries() {
  static const std::vector<DriveEntry> all = {
      {{"acceleration", "a", "inertia", "stronger accelerations"},
       [](const DriveMotion& m, double) { return m.a; }},
      {{"accel_size", "|a|", "loss with the force of acceleration", "stronger accelerations"},
       [](const DriveMotion& m, double) { return std::abs(m.a); }},
      {{"jerk", "da/dt", "lag of the drive", "changes of the acceleration that are more sudden"},
       [](const DriveMotion& m, double) { return m.jerk; }},
      {{"viscous", "v", "viscous friction", "a wider range of steady speeds"},
       [](const DriveMotion& m, double) { return m.v; }},
      {{"quadratic", "v |v|", "drag", "higher speeds"},
       [](const DriveMotion& m, double) { return m.v * std::abs(m.v); }},
      {{"coulomb", "sgn v", "dry friction", "longer strokes at low speeds, in both directions"},
       [](const DriveMotion& m, double) { return sign(m.v); }},
      {{"stribeck", "sgn v exp(-|v|/s)", "dry friction that changes over the speed s",
        "steady strokes at speeds about s", true},
       [](const DriveMotion& m, double s) { return sign(m.v) * std::exp(-std::abs(m.v) / s); }},
      {{"stribeck2", "sgn v exp(-(v/s)^2)", "dry friction that changes over the speed s",
        "steady strokes at speeds about s", true},
       [](const DriveMotion& m, double s) { return sign(m.v) * std::exp(-(m.v / s) * (m.v / s)); }},
      {{"offset", "1", "constant force", "the same strokes in both directions"},
       [](const DriveMotion&, double) { return 1.0; }},
      {{"position", "q", "stiffness", "slow strokes over a longer way"},
       [](const DriveMotion& m, double) { return m.q; },
       true},
      {{"position2", "q^2", "stiffness", "slow strokes over a longer way"},
       [](const DriveMotion& m, double) { return m.q * m.q; },
       true},
      {{"position3", "q^3", "stiffness", "slow strokes over a longer way"},
       [](const DriveMotion& m, double) { return m.q * m.q * m.q; },
       true},
  };
  return all;
}

void refuse_term(const std::string& name, std::string message, std::string expected) {
  throw InputError({.message = std::move(message), .key = name, .expected = std::move(expected)});
}

namespace {

const DriveEntry& find_entry(std::string_view name, const std::string& written) {
  std::vector<std::string> names;
  for (const DriveEntry& entry : drive_entries()) {
    if (entry.term.name == name) return entry;
    names.push_back(entry.term.name);
  }
  throw InputError({.message = "no such term of a drive",
                    .key = written,
                    .expected = one_of(names),
                    .nearest = nearest_name(name, names)});
}

}  // namespace

ParsedTerm parse_drive_term(const std::string& written) {
  std::string_view rest = trimmed(written);
  ParsedTerm term;
  if (rest.ends_with('+') || rest.ends_with('-')) {
    term.branch = rest.back() == '+' ? 1 : -1;
    rest.remove_suffix(1);
  }
  const std::size_t open = rest.find('(');
  term.entry = &find_entry(trimmed(rest.substr(0, open)), written);
  const DriveTerm& known = term.entry->term;
  const bool closed = open != std::string_view::npos && rest.ends_with(')');
  if (closed != known.has_speed) {
    refuse_term(
        written, known.has_speed ? "a speed is missing" : "this term takes no speed",
        known.has_speed ? fmt::format("'{}(0.05)', in m/s", known.name) : quote(known.name));
  }
  if (!known.has_speed) return term;
  const std::string_view inside = rest.substr(open + 1, rest.size() - open - 2);
  term.speed = parse_quantity(inside, dim::speed, {.key = written});
  if (!(term.speed > 0.0)) refuse_term(written, "the speed is not positive", "a positive speed");
  return term;
}

}  // namespace bristle::detail
