// The page docs/bodies.md: what bodies in contact do under each method, against the reference
// solution of the same scenario. All numbers are of the scenarios that ship with the product.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/contact/rigid_impact.hpp"
#include "bristle/report/run_report.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/world_step.hpp"
#include "docgen.hpp"

namespace bristle::docgen {
namespace {

constexpr double degree = std::numbers::pi / 180;

Setting set(std::string key, const std::string& value) { return {std::move(key), value, "", 0}; }
Setting set(std::string key, double value) {
  return {std::move(key), fmt::format("{}", value), "", 0};
}

std::optional<RunResult> try_run(const std::string& name, const std::vector<Setting>& settings) {
  try {
    const Scenario scenario = load_scenario(name, settings);
    return run(scenario, scenario.options);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Largest slip from t on.
double slip_after(const RunResult& result, double t) {
  double largest = 0;
  for (std::size_t i = 0; i < result.columns.front().values.size(); ++i) {
    if (result.columns.front().values[i] > t) {
      largest = std::max(largest, result.column("slip")[i]);
    }
  }
  return largest;
}

/// Along the slope, over the last second.
double rolling_acceleration(const RunResult& result) {
  const std::vector<double>&t = result.columns.front().values, &x = result.column("vx"),
        &z = result.column("vz");
  const double c = std::cos(20 * degree), s = std::sin(20 * degree);
  const auto speed = [&](std::size_t i) { return c * x[i] - s * z[i]; };
  const std::size_t last = t.size() - 1, first = 2 * last / 3;
  return (speed(last) - speed(first)) / (t[last] - t[first]);
}

std::string ball_table() {
  const double exact = 5.0 / 7 * 9.81 * std::sin(20 * degree);
  std::string text =
      table_head({"method", "step", "first rebound", "largest slip after 1.1 s (m/s)",
                  "error of the rolling acceleration", "energy error"});
  const auto row = [&](const std::string& method, double step) {
    const auto result = try_run(
        "ball-incline",
        {set("solver.method", method), set("solver.step", step), set("solver.rtol", 1e-10)});
    const bool fixed = is_fixed_step(method);
    const std::string shown = fixed ? fmt::format("{:g} ms", 1e3 * step) : "adaptive";
    if (!result) {
      text += table_row({method, shown, "diverges", "–", "–", "–"});
      return;
    }
    text +=
        table_row({method, shown, fmt::format("{:.5f}", result->metrics.at("first_restitution")),
                   fmt::format("{:.1e}", slip_after(*result, 1.1)),
                   fmt::format("{:.1e}", std::abs(rolling_acceleration(*result) / exact - 1)),
                   fmt::format("{:.1e}", result->energy.relative_error)});
  };
  row("event", 1e-3);
  row("cvode", 1e-3);
  for (const char* method : {"bristle", "euler", "semi-implicit", "heun", "ode3", "rk4"}) {
    row(method, 1e-3);
  }
  for (const char* method : {"euler", "ode3", "rk4"}) row(method, 1e-4);
  return text;
}

std::string pendulum_table() {
  std::string text = table_head(
      {"method", "step", "impacts", "first rebound", "φ1 (deg)", "φ2 (deg)", "sticks from (s)"});
  const auto row = [&](const std::string& method, double step) {
    const auto result =
        try_run("double-pendulum", {set("solver.method", method), set("solver.step", step)});
    const bool fixed = is_fixed_step(method);
    const std::string shown = fixed ? fmt::format("{:g} ms", 1e3 * step) : "adaptive";
    const bool sane =
        result && std::abs(result->final("phi2")) < 10 && result->energy.relative_error < 1;
    if (!sane) {
      text += table_row({method, shown, "–", "explodes", "–", "–", "–"});
      return;
    }
    text += table_row({method, shown, fmt::format("{}", result->impacts.size()),
                       fmt::format("{:.5f}", result->metrics.at("first_restitution")),
                       fmt::format("{:.3f}", result->final("phi1") / degree),
                       fmt::format("{:.3f}", result->final("phi2") / degree),
                       fmt::format("{:.2f}", result->metrics.at("stick_from"))});
  };
  row("event", 1e-3);
  for (const char* method : {"bristle", "euler", "heun", "ode3", "rk4"}) row(method, 1e-3);
  for (const double step : {5e-4, 2e-4, 1e-4, 5e-5}) row("ode3", step);
  return text;
}

/// Final angles of the 1 ms step with its grid shifted over one step, against the converged ones.
std::string phase_table() {
  std::string text = table_head({"variant", "converged φ1, φ2 (deg)", "worst error over 40 phases",
                                 "worst gain at an impact (J)"});
  for (const bool bounded : {false, true}) {
    const std::vector<Setting> variant{set("bounded", bounded ? "true" : "false")};
    const auto exact = try_run("double-pendulum", variant);
    const World world = *load_scenario("double-pendulum", variant).world;
    double off1 = 0, off2 = 0, gain = -1e300;
    for (int k = 0; k < 40; ++k) {
      WorldStepper stepper(world);
      stepper.step(1e-3 * (k + 0.5) / 40);
      while (stepper.time() < 12) stepper.step(1e-3);
      for (const Impact& impact : stepper.impacts()) gain = std::max(gain, -impact.lost);
      off1 = std::max(off1, std::abs(stepper.angles(0)[0] - exact->final("phi1")) / degree);
      off2 = std::max(off2, std::abs(stepper.angles(0)[1] - exact->final("phi2")) / degree);
    }
    text += table_row({bounded ? "bounded ż" : "unbounded ż (2004)",
                       fmt::format("{:.3f}, {:.3f}", exact->final("phi1") / degree,
                                   exact->final("phi2") / degree),
                       fmt::format("{:.3f}, {:.3f}", off1, off2), fmt::format("{:.1e}", gain)});
  }
  return text;
}

/// Inverse inertia and velocity at the tip of the benchmark's pendulum.
double rigid_loss(const DoublePendulum& p, double mu, double e, ImpactLaw law) {
  const Eigen::Vector2d theta = p.absolute({p.phi1, p.phi2}), rate = p.absolute({p.rate1, p.rate2});
  const DoublePendulum::Trig trig(theta);
  const auto inertia = p.inertia(trig);
  const auto [by1, by2] = p.columns(trig, Vector3::Zero());
  const Eigen::Vector2d t(by1.x(), by2.x()), n(by1.z(), by2.z());
  const ContactInertia w{t.dot(inertia.solve(t)), t.dot(inertia.solve(n)), n.dot(inertia.solve(n))};
  const RigidImpact impact = rigid_impact(w, {t.dot(rate), n.dot(rate)}, mu, e, law);
  return 100 * impact.energy_lost / inertia.energy(rate);
}

std::string benchmark_table(bool first_case, bool relative) {
  std::string text = table_head({"e", "μ", "compliant", "Newton", "Poisson", "Stronge"});
  for (const double e : {0.01, 0.5, 1.0}) {
    for (const double mu : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
      const std::vector<Setting> settings{set("angle1", first_case ? "18 deg" : "0 deg"),
                                          set("angle2", first_case ? "12 deg" : "20.7 deg"),
                                          set("angles_are", relative ? "relative" : "absolute"),
                                          set("e", e),
                                          set("mu", mu),
                                          set("duration", "0.5 s")};
      const Scenario scenario = load_scenario("pendulum-impact", settings);
      const RunResult result = run(scenario, scenario.options);
      const DoublePendulum& p = scenario.world->pendulums.front();
      const auto rigid = [&](ImpactLaw law) {
        return fmt::format("{:.2f}", rigid_loss(p, mu, e, law));
      };
      text += table_row({fmt::format("{:g}", e), fmt::format("{:g}", mu),
                         fmt::format("{:.2f}", result.metrics.at("first_loss_percent")),
                         rigid(ImpactLaw::newton), rigid(ImpactLaw::poisson),
                         rigid(ImpactLaw::stronge)});
    }
  }
  return text;
}

}  // namespace

std::string patch_svg() {
  Scenario scenario = load_scenario("block");
  scenario.options.duration = 0.1;
  return patch_picture(run(scenario, scenario.options).patches.at(0)).svg;
}

std::string bodies_page() {
  std::string page = R"(# Bodies in contact

```
$ bristle run ball-incline          # bounces three times, then rolls
$ bristle run ball-bore-3d          # a ball in a cylinder
$ bristle run double-pendulum       # hits a floor, slides, comes to rest held by friction
$ bristle run pendulum-impact --set e=0.01 --set mu=0.4
$ bristle run restitution --set normal.e=0.3 --set v='5 m/s'
$ bristle run rolling               # rolling resistance
```

![A ball in a cylinder](bore-path.svg)

A world is a scenario whose bodies have a `shape`, or that has `pendulums`. z is up; pairs that may
touch are listed under `contacts`; each has a normal law and a friction law.

```yaml
# bowl.yaml: a steel ball and a rubber one in a lying cylinder
duration: 3 s
materials:
  steel:  {k: 1e9, e: 0.9, mu: 0.2}     # k against a rigid body, N/m^1.5
  rubber: {k: 1e6, e: 0.7, mu: 0.8}
material_pairs:
  - {between: [steel, steel], mu: 0.15}  # measured pairs come first
mixing: geometric                        # or minimum, average, maximum: for what was not measured
bodies:
  one:   {shape: {sphere: {radius: 50 mm}}, density: 7800 kg/m^3, material: steel, position: [0.3, 0, 0]}
  other: {shape: {sphere: {radius: 80 mm}}, mass: 1 kg, material: rubber, position: [-0.3, 0, 0]}
  bowl:  {shape: {bore: {radius: 1 m}}, fixed: true, material: steel, rotation: {axis: [1, 0, 0], angle: 90 deg}}
contacts:
  - {between: [one, bowl]}
  - {between: [other, bowl]}
  - {between: [one, other]}
normal: {law: gonthier}
friction: {law: gonthier, sigma0: 1e5, sigma1: 300, v_s: 0.01, tau_dw: 0.1}
```

- **Shapes**: `sphere`, `box`, `cylinder`, `capsule`, `half-space`, `bore`, `point`
  ([shapes.md](shapes.md)). Mass from `mass` or `density`; `inertia: [Ixx, Iyy, Izz]` replaces that of
  the solid shape.
- **`fixed: true`** holds a body; with `velocity`, `spin` or `drive: {x: …}` (a signal, as in rigs) it
  moves as it is told. `touching: NAME` shifts a body until it just touches another.
- **Pendulums**: `lengths`, `masses`, `links: rods | tips | middles`, `angles_are: relative | absolute`,
  `angles`, `rates`. Their tip touches fixed bodies.
- **Materials**: stiffnesses act in series; restitution and friction come from `material_pairs` where the
  pair was measured, else by the rule of `mixing` ([normal-laws.md](normal-laws.md)). What `normal` and
  `friction` say themselves comes before both.
- **Bad starts**: bodies that begin deep inside each other are run, with a warning that names the depth.
- **What is latched when**: a touch-down latches the damping of its normal law with the approach speed of that moment,
  until the bodies part; one that is slow and lasts is damped by that speed for as long as it lasts. Contacts that are
  there at the start (a gap below 10⁻¹² m, or inside) have no touch-down: they are latched with the speed that would
  press the bodies as deep as they are, or as deep as their weight presses them if that is deeper. The same goes for
  `volumetric` contacts; of shapes without points of contact (meshes, two boxes), those that share a volume at the start
  are there.
- **`rolling: {k_v, a, tensor}`** in a contact resists the rolling of a sphere on a half-space: of a free body, a link of
  a robot or the tip of a pendulum.

`summary.json` lists every impact: time, speeds in and out, restitution, impulse, energy lost. Plots have
the phases of contact shaded.

## Which method

`event` (Dormand–Prince with touch-down and lift-off as events) is the default and the reference;
`cvode` and `rodas` do the same; `bristle` is the fixed step for real time, and the only one for
set-valued laws between bodies. Explicit fixed steps see contact at the ends of steps. The ball on the
incline (reference: first rebound 0.483289):

)";
  page += ball_table();
  page += R"(
The double pendulum, whose impacts last 1.4 ms:

)";
  page += pendulum_table();
  page += R"(
The paper's end (2.2°, −65°, 6.5 s) is that of its own solver's error. A single end point of a fixed
step is luck; so the grid of the 1 ms step is shifted over one step:

)";
  page += phase_table();
  page += R"(
## What is conserved, and what is not

- Restitution is exact in every impact without other forces. With gravity acting during the 15–30 ms of
  a soft contact the rebound is lower, and that is right: 0.4833 instead of 0.5.
- Rolling in the cylinder, the ball loses 5·10⁻⁵ J/s. The friction that keeps it rolling changes along
  the way, the bristles follow with v_t = Ḟ/σ0, and their damping takes σ1 v_t². The paper draws the
  energy as constant; it is, to that level.
- |v| = R|ω| holds in the plane only. In three dimensions the ball also spins about the normal, which
  nothing resists at a point: |v| − R|ω| reaches 0.06 m/s.
- Bristles are carried with the surfaces: with the normal as it turns, and about it with the mean spin of
  both bodies. They are fresh after every parting (`reset: false` keeps them).

## One impact of a pendulum

Energy lost, in per cent of that before the impact, beside the laws of rigid bodies. Case b (0° and
20.7°, relative angles), where slip never stops: all laws agree, and the compliant model with them.

)";
  page += benchmark_table(false, true);
  page += R"(
Case a (18° and 12°): slip stops or turns round during the impact. The model's e is then no rigid law's
e, since the damping is latched from the speed of approach while the effective mass changes. Newton's law
creates energy where its loss is negative.

)";
  page += benchmark_table(true, true);
  page += R"(
Absolute angles, case a:

)";
  page += benchmark_table(true, false);
  page += R"(
## The step for real time

```cpp
WorldStepper stepper(world);
for (;;) stepper.step(1e-3);      // nothing allocated, nothing thrown, work bounded by counts
```

An impact is followed in sub-steps of a twentieth of its duration that conserve the first integral of
the normal law, so restitution does not depend on the step; lasting contact takes one midpoint step.
Normal force and friction are solved together; several contacts of one island are swept. `StepBudget`
bounds touch-downs and sub-steps. State is saved and restored whole. `bristle accuracy` prints its
errors in the tests by which other engines are compared, [speed.md](speed.md) its cost.

With its links nearly in line a pendulum is pressed down by friction faster than the normal force lifts it
(Painlevé's paradox). There a load is searched for, within bounds, that friction and the normal law both
answer to. Of 2 000 random pendulums (k 10⁵ to 10¹² N/m^1.5, e 0.05 to 1, μ up to 0.6, 3 s each) none has ever
more than 5·10⁻⁶ J above what it started with, of as many balls none more than 10⁻¹² J (test
`WorldStressRandom`, all of it with `make test-long`). Of 20 000 other pendulums two gained 0.01 J, with unbounded ż
and at steps of 0.1 ms as well: that law is not passive.

Limits: pairs are those listed, there is no search for others; a pair of boxes, or of cylinders, has no
contact yet; a gap that closes and opens again within one free step is missed; many stiff contacts on one
body converge slowly (the sweeps are bounded, and what is left is an error of the forces, not of stability).
)";
  return page;
}

Figure bore_figure() {
  const Scenario scenario = load_scenario("ball-bore-3d", {});
  return path_figure(run(scenario, scenario.options));
}

}  // namespace bristle::docgen
