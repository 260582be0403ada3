#include "solvers/kit/admm_iteration.h"

#include <math.h>

DlsStatus dls_admm_iterate(DlsAdmm *s) {
  const size_t block = s->block, n = s->contacts * block;
  double apart = 0, moved = 0, z2 = 0, y2 = 0;
  s->actions->shift(s->context, s->y, s->shift);
  for (size_t e = 0; e < n; e++) s->b[e] = s->y[e] + s->rho * s->z[e] - s->q[e];
  for (size_t i = 0; i < s->contacts; i++) s->b[i * block] -= s->shift[i];
  DLS_TRY(s->actions->solve(s->context, s->b, s->r));
  for (size_t e = 0; e < n; e++) s->x[e] = s->relax * s->r[e] + (1 - s->relax) * s->z[e];
  DLS_TRY(s->actions->project(s->context, s->rho, s->y, s->x, s->b));
  for (size_t e = 0; e < n; e++) {
    const double next = s->b[e], gap = s->r[e] - next, step = next - s->z[e];
    s->y[e] -= s->rho * (s->x[e] - next);
    s->z[e] = next;
    apart += gap * gap;
    moved += step * step;
    z2 += next * next;
    y2 += s->y[e] * s->y[e];
  }
  s->primal = sqrt(apart / fmax(z2, 1e-300));
  s->dual = s->rho * sqrt(moved / fmax(y2, 1e-300));
  return DLS_OK;
}
