// Searches and intervals on problems with known answers.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/damped.hpp"
#include "bristle/identify/force_match.hpp"
#include "bristle/identify/global_search.hpp"
#include "bristle/identify/search_log.hpp"
#include "bristle/io/atomic_file.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

/// y = a e^{−b t} + c (plain), with b ≥ a in disguise where asked: small, smooth, known
/// derivatives.
class Decay final : public Problem {
 public:
  Decay(double noise, unsigned seed, bool ordered = false) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0, noise);
    for (int k = 0; k < 60; ++k) {
      t_.push_back(0.05 * k);
      y_.push_back(model(t_.back(), 2, 1.5, 0.3) + normal(engine));
    }
    unknowns_ = {
        {.name = "a", .low = 1e-3, .high = 1e3, .usual_low = 0.1, .usual_high = 20, .log = true},
        {.name = "b", .low = 1e-3, .high = 1e3, .usual_low = 0.1, .usual_high = 20, .log = true},
        {.name = "c", .low = -10, .high = 10, .usual_low = -1, .usual_high = 1}};
    if (ordered) orders_ = {{0, 1}};
  }
  int residuals() const noexcept override { return static_cast<int>(t_.size()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    for (std::size_t k = 0; k < t_.size(); ++k) r[k] = model(t_[k], p[0], p[1], p[2]) - y_[k];
    return true;
  }

 private:
  static double model(double t, double a, double b, double c) { return a * std::exp(-b * t) + c; }
  std::vector<double> t_, y_;
};

class CoordinatesTest : public testing::TestWithParam<int> {};
TEST_P(CoordinatesTest, GoThereAndBackAndPullDerivativesBack) {
  const Decay problem(0.01, 1, true);
  const Coordinates c(problem, GetParam());
  const std::vector<double> p{2.5, 1.2, -0.4};
  const std::vector<double> x = c.coordinates(p), again = c.parameters(x);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(again[j], p[j], 1e-12);
  std::vector<double> r(60), by(180), moved = x, up(60), down(60);
  ASSERT_TRUE(problem.derivatives(p, r, by));
  c.pull_back(x, by);
  for (std::size_t j = 0; j < 3; ++j) {
    const double h = 1e-6;
    moved[j] = x[j] + h;
    problem.evaluate(c.parameters(moved), up);
    moved[j] = x[j] - h;
    problem.evaluate(c.parameters(moved), down);
    moved[j] = x[j];
    for (std::size_t k = 0; k < 60; ++k)
      EXPECT_NEAR(by[k * 3 + j], (up[k] - down[k]) / (2 * h), 1e-6);
  }
}
// The first is the greater of an ordered pair: alone it is counted from the second.
INSTANTIATE_TEST_SUITE_P(Leads, CoordinatesTest, testing::Values(-1, 0, 1, 2));

TEST(Coordinates, TheLeadingOneDoesNotMoveWithTheOthers) {
  const Decay problem(0.01, 1, true);
  const Coordinates c(problem, 0);
  std::vector<double> x = c.coordinates(std::vector<double>{2.5, 1.2, -0.4});
  for (const double d : {-1.0, 1.0}) {
    x[1] += d;
    const std::vector<double> p = c.parameters(x);
    EXPECT_NEAR(p[0], 2.5, 1e-12);
    EXPECT_LE(p[1], p[0]);
  }
}

TEST(Search, FindsTheMinimumFromEveryStartAndDoesNotDependOnThreads) {
  const Decay problem(0.01, 2);
  const Search one = find_minimum(problem, {.starts = 12, .threads = 1});
  const Search two = find_minimum(problem, {.starts = 12, .threads = 2});
  EXPECT_EQ(one.p, two.p);
  EXPECT_EQ(one.cost, two.cost);
  EXPECT_GE(one.agreeing(), 10);
  EXPECT_NEAR(one.p[0], 2, 0.05);
  EXPECT_NEAR(one.p[1], 1.5, 0.1);
}

/// A search that is stopped after `stop` starts and gone on with from its file.
Search in_two_parts(const Problem& problem, SearchOptions options, int stop) {
  const testing_support::ScratchFolder folder;
  const std::string file = (folder / "search.json").string();
  const auto go = [&](int most) {
    SearchLog log(file, "key");
    options.known = log.starts("decay");
    options.progress = [=](int done, double) { return done < most; };
    options.keep = [&](std::size_t i, const StartResult& s) { log.add("decay", i, s); };
    return find_minimum(problem, options);
  };
  EXPECT_TRUE(go(stop).stopped);
  return go(1000);
}

// To the last bit: the ends are polished from where they were.
TEST(Search, StoppedAndGoneOnWithEndsAsIfItHadNotBeen) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    const Decay problem(0.3, seed, seed % 2 == 0);
    SearchOptions options{.starts = 8, .threads = 1};
    options.least_squares.iterations = 3;  // so that no start ends at the minimum
    const Search whole = find_minimum(problem, options);
    for (int stop = 1; stop < 8; ++stop) {
      const Search rest = in_two_parts(problem, options, stop);
      EXPECT_EQ(rest.p, whole.p) << seed << " " << stop;
      EXPECT_EQ(rest.x, whole.x) << seed << " " << stop;
      EXPECT_EQ(rest.cost, whole.cost) << seed << " " << stop;
      for (std::size_t i = 0; i < whole.starts.size(); ++i) {
        EXPECT_EQ(rest.starts[i].to, whole.starts[i].to) << seed << " " << stop;
        EXPECT_EQ(rest.starts[i].cost, whole.starts[i].cost) << seed << " " << stop;
      }
    }
  }
}

TEST(SearchLog, KeepsStartsForTheirKeyOnly) {
  const testing_support::ScratchFolder folder;
  const std::string file = (folder / "search.json").string();
  const Decay problem(0.01, 1);
  {
    SearchLog log(file, "key");
    SearchOptions options{.starts = 8, .threads = 1};
    options.progress = [](int done, double) { return done < 3; };
    options.keep = [&](std::size_t i, const StartResult& s) { log.add("decay", i, s); };
    EXPECT_TRUE(find_minimum(problem, options).stopped);
    EXPECT_EQ(log.done(), 3);
  }
  const SearchLog log(file, "key");
  EXPECT_EQ(log.done(), 3);
  int fresh = 0;
  SearchOptions options{.starts = 8, .threads = 2};
  options.known = log.starts("decay");
  options.keep = [&](std::size_t, const StartResult&) { ++fresh; };
  find_minimum(problem, options);
  EXPECT_EQ(fresh, 5);
  EXPECT_EQ(SearchLog(file, "another key").done(), 0);
  folder.write("search.json", "{\"key\": \"key\", \"searches\": {\"decay\": [{}]}}");
  EXPECT_EQ(SearchLog(file, "key").done(), 0);
}

TEST(SearchLog, ThatCannotBeWrittenSaysSo) {
  const testing_support::ScratchFolder folder;
  folder.write("file", "");
  SearchLog log((folder / "file").string() + "/search.json", "key");
  EXPECT_THROW(log.add("decay", 0, {}), WriteError);
  EXPECT_THROW(
      find_minimum(Decay(0.01, 1),
                   {.starts = 8,
                    .threads = 4,
                    .keep = [&](std::size_t i, const StartResult& s) { log.add("decay", i, s); }}),
      WriteError)
      << "from within a thread";
}

class GlobalSearchTest : public testing::TestWithParam<std::string> {};
TEST_P(GlobalSearchTest, FindsTheValleyAmongMany) {
  // As Rastrigin made it: a valley in each of about 100 squares.
  class Bumpy final : public Problem {
   public:
    Bumpy() {
      for (const char* name : {"a", "b"}) {
        unknowns_.push_back({.name = name, .low = -5, .high = 6, .usual_low = -5, .usual_high = 6});
      }
    }
    int residuals() const noexcept override { return 4; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      for (std::size_t j = 0; j < 2; ++j) {
        const double d = p[j] - 1.3;
        r[2 * j] = d;
        r[2 * j + 1] = 2 * std::sin(M_PI * d);
      }
      return true;
    }
  };
  const Bumpy problem;
  const Coordinates c(problem);
  const std::vector<double> x = search_globally(problem, c, GetParam(), 3000, 1);
  EXPECT_EQ(x, search_globally(problem, c, GetParam(), 3000, 1));
  for (const double value : c.parameters(x)) EXPECT_NEAR(value, 1.3, 0.4);
  const Search s =
      find_minimum(problem, {.starts = 1, .global = GetParam(), .global_evaluations = 3000});
  EXPECT_LT(s.cost, 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Methods, GlobalSearchTest, testing::ValuesIn(global_methods()));

TEST(Search, KeepsOrdersAndRanges) {
  // The truth has a > b, so the order changes nothing; turned round it must hold at the end.
  class Turned final : public Problem {
   public:
    Turned() {
      unknowns_ = {
          {.name = "a", .low = 0.1, .high = 10, .usual_low = 0.2, .usual_high = 5, .log = true},
          {.name = "b", .low = 0.1, .high = 10, .usual_low = 0.2, .usual_high = 5, .log = true}};
      orders_ = {{1, 0}};
    }
    int residuals() const noexcept override { return 2; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      EXPECT_GE(p[1], p[0] * (1 - 2e-5));  // but for the step of a difference
      r[0] = p[0] - 3;                     // wants a = 3, b = 1
      r[1] = p[1] - 1;
      return true;
    }
  };
  const Search s = find_minimum(Turned{}, {.starts = 6, .threads = 1});
  EXPECT_NEAR(s.p[0], 2, 1e-3);
  EXPECT_NEAR(s.p[1], 2, 1e-3);
}

TEST(LeastSquares, ARobustLossIsNotDrawnAwayByOutliers) {
  // A constant of 1 under small noise, with every tenth sample 50 too high.
  class Level final : public Problem {
   public:
    Level() {
      unknowns_ = {{.name = "a", .low = -100, .high = 100, .usual_low = -10, .usual_high = 10}};
    }
    int residuals() const noexcept override { return 200; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      for (std::size_t k = 0; k < 200; ++k) {
        const double noise = 0.01 * std::sin(12.9898 * static_cast<double>(k * k));
        r[k] = p[0] - (1 + noise + (k % 10 == 0 ? 50 : 0));
      }
      return true;
    }
  };
  const Level problem;
  const std::vector<double> start{0};
  const auto found = [&](Loss loss) {
    const Damped damped(problem, {.loss = loss, .scale = 0.05});
    return minimise(damped, Coordinates(damped), start).x[0];
  };
  EXPECT_NEAR(found(Loss::squares), 6, 0.01);
  EXPECT_NEAR(found(Loss::huber), 1, 0.02);
  EXPECT_NEAR(found(Loss::cauchy), 1, 0.005);
}

class ConfidenceTest : public testing::TestWithParam<bool> {};
TEST_P(ConfidenceTest, IntervalsCoverTheTruthAsOftenAsTheySay) {
  const double truth[] = {2, 1.5, 0.3};
  int wald[3] = {}, profile[3] = {};
  constexpr int sets = 400;
  for (unsigned seed = 0; seed < sets; ++seed) {
    const Decay problem(0.02, 100 + seed, GetParam());
    Search s = find_minimum(problem, {.starts = 1, .threads = 1, .given = {{2, 1.5, 0.3}}});
    const Confidence c = confidence_of(problem, s, {.threads = 1});
    for (int j = 0; j < 3; ++j) {
      const Estimate& e = c.parameters[static_cast<std::size_t>(j)];
      wald[j] += e.wald.low <= truth[j] && truth[j] <= e.wald.high;
      profile[j] += e.profile.low <= truth[j] && truth[j] <= e.profile.high;
    }
  }
  for (int j = 0; j < 3; ++j) {
    EXPECT_GE(wald[j], 0.92 * sets) << j;
    EXPECT_LE(wald[j], 0.98 * sets) << j;
    EXPECT_GE(profile[j], 0.92 * sets) << j;
    EXPECT_LE(profile[j], 0.98 * sets) << j;
  }
}
INSTANTIATE_TEST_SUITE_P(Orders, ConfidenceTest, testing::Bool());

/// A valley at 7, and ridges across it, one between any two integers, that plain least squares does
/// not pass.
class Ridges final : public Problem {
 public:
  Ridges() { unknowns_ = {{.name = "a", .low = 0, .high = 10, .usual_low = 0, .usual_high = 10}}; }
  int residuals() const noexcept override { return 2; }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    r[0] = p[0] - 7;
    r[1] = 5 * std::abs(p[0] - std::round(p[0]));
    return true;
  }
};

TEST(Search, SmoothingPassesRidgesThatLeastSquaresDoesNot) {
  const SearchOptions plain{.starts = 12, .screen = 1, .threads = 1};
  SearchOptions smoothed = plain;
  smoothed.smoothing = {0.2, 0.1, 0.05};
  const auto arrived = [](const Search& s) {
    return std::count_if(s.starts.begin(), s.starts.end(),
                         [](const StartResult& start) { return std::abs(start.to[0] - 7) < 1e-2; });
  };
  EXPECT_LE(arrived(find_minimum(Ridges{}, plain)), 3);
  EXPECT_EQ(arrived(find_minimum(Ridges{}, smoothed)), 12);
}

TEST(Search, AProblemThatFailsInPlacesIsStillSolved) {
  // √(p − 1) does not exist below 1, and its slope is infinite there.
  class Root final : public Problem {
   public:
    Root() {
      unknowns_ = {
          {.name = "a", .low = 0, .high = 10, .usual_low = 0, .usual_high = 10, .log = false}};
    }
    int residuals() const noexcept override { return 2; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      r[0] = std::sqrt(p[0] - 1) - 0.1;
      r[1] = 1e-3 * p[0];
      return p[0] >= 1;
    }
  };
  const Search s = find_minimum(Root{}, {.starts = 6, .threads = 1});
  EXPECT_TRUE(std::isfinite(s.cost));
  EXPECT_NEAR(s.p[0], 1.01, 1e-3);
  for (const StartResult& start : s.starts) EXPECT_GE(start.cost, 0);
}

TEST(Confidence, NamesWhatTheDataCannotTell) {
  // Only the product of the two shows.
  class Product final : public Problem {
   public:
    Product() {
      unknowns_ = {
          {.name = "a", .low = 1e-3, .high = 1e3, .usual_low = 0.1, .usual_high = 10, .log = true},
          {.name = "b", .low = 1e-3, .high = 1e3, .usual_low = 0.1, .usual_high = 10, .log = true}};
    }
    int residuals() const noexcept override { return 40; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      for (std::size_t k = 0; k < 40; ++k) {
        const double noise = 0.01 * std::sin(12.9898 * static_cast<double>(k * k));
        r[k] = p[0] * p[1] - 2 + noise;
      }
      return true;
    }
  };
  const Product problem;
  Search s = find_minimum(problem, {.starts = 4, .threads = 1});
  const Confidence c = confidence_of(problem, s, {.threads = 1});
  EXPECT_EQ(c.rank, 1);
  for (const Estimate& e : c.parameters) {
    EXPECT_EQ(e.verdict, Verdict::not_determined) << e.name;
    EXPECT_NE(e.reason.find("moves with"), std::string::npos) << e.reason;
  }
}

/// A valley at 2, and from 5 on crevices that follow the noise a little better than none does.
class Crevices final : public Problem {
 public:
  Crevices() {
    unknowns_ = {{.name = "a", .low = 0, .high = 10, .usual_low = 0, .usual_high = 10}};
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal;
    for (double& value : noise_) value = normal(engine);
    for (double& value : other_) value = normal(engine);
  }
  int residuals() const noexcept override { return 200; }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    const double depth = 0.018 / (1 + std::exp(-20 * (p[0] - 5))), phase = (p[0] - 7) / 0.01;
    for (std::size_t k = 0; k < 200; ++k) {
      const double wave = std::cos(phase) * noise_[k] + std::sin(phase) * other_[k];
      const double slow = 0.1 * std::tanh(p[0] - 2) * std::cos(static_cast<double>(k));
      r[k] = noise_[k] + slow - depth * wave;
    }
    return true;
  }

 private:
  std::array<double, 200> noise_{}, other_{};
};

TEST(Confidence, AWideValleyOutweighsACreviceThatFollowsTheNoise) {
  const Crevices problem;
  Search s = find_minimum(problem, {.starts = 2, .threads = 1, .given = {{1.8}, {7}}});
  const double lowest = s.cost;
  EXPECT_NEAR(s.p[0], 7, 0.01);  // the lowest
  const Confidence c = confidence_of(problem, s, {.threads = 1});
  EXPECT_LT(c.parameters[0].value, 4);
  EXPECT_GT(s.cost, lowest);
  EXPECT_LE(c.lowest, lowest);
  EXPECT_TRUE(c.parameters[0].profile.low <= 2 && c.parameters[0].profile.high >= 2);
  EXPECT_EQ(s.agreeing(), 1);  // the other start ended lower, and elsewhere
}

TEST(Confidence, WidensForResidualsThatFollowOneAnother) {
  class Drifting final : public Problem {
   public:
    Drifting() {
      unknowns_ = {{.name = "a", .low = -10, .high = 10, .usual_low = -1, .usual_high = 1}};
    }
    int residuals() const noexcept override { return 500; }
    bool evaluate(std::span<const double> p, std::span<double> r) const override {
      for (std::size_t k = 0; k < 500; ++k) r[k] = p[0] - std::sin(0.05 * static_cast<double>(k));
      return true;
    }
  };
  const Drifting problem;
  Search s = find_minimum(problem, {.starts = 2, .threads = 1});
  const Confidence c = confidence_of(problem, s, {.threads = 1});
  EXPECT_GT(c.whiteness, 0.99);
  EXPECT_GT(c.widening, 10);
}

}  // namespace
}  // namespace bristle
