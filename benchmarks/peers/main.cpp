// Bristle beside MuJoCo and Bullet: the same scenes, steps of 1 ms, one run, one thread.
//
//   bristle_peers [--quick] [--json FILE]        Markdown on standard output
//
// Times are the best of many rounds in which the engines take turns; allocations are those of the
// whole process while an engine steps; accuracy is that of the tests of `bristle accuracy`.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/world_step.hpp"
#include "measure.hpp"

namespace bristle::peers {
namespace {

using Json = nlohmann::ordered_json;

class OwnEngine final : public TestEngine {
 public:
  explicit OwnEngine(const World& world) : stepper_(world), pendulum_(!world.pendulums.empty()) {}
  void step(double h) override { stepper_.step(h); }
  Vector3 position() const override {
    if (!pendulum_) return stepper_.pose(0).position;
    return {stepper_.angles(0)[0], stepper_.angles(0)[1], 0};
  }
  Vector3 velocity() const override {
    if (!pendulum_) return stepper_.velocity(0);
    return {stepper_.rates(0)[0], stepper_.rates(0)[1], 0};
  }

 private:
  WorldStepper stepper_;
  bool pendulum_;
};

Contender mujoco(const char* settings, const MujocoSettings& s) {
  return {"MuJoCo", settings, [s](const TestScene& scene) { return make_mujoco(scene, s); }};
}
Contender bullet(const char* settings, const BulletSettings& s) {
  return {"Bullet", settings, [s](const TestScene& scene) { return make_bullet(scene, s); }};
}

// ---- scenes -------------------------------------------------------------------------------------

std::vector<RestRow> at_rest(int count, int rounds) {
  return measure_rest({{"Bristle", "", cli::make_bristle},
                       mujoco("as it comes", {}),
                       mujoco("CG, unused stages off", {.solver = "CG", .lean = true}),
                       mujoco("CG, elliptic, unused stages off",
                              {.solver = "CG", .cone = "elliptic", .lean = true}),
                       bullet("no sleeping", {}),
                       bullet("no sleeping, fewer boxes updated", {.lean = true}),
                       bullet("asleep", {.sleep = true})},
                      count, rounds);
}

/// The scenario ball-incline, in a frame whose z is the normal of the plane.
std::vector<TrackRow> ball_incline(int rounds) {
  const double angle = std::numbers::pi / 9;
  const TestScene scene{.shape = Sphere{0.1},
                        .mass = 2,
                        .gap = 0.4,
                        .velocity = Vector3(-std::cos(angle), 0.5, -std::sin(angle)),
                        .gravity = 9.81 * Vector3(std::sin(angle), 0, -std::cos(angle)),
                        .mu = 0.4,
                        .e = 0.5};
  const World world = load_scenario("ball-incline").world.value();
  return measure_track(
      {{"Bristle", "", [&] { return std::make_unique<OwnEngine>(world); }},
       {"MuJoCo", "as it comes", [&] { return make_mujoco(scene, {}); }},
       {"Bullet", "no sleeping", [&] { return make_bullet(scene, {}); }},
       {"Bullet", "set to bounce", [&] { return make_bullet(scene, {.bounce = true}); }}},
      3000, rounds);
}

/// The scenario double-pendulum, of which the last two seconds are rest.
std::vector<TrackRow> double_pendulum(int rounds) {
  const World world = load_scenario("double-pendulum").world.value();
  const DoublePendulum& p = world.pendulums[0];
  const PendulumScene scene{p.l1,    p.l2,    p.m1,  p.m2, p.phi1, p.phi2,
                            p.rate1, p.rate2, -0.61, 0.12, 0.9};
  return measure_track(
      {{"Bristle", "", [&] { return std::make_unique<OwnEngine>(world); }},
       {"MuJoCo", "as it comes", [&] { return make_mujoco(scene, {}); }},
       {"MuJoCo", "unused stages off", [&] { return make_mujoco(scene, {.lean = true}); }},
       {"MuJoCo", "set to bounce, unused stages off",
        [&] { return make_mujoco(scene, {.lean = true, .spring = 0.02}); }}},
      10000, rounds);
}

struct AccuracyRow {
  std::string engine, settings;
  std::vector<cli::RestitutionRow> restitution;
  std::vector<cli::InclineRow> incline;
  cli::RollingRow rolling;
};
std::vector<AccuracyRow> accuracy(int phases) {
  std::vector<AccuracyRow> rows;
  for (const Contender& c :
       {Contender{"Bristle", "", cli::make_bristle}, mujoco("as it comes", {}),
        mujoco("set to hold", {.cone = "elliptic", .impratio = 100, .noslip = 10}),
        mujoco("set to bounce", {.spring = 0.02}), bullet("as it comes", {}),
        bullet("set to bounce", {.bounce = true})}) {
    AccuracyRow row{c.engine, c.settings, {}, {}, cli::test_rolling(c.make, step)};
    for (const double e : {0.5, 0.9}) {
      for (const double v : {0.1, 1.0, 5.0}) {
        row.restitution.push_back(cli::test_restitution(c.make, e, v, 2e-3, step, phases));
      }
    }
    for (const double way : {0.0, 45.0}) {
      row.incline.push_back(cli::test_incline(c.make, way, step));
    }
    rows.push_back(row);
  }
  return rows;
}

// ---- what is printed ----------------------------------------------------------------------------

std::string multiple(double ns, double own) {
  return ns == own ? "1" : fmt::format("{:.1f}", ns / own);
}

void print_rest(const std::vector<RestRow>& rows) {
  for (const RestRow& r : rows) {
    fmt::print("| {} | {} | {} | {:.0f} | {} | {:g} | {:.3g} | {:.2g} |\n", r.count, r.engine,
               r.settings, r.ns, multiple(r.ns, rows[0].ns), r.allocations, 1e6 * r.depth,
               1e6 * r.drift);
  }
}
void print_track(const char* scene, const std::vector<TrackRow>& rows) {
  for (const TrackRow& r : rows) {
    fmt::print("| {} | {} | {} | {:.0f} | {:.0f} | {} | {:.2f} | {:.1f} | {:.2g} |\n", scene,
               r.engine, r.settings, r.ns, 1e6 / r.ns, multiple(r.ns, rows[0].ns), 1e-3 * r.median,
               1e-3 * r.worst, r.allocations);
  }
}
void print_accuracy(const std::vector<AccuracyRow>& rows) {
  for (const AccuracyRow& r : rows) {
    fmt::print("| {} | {} |", r.engine, r.settings);
    for (const auto& e : r.restitution) fmt::print(" {:.2f} ± {:.2g} |", e.mean, e.worst_error);
    fmt::print(" {:.2g} / {:.2g} |", 1e6 * r.incline[0].creep, 1e6 * r.incline[1].creep);
    fmt::print(" {:.2g} / {:.2g} |", 100 * r.incline[0].acceleration_error,
               100 * r.incline[1].acceleration_error);
    fmt::print(" {:.2g} |\n", 100 * r.rolling.acceleration_error);
  }
}

// ---- JSON, SI units -----------------------------------------------------------------------------

void add_rest(Json& list, const std::vector<RestRow>& rows) {
  for (const RestRow& r : rows) {
    list.push_back({{"engine", r.engine},
                    {"settings", r.settings},
                    {"count", r.count},
                    {"seconds", 1e-9 * r.ns},
                    {"allocations", r.allocations},
                    {"depth", r.depth},
                    {"drift", r.drift}});
  }
}
void add_track(Json& list, const char* scene, const std::vector<TrackRow>& rows) {
  for (const TrackRow& r : rows) {
    list.push_back({{"scene", scene},
                    {"engine", r.engine},
                    {"settings", r.settings},
                    {"seconds", 1e-9 * r.ns},
                    {"median", 1e-9 * r.median},
                    {"worst", 1e-9 * r.worst},
                    {"allocations", r.allocations}});
  }
}
void add_accuracy(Json& list, const std::vector<AccuracyRow>& rows) {
  for (const AccuracyRow& r : rows) {
    Json row{{"engine", r.engine}, {"settings", r.settings}};
    for (const auto& e : r.restitution) {
      row["restitution"].push_back(
          {{"e", e.e}, {"v", e.v}, {"mean", e.mean}, {"worst_error", e.worst_error}});
    }
    for (const auto& i : r.incline) {
      row["incline"].push_back({{"degrees", i.degrees},
                                {"creep", i.creep},
                                {"acceleration_error", i.acceleration_error}});
    }
    row["rolling"] = {{"acceleration_error", r.rolling.acceleration_error}};
    list.push_back(row);
  }
}

void run(bool quick, const std::string& json_file) {
  Json json{{"step", step},          {"mujoco", mujoco_version()}, {"bullet", bullet_version()},
            {"rest", Json::array()}, {"tracks", Json::array()},    {"accuracy", Json::array()}};
  fmt::print("MuJoCo {}, Bullet {} (double precision), steps of {:g} ms.\n\n", mujoco_version(),
             bullet_version(), 1e3 * step);
  fmt::print(
      "| spheres | engine | settings | ns per sphere-step | × Bristle | allocations per step | "
      "depth (µm) | drift (µm/s) |\n|---|---|---|---|---|---|---|---|\n");
  for (const int count : {1, 1000}) {
    const auto rows = at_rest(count, (quick ? 10 : 200) / (count > 1 ? 2 : 1));
    print_rest(rows);
    add_rest(json["rest"], rows);
  }
  fmt::print(
      "\n| motion | engine | settings | ns per step | thousand steps per s | × Bristle | median "
      "step (µs) | worst step (µs) | allocations per step |\n|---|---|---|---|---|---|---|---|---|"
      "\n");
  const auto ball = ball_incline(quick ? 5 : 40), pendulum = double_pendulum(quick ? 5 : 20);
  print_track("ball, 3 s", ball);
  print_track("double pendulum, 10 s", pendulum);
  add_track(json["tracks"], "ball-incline", ball);
  add_track(json["tracks"], "double-pendulum", pendulum);
  fmt::print(
      "\n| engine | settings | e = 0.5 at 0.1 m/s | 1 m/s | 5 m/s | e = 0.9 at 0.1 m/s | 1 m/s | "
      "5 m/s | creep x / 45° (µm) | slide x / 45° (%) | rolling (%) |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  const auto rows = accuracy(quick ? 5 : 20);
  print_accuracy(rows);
  add_accuracy(json["accuracy"], rows);
  if (!json_file.empty()) std::ofstream(json_file) << json.dump(2) << "\n";
}

}  // namespace
}  // namespace bristle::peers

int main(int argc, char** argv) try {
  bool quick = false;
  std::string json_file;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      quick = true;
    } else if (argument == "--json" && i + 1 < argc) {
      json_file = argv[++i];
    } else {
      fmt::print(stderr, "usage: bristle_peers [--quick] [--json FILE]\n");
      return 2;
    }
  }
  bristle::peers::run(quick, json_file);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bristle_peers: {}\n", error.what());
  return 1;
}
