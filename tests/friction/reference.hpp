#pragma once

// The independently computed reference numbers of friction.

#include <fstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"

namespace bristle::testing {

class Reference {
 public:
  static const nlohmann::json& entry(const std::string& name) {
    static const nlohmann::json all = load();
    for (const auto& e : all["entries"]) {
      if (e["name"] == name) return e;
    }
    throw std::runtime_error("no reference entry " + name);
  }
  static double value(const std::string& name) { return entry(name)["value"]; }
  static double tolerance(const std::string& name) { return entry(name)["tol"]; }
  static std::string path() {
    return testing_support::reference_dir() + "/friction/reference.json";
  }

 private:
  static nlohmann::json load() {
    std::ifstream file(path());
    return nlohmann::json::parse(file);
  }
};

}  // namespace bristle::testing
