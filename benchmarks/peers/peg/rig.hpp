#pragma once

// The peg of 0.49 inch in the hole of 0.61 inch, carried by the planar arm of models/arm3.xml under
// one and the same impedance control, with contact by MuJoCo and by Bristle.

#include <array>
#include <memory>
#include <string>

#include "bristle/mujoco/impedance.hpp"

namespace bristle::peers {

constexpr double step = 1e-3;
constexpr double hole = 15.494e-3, chamfer = 2e-3;   // m
constexpr double mu_left = 0.255, mu_right = 0.297;  // of the thesis
constexpr double insertion = 6.4, speed = 10e-3;     // s, m/s

/// The arm at its start, leaning by 0.08 rad and 2.5 mm off the axis, and its control: 10 mm/s into
/// the hole for 6 s, then held.
std::vector<double> peg_start(const mjModel& model);
TaskImpedance peg_task();

class PegRig {
 public:
  virtual ~PegRig() = default;
  /// One millisecond.
  virtual void advance() = 0;
  virtual double tip_height() const = 0;
  /// Of the peg on the left and the right wall, along the wall's normals: means of the last step.
  virtual std::array<double, 2> wall_loads() const = 0;
};

struct MujocoContactSettings {
  std::string name, solver = "Newton", cone = "pyramidal";
  double impratio = 1;
  int noslip = 0;
  double time_constant = 0.02;  ///< of its contact springs, s (solref)
};
std::unique_ptr<PegRig> make_mujoco_peg(const MujocoContactSettings& settings);

/// The arm a model of MuJoCo, its motion and contact ours (WorldStepper over a MujocoMechanism).
std::unique_ptr<PegRig> make_bristle_peg();
/// MuJoCo's loop, its arm and its step, with our contact in it (MujocoContact).
std::unique_ptr<PegRig> make_shared_peg();

}  // namespace bristle::peers
