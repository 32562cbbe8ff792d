# Compiles the files of a folder that end in SUFFIX (yaml unless told) in: build/generated/NAME.cpp,
# which includes builtin.hpp of FOLDER for the TYPE of an entry {name, text}, and defines the FUNCTION
# that gives them all.
function(bristle_embed_yaml out)
  cmake_parse_arguments(arg "" "FILES;SUFFIX;NAME;FOLDER;NAMESPACE;TYPE;FUNCTION" "" ${ARGN})
  if(NOT arg_SUFFIX)
    set(arg_SUFFIX yaml)
  endif()
  file(GLOB paths CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_FILES}/*.${arg_SUFFIX})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${paths})
  set(entries "")
  foreach(path IN LISTS paths)
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/generated/${arg_NAME}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
[[#include "builtin.hpp"

namespace @arg_NAMESPACE@ {
namespace {
constexpr @arg_TYPE@ files[] = {
@entries@};
}  // namespace
std::span<const @arg_TYPE@> @arg_FUNCTION@() { return files; }
}  // namespace @arg_NAMESPACE@
]])
  set_source_files_properties(${file} PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/${arg_FOLDER})
  set(${out} ${file} PARENT_SCOPE)
endfunction()
