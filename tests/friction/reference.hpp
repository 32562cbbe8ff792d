#pragma once

// The independently computed reference numbers; tests that need them are skipped where they are not
// there.

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"

namespace bristle::testing {

/// The entry of this name; skips the calling test (by an exception that GoogleTest reports) if the
/// reference is absent.
class Reference {
 public:
  static bool present() { return std::filesystem::exists(path()); }
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
    return testing_support::shared_dir() + "/reference/friction/reference.json";
  }

 private:
  static nlohmann::json load() {
    std::ifstream file(path());
    return nlohmann::json::parse(file);
  }
};

}  // namespace bristle::testing

#define BRISTLE_NEEDS_REFERENCE()                                                             \
  if (!bristle::testing::Reference::present()) {                                              \
    GTEST_SKIP() << "reference numbers not found at " << bristle::testing::Reference::path(); \
  }
