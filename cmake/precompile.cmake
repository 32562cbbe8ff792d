# Half the time of compiling one of our files goes into the headers of others: each of our targets
# precompiles the ones that most of its files include, and those named after it. None of our own are
# among them: a change to one of those would compile everything again.
function(bristle_precompile target)
  target_precompile_headers(${target} PRIVATE
    <Eigen/Dense> <algorithm> <cmath> <filesystem> <fmt/format.h> <fmt/ranges.h> <functional> <map>
    <memory> <optional> <string> <vector> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache see the header
  endif()
endfunction()
