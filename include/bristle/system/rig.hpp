#pragma once

/// A rig: bodies on a line, about an axis or in a plane, and what acts between them.
///
///   Rig rig;
///   const End block = rig.add(Body{.name = "block", .inertia = 0.1});
///   const End driver = rig.add(Frame{.name = "driver", .velocity = {Signal::constant(0.002)}});
///   rig.springs.push_back({.a = block, .b = driver, .stiffness = 100});
///   rig.contacts.push_back({.a = block, .b = ground, .law = AnyLaw("lugre")});
///
/// A body has one coordinate (a mass on a line, an inertia about an axis), two (a block in a plane)
/// or three (a block that turns as well). A frame moves as it is told: the ground, a belt, a plate,
/// a turntable, a driver. Forces between two ends act on `a`, and reversed on `b`. SI throughout;
/// about an axis read kg m², rad, N m and N m/rad.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bristle/area/law.hpp"
#include "bristle/friction/any_law.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

/// A body or a frame of the rig.
struct End {
  bool is_body = false;
  int index = 0;
  bool operator==(const End&) const = default;
};
inline constexpr End ground{false, 0};

struct Body {
  std::string name{};
  int axes = 1;                                  ///< 1: x; 2: x and y; 3: x, y and angle
  bool rotational = false;                       ///< about an axis: kg m² and rad
  double inertia = 1;                            ///< kg, or kg m²
  std::array<double, 3> position{}, velocity{};  ///< at t = 0
  double moment = 1;                             ///< of a body that turns in its plane, kg m²
  std::array<bool, 3> locked{};                  ///< coordinates that a guide holds
};

struct Frame {
  std::string name{};
  std::array<Signal, 2> velocity{};  ///< of the point at the origin
  Signal spin{};                     ///< about the origin of the plane, rad/s
  std::array<double, 2> position{};  ///< at t = 0
};

/// Line: −k (x_a − x_b − length) on a. Plane: along the line from b to a, with its natural length.
struct Spring {
  End a, b;
  double stiffness = 0, length = 0;
};
/// −c (v_a − v_b) on a.
struct Damper {
  End a, b;
  double damping = 0;
};
/// A mount that couples the coordinates: −K (q_a − q_b) − C (u_a − u_b) on a, where q is (x, y,
/// angle) and K and C are symmetric: cords round a disc, a compliant wrist.
struct Mount {
  End a, b;
  Eigen::Matrix3d stiffness = Eigen::Matrix3d::Zero(), damping = Eigen::Matrix3d::Zero();
};
/// Pushes a and b apart while x_a − x_b < clearance: k δ + c δ̇, the damping never more than the
/// spring, so that the force starts from 0 and never pulls.
struct Gap {
  End a, b;
  double stiffness = 0, damping = 0, clearance = 0;
};
/// A wall at each end of a body's travel: it comes back with −e v, or stays while it is pressed.
struct Stop {
  int body = 0;
  double low = 0, high = 0;
  double restitution = 0;
};
struct Force {
  int body = 0;
  std::array<Signal, 2> force{};
};

/// Friction between two ends under a load. About an axis the slip is radius (ω_a − ω_b) and the
/// torque radius F: a clutch between two inertias, a brake against the ground.
///
/// With an `area` the contact slides and spins: the area law says how a motion (v_x, v_y, ω) is
/// shared between force and torque, the friction law how much there is of it at the speed Λ that
/// the area law makes of that motion:  (F, M) = f(Λ) (T_s, M_s).  Any law without memory will do.
struct Contact {
  End a, b;
  Signal load = Signal::constant(1);
  AnyLaw law{"lugre"};
  double radius = 1;
  std::string name{};
  double break_away = 0;  ///< multiple of the static limit at which it lets go; 0: as the run says
  std::shared_ptr<const AreaLaw> area{};  ///< none: friction at a point
};

/// A position controller sampled every `period`: u = kv (kp (reference − x) − v̂), held between
/// samples and cut to ±limit; v̂ is the difference of two-sample means. Acts on a body as gain·u.
struct Drive {
  int body = 0;
  Signal reference{};
  double kp = 0, kv = 0, gain = 1, limit = 10, period = 1e-3;
};

struct Rig {
  std::vector<Body> bodies{};
  std::vector<Frame> frames{Frame{.name = "ground"}};
  std::vector<Spring> springs{};
  std::vector<Damper> dampers{};
  std::vector<Mount> mounts{};
  std::vector<Gap> gaps{};
  std::vector<Stop> stops{};
  std::vector<Force> forces{};
  std::vector<Contact> contacts{};
  std::vector<Drive> drives{};

  End add(Body body);
  End add(Frame frame);
  /// 1 for a line or an axis, 2 for a plane, 3 with an angle; of a frame: 0 (any).
  int axes(End end) const;
  /// 3 if the contact has an area; 2 if either end is a body in the plane or a frame that moves in
  /// y or spins; else 1.
  int axes(const Contact& contact) const;
  /// Throws InputError for what no solver could run: no mass, a bad end, mixed axes.
  void check() const;
};

/// Everything in a rig (const or not) that is a function of time and acts all the time; what a
/// drive follows is asked for at its samples only.
template <class R, class F>
void each_signal(R& rig, F&& f) {
  for (auto& frame : rig.frames) {
    f(frame.velocity[0]);
    f(frame.velocity[1]);
    f(frame.spin);
  }
  for (auto& force : rig.forces) {
    f(force.force[0]);
    f(force.force[1]);
  }
  for (auto& contact : rig.contacts) f(contact.load);
}

}  // namespace bristle
