#include "bristle/shape/mesh_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

/// A line of a text file, word by word, and how to complain about it.
class Line {
 public:
  Line(const std::string& file, int number, std::string_view text)
      : file_(file), number_(number), text_(text), rest_(text) {}

  /// Empty at the end.
  std::string_view word() {
    const auto begin = std::find_if_not(rest_.begin(), rest_.end(), is_blank);
    const auto end = std::find_if(begin, rest_.end(), is_blank);
    const std::string_view found(begin, end);
    rest_ = std::string_view(end, rest_.end());
    return found;
  }
  double coordinate() {
    const std::string_view text = word();
    const auto value = number<double>(text);
    if (!value) fail("not a coordinate", text, "a number");
    if (!std::isfinite(*value)) fail("not a coordinate", text, "a finite number");
    return *value;
  }
  Vector3 point(double scale) {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    return scale * Vector3(x, y, z);
  }
  template <class Number>
  static std::optional<Number> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
  }
  [[noreturn]] void fail(const char* message, std::string_view value, const char* expected) const {
    throw InputError({.message = message,
                      .file = file_,
                      .line = number_,
                      .value = std::string(value),
                      .expected = expected});
  }
  std::string_view text() const { return text_; }
  int number() const { return number_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  const std::string& file_;
  int number_;
  std::string_view text_, rest_;
};

template <class Each>
void for_each_line(const std::string& file, std::string_view content, Each&& each) {
  int number = 0;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    each(Line(file, ++number, content.substr(0, end)));
    content.remove_prefix(std::min(end + 1, content.size()));
  }
}

// ---- OBJ ----------------------------------------------------------------------------------------

/// Vertices may be named before they come, so names are looked up at the end.
struct ObjFace {
  std::array<long, 3> corner;
  int line;
};

class ObjReader {
 public:
  ObjReader(const std::string& file, double scale) : file_(file), scale_(scale) {}

  void read(Line line) {
    const std::string_view key = line.word();
    if (key.empty() || key.starts_with('#')) return;
    if (key == "v") {
      soup_.vertices.push_back(line.point(scale_));
    } else if (key == "f") {
      read_face(line);
    } else if (std::find(passed_over.begin(), passed_over.end(), key) == passed_over.end()) {
      line.fail("unknown statement", line.text(), "v, f or another statement of an OBJ file");
    }
  }

  TriangleSoup finish() {
    const auto count = static_cast<long>(soup_.vertices.size());
    for (const ObjFace& face : faces_) {
      auto& triangle = soup_.triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        if (face.corner[k] < 1 || face.corner[k] > count) {
          throw InputError({.message = "no such vertex",
                            .file = file_,
                            .line = face.line,
                            .value = fmt::format("{}", face.corner[k]),
                            .expected = fmt::format("1 to {}", count)});
        }
        triangle[k] = static_cast<int>(face.corner[k] - 1);
      }
    }
    return std::move(soup_);
  }

 private:
  static constexpr std::array<std::string_view, 13> passed_over{
      "vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "mg", "usemap", "maplib"};

  void read_face(Line& line) {
    std::vector<long> corners;
    for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
      if (word.starts_with('#')) break;
      const auto index = Line::number<long>(word.substr(0, word.find('/')));
      if (!index || *index == 0 || !is_complete(word)) {
        line.fail("not a corner of a face", word, "7, 7/1, 7/1/2 or 7//2");
      }
      const auto so_far = static_cast<long>(soup_.vertices.size());
      if (*index < -so_far) line.fail("no such vertex", word, "no more than the vertices so far");
      corners.push_back(*index > 0 ? *index : so_far + 1 + *index);
    }
    if (corners.size() < 3) line.fail("a face needs three corners", line.text(), "f a b c");
    for (std::size_t k = 2; k < corners.size(); ++k) {
      faces_.push_back({{corners[0], corners[k - 1], corners[k]}, line.number()});
    }
  }
  /// What follows the first slash: numbers, of which one may be left out.
  static bool is_complete(std::string_view word) {
    const std::size_t slash = word.find('/');
    if (slash == std::string_view::npos) return true;
    const std::string_view rest = word.substr(slash + 1);
    const std::size_t second = rest.find('/');
    const auto good = [](std::string_view part) { return Line::number<long>(part).has_value(); };
    if (second == std::string_view::npos) return good(rest);
    return (second == 0 || good(rest.substr(0, second))) && good(rest.substr(second + 1));
  }

  const std::string& file_;
  double scale_;
  TriangleSoup soup_{};
  std::vector<ObjFace> faces_{};
};

TriangleSoup read_obj(const std::string& path, std::string_view content, double scale) {
  ObjReader reader(path, scale);
  for_each_line(path, content, [&](Line line) { reader.read(line); });
  return reader.finish();
}

// ---- STL ----------------------------------------------------------------------------------------

void add_triangle(TriangleSoup& soup, const std::array<Vector3, 3>& corners) {
  const auto first = static_cast<int>(soup.vertices.size());
  soup.vertices.insert(soup.vertices.end(), corners.begin(), corners.end());
  soup.triangles.push_back({first, first + 1, first + 2});
}

template <class Number>
Number read_little_endian(const char* at) {
  static_assert(std::endian::native == std::endian::little, "byte order of binary STL");
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

constexpr std::size_t stl_head = 84, stl_record = 50;

bool is_binary_stl(std::string_view content) {
  return content.size() >= stl_head &&
         content.size() ==
             stl_head + stl_record * static_cast<std::size_t>(read_little_endian<std::uint32_t>(
                                         content.data() + stl_head - 4));
}

TriangleSoup read_binary_stl(const std::string& path, std::string_view content, double scale) {
  TriangleSoup soup;
  for (std::size_t at = stl_head; at < content.size(); at += stl_record) {
    std::array<Vector3, 3> corners;
    for (std::size_t k = 0; k < 9; ++k) {
      const auto value = read_little_endian<float>(content.data() + at + 12 + 4 * k);
      if (!std::isfinite(value)) {
        throw InputError({.message = fmt::format("triangle {} has a coordinate that is not finite",
                                                 soup.triangles.size()),
                          .file = path,
                          .value = fmt::format("{}", value),
                          .expected = "a finite number"});
      }
      corners[k / 3][static_cast<int>(k % 3)] = scale * static_cast<double>(value);
    }
    add_triangle(soup, corners);
  }
  return soup;
}

TriangleSoup read_text_stl(const std::string& path, std::string_view content, double scale) {
  TriangleSoup soup;
  std::array<Vector3, 3> corners;
  std::size_t count = 0;
  for_each_line(path, content, [&](Line line) {
    const std::string_view key = line.word();
    if (key == "vertex") {
      if (count == 3) line.fail("a fourth corner of a triangle", line.text(), "endloop");
      corners[count++] = line.point(scale);
    } else if (key == "endloop") {
      if (count != 3) line.fail("a triangle ends early", line.text(), "three lines 'vertex x y z'");
      add_triangle(soup, corners);
      count = 0;
    } else if (!key.empty() && key != "solid" && key != "facet" && key != "outer" &&
               key != "endfacet" && key != "endsolid") {
      line.fail("unknown statement", line.text(), "solid, facet, outer loop, vertex, endloop …");
    }
  });
  if (count != 0) {
    throw InputError({.message = "the file ends within a triangle",
                      .file = path,
                      .expected = "three vertices and endloop"});
  }
  return soup;
}

TriangleSoup read_stl(const std::string& path, std::string_view content, double scale) {
  if (is_binary_stl(content)) return read_binary_stl(path, content, scale);
  if (!trimmed(content.substr(0, content.find('\n'))).starts_with("solid")) {
    throw InputError({.message = "neither text nor binary STL",
                      .file = path,
                      .value = fmt::format("{} bytes", content.size()),
                      .expected = "'solid' first, or 84 + 50 bytes for each triangle"});
  }
  return read_text_stl(path, content, scale);
}

std::string suffix_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string suffix = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

}  // namespace

TriangleSoup read_mesh(const std::string& path, double scale) {
  const std::string suffix = suffix_of(path);
  if (suffix != ".obj" && suffix != ".stl") {
    throw InputError({.message = "unknown kind of mesh file",
                      .file = path,
                      .value = suffix,
                      .expected = ".obj or .stl"});
  }
  if (!(scale > 0) || !std::isfinite(scale)) {
    throw InputError({.message = "scale of a mesh",
                      .file = path,
                      .value = fmt::format("{}", scale),
                      .expected = "a positive number"});
  }
  const std::string text = read_input(path, limits::mesh_bytes);
  if (text.empty()) throw InputError({.message = "cannot be read or is empty", .file = path});
  TriangleSoup soup = suffix == ".obj" ? read_obj(path, text, scale) : read_stl(path, text, scale);
  soup.name = path;
  if (soup.triangles.size() > limits::triangles) {
    throw InputError({.message = fmt::format("a mesh of {} triangles", soup.triangles.size()),
                      .file = path,
                      .expected = fmt::format("at most {}", limits::triangles)});
  }
  if (soup.triangles.empty()) {
    throw InputError({.message = "no triangles in the file", .file = path});
  }
  return suffix == ".stl" ? welded(soup) : soup;
}

void write_obj(const std::string& path, const TriangleSoup& soup) {
  std::ofstream file(path);
  for (const Vector3& v : soup.vertices) {
    file << fmt::format("v {:.17g} {:.17g} {:.17g}\n", v.x(), v.y(), v.z());
  }
  for (const auto& t : soup.triangles) {
    file << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  file.close();
  if (!file) throw InputError({.message = "cannot be written", .file = path});
}

}  // namespace bristle
