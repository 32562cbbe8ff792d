#include "bristle/identify/advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "bristle/friction/replay.hpp"

namespace bristle {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The speed at which the law turns from rest to slip, and the length over which it gives way.
struct Scales {
  double speed = 1e-3, length = 1e-5;
};
Scales scales_of(const AnyLaw& law, double load) {
  Scales scales;
  double stiffness = 0;
  bool found = false;
  for (const Parameter& p : law.info().parameters) {
    const double value = law.get(p.name);
    if (std::string_view(p.unit) == "m/s" && value > 0) {
      scales.speed = found ? std::max(scales.speed, value) : value;
      found = true;
    }
    if (std::string_view(p.unit) == "N/m" && value > 0) stiffness = std::max(stiffness, value);
    if (std::string_view(p.unit) == "1/m" && value > 0) {
      stiffness = std::max(stiffness, value * load);
    }
  }
  const double level = std::abs(law.steady(scales.speed, load));
  if (stiffness > 0 && level > 0) scales.length = level / stiffness;
  return scales;
}

/// v(t) at n samples, from a function of the share of the duration.
template <class F>
DesignedRecord record(double duration, double rate, std::string text, F&& v) {
  DesignedRecord r{.text = std::move(text), .t = {}, .v = {}, .relative = {}};
  const auto n = static_cast<std::size_t>(duration * rate) + 1;
  for (std::size_t k = 0; k < n; ++k) {
    r.t.push_back(static_cast<double>(k) / rate);
    r.v.push_back(v(static_cast<double>(k) / static_cast<double>(n - 1)));
  }
  return r;
}

/// 0 → 1 → −1 → 0.
double saw(double share) {
  const double phase = 4 * (share - std::floor(share));
  return phase < 1 ? phase : (phase < 3 ? 2 - phase : phase - 4);
}

std::vector<DesignedRecord> designs(const Scales& s) {
  std::vector<DesignedRecord> list;
  const double slow = 6 * s.speed, fast = 100 * s.speed;
  list.push_back(record(
      20, 500, fmt::format("slip swept to ±{:.3g} mm/s and back, five times in 20 s", 1e3 * slow),
      [&](double share) { return slow * saw(5 * share); }));
  list.push_back(record(
      20, 500, fmt::format("slip swept to ±{:.3g} mm/s and back, five times in 20 s", 1e3 * fast),
      [&](double share) { return fast * saw(5 * share); }));
  // Ten turns inside twice the break-away distance, fast enough that damping shows.
  const double reach = 2 * s.length, period = 0.05;
  const double top = reach * 2 * std::numbers::pi / period;
  list.push_back(
      record(10 * period, 20000,
             fmt::format("slip to and fro over ±{:.3g} µm at {:.0f} Hz, sampled at 20 kHz",
                         1e6 * reach, 1 / period),
             [&](double share) {
               const double grow = 0.2 + 0.8 * share;
               return top * grow * std::cos(2 * std::numbers::pi * 10 * share);
             }));
  list.push_back(record(
      30, 1000, fmt::format("rests of 0.1 to 5 s, each before a slide at {:.3g} mm/s", 1e3 * slow),
      [&](double share) {
        const double ends[] = {0.1, 0.2, 0.35, 0.55, 0.8, 1.0};
        const double starts[] = {0.02, 0.12, 0.24, 0.4, 0.62, 0.9};
        for (std::size_t i = 0; i < 6; ++i) {
          if (share >= starts[i] && share < ends[i] - 0.02) return i % 2 ? -slow : slow;
        }
        return 0.0;
      }));
  return list;
}

}  // namespace

std::vector<double> relative_errors(std::span<double> by, std::span<const double> values,
                                    double noise) {
  const std::size_t m = values.size(), n = by.size() / m;
  Eigen::Map<RowMatrix> j(by.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(m));
  for (std::size_t k = 0; k < m; ++k) j.col(static_cast<Eigen::Index>(k)) *= values[k];
  const Eigen::MatrixXd information = j.transpose() * j;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(information, Eigen::ComputeFullV);
  const Eigen::VectorXd s = svd.singularValues();
  std::vector<double> relative(m);
  for (std::size_t k = 0; k < m; ++k) {
    double variance = 0;
    for (Eigen::Index i = 0; i < s.size(); ++i) {
      const double v = svd.matrixV()(static_cast<Eigen::Index>(k), i);
      if (s[i] > 1e-20 * s[0]) {
        variance += v * v / s[i];
      } else if (std::abs(v) > 1e-6) {
        variance = std::numeric_limits<double>::infinity();
      }
    }
    relative[k] = noise * std::sqrt(variance);
  }
  return relative;
}

namespace {

void judge(const AnyLaw& law, const std::vector<std::string>& sought, double load, double noise,
           DesignedRecord& r) {
  const std::size_t n = r.t.size(), m = sought.size();
  const Replay replay(law, sought);
  const std::vector<double> fn(n, load);
  std::vector<double> values, force(n), by(n * m);
  for (const std::string& name : sought) values.push_back(law.get(name));
  r.relative.assign(m, std::numeric_limits<double>::infinity());
  if (!replay.run(values, {r.t, r.v, fn}, force, by)) return;
  r.relative = relative_errors(by, values, noise);
}

}  // namespace

std::vector<DesignedRecord> designed_records(const AnyLaw& law,
                                             const std::vector<std::string>& sought, double load,
                                             double noise, double fastest) {
  Scales scales = scales_of(law, load);
  scales.speed = std::min(scales.speed, fastest / 100);
  std::vector<DesignedRecord> list = designs(scales);
  for (DesignedRecord& r : list) judge(law, sought, load, noise, r);
  return list;
}

void advise(const LawMatch& problem, Confidence& confidence) {
  constexpr double wanted = 0.1, worth = 0.5;  // half width of the interval over the estimate
  std::vector<double> p;
  for (const Estimate& e : confidence.parameters) p.push_back(e.value);
  std::vector<ProposedRecord> records;
  for (std::size_t k = 0; k < p.size(); ++k) {
    Estimate& e = confidence.parameters[k];
    if (e.verdict == Verdict::determined) continue;
    if (records.empty()) records = problem.proposals(p, confidence.sigma);
    if (records.empty() || std::isnan(records.front().relative[k])) continue;
    const auto half = [&](const ProposedRecord& r) { return 1.96 * r.relative[k]; };
    auto chosen = std::find_if(records.begin(), records.end(),
                               [&](const ProposedRecord& r) { return half(r) < wanted; });
    if (chosen == records.end()) {
      chosen = std::min_element(
          records.begin(), records.end(),
          [&](const ProposedRecord& a, const ProposedRecord& b) { return half(a) < half(b); });
    }
    e.reason += half(*chosen) < worth
                    ? fmt::format(". A record that would help: {} (then ±{:.2g} %)", chosen->text,
                                  100 * half(*chosen))
                    : ". No record of this kind at this noise level would determine it";
  }
}

}  // namespace bristle
