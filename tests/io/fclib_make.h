/* Small FCLIB files made, and spoilt, through HDF5 itself: for the tests of our reader. */
#ifndef DELASSUS_TEST_FCLIB_MAKE_H
#define DELASSUS_TEST_FCLIB_MAKE_H

#include <stdbool.h>

#include <hdf5.h>

/* Good files: contacts 3, all with solution and one guess. */
#define MAKE_LIST(X)                                                                               \
  X(LOCAL, "local")     /* by our writer, compressed rows, block 3 */                              \
  X(MIXED, "mixed")     /* by our writer, with /delassus */                                        \
  X(TRIPLET, "triplet") /* fclib_local by triplets, block 2 */                                     \
  X(COLUMNS, "columns") /* fclib_local by compressed columns, V and R empty */                     \
  X(RIGID, "rigid")     /* fclib_global, diagonal M */                                             \
  X(ELASTIC, "elastic") /* fclib_global, coupled M */                                              \
  X(GYRO, "gyro")       /* fclib_global, coupled M that is not symmetric */                        \
  X(ROLLING, "rolling") /* fclib_global_rolling, block 5 */                                        \
  X(FOREIGN, "foreign") /* as triplet; long big-endian integers, short reals, compressed */        \
  X(LATEST, "latest")   /* as triplet; the newest format of HDF5 */

typedef enum {
#define MAKE_ENUM(code, text) MAKE_##code,
  MAKE_LIST(MAKE_ENUM)
#undef MAKE_ENUM
      MAKE_COUNT
} MakeKind;

extern const char *const make_names[];

bool make_file(MakeKind kind, const char *path);

/* Ways to spoil a dataset of a good file. */
#define SPOIL_LIST(X)                                                                              \
  X(ENTRY)     /* entry `at` becomes `value` */                                                    \
  X(DELETE)    /* the link is gone */                                                              \
  X(RESIZE)    /* a vector of `at` entries, each `value` */                                        \
  X(RANK)      /* two dimensions */                                                                \
  X(TYPE)      /* integers become reals, reals integers */                                         \
  X(TEXT)      /* a string */                                                                      \
  X(GROUP)     /* a group of the same name */                                                      \
  X(SOFT)      /* a soft link */                                                                   \
  X(OUTSIDE)   /* a link into another file */                                                      \
  X(EXTERNAL)  /* data in another file */                                                          \
  X(UNWRITTEN) /* an extent of `at`, and nothing behind it */                                      \
  X(BOMB)      /* an extent of 1e8, compressed, one chunk written */                               \
  X(CHUNK)     /* chunks of 1e9 entries */                                                         \
  X(FILTER)    /* a filter that we do not read */                                                  \
  X(EMPTY)     /* no extent at all */                                                              \
  X(FLOAT)     /* a real type that is not IEEE's */

typedef enum {
#define SPOIL_ENUM(code) SPOIL_##code,
  SPOIL_LIST(SPOIL_ENUM)
#undef SPOIL_ENUM
      SPOIL_COUNT
} SpoilKind;

/* Spoils dataset `name` of the file; false when HDF5 could not do it. */
bool spoil_file(const char *path, SpoilKind kind, const char *name, int at, double value);

/* The full names of all datasets, found[0 .. count). The caller frees each. */
int list_datasets(const char *path, char **found, int most);

#endif
