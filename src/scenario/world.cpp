#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/index.hpp"
#include "bristle/core/names.hpp"
#include "bristle/normal/materials.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "bristle/shape/touch.hpp"
#include "reader.hpp"
#include "shapes.hpp"

namespace bristle::detail {
namespace {

MassProperties read_mass(const Node& node, const Shape& shape) {
  MassProperties made;
  if (node["density"].exists()) {
    if (node["mass"].exists()) {
      throw InputError(node["density"].fault("a body has a mass or a density, not both"));
    }
    const Dimension density = dim::mass / raised(dim::length, 3);
    made = MassProperties::from_shape(shape, node["density"].quantity(density, above(0)));
  } else {
    made = MassProperties::with_mass(shape, node["mass"].quantity(dim::mass, above(0)));
  }
  const Node inertia = node["inertia"];
  if (inertia.exists()) {
    // Ixx, Iyy, Izz and perhaps Ixy, Ixz, Iyz, about the centre in body axes.
    const Dimension unit = dim::mass * raised(dim::length, 2);
    const std::vector<double> i = inertia.quantities(unit);
    if (i.size() != 3 && i.size() != 6) {
      throw InputError(inertia.fault("needs [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"));
    }
    made.inertia = Vector3(i[0], i[1], i[2]).asDiagonal();
    if (i.size() == 6) {
      made.inertia(0, 1) = made.inertia(1, 0) = i[3];
      made.inertia(0, 2) = made.inertia(2, 0) = i[4];
      made.inertia(1, 2) = made.inertia(2, 1) = i[5];
    }
    if (!is_inertia(made.inertia)) {
      Fault fault = inertia.fault("not the inertia of any body");
      fault.expected =
          "a positive definite tensor whose principal moments each stay below the sum of the "
          "others";
      throw InputError(fault);
    }
  }
  return made;
}

RollingResistance read_rolling(const Node& node) {
  RollingResistance law;
  law.k_v = node["k_v"].quantity(dim::force / raised(dim::length, 3), above(0));
  law.a = node["a"].quantity(dim::time / dim::length, at_least(0));
  const std::string tensor = node["tensor"].word({"M", "J_s", "J_V"}, "M");
  law.tensor = tensor == "M" ? RollingTensor::M
                             : (tensor == "J_s" ? RollingTensor::J_s : RollingTensor::J_V);
  return law;
}

DoublePendulum read_pendulum(const std::string& name, const Node& node) {
  DoublePendulum p;
  p.name = name;
  const auto both = [&](const char* key, const Dimension& dimension, const Range& range) {
    return node[key].quantities(dimension, 2, range);
  };
  const std::vector<double> l = both("lengths", dim::length, above(0)),
                            m = both("masses", dim::mass, above(0));
  p.l1 = l[0];
  p.l2 = l[1];
  p.m1 = m[0];
  p.m2 = m[1];
  const std::string links = node["links"].word({"tips", "rods", "middles"}, "rods");
  p.set_mass(links == "tips" ? LinkMass::tip
                             : (links == "rods" ? LinkMass::rod : LinkMass::middle));
  if (node["inertias"].exists()) {
    const std::vector<double> j = both("inertias", dim::mass * raised(dim::length, 2), at_least(0));
    p.j1 = j[0];
    p.j2 = j[1];
  }
  p.relative = node["angles_are"].word({"relative", "absolute"}, "relative") == "relative";
  const std::vector<double> phi = node["angles"].quantities(dim::angle, 2, {}, {0, 0}),
                            rate = node["rates"].quantities(dim::angular_speed, 2, {}, {0, 0});
  p.phi1 = phi[0];
  p.phi2 = phi[1];
  p.rate1 = rate[0];
  p.rate2 = rate[1];
  p.pivot = read_vector(node["pivot"], dim::length, Vector3::Zero());
  p.tip_radius = node["tip_radius"].quantity(dim::length, 0.0, at_least(0));
  return p;
}

class WorldReader {
 public:
  explicit WorldReader(const Document& document) : doc_(document) {}

  World read() {
    read_gravity();
    for (const auto& [name, node] : doc_["bodies"].entries()) read_body(name, node);
    for (const auto& [name, node] : doc_["pendulums"].entries()) {
      add(name, node, world_.add(read_pendulum(name, node)));
    }
    for (const auto& [name, node] : doc_["arms"].entries()) {
      add(node, read_arm(name, node, world_.gravity));
    }
    for (const auto& [name, node] : doc_["robots"].entries()) {
      add(node, read_robot(name, node, world_.gravity));
    }
    place();
    read_materials();
    for (const Node& node : contact_nodes(doc_)) read_pair(node);
    check_law_sets(doc_, contact_nodes(doc_));
    world_.check();
    return std::move(world_);
  }

 private:
  /// A strength, downwards, or a vector.
  void read_gravity() {
    const Node node = doc_["gravity"];
    if (node.is_list()) {
      world_.gravity = read_vector(node, dim::acceleration, world_.gravity);
    } else {
      world_.gravity = {0, 0, -node.quantity(dim::acceleration, 9.81)};
    }
  }
  void add(const std::string& name, const Node& node, Side side) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      throw InputError(node.fault("two bodies have this name"));
    }
    names_.push_back(name);
    sides_.push_back(side);
    nodes_.push_back(node);
    materials_.push_back(node["material"].text(""));
  }
  /// Each link by its name.
  void add(const Node& node, const std::shared_ptr<const Mechanism>& mechanism) {
    Side side = world_.add(mechanism);
    for (const Link& link : mechanism->links()) {
      add(link.name, node, side);
      ++side.link;
    }
  }
  void read_body(const std::string& name, const Node& node) {
    RigidBody body;
    body.name = name;
    body.shape = read_shape(node["shape"].required("for example {sphere: {radius: 0.1 m}}"));
    body.fixed = node["fixed"].flag(false);
    body.pose = read_pose(node);
    body.velocity = read_vector(node["velocity"], dim::speed, Vector3::Zero());
    body.spin = read_vector(node["spin"], dim::angular_speed, Vector3::Zero());
    const bool endless = !std::isfinite(volume(body.shape));
    if (!body.fixed && endless) {
      throw InputError(node.fault(fmt::format(
          "a {} has no end and cannot move freely: add 'fixed: true'", bristle::name(body.shape))));
    }
    if (!body.fixed) {
      body.mass = read_mass(node, body.shape);
      // `position` is that of the shape; the body moves about its centre of mass.
      const Vector3 centre = center_of_mass(body.shape);
      body.pose.position = apply(body.pose, centre);
      body.shape_at.position = -centre;
    }
    if (node["drive"].exists()) {
      if (!body.fixed) {
        throw InputError(node["drive"].fault("only a fixed body moves as it is told"));
      }
      const std::array<const char*, 3> axes{"x", "y", "z"};
      for (std::size_t i = 0; i < 3; ++i) {
        const Node signal = node["drive"][axes[i]];
        if (signal.exists()) body.drive[i] = read_signal(signal, dim::speed);
      }
      read_turn(node, body);
    }
    add(name, node, world_.add(std::move(body)));
  }
  /// `drive: {turn: 0.1 rad/s, axis: [0, 0, 1]}`: about an axis of the world.
  static void read_turn(const Node& node, RigidBody& body) {
    const Node turn = node["drive"]["turn"];
    if (!turn.exists()) return;
    if (!body.spin.isZero(0)) {
      throw InputError(turn.fault("a body turns with 'spin' or with 'drive.turn', not both"));
    }
    body.turn = read_signal(turn, dim::angular_speed);
    body.turn_axis = read_vector(node["drive"]["axis"], dim::none, {0, 0, 1});
    if (!(body.turn_axis.norm() > 0)) {
      throw InputError(node["drive"]["axis"].fault("an axis needs a direction"));
    }
    body.turn_axis.normalize();
  }
  Side side(const Node& node) const {
    const std::string name = node.word(names_);
    return sides_[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                           names_.begin())];
  }
  /// `touching: NAME` shifts a body along the normal until it just touches that one;
  /// `touching: {body: NAME, gap: 3 um}` until it is so far from it.
  void place() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node node = nodes_[i]["touching"];
      if (!node.exists()) continue;
      const Side other = side(node.is_map() ? node["body"] : node);
      const double gap = node.is_map() ? node["gap"].quantity(dim::length) : 0;
      if (!sides_[i].is_body()) {
        throw InputError(node.fault("only a body can be shifted until it touches"));
      }
      RigidBody& body = world_.bodies[at(sides_[i].index)];
      std::array<Touch, max_touches> touch;
      const int count =
          touches(body.shape, body.pose, world_.shape(other), world_.pose(other), touch);
      if (count == 0) throw InputError(node.fault("these shapes have no contact"));
      const auto nearest =
          std::min_element(touch.begin(), touch.begin() + count,
                           [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
      body.pose.position -= (nearest->gap - gap) * nearest->normal;
    }
  }

  // ---- materials ------------------------------------------------------------------------------
  void read_materials() {
    for (const auto& [name, node] : doc_["materials"].entries()) {
      normal::Material m{name};
      m.k = node["k"].number(above(0));
      m.e = node["e"].number(bristle::between(0, 1));
      m.mu = node["mu"].number(at_least(0));
      known_.push_back(m);
    }
    std::vector<std::string> names;
    names.reserve(known_.size());
    for (const normal::Material& m : known_) names.push_back(m.name);
    for (const Node& node : doc_["material_pairs"].items()) {
      const std::vector<Node> both = node["between"].required("[a, b]").items();
      if (both.size() != 2) throw InputError(node["between"].fault("needs two materials"));
      normal::PairValues values;
      if (node["k"].exists()) values.k = node["k"].number(above(0));
      if (node["e"].exists()) values.e = node["e"].number(bristle::between(0, 1));
      if (node["mu"].exists()) values.mu = node["mu"].number(at_least(0));
      table_.set(both[0].word(names), both[1].word(names), values);
    }
    mix_ = normal::mix_named(
        doc_["mixing"].word({"geometric", "minimum", "average", "maximum"}, "geometric"));
    for (const Node& node : nodes_) {
      if (node["material"].exists()) (void)node["material"].word(names);
    }
  }
  /// What the materials of a pair say: k and e for the normal law, mu_s and mu_k for friction.
  std::vector<Setting> from_materials(Side a, Side b) const {
    const auto material = [&](Side side) -> const normal::Material* {
      for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (!(sides_[i] == side)) continue;
        for (const normal::Material& m : known_) {
          if (m.name == materials_[i]) return &m;
        }
      }
      return nullptr;
    };
    const normal::Material *one = material(a), *other = material(b);
    if (one == nullptr || other == nullptr) return {};
    const normal::Pair pair = normal::combine(*one, *other, table_, mix_);
    const auto setting = [](const char* key, double value) {
      Setting made;
      made.key = key;
      made.value = fmt::format("{}", value);
      return made;
    };
    // A material's mu is both coefficients, where the contact does not say.
    return {setting("k", pair.k), setting("e", pair.e), setting("mu_s", pair.mu),
            setting("mu_k", pair.mu)};
  }

  void read_pair(const Node& node) {
    const std::vector<Node> both = node["between"].required("[a, b]").items();
    if (both.size() != 2) {
      throw InputError(node["between"].fault("needs two bodies, for example [ball, floor]"));
    }
    ContactPair pair;
    pair.a = side(both[0]);
    pair.b = side(both[1]);
    if (pair.a == pair.b) throw InputError(node["between"].fault("both are the same body"));
    // The body that moves comes first: slip and friction are those of A against B.
    if (!world_.is_free(pair.a) && world_.is_free(pair.b)) std::swap(pair.a, pair.b);
    const std::vector<Setting> materials = from_materials(pair.a, pair.b);
    pair.volumetric = read_volumetric(doc_, node, materials);
    if (pair.volumetric) {
      check_overlap(node, pair);
      world_.pairs.push_back(std::move(pair));
      return;
    }
    if (world_.sites(pair) == 0) {
      Fault fault = node["between"].fault("these shapes have no contact");
      fault.value = fmt::format("{} – {}", bristle::name(world_.shape(pair.a)),
                                bristle::name(world_.shape(pair.b)));
      fault.expected = one_of(supported_pairs());
      throw InputError(fault);
    }
    const bool given = doc_["normal"].exists() || node["normal"].exists();
    if (!given && materials.empty()) {
      Fault fault = node.fault("no normal law for this pair");
      fault.expected =
          "'normal: {law: gonthier, k: 1e6, e: 0.5}' for all or for this contact, or a 'material' "
          "for both bodies";
      throw InputError(fault);
    }
    pair.normal = read_normal(doc_, node, materials);
    pair.friction = read_friction(doc_, node, materials);
    if (node["rolling"].exists()) pair.rolling = read_rolling(node["rolling"]);
    pair.reset = node["reset"].flag(doc_["reset"].flag(true));
    world_.pairs.push_back(std::move(pair));
  }
  void check_overlap(const Node& node, const ContactPair& pair) const {
    const Shape a = world_.shape(pair.a), b = world_.shape(pair.b);
    if (OverlapFinder::supports(a, b)) return;
    Fault fault = node["between"].fault("no volumetric contact between these shapes");
    fault.value = fmt::format("{} – {}", bristle::name(a), bristle::name(b));
    fault.expected = one_of(OverlapFinder::pairs());
    throw InputError(fault);
  }
  const Document& doc_;
  World world_;
  std::vector<std::string> names_, materials_;
  std::vector<Side> sides_;
  std::vector<Node> nodes_;
  std::vector<normal::Material> known_;
  normal::PairTable table_;
  normal::Mix mix_ = normal::Mix::geometric;
};

/// What reads robots, if anything does.
RobotReader& robot_reader() {
  static RobotReader reader;
  return reader;
}

}  // namespace

bool knows_robots() noexcept { return static_cast<bool>(robot_reader()); }

std::shared_ptr<const Mechanism> read_robot(const std::string& name, const Node& node,
                                            const Vector3& gravity) {
  if (const RobotReader& reader = robot_reader()) return reader(name, node, gravity);
  Fault fault = node.fault("this program knows no robots");
  fault.expected = "one that was built with MuJoCo; 'arms' need nothing else";
  throw InputError(fault);
}

bool is_world(const Document& document) {
  for (const char* key : {"pendulums", "arms", "robots"}) {
    if (document[key].exists()) return true;
  }
  const auto bodies = document["bodies"].entries();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const auto& body) { return body.second["shape"].exists(); });
}

World read_world(const Document& document) { return WorldReader(document).read(); }

}  // namespace bristle::detail

namespace bristle {

void set_robot_reader(RobotReader reader) { detail::robot_reader() = std::move(reader); }

}  // namespace bristle
