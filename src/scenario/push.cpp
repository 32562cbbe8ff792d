#include "bristle/scenario/push.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/located.hpp"
#include "bristle/scenario/area.hpp"

namespace bristle {
namespace {

Point2 read_point(const Node& node, const Dimension& dimension) {
  const std::vector<double> xy = node.quantities(dimension, 2);
  return {xy[0], xy[1]};
}

PushContact read_contact(const Node& pusher) {
  PushContact contact;
  contact.at = read_point(pusher["at"], dim::length);
  const Point2 normal = read_point(pusher["normal"], dim::none);
  if (normal.isZero(0)) {
    Fault fault = pusher["normal"].fault("no direction");
    fault.expected = "a vector into the object, for example [1, 0]";
    throw InputError(fault);
  }
  contact.normal = normal.normalized();
  contact.mu = pusher["mu"].number(at_least(0));
  return contact;
}

PushEdge read_edge(const Node& path, const PushContact& contact) {
  PushEdge edge{.at = contact.at, .normal = contact.normal};
  edge.curvature = path["curvature"].quantity(raised(dim::length, -1), 0.0);
  edge.left = path["left"].quantity(dim::length, edge.left, at_least(0));
  edge.right = path["right"].quantity(dim::length, edge.right, at_least(0));
  return edge;
}

/// Supports at the points of the object, the weight where they carry it on the mean.
SupportModel read_supports(const Node& node, const PressedArea* area) {
  if (area == nullptr || area->points().size() < 3 || !area->triangles().empty() ||
      !area->ellipses().empty()) {
    Fault fault = node.fault("supports are those of an object on points");
    fault.expected = "object: {shape: {points: {places: [[x, y], …]}}}, three of them or more";
    throw InputError(fault);
  }
  SupportModel model;
  for (const PointPiece& point : area->points()) {
    model.places.push_back(point.place);
    model.shares.push_back(point.share);
  }
  model.centre = area->centre();
  model.torsion = node["torsion"].quantity(dim::length, model.torsion, above(0));
  model.centre_sd = node["centre_sd"].quantity(dim::length, model.centre_sd, above(0));
  model.centre_reach = 4 * model.centre_sd;
  model.centre_step = model.centre_sd / 1.5;
  return model;
}

std::vector<std::string> read_law_names(const Node& node) {
  static const std::vector<std::string> known{"ellipsoid", "quartic", "supports"};
  if (!node.exists()) return {"ellipsoid", "quartic"};
  std::vector<std::string> names;
  if (!node.is_list()) return {node.word(known)};
  for (const Node& item : node.items()) names.push_back(item.word(known));
  return names;
}

PushPairs read_pairs(const Node& node, const PressedArea* area, double length) {
  PushPairs pairs;
  const Node file = node.is_map() ? node["file"] : node;
  pairs.file = file.text();
  const std::filesystem::path beside = std::filesystem::path(node.file()).parent_path();
  pairs.samples = located(file, [&] { return read_push_pairs(beside / pairs.file); });
  const Node options = node.is_map() ? node : Node();
  pairs.length = options["length"].quantity(dim::length, length, above(0));
  pairs.laws = read_law_names(options["laws"]);
  pairs.weights.lambda = options["lambda"].number(pairs.weights.lambda, at_least(0));
  pairs.weights.beta = options["beta"].number(pairs.weights.beta, above(0));
  pairs.folds = static_cast<std::size_t>(options["folds"].integer(0, at_least(0)));
  if (pairs.folds == 1) throw InputError(options["folds"].fault("one fold leaves nothing to fit"));
  if (std::find(pairs.laws.begin(), pairs.laws.end(), "supports") != pairs.laws.end()) {
    pairs.supports = read_supports(options, area);
  }
  return pairs;
}

/// A column, whose unit, if it has one, must be among `dimensions`.
const std::vector<double>& column(const Table& table, const char* name,
                                  std::initializer_list<Dimension> dimensions) {
  const std::vector<double>& values = table.at(name);
  const auto at = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
  const auto& unit = table.dimensions[static_cast<std::size_t>(at)];
  if (unit && std::find(dimensions.begin(), dimensions.end(), *unit) == dimensions.end()) {
    std::string expected;
    for (const Dimension& d : dimensions) {
      expected += (expected.empty() ? "" : " or ") + dimension_name(d);
    }
    throw InputError({.message = "column with a unit of another kind",
                      .file = table.file,
                      .key = name,
                      .value = dimension_name(*unit),
                      .expected = expected});
  }
  return values;
}

void check_sample(const LimitSample& sample, const Table& table, std::size_t row) {
  if (!sample.wrench.isZero(0) && !sample.motion.isZero(0)) return;
  throw InputError(
      {.message = sample.wrench.isZero(0) ? "a push without a wrench" : "a push that moved nothing",
       .file = table.file,
       .line = table.lines[row],
       .expected = "a wrench and the motion it caused"});
}

}  // namespace

std::vector<LimitSample> read_push_pairs(const std::filesystem::path& path) {
  const Table table = read_csv(path);
  const std::array<const std::vector<double>*, 6> columns{
      &column(table, "fx", {dim::force}),
      &column(table, "fy", {dim::force}),
      &column(table, "m", {dim::energy}),
      &column(table, "vx", {dim::speed, dim::length}),
      &column(table, "vy", {dim::speed, dim::length}),
      &column(table, "omega", {dim::angular_speed, dim::angle})};
  std::vector<LimitSample> samples;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto at = [&](std::size_t k) { return (*columns[k])[i]; };
    samples.push_back({{at(0), at(1), at(2)}, {at(3), at(4), at(5)}});
    check_sample(samples.back(), table, i);
  }
  if (samples.size() < 2) {
    throw InputError({.message = "too few pushes",
                      .file = table.file,
                      .value = fmt::format("{} rows", samples.size()),
                      .expected = "two or more"});
  }
  return samples;
}

std::unique_ptr<AreaLaw> PushPairs::fit(const std::string& law,
                                        std::span<const LimitSample> some) const {
  const double size = wrench_size(some, length);
  if (law == "ellipsoid") {
    return std::make_unique<EllipsoidLaw>(
        fit_ellipsoid(some, length, for_wrenches_of(size, 2, weights)).b());
  }
  if (law == "quartic") {
    return std::make_unique<QuarticLaw>(
        fit_quartic(some, length, for_wrenches_of(size, 4, weights)).coefficients, length);
  }
  return std::make_unique<SupportLaw>(fit_supports(SupportFamily(supports), some, length));
}

PushTask read_push(const Node& node) {
  PushTask task;
  std::optional<PressedArea> area;
  if (node["object"].exists()) {
    area = read_area(node["object"]);
    task.law = read_area_law(node["object"], *area);
    task.object = area->name();
  }
  if (node["friction"].exists()) task.friction = node["friction"].quantity(dim::force, above(0));
  const Node pairs = node["pairs"];
  if (pairs.exists()) {
    task.pairs = read_pairs(pairs, area ? &*area : nullptr, task.law ? task.law->length() : 0.05);
  }
  if (!task.law && !task.pairs) node["object"].required("an object, or pairs to fit a law to");
  const Node pusher = task.pairs ? node["pusher"] : node["pusher"].required("a pusher");
  const Node path = node["path"];
  if (path.exists()) node["pusher"].required("a pusher for the path");
  if (!pusher.exists()) return task;
  task.has_pusher = true;
  task.contact = read_contact(pusher);
  task.velocity = read_point(pusher["velocity"], dim::speed);
  if (path.exists()) {
    task.duration = path["duration"].quantity(dim::time, above(0));
    task.edge = read_edge(path, task.contact);
  }
  return task;
}

}  // namespace bristle
