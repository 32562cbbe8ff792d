#include "bristle/mujoco/mechanism.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/index.hpp"
#include "bristle/core/names.hpp"
#include "joints.hpp"
#include "links.hpp"

namespace bristle {

using detail::at;

namespace {

/// Whether MuJoCo is left with any pair of geoms to look at: what is not ours, can touch by its
/// masks and is not on one body. Pairs that are listed one by one count always.
bool has_other_contact(const mjModel& m, const std::vector<bool>& ours) {
  if (m.npair > 0) return true;
  for (int a = 0; a < m.ngeom; ++a) {
    for (int b = a + 1; b < m.ngeom; ++b) {
      const bool masked = (m.geom_contype[a] & m.geom_conaffinity[b]) == 0 &&
                          (m.geom_contype[b] & m.geom_conaffinity[a]) == 0;
      const bool welded = m.body_weldid[m.geom_bodyid[a]] == m.body_weldid[m.geom_bodyid[b]];
      if (!masked && !welded && !(ours[at(a)] && ours[at(b)])) return true;
    }
  }
  return false;
}

void check(const mjModel& m) {
  detail::check_speeds(m);
  if (m.na > 0) {
    for (int i = 0; i < m.nu; ++i) {
      if (m.actuator_dyntype[i] == mjDYN_NONE) continue;
      throw InputError({.message = fmt::format("actuator '{}' has a state of its own",
                                               mujoco_name(m, mjOBJ_ACTUATOR, i)),
                        .expected = "actuators without dynamics (dyntype none)"});
    }
  }
}

std::vector<double> sized(std::vector<double> numbers, int count, const mjtNum* fallback,
                          const char* what) {
  if (numbers.empty()) {
    if (fallback != nullptr) return {fallback, fallback + count};
    return std::vector<double>(at(count), 0.0);
  }
  if (static_cast<int>(numbers.size()) != count) {
    throw InputError({.message = fmt::format("{} numbers for the {} {} of the model",
                                             numbers.size(), count, what),
                      .expected = fmt::format("{} numbers", count)});
  }
  return numbers;
}

}  // namespace

bool drop_contacts(mjData& d, const std::vector<bool>& ours) noexcept {
  int kept = 0;
  for (int i = 0; i < d.ncon; ++i) {
    if (ours[at(d.contact[i].geom1)] && ours[at(d.contact[i].geom2)]) continue;
    if (kept != i) d.contact[kept] = d.contact[i];
    ++kept;
  }
  const bool any = kept != d.ncon;
  d.ncon = kept;
  return any;
}

MujocoMechanism::MujocoMechanism(const mjModel& model, MujocoRobot robot)
    : robot_(std::move(robot)), ours_(at(model.ngeom), false) {
  check(model);
  mjModel* own = mj_copyModel(nullptr, &model);
  model_ = {own, [](mjModel* m) { mj_deleteModel(m); }};
  for (const std::string& link : robot_.links) add_link(link);
  own->opt.disableflags |= mjDSBL_WARMSTART;
  own->opt.enableflags |= mjENBL_ENERGY;
  if (robot_.gravity) Vector3::Map(own->opt.gravity) = *robot_.gravity;
  if (!has_other_contact(*own, ours_)) own->opt.disableflags |= mjDSBL_CONTACT;
  const std::vector<std::string> names = mujoco_names(*own, mjOBJ_ACTUATOR);
  for (const auto& [actuator, signal] : robot_.actuators) {
    driven_.push_back(mj_name2id(own, mjOBJ_ACTUATOR, actuator.c_str()));
    if (driven_.back() < 0) {
      throw InputError({.message = "the model has no actuator of this name",
                        .value = actuator,
                        .expected = one_of(names),
                        .nearest = nearest_name(actuator, names)});
    }
  }
  start();
}

MujocoMechanism::MujocoMechanism(const MujocoMechanism& other)
    : Mechanism(other),
      robot_(other.robot_),
      model_(other.model_),
      data_(mj_copyData(nullptr, other.model_.get(), other.data_.get())),
      links_(other.links_),
      place_(other.place_),
      ours_(other.ours_),
      driven_(other.driven_),
      control_(other.control_),
      looked_(other.looked_),
      linear_(other.linear_),
      angular_(other.angular_),
      force_(other.force_),
      drive_(other.drive_),
      commanded_(other.commanded_) {}

std::unique_ptr<Mechanism> MujocoMechanism::clone() const {
  return std::make_unique<MujocoMechanism>(*this);
}

void MujocoMechanism::add_link(const std::string& name) {
  for (const detail::MujocoLink& link : detail::find_links(*model_, name)) {
    if (link.geom >= 0 && ours_[at(link.geom)]) {
      throw InputError({.message = "this link is listed twice", .value = name});
    }
    if (link.geom >= 0) ours_[at(link.geom)] = true;
    links_.push_back(
        {.name = robot_.name + "." + link.name, .shape = link.shape, .mass = link.mass});
    place_.push_back({link.body, link.at});
  }
}

void MujocoMechanism::start() {
  const mjModel& m = *model_;
  data_.reset(mj_makeData(&m));
  robot_.places = sized(std::move(robot_.places), m.nq, m.qpos0, "places");
  robot_.speeds = sized(std::move(robot_.speeds), m.nv, nullptr, "speeds");
  mj_normalizeQuat(&m, robot_.places.data());
  looked_ = robot_.places;
  linear_.assign(links_.size(), Columns::Zero(3, m.nv));
  angular_ = linear_;
  force_.setZero(m.nv);
  drive_.setZero(m.nv);
  commanded_.setZero(m.nv);
  place(robot_.places);
  if (robot_.control) control_.emplace(*robot_.control, m, *data_);
  look(0, robot_.places, robot_.speeds);
}

void MujocoMechanism::initial(std::span<double> q, std::span<double> u) const {
  std::copy(robot_.places.begin(), robot_.places.end(), q.begin());
  std::copy(robot_.speeds.begin(), robot_.speeds.end(), u.begin());
}

std::vector<double> MujocoMechanism::breaks(double duration) const {
  std::vector<double> times;
  if (control_) times = control_->breaks();
  for (const auto& [name, signal] : robot_.actuators) {
    const std::vector<double> more = signal.breaks();
    times.insert(times.end(), more.begin(), more.end());
  }
  std::erase_if(times, [duration](double t) { return !(t > 0 && t < duration); });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void MujocoMechanism::each_signal(const std::function<void(Signal&)>& see) {
  if (control_) control_->each_signal(see);
  for (auto& [name, signal] : robot_.actuators) see(signal);
}

void MujocoMechanism::place(std::span<const double> q) noexcept {
  std::copy(q.begin(), q.end(), data_->qpos);
  mj_kinematics(model_.get(), data_.get());
}

/// As mj_fwdPosition, without cameras, and with our pairs dropped before MuJoCo makes constraints.
void MujocoMechanism::positions() noexcept {
  const mjModel* m = model_.get();
  mjData* d = data_.get();
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_crb(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);
  drop_contacts(*d, ours_);
  mj_makeConstraint(m, d);
  mj_transmission(m, d);
  mj_projectConstraint(m, d);
}

void MujocoMechanism::look(double t, std::span<const double> q,
                           std::span<const double> u) noexcept {
  const mjModel* m = model_.get();
  mjData* d = data_.get();
  std::copy(q.begin(), q.end(), looked_.begin());
  std::copy(q.begin(), q.end(), d->qpos);
  std::copy(u.begin(), u.end(), d->qvel);
  d->time = t;
  positions();
  mj_fwdVelocity(m, d);
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    d->ctrl[driven_[i]] = robot_.actuators[i].second.value(t);
  }
  if (control_) {
    control_->force(*m, *d, t, commanded_);
    std::copy(commanded_.data(), commanded_.data() + m->nv, d->qfrc_applied);
  }
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);

  const Eigen::Map<const Vector> smooth(d->qfrc_smooth, m->nv),
      constraint(d->qfrc_constraint, m->nv), actuator(d->qfrc_actuator, m->nv),
      passive(d->qfrc_passive, m->nv);
  force_ = smooth + constraint;
  drive_ = commanded_ + actuator + passive + constraint;
  detail::take_springs(*m, *d, drive_);
  columns();
}

void MujocoMechanism::columns() noexcept {
  const int nv = model_->nv;
  std::array<double, at(3 * most_speeds)> along, turning;
  using Rows = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Place& place = place_[i];
    const Vector3 origin = apply(body_pose(place.body), place.at.position);
    mj_jac(model_.get(), data_.get(), along.data(), turning.data(), origin.data(), place.body);
    linear_[i] = Rows(along.data(), 3, nv);
    angular_[i] = Rows(turning.data(), 3, nv);
  }
}

Pose MujocoMechanism::body_pose(int body) const noexcept {
  return {mujoco_vector(data_->xpos + 3 * body), mujoco_rotation(data_->xquat + 4 * body)};
}
Pose MujocoMechanism::pose(int link) const noexcept {
  const Place& place = place_[at(link)];
  return compose(body_pose(place.body), place.at);
}
const MujocoMechanism::Columns& MujocoMechanism::linear(int link) const noexcept {
  return linear_[at(link)];
}
const MujocoMechanism::Columns& MujocoMechanism::angular(int link) const noexcept {
  return angular_[at(link)];
}
void MujocoMechanism::solve(Vector& x) const noexcept {
  mj_solveM(model_.get(), data_.get(), x.data(), x.data(), 1);
}

void MujocoMechanism::rate(std::span<const double> u, std::span<double> dq) const noexcept {
  detail::place_rate(*model_, looked_, u, dq);
}
void MujocoMechanism::move(std::span<double> q, std::span<const double> u,
                           double h) const noexcept {
  mj_integratePos(model_.get(), q.data(), u.data(), h);
}
void MujocoMechanism::normalise(std::span<double> q) const noexcept {
  mj_normalizeQuat(model_.get(), q.data());
}

std::vector<Mechanism::Output> MujocoMechanism::place_names() const {
  return detail::place_names(*model_);
}
std::vector<Mechanism::Output> MujocoMechanism::speed_names() const {
  return detail::speed_names(*model_);
}

std::vector<Mechanism::Output> MujocoMechanism::outputs() const {
  if (!control_) return {};
  std::vector<Output> list;
  const std::string& point = control_->task().at;
  for (const char* axis : {"x", "y", "z"}) list.push_back({fmt::format("{}_{}", point, axis), "m"});
  for (const char* axis : {"x", "y", "z"}) {
    list.push_back({fmt::format("{}_turn_{}", point, axis), "rad"});
  }
  for (const char* axis : {"x", "y", "z"}) {
    list.push_back({fmt::format("{}_push_{}", point, axis), "N"});
  }
  return list;
}
void MujocoMechanism::show(std::span<double> values) const noexcept {
  if (!control_) return;
  const Vector3 position = control_->position(*data_);
  // Turned away from the target, hence the sign.
  const Vector3 turn = -control_->turn_error();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    values[k] = position[axis];
    values[3 + k] = turn[axis];
    values[6 + k] = control_->push()[axis];
  }
}

std::vector<std::string> MujocoMechanism::warnings() const {
  std::vector<std::string> list;
  for (int i = 0; i < mjNWARNING; ++i) {
    if (data_->warning[i].number == 0) continue;
    list.push_back(fmt::format("MuJoCo, {} times: {}", data_->warning[i].number,
                               mju_warningText(i, data_->warning[i].lastinfo)));
  }
  return list;
}

}  // namespace bristle
