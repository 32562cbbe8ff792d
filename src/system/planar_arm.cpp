#include "bristle/system/planar_arm.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

/// A turn by `angle` from x towards z.
Eigen::Quaterniond turn(double angle) noexcept {
  return {std::cos(0.5 * angle), 0, -std::sin(0.5 * angle), 0};
}
Vector3 upright(const Eigen::Vector2d& v, double y) noexcept { return {v.x(), y, v.y()}; }
Eigen::Vector2d across(const Eigen::Vector2d& v) noexcept { return {-v.y(), v.x()}; }
Eigen::Vector2d along(double angle) noexcept { return {std::cos(angle), std::sin(angle)}; }

constexpr double quarter = 0.5 * std::numbers::pi;
/// Thickness of a segment in pictures, over its length.
constexpr double slender = 0.05;

void check(const PlanarArmSettings& s) {
  const auto fault = [&](const std::string& what, const std::string& expected) {
    throw InputError({.message = fmt::format("arm '{}': {}", s.name, what), .expected = expected});
  };
  if (s.segments.empty() || s.segments.size() > PlanarArm::most_joints) {
    fault(fmt::format("{} segments", s.segments.size()),
          fmt::format("1 to {}", PlanarArm::most_joints));
  }
  for (const ArmSegment& segment : s.segments) {
    if (!(segment.length > 0) || !(segment.mass > 0) || !(segment.inertia >= 0)) {
      fault("a segment needs a length and a mass",
            "lengths and masses above 0, inertias not below");
    }
    if (segment.inertia == 0 && segment.centre == 0) {
      fault("a segment without inertia about its joint", "an inertia, or a centre off the joint");
    }
  }
  if (s.joints.size() != s.segments.size() ||
      (!s.rates.empty() && s.rates.size() != s.segments.size())) {
    fault("one angle and one rate for each segment", fmt::format("{}", s.segments.size()));
  }
}

}  // namespace

PlanarArm::PlanarArm(PlanarArmSettings settings)
    : s_(std::move(settings)), n_(static_cast<int>(s_.segments.size())) {
  check(s_);
  make_links();
  joint_.assign(index(n_ + 1), Flat::Zero());
  angle_.assign(index(n_), 0.0);
  direction_ = centre_ = std::vector<Flat>(index(n_), Flat::Zero());
  linear_.assign(links_.size(), Columns::Zero(3, n_));
  angular_.assign(links_.size(), Columns::Zero(3, n_));
  force_ = drive_ = Vector::Zero(n_);
  mass_ = Joints::Identity(n_, n_);
  std::vector<double> q(index(n_)), u(index(n_));
  initial(q, u);
  place(q);
  start_ = controlled();
  look(0, q, u);
}

std::unique_ptr<Mechanism> PlanarArm::clone() const { return std::make_unique<PlanarArm>(*this); }

void PlanarArm::make_links() {
  for (int i = 0; i < n_; ++i) {
    const ArmSegment& segment = s_.segments[index(i)];
    // As a body the last one ends where the tool begins.
    const double tool = i + 1 < n_ ? 0 : bounding_radius(s_.tool);
    body_length_.push_back(std::max(0.5 * segment.length, segment.length - tool));
    links_.push_back({.name = fmt::format("{}.{}", s_.name, i + 1),
                      .shape = Capsule{slender * segment.length, body_length_.back()},
                      .mass = segment.mass});
  }
  links_.push_back({.name = fmt::format("{}.{}", s_.name, s_.tool_name),
                    .shape = s_.tool,
                    .mass = s_.segments.back().mass});
}

void PlanarArm::initial(std::span<double> q, std::span<double> u) const {
  std::copy(s_.joints.begin(), s_.joints.end(), q.begin());
  std::fill(u.begin(), u.end(), 0.0);
  std::copy(s_.rates.begin(), s_.rates.end(), u.begin());
}

std::vector<double> PlanarArm::breaks(double duration) const {
  std::vector<double> list;
  for (const auto* signals : {&s_.control.velocity, &s_.control.wrench}) {
    for (const Signal& signal : *signals) {
      for (const double t : signal.breaks()) {
        if (t > 0 && t < duration) list.push_back(t);
      }
    }
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

void PlanarArm::each_signal(const std::function<void(Signal&)>& see) {
  for (Signal& signal : s_.control.velocity) see(signal);
  for (Signal& signal : s_.control.wrench) see(signal);
}

// ---- places -------------------------------------------------------------------------------------

void PlanarArm::place(std::span<const double> q) noexcept {
  Flat at(s_.base.x(), s_.base.z());
  double angle = 0;
  for (int i = 0; i < n_; ++i) {
    angle += q[index(i)];
    const ArmSegment& segment = s_.segments[index(i)];
    joint_[index(i)] = at;
    angle_[index(i)] = angle;
    direction_[index(i)] = along(angle);
    centre_[index(i)] = at + segment.centre * direction_[index(i)];
    at += segment.length * direction_[index(i)];
  }
  joint_[index(n_)] = at;
}

/// Where the frame of a link is: the origin of the tool, or the middle of a segment.
PlanarArm::Flat PlanarArm::origin(int link) const noexcept {
  if (link == n_) return joint_[index(n_)];
  return joint_[index(link)] + 0.5 * body_length_[index(link)] * direction_[index(link)];
}
Pose PlanarArm::pose(int link) const noexcept {
  const Vector3 at = upright(origin(link), s_.base.y());
  if (link == n_) return {at, turn(angle_[index(n_ - 1)] + quarter)};
  return {at, turn(angle_[index(link)] - quarter)};  // a capsule lies along its z axis
}

PlanarArm::Flat PlanarArm::column(const Flat& point, int j) const noexcept {
  return across(point - joint_[index(j)]);
}
/// x, z and angle of the compliance centre.
Eigen::Vector3d PlanarArm::controlled() const noexcept {
  const Flat x = across(direction_[index(n_ - 1)]);
  const Flat at =
      joint_[index(n_)] + s_.compliance_centre.x() * x + s_.compliance_centre.y() * across(x);
  return {at.x(), at.y(), angle_[index(n_ - 1)] + quarter};
}

// ---- motion -------------------------------------------------------------------------------------

/// Mass matrix, weight and the links' own motion.
void PlanarArm::equations(std::span<const double> u) noexcept {
  const Flat g(s_.gravity.x(), s_.gravity.z());
  mass_.setZero(n_, n_);
  force_.setZero(n_);
  kinetic_ = 0;
  Flat pulled = Flat::Zero();  // acceleration of joint i at constant rates
  double rate = 0;
  for (int i = 0; i < n_; ++i) {
    const ArmSegment& segment = s_.segments[index(i)];
    rate += u[index(i)];
    const Flat &direction = direction_[index(i)], &centre = centre_[index(i)];
    const Flat own = pulled - rate * rate * segment.centre * direction;
    for (int j = 0; j <= i; ++j) {
      const Flat cj = column(centre, j);
      force_[j] += segment.mass * cj.dot(g - own);
      for (int k = 0; k <= j; ++k) {
        mass_(j, k) += segment.mass * cj.dot(column(centre, k)) + segment.inertia;
      }
    }
    pulled -= rate * rate * segment.length * direction;
  }
  mass_.triangularView<Eigen::StrictlyUpper>() = mass_.transpose();
  factor_.compute(mass_);
  for (int j = 0; j < n_; ++j) {
    for (int k = 0; k < n_; ++k) kinetic_ += 0.5 * u[index(j)] * mass_(j, k) * u[index(k)];
  }
}

/// Motors: impedance, and what carries the weight.
void PlanarArm::control(double t, std::span<const double> u) noexcept {
  const Impedance& c = s_.control;
  const Eigen::Vector3d now = controlled();
  const Flat centre = now.head<2>();
  Eigen::Vector3d speed = Eigen::Vector3d::Zero(), wanted;
  for (int j = 0; j < n_; ++j) {
    speed += u[index(j)] * (Eigen::Vector3d() << column(centre, j), 1).finished();
  }
  for (int k = 0; k < 3; ++k) {
    const auto i = index(k);
    target_[k] = start_[k] + c.velocity[i].integral(t);
    wanted[k] = c.velocity[i].value(t);
    wrench_[k] = c.stiffness[k] * (target_[k] - now[k]) + c.damping[k] * (wanted[k] - speed[k]) +
                 c.wrench[i].value(t);
  }
  const Flat g(s_.gravity.x(), s_.gravity.z());
  for (int j = 0; j < n_; ++j) {
    drive_[j] = column(centre, j).dot(wrench_.head<2>()) + wrench_[2];
    for (int i = j; c.compensate && i < n_; ++i) {
      drive_[j] -= s_.segments[index(i)].mass * column(centre_[index(i)], j).dot(g);
    }
  }
  force_ += drive_;
}

void PlanarArm::look(double t, std::span<const double> q, std::span<const double> u) noexcept {
  place(q);
  equations(u);
  control(t, u);
  for (int link = 0; link <= n_; ++link) {
    const Flat at = origin(link);
    const int last = std::min(link, n_ - 1);
    Columns &linear = linear_[index(link)], &angular = angular_[index(link)];
    for (int j = 0; j <= last; ++j) {
      linear.col(j) = upright(column(at, j), 0);
      angular.col(j) = Vector3(0, -1, 0);
    }
  }
}

void PlanarArm::solve(Vector& x) const noexcept { factor_.solveInPlace(x); }

double PlanarArm::potential() const noexcept {
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    sum -= s_.segments[index(i)].mass * centre_[index(i)].dot(Flat(s_.gravity.x(), s_.gravity.z()));
  }
  return sum;
}

// ---- what it shows ------------------------------------------------------------------------------

std::vector<Mechanism::Output> PlanarArm::place_names() const {
  std::vector<Output> list;
  for (int i = 0; i < n_; ++i) list.push_back({fmt::format("q{}", i + 1), "rad"});
  return list;
}
std::vector<Mechanism::Output> PlanarArm::speed_names() const {
  std::vector<Output> list;
  for (int i = 0; i < n_; ++i) list.push_back({fmt::format("dq{}", i + 1), "rad/s"});
  return list;
}
std::vector<Mechanism::Output> PlanarArm::outputs() const {
  return {{"x", "m"},         {"z", "m"},         {"angle", "rad"},
          {"x_target", "m"},  {"z_target", "m"},  {"angle_target", "rad"},
          {"control_x", "N"}, {"control_z", "N"}, {"control_turn", "N m"}};
}
void PlanarArm::show(std::span<double> values) const noexcept {
  const Eigen::Vector3d now = controlled();
  for (int k = 0; k < 3; ++k) {
    values[index(k)] = now[k];
    values[index(k + 3)] = target_[k];
    values[index(k + 6)] = wrench_[k];
  }
}

// ---- set-up -------------------------------------------------------------------------------------

std::vector<double> PlanarArm::joints_for(const PlanarArmSettings& settings,
                                          const Eigen::Vector3d& wanted,
                                          std::vector<double> guess) {
  PlanarArmSettings s = settings;
  s.joints = guess;
  s.rates.clear();
  PlanarArm arm(s);
  // Newton's method with the least change of the joints; damped, since a stretched arm has none.
  for (int i = 0; i < 200; ++i) {
    arm.place(guess);
    Eigen::Vector3d off = wanted - arm.controlled();
    off[2] = std::remainder(off[2], 2 * std::numbers::pi);
    if (off.norm() < 1e-13) {
      guess[0] += wanted[2] - arm.controlled()[2];  // whole turns
      return guess;
    }
    Eigen::Matrix<double, 3, Eigen::Dynamic> jacobian(3, arm.n_);
    const Flat at = arm.controlled().head<2>();
    for (int j = 0; j < arm.n_; ++j) jacobian.col(j) << arm.column(at, j), 1;
    const Eigen::Matrix3d square =
        jacobian * jacobian.transpose() + 1e-9 * off.norm() * Eigen::Matrix3d::Identity();
    Eigen::VectorXd change = jacobian.transpose() * square.ldlt().solve(off);
    if (const double size = change.cwiseAbs().maxCoeff(); size > 0.3) change *= 0.3 / size;
    for (int j = 0; j < arm.n_; ++j) guess[index(j)] += change[j];
  }
  throw InputError(
      {.message = fmt::format("arm '{}' cannot hold its tool there", settings.name),
       .value = fmt::format("[{:g} m, {:g} m, {:g} rad]", wanted[0], wanted[1], wanted[2]),
       .expected = "a place within reach; three joints for any angle"});
}

}  // namespace bristle
