#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/io/yaml.hpp"
#include "commands.hpp"

namespace bristle::cli {

void LawOptions::add_to(CLI::App& command) {
  command.add_option("MODEL", model, "friction law; 'bristle models' lists them")->required();
  command
      .add_option("--set", set,
                  "set a parameter: KEY=VALUE, the value in SI or with its unit (v_s='2 mm/s'); "
                  "minus.KEY=VALUE for v < 0 only, offset=VALUE for a constant force; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--params", params,
                  "YAML file with parameters (mu_s: 0.3), or with a 'friction:' section")
      ->type_name("FILE");
}

AnyLaw LawOptions::law() const {
  std::vector<Setting> settings;
  if (!params.empty()) settings = read_settings(params, "friction");
  for (auto it = settings.begin(); it != settings.end();) {
    if (it->key == "law") {
      if (it->value != model) {
        Fault fault = it->fault("the file is for another law");
        fault.expected = "law: " + model;
        throw InputError(fault);
      }
      it = settings.erase(it);
    } else {
      ++it;
    }
  }
  for (const std::string& text : set) settings.push_back(parse_setting(text, "--set"));
  return make_law(model, settings);
}

Setting parse_setting(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError({.message = "not a setting",
                      .key = option,
                      .value = text,
                      .expected = "KEY=VALUE, for example mu_s=0.3"});
  }
  return {text.substr(0, equals), text.substr(equals + 1), "", 0};
}

double parse_option(const std::string& text, const std::string& option, const char* unit) {
  return parse_quantity(text, parse_unit(unit).dimension, {.key = option, .value = text});
}

std::vector<double> parse_grid(const std::string& text, const std::string& option,
                               const char* unit) {
  const auto refuse = [&](const std::string& message) -> InputError {
    return InputError({.message = message,
                       .key = option,
                       .value = text,
                       .expected = fmt::format("a:b:n, for example '-0.01:0.01:201' ({}), or "
                                               "log:a:b:n with a, b > 0",
                                               unit)});
  };
  const bool by_ratio = text.starts_with("log:");
  const std::string body = by_ratio ? text.substr(4) : text;
  const std::size_t first = body.find(':');
  const std::size_t second = body.rfind(':');
  if (first == std::string::npos || second == first) throw refuse("not a range");
  const double a = parse_option(body.substr(0, first), option, unit);
  const double b = parse_option(body.substr(first + 1, second - first - 1), option, unit);
  const double count = parse_option(body.substr(second + 1), option, "1");
  if (count < 1 || count > 1e8 || count != std::floor(count)) {
    throw refuse("the number of points must be a whole number from 1 to 1e8");
  }
  if (by_ratio && (a <= 0 || b <= 0)) throw refuse("logarithmic spacing needs positive ends");
  const auto n = static_cast<std::size_t>(count);
  if (n == 1 && a != b) throw refuse("a single point needs equal ends");
  std::vector<double> grid(n, a);
  for (std::size_t i = 1; i < n; ++i) {
    // Weighted from both ends, so that a range symmetric about 0 stays so to the last bit.
    const auto up = static_cast<double>(i);
    const auto down = static_cast<double>(n - 1 - i);
    grid[i] = by_ratio ? a * std::pow(b / a, up / (up + down)) : (down * a + up * b) / (up + down);
  }
  grid.back() = b;
  return grid;
}

void check_result(const std::string& path) {
  if (!path.empty()) check_writable(path);
}

void write_result(const std::string& path, const std::string& content) {
  if (!path.empty()) {
    write_file(path, content);
    return;
  }
  // Titles and names come from files: none of them may steer the terminal.
  const std::string shown = printable(content, "\n\t");
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() ||
      std::fflush(stdout) != 0) {
    throw std::runtime_error("cannot write to standard output");
  }
}

}  // namespace bristle::cli
