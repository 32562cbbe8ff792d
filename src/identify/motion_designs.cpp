// Motions recorded better: what more of the same would tell.

#include <limits>

#include <fmt/format.h>

#include "bristle/identify/advice.hpp"
#include "bristle/identify/motion_match.hpp"

namespace bristle {
namespace {

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

}  // namespace

std::vector<ProposedRecord> MotionMatch::proposals(std::span<const double> p, double noise) const {
  const std::vector<double>& t = runs_.front().recording.t;
  const double duration = t.back() - t.front();
  const double rate = 10 * static_cast<double>(t.size() - 1) / duration;
  const MotionDesign designs[] = {
      {fmt::format("the same for {:.3g} s", 4 * duration), 1, 1, 4},
      {fmt::format("the same sampled at {:.3g} Hz", rate), 10, 1, 1},
      {"the same with a tenth of the noise", 1, 0.1, 1},
      {fmt::format("the same sampled at {:.3g} Hz with a tenth of the noise", rate), 10, 0.1, 1}};
  std::vector<ProposedRecord> list;
  for (const MotionDesign& design : designs) {
    list.push_back({design.text, errors_of(*this, p, design, noise)});
  }
  return list;
}

}  // namespace bristle
