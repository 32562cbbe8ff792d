#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/mujoco/reach.hpp"
#include "rig.hpp"

namespace bristle::peers {
namespace {

/// A wall of three boxes that fill it up to the chamfer: beside it, below it, and the slant.
std::string wall(const char* name, double side, double mu, const MujocoContactSettings& s) {
  constexpr double thick = 20e-3, deep = 120e-3, half_y = 10e-3;
  const std::string material = fmt::format(
      R"(contype="1" conaffinity="1" condim="3" friction="{} 0.005 0.0001" solref="{} 1" priority="1")",
      mu, s.time_constant);
  const auto box = [&](const char* part, double x0, double x1, double z0, double z1) {
    const double face = 0.5 * hole;
    return fmt::format(R"(<geom name="{}{}" type="box" pos="{} 0 {}" size="{} {} {}" {}/>)", name,
                       part, side * (face + 0.5 * (x0 + x1)), 0.5 * (z0 + z1), 0.5 * (x1 - x0),
                       half_y, 0.5 * (z1 - z0), material);
  };
  // The slant's box lies with its upper face on the chamfer.
  const double thin = 0.5e-3, along = std::numbers::sqrt2 * chamfer;
  const double out = std::numbers::sqrt2 / 2 * thin;
  const std::string slant = fmt::format(
      R"(<geom name="{}slant" type="box" pos="{} 0 {}" euler="0 {} 0" size="{} {} {}" {}/>)", name,
      side * (0.5 * hole + 0.5 * chamfer + out), -0.5 * chamfer - out, side * -std::numbers::pi / 4,
      0.5 * along, half_y, thin, material);
  return box("face", 0, thick, -deep, -chamfer) + box("top", chamfer, thick, -deep, 0) + slant;
}

/// models/arm3.xml with the peg free to touch, and the walls.
std::string scene(const MujocoContactSettings& s) {
  std::string xml(builtin_mujoco_model("arm3.xml"));
  const auto put = [&](const std::string& before, const std::string& text) {
    xml.insert(xml.find(before), text);
  };
  put("</worldbody>", wall("left", -1, mu_left, s) + wall("right", 1, mu_right, s));
  const std::string peg = R"(name="peg" )";
  xml.insert(xml.find(peg) + peg.size(), R"(contype="1" conaffinity="1" condim="3" )");
  put("<default>",
      fmt::format(R"(<option solver="{}" cone="{}" impratio="{}" noslip_iterations="{}"/>)",
                  s.solver, s.cone, s.impratio, s.noslip));
  return xml;
}

class MujocoPeg final : public PegRig {
 public:
  explicit MujocoPeg(const MujocoContactSettings& s)
      : model_(parse_mujoco_model(scene(s), "peg.xml")),
        data_(mj_makeData(model_.get()), mj_deleteData) {
    const std::vector<double> q = peg_start(*model_);
    std::copy(q.begin(), q.end(), data_->qpos);
    mj_forward(model_.get(), data_.get());
    control_ = std::make_unique<ImpedanceControl>(peg_task(), *model_, *data_);
    left_ = mj_name2id(model_.get(), mjOBJ_GEOM, "leftface");
  }
  void advance() override {
    mjData* d = data_.get();
    mj_step1(model_.get(), d);
    control_->force(*model_, *d, d->time, force_);
    std::copy(force_.data(), force_.data() + model_->nv, d->qfrc_applied);
    mj_step2(model_.get(), d);
  }
  double tip_height() const override { return control_->position(*data_).z(); }
  std::array<double, 2> wall_loads() const override {
    std::array<double, 2> loads{};
    for (int i = 0; i < data_->ncon; ++i) {
      mjtNum force[6];
      mj_contactForce(model_.get(), data_.get(), i, force);
      // Geoms of the walls come in order, three each.
      const int wall = std::min(data_->contact[i].geom1, data_->contact[i].geom2);
      loads[wall < left_ + 3 ? 0 : 1] += force[0];
    }
    return loads;
  }

 private:
  MujocoModel model_;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data_;
  std::unique_ptr<ImpedanceControl> control_;
  Mechanism::Vector force_;
  int left_ = 0;
};

}  // namespace

std::vector<double> peg_start(const mjModel& m) {
  const std::vector<double> over(m.key_qpos, m.key_qpos + m.nq);
  Pose tip = point_pose(m, over, "tip");
  tip.position = {2.5e-3, 0, 8e-3};
  tip.rotation = Eigen::AngleAxisd(0.08, Vector3::UnitY()) * tip.rotation;
  return reach(m, over, "tip", tip);
}

TaskImpedance peg_task() {
  return {
      .at = "tip",
      .stiffness = {2e3, 0, 20e3},
      .damping = {90, 0, 350},
      .turning = {0, 40, 0},
      .turn_damping = {0, 1.2, 0},
      .velocity = {Signal{}, Signal{},
                   Signal::table({0, 0.4, insertion - 0.4, insertion}, {0, -speed, -speed, 0})}};
}

std::unique_ptr<PegRig> make_mujoco_peg(const MujocoContactSettings& settings) {
  return std::make_unique<MujocoPeg>(settings);
}

}  // namespace bristle::peers
