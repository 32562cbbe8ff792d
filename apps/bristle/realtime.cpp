// bristle realtime SCENARIO: its steps against the wall clock.

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "allocations.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/realtime/report.hpp"
#include "bristle/realtime/step.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "result_folder.hpp"
#include "run_scenario.hpp"

namespace bristle::cli {
namespace realtime_detail {

struct Options {
  ScenarioOptions scenario;
  std::string rate = "1000", seconds = "10", columns = "all", out;
  int cpu = -1, priority = 80;
  bool json = false;
};

/// Draws the bar from a thread of its own, so that the loop neither prints nor allocates.
class Watcher {
 public:
  Watcher(const std::string& label, double seconds) : progress_(label, seconds) {
    thread_ = std::thread([this] {
      const auto start = std::chrono::steady_clock::now();
      while (!done_) {
        progress_(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    });
  }
  ~Watcher() {
    done_ = true;
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  Progress progress_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

std::vector<std::string> columns_of(const Options& options, const Scenario& scenario) {
  if (options.columns == "none") return {};
  if (options.columns == "all") return realtime_columns(scenario);
  return CLI::detail::split(options.columns, ',');
}

void run(const Options& options) {
  RealTimeRunOptions asked;
  asked.rate = parse_option(options.rate, "--rate", "1/s");
  asked.seconds = parse_option(options.seconds, "--seconds", "s");
  asked.thread = {.cpu = options.cpu, .priority = options.priority};
  if (counts_allocations()) asked.allocations = thread_allocations;
  const Interrupt interrupt;
  asked.go_on = [] { return !Interrupt::asked(); };
  const Scenario scenario = options.scenario.load();
  asked.columns = columns_of(options, scenario);
  check_realtime_run(scenario, asked);
  std::optional<ResultFolder> results;
  if (!options.out.empty()) {
    results.emplace(options.out, ResultNames{.files = {"realtime.json", "report.html"}});
  }
  RealTimeRun done;
  {
    const Watcher watcher(scenario.name, asked.seconds + std::min(1.0, asked.seconds / 5));
    done = run_realtime(scenario, asked);
  }
  if (results) {
    write_file(results->draft() / "realtime.json", realtime_json(done));
    write_file(results->draft() / "report.html", render_page(realtime_page(done)));
    results->publish();
  }
  write_result("", options.json ? realtime_json(done) : realtime_text(done));
}

}  // namespace realtime_detail

void add_realtime(CLI::App& app) {
  using namespace realtime_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "realtime", "run a scenario against the wall clock: times of steps, missed deadlines");
  options->scenario.add_to(*command);
  command->add_option("--rate", options->rate, "steps per second")->capture_default_str();
  command->add_option("--seconds", options->seconds, "length of the run; the scenario is repeated")
      ->capture_default_str();
  command
      ->add_option("--columns", options->columns,
                   "read in every step: names separated by commas, 'all' or 'none'")
      ->capture_default_str();
  command->add_option("--cpu", options->cpu, "run on this processor")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--priority", options->priority,
                   "of SCHED_FIFO, where permitted; 0: as other programs")
      ->check(CLI::Range(0, 99))
      ->capture_default_str();
  command->add_option("--out", options->out, "folder for realtime.json and report.html");
  command->add_flag("--json", options->json, "print JSON; times in seconds");
  command->footer(
      "Examples:\n"
      "  bristle realtime ball-incline --rate 1000 --seconds 60\n"
      "  bristle realtime double-pendulum --seconds 10 --cpu 1 --out results/rt\n"
      "  bristle realtime mass-spring --set friction.law=stiction --columns x,v,F --json");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
