// A mass dragged by a spring (Lin 2001, section 4.3): its laws found again from where it went.

#include "bristle/identify/motion_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/solve/observe.hpp"
#include "bristle/system/mechanics.hpp"
#include "support/scratch_folder.hpp"
#include "support/takes_long.hpp"

namespace bristle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using testing_support::takes_long;

/// 501 positions in 5 s under a law of the scenario, with noise.
MotionRun dragged(const std::string& law, double noise, unsigned seed,
                  const std::string& speed = "0.002 m/s") {
  MotionRun run{load_scenario("mass-spring", {{.key = "friction.law", .value = law, .file = {}},
                                              {.key = "v0", .value = speed, .file = {}}}),
                {}};
  for (int k = 0; k <= 500; ++k) run.recording.t.push_back(0.01 * k);
  std::vector<double> x(501);
  RunOptions options = run.scenario.options;
  options.tolerance.rtol = 1e-12;
  observe(run.scenario.rig, options, run.recording.t, {"x"}, x);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (double& value : x) value += noise * normal(engine);
  run.recording.put("position", x, dim::length);
  return run;
}

/// Lin's parameters of each law; the others stay what they are.
struct LinLaw {
  std::string law;
  std::vector<std::string> sought;
  NamedOrders orders{};
};
const LinLaw lin_laws[] = {
    {"classical", {"mu_1", "mu_2", "v1", "v2"}, {{"v2", "v1"}, {"mu_1", "mu_2"}}},
    {"karnopp", {"mu_s", "mu_k", "dv"}},
    {"reset-integrator", {"mu_k", "a", "beta"}},
    {"lugre", {"mu_s", "mu_k", "sigma0", "sigma1", "sigma2", "v_s"}}};
const LinLaw& karnopp = lin_laws[1];
const LinLaw& reset = lin_laws[2];

/// Starts over two decades about the truth, ranges over four.
MotionMatchOptions seek(const AnyLaw& truth, const LinLaw& lin) {
  MotionMatchOptions options;
  for (const Parameter& p : truth.info().parameters) {
    if (p.kind == Kind::real) options.parameters[p.name] = {.fixed = truth.get(p.name)};
  }
  for (const std::string& name : lin.sought) {
    const Parameter* p = truth.info().find(name);
    const double value = truth.get(name);
    options.parameters[p->name] = {.start = value, .low = value / 100, .high = value * 100};
  }
  options.orders = lin.orders;
  return options;
}

const AnyLaw& truth_of(const MotionMatch& problem) {
  return problem.runs().front().scenario.rig.contacts.front().law;
}

/// Every parameter anywhere within a decade of the truth, orders kept.
std::vector<double> far_start(const MotionMatch& problem, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> decades(-1, 1);
  std::vector<double> p(problem.unknowns().size());
  bool ordered = false;
  while (!ordered) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      p[j] = truth_of(problem).get(problem.unknowns()[j].name) * std::pow(10, decades(engine));
    }
    ordered = true;
    for (const UnknownOrder& o : problem.orders()) {
      ordered = ordered &&
                p[static_cast<std::size_t>(o.greater)] > p[static_cast<std::size_t>(o.smaller)];
    }
  }
  return p;
}

SearchOptions from_afar(const MotionMatch& problem, unsigned seed, double target) {
  SearchOptions options{.starts = 4, .screen = 64, .rounds = 3, .target = target, .seed = seed};
  options.given = {far_start(problem, 1000 + seed)};
  options.least_squares = {.iterations = 60, .tolerance = 1e-8};
  options.polish = {.iterations = 150, .tolerance = target > 0 ? 1e-12 : 1e-8};
  return options;
}

double largest_error(const MotionMatch& problem, std::span<const double> p, bool levels_only) {
  double worst = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const std::string& name = problem.unknowns()[j].name;
    if (levels_only && !name.starts_with("mu")) continue;
    worst = std::max(worst, std::abs(p[j] / truth_of(problem).get(name) - 1));
  }
  return worst;
}

TEST(MotionMatch, LevelsAreReadFromTheRecord) {
  for (const LinLaw& lin : lin_laws) {
    for (const double noise : {0.0, 1e-5}) {
      const MotionRun run = dragged(lin.law, noise, 3);
      const FrictionLevels levels = levels_of(run.scenario.rig, run.recording, {Observed{}});
      EXPECT_NEAR(levels.sliding, 0.2, lin.law == "lugre" ? 0.008 : 0.002) << lin.law;
      EXPECT_NEAR(levels.breaking, 0.246, 0.005) << lin.law;
      EXPECT_GE(levels.slips, 6) << lin.law;
    }
  }
}

/// CPU seconds of this process.
double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? NAN : values[values.size() / 2];
}

/// One of Lin's laws; the tables of docs/identify.md are what these print in their long form.
class LinMotion : public ::testing::TestWithParam<std::size_t> {
 protected:
  const LinLaw& lin = lin_laws[GetParam()];
};
INSTANTIATE_TEST_SUITE_P(Laws, LinMotion, ::testing::Range<std::size_t>(0, std::size(lin_laws)),
                         [](const auto& made) {
                           std::string name = lin_laws[made.param].law;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(LinMotion, IsFoundFromAfarWithoutNoise) {
  // Twenty starts of all laws take minutes: here one of the quickest.
  if (lin.law != "karnopp" && !takes_long()) GTEST_SKIP() << "set BRISTLE_TEST_LONG";
  const MotionRun run = dragged(lin.law, 0, 1);
  MotionMatchOptions options = seek(run.scenario.rig.contacts.front().law, lin);
  options.rtol = 1e-10;
  const MotionMatch problem({run}, options);
  const unsigned starts = takes_long() ? 20 : 1;
  int levels = 0, all = 0;
  std::vector<double> seconds;
  for (unsigned i = 1; i <= starts; ++i) {
    const double before = cpu();
    const Search s = find_minimum(problem, from_afar(problem, i, 1e-15));
    seconds.push_back(cpu() - before);
    const bool small = std::sqrt(s.cost) < 1e-5;
    levels += small && largest_error(problem, s.p, true) < 0.005;
    all += small && largest_error(problem, s.p, false) < 0.01;
  }
  fmt::print("{}: {} starts, levels {}, all {}, {:.2g} CPU s (median), {:.2g} (most)\n", lin.law,
             starts, levels, all, median(seconds),
             *std::max_element(seconds.begin(), seconds.end()));
  EXPECT_GE(levels, static_cast<int>(starts) - (lin.law == "lugre" ? 2 : 1));
  if (lin.law == "karnopp" || lin.law == "reset-integrator") {
    EXPECT_EQ(all, static_cast<int>(starts));
  }
}

/// The sanitizers slow a search down tenfold, and would see nothing new in it.
bool is_sanitized() {
#ifdef __SANITIZE_ADDRESS__
  return true;
#else
  return false;
#endif
}

TEST(MotionMatch, SaysWhatNoiseHides) {
  if (is_sanitized()) GTEST_SKIP() << "left to the release build";
  const MotionRun run = dragged("karnopp", 1e-5, 7);
  MotionMatchOptions options = seek(run.scenario.rig.contacts.front().law, karnopp);
  options.rtol = 1e-8;
  const MotionMatch problem({run}, options);
  Search s = find_minimum(problem, from_afar(problem, 3, 0));
  EXPECT_LT(std::sqrt(s.cost), 1.1 * 1e-5 * std::sqrt(501));
  const Confidence c = confidence_of(problem, s, {.least_squares = {.tolerance = 1e-7}});
  for (const Estimate& e : c.parameters) {
    const double truth = truth_of(problem).get(e.name);
    EXPECT_TRUE(e.profile.open_low || e.profile.low <= truth) << e.name;
    EXPECT_TRUE(e.profile.open_high || e.profile.high >= truth) << e.name;
    if (e.name == "dv") {
      EXPECT_NE(e.verdict, Verdict::determined);
    } else {
      EXPECT_EQ(e.verdict, Verdict::determined) << e.name;
      EXPECT_NEAR(e.value, truth, (e.name == "mu_k" ? 0.005 : 0.015) * truth) << e.name;
    }
  }
}

/// What a motion shows whatever the law is called: the largest force of the spring, and the mean
/// friction while the mass is faster than its driver.
struct Shown {
  double spring = 0, friction = 0;
};
Shown shown(const Scenario& scenario) {
  std::vector<double> t(20001), values(3 * t.size());
  for (std::size_t k = 0; k < t.size(); ++k) t[k] = 2.5e-4 * static_cast<double>(k);
  observe(scenario.rig, scenario.options, t, {"x", "v", "F"}, values);
  Shown result;
  double count = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double x = values[3 * k], v = values[3 * k + 1], f = values[3 * k + 2];
    result.spring = std::max(result.spring, 100 * (0.002 * t[k] - x));
    if (v <= 0.002) continue;
    result.friction += f;
    ++count;
  }
  result.friction /= count;
  return result;
}

/// A record with 10 µm of noise, fitted from afar with all parameters free, and profiled.
struct NoisyFit {
  NoisyFit(const LinLaw& lin, unsigned seed)
      : run(dragged(lin.law, 1e-5, seed)), problem({run}, quick(seek(truth(), lin))) {
    const double start = cpu();
    search = find_minimum(problem, from_afar(problem, seed, 0));
    to_fit = cpu() - start;
    confidence = confidence_of(problem, search, {.least_squares = {.tolerance = 1e-7}});
    to_profile = cpu() - start - to_fit;
  }
  const AnyLaw& truth() const { return run.scenario.rig.contacts.front().law; }
  bool holds(const Estimate& e) const {
    const double value = truth().get(e.name);
    return (e.profile.open_low || e.profile.low <= value) &&
           (e.profile.open_high || e.profile.high >= value);
  }
  /// Some 1e-9 m, far below the noise, and several times as fast as 1e-9.
  static MotionMatchOptions quick(MotionMatchOptions options) {
    options.rtol = 1e-7;
    return options;
  }

  MotionRun run;
  MotionMatch problem;
  Search search{};
  Confidence confidence{};
  double to_fit = 0, to_profile = 0;  ///< CPU seconds
};

/// What twenty records say of one parameter.
struct Told {
  int inside = 0;
  std::vector<double> half{}, off{};  ///< of the interval, of the estimate; shares of the truth
  std::map<std::string, int> verdicts{};
};

TEST_P(LinMotion, IsFoundInTwentyNoisyRecords) {
  if (!takes_long()) GTEST_SKIP() << "set BRISTLE_TEST_LONG";
  const std::map<std::string, std::string> level{
      {"classical", "mu_2"}, {"karnopp", "mu_k"}, {"reset-integrator", "mu_k"}};
  const std::set<std::string> hidden{"v2", "dv", "beta", "sigma1", "v_s", "sigma2"};
  constexpr int records = 20;
  int fitted = 0, seen = 0;
  double spring = 0, friction = 0;
  std::map<std::string, Told> told;
  std::vector<double> to_fit, to_profile;
  for (int seed = 1; seed <= records; ++seed) {
    const NoisyFit fit(lin, static_cast<unsigned>(seed));
    to_fit.push_back(fit.to_fit);
    to_profile.push_back(fit.to_profile);
    fitted += std::sqrt(fit.search.cost) < 1.1 * 1e-5 * std::sqrt(501);
    const Shown ours = shown(fit.problem.scenario(0, fit.search.p)), real = shown(fit.run.scenario);
    const double a = std::abs(ours.spring / real.spring - 1),
                 b = std::abs(ours.friction / real.friction - 1);
    seen += a < 0.005 && b < 0.005;
    spring = std::max(spring, a);
    friction = std::max(friction, b);
    std::string missed;
    for (const Estimate& e : fit.confidence.parameters) {
      const double value = fit.truth().get(e.name);
      Told& t = told[e.name];
      const bool inside = fit.holds(e);
      t.inside += inside;
      if (!inside) missed += " " + e.name;
      t.half.push_back((e.profile.high - e.profile.low) / 2 / value);
      t.off.push_back(std::abs(e.value / value - 1));
      ++t.verdicts[std::string(to_string(e.verdict))];
      if (hidden.contains(e.name)) {
        EXPECT_NE(e.verdict, Verdict::determined) << e.name << ", seed " << seed;
      }
    }
    fmt::print("{} seed {}: {:.4g} of the floor, {:.3g} + {:.3g} CPU s, outside:{}\n", lin.law,
               seed, std::sqrt(fit.search.cost / 501) / 1e-5, to_fit.back(), to_profile.back(),
               missed.empty() ? " none" : missed);
    std::fflush(stdout);
  }
  fmt::print(
      "{}: at the floor {} of {}, spring force to {:.3g} %, friction to {:.3g} %; CPU s "
      "(median): fit {:.2g}, profiles {:.2g}\n",
      lin.law, fitted, records, 100 * spring, 100 * friction, median(to_fit), median(to_profile));
  EXPECT_GE(fitted, 0.9 * records);
  EXPECT_EQ(seen, records);
  for (const auto& [name, t] : told) {
    std::string verdicts;
    for (const auto& [verdict, count] : t.verdicts) {
      verdicts += fmt::format(" {} {}", count, verdict);
    }
    const double most = *std::max_element(t.off.begin(), t.off.end());
    fmt::print("  {}: inside {} of {}, half width {:.2g} %, off by {:.2g} % at most;{}\n", name,
               t.inside, records, 100 * median(t.half), 100 * most, verdicts);
    EXPECT_GE(t.inside, 0.85 * records) << name;
    if (const auto known = level.find(lin.law); known != level.end() && known->second == name) {
      EXPECT_LT(most, 0.005) << name;
    }
  }
}

TEST(MotionMatch, IntervalsCoverTheTruthAsOftenAsTheySay) {
  // What the data does not determine is known here; fits start at the truth.
  const unsigned sets = takes_long() ? 500 : (is_sanitized() ? 2 : 16);
  for (const LinLaw* lin : {&karnopp, &reset}) {
    std::vector<int> in(2), determined(2);
    for (unsigned seed = 1; seed <= sets; ++seed) {
      const MotionRun run = dragged(lin->law, 1e-5, seed);
      const AnyLaw& truth = run.scenario.rig.contacts.front().law;
      LinLaw two = *lin;
      two.sought.pop_back();
      MotionMatchOptions options = seek(truth, two);
      const MotionMatch problem({run}, options);
      std::vector<double> p;
      for (const Unknown& u : problem.unknowns()) p.push_back(truth.get(u.name));
      Search s = find_minimum(problem, {.starts = 1,
                                        .first_look = 0,
                                        .threads = 1,
                                        .given = {p},
                                        .polish = {.tolerance = 1e-8}});
      const Confidence c = confidence_of(problem, s, {.profile = false, .noise = 1e-5});
      for (std::size_t j = 0; j < 2; ++j) {
        in[j] += c.parameters[j].wald.low <= p[j] && p[j] <= c.parameters[j].wald.high;
        determined[j] += c.parameters[j].verdict == Verdict::determined;
      }
    }
    for (std::size_t j = 0; j < 2; ++j) {
      const double share = static_cast<double>(in[j]) / sets;
      if (takes_long())
        fmt::print("{}: {} covered in {:.1f} %\n", lin->law, lin->sought[j], 100 * share);
      EXPECT_EQ(determined[j], static_cast<int>(sets)) << lin->law;
      EXPECT_GE(share, takes_long() ? 0.92 : (is_sanitized() ? 0 : 0.75)) << lin->law;
      EXPECT_LE(share, takes_long() ? 0.98 : 1.00) << lin->law;
    }
  }
}

/// Nothing is fixed, and searches start from afar: what a user would get.
TEST_P(LinMotion, ProfilesCoverTheTruthWithAllParametersFree) {
  if (!takes_long()) GTEST_SKIP() << "set BRISTLE_TEST_LONG";
  if (lin.law == "lugre") GTEST_SKIP() << "its twenty records are counted above";
  const unsigned sets = lin.law == "karnopp" ? 100 : 50;
  std::map<std::string, unsigned> in;
  for (unsigned seed = 101; seed <= 100 + sets; ++seed) {
    const NoisyFit fit(lin, seed);
    for (const Estimate& e : fit.confidence.parameters) in[e.name] += fit.holds(e);
  }
  for (const auto& [name, count] : in) {
    fmt::print("{}, all free: {} inside {} of {}\n", lin.law, name, count, sets);
    EXPECT_GE(count, 0.9 * sets) << name;
  }
}

TEST(MotionMatch, RecordingsShareALawAndScenariosGiveQuantities) {
  const std::vector<MotionRun> runs{dragged("stiction", 0, 1), dragged("stiction", 0, 1, "4 mm/s")};
  MotionMatchOptions options;
  options.parameters["mu_s"] = {.low = 0.05, .high = 1};
  options.parameters["mu_k"] = {.low = 0.05, .high = 1};
  options.parameters["delta"] = {.fixed = 1};
  options.parameters["beta"] = {.fixed = 0};
  options.quantities["springs.0.stiffness"] = {.start = 105};
  options.units["springs.0.stiffness"] = "N/m";
  const MotionMatch problem(runs, options);
  ASSERT_EQ(problem.size(), 3);
  EXPECT_EQ(problem.residuals(), 1002);
  const std::vector<double> truth{0.25, 0.2, 100};
  std::vector<double> r(1002);
  ASSERT_TRUE(problem.evaluate(truth, r));
  for (const double value : r) ASSERT_NEAR(value, 0, 1e-9);
  const Search s = find_minimum(problem, {.starts = 1, .given = {{0.2505, 0.2, 100.3}}});
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(s.p[j], truth[j], 1e-4 * truth[j]);
  EXPECT_NEAR(problem.scenario(1, s.p).rig.springs.front().stiffness, 100, 0.01);
}

TEST(MotionMatch, SlopesAreExactOrSayWhyNot) {
  MotionRun run = dragged("karnopp", 0, 1);
  const MotionMatchOptions options = seek(run.scenario.rig.contacts.front().law, karnopp);
  const MotionMatch exact({run}, options);
  EXPECT_THAT(exact.slopes(), HasSubstr("exact"));
  run.scenario.options.method = "bristle";
  run.scenario.options.step = 1e-4;
  const MotionMatch stepped({run}, options);
  EXPECT_THAT(stepped.slopes(), AllOf(HasSubstr("central differences"), HasSubstr("fixed step")));
  // Both say the same where the motion is smooth in its parameters: of μ_k, after the first slip.
  const std::vector<double> p{0.25, 0.2, 2e-4};
  std::vector<double> r(501), by(1503), r_stepped(501), by_stepped(1503);
  ASSERT_TRUE(exact.derivatives(p, r, by));
  ASSERT_TRUE(stepped.derivatives(p, r_stepped, by_stepped));
  EXPECT_NEAR(by[3 * 180 + 1], by_stepped[3 * 180 + 1], 0.02 * std::abs(by[3 * 180 + 1]));
}

/// Friction of the run is the law's; that of the record, read without a law, is nearly the same.
TEST(MotionMatch, LoopsOfFrictionComeFromTheRunAndFromTheRecord) {
  const MotionRun run = dragged("karnopp", 0, 1);
  const MotionMatch problem({run}, seek(run.scenario.rig.contacts.front().law, karnopp));
  const std::vector<double> truth{0.25, 0.2, 2e-4};
  const auto loops = problem.loops(truth);
  ASSERT_EQ(loops.size(), 1u);
  const ForcePath &fitted = loops[0].fitted, &recorded = loops[0].measured;
  EXPECT_GT(fitted.slip.size(), 10 * recorded.slip.size());  // between the samples too
  ASSERT_EQ(recorded.slip.size(), 501u);
  const double load = Mechanics(run.scenario.rig).load(0, 0);
  EXPECT_NEAR(*std::max_element(fitted.force.begin(), fitted.force.end()), 0.25 * load, 1e-3);
  double gap = 0, size = 0;
  std::size_t sliding = 0;
  const std::size_t parts = (fitted.slip.size() - 1) / 500;
  for (std::size_t k = 0; k < recorded.slip.size(); ++k) {
    if (!(recorded.slip[k] > 0.008)) continue;
    gap += std::abs(recorded.force[k] - fitted.force[k * parts]);
    size += fitted.force[k * parts];
    ++sliding;
  }
  ASSERT_GT(sliding, 10u);
  EXPECT_LT(gap / size, 0.05);
  EXPECT_NEAR(fitted.way.back(), run.recording.at("position").back(), 2e-5);
  EXPECT_NEAR(recorded.way.back(), run.recording.at("position").back(), 2e-5);
}

TEST(MotionMatch, ATaskFromFiles) {
  const testing_support::ScratchFolder folder;
  const MotionRun run = dragged("karnopp", 1e-6, 1);
  std::string csv = "t,x\n";
  for (std::size_t k = 0; k < run.recording.size(); ++k) {
    csv += fmt::format("{},{}\n", run.recording.t[k], run.recording.at("position")[k]);
  }
  folder.write("log.csv", csv);
  // The results of a run beside the file are no scenario.
  std::filesystem::create_directory(folder / "mass-spring");
  const auto text = [&](const std::string& more) {
    return fmt::format(
        "scenario: mass-spring\nobserve: {{position: x}}\n"
        "data: [{{file: {}, set: {{v0: 2 mm/s}}, columns: {{time: {{column: t, unit: s}}, "
        "position: {{column: x, unit: m}}}}}}]\n{}",
        (folder / "log.csv").string(), more);
  };
  const Document document = Document::parse(
      text("law: karnopp\nparameters: {sigma2: {fixed: 0}, dv: {fixed: 2e-4}, mu_s: {start: 0.26}, "
           "mu_k: {start: 0.19}}\nprofile: false\nfit_share: 0.8\n"),
      (folder / "t.yaml").string());
  const IdentifyTask task = read_task(document);
  document.finish();
  const Identification result = identify(task);
  EXPECT_EQ(result.fits[0].unit, "m");
  EXPECT_LT(result.fits[0].held_out, 3e-6);
  EXPECT_NEAR(result.fits[0].confidence.parameters[0].value, 0.25, 5e-4);
  const std::string page = render_page(identification_page(task, result));
  for (const char* shown :
       {"x (m)", "Slip velocity (m/s)", "Displacement (m)", "applied force less m a",
        "Singular values", "Correlation", "No profiles were taken"}) {
    EXPECT_THAT(page, HasSubstr(shown));
  }

  // Settings of an entry are those of all its windows, and a single entry needs no list.
  std::string windows = text("law: karnopp\nparameters: {sigma2: {fixed: 0}, dv: {fixed: 2e-4}}\n");
  windows.replace(windows.find("data: [{"), 8, "data: {windows: [[0 s, 1 s], [2 s, 3 s]], ");
  windows.replace(windows.find("}]\n"), 3, "}\n");
  windows.replace(windows.find("2 mm/s"), 6, "3 mm/s");
  const IdentifyTask parts = read_task(Document::parse(windows, (folder / "t.yaml").string()));
  ASSERT_EQ(parts.recordings.size(), 2u);
  ASSERT_EQ(parts.laws[0].runs.size(), 2u);
  for (const MotionRun& part : parts.laws[0].runs) {
    EXPECT_NE(part.scenario.resolved.dump().find("3 mm/s"), std::string::npos);
  }
  EXPECT_EQ(parts.laws[0].runs[1].recording.t.front(), 2);

  const auto refusal = [&](std::string more, const std::string& from = "",
                           const std::string& to = "") {
    std::string whole = text(more);
    if (!from.empty()) whole.replace(whole.find(from), from.size(), to);
    try {
      identify(read_task(Document::parse(whole, "t.yaml")));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("law: karnopp\n", "{position: x}", "{position: xx}"),
              AllOf(HasSubstr("t.yaml:2"), HasSubstr("'xx'")));
  EXPECT_THAT(refusal("law: karnopp\n", "{position: x}", "{force: x}"), HasSubstr("force"));
  EXPECT_THAT(refusal("law: gonthier\n", "mass-spring", "ball-incline"), HasSubstr("'v0'"));
  EXPECT_THAT(refusal("law: karnopp\n", "mass-spring", "mass-sprin"), HasSubstr("t.yaml:1"));
  EXPECT_THAT(refusal("law: karnopp\nquantities: {springs.0.stifness: {start: 100 N/m}}\n"),
              AllOf(HasSubstr("t.yaml:5"), HasSubstr("did you mean 'stiffness'")));
}

}  // namespace
}  // namespace bristle
