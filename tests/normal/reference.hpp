#pragma once

// The independently computed reference numbers of contact.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"

namespace bristle::testing {

class ContactReference {
 public:
  /// All entries whose name starts so: one for each set of parameters.
  static std::vector<nlohmann::json> entries(const std::string& name) {
    std::ifstream file(folder() + "/reference.json");
    const nlohmann::json all = nlohmann::json::parse(file);
    std::vector<nlohmann::json> found;
    for (const auto& e : all["entries"]) {
      if (e["name"].get<std::string>().starts_with(name)) found.push_back(e);
    }
    if (found.empty()) throw std::runtime_error("no reference entry " + name);
    return found;
  }
  /// The rows of a table of numbers, without its heading; NaN for an empty cell.
  static std::vector<std::vector<double>> rows(const std::string& csv) {
    std::ifstream file(std::filesystem::path(folder()) / "csv" / csv);
    if (!file) throw std::runtime_error("no reference table " + csv);
    std::vector<std::vector<double>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      std::vector<double>& row = rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) {
        row.push_back(cell.empty() ? std::nan("") : std::stod(cell));
      }
    }
    return rows;
  }
  static std::string folder() { return testing_support::reference_dir() + "/contact"; }
};

}  // namespace bristle::testing
