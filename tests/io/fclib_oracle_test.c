/* libfclib as the oracle, both ways: what it writes we read, and what we write it reads. Built
 * without it, the tests say so and skip. */
#include "tests/files.h"

#include <delassus/fclib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TEST_HAVE_FCLIB
TEST(libfclib_agrees) { test_skip_package("libfclib-dev"); }
#else
#include <fclib.h>
#include <hdf5.h>
#include <math.h>

enum { TRIPLETS, COLUMNS, ROWS, STORAGES };
enum { SIZE = 24 };

static const char *path_of(const char *name) { return test_path("fclib_oracle", name); }

/* A dense matrix and the same in FCLIB's struct, in one of its storages. */
typedef struct {
  int rows, columns;
  double value[SIZE][SIZE];
  int p[SIZE * SIZE + 1], i[SIZE * SIZE];
  double x[SIZE * SIZE];
  struct fclib_matrix_info info;
  struct fclib_matrix matrix;
} Matrix;

/* Triplets come shuffled, each split in two halves; `swapped` has the rows in p, as the comment of
 * fclib.h says. */
static void store_triplets(Matrix *a, bool swapped) {
  int count = 0;
  for (int half = 0; half < 2; half++)
    for (int k = 0; k < a->rows * a->columns; k++) {
      const int at = (7 * k + 3) % (a->rows * a->columns);
      const int row = at / a->columns, column = at % a->columns;
      if (a->value[row][column] == 0) continue;
      a->i[count] = swapped ? column : row;
      a->p[count] = swapped ? row : column;
      a->x[count++] = 0.5 * a->value[row][column];
    }
  a->matrix.nz = a->matrix.nzmax = count;
}

static void store_compressed(Matrix *a, bool by_rows) {
  const int lines = by_rows ? a->rows : a->columns, across = by_rows ? a->columns : a->rows;
  int count = 0;
  a->p[0] = 0;
  for (int line = 0; line < lines; line++) {
    for (int k = across - 1; k >= 0; k--) { /* indices of a line need not ascend */
      const double value = by_rows ? a->value[line][k] : a->value[k][line];
      if (value == 0) continue;
      a->i[count] = k;
      a->x[count++] = value;
    }
    a->p[line + 1] = count;
  }
  a->matrix.nz = by_rows ? -2 : -1;
  a->matrix.nzmax = count;
}

static struct fclib_matrix *store(Matrix *a, int storage, bool swapped) {
  a->matrix = (struct fclib_matrix){.m = a->rows, .n = a->columns, .p = a->p, .i = a->i, .x = a->x};
  if (storage == TRIPLETS)
    store_triplets(a, swapped);
  else
    store_compressed(a, storage == ROWS);
  a->info = (struct fclib_matrix_info){"a comment", 10, 2, a->rows};
  a->matrix.info = &a->info;
  return &a->matrix;
}

static double number(int k) { return (double)((k * 37) % 19 - 9) / 8; } /* exact when halved */

static struct fclib_info texts = {"title", "some description", "unknown"};

/* W of two blocks per row, not symmetric. */
static Matrix make_W(int rows, int block) {
  Matrix W = {.rows = rows, .columns = rows};
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      if ((i / block + j / block) % 2 == 0) W.value[i][j] = i == j ? 9 : number(i * rows + j);
  return W;
}

static void check_W(const DlsProblem *problem, const Matrix *W) {
  const DlsBlockRows rows = dls_operator_block_rows(dls_problem_operator(problem));
  double found[SIZE][SIZE] = {{0}};
  for (int i = 0; i < rows.contacts; i++)
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
      for (int e = 0; e < rows.block * rows.block; e++)
        found[i * rows.block + e / rows.block][rows.column[k] * rows.block + e % rows.block] =
            rows.value[k * rows.block * rows.block + e];
  for (int i = 0; i < W->rows; i++)
    for (int j = 0; j < W->rows; j++) CHECK(found[i][j] == W->value[i][j]);
}

static void check_extra(const DlsFclibExtra *extra, int rows) {
  CHECK(extra->title && strcmp(extra->title, texts.title) == 0);
  CHECK(extra->description && strcmp(extra->description, texts.description) == 0);
  CHECK(extra->math_info && strcmp(extra->math_info, texts.math_info) == 0);
  CHECK_INT(extra->guesses, 2);
  CHECK(extra->solution_r && extra->solution_u);
  for (int k = 0; extra->guesses == 2 && extra->solution_r && k < rows; k++) {
    CHECK(extra->solution_r[k] == number(k) && extra->solution_u[k] == number(k + 1));
    CHECK(extra->guess_r[0][k] == number(k + 2) && extra->guess_u[1][k] == number(k + 1));
  }
}

/* Solution r = number(k), u = number(k + 1); guess 1: r = number(k + 2); guess 2 as the solution.
 */
static void write_solutions(const char *path, double *numbers) {
  struct fclib_solution solution = {numbers, numbers + 1, numbers, numbers};
  struct fclib_solution guesses[2] = {{numbers, numbers, numbers + 2, numbers}, solution};
  CHECK(fclib_write_solution(&solution, path) == 1);
  CHECK(fclib_write_guesses(2, guesses, path) == 1);
}

static void check_local(int dim, int storage) {
  const int contacts = 5, rows = contacts * dim;
  const char *path = path_of("local.hdf5");
  double mu[5], q[SIZE], numbers[SIZE + 8];
  Matrix W = make_W(rows, dim);
  for (int k = 0; k < SIZE + 8; k++) numbers[k] = number(k);
  for (int k = 0; k < rows; k++) q[k] = number(3 * k);
  for (int k = 0; k < contacts; k++) mu[k] = 0.1 * k;
  struct fclib_local local = {
      .W = store(&W, storage, false), .mu = mu, .q = q, .spacedim = dim, .info = &texts};
  unlink(path);
  CHECK(fclib_write_local(&local, path) == 1);
  write_solutions(path, numbers);
  DlsProblem *problem;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_read(path, &problem, &extra));
  if (!problem) return;
  CHECK_INT(dls_problem_dim(problem), dim);
  CHECK_INT(dls_problem_contacts(problem), contacts);
  check_W(problem, &W);
  check_extra(&extra, rows);
  CHECK(memcmp(dls_problem_q(problem), q, (size_t)rows * sizeof *q) == 0);
  for (int k = 0; k < contacts; k++) {
    CHECK(dls_problem_relation(problem, k)->mu[DLS_MU_1] == mu[k]);
    CHECK(dls_problem_relation(problem, k)->mu[DLS_MU_2] == mu[k]);
  }
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
}

TEST(local_problems_of_libfclib_are_read_in_every_storage) {
  for (int storage = 0; storage < STORAGES; storage++)
    for (int dim = 2; dim <= 3; dim++) check_local(dim, storage);
}

/* M = 2 (identity) + `coupling` between neighbours; H^T picks velocities, so that W is easy. */
static void check_global(int storage, bool swapped, double coupling) {
  enum { N = 18, CONTACTS = 3, ROWS_H = 9 };
  const char *path = path_of("global.hdf5");
  Matrix M = {.rows = N, .columns = N}, H = {.rows = N, .columns = ROWS_H};
  double mu[CONTACTS] = {0.3, 0.2, 0.1}, f[N], w[ROWS_H], numbers[SIZE + 8];
  for (int k = 0; k < SIZE + 8; k++) numbers[k] = number(k);
  for (int k = 0; k < N; k++) {
    M.value[k][k] = 2;
    if (k > 0) M.value[k][k - 1] = coupling;
    f[k] = number(k + 4);
  }
  for (int k = 0; k < ROWS_H; k++) {
    H.value[k][k] = 1;
    H.value[k + ROWS_H][k] = -1;
    w[k] = number(k);
  }
  struct fclib_global global = {.M = store(&M, storage, swapped),
                                .H = store(&H, storage, swapped),
                                .mu = mu,
                                .f = f,
                                .w = w,
                                .spacedim = 3,
                                .info = &texts};
  unlink(path);
  CHECK(fclib_write_global(&global, path) == 1);
  write_solutions(path, numbers);
  DlsProblem *problem;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_read(path, &problem, &extra));
  if (!problem) return;
  check_extra(&extra, ROWS_H);
  const DlsOperator *W = dls_problem_operator(problem);
  CHECK(strcmp(dls_operator_form(W), coupling == 0 ? "factored" : "coupled") == 0);
  /* M is lower bidiagonal: v = M^-1 b by one sweep down */
  double v[N] = {0}, r[ROWS_H], u[ROWS_H], x[N] = {0};
  for (int k = 0; k < ROWS_H; k++) r[k] = number(5 * k);
  for (int k = 0; k < N; k++) {
    const double b = k < ROWS_H ? r[k] : -r[k - ROWS_H];
    v[k] = (f[k] - (k > 0 ? coupling * v[k - 1] : 0)) / 2;
    x[k] = (b - (k > 0 ? coupling * x[k - 1] : 0)) / 2;
  }
  dls_operator_apply(W, r, u);
  for (int k = 0; k < ROWS_H; k++) {
    CHECK_NEAR(dls_problem_q(problem)[k], v[k] - v[k + ROWS_H] + w[k], 1e-14);
    CHECK_NEAR(u[k], x[k] - x[k + ROWS_H], 1e-14);
  }
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
}

TEST(global_problems_of_libfclib_are_read_in_every_storage) {
  for (int storage = 0; storage < STORAGES; storage++) {
    check_global(storage, false, 0);
    check_global(storage, false, 0.5);
  }
}

/* H of 18 x 9 can be stored one way only; M, square, follows it. */
TEST(triplets_with_rows_in_p_are_recognised) {
  check_global(TRIPLETS, true, 0);
  check_global(TRIPLETS, true, 0.5);
}

static DlsProblem *make_problem(int dim, int block, DlsCone cone, int contacts) {
  const Matrix W = make_W(contacts * block, block);
  int start[SIZE + 1] = {0}, column[SIZE * SIZE], count = 0;
  double value[SIZE * SIZE], q[SIZE];
  DlsRelation relations[SIZE] = {{0}};
  for (int i = 0; i < contacts; i++) {
    for (int j = 0; j < contacts; j++) {
      if ((i + j) % 2) continue;
      for (int e = 0; e < block * block; e++)
        value[count * block * block + e] = W.value[i * block + e / block][j * block + e % block];
      column[count++] = j;
    }
    start[i + 1] = count;
    relations[i] = (DlsRelation){.cone = cone, .mu = {0.1 * i, 0.1 * i, 0.01, 0.02}};
    if (cone == DLS_CONE_COULOMB) relations[i].mu[2] = relations[i].mu[3] = 0;
  }
  for (int k = 0; k < contacts * block; k++) q[k] = number(k) / 3;
  DlsOperator *operator;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_assembled(contacts, block, start, column, value, &operator));
  CHECK_OK(dls_problem_create(dim, &operator, q, relations, NULL, &problem));
  return problem;
}

static void check_read_by_libfclib(int dim, int block, DlsCone cone) {
  const int contacts = 4, rows = contacts * block;
  const char *path = path_of("ours.hdf5");
  DlsProblem *problem = make_problem(dim, block, cone, contacts);
  double r[SIZE], u[SIZE];
  for (int k = 0; k < rows; k++) r[k] = number(k) / 7, u[k] = number(k + 5) / 7;
  CHECK_OK(dls_fclib_write(path, problem, "ours", r, u, NULL));
  struct fclib_local *local = fclib_read_local(path);
  struct fclib_solution *solution = fclib_read_solution(path);
  CHECK(local && solution);
  if (!local || !solution) return;
  CHECK_INT(local->spacedim, block);
  CHECK(!local->V && !local->R && !local->s);
  CHECK_INT(local->W->m, rows);
  CHECK_INT(local->W->n, rows);
  CHECK_INT(local->W->nz, -1);
  CHECK_INT(local->W->nzmax, local->W->p[rows]);
  CHECK(local->info && strcmp(local->info->title, "ours") == 0);
  const Matrix W = make_W(rows, block);
  double found[SIZE][SIZE] = {{0}};
  for (int i = 0; i < rows; i++)
    for (int k = local->W->p[i]; k < local->W->p[i + 1]; k++)
      found[local->W->i[k]][i] += local->W->x[k];
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) CHECK(found[i][j] == W.value[i][j]);
    CHECK(local->q[i] == dls_problem_q(problem)[i]);
    CHECK(local->mu[i / block] ==
          (cone == DLS_CONE_SIGNORINI ? 0 : dls_problem_relation(problem, i / block)->mu[0]));
    CHECK(solution->r[i] == r[i] && solution->u[i] == u[i]);
  }
  fclib_delete_local(local);
  free(local);
  fclib_delete_solutions(solution, 1);
  dls_problem_destroy(&problem);
}

TEST(our_files_are_read_by_libfclib) {
  check_read_by_libfclib(2, 2, DLS_CONE_COULOMB);
  check_read_by_libfclib(3, 3, DLS_CONE_COULOMB);
  check_read_by_libfclib(3, 3, DLS_CONE_SIGNORINI);
  check_read_by_libfclib(3, 5, DLS_CONE_ROLLING);
  check_read_by_libfclib(3, 6, DLS_CONE_ROLLING);
}

static void overwrite(const char *path, const char *name, const double *values) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
}

/* Files of older versions have W and q in /fclib_local, r and u in /solution, and a, b, C beside
 * them. */
TEST(older_files_with_shifts_beside_the_physical_problem_are_read) {
  const int contacts = 4, rows = 12;
  const char *path = path_of("older.hdf5");
  DlsProblem *problem = make_problem(3, 3, DLS_CONE_SIGNORINI, contacts), *back = NULL;
  DlsFclibExtra extra;
  double r[SIZE], u[SIZE], a[SIZE], b[SIZE], C[SIZE];
  for (int k = 0; k < rows; k++) {
    r[k] = number(k) / 7, u[k] = number(k + 5) / 7;
    a[k] = number(k + 1), b[k] = number(k + 2), C[k] = fabs(number(k + 3));
  }
  CHECK_OK(dls_fclib_write(path, problem, "older", r, u, NULL));
  overwrite(path, "/delassus/a", a);
  overwrite(path, "/delassus/b", b);
  overwrite(path, "/delassus/C", C);
  CHECK_OK(dls_fclib_read(path, &back, &extra));
  if (back) {
    const Matrix W = make_W(rows, 3);
    check_W(back, &W);
    for (int k = 0; k < rows; k++) {
      const DlsRelation *relation = dls_problem_relation(back, k / 3);
      CHECK(dls_problem_q(back)[k] == dls_problem_q(problem)[k]);
      CHECK(relation->a[k % 3] == a[k] && relation->b[k % 3] == b[k] && relation->C[k % 3] == C[k]);
      CHECK(extra.solution_r[k] == r[k] && extra.solution_u[k] == u[k]);
    }
    dls_fclib_extra_clear(&extra);
  }
  dls_problem_destroy(&back);
  dls_problem_destroy(&problem);
}
#endif
