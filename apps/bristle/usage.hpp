#pragma once

// What a command line may not say, whichever the command.

#include <string>

#include <CLI/CLI.hpp>

namespace bristle::cli {

/// Lets every command of the application refuse options with an empty value ("--duration ''").
void refuse_empty_values(CLI::App& app);

/// What is wrong with a command line that did not parse, in one sentence. A missing argument is
/// told with the option that is unknown, or else with the options that were given: one of them may
/// have taken the argument for its value.
std::string usage_fault(const CLI::App& app, const CLI::ParseError& error);

/// Refuses what is no whole number from 0 on: CLI11 takes "-1" for the largest number.
CLI::Validator whole_number();

}  // namespace bristle::cli
