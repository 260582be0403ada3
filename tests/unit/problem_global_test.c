/* Operators of global problems against W = H M^-1 H^T computed densely here. */
#include "base/random.h"
#include "tests/test.h"

#include <delassus/operator.h>

#include <stdlib.h>
#include <string.h>

enum { MAX = 64 };

typedef struct {
  int n, contacts, block, rows;
  double M[MAX][MAX], H[MAX][MAX];
} Dense;

/* M: blocks of `bandwidth` velocities, diagonally dominant; H: each contact touches velocities
 * [2 i, 2 i + 6). `skew` > 0 makes M unsymmetric. */
static Dense make(int n, int contacts, int block, int bandwidth, bool banded, double skew) {
  Dense a = {.n = n, .contacts = contacts, .block = block, .rows = contacts * block};
  DlsRandom random;
  dls_random_seed(&random, 7);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const bool inside = banded ? i - j < bandwidth : i / bandwidth == j / bandwidth;
      if (!inside) continue;
      const double x =
          i == j ? 8 + dls_random_between(&random, -1, 1) : dls_random_between(&random, -1, 1);
      a.M[i][j] = a.M[j][i] = x;
      if (i != j) {
        a.M[i][j] += skew;
        a.M[j][i] -= skew;
      }
    }
  for (int k = 0; k < a.rows; k++)
    for (int j = 0; j < 6; j++)
      a.H[k][(2 * (k / block) + j) % n] = dls_random_between(&random, -1, 1);
  return a;
}

static DlsSparse compress(int rows, int columns, double A[MAX][MAX]) {
  DlsSparse S = {rows, columns, calloc((size_t)rows + 1, sizeof(int)),
                 calloc((size_t)(rows * columns), sizeof(int)),
                 calloc((size_t)(rows * columns), sizeof(double))};
  int count = 0;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++)
      if (A[i][j] != 0) {
        S.column[count] = j;
        S.value[count++] = A[i][j];
      }
    S.start[i + 1] = count;
  }
  return S;
}

static void end(DlsSparse *S) {
  free(S->start);
  free(S->column);
  free(S->value);
}

static DlsStatus create(Dense *a, DlsOperator **W) {
  DlsSparse M = compress(a->n, a->n, a->M), H = compress(a->rows, a->n, a->H);
  const DlsStatus status = dls_operator_create_global(a->contacts, a->block, &M, &H, W);
  end(&M);
  end(&H);
  return status;
}

/* x = M^-1 b by Gauss, with pivots on the diagonal: M is dominant. */
static void solve_dense(const Dense *a, const double *b, double *x) {
  static double A[MAX][MAX];
  memcpy(A, a->M, sizeof A);
  memcpy(x, b, (size_t)a->n * sizeof *x);
  for (int k = 0; k < a->n; k++)
    for (int i = k + 1; i < a->n; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < a->n; j++) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  for (int i = a->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < a->n; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}

static void delassus_dense(const Dense *a, double W[MAX][MAX]) {
  for (int k = 0; k < a->rows; k++) {
    double x[MAX];
    solve_dense(a, a->H[k], x);
    for (int l = 0; l < a->rows; l++) {
      W[l][k] = 0;
      for (int j = 0; j < a->n; j++) W[l][k] += a->H[l][j] * x[j];
    }
  }
}

static void check_assembled(const DlsOperator *W, double expected[MAX][MAX]) {
  const DlsBlockRows rows = dls_operator_block_rows(W);
  const int block = rows.block;
  double found[MAX][MAX] = {{0}};
  for (int i = 0; i < rows.contacts; i++)
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
      for (int e = 0; e < block * block; e++)
        found[i * block + e / block][rows.column[k] * block + e % block] =
            rows.value[k * block * block + e];
  for (int i = 0; i < rows.contacts * block; i++)
    for (int j = 0; j < rows.contacts * block; j++) CHECK_NEAR(found[i][j], expected[i][j], 1e-12);
}

/* Apply, diagonal, assemble and solve_mass all agree with the dense matrices. */
static void check_operator(Dense *a, const char *form, int dof) {
  DlsOperator *W, *assembled;
  double expected[MAX][MAX], r[MAX], u[MAX], D[MAX * MAX], x[MAX], y[MAX];
  DlsRandom random;
  dls_random_seed(&random, 3);
  CHECK_OK(create(a, &W));
  if (!W) return;
  CHECK(strcmp(dls_operator_form(W), form) == 0);
  CHECK_INT(dls_operator_freedom(W), a->n);
  if (dof > 0) CHECK_INT(dls_operator_supports(W).dof, dof);
  delassus_dense(a, expected);
  for (int k = 0; k < a->rows; k++) r[k] = dls_random_between(&random, -1, 1);
  dls_operator_apply(W, r, u);
  for (int i = 0; i < a->rows; i++) {
    double sum = 0;
    for (int j = 0; j < a->rows; j++) sum += expected[i][j] * r[j];
    CHECK_NEAR(u[i], sum, 1e-12);
  }
  dls_operator_diagonal(W, D);
  for (int i = 0; i < a->contacts; i++)
    for (int e = 0; e < a->block * a->block; e++)
      CHECK_NEAR(D[i * a->block * a->block + e],
                 expected[i * a->block + e / a->block][i * a->block + e % a->block], 1e-12);
  CHECK_OK(dls_operator_assemble(W, &assembled));
  check_assembled(assembled, expected);
  CHECK_OK(dls_operator_solve_mass(W, a->H[0], x));
  solve_dense(a, a->H[0], y);
  for (int j = 0; j < a->n; j++) CHECK_NEAR(x[j], y[j], 1e-12);
  dls_operator_destroy(&assembled);
  dls_operator_destroy(&W);
}

TEST(block_diagonal_mass_is_seen_as_bodies) {
  Dense six = make(24, 5, 3, 6, false, 0), two = make(20, 4, 2, 2, false, 0);
  Dense three = make(15, 4, 2, 3, false, 0), one = make(17, 5, 3, 1, false, 0);
  check_operator(&six, "factored", 6);
  check_operator(&three, "factored", 3);
  check_operator(&two, "factored", 2);
  check_operator(&one, "factored", 1);
}

TEST(unsymmetric_bodies_are_factored_too) {
  Dense rolling = make(30, 4, 5, 6, false, 0.3), six = make(24, 4, 6, 6, false, 0.2);
  check_operator(&rolling, "factored", 6);
  check_operator(&six, "factored", 6);
}

/* A diagonal M of 6 planar bodies could pass for 3 spatial ones, and H would hold twice as much. */
TEST(planar_bodies_are_not_taken_in_pairs) {
  Dense a = make(18, 6, 2, 1, false, 0);
  memset(a.H, 0, sizeof a.H);
  for (int k = 0; k < a.rows; k++)
    for (int j = 0; j < 3; j++) a.H[k][3 * (k / 2) + j] = 1 + 0.1 * k + j;
  check_operator(&a, "factored", 3);
}

TEST(a_coupled_mass_goes_through_a_direct_solver) {
  Dense symmetric = make(40, 7, 3, 5, true, 0), unsymmetric = make(40, 7, 3, 5, true, 0.1);
  Dense many = make(50, 31, 2, 4, true, 0); /* more than one panel of right-hand sides */
  check_operator(&symmetric, "coupled", 0);
  check_operator(&unsymmetric, "coupled", 0);
  check_operator(&many, "coupled", 0);
}

/* Two bodies that do not touch: their contacts are not coupled, and no block is stored for them. */
TEST(uncoupled_contacts_have_no_block) {
  Dense a = make(20, 2, 3, 4, true, 0);
  DlsOperator *W, *assembled;
  for (int i = 0; i < 10; i++)
    for (int j = 10; j < 20; j++) a.M[i][j] = a.M[j][i] = 0;
  memset(a.H, 0, sizeof a.H);
  for (int k = 0; k < a.rows; k++) a.H[k][10 * (k / 3) + k] = 1;
  CHECK_OK(create(&a, &W));
  CHECK_OK(dls_operator_assemble(W, &assembled));
  CHECK_INT(dls_operator_block_rows(assembled).start[2], 2);
  dls_operator_destroy(&assembled);
  dls_operator_destroy(&W);
}

TEST(impossible_masses_are_refused) {
  DlsOperator *W;
  Dense a = make(12, 2, 3, 6, false, 0);
  a.M[3][3] = -1;
  CHECK_FAILS(create(&a, &W), DLS_ERR_ARGUMENT, "body 0 is not positive definite");
  CHECK(W == NULL);
  a = make(20, 3, 3, 4, true, 0);
  a.M[7][7] = -100;
  CHECK_FAILS(create(&a, &W), DLS_ERR_ARGUMENT, "not positive definite");
  a = make(20, 3, 3, 4, true, 0.1);
  for (int j = 0; j < 20; j++) a.M[5][j] = a.M[6][j]; /* two equal rows */
  CHECK_FAILS(create(&a, &W), DLS_ERR_ARGUMENT, "singular");
  a = make(12, 2, 3, 6, false, 0);
  a.M[1][2] = NAN;
  CHECK_FAILS(create(&a, &W), DLS_ERR_ARGUMENT, "M: entry (1, 2) is not finite");
}

TEST(shapes_that_do_not_fit_are_refused) {
  Dense a = make(12, 2, 3, 6, false, 0);
  DlsOperator *W;
  a.rows = 5;
  CHECK_FAILS(create(&a, &W), DLS_ERR_ARGUMENT, "H is 5 x 12; it must be 6 x 12");
  DlsSparse M = compress(12, 11, a.M), H = compress(6, 12, a.H);
  CHECK_FAILS(dls_operator_create_global(2, 3, &M, &H, &W), DLS_ERR_ARGUMENT, "must be square");
  if (M.column[1] == 1) M.column[1] = 0;
  CHECK_FAILS(dls_operator_create_global(2, 3, &M, &H, &W), DLS_ERR_ARGUMENT, "do not ascend");
  M.start[1] = -1;
  CHECK_FAILS(dls_operator_create_global(2, 3, &M, &H, &W), DLS_ERR_ARGUMENT, "ends before");
  CHECK_FAILS(dls_operator_create_global(2, 4, &M, &H, &W), DLS_ERR_ARGUMENT, "2, 3, 5 or 6");
  end(&M);
  end(&H);
}
