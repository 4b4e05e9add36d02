# find_package(lightscan), from an installed copy and from this build tree alike.
include(CMakePackageConfigHelpers)

# Headers and CMake files are the same for every architecture.
set(lightscan_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/lightscan")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/lightscanConfig.cmake.in" "${PROJECT_BINARY_DIR}/lightscanConfig.cmake"
  INSTALL_DESTINATION "${lightscan_package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0.0 a minor step may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lightscanConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file("${CMAKE_CURRENT_LIST_DIR}/lightscan_dependencies.cmake" "${PROJECT_BINARY_DIR}" COPYONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/lightscan_multi_gpu.cmake" "${PROJECT_BINARY_DIR}" COPYONLY)

install(TARGETS lightscan EXPORT lightscanTargets)
export(EXPORT lightscanTargets NAMESPACE lightscan:: FILE "${PROJECT_BINARY_DIR}/lightscanTargets.cmake")
install(EXPORT lightscanTargets NAMESPACE lightscan:: DESTINATION "${lightscan_package_dir}")
install(
  FILES
    "${PROJECT_BINARY_DIR}/lightscanConfig.cmake"
    "${PROJECT_BINARY_DIR}/lightscanConfigVersion.cmake"
    "${PROJECT_BINARY_DIR}/lightscan_dependencies.cmake"
    "${PROJECT_BINARY_DIR}/lightscan_multi_gpu.cmake"
  DESTINATION "${lightscan_package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lightscan" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
