#include "solvers/newton/first_order_phase.h"

#include <delassus/cone.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solvers/newton/jacobian.h"
#include "solvers/newton/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const NewtonIsland *island;
  double *z, *y, *u, *best, *b, *r; /* [contacts][block] each; z owns the memory of all */
  double least;                     /* physical error of best */
  NewtonLinear *matrix;             /* W' + rho */
} Admm;

static DlsStatus measure(Admm *s, const double *r) {
  double physical, scaled, size;
  newton_island_velocity(s->island, r, s->u);
  DLS_TRY(newton_island_error(s->island, s->u, r, &physical, &scaled, &size));
  if (physical < s->least) {
    s->least = physical;
    memcpy(s->best, r, (size_t)s->island->contacts * (size_t)s->island->block * sizeof *s->best);
  }
  return DLS_OK;
}

/* b = y + rho z - q' - Γ(y) n */
static void right_hand_side(const Admm *s, double rho, double *b) {
  const NewtonIsland *island = s->island;
  const size_t block = (size_t)island->block;
  for (size_t i = 0; i < (size_t)island->contacts; i++) {
    const size_t at = i * block;
    for (size_t k = at; k < at + block; k++) b[k] = s->y[k] + rho * s->z[k] - island->q[k];
    b[at] -=
        dls_cone_shift(&island->contact[i].relation, island->dim, island->block, s->y + at, NULL);
  }
}

/* z = P_K(r - y / rho), y -= rho (r - z), r over-relaxed with the z before. */
static void update(Admm *s, const NewtonAdmm *rules, const double *r) {
  const NewtonIsland *island = s->island;
  const size_t block = (size_t)island->block;
  for (size_t i = 0; i < (size_t)island->contacts; i++) {
    double relaxed[DLS_MAX_BLOCK], *z = s->z + i * block, *y = s->y + i * block;
    for (size_t k = 0; k < block; k++) {
      relaxed[k] = rules->relax * r[i * block + k] + (1 - rules->relax) * z[k];
      z[k] = relaxed[k] - y[k] / rules->rho;
    }
    dls_cone_project(&island->contact[i].relation, island->dim, island->block, z);
    for (size_t k = 0; k < block; k++) y[k] -= rules->rho * (relaxed[k] - z[k]);
  }
}

static DlsStatus run(Admm *s, const NewtonAdmm *rules, double *r, long *iterations) {
  const int every = 20, patience = 15; /* measures without the error halving */
  const size_t n = (size_t)s->island->contacts * (size_t)s->island->block;
  const bool dense = n <= 150;
  const DlsBlockRows rows = newton_island_rows(s->island);
  DLS_NEW(s->z, 6 * n);
  s->y = s->z + n;
  s->u = s->y + n;
  s->best = s->u + n;
  s->b = s->best + n;
  s->r = s->b + n;
  DLS_TRY(newton_linear_create(&rows, dense, &s->matrix));
  newton_matrix_shifted(s->island, rules->rho, dense, newton_linear_values(s->matrix));
  if (!newton_linear_factor(s->matrix)) return DLS_OK;
  s->least = INFINITY;
  DLS_TRY(measure(s, r));
  memcpy(s->z, r, n * sizeof *r);
  memcpy(s->y, s->u, n * sizeof *r);
  double mark = s->least;
  int idle = 0;
  for (int k = 1; k <= rules->most && s->least > rules->target && idle < patience; k++) {
    right_hand_side(s, rules->rho, s->b);
    newton_linear_solve(s->matrix, s->b, s->r);
    update(s, rules, s->r);
    ++*iterations;
    if (k % every != 0 && k != rules->most) continue;
    DLS_TRY(measure(s, s->z));
    idle++;
    if (s->least <= 0.5 * mark) {
      mark = s->least;
      idle = 0;
    }
    if (dls_clock_now() >= rules->deadline) break;
  }
  memcpy(r, s->best, n * sizeof *r);
  return DLS_OK;
}

DlsStatus newton_admm_run(const NewtonAdmm *rules, const NewtonIsland *island, double *r,
                          long *iterations) {
  Admm s = {.island = island};
  for (int i = 0; i < island->contacts; i++)
    if (island->contact[i].relation.cone == DLS_CONE_CUSTOM) return DLS_OK;
  const DlsStatus status = run(&s, rules, r, iterations);
  newton_linear_destroy(&s.matrix);
  free(s.z);
  return status;
}
