// Looking on while parameters are sought, and stopping it at any stage.

#include "bristle/identify/watch.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/task.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

/// y = a e^(−b t), with a count of the looks at it.
class CountedDecay final : public Problem {
 public:
  CountedDecay() {
    unknowns_ = {
        {.name = "a", .low = 0.01, .high = 100, .usual_low = 0.1, .usual_high = 10, .log = true},
        {.name = "b", .low = 0.01, .high = 100, .usual_low = 0.1, .usual_high = 10, .log = true}};
  }
  int residuals() const noexcept override { return 50; }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    ++looks;
    for (std::size_t k = 0; k < r.size(); ++k) {
      const double t = 0.05 * static_cast<double>(k);
      r[k] = p[0] * std::exp(-p[1] * t) - 2 * std::exp(-0.7 * t) - 0.01 * std::sin(40 * t * t);
    }
    return true;
  }
  mutable std::atomic<long> looks{0};
};

TEST(WatchedProblem, IsTheSameUntilItIsStopped) {
  const CountedDecay decay;
  Watch watch;
  const WatchedProblem watched(decay, watch);
  Search plain = find_minimum(decay, {.starts = 4}), seen = find_minimum(watched, {.starts = 4});
  EXPECT_EQ(plain.p, seen.p);
  EXPECT_EQ(confidence_of(decay, plain).parameters[1].profile.high,
            confidence_of(watched, seen).parameters[1].profile.high);
}

TEST(WatchedProblem, EndsStartsGlobalSearchAndProfilesSoon) {
  const CountedDecay decay;
  for (const long after : {1L, 20L, 200L}) {
    decay.looks = 0;
    Watch watch([&](const Stage& stage) { return stage.looks < after; });
    const WatchedProblem watched(decay, watch);
    SearchOptions options{.starts = 20, .threads = 1};
    options.global = "esch";
    options.progress = [&](int, double) { return watch.goes_on(); };
    find_minimum(watched, options);
    EXPECT_TRUE(watch.stopped());
    EXPECT_LE(decay.looks, 6 * after) << "slopes are a few looks each";
  }
  Search search = find_minimum(decay, {.starts = 4});
  decay.looks = 0;
  Watch watch([&](const Stage& stage) { return stage.looks < 30; });
  confidence_of(WatchedProblem(decay, watch), search, {.threads = 1});
  EXPECT_TRUE(watch.stopped());
  EXPECT_LE(decay.looks, 180);
}

/// A pad that is drawn to and fro, with a spring before it slides.
class WatchedTask : public ::testing::Test {
 protected:
  WatchedTask() {
    std::string csv = "t,v,F\n";
    double spring = 0;
    for (int k = 0; k < 600; ++k) {
      const double t = 0.01 * k, v = 0.01 * std::sin(2 * std::numbers::pi * t);
      spring = std::clamp(spring + 4e4 * v * 0.01, -3.0, 3.0);
      csv += fmt::format("{},{},{}\n", t, v, spring + 0.02 * std::sin(1e3 * t * t));
    }
    folder_.write("rig.csv", csv);
  }
  IdentifyTask task(const std::string& more) const {
    const Document document =
        Document::read(folder_.write("rig.yaml",
                                     "data: [{file: rig.csv, columns: {time: {column: t, unit: s}, "
                                     "slip: {column: v, unit: m/s}, "
                                     "load: 10 N, force: {column: F, unit: N}}}]\n" +
                                         more));
    IdentifyTask made = read_task(document);
    document.finish();
    return made;
  }
  /// What is said when it is stopped as soon as `when` holds.
  template <class When>
  static std::string stopped(IdentifyTask task, const When& when) {
    task.watcher = [&](const Stage& stage) { return !when(stage); };
    try {
      identify(task);
    } catch (const SearchStopped& error) {
      return error.what();
    }
    return "not stopped";
  }
  testing_support::ScratchFolder folder_;
};

TEST_F(WatchedTask, IsToldOfEveryStage) {
  IdentifyTask sought = task("laws: [dahl, coulomb-regularised]\nsearch: {starts: 3, rounds: 1}\n");
  std::set<std::string> stages;
  double share = 0, lowest = 1e9;
  sought.watcher = [&](const Stage& stage) {
    stages.insert(stage.what);
    EXPECT_GE(stage.share, share);
    EXPECT_LE(stage.share, 1);
    share = stage.share;
    EXPECT_LE(stage.done, stage.of);
    EXPECT_EQ(stage.unit, "N");
    if (std::isfinite(stage.lowest)) lowest = std::min(lowest, stage.lowest);
    return true;
  };
  const Identification found = identify(sought);
  EXPECT_EQ(stages, (std::set<std::string>{"dahl", "profiles of dahl", "coulomb-regularised",
                                           "profiles of coulomb-regularised"}));
  EXPECT_GT(share, 0.5);
  EXPECT_NEAR(lowest, found.fits[0].rms, 0.01 * found.fits[0].rms);
}

TEST_F(WatchedTask, CanBeStoppedAnywhere) {
  const IdentifyTask sought =
      task("laws: [dahl, coulomb]\nsearch: {starts: 3, rounds: 1, global: esch}\n");
  EXPECT_EQ(stopped(sought, [](const Stage& s) { return s.looks > 5; }),
            "stopped in the search for 'dahl'")
      << "in the global search";
  EXPECT_THAT(stopped(sought, [](const Stage& s) { return s.done == 3; }),
              HasSubstr("stopped in the search for 'dahl', lowest rms so far"))
      << "in the polishing";
  EXPECT_THAT(stopped(sought, [](const Stage& s) { return s.what == "profiles of dahl"; }),
              HasSubstr("stopped in the profiles of 'dahl', lowest rms so far"));
  EXPECT_THAT(stopped(sought, [](const Stage& s) { return s.what == "coulomb"; }),
              HasSubstr("stopped in the search for 'coulomb'"));
}

TEST_F(WatchedTask, KeepsNoStartThatWasCutShort) {
  IdentifyTask sought = task("law: dahl\nprofile: false\nsearch: {starts: 6, rounds: 1}\n");
  const std::string whole = estimate_json(sought, identify(sought));
  for (const long looks : {90L, 120L, 150L, 180L, 210L}) {
    const std::string log = (folder_ / fmt::format("log{}.json", looks)).string();
    sought.log = std::make_shared<SearchLog>(log, sought.key);
    EXPECT_THAT(stopped(sought, [&](const Stage& s) { return s.looks > looks; }),
                HasSubstr("stopped"));
    sought.log = std::make_shared<SearchLog>(log, sought.key);
    EXPECT_EQ(estimate_json(sought, identify(sought)), whole) << looks;
  }
}

}  // namespace
}  // namespace bristle
