#include "bristle/identify/toss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

namespace bristle {
namespace {

constexpr std::size_t least_flight = 5, least_return = 3;  // samples of a flight that is fitted

/// Rotation vector over time that takes a to b: in the axes of the body at a.
Vector3 turning(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b, double step) {
  const Eigen::AngleAxisd turn(a.conjugate() * b);
  return turn.angle() / step * turn.axis();
}

double size_of(const Vector3& v) { return v.norm(); }

/// Rise of the vertical velocity from sample k − 1 to k beyond free fall.
double rise(const Toss& toss, std::size_t k, double gravity) {
  return toss.velocity[k].z() - toss.velocity[k - 1].z() + gravity * toss.step;
}

/// x = start + velocity t − ½ g t² z through the positions [from, to), t from sample `origin`.
struct Flight {
  Vector3 start{0, 0, 0}, velocity{0, 0, 0};

  Flight(const Toss& toss, std::size_t from, std::size_t to, std::size_t origin, double gravity) {
    double n = 0, st = 0, stt = 0;
    Vector3 sx = Vector3::Zero(), stx = Vector3::Zero();
    for (std::size_t k = from; k < to; ++k) {
      const double t = toss.step * (static_cast<double>(k) - static_cast<double>(origin));
      const Vector3 x = toss.pose[k].position + Vector3(0, 0, gravity * t * t / 2);
      n += 1;
      st += t;
      stt += t * t;
      sx += x;
      stx += t * x;
    }
    const double determinant = n * stt - st * st;
    velocity = (n * stx - st * sx) / determinant;
    start = (sx - st * velocity) / n;
  }
};

Vector3 mean_spin(const Toss& toss, std::size_t from, std::size_t to) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = from; k < to; ++k) sum += toss.spin[k];
  return sum / static_cast<double>(to - from);
}

Eigen::Quaterniond turned(const Eigen::Quaterniond& from, const Vector3& spin, double time) {
  const double angle = size_of(spin) * time;
  if (std::abs(angle) < 1e-12) return from;
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, spin.normalized())) * from;
}

/// Where the first jump is: from its first sample to its last, and the end of the flight after it.
struct Jump {
  std::size_t first = 0, last = 0, flight_end = 0;
  bool found = false;
};

Jump first_jump(const Toss& toss, double gravity, double least, int most_after) {
  Jump jump;
  std::size_t k = 1;
  while (k < toss.size() && !(rise(toss, k, gravity) > least)) ++k;
  if (k >= toss.size()) return jump;
  jump.first = k;
  while (k + 1 < toss.size() && rise(toss, k + 1, gravity) > least) ++k;
  jump.last = k;
  std::size_t end = k + 2;  // the next sample is still smeared by filters: it may rise
  const std::size_t limit = std::min(toss.size(), k + static_cast<std::size_t>(most_after) + 1);
  while (end < limit && rise(toss, end, gravity) < 0.7 * least) ++end;
  jump.flight_end = std::min(end, limit) - 1;  // the difference before a jump is smeared as well
  jump.found = true;
  return jump;
}

/// The impact of one toss; false if it is none that can be used.
bool impact_of(const Toss& toss, const TossedBox& box, const ImpactOptions& options,
               CornerImpact& impact) {
  const Jump jump = first_jump(toss, box.gravity, options.least_jump, options.after);
  if (!jump.found || jump.first < least_flight + 1 || jump.last + 2 >= toss.size()) return false;
  const std::size_t pre_end = jump.first - 1;
  const std::size_t pre = pre_end - std::min(pre_end, static_cast<std::size_t>(options.before));
  if (jump.flight_end < jump.last + least_return) return false;
  const std::size_t origin = jump.first - 1;
  const Flight in(toss, pre, pre_end, origin, box.gravity),
      out(toss, jump.last, jump.flight_end, origin, box.gravity);
  const double time = (in.start.z() - out.start.z()) / (out.velocity.z() - in.velocity.z());
  if (!(time > -toss.step && time < 3 * toss.step)) return false;

  const Vector3 fall(0, 0, -box.gravity * time);
  impact.toss = toss.id;
  impact.samples = static_cast<int>(jump.last - jump.first + 1);
  impact.before = in.velocity + fall;
  impact.after = out.velocity + fall;
  impact.spin_before = mean_spin(toss, pre, pre_end);
  impact.spin_after = mean_spin(toss, jump.last + 1, jump.flight_end);
  impact.rotation = turned(toss.pose[pre_end - 1].rotation, impact.spin_before, time + toss.step);
  const Pose there{in.start + time * (in.velocity + fall / 2), impact.rotation};
  const LowestCorner lowest = lowest_corner(box, there);
  impact.arm = impact.rotation * box.corner(lowest.index);
  impact.depth = -lowest.height;
  const Vector3 step_of_fall(0, 0, -box.gravity * toss.step);
  impact.plain_before = toss.velocity[origin] + step_of_fall;
  impact.plain_spin = toss.spin[origin];
  impact.plain_arm = toss.pose[origin].rotation * box.corner(lowest.index);
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t k = jump.last + j;
    // A backward difference is the velocity half a step earlier.
    const double since = toss.step * (static_cast<double>(k - origin) - 0.5) - time;
    impact.sample_after[j] = toss.velocity[k] + Vector3(0, 0, box.gravity * since);
    impact.sample_spin[j] = toss.spin[k];
    impact.plain_after[j] = toss.velocity[k] - static_cast<double>(k - jump.first) * step_of_fall;
  }
  return lowest.next > options.clear_corner && -impact.corner_before().z() > options.least_speed;
}

double ratio_of(const Vector3& change) { return change.head<2>().norm() / change.z(); }

/// Slope of values that are `step` apart.
double slope_of(std::span<const double> values, double step) {
  const double middle = (static_cast<double>(values.size()) - 1) / 2;
  double sxy = 0, sxx = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = static_cast<double>(k) - middle;
    sxy += x * values[k];
    sxx += x * x;
  }
  return sxy / (sxx * step);
}

/// Body axis that stands most upright, and the cosine of its angle.
struct Upright {
  int axis = 0;
  double cosine = 0;
};
Upright upright(const Pose& pose) {
  const Vector3 up = (pose.rotation.conjugate() * Vector3::UnitZ()).cwiseAbs();
  Upright found;
  found.cosine = up.maxCoeff(&found.axis);
  return found;
}

bool slides_on_face(const Toss& toss, std::size_t k, const TossedBox& box) {
  const Upright face = upright(toss.pose[k]);
  const double half = box.edges[face.axis] / 2;
  const double height = toss.pose[k].position.z() - box.plane;
  constexpr double one_degree = 0.9998476951563913;  // its cosine
  return face.cosine > one_degree && std::abs(height - half) < 0.02 * half &&
         toss.velocity[k].head<2>().norm() > 0.1 && size_of(toss.spin[k]) < 0.5;
}

}  // namespace

// ---- the box ----------------------------------------------------------------------------------

Vector3 TossedBox::solid_inertia() const noexcept {
  const Vector3 s = edges.cwiseProduct(edges);
  return mass / 12 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
}

Vector3 TossedBox::hollow_inertia() const noexcept {
  const Vector3 s = edges.cwiseProduct(edges);
  const Vector3 areas(edges.y() * edges.z(), edges.z() * edges.x(), edges.x() * edges.y());
  Vector3 second = Vector3::Zero();  // ∫x², ∫y², ∫z² dm
  for (int wall = 0; wall < 3; ++wall) {
    const double share = mass * areas[wall] / areas.sum();
    for (int axis = 0; axis < 3; ++axis) {
      second[axis] += share * s[axis] / (axis == wall ? 4 : 12);
    }
  }
  return {second.y() + second.z(), second.z() + second.x(), second.x() + second.y()};
}

Vector3 TossedBox::corner(int index) const noexcept {
  return {(index & 1 ? 0.5 : -0.5) * edges.x(), (index & 2 ? 0.5 : -0.5) * edges.y(),
          (index & 4 ? 0.5 : -0.5) * edges.z()};
}

LowestCorner lowest_corner(const TossedBox& box, const Pose& pose) noexcept {
  LowestCorner lowest{0, INFINITY, INFINITY};
  double second = INFINITY;
  for (int i = 0; i < 8; ++i) {
    const double height = apply(pose, box.corner(i)).z() - box.plane;
    if (height < lowest.height) {
      second = lowest.height;
      lowest.height = height;
      lowest.index = i;
    } else {
      second = std::min(second, height);
    }
  }
  lowest.next = second - lowest.height;
  return lowest;
}

// ---- what the columns mean --------------------------------------------------------------------

SpinExam examine_spin(std::span<const Toss> tosses) {
  std::vector<double> body, world;
  for (const Toss& toss : tosses) {
    for (std::size_t k = 1; k < toss.size(); ++k) {
      const Eigen::Quaterniond &a = toss.pose[k - 1].rotation, &b = toss.pose[k].rotation;
      const Vector3 turn = turning(a, b, toss.step);
      body.push_back(size_of(turn - toss.spin[k]));
      world.push_back(size_of(a * turn - toss.spin[k]));
    }
  }
  return {median_value(body), median_value(world)};
}

void spin_to_world(std::span<Toss> tosses) {
  for (Toss& toss : tosses) {
    for (std::size_t k = 0; k < toss.size(); ++k) {
      toss.spin[k] = toss.pose[k].rotation * toss.spin[k];
    }
  }
}

Difference VelocityExam::kind() const noexcept {
  if (backward <= central && backward <= forward) return Difference::backward;
  return central <= forward ? Difference::central : Difference::forward;
}

VelocityExam examine_velocity(std::span<const Toss> tosses) {
  std::vector<double> backward, central, forward;
  for (const Toss& toss : tosses) {
    for (std::size_t k = 1; k + 1 < toss.size(); ++k) {
      const Vector3 &a = toss.pose[k - 1].position, &x = toss.pose[k].position,
                    &b = toss.pose[k + 1].position, &v = toss.velocity[k];
      backward.push_back(size_of((x - a) / toss.step - v));
      central.push_back(size_of((b - a) / (2 * toss.step) - v));
      forward.push_back(size_of((b - x) / toss.step - v));
    }
  }
  return {median_value(backward), median_value(central), median_value(forward)};
}

// ---- gravity, rest, impacts, slides -----------------------------------------------------------

std::vector<double> free_falls(std::span<const Toss> tosses, const TossedBox& box,
                               double clearance) {
  constexpr std::size_t enough = 8;
  std::vector<double> falls;
  for (const Toss& toss : tosses) {
    std::size_t end = 0;
    while (end < toss.size() && lowest_corner(box, toss.pose[end]).height > clearance) ++end;
    if (end < enough) continue;
    const auto n = static_cast<Eigen::Index>(end);
    Eigen::MatrixXd powers(n, 3);
    Eigen::VectorXd height(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double t = toss.step * static_cast<double>(k);
      powers.row(k) << 1, t, t * t;
      height[k] = toss.pose[static_cast<std::size_t>(k)].position.z();
    }
    falls.push_back(2 * powers.colPivHouseholderQr().solve(height)[2]);
  }
  return falls;
}

std::vector<double> rest_ratios(std::span<const Toss> tosses, const TossedBox& box) {
  std::vector<double> ratios;
  for (const Toss& toss : tosses) {
    const Upright face = upright(toss.pose.back());
    const bool rests = size_of(toss.velocity.back()) < 0.05 && face.cosine > 0.999;
    const double height = toss.pose.back().position.z() - box.plane;
    if (rests) ratios.push_back(2 * height / box.edges[face.axis]);
  }
  return ratios;
}

double CornerImpact::restitution_by(std::size_t sample) const {
  const Vector3 corner = sample_after[sample] + sample_spin[sample].cross(arm);
  return -corner.z() / corner_before().z();
}

double CornerImpact::restitution_between(std::size_t sample) const {
  const Vector3 in = plain_before + plain_spin.cross(plain_arm);
  const Vector3 out = plain_after[sample] + sample_spin[sample].cross(plain_arm);
  return -out.z() / in.z();
}

bool CornerImpact::slides(double least_speed, double least_cosine) const {
  const Eigen::Vector2d in = corner_before().head<2>(), out = corner_after().head<2>();
  return out.norm() > least_speed && in.dot(out) > least_cosine * in.norm() * out.norm();
}

double CornerImpact::impulse_ratio() const { return ratio_of(after - before); }
double CornerImpact::impulse_ratio_by(std::size_t sample) const {
  return ratio_of(sample_after[sample] - before);
}

double CornerImpact::inertia_factor(const TossedBox& box) const {
  const Vector3 moment = arm.cross(box.mass * (after - before));
  const Vector3 turn = rotation.conjugate() * (spin_after - spin_before);
  const Vector3 solid = rotation * box.solid_inertia().cwiseProduct(turn);
  return moment.dot(solid) / solid.squaredNorm();
}

double least_jump(std::span<const Toss> tosses, const TossedBox& box) {
  std::vector<double> rises;
  for (const Toss& toss : tosses) {
    for (std::size_t k = 1; k < toss.size(); ++k) {
      if (lowest_corner(box, toss.pose[k]).height < 3e-3) break;
      rises.push_back(rise(toss, k, box.gravity));
    }
  }
  return 8 * robust_deviation(rises);
}

std::vector<CornerImpact> first_impacts(std::span<const Toss> tosses, const TossedBox& box,
                                        const ImpactOptions& wanted) {
  ImpactOptions options = wanted;
  if (!(options.least_jump > 0)) options.least_jump = least_jump(tosses, box);
  if (!(options.clear_corner > 0)) options.clear_corner = 0.1 * box.edges.minCoeff();
  std::vector<CornerImpact> impacts;
  for (const Toss& toss : tosses) {
    CornerImpact impact;
    if (impact_of(toss, box, options, impact)) impacts.push_back(impact);
  }
  return impacts;
}

std::vector<double> face_slides(std::span<const Toss> tosses, const TossedBox& box) {
  constexpr std::size_t enough = 6;
  std::vector<double> decelerations;
  for (const Toss& toss : tosses) {
    std::vector<double> speeds;
    for (std::size_t k = 0; k <= toss.size(); ++k) {
      if (k < toss.size() && slides_on_face(toss, k, box)) {
        speeds.push_back(toss.velocity[k].head<2>().norm());
        continue;
      }
      if (speeds.size() >= enough) decelerations.push_back(-slope_of(speeds, toss.step));
      speeds.clear();
    }
  }
  return decelerations;
}

}  // namespace bristle
