/* The libraries on which the solvers of this process stand, as a report names them: files without
 * folders, whose names hold their versions. */
#ifndef DELASSUS_COMPARE_LIBRARIES_H
#define DELASSUS_COMPARE_LIBRARIES_H

#include <stddef.h>

/* The file that serves dgemm_, "libblas.so.3.11.0"; "" where none is loaded. */
void dls_libraries_blas(char *text, size_t size);

/* Those of linear algebra, PETSc and Siconos that are loaded, by name, "libcholmod.so.3.0.14,
 * ...". A plugin brings its own when it is found: ask when the entrants are known. */
void dls_libraries_describe(char *text, size_t size);

#endif
