# Installs the build tree to a scratch prefix, then configures, builds and runs tests/consumer
# against it, the way a user of the package would.
#   cmake -D SOURCE_DIR= -D BINARY_DIR= -D GENERATOR= -D CXX= -D CONFIG= -P test_install.cmake
set(scratch ${BINARY_DIR}/install_test)
set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${scratch})  # files of an earlier install would hide a missing install rule

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BINARY_DIR} --config ${CONFIG} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/consumer -B ${scratch}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${scratch}/build --config ${CONFIG})
run(${scratch}/build/consumer)
if(EXISTS ${prefix}/bin/bristle)
  run(${prefix}/bin/bristle --help)
endif()
