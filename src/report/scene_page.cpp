// The animated view of a scene: its data, its controls, and the scripts that bring it to life.

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/shape/mesh.hpp"
#include "builtin.hpp"
#include "page_detail.hpp"

namespace bristle::plot_detail {
namespace {

// ---- numbers as text ------------------------------------------------------------------------

/// Little-endian numbers as base64, a third longer than they are.
template <class T>
std::string base64(const std::vector<T>& numbers) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  std::string out = "\"";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return k < bytes.size() ? bytes[k] : 0;
    };
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
  }
  return out + '"';
}

class Floats {
 public:
  void add(const Vector3& v) {
    for (const double x : v) list_.push_back(static_cast<float>(x));
  }
  void add(const Pose& pose) {
    add(pose.position);
    for (const double x : pose.rotation.coeffs()) list_.push_back(static_cast<float>(x));
  }
  void add(double x) { list_.push_back(static_cast<float>(x)); }
  std::string text() const { return base64(list_); }

 private:
  std::vector<float> list_;
};

// ---- shapes ---------------------------------------------------------------------------------

struct MeshBox {
  Vector3 low, high;
  explicit MeshBox(const Mesh& mesh) : low(mesh.vertices().front()), high(low) {
    for (const Vector3& v : mesh.vertices()) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
  }
};

bool is_too_fine(const Shape& shape, std::size_t most_triangles) {
  const auto* mesh = std::get_if<MeshShape>(&shape);
  return mesh != nullptr && mesh->mesh->triangles().size() > most_triangles;
}

std::string mesh_json(const Mesh& mesh) {
  Floats vertices;
  for (const Vector3& v : mesh.vertices()) vertices.add(v);
  const bool wide = mesh.vertices().size() > 0xffff;
  std::vector<std::uint16_t> narrow_list;
  std::vector<std::uint32_t> wide_list;
  for (const std::array<int, 3>& triangle : mesh.triangles()) {
    for (const int corner : triangle) {
      if (wide) {
        wide_list.push_back(static_cast<std::uint32_t>(corner));
      } else {
        narrow_list.push_back(static_cast<std::uint16_t>(corner));
      }
    }
  }
  return fmt::format(R"({{"wide":{},"vertices":{},"triangles":{}}})", wide, vertices.text(),
                     wide ? base64(wide_list) : base64(narrow_list));
}

/// Shapes as the script knows them; a mesh that several parts have is written once.
class Shapes {
 public:
  explicit Shapes(std::size_t most_triangles) : most_triangles_(most_triangles) {}

  std::string json(const Shape& shape) {
    return std::visit([&](const auto& s) { return json_of(s); }, shape);
  }
  std::string meshes() const {
    std::string out;
    for (const Mesh* mesh : meshes_) out += (out.empty() ? "" : ",\n") + mesh_json(*mesh);
    return "[" + out + "]";
  }

 private:
  static std::string json_of(const Sphere& s) {
    return fmt::format(R"({{"kind":"sphere","radius":{}}})", s.radius);
  }
  /// Drawn as the plate that the scene makes of it.
  static std::string json_of(const Wall&) { return R"({"kind":"point"})"; }
  static std::string json_of(const HalfSpace&) { return R"({"kind":"half-space"})"; }
  static std::string json_of(const bristle::Point&) { return R"({"kind":"point"})"; }
  static std::string json_of(const Bore& s) {
    return fmt::format(R"({{"kind":"bore","radius":{}}})", s.radius);
  }
  static std::string json_of(const Cylinder& s) { return round("cylinder", s.radius, s.length); }
  static std::string json_of(const Capsule& s) { return round("capsule", s.radius, s.length); }
  static std::string json_of(const Cone& s) { return round("cone", s.radius, s.length); }
  static std::string json_of(const Box& s) { return three("box", "size", s.size); }
  static std::string json_of(const Ellipsoid& s) { return three("ellipsoid", "radii", s.radii); }
  std::string json_of(const MeshShape& s) {
    if (is_too_fine(s, most_triangles_)) {
      const MeshBox box(*s.mesh);
      return three("box", "size", box.high - box.low);
    }
    std::size_t i = 0;
    while (i < meshes_.size() && meshes_[i] != s.mesh.get()) ++i;
    if (i == meshes_.size()) meshes_.push_back(s.mesh.get());
    return fmt::format(R"({{"kind":"mesh","mesh":{}}})", i);
  }

  static std::string round(const char* kind, double radius, double length) {
    return fmt::format(R"({{"kind":"{}","radius":{},"length":{}}})", kind, radius, length);
  }
  static std::string three(const char* kind, const char* key, const Vector3& v) {
    return fmt::format(R"({{"kind":"{}","{}":[{},{},{}]}})", kind, key, v.x(), v.y(), v.z());
  }

  std::size_t most_triangles_;
  std::vector<const Mesh*> meshes_;
};

const char* name_of(ScenePart::Role role) {
  switch (role) {
    case ScenePart::Role::driven:
      return "driven";
    case ScenePart::Role::fixed:
      return "fixed";
    default:
      return "free";
  }
}

/// The frame in which a shape is drawn: that of the shape, but for the box around a fine mesh.
Pose drawn_at(const ScenePart& part, const Pose& pose, std::size_t most_triangles) {
  if (!is_too_fine(part.shape, most_triangles)) return pose;
  const MeshBox box(*std::get<MeshShape>(part.shape).mesh);
  return {apply(pose, 0.5 * (box.low + box.high)), pose.rotation};
}

std::string part_json(const ScenePart& part, Shapes& shapes, std::size_t most_triangles) {
  const Pose at = drawn_at(part, part.pose, most_triangles);
  const Vector3& p = at.position;
  const auto& q = at.rotation;
  const std::string traced = part.traced ? fmt::format(",\"traced\":[{},{},{}]", part.traced->x(),
                                                       part.traced->y(), part.traced->z())
                                         : "";
  return fmt::format(R"({{"name":{},"role":"{}","shape":{},"pose":[{},{},{},{},{},{},{}]{}}})",
                     quote_json(part.name), name_of(part.role), shapes.json(part.shape), p.x(),
                     p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), traced);
}

// ---- the whole ------------------------------------------------------------------------------

std::string stages_json(const Scene& scene) {
  std::string out;
  for (const SceneStage& stage : scene.stages) {
    out += fmt::format("{}[{:.9g},{:.9g},{}]", out.empty() ? "" : ",", stage.from, stage.to,
                       quote_json(stage.text));
  }
  return "[" + out + "]";
}

std::string scene_json(const Animation& animation) {
  const Scene& scene = animation.scene;
  Shapes shapes(animation.most_triangles);
  std::string parts;
  std::vector<const ScenePart*> moving;
  for (const ScenePart& part : scene.parts) {
    parts += (parts.empty() ? "" : ",\n") + part_json(part, shapes, animation.most_triangles);
    if (Scene::moves(part)) moving.push_back(&part);
  }
  Floats times, poses, forces;
  std::vector<std::uint16_t> counts;
  for (const SceneFrame& frame : scene.frames) {
    if (frame.poses.size() != moving.size()) {
      throw std::invalid_argument("a frame of a scene needs a pose for each part that moves");
    }
    times.add(frame.t);
    for (std::size_t k = 0; k < moving.size(); ++k)
      poses.add(drawn_at(*moving[k], frame.poses[k], animation.most_triangles));
    counts.push_back(static_cast<std::uint16_t>(frame.forces.size()));
    for (const SceneForce& force : frame.forces) {
      for (const Vector3& v : {force.point, force.normal, force.friction}) forces.add(v);
    }
  }
  return fmt::format(
      "{{\"parts\":[{}],\n\"meshes\":{},\n\"t\":{},\n\"poses\":{},\n\"counts\":{},\n"
      "\"forces\":{},\n\"stages\":{}}}",
      parts, shapes.meshes(), times.text(), poses.text(), base64(counts), forces.text(),
      stages_json(scene));
}

/// What is not drawn as it is.
std::string simplified(const Animation& animation) {
  std::string out;
  for (const ScenePart& part : animation.scene.parts) {
    if (!is_too_fine(part.shape, animation.most_triangles)) continue;
    out += fmt::format(" {} has {} triangles and is drawn as the box around it.", part.name,
                       std::get<MeshShape>(part.shape).mesh->triangles().size());
  }
  return escape_xml(out);
}

constexpr const char* scene_form = R"html(<div class="scene" id="{id}">
{heading}<div class="works" role="group" aria-label="Animated view of the motion" aria-describedby="{id}-hint">
<div class="frame">
<canvas tabindex="0" role="img" aria-label="{parts}, seen in perspective"></canvas>
<div class="inset" hidden></div>
<p class="now" role="status"></p>
<div class="legend"><span class="key" style="--k:var(--normal)">normal force <b class="normal"></b></span><span class="key" style="--k:var(--friction)">friction <b class="friction"></b></span><span><i class="length"></i><span class="scale"></span></span></div>
</div>
<div class="bar"><button class="play" type="button" aria-label="Play"></button>
<div class="track"><div class="stages" aria-hidden="true"></div><input type="range" step="any" aria-label="Time"></div></div>
<div class="bar"><label>Speed <select class="speed"></select></label>
<button class="follow" type="button" aria-pressed="false">Follow</button>
<button class="contacts" type="button" aria-pressed="false">Contacts</button>
<button class="home" type="button">Reset view</button>
<label><input class="forces" type="checkbox" checked>Forces</label>
<label><input class="paths" type="checkbox" checked>Paths</label></div>
<p class="hint" id="{id}-hint">Drag to turn, with Shift or two fingers to move, click and scroll or pinch to zoom. Space plays,
the arrow keys step and zoom, Page Up and Page Down go from stage to stage, C shows the contacts from near. Arrows show the force on the first moving body
of each contact; their scale follows the forces. A link that ends in #t=1.2 opens at that time.{simplified}</p>
</div>
<p class="missing" hidden>This browser shows no WebGL, which the animated view needs; the figures below tell the same.</p>
<noscript><p>The animated view needs scripts.</p></noscript>
{caption}<script type="application/json" id="{id}-data">
{data}
</script>
</div>
)html";

std::string names_of(const Scene& scene) {
  constexpr std::size_t most = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, scene.parts.size()); ++i) {
    out += (i == 0 ? "" : ", ") + scene.parts[i].name;
  }
  if (scene.parts.size() > most) out += fmt::format(" and {} more", scene.parts.size() - most);
  return out;
}

std::string_view script(std::string_view name) {
  for (const BuiltInScript& one : builtin_scripts()) {
    if (one.name == name) return one.text;
  }
  throw std::logic_error(fmt::format("no script '{}' is compiled in", name));
}

}  // namespace

std::string animation_element(const Animation& animation, const std::string& id) {
  return fmt::format(fmt::runtime(scene_form), fmt::arg("id", id),
                     fmt::arg("heading", element("h3", animation.title)),
                     fmt::arg("caption", element("p", animation.caption)),
                     fmt::arg("parts", escape_xml(names_of(animation.scene))),
                     fmt::arg("simplified", simplified(animation)),
                     fmt::arg("data", scene_json(animation)));
}

std::string_view animation_style() { return script("style"); }

std::string animation_scripts() {
  std::string out = fmt::format(
      "<script>\n// three.js, copyright its authors, MIT licence\n{}\n</script>\n"
      "<script>\n'use strict';\n(() => {{\n",
      script("three"));
  for (const char* name : {"data", "parts", "camera", "world", "player"}) out += script(name);
  return out + "})();\n</script>\n";
}

}  // namespace bristle::plot_detail
