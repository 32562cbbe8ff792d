#pragma once

// The independently computed reference numbers of friction over plane areas.

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/area/pressed_area.hpp"
#include "support/paths.hpp"

namespace bristle::testing {

class PlanarReference {
 public:
  static std::filesystem::path folder() {
    return std::filesystem::path(testing_support::reference_dir()) / "planar";
  }

  /// All entries whose name starts so.
  static std::vector<nlohmann::json> entries(const std::string& name) {
    std::ifstream file(folder() / "reference.json");
    std::vector<nlohmann::json> found;
    for (const auto& e : nlohmann::json::parse(file)) {
      if (e["name"].get<std::string>().starts_with(name)) found.push_back(e);
    }
    if (found.empty()) throw std::runtime_error("no reference entry " + name);
    return found;
  }
  /// The cells of a table as text, without its heading.
  static std::vector<std::vector<std::string>> rows(const std::string& csv) {
    std::ifstream file(folder() / "csv" / csv);
    if (!file) throw std::runtime_error("no reference table " + csv);
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      std::vector<std::string>& row = rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    }
    return rows;
  }
  /// The six areas of the reference, by their names there.
  static const std::vector<std::string>& shapes() {
    static const std::vector<std::string> names{"disc_uniform", "disc_hertz",      "ellipse_hertz",
                                                "rect_uniform", "annulus_uniform", "disc_linear"};
    return names;
  }
  static PressedArea area(const std::string& shape) {
    const Pressure hertz{.kind = Pressure::Kind::hertz};
    if (shape == "disc_uniform") return PressedArea::disc(1);
    if (shape == "disc_hertz") return PressedArea::disc(1, hertz);
    if (shape == "ellipse_hertz") return PressedArea::ellipse(1, 0.5, hertz);
    if (shape == "rect_uniform") return PressedArea::rectangle(2, 1);
    if (shape == "annulus_uniform") return PressedArea::annulus(0.5, 1);
    if (shape == "disc_linear") return PressedArea::disc(1, {.slope = {0.5, 0.25}});
    throw std::runtime_error("no reference area " + shape);
  }
};

}  // namespace bristle::testing
