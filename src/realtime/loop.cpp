#include "bristle/realtime/loop.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

double now(clockid_t clock) noexcept {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds from one time to another, exactly.
double between(const timespec& from, const timespec& to) noexcept {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}

timespec after(timespec start, double seconds) noexcept {
  constexpr long second = 1000000000;
  const double whole = std::floor(seconds);
  start.tv_sec += static_cast<std::time_t>(whole);
  start.tv_nsec += std::lround((seconds - whole) * 1e9);
  if (start.tv_nsec >= second) {
    start.tv_nsec -= second;
    ++start.tv_sec;
  }
  return start;
}

/// Touches the stack that steps will use, so that no page of it is missing later.
void touch_stack() noexcept {
  std::array<volatile char, 256 * 1024> room;
  for (std::size_t i = 0; i < room.size(); i += 1024) room[i] = 0;
}

}  // namespace

FixedWork::FixedWork(double seconds) {
  // The best of a few tries: the first ones meet a slow processor, any one an interruption.
  double best = 1;
  for (int i = 0; i < 20; ++i) {
    const double before = now(CLOCK_THREAD_CPUTIME_ID);
    (*this)();
    best = std::min(best, now(CLOCK_THREAD_CPUTIME_ID) - before);
  }
  turns_ = std::max(1L, std::lround(seconds / best * static_cast<double>(turns_)));
}

void FixedWork::operator()() noexcept {
  for (long i = 0; i < turns_; ++i) sum_ = sum_ + 1;
}

LoopResult run_loop(const LoopOptions& options, const std::function<void()>& step) {
  LoopResult result;
  // Written now, so that its pages are there.
  result.timings.resize(static_cast<std::size_t>(options.steps));
  result.beside.resize(options.beside ? result.timings.size() : 0);
  std::size_t beside = 0;
  touch_stack();
  const bool counts = options.allocations != nullptr;
  const long before = counts ? options.allocations() : 0;
  const bool waits = options.rate > 0;
  const double period = waits ? 1 / options.rate : 0;
  timespec start{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  start = after(start, 2 * period);
  std::size_t done = 0;
  for (StepTiming& timing : result.timings) {
    if (options.go_on && !options.go_on()) {
      result.interrupted = true;
      break;
    }
    const timespec release = after(start, static_cast<double>(done) * period);
    while (waits && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &release, nullptr) == EINTR) {
      if (options.go_on && !options.go_on()) break;
    }
    timespec woke{}, end{};
    clock_gettime(CLOCK_MONOTONIC, &woke);
    const double cpu = now(CLOCK_THREAD_CPUTIME_ID);
    step();
    timing.cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
    clock_gettime(CLOCK_MONOTONIC, &end);
    timing.late = waits ? std::max(0.0, between(release, woke)) : 0;
    timing.wall = between(woke, end);
    ++done;
    if (options.beside && (!waits || timing.late + timing.wall < period / 2)) {
      const double from = now(CLOCK_THREAD_CPUTIME_ID);
      options.beside();
      result.beside[beside++] = now(CLOCK_THREAD_CPUTIME_ID) - from;
    }
  }
  result.beside.resize(beside);
  result.allocations = counts ? options.allocations() - before : -1;
  result.timings.resize(done);
  return result;
}

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> list;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return list;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) list.push_back(cpu);
  }
  return list;
}

namespace {

bool run_on(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

}  // namespace

void check_cpu(int cpu) {
  const std::vector<int> usable = usable_cpus();
  if (cpu < 0 || std::find(usable.begin(), usable.end(), cpu) != usable.end()) return;
  throw InputError({.message = "this program may not run on that processor",
                    .key = "--cpu",
                    .value = std::to_string(cpu),
                    .expected = fmt::format("one of {}", fmt::join(usable, ", "))});
}

RealTimeThread::RealTimeThread(const Wish& wish) {
  check_cpu(wish.cpu);
  if (wish.cpu >= 0) {
    cpus_before_ = usable_cpus();
    if (run_on({wish.cpu})) granted_.cpu = wish.cpu;
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_MEMLOCK, &limit);
  }
  // What there is, not what is to come: the loop allocates nothing, and a limit that future memory
  // runs into would end the program.
  granted_.memory_locked = mlockall(MCL_CURRENT) == 0;
  granted_.memory =
      granted_.memory_locked ? "locked" : fmt::format("not locked ({})", std::strerror(errno));
  if (wish.priority <= 0) {
    granted_.scheduling = "as other programs";
    return;
  }
  sched_param parameters{};
  parameters.sched_priority = wish.priority;
  const int refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
  granted_.fixed_priority = refused == 0;
  granted_.priority = refused == 0 ? wish.priority : 0;
  granted_.scheduling =
      refused == 0 ? fmt::format("SCHED_FIFO, priority {}", wish.priority)
                   : fmt::format("as other programs (SCHED_FIFO: {})", std::strerror(refused));
}

RealTimeThread::~RealTimeThread() {
  if (granted_.fixed_priority) {
    const sched_param parameters{};
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters);
  }
  if (granted_.memory_locked) munlockall();
  if (!cpus_before_.empty()) run_on(cpus_before_);
}

}  // namespace bristle
