#include "scene/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* From row i by s: the cubic of the header, of one axis. */
static void advance(const double a[2], double gap, double s, double state[3]) {
  const double slope = (a[1] - a[0]) / gap, v = state[1];
  state[0] = a[0] + slope * s;
  state[1] = v + (a[0] + slope * s / 2) * s;
  state[2] += (v + (a[0] / 2 + slope * s / 6) * s) * s;
}

/* Velocities and displacements of axis k from its accelerations. */
static void integrate(DlsGround *g, int k) {
  g->state[0][3 + k] = g->state[0][6 + k] = 0;
  for (int i = 0; i + 1 < g->rows; i++) {
    const double gap = g->time[i + 1] - g->time[i], a[2] = {g->state[i][k], g->state[i + 1][k]};
    double state[3] = {a[0], g->state[i][3 + k], g->state[i][6 + k]};
    advance(a, gap, gap, state);
    g->state[i + 1][3 + k] = state[1];
    g->state[i + 1][6 + k] = state[2];
  }
}

static void correct(DlsGround *g, int k) {
  const double T = g->time[g->rows - 1] - g->time[0], V = g->state[g->rows - 1][3 + k],
               D = g->state[g->rows - 1][6 + k];
  const double c1 = (6 * V - 12 * D / T) / (T * T), c0 = (6 * D / T - 2 * V) / T;
  for (int i = 0; i < g->rows; i++) g->state[i][k] -= c0 + c1 * (g->time[i] - g->time[0]);
  integrate(g, k);
}

DlsStatus dls_ground_create(int rows, const double *time, const double *const acceleration[3],
                            double scale, bool baseline, double from, DlsGround *out) {
  *out = (DlsGround){.rows = rows};
  DLS_NEW(out->time, rows);
  DLS_NEW(out->state, rows);
  for (int i = 0; i < rows; i++) out->time[i] = from + (time[i] - time[0]);
  for (int k = 0; k < 3; k++) {
    if (!acceleration[k]) continue;
    out->moves[k] = true;
    for (int i = 0; i < rows; i++) out->state[i][k] = scale * acceleration[k][i];
    integrate(out, k);
    if (baseline) correct(out, k);
  }
  return DLS_OK;
}

void dls_ground_clear(DlsGround *ground) {
  free(ground->time);
  free(ground->state);
  *ground = (DlsGround){0};
}

void dls_ground_at(const DlsGround *g, double t, double out[9]) {
  const int last = g->rows - 1;
  memset(out, 0, 9 * sizeof *out);
  if (!(t > g->time[0])) return;
  if (t >= g->time[last]) { /* it goes on at the speed it has: 0 with a baseline */
    for (int k = 0; k < 3; k++) {
      out[3 + k] = g->state[last][3 + k];
      out[6 + k] = g->state[last][6 + k] + out[3 + k] * (t - g->time[last]);
    }
    return;
  }
  int low = 0, high = last;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (g->time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  for (int k = 0; k < 3; k++) {
    const double a[2] = {g->state[low][k], g->state[low + 1][k]};
    double state[3] = {a[0], g->state[low][3 + k], g->state[low][6 + k]};
    advance(a, g->time[low + 1] - g->time[low], t - g->time[low], state);
    for (int e = 0; e < 3; e++) out[3 * e + k] = state[e];
  }
}
