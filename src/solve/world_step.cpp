#include "bristle/solve/world_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "fixed_step.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::AreaPair;
using detail::at;
using detail::BodyMover;
using detail::MechanismMover;
using detail::PatchSite;
using detail::PendulumMover;
using detail::Site;
using detail::Vector2;

WorldStepper::WorldStepper(const World& world, const StepBudget& budget)
    : parts_(std::make_unique<Parts>(world, budget)) {}
WorldStepper::WorldStepper(const WorldStepper& other)
    : parts_(std::make_unique<Parts>(*other.parts_)) {
  parts_->log.reserve(detail::impact_room);  // which a copy leaves behind
}
WorldStepper::WorldStepper(WorldStepper&&) noexcept = default;
WorldStepper::~WorldStepper() = default;

double WorldStepper::time() const noexcept { return parts_->t; }

Pose WorldStepper::pose(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].pose() : parts_->world.bodies[at(body)].pose_at(parts_->t);
}
Vector3 WorldStepper::velocity(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].v : parts_->world.bodies[at(body)].velocity;
}
Vector3 WorldStepper::spin(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].w : parts_->world.bodies[at(body)].spin;
}
Eigen::Vector2d WorldStepper::angles(int pendulum) const noexcept {
  const PendulumMover& p = parts_->pendulums[at(pendulum)];
  return p.pendulum().shown(p.theta);
}
Eigen::Vector2d WorldStepper::rates(int pendulum) const noexcept {
  const PendulumMover& p = parts_->pendulums[at(pendulum)];
  return p.pendulum().shown(p.rate);
}

std::span<const double> WorldStepper::places(int mechanism) const noexcept {
  const auto& q = parts_->mechanisms[at(mechanism)].q;
  return {q.data(), at(static_cast<int>(q.size()))};
}
std::span<const double> WorldStepper::speeds(int mechanism) const noexcept {
  const auto& u = parts_->mechanisms[at(mechanism)].u;
  return {u.data(), at(static_cast<int>(u.size()))};
}

void WorldStepper::place(int mechanism, std::span<const double> q,
                         std::span<const double> u) noexcept {
  MechanismMover& mover = parts_->mechanisms[at(mechanism)];
  std::copy(q.begin(), q.end(), mover.q.data());
  std::copy(u.begin(), u.end(), mover.u.data());
  for (detail::Island& island : parts_->islands) {
    if (island.kind != Side::Kind::mechanism || island.movers.front() != mechanism) continue;
    parts_->look<MechanismMover>(island, parts_->t);
    for (const int i : island.sites) {
      parts_->sites[at(i)].x = -parts_->sites[at(i)].touch.gap;
      parts_->sites[at(i)].h_last = 0;
    }
    if (parts_->active_patches(island) > 0) island.held = infinity;
  }
}

int WorldStepper::sites() const noexcept { return static_cast<int>(parts_->sites.size()); }
WorldStepper::Reading WorldStepper::read(int site) const noexcept {
  const Site& s = parts_->sites[at(site)];
  return {s.active, -s.touch.gap, s.f_last,
          Vector3(s.friction_last[0] * s.frame.e1 + s.friction_last[1] * s.frame.e2), s.vt1.norm()};
}
int WorldStepper::areas() const noexcept { return static_cast<int>(parts_->areas.size()); }
WorldStepper::PatchReading WorldStepper::read_area(int i) const noexcept {
  const AreaPair& area = parts_->areas[at(i)];
  PatchReading all;
  all.patches = area.active;
  double largest = -1;
  for (int k = 0; k < area.active; ++k) {
    const PatchSite& s = area.sites[at(k)];
    if (s.patch.volume <= largest) continue;
    largest = s.patch.volume;
    all.point = s.p;
    all.normal = s.frame.n;
    all.slip = std::hypot(s.y1[1], s.y1[2]);
    all.spin = s.y1[3];
  }
  for (int k = 0; k < area.active; ++k) {
    const PatchSite& s = area.sites[at(k)];
    const auto& [n, e1, e2] = s.frame;
    const Vector3 friction = -s.g_last[1] * e1 - s.g_last[2] * e2;
    const Vector3 force = friction - s.g_last[0] * n;
    all.fn += s.g_last[0];
    all.volume += s.patch.volume;
    all.friction += friction;
    all.force += force;
    all.spin_torque -= s.g_last[3];
    all.torque +=
        (s.p - all.point).cross(force) - s.g_last[3] * n - s.g_last[4] * e1 - s.g_last[5] * e2;
  }
  return all;
}
long WorldStepper::looks() const noexcept { return parts_->looks_; }
int WorldStepper::most_looks() const noexcept { return parts_->most_looks_; }
const char* WorldStepper::failure() const noexcept {
  for (const AreaPair& area : parts_->areas) {
    if (area.failed) return "the curve in which two meshes meet is not closed: one crosses itself";
  }
  return nullptr;
}
double WorldStepper::kinetic() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.kinetic();
  for (const PendulumMover& m : parts_->pendulums) sum += m.kinetic();
  for (const MechanismMover& m : parts_->mechanisms) sum += m.kinetic();
  return sum;
}
double WorldStepper::potential() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.potential();
  for (const PendulumMover& m : parts_->pendulums) sum += m.potential();
  for (const MechanismMover& m : parts_->mechanisms) sum += m.potential();
  return sum;
}
double WorldStepper::springs() const noexcept {
  double sum = 0;
  for (const Site& s : parts_->sites) sum += s.active ? s.press.stored(s.x) : 0;
  for (const AreaPair& area : parts_->areas) {
    for (int k = 0; k < area.active; ++k) {
      const PatchSite& s = area.sites[at(k)];
      sum += s.press.stored(s.x);
    }
  }
  return sum;
}
double WorldStepper::bristles() const noexcept {
  double sum = 0;
  for (const Site& s : parts_->sites) sum += s.kept;
  return sum;
}
int WorldStepper::most_substeps() const noexcept { return parts_->most; }
long WorldStepper::substeps() const noexcept { return parts_->total; }
const BudgetUse& WorldStepper::budget_used_up() const noexcept { return parts_->used_up; }

int WorldStepper::state_size() const noexcept {
  int size = 1;
  for (const BodyMover& m : parts_->bodies) size += numbers_of(m);
  for (const PendulumMover& m : parts_->pendulums) size += numbers_of(m);
  for (const MechanismMover& m : parts_->mechanisms) size += numbers_of(m);
  for (const Site& s : parts_->sites) size += numbers_of(s) + s.slip->size();
  for (const AreaPair& area : parts_->areas) {
    size += numbers_of(area);
    for (const PatchSite& s : area.sites) size += numbers_of(s);
  }
  for (const detail::PairSites& pair : parts_->pairs) size += pair.rims ? numbers_of(pair) : 0;
  for (const detail::Island& island : parts_->islands) size += numbers_of(island);
  return size;
}
void WorldStepper::save(std::span<double> numbers) const noexcept {
  double* next = numbers.data();
  *next++ = parts_->t;
  for (const BodyMover& m : parts_->bodies) save_numbers(m, next);
  for (const PendulumMover& m : parts_->pendulums) save_numbers(m, next);
  for (const MechanismMover& m : parts_->mechanisms) save_numbers(m, next);
  for (const Site& s : parts_->sites) {
    save_numbers(s, next);
    s.slip->save({next, at(s.slip->size())});
    next += s.slip->size();
  }
  for (const AreaPair& area : parts_->areas) {
    save_numbers(area, next);
    for (const PatchSite& s : area.sites) save_numbers(s, next);
  }
  for (const detail::PairSites& pair : parts_->pairs) {
    if (pair.rims) save_numbers(pair, next);
  }
  for (const detail::Island& island : parts_->islands) save_numbers(island, next);
}
void WorldStepper::forget() noexcept {
  for (MechanismMover& m : parts_->mechanisms) m.forget();
}
void WorldStepper::restore(std::span<const double> numbers) noexcept {
  forget();
  const double* next = numbers.data();
  parts_->t = *next++;
  for (BodyMover& m : parts_->bodies) restore_numbers(m, next);
  for (PendulumMover& m : parts_->pendulums) restore_numbers(m, next);
  for (MechanismMover& m : parts_->mechanisms) restore_numbers(m, next);
  for (Site& s : parts_->sites) {
    restore_numbers(s, next);
    s.open.pair = s.pair;
    s.open.site = static_cast<int>(&s - parts_->sites.data());
    s.slip->restore({next, at(s.slip->size())});
    next += s.slip->size();
  }
  int contact = sites();
  for (AreaPair& area : parts_->areas) {
    restore_numbers(area, next);
    area.open.pair = area.index;
    area.open.site = contact++;
    for (PatchSite& s : area.sites) restore_numbers(s, next);
  }
  for (detail::PairSites& pair : parts_->pairs) {
    if (pair.rims) restore_numbers(pair, next);
  }
  for (detail::Island& island : parts_->islands) restore_numbers(island, next);
}

std::span<const Impact> WorldStepper::impacts() const noexcept { return parts_->log; }
void WorldStepper::clear_impacts() noexcept { parts_->log.clear(); }
void WorldStepper::keep_books(bool keep) noexcept { parts_->keep = keep; }
std::span<const double> WorldStepper::books() const noexcept { return parts_->books; }
double WorldStepper::input() const noexcept {
  double sum = parts_->input;
  for (const MechanismMover& m : parts_->mechanisms) sum += m.work;
  return sum;
}

void WorldStepper::write(WorldDynamics& dynamics, std::span<double> y) const noexcept {
  const auto put = [&](int i, const auto&... parts) {
    (detail::for_each_number(parts, [&](double number) { y[at(i++)] = number; }), ...);
  };
  for (const WorldDynamics::Mover& m : dynamics.movers()) {
    if (m.side.is_pendulum()) {
      const PendulumMover& p = parts_->pendulums[at(m.side.index)];
      put(m.q, p.theta);
      put(m.u, p.rate);
    } else if (m.side.is_link()) {
      const MechanismMover& a = parts_->mechanisms[at(m.side.index)];
      put(m.q, a.q);
      put(m.u, a.u);
    } else {
      const BodyMover& b = parts_->bodies[at(parts_->body_mover[at(m.side.index)])];
      put(m.q, b.x, b.q);
      put(m.u, b.v, b.w);
    }
  }
  std::array<double, 512> numbers{};
  for (int i = 0; i < dynamics.sites(); ++i) {
    const Site& s = parts_->sites[at(i)];
    WorldDynamics::Site& shown = dynamics.site(i);
    shown.touching = s.active;
    shown.press = s.press;
    shown.v_i = s.v_i;
    const Reading acted = read(i);
    // A contact that is new, or was there at the start, has not acted yet.
    shown.acted = {!s.active || s.h_last > 0, acted.fn, acted.friction,
                   s.active ? -s.touch.gap - s.x : 0};
    if (at(s.slip->size()) > numbers.size()) continue;
    s.slip->save(numbers);
    shown.friction->restore(std::span<const double>(numbers).first(at(s.slip->law_size())));
    shown.friction->get(y.subspan(at(shown.z), shown.dz.size()));
  }
  for (std::size_t i = 0; i < parts_->areas.size(); ++i) {
    AreaPair& area = parts_->areas[i];
    for (std::size_t k = 0; k < area.sites.size(); ++k) {
      area.slots[k] = area.sites[k].slot;
      area.memories[k] = area.sites[k].memory;
    }
    dynamics.patches().set(static_cast<int>(i), area.slots, area.memories, y);
  }
}

// ---- in a run -----------------------------------------------------------------------------------

namespace {

class WorldStep final : public detail::FixedStep {
 public:
  WorldStep(WorldDynamics& dynamics, double step, const StepBudget& budget)
      : FixedStep(dynamics, step), f_(dynamics), stepper_(dynamics.world(), budget) {
    dynamics.set_stepped();
    stepper_.keep_books(true);
    std::vector<double> y = dynamics.initial();
    stepper_.write(dynamics, y);  // the contacts that are there at the start
  }
  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    FixedStep::start(t, y, quadratures);
    stepper_.write(f_, state_of(y_));
  }
  BudgetUse used_up() const noexcept override { return stepper_.budget_used_up(); }

 private:
  void take(double h) override {
    const long before = stepper_.substeps();
    stepper_.step(h);
    if (const char* why = stepper_.failure()) {
      throw std::runtime_error(fmt::format("at t = {:.9g} s: {}", stepper_.time(), why));
    }
    f_.count_evaluations(stepper_.substeps() - before);
    stepper_.write(f_, state_of(y_));
    const auto work = quadratures_of(y_);
    const auto books = stepper_.books();
    work[0] = stepper_.input();
    std::copy(books.begin(), books.end(), work.begin() + 1);
    list_impacts();
  }

  /// Those that have ended stay where they are in the list; only those that last are listed anew.
  void list_impacts() {
    std::vector<Impact>& list = f_.impacts;
    list.resize(finished_);
    list.insert(list.end(), stepper_.impacts().begin(), stepper_.impacts().end());
    finished_ = list.size();
    stepper_.clear_impacts();
    stepper_.open_impacts(list);
  }

  WorldDynamics& f_;
  WorldStepper stepper_;
  std::size_t finished_ = 0;  ///< impacts at the front of the list
};

}  // namespace

void WorldStepper::open_impacts(std::vector<Impact>& list) const {
  for (const Site& s : parts_->sites) {
    if (s.active) list.push_back(s.open);
  }
  for (const AreaPair& area : parts_->areas) {
    if (std::isnan(area.open.t_out)) list.push_back(area.open);
  }
}

std::unique_ptr<Integrator> make_world_step(WorldDynamics& dynamics, double step,
                                            const StepBudget& budget) {
  return std::make_unique<WorldStep>(dynamics, step, budget);
}

}  // namespace bristle
