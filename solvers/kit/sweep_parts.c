/* A pass over contacts on the velocities of parts, for any operator that tells which parts a
 * contact touches: no layout is assumed, and parts may have different numbers of velocities. Forms
 * that are swept often bring a kernel of their own (sweep_factored.c, sweep_spheres.c). */
#include "solvers/kit/sweep.h"

#include "base/memory.h"
#include "base/small.h"

/* y += scatter^T dr of contact i. */
static void scatter_one(DlsSweep *sweep, int i, const double *dr) {
  const DlsOperator *W = dls_problem_operator(sweep->problem);
  const int touches = sweep->pattern.start[i + 1] - sweep->pattern.start[i];
  for (int k = 0; k < touches; k++) {
    DlsTouch touch;
    W->does->touch(W, i, k, &touch);
    double *y = sweep->y + dls_sweep_place(sweep, touch.part);
    for (int a = 0; a < sweep->block; a++)
      for (int c = 0; c < touch.dof; c++) y[c] += touch.scatter[a * touch.dof + c] * dr[a];
  }
}

/* u += Σ gather y of contact i. */
static void gather(const DlsSweep *sweep, int i, double *u) {
  const DlsOperator *W = dls_problem_operator(sweep->problem);
  const int touches = sweep->pattern.start[i + 1] - sweep->pattern.start[i];
  for (int k = 0; k < touches; k++) {
    DlsTouch touch;
    W->does->touch(W, i, k, &touch);
    const double *y = sweep->y + dls_sweep_place(sweep, touch.part);
    for (int a = 0; a < sweep->block; a++)
      u[a] += dls_small_dot(touch.dof, touch.gather + a * touch.dof, y);
  }
}

static void scatter(DlsSweep *sweep, const DlsSweepList *list, const double *r_hat) {
  for (int n = 0; n < list->count; n++) {
    const int i = dls_sweep_contact(list, n);
    scatter_one(sweep, i, r_hat + (size_t)i * (size_t)sweep->block);
  }
}

static void pass(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r) {
  const double *q = sweep->q, *C = sweep->compliance;
  const int block = sweep->block, count = list->count;
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    const size_t at = (size_t)i * (size_t)block;
    double *ri = r + at, u[DLS_MAX_BLOCK], dr[DLS_MAX_BLOCK];
    const double *D = sweep->D + at * (size_t)block;
    for (int a = 0; a < block; a++) { /* q_local = û - D̂ r */
      u[a] = q[at + (size_t)a] + (C ? C[at + (size_t)a] * ri[a] : 0);
      u[a] -= dls_small_dot(block, D + a * block, ri);
      dr[a] = -ri[a];
    }
    gather(sweep, i, u);
    dls_sweep_general(sweep, i, u, ri);
    for (int a = 0; a < block; a++) dr[a] += ri[a];
    sweep->moved2 += dls_small_dot(block, dr, dr);
    scatter_one(sweep, i, dr);
  }
}

static bool fits(const DlsOperator *W) { return dls_operator_has_parts(W); }

/* Velocities of parts in the order of their numbers. */
static DlsStatus place_parts(DlsSweep *sweep, const DlsOperator *W) {
  const DlsPattern *pattern = &sweep->pattern;
  DLS_NEW(sweep->place, pattern->parts + 1);
  for (int i = 0; i < pattern->contacts; i++)
    for (int s = pattern->start[i]; s < pattern->start[i + 1]; s++) {
      DlsTouch touch;
      W->does->touch(W, i, s - pattern->start[i], &touch);
      sweep->place[touch.part + 1] = touch.dof;
    }
  for (int k = 0; k < pattern->parts; k++) sweep->place[k + 1] += sweep->place[k];
  sweep->velocities = (size_t)sweep->place[pattern->parts];
  return DLS_OK;
}

static DlsStatus prepare(DlsSweep *sweep) {
  const DlsOperator *W = dls_problem_operator(sweep->problem);
  DLS_TRY(dls_operator_pattern(W, &sweep->pattern));
  DLS_TRY(place_parts(sweep, W));
  DLS_TRY(dls_sweep_take_memory(sweep, 0, sweep->velocities));
  dls_sweep_prepare_contacts(sweep);
  return DLS_OK;
}

const DlsSweepKernel dls_sweep_on_parts = {
    .on_parts = true, .fits = fits, .prepare = prepare, .scatter = scatter, .pass = pass};
