// A world at a fixed rate.

#include "bristle/core/index.hpp"
#include "bristle/solve/world_step.hpp"
#include "realtime_core.hpp"
#include "world_recorder.hpp"

namespace bristle::detail {
namespace {

RunOptions one_row(const RealTimeOptions& options) {
  RunOptions made;
  made.duration = options.duration;
  made.samples = 1;
  return made;
}

/// The stepper moves; the dynamics and the recorder, which know the columns, only look.
class WorldCore final : public RealTimeCore {
 public:
  WorldCore(const World& world, SignalInputs inputs, const RealTimeOptions& options)
      : RealTimeCore(options, std::move(inputs)),
        stepper_(world, options.budget),
        shown_(world),
        row_options_(one_row(options)),
        recorder_(shown_, row_options_),
        y_(shown_.initial()),
        work_(at(shown_.quadratures())) {
    shown_.set_stepped();
    stepper_.write(shown_, y_);
    set_breaks(shown_.breaks(options.duration));
    // The energy in the springs of patches is known from their works only.
    const bool patches = shown_.patches().size() > 0;
    choose(recorder_.columns(), options.columns, [&](const std::string& name) {
      const bool of_springs = name == "E_contact" || name == "E_total";
      return !name.starts_with("W_") && name != "E_error" && !(patches && of_springs);
    });
  }

  double time() const noexcept override { return stepper_.time(); }
  BudgetUse used_up() const noexcept override { return stepper_.budget_used_up(); }
  int most_substeps() const noexcept override { return stepper_.most_substeps(); }

 private:
  int moving_size() const noexcept override { return stepper_.state_size(); }
  void save_moving(std::span<double> numbers) const noexcept override { stepper_.save(numbers); }
  void follow_inputs() noexcept override { stepper_.forget(); }
  bool advance() noexcept override {
    stepper_.clear_impacts();
    double rest = period_;
    for (int piece = 1; piece < budget_.substeps; ++piece) {
      const double h = next_break(time()) - time();
      if (h >= rest - slack()) break;
      stepper_.step(h);
      rest -= h;
    }
    stepper_.step(rest);
    stepper_.write(shown_, y_);
    double nothing = 0;  // unless a number of the state is none
    for (const double number : y_) nothing += 0 * number;
    return nothing == 0;
  }
  void put_back(std::span<const double> numbers) noexcept override {
    stepper_.restore(numbers);
    stepper_.write(shown_, y_);
  }
  const Row& row() noexcept override { return recorder_.look(time(), y_, work_); }

  WorldStepper stepper_;
  WorldDynamics shown_;
  RunOptions row_options_;
  WorldRecorder recorder_;
  std::vector<double> y_, work_;
};

}  // namespace

std::unique_ptr<RealTimeCore> make_realtime_core(const World& world,
                                                 const RealTimeOptions& options) {
  World own = world;
  SignalInputs inputs = own_inputs(own);
  return std::make_unique<WorldCore>(own, std::move(inputs), options);
}

}  // namespace bristle::detail
