#include "bristle/system/rig.hpp"

#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

std::string name_of(const Rig& rig, End end) {
  const auto i = static_cast<std::size_t>(end.index);
  return end.is_body ? rig.bodies[i].name : rig.frames[i].name;
}

void check_end(const Rig& rig, End end, const char* what) {
  const std::size_t count = end.is_body ? rig.bodies.size() : rig.frames.size();
  if (end.index < 0 || static_cast<std::size_t>(end.index) >= count) {
    throw InputError({.message = fmt::format("a {} ends at nothing", what)});
  }
}

/// Two ends that can be joined: not the same, and a line with a line or a plane with a plane.
void check_pair(const Rig& rig, End a, End b, const char* what, bool needs_body) {
  check_end(rig, a, what);
  check_end(rig, b, what);
  if (a == b) {
    throw InputError({.message = fmt::format("a {} joins '{}' to itself", what, name_of(rig, a))});
  }
  if (needs_body && !a.is_body && !b.is_body) {
    throw InputError({.message = fmt::format("a {} joins two frames, '{}' and '{}': nothing moves",
                                             what, name_of(rig, a), name_of(rig, b))});
  }
  const int axes_a = rig.axes(a), axes_b = rig.axes(b);
  if (axes_a != 0 && axes_b != 0 && (axes_a == 1) != (axes_b == 1)) {
    throw InputError({.message = fmt::format("a {} joins '{}' on a line to '{}' in a plane", what,
                                             name_of(rig, axes_a == 1 ? a : b),
                                             name_of(rig, axes_a == 1 ? b : a))});
  }
}

/// Ends that turn in their plane, or frames.
void check_turning(const Rig& rig, End a, End b, const char* what) {
  for (const End end : {a, b}) {
    if (!end.is_body || rig.axes(end) == 3) continue;
    throw InputError({.message = fmt::format("{} needs bodies that turn in the plane; '{}' has no "
                                             "moment of inertia",
                                             what, name_of(rig, end)),
                      .key = "moment",
                      .expected = "a moment of inertia, for example moment: 0.1 kg m^2"});
  }
}

void check_mount(const Rig& rig, const Mount& mount) {
  check_pair(rig, mount.a, mount.b, "mount", true);
  check_turning(rig, mount.a, mount.b, "a mount");
  const auto symmetric = [](const Eigen::Matrix3d& m) {
    return m.allFinite() && (m - m.transpose()).cwiseAbs().maxCoeff() == 0;
  };
  if (!symmetric(mount.stiffness) || !symmetric(mount.damping)) {
    throw InputError({.message = "stiffness and damping of a mount are symmetric matrices"});
  }
}

void check_contact(const Rig& rig, const Contact& contact) {
  check_pair(rig, contact.a, contact.b, "contact", contact.area != nullptr);
  if (!contact.area) return;
  check_turning(rig, contact.a, contact.b, "a contact over an area");
  const LawInfo& info = contact.law.info();
  if (info.can(Capability::memory) || info.can(Capability::delayed) ||
      contact.law.stick_set(1.0).band > 0 || contact.law.is_asymmetric()) {
    throw InputError(
        {.message = fmt::format("law '{}' cannot be spread over an area: it remembers, "
                                "has a band of rest or depends on the sign of slip",
                                contact.law.name()),
         .key = "friction.law",
         .expected = "a law without memory, such as stiction, stribeck or kudra-1d"});
  }
}

}  // namespace

End Rig::add(Body body) {
  bodies.push_back(std::move(body));
  return {true, static_cast<int>(bodies.size()) - 1};
}
End Rig::add(Frame frame) {
  frames.push_back(std::move(frame));
  return {false, static_cast<int>(frames.size()) - 1};
}

int Rig::axes(End end) const {
  return end.is_body ? bodies[static_cast<std::size_t>(end.index)].axes : 0;
}

int Rig::axes(const Contact& contact) const {
  if (contact.area) return 3;
  for (const End end : {contact.a, contact.b}) {
    if (axes(end) >= 2) return 2;
    if (end.is_body) continue;
    const Frame& frame = frames[static_cast<std::size_t>(end.index)];
    if (!frame.velocity[1].is_zero() || !frame.spin.is_zero()) return 2;
  }
  return 1;
}

void Rig::check() const {
  for (const Body& body : bodies) {
    if (!(body.inertia > 0) || !std::isfinite(body.inertia)) {
      throw InputError({.message = fmt::format("body '{}' needs a mass above 0", body.name),
                        .key = body.rotational ? "inertia" : "mass",
                        .value = fmt::format("{:g}", body.inertia)});
    }
    if (body.axes == 3 && (!(body.moment > 0) || !std::isfinite(body.moment))) {
      throw InputError(
          {.message = fmt::format("body '{}' needs a moment of inertia above 0", body.name),
           .key = "moment",
           .value = fmt::format("{:g}", body.moment)});
    }
  }
  for (const Spring& s : springs) check_pair(*this, s.a, s.b, "spring", true);
  for (const Damper& d : dampers) check_pair(*this, d.a, d.b, "damper", true);
  for (const Mount& m : mounts) check_mount(*this, m);
  for (const Gap& g : gaps) {
    check_pair(*this, g.a, g.b, "gap", true);
    if (axes(g.a) >= 2 || axes(g.b) >= 2) {
      throw InputError({.message = "a gap works on a line, not in a plane"});
    }
  }
  for (const Stop& s : stops) {
    const Body& body = bodies[static_cast<std::size_t>(s.body)];
    const double x = body.position[0];
    if (body.axes >= 2 || !(s.low < s.high) || x < s.low || x > s.high) {
      throw InputError({.message = fmt::format("the stop of body '{}' does not fit", body.name),
                        .value = fmt::format("low {:g}, high {:g}, start {:g}", s.low, s.high, x),
                        .expected = "a body on a line that starts between low and high"});
    }
  }
  for (const Contact& c : contacts) check_contact(*this, c);
}

}  // namespace bristle
