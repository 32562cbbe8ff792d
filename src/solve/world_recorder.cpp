#include "world_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/index.hpp"
#include "view_patches.hpp"

namespace bristle::detail {
WorldRecorder::WorldRecorder(WorldDynamics& dynamics, const RunOptions& options)
    : f_(dynamics),
      options_(options),
      rows_(make_columns(), options),
      scene_(dynamics, options),
      y_(at(dynamics.size())),
      work_(at(dynamics.quadratures())),
      open_(at(dynamics.contacts())) {
  for (const std::string& name : options.metrics.extremes) {
    extremes_.push_back(
        {column_at(rows_.columns(), name, "metrics.extremes"), infinity, -infinity});
  }
}

/// Free bodies; in a world without any, those that move as they are told.
void WorldRecorder::choose_bodies() {
  const World& world = f_.world();
  for (const bool driven : {false, true}) {
    for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
      const RigidBody& body = world.bodies[at(b)];
      if (driven ? body.is_driven() : !body.fixed) shown_.push_back({.index = b});
    }
    if (!shown_.empty() || !world.pendulums.empty() || !world.mechanisms.empty()) return;
  }
}

/// Links that may touch something: where a mechanism is else, its own columns say.
void WorldRecorder::choose_links() {
  for (const ContactPair& pair : f_.world().pairs) {
    for (const Side side : {pair.a, pair.b}) {
      if (!side.is_link()) continue;
      if (std::find(links_.begin(), links_.end(), side) == links_.end()) links_.push_back(side);
    }
  }
}

std::vector<Column> WorldRecorder::make_columns() {
  std::vector<Column> list;
  const auto add = [&](std::string name, std::string unit) {
    list.push_back({std::move(name), std::move(unit), {}});
  };
  const World& world = f_.world();
  choose_bodies();
  choose_links();
  const int bodies = static_cast<int>(shown_.size());
  const int pendulums = static_cast<int>(world.pendulums.size());
  add("t", "s");
  for (int b = 0; b < bodies; ++b) {
    const auto name = [&](const char* text) { return numbered(text, b, bodies); };
    for (const char* axis : {"x", "y", "z"}) add(name(axis), "m");
    for (const char* axis : {"vx", "vy", "vz"}) add(name(axis), "m/s");
    for (const char* axis : {"wx", "wy", "wz"}) add(name(axis), "rad/s");
    for (const char* part : {"qw", "qx", "qy", "qz"}) add(name(part), "1");
  }
  for (int p = 0; p < pendulums; ++p) {
    const std::string prefix = pendulums == 1 ? "" : fmt::format("p{}_", p + 1);
    for (const char* name : {"phi1", "phi2"}) add(prefix + name, "rad");
    for (const char* name : {"omega1", "omega2"}) add(prefix + name, "rad/s");
    for (const char* name : {"x_tip", "z_tip"}) add(prefix + name, "m");
  }
  for (const auto& mechanism : world.mechanisms) {
    const std::string prefix = world.mechanisms.size() == 1 ? "" : mechanism->name() + "_";
    mechanism_outputs_.push_back(mechanism->outputs().size());
    for (const auto& outputs :
         {mechanism->place_names(), mechanism->speed_names(), mechanism->outputs()}) {
      for (const Mechanism::Output& output : outputs) add(prefix + output.name, output.unit);
    }
  }
  for (const Side side : links_) {
    const std::string& whole = world.name(side);
    const std::string name = whole.substr(whole.rfind('.') + 1);
    for (const char* axis : {"_x", "_y", "_z"}) add(name + axis, "m");
    for (const char* part : {"_qw", "_qx", "_qy", "_qz"}) add(name + part, "1");
  }
  for (int p = 0; p < static_cast<int>(world.pairs.size()); ++p) pair_columns(p, list);
  for (const char* name : {"E_kinetic", "E_potential", "E_contact", "E_total", "W_input",
                           "W_friction", "W_normal", "E_error"}) {
    add(name, "J");
  }
  return list;
}

void WorldRecorder::pair_columns(int p, std::vector<Column>& list) {
  const auto add = [&](std::string text, std::string unit) {
    list.push_back({std::move(text), std::move(unit), {}});
  };
  const World& world = f_.world();
  const int pairs = static_cast<int>(world.pairs.size());
  const auto name = [&](const std::string& text) { return numbered(text, p, pairs); };
  const bool volumetric = world.pairs[at(p)].volumetric.has_value();
  contact_columns_.push_back(list.size());
  shown_states_.resize(at(pairs));
  add(name("contact"), "1");
  volumetric ? add(name("depth"), "m") : add(name("gap"), "m");
  add(name("fn"), "N");
  slip_columns_.push_back(list.size());
  add(name("slip"), "m/s");
  add(name("F"), "N");
  if (volumetric) {
    add(name("V"), "m^3");
    add(name("A"), "m^2");
    add(name("r_gyr"), "m");
    add(name("spin"), "rad/s");
    for (const char* torque : {"T_spin", "T_roll"}) add(name(torque), "N m");
    for (const char* axis : {"cop_x", "cop_y", "cop_z"}) add(name(axis), "m");
    for (const char* axis : {"n_x", "n_y", "n_z"}) add(name(axis), "1");
    for (const char* axis : {"f_x", "f_y", "f_z"}) add(name(axis), "N");
    for (const char* axis : {"t_x", "t_y", "t_z"}) add(name(axis), "N m");
    for (const char* axis : {"bristle_x", "bristle_y", "bristle_z"}) add(name(axis), "m");
    add(name("theta"), "rad");
    add(name("s_dw"), "1");
    return;
  }
  if (world.sites(world.pairs[at(p)]) != 1) {
    for (const char* axis : {"f_x", "f_y", "f_z"}) add(name(axis), "N");
    return;
  }
  for (int i = 0; i < f_.sites(); ++i) {
    if (f_.site(i).pair != p) continue;
    const std::vector<StateColumn> states = f_.site(i).friction->columns();
    for (std::size_t k = 0; k < states.size(); ++k) {
      const StateColumn& column = states[k];
      if (column.of_array) continue;
      shown_states_[at(p)].push_back(k);
      // A bristle's z would be mistaken for the body's.
      add(name(column.name.starts_with("z_") ? "bristle" + column.name.substr(1) : column.name),
          column.unit);
    }
  }
}

/// Sums over the patches of a volumetric pair, and what the largest of them looks like. Forces and
/// torques are those on body A, torques about its origin.
void WorldRecorder::fill_patches(int i, double t, std::span<const double> y, Row& row) {
  const PatchContacts::Pair& pair = f_.patches().pair(i);
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero(), friction = Vector3::Zero();
  double volume = 0, area = 0, spin_torque = 0, roll = 0;
  const Vector3 origin = f_.pose(pair.a, t, y).position;
  for (int k = 0; k < pair.count; ++k) {
    const SeenPatch& seen = pair.seen[at(k)];
    force += seen.wrench.force;
    torque += seen.wrench.torque + (seen.patch.surface_centroid - origin).cross(seen.wrench.force);
    friction += seen.wrench.friction;
    volume += seen.patch.volume;
    area += seen.patch.area;
    spin_torque += seen.wrench.spin_torque;
    roll += seen.wrench.rolling_torque.norm();
  }
  const SeenPatch none;
  const SeenPatch* large = f_.patches().largest(i);
  const SeenPatch& most = large == nullptr ? none : *large;
  const Vector3 &n = most.patch.normal, &v = most.motion.velocity;
  row.insert(row.end(),
             {static_cast<double>(pair.count), most.patch.depth, f_.patches().normal_force(i),
              (v - v.dot(n) * n).norm(), friction.norm(), volume, area, most.patch.r_gyr,
              n.dot(most.motion.spin), spin_torque, roll});
  for (const Vector3& list : {most.patch.surface_centroid, n, force, torque}) {
    row.insert(row.end(), list.data(), list.data() + 3);
  }
  const int first = pair.first + PatchContacts::slot_size * std::max(0, most.slot);
  for (int k = 0; k < PatchContacts::slot_size; ++k) {
    row.push_back(most.slot < 0 ? 0 : y[at(first + k)]);
  }
}

void WorldRecorder::fill_pair(int p, double t, std::span<const double> y, Row& row) {
  for (int i = 0; i < f_.patches().size(); ++i) {
    if (f_.patches().pair(i).index == p) return fill_patches(i, t, y, row);
  }
  int touching = 0;
  double gap = infinity, fn = 0, slip = 0;
  Vector3 force = Vector3::Zero(), pressing = Vector3::Zero();
  const WorldDynamics::Site* only = nullptr;
  int count = 0;
  for (int i = 0; i < f_.sites(); ++i) {
    const WorldDynamics::Site& s = f_.site(i);
    if (s.pair != p) continue;
    only = &s;
    ++count;
    touching += s.touching ? 1 : 0;
    fn += s.fn;
    pressing += s.fn * s.at.normal;
    force += s.force[0] * s.basis.e1 + s.force[1] * s.basis.e2;
    // Of several points the one that is pressed, else the nearest.
    if (s.at.gap < gap) {
      gap = s.at.gap;
      slip = s.slip.norm();
    }
  }
  row.insert(row.end(), {static_cast<double>(touching), gap, fn, slip, force.norm()});
  if (count != 1) {
    const Vector3 on = pressing - force;  // on A
    row.insert(row.end(), on.data(), on.data() + 3);
    return;
  }
  for (const std::size_t k : shown_states_[at(p)]) row.push_back(y[at(only->z) + k]);
}

void WorldRecorder::fill_driven(Side side, double t, std::span<const double> y, Row& row) const {
  const Pose pose = f_.pose(side, t, y);
  const Vector3 v = f_.velocity(side, t, pose.position, y), w = f_.spin(side, t, y);
  for (const Vector3& list : {pose.position, v, w}) {
    row.insert(row.end(), list.data(), list.data() + 3);
  }
  const Eigen::Quaterniond& q = pose.rotation;
  row.insert(row.end(), {q.w(), q.x(), q.y(), q.z()});
}

void WorldRecorder::fill_mechanism(const WorldDynamics::Mover& m, std::span<const double> y,
                                   Row& row) const {
  row.insert(row.end(), y.begin() + m.q, y.begin() + m.q + m.places);
  row.insert(row.end(), y.begin() + m.u, y.begin() + m.u + m.speeds);
  const std::size_t first = row.size();
  row.resize(first + mechanism_outputs_[at(m.side.index)]);
  m.mechanism->show(std::span(row).subspan(first));
}

void WorldRecorder::fill(double t, std::span<const double> y, std::span<const double> work,
                         Row& row) {
  const World& world = f_.world();
  f_.look(t, y);
  row.clear();
  row.push_back(t);
  for (const WorldDynamics::Mover& m : f_.movers()) {
    if (m.mechanism) {
      fill_mechanism(m, y, row);
      continue;
    }
    if (m.side.is_pendulum()) {
      const DoublePendulum& p = world.pendulums[at(m.side.index)];
      const Eigen::Vector2d theta(y[at(m.q)], y[at(m.q + 1)]), rate(y[at(m.u)], y[at(m.u + 1)]);
      const Eigen::Vector2d phi = p.shown(theta), omega = p.shown(rate);
      const Vector3 tip = p.tip(theta);
      row.insert(row.end(), {phi[0], phi[1], omega[0], omega[1], tip.x(), tip.z()});
      continue;
    }
    for (int k = 0; k < 3; ++k) row.push_back(y[at(m.q + k)]);
    for (int k = 0; k < 6; ++k) row.push_back(y[at(m.u + k)]);
    for (int k = 3; k < 7; ++k) row.push_back(y[at(m.q + k)]);
  }
  if (f_.movers().empty()) {
    for (const Side side : shown_) fill_driven(side, t, y, row);
  }
  for (const Side side : links_) {
    const Pose pose = f_.pose(side, t, y);
    row.insert(row.end(), pose.position.data(), pose.position.data() + 3);
    const Eigen::Quaterniond& q = pose.rotation;
    row.insert(row.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  for (int p = 0; p < static_cast<int>(world.pairs.size()); ++p) fill_pair(p, t, y, row);
  double springs = 0, friction = 0, normal = 0;
  for (int i = 0; i < f_.contacts(); ++i) {
    springs += f_.springs(i, work);
    friction += work[at(1 + 5 * i)];
    normal += work[at(3 + 5 * i)];
  }
  const double kinetic = f_.kinetic(y), potential = f_.potential(y);
  row.insert(row.end(), {kinetic, potential, springs, kinetic + potential + springs, work[0],
                         friction, normal, gap_});
}

void WorldRecorder::start(double t, std::span<const double> y, std::span<const double> work) {
  fill(t, y, work, last_);
  rows_.start(last_);
  kinetic_in_ = f_.kinetic(y);
  total0_ = kinetic_in_ + f_.potential(y);
  largest_ = kinetic_in_;
  // What the contacts hold at the start has been put there by someone.
  for (int i = 0; i < f_.contacts(); ++i) largest_ = std::max(largest_, f_.springs(i, work));
  watch_energy(t, y, work);
  scene_.follow(t, y);
  watch(t, last_);
  follow_contacts(y, work);
}

void WorldRecorder::jumped(double t, std::span<const double> y, std::span<const double> work) {
  fill(t, y, work, last_);
  rows_.jumped(t, last_);
  scene_.follow(t, y);
  watch(t, last_);
  follow_contacts(y, work);
}

void WorldRecorder::step(Integrator& integrator, double from, double to) {
  if (!(to > from)) return;
  const auto read = [&](double t) -> const Row& {
    integrator.at(t, y_, work_);
    fill(t, y_, work_, row_);
    return row_;
  };
  rows_.until(to, read, f_.stepped());
  scene_.until(integrator, to);
  integrator.at(to, y_, work_);
  balance(to, y_, work_);
  fill(to, y_, work_, last_);
  watch_energy(to, y_, work_);
  if (integrator.locates_events()) look_for_missed_contacts(to);
  scene_.follow(to, y_);
  follow_patches(from, to, y_);
  watch(to, last_);
  follow_contacts(y_, work_);
}

void WorldRecorder::watch(double t, const Row& row) {
  const MetricOptions& m = options_.metrics;
  if (t >= m.from && t <= m.to) {
    for (Extreme& extreme : extremes_) {
      extreme.min = std::min(extreme.min, row[extreme.column]);
      extreme.max = std::max(extreme.max, row[extreme.column]);
    }
  }
  if (m.slip_speed <= 0 || slip_columns_.empty()) return;
  const bool still =
      row[contact_columns_[at(m.contact)]] > 0 && row[slip_columns_[at(m.contact)]] < m.slip_speed;
  if (!still) {
    still_since_ = -1;
  } else if (still_since_ < 0) {
    still_since_ = t;
  }
}

// ---- pictures of patches ------------------------------------------------------------------------

/// A few dozen moments, however long the run.
void WorldRecorder::Story::keep(double t, std::span<const double> y) {
  if (!sliding.empty() && work < sliding.back().work + spacing) return;
  sliding.push_back({t, work, {y.begin(), y.end()}});
  if (sliding.size() < 64) return;
  spacing = work / 32;
  double next = 0;
  std::erase_if(sliding, [&](const Moment& moment) {
    if (moment.work < next) return true;
    next = moment.work + spacing;
    return false;
  });
}

/// The moment worth a picture: half-way through the work of friction, when the start is forgotten;
/// where there is none, that of the largest normal force.
const WorldRecorder::Moment& WorldRecorder::Story::telling() const {
  if (sliding.empty() || work <= 1e-9 * pressing) return most_pressed;
  return *std::min_element(sliding.begin(), sliding.end(), [&](const Moment& a, const Moment& b) {
    return std::abs(a.work - 0.5 * work) < std::abs(b.work - 0.5 * work);
  });
}

/// Right after a fill(), which has looked. The works need not be exact: they only choose.
void WorldRecorder::follow_patches(double from, double to, std::span<const double> y) {
  stories_.resize(at(f_.patches().size()));
  for (int i = 0; i < f_.patches().size(); ++i) {
    Story& story = stories_[at(i)];
    const PatchContacts::Pair& pair = f_.patches().pair(i);
    const double fn = f_.patches().normal_force(i);
    const double power = std::max(0.0, f_.patches().friction_power(i));
    story.work += 0.5 * (to - from) * (story.power + power);
    story.power = power;
    for (int k = 0; k < pair.count; ++k) {
      story.pressing += (to - from) * std::abs(pair.seen[at(k)].wrench.elastic_power);
    }
    if (!(fn > 0)) continue;
    if (fn > story.fn) {
      story.fn = fn;
      story.most_pressed = {to, story.work, {y.begin(), y.end()}};
    }
    if (power > 0) story.keep(to, y);
  }
}

void WorldRecorder::draw_patches(RunResult& result) {
  for (int i = 0; i < static_cast<int>(stories_.size()); ++i) {
    if (!(stories_[at(i)].fn > 0)) continue;
    const auto& [t, work, y] = stories_[at(i)].telling();
    f_.look(t, y);
    const PatchContacts::Pair& pair = f_.patches().pair(i);
    if (pair.count == 0) continue;
    result.patches.push_back(view_patches(f_.world(), pair, t,
                                          f_.world().shape_pose(pair.a, f_.pose(pair.a, t, y)),
                                          f_.world().shape_pose(pair.b, f_.pose(pair.b, t, y))));
  }
  f_.look(result.t_end, y_);
}

// ---- energy -------------------------------------------------------------------------------------

/// input = Δkinetic + Δpotential + work of the normal forces + friction work, all measured: the
/// works as ∫ F·v dt of the forces that act.
void WorldRecorder::balance(double, std::span<const double> y, std::span<const double> work) {
  const double kinetic = f_.kinetic(y), potential = f_.potential(y);
  if (f_.impacts.empty()) kinetic_in_ = kinetic;
  double contact = 0, size = 0;
  for (int i = 0; i < f_.contacts(); ++i) {
    contact += work[at(1 + 5 * i)] + work[at(3 + 5 * i)];
    size += std::abs(work[at(1 + 5 * i)]) + std::abs(work[at(3 + 5 * i)]);
  }
  gap_ = std::max(gap_, std::abs(work[0] - (kinetic + potential - total0_) - contact));
  largest_ = std::max({largest_, kinetic, size, std::abs(work[0])});
}

/// Right after a fill().
void WorldRecorder::watch_energy(double t, std::span<const double> y,
                                 std::span<const double> work) {
  double springs = 0, held = 0;
  for (int i = 0; i < f_.contacts(); ++i) {
    springs += f_.springs(i, work);
    held += f_.bristles(i, y);
  }
  rise_.look(t, f_.kinetic(y) + f_.potential(y) + springs - work[0], held);
}

/// After a step of a method that finds touch-downs as events.
void WorldRecorder::look_for_missed_contacts(double t) {
  for (int i = 0; i < f_.sites(); ++i) {
    const WorldDynamics::Site& s = f_.site(i);
    if (s.touching || !(s.depth() > std::max(1e-9, missed_.depth))) continue;
    missed_ = {i, s.depth(), t};
  }
}

void WorldRecorder::warn(RunResult& result) const {
  for (std::string& text : f_.world().warnings()) {
    result.warnings.push_back({"deep-start", std::move(text)});
  }
  if (missed_.contact < 0) return;
  const ContactPair& pair = f_.world().pairs[at(f_.pair_of(missed_.contact))];
  result.warnings.push_back(
      {"missed-contact",
       fmt::format(
           "{} was {:.3g} m deep in {} at t = {:.6g} s without a contact: the step had gone "
           "over its touch-down; a smaller solver.rtol or solver.method=bristle may help",
           f_.world().name(pair.a), missed_.depth, f_.world().name(pair.b), missed_.t)});
}

/// Energy that a site has taken from the motion and does not hold in its springs.
double WorldRecorder::taken(int i, std::span<const double> y, std::span<const double> work) const {
  return work[at(1 + 5 * i)] + work[at(3 + 5 * i)] - f_.springs(i, work) - f_.bristles(i, y);
}

/// Adaptive methods and explicit steps list their impacts through events; what went through the
/// contact is read off the quadratures here.
void WorldRecorder::follow_contacts(std::span<const double> y, std::span<const double> work) {
  if (f_.stepped()) return;
  for (int i = 0; i < f_.contacts(); ++i) {
    Open& open = open_[at(i)];
    const bool touching = f_.touches(i);
    if (touching == open.open) {
      if (!touching) continue;
      Impact& impact = f_.impacts[open.impact];
      if (impact.site == i && !std::isnan(impact.t_out)) open.open = false;  // parted and back
      if (open.open) continue;
    }
    if (open.open && !touching) {
      Impact& impact = f_.impacts[open.impact];
      impact.impulse = work[at(5 + 5 * i)] - open.impulse;
      impact.lost = taken(i, y, work) - open.taken;
      open.open = false;
      continue;
    }
    for (std::size_t k = f_.impacts.size(); k-- > 0;) {
      if (f_.impacts[k].site != i) continue;
      open = {true, work[at(5 + 5 * i)], taken(i, y, work), k};
      break;
    }
  }
}

void WorldRecorder::finish(RunResult& result) {
  rows_.finish(result.t_end, last_);
  f_.look(result.t_end, y_);
  // Contacts that last: what they have lost until now.
  for (int i = 0; i < f_.contacts(); ++i) {
    if (!open_[at(i)].open || !f_.touches(i)) continue;
    Impact& impact = f_.impacts[open_[at(i)].impact];
    impact.impulse = work_[at(5 + 5 * i)] - open_[at(i)].impulse;
    impact.lost = taken(i, y_, work_) - open_[at(i)].taken;
  }
  EnergyBooks& books = result.energy;
  books.input = work_[0];
  books.kinetic = f_.kinetic(y_);
  books.stored = books.springs = f_.stored(result.t_end, y_, work_);
  f_.look(result.t_end, y_);
  for (int i = 0; i < f_.contacts(); ++i) {
    EnergyBooks::OfContact contact;
    const double bristles = f_.bristles(i, y_), springs = f_.springs(i, work_);
    contact.work = work_[at(1 + 5 * i)] + work_[at(3 + 5 * i)];
    contact.by_friction = work_[at(2 + 5 * i)];
    contact.by_normal = work_[at(4 + 5 * i)];
    contact.dissipated = contact.by_friction + contact.by_normal;
    contact.stored = bristles + springs;
    // Bristles let go of what they hold when the bodies part, or the load falls: how much is not
    // measured, so the split is checked only where there are none.
    contact.jumps = contact.work - contact.stored - contact.dissipated;
    const double size = std::max({std::abs(contact.work), std::abs(contact.dissipated), 1e-300});
    contact.bristles = i >= f_.sites() || !f_.site(i).dz.empty();
    contact.split_error = contact.bristles ? std::nan("") : std::abs(contact.jumps) / size;
    books.dissipated += contact.work - contact.stored;
    books.stored += bristles;
    books.contacts.push_back(contact);
  }
  books.relative_error = largest_ > 0 ? gap_ / largest_ : 0;
  books.largest = largest_;
  books.gain = rise_.gain();
  books.gain_t = rise_.at();
  warn(result);
  for (const Extreme& extreme : extremes_) {
    const std::string& name = rows_.columns()[extreme.column].name;
    result.metrics[name + "_min"] = extreme.min;
    result.metrics[name + "_max"] = extreme.max;
  }
  result.impacts = std::move(f_.impacts);
  std::stable_sort(result.impacts.begin(), result.impacts.end(),
                   [](const Impact& a, const Impact& b) { return a.t < b.t; });
  double count = 0;
  for (const Impact& impact : result.impacts) count += std::isnan(impact.t_out) ? 0 : 1;
  result.metrics["impact_count"] = count;
  if (!result.impacts.empty()) {
    const Impact& first = result.impacts.front();
    result.metrics["first_impact_time"] = first.t;
    result.metrics["first_impact_speed"] = first.v_in;
    // Where a robot works through the contact, what comes back is its doing.
    const ContactPair& pair = f_.world().pairs[at(first.pair)];
    const bool driven = pair.a.is_link() || pair.b.is_link();
    if (!std::isnan(first.t_out) && !driven) {
      result.metrics["first_restitution"] = first.restitution();
      if (kinetic_in_ > 0) result.metrics["first_loss_percent"] = 100 * first.lost / kinetic_in_;
    }
    const Impact& final_one = result.impacts.back();
    if (std::isnan(final_one.t_out)) result.metrics["lasting_from"] = final_one.t;
  }
  if (options_.metrics.slip_speed > 0) {
    result.metrics["stick_from"] = still_since_ >= 0 ? still_since_ : std::nan("");
  }
  draw_patches(result);
  result.scene = scene_.finish(result.t_end, y_);
  result.columns = rows_.take();
}

}  // namespace bristle::detail
