#pragma once

/// What a run of bodies looks like: its parts, where they are frame after frame, and the forces
/// between them. The report draws it.
///
/// Frames are even in time; between them stand the instants at which bodies touch, press hardest
/// and part, so that an impact of a millisecond is seen in a run of a minute.

#include <optional>
#include <string>
#include <vector>

#include "bristle/shape/shape.hpp"

namespace bristle {

struct ScenePart {
  enum class Role { free, driven, fixed };

  std::string name{};
  Shape shape{};
  Role role = Role::free;
  Pose pose{};  ///< of the shape's frame, at the start
  /// The point whose path is drawn, in the shape's frame: for bodies their centre of mass.
  std::optional<Vector3> traced{};
};

/// The force of a contact on the first body of its pair that can move.
struct SceneForce {
  int pair = 0;
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero(), friction = Vector3::Zero();
};

struct SceneFrame {
  double t = 0;
  std::vector<Pose> poses{};  ///< of the shapes of the parts that move, in their order
  std::vector<SceneForce> forces{};
};

/// A stretch of time with a name, such as "flight". Whoever knows more of a run than its contacts
/// puts other names here.
struct SceneStage {
  double from = 0, to = 0;
  std::string text{};
};

struct Scene {
  std::vector<ScenePart> parts{};
  std::vector<std::string> pairs{};  ///< "ball – floor"
  std::vector<SceneFrame> frames{};
  std::vector<SceneStage> stages{};

  static bool moves(const ScenePart& part) noexcept { return part.role != ScenePart::Role::fixed; }
};

}  // namespace bristle
