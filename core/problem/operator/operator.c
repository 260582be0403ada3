/* The one interface of the operator's forms: see assembled.c, factored.c, spheres.c, coupled.c. */
#include "problem/operator/operator_impl.h"

#include <delassus/relation.h>

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

DlsStatus dls_operator_check_shape(int contacts, int block) {
  DLS_CHECK(block == 2 || block == 3 || block == 5 || block == 6, DLS_ERR_ARGUMENT,
            "a contact has %d components; 2, 3, 5 or 6 are possible", block);
  DLS_CHECK(contacts >= 0 && contacts <= INT_MAX / (DLS_MAX_BLOCK * DLS_MAX_BLOCK),
            DLS_ERR_ARGUMENT, "%d contacts; from 0 to %d are possible", contacts,
            INT_MAX / (DLS_MAX_BLOCK * DLS_MAX_BLOCK));
  return DLS_OK;
}

void dls_operator_destroy(DlsOperator **W) {
  if (!W || !*W) return;
  (*W)->does->destroy(*W);
  *W = NULL;
}

DlsForm dls_operator_form(const DlsOperator *W) { return W->form; }
int dls_operator_contacts(const DlsOperator *W) { return W->contacts; }
int dls_operator_block(const DlsOperator *W) { return W->block; }
int dls_operator_freedom(const DlsOperator *W) { return W->freedom; }

void dls_operator_apply(const DlsOperator *W, const double *r, double *u) {
  W->does->apply(W, r, u);
}

/* sqrt(W_ii) Σ_j sqrt(W_jj) |r_j| */
static DlsStatus magnitude_by_diagonal(const DlsOperator *W, const double *r, double *u) {
  const size_t block = (size_t)W->block, n = (size_t)W->contacts * block;
  double *D, sum = 0;
  DLS_NEW(D, n * block);
  dls_operator_diagonal(W, D);
  for (size_t e = 0; e < n; e++) {
    u[e] = sqrt(fabs(D[e / block * block * block + e % block * (block + 1)]));
    sum += u[e] * fabs(r[e]);
  }
  for (size_t e = 0; e < n; e++) u[e] *= sum;
  free(D);
  return DLS_OK;
}

DlsStatus dls_operator_magnitude(const DlsOperator *W, const double *r, double *u) {
  if (!W->does->magnitude) return magnitude_by_diagonal(W, r, u);
  W->does->magnitude(W, r, u);
  return DLS_OK;
}

void dls_operator_diagonal(const DlsOperator *W, double *D) { W->does->diagonal(W, D); }

DlsStatus dls_operator_solve_mass(const DlsOperator *W, const double *b, double *x) {
  DLS_CHECK(W->does->solve_mass, DLS_ERR_ARGUMENT, "an assembled operator has no mass matrix");
  return W->does->solve_mass(W, b, x);
}

DlsStatus dls_operator_velocity(const DlsOperator *W, const double *r, double *v) {
  DLS_CHECK(W->does->velocity, DLS_ERR_ARGUMENT, "this form of the operator has no bodies to move");
  W->does->velocity(W, r, v);
  return DLS_OK;
}

DlsStatus dls_operator_bodies(const DlsOperator *W, DlsSparse *M, DlsSparse *H) {
  *M = *H = (DlsSparse){0};
  DLS_CHECK(W->does->bodies, DLS_ERR_ARGUMENT, "this form of the operator does not keep M and H");
  return W->does->bodies(W, M, H);
}

DlsStatus dls_operator_assemble(const DlsOperator *W, DlsOperator **out) {
  *out = NULL;
  return W->does->assemble(W, out);
}
