# Compiles files in: build/generated/NAME.cpp, which includes builtin.hpp of FOLDER for the TYPE of an
# entry {name, text}, and defines the FUNCTION that gives them all. Names are those of the files up
# to the first dot.
function(bristle_embed out)
  cmake_parse_arguments(arg "" "NAME;FOLDER;NAMESPACE;TYPE;FUNCTION" "FILES" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_FILES})
  set(entries "")
  foreach(path IN LISTS arg_FILES)
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND entries "    {\"${name}\", R\"file(${text})file\"sv},\n")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/generated/${arg_NAME}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
[[#include "builtin.hpp"

namespace @arg_NAMESPACE@ {
namespace {
using namespace std::string_view_literals;  // which know their lengths, however long
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
