#pragma once

/// Contact of ours in a MuJoCo loop that is yours:
///
///   MujocoContact contact(*m, *d, {{"peg", "left", normal, friction}, {"peg", "right", …}});
///   while (…) {
///     mj_step1(m, d);
///     …                       // control, as ever
///     contact.apply(m, d);
///     mj_step2(m, d);
///   }
///
/// apply() takes place, velocity, forces and mass matrix as mj_step1 left them, freezes masses and
/// Jacobians over the step, and steps the contact of the pairs in it as WorldStepper does: with
/// touch-downs, sub-steps and bristles. It adds the mean of the contact forces over the step to
/// qfrc_applied, and shifts qpos so that MuJoCo's step, which moves with the velocity of its end,
/// ends where contact ended: where nothing touched, neither is changed. What it added it takes away
/// again in the next call, unless the program has written that number since.
///
/// A pair is named by geoms, bodies with one geom, or sites; those of MuJoCo's world may be among
/// them. Fixtures are fixed or driven bodies of ours that MuJoCo knows nothing of, of any shape:
/// chamfered walls, bores. Contacts that MuJoCo finds between geoms of pairs are dropped by
/// apply(), and all that MuJoCo made of them is made anew: better mask them in the model (contype,
/// conaffinity) and save the time. Pairs of two geoms that both occur but are not listed do not
/// touch.
///
/// Limits. The integrator is Euler or implicit: within a step of Runge and Kutta there is no place
/// for it. Joint damping, which MuJoCo's Euler takes implicitly, is seen as at the start of the
/// step. After set-up nothing allocates and nothing throws.

#include <memory>
#include <string>
#include <vector>

#include "bristle/friction/any_law.hpp"
#include "bristle/mujoco/model.hpp"
#include "bristle/normal/any_normal.hpp"
#include "bristle/solve/world_step.hpp"

namespace bristle {

struct MujocoPair {
  std::string a{}, b{};
  AnyNormal normal{"gonthier"};
  AnyLaw friction{"gonthier"};
};

class MujocoContact {
 public:
  /// `data` is where the loop starts. InputError for names that are not there, shapes that cannot
  /// touch, and the integrator RK4.
  MujocoContact(const mjModel& model, const mjData& data, const std::vector<MujocoPair>& pairs,
                std::vector<RigidBody> fixtures = {}, const StepBudget& budget = {});
  MujocoContact(const MujocoContact&) = delete;
  MujocoContact& operator=(const MujocoContact&) = delete;
  MujocoContact(MujocoContact&&) noexcept;
  MujocoContact& operator=(MujocoContact&&) noexcept;
  ~MujocoContact();

  /// Between mj_step1 and mj_step2, for a step of m->opt.timestep. The model is the one of set-up.
  void apply(const mjModel* m, mjData* d) noexcept;
  /// Forgets all contact: after mj_resetData or a jump. Allocates.
  void reset(const mjModel& model, const mjData& data);

  struct Reading {
    int touching = 0;  ///< points
    double depth = 0;  ///< of the deepest, m
    double load = 0;   ///< sum of their normal forces, N
    Vector3 friction = Vector3::Zero();
  };
  /// Of a pair, at the end of the last step.
  Reading read(int pair) const noexcept;
  /// Of a pair since set-up, J and N s.
  struct Account {
    double friction_work = 0, friction_dissipation = 0, normal_work = 0, normal_dissipation = 0,
           impulse = 0;
  };
  Account account(int pair) const noexcept;
  /// What the last call added to qfrc_applied.
  std::span<const double> force() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace bristle
