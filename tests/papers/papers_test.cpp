// Published items: how they are read, judged, kept and compared with an earlier run.

#include <cmath>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/papers/reproduce.hpp"
#include "bristle/scenario/scenario.hpp"
#include "support/paths.hpp"

namespace bristle::papers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double value(const std::string& text) {
  return Expression(text).number([](const std::string& name) -> std::optional<Values> {
    if (name == "x") return Values{1, 2, 4};
    if (name == "run.t") return Values{0, 1, 2};
    return std::nullopt;
  });
}

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// ---- expressions ------------------------------------------------------------------------------

TEST(PaperExpression, BindsAsUsual) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3^2"), 19);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("8/4/2"), 1);
  EXPECT_DOUBLE_EQ(value("1 < 2 and 3 >= 4"), 0);
  EXPECT_DOUBLE_EQ(value("1e-3*1e3"), 1);
}

TEST(PaperExpression, ReducesColumns) {
  EXPECT_DOUBLE_EQ(value("last(x) - first(x)"), 3);
  EXPECT_DOUBLE_EQ(value("at(run.t, x, 1.5)"), 3);
  EXPECT_DOUBLE_EQ(value("when(run.t, x, 3)"), 1.5);
  EXPECT_DOUBLE_EQ(value("sum(window(run.t, 1, 2, x))"), 6);
  EXPECT_DOUBLE_EQ(value("slope([0, 1, 2], [1, 3, 5])"), 2);
  EXPECT_DOUBLE_EQ(value("intercept([0, 1, 2], [1, 3, 5])"), 1);
  EXPECT_DOUBLE_EQ(value("rising(x) and falling(-x)"), 1);
  EXPECT_DOUBLE_EQ(value("rising([1, 1])"), 0);
  EXPECT_DOUBLE_EQ(value("falling([1, 1])"), 0);
  EXPECT_DOUBLE_EQ(value("count([x, x])"), 6);
  EXPECT_DOUBLE_EQ(value("nth(x, 2)"), 2);
  EXPECT_TRUE(std::isnan(value("at(run.t, x, 9)")));
}

TEST(PaperExpression, RefusesWithTheReason) {
  EXPECT_THAT(fault_of([] { Expression("1 +"); }), HasSubstr("ends too early"));
  EXPECT_THAT(fault_of([] { Expression("lats(x)"); }), HasSubstr("did you mean 'last'"));
  EXPECT_THAT(fault_of([] { Expression("at(x, 1)"); }), HasSubstr("x, y, x0"));
  EXPECT_THAT(fault_of([] { Expression("1 2"); }), HasSubstr("not expected"));
}

TEST(PaperExpression, IsOnlySoDeepAndSoLong) {
  const auto times = [](std::size_t n, const std::string& text) {
    std::string made;
    for (std::size_t i = 0; i < n; ++i) made += text;
    return made;
  };
  const std::string deep = "more than 200 operations within one another";
  for (const std::string& text :
       {times(4000, "("), times(4000, "-") + "1", times(4000, "["), times(1000, "abs("),
        "1" + times(2000, "+1"), "1" + times(2000, "^1"), "1" + times(1000, " and 1")}) {
    EXPECT_THAT(fault_of([&] { Expression e(text); }), HasSubstr(deep)) << text.substr(0, 10);
  }
  EXPECT_THAT(fault_of([&] { Expression("1" + times(100'000, "+1")); }),
              HasSubstr("it has 200001 characters where 10000 are allowed"));
  EXPECT_THAT(fault_of([&] { value("count([" + times(11, "grid(0, 1, 1e6),") + "1])"); }),
              HasSubstr("more than 10000000 numbers"));
  EXPECT_EQ(value(times(150, "(") + "1" + times(150, ")")), 1);
  EXPECT_EQ(value("1" + times(150, "+1")), 151);
  EXPECT_THAT(fault_of([] { value("y"); }), HasSubstr("no such value"));
  EXPECT_THAT(fault_of([] { value("x + [1, 2]"); }), HasSubstr("do not meet"));
  EXPECT_THAT(fault_of([] { value("x"); }), HasSubstr("3 numbers where one is wanted"));
}

// ---- printed numbers and verdicts ---------------------------------------------------------------

TEST(PaperVerdict, PrintedDigitsAreThePrecision) {
  EXPECT_DOUBLE_EQ(read_printed("7.89e-3", {}).precision, 0.5e-5);
  EXPECT_DOUBLE_EQ(read_printed("-65", {}).precision, 0.5);
  EXPECT_DOUBLE_EQ(read_printed("0.20", {}).precision, 0.005);
  EXPECT_THROW(read_printed("about 3", {}), InputError);
  EXPECT_THROW(read_printed("inf", {}), InputError);
}

Number number_of(const std::string& published) {
  Number number;
  number.published = read_printed(published, {});
  return number;
}

TEST(PaperVerdict, PrintThenCorrectionThenReading) {
  Number number = number_of("7.52");
  EXPECT_EQ(judge(number, 7.524).outcome, Outcome::agrees);
  EXPECT_EQ(judge(number, 7.53).outcome, Outcome::differs);
  number.corrected = read_printed("7.6", {});
  number.exact = read_printed("8.4", {});
  EXPECT_EQ(judge(number, 7.52).outcome, Outcome::agrees);
  EXPECT_EQ(judge(number, 7.62).outcome, Outcome::corrected);
  EXPECT_EQ(judge(number, 8.42).outcome, Outcome::open);
  EXPECT_EQ(judge(number, 9).outcome, Outcome::differs);
  EXPECT_EQ(judge(number, std::nan("")).outcome, Outcome::differs);
}

TEST(PaperVerdict, TolerancesBoundsAndSentences) {
  Number number = number_of("100");
  number.tolerance = "2 %";
  EXPECT_EQ(judge(number, 101.9).outcome, Outcome::agrees);
  EXPECT_EQ(judge(number, 102.1).outcome, Outcome::differs);
  number = number_of("0.3");
  number.claim = Number::Claim::at_most;
  EXPECT_EQ(judge(number, 0.3).outcome, Outcome::agrees);
  EXPECT_EQ(judge(number, 0.31).outcome, Outcome::differs);  // a bound has no rounding
  EXPECT_EQ(judge(number, std::nan("")).outcome, Outcome::differs);
  number.claim = Number::Claim::holds;
  EXPECT_EQ(judge(number, 1).outcome, Outcome::agrees);
  EXPECT_EQ(judge(number, 0).outcome, Outcome::differs);
  number.why = "it cannot be";
  EXPECT_EQ(judge(number, 0).outcome, Outcome::corrected);
}

TEST(PaperVerdict, AnItemIsAsGoodAsItsWorstNumber) {
  Item item;
  const auto with = [&](std::vector<Outcome> outcomes) {
    std::vector<Judged> numbers;
    for (const Outcome outcome : outcomes) numbers.push_back({0, 0, 0, outcome});
    return verdict_of(item, numbers);
  };
  EXPECT_EQ(with({Outcome::agrees, Outcome::shown}), Verdict::reproduced);
  EXPECT_EQ(with({Outcome::agrees, Outcome::corrected}), Verdict::corrected);
  EXPECT_EQ(with({Outcome::open, Outcome::corrected}), Verdict::not_reproducible);
  EXPECT_EQ(with({Outcome::open, Outcome::differs}), Verdict::differs);
  item.correction = "a sign";
  EXPECT_EQ(with({Outcome::agrees}), Verdict::corrected);
  item.missing = "the figure";
  EXPECT_EQ(with({Outcome::agrees}), Verdict::not_reproducible);
  EXPECT_EQ(with({}), Verdict::not_reproducible);
}

// ---- files ------------------------------------------------------------------------------------

Paper paper_with(const std::string& item) {
  return read_paper(
      Document::parse("title: T\nauthors: A\nyear: 2000\nitems:\n  - " + item, "p.yaml"), "p");
}

const std::string spring = R"({id: a-1, where: Table 1, title: Spring,
    data: {run: {run: {scenario: mass-spring, set: {friction.law: karnopp, duration: 1.5, output.samples: 100}}}},
    numbers: [{name: peak, of: peak_friction, unit: N, published: 0.25}],
    figure: {panels: [{x: t, y: x, curves: [{x: t, y: x}]}]}})";

TEST(PaperFiles, MistakesPointToTheirLine) {
  const auto fault = [](const std::string& item) { return fault_of([&] { paper_with(item); }); };
  EXPECT_THAT(fault("{id: A, where: w, title: t}"), HasSubstr("not an id"));
  EXPECT_THAT(fault("{id: a, where: w, title: t}"), HasSubstr("nothing is judged"));
  EXPECT_THAT(fault("{id: a, where: w, title: t, mising: x}"), HasSubstr("nothing is judged"));
  EXPECT_THAT(fault("{id: a, where: w, title: t, missing: x, txt: y}"),
              HasSubstr("did you mean 'text'"));
  EXPECT_THAT(fault("{id: a, where: w, title: t, data: {d: {rnu: {scenario: x}}}}"),
              HasSubstr("did you mean 'run'"));
  EXPECT_THAT(fault("{id: a, where: w, title: t, data: {d: {run: {scenario: mas-spring}}}}"),
              HasSubstr("did you mean 'mass-spring'"));
  const std::string head = "{id: a, where: w, title: t, data: {d: {table: {k: '1'}}}, numbers: [";
  EXPECT_THAT(fault(head + "{name: n, of: k}]}"), HasSubstr("one of 'published'"));
  EXPECT_THAT(fault(head + "{name: n, of: 'k +', published: 1}]}"), HasSubstr("p.yaml:"));
  EXPECT_THAT(fault(head + "{name: n, of: e.k, published: 1}]}"),
              HasSubstr("no value of a source"));
  EXPECT_THAT(fault(head + "{name: n, of: k, published: 1, corrected: 2}]}"), HasSubstr("'why'"));
  EXPECT_THAT(fault(head + "{name: n, of: k, published: 1, exact: 2}]}"), HasSubstr("'missing'"));
  EXPECT_THAT(fault(head + "{name: n, of: k, published: 1, tolerance: much}]}"),
              HasSubstr("tolerance"));
}

TEST(PaperFiles, ThoseThatShipAreWhole) {
  const std::vector<Paper> papers = builtin_papers();
  ASSERT_EQ(papers.size(), 7u);
  std::size_t items = 0;
  std::set<std::string> used;
  for (const Paper& paper : papers) {
    items += paper.items.size();
    for (const Item& item : paper.items) {
      EXPECT_FALSE(item.where.empty()) << item.id;
      for (const NamedSource& named : item.sources) used.insert(named.source->scenario());
    }
  }
  EXPECT_GE(items, 60u);
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) {
      for (const Number& number : item.numbers) {
        if (count_as(number) == Count::statement) continue;
        EXPECT_NE(number.place.empty(), number.basis.empty())
            << item.id << ", " << number.name << ": name its place in print or what it stands on";
      }
    }
  }
  // The systems of the documents.
  for (const char* name : {"mass-spring",
                           "two-mass",
                           "bowden-leben",
                           "restitution",
                           "ball-incline",
                           "ball-bore-2d",
                           "ball-bore-3d",
                           "double-pendulum",
                           "pendulum-impact",
                           "disc-on-belt",
                           "spring-belt",
                           "indentation-sphere",
                           "impact-driven",
                           "rotation",
                           "indentation-cylinder",
                           "slow-acceleration",
                           "oscillation",
                           "slip-spin",
                           "rolling",
                           "turntable",
                           "incline-slider",
                           "peg-in-hole-mesh",
                           "peg-in-hole",
                           "drive",
                           "clutch",
                           "modelica-brake",
                           "modelica-friction"}) {
    EXPECT_TRUE(used.contains(name)) << name;
  }
}

// Every row of the list of systems and experiments in the documents has items.
TEST(PaperFiles, EverySystemHasAnItem) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> rows = {
      {"1 mass and spring",
       {"lin-fig-3.2", "lin-fig-3.3", "lin-fig-3.4", "lin-fig-3.5", "lin-fig-3.6", "lin-fig-3.7",
        "lin-table-3.2"}},
      {"2 two masses", {"lin-table-3.1", "lin-fig-3.9"}},
      {"3 cost of each law", {"lin-table-3.3"}},
      {"4 Bowden and Leben", {"gonthier-fig-5", "gonthier-fig-6", "gonthier-fig-7"}},
      {"5 restitution", {"gonthier-fig-1", "gonthier-fig-2", "gonthier-fig-3"}},
      {"6 ball on an incline", {"gonthier-fig-9", "gonthier-fig-10"}},
      {"7 ball in a cylinder",
       {"gonthier-fig-11", "gonthier-fig-12", "gonthier-fig-13", "gonthier-fig-14",
        "gonthier-fig-15"}},
      {"8 double pendulum",
       {"gonthier-fig-17", "gonthier-fig-19", "gonthier-fig-20", "gonthier-fig-21"}},
      {"9 impact of a double pendulum", {"gonthier-fig-22", "gonthier-fig-23"}},
      {"10 disc on a belt", {"kudra-fig-4a", "kudra-fig-4c"}},
      {"11 regularised laws", {"kudra-fig-2"}},
      {"12 spring and mass on a belt", {"chaturvedi-fig-1"}},
      {"13 indentation",
       {"boos-table-3.2", "boos-fig-3.3", "boos-fig-3.4", "boos-table-3.3", "boos-fig-3.5",
        "boos-fig-3.6"}},
      {"14 driven impact", {"boos-fig-3.9", "boos-fig-3.10"}},
      {"15 slow acceleration", {"boos-fig-5.1", "boos-eq-5.3"}},
      {"16 oscillation", {"boos-fig-5.13", "boos-fig-5.14"}},
      {"17 rotation", {"boos-fig-5.17", "boos-fig-5.21"}},
      {"18 slip and spin", {"boos-fig-5.22", "boos-fig-5.23"}},
      {"19 rolling resistance", {"boos-sec-6.2"}},
      {"20 turntable", {"boos-fig-1.4"}},
      {"21 slider on an incline", {"boos-sec-1.3"}},
      {"22 peg in a hole", {"lin-table-5.2", "lin-table-5.4", "lin-table-5.7", "lin-sec-5.2"}},
      {"23 real time", {"gonthier-sec-1"}},
      {"24 break-away, lag, dwell, pre-sliding", {"lin-sec-1.2", "lin-eq-2.4"}},
      {"25 drive", {"janot-fit", "janot-fit-asymmetric", "janot-loop"}},
      {"26 rotational chain", {"modelica-clutch", "modelica-brake", "modelica-friction"}},
  };
  ASSERT_EQ(rows.size(), 26u);
  std::set<std::string> ids;
  for (const Paper& paper : builtin_papers()) {
    for (const Item& item : paper.items) ids.insert(item.id);
  }
  for (const auto& [row, items] : rows) {
    EXPECT_FALSE(items.empty()) << row;
    for (const std::string& id : items) EXPECT_TRUE(ids.contains(id)) << row << ": " << id;
  }
}

// Measurements of others do not ship: without them an item is not judged, and says so.
TEST(PaperFiles, WithoutMeasurementsAnItemSaysWhatItNeeds) {
  const std::string item =
      "{id: a, where: w, title: t, data: {d: {measured: {file: seen.csv}}},"
      " numbers: [{name: n, of: last(x), published: 3}]}";
  const auto read = [&](const std::string& data) {
    return read_paper(
               Document::parse("title: T\nauthors: A\nyear: 2000\nitems:\n  - " + item, "p.yaml"),
               "p", data)
        .items.at(0);
  };
  const ItemResult without = reproduce(read(""));
  EXPECT_EQ(without.verdict, Verdict::not_reproducible);
  EXPECT_THAT(without.absent, HasSubstr("--data"));
  const std::string folder = ::testing::TempDir();
  write_file(folder + "/seen.csv", "t,x\n0,1\n1,3\n");
  const Item with = read(folder);
  EXPECT_EQ(reproduce(with).verdict, Verdict::reproduced);
  const std::string key = cache_key(with, "program");
  write_file(folder + "/seen.csv", "t,x\n0,1\n1,4\n");
  EXPECT_EQ(reproduce(with).verdict, Verdict::differs);
  EXPECT_NE(cache_key(with, "program"), key);
}

// ---- results ------------------------------------------------------------------------------------

TEST(PaperResults, AWrongLawShows) {
  std::string wrong = spring;
  wrong.replace(wrong.find("duration: 1.5"), 13, "friction.mu_s: 0.35, duration: 3");
  EXPECT_EQ(reproduce(paper_with(spring).items[0]).verdict, Verdict::reproduced);
  EXPECT_EQ(reproduce(paper_with(wrong).items[0]).verdict, Verdict::differs);
}

TEST(PaperResults, AnItemThatCannotRunDiffersAndSaysWhy) {
  const Paper paper = paper_with(
      "{id: a, where: w, title: t, data: {d: {run: {scenario: mass-spring, set: {duration: 0.1}}}},"
      " numbers: [{name: n, of: no_such_column, published: 1}]}");
  const ItemResult result = reproduce(paper.items[0]);
  EXPECT_EQ(result.verdict, Verdict::differs);
  EXPECT_THAT(result.error, HasSubstr("no_such_column"));
  ASSERT_EQ(result.numbers.size(), 1u);
}

TEST(PaperResults, TheCacheGivesBackTheSame) {
  const Item item = paper_with(spring).items[0];
  const ItemResult result = reproduce(item);
  const std::optional<ItemResult> kept = from_cache(item, to_cache(result));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->verdict, result.verdict);
  EXPECT_EQ(kept->numbers[0].computed, result.numbers[0].computed);
  ASSERT_EQ(kept->figure.panels.size(), 1u);
  EXPECT_EQ(kept->figure.panels[0].series[0].y, result.figure.panels[0].series[0].y);
  EXPECT_FALSE(from_cache(item, "{\"id\": \"a-1\""));
  EXPECT_FALSE(from_cache(item, "{\"id\": \"other\", \"computed\": [1], \"figure\": [[]]}"));
}

TEST(PaperResults, TheKeyKnowsItemAndProgram) {
  const Item item = paper_with(spring).items[0];
  std::string changed = spring;
  changed.replace(changed.find("0.25"), 4, "0.26");
  EXPECT_EQ(cache_key(item, "p"), cache_key(paper_with(spring).items[0], "p"));
  EXPECT_NE(cache_key(item, "p"), cache_key(item, "q"));
  EXPECT_NE(cache_key(item, "p"), cache_key(paper_with(changed).items[0], "p"));
}

TEST(PaperResults, WhatPassedBeforeAndFailsNowIsNamed) {
  std::vector<Paper> papers = {paper_with(spring)};
  ItemResult good = reproduce(papers[0].items[0]), bad = good;
  bad.verdict = Verdict::differs;
  const std::string earlier = results_json(papers, {good});
  EXPECT_THAT(regressions(earlier, {bad}), ElementsAre("a-1"));
  EXPECT_THAT(regressions(earlier, {good}), ElementsAre());
  EXPECT_THAT(regressions(results_json(papers, {bad}), {bad}), ElementsAre());
  EXPECT_THAT(regressions("", {bad}), ElementsAre());
  EXPECT_THAT(regressions("half a [", {bad}), ElementsAre());
}

TEST(PaperResults, JsonKeepsItemsThatWereNotAskedFor) {
  std::vector<Paper> papers = {paper_with(spring)};
  const ItemResult result = reproduce(papers[0].items[0]);
  const auto json = nlohmann::json::parse(
      results_json(papers, {result}, R"([{"id": "b", "verdict": "reproduced"}, {"id": "a-1"}])"));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["id"], "a-1");
  EXPECT_EQ(json[0]["verdict"], "reproduced");
  EXPECT_EQ(json[0]["published"], 0.25);
  EXPECT_NEAR(json[0]["computed"].get<double>(), 0.25, 1e-6);
  EXPECT_EQ(json[1]["id"], "b");
}

TEST(PaperResults, AreCountedByOutcome) {
  const auto result = [](std::vector<Outcome> outcomes) {
    ItemResult one;
    for (const Outcome outcome : outcomes)
      one.numbers.push_back({0, 0, 0, outcome, Count::printed});
    one.numbers.push_back({0, 0, 0, Outcome::agrees, Count::statement});
    return one;
  };
  EXPECT_EQ(
      tally({result({Outcome::agrees, Outcome::shown, Outcome::corrected}),
             result({Outcome::agrees, Outcome::open, Outcome::differs, Outcome::agrees})}),
      "6 printed numbers: 3 agree, 1 with a corrected misprint, 1 turn on what is not printed, 1 "
      "differ; 0 closed forms, bounds, words and inputs that come back: 0 agree, 0 with a "
      "corrected "
      "misprint, 0 turn on what is not printed, 0 differ; 2 statements and second readings: 2 "
      "agree, "
      "0 with a corrected misprint, 0 turn on what is not printed, 0 differ");
}

TEST(PaperResults, OnlyDigitsThatStandInPrintAreCountedAsPrinted) {
  const auto counts = [](const std::string& rest) {
    const std::string item =
        "{id: a, where: here, title: a, missing: some, data: {a: {table: {x: '[1, 2]'}}}, numbers: "
        "[{name: n, of: last(x), " +
        rest + "}]}";
    return count_as(paper_with(item).items[0].numbers[0]);
  };
  EXPECT_EQ(counts("published: 0.25, print: Table 1"), Count::printed);
  EXPECT_EQ(counts("published: 0.25, print: Table 1, says: 0.25 on the mean"), Count::printed);
  EXPECT_EQ(counts("at_most: 3, print: section 2"), Count::printed);
  EXPECT_EQ(counts("published: 0, print: section 2, says: 0"), Count::printed);
  EXPECT_EQ(counts("published: 0.25"), Count::apart);
  EXPECT_EQ(counts("published: 0.25, basis: words, says: a quarter"), Count::apart);
  EXPECT_EQ(counts("published: 0.25, basis: closed form"), Count::apart);
  EXPECT_EQ(counts("published: 0, says: remains constant"), Count::statement);
  EXPECT_EQ(counts("published: 0.25, again: true"), Count::statement);
  EXPECT_EQ(counts("holds: it moves"), Count::statement);
  EXPECT_EQ(counts("shown: nothing"), Count::statement);
  EXPECT_THAT(fault_of([&] { counts("published: 1, basis: hearsay"); }), HasSubstr("closed form"));
  EXPECT_THAT(fault_of([&] { counts("published: 1, basis: input, print: Table 1"); }),
              HasSubstr("not on both"));
}

TEST(PaperResults, NumbersOfExplanationsAreComputed) {
  const Item item = paper_with(
                        "{id: a, where: w, title: t, missing: 'its start: {2*k:.1f}', data: {d: "
                        "{table: {k: 2*3}}},"
                        " numbers: [{name: n, of: k, published: 6, note: 'k is {k:.2f}'}]}")
                        .items[0];
  const ItemResult result = reproduce(item);
  EXPECT_EQ(result.said.at("k is {k:.2f}"), "k is 6.00");
  EXPECT_EQ(result.said.at("its start: {2*k:.1f}"), "its start: 12.0");
  const std::optional<ItemResult> kept = from_cache(item, to_cache(result));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->said, result.said);
  const Paper paper{
      .name = "p", .title = "", .authors = "", .text = "", .year = 2000, .items = {item}};
  EXPECT_THAT(render_gallery(gallery_of({paper}, {result})), HasSubstr("k is 6.00"));
  const auto fault = [](const std::string& note) {
    return fault_of([&] {
      paper_with(
          "{id: a, where: w, title: t, data: {d: {table: {k: 2*3}}, e: {table: {k: 1}}},"
          " numbers: [{name: n, of: d.k, published: 6, note: '" +
          note + "'}]}");
    });
  };
  EXPECT_THAT(fault("k is {f.k}"), HasSubstr("p.yaml:"));
  EXPECT_THAT(fault("k is {d.k:.2q}"), HasSubstr("format"));
}

TEST(PaperResults, ThePageIsWholeAndEscaped) {
  std::string item = spring;
  item.replace(item.find("title: Spring"), 13, "title: 'Spring <b>&'");
  const std::vector<Paper> papers = {paper_with(item)};
  const std::string page = render_gallery(gallery_of(papers, {reproduce(papers[0].items[0])}));
  EXPECT_THAT(page, HasSubstr("Spring &lt;b&gt;&amp;"));
  EXPECT_THAT(page, HasSubstr("id=\"a-1\""));
  EXPECT_THAT(page, HasSubstr("bristle reproduce a-1"));
  EXPECT_THAT(page, HasSubstr("Scenario mass-spring"));
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org"));
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

}  // namespace
}  // namespace bristle::papers
