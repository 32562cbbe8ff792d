#include "bristle/identify/filter.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include <Eigen/QR>
#include <fmt/format.h>

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;
using Complex = std::complex<double>;

// ---- Savitzky–Golay -------------------------------------------------------------------------

void require_window(const SavitzkyGolay& filter, std::size_t size) {
  if (filter.points < 3 || filter.points % 2 == 0) {
    throw std::invalid_argument(fmt::format(
        "Savitzky–Golay with {} points; it takes an odd number, 3 or more", filter.points));
  }
  if (filter.degree < 0 || filter.degree >= filter.points) {
    throw std::invalid_argument(
        fmt::format("Savitzky–Golay of degree {} over {} points; it takes at most {}",
                    filter.degree, filter.points, filter.points - 1));
  }
  if (filter.derivative < 0 || filter.derivative > filter.degree) {
    throw std::invalid_argument(fmt::format("derivative {} of a polynomial of degree {}",
                                            filter.derivative, filter.degree));
  }
  if (size < static_cast<std::size_t>(filter.points)) {
    throw std::invalid_argument(
        fmt::format("Savitzky–Golay over {} points of {} values", filter.points, size));
  }
}

// Row i: what the values of a window count for in the derivative at its i-th point. Places are
// scaled to −1 … 1.
Eigen::MatrixXd window_weights(const SavitzkyGolay& filter, double step) {
  const Eigen::Index points = filter.points;
  const Eigen::Index terms = filter.degree + 1;
  const double half = 0.5 * static_cast<double>(points - 1);
  Eigen::MatrixXd powers(points, terms), derivatives = Eigen::MatrixXd::Zero(points, terms);
  for (Eigen::Index i = 0; i < points; ++i) {
    const double x = (static_cast<double>(i) - half) / half;
    for (Eigen::Index j = 0; j < terms; ++j) {
      powers(i, j) = std::pow(x, static_cast<double>(j));
      if (j < filter.derivative) continue;
      double factor = 1.0;
      for (int d = 0; d < filter.derivative; ++d) factor *= static_cast<double>(j - d);
      derivatives(i, j) = factor * std::pow(x, static_cast<double>(j - filter.derivative));
    }
  }
  const Eigen::MatrixXd fit =
      powers.householderQr().solve(Eigen::MatrixXd::Identity(points, points));
  return derivatives * fit / std::pow(half * step, filter.derivative);
}

// ---- recursive filters ----------------------------------------------------------------------

void require_cutoff(int order, double cutoff, double rate) {
  constexpr int max_order = 32;
  if (order < 1 || order > max_order) {
    throw std::invalid_argument(
        fmt::format("a low-pass filter of order {}; it takes 1 to {}", order, max_order));
  }
  const bool possible = cutoff > 0.0 && cutoff < 0.5 * rate && std::isfinite(rate);
  if (!possible) {
    throw std::invalid_argument(
        fmt::format("a cutoff of {:g} Hz at a sampling rate of {:g} Hz; it must lie "
                    "between 0 and {:g} Hz",
                    cutoff, rate, 0.5 * rate));
  }
}

// `sinh`, `cosh`: half axes of the ellipse the poles lie on, for a cutoff of 1 rad/s. The bilinear
// transform keeps the gain at the cutoff, since tan(π cutoff/rate) takes its place.
LowPass with_poles(int order, double cutoff, double rate, double across, double along) {
  require_cutoff(order, cutoff, rate);
  const double warped = std::tan(pi * cutoff / rate);
  LowPass filter{.order = order};
  for (int k = 0; k < order / 2; ++k) {
    const double angle = pi * (2 * k + 1) / (2 * order);
    const Complex s = warped * Complex(-across * std::sin(angle), along * std::cos(angle));
    const Complex z = (1.0 + s) / (1.0 - s);
    const double a1 = -2.0 * z.real(), a2 = std::norm(z);
    // 1 + a1 + a2 = |1 − z|², without the cancellation of low cutoffs
    const double b = 0.25 * std::norm(2.0 * s / (1.0 - s));
    filter.sections.push_back({.b0 = b, .b1 = 2.0 * b, .b2 = b, .a1 = a1, .a2 = a2});
  }
  if (order % 2 == 1) {
    const double s = -warped * across;
    const double b = -s / (1.0 - s);
    filter.sections.push_back({.b0 = b, .b1 = b, .b2 = 0, .a1 = -(1.0 + s) / (1.0 - s), .a2 = 0});
  }
  return filter;
}

// Starts in the steady state of the first value.
void run(const LowPass::Section& h, std::vector<double>& values) {
  double second = (h.b2 - h.a2) * values.front();
  double first = (h.b1 - h.a1) * values.front() + second;
  for (double& value : values) {
    const double x = value;
    value = h.b0 * x + first;
    first = h.b1 * x - h.a1 * value + second;
    second = h.b2 * x - h.a2 * value;
  }
}

// `count` values more at either end, turned about the end values.
std::vector<double> continued(std::span<const double> values, std::size_t count) {
  std::vector<double> result;
  result.reserve(values.size() + 2 * count);
  for (std::size_t i = count; i > 0; --i) result.push_back(2.0 * values.front() - values[i]);
  result.insert(result.end(), values.begin(), values.end());
  for (std::size_t i = 1; i <= count; ++i) {
    result.push_back(2.0 * values.back() - values[values.size() - 1 - i]);
  }
  return result;
}

// ---- decimation -----------------------------------------------------------------------------

std::vector<double> hamming_sinc(int factor) {
  const int half = 10 * factor;
  std::vector<double> taps;
  taps.reserve(2 * static_cast<std::size_t>(half) + 1);
  double sum = 0.0;
  for (int i = -half; i <= half; ++i) {
    const double x = pi * i / factor;
    const double window = 0.54 + 0.46 * std::cos(pi * i / half);
    taps.push_back(window * (i == 0 ? 1.0 : std::sin(x) / x));
    sum += taps.back();
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

// Only the values that are kept are computed.
std::vector<double> decimated_by_sinc(std::span<const double> values, std::size_t factor) {
  const std::vector<double> taps = hamming_sinc(static_cast<int>(factor));
  const std::size_t half = taps.size() / 2;
  if (values.size() <= half) {
    throw std::invalid_argument(
        fmt::format("decimation by {} with a FIR filter of {} points needs more than {} values",
                    factor, taps.size(), half));
  }
  const std::vector<double> longer = continued(values, half);
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += factor) {
    double sum = 0.0;
    for (std::size_t j = 0; j < taps.size(); ++j) sum += taps[j] * longer[i + j];
    result.push_back(sum);
  }
  return result;
}

std::vector<double> every(std::span<const double> values, std::size_t factor) {
  std::vector<double> result;
  result.reserve(values.size() / factor + 1);
  for (std::size_t i = 0; i < values.size(); i += factor) result.push_back(values[i]);
  return result;
}

// ---- interpolation --------------------------------------------------------------------------

// Slopes at the knots of the cubic spline whose third derivative is continuous next to the ends.
std::vector<double> spline_slopes(std::span<const double> t, std::span<const double> y) {
  const std::size_t n = t.size();
  std::vector<double> h(n - 1), chord(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = t[i + 1] - t[i];
    chord[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n == 2) return {chord[0], chord[0]};
  if (n == 3) {  // the parabola
    const double bend = (chord[1] - chord[0]) / (t[2] - t[0]);
    return {chord[0] - bend * h[0], chord[0] + bend * h[0], chord[1] + bend * h[1]};
  }
  std::vector<double> below(n, 0.0), middle(n, 0.0), above(n, 0.0), slope(n, 0.0);
  middle[0] = h[1];
  above[0] = t[2] - t[0];
  slope[0] = ((h[0] + 2.0 * above[0]) * h[1] * chord[0] + h[0] * h[0] * chord[1]) / above[0];
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h[i];
    middle[i] = 2.0 * (h[i - 1] + h[i]);
    above[i] = h[i - 1];
    slope[i] = 3.0 * (h[i] * chord[i - 1] + h[i - 1] * chord[i]);
  }
  below[n - 1] = t[n - 1] - t[n - 3];
  middle[n - 1] = h[n - 3];
  slope[n - 1] = (h[n - 2] * h[n - 2] * chord[n - 3] +
                  (2.0 * below[n - 1] + h[n - 2]) * h[n - 3] * chord[n - 2]) /
                 below[n - 1];
  for (std::size_t i = 1; i < n; ++i) {  // pivots stay positive
    const double factor = below[i] / middle[i - 1];
    middle[i] -= factor * above[i - 1];
    slope[i] -= factor * slope[i - 1];
  }
  slope[n - 1] /= middle[n - 1];
  for (std::size_t i = n - 1; i > 0; --i) {
    slope[i - 1] = (slope[i - 1] - above[i - 1] * slope[i]) / middle[i - 1];
  }
  return slope;
}

}  // namespace

std::vector<double> savitzky_golay(std::span<const double> values, const SavitzkyGolay& filter,
                                   double step) {
  require_window(filter, values.size());
  const Eigen::MatrixXd weights = window_weights(filter, step);
  const std::size_t points = static_cast<std::size_t>(filter.points), half = points / 2;
  const std::size_t last = values.size() - points;  // where the last window starts
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t start = std::min(i < half ? 0 : i - half, last);
    const auto row = static_cast<Eigen::Index>(i - start);
    // Weights of a derivative add up to 0, but for rounding: differences of what does not change
    // are 0 exactly, so that a rest is one to a law that asks for the sign of its slip.
    const double level = filter.derivative > 0 ? values[i] : 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < points; ++j) {
      sum += weights(row, static_cast<Eigen::Index>(j)) * (values[start + j] - level);
    }
    result[i] = sum;
  }
  return result;
}

double LowPass::gain(double frequency, double rate) const {
  const Complex delay = std::polar(1.0, -2.0 * pi * frequency / rate);  // 1/z
  double gain = 1.0;
  for (const Section& h : sections) {
    gain *=
        std::abs((h.b0 + delay * (h.b1 + delay * h.b2)) / (1.0 + delay * (h.a1 + delay * h.a2)));
  }
  return gain;
}

LowPass butterworth(int order, double cutoff, double rate) {
  return with_poles(order, cutoff, rate, 1.0, 1.0);
}

LowPass chebyshev(int order, double ripple, double cutoff, double rate) {
  const bool possible = ripple > 0.0 && ripple < 100.0;
  if (!possible) {
    throw std::invalid_argument(fmt::format("a ripple of {:g} dB; it must be positive", ripple));
  }
  const double height = std::sqrt(std::expm1(0.1 * ripple * std::numbers::ln10));
  const double flatness = std::asinh(1.0 / height) / std::max(order, 1);
  return with_poles(order, cutoff, rate, std::sinh(flatness), std::cosh(flatness));
}

std::vector<double> forwards_and_backwards(const LowPass& filter, std::span<const double> values) {
  if (values.empty()) return {};
  const std::size_t margin =
      std::min(3 * (static_cast<std::size_t>(filter.order) + 1), values.size() - 1);
  std::vector<double> result = continued(values, margin);
  for (int pass = 0; pass < 2; ++pass) {
    for (const LowPass::Section& section : filter.sections) run(section, result);
    std::reverse(result.begin(), result.end());
  }
  const auto first = result.begin() + static_cast<std::ptrdiff_t>(margin);
  return {first, first + static_cast<std::ptrdiff_t>(values.size())};
}

std::string_view describe(AntiAlias kind) {
  switch (kind) {
    case AntiAlias::iir:
      return "after a Chebyshev low-pass (order 8, 0.05 dB, 0.8 of the new half rate), forwards "
             "and "
             "backwards";
    case AntiAlias::fir:
      return "after a windowed sinc (Hamming, −6 dB at the new half rate)";
    case AntiAlias::none:
      break;
  }
  return "without a filter against aliasing";
}

std::vector<double> decimated(std::span<const double> values, int factor, AntiAlias kind) {
  if (factor < 1) throw std::invalid_argument(fmt::format("decimation by {}", factor));
  const auto step = static_cast<std::size_t>(factor);
  if (factor == 1 || kind == AntiAlias::none) return every(values, step);
  if (kind == AntiAlias::fir) return decimated_by_sinc(values, step);
  constexpr int order = 8;
  constexpr double ripple = 0.05, share = 0.8;
  const LowPass filter = chebyshev(order, ripple, 0.5 * share / factor, 1.0);
  return every(forwards_and_backwards(filter, values), step);
}

std::vector<double> interpolated(std::span<const double> t, std::span<const double> values,
                                 std::span<const double> wanted, Interpolation kind) {
  if (t.size() != values.size() || t.size() < 2) {
    throw std::invalid_argument(
        fmt::format("interpolation between {} times and {} values", t.size(), values.size()));
  }
  const std::vector<double> slopes =
      kind == Interpolation::cubic ? spline_slopes(t, values) : std::vector<double>();
  std::vector<double> result;
  result.reserve(wanted.size());
  std::size_t i = 0;
  for (const double time : wanted) {
    while (i + 2 < t.size() && time > t[i + 1]) ++i;
    const double h = t[i + 1] - t[i], x = (time - t[i]) / h, y = 1.0 - x;
    const double chord = values[i + 1] - values[i];
    double value = values[i] + x * chord;  // between equal values exactly the same
    if (kind == Interpolation::cubic) {
      value += x * y * (y * (slopes[i] * h - chord) - x * (slopes[i + 1] * h - chord));
    }
    result.push_back(value);
  }
  return result;
}

}  // namespace bristle
