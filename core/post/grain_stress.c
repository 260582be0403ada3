#include "post/grain_stress.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"

void dls_grain_stress_clear(DlsGrainStress *stress) {
  free(stress->stress);
  free(stress->kinetic);
  free(stress->normal);
  free(stress->strong);
  free(stress->state);
  memset(stress, 0, sizeof *stress);
}

static DlsStatus make(int grains, int splits, DlsGrainStress *out) {
  out->grains = grains;
  DLS_NEW(out->stress, grains);
  DLS_NEW(out->kinetic, grains);
  DLS_NEW(out->state, grains);
  if (splits) {
    DLS_NEW(out->normal, grains);
    DLS_NEW(out->strong, grains);
  }
  return DLS_OK;
}

/* Adds the moment of contact c on one of its grains. */
static void add_contact(const DlsPacking *g, int c, int side, double mean, DlsGrainStress *out) {
  const int grain = side ? g->antagonist[c] : g->candidate[c];
  double arm[3];
  if (grain < 0 || dls_packing_part(g, grain) == DLS_PART_BODY) return;
  dls_packing_arm(g, c, side, arm);
  const double share = (side ? -1 : 1) / g->volume[grain];
  dls_tensor_add(share, g->force[c], arm, out->stress[grain]);
  if (!out->normal) return;
  dls_tensor_add(share * g->normal_force[c], g->normal[c], arm, out->normal[grain]);
  if (g->normal_force[c] > mean) dls_tensor_add(share, g->force[c], arm, out->strong[grain]);
}

void dls_packing_spin_moment(const DlsPacking *g, int grain, double out[9]) {
  const double *w = g->spin[grain], *I = g->inertia[grain], square = dls_vector_dot(w, w);
  double J[9] = {0}, A[9] = {0};
  if (g->dim == 2) {
    memset(out, 0, 9 * sizeof *out);
    out[0] = out[4] = 0.5 * I[8] * w[2] * w[2];
    return;
  }
  /* I = tr J - J, so J = tr I / 2 - I. */
  for (int k = 0; k < 9; k++) J[k] = (k % 4 == 0 ? 0.5 * (I[0] + I[4] + I[8]) : 0) - I[k];
  dls_tensor_add(-1, w, w, A);
  for (int k = 0; k < 3; k++) A[4 * k] += square;
  dls_small_multiply(3, A, J, out);
  dls_tensor_symmetric(out, out);
}

static void fill_kinetic(const DlsPacking *g, DlsGrainStress *out) {
  double mean[3] = {0}, mass = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    mass += g->mass[i];
    for (int k = 0; k < 3; k++) mean[k] += g->mass[i] * g->velocity[i][k];
  }
  for (int i = 0; i < g->grains; i++) {
    double v[3];
    if (g->held[i]) continue;
    for (int k = 0; k < 3; k++) v[k] = g->velocity[i][k] - mean[k] / mass;
    dls_tensor_add(-g->mass[i] / g->volume[i], v, v, out->kinetic[i]);
  }
}

DlsStatus dls_grain_stress(const DlsPacking *g, int splits, DlsGrainStress *out) {
  const DlsStatus status = make(g->grains, splits, out);
  if (status != DLS_OK) {
    dls_grain_stress_clear(out);
    return status;
  }
  const double mean = splits ? dls_packing_mean_force(g) : 0;
  for (int c = 0; c < g->contacts; c++)
    for (int side = 0; side < 2; side++) add_contact(g, c, side, mean, out);
  for (int i = 0; i < g->grains; i++)
    for (int k = 0; k < 9 && dls_packing_part(g, i) == DLS_PART_BODY; k++)
      out->stress[i][k] = g->moment[i][k] / g->volume[i];
  fill_kinetic(g, out);
  for (int i = 0; i < g->grains; i++) dls_stress_state(g->dim, out->stress[i], &out->state[i]);
  return DLS_OK;
}
