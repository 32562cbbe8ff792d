// The work books of the step for worlds: a ball alone on a plane has a step of its own, which has
// to book what the step of all others does.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "worlds.hpp"

namespace bristle {
namespace {

using testing::same_bits;
using testing::saved;
using testing::world_of;

constexpr double h = 1e-3;
constexpr std::size_t friction_work = 0, normal_work = 2, impulse = 4;

std::vector<double> books_of(const WorldStepper& world) {
  return {world.books().begin(), world.books().end()};
}

/// No resistance at all, but only the step of all others knows what to do with it.
World without_short_cut(World world) {
  world.pairs[0].rolling = RollingResistance{};
  return world;
}

class WorldStepBooks : public ::testing::TestWithParam<const char*> {};

/// Spinning about the normal too, by which the bristles turn.
TEST_P(WorldStepBooks, OfABallAloneAreThoseOfAnyBody) {
  World world = world_of("ball-incline", {GetParam()});
  for (RigidBody& body : world.bodies) {
    if (!body.fixed) body.spin += Vector3(0, 0, 20);
  }
  WorldStepper own(world), general(without_short_cut(world));
  own.keep_books(true);
  general.keep_books(true);
  double off = 0, apart = 0;
  for (int i = 0; i < 3000; ++i) {
    own.step(h);
    general.step(h);
    const std::vector<double> a = books_of(own), b = books_of(general);
    for (std::size_t k = 0; k < a.size(); ++k) off = std::max(off, std::abs(a[k] - b[k]));
    apart = std::max(apart, (own.pose(0).position - general.pose(0).position).norm());
  }
  const std::vector<double> books = books_of(own);
  const double largest = *std::max_element(books.begin(), books.end());
  RecordProperty("books, relative", fmt::format("{:.2e}", off / largest));
  EXPECT_GT(books[friction_work], 0.1);
  EXPECT_GT(books[impulse], 10);
  EXPECT_LT(off, 1e-12 * largest);
  EXPECT_LT(apart, 1e-12);
  EXPECT_FALSE(same_bits(saved(own), saved(general))) << "both took the same way";
}

// What the motion has lost has gone through the contact, to rounding: also in an impact, where the
// depth is put right after a sub-step, against gravity.
TEST_P(WorldStepBooks, OfABallAloneBalance) {
  WorldStepper ball(world_of("ball-incline", {GetParam()}));
  ball.keep_books(true);
  const auto unexplained = [&] {
    const auto books = ball.books();
    return ball.kinetic() + ball.potential() + books[friction_work] + books[normal_work];
  };
  const double start = unexplained();
  for (int i = 0; i < 1000; ++i) ball.step(h);
  const double rolls = unexplained();
  EXPECT_NEAR(rolls, start, 1e-11 * start);
  double off = 0;
  for (int i = 0; i < 2000; ++i) {
    ball.step(h);
    off = std::max(off, std::abs(unexplained() - rolls));
  }
  EXPECT_GT(ball.kinetic(), 0.5 * start);
  EXPECT_LT(off, 1e-11 * start);
}

TEST_P(WorldStepBooks, KeepingThemChangesNoBit) {
  WorldStepper plain(world_of("ball-incline", {GetParam()})), booked(plain);
  booked.keep_books(true);
  for (int i = 0; i < 3000; ++i) {
    plain.step(h);
    booked.step(h);
    ASSERT_TRUE(same_bits(saved(plain), saved(booked))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Bristles, WorldStepBooks,
                         ::testing::Values("friction.bounded=true", "friction.bounded=false"),
                         [](const auto& test) {
                           return std::string(test.param).ends_with("true") ? "bounded"
                                                                            : "unbounded";
                         });

}  // namespace
}  // namespace bristle
