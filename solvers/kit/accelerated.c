#include "solvers/kit/accelerated.h"

#include "base/memory.h"
#include "solvers/kit/solver_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static DlsStatus prepare(DlsAccelerated *s, bool cylinders) {
  const size_t n = s->scaled->n, contacts = (size_t)s->scaled->contacts;
  DLS_NEW(s->memory, 6 * n + 4 * contacts);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->before = dls_solver_state_slice(&next, n);
  s->u_before = dls_solver_state_slice(&next, n);
  s->y = dls_solver_state_slice(&next, n);
  s->u_y = dls_solver_state_slice(&next, n);
  s->shift = dls_solver_state_slice(&next, contacts);
  if (cylinders) s->radius = dls_solver_state_slice(&next, 3 * contacts);
  return DLS_OK;
}

DlsStatus dls_accelerated_create(const DlsScaled *scaled, bool cylinders, DlsAccelerated **out) {
  DlsAccelerated *s;
  *out = NULL;
  DLS_NEW(s, 1);
  s->scaled = scaled;
  s->limit = 1;
  const DlsStatus status = prepare(s, cylinders);
  if (status == DLS_OK)
    *out = s;
  else
    dls_accelerated_destroy(s);
  return status;
}

void dls_accelerated_destroy(DlsAccelerated *s) {
  if (!s) return;
  free(s->memory);
  free(s);
}

void dls_accelerated_restart(DlsAccelerated *s) { s->t = 1; }

void dls_accelerated_begin(DlsAccelerated *s, const double *r) {
  const size_t n = s->scaled->n;
  memcpy(s->r, r, n * sizeof *r);
  dls_scaled_velocity(s->scaled, s->r, s->u);
  memcpy(s->before, s->r, n * sizeof *r);
  memcpy(s->u_before, s->u, n * sizeof *r);
  memset(s->shift, 0, (size_t)s->scaled->contacts * sizeof *s->shift);
  s->L = 1;
  s->least_L = 0;
  s->limit = 1;
  s->restarts = s->products = 0;
  dls_accelerated_restart(s);
}

void dls_accelerated_extrapolate(DlsAccelerated *s) {
  const double next = 0.5 * (1 + sqrt(1 + 4 * s->t * s->t));
  const double beta = fmin(s->limit, (s->t - 1) / next);
  s->t = next;
  for (size_t e = 0; e < s->scaled->n; e++) {
    s->y[e] = s->r[e] + beta * (s->r[e] - s->before[e]);
    s->u_y[e] = s->u[e] + beta * (s->u[e] - s->u_before[e]);
  }
}

/* out = P(r - step (u + s n)) on the sets of the moment. */
static DlsStatus project(const DlsAccelerated *s, double step, const double *u, const double *r,
                         double *out) {
  const DlsScaled *scaled = s->scaled;
  const size_t block = (size_t)scaled->block;
  DLS_TRY(dls_scaled_project(scaled, step, s->shift, u, r, out));
  for (size_t i = 0; s->radius && i < (size_t)scaled->contacts; i++) {
    if (!dls_scaled_rubs(scaled, (int)i)) continue;
    for (size_t e = i * block; e < (i + 1) * block; e++) out[e] = r[e] - step * u[e];
    out[i * block] -= step * s->shift[i];
    dls_scaled_disks(scaled, (int)i, s->radius + 3 * i, out + i * block);
  }
  return DLS_OK;
}

/* Backtracks: `before` and u_before receive the point that P gives from y. */
static DlsStatus search(DlsAccelerated *s) {
  const size_t n = s->scaled->n;
  const double most = 1e30;
  for (;;) {
    double moved = 0, curved = 0;
    DLS_TRY(project(s, 1 / s->L, s->u_y, s->y, s->before));
    dls_scaled_velocity(s->scaled, s->before, s->u_before);
    s->products++;
    for (size_t e = 0; e < n; e++) {
      const double d = s->before[e] - s->y[e];
      moved += d * d;
      curved += d * (s->u_before[e] - s->u_y[e]);
    }
    /* Below the round-off of u nothing is learnt. */
    if (curved <= s->L * moved * (1 + 1e-12) ||
        moved <= 1e-28 * dls_scaled_dot(s->scaled, s->y, s->y))
      return DLS_OK;
    if (!(s->L < most)) return DLS_OK;
    s->L = fmin(2 * s->L, fmax(1.05 * s->L, curved / moved));
  }
}

DlsStatus dls_accelerated_step(DlsAccelerated *s) {
  double against = 0;
  DLS_TRY(search(s));
  for (size_t e = 0; e < s->scaled->n; e++)
    against += (s->y[e] - s->before[e]) * (s->before[e] - s->r[e]);
  dls_solver_state_swap(&s->r, &s->before);
  dls_solver_state_swap(&s->u, &s->u_before);
  if (against > 0) {
    dls_accelerated_restart(s);
    s->restarts++;
  }
  s->L = fmax(0.97 * s->L, s->least_L);
  return DLS_OK;
}

DlsStatus dls_accelerated_residual(DlsAccelerated *s, double *norm) {
  DLS_TRY(project(s, 1, s->u, s->r, s->y));
  double sum = 0;
  for (size_t e = 0; e < s->scaled->n; e++) sum += (s->r[e] - s->y[e]) * (s->r[e] - s->y[e]);
  *norm = sqrt(sum);
  return DLS_OK;
}
