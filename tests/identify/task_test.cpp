// Identifications from files: what is read, what is refused, and real data.

#include "bristle/identify/task.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "bristle/core/error.hpp"
#include "support/measured.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

std::filesystem::path presliding() {
  return testing_support::measured("presliding/test_data_2.txt");
}

std::string task_text(const std::string& more, int points = 11) {
  return fmt::format(R"(title: Pre-sliding loop
data:
  - file: {}
    columns:
      time: {{column: Time, unit: s}}
      position: {{column: Position, unit: mm}}
      load: 5 N
      force: {{column: Friction, unit: uN, gain: -1}}
    window: [8.7 s, 207.75 s]
    prepare:
      - {{resample: 200 Hz}}
      - {{differentiate: position, to: slip, points: {}, degree: 2}}
      - {{still: slip, below: 3 um/s}}
offset: true
fit_share: 0.4988
{})",
                     presliding().string(), points, more);
}

class IdentifyTaskTest : public ::testing::Test {
 protected:
  void SetUp() override { BRISTLE_NEEDS_MEASURED("presliding/test_data_2.txt"); }
};

TEST_F(IdentifyTaskTest, PreSlidingLoopBySeveralLaws) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "left to the release build: minutes under the sanitizers";
#endif
  const Document document = Document::parse(
      task_text("laws: [reset-integrator, elasto-plastic, gonthier, coulomb, lugre, dahl]\n"
                "laws_parameters: {lugre: {mu_s: {max: 0.6}}, dahl: {n: {fixed: 1}}, gonthier: "
                "{v_eps: {fixed: 0}}}\n"
                "search: {starts: 12, rounds: 1}\nprofile: false\n"),
      "t.yaml");
  const IdentifyTask task = read_task(document);
  document.finish();
  const Identification result = identify(task);
  ASSERT_EQ(result.fits.size(), 6u);
  const auto of = [&](const std::string& law) -> const LawFit& {
    return *std::find_if(result.fits.begin(), result.fits.end(),
                         [&](const LawFit& fit) { return fit.law == law; });
  };
  const LawFit& reset = of("reset-integrator");
  EXPECT_LE(reset.held_out, 0.115);
  EXPECT_LE(of("gonthier").held_out, 0.115);
  EXPECT_LE(of("elasto-plastic").held_out, 0.105);
  EXPECT_EQ(result.fits[0].law, "elasto-plastic");
  // Stiff springs that slide suddenly are the wrong shape for LuGre and for Dahl with its exponent
  // at one; Coulomb has no spring at all.
  EXPECT_NEAR(of("lugre").held_out, 0.25, 0.01);
  EXPECT_NEAR(of("dahl").held_out, 0.25, 0.01);
  EXPECT_NEAR(of("coulomb").held_out, 1.37, 0.02);
  for (const LawFit& fit : result.fits) {
    const bool wrong = fit.law == "lugre" || fit.law == "dahl" || fit.law == "coulomb";
    EXPECT_EQ(fit.shape.wrong, wrong) << fit.law << ": " << fit.shape.text;
  }
  // The rig itself repeats to this only, which is the floor of all fits.
  ASSERT_TRUE(result.repeats.at(0));
  EXPECT_NEAR(result.repeats[0]->rms, 0.053, 0.003);
  EXPECT_NEAR(result.repeats[0]->period, 4, 1e-3);
  const std::string text = identification_text(task, result);
  EXPECT_THAT(text, HasSubstr("repeat to 0.05"));
  EXPECT_THAT(text, HasSubstr("the shape of this law is wrong here, not its parameters"));
  EXPECT_LT(reset.confidence.whiteness_p, 0.01);
  for (const Estimate& e : reset.confidence.parameters) {
    if (e.name == "beta") {
      EXPECT_EQ(e.verdict, Verdict::not_determined);
    } else if (e.name == "mu_k") {
      EXPECT_NEAR(e.value, 0.463, 0.01);
    }
  }
  const std::string json = estimate_json(task, result);
  EXPECT_THAT(json, HasSubstr("\"verdict\""));
  EXPECT_THAT(json, HasSubstr("\"repeatability\""));
  EXPECT_THAT(json, HasSubstr("\"wrong\": true"));
  const std::string page = render_page(identification_page(task, result));
  for (const char* words :
       {"Pre-sliding loop", "cycles repeat to", "lugre: the shape of this law is wrong here"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
}

TEST_F(IdentifyTaskTest, CoulombDependsOnHowItsSlipWasHad) {
  // All that this law sees of the motion is the sign of its slip: the longer the polynomials that
  // differentiate the position, the later it turns.
  const Document document =
      Document::parse(task_text("law: coulomb\nsearch: {starts: 4, rounds: 1}\n", 21), "t.yaml");
  const IdentifyTask task = read_task(document);
  document.finish();
  EXPECT_NEAR(identify(task).fits[0].held_out, 1.44, 0.02);
}

TEST_F(IdentifyTaskTest, WhatIsWrongIsNamed) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      const Document document = Document::parse(text, "t.yaml");
      const IdentifyTask task = read_task(document);
      document.finish();
      identify(task);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(task_text("")), HasSubstr("needs a law"));
  EXPECT_THAT(refusal(task_text("law: lugr\n")), HasSubstr("did you mean 'lugre'"));
  EXPECT_THAT(refusal(task_text("law: dahl\nparameters: {sigma_0: {fixed: 1 N/m}}\n")),
              HasSubstr("did you mean 'sigma0'"));
  EXPECT_THAT(refusal(task_text("law: dahl\nparameters: {sigma0: {fixed: 1 N}}\n")),
              HasSubstr("sigma0"));
  EXPECT_THAT(refusal(task_text("law: dahl\nparameters: {sigma0: {min: 2 N/m, max: 1 N/m}}\n")),
              HasSubstr("min must be below max"));
  EXPECT_THAT(refusal(task_text("law: bristle\n")), HasSubstr("cannot be sought"));
  EXPECT_THAT(refusal(task_text("law: dahl\nsearch: {stats: 3}\n")), HasSubstr("stats"));
}

}  // namespace
}  // namespace bristle
