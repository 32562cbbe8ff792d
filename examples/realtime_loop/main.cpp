// A 1 kHz loop of your own around a Bristle scenario.
//
//   build/bristle_example_realtime [SCENARIO] [SECONDS]

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <sched.h>
#include <sys/mman.h>

#include "bristle/core/error.hpp"
#include "bristle/realtime/step.hpp"

namespace {

constexpr long period = 1000000;  // ns

void next(timespec& time) {
  time.tv_nsec += period;
  if (time.tv_nsec < 1000000000) return;
  time.tv_nsec -= 1000000000;
  ++time.tv_sec;
}

int loop(const char* name, double seconds) {
  // 1. Set up: reads, checks and allocates everything. A mistake is an InputError from here.
  const bristle::Scenario scenario = bristle::load_scenario(name);
  bristle::RealTimeStep core = bristle::realtime_step(scenario, 1e9 / period, {"t", "E_kinetic"});

  // 2. Ask the system for what a loop needs. Both may be refused; the loop works all the same.
  const bool locked = mlockall(MCL_CURRENT) == 0;  // no page is missing when it is needed
  sched_param priority{};
  priority.sched_priority = 80;
  const bool fixed = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  std::printf("memory %slocked, priority %sfixed\n", locked ? "" : "not ", fixed ? "" : "not ");

  // 3. The loop: by absolute times, so that a late wake-up does not shift those that follow.
  timespec wake{};
  clock_gettime(CLOCK_MONOTONIC, &wake);
  double fastest = 0;
  while (core.time() < seconds && core.finite()) {
    next(wake);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) == EINTR) {
    }
    core.step();                              // no allocation, no lock, no exception
    const double energy = core.outputs()[1];  // the columns asked for, in their order
    if (energy > fastest) fastest = energy;   // here your controller would answer
  }

  // 4. Afterwards: did any step have to do with less than it asked for?
  std::printf("t = %.3f s, largest kinetic energy %.6g J, degraded steps %ld, most sub-steps %d\n",
              core.time(), fastest, core.budget_used_up().steps, core.most_substeps());
  return core.finite() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return loop(argc > 1 ? argv[1] : "ball-incline", argc > 2 ? std::atof(argv[2]) : 3);
  } catch (const bristle::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
