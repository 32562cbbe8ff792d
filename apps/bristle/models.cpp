// bristle models [NAME] [--json]: the laws, their parameters, units, ranges and defaults.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bristle/contact/volumetric.hpp"
#include "bristle/core/names.hpp"
#include "bristle/normal/any_normal.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace models_detail {

using Json = nlohmann::ordered_json;

Json end_of_range(double x) { return std::isinf(x) ? Json(nullptr) : Json(x); }

Json default_of(const Parameter& p) {
  if (p.kind == Kind::flag) return p.default_value != 0.0;
  if (p.kind == Kind::choice) return value_text(p, p.default_value);
  if (p.kind == Kind::count) return static_cast<long long>(p.default_value);
  return p.default_value;
}

std::string source_of(const Parameter& p, const ModelInfo& info) {
  return *p.source != '\0' ? p.source : info.page.source;
}

Json to_json(const Parameter& p, const ModelInfo& info) {
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

Json to_json(const ModelInfo& info, const std::vector<std::string>& capable_of) {
  Json json{{"name", info.page.name},
            {"title", info.page.title},
            {"source", info.page.source},
            {"capabilities", capable_of},
            {"parameters", Json::array()}};
  for (const Parameter& p : info.parameters) json["parameters"].push_back(to_json(p, info));
  return json;
}

Json to_json(const LawInfo& info) {
  std::vector<std::string> words;
  for (const Capability c : capabilities) {
    if (info.can(c)) words.emplace_back(to_string(c));
  }
  return to_json(info, words);
}

Json to_json(const NormalInfo& info) {
  std::vector<std::string> words;
  if (info.exact_restitution) words.emplace_back("exact restitution");
  return to_json(info, words);
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

std::string kind_of(const NormalInfo& info) {
  if (!info.asks_restitution) return "restitution depends on the mass";
  return info.exact_restitution ? "exact restitution" : "approximate restitution";
}

/// Laws that are both, over an area: there is one so far.
const std::vector<std::string>& area_names() {
  static const std::vector<std::string> names{VolumetricLaw::info().page.name};
  return names;
}
constexpr const char* area_kind = "normal force, friction, spin and rolling over an area";

std::string table_row(std::string_view name, std::string_view title, std::string_view kind) {
  return fmt::format("{:<21} {:<32} {}\n", name, title, kind);
}
template <class Any>
std::string table_of(const char* heading) {
  std::string text = table_row(heading, "title", "kind");
  for (const std::string& name : Any::names()) {
    const Any law(name);
    text += table_row(name, law.info().page.title, kind_of(law.info()));
  }
  return text;
}

std::string table_of_laws() {
  const Page& area = VolumetricLaw::info().page;
  return table_of<AnyLaw>("friction law") + "\n" + table_of<AnyNormal>("normal law") + "\n" +
         table_row("law of areas", "title", "kind") + table_row(area.name, area.title, area_kind) +
         "\n'bristle models NAME' shows a law's parameters.\n";
}

std::string head_of(const ModelInfo& info, const std::string& kind) {
  const Page& page = info.page;
  std::string text =
      fmt::format("{} — {}\n  {}\n  {}\n\n", page.name, page.title, page.source, kind);
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
  for (const Order& order : info.orders) {
    text += fmt::format("  {} {} {}\n", order.greater, order.strict ? ">" : "≥", order.smaller);
  }
  return text;
}

std::string foot_of(const Page& page) {
  std::string text = fmt::format("\nUse: {}\nLimits: {}\n", page.use, page.limits);
  if (*page.printed != '\0') text += fmt::format("Printed: {}\n", page.printed);
  return text;
}

std::string page_of(const LawInfo& info) {
  std::string text = head_of(info, kind_of(info));
  std::string states;
  for (const StateColumn& c : AnyLaw(info.page.name).line(1)->columns()) {
    if (c.of_array) continue;
    states += fmt::format("{}{} ({})", states.empty() ? "" : ", ", c.name, c.unit);
  }
  if (!states.empty()) text += fmt::format("\nStates: {}\n", states);
  return text + foot_of(info.page) +
         fmt::format("Step with frozen inputs: {}\n", info.page.advance);
}

std::string page_of(const NormalInfo& info) {
  return head_of(info, kind_of(info)) + foot_of(info.page);
}

/// The laws that are meant: all, or those of this name, with or without 'friction.' or 'normal.'.
struct Chosen {
  std::vector<std::string> friction, normal, area;
};
Chosen chosen(const std::string& name) {
  if (name.empty()) return {AnyLaw::names(), AnyNormal::names(), area_names()};
  const std::size_t dot = name.find('.');
  const std::string world = dot == std::string::npos ? "" : name.substr(0, dot);
  if (world == "friction") return {{std::string(AnyLaw(name.substr(dot + 1)).name())}, {}, {}};
  if (world == "normal") return {{}, {std::string(AnyNormal(name.substr(dot + 1)).name())}, {}};
  const auto find = [&](const std::vector<std::string>& names) {
    const bool there = std::find(names.begin(), names.end(), name) != names.end();
    return there ? std::vector<std::string>{name} : std::vector<std::string>{};
  };
  Chosen found{find(AnyLaw::names()), find(AnyNormal::names()), find(area_names())};
  if (!found.friction.empty() || !found.normal.empty() || !found.area.empty()) return found;
  std::vector<std::string> all = AnyLaw::names();
  all.insert(all.end(), AnyNormal::names().begin(), AnyNormal::names().end());
  all.insert(all.end(), area_names().begin(), area_names().end());
  throw InputError(
      {.message = "unknown law",
       .key = "law",
       .value = name,
       .expected = fmt::format("a friction law ({}), a normal law ({}) or {}",
                               fmt::join(AnyLaw::names(), ", "),
                               fmt::join(AnyNormal::names(), ", "), fmt::join(area_names(), ", ")),
       .nearest = nearest_name(name, all)});
}

std::string json_of(const Chosen& laws) {
  Json json{{"models", Json::array()}, {"normal", Json::array()}, {"area", Json::array()}};
  for (const std::string& name : laws.friction)
    json["models"].push_back(to_json(AnyLaw(name).info()));
  for (const std::string& name : laws.normal)
    json["normal"].push_back(to_json(AnyNormal(name).info()));
  if (!laws.area.empty()) json["area"].push_back(to_json(VolumetricLaw::info(), {}));
  return json.dump(2) + "\n";
}

std::string pages_of(const Chosen& laws) {
  std::string text;
  const bool both = !laws.friction.empty() && !laws.normal.empty();
  for (const std::string& name : laws.friction) {
    text += (both ? "Friction law: " : "") + page_of(AnyLaw(name).info());
  }
  for (const std::string& name : laws.normal) {
    text += (both ? "\nNormal law: " : "") + page_of(AnyNormal(name).info());
  }
  if (!laws.area.empty()) {
    const ModelInfo& info = VolumetricLaw::info();
    text += head_of(info, area_kind) + foot_of(info.page);
  }
  return text;
}

}  // namespace models_detail

void add_models(CLI::App& app) {
  using namespace models_detail;
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("models", "list the laws and their parameters");
  command->add_option("NAME", options->name,
                      "show only this law, in full; friction.NAME or normal.NAME where both worlds "
                      "have it");
  command->add_flag("--json", options->json, "machine-readable");
  command->footer(
      "Examples:\n  bristle models\n  bristle models lugre\n  bristle models normal.gonthier\n"
      "  bristle models volumetric\n"
      "  bristle models --json");
  command->callback([options] {
    const Chosen laws = chosen(options->name);
    if (options->json) {
      write_result("", json_of(laws));
    } else {
      write_result("", options->name.empty() ? table_of_laws() : pages_of(laws));
    }
  });
}

}  // namespace bristle::cli
