# The target bristle_matio, which reads MATLAB's files. It brings no CMake package; the installed
# package includes this file too, so that paths are looked up on the user's machine.
find_path(BRISTLE_MATIO_INCLUDE_DIR matio.h REQUIRED)
find_library(BRISTLE_MATIO_LIBRARY NAMES matio REQUIRED)
mark_as_advanced(BRISTLE_MATIO_INCLUDE_DIR BRISTLE_MATIO_LIBRARY)

if(NOT TARGET bristle_matio)
  add_library(bristle_matio INTERFACE IMPORTED)
  target_include_directories(bristle_matio INTERFACE ${BRISTLE_MATIO_INCLUDE_DIR})
  target_link_libraries(bristle_matio INTERFACE ${BRISTLE_MATIO_LIBRARY})
endif()
