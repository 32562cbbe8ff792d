# Published items and their reproduction; compiles papers/*.yaml in: build/generated/builtin_papers.cpp.
file(GLOB bristle_papers_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/papers/*.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${bristle_papers_files})
set(entries "")
foreach(path IN LISTS bristle_papers_files)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/builtin_papers.cpp @ONLY CONTENT
[[#include "builtin.hpp"

namespace bristle::papers::detail {
namespace {
constexpr BuiltInPaper files[] = {
@entries@};
}  // namespace
std::span<const BuiltInPaper> builtin_paper_files() { return files; }
}  // namespace bristle::papers::detail
]])
file(GLOB bristle_papers_sources CONFIGURE_DEPENDS src/papers/*.cpp)
add_library(bristle_papers ${bristle_papers_sources}
  ${CMAKE_CURRENT_BINARY_DIR}/generated/builtin_papers.cpp)
add_library(bristle::bristle_papers ALIAS bristle_papers)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/generated/builtin_papers.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/src/papers)
target_link_libraries(bristle_papers PUBLIC bristle_identify bristle
  PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
bristle_own_target(bristle_papers)
