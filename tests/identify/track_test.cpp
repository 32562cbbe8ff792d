// Logs along which parameters are followed: what is read, what is refused, what is told.

#include "bristle/identify/track.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::refusal;
using testing_support::ScratchFolder;

/// 3 s at 100 Hz, 10 N, sliding at 0.1 m/s; μ = 0.2, and from 2 s on 0.3. Hardly any noise.
std::string log_text() {
  std::string text = "t [s],v [m/s],F [N]\n";
  for (int k = 0; k <= 300; ++k) {
    text += fmt::format("{},{},{}\n", k / 100.0, 0.1 + 1e-3 * (k % 2),
                        (k < 200 ? 2 : 3) + 1e-3 * (k % 2));
  }
  return text;
}

class Track : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write("log.csv", log_text()); }

  std::string text(const std::string& more_of_data, const std::string& rest) const {
    return fmt::format(
        "title: Step\n"
        "data:\n  - file: {}\n    columns: {{time: {{column: t}}, slip: {{column: v}}, load: 10 N, "
        "force: {{column: F}}}}\n{}{}",
        (folder_ / "log.csv").string(), more_of_data, rest);
  }
  static TrackTask read(const std::string& yaml) {
    const Document document = Document::parse(yaml, "track.yaml");
    TrackTask task = read_track(document);
    document.finish();
    return task;
  }
  /// What a user is told who writes this for what is followed.
  std::string refused(const std::string& rest) const {
    return refusal([&] { track(read(text("", rest))); });
  }

  ScratchFolder folder_;
  const std::string law_ = "law: coulomb-regularised\nfixed: {eps: 1 mm/s}\nnoise: 0.1 N\n";
  const std::string mu_ = law_ + "track: {mu_k: {start: 0.5, min: 0, max: 1, walk: 0.05}}\n";
  const std::string known_ =
      law_ +
      "track: {mu_k: {start: 0.5, min: 0, max: 1, walk: 0.05, known: [{value: 0.2, until: 2 s}, "
      "{value: 0.3, from: 2 s}]}}\n";
};

TEST_F(Track, ReadsWhatIsFollowed) {
  const TrackTask task = read(text(
      "", law_ + "track: {mu_k: {start: 0.5, min: 0.1, max: 0.9, walk: 0.05, spread: 0.2}}\n"));
  EXPECT_EQ(task.title, "Step");
  EXPECT_EQ(task.law.name(), "coulomb-regularised");
  EXPECT_EQ(task.law.get("eps"), 1e-3);
  EXPECT_EQ(task.options.noise, 0.1);
  ASSERT_EQ(task.parameters.size(), 1u);
  const Tracked& p = task.parameters[0];
  EXPECT_EQ(p.name, "mu_k");
  EXPECT_EQ(p.start, 0.5);
  EXPECT_EQ(p.low, 0.1);
  EXPECT_EQ(p.high, 0.9);
  EXPECT_EQ(p.walk, 0.05);
  EXPECT_EQ(p.spread, 0.2);
  EXPECT_FALSE(task.known[0].has_value());
  // By another name, and with a unit.
  const TrackTask other =
      read(text("",
                "law: lugre\nnoise: 100 mN\ntrack: {mu_d: {start: 0.2, min: 0.1, max: 0.3}, "
                "v_s: {start: 2 mm/s, min: 1 mm/s, max: 5 mm/s}}\n"));
  EXPECT_EQ(other.parameters[0].name, "mu_k");
  EXPECT_EQ(other.parameters[1].start, 2e-3);
  EXPECT_EQ(other.options.noise, 0.1);
}

TEST_F(Track, EveryWindowIsARecording) {
  const TrackTask task = read(text("    windows: [[0 s, 1 s], [2.5 s, 3 s]]\n", mu_));
  ASSERT_EQ(task.recordings.size(), 2u);
  const Table result = track(task);
  ASSERT_EQ(result.at("t").size(), 152u);
  EXPECT_EQ(result.at("t")[100], 1.0);
  EXPECT_EQ(result.at("t")[101], 2.5);
  EXPECT_EQ(result.at("F")[101], 3);  // 2.5 s
  EXPECT_NEAR(result.at("mu_k")[100], 0.2, 1e-3);
  // The second goes on from what the first has told: a step of 0.1, not of 0.2 from the start.
  EXPECT_LT(result.at("mu_k")[101], 0.3);
  EXPECT_NEAR(result.at("mu_k").back(), 0.3, 1e-3);
  const std::vector<TrackSample> samples = track_samples(task);
  EXPECT_TRUE(samples[0].first);
  EXPECT_FALSE(samples[100].first);
  EXPECT_TRUE(samples[101].first);
  EXPECT_EQ(samples[101].dt, 0);
  EXPECT_NEAR(samples[102].dt, 0.01, 1e-12);
}

TEST_F(Track, ColumnsAreThoseOfTheEstimator) {
  const Table result = track(read(text("", mu_)));
  EXPECT_THAT(result.names, ElementsAre("t", "mu_k", "mu_k_sd", "F", "innovation"));
  EXPECT_LT(result.at("mu_k_sd").back(), result.at("mu_k_sd").front());
  // The step is an innovation of 1 N, which dies out.
  EXPECT_NEAR(result.at("innovation")[200], 1, 0.02);
  EXPECT_NEAR(result.at("innovation").back(), 0, 0.02);
}

TEST_F(Track, WhatIsKnownJudgesTheEstimate) {
  const TrackTask task = read(text("", known_));
  Table result = track(task);
  // By hand: within 5 % at 0.10 s, out again at 0.30 s, in for good from 0.31 s, 4 % off once.
  std::vector<double>& mu = result.columns[1];
  for (std::size_t k = 0; k < mu.size(); ++k) mu[k] = k < 10 ? 0.5 : (k < 200 ? 0.2 : 0.3);
  mu[30] = 0.22;
  mu[100] = 0.208;
  for (std::size_t k = 200; k < 225; ++k) mu[k] = 0.2;
  const std::vector<Settled> list = settling(task, result);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].parameter, "mu_k");
  EXPECT_EQ(list[0].from, 0);
  EXPECT_EQ(list[0].known, 0.2);
  EXPECT_NEAR(list[0].after, 0.31, 1e-12);
  EXPECT_NEAR(list[0].off, 0.04, 1e-12);
  EXPECT_EQ(list[1].from, 2);
  EXPECT_EQ(list[1].to, 3);
  EXPECT_EQ(list[1].known, 0.3);
  EXPECT_NEAR(list[1].after, 0.25, 1e-12);
  EXPECT_EQ(list[1].off, 0);
  EXPECT_THAT(track_text(task, result),
              HasSubstr("known to be 0.3 from 2 s: within 5 % after 0.25 s"));

  mu.back() = 0.4;
  const std::vector<Settled> never = settling(task, result);
  EXPECT_TRUE(std::isnan(never[1].after));
  EXPECT_THAT(track_text(task, result), HasSubstr("not within 5 % until 3 s"));
  EXPECT_TRUE(nlohmann::json::parse(track_json(task, result))["settled"][1]["after"].is_null());

  EXPECT_TRUE(settling(read(text("", mu_)), result).empty());
  TrackTask by_hand = task;
  by_hand.known.clear();
  EXPECT_TRUE(settling(by_hand, result).empty());
  EXPECT_EQ(track_figure(by_hand, result).panels.at(0).series.size(), 2u);
}

TEST_F(Track, JsonHasWhatThePageHas) {
  const TrackTask task = read(text("    prepare: [{decimate: 2}]\n", known_));
  const Table result = track(task);
  const auto json = nlohmann::json::parse(track_json(task, result));
  EXPECT_EQ(json["law"], "coulomb-regularised");
  EXPECT_EQ(json["noise"], 0.1);
  EXPECT_EQ(json["samples"], result.at("t").size());
  ASSERT_EQ(json["parameters"].size(), 1u);
  EXPECT_EQ(json["parameters"][0]["name"], "mu_k");
  EXPECT_EQ(json["parameters"][0]["unit"], "1");
  EXPECT_EQ(json["parameters"][0]["value"], result.at("mu_k").back());
  EXPECT_EQ(json["parameters"][0]["sd"], result.at("mu_k_sd").back());
  ASSERT_EQ(json["settled"].size(), 2u);
  EXPECT_EQ(json["settled"][1]["known"], 0.3);
  ASSERT_EQ(json["data"].size(), 1u);
  EXPECT_EQ(json["data"][0]["steps"].size(), 5u);  // four columns, and what was done to them
}

TEST_F(Track, ThePageShowsTheCourseAndWhatWasDoneToTheData) {
  const TrackTask task = read(text("    prepare: [{decimate: 2}]\n", known_));
  const ReportPage page = track_page(task, track(task));
  EXPECT_EQ(page.title, "Step");
  ASSERT_EQ(page.headlines.size(), 2u);
  EXPECT_EQ(page.headlines[0].label, "mu_k, at the end");
  EXPECT_EQ(page.headlines[1].status, Headline::Status::good);
  Table lost = track(task);
  lost.columns[1].back() = 0.9;
  EXPECT_EQ(track_page(task, lost).headlines.at(1).status, Headline::Status::warn);
  ASSERT_EQ(page.sections.size(), 2u);
  const Panel& panel = page.sections[0].figures.at(0).panels.at(0);
  EXPECT_EQ(panel.x_label, "Time t (s)");
  EXPECT_EQ(panel.series.at(0).label, "estimate");
  EXPECT_EQ(panel.series.back().label, "known");
  EXPECT_EQ(panel.series.back().y.front(), 0.2);
  EXPECT_EQ(panel.series.back().y.back(), 0.3);
  for (const Series& series : panel.series) {
    for (const double y : series.y) EXPECT_FALSE(y < 0 || y > 1) << series.label;
  }
  ASSERT_EQ(page.sections[0].tables.size(), 1u);
  EXPECT_EQ(page.sections[0].tables[0].rows.size(), 2u);
  ASSERT_EQ(page.sections[1].paragraphs.size(), 5u);  // four columns, and what was done to them
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_THAT(page.sections[1].paragraphs[k], HasSubstr("log.csv"));
    EXPECT_THAT(page.sections[1].paragraphs[k], HasSubstr(task.recordings[0].steps.at(k)));
  }
}

TEST_F(Track, RecordingsAreDrawnOneAfterTheOther) {
  const auto curve = [&](const std::string& windows) {
    const TrackTask task = read(text(fmt::format("    windows: {}\n", windows), mu_));
    return track_page(task, track(task)).sections[0].figures[0].panels[0];
  };
  // In order, as they were; a gap in the line.
  const Panel gap = curve("[[0 s, 1 s], [2.5 s, 3 s]]");
  EXPECT_EQ(gap.x_label, "Time t (s)");
  ASSERT_EQ(gap.series[0].x.size(), 153u);
  EXPECT_TRUE(std::isnan(gap.series[0].y[101]));
  EXPECT_EQ(gap.series[0].x[102], 2.5);
  // Not in order: moved behind one another, and said so.
  const Panel moved = curve("[[2 s, 3 s], [0 s, 1 s]]");
  EXPECT_THAT(moved.x_label, HasSubstr("one after the other"));
  const std::vector<double>& x = moved.series[0].x;
  EXPECT_TRUE(std::is_sorted(x.begin(), x.end()));
  EXPECT_NEAR(x.back() - x[x.size() - 101], 1, 1e-12);
}

TEST_F(Track, WhatIsWrongIsSaid) {
  const std::string mu = "track: {mu_k: {start: 0.5, min: 0, max: 1}}\n";
  EXPECT_EQ(refused(mu_), "accepted");
  EXPECT_THAT(refused("law: coulomb-regularised\n" + mu), HasSubstr("noise"));
  EXPECT_THAT(refused("law: coulomb-regularised\nnoise: 0 N\n" + mu), HasSubstr("noise"));
  EXPECT_THAT(refused("law: coulomb-regularised\nnoise: 0.1 m\n" + mu), HasSubstr("dimension"));
  EXPECT_THAT(refused("noise: 0.1 N\n" + mu), HasSubstr("law"));
  EXPECT_THAT(refused(law_), HasSubstr("track"));
  EXPECT_THAT(refused(law_ + "track: {mu_q: {start: 0.5, min: 0, max: 1}}\n"),
              testing::AllOf(HasSubstr("track.yaml:"), HasSubstr("track.mu_q"),
                             HasSubstr("unknown parameter"), HasSubstr("mu_k")));
  EXPECT_THAT(refused(mu_ + "walks: 3\n"), HasSubstr("walks"));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {start: 0.5, min: 0, max: 1, wlak: 1}}\n"),
              testing::AllOf(HasSubstr("wlak"), HasSubstr("walk")));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {min: 0, max: 1}}\n"), HasSubstr("track.mu_k.start"));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {start: 2, min: 0, max: 1}}\n"),
              HasSubstr("track.mu_k.start"));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {start: 0.5, min: -1, max: 1}}\n"),
              HasSubstr("track.mu_k.min"));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {start: 0.5, min: 0.5, max: 0.5}}\n"),
              HasSubstr("track.mu_k.max"));
  EXPECT_THAT(refused(law_ + "track: {mu_k: {start: 0.5, min: 0, max: 1, walk: -1}}\n"),
              HasSubstr("track.mu_k.walk"));
  EXPECT_THAT(refused("law: coulomb-regularised\nfixed: {epz: 1}\nnoise: 0.1 N\n" + mu),
              HasSubstr("fixed.epz"));
  EXPECT_THAT(refusal([&] {
                read("data: {file: " + (folder_ / "log.csv").string() +
                     ", columns: {time: {column: t}, slip: {column: v}, load: 10 N}}\n" + mu_);
              }),
              HasSubstr("force"));
}

}  // namespace
}  // namespace bristle
