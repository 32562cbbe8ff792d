// The page docs/normal-laws.md: every normal law with its formula, use and limits, and what
// restitution it really gives.

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/restitution.hpp"
#include "docgen.hpp"

namespace bristle::docgen {
namespace {

const std::vector<double>& asked() {
  static const std::vector<double> e{0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99};
  return e;
}

/// The laws that have a restitution among their parameters.
std::vector<std::string> restitution_laws() {
  std::vector<std::string> names;
  for (const std::string& name : AnyNormal::names()) {
    if (AnyNormal(name).info().takes_restitution) names.push_back(name);
  }
  return names;
}

double achieved(AnyNormal law, double e) {
  law.set("e", e);
  return law.achieved(1);
}

std::string introduction() {
  return R"(# Normal laws

How hard two bodies press on each other while they touch. Written by `bristle_docgen normal`, from the
descriptions in `include/bristle/normal/` and by evaluating the laws.

```
$ bristle models                      # the normal laws are in the second list
$ bristle models normal.gonthier      # one law, its parameters, units, ranges
$ bristle restitution                 # what each law gives for what it is asked
```

Depth δ > 0 is penetration, δ̇ > 0 while approaching. A law is asked once, at touch-down, with the approach
speed v<sub>i</sub>; it answers with a force law that serves until the bodies part (`Press`):

$$
f = \max(0,\ k\,\delta^p\,(1 + a\,\dot\delta) + b\,\dot\delta)
$$

The force never pulls. k and p come from shape and material (p = 1 flat, 3/2 Hertz, 2 a cone); the laws differ
in a, which decides how much of the speed comes back.

```cpp
#include "bristle/normal/gonthier.hpp"

bristle::normal::Gonthier<> law;                    // parameters are members
law.k = 3e8;
law.e = 0.7;
const bristle::Press<> press = law.latch(v_i);      // at touch-down
const double f = press.force(depth, rate);          // until lift-off
```

By name it is a `bristle::AnyNormal`; `make_normal` reads settings with units and names what is wrong.

## Which one

Take `gonthier` unless you have a reason: it is the only law with losses whose free impact returns what was asked.
Take `hunt-crossley` when the material, not the impact, sets the damping, and for contacts that mostly rest.
`hertz` and `flat-punch` are elastic. `kelvin-voigt` is for real springs and dampers. The others are there to
compare with programs and papers that use them.

)";
}

std::string restitution_table() {
  std::vector<std::string> head{"law"};
  for (const double e : asked()) head.push_back(fmt::format("{}", e));
  std::string text = table_head(head);
  for (const std::string& name : restitution_laws()) {
    std::vector<std::string> row{fmt::format("[{}](#{})", name, name)};
    for (const double e : asked())
      row.push_back(fmt::format("{:.4f}", achieved(AnyNormal(name), e)));
    text += table_row(row);
  }
  return text;
}

std::string restitution_section() {
  std::string text = R"(## Restitution asked for and got

A free impact (no other force while the bodies touch) ends with a speed that depends on u = a v<sub>i</sub> only, not
on mass, k or p. It is e v<sub>i</sub> with

$$
u - \ln(1+u) + e\,u + \ln(1 - e\,u) = 0
$$

`effective_restitution(u)` solves this for e, `solve_d(e)` for d = e u; the laws read d(e) from a table (64 pieces,
12 terms), within 10<sup>−14</sup> of the solution and a few nanoseconds away. Top row: e as asked.

)";
  text += restitution_table();
  text += fmt::format(
      "\n`bristle restitution --e {} --law {}` prints these numbers with all digits; with "
      "`--check` "
      "it also integrates each impact. `hunt-crossley` with α = (1 − e)/v<sub>i</sub> is "
      "`marhefka-orin`.\n\n![Restitution asked for and got](restitution.svg)\n\n",
      fmt::join(asked(), ","), fmt::join(restitution_laws(), ","));
  text +=
      R"(With gravity acting during a soft contact the measured ratio is lower than e, and that is right: the law
knows the impact, not the weight. Bounces end by themselves once the weight keeps the contact closed; the last
v<sub>i</sub> stays latched.

)";
  return text;
}

std::string floors_section() {
  AnyNormal law("gonthier");
  const double floor = law.get("v_floor");
  std::string table = table_head({"v<sub>i</sub> / v_floor", "restitution for e = 0.5"});
  for (const double share : {1.0, 0.5, 0.1, 0.01}) {
    table +=
        table_row({fmt::format("{}", share), fmt::format("{:.4f}", law.achieved(share * floor))});
  }
  return fmt::format(R"(## Limits: plastic impacts and slow touch

u grows as 1/e, so e = 0 would need an infinite force at the first touch. The laws hold e(v<sub>i</sub>) = e − α
v<sub>i</sub> between 0.001 and 1: e = 0 returns a thousandth of the speed, a millionth of the energy.

a = u/v<sub>i</sub> grows without bound as v<sub>i</sub> → 0. Below `v_floor` ({:g} m/s by default) it grows no
further: the force stays finite and continuous, and a slower touch is more elastic than asked:

{}
)",
                     floor, table);
}

std::string materials_section() {
  return R"(## Two materials

`materials.hpp` has the sums 1/E* = Σ (1 − ν²)/E and 1/R = Σ 1/R<sub>i</sub>, Hertz's k = 4/3 E* √R, the flat punch's
2 r E*, and two rules for stiffnesses measured against a rigid body:

- one contact, 1/k = 1/k₁ + 1/k₂: both surfaces share one contact area, as in Hertz's theory, where k is in
  proportion to E*;
- two layers one behind the other, k<sup>−1/p</sup> = k₁<sup>−1/p</sup> + k₂<sup>−1/p</sup>: forces are equal and deflections
  (f/k<sub>i</sub>)<sup>1/p</sup> add.

They agree for p = 1. For equal materials and p = 3/2 they give k/2 and 0.35 k.

Restitution and friction belong to a pair. A table of measured pairs comes first; where it is silent, the geometric
mean stands in, or the minimum, average or maximum if you say so. None of these has a physical reason behind it.

)";
}

std::string parameter_list(const ModelInfo& info) {
  std::string text = table_head({"key", "symbol", "unit", "default", "range", "meaning"});
  for (const Parameter& p : info.parameters) {
    text += table_row({code(p.name), cell(p.symbol), cell(p.unit), value_text(p, p.default_value),
                       cell(to_string(p.range)), cell(p.text)});
  }
  return text + "\n";
}

std::string law_section(const NormalInfo& info) {
  const Page& page = info.page;
  std::string text = fmt::format("### {}\n\n{}. {}\n\n{}Use: {}\n\nLimits: {}\n\n", page.name,
                                 prose(page.title), sentence(page.source), displays(page.formula),
                                 prose(page.use), prose(page.limits));
  if (*page.printed != '\0') text += fmt::format("Printed: {}.\n\n", prose(page.printed));
  if (info.takes_restitution && std::string_view(page.name) != "gonthier") {
    return text + "Parameters: as [gonthier](#gonthier).\n\n";
  }
  return text + parameter_list(info);
}

}  // namespace

std::string normal_page() {
  std::string text = introduction() + restitution_section() + floors_section() +
                     materials_section() + "## The laws\n\n";
  for (const std::string& name : AnyNormal::names()) text += law_section(AnyNormal(name).info());
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

Figure restitution_figure() {
  Panel panel{.x_label = "Restitution asked for, e", .y_label = "Restitution of a free impact"};
  for (const std::string& name : restitution_laws()) {
    Series series{.label = name};
    for (int i = 1; i <= 100; ++i) {
      series.x.push_back(i / 100.0);
      series.y.push_back(achieved(AnyNormal(name), i / 100.0));
    }
    panel.series.push_back(series);
  }
  return {.title = "Restitution asked for and got",
          .caption = "Without other forces, for any mass, stiffness and exponent.",
          .panels = {panel}};
}

}  // namespace bristle::docgen
