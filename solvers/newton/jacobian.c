#include "solvers/newton/jacobian.h"

#include "base/ledger.h"

#include <string.h>

void newton_step_velocity(const NewtonStep *step, const double *r, double *u) {
  const size_t n = (size_t)step->island->contacts * (size_t)step->island->block;
  newton_island_velocity(step->island, r, u);
  for (size_t e = 0; e < n; e++) u[e] += step->alpha * (r[e] - step->centre[e]);
}

DlsStatus newton_step_residual(const NewtonStep *step, const double *r, double *u, double *F) {
  const NewtonIsland *island = step->island;
  newton_step_velocity(step, r, u);
  for (int i = 0; i < island->contacts; i++) {
    const size_t at = (size_t)i * (size_t)island->block;
    DLS_TRY(newton_residual(step->residual, &island->contact[i], island->dim, island->block, u + at,
                            r + at, F + at, NULL, NULL));
  }
  return DLS_OK;
}

void newton_step_rows(const NewtonStep *step, bool dense, int i, const double *A, const double *B,
                      double *value) {
  const NewtonIsland *island = step->island;
  const size_t block = (size_t)island->block, square = block * block;
  const size_t rows = (size_t)island->contacts * block;
  const size_t width = (size_t)(island->start[i + 1] - island->start[i]) * block;
  dls_ledger.rows += island->block; /* a product of matrices where a row has one of a vector */
  if (!dense) value += (size_t)island->start[i] * square;
  for (int k = island->start[i]; k < island->start[i + 1]; k++) {
    const double *W = island->value + (size_t)k * square;
    const size_t at = (size_t)(k - island->start[i]) * block;
    for (size_t a = 0; a < block; a++)
      for (size_t b = 0; b < block; b++) {
        double sum = 0;
        for (size_t c = 0; c < block; c++) sum += B[a * block + c] * W[c * block + b];
        if (k == island->diagonal[i]) sum += A[a * block + b] + step->alpha * B[a * block + b];
        if (dense)
          value[((size_t)island->column[k] * block + b) * rows + (size_t)i * block + a] = sum;
        else
          value[a * width + at + b] = sum;
      }
  }
}

DlsStatus newton_step_jacobian(const NewtonStep *step, bool dense, const double *r, double *u,
                               double *value) {
  const NewtonIsland *island = step->island;
  const size_t block = (size_t)island->block, n = (size_t)island->contacts * block;
  newton_step_velocity(step, r, u);
  if (dense) memset(value, 0, n * n * sizeof *value);
  for (int i = 0; i < island->contacts; i++) {
    const size_t at = (size_t)i * block;
    double F[DLS_MAX_BLOCK], A[DLS_MAX_BLOCK * DLS_MAX_BLOCK], B[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
    DLS_TRY(newton_residual(step->residual, &island->contact[i], island->dim, island->block, u + at,
                            r + at, F, A, B));
    newton_step_rows(step, dense, i, A, B, value);
  }
  return DLS_OK;
}

void newton_matrix_shifted(const NewtonIsland *island, double rho, bool dense, double *value) {
  const NewtonStep step = {.island = island};
  const size_t block = (size_t)island->block, n = (size_t)island->contacts * block;
  double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, B[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0};
  for (size_t k = 0; k < block; k++) {
    A[k * (block + 1)] = rho;
    B[k * (block + 1)] = 1;
  }
  if (dense) memset(value, 0, n * n * sizeof *value);
  for (int i = 0; i < island->contacts; i++) newton_step_rows(&step, dense, i, A, B, value);
}
