#include "world_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace bristle {

using detail::at;
using detail::impact_lasts;
using detail::impact_room;
using detail::Vector2;

WorldStepper::Parts::Parts(World w, const StepBudget& b) : world(std::move(w)), budget(b) {
  world.check();
  for (const RigidBody& body : world.bodies) {
    body_mover.push_back(body.fixed ? -1 : static_cast<int>(bodies.size()));
    if (!body.fixed) bodies.emplace_back(body, world.gravity);
  }
  for (const DoublePendulum& p : world.pendulums) pendulums.emplace_back(p, world.gravity);
  for (const auto& mechanism : world.mechanisms) mechanisms.emplace_back(*mechanism);
  for (const ContactPair& pair : world.pairs) {
    pairs.push_back(make_pair(pair));
    make_sites(pair, pairs.back());
  }
  for (const ContactPair& pair : world.pairs) {
    if (pair.volumetric) make_area(pair);
  }
  make_islands();
  make_balls();
  make_mixing();
  make_tips();
  bodies_before.assign(bodies.begin(), bodies.end());
  pendulums_before.assign(pendulums.begin(), pendulums.end());
  mechanisms_before = mechanisms;
  books.assign(5 * (sites.size() + areas.size()), 0.0);
  log.reserve(impact_room);
  for (Island& island : islands) {
    of_kind(island, [&]<class M>() { start<M>(island); });
  }
}

WorldStepper::Parts::PairSites WorldStepper::Parts::make_pair(const ContactPair& pair) const {
  PairSites made;
  const auto mover = [&](Side side) {
    return side.is_body() ? body_mover[at(side.index)] : side.index;
  };
  made.ma = mover(pair.a);
  made.mb = mover(pair.b);
  made.la = pair.a.link;
  made.lb = pair.b.link;
  made.sa = world.shape(pair.a);
  made.sb = world.shape(pair.b);
  for (const Side side : {pair.a, pair.b}) {
    if (world.is_free(side)) continue;
    made.fixed = world.bodies[at(side.index)];
    made.driven = made.fixed.is_driven();
  }
  made.first = static_cast<int>(sites.size());
  made.count = world.sites(pair);
  made.normal = pair.normal;
  made.duration_of = detail::duration_factor(pair.normal.latch(1).p);
  made.reset = pair.reset;
  made.rolling = pair.rolling;
  const auto cylinder_on = [](const Shape& a, const Shape& b) {
    return std::holds_alternative<Cylinder>(a) && std::holds_alternative<HalfSpace>(b);
  };
  made.rims_of_b = cylinder_on(made.sb, made.sa);
  made.rims = made.rims_of_b || cylinder_on(made.sa, made.sb);
  const bool round = std::holds_alternative<Sphere>(made.sa) ||
                     (std::holds_alternative<Point>(made.sa) && pair.a.is_pendulum());
  if (round && made.mb < 0 && std::holds_alternative<HalfSpace>(made.sb) && !made.driven) {
    made.ball_on_plane = true;
    made.plane = Ground(made.fixed.pose);
    if (const Sphere* sphere = std::get_if<Sphere>(&made.sa)) made.radius = sphere->radius;
    const TangentBasis basis = tangent_basis(made.plane.normal, made.plane.reference);
    made.frame = {made.plane.normal, basis.e1, basis.e2};
  }
  return made;
}

void WorldStepper::Parts::make_sites(const ContactPair& pair, const PairSites& made) {
  for (int k = 0; k < made.count; ++k) {
    Site& site = sites.emplace_back();
    site.pair = static_cast<int>(&made - pairs.data());
    site.slip = detail::SiteSlip(SlipSolver::make(pair.friction));
    site.frame = made.frame;
    if (made.ball_on_plane) {
      site.touch = touch_sphere_half_space(made.radius, Vector3::Zero(), made.plane);
    }
  }
}

/// Contacts that are there at the start.
template <class M>
void WorldStepper::Parts::start(Island& island) {
  for (const int m : island.movers) movers<M>()[at(m)].prepare(0, 0);
  look<M>(island, 0);
  for (const int i : island.sites) {
    Site& site = sites[at(i)];
    if (site.touch.gap > World::no_gap) continue;
    touch_down<M>(site, 0, -site.touch.gap);
    // Deep contacts have been there all along; one that just touches is an impact.
    if (-site.touch.gap > 1e-9) site.age = impact_lasts * site.duration;
    const PairSites& pair = pairs[at(site.pair)];
    const auto touches = [](const Site& other) { return other.touch.gap <= World::no_gap; };
    const auto first = sites.begin() + pair.first;
    const auto points = std::count_if(first, first + pair.count, touches);
    const double pressing =
        world.pressing_speed(world.pairs[at(site.pair)], -site.touch.gap, static_cast<int>(points));
    if (pressing > site.v_i) site.press = pairs[at(site.pair)].normal.latch(pressing);
  }
  keep_sides(island);

  if constexpr (detail::MovesAreas<M>) start_areas<M>(island);
}

void WorldStepper::Parts::make_islands() {
  std::vector<int> of(bodies.size());
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<int>(i);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (!world.pairs[p].a.is_body() || !world.pairs[p].b.is_body()) continue;
    const int a = pairs[p].ma, b = pairs[p].mb;
    if (a < 0 || b < 0) continue;
    const int low = std::min(of[at(a)], of[at(b)]), high = std::max(of[at(a)], of[at(b)]);
    std::replace(of.begin(), of.end(), high, low);
  }
  std::vector<int> island_of(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto root = at(of[i]);
    if (island_of[root] < 0) {
      island_of[root] = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    island_of[i] = island_of[root];
    islands[at(island_of[i])].movers.push_back(static_cast<int>(i));
  }
  const auto first_pendulum = static_cast<int>(islands.size());
  for (std::size_t i = 0; i < pendulums.size(); ++i) {
    islands.push_back({.kind = Side::Kind::pendulum, .movers = {static_cast<int>(i)}});
  }
  const auto first_mechanism = static_cast<int>(islands.size());
  for (std::size_t i = 0; i < mechanisms.size(); ++i) {
    islands.push_back({.kind = Side::Kind::mechanism, .movers = {static_cast<int>(i)}});
  }
  const auto island_with = [&](Side side, int mover) {
    if (side.is_pendulum()) return first_pendulum + mover;
    return side.is_link() ? first_mechanism + mover : island_of[at(mover)];
  };
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (world.pairs[p].volumetric) continue;
    const bool a = pairs[p].ma >= 0;
    Island& island = islands[at(
        island_with(a ? world.pairs[p].a : world.pairs[p].b, a ? pairs[p].ma : pairs[p].mb))];
    island.pairs.push_back(static_cast<int>(p));
    island.set_valued |= world.pairs[p].friction.info().can(Capability::set_valued);
    for (int k = 0; k < pairs[p].count; ++k) island.sites.push_back(pairs[p].first + k);
  }
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const bool a = areas[i].ma >= 0;
    const int m = a ? areas[i].ma : areas[i].mb;
    if (m < 0) islands.emplace_back();  // both move as they are told
    Island& island =
        m < 0 ? islands.back() : islands[at(island_with(a ? areas[i].a : areas[i].b, m))];
    island.areas.push_back(static_cast<int>(i));
  }
}

/// Room for the forces of the largest island.
void WorldStepper::Parts::make_mixing() {
  std::size_t largest = 0;
  for (const Island& island : islands) {
    std::size_t size = 3 * island.sites.size();
    for (const int i : island.areas) size += 6 * areas[at(i)].sites.size();
    largest = std::max(largest, size);
  }
  const auto n = static_cast<Eigen::Index>(largest);
  mixing = detail::Mixing(n);
  mixed.resize(n);
  image.resize(n);
}

void WorldStepper::Parts::make_tips() {
  for (Island& island : islands) {
    if (island.kind != Side::Kind::pendulum || island.sites.size() != 1) continue;
    if (!island.areas.empty()) continue;
    const PairSites& pair = pairs[at(island.pairs.front())];
    const Vector3& n = pair.frame.n;
    if (!pair.ball_on_plane || pair.rolling || pair.radius != 0 || n.y() != 0) continue;
    Tip tip{island.movers.front(), island.sites.front()};
    tip.n = Vector2(n.x(), n.z());
    tip.along = Vector2(n.z(), -n.x());
    tip.d = pair.frame.across(Vector3(n.z(), 0, -n.x()));
    tip.offset = n.dot(pair.plane.origin - pendulums[at(tip.pendulum)].pendulum().pivot);
    island.tip = static_cast<int>(tips.size());
    tips.push_back(tip);
  }
}

void WorldStepper::Parts::make_balls() {
  for (Island& island : islands) {
    if (island.kind != Side::Kind::body || island.movers.size() != 1 || island.sites.size() != 1)
      continue;
    if (!island.areas.empty()) continue;
    const PairSites& pair = pairs[at(island.pairs.front())];
    const BodyMover& body = bodies[at(island.movers.front())];
    if (!pair.ball_on_plane || pair.rolling || !body.round()) continue;
    if (sites[at(island.sites.front())].slip.gonthier() == nullptr) continue;
    Ball ball{island.movers.front(), island.sites.front(), pair.frame};
    ball.offset = pair.frame.n.dot(pair.plane.origin);
    ball.radius = pair.radius;
    ball.wn = body.inverse_mass();
    ball.wt = ball.wn + body.inverse_inertia() * ball.radius * ball.radius;
    ball.turn = body.inverse_inertia() * ball.radius;
    ball.gn = -ball.frame.n.dot(body.gravity());
    ball.gt = ball.frame.across(body.gravity());
    island.ball = static_cast<int>(balls.size());
    balls.push_back(ball);
  }
}

}  // namespace bristle
