/* Direct factors of a sparse mass matrix. */
#include "problem/operator/mass.h"

#include "base/memory.h"
#include "base/threads.h"
#include "problem/operator/sparse.h"

#include <stdlib.h>

#include <cholmod.h>
#include <umfpack.h>

static const double symmetric_enough = 1e-12; /* max |M - M^T| / max |M| */

struct DlsMass {
  int n, columns;
  double *right;
  /* symmetric M */
  int started;
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E; /* solution and workspace, made by the first solve */
  /* unsymmetric M, by compressed rows: to UMFPACK the compressed columns of M^T */
  DlsSparse M;
  void *numeric;
  int *integer_work;
  double *work, *solution;
};

void dls_mass_destroy(DlsMass **mass) {
  DlsMass *m = *mass;
  if (!m) return;
  if (m->started) {
    cholmod_free_factor(&m->L, &m->common);
    cholmod_free_dense(&m->X, &m->common);
    cholmod_free_dense(&m->Y, &m->common);
    cholmod_free_dense(&m->E, &m->common);
    cholmod_finish(&m->common);
  }
  if (m->numeric) umfpack_di_free_numeric(&m->numeric);
  dls_sparse_clear(&m->M);
  free(m->right);
  free(m->integer_work);
  free(m->work);
  free(m->solution);
  free(m);
  *mass = NULL;
}

double *dls_mass_right(DlsMass *mass) { return mass->right; }

static const double *solve_cholmod(DlsMass *m, int columns) {
  cholmod_dense B = {.nrow = (size_t)m->n,
                     .ncol = (size_t)columns,
                     .nzmax = (size_t)m->n * (size_t)columns,
                     .d = (size_t)m->n,
                     .x = m->right,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_solve2(CHOLMOD_A, m->L, &B, NULL, &m->X, NULL, &m->Y, &m->E, &m->common))
    return NULL;
  return m->X->x;
}

/* UMFPACK_At: the transpose of what it holds, that is M. */
static const double *solve_umfpack(DlsMass *m, int columns) {
  for (int c = 0; c < columns; c++) {
    const size_t at = (size_t)c * (size_t)m->n;
    umfpack_di_wsolve(UMFPACK_At, m->M.start, m->M.column, m->M.value, m->solution + at,
                      m->right + at, m->numeric, NULL, NULL, m->integer_work, m->work);
  }
  return m->solution;
}

const double *dls_mass_solve(DlsMass *mass, int columns) {
  const DlsThreads threads = dls_threads_one();
  const double *x = mass->L ? solve_cholmod(mass, columns) : solve_umfpack(mass, columns);
  dls_threads_restore(threads);
  return x;
}

/* Supernodal L L^T of the upper triangle of M by columns, which is the lower one by rows. The
 * default ordering tries AMD, then METIS where that may do better. */
static DlsStatus factor_cholmod(DlsMass *m, const DlsSparse *M) {
  cholmod_start(&m->common);
  m->started = 1;
  m->common.print = 0;
  m->common.supernodal = CHOLMOD_SUPERNODAL;
  cholmod_sparse A = {.nrow = (size_t)m->n,
                      .ncol = (size_t)m->n,
                      .nzmax = (size_t)M->start[M->rows],
                      .p = M->start,
                      .i = M->column,
                      .x = M->value,
                      .stype = 1,
                      .itype = CHOLMOD_INT,
                      .xtype = CHOLMOD_REAL,
                      .dtype = CHOLMOD_DOUBLE,
                      .sorted = 1,
                      .packed = 1};
  m->L = cholmod_analyze(&A, &m->common);
  if (m->L) cholmod_factorize(&A, m->L, &m->common);
  DLS_CHECK(m->common.status != CHOLMOD_NOT_POSDEF, DLS_ERR_ARGUMENT,
            "the mass matrix is not positive definite (pivot %d of %d)",
            m->L ? (int)m->L->minor : 0, m->n);
  DLS_CHECK(m->L && m->common.status == CHOLMOD_OK, DLS_ERR_MEMORY,
            "the mass matrix cannot be factored: CHOLMOD gives %d", m->common.status);
  /* the first solve makes the workspace of all others */
  DLS_CHECK(dls_mass_solve(m, m->columns), DLS_ERR_MEMORY, "no memory to solve with M");
  return DLS_OK;
}

static DlsStatus factor_umfpack(DlsMass *m, const DlsSparse *M) {
  void *symbolic = NULL;
  DLS_TRY(dls_sparse_copy(M, &m->M));
  DLS_NEW(m->integer_work, m->n);
  DLS_NEW(m->work, 5 * (size_t)m->n);
  DLS_NEW(m->solution, (size_t)m->n * (size_t)m->columns);
  int status =
      umfpack_di_symbolic(m->n, m->n, m->M.start, m->M.column, m->M.value, &symbolic, NULL, NULL);
  if (status == UMFPACK_OK)
    status =
        umfpack_di_numeric(m->M.start, m->M.column, m->M.value, symbolic, &m->numeric, NULL, NULL);
  if (symbolic) umfpack_di_free_symbolic(&symbolic);
  DLS_CHECK(status != UMFPACK_WARNING_singular_matrix && status != UMFPACK_ERROR_different_pattern,
            DLS_ERR_ARGUMENT, "the mass matrix is singular");
  DLS_CHECK(status == UMFPACK_OK, DLS_ERR_MEMORY,
            "the mass matrix cannot be factored: UMFPACK gives %d", status);
  return DLS_OK;
}

static DlsStatus factor(DlsMass *m, const DlsSparse *M) {
  double asymmetry;
  DLS_NEW(m->right, (size_t)m->n * (size_t)m->columns);
  DLS_TRY(dls_sparse_asymmetry(M, &asymmetry));
  return asymmetry <= symmetric_enough ? factor_cholmod(m, M) : factor_umfpack(m, M);
}

DlsStatus dls_mass_create(const DlsSparse *M, int columns, DlsMass **out) {
  *out = NULL;
  DlsMass *m;
  DLS_NEW(m, 1);
  m->n = M->rows;
  m->columns = columns;
  const DlsThreads threads = dls_threads_one();
  const DlsStatus status = factor(m, M);
  dls_threads_restore(threads);
  if (status != DLS_OK) dls_mass_destroy(&m);
  *out = m;
  return status;
}
