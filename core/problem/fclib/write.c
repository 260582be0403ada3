/* Writing FCLIB files: fclib_local with W by compressed columns, the storage that FCLIB's own merit
 * function reads, each block whole, so that reading it back gives the same bits; in standard form
 * where a, b or C are not zero (standard.c). `spacedim` is the number of components of a
 * contact. The file is written aside, brought to the disk, and renamed: it is there whole or not at
 * all. */
#include "base/file.h"
#include "base/memory.h"
#include "problem/fclib/fclib_impl.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the law is one that FCLIB knows: Coulomb's with one coefficient and no dilatancy, and
 * with none Signorini's. */
static bool is_coulomb(const DlsRelation *relation, int block) {
  if (relation->cone == DLS_CONE_SIGNORINI) return true;
  return relation->cone == DLS_CONE_COULOMB && relation->associated == 0 &&
         (block == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2]);
}

/* Whether FCLIB's own vectors say all of the relation. */
static bool is_plain(const DlsRelation *relation, int block) {
  bool plain = relation->cone == DLS_CONE_COULOMB && relation->mu[DLS_MU_ROLL] == 0 &&
               relation->mu[DLS_MU_TORSION] == 0 && relation->associated == 0 &&
               relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2];
  for (int k = 0; k < block; k++)
    plain = plain && relation->a[k] == 0 && relation->b[k] == 0 && relation->C[k] == 0;
  return plain;
}

typedef struct {
  const char *path;
  const DlsProblem *problem;
  const char *title;
  const double *r, *u, *guess;
  int contacts, block;
  bool plain,
      coulomb;  /* all contacts plain; all of Coulomb's cone with one coefficient, or Signorini's */
  bool rolling; /* some contact is */
  bool dilates; /* some contact does */
  bool standard; /* a = b = C = 0 */
  DlsOperator *assembled;
  DlsBlockRows W;
  int *start, *row; /* Ŵ by columns */
  double *value, *diagonal, *mu;
  double *velocity,
      *start_velocity;   /* W r + q of the answer, where it was not given, and of the guess */
  double *hat;           /* r̂ and û of what is written at the time */
  DlsFclibBodies bodies; /* of a problem that /fclib_global can state too */
  double *v, *zero;      /* [bodies.n]: v of what is written at the time; f */
} Writing;

static void writing_clear(Writing *a) {
  dls_operator_destroy(&a->assembled);
  free(a->start);
  free(a->row);
  free(a->value);
  free(a->diagonal);
  free(a->mu);
  free(a->velocity);
  free(a->start_velocity);
  free(a->hat);
  free(a->v);
  free(a->zero);
  dls_fclib_bodies_clear(&a->bodies);
}

static DlsStatus check_finite(const Writing *a, const double *x, const char *name) {
  for (int k = 0; k < a->contacts * a->block; k++)
    DLS_CHECK(isfinite(x[k]), DLS_ERR_NUMERIC, "%s: not written: %s of contact %d is not finite",
              a->path, name, k / a->block);
  return DLS_OK;
}

/* All that can fail before there is a file. */
static DlsStatus prepare(Writing *a) {
  const DlsCustomRelation *custom = dls_problem_custom(a->problem);
  DLS_CHECK(a->contacts > 0, DLS_ERR_ARGUMENT, "%s: not written: the problem has no contact",
            a->path);
  a->plain = a->coulomb = a->block == dls_problem_dim(a->problem);
  for (int i = 0; i < a->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(a->problem, i);
    DLS_CHECK(relation->cone != DLS_CONE_CUSTOM, DLS_ERR_UNSUPPORTED,
              "%s: not written: contact %d has the custom law `%s`, which no file can hold",
              a->path, i, custom[i].law);
    a->plain = a->plain && is_plain(relation, a->block);
    a->coulomb = a->coulomb && is_coulomb(relation, a->block);
    a->rolling = a->rolling || relation->cone == DLS_CONE_ROLLING;
    a->dilates = a->dilates || relation->associated != 0;
  }
  DLS_TRY(dls_operator_rows(dls_problem_operator(a->problem), &a->assembled, &a->W));
  const long long entries = (long long)a->W.start[a->contacts] * a->block * a->block;
  DLS_CHECK(entries < INT_MAX, DLS_ERR_UNSUPPORTED,
            "%s: not written: W has %lld entries, more than the format can count", a->path,
            entries);
  a->standard = dls_fclib_is_standard(a->problem);
  DLS_NEW(a->hat, 2 * (size_t)a->contacts * (size_t)a->block);
  DLS_NEW(a->mu, a->contacts);
  if (a->coulomb) DLS_TRY(dls_fclib_bodies_create(a->problem, &a->bodies));
  DLS_NEW(a->v, a->bodies.n);
  DLS_NEW(a->zero, a->bodies.n);
  if (a->guess) {
    DLS_TRY(check_finite(a, a->guess, "the guess"));
    DLS_NEW(a->start_velocity, a->contacts * a->block);
    dls_problem_velocity(a->problem, a->guess, a->start_velocity);
    DLS_TRY(check_finite(a, a->start_velocity, "u of the guess"));
  }
  if (!a->r) return DLS_OK;
  DLS_TRY(check_finite(a, a->r, "r"));
  if (!a->u) {
    DLS_NEW(a->velocity, a->contacts * a->block);
    dls_problem_velocity(a->problem, a->r, a->velocity);
    a->u = a->velocity;
  }
  return check_finite(a, a->u, "u");
}

/* Ŵ = W + C: the column of component d of contact j holds, block by block down the rows, the d-th
 * column of each. */
static DlsStatus scalar_columns(Writing *a) {
  const int block = a->block, columns = a->contacts * block;
  const int blocks = a->W.start[a->contacts], entries = blocks * block * block;
  DLS_NEW(a->start, columns + 2);
  DLS_NEW(a->row, entries);
  DLS_NEW(a->value, entries);
  DLS_NEW(a->diagonal, columns);
  int *next =
      a->start +
      1; /* where the next entry of a column goes; the start of the one behind it at the end */
  for (int k = 0; k < blocks; k++)
    for (int d = 0; d < block; d++) next[a->W.column[k] * block + d + 1] += block;
  for (int column = 0; column < columns; column++) next[column + 1] += next[column];
  for (int i = 0; i < a->contacts; i++)
    for (int k = a->W.start[i]; k < a->W.start[i + 1]; k++)
      for (int c = 0; c < block; c++)
        for (int d = 0; d < block; d++) {
          const int row = i * block + c, column = a->W.column[k] * block + d;
          double value = a->W.value[(size_t)k * (size_t)(block * block) + (size_t)(c * block + d)];
          if (row == column) {
            a->diagonal[row] = value;
            value += dls_problem_relation(a->problem, i)->C[c];
          }
          a->row[next[column]] = row;
          a->value[next[column]++] = value;
        }
  for (int k = 0; k < entries; k++)
    DLS_CHECK(isfinite(a->value[k]), DLS_ERR_NUMERIC,
              "%s: not written: W + C of contact %d is not finite", a->path, a->row[k] / block);
  return DLS_OK;
}

/* A matrix by compressed columns: `row` and `value` of each, from `start` on. */
static DlsStatus write_columns(const Writing *a, hid_t group, int rows, int columns,
                               const int *start, const int *row, const double *value) {
  const int entries = start[columns], by_columns = -1;
  DLS_TRY(dls_h5_write_ints(a->path, group, "nzmax", 1, &entries));
  DLS_TRY(dls_h5_write_ints(a->path, group, "m", 1, &rows));
  DLS_TRY(dls_h5_write_ints(a->path, group, "n", 1, &columns));
  DLS_TRY(dls_h5_write_ints(a->path, group, "nz", 1, &by_columns));
  DLS_TRY(dls_h5_write_ints(a->path, group, "p", columns + 1, start));
  DLS_TRY(dls_h5_write_ints(a->path, group, "i", entries, row));
  return dls_h5_write_reals(a->path, group, "x", entries, value);
}

static DlsStatus write_matrix(Writing *a, hid_t group) {
  const int rows = a->contacts * a->block;
  DLS_TRY(scalar_columns(a));
  return write_columns(a, group, rows, rows, a->start, a->row, a->value);
}

static DlsStatus write_masses(Writing *a, hid_t group) {
  const DlsSparse *M = &a->bodies.M;
  return write_columns(a, group, a->bodies.n, a->bodies.n, M->start, M->column, M->value);
}

static DlsStatus write_supports(Writing *a, hid_t group) {
  const DlsSparse *H = &a->bodies.H;
  return write_columns(a, group, a->bodies.n, H->rows, H->start, H->column, H->value);
}

static DlsStatus write_coefficients(Writing *a, hid_t group, const char *name, int which) {
  for (int i = 0; i < a->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(a->problem, i);
    const bool rubs = relation->cone == DLS_CONE_COULOMB || relation->cone == DLS_CONE_ROLLING;
    a->mu[i] = rubs ? relation->mu[which] : 0; /* Signorini's cone is Coulomb's with 0 */
  }
  return dls_h5_write_reals(a->path, group, name, a->contacts, a->mu);
}

static DlsStatus write_vectors(Writing *a, hid_t group) {
  DLS_TRY(write_coefficients(a, group, "mu", DLS_MU_1));
  if (a->rolling) DLS_TRY(write_coefficients(a, group, "mu_r", DLS_MU_ROLL));
  return dls_h5_write_reals(a->path, group, "q", a->contacts * a->block,
                            dls_problem_standard_q(a->problem));
}

static DlsStatus write_global_vectors(Writing *a, hid_t group) {
  DLS_TRY(write_coefficients(a, group, "mu", DLS_MU_1));
  DLS_TRY(dls_h5_write_reals(a->path, group, "f", a->bodies.n, a->zero));
  return dls_h5_write_reals(a->path, group, "w", a->contacts * a->block,
                            dls_problem_standard_q(a->problem));
}

static DlsStatus write_info(Writing *a, hid_t group) {
  const char *title = a->title ? a->title : dls_problem_name(a->problem);
  DLS_TRY(dls_h5_write_text(a->path, group, "title", title));
  DLS_TRY(dls_h5_write_text(
      a->path, group, "description",
      a->plain ? "written by delassus"
      : a->coulomb
          ? "written by delassus; the standard form W + C, q + b - (W + C) a, r + a, whose "
            "physical problem is in the group /delassus"
      : a->dilates
          ? "written by delassus; contacts dilate as they slide, which /delassus/associated says: "
            "a program that does not read it solves another problem, Coulomb's"
          : "written by delassus; the relations of the contacts go beyond Coulomb's cone: "
            "see the group /delassus"));
  return dls_h5_write_text(a->path, group, "math_info", "unknown");
}

static DlsStatus write_pair(Writing *a, hid_t group, const double *r, const double *u) {
  const int rows = a->contacts * a->block;
  double *u_hat = a->hat + rows;
  if (!a->standard) {
    dls_fclib_to_standard(a->problem, r, u, a->hat, u_hat);
    r = a->hat;
    u = u_hat;
  }
  if (a->bodies.n) {
    DLS_TRY(dls_fclib_bodies_velocity(a->problem, r, a->v));
    DLS_TRY(dls_h5_write_reals(a->path, group, "v", a->bodies.n, a->v));
  }
  DLS_TRY(dls_h5_write_reals(a->path, group, "u", rows, u));
  return dls_h5_write_reals(a->path, group, "r", rows, r);
}

static DlsStatus write_solution(Writing *a, hid_t group) {
  return write_pair(a, group, a->r, a->u);
}

static DlsStatus write_guess(Writing *a, hid_t group) {
  return write_pair(a, group, a->guess, a->start_velocity);
}

static DlsStatus write_own(Writing *a, hid_t group) {
  DLS_TRY(dls_fclib_write_relations(a->path, group, a->problem));
  if (a->standard) return DLS_OK;
  return dls_fclib_write_standard(a->path, group, a->problem, a->diagonal, a->r, a->u, a->guess);
}

static DlsStatus in_group(Writing *a, hid_t file, const char *name,
                          DlsStatus (*write)(Writing *a, hid_t group)) {
  const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return dls_h5_cannot_write(a->path, name);
  const DlsStatus status = write(a, group);
  H5Gclose(group);
  return status;
}

static DlsStatus write_guesses(Writing *a, hid_t group) {
  const int one = 1;
  DLS_TRY(dls_h5_write_ints(a->path, group, "number_of_guesses", 1, &one));
  return in_group(a, group, "1", write_guess);
}

static DlsStatus write_problem(Writing *a, hid_t group) {
  DLS_TRY(dls_h5_write_ints(a->path, group, "spacedim", 1, &a->block));
  DLS_TRY(in_group(a, group, "W", write_matrix));
  DLS_TRY(in_group(a, group, "vectors", write_vectors));
  return in_group(a, group, "info", write_info);
}

static DlsStatus write_global(Writing *a, hid_t group) {
  DLS_TRY(dls_h5_write_ints(a->path, group, "spacedim", 1, &a->block));
  DLS_TRY(in_group(a, group, "M", write_masses));
  DLS_TRY(in_group(a, group, "H", write_supports));
  DLS_TRY(in_group(a, group, "vectors", write_global_vectors));
  return in_group(a, group, "info", write_info);
}

static DlsStatus write_groups(void *context, hid_t file) {
  Writing *a = context;
  DLS_TRY(in_group(a, file, "fclib_local", write_problem));
  if (a->bodies.n) DLS_TRY(in_group(a, file, "fclib_global", write_global));
  if (!a->plain) DLS_TRY(in_group(a, file, "delassus", write_own));
  if (a->r) DLS_TRY(in_group(a, file, "solution", write_solution));
  if (a->guess) DLS_TRY(in_group(a, file, "guesses", write_guesses));
  return DLS_OK;
}

static DlsStatus write_aside(Writing *a) {
  DlsFile *file = NULL;
  DLS_TRY(prepare(a));
  DLS_TRY(dls_file_begin(a->path, &file));
  const DlsStatus status = dls_h5_write_file(a->path, write_groups, a, file);
  if (status == DLS_OK) return dls_file_commit(&file);
  dls_file_abandon(&file);
  return status;
}

DlsStatus dls_fclib_write(const char *path, const DlsProblem *problem, const char *title,
                          const double *r, const double *u, const double *guess) {
  Writing writing = {.path = path,
                     .problem = problem,
                     .title = title,
                     .r = r,
                     .u = u,
                     .guess = guess,
                     .contacts = dls_problem_contacts(problem),
                     .block = dls_problem_block(problem)};
  const DlsStatus status = write_aside(&writing);
  writing_clear(&writing);
  return status;
}
