# What `make install` lays down: headers, library, program, plugins, a CMake package, a .pc file.
install(TARGETS delassus EXPORT delassusTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS delassus_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY core/include/delassus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
