// A controller of your own, sampled at 1 kHz, around a Bristle scenario with an input.
//
//   build/bristle_example_control [SCENARIO] [KI]
//
// It brings the slide to 10 mm with u = kp e + ki ∫e − kd v. Without the integral the slide sticks
// short of it; with it, it hunts: sticks, waits until the integral has grown, jumps too far, and
// comes back.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bristle/core/error.hpp"
#include "bristle/realtime/step.hpp"

namespace {

int control(const char* name, double ki) {
  constexpr double rate = 1000, target = 0.01, kp = 200, kd = 20;
  // Each step made of a scenario has inputs of its own.
  bristle::RealTimeStep core =
      bristle::realtime_step(bristle::load_scenario(name), rate, {"x", "v", "F"});
  const std::size_t push = core.input("push");  // an InputError if there is none
  double sum = 0;
  std::printf("%8s %10s %10s %10s\n", "t (s)", "x (mm)", "push (N)", "F (N)");
  for (int k = 0; k < 20 * static_cast<int>(rate) && core.finite(); ++k) {
    const double error = target - core.outputs()[0];
    sum += error / rate;
    const double u = kp * error + ki * sum - kd * core.outputs()[1];
    core.set_input(push, u);  // held until it is set again
    core.step();
    if (k % 2000 == 1999) {
      std::printf("%8.3f %10.5f %10.5f %10.5f\n", core.time(), 1e3 * core.outputs()[0], u,
                  core.outputs()[2]);
    }
  }
  return core.finite() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "examples/sampled_control/slide.yaml";
  try {
    return control(name, argc > 2 ? std::atof(argv[2]) : 300);
  } catch (const bristle::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
