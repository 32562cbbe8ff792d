#pragma once

/// A robot from MuJoCo as a Mechanism: MuJoCo has its joints, masses, motors, limits and
/// equalities, Bristle the contact of the links that are named.
///
///   const MujocoModel model = load_mujoco_model("arm7.xml");
///   World world;
///   const Side peg = world.add(std::make_shared<MujocoMechanism>(
///       *model, MujocoRobot{.name = "arm", .links = {"peg"}, .control = task}));
///
/// A link is named by its geom, by its body (then each geom of the body is a link) or by a site (a
/// point). Geoms of MuJoCo's world are links that stay. Pairs of geoms that are both links are
/// contact of ours: MuJoCo's own collision of such a pair is dropped before it becomes a
/// constraint, pair by pair and without any setting that the whole process would share. All other
/// contact of the model stays MuJoCo's.
///
/// Places are qpos, speeds qvel, quaternions and all; a free joint's rotation has speeds in the
/// body's axes. Gravity is the model's. The solver of MuJoCo's constraints starts cold, so that
/// forces depend on time, place and speed alone.
///
/// Limits. MuJoCo's constraints (limits, equalities, dry friction of joints, its own contacts)
/// answer to the motion and not, within one instant, to contact forces of ours; their forces are
/// soft, and so is a closed loop under our contact. Actuators with a state of their own are
/// refused.
///
/// Memory: MuJoCo computes in buffers that its mjData has from the start (mjData::stack, nconmax,
/// njmax), so that looking allocates nothing, neither here nor there; a test counts both. A clone
/// has an mjData of its own and shares the model.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/mujoco/impedance.hpp"
#include "bristle/mujoco/model.hpp"
#include "bristle/system/mechanism.hpp"

namespace bristle {

struct MujocoRobot {
  std::string name = "robot";
  std::vector<std::string> links{};  ///< link "peg" of robot "arm" is called "arm.peg"
  std::optional<Vector3> gravity{};  ///< the model's, unless told
  std::vector<double> places{};      ///< qpos at the start; empty: as the model says
  std::vector<double> speeds{};      ///< qvel at the start; empty: at rest
  std::optional<TaskImpedance> control{};
  std::vector<std::pair<std::string, Signal>> actuators{};  ///< what is given to them; others: 0
};

class MujocoMechanism final : public Mechanism {
 public:
  /// InputError for names that are not there, shapes and actuators that cannot be, too many speeds.
  MujocoMechanism(const mjModel& model, MujocoRobot robot);
  MujocoMechanism(const MujocoMechanism& other);
  MujocoMechanism& operator=(const MujocoMechanism&) = delete;
  MujocoMechanism(MujocoMechanism&&) = delete;
  MujocoMechanism& operator=(MujocoMechanism&&) = delete;
  ~MujocoMechanism() override = default;
  std::unique_ptr<Mechanism> clone() const override;

  const std::string& name() const noexcept override { return robot_.name; }
  const std::vector<Link>& links() const noexcept override { return links_; }
  int places() const noexcept override { return model_->nq; }
  int speeds() const noexcept override { return model_->nv; }
  void initial(std::span<double> q, std::span<double> u) const override;
  std::vector<double> breaks(double duration) const override;
  void each_signal(const std::function<void(Signal&)>& see) override;

  void place(std::span<const double> q) noexcept override;
  void look(double t, std::span<const double> q, std::span<const double> u) noexcept override;

  Pose pose(int link) const noexcept override;
  const Columns& linear(int link) const noexcept override;
  const Columns& angular(int link) const noexcept override;
  const Vector& force() const noexcept override { return force_; }
  void solve(Vector& x) const noexcept override;
  double kinetic() const noexcept override { return data_->energy[1]; }
  double potential() const noexcept override { return data_->energy[0]; }
  const Vector& drive() const noexcept override { return drive_; }

  void rate(std::span<const double> u, std::span<double> dq) const noexcept override;
  void move(std::span<double> q, std::span<const double> u, double h) const noexcept override;
  void normalise(std::span<double> q) const noexcept override;

  std::vector<Output> place_names() const override;
  std::vector<Output> speed_names() const override;
  std::vector<Output> outputs() const override;
  void show(std::span<double> values) const noexcept override;

  const mjModel& model() const noexcept { return *model_; }
  /// As the last look left it.
  const mjData& data() const noexcept { return *data_; }
  /// What MuJoCo warned of so far: "contact buffer full", …
  std::vector<std::string> warnings() const;

 private:
  struct DeleteData {
    void operator()(mjData* data) const noexcept { mj_deleteData(data); }
  };
  /// Where a link is: the frame of its shape in that of its body.
  struct Place {
    int body = 0;
    Pose at{};
  };
  void add_link(const std::string& name);
  Pose body_pose(int body) const noexcept;
  void start();
  void positions() noexcept;
  void drop_own_contacts() noexcept;
  void columns() noexcept;

  MujocoRobot robot_;
  MujocoModel model_;
  std::unique_ptr<mjData, DeleteData> data_;
  std::vector<Link> links_;
  std::vector<Place> place_;  // of each link
  std::vector<bool> ours_;    // of each geom: is a link
  std::vector<int> driven_;   // actuators of robot_.actuators
  std::optional<ImpedanceControl> control_;
  std::vector<double> looked_;  // places of the last look
  std::vector<Columns> linear_, angular_;
  Vector force_, drive_, commanded_;
};

/// Drops those of `data`'s contacts whose geoms are both marked; true if there were any. What
/// MuJoCo made of its contacts since has to be made again.
bool drop_contacts(mjData& data, const std::vector<bool>& ours) noexcept;

}  // namespace bristle
