#pragma once

/// An arm of turning joints in the x–z plane that holds a tool, moved by impedance control: the
/// planar test bed of Lin 2001, chapter 5, and robots like it.
///
///   M(q) q̈ = −c(q, q̇) + g(q) + J_cᵀ w,     w = K (x_d − x) + D (ẋ_d − ẋ) + w_d
///
/// q are the angles of the joints, each counted from the link before, from x towards z; x = (x, z,
/// φ) is the place of the compliance centre, a point of the tool, and φ the angle of the tool. A
/// force at the compliance centre moves the tool without turning it: with the centre at the tip of
/// a peg this is a remote-centre compliance. x_d follows given velocities; w_d is a given wrench.
///
/// The tool's frame has its z axis along the last link, pointing back to the wrist, so that a peg
/// that hangs down is upright.

#include <array>

#include <Eigen/Cholesky>

#include "bristle/system/mechanism.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

struct ArmSegment {
  double length = 0.5;   ///< to the next joint, or to the origin of the tool
  double mass = 1;       ///< of the link, with the tool in the last one
  double centre = 0.25;  ///< of mass, from the joint
  double inertia = 0;    ///< about the centre of mass
};

/// Of the compliance centre: along x, along z, turning.
struct Impedance {
  Eigen::Vector3d stiffness = Eigen::Vector3d::Zero();  ///< N/m, N/m, N m/rad
  Eigen::Vector3d damping = Eigen::Vector3d::Zero();    ///< N s/m, N s/m, N m s/rad
  std::array<Signal, 3> velocity{};                     ///< of x_d, from where the arm starts
  std::array<Signal, 3> wrench{};                       ///< w_d
  bool compensate = true;                               ///< motors carry the weight of the arm
};

struct PlanarArmSettings {
  std::string name = "arm";
  Vector3 base = Vector3::Zero();
  Vector3 gravity = Vector3::Zero();
  std::vector<ArmSegment> segments{};
  std::vector<double> joints{}, rates{};  ///< at the start
  std::string tool_name = "tool";
  Shape tool = Point{};
  Eigen::Vector2d compliance_centre = Eigen::Vector2d::Zero();  ///< x, z in the tool's frame
  Impedance control{};
};

class PlanarArm final : public Mechanism {
 public:
  static constexpr int most_joints = 8;

  /// InputError for masses, lengths and numbers of joints that cannot be.
  explicit PlanarArm(PlanarArmSettings settings);
  std::unique_ptr<Mechanism> clone() const override;

  /// Joint angles that put the compliance centre at (x, z) and turn the tool by φ, near `guess`;
  /// InputError if it is out of reach.
  static std::vector<double> joints_for(const PlanarArmSettings& settings,
                                        const Eigen::Vector3d& wanted, std::vector<double> guess);

  const PlanarArmSettings& settings() const noexcept { return s_; }
  const std::string& name() const noexcept override { return s_.name; }
  const std::vector<Link>& links() const noexcept override { return links_; }
  int places() const noexcept override { return n_; }
  int speeds() const noexcept override { return n_; }
  void initial(std::span<double> q, std::span<double> u) const override;
  std::vector<double> breaks(double duration) const override;
  void each_signal(const std::function<void(Signal&)>& see) override;
  void place(std::span<const double> q) noexcept override;
  void look(double t, std::span<const double> q, std::span<const double> u) noexcept override;
  Pose pose(int link) const noexcept override;
  const Columns& linear(int link) const noexcept override { return linear_[index(link)]; }
  const Columns& angular(int link) const noexcept override { return angular_[index(link)]; }
  const Vector& force() const noexcept override { return force_; }
  void solve(Vector& x) const noexcept override;
  double kinetic() const noexcept override { return kinetic_; }
  double potential() const noexcept override;
  const Vector& drive() const noexcept override { return drive_; }
  std::vector<Output> place_names() const override;
  std::vector<Output> speed_names() const override;
  /// x, z and angle of the compliance centre, where it is asked to be, and the wrench of control.
  std::vector<Output> outputs() const override;
  void show(std::span<double> values) const noexcept override;

 private:
  using Flat = Eigen::Vector2d;  // x and z
  using Joints = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_joints, most_joints>;

  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  /// Velocity of a point of segment i per unit of joint rate j ≤ i.
  Flat column(const Flat& point, int j) const noexcept;
  Flat origin(int link) const noexcept;
  Eigen::Vector3d controlled() const noexcept;
  void equations(std::span<const double> u) noexcept;
  void control(double t, std::span<const double> u) noexcept;
  void make_links();

  PlanarArmSettings s_;
  int n_ = 0;
  std::vector<double> body_length_;
  std::vector<Link> links_;                          ///< the segments, then the tool
  Eigen::Vector3d start_ = Eigen::Vector3d::Zero();  ///< of x_d
  // Of the last look or place:
  std::vector<Flat> joint_;               ///< n + 1: the last is the origin of the tool
  std::vector<double> angle_;             ///< of each segment from x towards z
  std::vector<Flat> direction_, centre_;  ///< of each segment; its centre of mass
  // Of the last look:
  std::vector<Columns> linear_, angular_;
  Vector force_, drive_;
  Joints mass_;
  Eigen::LLT<Joints> factor_;
  double kinetic_ = 0;
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero(), wrench_ = Eigen::Vector3d::Zero();
};

}  // namespace bristle
