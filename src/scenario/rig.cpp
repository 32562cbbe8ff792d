#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/scenario/area.hpp"
#include "reader.hpp"

namespace bristle::detail {
namespace {

/// Dimensions on a line or about an axis: the same keys, in N m and rad.
struct Dimensions {
  Dimension position, inertia, force;
  Dimension speed() const { return position / dim::time; }
  Dimension stiffness() const { return force / position; }
  Dimension damping() const { return force * dim::time / position; }
};
constexpr Dimensions line{dim::length, dim::mass, dim::force};
constexpr Dimensions axis{dim::angle, dim::mass* raised(dim::length, 2), dim::energy};

class RigReader {
 public:
  explicit RigReader(const Document& document) : doc_(document) {}

  Rig read() {
    read_bodies();
    read_frames();
    if (rig_.bodies.empty() && rig_.frames.size() == 1) {
      throw InputError(doc_.root().fault("a scenario needs bodies or frames"));
    }
    read_elements();
    read_forces();
    for (const Node& node : contact_nodes(doc_)) rig_.contacts.push_back(read_contact(node));
    read_drives();
    return std::move(rig_);
  }

 private:
  const Dimensions& dimensions() const { return rotational_ ? axis : line; }

  void read_bodies() {
    const auto entries = doc_["bodies"].entries();
    // An inertia without a mass: the whole rig is about an axis.
    rotational_ = std::any_of(entries.begin(), entries.end(),
                              [](const auto& entry) { return entry.second["inertia"].exists(); });
    for (const auto& [name, node] : entries) {
      Body body{.name = name, .rotational = rotational_};
      const Dimensions& d = dimensions();
      body.inertia = node[rotational_ ? "inertia" : "mass"].quantity(d.inertia, above(0));
      body.axes = node["plane"].flag(false) ? 2 : 1;
      if (node["moment"].exists()) {
        body.axes = 3;
        body.moment = node["moment"].quantity(axis.inertia, above(0));
      }
      read_start(node, body, d);
      read_guide(node, body);
      add_name(node, name);
      ends_.push_back(rig_.add(std::move(body)));
    }
  }
  static void read_start(const Node& node, Body& body, const Dimensions& d) {
    const auto count = static_cast<std::size_t>(std::min(body.axes, 2));
    const std::vector<double> zero(count, 0.0);
    const auto x = node["position"].quantities(d.position, count, {}, zero);
    const auto v = node["velocity"].quantities(d.speed(), count, {}, zero);
    std::copy(x.begin(), x.end(), body.position.begin());
    std::copy(v.begin(), v.end(), body.velocity.begin());
    if (node["speed"].exists()) {
      const double speed = node["speed"].quantity(d.speed());
      const double heading = node["heading"].quantity(dim::angle, 0.0);
      body.velocity = {speed * std::cos(heading), speed * std::sin(heading), 0};
    }
    if (body.axes == 3) {
      body.position[2] = node["angle"].quantity(dim::angle, 0.0);
      body.velocity[2] = node["spin"].quantity(dim::angular_speed, 0.0);
    }
  }
  /// `locked: [y]`: coordinates that a guide holds.
  static void read_guide(const Node& node, Body& body) {
    static const std::vector<std::string> names{"x", "y", "angle"};
    for (const Node& item : node["locked"].items()) {
      const std::string name = item.word(names);
      const auto k =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      if (static_cast<int>(k) >= body.axes || body.axes == 1) {
        throw InputError(item.fault("this body has no such coordinate"));
      }
      if (body.velocity[k] != 0) throw InputError(item.fault("a locked coordinate does not move"));
      body.locked[k] = true;
    }
  }
  void read_frames() {
    names_.push_back("ground");
    ends_.push_back(ground);
    for (const auto& [name, node] : doc_["frames"].entries()) {
      Frame frame{.name = name};
      const Dimensions& d = dimensions();
      if (node["velocity"].exists()) frame.velocity[0] = read_signal(node["velocity"], d.speed());
      if (node["velocity_y"].exists()) {
        frame.velocity[1] = read_signal(node["velocity_y"], d.speed());
      }
      if (node["speed"].exists()) {
        const Signal speed = read_signal(node["speed"], d.speed());
        const double heading = node["heading"].quantity(dim::angle, 0);
        frame.velocity = {speed.scaled(std::cos(heading)), speed.scaled(std::sin(heading))};
      }
      if (node["spin"].exists()) frame.spin = read_signal(node["spin"], dim::angular_speed);
      const auto x = node["position"].quantities(d.position, Node::any_count, {}, {0.0});
      std::copy_n(x.begin(), std::min<std::size_t>(x.size(), 2), frame.position.begin());
      add_name(node, name);
      ends_.push_back(rig_.add(std::move(frame)));
    }
  }
  void add_name(const Node& node, const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end() || name == "ground") {
      throw InputError(node.fault("two ends have this name"));
    }
    names_.push_back(name);
  }

  End end(const Node& node) const {
    const std::string name = node.word(names_);
    const auto i = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return ends_[static_cast<std::size_t>(i)];
  }
  int body(const Node& node) const {
    const End e = end(node);
    if (!e.is_body) throw InputError(node.fault("a frame moves as it is told; expected a body"));
    return e.index;
  }
  std::pair<End, End> between(const Node& node) const {
    const std::vector<Node> ends = node["between"].required("[a, b]").items();
    if (ends.size() != 2) {
      throw InputError(node["between"].fault("needs two ends, for example [block, ground]"));
    }
    const std::pair pair{end(ends[0]), end(ends[1])};
    if (pair.first == pair.second) {
      throw InputError(node["between"].fault("both ends are the same"));
    }
    return pair;
  }

  void read_elements() {
    const Dimensions& d = dimensions();
    for (const Node& node : doc_["springs"].items()) {
      const auto [a, b] = between(node);
      rig_.springs.push_back({a, b, node["stiffness"].quantity(d.stiffness(), at_least(0)),
                              node["length"].quantity(d.position, 0.0)});
    }
    for (const Node& node : doc_["dampers"].items()) {
      const auto [a, b] = between(node);
      rig_.dampers.push_back({a, b, node["damping"].quantity(d.damping(), at_least(0))});
    }
    for (const Node& node : doc_["mounts"].items()) {
      Mount mount;
      std::tie(mount.a, mount.b) = between(node);
      mount.stiffness = read_matrix(node["stiffness"], line.stiffness());
      mount.damping = read_matrix(node["damping"], line.damping());
      rig_.mounts.push_back(std::move(mount));
    }
    for (const Node& node : doc_["gaps"].items()) {
      const auto [a, b] = between(node);
      rig_.gaps.push_back({a, b, node["stiffness"].quantity(d.stiffness(), above(0)),
                           node["damping"].quantity(d.damping(), 0.0, at_least(0)),
                           node["clearance"].quantity(d.position, 0.0)});
    }
    const double far = std::numeric_limits<double>::infinity();
    for (const Node& node : doc_["stops"].items()) {
      rig_.stops.push_back({body(node["body"]), node["low"].quantity(d.position, -far),
                            node["high"].quantity(d.position, far),
                            node["restitution"].number(0.0, between_0_1())});
    }
  }
  /// Couplings by the coordinates they join, for example {xx: 1 N/m, xa: 0.5 N/rad, aa: 1 N m/rad}.
  static Eigen::Matrix3d read_matrix(const Node& node, const Dimension& along) {
    Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
    const char* names[3][3] = {{"xx", "xy", "xa"}, {nullptr, "yy", "ya"}, {nullptr, nullptr, "aa"}};
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) {
        // A row about the normal is a torque, a column about it an angle.
        Dimension d = i == 2 ? along * dim::length : along;
        if (k == 2) d = d * dim::length / dim::angle;
        m(i, k) = m(k, i) = node[names[i][k]].quantity(d, 0.0, i == k ? at_least(0) : Range{});
      }
    }
    return m;
  }
  static Range between_0_1() { return bristle::between(0, 1); }

  void read_forces() {
    const Dimensions& d = dimensions();
    for (const Node& node : doc_["forces"].items()) {
      Force force{.body = body(node["on"])};
      if (node["force"].exists()) force.force[0] = read_signal(node["force"], d.force);
      if (node["force_y"].exists()) force.force[1] = read_signal(node["force_y"], d.force);
      rig_.forces.push_back(std::move(force));
    }
    read_incline();
  }
  /// On an incline gravity pulls down the slope: +x on a line, −y in a plane.
  void read_incline() {
    const Node node = doc_["incline"];
    if (!node.exists()) return;
    const double angle = node["angle"].quantity(dim::angle);
    const double g = node["g"].quantity(dim::acceleration, 9.81, at_least(0));
    normal_gravity_ = g * std::cos(angle);
    for (std::size_t b = 0; b < rig_.bodies.size(); ++b) {
      const Body& body = rig_.bodies[b];
      Force force{.body = static_cast<int>(b)};
      const Signal pull = Signal::constant(body.inertia * g * std::sin(angle));
      force.force[body.axes > 1 ? 1 : 0] = pull.scaled(body.axes > 1 ? -1 : 1);
      rig_.forces.push_back(std::move(force));
    }
  }
  /// A load, or 'weight': what the first end of the contact weighs on its incline.
  Signal read_load(const Node& node, End a) const {
    const Node load = node["load"].required("a normal load, for example '1 N'");
    if (!load.is_scalar()) return read_signal(load, dim::force);
    if (load.text() != "weight") {
      return Signal::constant(load.quantity(dim::force, at_least(0)));
    }
    if (!a.is_body || normal_gravity_ < 0) {
      throw InputError(load.fault("'weight' needs a body as first end and an 'incline'"));
    }
    return Signal::constant(rig_.bodies[static_cast<std::size_t>(a.index)].inertia *
                            normal_gravity_);
  }

  Contact read_contact(const Node& node) const {
    Contact contact;
    if (node["on"].exists()) {  // a brake
      contact.a = {true, body(node["on"])};
      contact.b = ground;
    } else {
      std::tie(contact.a, contact.b) = between(node);
    }
    contact.name = node["name"].text("");
    contact.load = read_load(node, contact.a);
    contact.radius = node["radius"].quantity(dim::length, 1.0, above(0));
    if (const Node area = node["area"]; area.exists()) {
      contact.area = read_area_law(area, read_area(area));
    }
    if (node["break_away"].exists()) contact.break_away = node["break_away"].number(at_least(1));
    return contact;
  }

  void read_drives() {
    for (const Node& node : doc_["drives"].items()) {
      Drive drive{.body = body(node["on"])};
      drive.reference =
          read_signal(node["reference"].required("a position over time"), dimensions().position);
      drive.kp = node["kp"].quantity(dim::frequency);
      drive.kv = node["kv"].quantity(dim::voltage / dimensions().speed());
      drive.gain = node["gain"].quantity(dimensions().force / dim::voltage);
      drive.limit = node["limit"].quantity(dim::voltage, 10.0, above(0));
      drive.period = node["period"].quantity(dim::time, 1e-3, above(0));
      rig_.drives.push_back(std::move(drive));
    }
  }

  const Document& doc_;
  Rig rig_;
  bool rotational_ = false;
  double normal_gravity_ = -1;  ///< no incline
  std::vector<std::string> names_;
  std::vector<End> ends_;
};

}  // namespace

std::vector<Node> contact_nodes(const Document& document) {
  std::vector<Node> nodes;
  for (const char* list : {"contacts", "clutches", "brakes"}) {
    for (const Node& node : document[list].items()) nodes.push_back(node);
  }
  return nodes;
}

Rig read_rig(const Document& document) { return RigReader(document).read(); }

}  // namespace bristle::detail
