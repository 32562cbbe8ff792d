// What goes wrong around a command: writes that fail, places and streams that cannot be written,
// signals.

#include <chrono>
#include <csignal>
#include <functional>
#include <iterator>
#include <map>
#include <thread>

#include "bristle/io/atomic_file.hpp"
#include "cli.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Everything below a folder with what is in it, and the time that a run took left out.
using Tree = std::map<std::string, std::string>;

class Faults : public Cli {
 protected:
  Tree tree(const fs::path& folder) const {
    Tree all;
    if (!fs::exists(folder)) return all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      if (entry.is_directory() || entry.path().filename() == "timing.json") continue;
      all[name] = read(entry.path());
    }
    return all;
  }
  /// Two laws of a pad, from three starts.
  std::string task(const std::string& more = "") const {
    std::string csv = "t [s],v [mm/s],N [N],F [N]\n";
    for (int k = 0; k < 60; ++k) {
      const double v = 10 * std::sin(0.2 * k);
      csv += fmt::format("{},{:.6f},10,{:.6f}\n", 0.01 * k, v,
                         3 * std::tanh(v) + 0.02 * std::sin(7.0 * k * k));
    }
    write("rig.csv", csv);
    return write("rig.yaml",
                 "data: [{file: rig.csv, columns: {time: {column: t}, slip: {column: v}, load: "
                 "{column: N}, force: {column: F}}}]\n"
                 "laws: [coulomb-regularised, coulomb-viscous]\nprofile: false\n"
                 "search: {starts: 3, rounds: 1}\n" +
                     more);
  }
  /// Items whose numbers are formulas.
  std::string papers() const {
    fs::create_directories(folder_ / "papers");
    std::string text = "title: T\nauthors: A\nyear: 2000\nitems:\n";
    for (int i = 1; i < 4; ++i) {
      text += fmt::format(
          "  - {{id: p-{0}, where: Table 1, title: One, data: {{d: {{table: {{k: 2*{0}}}}}}},\n"
          "     numbers: [{{name: k, of: k, published: {1}}}]}}\n",
          i, 2 * i);
    }
    write("papers/p.yaml", text);
    return path("papers");
  }
  std::string run_command() const { return "run mass-spring --set duration=0.1"; }
  std::string reproduce_command() const { return "reproduce --papers " + papers(); }
  std::string identify_command() const { return "identify " + task(); }
};

// ---- every write fails once ---------------------------------------------------------------------

class EveryWrite : public Faults {
 protected:
  /// The n-th call below `where` fails; whether there was one.
  bool run_with_fault(int n, const fs::path& where, const std::string& command, Result& result) {
    const fs::path note = folder_ / "note";
    fs::remove(note);
    // The address sanitizer wants to be loaded first, and is loaded as well as second.
    result =
        run_under(fmt::format("LD_PRELOAD={} ASAN_OPTIONS=verify_asan_link_order=0 "
                              "FAIL_BELOW={} FAIL_AT={} FAIL_NOTE={}",
                              testing_support::fail_writes(), where.string(), n, note.string()),
                  command);
    return fs::exists(note);
  }
  /// `earlier` makes the old results, if any, `command` new ones: whichever call fails, one of them
  /// is there, with what the user keeps in the folder.
  void expect_old_or_new(const std::string& earlier, const std::string& command,
                         const std::string& mine = "notes") {
    const fs::path place = folder_ / "place", out = place / "out", saved = folder_ / "saved";
    if (!earlier.empty()) {
      run(earlier + " --out " + saved.string());
      fs::create_directories((saved / mine).parent_path());
      write("saved/" + mine, "mine");
    }
    const auto prepare = [&] {
      fs::remove_all(place);
      fs::create_directory(place);
      if (!earlier.empty()) fs::copy(saved, out, fs::copy_options::recursive);
    };
    const std::string to = " --out " + out.string();
    prepare();
    const Tree old = results(out);
    ASSERT_EQ(run(command + to).code, 0);
    const Tree fresh = results(out);
    ASSERT_NE(old, fresh);
    // An instrumented program takes many times as long to start.
#ifdef __SANITIZE_ADDRESS__
    constexpr int step = 6;
#else
    constexpr int step = 1;
#endif
    for (int n = 1; n < 2000; n += step) {
      SCOPED_TRACE(fmt::format("call {} of {}", n, command));
      prepare();
      Result r;
      const bool failed = run_with_fault(n, place, command + to, r);
      const Tree now = results(out);
      EXPECT_TRUE(now == (r.code == 0 ? fresh : old)) << r.code << " " << r.err;
      if (r.code != 0) {
        EXPECT_EQ(r.code, 1) << r.err;
        EXPECT_EQ(r.out, "");
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
        EXPECT_THAT(r.err, HasSubstr("No space left on device"));
      }
      const bool none = earlier.empty() && r.code != 0;
      EXPECT_EQ(std::distance(fs::directory_iterator(place), {}), none ? 0 : 1) << "left-overs";
      if (HasFailure()) return;
      if (failed) continue;
      EXPECT_GT(n, 20) << "calls are seen";
      return;
    }
    ADD_FAILURE() << "there is no end of it";
  }
  /// Without what is kept for the next run, and the page of a comparison, which shows times.
  Tree results(const fs::path& out) const {
    Tree all = tree(out);
    if (all.contains("compare.json")) all["report.html"] = "";
    std::erase_if(all, [](const auto& entry) {
      return entry.first == "search.json" ||
             (entry.first.starts_with(".cache/") && !entry.first.ends_with(".tmp"));
    });
    return all;
  }
};

TEST_F(EveryWrite, OfARunMayFail) {
  expect_old_or_new("run mass-spring --set duration=0.2", run_command());
}
TEST_F(EveryWrite, OfAFirstRunMayFail) { expect_old_or_new("", run_command()); }
// These stay where they are, so that files change places one by one.
TEST_F(EveryWrite, OfARunBesideFoldersOfTheUserMayFail) {
  expect_old_or_new("run mass-spring --set duration=0.2", run_command(), "mine/summary.json");
}
TEST_F(EveryWrite, OfAComparisonMayFail) {
  const std::string command = "compare mass-spring --set duration=0.1 --models ";
  expect_old_or_new(command + "lugre,dahl", command + "karnopp");
}
TEST_F(EveryWrite, OfAnIdentificationMayFail) {
  const std::string other = task("fit_share: 0.5\n");
  fs::rename(other, path("other.yaml"));
  expect_old_or_new("identify " + path("other.yaml"), identify_command());
}
TEST_F(EveryWrite, OfAReproductionMayFail) {
  expect_old_or_new("reproduce --papers " + papers() + " p-1", reproduce_command());
}

// ---- a full disk, places and streams ------------------------------------------------------------

TEST_F(Faults, AFullDiskIsOneLineFromWithinThreadsToo) {
  for (const std::string& command :
       {run_command(), identify_command(), reproduce_command(),
        std::string("compare mass-spring --set duration=0.1 --models lugre")}) {
    const Result r = run_under("ulimit -f 1;", command + " --out " + path("out"));
    EXPECT_EQ(r.code, 1) << command;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << command << "\n" << r.err;
    EXPECT_THAT(r.err, HasSubstr("File too large")) << command;
    for (const auto& [name, content] : tree(folder_ / "out")) {
      EXPECT_TRUE(name.starts_with(".cache/") || name == "search.json") << command << " " << name;
    }
    fs::remove_all(folder_ / "out");
  }
}

// The work would take long.
TEST_F(Faults, APlaceThatCannotBeWrittenIsFoundBeforeTheWork) {
  write("file", "");
  const std::string long_one = " --set duration=5000 --set solver.method=bristle";
  for (const std::string& place : {path("file"), path("file/out"), std::string("/proc/out")}) {
    for (const std::string& command :
         {"run mass-spring" + long_one, "compare mass-spring --models lugre" + long_one,
          std::string("realtime mass-spring --seconds 5000"), identify_command(),
          reproduce_command()}) {
      expect_refused(command + " --out " + place, {"--out", place, "cannot write results here"});
    }
    const std::string drive = " --wave sine:1e-3:1 --duration 1e4";
    if (place == path("file")) continue;  // which is a good one for a single file
    expect_refused("trace lugre" + drive + " --out " + place, {place, "cannot write the file"});
    expect_refused("accuracy --out " + place, {place, "cannot write the file"});
    expect_refused("peg-record --out " + place, {place, "cannot write the file"});
    expect_refused("restitution --check --out " + place, {place, "cannot write the file"});
    expect_refused("trace lugre" + drive + " --plot " + place + ".svg",
                   {place, "cannot write the file"});
  }
  const fs::path deep = folder_ / "a/b/c";
  EXPECT_EQ(run("run nothing --out " + deep.string()).code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(Faults, StandardErrorThatCannotBeWrittenChangesNothing) {
  const std::string trace = "trace lugre --wave sine:1e-3:1 --duration 1";
  const std::string expected = run(trace).out;
  ASSERT_FALSE(expected.empty());
  for (const char* away : {"2>/dev/full", "2>&-"}) {
    EXPECT_EQ(run(trace + " " + away).out, expected) << away;
    EXPECT_EQ(run(trace + " " + away).code, 0) << away;
    EXPECT_EQ(run("trace nothing --wave sine:1e-3:1 " + std::string(away)).code, 2) << away;
    EXPECT_EQ(run(fmt::format("{} --out {} {}", run_command(), path("out"), away)).code, 0);
    EXPECT_TRUE(fs::exists(folder_ / "out" / "summary.json"));
  }
  for (const char* away : {">/dev/full", ">&-"}) {
    EXPECT_EQ(run(trace + " " + away).code, 1) << away;
  }
  // A file that is opened does not come to be standard output.
  const Result r = run(fmt::format("{} --out {} >&-", trace, path("o.csv")));
  EXPECT_EQ(read(folder_ / "o.csv"), expected);
  EXPECT_EQ(r.code, 0) << r.err;
}

// ---- memory -------------------------------------------------------------------------------------

#ifndef __SANITIZE_ADDRESS__
// The least with which the program starts, then more until the work is done.
TEST_F(Faults, MemoryThatRunsOutIsOneLine) {
  const auto within = [&](int kilobytes, const std::string& arguments) {
    return run_under(fmt::format("ulimit -v {};", kilobytes), arguments);
  };
  int least = 20000;
  while (least < 1000000 && within(least, "--version").code != 0) least += 2000;
  int all = 0;
  for (const std::string& command : {run_command(), identify_command(), reproduce_command()}) {
    const std::string to = command + " --out " + path("out");
    int short_of_it = 0, step = 0;
    for (int code = 1; code != 0; ++step) {
      ASSERT_LT(step, 300) << command;
      const Result r = within(least + 2000 + 400 * step, to);
      code = r.code;
      if (code == 0) break;
      ++short_of_it;
      EXPECT_EQ(r.code, 1) << command << "\n" << r.err;
      EXPECT_THAT(r.err, ::testing::MatchesRegex("bristle: .*memory.*\n")) << command;
      EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << command;
      EXPECT_EQ(r.out, "") << command;
      for (const auto& [name, content] : tree(folder_ / "out")) {
        EXPECT_TRUE(name.starts_with(".") || name == "search.json") << command << " " << name;
      }
    }
    all += short_of_it;
    fs::remove_all(folder_ / "out");
  }
  EXPECT_GT(all, 2) << "it did run out";
}
#endif

// ---- signals ------------------------------------------------------------------------------------

class Signals : public Faults, public ::testing::WithParamInterface<int> {};

TEST_P(Signals, EndARunWithWhatHasBeenDone) {
  const std::string out = path("out");
  const fs::path draft = temporary_name(folder_, "out") / "draft";
  const Result r =
      signalled("run mass-spring --set duration=5000 --set solver.method=bristle --out " + out,
                GetParam(), [&] { return fs::exists(draft); });
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_THAT(r.err, HasSubstr("interrupted at t ="));
  EXPECT_THAT(read(out + "/summary.json"), HasSubstr("\"partial\": true"));
  EXPECT_FALSE(fs::exists(draft.parent_path()));
}
INSTANTIATE_TEST_SUITE_P(All, Signals, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace bristle
