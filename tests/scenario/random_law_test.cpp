// The random law 'bristle' on the mass-spring: its means over seeds against the reference's.

#include <cstdlib>

#include <fmt/format.h>

#include "reference.hpp"

namespace bristle {
namespace {

using testing::Reference;
using testing::simulate;

/// 16 take seconds; BRISTLE_TEST_LONG asks for as many as the reference has. The sanitizers make
/// half a million steps a seed slow, and four show them all there is to see.
int seeds() {
#ifdef __SANITIZE_ADDRESS__
  return 4;
#else
  const char* text = std::getenv("BRISTLE_TEST_LONG");
  return text != nullptr && *text != '\0' ? 200 : 16;
#endif
}

struct Sample {
  std::vector<double> values{};

  double count() const { return static_cast<double>(values.size()); }
  double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / count();
  }
  /// Of the mean.
  double standard_error() const {
    double sum = 0;
    for (const double value : values) sum += (value - mean()) * (value - mean());
    return std::sqrt(sum / (count() - 1) / count());
  }
};

/// Four standard errors of both means; the reference states three of its own as tolerance.
double allowed(const Sample& sample, const std::string& entry) {
  return 4 * std::hypot(sample.standard_error(), Reference::tolerance(entry) / 3);
}

TEST(RandomLaw, MeansOverSeeds) {
  Sample x, first_slip, slips;
  for (int seed = 1; seed <= seeds(); ++seed) {
    const RunResult result =
        simulate("mass-spring", {"friction.law=bristle", fmt::format("friction.seed={}", seed)});
    x.values.push_back(result.final("x"));
    first_slip.values.push_back(result.metrics.at("first_slip_time"));
    slips.values.push_back(result.metrics.at("slip_count"));
    EXPECT_NEAR(result.metrics.at("peak_friction"), Reference::value("ms.bristle.peakF_mean"),
                Reference::tolerance("ms.bristle.peakF_mean"));
  }
  const auto expect_mean = [](const Sample& sample, const std::string& entry, double at_least) {
    EXPECT_NEAR(sample.mean(), Reference::value(entry), std::max(at_least, allowed(sample, entry)))
        << entry << ", standard error " << sample.standard_error();
  };
  expect_mean(x, "ms.bristle.x5_mean", 0);
  expect_mean(first_slip, "ms.bristle.t_v0_mean", 0);
  // How many slips are counted depends on what passes the threshold between two steps.
  expect_mean(slips, "ms.bristle.nslip_mean", 0.15 * Reference::value("ms.bristle.nslip_mean"));
}

}  // namespace
}  // namespace bristle
