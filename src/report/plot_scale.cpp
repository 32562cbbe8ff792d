#include <algorithm>
#include <cmath>

#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

// Spans of values up to this still have room for padding before they overflow.
constexpr double largest_value = 1e300;
constexpr double smallest = 1e-290;

/// A step of `mantissa` × 10^`exponent`, kept as integers so that labels come out exact.
struct Step {
  int mantissa = 1;
  int exponent = 0;

  double times(double count) const {
    const double scaled = count * mantissa;
    return exponent >= 0 ? scaled * std::pow(10.0, exponent) : scaled / std::pow(10.0, -exponent);
  }
};

Step nice_step(double span, double target) {
  const double raw = span / std::max(target, 1.0);
  Step step;
  step.exponent = static_cast<int>(std::floor(std::log10(raw)));
  const double ratio = raw / std::pow(10.0, step.exponent);
  // The limits lie halfway between neighbours on a logarithmic scale.
  step.mantissa = ratio < 1.42 ? 1 : ratio < 3.17 ? 2 : ratio < 7.08 ? 5 : 10;
  if (step.mantissa == 10) step = {1, step.exponent + 1};
  return step;
}

int decade_of(double magnitude) {
  return static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
}

/// Labels outside 0.001 … 99999 are scaled, by a power that suits milli, micro and kilo.
int label_exponent(double magnitude) {
  if (!(magnitude > 0.0)) return 0;
  const int decade = decade_of(magnitude);
  if (decade >= -3 && decade < 5) return 0;
  return 3 * static_cast<int>(std::floor(decade / 3.0));
}

void add_linear_ticks(Axis& axis, double target) {
  const Range& range = axis.range;
  const Step step = nice_step(range.hi - range.lo, target);
  const double unit = step.times(1.0);
  const double first = std::ceil(range.lo / unit - 1e-6);
  const double last = std::floor(range.hi / unit + 1e-6);
  const double magnitude = std::max(std::abs(step.times(first)), std::abs(step.times(last)));
  const int scale = label_exponent(magnitude);
  const int decimals = std::max(0, scale - step.exponent);
  for (double i = first; i <= last; i += 1.0) {
    const double value = step.times(i);
    const Step label_step{step.mantissa, step.exponent - scale};
    axis.ticks.push_back({value, fixed(label_step.times(i), i == 0.0 ? 0 : decimals)});
  }
  if (scale != 0) axis.multiplier = "×10" + superscript(scale);
}

std::string log_label(int digit, int decade, bool plain, bool bare) {
  if (plain) return fixed(digit * std::pow(10.0, decade), std::max(0, -decade));
  const std::string power = "10" + superscript(decade);
  return bare ? power : fixed(digit, 0) + "×" + power;
}

struct LogPlan {
  int first = 0, last = 0;  ///< decades that touch the axis
  int stride = 1;
  bool within_decades = false;  ///< label 2 and 5 as well
};

LogPlan plan_log(const Range& range, double target) {
  const double lo = std::log10(range.lo), hi = std::log10(range.hi);
  LogPlan plan;
  plan.first = static_cast<int>(std::floor(lo + 1e-9));
  plan.last = static_cast<int>(std::floor(hi + 1e-9));
  plan.stride = std::max(1, static_cast<int>(std::ceil((hi - lo) / std::max(target, 1.0))));
  plan.within_decades = plan.stride == 1 && (hi - lo) * 3.0 <= target + 1.0;
  return plan;
}

bool inside(const Range& range, double value) {
  return value >= range.lo * (1.0 - 1e-9) && value <= range.hi * (1.0 + 1e-9);
}

void add_log_ticks(Axis& axis, double target) {
  const LogPlan plan = plan_log(axis.range, target);
  const bool plain = axis.range.lo >= 0.9e-3 && axis.range.hi <= 2e4;
  for (int decade = plan.first; decade <= plan.last; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, decade);
      if (!inside(axis.range, value)) continue;
      const bool on_stride = digit == 1 && (decade % plan.stride) == 0;
      const bool between = plan.within_decades && (digit == 2 || digit == 5);
      if (on_stride || between) {
        axis.ticks.push_back({value, log_label(digit, decade, plain, !plan.within_decades)});
      } else if (plan.stride == 1 || digit == 1) {
        axis.minor.push_back(value);
      }
    }
  }
}

Range open_around(double value) {
  const double half = std::abs(value) > smallest ? 0.1 * std::abs(value) : 1.0;
  return {value - half, value + half};
}

/// A recording that stops one sample short of a round number should still show that number.
double round_out(double end, double span, double direction) {
  const Step step = nice_step(span, 10.0);
  const double round = step.times(std::round(end / step.times(1.0)));
  const double missing = (round - end) * direction;
  return missing > 0.0 && missing < 0.005 * span ? round : end;
}

Range linear_range(const Range& data, double pad) {
  const double span = data.hi - data.lo;
  const double magnitude = std::max(std::abs(data.lo), std::abs(data.hi));
  // Below rounding noise there is nothing to resolve: show it as the constant it is.
  if (!(span > 1e-12 * magnitude) || span < smallest) return open_around(data.lo);
  if (pad > 0.0) return {data.lo - pad * span, data.hi + pad * span};
  return {round_out(data.lo, span, -1.0), round_out(data.hi, span, 1.0)};
}

Range log_range(const Range& data, double pad) {
  const double decades = std::log10(data.hi / data.lo);
  const double margin = decades > 1e-9 ? pad * decades : 0.5;
  return {data.lo * std::pow(10.0, -margin), data.hi * std::pow(10.0, margin)};
}

}  // namespace

double Axis::at(double value) const {
  if (!log) return (value - range.lo) / (range.hi - range.lo);
  return std::log10(value / range.lo) / std::log10(range.hi / range.lo);
}

bool drawable(double value, bool log) {
  if (!(std::abs(value) <= largest_value)) return false;
  // Narrower than the linear limits so that the ratio of any two stays finite.
  return !log || (value >= 1e-140 && value <= 1e140);
}

void Extent::add(double value) {
  lo_ = std::min(lo_, value);
  hi_ = std::max(hi_, value);
}

std::optional<Range> Extent::range() const {
  if (!(lo_ <= hi_)) return std::nullopt;
  return Range{lo_, hi_};
}

Range axis_range(const std::optional<Range>& data, bool log, double pad) {
  if (!data) return log ? Range{1.0, 10.0} : Range{0.0, 1.0};
  return log ? log_range(*data, pad) : linear_range(*data, pad);
}

Axis make_axis(const Range& range, bool log, double target) {
  Axis axis;
  axis.range = range;
  axis.log = log;
  // Less than two thirds of a decade holds too few round numbers of the logarithmic kind.
  if (log && std::log10(range.hi / range.lo) > 0.67) {
    add_log_ticks(axis, target);
  } else {
    add_linear_ticks(axis, target);
  }
  return axis;
}

}  // namespace bristle::plot_detail
