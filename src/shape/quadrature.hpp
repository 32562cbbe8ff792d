#pragma once

// Integrals of several functions at once over one variable, to rounding, without allocation.
//
// The integrands are analytic but for square roots at known places, their branch points, where a
// plane begins or ceases to cut a slice. On an interval between two of them, A and B,
//
//   x = A + (B − A) sin²(ψ/2)
//
// makes √(x − A) and √(B − x) analytic in ψ, also where only part of the interval is wanted. Gauss'
// rules of 10 and 16 points are compared: where they agree to 1e-11 the latter is right to
// rounding, since its error is the 1.6th power of the former's; elsewhere the interval is halved.
// The number of halvings is bounded, and with it the time.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace bristle::detail {

/// Abscissae above 0 and weights of Gauss' rules on [−1, 1].
struct GaussNode {
  double x, weight;
};
inline constexpr std::array<GaussNode, 5> gauss_10{{{0.14887433898163121, 0.29552422471475287},
                                                    {0.43339539412924719, 0.26926671930999636},
                                                    {0.67940956829902441, 0.21908636251598204},
                                                    {0.86506336668898451, 0.14945134915058059},
                                                    {0.97390652851717172, 0.06667134430868814}}};
inline constexpr std::array<GaussNode, 8> gauss_16{{{0.09501250983763744, 0.18945061045506850},
                                                    {0.28160355077925891, 0.18260341504492359},
                                                    {0.45801677765722739, 0.16915651939500254},
                                                    {0.61787624440264375, 0.14959598881657673},
                                                    {0.75540440835500303, 0.12462897125553387},
                                                    {0.86563120238783174, 0.09515851168249278},
                                                    {0.94457502307323258, 0.06225352393864789},
                                                    {0.98940093499164993, 0.02715245941175409}}};

template <std::size_t N>
using Sums = std::array<double, N>;

/// ∫ f over [from, to], added to `total`. The first `checked` functions are not negative; it is
/// their accuracy that is watched.
template <std::size_t N, std::size_t checked>
class Integrator {
 public:
  Sums<N> total{};

  /// `branches` are the branch points of f, in any order, inside or outside of the interval; NaN
  /// stands for none. The longest panel between them comes first: it says what is small.
  template <class F>
  void add(const F& f, double from, double to, std::span<const double> branches) noexcept {
    if (!(to > from)) return;
    double longest = from;
    for (double left = from, length = 0; left < to; left = end_of_panel(left, to, branches)) {
      const double here = end_of_panel(left, to, branches) - left;
      if (here > length) {
        longest = left;
        length = here;
      }
    }
    add_panel(f, longest, end_of_panel(longest, to, branches), branches);
    for (double left = from; left < to; left = end_of_panel(left, to, branches)) {
      if (left != longest) add_panel(f, left, end_of_panel(left, to, branches), branches);
    }
  }

  /// Of a function that is smooth over a length like that of the interval: one rule of 16 points.
  template <class F>
  void add_smooth(const F& f, double from, double to) noexcept {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (const GaussNode& node : gauss_16) {
      for (const double x : {middle - half * node.x, middle + half * node.x}) {
        const Sums<N> value = f(x);
        for (std::size_t i = 0; i < N; ++i) total[i] += node.weight * half * value[i];
      }
    }
  }

 private:
  static double end_of_panel(double left, double to, std::span<const double> branches) noexcept {
    for (const double b : branches) {
      if (b > left && b < to) to = b;
    }
    return to;
  }

  /// x = start + width sin²(ψ/2)
  struct Map {
    double start, width;
    double psi(double x) const noexcept {
      return 2 * std::asin(std::sqrt(std::clamp((x - start) / width, 0.0, 1.0)));
    }
  };

  template <class F>
  void add_panel(const F& f, double left, double right, std::span<const double> branches) noexcept {
    // A branch point several lengths away does no harm, and a map that reaches so far loses digits.
    constexpr double far = 4;
    const double length = right - left;
    double start = left - far * length, end = right + far * length;
    for (const double b : branches) {
      if (b <= left) start = std::fmax(start, b);
      if (b >= right) end = std::fmin(end, b);
    }
    const Map map{start, end - start};
    refine(f, map, map.psi(left), map.psi(right));
  }

  template <class F>
  void refine(const F& f, const Map& map, double from, double to) noexcept {
    const Sums<N> fine = rule(f, map, from, to, std::span(gauss_16));
    const Sums<N> coarse = rule(f, map, from, to, std::span(gauss_10));
    bool good = true;
    for (std::size_t i = 0; i < checked; ++i) {
      good = good && std::abs(fine[i] - coarse[i]) <= 1e-11 * (total[i] + fine[i]);
    }
    if (good || halvings_ == 0) {
      for (std::size_t i = 0; i < N; ++i) total[i] += fine[i];
      return;
    }
    const double middle = 0.5 * (from + to);
    --halvings_;
    refine(f, map, from, middle);
    refine(f, map, middle, to);
  }

  template <class F>
  static Sums<N> rule(const F& f, const Map& map, double from, double to,
                      std::span<const GaussNode> nodes) noexcept {
    Sums<N> sum{};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (const GaussNode& node : nodes) {
      for (const double side : {-1.0, 1.0}) {
        const double sine = std::sin(0.5 * (middle + side * half * node.x));
        const double rise = map.width * sine * std::sqrt(1 - sine * sine);  // dx/dψ
        const Sums<N> value = f(map.start + map.width * sine * sine);
        for (std::size_t i = 0; i < N; ++i) sum[i] += node.weight * half * rise * value[i];
      }
    }
    return sum;
  }

  int halvings_ = 200;
};

}  // namespace bristle::detail
