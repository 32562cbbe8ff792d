// Meshes in input: from a file, or by programme.

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include "bristle/core/names.hpp"
#include "bristle/io/located.hpp"
#include "bristle/shape/mesh_file.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "shapes.hpp"

namespace bristle::detail {
namespace {

/// Those that are given; the others keep what they have.
void read_lengths(const Node& node, std::initializer_list<std::pair<const char*, double*>> sizes) {
  for (const auto& [key, size] : sizes) *size = node[key].quantity(dim::length, *size, above(0));
}
int count(const Node& node, const char* key, int fallback, int least) {
  return node[key].integer(fallback, between(least, 1e6));
}

TriangleSoup from_file(const Node& node) {
  return read_mesh(node["file"].file_path().string(), node["scale"].number(1, above(0)));
}

void read_thread(const Node& node, Thread& thread) {
  read_lengths(node,
               {{"core", &thread.core}, {"thread_depth", &thread.depth}, {"pitch", &thread.pitch}});
}

TriangleSoup made(const std::string& kind, const Node& node) {
  const auto segments = [&] { return count(node, "segments", 48, 3); };
  const auto layers = [&] { return count(node, "layers", 1, 1); };
  const auto per_pitch = [&] { return count(node, "layers_per_pitch", 16, 4); };
  if (kind == "peg") {
    Peg peg;
    read_lengths(node,
                 {{"radius", &peg.radius}, {"length", &peg.length}, {"chamfer", &peg.chamfer}});
    return make_peg(peg, segments(), layers());
  }
  if (kind == "hole-block") {
    HoleBlock block;
    read_lengths(node, {{"side", &block.side},
                        {"height", &block.height},
                        {"radius", &block.radius},
                        {"chamfer", &block.chamfer},
                        {"depth", &block.depth}});
    return make_hole_block(block, segments(), layers());
  }
  if (kind == "gear") {
    SpurGear gear;
    gear.teeth = count(node, "teeth", gear.teeth, 3);
    read_lengths(node, {{"tip_radius", &gear.tip_radius},
                        {"root_radius", &gear.root_radius},
                        {"width", &gear.width}});
    gear.bore = node["bore"].quantity(dim::length, gear.bore, at_least(0));
    return make_spur_gear(gear, count(node, "points_per_tooth", 8, 4), layers());
  }
  if (kind == "bolt") {
    Bolt bolt;
    read_thread(node, bolt.thread);
    read_lengths(node, {{"length", &bolt.length},
                        {"head_radius", &bolt.head_radius},
                        {"head_height", &bolt.head_height}});
    return make_bolt(bolt, segments(), per_pitch());
  }
  Nut nut;
  read_thread(node, nut.thread);
  read_lengths(node,
               {{"height", &nut.height}, {"radius", &nut.radius}, {"clearance", &nut.clearance}});
  return make_nut(nut, segments(), per_pitch());
}

TriangleSoup read_soup(const Node& node) {
  if (node["file"].exists()) return from_file(node);
  static const std::vector<std::string> kinds{"file", "shape", "peg", "hole-block",
                                              "gear", "bolt",  "nut"};
  if (node["shape"].exists()) {
    const Shape shape = read_shape(node["shape"]);
    return tessellate(shape, node["chord"].quantity(dim::length, above(0)));
  }
  for (const auto& [kind, sizes] : node.entries()) {
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
      TriangleSoup soup = made(kind, sizes);
      soup.name = kind;
      return soup;
    }
    Fault fault = sizes.fault("unknown mesh");
    fault.value = kind;
    fault.expected = one_of(kinds);
    fault.nearest = nearest_name(kind, kinds);
    throw InputError(fault);
  }
  Fault fault = node.fault("a mesh needs a file or a kind");
  fault.expected = "for example {file: part.stl, scale: 0.001}; or one of " + one_of(kinds);
  throw InputError(fault);
}

}  // namespace

Shape read_mesh_shape(const Node& node) {
  const TriangleSoup soup = read_soup(node);
  return located(node, [&]() -> Shape { return MeshShape{Mesh::make(soup)}; });
}

}  // namespace bristle::detail
