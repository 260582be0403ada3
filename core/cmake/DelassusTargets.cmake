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
  if(DELASSUS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer
                           -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# A contact law: NAME.so in lib/delassus/laws, built from the given sources against law.h alone.
function(delassus_add_law name)
  add_library(law_${name} MODULE ${ARGN})
  set_property(GLOBAL APPEND PROPERTY DELASSUS_LAWS law_${name})
  delassus_flags(law_${name})
  target_include_directories(law_${name} PRIVATE ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(law_${name} PRIVATE m)
  set_target_properties(law_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${DELASSUS_PLUGIN_DIR}/laws)
endfunction()

# A solver plugin: NAME.so in lib/delassus/solvers, linked with the library.
function(delassus_add_solver name)
  add_library(solver_${name} MODULE ${ARGN})
  delassus_flags(solver_${name})
  target_include_directories(solver_${name} PRIVATE ${CMAKE_SOURCE_DIR}/core ${CMAKE_SOURCE_DIR})
  target_link_libraries(solver_${name} PRIVATE delassus m)
  set_target_properties(solver_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${DELASSUS_PLUGIN_DIR}/solvers)
endfunction()
