#include "bristle/system/inputs.hpp"

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

class Renewal {
 public:
  void operator()(Signal& signal) {
    signal.each_input([&](std::shared_ptr<SignalInput>& input) { input = renewed(*input); });
  }
  SignalInputs take() { return std::move(inputs_); }

 private:
  std::shared_ptr<SignalInput> renewed(const SignalInput& old) {
    for (const std::shared_ptr<SignalInput>& known : inputs_) {
      if (known->name != old.name) continue;
      if (known->unit != old.unit) refuse(old, "has two units", known->unit, old.unit);
      if (known->start != old.start) {
        refuse(old, "starts at two values", fmt::format("{:g}", known->start),
               fmt::format("{:g}", old.start));
      }
      return known;
    }
    return inputs_.emplace_back(std::make_shared<SignalInput>(
        SignalInput{.name = old.name, .unit = old.unit, .start = old.start}));
  }
  [[noreturn]] static void refuse(const SignalInput& input, const std::string& message,
                                  const std::string& one, const std::string& other) {
    throw InputError({.message = fmt::format("an input {}: {} and {}", message, one, other),
                      .key = "input",
                      .value = input.name,
                      .expected = "the same wherever its name stands, or two names"});
  }

  SignalInputs inputs_;
};

}  // namespace

SignalInputs own_inputs(Rig& rig) {
  Renewal renew;
  each_signal(rig, renew);
  for (Drive& drive : rig.drives) renew(drive.reference);
  return renew.take();
}

SignalInputs own_inputs(World& world) {
  Renewal renew;
  for (RigidBody& body : world.bodies) {
    for (Signal& signal : body.drive) renew(signal);
    renew(body.turn);
  }
  for (std::shared_ptr<const Mechanism>& mechanism : world.mechanisms) {
    std::unique_ptr<Mechanism> own = mechanism->clone();
    own->each_signal([&](Signal& signal) { renew(signal); });
    mechanism = std::move(own);
  }
  return renew.take();
}

}  // namespace bristle
