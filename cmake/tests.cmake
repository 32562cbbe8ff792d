# CTest: every GoogleTest case of bristle_tests, and tests of the tree itself (label "tree").
include(GoogleTest)

file(GLOB_RECURSE bristle_test_sources CONFIGURE_DEPENDS tests/*.cpp)
list(FILTER bristle_test_sources EXCLUDE REGEX "/tests/(consumer|preload)/|_cgal_test\\.cpp$")
set(BRISTLE_TEST_FILES "" CACHE STRING "Build only the tests in files that match this regular expression")
if(BRISTLE_TEST_FILES)
  list(FILTER bristle_test_sources INCLUDE REGEX "${BRISTLE_TEST_FILES}")
endif()
if(NOT TARGET bristle_cli)
  list(FILTER bristle_test_sources EXCLUDE REGEX "/tests/apps/|/cli_[a-z_]*test\\.cpp$")
endif()
if(NOT TARGET bristle_docgen)
  list(FILTER bristle_test_sources EXCLUDE REGEX "/tests/docs/")
endif()
if(NOT TARGET bristle_mujoco)
  list(FILTER bristle_test_sources EXCLUDE REGEX "/tests/mujoco/")
endif()
# Long comparisons of numbers: minutes under the sanitizers, which learn nothing from them that the
# scenarios and unit tests do not show.
option(BRISTLE_LONG_COMPARISONS "Build the tests that compare whole runs with reference numbers" ON)
if(NOT BRISTLE_LONG_COMPARISONS)
  list(FILTER bristle_test_sources EXCLUDE REGEX
    "/(reference_[a-z_]*|[a-z_]*_stress|true_stick|random_law|modelica|drive|drive_emps|push_board|area_fit|apps/(accuracy|realtime|reproduce))_test\\.cpp$")
endif()

if(bristle_test_sources)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  # ceres::Jet is the independent dual number that derivatives are checked with. jet.h needs Eigen
  # only; find_package(Ceres) would search for SuiteSparse, glog … to link what we never call.
  find_path(CERES_INCLUDE_DIR ceres/jet.h REQUIRED)
  mark_as_advanced(CERES_INCLUDE_DIR)

  # The counter of allocations, the progress bar and folders of results are the command's.
  set(bristle_tested_apps apps/bristle/allocations.cpp)
  if(TARGET bristle_cli)
    list(APPEND bristle_tested_apps apps/bristle/progress.cpp apps/bristle/result_folder.cpp
      apps/bristle/result_swap.cpp apps/bristle/work_place.cpp)
  endif()
  add_executable(bristle_tests ${bristle_test_sources} ${bristle_tested_apps})
  target_include_directories(bristle_tests PRIVATE tests apps/bristle)
  target_include_directories(bristle_tests SYSTEM PRIVATE ${CERES_INCLUDE_DIR})
  # gmock_main is an archive: a main() among the tests takes its place.
  target_link_libraries(bristle_tests PRIVATE
    bristle_papers bristle_identify bristle bristle_hdf5 bristle_matio nlohmann_json::nlohmann_json GTest::gmock_main GTest::gmock
    GTest::gtest rapidcheck)
  # Through support/failing_allocation.cpp.
  foreach(function malloc calloc realloc memalign)
    target_link_options(bristle_tests PRIVATE "LINKER:--wrap=__libc_${function}")
  endforeach()
  if(TARGET bristle_mujoco)
    target_link_libraries(bristle_tests PRIVATE bristle_mujoco ${MUJOCO_LIBRARY})
  endif()
  # Measurements by others, whose licences keep them outside the repository.
  cmake_path(SET bristle_measured_dir NORMALIZE ${PROJECT_SOURCE_DIR}/../shared/data)
  set(bristle_paths BRISTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" BRISTLE_MEASURED_DIR="${bristle_measured_dir}")
  # What a command is run with to see its writes fail.
  if(TARGET bristle_cli)
    add_library(bristle_fail_writes MODULE tests/preload/fail_writes.cpp)
    target_link_libraries(bristle_fail_writes PRIVATE ${CMAKE_DL_LIBS})
    bristle_own_target(bristle_fail_writes)
    # It is there before any sanitizer.
    target_compile_options(bristle_fail_writes PRIVATE -fno-sanitize=all)
    target_link_options(bristle_fail_writes PRIVATE -fno-sanitize=all)
  endif()
  foreach(program CLI FAIL_WRITES DOCGEN EXAMPLE_REALTIME EXAMPLE_CONTROL)
    string(TOLOWER bristle_${program} target)
    if(TARGET ${target})
      # Needed when the tests run, hence when they are linked: with add_dependencies, compiling them
      # would wait too, and a processor stand idle.
      set_property(TARGET bristle_tests APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${target}>)
      list(APPEND bristle_paths BRISTLE_${program}="$<TARGET_FILE:${target}>")
    else()
      list(APPEND bristle_paths BRISTLE_${program}="")
    endif()
  endforeach()
  set_source_files_properties(tests/support/paths.cpp PROPERTIES COMPILE_DEFINITIONS "${bristle_paths}")
  bristle_own_target(bristle_tests)

  bristle_precompile(bristle_tests
    <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <rapidcheck.h> <rapidcheck/gtest.h>)
  bristle_unity(bristle_tests ALONE "tests/area/(area_fit|exact|pressed_area|push_board|pushing|ratio_law)" "tests/(friction|normal|report)/.*"
    "tests/identify/(drive_emps|online|motion_match|search|toss)" tests/contact/patch_slip "tests/io/(csv|document|hdf5)" tests/papers/study
    "tests/scenario/(interference|reference_mass_spring|reference_two_mass|reference_world|scenario)"
    "tests/shape/(exact_sign|mesh_reference|overlap|overlap_pairs|touch_pairs)"
    "tests/solve/(dynamics|observe|patch_step|patch_stress|realtime_(inputs|step)|sensitivity|world_.*)")

  # An instrumented program takes longer to start than most cases take to run, so that presets with a
  # sanitizer run many cases in one process.
  set(BRISTLE_TEST_SHARDS 0 CACHE STRING "Processes that share all cases; 0: a process for each case")
  set(BRISTLE_TEST_FILTER "*" CACHE STRING "The cases of the shards, as --gtest_filter has them")
  if(BRISTLE_TEST_SHARDS)
    foreach(shard RANGE 1 ${BRISTLE_TEST_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME cases_${shard}_of_${BRISTLE_TEST_SHARDS}
        COMMAND bristle_tests --gtest_brief=1 "--gtest_filter=${BRISTLE_TEST_FILTER}")
      set_tests_properties(cases_${shard}_of_${BRISTLE_TEST_SHARDS} PROPERTIES ENVIRONMENT
        "GTEST_TOTAL_SHARDS=${BRISTLE_TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    # PRE_TEST: list the cases when ctest runs, so that a slow or crashing listing fails no build.
    gtest_discover_tests(bristle_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300)
  endif()
endif()

# Overlaps of meshes against CGAL, in a program of its own: CGAL is under the GPL, compiles slowly,
# and wants -frounding-math.
if(BRISTLE_BUILD_CGAL_TESTS)
  find_package(CGAL REQUIRED)
  add_executable(bristle_cgal_tests tests/shape/mesh_pair_cgal_test.cpp)
  target_include_directories(bristle_cgal_tests PRIVATE tests)
  target_link_libraries(bristle_cgal_tests PRIVATE bristle CGAL::CGAL GTest::gtest_main GTest::gtest)
  bristle_own_target(bristle_cgal_tests)
  gtest_discover_tests(bristle_cgal_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300)
endif()

# A sample of `make bad-input`. An instrumented program takes longer than the cases allow.
if(TARGET bristle_cli AND NOT BRISTLE_TEST_SHARDS)
  add_test(NAME bad_input_sample
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/bad_input --quick --bristle $<TARGET_FILE:bristle_cli>)
endif()
add_test(NAME mutations_apply COMMAND ${PROJECT_SOURCE_DIR}/scripts/mutations --check)
add_test(NAME layering COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_layers)
add_test(NAME layering_self_test COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_layers --self-test)
set_tests_properties(mutations_apply layering layering_self_test PROPERTIES LABELS tree)

if(BRISTLE_INSTALL)
  add_test(NAME install_consumer COMMAND ${CMAKE_COMMAND}
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D BINARY_DIR=${PROJECT_BINARY_DIR}
    -D GENERATOR=${CMAKE_GENERATOR} -D CXX=${CMAKE_CXX_COMPILER} -D CONFIG=$<CONFIG>
    -P ${PROJECT_SOURCE_DIR}/cmake/test_install.cmake)
  # It compiles, and would be what everything waits for if it came last.
  set_tests_properties(install_consumer PROPERTIES LABELS tree COST 1000)
endif()
