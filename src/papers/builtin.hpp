#pragma once

// The files of papers/ and studies/, compiled in so that the command works from any folder.

#include <span>
#include <string_view>

namespace bristle::papers::detail {

struct BuiltInPaper {
  std::string_view name, text;
};
std::span<const BuiltInPaper> builtin_paper_files();
std::span<const BuiltInPaper> builtin_study_files();

}  // namespace bristle::papers::detail
