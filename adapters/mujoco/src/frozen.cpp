#include "frozen.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/index.hpp"
#include "links.hpp"

namespace bristle::detail {

int Instant::link(const mjModel& model, const std::string& name) {
  const std::string called = "mujoco." + name;
  const auto known = std::find_if(links.begin(), links.end(),
                                  [&](const Link& link) { return link.name == called; });
  if (known != links.end()) return static_cast<int>(known - links.begin());
  const std::vector<MujocoLink> found = find_links(model, name);
  if (found.size() != 1) {
    throw InputError({.message = fmt::format("this body has {} geoms", found.size()),
                      .value = name,
                      .expected = "the name of one of them"});
  }
  links.push_back({.name = called, .shape = found[0].shape, .mass = found[0].mass});
  places.push_back({found[0].body, found[0].at});
  poses.emplace_back();
  linear.push_back(Mechanism::Columns::Zero(3, model.nv));
  angular.push_back(Mechanism::Columns::Zero(3, model.nv));
  return static_cast<int>(links.size()) - 1;
}

void Instant::take(const mjModel* model, mjData* data) noexcept {
  m = model;
  d = data;
  const int nv = m->nv;
  using Rows = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
  std::array<double, at(3 * Mechanism::most_speeds)> along, turning;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int body = places[i].body;
    poses[i] = compose({mujoco_vector(d->xpos + 3 * body), mujoco_rotation(d->xquat + 4 * body)},
                       places[i].at);
    mj_jac(m, d, along.data(), turning.data(), poses[i].position.data(), body);
    linear[i] = Rows(along.data(), 3, nv);
    angular[i] = Rows(turning.data(), 3, nv);
  }
  using Numbers = Eigen::Map<const Mechanism::Vector>;
  force = Numbers(d->qfrc_smooth, nv) + Numbers(d->qfrc_constraint, nv);
  speed = Numbers(d->qvel, nv);
  none.setZero(nv);
}

FrozenRobot::FrozenRobot(std::shared_ptr<Instant> instant) : now_(std::move(instant)) {
  at_.setZero(speeds());
  moving_ = now_->speed;
}
std::unique_ptr<Mechanism> FrozenRobot::clone() const {
  return std::make_unique<FrozenRobot>(*this);
}
void FrozenRobot::initial(std::span<double> q, std::span<double> u) const {
  std::fill(q.begin(), q.end(), 0.0);
  std::copy(now_->speed.begin(), now_->speed.end(), u.begin());
}
void FrozenRobot::place(std::span<const double> q) noexcept {
  std::copy(q.begin(), q.end(), at_.begin());
}
void FrozenRobot::look(double, std::span<const double> q, std::span<const double> u) noexcept {
  place(q);
  std::copy(u.begin(), u.end(), moving_.begin());
}
Pose FrozenRobot::pose(int link) const noexcept {
  const std::size_t i = at(link);
  const Vector3 turn = now_->angular[i].lazyProduct(at_);
  Pose pose = now_->poses[i];
  pose.position += now_->linear[i].lazyProduct(at_);
  if (turn.squaredNorm() > 0) {
    const double angle = turn.norm();
    pose.rotation = Eigen::AngleAxisd(angle, turn / angle) * pose.rotation;
  }
  return pose;
}
const Mechanism::Columns& FrozenRobot::linear(int link) const noexcept {
  return now_->linear[at(link)];
}
const Mechanism::Columns& FrozenRobot::angular(int link) const noexcept {
  return now_->angular[at(link)];
}
void FrozenRobot::solve(Vector& x) const noexcept {
  mj_solveM(now_->m, now_->d, x.data(), x.data(), 1);
}
double FrozenRobot::kinetic() const noexcept {
  Vector momentum(speeds());
  mj_mulM(now_->m, now_->d, momentum.data(), moving_.data());
  return 0.5 * momentum.dot(moving_);
}
std::vector<Mechanism::Output> FrozenRobot::place_names() const {
  std::vector<Output> list;
  for (int i = 0; i < places(); ++i) list.push_back({fmt::format("shift{}", i + 1), "1"});
  return list;
}
std::vector<Mechanism::Output> FrozenRobot::speed_names() const {
  std::vector<Output> list;
  for (int i = 0; i < speeds(); ++i) list.push_back({fmt::format("speed{}", i + 1), "1/s"});
  return list;
}

}  // namespace bristle::detail
