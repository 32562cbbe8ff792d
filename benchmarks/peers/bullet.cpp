#include <vector>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include "engines.hpp"

namespace bristle::peers {
namespace {

constexpr double floor_half = 200;  ///< m

btVector3 to_bullet(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
Vector3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

class BulletEngine final : public TestEngine {
 public:
  BulletEngine(const TestScene& scene, const BulletSettings& settings)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(to_bullet(scene.gravity));
    if (settings.lean) world_.setForceUpdateAllAabbs(false);
    if (settings.bounce) {
      world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
      world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    }
    const Box* box = std::get_if<Box>(&scene.shape);
    if (box) {
      shape_ = std::make_unique<btBoxShape>(to_bullet(0.5 * box->size));
    } else {
      shape_ = std::make_unique<btSphereShape>(std::get<Sphere>(scene.shape).radius);
    }
    btVector3 inertia(0, 0, 0);
    shape_->calculateLocalInertia(scene.mass, inertia);
    // Restitution and friction of a pair are the products of both.
    const auto add = [&](btRigidBody::btRigidBodyConstructionInfo info, int group, int mask) {
      info.m_restitution = group == 1 ? 1 : scene.e;
      info.m_friction = group == 1 ? 1 : scene.mu;
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      btRigidBody& body = *bodies_.back();
      if (settings.bounce) body.setContactProcessingThreshold(0);
      if (!settings.sleep) body.setActivationState(DISABLE_DEACTIVATION);
      world_.addRigidBody(&body, group, mask);
      return &body;
    };
    for (int i = 0; i < scene.count; ++i) {
      btRigidBody* body = add({scene.mass, nullptr, shape_.get(), inertia}, 2, 1);
      btTransform at = btTransform::getIdentity();
      at.setOrigin(to_bullet(cli::start_of(scene, i)));
      body->setWorldTransform(at);
      body->setInterpolationWorldTransform(at);
      body->setLinearVelocity(to_bullet(scene.velocity));
    }
    // On a plane boxes get contact points one by one and slide up to 11 % too slowly; on the face
    // of a box they get all at once. Spheres are cheaper on a plane.
    if (box) {
      floor_ = std::make_unique<btBoxShape>(btVector3(floor_half, floor_half, 1));
    } else {
      floor_ = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
    }
    btRigidBody* floor = add({0, nullptr, floor_.get()}, 1, 2);
    btTransform below = btTransform::getIdentity();
    below.setOrigin(btVector3(0, 0, box ? -1 : 0));
    floor->setWorldTransform(below);
  }
  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void step(double h) override { world_.stepSimulation(h, 0); }
  Vector3 position() const override {
    return from_bullet(bodies_[0]->getWorldTransform().getOrigin());
  }
  Vector3 velocity() const override { return from_bullet(bodies_[0]->getLinearVelocity()); }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::unique_ptr<btCollisionShape> shape_, floor_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<TestEngine> make_bullet(const TestScene& scene, const BulletSettings& settings) {
  return std::make_unique<BulletEngine>(scene, settings);
}

std::string bullet_version() {
  return fmt::format("{}.{}", btGetVersion() / 100, btGetVersion() % 100);
}

}  // namespace bristle::peers
