# Siconos' numerics (Debian: libsiconos-numerics-dev), a peer for tests and the benchmark alone.
# Where it is installed the target delassus_peer is the adaptor of siconos.h; elsewhere there is no
# such target, and what needs it is left out.
if(NOT TARGET delassus_peer)
  find_path(SICONOS_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
  find_path(SICONOS_NUMERICS_INCLUDE fc3d_compute_error.h PATH_SUFFIXES siconos/numerics siconos)
  find_library(SICONOS_NUMERICS_LIBRARY siconos_numerics)
  mark_as_advanced(SICONOS_INCLUDE SICONOS_NUMERICS_INCLUDE SICONOS_NUMERICS_LIBRARY)
  if(SICONOS_INCLUDE AND SICONOS_NUMERICS_INCLUDE AND SICONOS_NUMERICS_LIBRARY)
    add_library(delassus_peer STATIC ${CMAKE_CURRENT_LIST_DIR}/siconos.c)
    delassus_flags(delassus_peer)
    target_include_directories(delassus_peer PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core
                               ${CMAKE_SOURCE_DIR}/core/include)
    target_include_directories(delassus_peer SYSTEM PRIVATE
      ${SICONOS_INCLUDE} ${SICONOS_NUMERICS_INCLUDE})
    target_link_libraries(delassus_peer PUBLIC ${SICONOS_NUMERICS_LIBRARY} m)
  endif()
endif()
