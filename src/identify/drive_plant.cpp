#include "bristle/identify/drive_plant.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "drive_terms.hpp"

namespace bristle {
namespace {

constexpr int most_pieces = 16;  // stops and starts in one sample; a held force has one of each

/// (1 − e⁻ˣ)/x and (x − 1 + e⁻ˣ)/x², by their series where the closed form cancels.
double phi1(double x) noexcept {
  return std::abs(x) < 1e-5 ? 1 - x / 2 + x * x / 6 : -std::expm1(-x) / x;
}
double phi2(double x) noexcept {
  if (std::abs(x) > 0.03) return (x + std::expm1(-x)) / (x * x);
  return 0.5 - x * (1. / 6 - x * (1. / 24 - x * (1. / 120 - x * (1. / 720 - x / 5040))));
}

/// One direction of motion under a held force.
struct Piece {
  const DrivePlant::Branch& g;
  double mass, force;

  double acceleration(double q, double v) const noexcept { return (force - g(q, v)) / mass; }

  DriveState closed(const DriveState& s, double t) const noexcept {
    const double a = acceleration(s.q, s.v), x = g.viscous / mass * t;
    return {s.q + t * (s.v + a * t * phi2(x)), s.v + a * t * phi1(x)};
  }
  double closed_stop(const DriveState& s) const noexcept {
    const double a = acceleration(s.q, s.v), lambda = g.viscous / mass, ratio = s.v / a;
    return std::abs(lambda * ratio) < 1e-12 ? -ratio : -std::log1p(lambda * ratio) / lambda;
  }

  /// Runge and Kutta's step of fourth order.
  DriveState step(const DriveState& s, double h) const noexcept {
    const double v1 = s.v, a1 = acceleration(s.q, v1);
    const double v2 = s.v + h / 2 * a1, a2 = acceleration(s.q + h / 2 * v1, v2);
    const double v3 = s.v + h / 2 * a2, a3 = acceleration(s.q + h / 2 * v2, v3);
    const double v4 = s.v + h * a3, a4 = acceleration(s.q + h * v3, v4);
    return {s.q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), s.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
  }
  /// Where the step from s comes to rest, within (0, h]; `end` is past it.
  double step_stop(const DriveState& s, const DriveState& end, double h) const noexcept {
    double t = h * s.v / (s.v - end.v);
    for (int i = 0; i < 8; ++i) {
      const DriveState at = step(s, t);
      const double change = at.v / acceleration(at.q, at.v);
      t = std::clamp(t - change, 0.0, h);
      if (std::abs(change) < 1e-15 * h) break;
    }
    return t;
  }
};

bool passed_rest(double direction, double v) noexcept { return direction * v < 0; }

}  // namespace

double DrivePlant::Branch::operator()(double q, double v) const noexcept {
  double sum = constant + v * (viscous + v * quadratic) +
               q * (position[0] + q * (position[1] + q * position[2]));
  for (int i = 0; i < count; ++i) {
    const Exponential& e = exponentials[static_cast<std::size_t>(i)];
    const double x = v / e.speed;
    sum += e.size * std::exp(e.squared ? -x * x : -std::abs(x));
  }
  return sum;
}

void DrivePlant::advance(DriveState& s, double force, double dt) const noexcept {
  double left = dt;
  for (int i = 0; i < most_pieces && left > 0; ++i) {
    if (s.v == 0 && sticks(s.q, force)) return;
    const double direction = s.v != 0 ? s.v : force - forwards(s.q, 0);
    const Piece piece{direction > 0 ? forwards : backwards, mass, force};
    const double cells = closed_ ? 1 : std::ceil(20 * rate_ * left);
    const double h = left / std::clamp(cells, 1.0, 1e4);
    DriveState end = closed_ ? piece.closed(s, h) : piece.step(s, h);
    double gone = h;
    if (passed_rest(direction, end.v)) {
      gone = s.v == 0 ? h : closed_ ? piece.closed_stop(s) : piece.step_stop(s, end, h);
      end = closed_ ? piece.closed(s, gone) : piece.step(s, gone);
      end.v = 0;
    }
    s = end;
    left = gone < left ? left - gone : 0;
    if (!closed_ && gone == h) --i;  // cells are no pieces
  }
}

// ---- names ----------------------------------------------------------------------------------

DriveModel::DriveModel(std::vector<std::string> terms) : terms_(std::move(terms)) {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const std::string& written = terms_[j];
    if (std::find(terms_.begin(), terms_.begin() + static_cast<long>(j), written) !=
        terms_.begin() + static_cast<long>(j)) {
      detail::refuse_term(written, "the term is given twice", "it once");
    }
    const detail::ParsedTerm parsed = detail::parse_drive_term(written);
    const std::string& name = parsed.name();
    Term term{.branch = parsed.branch};
    std::string unit = "N";
    if (name == "acceleration" && parsed.branch == 0) {
      mass_at_ = static_cast<int>(j);
      unit = "kg";
    } else if (name == "offset") {
      term.kind = Kind::constant;
    } else if (name == "coulomb") {
      term.kind = Kind::coulomb;
    } else if (name == "viscous") {
      term.kind = Kind::viscous;
      unit = "N s/m";
    } else if (name == "quadratic") {
      term.kind = Kind::quadratic;
      unit = "N s^2/m^2";
    } else if (name.starts_with("position")) {
      term.kind = Kind::position;
      term.power = name == "position" ? 1 : name.back() - '0';
      unit = term.power == 1 ? "N/m" : fmt::format("N/m^{}", term.power);
    } else if (parsed.entry->term.has_speed) {
      term.kind = Kind::exponential;
      term.power = name == "stribeck2" ? 2 : 1;
    } else {
      detail::refuse_term(written, "this term is no part of an equation of motion",
                          "terms of position and speed");
    }
    parsed_.push_back(term);
    names_.push_back(written);
    units_.push_back(unit);
  }
  if (mass_at_ < 0) {
    detail::refuse_term("acceleration", "a drive without this term has no mass", "it once");
  }
  constexpr auto most =
      static_cast<int>(std::tuple_size_v<decltype(DrivePlant::Branch::exponentials)>);
  int forwards = 0, backwards = 0;
  for (const std::string& written : terms_) {
    const detail::ParsedTerm parsed = detail::parse_drive_term(written);
    if (parsed.entry->term.has_speed) {
      forwards += parsed.branch >= 0;
      backwards += parsed.branch <= 0;
      if (std::max(forwards, backwards) > most) {
        detail::refuse_term(written, "too many terms with a speed",
                            fmt::format("at most {} in each direction", most));
      }
      add_speed(parsed.name(), parsed.speed);
    } else {
      speed_of_.push_back(-1);
    }
  }
}

void DriveModel::add_speed(const std::string& name, double speed) {
  const std::string label = fmt::format("speed of {}({:g})", name, speed);
  const auto known = std::find(names_.begin(), names_.end(), label);
  speed_of_.push_back(static_cast<int>(known - names_.begin()));
  if (known != names_.end()) return;
  names_.push_back(label);
  units_.emplace_back("m/s");
  speeds_.push_back(speed);
}

DrivePlant DriveModel::at(std::span<const double> p) const {
  DrivePlant plant;
  plant.mass = p[static_cast<std::size_t>(mass_at_)];
  for (const int direction : {1, -1}) {
    DrivePlant::Branch& g = direction > 0 ? plant.forwards : plant.backwards;
    double rate = 0;
    for (std::size_t j = 0; j < parsed_.size(); ++j) {
      const Term& term = parsed_[j];
      if (term.branch != 0 && term.branch != direction) continue;
      switch (term.kind) {
        case Kind::mass:
          break;
        case Kind::constant:
          g.constant += p[j];
          break;
        case Kind::coulomb:
          g.constant += direction * p[j];
          break;
        case Kind::viscous:
          g.viscous += p[j];
          break;
        case Kind::quadratic:
          g.quadratic += direction * p[j];
          break;
        case Kind::position:
          g.position[static_cast<std::size_t>(term.power - 1)] += p[j];
          break;
        case Kind::exponential: {
          const double speed = p[static_cast<std::size_t>(speed_of_[j])];
          g.exponentials[static_cast<std::size_t>(g.count++)] = {direction * p[j], speed,
                                                                 term.power == 2};
          rate += std::abs(p[j]) / speed;
          break;
        }
      }
    }
    const bool has_position = g.position != std::array<double, 3>{};
    if (has_position) rate += std::sqrt(std::abs(g.position[0]) * plant.mass);
    if (g.count > 0 || g.quadratic != 0 || has_position) plant.closed_ = false;
    plant.rate_ = std::max(plant.rate_, (rate + std::abs(g.viscous)) / plant.mass);
  }
  return plant;
}

}  // namespace bristle
