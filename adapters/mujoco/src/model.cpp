#include "bristle/mujoco/model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"
#include "bristle/shape/mesh.hpp"
#include "builtin.hpp"

namespace bristle {
namespace {

void raise(const char* message) { throw std::runtime_error(message); }
void pass_over(const char*) {}

/// MuJoCo ends the process at an error of its own and writes a log file at a warning, unless told
/// otherwise. While a model is loaded an error is thrown; a program's own handlers are put back.
/// Warnings are counted in mjData, where they can be read; the log file is written no more, since a
/// step in real time must not.
class Handlers {
 public:
  Handlers() : error_(mju_user_error) {
    mju_user_error = raise;
    if (mju_user_warning == nullptr) mju_user_warning = pass_over;
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  Handlers(Handlers&&) = delete;
  Handlers& operator=(Handlers&&) = delete;
  ~Handlers() { mju_user_error = error_; }

 private:
  void (*error_)(const char*);
};

/// The number after the word "line" ("line 3", "line = 3"); 0 if there is none.
int line_in(const std::string& message) {
  std::size_t at = message.find("line ");
  if (at == std::string::npos) return 0;
  at = message.find_first_not_of(" =", at + 4);
  int line = 0;
  for (; at < message.size() && message[at] >= '0' && message[at] <= '9' && line < 1 << 24; ++at) {
    line = 10 * line + (message[at] - '0');
  }
  return line;
}

/// Its lines as one.
std::string tidy(std::string message) {
  while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0) {
    message.pop_back();
  }
  std::string line;
  for (const char c : message) {
    if (c == '\n') {
      line += ", ";
    } else {
      line += c;
    }
  }
  return line;
}

MujocoModel load(const std::string& name, const mjVFS* files, const std::string& file) {
  static std::mutex one_at_a_time;  // MuJoCo keeps the last XML it read for itself
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  std::array<char, 1000> message{};
  mjModel* model = nullptr;
  {
    const Handlers handlers;
    try {
      model = mj_loadXML(name.c_str(), files, message.data(), static_cast<int>(message.size()));
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      std::copy_n(what.begin(), std::min(what.size(), message.size() - 1), message.begin());
    }
    mj_freeLastXML();
  }
  if (model == nullptr) {
    const std::string text = tidy(message.data());
    throw InputError(
        {.message = "MuJoCo refuses the model: " + text, .file = file, .line = line_in(text)});
  }
  return {model, [](mjModel* m) { mj_deleteModel(m); }};
}

Shape mesh_shape(const mjModel& m, int geom) {
  const int mesh = m.geom_dataid[geom];
  TriangleSoup soup;
  soup.name = mujoco_name(m, mjOBJ_MESH, mesh);
  const float* vertices = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
  for (int i = 0; i < m.mesh_vertnum[mesh]; ++i) {
    soup.vertices.emplace_back(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  }
  const int* faces = m.mesh_face + 3 * m.mesh_faceadr[mesh];
  for (int i = 0; i < m.mesh_facenum[mesh]; ++i) {
    soup.triangles.push_back({faces[3 * i], faces[3 * i + 1], faces[3 * i + 2]});
  }
  return MeshShape{Mesh::make(std::move(soup))};
}

}  // namespace

MujocoModel load_mujoco_model(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(
        {.message = "no such file", .value = path, .expected = "a model in MJCF or URDF"});
  }
  require_input(path, limits::document_bytes);
  return load(path, nullptr, path);
}

MujocoModel parse_mujoco_model(std::string_view xml, const std::string& file) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  // MuJoCo looks for the end of a text as C does.
  mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size() + 1));
  std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[0]));
  static_cast<char*>(files->filedata[0])[xml.size()] = '\0';
  const auto remove = [](mjVFS* f) { mj_deleteVFS(f); };
  const std::unique_ptr<mjVFS, decltype(remove)> cleared(files.get(), remove);
  return load("model.xml", files.get(), file);
}

std::string_view builtin_mujoco_model(std::string_view name) {
  for (const detail::BuiltInModel& model : detail::builtin_models()) {
    if (fmt::format("{}.xml", model.name) == name) return model.text;
  }
  return {};
}
std::vector<std::string> builtin_mujoco_models() {
  std::vector<std::string> names;
  for (const detail::BuiltInModel& model : detail::builtin_models()) {
    names.push_back(fmt::format("{}.xml", model.name));
  }
  return names;
}

MujocoGeom geom_shape(const mjModel& m, int geom) {
  const mjtNum* size = m.geom_size + 3 * geom;
  MujocoGeom result{
      .at = {mujoco_vector(m.geom_pos + 3 * geom), mujoco_rotation(m.geom_quat + 4 * geom)}};
  switch (m.geom_type[geom]) {
    case mjGEOM_PLANE:
      result.shape = HalfSpace{};
      break;
    case mjGEOM_SPHERE:
      result.shape = Sphere{size[0]};
      break;
    case mjGEOM_CAPSULE:
      result.shape = Capsule{size[0], 2 * size[1]};
      break;
    case mjGEOM_CYLINDER:
      result.shape = Cylinder{size[0], 2 * size[1]};
      break;
    case mjGEOM_ELLIPSOID:
      result.shape = Ellipsoid{mujoco_vector(size)};
      break;
    case mjGEOM_BOX:
      result.shape = Box{2 * mujoco_vector(size)};
      break;
    case mjGEOM_MESH:
      result.shape = mesh_shape(m, geom);
      break;
    default:
      throw InputError({.message = fmt::format("geom '{}' is a height field, which contact here "
                                               "does not know",
                                               mujoco_name(m, mjOBJ_GEOM, geom)),
                        .expected = "a plane, sphere, capsule, cylinder, ellipsoid, box or mesh"});
  }
  return result;
}

std::string mujoco_name(const mjModel& model, mjtObj kind, int id) {
  const char* name = mj_id2name(&model, kind, id);
  if (name != nullptr && *name != '\0') return name;
  return fmt::format("{} {}", mju_type2Str(kind), id);
}

std::vector<std::string> mujoco_names(const mjModel& model, mjtObj kind) {
  std::vector<std::string> names;
  const int count = kind == mjOBJ_GEOM       ? model.ngeom
                    : kind == mjOBJ_BODY     ? model.nbody
                    : kind == mjOBJ_SITE     ? model.nsite
                    : kind == mjOBJ_JOINT    ? model.njnt
                    : kind == mjOBJ_ACTUATOR ? model.nu
                    : kind == mjOBJ_KEY      ? model.nkey
                                             : 0;
  for (int id = 0; id < count; ++id) {
    const char* name = mj_id2name(&model, kind, id);
    if (name != nullptr && *name != '\0') names.emplace_back(name);
  }
  return names;
}

}  // namespace bristle
