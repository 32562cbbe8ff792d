// C++17: Simbody's headers have comparisons that C++20 finds ambiguous.

#include "simbody.hpp"

#include <Simbody.h>

namespace bristle::peers {

struct SimbodyMesh::System {
  SimTK::MultibodySystem system{};
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralContactSubsystem contacts{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::MobilizedBody::Free body{};
  SimTK::State state{};
};

namespace {

SimTK::ContactGeometry::TriangleMesh surface_of(const Mesh& mesh) {
  SimTK::Array_<SimTK::Vec3> vertices;
  for (const Vector3& v : mesh.vertices()) vertices.push_back(SimTK::Vec3(v.x(), v.y(), v.z()));
  SimTK::Array_<int> corners;
  for (const auto& t : mesh.triangles()) {
    for (const int k : t) corners.push_back(k);
  }
  return {vertices, corners};
}

}  // namespace

SimbodyMesh::SimbodyMesh(const Mesh& mesh, double stiffness, double mu)
    : system_(std::make_unique<System>()) {
  System& s = *system_;
  const SimTK::ContactSetIndex set = s.contacts.createContactSet();
  const SimTK::MassProperties mass(1, SimTK::Vec3(0), SimTK::Inertia(1e-2));
  s.body = SimTK::MobilizedBody::Free(s.matter.Ground(), SimTK::Transform(),
                                      SimTK::Body::Rigid(mass), SimTK::Transform());
  s.contacts.addBody(set, s.body, surface_of(mesh), SimTK::Transform());
  // Simbody's half-space is x ≥ 0.
  const SimTK::Rotation down(SimTK::Pi / 2, SimTK::YAxis);
  s.contacts.addBody(set, s.matter.updGround(), SimTK::ContactGeometry::HalfSpace(),
                     SimTK::Transform(down));
  SimTK::ElasticFoundationForce foundation(s.forces, s.contacts, set);
  foundation.setBodyParameters(SimTK::ContactSurfaceIndex(0), stiffness, 0, mu, mu, 0);
  foundation.setTransitionVelocity(1e-3);
  s.state = s.system.realizeTopology();
}
SimbodyMesh::~SimbodyMesh() = default;

Wrench SimbodyMesh::push(const Pose& pose, const Vector3& velocity) {
  System& s = *system_;
  const auto& q = pose.rotation;
  const SimTK::Rotation turn(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
  const Vector3& p = pose.position;
  s.body.setQToFitTransform(s.state, SimTK::Transform(turn, SimTK::Vec3(p.x(), p.y(), p.z())));
  s.body.setUToFitLinearVelocity(s.state, SimTK::Vec3(velocity.x(), velocity.y(), velocity.z()));
  s.system.realize(s.state, SimTK::Stage::Dynamics);
  const SimTK::SpatialVec w =
      s.system.getRigidBodyForces(s.state, SimTK::Stage::Dynamics)[s.body.getMobilizedBodyIndex()];
  return {{w[1][0], w[1][1], w[1][2]}, {w[0][0], w[0][1], w[0][2]}};
}

std::string simbody_version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace bristle::peers
