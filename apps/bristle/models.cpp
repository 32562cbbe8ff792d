// bristle models [NAME] [--json]: the laws, their parameters, units, ranges and defaults.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace bristle::cli {
namespace {

using Json = nlohmann::ordered_json;

Json end_of_range(double x) { return std::isinf(x) ? Json(nullptr) : Json(x); }

Json default_of(const Parameter& p) {
  if (p.kind == Kind::flag) return p.default_value != 0.0;
  if (p.kind == Kind::choice) return value_text(p, p.default_value);
  if (p.kind == Kind::count) return static_cast<long long>(p.default_value);
  return p.default_value;
}

std::string source_of(const Parameter& p, const LawInfo& info) {
  return *p.source != '\0' ? p.source : info.page.source;
}

Json to_json(const Parameter& p, const LawInfo& info) {
  static constexpr std::array<const char*, 4> kinds{"real", "flag", "count", "choice"};
  Json json{{"name", p.name},
            {"symbol", p.symbol},
            {"unit", p.unit},
            {"min", end_of_range(p.range.min)},
            {"max", end_of_range(p.range.max)},
            {"default", default_of(p)},
            {"source", source_of(p, info)},
            {"text", p.text},
            {"kind", kinds[static_cast<std::size_t>(p.kind)]},
            {"range", expectation(p)},
            {"aliases", Json::array()}};
  for (const char* alias : p.aliases) {
    if (alias != nullptr) json["aliases"].push_back(alias);
  }
  if (p.kind == Kind::choice) {
    for (const char* name : p.choices) {
      if (name != nullptr) json["choices"].push_back(name);
    }
  }
  return json;
}

Json to_json(const LawInfo& info) {
  Json json{{"name", info.page.name},
            {"title", info.page.title},
            {"source", info.page.source},
            {"capabilities", Json::array()},
            {"parameters", Json::array()}};
  for (const Capability c : capabilities) {
    if (info.can(c)) json["capabilities"].push_back(std::string(to_string(c)));
  }
  for (const Parameter& p : info.parameters) json["parameters"].push_back(to_json(p, info));
  return json;
}

/// What distinguishes a law, in a few words: the capabilities that not every law has.
std::string kind_of(const LawInfo& info) {
  std::string words;
  for (const Capability c : capabilities) {
    if (c == Capability::wrench || !info.can(c)) continue;
    words += (words.empty() ? "" : ", ") + std::string(to_string(c));
  }
  return words;
}

std::string table_of_laws() {
  std::string text = fmt::format("{:<20} {:<32} {}\n", "law", "title", "kind");
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    text += fmt::format("{:<20} {:<32} {}\n", name, law.info().page.title, kind_of(law.info()));
  }
  return text + "\n'bristle models NAME' shows a law's parameters.\n";
}

std::string page_of(const LawInfo& info) {
  const Page& page = info.page;
  std::string text =
      fmt::format("{} — {}\n  {}\n  {}\n\n", page.name, page.title, page.source, kind_of(info));
  text += fmt::format("  {:<10} {:<12} {:<10} {:<17} {:<24} {}\n", "key", "symbol", "unit",
                      "default", "range", "meaning");
  for (const Parameter& p : info.parameters) {
    std::string also;
    for (const char* alias : p.aliases) {
      if (alias != nullptr) also += fmt::format("{}{}", also.empty() ? " (also " : ", ", alias);
    }
    if (!also.empty()) also += ")";
    text += fmt::format(
        "  {:<10} {:<12} {:<10} {:<17} {:<24} {}{}\n", p.name, p.symbol, p.unit,
        value_text(p, p.default_value),
        p.kind == Kind::choice || p.kind == Kind::flag ? expectation(p) : to_string(p.range),
        p.text, also);
  }
  std::string states;
  for (const StateColumn& c : AnyLaw(page.name).line(1)->columns()) {
    if (c.of_array) continue;
    states += fmt::format("{}{} ({})", states.empty() ? "" : ", ", c.name, c.unit);
  }
  for (const Order& order : info.orders) {
    text += fmt::format("  {} {} {}\n", order.greater, order.strict ? ">" : "≥", order.smaller);
  }
  if (!states.empty()) text += fmt::format("\nStates: {}\n", states);
  text += fmt::format("\nUse: {}\nLimits: {}\n", page.use, page.limits);
  if (*page.printed != '\0') text += fmt::format("Printed: {}\n", page.printed);
  text += fmt::format("Step with frozen inputs: {}\n", page.advance);
  return text;
}

}  // namespace

void add_models(CLI::App& app) {
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("models", "list the friction laws and their parameters");
  command->add_option("NAME", options->name, "show only this law, in full");
  command->add_flag("--json", options->json, "machine-readable");
  command->footer("Examples:\n  bristle models\n  bristle models lugre\n  bristle models --json");
  command->callback([options] {
    std::vector<std::string> names = AnyLaw::names();
    if (!options->name.empty()) names = {std::string(AnyLaw(options->name).name())};
    if (options->json) {
      Json json{{"models", Json::array()}};
      for (const std::string& name : names) json["models"].push_back(to_json(AnyLaw(name).info()));
      write_result("", json.dump(2) + "\n");
    } else {
      write_result("", options->name.empty() ? table_of_laws() : page_of(AnyLaw(names[0]).info()));
    }
  });
}

}  // namespace bristle::cli
