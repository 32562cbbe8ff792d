#pragma once

// The scripts and the style of the animated view, compiled in: those of src/report/view, and
// three.js from the system.

#include <span>
#include <string_view>

namespace bristle::plot_detail {

struct BuiltInScript {
  std::string_view name, text;
};
std::span<const BuiltInScript> builtin_scripts();

}  // namespace bristle::plot_detail
