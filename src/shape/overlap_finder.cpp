#include "bristle/shape/overlap_finder.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/error.hpp"
#include "bristle/shape/mesh_half_space.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "bristle/shape/mesh_pair.hpp"
#include "bristle/shape/overlap_pairs.hpp"

namespace bristle {

struct OverlapFinder::Method {
  virtual ~Method() = default;
  virtual std::span<const Overlap> find(const Pose& a, const Pose& b) noexcept = 0;
  virtual int most() const noexcept { return many; }
  virtual const char* failure() const noexcept { return nullptr; }
  static constexpr int many = 16;
};

namespace {

using Pieces = std::span<const Overlap>;

/// Closed forms and quadrature.
struct Analytic final : OverlapFinder::Method {
  Shape a, b;
  std::array<Overlap, 1> piece{};
  Analytic(Shape one, Shape other) : a(std::move(one)), b(std::move(other)) {}
  Pieces find(const Pose& pose_a, const Pose& pose_b) noexcept override {
    return {piece.data(), static_cast<std::size_t>(overlap(a, pose_a, b, pose_b, piece))};
  }
  int most() const noexcept override { return 1; }
};

struct AgainstHalfSpace final : OverlapFinder::Method {
  MeshHalfSpace finder;
  explicit AgainstHalfSpace(std::shared_ptr<const Mesh> mesh) : finder(std::move(mesh)) {}
  Pieces find(const Pose& mesh, const Pose& half_space) noexcept override {
    return finder.find(mesh, half_space);
  }
};

struct TwoMeshes final : OverlapFinder::Method {
  MeshPair finder;
  TwoMeshes(std::shared_ptr<const Mesh> a, std::shared_ptr<const Mesh> b)
      : finder(std::move(a), std::move(b)) {}
  Pieces find(const Pose& a, const Pose& b) noexcept override {
    const Pieces pieces = finder.find(a, b);
    return finder.status() == MeshPairStatus::overflow ? finder.prepare(a, b) : pieces;
  }
  const char* failure() const noexcept override {
    return finder.status() == MeshPairStatus::ok
               ? nullptr
               : "the curve in which the two meshes meet is not closed: one crosses itself";
  }
};

/// A and B exchanged.
struct Exchanged final : OverlapFinder::Method {
  std::unique_ptr<OverlapFinder::Method> other;
  std::array<Overlap, many> pieces{};
  explicit Exchanged(std::unique_ptr<OverlapFinder::Method> method) : other(std::move(method)) {}
  Pieces find(const Pose& a, const Pose& b) noexcept override {
    const Pieces found = other->find(b, a);
    const std::size_t count = std::min(found.size(), pieces.size());
    for (std::size_t i = 0; i < count; ++i) pieces[i] = flipped(found[i]);
    return {pieces.data(), count};
  }
  int most() const noexcept override { return other->most(); }
  const char* failure() const noexcept override { return other->failure(); }
};

bool is_mesh(const Shape& shape) noexcept { return std::holds_alternative<MeshShape>(shape); }
bool is_flat(const Shape& shape) noexcept { return std::holds_alternative<HalfSpace>(shape); }
/// Solids that can stand in as a mesh.
bool is_bounded(const Shape& shape) noexcept {
  return volume(shape) > 0 && std::isfinite(volume(shape));
}

std::shared_ptr<const Mesh> as_mesh(const Shape& shape) {
  if (is_mesh(shape)) return std::get<MeshShape>(shape).mesh;
  return Mesh::make(tessellate(shape, OverlapFinder::chord * bounding_radius(shape)));
}

std::unique_ptr<OverlapFinder::Method> make_method(const Shape& a, const Shape& b) {
  if (can_overlap(a, b)) return std::make_unique<Analytic>(a, b);
  if (is_mesh(a) && is_flat(b)) {
    return std::make_unique<AgainstHalfSpace>(std::get<MeshShape>(a).mesh);
  }
  if (is_flat(a)) return std::make_unique<Exchanged>(make_method(b, a));
  return std::make_unique<TwoMeshes>(as_mesh(a), as_mesh(b));
}

}  // namespace

OverlapFinder::OverlapFinder(const Shape& a, const Shape& b) {
  if (!supports(a, b)) {
    throw InputError({.message = "no volumetric contact between these shapes",
                      .value = fmt::format("{} – {}", name(a), name(b)),
                      .expected = fmt::format("{}", fmt::join(pairs(), ", "))});
  }
  method_ = make_method(a, b);
}
OverlapFinder::OverlapFinder(OverlapFinder&&) noexcept = default;
OverlapFinder& OverlapFinder::operator=(OverlapFinder&&) noexcept = default;
OverlapFinder::~OverlapFinder() = default;

std::span<const Overlap> OverlapFinder::find(const Pose& a, const Pose& b) noexcept {
  const Pieces pieces = method_->find(a, b);
  return pieces.first(std::min(pieces.size(), static_cast<std::size_t>(most_pieces())));
}
int OverlapFinder::most_pieces() const noexcept { return method_->most(); }
const char* OverlapFinder::failure() const noexcept { return method_->failure(); }

bool OverlapFinder::supports(const Shape& a, const Shape& b) noexcept {
  if (can_overlap(a, b)) return true;
  const auto fits = [](const Shape& shape) { return is_mesh(shape) || is_bounded(shape); };
  if (is_flat(a)) return is_mesh(b);
  if (is_flat(b)) return is_mesh(a);
  return fits(a) && fits(b);
}
std::vector<std::string> OverlapFinder::pairs() {
  std::vector<std::string> list = overlap_pairs();
  list.emplace_back("mesh – half-space");
  list.emplace_back("any two of mesh, sphere, ellipsoid, box, cylinder, cone, capsule");
  return list;
}

}  // namespace bristle
