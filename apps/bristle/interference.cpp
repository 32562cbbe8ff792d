// bristle interference FILE.yaml: what two posed shapes share.

#include "bristle/scenario/interference.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace bristle::cli {
namespace interference_detail {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file, out;
  bool json = false;
};

/// 0.0 is added to spare the reader -0.0.
Json json_of(const Vector3& v) { return {v[0] + 0.0, v[1] + 0.0, v[2] + 0.0}; }
Json json_of(const Matrix3& m) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back({m(i, 0), m(i, 1), m(i, 2)});
  return rows;
}

/// Keys in this order; those that have no value are null: all but the volume where the bodies are
/// apart, whatever needs a direction where there is none.
Json json_of(const Patch* patch) {
  const bool directed = patch != nullptr && patch->directed;
  const auto always = [&](const auto& value) { return patch == nullptr ? Json() : Json(value()); };
  const auto if_directed = [&](const auto& value) { return directed ? Json(value()) : Json(); };
  return {{"volume", patch == nullptr ? 0 : patch->volume},
          {"area", if_directed([&] { return patch->area; })},
          {"volume_centroid", always([&] { return json_of(patch->volume_centroid); })},
          {"surface_centroid", if_directed([&] { return json_of(patch->surface_centroid); })},
          {"normal", if_directed([&] { return json_of(patch->normal); })},
          {"J_V", always([&] { return json_of(patch->J_V); })},
          {"J_s", if_directed([&] { return json_of(patch->J_s); })},
          {"M", if_directed([&] { return json_of(patch->M); })},
          {"r_gyr", if_directed([&] { return patch->r_gyr; })},
          {"depth", if_directed([&] { return patch->depth; })},
          {"mean_depth", if_directed([&] { return patch->mean_depth; })},
          {"directed", always([&] { return patch->directed; })}};
}

/// JSON would write null for what is no number.
void require_finite(const Json& json) {
  for (const auto& value : json) {
    if (value.is_structured()) require_finite(value);
    if (!value.is_number_float() || std::isfinite(value.get<double>())) continue;
    throw std::runtime_error(
        "what the bodies share is not finite: they are too far away, or too large");
  }
}

std::string report(const Interference& pair) {
  const std::vector<Overlap> pieces = pair.overlaps();
  if (pieces.empty()) return json_of(nullptr).dump(2) + "\n";
  const Patch total = pair.patch(together(pieces));
  Json json = json_of(&total);
  if (pieces.size() > 1) {
    for (const Overlap& piece : pieces) {
      const Patch patch = pair.patch(piece);
      json["patches"].push_back(json_of(&patch));
    }
  }
  require_finite(json);
  return json.dump(2) + "\n";
}

void run(const Options& options) {
  const Document document = Document::read(options.file);
  const Interference pair = read_interference(document);
  document.finish();
  check_result(options.out);
  write_result(options.out, report(pair));
}

}  // namespace interference_detail

void add_interference(CLI::App& app) {
  using namespace interference_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "interference", "volume, centroid, normal, area and moments that two posed shapes share");
  command->add_option("FILE", options->file, "two bodies, YAML")->required();
  command->add_flag("--json", options->json, "machine-readable, which it is in any case");
  command->add_option("--out", options->out, "write the result to a file instead")
      ->type_name("FILE");
  command->footer(
      "Example of a file:\n"
      "  bodies:\n"
      "    - {shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.08]}\n"
      "    - {shape: {half-space: {}}}\n"
      "Shapes: sphere, cylinder and capsule {radius, length}, cone {radius, length}, box {size},\n"
      "ellipsoid {radii}, half-space, bore {radius}, mesh {file, scale}; SI or with units\n"
      "(radius: 10 cm). Rotations:\n"
      "[w, x, y, z] or {axis: [0, 1, 0], angle: 20 deg}. Optional:\n"
      "  stiffness: [1e9, 3e9]   k_V of either body, N/m^3: the contact lies between the surfaces\n"
      "  normal: eigenvector     of J_V, instead of the direction of the vector area\n"
      "Output: JSON, SI, world frame. 'normal' points from the first body to the second; 'area' "
      "is\n"
      "seen along it; 'surface_centroid' is the centre of pressure; J_V, J_s and M are tensors of\n"
      "rolling resistance. Bodies apart: volume 0, the rest null. A body inside the other or "
      "right\n"
      "through it has no direction: 'directed' is false, and null what would need one.\n"
      "  bristle interference pair.yaml");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
