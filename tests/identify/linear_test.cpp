#include "bristle/identify/linear.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

LinearProblem line(const std::vector<double>& x, const std::vector<double>& y) {
  LinearProblem problem{.names = {"slope", "offset"}};
  const auto n = static_cast<Eigen::Index>(x.size());
  problem.regressors = Eigen::MatrixXd::Ones(n, 2);
  problem.regressors.col(0) = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  problem.measured = Eigen::Map<const Eigen::VectorXd>(y.data(), n);
  return problem;
}

std::string message(const LinearProblem& problem) {
  try {
    fit_linear(problem);
  } catch (const InputError& error) {
    return error.fault().message;
  }
  return "accepted";
}

// The Statistical Reference Datasets of NIST: Longley, a badly conditioned problem with certified
// values.
TEST(LinearFit, MeetsTheCertifiedValuesOfLongley) {
  LinearProblem problem{.names = {"B0", "B1", "B2", "B3", "B4", "B5", "B6"}};
  Eigen::MatrixXd data(16, 7);
  data << 60323, 83.0, 234289, 2356, 1590, 107608, 1947,  //
      61122, 88.5, 259426, 2325, 1456, 108632, 1948,      //
      60171, 88.2, 258054, 3682, 1616, 109773, 1949,      //
      61187, 89.5, 284599, 3351, 1650, 110929, 1950,      //
      63221, 96.2, 328975, 2099, 3099, 112075, 1951,      //
      63639, 98.1, 346999, 1932, 3594, 113270, 1952,      //
      64989, 99.0, 365385, 1870, 3547, 115094, 1953,      //
      63761, 100.0, 363112, 3578, 3350, 116219, 1954,     //
      66019, 101.2, 397469, 2904, 3048, 117388, 1955,     //
      67857, 104.6, 419180, 2822, 2857, 118734, 1956,     //
      68169, 108.4, 442769, 2936, 2798, 120445, 1957,     //
      66513, 110.8, 444546, 4681, 2637, 121950, 1958,     //
      68655, 112.6, 482704, 3813, 2552, 123366, 1959,     //
      69564, 114.2, 502601, 3931, 2514, 125368, 1960,     //
      69331, 115.7, 518173, 4806, 2572, 127852, 1961,     //
      70551, 116.9, 554894, 4007, 2827, 130081, 1962;
  problem.regressors = Eigen::MatrixXd::Ones(16, 7);
  problem.regressors.rightCols(6) = data.rightCols(6);
  problem.measured = data.col(0);
  const LinearFit fit = fit_linear(problem);
  const std::vector<double> estimate = {-3482258.63459582, 15.0618722713733,  -0.0358191792925910,
                                        -2.02022980381683, -1.03322686717359, -0.0511041056535807,
                                        1829.15146461355};
  const std::vector<double> error = {890420.383607373,  84.9149257747669,  0.0334910077722432,
                                     0.488399681651699, 0.214274163161675, 0.226073200069370,
                                     455.478499142212};
  for (Eigen::Index j = 0; j < 7; ++j) {
    const auto i = static_cast<std::size_t>(j);
    EXPECT_NEAR(fit.estimate[j] / estimate[i], 1.0, 1e-9) << j;
    EXPECT_NEAR(fit.standard_error[j] / error[i], 1.0, 1e-9) << j;
    EXPECT_TRUE(fit.determined[i]);
    EXPECT_NEAR(fit.high[j] - fit.estimate[j], 2.262157162798205 * error[i], 1e-7 * error[i]);
    EXPECT_NEAR(fit.covariance(j, j), error[i] * error[i], 1e-7 * error[i] * error[i]);
  }
  EXPECT_EQ(fit.freedom, 9);
  EXPECT_NEAR(fit.residuals.norm() / 3.0, 304.854073561965, 1e-7);
  EXPECT_NEAR(fit.residual_rms, 304.854073561965 * 0.75, 1e-7);
  EXPECT_GT(fit.condition, 1e4);
}

TEST(LinearFit, WeightsCountLikeRepeatedSamples) {
  const LinearProblem repeated = line({0, 1, 1, 1, 2, 3, 3}, {1, 2.5, 2.5, 2.5, 2, 5, 5});
  LinearProblem weighted = line({0, 1, 2, 3}, {1, 2.5, 2, 5});
  weighted.weights = Eigen::Vector4d(1, 3, 1, 2);
  const LinearFit a = fit_linear(repeated), b = fit_linear(weighted);
  EXPECT_NEAR((a.estimate - b.estimate).norm(), 0, 1e-13);
  EXPECT_NEAR((a.covariance * 5 - b.covariance * 2).norm(), 0, 1e-12);  // freedom 5 and 2
}

TEST(LinearFit, NamesWhatTheDataDoesNotDetermine) {
  LinearProblem problem{.names = {"up", "down", "offset", "slope", "nothing"}};
  problem.regressors.resize(50, 5);
  problem.measured.resize(50);
  for (Eigen::Index i = 0; i < 50; ++i) {
    const double t = 0.1 * static_cast<double>(i), up = i % 4 < 2 ? 1 : 0;
    problem.regressors.row(i) << up, 1 - up, 1, t, 0;  // up + down = offset
    problem.measured[i] = 3 * up + 2 * t + 0.01 * std::sin(37.0 * t);
  }
  const LinearFit fit = fit_linear(problem);
  EXPECT_EQ(fit.determined, (std::vector<bool>{false, false, false, true, false}));
  EXPECT_FALSE(fit.all_determined());
  EXPECT_EQ(fit.rank, 3);
  EXPECT_EQ(fit.freedom, 47);
  EXPECT_TRUE(std::isinf(fit.condition));
  EXPECT_TRUE(std::isinf(fit.standard_error[0]) && std::isinf(fit.low[2]) &&
              std::isinf(fit.high[4]));
  EXPECT_NEAR(fit.estimate[3], 2, 0.01);
  EXPECT_LT(fit.standard_error[3], 0.01);
  EXPECT_LT(fit.relative_error, 0.01);  // predictions are good all the same
}

TEST(LinearFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.3);
  int held = 0;
  constexpr int sets = 4000;
  for (int set = 0; set < sets; ++set) {
    std::vector<double> x, y;
    for (int i = 0; i < 6; ++i) {
      x.push_back(i);
      y.push_back(2.0 * i - 1.0 + noise(random));
    }
    const LinearFit fit = fit_linear(line(x, y));
    if (fit.low[0] <= 2 && 2 <= fit.high[0]) ++held;
  }
  EXPECT_NEAR(held / static_cast<double>(sets), 0.95, 0.011);  // 3 standard deviations
}

TEST(LinearFit, ErrorsOnDataThatWasNotFitted) {
  const LinearProblem problem = line({0, 1, 2, 3, 4, 5}, {0, 1, 2, 6, 8, 10});
  const HoldOut errors = hold_out(problem);
  EXPECT_NEAR(errors.second_from_first, std::sqrt((9.0 + 16.0 + 25.0) / 200.0), 1e-12);
  EXPECT_NEAR(errors.first_from_second, std::sqrt((0.0 + 1.0 + 4.0) / 5.0), 1e-12);
  EXPECT_EQ(problem.rows(2, 3).measured[0], 2);
}

TEST(LinearFit, SaysWhenResidualsAreNotIndependent) {
  std::vector<double> x, slow, noise;
  for (int i = 0; i < 200; ++i) {
    x.push_back(i);
    slow.push_back(std::sin(0.1 * i));
    noise.push_back(std::sin(1000.0 * i * i));
  }
  EXPECT_GT(fit_linear(line(x, slow)).autocorrelation, 0.9);
  EXPECT_LT(std::abs(fit_linear(line(x, noise)).autocorrelation), 0.3);
}

TEST(LinearFit, RefusesWhatMakesNoSense) {
  EXPECT_EQ(message(line({0, 1}, {0, 1})), "2 samples for 2 parameters");
  EXPECT_EQ(message(line({0, 1, std::nan("")}, {0, 1, 2})),
            "a value of this regressor is not a finite number");
  EXPECT_EQ(message(line({0, 1, 2}, {0, 1, std::nan("")})),
            "a measured value is not a finite number");
  LinearProblem problem = line({0, 1, 2}, {0, 1, 2});
  problem.weights = Eigen::Vector3d(1, 0, 1);
  EXPECT_EQ(message(problem), "a weight is not a positive number");
  problem.weights = Eigen::Vector2d(1, 1);
  EXPECT_THROW(fit_linear(problem), std::invalid_argument);
  EXPECT_EQ(message(line({0, 1, 2}, {0, 1, 2})), "accepted");
}

TEST(StudentT, KnownValues) {
  EXPECT_NEAR(student_t(0.95, 1), 12.706204736174694, 1e-10);
  EXPECT_NEAR(student_t(0.95, 9), 2.262157162798205, 1e-12);
  EXPECT_NEAR(student_t(0.99, 30), 2.7499956535672256, 1e-12);
  EXPECT_NEAR(student_t(0.95, 1e9), 1.959963984540054, 1e-8);
  EXPECT_EQ(student_t(0, 5), 0);
  EXPECT_THROW(student_t(1, 5), std::invalid_argument);
  EXPECT_THROW(student_t(0.95, 0), std::invalid_argument);
}

}  // namespace
}  // namespace bristle
