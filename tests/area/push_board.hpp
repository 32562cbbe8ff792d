#pragma once

// 250 measured pushes of a right triangle on a board (R. Zhou et al.), as pairs of a wrench and the
// motion it caused; tests that need them are skipped where they are not there.
//
// A file is named by its three supports, x1_x2_x3_y1_y2_y3 in mm from the right-angled corner, and
// holds 50 pushes: pose before, pose after (x y z in mm, quaternion w x y z), rows t fx fy of the
// sensor, rows t and pose of the pusher. The object's frame here has its origin 50 mm and 50 mm
// from the corner, the centre of mass.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bristle/area/support_fit.hpp"
#include "support/measured.hpp"

namespace bristle::testing {

class PushBoard {
 public:
  static constexpr double length = 0.05;  ///< L of (v, Lω) and (f, m/L), m
  static constexpr double leg = 0.15;
  static constexpr std::array<const char*, 5> layouts{"10_130_10_10_10_130", "30_90_30_30_30_90",
                                                      "10_90_10_10_30_130",
                                                      "30_63.33_43.33_30_43.33_63.33", "patch"};
  static constexpr std::size_t patch = 4;

  static std::filesystem::path folder() { return testing_support::measured("planar_push_board"); }

  /// The 50 pairs of a layout; wrenches in N and N m, displacements in m and rad for motions.
  static std::vector<LimitSample> pairs(std::size_t layout) {
    std::istringstream text(
        unpacked((folder() / fmt::format("{}.txt.gz", layouts[layout])).string()));
    std::size_t count = 0;
    text >> count;
    std::vector<LimitSample> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(pair_of(read_push(text)));
    if (!text || count != 50) throw std::runtime_error("unreadable pushes");
    return out;
  }

  /// Three points, or the whole triangle with a rim.
  static SupportModel supports(std::size_t layout) {
    return layout == patch ? whole_triangle(8, 8) : three_points(layouts[layout]);
  }

  /// 30 pushes to train with, 10 to choose with, 10 to be judged by.
  struct Split {
    std::vector<std::size_t> order;
    std::vector<std::size_t> training(std::size_t n) const { return part(0, n); }
    std::vector<std::size_t> validation() const { return part(30, 40); }
    std::vector<std::size_t> test() const { return part(40, 50); }

   private:
    std::vector<std::size_t> part(std::size_t from, std::size_t to) const {
      return {order.begin() + static_cast<std::ptrdiff_t>(from),
              order.begin() + static_cast<std::ptrdiff_t>(to)};
    }
  };
  /// Fisher and Yates's shuffle with splitmix64.
  static Split split(std::size_t layout, std::size_t number) {
    std::uint64_t x = layout * 1000 + number + 1;
    const auto next = [&x] {
      x += 0x9E3779B97F4A7C15U;
      std::uint64_t z = x;
      z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
      return z ^ (z >> 31U);
    };
    Split split{std::vector<std::size_t>(50)};
    std::iota(split.order.begin(), split.order.end(), std::size_t{0});
    for (std::size_t i = 49; i > 0; --i) std::swap(split.order[i], split.order[next() % (i + 1)]);
    return split;
  }

 private:
  using Pose = std::array<double, 7>;
  struct Force {
    double t;
    Point2 f;
  };
  struct Place {
    double t;
    Pose pose;
  };
  struct Record {
    Pose before, after;
    std::vector<Force> forces;
    std::vector<Place> pusher;
  };

  static std::string unpacked(const std::string& path) {
    std::FILE* pipe = ::popen(("gzip -dc '" + path + "'").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no gzip");
    std::string text;
    std::array<char, 65536> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      text.append(buffer.data(), n);
    }
    ::pclose(pipe);
    return text;
  }

  static Record read_push(std::istream& in) {
    Record r;
    std::size_t count = 0;
    for (double& x : r.before) in >> x;
    for (double& x : r.after) in >> x;
    in >> count;
    r.forces.resize(in ? count : 0);
    for (Force& f : r.forces) in >> f.t >> f.f.x() >> f.f.y();
    in >> count;
    r.pusher.resize(in ? count : 0);
    for (Place& p : r.pusher) {
      in >> p.t;
      for (double& x : p.pose) in >> x;
    }
    if (!in || r.forces.empty() || r.pusher.size() < 2) throw std::runtime_error("cut short");
    return r;
  }

  /// x, y of the body's point `off`, in m, and the turn about the vertical.
  static Planar flat(const Pose& p, const Point2& off) {
    const double size = std::hypot(std::hypot(p[3], p[4]), std::hypot(p[5], p[6]));
    const double w = p[3] / size, x = p[4] / size, y = p[5] / size, z = p[6] / size;
    return {p[0] / 1e3 + off.x() * (1 - 2 * (y * y + z * z)) + off.y() * 2 * (x * y - w * z),
            p[1] / 1e3 + off.x() * 2 * (x * y + w * z) + off.y() * (1 - 2 * (x * x + z * z)),
            2 * std::atan2(z, w)};
  }
  static Point2 turned(const Point2& v, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
  }
  /// On a straight line between records, and on from the last two.
  static Pose pusher_at(const std::vector<Place>& all, double t) {
    if (t <= all.front().t) return all.front().pose;
    std::size_t i = 1;
    while (i + 1 < all.size() && all[i].t < t) ++i;
    const Place &a = all[i - 1], &b = all[i];
    Pose p;
    for (std::size_t j = 0; j < 7; ++j) {
      p[j] = b.pose[j] + (b.pose[j] - a.pose[j]) / (b.t - a.t) * (t - b.t);
    }
    return p;
  }

  /// On the object, in the tool's axes (which are 45° from the sensor's and mirrored), without the
  /// first reading. The first third of the push and forces smaller than the mean are left out.
  static std::vector<Force> kept(const std::vector<Force>& raw) {
    std::vector<Force> all = raw;
    Point2 mean = Point2::Zero();
    const double half = std::sqrt(0.5);
    const auto tool = [&](const Point2& f) {
      return Point2(-half * (f.x() + f.y()), -half * (f.x() - f.y()));
    };
    for (Force& f : all) {
      f.f = tool(f.f) - tool(raw.front().f);
      mean += f.f / static_cast<double>(all.size());
    }
    std::vector<Force> some;
    const auto from = static_cast<std::size_t>(std::ceil(0.3 * static_cast<double>(all.size())));
    for (std::size_t i = from - 1; i < all.size(); ++i) {
      if (all[i].f.squaredNorm() >= mean.squaredNorm()) some.push_back(all[i]);
    }
    return some;
  }

  /// The mean wrench, the object moving evenly over the samples that are kept, and the displacement
  /// in the object's first frame.
  static LimitSample pair_of(const Record& r) {
    const Planar a = flat(r.before, {leg / 3, leg / 3});
    Planar b = flat(r.after, {leg / 3, leg / 3});
    b.z() = a.z() + std::remainder(b.z() - a.z(), 2 * std::numbers::pi);
    const std::vector<Force> forces = kept(r.forces);
    LimitSample pair;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const Planar object =
          a + (b - a) * (static_cast<double>(i) / static_cast<double>(forces.size() - 1));
      const Planar tip = flat(pusher_at(r.pusher, forces[i].t), Point2::Zero());
      const Point2 f = turned(forces[i].f, tip.z() - object.z());
      const Point2 at = turned(tip.head<2>() - object.head<2>(), -object.z());
      pair.wrench += Planar(f.x(), f.y(), at.x() * f.y() - at.y() * f.x());
    }
    pair.wrench /= static_cast<double>(forces.size());
    pair.motion << turned((b - a).head<2>(), -a.z()), b.z() - a.z();
    return pair;
  }

  static SupportModel three_points(const std::string& name) {
    std::istringstream text(name);
    std::array<double, 6> mm{};
    for (double& x : mm) {
      text >> x;
      text.ignore(1);
    }
    SupportModel model;
    for (std::size_t i = 0; i < 3; ++i) {
      model.places.emplace_back(mm[i] / 1e3 - leg / 3, mm[i + 3] / 1e3 - leg / 3);
      model.shares.push_back(1);
    }
    return model;
  }

  /// Centroids of n² equal triangles, and m points on each side.
  static SupportModel whole_triangle(int n, int m) {
    SupportModel model;
    const double h = leg / n;
    const auto add = [&](double x, double y, double share, double rim) {
      model.places.emplace_back(x - leg / 3, y - leg / 3);
      model.shares.push_back(share);
      model.rim.push_back(rim);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n - i; ++j) {
        add(h * (i + 1.0 / 3), h * (j + 1.0 / 3), 1, 0);
        if (j < n - i - 1) add(h * (i + 2.0 / 3), h * (j + 2.0 / 3), 1, 0);
      }
    }
    for (int i = 0; i < m; ++i) {
      const double t = leg * (i + 0.5) / m;
      add(t, 0, 0, 1);
      add(0, t, 0, 1);
      add(leg - t, t, 0, std::numbers::sqrt2);
    }
    model.centre_step = 1e-3;
    return model;
  }
};

}  // namespace bristle::testing
