#include "bristle/identify/prepare.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

using Numbers = std::vector<double>;
constexpr double pi = std::numbers::pi;

// The signal that the numbers of SciPy 1.10 below belong to.
Numbers signal(int n) {
  Numbers x;
  for (int i = 0; i < n; ++i) x.push_back(std::sin(0.05 * i) + 0.3 * std::cos(0.9 * i) + 0.01 * i);
  return x;
}

void expect_near(const Numbers& found, const Numbers& wanted, const std::vector<std::size_t>& at,
                 double tolerance = 1e-11) {
  ASSERT_EQ(wanted.size(), at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(found.at(at[i]), wanted[i], tolerance * (1.0 + std::abs(wanted[i]))) << at[i];
  }
}

const std::vector<std::size_t> some = {0, 1, 2, 17, 30, 58, 59};

// ---- Savitzky–Golay ---------------------------------------------------------------------------

TEST(SavitzkyGolayFilter, IsExactOnPolynomialsUpToItsDegreeEndsIncluded) {
  const double step = 0.013;
  for (const int degree : {0, 1, 2, 3, 5, 8}) {
    for (const int points : {degree + 1 + degree % 2, 9, 31}) {
      if (points < 3 || points <= degree || points % 2 == 0) continue;
      for (int derivative = 0; derivative <= degree; ++derivative) {
        Numbers x, wanted;
        for (int i = 0; i < 40; ++i) {
          const double t = (i - 20) * step;
          double value = 0, slope = 0;
          for (int k = 0; k <= degree; ++k) {
            const double c = std::cos(3.0 * k + 1.0) / std::pow(0.3, k);
            value += c * std::pow(t, k);
            double factor = c;
            for (int d = 0; d < derivative; ++d) factor *= k - d;
            if (k >= derivative) slope += factor * std::pow(t, k - derivative);
          }
          x.push_back(value);
          wanted.push_back(slope);
        }
        double size = 0;
        for (const double w : wanted) size = std::max(size, std::abs(w));
        const Numbers found = savitzky_golay(x, {points, degree, derivative}, step);
        // rounding of the values, magnified by the derivative over one window
        const double noise =
            1e-13 * std::pow(degree / (0.5 * (points - 1) * step) * degree, derivative);
        for (std::size_t i = 0; i < x.size(); ++i) {
          EXPECT_NEAR(found[i], wanted[i], 1e-10 * size + 10.0 * noise)
              << points << ' ' << degree << ' ' << derivative << ' ' << i;
        }
      }
    }
  }
}

TEST(SavitzkyGolayFilter, ThreePointsOfDegreeTwoAreCentralDifferences) {
  const Numbers x = signal(20), v = savitzky_golay(x, {3, 2, 1}, 0.1),
                a = savitzky_golay(x, {3, 2, 2}, 0.1);
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    EXPECT_NEAR(v[i], (x[i + 1] - x[i - 1]) / 0.2, 1e-13);
    EXPECT_NEAR(a[i], (x[i + 1] - 2 * x[i] + x[i - 1]) / 0.01, 1e-11);
  }
}

TEST(SavitzkyGolayFilter, ARestHasNoSlopeAtAll) {
  // Far from zero and not a round number: sums of weights times it would not cancel.
  Numbers t(40), x(40, -0.1097965);
  for (std::size_t k = 0; k < 40; ++k) t[k] = 8.704 + 0.005 * static_cast<double>(k);
  Numbers later = t;
  for (double& time : later) time = std::min(time + 0.0017, t.back());
  for (const Interpolation kind : {Interpolation::linear, Interpolation::cubic}) {
    EXPECT_EQ(interpolated(t, x, later, kind), x);
  }
  EXPECT_EQ(savitzky_golay(x, {21, 3, 1}, 0.005), Numbers(40, 0.0));
  EXPECT_EQ(savitzky_golay(x, {11, 4, 2}, 0.005), Numbers(40, 0.0));
}

TEST(SavitzkyGolayFilter, AgreesWithScipy) {
  const Numbers x = signal(60);
  expect_near(savitzky_golay(x, {7, 3, 0}, 0.01),
              {0.32491873119745657, 0.1910674548699814, 0.05172205272675162, 0.7021237896907284,
               1.2277446123780011, 0.7775289745882752, 0.4660703036992727},
              some);
  expect_near(savitzky_golay(x, {7, 3, 1}, 0.01),
              {-11.220110274655323, -14.60498945718748, -12.318935437806234, -5.2670524473767735,
               -21.708271289605904, -27.263136840590057, -34.72940102798547},
              some);
  expect_near(savitzky_golay(x, {21, 5, 2}, 0.01),
              {1069.30097711856, 840.8713668036313, 636.0894677612102, -179.09956522473433,
               -75.95800142767354, -838.2782624437813, -1070.7755774824989},
              some);
  expect_near(savitzky_golay(x, {5, 4, 3}, 0.01),
              {251138.6991372176, 212102.63598401184, 173066.57283080523, 70474.63373465405,
               170074.8340065889, 240784.32844568157, 328573.31196971884},
              some);
}

TEST(SavitzkyGolayFilter, RefusesWhatMakesNoSense) {
  const Numbers x = signal(20);
  EXPECT_THROW(savitzky_golay(x, {4, 2, 0}, 1), std::invalid_argument);
  EXPECT_THROW(savitzky_golay(x, {1, 0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(savitzky_golay(x, {-3, 0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(savitzky_golay(x, {5, 5, 0}, 1), std::invalid_argument);
  EXPECT_THROW(savitzky_golay(x, {5, 2, 3}, 1), std::invalid_argument);
  EXPECT_THROW(savitzky_golay(x, {21, 2, 1}, 1), std::invalid_argument);
  EXPECT_NO_THROW(savitzky_golay(signal(21), {21, 2, 1}, 1));
}

// ---- recursive filters ------------------------------------------------------------------------

TEST(Butterworth, GainIsOneAtRestAndHalfOfThePowerAtTheCutoff) {
  for (int order = 1; order <= 12; ++order) {
    for (const double cutoff : {0.5, 20.0, 80.0, 300.0, 490.0}) {
      const LowPass filter = butterworth(order, cutoff, 1000.0);
      EXPECT_NEAR(filter.gain(0.0, 1000.0), 1.0, 1e-8) << order << ' ' << cutoff;
      EXPECT_NEAR(filter.gain(cutoff, 1000.0), std::sqrt(0.5), 1e-7) << order << ' ' << cutoff;
      EXPECT_NEAR(filter.gain(500.0, 1000.0), 0.0, 1e-6);
    }
  }
}

TEST(Butterworth, ForwardsAndBackwardsHalvesAWaveAtTheCutoffAndMovesNothing) {
  const int n = 4000;
  const double cutoff = 80.0, rate = 1000.0;
  Numbers wave, still(n, 7.25);
  for (int i = 0; i < n; ++i) wave.push_back(std::sin(2 * pi * cutoff * i / rate));
  const LowPass filter = butterworth(5, cutoff, rate);
  const Numbers found = forwards_and_backwards(filter, wave);
  for (std::size_t i = 500; i < 3500; ++i) EXPECT_NEAR(found[i], 0.5 * wave[i], 1e-12);
  for (const double value : forwards_and_backwards(filter, still)) EXPECT_NEAR(value, 7.25, 1e-12);
}

TEST(Butterworth, KeepsAStraightLineToAFractionOfAStepAtItsEnds) {
  Numbers line;
  for (int i = 0; i < 3000; ++i) line.push_back(3.0 + 0.5 * i);
  const Numbers found = forwards_and_backwards(butterworth(2, 100, 1000), line);
  for (std::size_t i = 0; i < line.size(); ++i) EXPECT_NEAR(found[i], line[i], 0.01) << i;
}

TEST(Butterworth, AgreesWithScipy) {
  const Numbers x = signal(60);
  expect_near(forwards_and_backwards(butterworth(4, 0.1, 2.0), x),
              {0.3095028411468355, 0.302691445318037, 0.2983914419313514, 0.927298880386515,
               1.2965588354582926, 0.579215828561539, 0.48013937521421846},
              some);
  expect_near(forwards_and_backwards(butterworth(5, 0.16, 2.0), x),
              {0.2955199963570369, 0.24429532465319984, 0.20608920649591425, 0.9145642834259493,
               1.296518298832883, 0.6404211594295826, 0.49808004128883626},
              some);
  expect_near(forwards_and_backwards(butterworth(1, 0.05, 2.0), x),
              {0.33170562213285193, 0.33689197942876187, 0.34521313393167163, 0.8672453889304322,
               1.204994398947172, 0.6598587354589978, 0.5978508940216176},
              some);
  // Eight poles near 1: SciPy's own two forms differ by 2e-5 here; this is the one by sections.
  expect_near(forwards_and_backwards(butterworth(8, 0.02, 2.0), x),
              {0.08347625817661346, 0.09623089348279024, 0.10852038140249284, 0.23898236971505515,
               0.2860416578088703, 0.3026539659202754, 0.3026784186539988},
              some, 1e-9);
}

TEST(LowPassFilters, RefuseWhatMakesNoSense) {
  EXPECT_THROW(butterworth(0, 10, 100), std::invalid_argument);
  EXPECT_THROW(butterworth(4, 50, 100), std::invalid_argument);
  EXPECT_THROW(butterworth(4, 0, 100), std::invalid_argument);
  EXPECT_THROW(butterworth(4, std::nan(""), 100), std::invalid_argument);
  EXPECT_THROW(chebyshev(4, 0, 10, 100), std::invalid_argument);
  EXPECT_THROW(decimated(Numbers(100), 0, AntiAlias::iir), std::invalid_argument);
  EXPECT_THROW(decimated(Numbers(100), 10, AntiAlias::fir), std::invalid_argument);
  EXPECT_TRUE(forwards_and_backwards(butterworth(4, 10, 100), Numbers{}).empty());
  EXPECT_EQ(forwards_and_backwards(butterworth(4, 10, 100), Numbers{3.0}).size(), 1U);
}

TEST(ChebyshevFilter, WaversByItsRippleAboutTheGainAtRest) {
  const LowPass even = chebyshev(8, 0.05, 0.4, 10.0), odd = chebyshev(5, 0.5, 0.4, 10.0);
  EXPECT_NEAR(even.gain(0, 10), 1, 1e-9);
  EXPECT_NEAR(even.gain(0.4, 10), 1, 1e-9);
  EXPECT_NEAR(odd.gain(0.4, 10), std::pow(10, -0.5 / 20), 1e-9);
  double most = 0, least = 2;
  for (double f = 0; f <= 0.4; f += 0.0005) {
    most = std::max(most, even.gain(f, 10));
    least = std::min(least, even.gain(f, 10));
  }
  EXPECT_NEAR(most, std::pow(10, 0.05 / 20), 1e-6);
  EXPECT_GE(least, 1 - 1e-9);
  EXPECT_LT(even.gain(0.5, 10), 0.2);
}

TEST(Decimation, AgreesWithScipy) {
  const Numbers x = signal(400);
  const Numbers iir = decimated(x, 5, AntiAlias::iir);
  EXPECT_EQ(iir.size(), 80U);
  // SciPy's values without the ripple it takes off twice at frequency 0
  expect_near(iir,
              {0.30494560465848075, 0.21548099327335893, 0.6114001848210208, 1.4528732818711736,
               4.497294082322828, 4.718674145793992},
              {0, 1, 2, 40, 78, 79}, 1e-9);
  expect_near(decimated(x, 5, AntiAlias::fir),
              {0.0384509752335728, 2.4403376139837065, 1.4544346422157342}, {20, 30, 40}, 1e-9);
  EXPECT_EQ(decimated(x, 5, AntiAlias::none)[3], x[15]);
  EXPECT_EQ(decimated(x, 1, AntiAlias::iir), x);
}

TEST(Splines, AgreeWithScipy) {
  const Numbers t = {0, 0.1, 0.25, 0.3, 0.5, 0.9, 1.0}, y = {1, 2, 0, -1, 3, 2, 2.5};
  Numbers at;
  for (int i = 0; i <= 8; ++i) at.push_back(i / 8.0);
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  expect_near(interpolated(t, y, at, Interpolation::cubic),
              {1.0, 1.9159146769662923, 0.0, -0.4582108058286517, 3.0, 4.193989202949438,
               3.283128511235955, 2.105703563904493, 2.5},
              all);
  expect_near(interpolated(t, y, at, Interpolation::linear),
              {1.0, 1.6666666666666667, 0.0, 0.5, 3.0, 2.6875, 2.375, 2.0625, 2.5}, all);
  expect_near(interpolated(Numbers{0, 0.1, 0.25}, Numbers{1, 2, 0}, Numbers{0.05, 0.2},
                           Interpolation::cubic),
              {1.7333333333333332, 1.1333333333333333}, {0, 1});
  expect_near(interpolated(Numbers{0, 0.1, 0.25, 0.3}, Numbers{1, 2, 0, -1},
                           Numbers{0.05, 0.2, 0.29}, Interpolation::cubic),
              {1.8333333333333333, 0.933333333333333, -0.8018666666666664}, {0, 1, 2});
}

// ---- steps of a recording ---------------------------------------------------------------------

Recording made(int n, double step) {
  Recording recording;
  recording.file = "rig.csv";
  for (int i = 0; i < n; ++i) {
    recording.t.push_back(i * step);
    recording.lines.push_back(i + 2);
  }
  recording.put("force", signal(n), dim::force);
  return recording;
}

template <class F>
Fault fault_of(F&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.fault();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(Prepare, TakesOutTheMeanOfARest) {
  Recording rig = made(100, 0.01);
  rig.at("force").assign(100, 2.5);
  rig.at("force")[50] = 4;
  remove_drift(rig, "force", {0.0, 0.3});
  EXPECT_EQ(rig.at("force")[0], 0);
  EXPECT_EQ(rig.at("force")[50], 1.5);
  EXPECT_EQ(rig.steps.at(0), "force: the mean 2.5 N of the rest from 0 to 0.3 s taken out");
  EXPECT_EQ(fault_of([&] {
              remove_drift(rig, "force", {1.5, 2});
            }).message,
            "no sample from 1.5 to 2 s");
  EXPECT_EQ(fault_of([&] { remove_drift(rig, "load", {0, 1}); }).expected, "one of 'force'");
}

TEST(Prepare, TakesOutALineBetweenTwoRests) {
  Recording rig = made(101, 0.01);
  for (std::size_t i = 0; i < rig.size(); ++i)
    rig.at("force")[i] = 3 + 2 * rig.t[i] + (i == 50 ? 1 : 0);
  remove_drift(rig, "force", {0.0, 0.2}, {0.8, 1.0});
  for (std::size_t i = 0; i < rig.size(); ++i)
    EXPECT_NEAR(rig.at("force")[i], i == 50 ? 1 : 0, 1e-13);
  EXPECT_EQ(
      rig.steps.at(0),
      "force: a straight line from 3.2 N (rest from 0 to 0.2 s) to 4.8 N (rest from 0.8 to 1 s) "
      "taken out");
  EXPECT_THROW(remove_drift(rig, "force", {0.8, 1.0}, {0.0, 0.2}), InputError);
}

TEST(Prepare, NamesTheSampleThatIsNotOnTime) {
  Recording rig = made(100, 0.01);
  EXPECT_NEAR(sampling_step(rig), 0.01, 1e-15);
  for (std::size_t i = 40; i < rig.size(); ++i) rig.t[i] += 0.00009;  // 0.9 % of a step
  EXPECT_NO_THROW(sampling_step(rig));
  for (std::size_t i = 40; i < rig.size(); ++i) rig.t[i] += 0.00009;
  const Fault fault = fault_of([&] { low_pass(rig, "force", 10, 4); });
  EXPECT_EQ(fault.file, "rig.csv");
  EXPECT_EQ(fault.line, 42);
  EXPECT_EQ(fault.message, "a step of 0.01018 s to t = 0.40018 s, where the median is 0.01 s");
  resample(rig, 100);
  EXPECT_NO_THROW(low_pass(rig, "force", 10, 4));
}

TEST(Prepare, ResamplesBetweenTheSamples) {
  Recording rig = made(5, 0.1);
  rig.t = {1, 1.09, 1.25, 1.29, 1.5};
  rig.at("force") = {0, 0.9, 2.5, 2.9, 5};
  resample(rig, 20, Interpolation::linear);
  ASSERT_EQ(rig.size(), 11U);
  for (std::size_t i = 0; i < rig.size(); ++i) {
    EXPECT_NEAR(rig.t[i], 1 + 0.05 * static_cast<double>(i), 1e-12);
    EXPECT_NEAR(rig.at("force")[i], 0.5 * static_cast<double>(i), 1e-12);
  }
  EXPECT_EQ(rig.lines, (std::vector<int>{2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 6}));
  EXPECT_EQ(rig.steps.at(0), "resampled to 20 Hz from a mean of 8 Hz (linear interpolation)");
  resample(rig, 4);
  EXPECT_NE(rig.steps.at(1).find("folded"), std::string::npos);
  EXPECT_THROW(resample(rig, 1e300), InputError);
}

TEST(Prepare, NoiseAboutARestIsARest) {
  Recording r{.file = "rig.csv", .lines = {2, 3, 4, 5}, .t = {0, 1, 2, 3}};
  r.put("slip", {1e-6, -2e-6, 3e-6, -4e-6}, dim::speed);
  const Document steps = Document::parse("prepare: [{still: slip, below: 3 um/s}]", "t.yaml");
  prepare(r, steps["prepare"]);
  EXPECT_EQ(r.at("slip"), (Numbers{0, 0, 3e-6, -4e-6}));
  EXPECT_EQ(r.steps.back(), "slip: below 3e-06 m/s counts as rest (2 of 4 samples)");
  const Document bad = Document::parse("prepare: [{still: slip, below: 3 um}]", "t.yaml");
  EXPECT_THROW(prepare(r, bad["prepare"]), InputError);
}

TEST(Prepare, StepsFromADocument) {
  const Document document = Document::parse(
      "prepare:\n"
      "  - {crop: [0.1 s, 3.9 s]}\n"
      "  - {drift: [force], rest: [0.1 s, 200 ms]}\n"
      "  - {low_pass: force, cutoff: 20 Hz}\n"
      "  - {smooth: force, points: 5, degree: 2}\n"
      "  - {differentiate: force, to: rate}\n"
      "  - {resample: 0.2 kHz, method: linear}\n"
      "  - {decimate: 4, filter: none}\n",
      "a.yaml");
  Recording rig = made(401, 0.01);
  prepare(rig, document["prepare"]);
  document.finish();
  EXPECT_EQ(rig.size(), 191U);
  EXPECT_EQ(rig.dimension("rate"), dim::force / dim::time);
  ASSERT_EQ(rig.steps.size(), 7U);
  EXPECT_EQ(rig.steps[0], "381 of 401 samples, from 0.1 to 3.9 s");
  EXPECT_EQ(rig.steps[2],
            "force: Butterworth low-pass of order 4, 20 Hz, forwards and backwards (−6 dB there)");
  EXPECT_EQ(rig.steps[3], "force: smoothed (Savitzky–Golay, 5 points, degree 2)");
  EXPECT_EQ(rig.steps[4], "rate: derivative of force (Savitzky–Golay, 21 points, degree 3)");
  EXPECT_EQ(rig.steps[6], "one sample in 4, without a filter against aliasing");
}

TEST(Prepare, RefusesStepsThatMakeNoSense) {
  const auto refused = [](const std::string& step) {
    const Document document = Document::parse("prepare: [" + step + "]\n", "a.yaml");
    Recording rig = made(100, 0.01);
    return fault_of([&] {
      prepare(rig, document["prepare"]);
      document.finish();
    });
  };
  EXPECT_EQ(refused("{lowpass: force}").nearest, "low_pass");
  EXPECT_EQ(refused("{}").message, "no such step");
  EXPECT_EQ(refused("{decimate: 2, resample: 10 Hz}").message, "several steps in one");
  EXPECT_EQ(refused("{decimate: 2, fliter: fir}").nearest, "filter");
  EXPECT_EQ(refused("{low_pass: force, cutoff: 50 Hz}").file, "rig.csv");
  EXPECT_EQ(refused("{low_pass: force, cutoff: 5 m}").key, "prepare.0.cutoff");
  EXPECT_EQ(refused("{low_pass: load, cutoff: 5 Hz}").key, "load");
  EXPECT_EQ(refused("{smooth: force, points: 6}").key, "force");
  EXPECT_EQ(refused("{smooth: force, points: 101}").message,
            "Savitzky–Golay over 101 points of 100 values");
  EXPECT_EQ(refused("{differentiate: force}").key, "prepare.0.to");
  EXPECT_EQ(refused("{drift: force, rest: [2 s, 1 s]}").message, "it ends before it starts");
  EXPECT_EQ(refused("{drift: force}").key, "prepare.0.rest");
  EXPECT_EQ(refused("{decimate: 1}").message, "out of range");
  EXPECT_EQ(refused("{decimate: 50, filter: fir}").key, "force");
}

}  // namespace
}  // namespace bristle
