/* Reading FCLIB files. A file holds one problem, local or global, or in both forms, of which the
 * local one is read:
 *   fclib_local    u = W r + q
 *   fclib_global   M v = H r + f,  u = H^T v + w,   so that our H is the transpose of the file's
 * and the rolling kinds of both, with a second coefficient mu_r per contact and blocks of 5 (3 in
 * 2-D). Equality constraints (V, R, s and G, b) are not part of our problem. */
#include "base/memory.h"
#include "base/random.h"
#include "problem/fclib/fclib_impl.h"
#include "problem/operator/sparse.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *group;
  bool global, rolling;
  const char *constraints[3]; /* matrices by their group, then the vector */
} Kind;

enum { LOCAL, GLOBAL };
static const Kind kinds[] = {
    [LOCAL] = {"/fclib_local", false, false, {"V", "R", "s"}},
    [GLOBAL] = {"/fclib_global", true, false, {"G", NULL, "b"}},
    {"/fclib_global_rolling", true, true, {"G", NULL, "b"}},
    {"/fclib_local_rolling", false, true, {"V", "R", "s"}},
};

enum { NAME_BYTES = 64, MAX_CONTACTS = INT_MAX / (DLS_MAX_BLOCK * DLS_MAX_BLOCK) };

/* A problem on its way from the file. */
typedef struct {
  DlsH5File file;
  const Kind *kind;
  char vectors[NAME_BYTES]; /* the group with mu, q, f, w */
  int dim, block, contacts, rows;
  bool extended; /* has a group /delassus */
  bool standard; /* holds Ŵ, q̂, r̂ and û, and there what gives back W, q, r and u */
  DlsOperator *W;
  double *q, *q_hat; /* q_hat where it is not q */
  DlsRelation *relations;
} Reading;

static void reading_clear(Reading *a) {
  dls_operator_destroy(&a->W);
  free(a->q);
  free(a->q_hat);
  free(a->relations);
  dls_h5_close(&a->file);
}

static DlsStatus find_kind(Reading *a) {
  for (int k = 0; k < DLS_COUNT(kinds); k++) {
    bool found;
    DLS_TRY(dls_h5_find(&a->file, kinds[k].group, NULL, &found));
    if (!found) continue;
    if (a->kind == &kinds[LOCAL] && k == GLOBAL) continue; /* two forms of one problem */
    DLS_CHECK(!a->kind, DLS_ERR_FORMAT, "%s: holds both %s and %s; keep one of them", a->file.path,
              a->kind->group, kinds[k].group);
    a->kind = &kinds[k];
  }
  DLS_CHECK(a->kind, DLS_ERR_FORMAT,
            "%s: holds no problem: none of the groups /fclib_local, /fclib_global, "
            "/fclib_local_rolling, /fclib_global_rolling is there",
            a->file.path);
  snprintf(a->vectors, sizeof a->vectors, "%s/vectors", a->kind->group);
  return DLS_OK;
}

/* Constraints that are there and not empty are refused by name. */
static DlsStatus refuse_constraints(const Reading *a) {
  char matrix[NAME_BYTES];
  bool found;
  int size;
  for (int k = 0; k < 2 && a->kind->constraints[k]; k++) {
    snprintf(matrix, sizeof matrix, "%s/%s", a->kind->group, a->kind->constraints[k]);
    DLS_TRY(dls_h5_find(&a->file, matrix, NULL, &found));
    if (!found) continue;
    DLS_TRY(dls_h5_read_int(&a->file, matrix, "n", &size));
    DLS_CHECK(size == 0, DLS_ERR_UNSUPPORTED,
              "%s: %s: equality constraints are not supported; condense them into the problem",
              a->file.path, matrix);
  }
  const char *vector = a->kind->constraints[2];
  DLS_TRY(dls_h5_find(&a->file, a->vectors, vector, &found));
  if (!found) return DLS_OK;
  DLS_TRY(dls_h5_length(&a->file, a->vectors, vector, &size));
  DLS_CHECK(size == 0, DLS_ERR_UNSUPPORTED,
            "%s: %s/%s: equality constraints are not supported; condense them into the problem",
            a->file.path, a->vectors, vector);
  return DLS_OK;
}

/* spacedim is the number of components of a contact. */
static DlsStatus read_shape(Reading *a, bool *rolling) {
  const char *path = a->file.path, *group = a->kind->group;
  DLS_TRY(dls_h5_read_int(&a->file, group, "spacedim", &a->block));
  DLS_TRY(dls_h5_find(&a->file, "/delassus", NULL, &a->extended));
  DLS_TRY(dls_h5_find(&a->file, a->vectors, "mu_r", rolling));
  *rolling = *rolling || a->kind->rolling;
  const int block = a->block;
  if (a->extended)
    DLS_CHECK(block == 2 || block == 3 || block == 5 || block == 6, DLS_ERR_FORMAT,
              "%s: %s/spacedim: is %d; 2, 3, 5 or 6 is expected", path, group, block);
  else if (*rolling)
    DLS_CHECK(block == 3 || block == 5, DLS_ERR_FORMAT,
              "%s: %s/spacedim: is %d; 5, or 3 in 2-D, is expected of a rolling problem", path,
              group, block);
  else
    DLS_CHECK(block == 2 || block == 3, DLS_ERR_FORMAT,
              "%s: %s/spacedim: is %d; 2 or 3 is expected", path, group, block);
  a->dim = *rolling ? (block == 5 ? 3 : 2) : block;
  const char *vector = a->kind->global ? "w" : "q";
  DLS_TRY(dls_h5_stored(&a->file, a->vectors, vector, &a->rows));
  DLS_CHECK(a->rows > 0, DLS_ERR_FORMAT, "%s: %s/%s: is empty; the problem has no contact", path,
            a->vectors, vector);
  DLS_CHECK(a->rows % block == 0, DLS_ERR_FORMAT,
            "%s: %s/%s: holds %d numbers, not a multiple of spacedim = %d", path, a->vectors,
            vector, a->rows, block);
  a->contacts = a->rows / block;
  DLS_CHECK(a->contacts <= MAX_CONTACTS, DLS_ERR_FORMAT, "%s: %s/%s: holds more than %d contacts",
            path, a->vectors, vector, MAX_CONTACTS);
  return DLS_OK;
}

/* One non-negative coefficient per contact into mu[to] (and mu[2nd] of sliding). */
static DlsStatus read_coefficients(Reading *a, const char *name, int to, int also) {
  double *values;
  DLS_TRY(dls_h5_read_reals(&a->file, a->vectors, name, a->contacts, a->contacts, "one per contact",
                            &values));
  for (int i = 0; i < a->contacts; i++) {
    if (values[i] >= 0) {
      a->relations[i].mu[to] = a->relations[i].mu[also] = values[i];
      continue;
    }
    const double value = values[i];
    free(values);
    return dls_fail(DLS_ERR_FORMAT, "%s: %s/%s: contact %d has the negative coefficient %g",
                    a->file.path, a->vectors, name, i, value);
  }
  free(values);
  return DLS_OK;
}

static DlsStatus read_relations(Reading *a, bool rolling) {
  DLS_NEW(a->relations, a->contacts);
  for (int i = 0; i < a->contacts; i++)
    a->relations[i].cone = rolling ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  DLS_TRY(read_coefficients(a, "mu", DLS_MU_1, DLS_MU_2));
  if (rolling) DLS_TRY(read_coefficients(a, "mu_r", DLS_MU_ROLL, DLS_MU_ROLL));
  if (!a->extended) return DLS_OK;
  DLS_TRY(dls_fclib_find_standard(&a->file, &a->standard));
  DLS_CHECK(!a->standard || !a->kind->global, DLS_ERR_FORMAT,
            "%s: /delassus/standard: belongs to a file with /fclib_local, which is not there",
            a->file.path);
  return dls_fclib_read_relations(&a->file, a->contacts, a->block, &a->dim, a->relations);
}

/* A failure of the operator is one of the matrix it was made of. */
static DlsStatus blame(const Reading *a, const char *group, DlsStatus status) {
  if (status == DLS_OK || status == DLS_ERR_MEMORY) return status;
  return dls_fail_context(DLS_ERR_FORMAT, "%s: %s", a->file.path, group);
}

/* The physical W and q in the place of the standard ones; q̂ is kept, to be compared. */
static DlsStatus keep_standard(Reading *a, DlsSparse *W) {
  DLS_NEW(a->q_hat, a->rows);
  memcpy(a->q_hat, a->q, (size_t)a->rows * sizeof *a->q);
  return dls_fclib_restore(&a->file, a->block, a->relations, W, &a->q);
}

static DlsStatus read_local(Reading *a) {
  char group[NAME_BYTES];
  DlsSparse W;
  bool rows_in_i = true;
  snprintf(group, sizeof group, "%s/W", a->kind->group);
  DLS_TRY(dls_h5_read_reals(&a->file, a->vectors, "q", a->rows, a->rows, "the rows of W", &a->q));
  DLS_TRY(dls_fclib_read_matrix(&a->file, group, a->rows, a->rows, "the length of vectors/q",
                                &rows_in_i, &W));
  DlsStatus status = a->standard ? keep_standard(a, &W) : DLS_OK;
  if (status == DLS_OK) status = blame(a, group, dls_sparse_to_operator(&W, a->block, &a->W));
  dls_sparse_clear(&W);
  return status;
}

/* q = H M^-1 f + w; `v` has room for the velocities. */
static DlsStatus condense(Reading *a, const DlsSparse *H, const double *f, double *v) {
  double *w;
  DLS_TRY(dls_h5_read_reals(&a->file, a->vectors, "w", a->rows, a->rows, "the columns of H", &w));
  a->q = dls_memory_array((size_t)a->rows, sizeof *a->q);
  DlsStatus status = a->q ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "%s: no memory", a->file.path);
  if (status == DLS_OK) status = dls_operator_solve_mass(a->W, f, v);
  if (status == DLS_OK) {
    dls_sparse_multiply(H, v, a->q);
    for (int k = 0; k < a->rows; k++) a->q[k] += w[k];
  }
  free(w);
  return status;
}

/* Masses may be so small that M^-1 is not finite: the diagonal of W tells. */
static DlsStatus check_diagonal(const Reading *a) {
  const size_t size = (size_t)a->contacts * (size_t)(a->block * a->block);
  double *D;
  DLS_NEW(D, size);
  dls_operator_diagonal(a->W, D);
  bool finite = true;
  for (size_t k = 0; k < size; k++) finite = finite && isfinite(D[k]);
  for (int k = 0; k < a->rows; k++) finite = finite && isfinite(a->q[k]);
  free(D);
  DLS_CHECK(finite, DLS_ERR_FORMAT, "%s: %s/M: is singular, or so small that H^T M^-1 H overflows",
            a->file.path, a->kind->group);
  return DLS_OK;
}

typedef struct {
  DlsSparse M, file_H, H;
  double *f, *v;
} Global;

static void global_clear(Global *g) {
  dls_sparse_clear(&g->M);
  dls_sparse_clear(&g->file_H);
  dls_sparse_clear(&g->H);
  free(g->f);
  free(g->v);
}

/* W from M and H of a global kind, whose vectors are there. */
static DlsStatus read_bodies(const Reading *a, const Kind *kind, Global *g, DlsOperator **W) {
  char group[NAME_BYTES], vectors[NAME_BYTES];
  bool rows_in_i = true; /* H is not square as a rule, so it tells the convention for M too */
  int n;
  snprintf(vectors, sizeof vectors, "%s/vectors", kind->group);
  DLS_TRY(dls_h5_stored(&a->file, vectors, "f", &n));
  DLS_CHECK(n > 0, DLS_ERR_FORMAT, "%s: %s/f: is empty; the problem has no velocity", a->file.path,
            vectors);
  DLS_TRY(dls_h5_read_reals(&a->file, vectors, "f", n, n, "the rows of M", &g->f));
  snprintf(group, sizeof group, "%s/H", kind->group);
  DLS_TRY(dls_fclib_read_matrix(&a->file, group, n, a->rows,
                                "the lengths of vectors/f and vectors/w", &rows_in_i, &g->file_H));
  DLS_TRY(dls_sparse_transpose(&g->file_H, &g->H));
  snprintf(group, sizeof group, "%s/M", kind->group);
  DLS_TRY(
      dls_fclib_read_matrix(&a->file, group, n, n, "the length of vectors/f", &rows_in_i, &g->M));
  DLS_TRY(blame(a, group, dls_operator_create_global(a->contacts, a->block, &g->M, &g->H, W)));
  DLS_NEW(g->v, n);
  return DLS_OK;
}

static DlsStatus read_global(Reading *a, Global *g) {
  char group[NAME_BYTES];
  snprintf(group, sizeof group, "%s/M", a->kind->group);
  DLS_TRY(read_bodies(a, a->kind, g, &a->W));
  DLS_TRY(blame(a, group, condense(a, &g->H, g->f, g->v)));
  return check_diagonal(a);
}

/* Whether two operators are one to round-off, by what they make of a vector that is no stranger to
 * any direction. */
static DlsStatus compare_operators(const Reading *a, const DlsOperator *other, bool *same) {
  const size_t n = (size_t)a->rows;
  double *r, apart = 0, size = 0;
  DlsRandom random;
  DLS_NEW(r, 3 * n);
  dls_random_seed(&random, 1);
  for (size_t e = 0; e < n; e++) r[e] = 2 * dls_random_unit(&random) - 1;
  dls_operator_apply(a->W, r, r + n);
  dls_operator_apply(other, r, r + 2 * n);
  for (size_t e = n; e < 2 * n; e++) {
    apart = fmax(apart, fabs(r[e] - r[e + n]));
    size = fmax(size, fabs(r[e]));
  }
  *same = apart <= 1e-9 * size;
  free(r);
  return DLS_OK;
}

/* A file that holds the bodies too, as ours do: W on them is the same, smaller, and tells solvers
 * more. Where it is another (a compliance is a body there; or another program has been at it), W
 * stays. */
static DlsStatus prefer_bodies(Reading *a) {
  Global global = {0};
  DlsOperator *W = NULL;
  bool found, same = false;
  DLS_TRY(dls_h5_find(&a->file, kinds[GLOBAL].group, NULL, &found));
  if (!found || a->kind != &kinds[LOCAL]) return DLS_OK;
  const DlsStatus read = read_bodies(a, &kinds[GLOBAL], &global, &W);
  const DlsStatus status = read == DLS_OK ? compare_operators(a, W, &same) : DLS_OK;
  if (same) {
    DlsOperator *local = a->W;
    a->W = W;
    W = local;
  }
  dls_operator_destroy(&W);
  global_clear(&global);
  return status;
}

static DlsStatus read_either(Reading *a) {
  if (!a->kind->global) {
    DLS_TRY(read_local(a));
    return prefer_bodies(a);
  }
  Global global = {0};
  const DlsStatus status = read_global(a, &global);
  global_clear(&global);
  return status;
}

/* The name of the file without folder and ending. */
static DlsStatus set_name(DlsProblem *problem, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  char *name = strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
  DLS_CHECK(name, DLS_ERR_MEMORY, "%s: no memory", path);
  const DlsStatus status = dls_problem_set_name(problem, name);
  free(name);
  return status;
}

static DlsStatus read_all(Reading *a, DlsProblem **out, DlsFclibExtra *extra) {
  bool rolling;
  DLS_TRY(dls_h5_open(a->file.path, &a->file));
  DLS_TRY(find_kind(a));
  DLS_TRY(refuse_constraints(a));
  DLS_TRY(read_shape(a, &rolling));
  DLS_TRY(read_relations(a, rolling));
  DLS_TRY(read_either(a));
  if (extra) DLS_TRY(dls_fclib_read_extra(&a->file, a->kind->group, a->rows, extra));
  const DlsStatus status = dls_problem_create(a->dim, &a->W, a->q, a->relations, NULL, out);
  DLS_TRY(blame(a, a->kind->group, status));
  if (a->standard) DLS_TRY(dls_fclib_check_standard(&a->file, a->q_hat, *out));
  if (a->standard && extra) DLS_TRY(dls_fclib_restore_extra(&a->file, *out, extra));
  return set_name(*out, a->file.path);
}

DlsStatus dls_fclib_read(const char *path, DlsProblem **out, DlsFclibExtra *extra) {
  Reading reading = {.file = {.path = path, .id = -1}};
  *out = NULL;
  if (extra) *extra = (DlsFclibExtra){0};
  const DlsStatus status = read_all(&reading, out, extra);
  reading_clear(&reading);
  if (status == DLS_OK) return DLS_OK;
  dls_problem_destroy(out);
  if (extra) dls_fclib_extra_clear(extra);
  return status;
}
