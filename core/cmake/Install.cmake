# What `make install` lays down: headers, library, program, plugins, a CMake package, a .pc file. Nothing
# of it holds the prefix, so the tree may be moved.
include(CMakePackageConfigHelpers)
set(DELASSUS_LAW_DIR ${CMAKE_INSTALL_LIBDIR}/${DELASSUS_PLUGIN_DIR}/laws)
set(DELASSUS_SOLVER_DIR ${CMAKE_INSTALL_LIBDIR}/${DELASSUS_PLUGIN_DIR}/solvers)
set(aside ${CMAKE_BINARY_DIR}/install) # where find_package() does not look
file(REMOVE ${CMAKE_BINARY_DIR}/delassusConfig.cmake) # of builds before it moved there
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)

# Enough to build a law: the headers, and nothing to link.
add_library(law_headers INTERFACE)
target_include_directories(law_headers INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/core/include>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS delassus law_headers EXPORT delassusTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS delassus_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY core/include/delassus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET solver_newton)
  install(TARGETS solver_newton LIBRARY DESTINATION ${DELASSUS_SOLVER_DIR})
endif()

install(EXPORT delassusTargets NAMESPACE delassus:: DESTINATION ${package_dir})
configure_package_config_file(core/cmake/delassusConfig.cmake.in ${aside}/delassusConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS DELASSUS_LAW_DIR DELASSUS_SOLVER_DIR)
write_basic_package_version_file(${aside}/delassusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${aside}/delassusConfig.cmake ${aside}/delassusConfigVersion.cmake
        DESTINATION ${package_dir})

# The same package for the build folder, so that -DCMAKE_PREFIX_PATH=build serves before an installation.
set(in_place ${CMAKE_BINARY_DIR}/lib/cmake/delassus)
# PREFIX/include/delassus in the build folder as where it is installed: cc -I$PREFIX/include law.c, without CMake.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/core/include/delassus ${CMAKE_BINARY_DIR}/include/delassus SYMBOLIC)
export(EXPORT delassusTargets NAMESPACE delassus:: FILE ${in_place}/delassusTargets.cmake)
set(DELASSUS_LAW_DIR lib/${DELASSUS_PLUGIN_DIR}/laws)
set(DELASSUS_SOLVER_DIR lib/${DELASSUS_PLUGIN_DIR}/solvers)
configure_package_config_file(core/cmake/delassusConfig.cmake.in ${in_place}/delassusConfig.cmake
  INSTALL_DESTINATION ${in_place} INSTALL_PREFIX ${CMAKE_BINARY_DIR}
  PATH_VARS DELASSUS_LAW_DIR DELASSUS_SOLVER_DIR)
configure_file(${aside}/delassusConfigVersion.cmake
               ${in_place}/delassusConfigVersion.cmake COPYONLY)

# The .pc file finds the prefix from its own place.
file(RELATIVE_PATH DELASSUS_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(core/cmake/delassus.pc.in ${CMAKE_BINARY_DIR}/delassus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/delassus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
