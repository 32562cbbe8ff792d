#include <stdexcept>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bristle/normal/kelvin_voigt.hpp"
#include "engines.hpp"

namespace bristle::peers {
namespace {

constexpr double tip_radius = 0.01;

/// Contact parameters: MuJoCo has no restitution, but a spring and damper per contact can be given
/// (stiffness and damping per effective mass, negative by its convention).
std::string contact(const MujocoSettings& settings, double mu, double e) {
  std::string text = fmt::format(R"(condim="3" friction="{} 0.005 0.0001")", mu);
  if (settings.spring > 0) {
    const double omega = 3.14159265358979 / settings.spring;
    const double ratio = normal::kelvin_voigt_ratio(e);
    text += fmt::format(R"( solref="{} {}" solimp="0.99 0.99 0.001")", -omega * omega,
                        -2 * ratio * omega);
  }
  return text;
}

std::string header(const MujocoSettings& s, const Vector3& gravity, int contacts) {
  const char* lean =
      R"(<flag equality="disable" frictionloss="disable" limit="disable" passive="disable"
           clampctrl="disable" actuation="disable" sensornoise="disable"/>)";
  // Four rows per contact in a pyramidal cone; Newton and PGS keep dense matrices on the stack.
  return fmt::format(
      R"(<size njmax="{}" nconmax="{}" nstack="{}"/>
         <option timestep="0.001" gravity="{} {} {}" solver="{}" cone="{}" jacobian="{}" impratio="{}" noslip_iterations="{}">{}</option>)",
      4 * contacts + 20, contacts + 5, 1000000 + 240L * contacts * contacts, gravity.x(),
      gravity.y(), gravity.z(), s.solver, s.cone, s.jacobian, s.impratio, s.noslip,
      s.lean ? lean : "");
}

class MujocoEngine : public TestEngine {
 public:
  explicit MujocoEngine(const std::string& xml) {
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", static_cast<int>(xml.size() + 1));
    std::copy(xml.begin(), xml.end(), static_cast<char*>(files.filedata[0]));
    mju_user_error = [](const char* message) { throw std::runtime_error(message); };
    mju_user_warning = [](const char* message) { fmt::print(stderr, "MuJoCo: {}\n", message); };
    char error[1000] = "";
    model_ = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (model_ == nullptr) throw std::runtime_error(fmt::format("MuJoCo: {}\n{}", error, xml));
    data_ = mj_makeData(model_);
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  void step(double h) override {
    model_->opt.timestep = h;
    mj_step(model_, data_);
  }
  Vector3 position() const override { return Vector3::Map(data_->qpos); }
  Vector3 velocity() const override { return Vector3::Map(data_->qvel); }

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

class MujocoPendulum final : public MujocoEngine {
 public:
  using MujocoEngine::MujocoEngine;
  Vector3 position() const override {
    return Vector3::Map(data_->geom_xpos + 3 * (model_->ngeom - 1));
  }
  Vector3 velocity() const override { return {data_->qvel[0], data_->qvel[1], 0}; }
};

}  // namespace

std::unique_ptr<TestEngine> make_mujoco(const TestScene& scene, const MujocoSettings& settings) {
  const Box* box = std::get_if<Box>(&scene.shape);
  const Vector3 half = box ? Vector3(0.5 * box->size) : Vector3::Zero();
  const std::string shape =
      box ? fmt::format(R"(type="box" size="{} {} {}")", half.x(), half.y(), half.z())
          : fmt::format(R"(type="sphere" size="{}")", std::get<Sphere>(scene.shape).radius);
  const std::string material = contact(settings, scene.mu, scene.e);
  std::string bodies;
  for (int i = 0; i < scene.count; ++i) {
    const Vector3 at = cli::start_of(scene, i);
    // The bodies collide with the plane only, as in the other engines.
    bodies += fmt::format(R"(<body pos="{} {} {}"><freejoint/>
      <geom {} mass="{}" contype="0" conaffinity="1" {}/></body>)",
                          at.x(), at.y(), at.z(), shape, scene.mass, material);
  }
  auto engine = std::make_unique<MujocoEngine>(fmt::format(
      R"(<mujoco>{}<worldbody>
      <geom type="plane" size="100 100 1" contype="1" conaffinity="0" {}/>{}</worldbody></mujoco>)",
      header(settings, scene.gravity, (box ? 8 : 1) * scene.count), material, bodies));
  for (int i = 0; i < scene.count; ++i) {
    for (int k = 0; k < 3; ++k) engine->data_->qvel[6 * i + k] = scene.velocity[k];
  }
  return engine;
}

std::unique_ptr<TestEngine> make_mujoco(const PendulumScene& s, const MujocoSettings& settings) {
  const std::string material = contact(settings, s.mu, s.e);
  // Point masses need a trace of inertia.
  auto engine = std::make_unique<MujocoPendulum>(fmt::format(
      R"(<mujoco>{}<worldbody>
      <geom type="plane" size="10 10 1" pos="0 0 {}" contype="1" conaffinity="0" {}/>
      <body><joint type="hinge" axis="0 -1 0"/>
        <inertial pos="0 0 {}" mass="{}" diaginertia="1e-6 1e-6 1e-6"/>
        <body pos="0 0 {}"><joint type="hinge" axis="0 -1 0"/>
          <inertial pos="0 0 {}" mass="{}" diaginertia="1e-6 1e-6 1e-6"/>
          <geom type="sphere" size="{}" pos="0 0 {}" contype="0" conaffinity="1" {}/>
        </body></body></worldbody></mujoco>)",
      header(settings, Vector3(0, 0, -9.81), 1), s.floor - tip_radius, material, -s.l1, s.m1, -s.l1,
      -s.l2, s.m2, tip_radius, -s.l2, material));
  engine->data_->qpos[0] = s.phi1;
  engine->data_->qpos[1] = s.phi2;
  engine->data_->qvel[0] = s.rate1;
  engine->data_->qvel[1] = s.rate2;
  return engine;
}

std::string mujoco_version() { return mj_versionString(); }

}  // namespace bristle::peers
