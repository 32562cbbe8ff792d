#pragma once

/// Independent work on several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bristle {
namespace parallel_detail {

/// What was thrown by work of the lowest number, for who waits for all of it.
class FirstFault {
 public:
  void note(std::size_t i) noexcept {
    const std::lock_guard lock(mutex_);
    if (i >= number_) return;
    number_ = i;
    fault_ = std::current_exception();
  }
  void rethrow() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  std::mutex mutex_;
  std::size_t number_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr fault_;
};

/// Joins whatever happens: a thread that is not joined would end the program.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (std::thread& thread : threads_) thread.join();
  }
  /// False where the machine gives no further thread; the others do its work.
  template <class F>
  bool add(const F& loop) {
    try {
      threads_.emplace_back(loop);
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace parallel_detail

/// Calls work(i) for every i < count, in any order; `threads` at a time, 0: as many as there are
/// processors. What it leaves behind may depend on i only, so that results do not depend on the
/// number of threads. What work throws comes out here once every thread has ended; what had not
/// begun by then is left undone.
template <class F>
void in_parallel(std::size_t count, int threads, F&& work) {
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : processors;
  std::atomic<std::size_t> next{0};
  parallel_detail::FirstFault fault;
  const auto loop = [&]() noexcept {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        fault.note(i);
        next = count;
      }
    }
  };
  {
    parallel_detail::Pool pool;
    for (std::size_t k = 1; k < std::min(wanted, count) && pool.add(loop); ++k) {
    }
    loop();
  }
  fault.rethrow();
}

}  // namespace bristle
