#pragma once

// The files of scenarios/, compiled in so that the command works from any folder.

#include <span>
#include <string_view>

namespace bristle::detail {

struct BuiltIn {
  std::string_view name, text;
};
std::span<const BuiltIn> builtin_scenarios();

}  // namespace bristle::detail
