// bristle peg-record: a synthetic record of the peg-in-hole test, to try the recipe on.

#include "bristle/identify/peg_record.hpp"

#include <sstream>

#include <fmt/format.h>

#include "bristle/core/describe.hpp"
#include "commands.hpp"
#include "usage.hpp"

namespace bristle::cli {
namespace peg_record_detail {

struct Options {
  std::string out, noise = "0.36 N", drift = "0 N", mu_a = "0.255", mu_b = "0.297", removal;
  std::uint64_t seed = 1;
};

constexpr double largest_force = 1e6, largest_coefficient = 10;

double within(const std::string& text, const char* option, const std::string& unit,
              const Range& range) {
  const double value = parse_option(text, option, unit.c_str());
  if (range.contains(value)) return value;
  throw InputError({.message = "out of range",
                    .key = option,
                    .value = text,
                    .expected = fmt::format("a number in {}{}", to_string(range),
                                            unit == "1" ? "" : " " + unit)});
}
double force(const std::string& text, const char* option, const Range& range) {
  return within(text, option, "N", range);
}
double coefficient(const std::string& text, const char* option) {
  return within(text, option, "1", {.min = 0, .max = largest_coefficient});
}

void run(const Options& options) {
  PegRecordOptions record{.seed = options.seed};
  record.noise = force(options.noise, "--noise", {.min = 0, .max = largest_force});
  record.drift = force(options.drift, "--drift", {.min = -largest_force, .max = largest_force});
  record.a.mu = coefficient(options.mu_a, "--mu-a");
  record.b.mu = coefficient(options.mu_b, "--mu-b");
  if (!options.removal.empty()) {
    record.mu_a_removal = coefficient(options.removal, "--mu-a-removal");
  }
  check_result(options.out);
  std::ostringstream text;
  write_csv(text, peg_record(record));
  write_result(options.out, text.str());
}

}  // namespace peg_record_detail

void add_peg_record(CLI::App& app) {
  using namespace peg_record_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "peg-record", "synthetic record of a peg-in-hole test, for the recipe peg-hole");
  command->add_option("--out", options->out, "CSV file (default: standard output)");
  command->add_option("--noise", options->noise, "of each wall force (default 0.36 N)");
  command->add_option("--drift", options->drift, "constant offset of each wall force");
  command->add_option("--mu-a", options->mu_a, "friction at the corner (default 0.255)");
  command->add_option("--mu-b", options->mu_b, "friction at the chamfer (default 0.297)");
  command->add_option("--mu-a-removal", options->removal,
                      "at the corner after the hold, if another");
  command->add_option("--seed", options->seed, "of the noise (default 1)")->check(whole_number());
  command->footer(
      "Columns: t, depth, angle, and the force of the peg on each wall, across the hole and along\n"
      "it. 10 s of insertion, 1 s of hold, 10 s of removal, 500 Hz.");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
