# Files of a folder mostly include the same headers and instantiate the same templates. Compiled together they
# take a quarter of the time that they take one by one, which is what counts on an empty machine. While
# working on a file, -D BRISTLE_UNITY=OFF (the presets debug and tidy) compiles it alone.
option(BRISTLE_UNITY "Compile the files of a folder together" ON)

# The files of a target, a folder at a time. ALONE: paths, as regular expressions, of files that keep to
# themselves, since they have local names that others in the folder have too, or are long enough by
# themselves. Files named world_* are many, and a group of their own. BATCH: of a folder at most so many
# files go together, so that several processors share the work.
function(bristle_unity target)
  cmake_parse_arguments(arg "" "BATCH" "ALONE" ${ARGN})
  if(NOT BRISTLE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(alone OFF)
    foreach(pattern IN LISTS arg_ALONE)
      if(path MATCHES "^${pattern}(_test)?\\.cpp$")
        set(alone ON)
      endif()
    endforeach()
    if(NOT alone)
      cmake_path(GET path PARENT_PATH folder)
      if(path MATCHES "/world_" AND NOT arg_BATCH)
        string(APPEND folder _world)
      endif()
      string(MAKE_C_IDENTIFIER ${folder} group)
      if(arg_BATCH)
        list(APPEND files_of_${group} ${source})
        list(LENGTH files_of_${group} count)
        math(EXPR batch "(${count} - 1) / ${arg_BATCH} + 1")
        string(APPEND group _${batch})
      endif()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
