/* The version of the headers, and of the library. CMake reads it here. Laws and solvers are
 * accepted by the numbers of their own interfaces (law.h, solver.h), not by this one. */
#ifndef DELASSUS_VERSION_H
#define DELASSUS_VERSION_H

#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_VERSION_MAJOR 0
#define DLS_VERSION_MINOR 1
#define DLS_VERSION_PATCH 0

/* "0.1.0" */
#define DLS_VERSION_QUOTE(number) #number
#define DLS_VERSION_TEXT(major, minor, patch)                                                      \
  DLS_VERSION_QUOTE(major) "." DLS_VERSION_QUOTE(minor) "." DLS_VERSION_QUOTE(patch)
#define DLS_VERSION DLS_VERSION_TEXT(DLS_VERSION_MAJOR, DLS_VERSION_MINOR, DLS_VERSION_PATCH)

/* That of the library which the program has found, written as DLS_VERSION. */
DLS_EXPORT const char *dls_version(void);

#ifdef __cplusplus
}
#endif
#endif
