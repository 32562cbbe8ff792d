#include "pair_front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pair_curve.hpp"

namespace bristle::pair_detail {
namespace {

constexpr int slice = 400;  ///< entries of the next front per step, some 20 µs

using Float3 = std::array<float, 3>;

float dot(const Float3& u, const Float3& v) noexcept {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}
/// Half the extent of a box along a direction given in its frame.
float reach(const Box& box, const Float3& u) noexcept {
  return box.half[0] * std::abs(dot(box.axis[0], u)) + box.half[1] * std::abs(dot(box.axis[1], u)) +
         box.half[2] * std::abs(dot(box.axis[2], u));
}
/// Rᵀ u, from A's frame to B's.
Float3 into_b(const Placement& m, const Float3& u) noexcept {
  Float3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = m.rotation[0][i] * u[0] + m.rotation[1][i] * u[1] + m.rotation[2][i] * u[2];
  }
  return out;
}
Float3 into_a(const Placement& m, const Float3& u) noexcept {
  return {dot(m.rotation[0], u), dot(m.rotation[1], u), dot(m.rotation[2], u)};
}

/// Along axis k of A (0, 1, 2) or B (3, 4, 5); d is from A's centre to B's.
float axis_gap(const Box& a, const Box& b, const Placement& m, const Float3& d,
               std::size_t k) noexcept {
  if (k < 3) {
    const Float3& u = a.axis[k];
    return std::abs(dot(u, d)) - a.half[k] - reach(b, into_b(m, u));
  }
  const Float3 u = into_a(m, b.axis[k - 3]);
  return std::abs(dot(u, d)) - b.half[k - 3] - reach(a, u);
}

/// All six at once: they share the cosines between the axes.
float best_gap(const Box& a, const Box& b, const Placement& m, const Float3& d,
               std::uint8_t& axis) noexcept {
  std::array<float, 6> gap;
  for (std::size_t k = 0; k < 3; ++k) gap[k] = std::abs(dot(a.axis[k], d)) - a.half[k];
  for (std::size_t j = 0; j < 3; ++j) {
    const Float3 u = into_a(m, b.axis[j]);
    gap[3 + j] = std::abs(dot(u, d)) - b.half[j];
    for (std::size_t k = 0; k < 3; ++k) {
      const float cosine = std::abs(dot(a.axis[k], u));
      gap[k] -= b.half[j] * cosine;
      gap[3 + j] -= a.half[k] * cosine;
    }
  }
  const auto best = std::max_element(gap.begin(), gap.end());
  axis = static_cast<std::uint8_t>(best - gap.begin());
  return *best;
}

}  // namespace

float box_gap(const Box& a, const Box& b, const Placement& m, float enough,
              std::uint8_t& axis) noexcept {
  Float3 d = into_a(m, b.center);
  for (std::size_t i = 0; i < 3; ++i) d[i] += m.offset[i] - a.center[i];
  const float first = axis_gap(a, b, m, d, axis);
  return first > enough ? first : best_gap(a, b, m, d, axis);
}

void Front::List::resize(int capacity) {
  due.resize(static_cast<std::size_t>(capacity));
  pair.resize(due.size());
  axis.resize(due.size());
}

void Front::List::restart() noexcept {
  size = 0;
  push({0, 0});
}

bool Front::List::push(Pair p) noexcept {
  if (size == static_cast<int>(due.size())) return false;
  at(due, size) = -std::numeric_limits<float>::infinity();
  at(pair, size) = p;
  at(axis, size) = 0;
  ++size;
  return true;
}

Front::Front(Body& a, Body& b, int capacity) : a_(a), b_(b) {
  stack_.resize(static_cast<std::size_t>(a.depth() + b.depth() + 2));
  slack_ = static_cast<float>(2e-6 * (a.radius() + b.radius()));
  grow(std::max(capacity, 64));
  reset();
}

void Front::grow(int capacity) {
  now_.resize(capacity);
  next_.resize(capacity);
}

void Front::reset() noexcept {
  now_.restart();
  path_ = 0;
  built_size_ = 0;
  slice_at_ = -1;
  full_ = false;
}

void Front::visit(const Placement& placement, double moved, Curve& curve) noexcept {
  placement_ = placement;
  path_ += moved;
  enough_ = static_cast<float>(4 * moved);
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

float Front::gap(Pair p, std::uint8_t& axis) noexcept {
  ++boxes_;
  return box_gap(at(a_.tree(), p.a), at(b_.tree(), p.b), placement_, enough_, axis) - slack_;
}

bool Front::is_leaf(Pair p) const noexcept {
  return at(a_.tree(), p.a).is_leaf() && at(b_.tree(), p.b).is_leaf();
}

std::array<Front::Pair, 2> Front::opened(Pair p) const noexcept {
  const Box &a = at(a_.tree(), p.a), &b = at(b_.tree(), p.b);
  const bool open_a = b.is_leaf() || (!a.is_leaf() && a.half[2] >= b.half[2]);
  if (open_a) return {{{a.child, p.b}, {a.child + 1, p.b}}};
  return {{{p.a, b.child}, {p.a, b.child + 1}}};
}

float Front::meet(Pair p, Curve& curve) noexcept {
  const double apart = curve.meet(at(a_.tree(), p.a).triangle(), at(b_.tree(), p.b).triangle());
  return static_cast<float>((1 - 1e-6) * apart) - slack_;
}

void Front::renew(List& list, int entry, Curve* curve) noexcept {
  const auto path = static_cast<float>(path_);
  for (;;) {
    const Pair p = at(list.pair, entry);
    float apart = gap(p, at(list.axis, entry));
    if (apart > 0 || is_leaf(p)) {
      if (apart <= 0 && curve != nullptr) apart = meet(p, *curve);
      at(list.due, entry) = path + std::max(apart, 0.0F);
      return;
    }
    const auto [first, second] = opened(p);
    if (!list.push(second)) {
      full_ = true;
      at(list.due, entry) = path;
      if (curve != nullptr) descend(p, *curve);
      return;
    }
    at(list.axis, list.size - 1) = at(list.axis, entry);
    at(list.pair, entry) = first;
  }
}

/// Without a memory: for what does not fit into the front.
void Front::descend(Pair p, Curve& curve) noexcept {
  int top = 0;
  at(stack_, top++) = p;
  std::uint8_t axis = 0;
  while (top > 0) {
    const Pair q = at(stack_, --top);
    if (gap(q, axis) > 0) continue;
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
    for (int i = 0; i < list->size; ++i) at(list->due, i) -= static_cast<float>(path_);
  }
  path_ = 0;
}

}  // namespace bristle::pair_detail
