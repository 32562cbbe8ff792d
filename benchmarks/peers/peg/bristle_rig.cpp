#include <algorithm>
#include <numbers>

#include "bristle/mujoco/contact.hpp"
#include "bristle/mujoco/mechanism.hpp"
#include "bristle/solve/world_step.hpp"
#include "rig.hpp"

namespace bristle::peers {
namespace {

/// Of the scenario peg-in-hole.
AnyNormal normal_law() {
  AnyNormal law("gonthier");
  law.set("k", 1e8);
  law.set("e", 0.3);
  return law;
}
AnyLaw friction_law(double mu) {
  AnyLaw law("gonthier");
  law.set("mu_s", mu);
  law.set("mu_k", mu);
  law.set("sigma0", 1.85e5);
  law.set("sigma1", 300);
  law.set("sigma2", 0);
  law.set("v_s", 1e-3);
  law.set("tau_dw", 0.5);
  return law;
}
MujocoModel arm() { return parse_mujoco_model(builtin_mujoco_model("arm3.xml"), "arm3.xml"); }
std::vector<RigidBody> walls() {
  const Wall wall{chamfer, chamfer};
  const Eigen::Quaterniond about(Eigen::AngleAxisd(std::numbers::pi, Vector3::UnitZ()));
  return {{.name = "left", .shape = wall, .pose = {{-0.5 * hole, 0, 0}}, .fixed = true},
          {.name = "right", .shape = wall, .pose = {{0.5 * hole, 0, 0}, about}, .fixed = true}};
}

World peg_world() {
  World world;
  world.gravity.setZero();
  const MujocoModel model = arm();
  const Side peg = world.add(std::make_shared<MujocoMechanism>(
      *model,
      MujocoRobot{
          .name = "arm", .links = {"peg"}, .places = peg_start(*model), .control = peg_task()}));
  const std::vector<RigidBody> two = walls();
  world.pairs = {{peg, world.add(two[0]), normal_law(), friction_law(mu_left)},
                 {peg, world.add(two[1]), normal_law(), friction_law(mu_right)}};
  return world;
}

class BristlePeg final : public PegRig {
 public:
  BristlePeg() : world_(peg_world()), stepper_(world_), shown_(world_.mechanisms[0]->clone()) {
    stepper_.keep_books(true);
    sites_ = stepper_.sites() / 2;
  }
  void advance() override {
    before_ = impulses();
    stepper_.step(step);
  }
  double tip_height() const override {
    shown_->place(stepper_.places(0));
    return apply(shown_->pose(0), Vector3(0, 0, -0.06)).z();
  }
  std::array<double, 2> wall_loads() const override {
    const std::array<double, 2> now = impulses();
    return {(now[0] - before_[0]) / step, (now[1] - before_[1]) / step};
  }

 private:
  std::array<double, 2> impulses() const {
    std::array<double, 2> sum{};
    for (int i = 0; i < stepper_.sites(); ++i) {
      sum[i < sites_ ? 0 : 1] += stepper_.books()[static_cast<std::size_t>(5 * i + 4)];
    }
    return sum;
  }

  World world_;
  WorldStepper stepper_;
  std::unique_ptr<Mechanism> shown_;
  std::array<double, 2> before_{};
  int sites_ = 0;
};

class SharedPeg final : public PegRig {
 public:
  SharedPeg() : model_(arm()), data_(mj_makeData(model_.get()), mj_deleteData) {
    const std::vector<double> q = peg_start(*model_);
    std::copy(q.begin(), q.end(), data_->qpos);
    mj_forward(model_.get(), data_.get());
    control_ = std::make_unique<ImpedanceControl>(peg_task(), *model_, *data_);
    contact_ = std::make_unique<MujocoContact>(
        *model_, *data_,
        std::vector<MujocoPair>{{"peg", "left", normal_law(), friction_law(mu_left)},
                                {"peg", "right", normal_law(), friction_law(mu_right)}},
        walls());
  }
  void advance() override {
    mjData* d = data_.get();
    before_ = impulses();
    mj_step1(model_.get(), d);
    control_->force(*model_, *d, d->time, force_);
    std::copy(force_.data(), force_.data() + model_->nv, d->qfrc_applied);
    contact_->apply(model_.get(), d);
    mj_step2(model_.get(), d);
  }
  double tip_height() const override { return control_->position(*data_).z(); }
  std::array<double, 2> wall_loads() const override {
    const std::array<double, 2> now = impulses();
    return {(now[0] - before_[0]) / step, (now[1] - before_[1]) / step};
  }

 private:
  std::array<double, 2> impulses() const {
    return {contact_->account(0).impulse, contact_->account(1).impulse};
  }

  MujocoModel model_;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data_;
  std::unique_ptr<ImpedanceControl> control_;
  std::unique_ptr<MujocoContact> contact_;
  Mechanism::Vector force_;
  std::array<double, 2> before_{};
};

}  // namespace

std::unique_ptr<PegRig> make_shared_peg() { return std::make_unique<SharedPeg>(); }
std::unique_ptr<PegRig> make_bristle_peg() { return std::make_unique<BristlePeg>(); }

}  // namespace bristle::peers
