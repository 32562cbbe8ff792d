#include "bristle/mujoco/contact.hpp"

#include <algorithm>

#include "bristle/core/error.hpp"
#include "bristle/core/index.hpp"
#include "bristle/mujoco/mechanism.hpp"
#include "frozen.hpp"
#include "links.hpp"

namespace bristle {

using detail::at;

struct MujocoContact::Parts {
  using Vector = Mechanism::Vector;

  std::vector<bool> ours;  // of each geom
  std::shared_ptr<detail::Instant> instant = std::make_shared<detail::Instant>();
  std::unique_ptr<mjData, decltype(&mj_deleteData)> start{nullptr, mj_deleteData};
  World world;
  StepBudget budget;
  std::unique_ptr<WorldStepper> stepper;
  std::vector<int> first;  // site of each pair, and the end
  Vector none, own, seen;  // qfrc_applied before we added, and after
  Vector added, shift;
  bool has_added = false;

  Side side(const mjModel& m, const std::string& name);
  void begin(const mjModel& m, const mjData& d);
  double impulse() const noexcept;
  void take_back(const mjModel& m, mjData& d) noexcept;
  void hand_over(const mjModel& m, mjData& d) noexcept;
};

/// A fixture, else a part of the model.
Side MujocoContact::Parts::side(const mjModel& m, const std::string& name) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].name == name) return {.index = static_cast<int>(i)};
  }
  const Side link{Side::Kind::mechanism, 0, instant->link(m, name)};
  const int geom = detail::find_links(m, name).front().geom;
  if (geom >= 0) ours[at(geom)] = true;
  return link;
}

void MujocoContact::Parts::begin(const mjModel& m, const mjData& d) {
  start.reset(mj_copyData(nullptr, &m, &d));
  mj_forward(&m, start.get());
  instant->take(&m, start.get());
  world.mechanisms = {std::make_shared<detail::FrozenRobot>(instant)};
  stepper = std::make_unique<WorldStepper>(world, budget);
  stepper->keep_books(true);
  none.setZero(m.nv);
  own = seen = added = shift = none;
  has_added = false;
}

double MujocoContact::Parts::impulse() const noexcept {
  double sum = 0;
  for (std::size_t i = 4; i < stepper->books().size(); i += 5) sum += stepper->books()[i];
  return sum;
}

/// Numbers that nobody has written since are put back to what they were.
void MujocoContact::Parts::take_back(const mjModel& m, mjData& d) noexcept {
  if (!has_added) return;
  for (int i = 0; i < m.nv; ++i) {
    if (d.qfrc_applied[i] == seen[i]) d.qfrc_applied[i] = own[i];
  }
}

/// From the stepper's speeds at the end to a mean force, and a shift of the places.
void MujocoContact::Parts::hand_over(const mjModel& m, mjData& d) noexcept {
  const double h = m.opt.timestep;
  using Numbers = Eigen::Map<const Vector>;
  const Numbers end(stepper->speeds(0).data(), m.nv), way(stepper->places(0).data(), m.nv);
  shift = (end - instant->speed) / h;
  mj_mulM(&m, &d, added.data(), shift.data());
  added -= instant->force;
  for (int i = 0; i < m.nv; ++i) {
    own[i] = d.qfrc_applied[i];
    d.qfrc_applied[i] += added[i];
    seen[i] = d.qfrc_applied[i];
  }
  shift = way - h * end;
  mj_integratePos(&m, d.qpos, shift.data(), 1);
}

MujocoContact::MujocoContact(const mjModel& m, const mjData& d,
                             const std::vector<MujocoPair>& pairs, std::vector<RigidBody> fixtures,
                             const StepBudget& budget)
    : parts_(std::make_unique<Parts>()) {
  detail::check_speeds(m);
  if (m.opt.integrator == mjINT_RK4) {
    throw InputError({.message = "contact within MuJoCo's step",
                      .key = "integrator",
                      .value = "RK4",
                      .expected = "Euler or implicit"});
  }
  Parts& p = *parts_;
  p.budget = budget;
  p.ours.assign(at(m.ngeom), false);
  p.world.gravity.setZero();
  p.first.push_back(0);
  for (const RigidBody& body : fixtures) {
    if (body.fixed) continue;
    throw InputError({.message = "this fixture is free", .value = body.name, .expected = "fixed"});
  }
  p.world.bodies = std::move(fixtures);
  for (const MujocoPair& pair : pairs) {
    ContactPair contact{p.side(m, pair.a), p.side(m, pair.b), pair.normal, pair.friction};
    p.world.pairs.push_back(std::move(contact));
  }
  p.begin(m, d);
  for (const ContactPair& pair : p.world.pairs) {
    p.first.push_back(p.first.back() + p.world.sites(pair));
  }
}
MujocoContact::MujocoContact(MujocoContact&&) noexcept = default;
MujocoContact& MujocoContact::operator=(MujocoContact&&) noexcept = default;
MujocoContact::~MujocoContact() = default;

void MujocoContact::reset(const mjModel& m, const mjData& d) { parts_->begin(m, d); }

void MujocoContact::apply(const mjModel* m, mjData* d) noexcept {
  Parts& p = *parts_;
  p.take_back(*m, *d);
  if (drop_contacts(*d, p.ours)) {
    mj_makeConstraint(m, d);
    mj_projectConstraint(m, d);
    mj_referenceConstraint(m, d);
  }
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  p.instant->take(m, d);
  p.stepper->place(0, {p.none.data(), at(m->nv)}, {d->qvel, at(m->nv)});
  const double before = p.impulse();
  p.stepper->step(m->opt.timestep);
  p.has_added = p.impulse() != before;
  p.added.setZero();
  if (p.has_added) p.hand_over(*m, *d);
}

MujocoContact::Reading MujocoContact::read(int pair) const noexcept {
  Reading sum;
  for (int i = parts_->first[at(pair)]; i < parts_->first[at(pair + 1)]; ++i) {
    const WorldStepper::Reading site = parts_->stepper->read(i);
    if (!site.touching) continue;
    ++sum.touching;
    sum.depth = std::max(sum.depth, site.depth);
    sum.load += site.fn;
    sum.friction += site.friction;
  }
  return sum;
}
MujocoContact::Account MujocoContact::account(int pair) const noexcept {
  Account sum;
  const auto books = parts_->stepper->books();
  for (int i = parts_->first[at(pair)]; i < parts_->first[at(pair + 1)]; ++i) {
    const double* b = &books[at(5 * i)];
    sum.friction_work += b[0];
    sum.friction_dissipation += b[1];
    sum.normal_work += b[2];
    sum.normal_dissipation += b[3];
    sum.impulse += b[4];
  }
  return sum;
}
std::span<const double> MujocoContact::force() const noexcept {
  return {parts_->added.data(), at(static_cast<int>(parts_->added.size()))};
}

}  // namespace bristle
