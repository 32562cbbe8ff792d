#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "docgen.hpp"

namespace bristle::docgen {
namespace {

// ---- parts of a law's page ----------------------------------------------------------------------

/// Without places where a line may break.
std::string unbroken(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("\u00A0") : std::string(1, c);
  return out;
}

std::string range_text(const Parameter& p) {
  if (p.kind == Kind::flag || p.kind == Kind::choice) return expectation(p);
  const auto end = [](double x) {
    return std::isinf(x) ? std::string(x < 0 ? "−∞" : "∞") : fmt::format("{:.15g}", x);
  };
  const Range& r = p.range;
  const std::string interval =
      fmt::format("{}{}, {}{}", r.min_open || std::isinf(r.min) ? '(' : '[', end(r.min), end(r.max),
                  r.max_open || std::isinf(r.max) ? ')' : ']');
  return (p.kind == Kind::count ? "whole numbers in " : "") + unbroken(interval);
}

/// A flag or a choice has no symbol of its own.
std::string symbol_of(const Parameter& p) {
  const bool named = p.kind == Kind::flag || p.kind == Kind::choice;
  return named ? "" : cell(p.symbol);
}

std::string aliases_of(const Parameter& p) {
  std::vector<std::string> names;
  for (const char* alias : p.aliases) {
    if (alias != nullptr) names.push_back(code(alias));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string parameter_table(const LawInfo& info) {
  std::string text =
      table_head({"key", "symbol", "unit", "range", "default", "meaning", "source", "other names"});
  for (const Parameter& p : info.parameters) {
    text +=
        table_row({code(p.name), symbol_of(p), cell(unbroken(p.unit)), cell(range_text(p)),
                   value_text(p, p.default_value), cell(p.text), cell(p.source), aliases_of(p)});
  }
  return text + "\n";
}

std::string orders_of(const LawInfo& info) {
  std::vector<std::string> orders;
  orders.reserve(info.orders.size());
  for (const Order& order : info.orders) {
    orders.push_back(
        fmt::format("`{}` {} `{}`", order.greater, order.strict ? ">" : "≥", order.smaller));
  }
  return orders.empty() ? "" : fmt::format("Required: {}.\n\n", fmt::join(orders, ", "));
}

bool has_own_sources(const LawInfo& info) {
  return std::any_of(info.parameters.begin(), info.parameters.end(),
                     [](const Parameter& p) { return *p.source != '\0'; });
}

std::string parameters(const LawInfo& info) {
  std::string text = "## Parameters\n\n" + parameter_table(info) + orders_of(info);
  if (has_own_sources(info)) {
    text += "A parameter without a source of its own has that of the law.\n\n";
  }
  return text;
}

std::string state_table(const AnyLaw& law) {
  const std::vector<StateColumn> columns = law.line(1)->columns();
  std::string text = "## State\n\n" + table_head({"name", "unit", "kind"});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::string name = code(columns[i].name);
    if (columns[i].of_array) {  // many alike: the first and the last will do
      const StateColumn& first = columns[i];
      while (i + 1 < columns.size() && columns[i + 1].of_array &&
             columns[i + 1].unit == first.unit) {
        ++i;
      }
      if (&columns[i] != &first) name += " … " + code(columns[i].name);
    }
    text += table_row(
        {name, cell(columns[i].unit), columns[i].discrete ? "mode or counter" : "continuous"});
  }
  return text + "\n";
}

std::string capabilities_of(const AnyLaw& law) {
  std::string text = "## Capabilities\n\n";
  for (const Capability c : capabilities) {
    if (law.info().can(c)) text += fmt::format("- **{}**: {}\n", to_string(c), prose(meaning(c)));
  }
  return text + fmt::format(
                    "\n{} with the default parameters. [All laws](README.md#capabilities) "
                    "in one table.\n\n",
                    law.passive(load) ? "Passive" : "Not proved passive");
}

std::string picture(const AnyLaw& law, std::string_view ending, std::string_view what) {
  return fmt::format("![{}]({}{}.svg)\n\n", what, law.name(), ending);
}

std::string section(std::string_view heading, std::string_view text) {
  return text.empty() ? "" : fmt::format("## {}\n\n{}\n\n", heading, sentence(text));
}

std::string examples(const AnyLaw& law) {
  std::string text = "## Example\n\nThe steady curve; `--plot FILE.html` draws it.\n\n" +
                     transcript(curve_example(law));
  if (law.info().can(Capability::memory)) {
    text += "Friction while the slip oscillates; `--plot FILE.html` draws this too.\n\n" +
            transcript(trace_example(law));
  }
  return text;
}

// ---- the index ----------------------------------------------------------------------------------

std::string link_to(const LawInfo& info) { return fmt::format("[{0}]({0}.md)", info.page.name); }

std::string table_of_laws() {
  std::string text = table_head({"law", "title", "when to use it"});
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    text +=
        table_row({link_to(law.info()), cell(law.info().page.title), cell(law.info().page.use)});
  }
  return text + "\n";
}

std::string table_of_capabilities() {
  std::vector<std::string> headings{"law"};
  for (const Capability c : capabilities) headings.emplace_back(to_string(c));
  headings.insert(headings.end(), {"passive with the defaults", "step with frozen inputs"});
  std::string text = table_head(headings);
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    std::vector<std::string> cells{link_to(law.info())};
    for (const Capability c : capabilities) cells.emplace_back(law.info().can(c) ? "✓" : "");
    cells.emplace_back(law.passive(load) ? "yes" : "no");
    cells.push_back(cell(law.info().page.advance));
    text += table_row(cells);
  }
  return text + "\n";
}

}  // namespace

std::string law_page(const AnyLaw& law) {
  const LawInfo& info = law.info();
  const Page& page = info.page;
  const bool memory = info.can(Capability::memory);
  std::string text = fmt::format("# {}\n\n", prose(page.title));
  text += fmt::format("[Friction laws](README.md) · `{}` · {}\n\n", page.name, prose(page.source));
  text += section("When to use it", page.use);
  text += "## Formula\n\n" + displays(page.formula);
  text += prose("Friction F > 0 resists slip v > 0 under the normal load f_n.") + "\n\n";
  text += picture(law, "", "Steady friction against slip velocity");
  text += section("Limits", page.limits);
  text += parameters(info);
  if (memory) {
    text += state_table(law);
    text += "Friction in a slow motion to and fro of growing amplitude, from rest:\n\n";
    text += picture(law, "-loop", "Friction against displacement in slow motion to and fro");
  }
  text += section("Step with frozen inputs", page.advance);
  text += capabilities_of(law);
  text += section("Printed as", page.printed);
  text += examples(law);
  text.pop_back();  // sections end with a blank line, the file does not
  return text;
}

std::string index_page() {
  std::string text =
      "# Friction laws\n\n"
      "One page for each law: its formula, parameters, limits, curves and an example. The pages "
      "are generated from the descriptions in `include/bristle/friction/` by `make docs`.\n\n"
      "![Steady friction of all laws](all-curves.svg)\n\n";
  text += "## Laws\n\n" + table_of_laws();
  text += "## Capabilities\n\n";
  for (const Capability c : capabilities) {
    text += fmt::format("- **{}**: {}\n", to_string(c), prose(meaning(c)));
  }
  text += fmt::format(
      "- **passive**: proved never to give back more energy than was put in, here with the default "
      "parameters under {:g} N\n"
      "- **step with frozen inputs**: how exact the law's own step is while slip and load stay "
      "constant\n\n",
      load);
  text += table_of_capabilities();
  text +=
      "A solver asks for the capabilities it needs. A law that lacks one is refused by name, with "
      "the laws that have it:\n\n" +
      transcript(refusal_example());
  text.pop_back();
  return text;
}

}  // namespace bristle::docgen
