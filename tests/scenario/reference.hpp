#pragma once

// Runs of the built-in scenarios for comparison with the reference numbers and with recorded data.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/run.hpp"
#include "friction/reference.hpp"

namespace bristle::testing {

/// As on the command line: "friction.law=lugre".
struct Settings : std::vector<std::string> {
  using std::vector<std::string>::vector;

  friend Settings operator+(Settings a, const Settings& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
};

inline RunResult simulate(const std::string& scenario, const Settings& settings) {
  std::vector<Setting> split;
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    split.push_back({text.substr(0, equals), text.substr(equals + 1), "", 0});
  }
  const Scenario loaded = load_scenario(scenario, split);
  return run(loaded, loaded.options);
}

/// How far a run at rtol 1e-10 may be from the reference where that does not state more.
struct Allowed {
  double x, t;

  static Allowed of(const std::string& method) {
    return method == "event" ? Allowed{1e-9, 1e-6} : Allowed{1e-7, 5e-6};
  }
};

/// Compares with the entry, to the larger of its stated tolerance and `allowed`.
inline void expect_reference(double value, const std::string& entry, double allowed = 0) {
  const double tolerance = std::max(allowed, Reference::tolerance(entry));
  EXPECT_NEAR(value, Reference::value(entry), tolerance) << entry;
}

/// The same for a list, item by item.
inline void expect_references(const std::vector<double>& values, const std::string& entry,
                              double allowed = 0) {
  const std::vector<double> expected = Reference::entry(entry)["value"];
  const double tolerance = std::max(allowed, Reference::tolerance(entry));
  ASSERT_EQ(values.size(), expected.size()) << entry;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], tolerance) << entry << '[' << i << ']';
  }
}

/// One run to compare: the name of the reference's entries, and the settings that give it.
struct Variant {
  std::string entry, law;
  Settings settings{};

  Settings all() const { return Settings{"friction.law=" + law} + settings; }
  friend std::ostream& operator<<(std::ostream& out, const Variant& v) { return out << v.entry; }
};

/// For names of parameterised tests, which may hold letters, digits and '_' only.
inline std::string test_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

struct VariantAndMethodName {
  template <class Info>
  std::string operator()(const Info& info) const {
    return test_name(std::get<0>(info.param).entry + "_" + std::get<1>(info.param));
  }
};

/// y(x) between samples; at a repeated x the later one counts.
inline double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const auto above = std::upper_bound(x.begin(), x.end(), at);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto i = static_cast<std::size_t>(above - x.begin());
  return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
}

}  // namespace bristle::testing
