#pragma once

/// Independent work on several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace bristle {

/// Calls work(i) for every i < count, in any order; `threads` at a time, 0: as many as there are
/// processors. work must not throw. What it leaves behind may depend on i only, so that results do
/// not depend on the number of threads.
template <class F>
void in_parallel(std::size_t count, int threads, F&& work) {
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : processors;
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> pool;
  for (std::size_t k = 1; k < std::min(wanted, count); ++k) pool.emplace_back(loop);
  loop();
  for (std::thread& thread : pool) thread.join();
}

}  // namespace bristle
