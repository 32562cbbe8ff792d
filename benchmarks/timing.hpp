#pragma once

// Times per item, and the time of one std::exp that they are compared with.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace bristle {

inline constexpr int contacts = 1000;

inline std::vector<double> exponents() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(-20, 0);
  std::vector<double> x(contacts);
  for (double& value : x) value = pick(random);
  return x;
}

inline void exp_of_thousand(const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::exp(x[i]);
}

/// Nanoseconds per item of f, the best of several runs: the machine's noise only adds.
template <class F>
double best_time(F&& f) {
  double best = 1e300;
  for (int run = 0; run < 25; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 40; ++i) {
      f();
      benchmark::ClobberMemory();
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 40 / contacts);
  }
  return best;
}

inline double exp_time() {
  const std::vector<double> x = exponents();
  std::vector<double> y(x.size());
  return best_time([&] { exp_of_thousand(x, y); });
}

}  // namespace bristle
