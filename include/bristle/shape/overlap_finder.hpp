#pragma once

/// Finds what a pair of shapes shares, from pose to pose.
///
///   OverlapFinder finder(Sphere{0.1}, HalfSpace{});
///   for (const Overlap& piece : finder.find(ball, floor)) …
///
/// Pairs with a closed form or a quadrature are found by it (overlap_pairs.hpp). A mesh against a
/// half-space or another mesh is exact for its triangles. All other pairs of solids meet as meshes,
/// curved ones with facets that are off by no more than `chord` of their size.
///
/// A finder owns the memory it needs: find() allocates nothing, unless two meshes cross in more
/// places than they have triangles. Meshes are faster from one pose to a near one than to a far
/// one.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle {

class OverlapFinder {
 public:
  /// InputError for a pair that is not supported.
  OverlapFinder(const Shape& a, const Shape& b);
  OverlapFinder(const OverlapFinder&) = delete;
  OverlapFinder& operator=(const OverlapFinder&) = delete;
  OverlapFinder(OverlapFinder&&) noexcept;
  OverlapFinder& operator=(OverlapFinder&&) noexcept;
  ~OverlapFinder();

  /// The connected pieces of A ∩ B, in an order that does not depend on the past; none if they are
  /// apart. Valid until the next call.
  std::span<const Overlap> find(const Pose& a, const Pose& b) noexcept;
  /// The most pieces that find() gives; further ones are left out.
  int most_pieces() const noexcept;
  /// Why the last find() found nothing that can be trusted; null if all is well.
  const char* failure() const noexcept;

  /// Of facets that stand in for a curved surface, relative to the body's radius.
  static constexpr double chord = 1e-4;

  static bool supports(const Shape& a, const Shape& b) noexcept;
  /// "sphere – half-space", …: for messages.
  static std::vector<std::string> pairs();

  struct Method;

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace bristle
