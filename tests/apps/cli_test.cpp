// The command line as a user meets it: output, exit codes, messages.

#include "cli.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/friction/any_law.hpp"
#include "bristle/io/csv.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Cli, ModelsListsEveryLawWithEveryFieldOfEveryParameter) {
  const Result r = run("models --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto models = nlohmann::json::parse(r.out)["models"];
  std::vector<std::string> names;
  for (const auto& m : models) {
    names.push_back(m["name"]);
    ASSERT_FALSE(m["parameters"].empty()) << m["name"];
    for (const auto& p : m["parameters"]) {
      for (const char* key : {"name", "symbol", "unit", "source", "text"}) {
        EXPECT_FALSE(p[key].get<std::string>().empty())
            << m["name"] << " " << p["name"] << " " << key;
      }
      for (const char* key : {"min", "max", "default"}) EXPECT_TRUE(p.contains(key)) << p["name"];
    }
  }
  const std::vector<std::string> wanted{"classical",
                                        "karnopp",
                                        "armstrong-7",
                                        "bristle",
                                        "mdsf-bristle",
                                        "mdsf-augmented",
                                        "reset-integrator",
                                        "dahl",
                                        "lugre",
                                        "lugre-damped",
                                        "elasto-plastic",
                                        "gonthier",
                                        "brown-mcphee",
                                        "wang-rui",
                                        "chaturvedi",
                                        "kudra-1d",
                                        "coulomb",
                                        "coulomb-viscous",
                                        "stiction",
                                        "stribeck",
                                        "coulomb-regularised",
                                        "table"};
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(wanted));
}

TEST_F(Cli, ModelsShowsOneLaw) {
  const Result r = run("models lugre");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("sigma0"));
  EXPECT_THAT(r.out, HasSubstr("(also mu_d)"));
  EXPECT_EQ(nlohmann::json::parse(run("models lugre --json").out)["models"].size(), 1U);
}

TEST_F(Cli, ModelsListsTheLawOfAreas) {
  EXPECT_THAT(run("models").out, HasSubstr("volumetric            Volumetric contact"));
  EXPECT_THAT(run("models volumetric").out, HasSubstr("volumetric stiffness of the pair"));
  const auto json = nlohmann::json::parse(run("models volumetric --json").out);
  EXPECT_TRUE(json["models"].empty());
  EXPECT_EQ(json["area"][0]["name"], "volumetric");
  expect_refused("models volumetrik", {"did you mean 'volumetric'?"});
}

TEST_F(Cli, CurveHasTheColumnsOfTheContract) {
  EXPECT_THAT(run("curve lugre --v 0:1:3").out, StartsWith("v,F\n0,"));
  const Result r = run("curve karnopp --v=-1e-4:1:3 --fn 2");
  EXPECT_THAT(r.out, StartsWith("v,F,F_min,F_max\n-0.0001,-0.4"));
  const Table table = parse_csv(r.out, "curve");
  EXPECT_EQ(table.at("F_max")[0], 0.5);  // within the band
  EXPECT_EQ(table.at("F_max")[2], table.at("F")[2]);
  EXPECT_EQ(parse_csv(run("curve dahl --v 1e-3:1e-3:1").out, "").rows(), 1U);
}

TEST_F(Cli, CurveTakesUnitsAliasesFilesAndTwoSides) {
  const std::string file = write("p.yaml", "law: lugre\nmu_s: 0.4\nsigma2: 2 N s/m\nv_s: 2 mm/s\n");
  const auto force = [&](const std::string& arguments) {
    return parse_csv(run("curve " + arguments).out, arguments).at("F")[0];
  };
  AnyLaw law("lugre");
  law.set("mu_s", 0.4);
  law.set("mu_d", 0.3);
  law.set("sigma2", 2);
  law.set("v_s", 2e-3);
  EXPECT_EQ(force("lugre --params " + file + " --set mu_d=0.3 --v '1 mm/s:1 mm/s:1' --fn '3 N'"),
            law.steady(1e-3, 3));
  EXPECT_EQ(force("coulomb --set mu_k=0.2 --set minus.mu_k=0.3 --set offset=0.05 --v=-1:-1:1"),
            -0.3 + 0.05);
  EXPECT_EQ(force("lugre --set per_load=true --set sigma2='2 s/m' --v 1:1:1 --fn 10"),
            0.2 * 10 + 2 * 10);
}

TEST_F(Cli, TraceFollowsAFile) {
  const std::string file = write("slip.csv", "t [ms], v [mm/s], fn\n0,1,1\n1,1,1\n2,1,1\n10,1,1\n");
  const Result r = run("trace dahl --input " + file);
  ASSERT_EQ(r.code, 0) << r.err;
  const Table table = parse_csv(r.out, "trace");
  const double fc = 0.2, x = 1e-3 * 10e-3;
  EXPECT_NEAR(table.at("F").back(), fc * (1 - std::exp(-1e5 * x / fc)), 1e-14);
  EXPECT_THAT(table.names,
              ::testing::ElementsAre("t", "v", "fn", "F", "z", "work", "stored", "dissipated"));
  EXPECT_THAT(r.err, HasSubstr("relative error"));
  EXPECT_EQ(run("trace dahl --quiet --input " + file).err, "");
}

TEST_F(Cli, TraceInThePlane) {
  const std::string file = write("slip.csv", "t,v_x,v_y\n0,3e-3,4e-3\n1,3e-3,4e-3\n");
  const Table table = parse_csv(run("trace lugre --fn 2 --input " + file).out, "trace");
  EXPECT_NEAR(table.at("F_y").back() / table.at("F_x").back(), 4.0 / 3.0, 1e-12);
}

TEST_F(Cli, TraceUsesTheHoldingForce) {
  const std::string file = write("slip.csv", "t,v,fe\n0,0,0.1\n1,0,-0.4\n2,0.1,0\n");
  const Table table = parse_csv(run("trace karnopp --input " + file).out, "trace");
  EXPECT_THAT(table.at("F"), ::testing::ElementsAre(0.1, -0.25, 0.2));
}

TEST_F(Cli, PlotsAreWritten) {
  EXPECT_EQ(run("curve stribeck --v=-0.01:0.01:101 --plot " + path("a.svg")).code, 0);
  EXPECT_THAT(read(path("a.svg")), HasSubstr("<svg"));
  EXPECT_EQ(run("trace lugre --wave sine:1e-3:1 --plot " + path("b.html")).code, 0);
  EXPECT_THAT(read(path("b.html")), HasSubstr("<html"));
}

TEST_F(Cli, SymmetricRangesAreSymmetricToTheLastBit) {
  const Table table = parse_csv(run("curve karnopp --v=-4e-4:4e-4:9").out, "");
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(table.at("v")[i], -table.at("v")[8 - i]);
    EXPECT_EQ(table.at("F_max")[i], -table.at("F_min")[8 - i]);
  }
}

TEST_F(Cli, SameInputSameBytes) {
  const std::string command = "trace bristle --wave sine:1e-3:2 --all-states --quiet";
  const Result once = run(command);
  EXPECT_EQ(once.code, 0);
  EXPECT_THAT(once.out, StartsWith("t,v,fn,F,delta1,"));
  EXPECT_EQ(once.out, run(command).out);
}

TEST_F(Cli, BadInputIsRefusedInOneClearLine) {
  expect_refused("curve lugr --v 0:1:3",
                 {"'lugr'", "unknown friction law", "did you mean 'lugre'"});
  expect_refused("curve lugre --set mu_S=0.3 --v 0:1:3", {"'mu_S'", "did you mean 'mu_s'"});
  expect_refused("curve lugre --set sigma0=-5 --v 0:1:3", {"'sigma0'", "'-5'", "(0, inf) N/m"});
  expect_refused("curve lugre --set mu_s=0.1 --v 0:1:3", {"mu_s", "0.1", "mu_s >= mu_k"});
  expect_refused("curve lugre --set mu_s=nan --v 0:1:3", {"'mu_s'", "nan"});
  expect_refused("curve lugre --set v_s='1 N' --v 0:1:3", {"'v_s'", "force (N)", "speed (m/s)"});
  expect_refused("curve lugre --set sigma0='1 1/m' --v 0:1:3", {"'sigma0'"});
  expect_refused("curve lugre --set mu_s --v 0:1:3", {"'mu_s'", "KEY=VALUE"});
  expect_refused("curve bristle --set n=2.5 --v 0:1:3", {"'n'", "whole number"});
  expect_refused("curve classical --set v1=3e-4 --v 0:1:3", {"v1 must be below v2"});
  expect_refused("curve coulomb-regularised --set shape=tnh --v 0:1:3", {"did you mean 'tanh'"});
  expect_refused("curve gonthier --set bounded=maybe --v 0:1:3", {"true or false"});
  expect_refused("curve lugre --set minus.per_load=true --v 0:1:3", {"minus.per_load"});
  expect_refused("curve armstrong-7 --set minus.tau_L=0.1 --v 0:1:3", {"tau_L"});
  expect_refused("curve armstrong-7 --set minus.f_sa0=0.5 --v 0:1:3",
                 {"minus.f_sa0", "both directions share it"});
  expect_refused("curve lugre --v 0:1", {"--v", "a:b:n"});
  expect_refused("curve lugre --v 0:1:0", {"--v"});
  expect_refused("curve lugre --v 0:x:3", {"--v"});
  expect_refused("curve lugre --v 0:1:3 --fn=-1", {"--fn", "at least 0"});
  expect_refused("curve lugre --v 0:1:3 --plot a.bmp", {".svg"});
  expect_refused("curve lugre --v 0:1:3 --out /no/such/folder/a.csv", {"/no/such/folder"});
  expect_refused("curve", {"MODEL"});
  expect_refused("modles", {"'modles'", "did you mean 'models'"});
  expect_refused("", {});
}

TEST_F(Cli, ARunThatMakesNoWayEndsWithItsReason) {
  const auto expect_failed = [&](const std::string& arguments,
                                 const std::vector<std::string>& words) {
    const Result r = run(arguments + " --out " + path("none"));
    EXPECT_EQ(r.code, 1) << arguments << "\n" << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    for (const std::string& word : words) EXPECT_THAT(r.err, HasSubstr(word)) << arguments;
    EXPECT_FALSE(std::filesystem::exists(path("none"))) << arguments;
  };
  // The first two hung at t = 0.
  expect_failed("run drive --set friction.offset=1e308", {"step", "t = 0 s", "solver.method"});
  expect_failed("run rotation --set volumetric.k_v=1e308", {"step", "t = 0 s", "solver.method"});
  expect_failed("run ball-incline --set gravity='[0, 0, -1e308]' --set solver.method=bristle",
                {"no longer finite", "solver.step"});
  // Both wrote infinity or null, and ended well.
  expect_failed("trace dahl --set n=9849 --state z='-2 um' --wave constant:1e-3",
                {"no longer finite at t = 0.001"});
  expect_failed("run peg-in-hole --set duration=0.1 --set bodies.left.position='[-1e308 mm, 0, 0]'",
                {"column 'gap1' is not finite at t = 0 s"});
  expect_refused("run mass-spring --set duration=1e300", {"duration", "at most 1000000000 s"});
  expect_refused("run ball-incline --set solver.method=bristle --set solver.step=1e-300",
                 {"solver.step", "at most 1e+09 steps"});
  expect_refused("run drive --set duration=1e9", {"more than 1e8 samples"});
}

TEST_F(Cli, WhatWasAcceptedInSilenceIsRefused) {
  expect_refused("trace lugre --wave sine:1e-3:1 --duration ''", {"--duration", "empty value"});
  expect_refused("curve lugre --v 0:1:3 --out=", {"--out", "missing"});
  expect_refused("peg-record --seed=-1", {"--seed", "'-1'", "whole number"});
  expect_refused("peg-record --seed=1e3", {"--seed", "'1e3'", "whole number"});
  expect_refused("peg-record --mu-a 1e300", {"--mu-a", "1e300", "[0, 10]"});
  expect_refused("peg-record --drift '1e9 N'", {"--drift", "[-1000000, 1000000] N"});
  expect_refused("patch --shape '{disc: {radius: 1 cm}}' --report " + path("x.txt"),
                 {"x.txt", ".html"});
  expect_refused("curve lugre --v 0:1:3 --fn '3 %%'", {"--fn", "unexpected '%'"});
  EXPECT_FALSE(std::filesystem::exists(path("x.txt")));
}

TEST_F(Cli, AMissingArgumentIsToldWithTheOptionThatTookItsPlace) {
  expect_refused("curve --sed=3", {"MODEL is required", "unknown option '--sed'", "'--set'"});
  expect_refused("curve --set lugre --v 0:1:3", {"MODEL is required", "--set 'lugre'"});
  expect_refused("curve lugre --v 0:1:3 --fm 3", {"unknown option '--fm'", "did you mean '--fn'"});
}

TEST_F(Cli, NothingThatIsEchoedSteersTheTerminal) {
  for (const char* text : {"\x1b[2J", "\u009b2J", "\x9b"}) {
    const std::string given = fmt::format("'{}'", text);
    for (const std::string& arguments :
         {"curve " + given + " --v 0:1:3", "curve lugre --" + given, given,
          "curve lugre --v 0:1:3 " + given, "curve lugre --v " + given,
          "run mass-spring --set title=" + given}) {
      const Result r = run(arguments);
      EXPECT_EQ(r.code, 2) << r.err;
      EXPECT_THAT(r.err, Not(HasSubstr(text)));
    }
  }
  const std::string file = write("t.yaml", "include: mass-spring\ntitle: \"\\e[2J\"\n");
  expect_refused("run " + file, {"t.yaml:2", "'title'", "control character 0x1b"});
}

TEST_F(Cli, StandardInputIsReadWhereAFileIsADash) {
  const std::string file = write("slip.csv", "t,v\n0,1e-3\n1,1e-3\n");
  EXPECT_EQ(run("trace lugre --quiet --input - <" + file).out,
            run("trace lugre --quiet --input " + file).out);
  const std::string params = write("p.yaml", "mu_s: 0.4\n");
  EXPECT_EQ(run("curve lugre --v 0:1:3 --params - <" + params).out,
            run("curve lugre --v 0:1:3 --params " + params).out);
  expect_refused("trace lugre --input - </dev/null", {"standard input", "empty file"});
}

TEST_F(Cli, PipesAndDevicesAreNoFiles) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_refused("trace lugre --input " + pipe, {"pipe", "it is a pipe", "'-'"});
  expect_refused("curve lugre --v 0:1:3 --params " + pipe, {"it is a pipe"});
  expect_refused("run " + pipe + "/../pipe", {"pipe"});
  expect_refused("trace lugre --input /dev/zero", {"/dev/zero", "it is a device"});
  expect_refused("run ./../../../../../../dev/zero", {"dev/zero"});
}

TEST_F(Cli, BadFilesAreRefusedWithTheirLine) {
  expect_refused("trace lugre --input nothing.csv", {"nothing.csv", "No such file"});
  const auto csv = [&](const std::string& content) {
    return "trace lugre --input " + write("s.csv", content);
  };
  expect_refused(csv("t,v\n0,1\n1,abc\n"), {"s.csv:3", "'v'", "abc"});
  expect_refused(csv("t,v\n0,1\n1\n"), {"s.csv:3"});
  expect_refused(csv("t,v\n0,1\n1,nan\n"), {"s.csv:3", "nan"});
  expect_refused(csv("t,v\n0,1\n0,2\n"), {"s.csv:3", "'t'", "does not increase"});
  expect_refused(csv("t,v,fn\n0,1,1\n1,1,-2\n"), {"s.csv:3", "'fn'", "-2"});
  expect_refused(csv("t,v,Fn\n0,1,1\n"), {"'Fn'", "did you mean 'fn'"});
  expect_refused(csv("time,v\n0,1\n"), {"'t'", "needs this column"});
  expect_refused(csv("t,v [kg]\n0,1\n"), {"'v'", "mass (kg)", "speed (m/s)"});
  const auto yaml = [&](const std::string& content) {
    return "curve lugre --v 0:1:2 --params " + write("p.yaml", content);
  };
  expect_refused(yaml("mu_s: 0.3\nmu_S: 0.3\n"), {"p.yaml:2", "'mu_S'", "did you mean 'mu_s'"});
  expect_refused(yaml("mu_s: 0.3\nmu_s: 0.4\n"), {"p.yaml:2", "twice"});
  expect_refused(yaml("mu_k: 0.2\nmu_d: 0.1\n"), {"p.yaml:2", "'mu_k' in line 1"});
  expect_refused(yaml("mu_s: [1, 2]\n"), {"p.yaml:1", "list"});
  expect_refused(yaml("mu_s: 0.3\nv_s: 3 kg\n"), {"p.yaml:2", "mass (kg)"});
  expect_refused(yaml("law: dahl\n"), {"p.yaml:1", "another law"});
  expect_refused(yaml("mu_s: 0.3\nmu_k: 0.4\n"), {"p.yaml:1", "mu_s >= mu_k"});
  expect_refused(yaml("mu_s: 0.3\nmu_k: {0.2\n"), {"p.yaml:", "not valid YAML"});
}

TEST_F(Cli, OddUsesOfTraceAreRefused) {
  const std::string file = write("s.csv", "t,v,fn\n0,1e-3,1\n1,1e-3,1\n");
  expect_refused("trace gonthier --wave constant:1 --state s_dw=2", {"s_dw", "[0, 1]"});
  expect_refused("trace armstrong-7 --wave constant:1 --state mode=7", {"mode", "no such state"});
  expect_refused("trace armstrong-7 --wave constant:1 --state t_2=-5", {"t_2", "at least 0"});
  expect_refused("trace lugre --wave constant:1 --state z='1 kg'", {"z", "mass"});
  expect_refused("trace lugre --wave constant:1 --step 2", {"--step"});
  expect_refused("trace lugre --wave constant:1 --step 0.3", {"--step", "whole number of steps"});
  expect_refused("trace lugre --wave sine:1:-1", {"--wave", "frequency"});
  expect_refused("trace lugre --wave sine:1", {"--wave"});
  expect_refused("trace lugre --wave constant:1 --fn=-1", {"--fn"});
  expect_refused("trace lugre --fn 2 --input " + file, {"--fn", "one place"});
  expect_refused("trace lugre --duration 2 --input " + file, {"--duration"});
  expect_refused("trace lugre --input " + file + " --out " + file, {"--out"});
  expect_refused("trace lugre --input " + file + " --wave constant:1", {"--input"});
  expect_refused("trace lugre", {"--input"});
  expect_refused("trace lugre --wave constant:1 --substeps 1.5", {"--substeps"});
  expect_refused("trace lugre --wave constant:1 --method euler", {"--method", "advance or rk4"});
  EXPECT_EQ(run("trace lugre --wave constant:1e-3 --state z='1 um' --quiet").code, 0);
}

TEST_F(Cli, ALawThatLacksWhatAMethodNeedsIsRefusedByName) {
  expect_refused("trace coulomb --wave constant:1e-3 --method rk4",
                 {"'coulomb'", "smooth", "lugre"});
  expect_refused("trace reset-integrator --wave constant:1e-3 --method rk4",
                 {"'reset-integrator'"});
  expect_refused("trace stribeck --wave sine:1e-3:1", {"'stribeck'", "set-valued", "fe"});
  EXPECT_EQ(run("trace lugre --wave sine:1e-5:1 --step 1e-4 --method rk4").code, 0);
}

TEST_F(Cli, AFailedRunIsExitOneAndWritesNothing) {
  // Runge–Kutta with a step of a thousand relaxation times, and no bound on the deflection.
  const Result r =
      run("trace gonthier --set bounded=false --set sigma1=100 --wave constant:1 --step 1 "
          "--duration 100 "
          "--method rk4 --out " +
          path("f.csv"));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("no longer finite"));
  EXPECT_FALSE(std::filesystem::exists(path("f.csv")));
}

TEST_F(Cli, HelpAndVersion) {
  EXPECT_THAT(run("--help").out, HasSubstr("curve"));
  EXPECT_THAT(run("trace --help").out, HasSubstr("Examples"));
  EXPECT_THAT(run("--version").out, StartsWith("bristle "));
}

// ---- scenarios, run, compare --------------------------------------------------------------------

using Json = nlohmann::json;

TEST_F(Cli, ScenariosAreListedWithTheirColumns) {
  const Result plain = run("scenarios");
  EXPECT_EQ(plain.code, 0);
  EXPECT_THAT(plain.out, HasSubstr("mass-spring"));
  const Json list = Json::parse(run("scenarios --json").out).at("scenarios");
  const auto it = std::find_if(list.begin(), list.end(),
                               [](const Json& s) { return s.at("name") == "two-mass"; });
  ASSERT_NE(it, list.end());
  EXPECT_THAT(it->at("columns"),
              ::testing::IsSupersetOf({"t", "x1", "v1", "x2", "v2", "F1", "F2"}));
  EXPECT_THAT(run("scenarios mass-spring").out, HasSubstr("stiffness: 100 N/m"));
}

TEST_F(Cli, RunKeepsTheContractOfItsFiles) {
  const std::string out = (folder_ / "ms").string();
  const Result r = run(
      "run mass-spring --set friction.law=karnopp --set output.samples=100 --json --out " + out);
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const Json summary = Json::parse(r.out);
  EXPECT_EQ(summary, Json::parse(read(out + "/summary.json")));
  for (const char* key : {"scenario", "law", "final", "metrics", "energy", "events", "impacts",
                          "solver", "columns"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  for (const char* key : {"input", "kinetic", "stored", "dissipated", "relative_error"}) {
    EXPECT_TRUE(summary["energy"].contains(key)) << key;
  }
  for (const char* key : {"method", "steps", "rhs_evaluations"}) {
    EXPECT_TRUE(summary["solver"].contains(key)) << key;
  }
  EXPECT_EQ(summary["law"], "karnopp");
  EXPECT_EQ(summary["metrics"]["slip_count"], 6);
  EXPECT_EQ(summary["partial"], false);
  const Table table = read_csv(out + "/trajectory.csv");
  EXPECT_EQ(table.names.front(), "t");
  EXPECT_EQ(table.rows(), 101u);
  EXPECT_EQ(table.at("x").back(), summary["final"]["x"].get<double>());
  EXPECT_TRUE(std::filesystem::exists(out + "/trajectory.h5"));
  EXPECT_THAT(read(out + "/report.html"), HasSubstr("Energy audit"));
  EXPECT_THAT(read(out + "/timing.json"), HasSubstr("wall_seconds"));
}

TEST_F(Cli, TheSameRunGivesTheSameBytes) {
  const std::string a = (folder_ / "a").string(), b = (folder_ / "b").string();
  for (const std::string& out : {a, b}) {
    ASSERT_EQ(
        run("run two-mass --set friction.law=bristle --set solver.step=1e-4 --out " + out).code, 0);
  }
  for (const char* file :
       {"summary.json", "trajectory.csv", "trajectory.h5", "report.html", "scenario.yaml"}) {
    EXPECT_EQ(read(a + "/" + file), read(b + "/" + file)) << file;
  }
  // What was run can be run again.
  ASSERT_EQ(run("run " + a + "/scenario.yaml --out " + b).code, 0);
  EXPECT_EQ(read(a + "/trajectory.csv"), read(b + "/trajectory.csv"));
}

TEST_F(Cli, ComparePutsLawsSideBySide) {
  const std::string out = (folder_ / "cmp").string();
  const Result r =
      run("compare mass-spring --models karnopp,stiction --set output.samples=50 --out " + out);
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("karnopp"));
  EXPECT_THAT(r.out, HasSubstr("energy error"));
  const Json runs = Json::parse(read(out + "/compare.json")).at("runs");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1]["law"], "stiction");
  EXPECT_TRUE(std::filesystem::exists(out + "/karnopp/summary.json"));
  EXPECT_TRUE(std::filesystem::exists(out + "/report.html"));
}

TEST_F(Cli, CheckShowsWhatAFinerRunChanges) {
  const std::string out = (folder_ / "checked").string();
  const Result r = run("run mass-spring --set duration=2 --check --json --out " + out);
  ASSERT_EQ(r.code, 0) << r.err;
  const Json check = Json::parse(r.out).at("check");
  EXPECT_LT(check["first_slip_time"]["difference"].get<double>(), 1e-6);
  EXPECT_LT(check["final.x"]["difference"].get<double>(), 1e-8);
}

TEST_F(Cli, BadScenariosAreRefusedAndNothingIsWritten) {
  const std::string out = (folder_ / "none").string(), to = " --out " + out;
  expect_refused("run mass-sprin" + to, {"unknown scenario", "did you mean 'mass-spring'?"});
  expect_refused("run " + (folder_ / "no.yaml").string() + to, {"no.yaml", "no such file"});
  expect_refused("run mass-spring --set friction.law=coulomb --set solver.method=rk4" + to,
                 {"set-valued", "solver.method=event"});
  expect_refused("run mass-spring --set friction.law=bristle --set solver.method=cvode" + to,
                 {"random", "semi-implicit"});
  expect_refused("run mass-spring --set bodies.block.mass=0" + to,
                 {"bodies.block.mass", "more than 0 kg"});
  expect_refused("run mass-spring --set duration=-1" + to, {"duration", "more than 0 s"});
  expect_refused("run mass-spring --set solvr.rtol=1e-3" + to, {"did you mean 'solver'?"});
  expect_refused("run mass-spring --set contacts.3.load=1" + to, {"contacts"});
  expect_refused("run mass-spring --set friction.mu_s=nan" + to, {"mu_s", "nan"});
  expect_refused("compare mass-spring --models karnopp,lugr" + to, {"did you mean 'lugre'?"});
  const std::string a = (folder_ / "a.yaml").string(), b = (folder_ / "b.yaml").string();
  std::ofstream(a) << "include: b.yaml\n";
  std::ofstream(b) << "include: a.yaml\n";
  expect_refused("run " + a + to, {"a.yaml", "b.yaml:1"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace bristle
