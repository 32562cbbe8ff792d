#pragma once

// One file per subcommand; each adds itself to the application.
//
// A command works when its callback runs. It throws InputError for what the user can mend (exit 2)
// and any other exception for work that failed (exit 1); main prints the message.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bristle/friction/any_law.hpp"

namespace bristle::cli {

void add_models(CLI::App& app);
void add_curve(CLI::App& app);
void add_restitution(CLI::App& app);
void add_accuracy(CLI::App& app);
void add_trace(CLI::App& app);
void add_interference(CLI::App& app);
void add_patch(CLI::App& app);
void add_push(CLI::App& app);
void add_scenarios(CLI::App& app);
void add_run(CLI::App& app);
void add_compare(CLI::App& app);
void add_identify(CLI::App& app);
void add_track(CLI::App& app);
void add_peg_record(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_study(CLI::App& app);
void add_realtime(CLI::App& app);

/// The options by which a user chooses a law and its parameters: MODEL, --set, --params.
struct LawOptions {
  std::string model;
  std::vector<std::string> set;
  std::string params;

  void add_to(CLI::App& command);
  /// The law with all settings; those of --set win over those of the file.
  AnyLaw law() const;
};

/// "key=value" as a setting from the command line.
Setting parse_setting(const std::string& text, const std::string& option);

/// "a:b:n": n values from a to b, in SI; each end may carry a unit. "log:a:b:n" spaces them by
/// ratio.
std::vector<double> parse_grid(const std::string& text, const std::string& option,
                               const char* unit);

/// A quantity given on the command line.
double parse_option(const std::string& text, const std::string& option, const char* unit);

/// Before the work: InputError if the file, unless `path` is empty, cannot be written.
void check_result(const std::string& path);

/// Writes to a file (under a temporary name, then renamed), or to standard output if `path` is
/// empty.
void write_result(const std::string& path, const std::string& content);

}  // namespace bristle::cli
