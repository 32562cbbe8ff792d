#include "bristle/identify/drive.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "bristle/identify/prepare.hpp"
#include "drive_terms.hpp"

namespace bristle {
namespace {

using detail::DriveMotion, detail::ParsedTerm;

// ---- the problem ----------------------------------------------------------------------------

std::vector<double> central_differences(std::span<const double> values, double step) {
  return savitzky_golay(values, {.points = 3, .degree = 2, .derivative = 1}, step);
}

class Builder {
 public:
  Builder(const Recording& recording, const DriveOptions& options)
      : recording_(recording),
        options_(options),
        step_(sampling_step(recording)),
        has_position_(recording.has("position")) {
    const std::vector<double> measured =
        filtered(recording.at(has_position_ ? "position" : "slip"));
    const std::vector<double> v = has_position_ ? central_differences(measured, step_) : measured;
    const std::vector<double> a = central_differences(v, step_);
    const std::vector<double> jerk = central_differences(a, step_);
    motion_.resize(measured.size());
    for (std::size_t i = 0; i < motion_.size(); ++i) {
      motion_[i] = {has_position_ ? measured[i] : 0.0, v[i], a[i], jerk[i]};
    }
  }

  Eigen::VectorXd force() const { return reduced(recording_.at("force")); }

  Eigen::VectorXd column(const std::string& name) const {
    const ParsedTerm term = detail::parse_drive_term(name);
    if (term.entry->needs_position && !has_position_) recording_.at("position");  // throws
    std::vector<double> values;
    values.reserve(motion_.size());
    for (const DriveMotion& m : motion_) values.push_back(term(m));
    return reduced(values);
  }

 private:
  std::vector<double> filtered(const std::vector<double>& values) const {
    if (!(options_.cutoff > 0.0)) return values;
    return forwards_and_backwards(butterworth(options_.order, options_.cutoff, 1.0 / step_),
                                  values);
  }

  Eigen::VectorXd reduced(std::span<const double> values) const {
    const std::vector<double> few = decimated(values, options_.factor, options_.anti_alias);
    const auto size = static_cast<Eigen::Index>(few.size()), trim = Eigen::Index{options_.trim};
    if (trim < 0 || size <= 2 * trim) {
      throw std::invalid_argument(fmt::format(
          "{} samples after decimation, of which {} are cut off at either end", size, trim));
    }
    return Eigen::Map<const Eigen::VectorXd>(few.data() + trim, size - 2 * trim);
  }

  const Recording& recording_;
  const DriveOptions& options_;
  double step_;
  bool has_position_;
  std::vector<DriveMotion> motion_;
};

DriveChoice judged(const LinearProblem& problem, TermGroup added) {
  const Eigen::Index half = problem.samples() / 2;
  const LinearProblem first = problem.rows(0, half),
                      second = problem.rows(half, problem.samples() - half);
  const HoldOut inner = hold_out(first);
  const LinearFit fit = fit_linear(first);
  return {.added = std::move(added),
          .terms = problem.names,
          .inner_error = 0.5 * (inner.second_from_first + inner.first_from_second),
          .fit_error = fit.relative_error,
          .test_error = relative_error(second, fit.estimate)};
}

std::vector<std::string> joined(std::vector<std::string> terms, const TermGroup& more) {
  for (const std::string& term : more) {
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(term);
  }
  return terms;
}

/// All terms that may come in, so that each is filtered once.
LinearProblem whole_problem(const Recording& recording, std::vector<std::string> terms,
                            const std::vector<TermGroup>& groups, const DriveOptions& options) {
  for (const TermGroup& group : groups) terms = joined(std::move(terms), group);
  return drive_problem(recording, terms, options);
}

LinearProblem selected(const LinearProblem& whole, const std::vector<std::string>& terms) {
  LinearProblem problem{.names = terms, .measured = whole.measured};
  problem.regressors.resize(whole.samples(), static_cast<Eigen::Index>(terms.size()));
  Eigen::Index j = 0;
  for (const std::string& term : terms) {
    const auto found = std::find(whole.names.begin(), whole.names.end(), term);
    problem.regressors.col(j++) = whole.regressors.col(found - whole.names.begin());
  }
  return problem;
}

std::vector<DriveChoice> ranked(const LinearProblem& whole, const std::vector<std::string>& start,
                                const std::vector<TermGroup>& groups) {
  std::vector<DriveChoice> choices;
  choices.reserve(groups.size());
  for (const TermGroup& group : groups) {
    choices.push_back(judged(selected(whole, joined(start, group)), group));
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const auto& a, const auto& b) { return a.inner_error < b.inner_error; });
  return choices;
}

}  // namespace

const std::vector<DriveTerm>& drive_terms() {
  static const std::vector<DriveTerm> terms = [] {
    std::vector<DriveTerm> all;
    for (const detail::DriveEntry& entry : detail::drive_entries()) all.push_back(entry.term);
    return all;
  }();
  return terms;
}

std::vector<std::string> symmetric_drive() {
  return {"acceleration", "viscous", "coulomb", "offset"};
}

std::vector<std::string> asymmetric_drive() {
  return {"acceleration", "viscous+", "coulomb+", "viscous-", "coulomb-"};
}

LinearProblem drive_problem(const Recording& recording, std::span<const std::string> terms,
                            const DriveOptions& options) {
  LinearProblem problem;
  try {
    const Builder builder(recording, options);
    problem.measured = builder.force();
    problem.regressors.resize(problem.samples(), static_cast<Eigen::Index>(terms.size()));
    for (const std::string& name : terms) {
      const auto& names = problem.names;
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        detail::refuse_term(name, "the term is given twice", "it once");
      }
      problem.regressors.col(static_cast<Eigen::Index>(names.size())) = builder.column(name);
      problem.names.push_back(name);
    }
  } catch (const std::invalid_argument& error) {
    throw InputError(recording.fault(error.what()));
  }
  return problem;
}

std::vector<DriveChoice> rank_drives(const Recording& recording,
                                     const std::vector<std::string>& start,
                                     const std::vector<TermGroup>& groups,
                                     const DriveOptions& options) {
  return ranked(whole_problem(recording, start, groups, options), start, groups);
}

std::vector<DriveChoice> grow_drive(const Recording& recording,
                                    const std::vector<std::string>& start,
                                    const std::vector<TermGroup>& groups,
                                    const DriveOptions& options) {
  constexpr double worthwhile = 0.99;
  const LinearProblem whole = whole_problem(recording, start, groups, options);
  std::vector<DriveChoice> rounds = {judged(selected(whole, start), {})};
  std::vector<TermGroup> left = groups;
  while (!left.empty()) {
    const DriveChoice best = ranked(whole, rounds.back().terms, left).front();
    if (!(best.inner_error < worthwhile * rounds.back().inner_error)) break;
    left.erase(std::find(left.begin(), left.end(), best.added));
    rounds.push_back(best);
  }
  return rounds;
}

}  // namespace bristle
