#include "bristle/mujoco/mechanism.hpp"
#include "bristle/solve/world_step.hpp"
#include "rig.hpp"

namespace bristle::peers {
namespace {

/// Of the scenario peg-in-hole.
ContactPair pair(Side peg, Side wall, double mu) {
  ContactPair contact{peg, wall};
  contact.normal.set("k", 1e8);
  contact.normal.set("e", 0.3);
  for (const auto& [key, value] : {std::pair{"mu_s", mu},
                                   {"mu_k", mu},
                                   {"sigma0", 1.85e5},
                                   {"sigma1", 300.0},
                                   {"sigma2", 0.0},
                                   {"v_s", 1e-3},
                                   {"tau_dw", 0.5}}) {
    contact.friction.set(key, value);
  }
  return contact;
}

World peg_world() {
  World world;
  world.gravity.setZero();
  const MujocoModel model = parse_mujoco_model(builtin_mujoco_model("arm3.xml"), "arm3.xml");
  const Side peg = world.add(std::make_shared<MujocoMechanism>(
      *model, MujocoRobot{.name = "arm",
                          .links = {"peg"},
                          .places = peg_start(*model),
                          .control = peg_task()}));
  const Wall wall{chamfer, chamfer};
  const Eigen::Quaterniond about(Eigen::AngleAxisd(3.14159265358979312, Vector3::UnitZ()));
  const Side left = world.add(
      {.name = "left", .shape = wall, .pose = {{-0.5 * hole, 0, 0}}, .fixed = true});
  const Side right = world.add(
      {.name = "right", .shape = wall, .pose = {{0.5 * hole, 0, 0}, about}, .fixed = true});
  world.pairs = {pair(peg, left, mu_left), pair(peg, right, mu_right)};
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

}  // namespace

std::unique_ptr<PegRig> make_bristle_peg() { return std::make_unique<BristlePeg>(); }

}  // namespace bristle::peers
