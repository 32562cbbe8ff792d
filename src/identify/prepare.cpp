#include "bristle/identify/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace bristle {
namespace {

std::string text(const TimeSpan& span) {
  return fmt::format("{:g} to {:g} s", span.start, span.end);
}

std::string with_unit(double value, const Dimension& dimension) {
  const std::string unit = si_unit(dimension);
  return unit == "1" ? fmt::format("{:g}", value) : fmt::format("{:g} {}", value, unit);
}

/// Samples of a span, as [first, last).
std::pair<std::size_t, std::size_t> samples_in(const Recording& recording, const TimeSpan& span) {
  const std::vector<double>& t = recording.t;
  const double slack = 1e-9 * std::max(std::abs(span.start), std::abs(span.end));  // 0.3 s is in
  const auto first = std::lower_bound(t.begin(), t.end(), span.start - slack);
  const auto last = std::upper_bound(first, t.end(), span.end + slack);
  if (first == last) {
    Fault fault = recording.fault(fmt::format("no sample from {}", text(span)));
    if (!t.empty()) fault.expected = fmt::format("a span within {}", text({t.front(), t.back()}));
    throw InputError(std::move(fault));
  }
  return {static_cast<std::size_t>(first - t.begin()), static_cast<std::size_t>(last - t.begin())};
}

struct Point {
  double t = 0, value = 0;
};

Point mean_of(const Recording& recording, std::string_view role, const TimeSpan& rest) {
  const std::vector<double>& values = recording.at(role);
  const auto [first, last] = samples_in(recording, rest);
  const auto n = static_cast<double>(last - first);
  Point sum;
  for (std::size_t i = first; i < last; ++i) {
    sum.t += recording.t[i] - recording.t[first];
    sum.value += values[i];
  }
  return {recording.t[first] + sum.t / n, sum.value / n};
}

/// Faults of settings that do not suit this recording.
template <class F>
auto for_recording(const Recording& recording, std::string_view role, F&& filter) {
  try {
    return filter();
  } catch (const std::invalid_argument& error) {
    throw InputError(recording.fault(error.what(), role));
  }
}

}  // namespace

double sampling_step(const Recording& recording) {
  const std::vector<double>& t = recording.t;
  if (t.size() < 2) throw InputError(recording.fault("too few samples for a sampling rate"));
  std::vector<double> steps;
  steps.reserve(t.size());
  for (std::size_t i = 1; i < t.size(); ++i) steps.push_back(t[i] - t[i - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  const double median = *middle;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double step = t[i] - t[i - 1];
    if (std::abs(step - median) <= uniform_tolerance * median) continue;
    Fault fault = recording.fault_at(
        i, fmt::format("a step of {:g} s to t = {:.9g} s, where the median is {:g} s", step, t[i],
                       median));
    fault.expected =
        fmt::format("uniform sampling (steps within {:g} % of the median), or 'resample' first",
                    100.0 * uniform_tolerance);
    throw InputError(std::move(fault));
  }
  return (t.back() - t.front()) / static_cast<double>(t.size() - 1);
}

void crop(Recording& recording, const TimeSpan& kept) {
  const auto [first, last] = samples_in(recording, kept);
  const auto cut = [from = static_cast<std::ptrdiff_t>(first),
                    to = static_cast<std::ptrdiff_t>(last)](auto& values) {
    values.erase(values.begin() + to, values.end());
    values.erase(values.begin(), values.begin() + from);
  };
  const std::size_t before = recording.size();
  cut(recording.t);
  if (recording.lines.size() == before) cut(recording.lines);
  for (std::vector<double>& column : recording.columns) cut(column);
  recording.steps.push_back(
      fmt::format("{} of {} samples, from {}", recording.size(), before, text(kept)));
}

void remove_drift(Recording& recording, std::string_view role, const TimeSpan& rest) {
  const double mean = mean_of(recording, role, rest).value;
  for (double& value : recording.at(role)) value -= mean;
  recording.steps.push_back(fmt::format("{}: the mean {} of the rest from {} taken out", role,
                                        with_unit(mean, recording.dimension(role)), text(rest)));
}

void remove_drift(Recording& recording, std::string_view role, const TimeSpan& rest,
                  const TimeSpan& last_rest) {
  const Point first = mean_of(recording, role, rest), last = mean_of(recording, role, last_rest);
  if (!(last.t > first.t)) {
    throw InputError(recording.fault(
        fmt::format("the last rest, {}, is not after the first, {}", text(last_rest), text(rest)),
        role));
  }
  const double slope = (last.value - first.value) / (last.t - first.t);
  std::vector<double>& values = recording.at(role);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] -= first.value + slope * (recording.t[i] - first.t);
  }
  const Dimension& dimension = recording.dimension(role);
  recording.steps.push_back(
      fmt::format("{}: a straight line from {} (rest from {}) to {} (rest from {}) taken out", role,
                  with_unit(first.value, dimension), text(rest), with_unit(last.value, dimension),
                  text(last_rest)));
}

void smooth(Recording& recording, std::string_view role, const SavitzkyGolay& filter) {
  const double step = sampling_step(recording);
  std::vector<double>& values = recording.at(role);
  values = for_recording(recording, role, [&] {
    return savitzky_golay(values, {filter.points, filter.degree, 0}, step);
  });
  recording.steps.push_back(fmt::format("{}: smoothed (Savitzky–Golay, {} points, degree {})", role,
                                        filter.points, filter.degree));
}

void differentiate(Recording& recording, std::string_view role, std::string_view to,
                   SavitzkyGolay filter) {
  filter.derivative = std::max(filter.derivative, 1);
  const double step = sampling_step(recording);
  std::vector<double> values = for_recording(
      recording, role, [&] { return savitzky_golay(recording.at(role), filter, step); });
  recording.put(to, std::move(values),
                recording.dimension(role) / raised(dim::time, filter.derivative));
  const std::string which =
      filter.derivative == 1 ? "derivative" : fmt::format("derivative {}", filter.derivative);
  recording.steps.push_back(fmt::format("{}: {} of {} (Savitzky–Golay, {} points, degree {})", to,
                                        which, role, filter.points, filter.degree));
}

void low_pass(Recording& recording, std::string_view role, double cutoff, int order) {
  const double rate = 1.0 / sampling_step(recording);
  std::vector<double>& values = recording.at(role);
  values = for_recording(recording, role, [&] {
    return forwards_and_backwards(butterworth(order, cutoff, rate), values);
  });
  recording.steps.push_back(fmt::format(
      "{}: Butterworth low-pass of order {}, {:g} Hz, forwards and backwards (−6 dB there)", role,
      order, cutoff));
}

void count_as_rest(Recording& recording, std::string_view role, double below) {
  std::size_t count = 0;
  for (double& value : recording.at(role)) {
    if (!(std::abs(value) < below)) continue;
    value = 0.0;
    ++count;
  }
  recording.steps.push_back(fmt::format("{}: below {:g} {} counts as rest ({} of {} samples)", role,
                                        below, si_unit(recording.dimension(role)), count,
                                        recording.size()));
}

void resample(Recording& recording, double rate, Interpolation kind) {
  const std::vector<double> t = recording.t;
  if (t.size() < 2 || !(rate > 0.0)) {
    throw InputError(
        recording.fault(fmt::format("cannot resample {} samples to {:g} Hz", t.size(), rate)));
  }
  const double length = (t.back() - t.front()) * rate;
  constexpr double most = 1e8;
  if (!(length < most)) {
    throw InputError(
        recording.fault(fmt::format("resampling to {:g} Hz gives {:g} samples", rate, length)));
  }
  constexpr double slack = 1e-6;  // a last sample that rounding puts behind the end still counts
  const auto count = static_cast<std::size_t>(std::floor(length + slack)) + 1;
  std::vector<double> times(count);
  std::vector<int> lines(count);
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    times[i] = std::min(t.front() + static_cast<double>(i) / rate, t.back());
    while (nearest + 1 < t.size() &&
           std::abs(t[nearest + 1] - times[i]) <= std::abs(t[nearest] - times[i])) {
      ++nearest;
    }
    lines[i] = recording.lines.empty() ? 0 : recording.lines[nearest];
  }
  for (std::vector<double>& column : recording.columns)
    column = interpolated(t, column, times, kind);
  const double before = static_cast<double>(t.size() - 1) / (t.back() - t.front());
  recording.t = std::move(times);
  recording.lines = std::move(lines);
  recording.steps.push_back(
      fmt::format("resampled to {:g} Hz from a mean of {:g} Hz ({} interpolation{})", rate, before,
                  kind == Interpolation::cubic ? "cubic" : "linear",
                  rate < (1.0 - uniform_tolerance) * before
                      ? "; what was above the new half rate is folded below it"
                      : ""));
}

void decimate(Recording& recording, int factor, AntiAlias kind) {
  if (kind != AntiAlias::none) sampling_step(recording);
  for (std::size_t i = 0; i < recording.columns.size(); ++i) {
    std::vector<double>& column = recording.columns[i];
    column = for_recording(recording, recording.roles[i],
                           [&] { return decimated(column, factor, kind); });
  }
  const auto step = static_cast<std::size_t>(std::max(factor, 1));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < recording.size(); i += step, ++kept) {
    recording.t[kept] = recording.t[i];
    if (i < recording.lines.size()) recording.lines[kept] = recording.lines[i];
  }
  recording.t.resize(kept);
  recording.lines.resize(std::min(kept, recording.lines.size()));
  recording.steps.push_back(fmt::format("one sample in {}, {}", factor, describe(kind)));
}

}  // namespace bristle
