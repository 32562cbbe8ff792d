#include "usage.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first argument that looks like an option and is none; empty if there is none.
std::string unknown_option(const CLI::App& command) {
  for (const std::string& argument : command.remaining()) {
    if (argument.size() > 1 && argument.front() == '-') {
      return argument.substr(0, argument.find('='));
    }
  }
  return {};
}

/// "--set 'lugre', --v '0:1:3'"; empty if no option was given.
std::string given_options(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    for (const std::string& value : option->results()) {
      text += fmt::format("{}--{} {}", text.empty() ? "" : ", ", option->get_lnames().front(),
                          quote(value));
    }
  }
  return text;
}

}  // namespace

void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    command->parse_complete_callback([command] {
      for (const CLI::Option* option : command->get_options()) {
        const std::vector<std::string>& values = option->results();
        if (std::find(values.begin(), values.end(), "") == values.end()) continue;
        throw InputError({.message = "empty value", .key = option->get_name()});
      }
    });
  }
}

std::string usage_fault(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const bool incomplete = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::string text = error.what();
  if (!chosen.empty() && (incomplete || extra)) {
    const std::string unknown = unknown_option(*chosen.front());
    if (!unknown.empty()) {
      const std::string nearest = nearest_name(unknown, option_names(*chosen.front()));
      text = fmt::format("unknown option {}", quote(unknown));
      if (!nearest.empty()) text += fmt::format("; did you mean {}?", quote(nearest));
      if (incomplete) text += fmt::format("; {}", error.what());
    } else if (incomplete) {
      const std::string given = given_options(*chosen.front());
      if (!given.empty()) text += fmt::format("; given were {}", given);
    }
  }
  return printable(text);
}

CLI::Validator whole_number() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error == std::errc() && stop == end) return {};
        return fmt::format("{} is not a whole number from 0 to 2^64 - 1", quote(text));
      },
      "");
}

}  // namespace bristle::cli
