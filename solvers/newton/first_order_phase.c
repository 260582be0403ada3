#include "solvers/newton/first_order_phase.h"

#include <delassus/cone.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "solvers/kit/admm_iteration.h"
#include "solvers/kit/solver_state.h"
#include "solvers/newton/jacobian.h"
#include "solvers/newton/linear.h"
#include "solvers/newton/reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const NewtonIsland *island;
  DlsAdmm admm;
  double *memory, *u, *best; /* [contacts][block] each; `memory` is of all arrays */
  double least;              /* physical error of best */
  NewtonLinear *matrix;      /* W' + rho, */
  NewtonReduced *reduced;    /* or on the parts */
} Phase;

static DlsStatus measure(Phase *s, const double *r) {
  double physical, scaled, size;
  newton_island_velocity(s->island, r, s->u);
  DLS_TRY(newton_island_error(s->island, s->u, r, &physical, &scaled, &size));
  if (physical < s->least) {
    s->least = physical;
    memcpy(s->best, r, (size_t)s->island->contacts * (size_t)s->island->block * sizeof *s->best);
  }
  return DLS_OK;
}

static void find_shift(void *context, const double *y, double *shift) {
  const NewtonIsland *island = ((const Phase *)context)->island;
  for (int i = 0; i < island->contacts; i++)
    shift[i] = dls_cone_shift(&island->contact[i].relation, island->dim, island->block,
                              y + (size_t)i * (size_t)island->block, NULL);
}

static DlsStatus solve(void *context, const double *b, double *r) {
  const Phase *s = context;
  if (s->reduced)
    newton_reduced_solve(s->reduced, b, r);
  else
    newton_linear_solve(s->matrix, b, r);
  return DLS_OK;
}

static DlsStatus project(void *context, double rho, const double *y, const double *x, double *z) {
  const NewtonIsland *island = ((const Phase *)context)->island;
  const size_t block = (size_t)island->block;
  dls_ledger.contacts += island->contacts;
  for (size_t i = 0; i < (size_t)island->contacts; i++) {
    for (size_t e = i * block; e < (i + 1) * block; e++) z[e] = x[e] - y[e] / rho;
    dls_cone_project(&island->contact[i].relation, island->dim, island->block, z + i * block);
  }
  return DLS_OK;
}

static DlsStatus prepare(Phase *s, const NewtonFirstOrder *rules) {
  static const DlsAdmmActions actions = {find_shift, solve, project};
  const NewtonIsland *island = s->island;
  const size_t n = (size_t)island->contacts * (size_t)island->block;
  DLS_NEW(s->memory, 7 * n + (size_t)island->contacts);
  double *next = s->memory;
  s->admm = (DlsAdmm){.actions = &actions,
                      .context = s,
                      .contacts = (size_t)island->contacts,
                      .block = (size_t)island->block,
                      .q = island->q,
                      .rho = rules->rho,
                      .relax = rules->relax};
  s->admm.z = dls_solver_state_slice(&next, n);
  s->admm.y = dls_solver_state_slice(&next, n);
  s->admm.b = dls_solver_state_slice(&next, n);
  s->admm.x = dls_solver_state_slice(&next, n);
  s->admm.r = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->admm.shift = dls_solver_state_slice(&next, (size_t)island->contacts);
  return DLS_OK;
}

static DlsStatus factor(Phase *s, double rho, bool *regular) {
  const bool dense = (size_t)s->island->contacts * (size_t)s->island->block <= 150;
  if (s->island->parts && !dense) {
    DLS_TRY(newton_reduced_create(s->island, &s->reduced));
    return newton_reduced_factor_shifted(s->reduced, rho, regular);
  }
  const DlsBlockRows rows = newton_island_rows(s->island);
  DLS_TRY(newton_linear_create(&rows, dense, &s->matrix));
  newton_matrix_shifted(s->island, rho, dense, newton_linear_values(s->matrix));
  *regular = newton_linear_factor(s->matrix);
  return DLS_OK;
}

static DlsStatus run(Phase *s, const NewtonFirstOrder *rules, double *r, long *iterations) {
  const int every = 20, patience = 15; /* measures without the error halving */
  const size_t n = (size_t)s->island->contacts * (size_t)s->island->block;
  bool regular;
  DLS_TRY(prepare(s, rules));
  DLS_TRY(factor(s, rules->rho, &regular));
  if (!regular) return DLS_OK;
  s->least = INFINITY;
  DLS_TRY(measure(s, r));
  memcpy(s->admm.z, r, n * sizeof *r);
  memcpy(s->admm.y, s->u, n * sizeof *r);
  double mark = s->least;
  int idle = 0;
  for (int k = 1; k <= rules->most && s->least > rules->target && idle < patience; k++) {
    DLS_TRY(dls_admm_iterate(&s->admm));
    ++*iterations;
    if (k % every != 0 && k != rules->most) continue;
    DLS_TRY(measure(s, s->admm.z));
    idle++;
    if (s->least <= 0.5 * mark) {
      mark = s->least;
      idle = 0;
    }
    if (dls_ledger_now() >= rules->deadline) break;
  }
  memcpy(r, s->best, n * sizeof *r);
  return DLS_OK;
}

DlsStatus newton_first_order_run(const NewtonFirstOrder *rules, const NewtonIsland *island,
                                 double *r, long *iterations) {
  Phase s = {.island = island};
  for (int i = 0; i < island->contacts; i++)
    if (island->contact[i].relation.cone == DLS_CONE_CUSTOM) return DLS_OK;
  const DlsStatus status = run(&s, rules, r, iterations);
  newton_linear_destroy(&s.matrix);
  newton_reduced_destroy(&s.reduced);
  free(s.memory);
  return status;
}
