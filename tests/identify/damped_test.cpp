// Losses that bend: their derivatives, their intervals, and logs with outliers.

#include "bristle/identify/damped.hpp"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/task.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

/// y = a + b t with unit noise, and every tenth sample off by some ten times as much, to either
/// side.
class Line final : public Problem {
 public:
  explicit Line(unsigned seed, double outlier = 10) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 120; ++k) {
      const double noise = normal(engine), wild = outlier * normal(engine);
      y_.push_back(1 + 0.5 * k / 12.0 + noise + (k % 10 == 3 ? wild : 0));
    }
    unknowns_ = {{.name = "a", .low = -50, .high = 50, .usual_low = -5, .usual_high = 5},
                 {.name = "b", .low = -50, .high = 50, .usual_low = -5, .usual_high = 5}};
  }
  int residuals() const noexcept override { return 120; }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    for (std::size_t k = 0; k < 120; ++k) {
      r[k] = p[0] + p[1] * static_cast<double>(k) / 12 - y_[k];
    }
    return true;
  }

 private:
  std::vector<double> y_;
};

class DampedTest : public ::testing::TestWithParam<Loss> {
 protected:
  LossOptions options{GetParam(), GetParam() == Loss::squares ? 1 : usual_scale(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Losses, DampedTest,
                         ::testing::Values(Loss::squares, Loss::huber, Loss::cauchy));

TEST_P(DampedTest, SlopesAreThoseOfTheResiduals) {
  const Line line(1);
  const Damped damped(line, options);
  const std::vector<double> p{1.3, 0.4};
  std::vector<double> r(120), by(240), other(240);
  ASSERT_TRUE(damped.derivatives(p, r, by));
  ASSERT_TRUE(damped.Problem::derivatives(p, r, other));
  for (std::size_t k = 0; k < by.size(); ++k) EXPECT_NEAR(by[k], other[k], 1e-6);
}

TEST_P(DampedTest, UndampedResidualsAreWhatTheLossLeavesOfThem) {
  const Line line(2);
  const Damped damped(line, options);
  const std::vector<double> p{1, 0.5};
  std::vector<double> r(120), by(240), plain(120), slopes(240);
  damped.derivatives(p, r, by);
  line.derivatives(p, plain, slopes);
  const double mean = damped.undamp(r, by);
  const auto psi_of = [&, s = options.scale](double x) {
    if (GetParam() == Loss::squares) return x;
    return GetParam() == Loss::huber ? std::clamp(x, -s, s) : x / (1 + x * x / (s * s));
  };
  for (std::size_t k = 0; k < 120; ++k) {
    const double psi = psi_of(plain[k]);
    EXPECT_NEAR(mean * r[k] / psi, mean * r[0] / psi_of(plain[0]), 1e-9);
    EXPECT_NEAR(by[2 * k], slopes[2 * k], 1e-6);
  }
  // Of m/n the correction is at most a few hundredths here; squares need none.
  const double correction = mean * r[0] / psi_of(plain[0]);
  EXPECT_GE(correction, 1 - 1e-12);
  EXPECT_LT(correction, GetParam() == Loss::squares ? 1 + 1e-12 : 1.02);
  EXPECT_EQ(mean == 1, GetParam() == Loss::squares);
}

TEST_P(DampedTest, IntervalsCoverTheTruthAsOftenAsTheySay) {
  const double truth[] = {1, 0.5};
  int wald[2] = {}, profile[2] = {};
  double width = 0;
  constexpr unsigned sets = 400;
  for (unsigned seed = 0; seed < sets; ++seed) {
    const Line line(500 + seed);
    const Damped damped(line, options);
    Search s = find_minimum(damped, {.starts = 1, .threads = 1, .given = {{1, 0.5}}});
    const Confidence c = confidence_of(damped, s, {.threads = 1});
    for (std::size_t j = 0; j < 2; ++j) {
      const Estimate& e = c.parameters[j];
      wald[j] += e.wald.low <= truth[j] && truth[j] <= e.wald.high;
      profile[j] += e.profile.low <= truth[j] && truth[j] <= e.profile.high;
    }
    width += (c.parameters[1].profile.high - c.parameters[1].profile.low) / sets;
  }
  for (const int j : {0, 1}) {
    EXPECT_GE(wald[j], 0.92 * sets) << j;
    EXPECT_LE(wald[j], 0.98 * sets) << j;
    EXPECT_GE(profile[j], 0.92 * sets) << j;
    EXPECT_LE(profile[j], 0.98 * sets) << j;
  }
  // Squares cover too, since they count outliers as noise, but three times as wide.
  if (GetParam() == Loss::squares) {
    EXPECT_GT(width, 0.36);
  } else {
    EXPECT_LT(width, 0.17);
  }
}

TEST(Damped, ALogWithOutliersGivesTheLawAndTellsItsScale) {
  const testing_support::ScratchFolder folder;
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  std::string csv = "t [s],v [m/s],F [N]\n";
  for (int k = 0; k < 2000; ++k) {
    const double v = 0.01 * std::sin(0.01 * k);
    const double clean = 10 * (0.2 * (v > 0 ? 1 : -1) + 5 * v);
    const double spike = k % 25 == 0 ? 8 : 0;  // of one sign, so that squares are led astray
    csv += fmt::format("{},{},{}\n", 1e-3 * k, v, clean + 0.01 * normal(engine) + spike);
  }
  const std::string log = folder.write("log.csv", csv);
  const auto fitted = [&](const std::string& more) {
    const Document document = Document::parse(
        fmt::format("data: [{{file: {}, columns: {{time: {{column: t}}, slip: {{column: v}}, load: "
                    "10 N, force: {{column: F}}}}}}]\nlaw: coulomb-viscous\noffset: true\n"
                    "{}",
                    log, more),
        "t.yaml");
    const IdentifyTask task = read_task(document);
    document.finish();
    return std::pair(identify(task), identification_text(task, identify(task)));
  };
  const auto [robust, text] = fitted("loss: huber\n");
  const Confidence& c = robust.fits.front().confidence;
  EXPECT_NEAR(robust.loss.scale, 1.345 * 0.01, 0.002);
  EXPECT_NEAR(c.sigma, 0.01, 0.003);
  EXPECT_NEAR(c.parameters[0].value, 0.2, 2e-4);
  EXPECT_GT(robust.fits.front().rms, 1.0);  // of all samples
  EXPECT_THAT(text, HasSubstr("count less (huber)"));
  const auto [squares, plain] = fitted("");
  EXPECT_GT(squares.fits.front().confidence.parameters.back().value, 0.2);  // the offset takes it
  EXPECT_NEAR(robust.fits.front().confidence.parameters.back().value, 0, 5e-3);
  EXPECT_THAT(plain, ::testing::Not(HasSubstr("count less")));
}

}  // namespace
}  // namespace bristle
