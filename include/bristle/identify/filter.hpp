#pragma once

/// Filters for uniformly sampled signals that shift nothing in time.
///
/// Savitzky–Golay: through each `points` neighbours the polynomial of `degree` that fits them best;
/// its value, or derivative, in the middle. Exact for polynomials up to the degree. The ends take
/// the polynomial of the first and the last full window.
///
/// Recursive low-pass filters (Butterworth, Chebyshev) are made of sections of second order,
///
///   H(z) = Π (b0 + b1/z + b2/z²) / (1 + a1/z + a2/z²),
///
/// each with gain 1 at frequency 0. They run forwards and then backwards: the gain is |H|² (at a
/// Butterworth's cutoff ½, −6 dB), the phase 0. Before either run the signal is continued at both
/// ends by 3 (order + 1) samples, turned about its end value, and the filter starts in the steady
/// state of the first sample, as filtfilt of MATLAB and SciPy do.
///
/// All functions throw std::invalid_argument for settings that make no sense.

#include <span>
#include <string_view>
#include <vector>

namespace bristle {

struct SavitzkyGolay {
  int points = 21;     ///< odd, at least 3
  int degree = 3;      ///< less than points
  int derivative = 0;  ///< 0: smoothing
};

/// `step` is the time between samples. Needs at least `points` values.
std::vector<double> savitzky_golay(std::span<const double> values, const SavitzkyGolay& filter,
                                   double step);

struct LowPass {
  struct Section {
    double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
  };
  std::vector<Section> sections{};
  int order = 0;

  /// |H|, once through, at `frequency` in the unit of `rate`.
  double gain(double frequency, double rate) const;
};

/// −3 dB at `cutoff`, which is below half the rate.
LowPass butterworth(int order, double cutoff, double rate);
/// Falls through its DC gain for the last time at `cutoff` if the order is even; wavers by
/// `ripple` dB before. (Textbooks and SciPy give an even order a gain below 1 at frequency 0; here
/// it is 1, since twice that ripple would take 1 % off every force.)
LowPass chebyshev(int order, double ripple, double cutoff, double rate);

std::vector<double> forwards_and_backwards(const LowPass& filter, std::span<const double> values);

/// What keeps frequencies that a lower rate cannot show out of the decimated signal.
enum class AntiAlias {
  iir,  ///< chebyshev(8, 0.05 dB, 0.8 of the new half rate), forwards and backwards
  fir,  ///< sinc with a Hamming window, 20 factor + 1 points, −6 dB at the new half rate
  none
};
std::string_view describe(AntiAlias kind);

/// Every `factor`-th value, from the first one.
std::vector<double> decimated(std::span<const double> values, int factor, AntiAlias kind);

enum class Interpolation {
  linear,
  cubic  ///< a spline with a continuous second derivative ("not a knot" at the ends)
};

/// At the times `wanted`, increasing and within those of the samples.
std::vector<double> interpolated(std::span<const double> t, std::span<const double> values,
                                 std::span<const double> wanted, Interpolation kind);

}  // namespace bristle
