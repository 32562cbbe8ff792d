#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/report/page.hpp"
#include "bristle/shape/mesh_make.hpp"

namespace bristle {
namespace {

using Json = nlohmann::json;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

/// A ball that falls on a block, in three frames.
Scene small_scene(const Shape& block = Box{Vector3(1, 2, 3)}) {
  Scene scene;
  scene.parts.push_back({.name = "ball", .shape = Sphere{0.25}, .traced = Vector3(0, 0, 0)});
  scene.parts.push_back({.name = "block", .shape = block, .role = ScenePart::Role::fixed});
  scene.pairs = {"ball – block"};
  for (const double t : {0.0, 0.5, 1.5}) {
    SceneFrame frame{.t = t, .poses = {{Vector3(0, 0.125, 2 - t), Eigen::Quaterniond(1, 0, 0, 0)}}};
    if (t == 0.5) frame.forces.push_back({0, Vector3(1, 2, 3), Vector3(0, 0, 4), Vector3(5, 0, 0)});
    scene.frames.push_back(frame);
  }
  scene.stages = {{0, 0.5, "flight"}, {0.5, 1.5, "chamfer <crossing>"}};
  return scene;
}

std::string page_with(std::vector<Scene> scenes) {
  ReportPage page{.title = "Report"};
  Section section{.title = "Motion"};
  for (Scene& scene : scenes) section.animations.push_back({.scene = std::move(scene)});
  page.sections.push_back(section);
  return render_page(page);
}

Json data_of(const std::string& html, int number = 1) {
  const std::string before = "id=\"scene-" + std::to_string(number) + "-data\">";
  const std::size_t start = html.find(before) + before.size();
  return Json::parse(html.substr(start, html.find("</script>", start) - start));
}

template <class T>
std::vector<T> decoded(const Json& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text.get<std::string>()) {
    if (c == '=') break;
    held = held << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 255u);
  }
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

/// The page without the library.
std::string own_part(std::string html) {
  const std::size_t from = html.find("// three.js");
  EXPECT_NE(from, html.npos);
  return html.erase(from, html.find("</script>", from) - from);
}

TEST(ScenePage, HoldsEveryNumber) {
  const Json data = data_of(page_with({small_scene()}));
  EXPECT_EQ(decoded<float>(data["t"]), (std::vector<float>{0, 0.5f, 1.5f}));
  EXPECT_EQ(decoded<float>(data["poses"]),
            (std::vector<float>{0, 0.125f, 2, 0, 0,      0,    1, 0, 0.125f, 1.5f, 0,
                                0, 0,      1, 0, 0.125f, 0.5f, 0, 0, 0,      1}));
  EXPECT_EQ(decoded<std::uint16_t>(data["counts"]), (std::vector<std::uint16_t>{0, 1, 0}));
  EXPECT_EQ(decoded<float>(data["forces"]), (std::vector<float>{1, 2, 3, 0, 0, 4, 5, 0, 0}));
  EXPECT_EQ(data["stages"][1][2], "chamfer <crossing>");
  EXPECT_EQ(data["parts"][0]["shape"], (Json{{"kind", "sphere"}, {"radius", 0.25}}));
  EXPECT_EQ(data["parts"][1]["shape"]["size"], (Json{1, 2, 3}));
  EXPECT_EQ(data["parts"][1]["role"], "fixed");
  EXPECT_FALSE(data["parts"][1].contains("traced"));
}

TEST(ScenePage, NeedsNoNetworkAndTheLibraryOnce) {
  const std::string html = page_with({small_scene(), small_scene()});
  EXPECT_EQ(count(html, "exports.WebGLRenderer=WebGLRenderer"), 1u);
  EXPECT_EQ(count(html, "<canvas"), 2u);
  EXPECT_NE(html.find("default-src 'none'"), html.npos);
  const std::string own = own_part(html);
  EXPECT_EQ(count(own, "http://") + count(own, "https://"), 0u);
  for (const char* link : {" src=", "url(", "@import", "<link rel=\"style"}) {
    EXPECT_EQ(count(html, link), 0u) << link;
  }
}

TEST(ScenePage, OnlyPagesWithASceneCarryIt) {
  ReportPage page{.title = "Report"};
  page.sections.push_back({.title = "Section", .paragraphs = {"text"}});
  const std::string html = render_page(page);
  EXPECT_EQ(count(html, "scene"), 0u);
  EXPECT_LT(html.size(), 60000u);
}

TEST(ScenePage, SaysWhatItIsAndWhatItNeeds) {
  const std::string html = page_with({small_scene()});
  for (const char* text : {"aria-label=\"Animated view of the motion\"",
                           "aria-label=\"ball, block, seen in perspective\"", "aria-label=\"Play\"",
                           "aria-label=\"Time\"", "This browser shows no WebGL", "<noscript>",
                           "prefers-reduced-motion", "prefers-color-scheme: dark"}) {
    EXPECT_NE(html.find(text), html.npos) << text;
  }
}

TEST(ScenePage, MeshesAreWrittenOnceAndFineOnesAsBoxes) {
  const auto mesh = Mesh::make(make_box(Vector3(2, 4, 6)));
  Scene scene = small_scene(MeshShape{mesh});
  scene.parts.push_back({.name = "twin", .shape = MeshShape{mesh}, .role = ScenePart::Role::fixed});
  const Json data = data_of(page_with({scene}));
  ASSERT_EQ(data["meshes"].size(), 1u);
  EXPECT_EQ(data["parts"][2]["shape"], (Json{{"kind", "mesh"}, {"mesh", 0}}));
  EXPECT_EQ(decoded<float>(data["meshes"][0]["vertices"]).size(), 3 * mesh->vertices().size());
  EXPECT_EQ(decoded<std::uint16_t>(data["meshes"][0]["triangles"]).size(),
            3 * mesh->triangles().size());

  TriangleSoup fine = make_sphere(1, 51);  // 20 808 triangles
  for (Vector3& v : fine.vertices) v.z() += 5;
  const std::string html = page_with({small_scene(MeshShape{Mesh::make(fine)})});
  const Json box = data_of(html)["parts"][1];
  EXPECT_EQ(box["shape"]["kind"], "box");
  EXPECT_NEAR(box["shape"]["size"][0].get<double>(), 2, 1e-12);
  EXPECT_NEAR(box["pose"][2].get<double>(), 5, 1e-12);
  EXPECT_NE(html.find("block has 20808 triangles"), html.npos);
}

TEST(ScenePage, EveryMovingPartNeedsAPose) {
  Scene scene = small_scene();
  scene.frames[1].poses.clear();
  EXPECT_THROW(page_with({scene}), std::invalid_argument);
}

}  // namespace
}  // namespace bristle
