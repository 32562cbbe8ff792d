// Binary files, and meshes: the readers take a path.

#include <cmath>

#include "bristle/io/hdf5.hpp"
#include "bristle/io/mat.hpp"
#include "bristle/shape/mesh_file.hpp"
#include "targets.hpp"

namespace bristle::fuzz {
namespace {

/// Every array by its name, whole and its first column and row; and a name that is not there.
template <class Names, class Read>
void read_all(const std::filesystem::path& path, Names&& names_in, Read&& read) {
  std::vector<std::string> names;
  accepted([&] { names = names_in(path); });
  if (names.size() > 16) names.resize(16);
  names.emplace_back("no/such.name");
  for (const std::string& name : names) {
    for (const Part& part : {Part{}, Part{.column = 1}, Part{.row = 1}}) {
      accepted([&] { read(path, name, part); });
    }
  }
}

}  // namespace

void hdf5(std::string_view bytes) { read_all(as_file("input.h5", bytes), hdf5_names, read_hdf5); }

void mat(std::string_view bytes) { read_all(as_file("input.mat", bytes), mat_names, read_mat); }

void mesh(std::string_view bytes) {
  for (const char* name : {"input.obj", "input.stl"}) {
    TriangleSoup soup;
    if (!accepted([&] { soup = read_mesh(as_file(name, bytes).string(), 1e-3); })) continue;
    const int count = static_cast<int>(soup.vertices.size());
    for (const auto& triangle : soup.triangles) {
      for (const int corner : triangle) require(corner >= 0 && corner < count, "corners are there");
    }
    if (soup.triangles.size() > 300)
      continue;  // sound or not is a question of geometry, not of input
    accepted([&] {
      const auto made = Mesh::make(std::move(soup));
      require(made->volume() > 0, "a sound mesh has a volume");
    });
  }
}

}  // namespace bristle::fuzz
