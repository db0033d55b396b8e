# What `cmake --install` lays down: libraries, commands, headers, and the package that find_package(Ingot) reads.
include(CMakePackageConfigHelpers)

install(TARGETS ingot ingot_runtime EXPORT IngotTargets LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
install(TARGETS ingot-compiler LIBRARY DESTINATION lib)
install(TARGETS ingot-cli ingot-opt RUNTIME DESTINATION bin)

foreach(folder runtime capture)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ DESTINATION include/ingot/${folder} FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/ir/OpTable.h DESTINATION include/ingot/ir)
install(FILES ${CMAKE_SOURCE_DIR}/capture/Ingot.h DESTINATION include/ingot RENAME ingot.h)
install(FILES ${INGOT_GEN_DIR}/ingot-gen/ir/OpKinds.h.inc ${INGOT_GEN_DIR}/ingot-gen/ir/OpFunctions.h.inc
        DESTINATION include/ingot-gen/ir)

set(package_dir lib/cmake/Ingot)
configure_package_config_file(${CMAKE_SOURCE_DIR}/scripts/cmake/IngotConfig.cmake.in
  ${CMAKE_BINARY_DIR}/IngotConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/IngotConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/IngotConfig.cmake ${CMAKE_BINARY_DIR}/IngotConfigVersion.cmake
  DESTINATION ${package_dir})
install(EXPORT IngotTargets NAMESPACE Ingot:: DESTINATION ${package_dir})
