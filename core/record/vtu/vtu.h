/* VTU files for ParaView and VTK: unstructured grids from plain arrays.
 *
 * Appended binary, raw (never base64), in the byte order of the machine, with 64-bit sizes; whole
 * or not at all. The caller's arrays are lent for the call, and copied block by block only. */
#ifndef DELASSUS_RECORD_VTU_VTU_H
#define DELASSUS_RECORD_VTU_VTU_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

typedef enum {
  DLS_VTU_FLOAT64,
  DLS_VTU_FLOAT32,
  DLS_VTU_INT32,
  DLS_VTU_INT64,
  DLS_VTU_UINT8,
  DLS_VTU_TYPE_COUNT
} DlsVtuType;

/* Which array a reader shows first: the active one of its kind. One of each kind at most. */
typedef enum {
  DLS_VTU_PLAIN,
  DLS_VTU_SCALARS,
  DLS_VTU_VECTORS, /* 3 components */
  DLS_VTU_NORMALS, /* 3 components */
  DLS_VTU_TENSORS, /* 9 components */
  DLS_VTU_ROLE_COUNT
} DlsVtuRole;

/* VTK's numbers of cells; others of its linear and quadratic cells are accepted too. */
enum {
  DLS_VTU_VERTEX = 1,
  DLS_VTU_LINE = 3,
  DLS_VTU_POLYLINE = 4,
  DLS_VTU_TRIANGLE = 5,
  DLS_VTU_POLYGON = 7,
  DLS_VTU_QUAD = 9,
  DLS_VTU_TETRA = 10,
  DLS_VTU_HEXAHEDRON = 12,
  DLS_VTU_POLYHEDRON = 42
};

typedef struct {
  const char *name;                   /* UTF-8, not empty, one of its kind in its list */
  const void *values;                 /* [points | cells | tuples][components] */
  DlsVtuType type;                    /* of values, and of the file */
  int components;                     /* 1, 2, 3, 6 (xx yy zz xy yz xz) or 9 (row by row); 0 is 1 */
  const char *const *component_names; /* [components], or NULL */
  DlsVtuRole role;
  int64_t tuples; /* of field data alone */
  bool unknown;   /* NaN stands for a number that is not known: it is written as it is */
} DlsVtuArray;

typedef struct {
  int64_t points, cells;
  const double *position; /* [points][3], m */

  /* Cells: connectivity, where each ends in it, and VTK's number of each. A grid of cells of one
   * kind leaves end and type NULL and gives cell_type and cell_size; connectivity NULL then stands
   * for 0, 1, 2 ...: every cell has points of its own. */
  const int64_t *connectivity;
  const int64_t *end;  /* [cells] */
  const uint8_t *type; /* [cells] */
  uint8_t cell_type;
  int cell_size;
  /* Where there are polyhedra: of each how many faces it has, then of each face how many points and
   * which, counter-clockwise from outside; and where those of each cell end, -1 of other cells. */
  const int64_t *face;
  const int64_t *face_end; /* [cells] */

  const DlsVtuArray *point_data, *cell_data, *field_data;
  int point_arrays, cell_arrays, field_arrays;
  bool timed;  /* writes time as the field TimeValue, which ParaView reads */
  double time; /* s */
} DlsVtuGrid;

typedef struct {
  int zlib;           /* 0 raw, 1 (fast) to 9 (small) */
  bool single_points; /* positions as Float32 */
  bool single_data;   /* arrays of FLOAT64 as Float32 */
  bool allow_nan;     /* numbers that are not finite become NaN; otherwise they are refused */
} DlsVtuOptions;

typedef struct {
  uint64_t bytes;     /* of the file */
  uint64_t data;      /* bytes of the arrays before compression */
  int64_t not_finite; /* numbers that became NaN */
} DlsVtuReport;

/* Names of the components: those given, else of tensors XX XY XZ YX ... and XX YY ZZ XY YZ XZ;
 * NULL: readers name them, 0 1 2 or X Y Z. */
const char *const *dls_vtu_component_names(const DlsVtuArray *array);

/* `options` NULL: raw, double, finite; `report` may be NULL. */
DlsStatus dls_vtu_write(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options,
                        DlsVtuReport *report);

/* The .pvtu file of a grid written in parts, one VTU file for each process: `grid` and `options`
 * tell names and types of the arrays (sizes and values are not looked at), `parts` [count] the
 * files, as seen from the folder of `path`. Field data stays in the parts. */
DlsStatus dls_pvtu_write(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options,
                         const char *const *parts, int count);

#endif
