#include "bristle/scenario/peg_hole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/core/index.hpp"
#include "bristle/core/names.hpp"
#include "bristle/scenario/peg_geometry.hpp"

namespace bristle {

using detail::at;

const char* to_string(PegStage stage) noexcept {
  switch (stage) {
    case PegStage::none:
      return "no contact";
    case PegStage::chamfer:
      return "chamfer crossing";
    case PegStage::one_point:
      return "one-point contact";
    case PegStage::two_point:
      return "two-point contact";
  }
  return "";
}

PegStage PegHole::stage(double depth, bool on_a, bool on_b) const noexcept {
  if (!on_a && !on_b) return PegStage::none;
  if (on_a && on_b) return PegStage::two_point;
  return depth < root ? PegStage::chamfer : PegStage::one_point;
}

namespace {

/// The pair of this name with the peg.
int pair_with(const Node& node, const World& world, const std::string& peg) {
  std::vector<std::string> walls;
  for (const ContactPair& pair : world.pairs) {
    walls.push_back(world.name(pair.a) == peg ? world.name(pair.b) : "");
  }
  const std::string name = node.required("a wall that the peg touches").word(walls);
  return static_cast<int>(std::find(walls.begin(), walls.end(), name) - walls.begin());
}

const std::vector<double>& values(const RunResult& result, const std::string& name) {
  return result.column(name);
}

/// What stands for the pair in the names of its columns.
std::string of_pair(const char* text, int pair, int pairs) {
  return pairs == 1 ? text : fmt::format("{}{}", text, pair + 1);
}

/// Stages that end before they count are taken for the one before.
void drop_bounces(const std::vector<double>& t, double shortest, std::vector<double>& stage) {
  for (std::size_t from = 1; from < stage.size();) {
    if (stage[from] == stage[from - 1]) {
      ++from;
      continue;
    }
    std::size_t to = from;
    while (to < stage.size() && stage[to] == stage[from]) ++to;
    // From the first row that shows it to the last: it may have lasted a row longer.
    if (to < stage.size() && t[to - 1] - t[from] < shortest) {
      std::fill(stage.begin() + static_cast<long>(from), stage.begin() + static_cast<long>(to),
                stage[from - 1]);
    }
    from = to;
  }
}

}  // namespace

PegHole read_peg_hole(const Node& node, const World& world) {
  PegHole hole;
  std::vector<std::string> names;
  for (const ContactPair& pair : world.pairs) names.push_back(world.name(pair.a));
  const std::string peg = node["of"].required("the peg").word(names);
  hole.pairs = static_cast<int>(world.pairs.size());
  hole.pair_a = pair_with(node["a"], world, peg);
  hole.pair_b = pair_with(node["b"], world, peg);
  const ContactPair& b = world.pairs[at(hole.pair_b)];
  const Shape box = world.shape(b.a), wall = world.shape(b.b);
  const Wall* chamfered = std::get_if<Wall>(&wall);
  if (!std::holds_alternative<Box>(box) || chamfered == nullptr || hole.pair_a == hole.pair_b) {
    throw InputError(node.fault("a peg is a box between two walls"));
  }
  hole.peg = peg.substr(peg.rfind('.') + 1);
  hole.width = std::get<Box>(box).size.x();
  hole.length = std::get<Box>(box).size.z();
  hole.root = chamfered->chamfer_height;
  hole.mouth = world.pose(b.b).position.z();
  // The face of b looks along its x axis, towards a.
  hole.side = axis_x(world.pose(b.b)).x() < 0 ? 1 : -1;
  return hole;
}

void add_peg_log(const PegHole& hole, RunResult& result) {
  const auto place = [&](const char* what) -> const std::vector<double>& {
    return values(result, hole.peg + "_" + what);
  };
  const auto of = [&](const char* text, int pair) -> const std::vector<double>& {
    return values(result, of_pair(text, pair, hole.pairs));
  };
  const std::vector<double>&t = values(result, "t"), &z = place("z"), &qw = place("qw"),
        &qy = place("qy");
  const std::vector<double>&touch_a = of("contact", hole.pair_a),
        &touch_b = of("contact", hole.pair_b), &ax = of("f_x", hole.pair_a),
        &az = of("f_z", hole.pair_a), &bx = of("f_x", hole.pair_b), &bz = of("f_z", hole.pair_b);
  std::vector<Column> log{{"depth", "m"},   {"lean", "rad"},   {"a_across", "N"},
                          {"a_along", "N"}, {"b_across", "N"}, {"b_along", "N"},
                          {"X_a", "m"},     {"X_b", "m"},      {"stage", "1"}};
  for (std::size_t k = 0; k < t.size(); ++k) {
    // A turn from x towards z is one about −y; leaning towards b is the other way.
    const double angle =
        hole.side * std::remainder(2 * std::atan2(qy[k], qw[k]), 2 * std::numbers::pi);
    const double depth = hole.mouth - z[k] + 0.5 * hole.length * std::cos(angle) +
                         0.5 * hole.width * std::abs(std::sin(angle));
    const PegPoint x = peg_contacts(depth, angle, hole.width, hole.root);
    const PegStage stage = hole.stage(depth, touch_a[k] > 0, touch_b[k] > 0);
    // Forces on the peg are known; walls feel the opposite. b lies towards `side`.
    const double row[] = {
        depth,     angle,     hole.side * ax[k],         az[k], -hole.side * bx[k], bz[k],
        x.along_a, x.along_b, static_cast<double>(stage)};
    for (std::size_t c = 0; c < log.size(); ++c) log[c].values.push_back(row[c]);
  }
  std::vector<double>& stage = log.back().values;
  drop_bounces(t, hole.shortest, stage);
  result.scene.stages.clear();
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (k > 0 && stage[k] == stage[k - 1]) continue;
    const char* text = to_string(static_cast<PegStage>(static_cast<int>(stage[k])));
    result.events.push_back({t[k], text});
    if (k > 0) result.scene.stages.back().to = t[k];
    result.scene.stages.push_back({t[k], t.back(), text});
  }
  std::stable_sort(result.events.begin(), result.events.end(),
                   [](const RunEvent& a, const RunEvent& b) { return a.t < b.t; });
  result.metrics["deepest"] = *std::max_element(log[0].values.begin(), log[0].values.end());
  // Beside the books of energy, which stay last.
  const auto books = std::find_if(result.columns.begin(), result.columns.end(),
                                  [](const Column& c) { return c.name == "E_kinetic"; });
  result.columns.insert(books, std::make_move_iterator(log.begin()),
                        std::make_move_iterator(log.end()));
}

}  // namespace bristle
