#include "bristle/solve/world_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fixed_step.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::at;
using detail::BodyMover;
using detail::PendulumMover;
using detail::Site;
using detail::Vector2;

WorldStepper::WorldStepper(const World& world, const StepBudget& budget)
    : parts_(std::make_unique<Parts>(world, budget)) {}
WorldStepper::WorldStepper(const WorldStepper& other)
    : parts_(std::make_unique<Parts>(*other.parts_)) {}
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

int WorldStepper::sites() const noexcept { return static_cast<int>(parts_->sites.size()); }
WorldStepper::Reading WorldStepper::read(int site) const noexcept {
  const Site& s = parts_->sites[at(site)];
  return {s.active, -s.touch.gap, s.f_last,
          Vector3(s.friction_last[0] * s.frame.e1 + s.friction_last[1] * s.frame.e2), s.vt1.norm()};
}
double WorldStepper::kinetic() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.kinetic();
  for (const PendulumMover& m : parts_->pendulums) sum += m.kinetic();
  return sum;
}
double WorldStepper::potential() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.potential();
  for (const PendulumMover& m : parts_->pendulums) sum += m.potential();
  return sum;
}
double WorldStepper::springs() const noexcept {
  double sum = 0;
  for (const Site& s : parts_->sites) sum += s.active ? s.press.stored(s.x) : 0;
  return sum;
}
int WorldStepper::most_substeps() const noexcept { return parts_->most; }
long WorldStepper::substeps() const noexcept { return parts_->total; }

namespace {
constexpr int site_numbers = 39;

void save_site(const Site& s, double* n) noexcept {
  const std::array<double, site_numbers> all{s.active ? 1.0 : 0.0,
                                             s.impact ? 1.0 : 0.0,
                                             s.press.k,
                                             s.press.p,
                                             s.press.a,
                                             s.press.b,
                                             s.x,
                                             s.v_i,
                                             s.duration,
                                             s.age,
                                             s.k_top,
                                             s.f_last,
                                             s.friction_last[0],
                                             s.friction_last[1],
                                             s.answer.slides ? 1.0 : 0.0,
                                             s.answer.grip,
                                             s.e1[0],
                                             s.e1[1],
                                             s.e1[2],
                                             s.open.t,
                                             s.open.t_out,
                                             s.open.v_in,
                                             s.open.slip_in,
                                             s.open.impulse,
                                             s.open.lost,
                                             s.touch.gap,
                                             s.vn1,
                                             s.bn,
                                             s.vt1[0],
                                             s.vt1[1],
                                             s.frame.n[0],
                                             s.frame.n[1],
                                             s.frame.n[2],
                                             s.frame.e1[0],
                                             s.frame.e1[1],
                                             s.frame.e1[2],
                                             s.frame.e2[0],
                                             s.frame.e2[1],
                                             s.frame.e2[2]};
  std::copy(all.begin(), all.end(), n);
}
void restore_site(Site& s, const double* n) noexcept {
  s.active = n[0] != 0;
  s.impact = n[1] != 0;
  s.press = {n[2], n[3], n[4], n[5]};
  s.x = n[6];
  s.v_i = n[7];
  s.duration = n[8];
  s.age = n[9];
  s.k_top = n[10];
  s.f_last = n[11];
  s.friction_last = Vector2(n[12], n[13]);
  s.answer.slides = n[14] != 0;
  s.answer.grip = n[15];
  s.e1 = Vector3(n[16], n[17], n[18]);
  s.open.t = n[19];
  s.open.t_out = n[20];
  s.open.v_in = n[21];
  s.open.slip_in = n[22];
  s.open.impulse = n[23];
  s.open.lost = n[24];
  s.touch.gap = n[25];
  s.vn1 = n[26];
  s.bn = n[27];
  s.vt1 = Vector2(n[28], n[29]);
  s.frame = {Vector3(n[30], n[31], n[32]), Vector3(n[33], n[34], n[35]),
             Vector3(n[36], n[37], n[38])};
}
}  // namespace

int WorldStepper::state_size() const noexcept {
  int size = 1 + BodyMover::numbers * static_cast<int>(parts_->bodies.size()) +
             PendulumMover::numbers * static_cast<int>(parts_->pendulums.size());
  for (const Site& s : parts_->sites) size += site_numbers + s.slip->size();
  return size;
}
void WorldStepper::save(std::span<double> numbers) const noexcept {
  double* n = numbers.data();
  *n++ = parts_->t;
  for (const BodyMover& m : parts_->bodies) {
    m.save(n);
    n += BodyMover::numbers;
  }
  for (const PendulumMover& m : parts_->pendulums) {
    m.save(n);
    n += PendulumMover::numbers;
  }
  for (const Site& s : parts_->sites) {
    save_site(s, n);
    n += site_numbers;
    s.slip->save({n, at(s.slip->size())});
    n += s.slip->size();
  }
}
void WorldStepper::restore(std::span<const double> numbers) noexcept {
  const double* n = numbers.data();
  parts_->t = *n++;
  for (BodyMover& m : parts_->bodies) {
    m.restore(n);
    n += BodyMover::numbers;
  }
  for (PendulumMover& m : parts_->pendulums) {
    m.restore(n);
    n += PendulumMover::numbers;
  }
  for (Site& s : parts_->sites) {
    restore_site(s, n);
    s.open.pair = s.pair;
    s.open.site = static_cast<int>(&s - parts_->sites.data());
    n += site_numbers;
    s.slip->restore({n, at(s.slip->size())});
    n += s.slip->size();
  }
}

std::span<const Impact> WorldStepper::impacts() const noexcept { return parts_->log; }
void WorldStepper::clear_impacts() noexcept { parts_->log.clear(); }
void WorldStepper::keep_books(bool keep) noexcept { parts_->keep = keep; }
std::span<const double> WorldStepper::books() const noexcept { return parts_->books; }
double WorldStepper::input() const noexcept { return parts_->input; }

void WorldStepper::write(WorldDynamics& dynamics, std::span<double> y) const noexcept {
  for (const WorldDynamics::Mover& m : dynamics.movers()) {
    if (m.side.pendulum) {
      const PendulumMover& p = parts_->pendulums[at(m.side.index)];
      for (int k = 0; k < 2; ++k) {
        y[at(m.q + k)] = p.theta[k];
        y[at(m.u + k)] = p.rate[k];
      }
      continue;
    }
    const BodyMover& b = parts_->bodies[at(parts_->body_mover[at(m.side.index)])];
    std::array<double, BodyMover::numbers> n;
    b.save(n.data());
    for (int k = 0; k < 7; ++k) y[at(m.q + k)] = n[at(k)];
    for (int k = 0; k < 6; ++k) y[at(m.u + k)] = n[at(7 + k)];
  }
  std::array<double, 512> numbers;
  for (int i = 0; i < dynamics.sites(); ++i) {
    const Site& s = parts_->sites[at(i)];
    WorldDynamics::Site& shown = dynamics.site(i);
    shown.touching = s.active;
    shown.press = s.press;
    shown.v_i = s.v_i;
    if (at(s.slip->size()) > numbers.size()) continue;
    s.slip->save(numbers);
    shown.friction->restore(std::span<const double>(numbers).first(at(s.slip->law_size())));
    shown.friction->get(y.subspan(at(shown.z), shown.dz.size()));
  }
}

// ---- in a run -----------------------------------------------------------------------------------

namespace {

class WorldStep final : public detail::FixedStep {
 public:
  WorldStep(WorldDynamics& dynamics, double step)
      : FixedStep(dynamics, step), f_(dynamics), stepper_(dynamics.world()) {
    dynamics.set_stepped();
    stepper_.keep_books(true);
  }
  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    FixedStep::start(t, y, quadratures);
    stepper_.write(f_, state_of(y_));
  }

 private:
  void take(double h) override {
    const long before = stepper_.substeps();
    stepper_.step(h);
    f_.count_evaluations(stepper_.substeps() - before);
    stepper_.write(f_, state_of(y_));
    const auto work = quadratures_of(y_);
    const auto books = stepper_.books();
    work[0] = stepper_.input();
    std::copy(books.begin(), books.end(), work.begin() + 1);
    finished_.insert(finished_.end(), stepper_.impacts().begin(), stepper_.impacts().end());
    stepper_.clear_impacts();
    f_.impacts = finished_;
    stepper_.open_impacts(f_.impacts);
  }

  WorldDynamics& f_;
  WorldStepper stepper_;
  std::vector<Impact> finished_;
};

}  // namespace

void WorldStepper::open_impacts(std::vector<Impact>& list) const {
  for (const Site& s : parts_->sites) {
    if (s.active) list.push_back(s.open);
  }
}

std::unique_ptr<Integrator> make_world_step(WorldDynamics& dynamics, double step) {
  return std::make_unique<WorldStep>(dynamics, step);
}

}  // namespace bristle
