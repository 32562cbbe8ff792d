#pragma once

/// A loop against the wall clock: steps are released at t0, t0 + 1/rate, …, by absolute times, so
/// that lateness does not add up, and each is timed.

#include <functional>
#include <string>
#include <vector>

#include "bristle/realtime/times.hpp"

namespace bristle {

struct LoopOptions {
  double rate = 1000;  ///< 0: one step after the other, none waits
  long steps = 1000;
  /// Allocations of this thread so far, where someone counts them: see
  /// apps/bristle/allocations.hpp.
  long (*allocations)() noexcept = nullptr;
  /// Done after every step that leaves half of its period, and timed apart. Must not throw.
  std::function<void()> beside{};
  /// Asked before every step; false ends the loop early. Must not allocate.
  std::function<bool()> go_on{};
};

struct LoopResult {
  std::vector<StepTiming> timings{};
  std::vector<double> beside{};  ///< CPU time of what was done beside, s
  long allocations = 0;  ///< in the whole loop, its own sleeping and timing too; −1: not counted
  bool interrupted = false;
};

/// Work that is the same every time, of about so long: a chain of additions that touches no memory.
/// What it takes longer than usual, the machine has taken: the clock of a thread's CPU time goes on
/// while a hypervisor or an interrupt holds its processor.
class FixedWork {
 public:
  explicit FixedWork(double seconds);
  void operator()() noexcept;

 private:
  long turns_ = 10000;
  volatile double sum_ = 0;
};

/// `step` must not throw.
LoopResult run_loop(const LoopOptions& options, const std::function<void()>& step);

/// What the system grants a loop. While it lives, memory is locked and the thread has a fixed
/// priority, as far as that is permitted, and runs on one processor if asked.
class RealTimeThread {
 public:
  struct Wish {
    int cpu = -1;      ///< −1: any
    int priority = 0;  ///< 1 to 99 of SCHED_FIFO; 0: as other programs
  };
  /// InputError for a processor that there is none of.
  explicit RealTimeThread(const Wish& wish);
  ~RealTimeThread();
  RealTimeThread(const RealTimeThread&) = delete;
  RealTimeThread& operator=(const RealTimeThread&) = delete;

  struct Granted {
    bool memory_locked = false, fixed_priority = false;
    int priority = 0, cpu = -1;
    std::string memory{}, scheduling{};  ///< in words, with the reason where it was refused
  };
  const Granted& granted() const noexcept { return granted_; }

 private:
  Granted granted_;
  std::vector<int> cpus_before_;
};

/// Processors that this thread may run on.
std::vector<int> usable_cpus();
/// InputError for one that it may not; −1 is any.
void check_cpu(int cpu);

}  // namespace bristle
