#include "bristle/shape/mesh_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bristle/core/error.hpp"
#include "bristle/shape/mesh_make.hpp"

namespace bristle::testing {
namespace {

using ::testing::HasSubstr;

class MeshFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("bristle_mesh_file_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string fault(const std::string& name, const std::string& text) const {
    try {
      (void)read_mesh(write(name, text));
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_EQ(error.fault().file, path(name));
      return what.substr(what.rfind(name));
    }
    return "no error";
  }
  struct Faulty {
    std::string text, message;
  };
  void expect_faults(const std::string& name, const std::vector<Faulty>& files) const {
    for (const auto& [text, message] : files) {
      EXPECT_THAT(fault(name, text), HasSubstr(message)) << text;
    }
  }

 private:
  std::filesystem::path folder_;
};

const char* const tetrahedron = R"(# a corner
mtllib none.mtl
o corner
v 0 0 0
v 1.0e0 0 0 0.5 0.5 0.5
v 0 +1 0
v 0 0 1
vn 0 0 1
vt 0 0
s off
f 1 3 2
f 1/1 2/1 4/1
f 2//1 3//1 4//1
f -4/1/1 -1/1/1 -2/1/1
)";

TEST_F(MeshFile, ObjInAllForms) {
  const TriangleSoup soup = read_mesh(write("corner.OBJ", tetrahedron), 2);
  EXPECT_EQ(soup.name, path("corner.OBJ"));
  ASSERT_EQ(soup.triangles.size(), 4U);
  EXPECT_EQ(soup.vertices[1], Vector3(2, 0, 0));
  EXPECT_EQ(soup.triangles[3], (std::array<int, 3>{0, 3, 2}));
  EXPECT_NEAR(Mesh::make(soup)->volume(), 8.0 / 6, 1e-15);
}

TEST_F(MeshFile, ObjPolygonsAreCutIntoFans) {
  const TriangleSoup soup = read_mesh(write("cube.obj",
                                            "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\n"
                                            "v 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n"
                                            "f 4 3 2 1\r\nf 5 6 7 8\r\nf 1 2 6 5\r\n"
                                            "f 2 3 7 6\r\nf 3 4 8 7\r\nf 4 1 5 8 # the last\r\n"));
  EXPECT_EQ(soup.triangles.size(), 12U);
  EXPECT_NEAR(Mesh::make(soup)->volume(), 1, 1e-15);
}

TEST_F(MeshFile, ObjComesBackToTheLastBit) {
  const TriangleSoup soup = make_bumpy_sphere(0.1, 0.3, 5, 12);
  write_obj(path("ball.obj"), soup);
  const TriangleSoup back = read_mesh(path("ball.obj"));
  EXPECT_EQ(back.vertices, soup.vertices);
  EXPECT_EQ(back.triangles, soup.triangles);
  EXPECT_THROW(write_obj(path("no/such/folder.obj"), soup), InputError);
}

std::string text_stl(const TriangleSoup& soup) {
  std::string text = "solid thing\n";
  for (const auto& t : soup.triangles) {
    text += "facet normal 0 0 0\n  outer loop\n";
    for (const int k : t) {
      const Vector3& v = soup.vertices[static_cast<std::size_t>(k)];
      text += "    vertex " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " +
              std::to_string(v.z()) + "\n";
    }
    text += "  endloop\nendfacet\n";
  }
  return text + "endsolid thing\n";
}

std::string binary_stl(const TriangleSoup& soup, const std::string& head) {
  std::string bytes = head;
  bytes.resize(80, ' ');
  const auto add = [&](auto value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  add(static_cast<std::uint32_t>(soup.triangles.size()));
  for (const auto& t : soup.triangles) {
    for (int i = 0; i < 3; ++i) add(0.0F);
    for (const int k : t) {
      for (int i = 0; i < 3; ++i) {
        add(static_cast<float>(soup.vertices[static_cast<std::size_t>(k)][i]));
      }
    }
    add(std::uint16_t{0});
  }
  return bytes;
}

TEST_F(MeshFile, StlInBothFormsIsWelded) {
  const TriangleSoup box = make_box({1, 2, 4}, 2, 2, 2);
  // Binary files that begin with "solid" are common.
  for (const std::string& bytes :
       {text_stl(box), binary_stl(box, "made by hand"), binary_stl(box, "solid as a rock")}) {
    const TriangleSoup soup = read_mesh(write("box.stl", bytes), 1e-3);
    EXPECT_EQ(soup.triangles.size(), box.triangles.size());
    EXPECT_EQ(soup.vertices.size(), box.vertices.size());
    EXPECT_NEAR(Mesh::make(soup)->volume(), 8e-9, 1e-22);
  }
}

TEST_F(MeshFile, FaultsNameFileLineAndValue) {
  expect_faults(
      "a.obj",
      {
          {"v 0 0 0\nv 1 zero 0\n", "a.obj:2: value 'zero': not a coordinate; expected a number"},
          {"v 0 0\n", "a.obj:1: not a coordinate"},
          {"v 0 nan 0\n", "a.obj:1: value 'nan': not a coordinate; expected a finite number"},
          {"v 0 inf 0\n", "expected a finite number"},
          {"v 0 0 0\nf 1 1\n", "a.obj:2: value 'f 1 1': a face needs three corners"},
          {"v 0 0 0\nf 1 2 1\n", "a.obj:2: value '2': no such vertex; expected 1 to 1"},
          {"v 0 0 0\nf 1 -2 1\n", "a.obj:2: value '-2': no such vertex"},
          {"f 0 1 2\n", "value '0': not a corner of a face; expected 7, 7/1, 7/1/2 or 7//2"},
          {"f 1/ 1 2\n", "value '1/': not a corner of a face"},
          {"f 1/2/ 1 2\n", "not a corner of a face"},
          {"f 1.5 1 2\n", "not a corner of a face"},
          {"hello\n", "a.obj:1: value 'hello': unknown statement"},
          {"# nothing\n", "a.obj: no triangles in the file"},
          {"", "a.obj: cannot be read or is empty"},
      });
  EXPECT_THAT(fault("a.ply", "ply\n"),
              HasSubstr("a.ply: value '.ply': unknown kind of mesh file; expected .obj or .stl"));
}

TEST_F(MeshFile, FaultsOfStl) {
  const std::string corner = "vertex 0 0 0\n";
  TriangleSoup box = make_box({1, 1, 1});
  const std::string cut = binary_stl(box, "cut").substr(0, 200);
  expect_faults("a.stl", {
                             {"nonsense", "a.stl: value '8 bytes': neither text nor binary STL"},
                             {"solid x\nvertex 0 0\n", "a.stl:2: not a coordinate"},
                             {"solid x\nouter loop\nvertex 0 0 0\nendloop\n",
                              "a.stl:4: value 'endloop': a triangle ends early"},
                             {"solid x\n" + corner + corner + corner + corner,
                              "a.stl:5: value 'vertex 0 0 0': a fourth corner"},
                             {"solid x\n" + corner, "a.stl: the file ends within a triangle"},
                             {"solid x\nloop\n", "a.stl:2: value 'loop': unknown statement"},
                             {"solid x\nendsolid\n", "no triangles in the file"},
                             {cut, "value '200 bytes': neither text nor binary STL"},
                         });
  box.vertices[box.triangles[5][0] > 0 ? static_cast<std::size_t>(box.triangles[5][0]) : 0].x() =
      std::nan("");
  EXPECT_THAT(fault("a.stl", binary_stl(box, "nan")),
              HasSubstr("has a coordinate that is not finite"));
}

TEST_F(MeshFile, MissingFilesAndOddScales) {
  EXPECT_THROW((void)read_mesh(path("nowhere.stl")), InputError);
  EXPECT_THROW((void)read_mesh(path("nosuffix")), InputError);
  std::filesystem::create_directories(path("folder.obj"));
  EXPECT_THROW((void)read_mesh(path("folder.obj")), InputError);
  const std::string good = write("good.obj", tetrahedron);
  EXPECT_THROW((void)read_mesh(good, 0), InputError);
  EXPECT_THROW((void)read_mesh(good, -1), InputError);
  EXPECT_THROW((void)read_mesh(good, std::nan("")), InputError);
  EXPECT_NO_THROW((void)read_mesh(good));
}

}  // namespace
}  // namespace bristle::testing
