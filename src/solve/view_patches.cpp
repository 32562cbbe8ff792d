#include "view_patches.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/core/index.hpp"
#include "bristle/shape/chord.hpp"
#include "bristle/shape/touch.hpp"

namespace bristle {

using detail::at;

namespace {

struct Frame {
  Vector3 centre, e1, e2, n;
  double u(const Vector3& x) const { return e1.dot(x - centre); }
  double v(const Vector3& x) const { return e2.dot(x - centre); }
};

/// The world's x to the right where there is one.
Frame frame_of(const Patch& patch) {
  const Vector3& n = patch.normal;
  const Vector3 right = std::abs(n.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
  const TangentBasis basis = tangent_basis(-n, right);  // seen against n, from inside A: x right
  return {patch.surface_centroid, basis.e1, basis.e2, n};
}

/// Three standard deviations of each patch to all sides hold it, whatever its shape.
void set_grid(const PatchContacts::Pair& pair, const Frame& f, PatchView& view) {
  double left = 0, right = 0, low = 0, high = 0;
  for (int k = 0; k < pair.count; ++k) {
    const Patch& p = pair.seen[at(k)].patch;
    const double u = f.u(p.volume_centroid), v = f.v(p.volume_centroid);
    // M turns the planar moments by a quarter: e1·M·e1 = ∫v².
    const double du = 3 * std::sqrt(std::max(0.0, f.e2.dot(p.M * f.e2)) / p.volume);
    const double dv = 3 * std::sqrt(std::max(0.0, f.e1.dot(p.M * f.e1)) / p.volume);
    left = std::min(left, u - du);
    right = std::max(right, u + du);
    low = std::min(low, v - dv);
    high = std::max(high, v + dv);
  }
  constexpr int most = 160;  // trimmed to the patch later
  const double size = std::max({right - left, high - low, 1e-12});
  view.cell = size / most;
  view.columns = std::max(8, static_cast<int>(std::ceil((right - left) / view.cell)));
  view.rows = std::max(8, static_cast<int>(std::ceil((high - low) / view.cell)));
  view.left = (left + right) / 2 - view.cell * view.columns / 2;
  view.bottom = (low + high) / 2 - view.cell * view.rows / 2;
}

/// Cuts off the empty margins.
void trim(PatchView& view) {
  int u0 = view.columns, u1 = 0, v0 = view.rows, v1 = 0;
  for (int v = 0; v < view.rows; ++v) {
    for (int u = 0; u < view.columns; ++u) {
      if (!(view.pressure[at(v * view.columns + u)] > 0)) continue;
      u0 = std::min(u0, u);
      u1 = std::max(u1, u + 1);
      v0 = std::min(v0, v);
      v1 = std::max(v1, v + 1);
    }
  }
  if (u1 <= u0) return;
  std::vector<double> kept;
  for (int v = v0; v < v1; ++v) {
    for (int u = u0; u < u1; ++u) kept.push_back(view.pressure[at(v * view.columns + u)]);
  }
  view.pressure = std::move(kept);
  view.left += u0 * view.cell;
  view.bottom += v0 * view.cell;
  view.columns = u1 - u0;
  view.rows = v1 - v0;
}

/// Marching squares over the middles of the cells, the edge placed half-way.
void outline(PatchView& view) {
  const auto in = [&](int u, int v) {
    if (u < 0 || v < 0 || u >= view.columns || v >= view.rows) return false;
    return view.pressure[at(v * view.columns + u)] > 0;
  };
  const auto segment = [&](double u0, double v0, double u1, double v1) {
    view.outline.push_back({view.left + u0 * view.cell, view.bottom + v0 * view.cell,
                            view.left + u1 * view.cell, view.bottom + v1 * view.cell});
  };
  for (int v = -1; v < view.rows; ++v) {
    for (int u = -1; u < view.columns; ++u) {
      const int code = in(u, v) + 2 * in(u + 1, v) + 4 * in(u + 1, v + 1) + 8 * in(u, v + 1);
      const double x = u + 0.5, y = v + 0.5;  // of the lower left middle
      const std::array<double, 2> below{x + 0.5, y}, right{x + 1, y + 0.5}, above{x + 0.5, y + 1},
          left{x, y + 0.5};
      const auto join = [&](const std::array<double, 2>& p, const std::array<double, 2>& q) {
        segment(p[0], p[1], q[0], q[1]);
      };
      switch (code) {
        case 1:
        case 14:
          join(left, below);
          break;
        case 2:
        case 13:
          join(below, right);
          break;
        case 4:
        case 11:
          join(right, above);
          break;
        case 8:
        case 7:
          join(above, left);
          break;
        case 3:
        case 12:
          join(left, right);
          break;
        case 6:
        case 9:
          join(below, above);
          break;
        case 5:
          join(left, below);
          join(right, above);
          break;
        case 10:
          join(below, right);
          join(above, left);
          break;
        default:
          break;
      }
    }
  }
}

/// Where the surface of A slides over that of B, friction on A points the other way.
void directions(const PatchContacts::Pair& pair, const Frame& f, PatchView& view) {
  const SeenPatch& seen = pair.seen[0];
  const Vector3 &v = seen.motion.velocity, &w = seen.motion.spin;
  const int step = std::max(1, std::max(view.columns, view.rows) / 12);
  const auto first = [&](int size) { return (size - 1) % step / 2; };  // in the middle
  for (int row = first(view.rows); row < view.rows; row += step) {
    for (int column = first(view.columns); column < view.columns; column += step) {
      if (!(view.pressure[at(row * view.columns + column)] > 0)) continue;
      const double x = view.left + (column + 0.5) * view.cell;
      const double y = view.bottom + (row + 0.5) * view.cell;
      const Vector3 here =
          v + w.cross(x * f.e1 + y * f.e2 + f.centre - seen.patch.surface_centroid);
      const double along = f.e1.dot(here), up = f.e2.dot(here), size = std::hypot(along, up);
      if (size > 1e-12) view.friction.push_back({x, y, -along / size, -up / size});
    }
  }
}

}  // namespace

PatchView view_patches(const World& world, const PatchContacts::Pair& pair, double t,
                       const Pose& pose_a, const Pose& pose_b) {
  PatchView view;
  view.pair = pair.index;
  view.t = t;
  view.a = world.name(pair.a);
  view.b = world.name(pair.b);
  const Frame f = frame_of(pair.seen[0].patch);
  view.centre = f.centre;
  view.e1 = f.e1;
  view.e2 = f.e2;
  set_grid(pair, f, view);
  const LineGrid grid{f.centre + view.left * f.e1 + view.bottom * f.e2,
                      f.e1,
                      f.e2,
                      f.n,
                      view.cell,
                      view.columns,
                      view.rows};
  const auto inside_a = chords(world.shape(pair.a), pose_a, grid);
  const auto inside_b = chords(world.shape(pair.b), pose_b, grid);
  const double k_v = pair.law.stiffness_of(pair.seen[0].patch);
  for (std::size_t i = 0; i < inside_a.size(); ++i) {
    view.pressure.push_back(k_v * common_length(inside_a[i], inside_b[i]));
  }
  trim(view);
  outline(view);
  directions(pair, f, view);
  for (int k = 0; k < pair.count; ++k) {
    const SeenPatch& seen = pair.seen[at(k)];
    view.centres.push_back({f.u(seen.patch.surface_centroid), f.v(seen.patch.surface_centroid)});
    view.fn += seen.wrench.fn;
    view.force += seen.wrench.friction.norm();
    view.torque += std::abs(seen.wrench.spin_torque);
    view.volume += seen.patch.volume;
    view.area += seen.patch.area;
  }
  return view;
}

}  // namespace bristle
