#pragma once

// Small models for the tests, written out so that a reader sees what is compared.

#include <string>

#include "bristle/mujoco/mechanism.hpp"

namespace bristle::testing_mujoco {

/// Every kind of joint, a spring, a damper, a tendon, a motor; nothing touches.
inline const char* const mixed = R"(
<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="base" pos="0.1 0.2 1">
      <freejoint name="base"/>
      <geom name="trunk" type="box" size="0.1 0.08 0.05" mass="3"/>
      <body name="upper" pos="0.1 0 0">
        <joint name="shoulder" type="ball" damping="0.1" stiffness="2"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="1"/>
        <body name="lower" pos="0.3 0 0">
          <joint name="elbow" type="hinge" axis="0 1 0.2" damping="0.2" stiffness="3" springref="0.4"/>
          <geom name="bar" type="cylinder" fromto="0 0 0 0 0 -0.2" size="0.03" mass="0.7"/>
          <body name="end" pos="0 0 -0.2">
            <joint name="reach" type="slide" axis="0 0 1" armature="0.1"/>
            <geom name="ball" type="sphere" size="0.04" pos="0 0 -0.02" mass="0.5"/>
            <site name="tip" pos="0.01 0 -0.06" euler="0 30 0"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="cable" stiffness="20" damping="0.3">
    <joint joint="elbow" coef="0.1"/><joint joint="reach" coef="1"/></fixed></tendon>
  <actuator><motor name="motor" joint="elbow" gear="2"/></actuator>
</mujoco>)";

/// Two rods in the plane y = 0, as our DoublePendulum has them: angles from the vertical, turning
/// from −z to x. Point masses need a trace of inertia.
inline const char* const pendulum = R"(
<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -0.61"/>
    <body name="first">
      <joint name="phi1" type="hinge" axis="0 -1 0"/>
      <inertial pos="0 0 -0.5" mass="5" diaginertia="1e-12 1e-12 1e-12"/>
      <body name="second" pos="0 0 -0.5">
        <joint name="phi2" type="hinge" axis="0 -1 0"/>
        <inertial pos="0 0 -0.25" mass="2" diaginertia="1e-12 1e-12 1e-12"/>
        <site name="tip" pos="0 0 -0.25"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

/// A ball and a box over a floor, free.
inline const char* const loose = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.095"><freejoint/><geom name="ball" type="sphere" size="0.1"/></body>
    <body name="box" pos="0.5 0 0.095"><freejoint/>
      <geom name="box" type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>)";

/// Places and speeds that are nothing special.
inline MujocoRobot mixed_robot() {
  return {.name = "mixed",
          .links = {"trunk", "bar", "ball", "tip"},
          .places = {0.1, 0.2, 1, 0.8, 0.36, -0.48, 0, 0.6, 0, 0.64, 0.48, 0.7, 0.05},
          .speeds = {0.3, -0.2, 0.5, 0.7, -1.1, 0.4, -0.6, 0.9, 1.3, -0.8, 0.25}};
}

}  // namespace bristle::testing_mujoco
