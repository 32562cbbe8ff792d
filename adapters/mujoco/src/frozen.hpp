#pragma once

// A robot whose masses, Jacobians and forces are those of one instant, for the length of a step:
// its places are small displacements from there, one for each speed.

#include <memory>
#include <string>
#include <vector>

#include "bristle/mujoco/model.hpp"
#include "bristle/system/mechanism.hpp"

namespace bristle::detail {

/// That instant. All copies of a frozen robot look at the same one.
struct Instant {
  struct Place {
    int body = 0;
    Pose at{};
  };
  std::vector<Link> links{};
  std::vector<Place> places{};
  const mjModel* m = nullptr;
  mjData* d = nullptr;
  std::vector<Pose> poses{};
  std::vector<Mechanism::Columns> linear{}, angular{};
  Mechanism::Vector force{}, speed{}, none{};

  /// Of a link by the name of its geom, body or site, which is added if it is new.
  int link(const mjModel& model, const std::string& name);
  /// From data whose mass matrix is factored and whose forces are known.
  void take(const mjModel* model, mjData* data) noexcept;
};

class FrozenRobot final : public Mechanism {
 public:
  explicit FrozenRobot(std::shared_ptr<Instant> instant);
  std::unique_ptr<Mechanism> clone() const override;
  const std::string& name() const noexcept override { return name_; }
  const std::vector<Link>& links() const noexcept override { return now_->links; }
  int places() const noexcept override { return now_->m->nv; }
  int speeds() const noexcept override { return now_->m->nv; }
  void initial(std::span<double> q, std::span<double> u) const override;
  std::vector<double> breaks(double) const override { return {}; }
  void place(std::span<const double> q) noexcept override;
  void look(double t, std::span<const double> q, std::span<const double> u) noexcept override;
  Pose pose(int link) const noexcept override;
  const Columns& linear(int link) const noexcept override;
  const Columns& angular(int link) const noexcept override;
  const Vector& force() const noexcept override { return now_->force; }
  void solve(Vector& x) const noexcept override;
  double kinetic() const noexcept override;
  /// Of the forces, which are constant.
  double potential() const noexcept override { return -now_->force.dot(at_); }
  const Vector& drive() const noexcept override { return now_->none; }
  std::vector<Output> place_names() const override;
  std::vector<Output> speed_names() const override;

 private:
  std::string name_ = "mujoco";
  std::shared_ptr<Instant> now_;
  Vector at_, moving_;
};

}  // namespace bristle::detail
