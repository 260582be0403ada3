/* A pass over contacts on body velocities: the hot loop of nsgs for problems given by H and M. W is
 * never formed, and the cost of a contact does not depend on how many others touch its bodies. */
#include "solvers/kit/sweep.h"

#include "base/dispatch.h"
#include "base/small.h"

#include <string.h>

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/* Macros: functions that return vectors have no ABI on plain x86-64. */
#define LOAD4(x) (*(const Four *)(x))
#define LOAD2(x) (*(const Two *)(x))

/* The sum of a row of 6 times y, left as two partial sums. */
DLS_INLINE Two row_times(const double *G, const double *y) {
  const Four a = LOAD4(G) * LOAD4(y);
  return (Two){a[0], a[1]} + (Two){a[2], a[3]} + LOAD2(G + 4) * LOAD2(y + 4);
}

/* u += G y, G of 3 x 6. */
DLS_INLINE void gather_36(const double *restrict G, const double *restrict y, double *restrict u) {
  for (int a = 0; a < 3; a++) {
    const Two sum = row_times(G + 6 * a, y);
    u[a] += sum[0] + sum[1];
  }
}

/* y += S^T dr. */
DLS_INLINE void scatter_36(const double *restrict S, const double *restrict dr,
                           double *restrict y) {
  *(Four *)y += LOAD4(S) * dr[0] + LOAD4(S + 6) * dr[1] + LOAD4(S + 12) * dr[2];
  *(Two *)(y + 4) += LOAD2(S + 4) * dr[0] + LOAD2(S + 10) * dr[1] + LOAD2(S + 16) * dr[2];
}

/* The new reaction of contact i from its full velocity u; q_local = u - D r. */
DLS_INLINE void update_3(DlsSweep *restrict sweep, int i, const double *restrict u,
                         double *restrict r) {
  DlsSweepContact3 *c = &sweep->contact3[i];
  double local[3], next[3];
  if (c->local.tangent > 0) {
    local[0] = u[0] - r[0] / c->local.inverse_nn;
    local[1] = u[1] - r[1] / c->local.tangent;
    local[2] = u[2] - r[2] / c->local.tangent;
  } else {
    const double *D = sweep->D + 9 * (size_t)i;
    for (int a = 0; a < 3; a++)
      local[a] = u[a] - D[3 * a] * r[0] - D[3 * a + 1] * r[1] - D[3 * a + 2] * r[2];
  }
  if (sweep->update == DLS_SWEEP_SOLVE && c->kind == DLS_KIND_COULOMB &&
      dls_coulomb3_solve(&c->local, DLS_COULOMB_ROUGH, local, &c->slip, next) != DLS_LOCAL_NONE)
    dls_sweep_relax(3, sweep->omega, next, r);
  else
    dls_sweep_general(sweep, i, local, r);
}

/* Inlined with constants where that pays. */
DLS_INLINE void scatter_shape(DlsSweep *sweep, const DlsSupports *s, int block, int dof,
                              const DlsSweepList *list, const double *r) {
  for (int n = 0; n < list->count; n++) {
    const int i = dls_sweep_contact(list, n);
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      double *y = sweep->y + (size_t)s->body[k] * (size_t)sweep->stride;
      const double *S = s->scatter + (size_t)k * (size_t)(block * dof);
      if (block == 3 && dof == 6) {
        scatter_36(S, r + 3 * (size_t)i, y);
        continue;
      }
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++) y[c] += S[a * dof + c] * r[(size_t)(i * block + a)];
    }
  }
}

DLS_HOT static void scatter_shape_36(DlsSweep *sweep, const DlsSupports *s,
                                     const DlsSweepList *list, const double *r) {
  scatter_shape(sweep, s, 3, 6, list, r);
}

static void scatter(DlsSweep *sweep, const DlsSweepList *list, const double *r_hat) {
  const DlsSupports *s = sweep->view;
  if (s->block == 3 && s->dof == 6)
    scatter_shape_36(sweep, s, list, r_hat);
  else
    scatter_shape(sweep, s, s->block, s->dof, list, r_hat);
}

DLS_HOT static void pass_36(DlsSweep *sweep, const DlsSupports *s, const DlsSweepList *list,
                            long passes, double *r) {
  const double *q = sweep->q, *C = sweep->compliance;
  double *const y = sweep->y, moved2 = 0;
  const int solving = sweep->update == DLS_SWEEP_SOLVE;
  const int count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    const int begin = s->start[i], end = s->start[i + 1];
    double *ri = r + 3 * (size_t)i, u[3], dr[3];
    for (int k = 0; k < 3; k++) u[k] = q[3 * i + k];
    for (int k = begin; k < end; k++)
      gather_36(s->gather + 18 * (size_t)k, y + 8 * (size_t)s->body[k], u);
    if (C)
      for (int k = 0; k < 3; k++) u[k] += C[3 * i + k] * ri[k];
    for (int k = 0; k < 3; k++) dr[k] = -ri[k];
    const DlsSweepContact3 *c = &sweep->contact3[i];
    if (solving && c->local.tangent > 0 && c->kind == DLS_KIND_COULOMB)
      dls_sweep_cut(c->local.inverse_nn, c->local.tangent, c->local.mu, sweep->omega, u, ri);
    else
      update_3(sweep, i, u, ri);
    for (int k = 0; k < 3; k++) dr[k] += ri[k];
    if (dr[0] == 0 && dr[1] == 0 && dr[2] == 0) continue; /* an open contact that stays open */
    moved2 += dr[0] * dr[0] + dr[1] * dr[1] + dr[2] * dr[2];
    for (int k = begin; k < end; k++)
      scatter_36(s->scatter + 18 * (size_t)k, dr, y + 8 * (size_t)s->body[k]);
  }
  sweep->moved2 = moved2;
}

/* Any block size and number of freedoms, inlined with constants where that pays. */
DLS_INLINE void pass_shape(DlsSweep *sweep, const DlsSupports *s, int block, int dof,
                           const DlsSweepList *list, long passes, double *r) {
  const double *q = sweep->q, *C = sweep->compliance;
  const int stride = sweep->stride, solving = sweep->update == DLS_SWEEP_SOLVE;
  const int count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    double *ri = r + (size_t)i * (size_t)block, u[DLS_MAX_BLOCK], dr[DLS_MAX_BLOCK];
    const double *D = sweep->D + (size_t)i * (size_t)(block * block);
    for (int a = 0; a < block; a++) {
      u[a] = q[(size_t)i * (size_t)block + (size_t)a];
      if (C) u[a] += C[(size_t)i * (size_t)block + (size_t)a] * ri[a];
      u[a] -= dls_small_dot(block, D + a * block, ri); /* q_local = û - D̂ r */
      dr[a] = -ri[a];
    }
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      const double *G = s->gather + (size_t)k * (size_t)(block * dof);
      const double *y = sweep->y + (size_t)s->body[k] * (size_t)stride;
      for (int a = 0; a < block; a++) u[a] += dls_small_dot(dof, G + a * dof, y);
    }
    double next[2];
    if (block == 2 && solving && sweep->contact2[i].kind == DLS_KIND_COULOMB &&
        dls_coulomb2_solve(&sweep->contact2[i].local, u, next) != DLS_LOCAL_NONE)
      dls_sweep_relax(2, sweep->omega, next, ri);
    else
      dls_sweep_general(sweep, i, u, ri);
    for (int a = 0; a < block; a++) dr[a] += ri[a];
    sweep->moved2 += dls_small_dot(block, dr, dr);
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      const double *S = s->scatter + (size_t)k * (size_t)(block * dof);
      double *y = sweep->y + (size_t)s->body[k] * (size_t)stride;
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++) y[c] += S[a * dof + c] * dr[a];
    }
  }
}

DLS_HOT static void pass_23(DlsSweep *sweep, const DlsSupports *s, const DlsSweepList *list,
                            long passes, double *r) {
  pass_shape(sweep, s, 2, 3, list, passes, r);
}

static void pass(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r_hat) {
  const DlsSupports s = *(const DlsSupports *)sweep->view;
  if (s.block == 3 && s.dof == 6)
    pass_36(sweep, &s, list, passes, r_hat);
  else if (s.block == 2 && s.dof == 3)
    pass_23(sweep, &s, list, passes, r_hat);
  else
    pass_shape(sweep, &s, s.block, s.dof, list, passes, r_hat);
}

static bool fits(const DlsOperator *W) { return dls_operator_view(W, DLS_LAYOUT_SUPPORTS) != NULL; }

static DlsStatus prepare(DlsSweep *sweep) {
  const DlsSupports *s =
      dls_operator_view(dls_problem_operator(sweep->problem), DLS_LAYOUT_SUPPORTS);
  sweep->view = s;
  sweep->stride = s->dof == 6 ? 8 : s->dof == 3 ? 4 : s->dof;
  sweep->velocities = (size_t)s->bodies * (size_t)sweep->stride;
  DLS_TRY(dls_sweep_take_memory(sweep, 0, sweep->velocities));
  dls_sweep_prepare_contacts(sweep);
  return DLS_OK;
}

const DlsSweepKernel dls_sweep_on_supports = {
    .on_parts = true, .fits = fits, .prepare = prepare, .scatter = scatter, .pass = pass};
