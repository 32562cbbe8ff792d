# Compiles scenarios/*.yaml into the library: build/generated/builtin.cpp.
file(GLOB bristle_scenarios CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/scenarios/*.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${bristle_scenarios})
set(entries "")
foreach(path IN LISTS bristle_scenarios)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/builtin.cpp @ONLY CONTENT
[[#include "builtin.hpp"

#include <array>

namespace bristle::detail {
namespace {
constexpr BuiltIn scenarios[] = {
@entries@};
}  // namespace
std::span<const BuiltIn> builtin_scenarios() { return scenarios; }
}  // namespace bristle::detail
]])
target_sources(bristle PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated/builtin.cpp)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/generated/builtin.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/src/scenario)
