// Commands that are killed at any moment, and run again: old results or new ones at every moment,
// and the same bytes in the end. BRISTLE_TEST_LONG kills 50 times.

#include <cmath>
#include <map>
#include <numbers>

#include "cli.hpp"
#include "support/draw.hpp"
#include "support/takes_long.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

class Killed : public Cli {
 protected:
  using Tree = std::map<std::string, std::string>;

  /// But for times, and what is kept for the next run or cleared away by it.
  static Tree results(const fs::path& folder) {
    Tree all;
    if (!fs::exists(folder)) return all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      const bool left_out = name == "timing.json" || name == "search.json" ||
                            name.starts_with(".cache") || name.starts_with(".bristle-") ||
                            entry.is_directory();
      if (!left_out) all[name] = read(entry.path());
    }
    return all;
  }
  /// How long the command takes, and what it writes.
  std::pair<double, Tree> uninterrupted(const std::string& command) const {
    const auto start = Clock::now();
    const Result r = run(fmt::format("{} --out {}", command, path("whole/out")));
    EXPECT_EQ(r.code, 0) << r.err;
    return {std::chrono::duration<double>(Clock::now() - start).count(),
            results(folder_ / "whole/out")};
  }
  /// Whether it was.
  bool kill(const std::string& command, double after) const {
    const auto start = Clock::now();
    const Result r = signalled(command, SIGKILL, [&] {
      return std::chrono::duration<double>(Clock::now() - start).count() > after;
    });
    EXPECT_TRUE(r.code == -1 || r.code == 0) << r.err;
    return r.code == -1;
  }
  static int kills() {
#ifdef __SANITIZE_ADDRESS__
    return 2;  // an instrumented program takes many times as long
#else
    return testing_support::takes_long() ? 50 : 6;
#endif
  }

  /// The old results come from `earlier`, the new ones from `command`, which goes on with `more`.
  void expect_whole(const std::string& earlier, const std::string& command,
                    const std::string& more = "") {
    const auto [seconds, fresh] = uninterrupted(command);
    const fs::path out = folder_ / "place/out";
    const std::string to = fmt::format(" --out {}", out.string());
    testing::Draw draw(7);
    for (int i = 0, killed = 0; killed < kills(); ++i) {
      SCOPED_TRACE(fmt::format("kill {} of {}", killed, command));
      ASSERT_LT(i, 20 * kills()) << "it is never killed in time";
      // Every other time there are no old results.
      fs::remove_all(out);
      if (i % 2 == 1) run(earlier + to);
      const Tree old = results(out);
      // Twice in a row, as a machine does that is short of memory.
      bool any = kill(command + to, draw.between(0, 1.1 * seconds));
      any |= kill(command + to + more, draw.between(0, 0.6 * seconds));
      killed += any;
      const Tree now = results(out);
      EXPECT_TRUE(now == old || now == fresh) << "neither the old results nor the new ones";
      const Result r = run(command + to + more);
      EXPECT_EQ(r.code, 0) << r.err;
      EXPECT_TRUE(results(out) == fresh) << "other bytes than without the kill";
      EXPECT_FALSE(fs::exists(out / "search.json"));
      EXPECT_EQ(left_overs(folder_ / "place"), 0);
      if (HasFailure()) return;
    }
  }
  static int left_overs(const fs::path& folder) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      count += entry.path().filename().string().starts_with(".bristle-");
    }
    return count;
  }
};

TEST_F(Killed, ARunLeavesOldResultsOrNewOnes) {
  expect_whole("run mass-spring --set duration=0.2", "run mass-spring --set duration=4");
}

TEST_F(Killed, ASearchGoesOnAndEndsWithTheSameBytes) {
  std::string csv = "t [s],v [mm/s],N [N],F [N]\n";
  for (int k = 0; k < 400; ++k) {
    const double v = 10 * std::sin(2 * std::numbers::pi * k / 70.0);
    csv += fmt::format("{:.2f},{:.6f},10,{:.6f}\n", 0.01 * k, v,
                       3 * std::tanh(v) + 0.05 * std::sin(7.0 * k * k));
  }
  write("rig.csv", csv);
  const auto task = [&](const std::string& name, const std::string& laws, int starts) {
    return write(name,
                 fmt::format("data: [{{file: rig.csv, columns: {{time: {{column: t}}, slip: "
                             "{{column: v}}, load: {{column: N}}, force: {{column: F}}}}}}]\n"
                             "laws: [{}]\nprofile: false\nsearch: {{starts: {}, rounds: 1}}\n",
                             laws, starts));
  };
  expect_whole("identify " + task("old.yaml", "coulomb-viscous", 2),
               "identify " + task("rig.yaml", "coulomb-regularised, lugre, stribeck", 40),
               " --resume");
}

TEST_F(Killed, AReproductionGoesOnAndEndsWithTheSameBytes) {
  const std::string some = "reproduce lin-fig-3.7 lin-fig-3.9 lin-fig-3.3";
  expect_whole("reproduce lin-fig-3.7", some);
}

// ---- two at once --------------------------------------------------------------------------------

TEST_F(Killed, TwoWritersOfOneFolderLeaveTheResultsOfOne) {
  const std::string a = "run mass-spring --set duration=2", b = "run mass-spring --set duration=1";
  Tree of_a, of_b;
  const std::string out = path("out");
  ASSERT_EQ(run(a + " --out " + out).code, 0);
  of_a = results(out);
  ASSERT_EQ(run(b + " --out " + out).code, 0);
  of_b = results(out);
  ASSERT_NE(of_a, of_b);
  for (int i = 0; i < kills(); ++i) {
    fs::remove_all(out);
    const Result r =
        run(fmt::format("{0} --out {2} >/dev/null 2>{3} & {4} {1} --out {2} 2>{7}; "
                        "echo $? > {5}; wait $!; echo $? > {6}",
                        a, b, out, path("err-a"), testing_support::cli(), path("code-b"),
                        path("code-a"), path("err-b")));
    const std::string code_a = read(path("code-a")), code_b = read(path("code-b"));
    EXPECT_TRUE(code_a == "0\n" || code_b == "0\n") << read(path("err-a")) << read(path("err-b"));
    const Tree now = results(out);
    EXPECT_TRUE(now == of_a || now == of_b);
    for (const auto& [code, err] :
         {std::pair(code_a, read(path("err-a"))), {code_b, read(path("err-b"))}}) {
      if (code == "0\n") continue;
      EXPECT_EQ(code, "1\n");
      EXPECT_THAT(err, HasSubstr("another bristle is at work on " + out));
      EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    }
  }
}

}  // namespace
}  // namespace bristle
