/* A sparse matrix of an FCLIB file: datasets m, n, nz, nzmax, p, i, x of a group.
 *   nz >= 0   triplets: nz of them, rows in `i` and columns in `p`, as CSparse has it and as the
 *             public files are; the comment of fclib.h says the opposite, so that files of that
 *             kind are recognised where their indices tell
 *   nz = -1   compressed columns: p [n + 1], rows in `i`
 *   nz = -2   compressed rows:    p [m + 1], columns in `i` */
#include "problem/fclib/fclib_impl.h"
#include "problem/operator/sparse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2 };

typedef struct {
  const DlsH5File *file;
  const char *group;
  int m, n, nz, nzmax;
  int entries;
  int *p, *i; /* as stored */
  int *major; /* compressed storage: the row or column of each entry */
  double *x;
} Stored;

static void stored_clear(Stored *a) {
  free(a->p);
  free(a->i);
  free(a->major);
  free(a->x);
}

static DlsStatus read_sizes(Stored *a, int rows, int columns, const char *why) {
  const char *path = a->file->path;
  DLS_TRY(dls_h5_read_int(a->file, a->group, "m", &a->m));
  DLS_TRY(dls_h5_read_int(a->file, a->group, "n", &a->n));
  DLS_TRY(dls_h5_read_int(a->file, a->group, "nz", &a->nz));
  DLS_TRY(dls_h5_read_int(a->file, a->group, "nzmax", &a->nzmax));
  DLS_CHECK(a->m == rows, DLS_ERR_FORMAT, "%s: %s/m: is %d; the matrix must have %d rows (%s)",
            path, a->group, a->m, rows, why);
  DLS_CHECK(a->n == columns, DLS_ERR_FORMAT,
            "%s: %s/n: is %d; the matrix must have %d columns (%s)", path, a->group, a->n, columns,
            why);
  DLS_CHECK(a->nz >= COMPRESSED_ROWS, DLS_ERR_FORMAT,
            "%s: %s/nz: is %d; a number of triplets, -1 (columns) or -2 (rows) is expected", path,
            a->group, a->nz);
  DLS_CHECK(a->nzmax >= 0 && a->nzmax >= a->nz, DLS_ERR_FORMAT,
            "%s: %s/nzmax: is %d, less than the number of entries", path, a->group, a->nzmax);
  return DLS_OK;
}

/* p of compressed storage: grows from 0 to the number of entries. */
static DlsStatus read_starts(Stored *a) {
  const char *path = a->file->path;
  const int lines = a->nz == COMPRESSED_ROWS ? a->m : a->n;
  DLS_TRY(dls_h5_read_ints(a->file, a->group, "p", lines + 1, lines + 1,
                           a->nz == COMPRESSED_ROWS ? "rows + 1" : "columns + 1", &a->p));
  DLS_CHECK(a->p[0] == 0, DLS_ERR_FORMAT, "%s: %s/p: starts at %d, not at 0", path, a->group,
            a->p[0]);
  for (int k = 0; k < lines; k++)
    DLS_CHECK(a->p[k + 1] >= a->p[k], DLS_ERR_FORMAT,
              "%s: %s/p: entry %d is %d, less than the one before; starts must not decrease", path,
              a->group, k + 1, a->p[k + 1]);
  a->entries = a->p[lines];
  DLS_CHECK(a->entries <= a->nzmax, DLS_ERR_FORMAT, "%s: %s/p: ends at %d, above nzmax = %d", path,
            a->group, a->entries, a->nzmax);
  return DLS_OK;
}

static DlsStatus read_arrays(Stored *a) {
  a->entries = a->nz;
  if (a->nz >= 0)
    DLS_TRY(dls_h5_read_ints(a->file, a->group, "p", a->nz, a->nzmax, "from nz to nzmax", &a->p));
  else
    DLS_TRY(read_starts(a));
  DLS_TRY(dls_h5_read_ints(a->file, a->group, "i", a->entries, a->nzmax,
                           "from the number of entries to nzmax", &a->i));
  return dls_h5_read_reals(a->file, a->group, "x", a->entries, a->nzmax,
                           "from the number of entries to nzmax", &a->x);
}

/* The first entry outside [0, bound), or -1. */
static int first_outside(const int *index, int count, int bound) {
  for (int k = 0; k < count; k++)
    if (index[k] < 0 || index[k] >= bound) return k;
  return -1;
}

static DlsStatus check_indices(const Stored *a, const char *name, const int *index, int bound) {
  const int k = first_outside(index, a->entries, bound);
  DLS_CHECK(k < 0, DLS_ERR_FORMAT, "%s: %s/%s: entry %d is %d, outside 0..%d", a->file->path,
            a->group, name, k, index[k], bound - 1);
  return DLS_OK;
}

/* Which of i and p has the rows. Where the ranges leave both open the preferred way is kept. */
static void choose_convention(const Stored *a, bool *rows_in_i) {
  const bool usual =
      first_outside(a->i, a->entries, a->m) < 0 && first_outside(a->p, a->entries, a->n) < 0;
  const bool other =
      first_outside(a->p, a->entries, a->m) < 0 && first_outside(a->i, a->entries, a->n) < 0;
  if (usual != other) *rows_in_i = usual;
  if (!usual && !other) *rows_in_i = true;
}

static DlsStatus from_triplets(const Stored *a, bool *rows_in_i, DlsSparse *out) {
  choose_convention(a, rows_in_i);
  DLS_TRY(check_indices(a, "i", a->i, *rows_in_i ? a->m : a->n));
  DLS_TRY(check_indices(a, "p", a->p, *rows_in_i ? a->n : a->m));
  return dls_sparse_from_triplets(a->m, a->n, a->entries, *rows_in_i ? a->i : a->p,
                                  *rows_in_i ? a->p : a->i, a->x, out);
}

static DlsStatus from_compressed(Stored *a, DlsSparse *out) {
  const bool by_rows = a->nz == COMPRESSED_ROWS;
  const int lines = by_rows ? a->m : a->n;
  DLS_TRY(check_indices(a, "i", a->i, by_rows ? a->n : a->m));
  a->major = malloc(((size_t)a->entries + 1) * sizeof *a->major);
  DLS_CHECK(a->major, DLS_ERR_MEMORY, "%s: %s: no memory", a->file->path, a->group);
  for (int line = 0; line < lines; line++)
    for (int k = a->p[line]; k < a->p[line + 1]; k++) a->major[k] = line;
  return dls_sparse_from_triplets(a->m, a->n, a->entries, by_rows ? a->major : a->i,
                                  by_rows ? a->i : a->major, a->x, out);
}

static DlsStatus read_stored(Stored *a, int rows, int columns, const char *why, bool *rows_in_i,
                             DlsSparse *out) {
  DLS_TRY(read_sizes(a, rows, columns, why));
  DLS_TRY(read_arrays(a));
  DLS_TRY(a->nz >= 0 ? from_triplets(a, rows_in_i, out) : from_compressed(a, out));
  for (int k = 0; k < out->start[out->rows]; k++) {
    if (isfinite(out->value[k])) continue;
    dls_sparse_clear(out);
    return dls_fail(DLS_ERR_FORMAT, "%s: %s/x: entries of the same place have no finite sum",
                    a->file->path, a->group);
  }
  return DLS_OK;
}

DlsStatus dls_fclib_read_matrix(const DlsH5File *file, const char *group, int rows, int columns,
                                const char *why, bool *rows_in_i, DlsSparse *out) {
  Stored stored = {.file = file, .group = group};
  *out = (DlsSparse){0};
  bool found;
  DLS_TRY(dls_h5_find(file, group, NULL, &found));
  DLS_CHECK(found, DLS_ERR_FORMAT, "%s: %s: is missing", file->path, group);
  const DlsStatus status = read_stored(&stored, rows, columns, why, rows_in_i, out);
  stored_clear(&stored);
  return status;
}
