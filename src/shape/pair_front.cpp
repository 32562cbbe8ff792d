#include "pair_front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pair_curve.hpp"

namespace bristle::pair_detail {
namespace {

constexpr int slice = 400;  ///< entries of the next front per step, some 20 µs

using Float4 = Eigen::Array4f;

/// Three floats, and one that is not looked at.
Float4 load(const float* x) noexcept { return Eigen::Map<const Float4, Eigen::Unaligned>(x); }
int largest(const Float4& x) noexcept {
  const int first = x[0] > x[1] ? 0 : 1;
  return x[first] > x[2] ? first : 2;
}

/// The entry's triangles crossed when they were last compared: no box will part them.
constexpr float crossed = -std::numeric_limits<float>::infinity();
/// Nothing is known yet.
constexpr float unknown = -std::numeric_limits<float>::max();

}  // namespace

// With d from centre to centre: |u·d| − (extent of A along u) − (extent of B along u) for the axes
// u of A and of B; bx, by, bz are B's axes turned into A's frame, by component.
Separation box_gap(const Box& a, const Box& b, const Placement& m) noexcept {
  const Eigen::Matrix3f& r = m.rotation;
  const Float4 ax = load(a.x()), ay = load(a.y()), az = load(a.z());
  const Float4 x = load(b.x()), y = load(b.y()), z = load(b.z());
  const Float4 bx = r(0, 0) * x + r(0, 1) * y + r(0, 2) * z;
  const Float4 by = r(1, 0) * x + r(1, 1) * y + r(1, 2) * z;
  const Float4 bz = r(2, 0) * x + r(2, 1) * y + r(2, 2) * z;
  const float* c = b.center();
  std::array<float, 3> d{};
  for (int k = 0; k < 3; ++k) {
    d[static_cast<std::size_t>(k)] =
        r(k, 0) * c[0] + r(k, 1) * c[1] + r(k, 2) * c[2] + m.offset[k] - a.center()[k];
  }
  const Float4 way_a = ax * d[0] + ay * d[1] + az * d[2], way_b = bx * d[0] + by * d[1] + bz * d[2];
  Float4 along_a = way_a.abs() - load(a.half()), along_b = way_b.abs() - load(b.half());
  for (int k = 0; k < 3; ++k) {
    along_a -= b.half()[k] * (ax * bx[k] + ay * by[k] + az * bz[k]).abs();
    along_b -= a.half()[k] * (bx * a.x()[k] + by * a.y()[k] + bz * a.z()[k]).abs();
  }
  const int i = largest(along_a), j = largest(along_b);
  if (along_a[i] > along_b[j]) {
    return {along_a[i], std::copysign(1.0F, way_a[i]) * Eigen::Vector3f(ax[i], ay[i], az[i])};
  }
  return {along_b[j], std::copysign(1.0F, way_b[j]) * Eigen::Vector3f(bx[j], by[j], bz[j])};
}

void Front::List::resize(int capacity) {
  due.resize(static_cast<std::size_t>(capacity));
  pair.resize(due.size());
  margin.resize(due.size());
}

void Front::List::restart() noexcept {
  size = 0;
  push({0, 0});
}

bool Front::List::push(Pair p) noexcept {
  if (size == static_cast<int>(due.size())) return false;
  at(due, size) = -std::numeric_limits<float>::infinity();
  at(pair, size) = p;
  at(margin, size).rest = unknown;
  ++size;
  return true;
}

Front::Front(Body& a, Body& b, int capacity) : a_(a), b_(b) {
  const int levels = a.depth() + b.depth() + 2;
  stack_.resize(static_cast<std::size_t>(levels));
  grow(std::max(capacity, 64));
  reset();
}

void Front::grow(int capacity) {
  now_.resize(capacity);
  next_.resize(capacity);
}

void Front::reset() noexcept {
  now_.restart();
  path_ = turning_ = 0;
  built_size_ = 0;
  slice_at_ = -1;
  full_ = false;
}

void Front::visit(const Placement& placement, const Motion& motion, Curve& curve) noexcept {
  placement_ = placement;
  path_ += motion.all;
  turning_ += motion.turning;
  slack_ = 2e-6F * static_cast<float>(a_.radius() + b_.radius()) + 1e-6F * placement.offset.norm();
  boxes_ = 0;
  full_ = false;
  const bool is_new = built_size_ == 0;
  if (path_ > 0.1 * (a_.radius() + b_.radius())) rebase();
  const auto path = static_cast<float>(path_);
  for (int i = 0; i < now_.size;) {
    constexpr int block = 16;
    bool any = true;
    if (i + block <= now_.size) {
      const float* due = now_.due.data() + i;
      int count = 0;
      for (int k = 0; k < block; ++k) count |= due[k] <= path ? 1 : 0;
      any = count != 0;
    }
    const int end = std::min(i + block, now_.size);
    if (!any) {
      i = end;
      continue;
    }
    for (; i < end; ++i) {
      if (at(now_.due, i) <= path) renew(now_, i, &curve);
    }
  }
  if (is_new) built_size_ = now_.size;
  build_slice();
}

Separation Front::gap(Pair p) noexcept {
  ++boxes_;
  return box_gap(a_.box(p.a), b_.box(p.b), placement_);
}

bool Front::is_leaf(Pair p) const noexcept { return a_.child(p.a) < 0 && b_.child(p.b) < 0; }

std::array<Front::Pair, 2> Front::opened(Pair p) const noexcept {
  const int a = a_.child(p.a), b = b_.child(p.b);
  const bool open_a = b < 0 || (a >= 0 && a_.box(p.a).half()[2] >= b_.box(p.b).half()[2]);
  if (open_a) return {{{a, p.b}, {a + 1, p.b}}};
  return {{{p.a, b}, {p.a, b + 1}}};
}

Separation Front::meet(Pair p, Curve& curve) noexcept {
  return curve.meet(~a_.child(p.a), ~b_.child(p.b));
}

void Front::set(List& list, int entry, const Separation& apart) const noexcept {
  at(list.due, entry) = static_cast<float>(path_) + apart.gap - slack_;
  at(list.margin, entry) = {
      apart.axis, apart.gap - slack_ - apart.axis.dot(placement_.offset) + float(turning_)};
}

void Front::renew(List& list, int entry, Curve* curve) noexcept {
  const auto path = static_cast<float>(path_);
  const Margin& margin = at(list.margin, entry);
  const bool was_crossed = margin.rest == crossed;
  if (margin.rest > unknown) {
    const float left = margin.rest + margin.axis.dot(placement_.offset) - float(turning_);
    at(list.due, entry) = path + left;
    if (left > 0) return;
  }
  for (;;) {
    const Pair p = at(list.pair, entry);
    Separation apart = was_crossed ? Separation{} : gap(p);
    if (apart.gap > slack_) return set(list, entry, apart);
    if (is_leaf(p)) {
      if (curve != nullptr) apart = meet(p, *curve);
      if (apart.gap > slack_) return set(list, entry, apart);
      at(list.due, entry) = path;
      at(list.margin, entry).rest = unknown;
      if (curve != nullptr) at(list.margin, entry).rest = crossed;
      return;
    }
    const auto [first, second] = opened(p);
    if (!list.push(second)) {
      full_ = true;
      at(list.due, entry) = path;
      at(list.margin, entry).rest = unknown;
      if (curve != nullptr) descend(p, *curve);
      return;
    }
    at(list.pair, entry) = first;
  }
}

/// Without a memory: for what does not fit into the front.
void Front::descend(Pair p, Curve& curve) noexcept {
  int top = 0;
  at(stack_, top++) = p;
  while (top > 0) {
    const Pair q = at(stack_, --top);
    if (gap(q).gap > slack_) continue;
    if (is_leaf(q)) {
      meet(q, curve);
      continue;
    }
    for (const Pair& child : opened(q)) at(stack_, top++) = child;
  }
}

void Front::build_slice() noexcept {
  if (slice_at_ < 0) {
    if (now_.size < 2 * built_size_ + slice) return;
    next_.restart();
    slice_at_ = 0;
  }
  for (int k = 0; k < slice && slice_at_ < next_.size; ++k) {
    renew(next_, slice_at_++, nullptr);
  }
  if (slice_at_ < next_.size) return;
  std::swap(now_, next_);
  built_size_ = now_.size;
  slice_at_ = -1;
}

void Front::rebase() noexcept {
  for (List* list : {&now_, &next_}) {
    for (int i = 0; i < list->size; ++i) {
      at(list->due, i) -= static_cast<float>(path_);
      at(list->margin, i).rest -= static_cast<float>(turning_);
    }
  }
  path_ = turning_ = 0;
}

}  // namespace bristle::pair_detail
