/* Masses as a scheme needs them, and free flight. */
#include <string.h>

#include "base/pool.h"
#include "base/small.h"
#include "world/deformable.h"

enum { DRIFT_CHUNK = 512 }; /* bodies */

/* out = R diag(d) R^T, row-major. */
static void turned_diagonal(const double *q, const double d[3], double out[9]) {
  double R[9];
  dls_rotation_matrix(q, R);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += R[3 * i + k] * d[k] * R[3 * j + k];
      out[3 * i + j] = out[3 * j + i] = sum;
    }
}

static void diagonal(double value, double out[9]) {
  for (int i = 0; i < 9; i++) out[i] = i % 4 == 0 ? value : 0;
}

void dls_world_inertia(const DlsWorld *world, int body, const double *q, double out[9]) {
  const double *J = world->inertia[body];
  if (world->dim == 2) {
    memset(out, 0, 9 * sizeof *out);
    out[8] = J[2];
  } else if (world->isotropic[body])
    diagonal(J[0], out);
  else
    turned_diagonal(q ? q : world->orientation[body], J, out);
}

/* The inverse of the free part of a symmetric 3 x 3 matrix, zero elsewhere. */
static void inverse_of_free(const double I[9], unsigned fixed, double out[9]) {
  int free[3], n = 0;
  memset(out, 0, 9 * sizeof *out);
  for (int k = 0; k < 3; k++)
    if (!(fixed & (1u << k))) free[n++] = k;
  for (int column = 0; column < n; column++) {
    double A[9], x[3] = {column == 0, column == 1, column == 2};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] = I[3 * free[i] + free[j]];
    if (!dls_small_solve(n, A, x)) continue;
    for (int i = 0; i < n; i++) out[3 * free[i] + free[column]] = x[i];
  }
}

void dls_world_inverse_mass(const DlsWorld *world, int body, const double *q, double out_mass[3],
                            double out_inertia[9]) {
  const unsigned fixed = world->fixed[body], turns = fixed >> 3;
  const double *J = world->inertia[body], inverse = 1 / world->mass[body];
  for (int k = 0; k < 3; k++) out_mass[k] = fixed & (1u << k) ? 0 : inverse;
  if (turns == 7)
    memset(out_inertia, 0, 9 * sizeof *out_inertia);
  else if (world->isotropic[body]) {
    diagonal(0, out_inertia);
    for (int k = 0; k < 3; k++)
      if (!(turns & (1u << k))) out_inertia[4 * k] = 1 / J[k];
  } else if (turns == 0) {
    const double d[3] = {1 / J[0], 1 / J[1], 1 / J[2]};
    turned_diagonal(q ? q : world->orientation[body], d, out_inertia);
  } else {
    double I[9];
    dls_world_inertia(world, body, q, I);
    inverse_of_free(I, turns, out_inertia);
  }
}

typedef struct {
  DlsWorld *world;
  double h;
} Drift;

static void drift_some(void *context, size_t begin, size_t end, int lane) {
  DlsWorld *world = ((const Drift *)context)->world;
  const double h = ((const Drift *)context)->h;
  (void)lane;
  for (int i = (int)begin; i < (int)end; i++) {
    double *x = world->position[i], *v = world->velocity[i], *spin = v + 3;
    for (int k = 0; k < 3; k++) x[k] += h * v[k];
    if (world->dim == 2) {
      if (spin[2] != 0) dls_world_set_angle(world, i, world->angle[i] + h * spin[2]);
    } else if (spin[0] == 0 && spin[1] == 0 && spin[2] == 0)
      continue;
    else if (world->isotropic[i] || world->fixed[i] >> 3)
      dls_rotation_turn(h, spin, world->orientation[i]);
    else
      dls_rotation_free_step(h, world->inertia[i], world->orientation[i], spin);
  }
}

void dls_world_shift(DlsWorld *world, const double (*way)[6]) {
  for (int b = 0; b < world->count; b++) {
    const double *turn = way[b] + 3;
    for (int k = 0; k < 3; k++) world->position[b][k] += way[b][k];
    if (world->dim == 2) {
      if (turn[2] != 0) dls_world_set_angle(world, b, world->angle[b] + turn[2]);
    } else if (turn[0] != 0 || turn[1] != 0 || turn[2] != 0)
      dls_rotation_turn(1, turn, world->orientation[b]);
  }
}

void dls_world_drift(DlsWorld *world, double h) {
  Drift drift = {world, h};
  dls_pool_for((size_t)world->count, DRIFT_CHUNK, drift_some, &drift);
  if (world->deformable.count) dls_deformables_drift(world, h);
  if (world->cell.axes) dls_cell_drift(&world->cell, h);
}

/* v += by; returns the gain of kinetic energy. */
static double speed_up(DlsWorld *world, int body, const double by[3]) {
  double *v = world->velocity[body], gain = 0;
  for (int k = 0; k < 3; k++) {
    if (world->fixed[body] & (1 << k)) continue;
    gain += world->mass[body] * by[k] * (v[k] + 0.5 * by[k]);
    v[k] += by[k];
  }
  return gain;
}

double dls_world_wrap(DlsWorld *world) {
  double gain = 0;
  if (!world->cell.axes) return 0;
  dls_cell_reduce(&world->cell);
  for (int b = 0; b < world->count; b++) {
    double shift[6];
    if (world->flags[b] & DLS_BODY_GHOST) continue;
    dls_cell_into(&world->cell, world->position[b], shift);
    if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0) continue;
    for (int k = 0; k < 3; k++) world->position[b][k] += shift[k];
    gain += speed_up(world, b, shift + 3);
  }
  return gain;
}

double dls_world_strain(DlsWorld *world, const double rate[3][3]) {
  DlsCell *cell = &world->cell;
  double change[3][3], gain = 0;
  bool any = false;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      change[k][i] = cell->axes & (1u << k) ? rate[k][i] - cell->rate[k][i] : 0;
      any |= change[k][i] != 0;
      cell->rate[k][i] += change[k][i];
    }
  for (int b = 0; any && b < world->count; b++) {
    double share[3], by[3] = {0};
    if (world->flags[b] & DLS_BODY_GHOST) continue;
    dls_cell_shares(cell, world->position[b], share);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) by[i] += (share[k] - 0.5) * change[k][i];
    gain += speed_up(world, b, by);
  }
  return gain;
}
