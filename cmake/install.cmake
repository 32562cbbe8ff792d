# Headers, library, command and a CMake package: find_package(bristle) gives bristle::bristle.
include(CMakePackageConfigHelpers)
set(bristle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)

install(DIRECTORY include/bristle TYPE INCLUDE)
install(TARGETS bristle bristle_identify bristle_papers EXPORT bristleTargets)
if(TARGET bristle_mujoco)
  install(DIRECTORY adapters/mujoco/include/bristle TYPE INCLUDE)
  install(TARGETS bristle_mujoco EXPORT bristleTargets)
endif()
if(TARGET bristle_cli)
  install(TARGETS bristle_cli)
endif()
install(EXPORT bristleTargets NAMESPACE bristle:: DESTINATION ${bristle_package_dir})

configure_package_config_file(cmake/bristleConfig.cmake.in ${PROJECT_BINARY_DIR}/bristleConfig.cmake
  INSTALL_DESTINATION ${bristle_package_dir})
# Before 1.0 a new minor version may break users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bristleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/bristleConfig.cmake ${PROJECT_BINARY_DIR}/bristleConfigVersion.cmake
  cmake/hdf5.cmake cmake/matio.cmake
  DESTINATION ${bristle_package_dir})
