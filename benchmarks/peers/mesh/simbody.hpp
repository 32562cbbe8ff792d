#pragma once

#include <memory>
#include <string>

#include "bristle/shape/mesh.hpp"

namespace bristle::peers {

/// On the body, about its origin, world axes.
struct Wrench {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
};

/// One free body with this mesh for a surface over the half-space z ≤ 0, Simbody's elastic
/// foundation between them.
class SimbodyMesh {
 public:
  SimbodyMesh(const Mesh& mesh, double stiffness, double mu);
  ~SimbodyMesh();
  SimbodyMesh(const SimbodyMesh&) = delete;
  SimbodyMesh& operator=(const SimbodyMesh&) = delete;

  Wrench push(const Pose& pose, const Vector3& velocity);

 private:
  struct System;
  std::unique_ptr<System> system_;
};

std::string simbody_version();

}  // namespace bristle::peers
