#pragma once

/// Scenarios: a rig, its laws and how to run it, from a few lines of YAML.
///
///   bodies:   {block: {mass: 0.1 kg}}
///   frames:   {driver: {velocity: 2 mm/s}}
///   springs:  [{between: [block, driver], stiffness: 100 N/m}]
///   contacts: [{between: [block, ground], load: 1 N}]
///   friction: {law: lugre, mu_s: 0.25}
///   duration: 5 s
///
///   const Scenario scenario = load_scenario("mass-spring", settings);   // or "my.yaml"
///   const RunResult result = run(scenario, scenario.options);
///
/// Bodies with a `shape`, `pendulums`, `arms` and `robots` make a world instead of a rig: three
/// dimensions, gravity, contacts with a normal law.
///
///   bodies:
///     ball:  {shape: {sphere: {radius: 0.1}}, mass: 2 kg, position: [0, 0, 0.5]}
///     floor: {shape: {half-space: {}}, fixed: true}
///   contacts: [{between: [ball, floor]}]
///   normal:   {law: gonthier, k: 1e6, e: 0.5}
///   friction: {law: gonthier, mu_s: 0.45, mu_k: 0.4}
///
/// Built-in scenarios are such files too, found by name and free to include. `laws` holds the
/// scenario's own parameters for each law; choosing `friction.law` takes them. `$name` stands for
/// an entry of `parameters`, which `--set name=value` changes.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/setting.hpp"
#include "bristle/io/document.hpp"
#include "bristle/scenario/measurement.hpp"
#include "bristle/scenario/peg_hole.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

struct Scenario {
  std::string name, title, source, text;
  std::string law;                ///< of the first contact ("a, b" where they differ)
  std::string normal_law;         ///< of worlds
  std::vector<std::string> laws;  ///< for which the scenario has its own parameters
  Rig rig;                        ///< empty for a world
  std::optional<World> world{};   ///< bodies with shapes, pendulums
  std::optional<PegHole> peg{};   ///< a peg whose stages are logged
  RunOptions options;
  Measurement measurement{};  ///< what is logged with noise, beside the trajectory
  Document resolved;          ///< with includes, overrides and parameters filled in
};

/// Reads a robot, `robots: {arm: {model: arm.xml, …}}`, in the world's gravity. The library knows
/// none by itself: an adapter, such as bristle_mujoco, brings the reader.
using RobotReader = std::function<std::shared_ptr<const Mechanism>(
    const std::string& name, const Node& node, const Vector3& gravity)>;
void set_robot_reader(RobotReader reader);

/// With the scenario's own options, or others.
RunResult run(const Scenario& scenario, const RunOptions& options);
std::string default_method(const Scenario& scenario);

/// Names of the built-in scenarios, sorted; those with robots only where a reader of robots is set.
const std::vector<std::string>& scenario_names();
/// The YAML text of a built-in scenario.
std::string_view scenario_text(std::string_view name);

/// A built-in scenario or a file, with settings in the order given; InputError with file and line.
Scenario load_scenario(const std::string& name_or_file, const std::vector<Setting>& settings = {});
/// The same from a document; `name` is what results are called.
Scenario read_scenario(Document document, std::string name,
                       const std::vector<Setting>& settings = {});

}  // namespace bristle
