// Measured pushes: how well limit surfaces predict the motion of an object that is pushed, beside
// the numbers of Zhou, Paolini, Bagnell and Mason 2016.

#include "push_board.hpp"

#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/area/ellipsoid_law.hpp"

namespace bristle {
namespace {

using testing::PushBoard;

constexpr double degree = std::numbers::pi / 180;
constexpr double length = PushBoard::length;

class PushBoardTest : public ::testing::Test {
 protected:
  void SetUp() override { BRISTLE_NEEDS_MEASURED("planar_push_board/patch.txt.gz"); }
};

std::vector<LimitSample> pick(const std::vector<LimitSample>& pairs,
                              const std::vector<std::size_t>& which) {
  std::vector<LimitSample> out;
  for (const std::size_t i : which) out.push_back(pairs[i]);
  return out;
}

TEST_F(PushBoardTest, PairsOfAWrenchAndAMotion) {
  const std::vector<LimitSample> pairs = PushBoard::pairs(0);
  ASSERT_EQ(pairs.size(), 50U);
  const Planar w(pairs[0].wrench.x(), pairs[0].wrench.y(), pairs[0].wrench.z() / length);
  EXPECT_NEAR((w - Planar(-0.9255632838, -3.4037205533, 2.5681808834)).norm(), 0, 2e-10);
  EXPECT_NEAR(
      (unit_motion(pairs[0].motion, length) - Planar(-0.3677729401, -0.7946112735, 0.4830486398))
          .norm(),
      0, 2e-10);
  // Friction resists: the push does work on the object.
  int pushed = 0;
  for (std::size_t layout = 0; layout < 5; ++layout) {
    for (const LimitSample& p : PushBoard::pairs(layout)) pushed += p.wrench.dot(p.motion) > 0;
  }
  EXPECT_EQ(pushed, 250);
}

TEST_F(PushBoardTest, SplitsAreThoseOfTheTable) {
  const PushBoard::Split s = PushBoard::split(3, 7);
  EXPECT_EQ(s.training(5), (std::vector<std::size_t>{45, 25, 9, 2, 16}));
  EXPECT_EQ(s.validation(), (std::vector<std::size_t>{42, 5, 43, 36, 0, 49, 37, 21, 46, 3}));
  EXPECT_EQ(s.test(), (std::vector<std::size_t>{6, 33, 14, 27, 1, 40, 28, 17, 13, 38}));
}

/// Coulomb friction at the known supports under the weight at the centre of mass, no training at
/// all; the numbers are from an independent computation.
TEST_F(PushBoardTest, SupportsAloneOverAllPushes) {
  const double expected[] = {7.0406, 10.5302, 6.5401, 11.8245, 6.1778};
  for (std::size_t layout = 0; layout < 5; ++layout) {
    SupportModel model = PushBoard::supports(layout);
    model.centre_reach = 0;
    const SupportFamily family(model);
    EXPECT_NEAR(mean_angle(family.prior(), PushBoard::pairs(layout), length) / degree,
                expected[layout], 2e-4)
        << PushBoard::layouts[layout];
  }
}

/// One fit of each kind, from 10 pushes with λ = 2 and β = 1, against an independent computation
/// with the same method.
TEST_F(PushBoardTest, FitsAreThoseOfAnIndependentComputation) {
  const double quartic[] = {10.375197749, 13.553085114, 13.286038354, 17.419701975, 7.902137771};
  const double ellipsoid[] = {13.577607991, 13.320382443, 13.899550922, 27.711585569, 6.987303116};
  for (std::size_t layout = 0; layout < 5; ++layout) {
    const std::vector<LimitSample> pairs = PushBoard::pairs(layout);
    const auto training = pick(pairs, PushBoard::split(layout, 0).training(10));
    const QuarticLaw q(fit_quartic(training, length, {2, 1}).coefficients, length);
    EXPECT_NEAR(mean_angle(q, pairs, length) / degree, quartic[layout], 0.01);
    const EllipsoidLaw e(fit_ellipsoid(training, length, {2, 1}).b());
    EXPECT_NEAR(mean_angle(e, pairs, length) / degree, ellipsoid[layout], 0.01);
  }
}

// ---- The table ---------------------------------------------------------------------------------

constexpr std::size_t sizes[] = {5, 10, 20, 30};

/// Six take seconds; BRISTLE_TEST_LONG asks for 40. The sanitizers see all there is with one.
std::size_t splits() {
#ifdef __SANITIZE_ADDRESS__
  return 1;
#else
  const char* text = std::getenv("BRISTLE_TEST_LONG");
  return text != nullptr && *text != '\0' ? 40 : 6;
#endif
}

/// Mean angles of the test pushes, in degrees, of each method.
struct Errors {
  double ellipsoid = 0, quartic = 0, prior = 0, map = 0, mean = 0;
};

/// The test error of the law that does best on the validation pushes, over λ and β.
template <class Fit>
double chosen_error(const Fit& fit, const std::vector<LimitSample>& training,
                    const std::vector<LimitSample>& validation,
                    const std::vector<LimitSample>& test) {
  double best = std::numeric_limits<double>::infinity(), error = 0;
  for (const double lambda : {0.1, 2.0, 8.0, 16.0}) {
    for (const double beta : {0.5, 1.0, 4.0}) {
      const auto law = fit(training, LimitFitOptions{lambda, beta});
      const double now = mean_angle(law, validation, length);
      if (now >= best) continue;
      best = now;
      error = mean_angle(law, test, length) / degree;
    }
  }
  return error;
}

class Layout {
 public:
  explicit Layout(std::size_t number)
      : number_(number),
        pairs_(PushBoard::pairs(number)),
        family_(PushBoard::supports(number)),
        table_(family_, pairs_, length) {}

  Errors errors(std::size_t split_number, std::size_t size) const {
    const PushBoard::Split split = PushBoard::split(number_, split_number);
    const std::vector<std::size_t> training = split.training(size), test = split.test();
    Errors e = support_errors(training, test);
    const auto some = pick(pairs_, training), choose = pick(pairs_, split.validation()),
               judge = pick(pairs_, test);
    e.ellipsoid = chosen_error(
        [](const auto& t, const LimitFitOptions& o) {
          return EllipsoidLaw(fit_ellipsoid(t, length, o).b());
        },
        some, choose, judge);
    e.quartic = chosen_error(
        [](const auto& t, const LimitFitOptions& o) {
          return QuarticLaw(fit_quartic(t, length, o).coefficients, length);
        },
        some, choose, judge);
    return e;
  }

 private:
  Errors support_errors(const std::vector<std::size_t>& training,
                        const std::vector<std::size_t>& test) const {
    const SupportPosterior belief = posterior(family_, table_, training);
    Errors e;
    for (const std::size_t i : test) {
      const auto error = [&](const Planar& predicted) {
        return motion_angle(predicted, table_.measured[i]) / degree /
               static_cast<double>(test.size());
      };
      e.prior += error(table_.prior[i]);
      e.map += error(table_.motions[belief.best][i]);
      e.mean += error(mean_motion(table_, belief, i));
    }
    return e;
  }

  std::size_t number_;
  std::vector<LimitSample> pairs_;
  SupportFamily family_;
  SupportTable table_;
};

/// Published means over the four layouts of three points and 15 splits, which are not known. Ours
/// differ from them by chance as well: the standard error of our means is 0.24° to 0.42° with 40
/// splits, so 0.6° to 1.1° with 6 and, if they scatter as ours, 0.4° to 0.7° for the published
/// ones. Both fits must come within 1° of the published means with 40 splits, within 2.5° with 6.
TEST_F(PushBoardTest, TableOfThePublication) {
  const double ellipsoid[] = {17.40, 15.69, 14.06, 13.71}, quartic[] = {16.28, 13.49, 12.23, 12.18};
  const double few = splits() >= 40 ? 1.0 : 2.5;
  Errors sum[4];
  for (std::size_t layout = 0; layout < 4; ++layout) {
    const Layout board(layout);
    for (std::size_t split = 0; split < splits(); ++split) {
      for (std::size_t n = 0; n < 4; ++n) {
        const Errors e = board.errors(split, sizes[n]);
        const double share = 0.25 / static_cast<double>(splits());
        sum[n].ellipsoid += e.ellipsoid * share;
        sum[n].quartic += e.quartic * share;
        sum[n].prior += e.prior * share;
        sum[n].map += e.map * share;
        sum[n].mean += e.mean * share;
      }
    }
  }
  for (std::size_t n = 0; n < 4; ++n) {
    const Errors& e = sum[n];
    fmt::print(
        "{:2} pushes: ellipsoid {:.2f} quartic {:.2f} supports: prior {:.2f} map {:.2f} "
        "mean {:.2f}\n",
        sizes[n], e.ellipsoid, e.quartic, e.prior, e.map, e.mean);
    if (splits() < 6) continue;
    EXPECT_NEAR(e.ellipsoid, ellipsoid[n], few);
    EXPECT_NEAR(e.quartic, quartic[n], few);
    // What is known of the supports beats what is learnt without it, even before any push.
    for (const double error : {e.prior, e.map, e.mean}) EXPECT_LT(error, quartic[n] - 1);
  }
}

/// The whole triangle, whose pressure nobody knows: there a quartic that has seen 20 pushes is as
/// good as the supports' law.
TEST_F(PushBoardTest, TheWholePatch) {
  const Layout board(PushBoard::patch);
  for (const std::size_t n : sizes) {
    Errors sum;
    for (std::size_t split = 0; split < splits(); ++split) {
      const Errors e = board.errors(split, n);
      sum.ellipsoid += e.ellipsoid / static_cast<double>(splits());
      sum.quartic += e.quartic / static_cast<double>(splits());
      sum.prior += e.prior / static_cast<double>(splits());
      sum.map += e.map / static_cast<double>(splits());
      sum.mean += e.mean / static_cast<double>(splits());
    }
    fmt::print(
        "patch, {:2} pushes: ellipsoid {:.2f} quartic {:.2f} supports: prior {:.2f} map "
        "{:.2f} mean {:.2f}\n",
        n, sum.ellipsoid, sum.quartic, sum.prior, sum.map, sum.mean);
    if (splits() < 6) continue;
    EXPECT_LT(sum.mean, 9);
    if (n >= 20) {
      EXPECT_NEAR(sum.quartic, sum.mean, 1.5);
    }
  }
}

}  // namespace
}  // namespace bristle
