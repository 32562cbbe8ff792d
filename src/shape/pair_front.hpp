#pragma once

// Which pairs of triangles may touch. The tree of pairs of boxes is cut where two boxes are apart,
// and the cut (the front) is kept from step to step: a pair of boxes whose distance was s cannot
// touch before the bodies have moved by s against each other, so it is not looked at again until
// the path length of B seen from A has grown by that much. Then the direction u in which the two
// were apart often settles it: their distance along u has changed by u·Δ, Δ the way of B's middle,
// and by no more than the path of B's turning. A pair that comes close is replaced by the pairs of
// its children; where the front has grown too fine it is built anew, a slice per step.
// Not installed.

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "pair_body.hpp"

namespace bristle::pair_detail {

class Curve;

/// The pose of B's middle seen from A's.
struct Placement {
  Eigen::Matrix3f rotation;
  Eigen::Vector3f offset;
};

/// How far a point of B has moved at most since the last step, seen from A: in all, and by turning
/// about B's middle.
struct Motion {
  double all = 0, turning = 0;
};

/// Along the best of the six axes of two boxes.
Separation box_gap(const Box& a, const Box& b, const Placement& m) noexcept;

class Front {
 public:
  Front(Body& a, Body& b, int capacity);

  /// From the roots again, at the next visit.
  void reset() noexcept;
  /// Hands all pairs of triangles that may touch to the curve.
  void visit(const Placement& placement, const Motion& motion, Curve& curve) noexcept;

  int size() const noexcept { return now_.size; }
  int capacity() const noexcept { return static_cast<int>(now_.due.size()); }
  void grow(int capacity);
  /// It did not fit: parts of the tree are descended anew at each step.
  bool is_full() const noexcept { return full_; }
  long boxes() const noexcept { return boxes_; }  ///< pairs of boxes looked at in the last visit

 private:
  struct Pair {
    int a, b;
  };
  /// The distance was, and is at least, rest + axis·(way of B's middle) − (path of B's turning).
  struct Margin {
    Eigen::Vector3f axis = Eigen::Vector3f::Zero();
    float rest = 0;
  };
  struct List {
    std::vector<float> due{};  ///< path length at which the pair must be looked at
    std::vector<Pair> pair{};
    std::vector<Margin> margin{};
    int size = 0;

    void resize(int capacity);
    void restart() noexcept;
    bool push(Pair p) noexcept;
  };

  Separation gap(Pair p) noexcept;
  bool is_leaf(Pair p) const noexcept;
  /// The two pairs below: the larger box is opened.
  std::array<Pair, 2> opened(Pair p) const noexcept;
  /// Looks at one entry; its children go to the end of the list. `curve` is null while the next
  /// front is built.
  void renew(List& list, int entry, Curve* curve) noexcept;
  void descend(Pair p, Curve& curve) noexcept;
  Separation meet(Pair p, Curve& curve) noexcept;
  void set(List& list, int entry, const Separation& apart) const noexcept;
  void build_slice() noexcept;
  void rebase() noexcept;

  Body& a_;
  Body& b_;
  List now_{}, next_{};
  std::vector<Pair> stack_{};
  Placement placement_{};
  double path_ = 0, turning_ = 0;
  float slack_ = 0;     ///< for the rounding of floats
  int built_size_ = 0;  ///< of `now_` when it was new
  int slice_at_ = -1;   ///< where the building of `next_` is; −1: not building
  bool full_ = false;
  long boxes_ = 0;
};

}  // namespace bristle::pair_detail
