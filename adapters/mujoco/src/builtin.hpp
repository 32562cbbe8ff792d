#pragma once

#include <span>
#include <string_view>

namespace bristle::detail {

struct BuiltInModel {
  std::string_view name, text;
};
std::span<const BuiltInModel> builtin_models();

}  // namespace bristle::detail
