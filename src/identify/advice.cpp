#include "bristle/identify/advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/SVD>
#include <fmt/format.h>

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

/// Standard errors over the estimates (Cramér–Rao) from slopes by parameter, row-major, at a noise.
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

/// The first run of a motion as it could have been recorded.
struct MotionDesign {
  std::string text;
  double rate = 1, noise = 1, duration = 1;  ///< times what they were
};

/// What the recording would have told of each parameter.
std::vector<double> errors_of(const MotionMatch& problem, std::span<const double> p,
                              const MotionDesign& design, double noise) {
  MotionRun run = problem.runs().front();
  const std::vector<double> t = run.recording.t;
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1) / design.rate;
  const double end = t.front() + design.duration * (t.back() - t.front());
  run.recording.t.clear();
  for (std::size_t k = 0; t.front() + step * static_cast<double>(k) <= end; ++k) {
    run.recording.t.push_back(t.front() + step * static_cast<double>(k));
  }
  MotionMatchOptions options = problem.options();
  options.levels = false;
  options.share = 1;
  for (const Observed& o : options.observe) {
    run.recording.put(o.role, std::vector<double>(run.recording.size(), 0.0));
  }
  const MotionMatch blank({run}, options);
  const std::size_t width = options.observe.size();
  const std::vector<double> motion = blank.predict(p).front();
  for (std::size_t c = 0; c < width; ++c) {
    std::vector<double> column(run.recording.size());
    for (std::size_t k = 0; k < column.size(); ++k) column[k] = motion[k * width + c];
    run.recording.put(options.observe[c].role, std::move(column));
  }
  const MotionMatch exact({run}, options);
  const auto n = static_cast<std::size_t>(exact.residuals());
  std::vector<double> r(n), by(n * p.size());
  if (!exact.derivatives(p, r, by)) {
    return std::vector<double>(p.size(), std::numeric_limits<double>::infinity());
  }
  return relative_errors(by, p, noise * design.noise);
}

bool all_determined(const Confidence& confidence) {
  return std::all_of(confidence.parameters.begin(), confidence.parameters.end(),
                     [](const Estimate& e) { return e.verdict == Verdict::determined; });
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

void advise(const ForceMatch& problem, double load, Confidence& confidence) {
  std::vector<double> p;
  std::vector<std::string> sought;
  for (const Estimate& e : confidence.parameters) {
    p.push_back(e.value);
    if (e.name != "offset") sought.push_back(e.name);
  }
  if (all_determined(confidence)) return;
  const auto records = designed_records(problem.law(p), sought, load, confidence.sigma,
                                        30 * problem.largest_speed());
  for (std::size_t k = 0; k < sought.size(); ++k) {
    Estimate& e = confidence.parameters[k];
    if (e.verdict == Verdict::determined) continue;
    const auto best = std::min_element(records.begin(), records.end(),
                                       [&](const DesignedRecord& a, const DesignedRecord& b) {
                                         return a.relative[k] < b.relative[k];
                                       });
    const double half = 1.96 * best->relative[k];
    e.reason += half < 0.5 ? fmt::format(". A record that would help: {} (then ±{:.2g} %)",
                                         best->text, 100 * half)
                           : ". No slip record at this noise level would determine it";
  }
}

void advise(const MotionMatch& problem, Confidence& confidence) {
  if (all_determined(confidence)) return;
  std::vector<double> p;
  for (const Estimate& e : confidence.parameters) p.push_back(e.value);
  const std::vector<double>& t = problem.runs().front().recording.t;
  const double rate = static_cast<double>(t.size() - 1) / (t.back() - t.front());
  const MotionDesign designs[] = {
      {fmt::format("the same for {:.3g} s", 4 * (t.back() - t.front())), 1, 1, 4},
      {fmt::format("the same sampled at {:.3g} Hz", 10 * rate), 10, 1, 1},
      {"the same with a tenth of the noise", 1, 0.1, 1},
      {fmt::format("the same sampled at {:.3g} Hz with a tenth of the noise", 10 * rate), 10, 0.1,
       1}};
  std::vector<std::vector<double>> errors;
  for (const MotionDesign& design : designs) {
    errors.push_back(errors_of(problem, p, design, confidence.sigma));
  }
  for (std::size_t k = 0; k < p.size(); ++k) {
    Estimate& e = confidence.parameters[k];
    if (e.verdict == Verdict::determined) continue;
    // The first that does: they are in the order of what they ask for.
    std::size_t i = 0;
    while (i < errors.size() && !(1.96 * errors[i][k] < 0.1)) ++i;
    if (i == errors.size()) {
      const double half = 196 * errors.back()[k];
      e.reason += half < 100 ? fmt::format(". Even {} would leave ±{:.2g} %", designs[3].text, half)
                             : ". This motion does not tell it, however well it is recorded";
    } else {
      e.reason += fmt::format(". A record that would help: {} (then ±{:.2g} %)", designs[i].text,
                              196 * errors[i][k]);
    }
  }
}

}  // namespace bristle
