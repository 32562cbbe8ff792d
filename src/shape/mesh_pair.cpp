#include "bristle/shape/mesh_pair.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "pair_front.hpp"
#include "pair_patches.hpp"

namespace bristle {
namespace {

using namespace pair_detail;

int room(int asked, int usual, int least, int most) noexcept {
  return asked > 0 ? asked : std::clamp(usual, least, most);
}
int triangles(const Mesh& a, const Mesh& b) noexcept {
  return static_cast<int>(std::min<std::size_t>(a.triangles().size() + b.triangles().size(),
                                                std::numeric_limits<int>::max() / 64));
}

/// The corners of the box around a mesh, along its own axes.
std::array<Vector3, 8> corners(const Mesh& mesh) noexcept {
  Vector3 low = mesh.vertices().front(), high = low;
  for (const Vector3& v : mesh.vertices()) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  std::array<Vector3, 8> out;
  for (unsigned i = 0; i < 8; ++i) {
    out[i] = {(i & 1U) != 0 ? high.x() : low.x(), (i & 2U) != 0 ? high.y() : low.y(),
              (i & 4U) != 0 ? high.z() : low.z()};
  }
  return out;
}

}  // namespace

struct MeshPair::Parts {
  Parts(std::shared_ptr<const Mesh> mesh_a, std::shared_ptr<const Mesh> mesh_b,
        const MeshPairOptions& options)
      : shape_a(std::move(mesh_a)),
        shape_b(std::move(mesh_b)),
        a(shape_a, true),
        b(shape_b, false),
        front(a, b, room(options.front, 64 * triangles(*shape_a, *shape_b), 1 << 14, 1 << 22)),
        curve(a, b, room(options.crossings, triangles(*shape_a, *shape_b), 1 << 10, 1 << 16)),
        inside(a, b, curve.capacity()),
        patches(a, b, curve.capacity()),
        coherent(options.coherent),
        corners_b(corners(*shape_b)) {}

  std::shared_ptr<const Mesh> shape_a, shape_b;
  Body a, b;
  Front front;
  Curve curve;
  Inside inside;
  Patches patches;
  bool coherent;
  std::array<Vector3, 8> corners_b;
  MeshPairStatus status = MeshPairStatus::ok;
  std::uint32_t step = 1;
  Pose pose_a{};
  Matrix3 rotation = Matrix3::Identity();  ///< of B seen from A
  Vector3 position = Vector3::Zero();
  bool is_first = true;

  void begin_step(const Pose& pose_b) noexcept;
  void find() noexcept;
  void grow(int crossings);
};

/// Places B in A's frame and tells the front how far it has moved: a rigid motion moves no point of
/// a box further than one of its corners.
void MeshPair::Parts::begin_step(const Pose& pose_b) noexcept {
  const Matrix3 old_rotation = rotation;
  const Vector3 old_position = position;
  const Pose relative = compose(inverse(pose_a), pose_b);
  rotation = relative.rotation.toRotationMatrix();
  position = relative.position;
  if (++step == 0) {
    a.forget();
    b.forget();
    step = 2;
  }
  a.move(Matrix3::Identity(), Vector3::Zero(), step);
  b.move(rotation, position, step);

  Motion motion;
  for (const Vector3& c : corners_b) {
    const Vector3 turned = (rotation - old_rotation) * (c - b.middle());
    const Vector3 way = (rotation - old_rotation) * b.middle() + position - old_position;
    motion.turning = std::max(motion.turning, turned.norm());
    motion.all = std::max(motion.all, (turned + way).norm());
  }
  const bool jumped = !(motion.all < 0.1 * std::min(a.radius(), b.radius()));
  if (is_first || jumped || !coherent) {
    front.reset();
    motion = {};
  }
  is_first = false;

  const Vector3 offset = rotation * b.middle() + position - a.middle();
  const Placement placement{rotation.cast<float>(), offset.cast<float>()};
  curve.clear();
  patches.clear();
  front.visit(placement, motion, curve);
}

void MeshPair::Parts::find() noexcept {
  status = MeshPairStatus::ok;
  if (curve.is_full()) {
    status = MeshPairStatus::overflow;
  } else if (!curve.close()) {
    status = MeshPairStatus::inconsistent;
  } else {
    inside.find(curve);
    patches.find(curve, inside, pose_a);
  }
  if (status != MeshPairStatus::ok) curve.clear();
}

void MeshPair::Parts::grow(int crossings) {
  curve.grow(crossings);
  inside.grow(crossings);
  patches.grow(crossings);
}

MeshPair::MeshPair(std::shared_ptr<const Mesh> a, std::shared_ptr<const Mesh> b,
                   const MeshPairOptions& options)
    : parts_(std::make_unique<Parts>(std::move(a), std::move(b), options)) {}
MeshPair::MeshPair(MeshPair&&) noexcept = default;
MeshPair& MeshPair::operator=(MeshPair&&) noexcept = default;
MeshPair::~MeshPair() = default;

std::span<const Overlap> MeshPair::find(const Pose& a, const Pose& b) noexcept {
  parts_->pose_a = a;
  parts_->begin_step(b);
  parts_->find();
  return parts_->patches.overlaps();
}

std::span<const Overlap> MeshPair::prepare(const Pose& a, const Pose& b) {
  Parts& p = *parts_;
  for (;;) {
    p.is_first = true;
    find(a, b);
    const bool few = status() == MeshPairStatus::overflow ||
                     (!p.front.is_full() && 2 * p.curve.pieces() > p.curve.capacity());
    if (!few && 2 * p.front.size() <= p.front.capacity()) return p.patches.overlaps();
    if (few) p.grow(2 * p.curve.capacity());
    if (2 * p.front.size() > p.front.capacity()) p.front.grow(2 * p.front.capacity());
  }
}

MeshPairStatus MeshPair::status() const noexcept { return parts_->status; }

std::span<const MeshPairSegment> MeshPair::segments() noexcept {
  return parts_->patches.segments(parts_->curve, parts_->pose_a);
}

MeshPairWork MeshPair::work() const noexcept {
  const Parts& p = *parts_;
  return {p.front.boxes(),  p.curve.pairs(),
          p.curve.pieces(), p.inside.vertices(0) + p.inside.vertices(1),
          p.inside.rays(),  p.front.size()};
}

const std::shared_ptr<const Mesh>& MeshPair::a() const noexcept { return parts_->shape_a; }
const std::shared_ptr<const Mesh>& MeshPair::b() const noexcept { return parts_->shape_b; }

}  // namespace bristle
