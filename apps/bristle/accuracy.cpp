// bristle accuracy: restitution, holding, sliding and rolling of the fixed step against what is
// right.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "commands.hpp"
#include "engine_tests.hpp"

namespace bristle::cli {
namespace accuracy_detail {

constexpr int phases = 50;

struct Options {
  std::string step = "1 ms", out;
  bool json = false;
};

struct Results {
  double step = 0;
  std::vector<RestitutionRow> restitution;
  std::vector<InclineRow> incline;
  RollingRow rolling;
};

double parse_step(const std::string& text) {
  const double step = parse_option(text, "--step", "s");
  if (step >= 1e-5 && step <= 0.02) return step;
  throw InputError({.message = "out of range",
                    .key = "--step",
                    .value = text,
                    .expected = "a step from 10 us to 20 ms"});
}

Results measure(double step) {
  Results results{.step = step, .restitution = {}, .incline = {}, .rolling = {}};
  for (const double e : {0.1, 0.5, 0.9}) {
    for (const double v : {0.1, 1.0, 5.0}) {
      for (const double duration : {0.2e-3, 2e-3, 20e-3}) {
        results.restitution.push_back(test_restitution(make_bristle, e, v, duration, step, phases));
      }
    }
  }
  for (const double degrees : {0.0, 45.0}) {
    results.incline.push_back(test_incline(make_bristle, degrees, step));
  }
  results.rolling = test_rolling(make_bristle, step);
  return results;
}

std::string text_of(const Results& results) {
  std::string text = fmt::format(
      "Restitution: a sphere on a plane, no gravity, {} phases of the step of {:g} ms\n"
      "  asked   speed (m/s)   contact (ms)   mean e       mean |error|   worst |error|\n",
      phases, 1e3 * results.step);
  for (const RestitutionRow& row : results.restitution) {
    text += fmt::format("  {:<7g} {:<13g} {:<14g} {:<12.9f} {:<14.1e} {:.1e}\n", row.e, row.v,
                        1e3 * row.duration, row.mean, row.mean_error, row.worst_error);
  }
  text +=
      "\nIncline: a box, mu 0.5; creep at 80 % of the angle of friction, slide at 120 %\n"
      "  downhill      creep in 10 s (um)   error of acceleration\n";
  for (const InclineRow& row : results.incline) {
    const std::string way = row.degrees == 0 ? "along x" : fmt::format("at {:g} deg", row.degrees);
    text += fmt::format("  {:<13} {:<20.1e} {:.1e}\n", way, 1e6 * row.creep,
                        std::abs(row.acceleration_error));
  }
  text += fmt::format(
      "\nRolling: a sphere down 20 deg, 5/7 g sin 20 deg\n"
      "  error of acceleration {:.1e}\n",
      std::abs(results.rolling.acceleration_error));
  return text;
}

std::string json_of(const Results& results) {
  using Json = nlohmann::ordered_json;
  Json json{{"step", results.step},
            {"phases", phases},
            {"restitution", Json::array()},
            {"incline", Json::array()}};
  for (const RestitutionRow& row : results.restitution) {
    json["restitution"].push_back({{"e", row.e},
                                   {"v", row.v},
                                   {"duration", row.duration},
                                   {"mean", row.mean},
                                   {"mean_error", row.mean_error},
                                   {"worst_error", row.worst_error}});
  }
  for (const InclineRow& row : results.incline) {
    json["incline"].push_back({{"degrees", row.degrees},
                               {"creep", row.creep},
                               {"acceleration_error", row.acceleration_error}});
  }
  json["rolling"] = {{"acceleration_error", results.rolling.acceleration_error}};
  return json.dump(2) + "\n";
}

void run(const Options& options) {
  const double step = parse_step(options.step);
  check_result(options.out);
  const Results results = measure(step);
  write_result(options.out, options.json ? json_of(results) : text_of(results));
}

}  // namespace accuracy_detail

void add_accuracy(CLI::App& app) {
  using namespace accuracy_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "accuracy", "restitution, creep, sliding and rolling of the fixed step against theory");
  command->add_option("--step", options->step, "the fixed step, 10 us to 20 ms")
      ->type_name("s")
      ->capture_default_str();
  command->add_flag("--json", options->json, "machine-readable, SI units");
  command->add_option("--out", options->out, "write the result to a file instead")
      ->type_name("FILE");
  command->footer(
      "What to expect of a simulation at a fixed rate, measured now:\n"
      "  restitution  e asked for and got, whatever the speed, the duration of the contact and\n"
      "               the moment within a step at which it begins\n"
      "  incline      a box below the angle of friction must not creep, above it must slide with\n"
      "               g (sin a - mu cos a), along an axis and across\n"
      "  rolling      a ball must gain 5/7 g sin a\n"
      "Laws: gonthier for the normal force and (bounded, mu_s = mu_k) for friction. 'make\n"
      "bench-peers' puts other engines to the same tests.\n"
      "Examples:\n"
      "  bristle accuracy\n"
      "  bristle accuracy --step '4 ms' --json");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
