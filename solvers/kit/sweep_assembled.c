/* A pass over contacts on block rows: the hot loop of nsgs for problems given by W. */
#include "solvers/kit/sweep.h"

#include "base/dispatch.h"

#include <string.h>

/* Four numbers from any address. Blocks are read by columns of 3, the fourth number is the next
 * column's and unused; arrays of the library have room behind their end. */
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

/* A macro: functions that return vectors have no ABI on plain x86-64. */
#define LOAD(x) (*(const Four *)(x))

/* q_local of contact i: q̂_i + Σ_j W_ij r_j over the other contacts. */
DLS_INLINE void gather_3(const DlsSweep *restrict sweep, const double *restrict q,
                         const double *restrict r, int i, double *restrict out) {
  Four first = {q[3 * i], q[3 * i + 1], q[3 * i + 2], 0}, second = {0}, third = {0};
  const int end = sweep->start[i + 1];
  for (int k = sweep->start[i]; k < end; k++) {
    const double *B = sweep->value + 9 * (size_t)k, *x = r + 3 * (size_t)sweep->column[k];
    first += LOAD(B) * x[0];
    second += LOAD(B + 3) * x[1];
    third += LOAD(B + 6) * x[2];
  }
  first += second + third;
  out[0] = first[0];
  out[1] = first[1];
  out[2] = first[2];
}

DLS_HOT static void pass_3(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r) {
  const double *q = sweep->q;
  const int solving = sweep->update == DLS_SWEEP_SOLVE;
  const double omega = sweep->omega;
  double moved2 = 0;
  const int count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    DlsSweepContact3 *c = &sweep->contact3[i];
    double local[3], next[3], *ri = r + 3 * (size_t)i;
    const double r0 = ri[0], r1 = ri[1], r2 = ri[2];
    gather_3(sweep, q, r, i, local);
    if (solving && c->kind == DLS_KIND_COULOMB &&
        dls_coulomb3_solve(&c->local, DLS_COULOMB_ROUGH, local, &c->slip, next) != DLS_LOCAL_NONE)
      dls_sweep_relax(3, omega, next, ri);
    else
      dls_sweep_general(sweep, i, local, ri);
    moved2 +=
        (ri[0] - r0) * (ri[0] - r0) + (ri[1] - r1) * (ri[1] - r1) + (ri[2] - r2) * (ri[2] - r2);
  }
  sweep->moved2 = moved2;
}

DLS_HOT static void pass_2(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r) {
  const double *q = sweep->q;
  const int solving = sweep->update == DLS_SWEEP_SOLVE;
  const double omega = sweep->omega;
  double moved2 = 0;
  const int count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    const DlsSweepContact2 *c = &sweep->contact2[i];
    Four sum = {q[2 * i], q[2 * i + 1], 0, 0};
    const int end = sweep->start[i + 1];
    for (int k = sweep->start[i]; k < end; k++) {
      const double *x = r + 2 * (size_t)sweep->column[k];
      sum += LOAD(sweep->value + 4 * (size_t)k) * (Four){x[0], x[0], x[1], x[1]};
    }
    double local[2] = {sum[0] + sum[2], sum[1] + sum[3]}, next[2], *ri = r + 2 * (size_t)i;
    const double r0 = ri[0], r1 = ri[1];
    if (solving && c->kind == DLS_KIND_COULOMB &&
        dls_coulomb2_solve(&c->local, local, next) != DLS_LOCAL_NONE)
      dls_sweep_relax(2, omega, next, ri);
    else
      dls_sweep_general(sweep, i, local, ri);
    moved2 += (ri[0] - r0) * (ri[0] - r0) + (ri[1] - r1) * (ri[1] - r1);
  }
  sweep->moved2 = moved2;
}

/* Any block size. */
static void pass_any(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r) {
  const double *q = sweep->q;
  const size_t block = (size_t)sweep->block;
  const int count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    double local[DLS_MAX_BLOCK], before[DLS_MAX_BLOCK], *ri = r + (size_t)i * block;
    memcpy(local, q + (size_t)i * block, block * sizeof *local);
    memcpy(before, ri, block * sizeof *before);
    for (int k = sweep->start[i]; k < sweep->start[i + 1]; k++) {
      const double *B = sweep->value + block * block * (size_t)k;
      const double *x = r + block * (size_t)sweep->column[k];
      for (size_t b = 0; b < block; b++)
        for (size_t a = 0; a < block; a++) local[a] += B[b * block + a] * x[b];
    }
    dls_sweep_general(sweep, i, local, ri);
    for (size_t a = 0; a < block; a++) sweep->moved2 += (ri[a] - before[a]) * (ri[a] - before[a]);
  }
}

static void pass(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r_hat) {
  if (sweep->block == 3)
    pass_3(sweep, list, passes, r_hat);
  else if (sweep->block == 2)
    pass_2(sweep, list, passes, r_hat);
  else
    pass_any(sweep, list, passes, r_hat);
}

/* Off-diagonal blocks of W by rows, each block column-major: a column times a number is one vector
 * instruction. */
static void copy_rows(DlsSweep *sweep, const DlsBlockRows *rows) {
  const int block = sweep->block;
  const size_t size = (size_t)(block * block);
  int next = 0;
  for (int i = 0; i < rows->contacts; i++) {
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      if (k == rows->diagonal[i]) continue;
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++)
          sweep->value[(size_t)next * size + (size_t)(b * block + a)] =
              rows->value[(size_t)k * size + (size_t)(a * block + b)];
      sweep->column[next++] = rows->column[k];
    }
    sweep->start[i + 1] = next;
  }
}

static DlsStatus prepare(DlsSweep *sweep) {
  DlsOperator *own;
  DlsBlockRows rows;
  DLS_TRY(dls_operator_rows(dls_problem_operator(sweep->problem), &own, &rows));
  const DlsStatus status =
      dls_sweep_take_memory(sweep, (size_t)(rows.start[rows.contacts] - rows.contacts), 0);
  if (status == DLS_OK) copy_rows(sweep, &rows);
  dls_operator_destroy(&own);
  if (status == DLS_OK) dls_sweep_prepare_contacts(sweep);
  return status;
}

/* Every operator can be assembled. */
static bool fits(const DlsOperator *W) {
  (void)W;
  return true;
}

const DlsSweepKernel dls_sweep_on_rows = {.fits = fits, .prepare = prepare, .pass = pass};
