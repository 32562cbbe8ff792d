#pragma once

/// ∫ over (−1, 1) by two rules whose digits double with the number of nodes: tanh-sinh,
/// x = tanh(π/2 sinh u) (Takahasi and Mori 1974), which is blind to what happens at the ends, and
/// even spacing, for what is smooth and periodic. Nodes come as pairs ±x.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bristle::area_detail {

struct Node {
  double x = 0, weight = 0;  ///< the weight is for a step of 1
};

/// Each level adds nodes to those before it. Made once.
class TanhSinh {
 public:
  static constexpr int levels = 8;  ///< steps from 1/2 to 1/256

  static const TanhSinh& rule() noexcept {
    static const TanhSinh made;
    return made;
  }
  static constexpr double step(int level) noexcept { return 1.0 / (2 << level); }
  template <class F>
  void added(int level, F&& f) const noexcept {
    const auto l = static_cast<std::size_t>(level);
    if (level == 0) f(Node{0, std::numbers::pi / 4});  // half of it: ±0 is one node
    for (std::size_t n = begin_[l]; n < begin_[l + 1]; ++n) f(node_[n]);
  }

 private:
  static constexpr double end = 3.35;  ///< 1 − x < 1e-18
  TanhSinh() noexcept {
    std::size_t n = 0;
    for (int level = 0; level < levels; ++level) {
      begin_[static_cast<std::size_t>(level)] = n;
      const double h = step(level);
      for (int i = 1; i * h < end; i += level == 0 ? 1 : 2) {
        const double u = i * h, y = 2 / (1 + std::exp(std::numbers::pi * std::sinh(u)));
        node_[n++] = {1 - y, std::numbers::pi / 2 * std::cosh(u) * y * (2 - y)};
      }
    }
    begin_[levels] = n;
  }

  std::array<Node, 900> node_{};
  std::array<std::size_t, levels + 1> begin_{};
};

/// For functions of the period 2.
struct Even {
  static constexpr int levels = 9;  ///< steps from 1/4 to 1/1024
  static constexpr double step(int level) noexcept { return 1.0 / (4 << level); }
  template <class F>
  void added(int level, F&& f) const noexcept {
    if (level == 0) {
      f(Node{0, 0.5});
      f(Node{0.5, 1});
      f(Node{1, 0.5});
    }
    const double h = step(level);
    for (double x = h; x < 1; x += 2 * h) f(Node{x, 1});
  }
};

/// The error after two changes from level to level. Digits double with each level at best: a change
/// that is smaller yet is luck, and not all of what is left is believed.
inline double expected(double change, double last) noexcept {
  const double sober = std::max(change, last * last);
  return sober < 1e-4 ? sober * std::sqrt(sober) : std::max(change, sober);
}

template <std::size_t N>
struct Integral {
  std::array<double, N> value{};
  double error = 0;
};

/// ∫ over (−1, 1) of N functions at once: `f(x)` answers with their sums at x and −x. `scale` is
/// what an error is small against.
template <std::size_t N, class Rule, class F>
Integral<N> integrate(const Rule& rule, F&& f, double scale) noexcept {
  std::array<double, N> sum{}, before{};
  Integral<N> result;
  double last = 1;
  for (int level = 0; level < Rule::levels; ++level) {
    rule.added(level, [&](const Node& node) {
      const std::array<double, N> y = f(node.x);
      for (std::size_t i = 0; i < N; ++i) sum[i] += node.weight * y[i];
    });
    double change = 0;
    for (std::size_t i = 0; i < N; ++i) {
      result.value[i] = sum[i] * Rule::step(level);
      change = std::max(change, std::abs(result.value[i] - before[i]) / scale);
    }
    before = result.value;
    result.error = std::max(expected(change, last), 2e-15);
    if (level > 1 && result.error < 1e-14) break;
    last = std::max(change, 1e-16);
  }
  return result;
}

}  // namespace bristle::area_detail
