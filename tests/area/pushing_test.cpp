// Quasi-static pushing: every law for the same truths, closed forms, and paths.

#include "bristle/area/pushing.hpp"

#include <cmath>
#include <memory>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/laws.hpp"

namespace bristle {
namespace {

using std::numbers::pi;

PressedArea feet() {
  const std::vector<Support> supports{{-0.04, -0.04, 1}, {0.08, -0.04, 1}, {-0.04, 0.08, 1}};
  return PressedArea::points(supports);
}

/// What is true of every push, whatever the law.
void expect_valid(const AreaLaw& law, const PushContact& contact, const Point2& u) {
  const Push p = push(law, contact, u);
  ASSERT_TRUE(p.found);
  const Point2 n = contact.normal.normalized(), t(-n.y(), n.x());
  const Point2 v = contact.velocity(p.motion);
  const double f_n = p.force.dot(n), f_t = p.force.dot(t);
  const Planar w = contact.wrench(p.force);
  // The pusher stays at the edge, the force on the limit surface and in the friction cone.
  EXPECT_NEAR(v.dot(n), u.dot(n), 1e-12 * u.norm());
  EXPECT_NEAR(law.hold(w).xi, 1, 1e-10);
  EXPECT_LE(std::abs(f_t), contact.mu * f_n * (1 + 1e-12) + 1e-15);
  EXPECT_GT(f_n, 0);
  // The pusher's power is that of the floor and of rubbing along the edge.
  EXPECT_NEAR(p.force.dot(u), w.dot(p.motion) + f_t * p.slip, 1e-11 * u.norm());
  EXPECT_GE(f_t * p.slip, -1e-15);
  if (law.is_associated()) {
    EXPECT_NEAR(w.dot(p.motion), law.sliding(p.motion).dot(p.motion), 1e-7 * u.norm());
  }
  if (p.mode == PushMode::sticking) {
    EXPECT_NEAR((v - u).norm(), 0, 1e-12 * u.norm());
    EXPECT_EQ(p.slip, 0);
  } else {
    const double side = p.mode == PushMode::sliding_left ? 1 : -1;
    EXPECT_NEAR(f_t, side * contact.mu * f_n, 1e-13);
    EXPECT_GT(side * p.slip, 0);
  }
  // Twice as fast is the same push.
  const Push twice = push(law, contact, 2 * u);
  EXPECT_EQ(twice.mode, p.mode);
  EXPECT_NEAR((twice.motion - 2 * p.motion).norm(), 0, 1e-10 * (u.norm() + p.motion.norm()));
  EXPECT_NEAR((twice.force - p.force).norm(), 0, 1e-9);
}

TEST(Pushing, EveryPushOfEveryLaw) {
  const PressedArea areas[] = {PressedArea::rectangle(0.2, 0.1), feet()};
  const char* names[] = {"exact", "ellipsoid", "quartic", "contensou"};
  for (const PressedArea& area : areas) {
    for (const char* name : names) {
      const auto law = make_area_law(name, area);
      for (const double mu : {0.0, 0.2, 0.8}) {
        for (const double angle : {-1.4, -0.5, 0.0, 0.3, 1.2}) {
          for (const double y : {-0.04, 0.01}) {
            const PushContact contact{{-0.1, y}, {2, 0.4}, mu};
            SCOPED_TRACE(std::string(name) + " " + area.name() + " mu " + std::to_string(mu) +
                         " angle " + std::to_string(angle) + " y " + std::to_string(y));
            const double normal = std::atan2(0.4, 2);
            expect_valid(*law, contact,
                         0.03 * Point2(std::cos(normal + angle), std::sin(normal + angle)));
          }
        }
      }
    }
  }
}

TEST(Pushing, ThroughTheCentreGoesStraight) {
  for (const char* name : {"exact", "ellipsoid"}) {
    const auto law = make_area_law(name, PressedArea::rectangle(0.2, 0.1));
    const Push p = push(*law, {{-0.1, 0}, {1, 0}, 0.3}, {0.02, 0});
    EXPECT_EQ(p.mode, PushMode::sticking);
    EXPECT_NEAR((p.motion - Planar(0.02, 0, 0)).norm(), 0, 1e-11) << name;
    EXPECT_NEAR(p.force.y(), 0, 1e-11) << name;
  }
}

/// Lynch's closed form.
TEST(Pushing, EllipsoidSticksAsLynchSays) {
  const double c = 0.05;
  const EllipsoidLaw law(Planar(1, 1, c * c).asDiagonal());
  const PushContact contact{{-0.08, 0.03}, {1, 0}, 2.0};
  for (const Point2& u : {Point2(0.1, 0), Point2(0.1, -0.02), Point2(0.08, -0.09)}) {
    const Push p = push(law, contact, u);
    ASSERT_EQ(p.mode, PushMode::sticking);
    const double x = contact.at.x(), y = contact.at.y(), d = c * c + x * x + y * y;
    const double vx = ((c * c + x * x) * u.x() + x * y * u.y()) / d;
    const double vy = (x * y * u.x() + (c * c + y * y) * u.y()) / d;
    EXPECT_NEAR(p.motion.x(), vx, 1e-14);
    EXPECT_NEAR(p.motion.y(), vy, 1e-14);
    EXPECT_NEAR(p.motion.z(), (x * vy - y * vx) / (c * c), 1e-12);
    EXPECT_NEAR(p.force.x() / p.force.y(), vx / vy, 1e-11);
  }
}

TEST(Pushing, EllipsoidSlidesAsLynchSays) {
  const double c = 0.05, mu = 0.2;
  const EllipsoidLaw law(Planar(1, 1, c * c).asDiagonal());
  const PushContact contact{{-0.08, 0.03}, {1, 0}, mu};
  const Push p = push(law, contact, {0.1, 0.3});
  ASSERT_EQ(p.mode, PushMode::sliding_left);
  // The motion is (f, m/c²) for the edge's force, scaled to the pusher's approach.
  const Planar w = contact.wrench({1, mu});
  Planar motion(w.x(), w.y(), w.z() / (c * c));
  motion *= 0.1 / contact.velocity(motion).x();
  EXPECT_NEAR((p.motion - motion).norm(), 0, 1e-13);
  EXPECT_NEAR(p.slip, 0.3 - contact.velocity(motion).y(), 1e-14);
}

/// The edges of the motion cone divide the modes, and nothing jumps there.
TEST(Pushing, ModesMeetAtTheMotionCone) {
  for (const char* name : {"exact", "ellipsoid"}) {
    const auto law = make_area_law(name, PressedArea::rectangle(0.2, 0.1));
    const PushContact contact{{-0.1, 0.02}, {1, 0}, 0.25};
    const MotionCone cone = motion_cone(*law, contact);
    ASSERT_TRUE(cone.found);
    for (const bool left : {true, false}) {
      const Point2 edge = contact.velocity(left ? cone.left : cone.right);
      EXPECT_NEAR(edge.norm(), 1, 1e-14);
      const Point2 aside = 1e-7 * Point2(-edge.y(), edge.x()) * (left ? 1 : -1);
      const Push out = push(*law, contact, edge + aside), in = push(*law, contact, edge - aside);
      EXPECT_EQ(out.mode, left ? PushMode::sliding_left : PushMode::sliding_right);
      EXPECT_EQ(in.mode, PushMode::sticking);
      EXPECT_NEAR((out.motion - in.motion).norm(), 0, 1e-5);
      EXPECT_NEAR((out.force - in.force).norm(), 0, 1e-5);
    }
  }
}

TEST(Pushing, APusherThatDoesNotApproachParts) {
  const EllipsoidLaw law = EllipsoidLaw::of(PressedArea::disc(0.1));
  for (const Point2& u : {Point2(-0.1, 0), Point2(0, 0.1), Point2(0, 0)}) {
    const Push p = push(law, {{-0.1, 0}, {1, 0}, 0.5}, u);
    EXPECT_EQ(p.mode, PushMode::parted);
    EXPECT_EQ(p.motion, Planar::Zero().eval());
  }
}

// ---- Paths -------------------------------------------------------------------------------------

/// The pusher is where its own motion takes it, all along.
void expect_touching(const PushPath& path, const PushEdge& edge, const Point2& u) {
  const auto pusher = [&](const PushState& s) {
    return Point2(s.pose.head<2>() + Eigen::Rotation2Dd(s.pose.z()) * edge.contact(s.s, 0).at);
  };
  const Point2 begin = pusher(path.states.front());
  for (const PushState& s : path.states) {
    EXPECT_NEAR((pusher(s) - begin - s.time * u).norm(), 0, 1e-8);
  }
}

TEST(PushPath, ADiscPushedThroughItsCentreGoesStraight) {
  const ExactAreaLaw law(PressedArea::disc(0.05));
  const PushEdge edge{.at = {-0.05, 0}, .normal = {1, 0}, .curvature = 1 / 0.05};
  const PushPath path = integrate_push(law, edge, 0.3, Planar::Zero(), {0.02, 0}, 5);
  EXPECT_EQ(path.end, PushPath::End::done);
  EXPECT_NEAR((path.states.back().pose - Planar(0.1, 0, 0)).norm(), 0, 1e-8);
}

/// Without friction the force goes through the centre of a disc, which does not turn while the
/// pusher runs round it: with χ the angle from the pusher's velocity to the normal,
/// χ' = U sin χ/R, tan(χ/2) grows by e^{Ut/R}.
TEST(PushPath, AFrictionlessPusherRunsRoundADisc) {
  const double R = 0.05, U = 0.02, chi = 0.1;
  const EllipsoidLaw law = EllipsoidLaw::of(PressedArea::disc(R));
  const PushEdge edge{.at = {-R * std::cos(chi), -R * std::sin(chi)},
                      .normal = {std::cos(chi), std::sin(chi)},
                      .curvature = 1 / R};
  const double t = 5;
  const PushPath path = integrate_push(law, edge, 0, Planar::Zero(), {U, 0}, t);
  ASSERT_EQ(path.end, PushPath::End::done);
  const PushState& end = path.states.back();
  const double angle = 2 * std::atan(std::tan(chi / 2) * std::exp(U * t / R));
  const Point2 n = edge.contact(end.s, 0).normal;
  EXPECT_NEAR(std::atan2(n.y(), n.x()), angle, 1e-8);
  EXPECT_NEAR(end.pose.z(), 0, 1e-12);
  expect_touching(path, edge, {U, 0});
  // Past a right angle it leaves the disc behind.
  EXPECT_EQ(integrate_push(law, edge, 0, Planar::Zero(), {U, 0}, 60).end, PushPath::End::parted);
}

/// A contact that sticks: with ψ the angle from the velocity to the arm of length d from the centre
/// to the contact, ψ' = −dU sin ψ/(c² + d²). Pushing (ψ near π) runs away, dragging converges.
TEST(PushPath, StickingFollowsTheTractrix) {
  const double c = 0.04, d = 0.1, U = 0.03;
  const EllipsoidLaw law(Planar(1, 1, c * c).asDiagonal());
  for (const double psi : {pi - 0.05, 0.9}) {
    const Point2 arm(std::cos(psi), std::sin(psi));
    const PushEdge edge{.at = d * arm, .normal = {1, 0}};
    const double t = 4;
    const PushPath path = integrate_push(law, edge, 50, Planar::Zero(), {U, 0}, t);
    ASSERT_EQ(path.end, PushPath::End::done);
    const PushState& end = path.states.back();
    EXPECT_EQ(end.push.mode, PushMode::sticking);
    const double k = d * U / (c * c + d * d);
    EXPECT_NEAR(psi + end.pose.z(), 2 * std::atan(std::tan(psi / 2) * std::exp(-k * t)), 1e-7);
    expect_touching(path, edge, {U, 0});
  }
}

TEST(PushPath, EndsWhereTheEdgeEnds) {
  const ExactAreaLaw law(PressedArea::rectangle(0.2, 0.1));
  const PushEdge edge{
      .at = {-0.1, 0.02}, .normal = {1, 0}, .curvature = 0, .left = 0.03, .right = 0.07};
  const PushPath path = integrate_push(law, edge, 0.1, {0.3, 0.2, 0.5}, {0.02, 0.03}, 60);
  EXPECT_EQ(path.end, PushPath::End::off_edge);
  EXPECT_NEAR(path.states.back().s, 0.03, 1e-6);
  expect_touching(path, edge, {0.02, 0.03});
}

TEST(PushPath, TighterTolerancesAgree) {
  const ExactAreaLaw law(PressedArea::rectangle(0.2, 0.1));
  const PushEdge edge{.at = {-0.1, 0.015}, .normal = {1, 0}};
  const auto end = [&](double tolerance) {
    const PushPath path =
        integrate_push(law, edge, 0.2, Planar::Zero(), {0.02, 0.002}, 4, {tolerance});
    EXPECT_EQ(path.end, PushPath::End::done);
    return path.states.back().pose;
  };
  EXPECT_NEAR((end(1e-6) - end(1e-10)).norm(), 0, 3e-5);
}

}  // namespace
}  // namespace bristle
