/* What a grid must be before it is written. VTK reads indices beyond the points without a word, and
 * crashes; so they are refused here, cell by cell. */
#include "record/vtu/vtu_impl.h"

#include <inttypes.h>
#include <string.h>

enum { MANY = -1, UNKNOWN = 0, MAX_SIZE_TABLE = 43 };

/* Points of each of VTK's cells (vtkCellType.h), by its number; MANY: any number from `least`. */
typedef struct {
  signed char points, least;
} CellKind;

static const CellKind kinds[MAX_SIZE_TABLE] = {
    [1] = {1, 0},    [2] = {MANY, 1},  [3] = {2, 0},
    [4] = {MANY, 2}, [5] = {3, 0},     [6] = {MANY, 3},
    [7] = {MANY, 3}, [8] = {4, 0},     [9] = {4, 0},
    [10] = {4, 0},   [11] = {8, 0},    [12] = {8, 0},
    [13] = {6, 0},   [14] = {5, 0},    [15] = {10, 0},
    [16] = {12, 0},  [21] = {3, 0},    [22] = {6, 0},
    [23] = {8, 0},   [24] = {10, 0},   [25] = {20, 0},
    [26] = {15, 0},  [27] = {13, 0},   [28] = {9, 0},
    [29] = {27, 0},  [30] = {6, 0},    [31] = {12, 0},
    [32] = {18, 0},  [33] = {24, 0},   [34] = {7, 0},
    [35] = {4, 0},   [36] = {MANY, 3}, [DLS_VTU_POLYHEDRON] = {MANY, 4},
};

static DlsStatus check_kind(const char *path, int64_t cell, uint8_t type, int64_t size) {
  const CellKind kind = type < MAX_SIZE_TABLE ? kinds[type] : (CellKind){UNKNOWN, 0};
  DLS_CHECK(kind.points != UNKNOWN, DLS_ERR_ARGUMENT,
            "%s: cell %" PRId64 " is of VTK's type %d, which is not written; take a linear or a "
            "quadratic cell",
            path, cell, type);
  const int64_t least = kind.points == MANY ? kind.least : kind.points;
  DLS_CHECK(kind.points == MANY ? size >= least : size == least, DLS_ERR_ARGUMENT,
            "%s: cell %" PRId64 " of VTK's type %d has %" PRId64 " points, not %s%" PRId64, path,
            cell, type, size, kind.points == MANY ? "at least " : "", least);
  return DLS_OK;
}

static DlsStatus check_uniform(const char *path, const DlsVtuGrid *grid) {
  DLS_CHECK(!grid->type && !grid->end, DLS_ERR_ARGUMENT,
            "%s: end and type belong together: give both, or cell_type and cell_size", path);
  if (grid->cells == 0) return DLS_OK;
  DLS_TRY(check_kind(path, 0, grid->cell_type, grid->cell_size));
  DLS_CHECK(grid->connectivity || grid->cells <= grid->points / grid->cell_size, DLS_ERR_ARGUMENT,
            "%s: %" PRId64 " cells of %d points each need as many points, but there are %" PRId64
            ": give a connectivity",
            path, grid->cells, grid->cell_size, grid->points);
  return DLS_OK;
}

static DlsStatus check_each(const char *path, const DlsVtuGrid *grid) {
  DLS_CHECK(grid->connectivity || grid->cells == 0, DLS_ERR_ARGUMENT,
            "%s: cells of several kinds need a connectivity", path);
  for (int64_t c = 0, start = 0; c < grid->cells; start = grid->end[c++]) {
    DLS_CHECK(grid->end[c] >= start, DLS_ERR_ARGUMENT,
              "%s: cell %" PRId64 " ends at %" PRId64 ", before it starts at %" PRId64, path, c,
              grid->end[c], start);
    DLS_TRY(check_kind(path, c, grid->type[c], grid->end[c] - start));
  }
  return DLS_OK;
}

static DlsStatus check_indices(const char *path, const DlsVtuGrid *grid) {
  if (!grid->connectivity || grid->cells == 0) return DLS_OK;
  const int64_t count = grid->end ? grid->end[grid->cells - 1] : grid->cells * grid->cell_size;
  for (int64_t i = 0; i < count; i++)
    DLS_CHECK(grid->connectivity[i] >= 0 && grid->connectivity[i] < grid->points, DLS_ERR_ARGUMENT,
              "%s: entry %" PRId64 " of the connectivity is %" PRId64 ", but there are %" PRId64
              " points",
              path, i, grid->connectivity[i], grid->points);
  return DLS_OK;
}

/* The faces of polyhedron c, of the entries from `start` on. */
static DlsStatus check_polyhedron(const char *path, const DlsVtuGrid *grid, int64_t c,
                                  int64_t start) {
  const int64_t end = grid->face_end[c];
  int64_t at = start + 1, faces = 0;
  while (at < end) {
    const int64_t corners = grid->face[at++];
    bool good = corners >= 3 && corners <= end - at;
    for (int64_t k = 0; good && k < corners; k++)
      good = grid->face[at + k] >= 0 && grid->face[at + k] < grid->points;
    DLS_CHECK(good, DLS_ERR_ARGUMENT,
              "%s: face %" PRId64 " of polyhedron %" PRId64 " is not of three or more points", path,
              faces, c);
    at += corners;
    faces++;
  }
  DLS_CHECK(start < end && faces == grid->face[start], DLS_ERR_ARGUMENT,
            "%s: polyhedron %" PRId64 " does not have as many faces as it says", path, c);
  return DLS_OK;
}

static DlsStatus check_faces(const char *path, const DlsVtuGrid *grid) {
  int64_t start = 0;
  for (int64_t c = 0; grid->type && c < grid->cells; c++) {
    if (grid->type[c] != DLS_VTU_POLYHEDRON) continue;
    DLS_CHECK(grid->face && grid->face_end, DLS_ERR_ARGUMENT,
              "%s: cell %" PRId64 " is a polyhedron: give faces", path, c);
    DLS_TRY(check_polyhedron(path, grid, c, start));
    start = grid->face_end[c];
  }
  DLS_CHECK(grid->type || grid->cells == 0 || grid->cell_type != DLS_VTU_POLYHEDRON,
            DLS_ERR_ARGUMENT, "%s: polyhedra need ends and types of their own", path);
  return DLS_OK;
}

static DlsStatus check_array(const char *path, const char *list, const DlsVtuArray *array,
                             int64_t tuples) {
  const int n = array->components ? array->components : 1;
  DLS_CHECK(array->name && *array->name, DLS_ERR_ARGUMENT, "%s: %s data: an array without a name",
            path, list);
  DLS_CHECK((unsigned)array->type < DLS_VTU_TYPE_COUNT, DLS_ERR_ARGUMENT,
            "%s: array '%s' is of type %d, which is not known", path, array->name, array->type);
  DLS_CHECK(n == 1 || n == 2 || n == 3 || n == 6 || n == 9, DLS_ERR_ARGUMENT,
            "%s: array '%s' has %d components, not 1, 2, 3, 6 or 9", path, array->name, n);
  DLS_CHECK(tuples == 0 || array->values, DLS_ERR_ARGUMENT, "%s: array '%s' has no values", path,
            array->name);
  DLS_CHECK((unsigned)array->role < DLS_VTU_ROLE_COUNT, DLS_ERR_ARGUMENT,
            "%s: array '%s' has role %d, which is not known", path, array->name, array->role);
  const bool three = array->role == DLS_VTU_VECTORS || array->role == DLS_VTU_NORMALS;
  DLS_CHECK((!three || n == 3) && (array->role != DLS_VTU_TENSORS || n == 9), DLS_ERR_ARGUMENT,
            "%s: array '%s' of %d components cannot be the active %s", path, array->name, n,
            dls_vtu_role_name[array->role]);
  for (int i = 0; array->component_names && i < n; i++)
    DLS_CHECK(array->component_names[i], DLS_ERR_ARGUMENT,
              "%s: array '%s': component %d has no name", path, array->name, i);
  return DLS_OK;
}

static DlsStatus check_list(const char *path, const char *list, const DlsVtuArray *arrays,
                            int count, int64_t tuples) {
  for (int i = 0; i < count; i++) {
    DLS_TRY(check_array(path, list, &arrays[i], tuples < 0 ? arrays[i].tuples : tuples));
    for (int j = 0; j < i; j++) {
      DLS_CHECK(strcmp(arrays[i].name, arrays[j].name) != 0, DLS_ERR_ARGUMENT,
                "%s: %s data: two arrays are named '%s'", path, list, arrays[i].name);
      DLS_CHECK(arrays[i].role == DLS_VTU_PLAIN || arrays[i].role != arrays[j].role,
                DLS_ERR_ARGUMENT, "%s: %s data: '%s' and '%s' cannot both be the active %s", path,
                list, arrays[j].name, arrays[i].name, dls_vtu_role_name[arrays[i].role]);
    }
  }
  return DLS_OK;
}

DlsStatus dls_vtu_check_arrays(const char *path, const DlsVtuGrid *grid,
                               const DlsVtuOptions *options) {
  DLS_CHECK(options->zlib >= 0 && options->zlib <= 9, DLS_ERR_ARGUMENT,
            "%s: zlib level %d is not 0 (raw) to 9 (small)", path, options->zlib);
  DLS_TRY(check_list(path, "point", grid->point_data, grid->point_arrays, grid->points));
  DLS_TRY(check_list(path, "cell", grid->cell_data, grid->cell_arrays, grid->cells));
  DLS_TRY(check_list(path, "field", grid->field_data, grid->field_arrays, -1));
  for (int i = 0; grid->timed && i < grid->field_arrays; i++)
    DLS_CHECK(strcmp(grid->field_data[i].name, "TimeValue") != 0, DLS_ERR_ARGUMENT,
              "%s: the field TimeValue is given twice: as time, and as an array", path);
  return DLS_OK;
}

DlsStatus dls_vtu_check(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options) {
  DLS_CHECK(grid->points >= 0 && grid->cells >= 0, DLS_ERR_ARGUMENT,
            "%s: %" PRId64 " points and %" PRId64 " cells", path, grid->points, grid->cells);
  DLS_CHECK(grid->points == 0 || grid->position, DLS_ERR_ARGUMENT, "%s: no positions", path);
  DLS_TRY(dls_vtu_check_arrays(path, grid, options));
  DLS_TRY(grid->type && grid->end ? check_each(path, grid) : check_uniform(path, grid));
  DLS_TRY(check_indices(path, grid));
  return check_faces(path, grid);
}
