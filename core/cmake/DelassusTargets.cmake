# Flags shared by everything that is built, and the two kinds of plugin.

# Warnings and optimisation of the project. Traps and errno of the mathematics are not used, so the
# compiler may vectorise sqrt; nothing that changes a rounding is allowed.
function(delassus_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wvla
                         -Wstrict-prototypes -Wmissing-prototypes -fno-math-errno -fno-trapping-math)
  if(DELASSUS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(DELASSUS_MARCH)
    target_compile_options(${target} PRIVATE -march=${DELASSUS_MARCH})
  endif()
  if(DELASSUS_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(DELASSUS_SANITIZE STREQUAL thread)
    target_compile_options(${target} PRIVATE -fsanitize=thread)
    target_link_options(${target} PRIVATE -fsanitize=thread)
  elseif(DELASSUS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer
                           -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# delassus_finds_library(TARGET FOLDER...): where TARGET looks for libraries before the system's own folders, relative to
# its own place, in the build folder and where it is installed alike. Nothing else: CMake would fill the entry of the
# build folder with colons to have space for the other, and an empty entry is the current folder, where a stranger's
# library may lie beside a deck. Dependencies in odd places: -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON.
function(delassus_finds_library target)
  list(TRANSFORM ARGN PREPEND "$ORIGIN/")
  list(REMOVE_DUPLICATES ARGN)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${ARGN}")
endfunction()

# delassus_holds_rooms(TARGET FOLDER...): TARGET is made of all rooms. Installed plugins lie in these folders, relative to
# its own place.
function(delassus_holds_rooms target)
  delassus_knows_plugins(${target} ${ARGN})
  delassus_links_rooms(${target})
endfunction()

# The two halves: the file that knows where plugins lie, which tests compile once for all of them, and the rooms.
function(delassus_knows_plugins target)
  list(REMOVE_DUPLICATES ARGN)
  string(JOIN ":" places ${ARGN})
  target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/core/base/home.c)
  target_compile_definitions(${target} PRIVATE DLS_PLUGIN_PLACES="${places}")
endfunction()
function(delassus_links_rooms target)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/core ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,delassus_rooms> m ${CMAKE_DL_LIBS})
  delassus_flags(${target})
endfunction()

# delassus_exports(TARGET HEADER...): of TARGET's functions those can be seen from without that the headers declare with
# DLS_EXPORT, and no other. -fvisibility=hidden is not enough: gcc lets those be seen that it compiles for several
# instruction sets (base/dispatch.h).
function(delassus_exports target)
  set(names "")
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(REGEX MATCHALL "DLS_EXPORT [A-Za-z0-9_ \n*]*dls_[a-z0-9_]+" found "${text}")
    foreach(declaration IN LISTS found)
      string(REGEX REPLACE ".*[ \n*]" "" name "${declaration}")
      list(APPEND names ${name})
    endforeach()
  endforeach()
  list(FILTER names EXCLUDE REGEX "_entry$") # that is what plugins define
  list(JOIN names ";\n    " list)
  set(script ${CMAKE_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "{\n  global:\n    @list@;\n  local:\n    *;\n};\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  target_link_options(${target} PRIVATE -Wl,--version-script=${script})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()

# A law that stands on public headers alone: NAME.so in lib/delassus/FOLDER, target KIND_NAME.
function(delassus_add_plugin kind folder name)
  add_library(${kind}_${name} MODULE ${ARGN})
  set_property(GLOBAL APPEND PROPERTY DELASSUS_LAWS ${kind}_${name})
  delassus_flags(${kind}_${name})
  target_include_directories(${kind}_${name} PRIVATE ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(${kind}_${name} PRIVATE m)
  set_target_properties(${kind}_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${DELASSUS_PLUGIN_DIR}/${folder})
  delassus_finds_library(${kind}_${name})
endfunction()

# A contact law, built against law.h; a bulk law, against bulk.h.
function(delassus_add_law name)
  delassus_add_plugin(law laws ${name} ${ARGN})
endfunction()
function(delassus_add_bulk name)
  delassus_add_plugin(bulk bulk ${name} ${ARGN})
endfunction()

# A solver plugin: NAME.so in lib/delassus/solvers, linked with the library.
function(delassus_add_solver name)
  add_library(solver_${name} MODULE ${ARGN})
  delassus_flags(solver_${name})
  target_include_directories(solver_${name} PRIVATE ${CMAKE_SOURCE_DIR}/core ${CMAKE_SOURCE_DIR})
  target_link_libraries(solver_${name} PRIVATE delassus m)
  set_target_properties(solver_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${DELASSUS_PLUGIN_DIR}/solvers)
  delassus_finds_library(solver_${name} ../..)
endfunction()
