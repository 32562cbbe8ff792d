// `bristle identify` as a user meets it: results, refusals, Ctrl-C and going on.

#include <chrono>
#include <cmath>
#include <csignal>
#include <numbers>
#include <thread>

#include <nlohmann/json.hpp>
#include <pty.h>

#include "bristle/core/random.hpp"
#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class IdentifyCommand : public Cli {
 protected:
  /// A pad drawn to and fro under 10 N: μ = 0.3, a jump spread over 1 mm/s, noise of 0.02 N.
  static std::string rig(int samples, double period = 2) {
    std::string csv = "t [s],v [mm/s],N [N],F [N]\n";
    for (int k = 0; k < samples; ++k) {
      const double t = 0.01 * k, v = 10 * std::sin(2 * std::numbers::pi * t / period);
      const double noise = 0.02 * std::sqrt(12.0) * (uniform(5, 1, static_cast<unsigned>(k)) - 0.5);
      csv += fmt::format("{:.2f},{:.6f},10,{:.6f}\n", t, v, 3 * std::tanh(v) + noise);
    }
    return csv;
  }
  static std::string task(const std::string& more = "law: coulomb-regularised\n",
                          const std::string& entry = "") {
    return "title: Rig 3\ndata:\n  - file: rig.csv\n"
           "    columns: {time: {column: t}, slip: {column: v}, load: {column: N}, force: "
           "{column: F}}\n" +
           entry + more;
  }
  std::string out(const std::string& name = "out") const { return path(name); }
  std::string command(const std::string& yaml, const std::string& folder = "out") const {
    return fmt::format("identify {} --out {}", write("rig.yaml", yaml), path(folder));
  }
  /// Exit 2, one line, and nothing is written.
  void expect_refusal(const std::string& yaml, const std::vector<std::string>& words) const {
    expect_refused(command(yaml), words);
    EXPECT_FALSE(std::filesystem::exists(out())) << yaml;
  }
  void expect_bad_row(const std::string& from, const std::string& to,
                      const std::vector<std::string>& words) const {
    std::string csv = rig(200);
    csv.replace(csv.find(from), from.size(), to);
    write("rig.csv", csv);
    expect_refusal(task(), words);
  }

  /// What a terminal shows of a run.
  Result at_terminal(const std::string& arguments) const {
    Result result;
    int terminal = -1;
    const ::pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      const std::string line = fmt::format("exec {} {}", testing_support::cli(), arguments);
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    std::array<char, 4096> buffer;
    for (::ssize_t n = 0; (n = ::read(terminal, buffer.data(), buffer.size())) > 0;) {
      result.out.append(buffer.data(), static_cast<std::size_t>(n));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
  }
};

TEST_F(IdentifyCommand, TellsWhatItFoundInThreeWays) {
  write("rig.csv", rig(1400));
  const std::string yaml = task("laws: [coulomb-regularised, coulomb-viscous]\nfit_share: 0.5\n",
                                "    window: [0 s, 13 s]\n"
                                "    prepare: [{low_pass: force, cutoff: 20 Hz, order: 2}]\n");
  const Result text = run(command(yaml));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, HasSubstr("Rig 3\n"));
  EXPECT_THAT(text.out, HasSubstr("coulomb-regularised: rms 0.0"));
  EXPECT_THAT(text.out, HasSubstr("determined: known to"));
  EXPECT_THAT(text.out, HasSubstr("its cycles of 2 s repeat to 0.0"));
  EXPECT_THAT(text.out, HasSubstr("results in " + out()));

  const std::string file = read(out() + "/estimate.json");
  EXPECT_EQ(run(command(yaml) + " --json").out, file);
  const auto json = nlohmann::json::parse(file);
  EXPECT_EQ(json["law"], "coulomb-regularised");
  EXPECT_EQ(json["laws"].size(), 2U);
  EXPECT_NEAR(json["parameters"][0]["value"], 0.3, 0.003);
  EXPECT_EQ(json["parameters"][0]["verdict"], "determined");
  EXPECT_LT(json["parameters"][0]["ci95"][0], 0.3);
  EXPECT_EQ(json["data"][0]["samples"], 1301);
  // What the columns are, then what was done to them.
  EXPECT_EQ(json["data"][0]["steps"].size(), 6U) << json["data"][0]["steps"];
  EXPECT_GE(json["data"][0]["repeatability"]["cycles"], 3);
  EXPECT_FALSE(json["shape"]["wrong"]);
  EXPECT_TRUE(json["warnings"].empty());

  const std::string page = read(out() + "/report.html");
  for (const char* words :
       {"Rig 3", "Parameters", "Laws compared", "Butterworth low-pass of order 2, 20 Hz",
        "<td>determined</td>", "<h2>How sure this is</h2>",
        "Profiles: ", "Each parameter held at values around", "cycles repeat to"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
  EXPECT_FALSE(std::filesystem::exists(out() + "/search.json"));
}

TEST_F(IdentifyCommand, RefusesWhatIsWrongInItsFileAndWritesNothing) {
  write("rig.csv", rig(200));
  expect_refusal(task("law: coulomb-regularised\nserach: {starts: 3}\n"),
                 {"rig.yaml:6", "serach", "did you mean 'search'"});
  expect_refusal(task("law: coulomb-regularised\norders: [[mu_k, epsi]]\n"),
                 {"rig.yaml:6", "epsi", "did you mean 'eps'"});
  expect_refusal(task("laws: [coulomb-regularised, coulomb]\norders: [[sigma2, mu_k]]\n"),
                 {"rig.yaml:6", "sigma2"});
  expect_refusal(
      "data: [{file: none.csv, columns: {time: {column: t}, slip: {column: v}}}]\n"
      "law: coulomb\n",
      {"rig.yaml:1", "no file", "none.csv"});
  std::string csv = rig(200);
  csv.replace(csv.find("F [N]"), 5, "F");
  write("rig.csv", csv);
  expect_refusal(task(), {"rig.yaml:4", "column 'F' a unit"});
}

TEST_F(IdentifyCommand, AParameterIsHeldOrSoughtWithinItsBounds) {
  write("rig.csv", rig(200));
  const auto with = [&](const std::string& setting) {
    return task("law: coulomb-regularised\nparameters: {mu_k: " + setting + "}\n");
  };
  expect_refusal(with("{fixed: 0.3, start: 0.2}"),
                 {"mu_k.start", "the parameter is fixed, and not sought"});
  expect_refusal(with("{fixed: 0.3, max: 1}"), {"mu_k.max", "fixed"});
  expect_refusal(with("{start: 2, max: 1}"), {"mu_k.start", "start is above max"});
  expect_refusal(with("{start: 0.01, min: 0.1}"), {"mu_k.start", "start is below min"});
  expect_refusal(with("{start: -1}"), {"mu_k.start", "out of range"});
}

TEST_F(IdentifyCommand, NamesTheRowOfBadData) {
  expect_bad_row("0.03,", "nan,", {"rig.csv:5", "not a finite number"});
  expect_bad_row("0.03,", "0.02,", {"rig.csv:5", "time does not increase"});
  // A load that drops out while friction goes on; the same where the bodies part.
  expect_bad_row("0.40,9.510565,10,", "0.40,9.510565,0,", {"rig.csv:42", "without load", "window"});
  expect_bad_row("0.40,9.510565,10,", "0.40,9.510565,-1,", {"rig.csv:42", "'-1 N'"});

  std::string csv = "t [s],v [mm/s],N [N],F [N]\n", still = csv, light = csv;
  for (int k = 0; k < 50; ++k) {
    csv += fmt::format("{},{},10,3\n", k, k % 3);
    still += fmt::format("{},0,10,{}\n", k, k % 3);
    light += fmt::format("{},{},0,{}\n", k, k % 3, k % 2);
  }
  write("rig.csv", csv);
  expect_refusal(task(), {"rig.csv:2", "'force'", "never changes", "lines 2 to 51"});
  write("rig.csv", still);
  expect_refusal(task(), {"rig.csv:2", "'slip'", "zero all through", "lines 2 to 51"});
  write("rig.csv", light);
  expect_refusal(task(), {"rig.csv:2", "'load'", "nowhere above zero", "lines 2 to 51"});

  write("rig.csv", rig(200));
  const std::string three = "    window: [0.1 s, 0.12 s]\n";
  expect_refusal(task("law: coulomb-regularised\noffset: true\n", three),
                 {"rig.csv", "3 samples cannot determine 3 parameters"});
  expect_refusal(task("laws: [coulomb-regularised, coulomb-viscous]\noffset: true\n", three),
                 {"rig.csv", "3 samples cannot determine 3 parameters"});
}

TEST_F(IdentifyCommand, SaysWhereBodiesHadParted) {
  std::string csv = rig(600);
  for (int k = 100; k < 110; ++k) {
    const auto line = csv.find(fmt::format("\n{:.2f},", 0.01 * k)) + 1;
    csv.replace(line, csv.find('\n', line) - line, fmt::format("{:.2f},0.5,0,0.01", 0.01 * k));
  }
  write("rig.csv", csv);
  const Result r = run(command(task()));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("rig.csv:102: 10 of 600 samples, this one the first, have no load"));
  EXPECT_NE(read(out() + "/report.html").find("10 of 600 samples"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(read(out() + "/estimate.json"))["warnings"].size(), 1U);
}

TEST_F(IdentifyCommand, UsesEveryWindowAndTakesASingleEntry) {
  write("rig.csv", rig(1000));
  ASSERT_EQ(run(command(task("law: coulomb-regularised\nprofile: false\n",
                             "    windows: [[0 s, 1 s], [4 s, 5.5 s]]\n")))
                .code,
            0);
  auto json = nlohmann::json::parse(read(out() + "/estimate.json"));
  EXPECT_EQ(json["samples"], 101 + 151);
  EXPECT_EQ(json["data"].size(), 2U);
  const std::string single =
      "data: {file: rig.csv, columns: {time: {column: t}, slip: {column: v}, load: {column: N}, "
      "force: {column: F}}}\nlaw: coulomb-regularised\nprofile: false\n";
  ASSERT_EQ(run(command(single)).code, 0);
  json = nlohmann::json::parse(read(out() + "/estimate.json"));
  EXPECT_EQ(json["samples"], 1000);
}

TEST_F(IdentifyCommand, IsStoppedAndGoesOnAsIfNothingHadHappened) {
  write("rig.csv", rig(3000, 0.7));
  const std::string yaml = task("law: lugre\nprofile: false\nsearch: {starts: 40, rounds: 1}\n");
  ASSERT_EQ(run(command(yaml, "whole")).code, 0);
  const std::string log = path("parts") + "/search.json";
  const Result stopped = signalled(command(yaml, "parts"), SIGINT, [&] {
    return std::filesystem::exists(log) && read(log).find("},{") != std::string::npos;
  });
  EXPECT_EQ(stopped.code, 1);
  EXPECT_THAT(stopped.err, HasSubstr("stopped in the search for 'lugre', lowest rms so far"));
  EXPECT_THAT(stopped.err, HasSubstr("go on with --resume"));
  EXPECT_FALSE(std::filesystem::exists(path("parts") + "/estimate.json"));
  const Result rest = run(command(yaml, "parts") + " --resume");
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(read(path("parts") + "/estimate.json"), read(path("whole") + "/estimate.json"));
  EXPECT_TRUE(read(path("parts") + "/report.html") == read(path("whole") + "/report.html"));
  EXPECT_FALSE(std::filesystem::exists(log));
}

TEST_F(IdentifyCommand, ShowsStartsAndTheLowestMisfitAtATerminal) {
  write("rig.csv", rig(3000, 0.7));
  const Result r =
      at_terminal(command(task("law: lugre\nsearch: {starts: 30, rounds: 2}\nprofile: false\n")));
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("lugre: "));
  EXPECT_THAT(r.out, HasSubstr(" of 30 starts, lowest rms 0."));
  EXPECT_THAT(r.out, Not(HasSubstr("t = ")));
}

}  // namespace
}  // namespace bristle
