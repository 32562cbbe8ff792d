#include "columns.hpp"

#include <fmt/format.h>

#include "bristle/core/index.hpp"

namespace bristle::detail {

std::string numbered(std::string_view name, int index, int count) {
  return count == 1 ? std::string(name) : fmt::format("{}{}", name, index + 1);
}

Columns::Columns(const Dynamics& dynamics) {
  const Rig& rig = dynamics.mechanics().rig();
  const int bodies = static_cast<int>(rig.bodies.size()), contacts = dynamics.contacts();
  add("t", "s");
  for (int b = 0; b < bodies; ++b) {
    const Body& body = rig.bodies[at(b)];
    std::size_t q = at(dynamics.mechanics().coordinate(b)), u = at(dynamics.dofs()) + q;
    const auto place = [&](const char* text, const char* unit) {
      add(numbered(text, b, bodies), unit, q++);
    };
    const auto speed = [&](const char* text, const char* unit) {
      add(numbered(text, b, bodies), unit, u++);
    };
    if (body.axes > 1) {
      place("x", "m");
      place("y", "m");
      if (body.axes == 3) place("phi", "rad");
      speed("vx", "m/s");
      speed("vy", "m/s");
      if (body.axes == 3) speed("omega", "rad/s");
    } else if (body.rotational) {
      place("phi", "rad");
      speed("omega", "rad/s");
    } else {
      place("x", "m");
      speed("v", "m/s");
    }
  }
  if (bodies == 0 && contacts > 0) add("x", "m");
  for (int c = 0; c < contacts; ++c) {
    const auto name = [&](std::string_view text) { return numbered(text, c, contacts); };
    const int axes = dynamics.mechanics().axes(c);
    if (axes > 1) {
      for (const char* axis : {"x", "y"}) add(name("slip") + axis, "m/s");
      if (axes == 3) add(name("spin"), "rad/s");
      for (const char* axis : {"x", "y"}) add(name("F") + axis, "N");
      if (axes == 3) add(name("M"), "N m");
      add(name("F"), "N");
    } else {
      add(name("slip"), "m/s");
      add(name("F"), "N");
    }
    if (dynamics.mechanics().load_varies(c)) add(name("fn"), "N");
    OfContact shown;
    const std::vector<StateColumn> states = dynamics.friction(c).columns();
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (states[k].of_array) continue;
      shown.states.push_back(at(dynamics.state_start(c)) + k);
      add(name(states[k].name), states[k].unit, shown.states.back());
    }
    shown.sticks = dynamics.is_set_valued(c) || dynamics.friction(c).mode() >= 0;
    if (shown.sticks) add(name("stick"), "1");
    contacts_.push_back(std::move(shown));
  }
  const int drives = static_cast<int>(rig.drives.size());
  for (int d = 0; d < drives; ++d) {
    add(numbered("reference", d, drives), "m");
    add(numbered("u", d, drives), "V");
  }
  for (const char* name :
       {"W_input", "E_kinetic", "E_stored", "W_friction", "W_damper", "E_error"}) {
    add(name, "J");
  }
}

std::optional<std::size_t> Columns::find(std::string_view name) const {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (list_[i].name == name) return i;
  }
  return std::nullopt;
}

void Columns::fill(Dynamics& f, double t, std::span<const double> y, std::span<const double> work,
                   double error, Row& row) const {
  row.resize(list_.size());
  double* to = row.data();  // one value after the other
  *to++ = t;
  const Mechanics& mechanics = f.mechanics();
  const Rig& rig = mechanics.rig();
  const auto q = y.first(at(f.dofs())), u = y.subspan(at(f.dofs()), at(f.dofs()));
  for (int b = 0; b < static_cast<int>(rig.bodies.size()); ++b) {
    const auto i = at(mechanics.coordinate(b));
    const auto axes = at(rig.bodies[at(b)].axes);
    for (std::size_t k = 0; k < axes; ++k) *to++ = q[i + k];
    for (std::size_t k = 0; k < axes; ++k) *to++ = u[i + k];
  }
  if (rig.bodies.empty() && f.contacts() > 0) {
    const Contact& contact = rig.contacts.front();
    *to++ = mechanics.position(contact.a, t, q)[0] - mechanics.position(contact.b, t, q)[0];
  }
  double stored = mechanics.stored(t, q), friction = 0;
  f.look(t, y);
  for (int c = 0; c < f.contacts(); ++c) {
    const Dynamics::ContactReading reading = f.read(c, t, y);
    stored += reading.stored;
    friction += work[at(2 + 2 * c)];
    const int axes = mechanics.axes(c);
    for (int k = 0; k < axes; ++k) *to++ = reading.slip[k];
    for (int k = 0; k < axes; ++k) *to++ = reading.force[k];
    if (axes > 1) *to++ = reading.force.head<2>().norm();
    if (mechanics.load_varies(c)) *to++ = reading.fn;
    for (const std::size_t k : contacts_[at(c)].states) *to++ = y[k];
    if (contacts_[at(c)].sticks) *to++ = reading.sticks ? 1 : 0;
  }
  for (int d = 0; d < static_cast<int>(rig.drives.size()); ++d) {
    *to++ = rig.drives[at(d)].reference.value(t);
    *to++ = mechanics.drive_output(d);
  }
  for (const double value : {work[0], mechanics.kinetic(u), stored, friction, work[1], error}) {
    *to++ = value;
  }
}

}  // namespace bristle::detail
