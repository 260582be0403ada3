/* The forms of the operator agree with W = H M^-1 H^T computed densely, and refuse what is wrong.
 */
#include "tests/test.h"

#include "base/random.h"

#include <delassus/operator.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 7, BODIES = 5, MOST = 256 };

typedef struct {
  int block, dof, start[CONTACTS + 1], body[2 * CONTACTS];
  double H[2 * CONTACTS * 36], mass[BODIES * 36];
  double dense_H[CONTACTS * 6][BODIES * 6];
} Scene;

/* Contacts of one or two supports; masses definite, with a skew part when asked. */
static void make_scene(Scene *s, int block, int dof, double skew, uint64_t seed) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  memset(s, 0, sizeof *s);
  s->block = block;
  s->dof = dof;
  for (int k = 0; k < BODIES; k++) {
    double *M = s->mass + k * dof * dof, B[36];
    for (int e = 0; e < dof * dof; e++) B[e] = dls_random_normal(&random);
    for (int i = 0; i < dof; i++)
      for (int j = 0; j < dof; j++) {
        M[i * dof + j] = i == j ? 1 : 0;
        for (int c = 0; c < dof; c++) M[i * dof + j] += B[i * dof + c] * B[j * dof + c];
      }
    for (int i = 0; i < dof; i++)
      for (int j = i + 1; j < dof; j++) {
        M[i * dof + j] += skew;
        M[j * dof + i] -= skew;
      }
  }
  for (int i = 0; i < CONTACTS; i++) {
    s->start[i + 1] = s->start[i] + 1 + i % 2;
    for (int t = s->start[i]; t < s->start[i + 1]; t++) {
      s->body[t] = (i + 2 * (t - s->start[i])) % BODIES;
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++) {
          const double value = dls_random_normal(&random);
          s->H[t * block * dof + a * dof + c] = value;
          s->dense_H[i * block + a][s->body[t] * dof + c] += value;
        }
    }
  }
}

/* x = M^-1 b, densely, body by body (Gauss without pivots: M is definite). */
static void dense_mass_solve(const Scene *s, const double *b, double *x) {
  const int n = s->dof;
  for (int k = 0; k < BODIES; k++) {
    double A[36], *y = x + k * n;
    memcpy(A, s->mass + k * n * n, sizeof(double) * (size_t)(n * n));
    memcpy(y, b + k * n, sizeof(double) * (size_t)n);
    for (int c = 0; c < n; c++)
      for (int i = c + 1; i < n; i++) {
        const double f = A[i * n + c] / A[c * n + c];
        for (int j = c; j < n; j++) A[i * n + j] -= f * A[c * n + j];
        y[i] -= f * y[c];
      }
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i + 1; j < n; j++) y[i] -= A[i * n + j] * y[j];
      y[i] /= A[i * n + i];
    }
  }
}

static void dense_apply(const Scene *s, const double *r, double *u) {
  double b[BODIES * 6] = {0}, x[BODIES * 6];
  const int rows = CONTACTS * s->block, columns = BODIES * s->dof;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) b[j] += s->dense_H[i][j] * r[i];
  dense_mass_solve(s, b, x);
  for (int i = 0; i < rows; i++) {
    u[i] = 0;
    for (int j = 0; j < columns; j++) u[i] += s->dense_H[i][j] * x[j];
  }
}

static void check_scene(int block, int dof, double skew) {
  Scene s;
  DlsOperator *W = NULL, *A = NULL;
  DlsRandom random;
  dls_random_seed(&random, 9);
  make_scene(&s, block, dof, skew, 7);
  CHECK_OK(
      dls_operator_create_factored(CONTACTS, block, BODIES, dof, s.start, s.body, s.H, s.mass, &W));
  CHECK_OK(dls_operator_assemble(W, &A));
  CHECK(dls_operator_has_rows(A));
  double r[CONTACTS * 6], u[CONTACTS * 6], v[CONTACTS * 6], w[CONTACTS * 6];
  for (int k = 0; k < CONTACTS * block; k++) r[k] = dls_random_normal(&random);
  dls_operator_apply(W, r, u);
  dls_operator_apply(A, r, v);
  dense_apply(&s, r, w);
  for (int k = 0; k < CONTACTS * block; k++) {
    CHECK_NEAR(u[k], w[k], 1e-12 * 10);
    CHECK_NEAR(v[k], w[k], 1e-12 * 10);
  }
  double D[CONTACTS * 36], E[CONTACTS * 36];
  dls_operator_diagonal(W, D);
  dls_operator_diagonal(A, E);
  for (int k = 0; k < CONTACTS * block * block; k++) CHECK_NEAR(D[k], E[k], 1e-12);
  double b[BODIES * 6], x[BODIES * 6], y[BODIES * 6];
  for (int k = 0; k < BODIES * dof; k++) b[k] = dls_random_normal(&random);
  CHECK_OK(dls_operator_solve_mass(W, b, x));
  dense_mass_solve(&s, b, y);
  for (int k = 0; k < BODIES * dof; k++) CHECK_NEAR(x[k], y[k], 1e-12);
  const DlsSupports supports = dls_operator_supports(W);
  CHECK((supports.gather == supports.scatter) == (skew == 0));
  dls_operator_destroy(&A);
  dls_operator_destroy(&W);
  CHECK(W == NULL);
}

TEST(forms_agree_with_the_dense_product) {
  check_scene(3, 6, 0);
  check_scene(3, 6, 0.3); /* gyroscopic terms */
  check_scene(2, 3, 0);
  check_scene(2, 3, 0.3);
  check_scene(5, 6, 0.1);
  check_scene(6, 6, 0);
  check_scene(3, 1, 0);
}

TEST(rows_are_sorted_and_carry_the_diagonal) {
  const int start[] = {0, 2, 4}, column[] = {1, 0, 0, 1};
  const double value[] = {5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 6, 8, 9, 0, 0, 9};
  DlsOperator *W = NULL;
  CHECK_OK(dls_operator_create_assembled(2, 2, start, column, value, &W));
  const DlsBlockRows rows = dls_operator_block_rows(W);
  CHECK_INT(rows.column[0], 0);
  CHECK_INT(rows.diagonal[0], 0);
  CHECK_INT(rows.diagonal[1], 3);
  CHECK_NEAR(rows.value[0], 1, 0);
  dls_operator_destroy(&W);
}

TEST(wrong_input_is_refused) {
  const int start[] = {0, 1, 2}, good[] = {0, 1}, outside[] = {0, 2}, off[] = {0, 0};
  double value[8] = {1, 0, 0, 1, 1, 0, 0, 1};
  DlsOperator *W = NULL;
  CHECK_FAILS(dls_operator_create_assembled(2, 4, start, good, value, &W), DLS_ERR_ARGUMENT,
              "4 components");
  CHECK_FAILS(dls_operator_create_assembled(-1, 2, start, good, value, &W), DLS_ERR_ARGUMENT,
              "-1 contacts");
  CHECK_FAILS(dls_operator_create_assembled(2, 2, start, outside, value, &W), DLS_ERR_ARGUMENT,
              "column 2");
  CHECK_FAILS(dls_operator_create_assembled(2, 2, start, off, value, &W), DLS_ERR_ARGUMENT,
              "no diagonal block");
  value[5] = NAN;
  CHECK_FAILS(dls_operator_create_assembled(2, 2, start, good, value, &W), DLS_ERR_NUMERIC,
              "not finite");
  CHECK(W == NULL);
  const int one[] = {0, 1}, body[] = {0}, far_body[] = {3};
  const double H[6] = {1, 0, 0, 0, 1, 0}, light[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1};
  const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  CHECK_FAILS(dls_operator_create_factored(1, 2, 1, 3, one, body, H, light, &W), DLS_ERR_ARGUMENT,
              "not positive definite");
  /* Pivots 1, 1, 1, but x = (1, -1, 0) gives x·M x = -8. */
  const double skewed[9] = {1, 10, 0, 0, 1, 0, 0, 0, 1};
  CHECK_FAILS(dls_operator_create_factored(1, 2, 1, 3, one, body, H, skewed, &W), DLS_ERR_ARGUMENT,
              "not positive definite");
  CHECK_FAILS(dls_operator_create_factored(1, 2, 1, 3, one, far_body, H, mass, &W),
              DLS_ERR_ARGUMENT, "body 3");
}

/* A mass of 1 kg beside inertias of 1e-12 kg m2 whose skew part is 1e-4 of them: seen. */
TEST(small_inertias_may_be_unsymmetric) {
  const int one[] = {0, 1}, body[] = {0};
  const double H[6] = {0, 1, 0, 0, 0, 1}, J = 1e-12, s = 1e-4 * J;
  const double mass[9] = {1, 0, 0, 0, J, s, 0, -s, J};
  DlsOperator *W = NULL;
  CHECK_OK(dls_operator_create_factored(1, 2, 1, 3, one, body, H, mass, &W));
  double D[4];
  dls_operator_diagonal(W, D); /* the inverse of {J, s, -s, J} */
  const double det = J * J + s * s;
  CHECK_NEAR(D[0], J / det, 1e-12 * J / det);
  CHECK_NEAR(D[1], -s / det, 1e-12 * J / det);
  CHECK_NEAR(D[2], s / det, 1e-12 * J / det);
  dls_operator_destroy(&W);
}
