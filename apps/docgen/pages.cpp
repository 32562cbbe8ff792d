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
  return text + "\n[All laws](README.md#capabilities) in one table.\n\n";
}

// ---- what was measured --------------------------------------------------------------------------

/// Three digits, with a proper minus.
std::string number(double x) {
  const double digits = std::stod(fmt::format("{:.3g}", std::abs(x)));  // 8820 and not 8.82e+03
  return fmt::format("{}{:g}", x < 0 ? "−" : "", digits);
}
std::string micro(double x) { return number(1e6 * x); }

std::string shares(const VaryingPull& pull) {
  return fmt::format("{:g} % ± {:g} %", 100 * pull.mean, 100 * pull.swing);
}

bool creeps(const AnyLaw& law) {
  return !law.info().can(Capability::memory) && !law.info().can(Capability::set_valued);
}

std::string drift_section(const Drift& drift) {
  std::vector<std::string> moves, rates;
  for (std::size_t k = 0; k < varying_pulls.size(); ++k) {
    moves.push_back(fmt::format("{} µm per cycle under {}", micro(drift.per_cycle[k]),
                                shares(varying_pulls[k])));
    rates.push_back(micro(drift.per_cycle[k] * drift_frequency));
  }
  const bool none = std::all_of(drift.per_cycle.begin(), drift.per_cycle.end(),
                                [](double moved) { return moved == 0.0; });
  std::string text = fmt::format(
      "A pull that varies at {:g} Hz below the static level of {:.4g} N moves the contact by {} of "
      "that level. ",
      drift_frequency, drift.level, fmt::join(moves, " and "));
  if (none) text += "It holds its place. ";
  if (creeps(drift.law)) {
    text += fmt::format("It has no rest: this is a steady creep, on average {} µm/s. ",
                        fmt::join(rates, " and "));
  }
  return "## Drift under a varying load\n\n" + text +
         "[All laws](README.md#drift-under-a-varying-load) in one table.\n\n";
}

std::string counter_example(const NegativeLoss& loss) {
  const std::string state = loss.state.empty() ? "" : fmt::format("`{}`, ", loss.state);
  return fmt::format(
      "Counter-example: pulled from rest over {} µm at {} µm/s ({}{:.4g} µJ stored) and then moved "
      "at v = {} m/s, the contact has F = {} N and a dissipation of {} W, that is {} |F| |v|. The "
      "lowest such ratio found up to {} m/s is {}.\n\n",
      micro(loss.path), micro(pull_speed), state, 1e6 * loss.stored, number(loss.v),
      number(loss.force), number(loss.dissipation), number(loss.ratio), number(loss.fastest),
      number(loss.least_ratio));
}

std::string counter_example(const JumpGain& gain) {
  return fmt::format(
      "Counter-example, a jump: sliding ends while the force that would hold the contact is {} N. "
      "The contact stores {:.4g} µJ before and {:.4g} µJ after, and no work is done in between."
      "\n\n",
      number(gain.holding), 1e6 * gain.before, 1e6 * gain.after);
}

std::string energy_section(const AnyLaw& law) {
  std::string text = "## Energy\n\n";
  if (law.passive(load)) {
    text += fmt::format(
        "Passive with the default parameters under {:g} N: it never gives back more energy than "
        "was put in.\n\n",
        load);
  } else {
    text += fmt::format("Not passive with the default parameters under {:g} N. ", load);
    if (const auto loss = negative_loss(law)) {
      text += counter_example(*loss);
    } else if (const auto gain = jump_gain(law)) {
      text += counter_example(*gain);
    } else {
      text += "No counter-example was found.\n\n";
    }
  }
  for (const PassiveFrom& p : passive_from(law)) {
    text += fmt::format(
        "With the other parameters as they are it is passive from {0} = {1:.6g} {2} on, found by "
        "bisection; {3} = {4:.6g} {2}.\n\n",
        prose(p.parameter.symbol), p.value, p.parameter.unit, prose(p.formula), p.by_formula);
  }
  return text;
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

std::string table_of_drifts(const std::vector<Drift>& drifts) {
  std::vector<std::string> headings{"law", "static level (N)"};
  for (const VaryingPull& pull : varying_pulls)
    headings.push_back(shares(pull) + " (µm per cycle)");
  std::string text = table_head(headings);
  for (const Drift& drift : drifts) {
    std::vector<std::string> cells{link_to(drift.law.info()), fmt::format("{:.4g}", drift.level)};
    for (const double moved : drift.per_cycle) cells.push_back(micro(moved));
    text += table_row(cells);
  }
  return text + "\n";
}

/// Why LuGre drifts and the elasto-plastic law does not below its limit.
std::string reason_for_drift(const std::vector<Drift>& drifts) {
  const auto found = std::find_if(drifts.begin(), drifts.end(), [](const Drift& drift) {
    return drift.law.info().find("r_ba") != nullptr;
  });
  std::string text = prose(
      "In LuGre and Dahl the foot of the bristle moves at the speed σ0 |v| z/g, towards the side "
      "to which the bristle leans, whether the contact goes forth or back: each cycle takes it a "
      "little further along the mean pull, however far that is below the static level. In the "
      "elasto-plastic law the foot stays where it is while |z| ≤ z_ba: the contact is a spring and "
      "comes back.");
  if (found == drifts.end()) return text + "\n\n";
  const AnyLaw& law = found->law;
  std::vector<std::string> highest;
  highest.reserve(varying_pulls.size());
  for (const VaryingPull& pull : varying_pulls) {
    highest.push_back(fmt::format("{:.4g}", (pull.mean + pull.swing) * found->level));
  }
  return text + prose(fmt::format(" Its limit is σ0 z_ba = {} N; the two pulls reach {} N.\n\n",
                                  number(law.get("r_ba") * law.get("mu_k") * load),
                                  fmt::join(highest, " N and ")));
}

std::string drift_chapter(const std::vector<Drift>& drifts) {
  int finest = 0;
  for (const Drift& drift : drifts) finest = std::max(finest, drift.steps);
  const auto step = [](int steps) { return micro(1 / (drift_frequency * steps)); };
  std::string text = "## Drift under a varying load\n\n";
  text += fmt::format(
      "A contact with the default parameters under {:g} N carries a pull that varies as a sine of "
      "{:g} Hz about a share of its static level. There is no inertia: in every step the slip is "
      "the one after which friction equals the pull. The static level is what a set-valued law can "
      "hold at rest, the peak of a smooth function of velocity, and for a law with memory the "
      "force at which it first gives way when pulled slowly.\n\n",
      load, drift_frequency);
  text += table_of_drifts(drifts);
  text += fmt::format(
      "Displacement per cycle, the mean of cycles {} to {}; 0 is less than {} µm. The step is {} "
      "µs, halved until the drift changes by less than {:g} % or {} µm: down to {} µs.\n\n",
      drift_settling + 1, drift_settling + drift_measured, micro(no_drift), step(drift_coarsest),
      100 * drift_accuracy, micro(no_drift), step(finest));
  text +=
      "Set-valued laws hold exactly, and so does a spring that slides only when fully stretched. "
      "Smooth functions of velocity have no rest: they creep at a steady rate for as long as they "
      "are pulled. ";
  return text + reason_for_drift(drifts);
}

}  // namespace

std::string law_page(const Drift& drift) {
  const AnyLaw& law = drift.law;
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
  text += drift_section(drift);
  text += energy_section(law);
  text += capabilities_of(law);
  text += section("Printed as", page.printed);
  text += examples(law);
  text.pop_back();  // sections end with a blank line, the file does not
  return text;
}

std::string index_page(const std::vector<Drift>& drifts) {
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
  text += drift_chapter(drifts);
  text.pop_back();
  return text;
}

}  // namespace bristle::docgen
