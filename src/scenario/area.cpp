#include "bristle/scenario/area.hpp"

#include <algorithm>

#include "bristle/contact/patch_area.hpp"
#include "bristle/core/names.hpp"
#include "bristle/io/located.hpp"
#include "bristle/scenario/interference.hpp"

namespace bristle {
namespace {

const std::vector<std::string> kinds{"disc",    "annulus", "ellipse", "rectangle",
                                     "polygon", "points",  "table",   "overlap"};

Pressure read_pressure(const Node& node) {
  static const std::vector<std::string> names{"uniform", "hertz"};
  Pressure pressure;
  const Node kind = node.is_map() ? node["kind"] : node;
  if (kind.word(names, "uniform") == "hertz") pressure.kind = Pressure::Kind::hertz;
  if (node.is_map()) {
    const auto slope = node["slope"].quantities(raised(dim::length, -1), 2, {}, {0, 0});
    pressure.slope = {slope[0], slope[1]};
  }
  return pressure;
}

std::vector<Point2> read_corners(const Node& node) {
  std::vector<Point2> corners;
  for (const Node& item : node.required("a list of corners [x, y]").items()) {
    const auto xy = item.quantities(dim::length, 2);
    corners.emplace_back(xy[0], xy[1]);
  }
  return corners;
}

/// [x, y] or [x, y, weight].
std::vector<Support> read_supports(const Node& node) {
  std::vector<Support> supports;
  for (const Node& item : node.required("a list of places [x, y] or {at, weight}").items()) {
    Support support;
    const auto xy = (item.is_map() ? item["at"] : item).quantities(dim::length, 2);
    support.x = xy[0];
    support.y = xy[1];
    if (item.is_map()) support.weight = item["weight"].number(1.0, at_least(0));
    supports.push_back(support);
  }
  return supports;
}

PressedArea read_table(const Node& sizes) {
  const auto x = sizes["x"].quantities(dim::length), y = sizes["y"].quantities(dim::length);
  std::vector<double> values;
  const auto rows = sizes["values"].required("one row of pressures for each y").items();
  for (const Node& row : rows) {
    const auto numbers = row.quantities(dim::pressure, x.size(), at_least(0));
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  if (rows.size() != y.size()) {
    throw InputError(sizes["values"].fault("needs as many rows as there are values in y"));
  }
  return PressedArea::table(x, y, values);
}

/// What two bodies press on.
PressedArea read_overlap(const Node& sizes) {
  const int cells = sizes["cells"].integer(48, between(4, 1000));
  const Interference pair = read_interference(sizes);
  const std::vector<Overlap> pieces = pair.overlaps();
  if (pieces.empty()) throw InputError(sizes.fault("the bodies are apart"));
  return patch_area(pair.patch(together(pieces)), pair.shape[0], pair.pose[0], pair.shape[1],
                    pair.pose[1], cells);
}

PressedArea make(const std::string& kind, const Node& sizes, const Pressure& pressure) {
  const auto length = [&](const char* key) { return sizes[key].quantity(dim::length); };
  if (kind == "disc") return PressedArea::disc(length("radius"), pressure);
  if (kind == "annulus") return PressedArea::annulus(length("inner"), length("outer"), pressure);
  if (kind == "ellipse") return PressedArea::ellipse(length("a"), length("b"), pressure);
  if (kind == "rectangle") {
    return PressedArea::rectangle(length("length"), length("width"), pressure);
  }
  if (kind == "polygon") return PressedArea::polygon(read_corners(sizes["corners"]), pressure);
  if (kind == "points") return PressedArea::points(read_supports(sizes["places"]));
  if (kind == "overlap") return read_overlap(sizes);
  return read_table(sizes);
}

PressedArea read_one(const Node& node) {
  const auto entries = node["shape"].required("for example {disc: {radius: 5 mm}}").entries();
  if (entries.size() != 1) {
    Fault fault = node["shape"].fault("an area is one of its kinds with its sizes");
    fault.expected = "for example {disc: {radius: 5 mm}}; " + one_of(kinds);
    throw InputError(fault);
  }
  const auto& [kind, sizes] = entries.front();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    Fault fault = sizes.fault("unknown kind of area");
    fault.value = kind;
    fault.expected = one_of(kinds);
    fault.nearest = nearest_name(kind, kinds);
    throw InputError(fault);
  }
  if (node["pressure"].exists() && (kind == "points" || kind == "table" || kind == "overlap")) {
    throw InputError(node["pressure"].fault("points, tables and overlaps have their own pressure"));
  }
  const Pressure pressure = read_pressure(node["pressure"]);
  return located(sizes,
                 [&, &name = kind, &values = sizes] { return make(name, values, pressure); });
}

PressedArea read_together(const Node& list) {
  std::vector<PressedArea> areas;
  std::vector<double> weights;
  for (const Node& item : list.items()) {
    areas.push_back(read_area(item));
    weights.push_back(item["weight"].number(1.0, at_least(0)));
  }
  return located(list, [&] { return PressedArea::together(areas, weights); });
}

}  // namespace

PressedArea read_area(const Node& node) {
  const PressedArea area =
      node["together"].exists() ? read_together(node["together"]) : read_one(node);
  const auto at = node["at"].quantities(dim::length, 2, {}, {0, 0});
  const double angle = node["turned"].quantity(dim::angle, 0.0);
  if (at[0] == 0 && at[1] == 0 && angle == 0) return area;
  return area.moved({at[0], at[1]}, angle);
}

std::unique_ptr<AreaLaw> read_area_law(const Node& node, const PressedArea& area) {
  const Node law = node["law"];
  const std::vector<std::string> names(area_law_names().begin(), area_law_names().end());
  const std::string name = (law.is_map() ? law["name"] : law).word(names, "exact");
  AreaLawOptions options;
  // Of degree n = n1 + n2 + 1 b weighs ω^n against v^n.
  const bool ratio = name.size() > 2 && name[0] == 'I';
  const Dimension weight = raised(dim::length, ratio ? 1 + (name[1] - '0') + (name[2] - '0') : 1);
  const auto read = [&](const char* key, const Dimension& dimension, std::optional<double>& to) {
    if (law.is_map() && law[key].exists()) to = law[key].quantity(dimension, above(0));
  };
  read("m", dim::none, options.m);
  read("b", weight, options.b);
  read("m_torque", dim::none, options.m_torque);
  read("b_torque", weight, options.b_torque);
  return located(law.exists() ? law : node, [&] { return make_area_law(name, area, options); });
}

}  // namespace bristle
