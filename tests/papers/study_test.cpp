// Studies: how they are read, run, kept, and what they say.

#include "bristle/papers/study.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "bristle/friction/any_law.hpp"

namespace bristle::papers {
namespace {

using ::testing::HasSubstr;

const std::string base = R"(title: Belt
scenario: spring-belt
set: {duration: 3, output.samples: 300}
laws: [stiction, karnopp, brown-mcphee]
reference: stiction
finer: {solver.rtol: 1e-11}
groups: {creeping: [brown-mcphee], sticking: [stiction, karnopp]}
quantities:
  amplitude: {title: Amplitude, unit: mm, of: 1e3*amplitude}
  touches: {title: Touches, of: peak_friction}
figure: {panels: [{x: t, y: x, to: 2, curves: [{x: t, y: x}]}]}
)";

Study study_with(const std::string& more) {
  return read_study(Document::parse(base + more, "s.yaml"), "s");
}

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

StudyResult run_all(const Study& study) {
  StudyResult result{&study, {}};
  for (std::size_t row = 0; row < study.rows(); ++row) {
    result.rows.push_back(compute_row(study, row));
  }
  return result;
}

TEST(Sentences, AreFilledInByFormulas) {
  const Lookup lookup = [](const std::string& name) -> std::optional<Values> {
    if (name == "all.x") return Values{1, 3};
    return std::nullopt;
  };
  EXPECT_EQ(Sentence("between {min(all.x):.1f} and {max(all.x)} m").say(lookup),
            "between 1.0 and 3 m");
  EXPECT_EQ(Sentence("nothing to fill in").say(lookup), "nothing to fill in");
  EXPECT_THAT(fault_of([] { Sentence("open {1"); }), HasSubstr("without '}'"));
  EXPECT_THAT(fault_of([] { Sentence("{1:%d}"); }), HasSubstr("format"));
}

TEST(Studies, MistakesPointToTheirLine) {
  const auto fault = [](const std::string& more) { return fault_of([&] { study_with(more); }); };
  EXPECT_THAT(fault("findings: [{if: all.amplitud > 1, then: a, else: b}]"),
              HasSubstr("did you mean 'amplitude'"));
  EXPECT_THAT(fault("findings: [{if: creping.amplitude > 1, then: a, else: b}]"),
              HasSubstr("did you mean 'creeping'"));
  EXPECT_THAT(fault("findings: [{if: '1', then: '{all.nothing}', else: b}]"), HasSubstr("s.yaml:"));
  EXPECT_THAT(fault("set_for: {karnop: {solver.step: 1e-5}}"), HasSubstr("did you mean 'karnopp'"));
  EXPECT_THAT(fault("sett: {duration: 1}"), HasSubstr("did you mean 'set'"));
}

TEST(Studies, FindingsFollowTheNumbers) {
  const Study study = study_with(R"(findings:
  - {if: min(creeping.amplitude) > max(sticking.amplitude), then: 'wider by {min(creeping.amplitude)/reference.amplitude-1:.2f}', else: 'narrower'}
  - {if: min(creeping.amplitude) < max(sticking.amplitude), then: 'narrower', else: 'not narrower'}
)");
  const StudyResult result = run_all(study);
  ASSERT_EQ(result.rows.size(), 4u);
  for (const StudyRow& row : result.rows) EXPECT_EQ(row.error, "") << row.law;
  EXPECT_EQ(result.rows[3].law, "stiction");  // the finer one
  EXPECT_NEAR(result.rows[3].values[0], result.rows[0].values[0], 1e-3);
  const std::vector<Said> said = findings_of(result);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[0].holds, said[1].holds);
  EXPECT_THAT(said[0].holds ? said[0].text : said[1].text,
              HasSubstr(said[0].holds ? "wider" : "narrower"));
  const std::vector<std::string> spreads = spreads_of(result);
  ASSERT_EQ(spreads.size(), 2u);
  EXPECT_THAT(spreads[0], HasSubstr("Amplitude: from"));
}

TEST(Studies, ALawThatCannotRunSaysWhy) {
  Study study = study_with("");
  study.laws[1] = "bristle";
  study.law_settings["bristle"] = {{"solver.method", "cvode", "", 0}};
  const StudyRow row = compute_row(study, 1);
  EXPECT_THAT(row.error, HasSubstr("random"));
  EXPECT_TRUE(std::isnan(row.values.at(0)));
  EXPECT_THAT(study_json({run_all(study)}), HasSubstr("\"error\""));
}

TEST(Studies, AQuantityThatNoRunHasIsRefused) {
  Study study = study_with("");
  study.quantities[1].of = Expression("peak_fricton");
  const StudyResult result = run_all(study);
  EXPECT_THAT(fault_of([&] { findings_of(result); }), HasSubstr("peak_fricton"));
}

TEST(Studies, TheCacheGivesBackTheSame) {
  const Study study = study_with("");
  const StudyRow row = compute_row(study, 0);
  const auto back = row_from_cache(study, to_cache(row));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->values, row.values);
  EXPECT_EQ(back->curves.at(0).x, row.curves.at(0).x);
  EXPECT_FALSE(row_from_cache(study, "{}").has_value());
  EXPECT_NE(cache_key(study, 0, "a"), cache_key(study, 1, "a"));
  EXPECT_NE(cache_key(study, 0, "a"), cache_key(study, 3, "a"));
}

// Every law is in every study that ships, so that a new law is compared as well.
TEST(Studies, ThoseThatShipHaveAllLaws) {
  const std::vector<Study> studies = builtin_studies();
  ASSERT_GE(studies.size(), 2u);
  for (const Study& study : studies) {
    EXPECT_FALSE(study.findings.empty()) << study.name;
    for (const std::string_view name : AnyLaw::names()) {
      EXPECT_THAT(study.laws, ::testing::Contains(std::string(name))) << study.name;
    }
  }
}

}  // namespace
}  // namespace bristle::papers
