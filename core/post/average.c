#include "post/average.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Whether each grain counts: not held, its centre in the probe. */
static DlsStatus choose(const DlsPacking *g, const DlsProbe *probe, unsigned char **inside) {
  DLS_NEW(*inside, g->grains + 1);
  for (int i = 0; i < g->grains; i++)
    (*inside)[i] = !g->held[i] && dls_probe_holds(probe, g->dim, g->centre[i]);
  return DLS_OK;
}

static void add_spin(const DlsPacking *g, int i, const double v[3], DlsAverage *out) {
  double moment[9], angular[3];
  dls_packing_spin_moment(g, i, moment);
  for (int k = 0; k < 9; k++) out->spin[k] += moment[k] / out->volume;
  for (int k = 0; k < 3; k++) angular[k] = dls_vector_dot(g->inertia[i] + 3 * k, g->spin[i]);
  dls_tensor_add(-1 / out->volume, angular, v, out->kinetic_couple);
}

static void sum_grains(const DlsPacking *g, const unsigned char *inside, DlsAverage *out) {
  double mass = 0;
  for (int i = 0; i < g->grains; i++) {
    if (!inside[i]) continue;
    out->grains += dls_packing_part(g, i) == DLS_PART_RIGID;
    out->cells += dls_packing_part(g, i) == DLS_PART_CELL;
    out->solid += g->volume[i] / out->volume;
    mass += g->mass[i];
    for (int k = 0; k < 3; k++) out->velocity[k] += g->mass[i] * g->velocity[i][k];
  }
  out->density = mass / out->volume;
  for (int k = 0; k < 3 && mass > 0; k++) out->velocity[k] /= mass;
  for (int i = 0; i < g->grains; i++) {
    double v[3];
    if (!inside[i]) continue;
    for (int k = 0; k < 3; k++) v[k] = g->velocity[i][k] - out->velocity[k];
    dls_tensor_add(-g->mass[i] / out->volume, v, v, out->kinetic);
    add_spin(g, i, v, out);
    for (int k = 0; k < 9 && g->moment; k++) out->stress[k] += g->moment[i][k] / out->volume;
  }
}

/* One side of contact c. */
static void add_arm(const DlsPacking *g, const DlsProbe *probe, DlsAverageKind kind,
                    const unsigned char *inside, int c, int side, double mean, DlsAverage *out) {
  const int grain = side ? g->antagonist[c] : g->candidate[c];
  double arm[3], point[3], share = 0;
  if (!dls_packing_is_free(g, grain)) return;
  if (kind == DLS_AVERAGE_CENTRES)
    share = inside[grain];
  else {
    dls_packing_point(g, c, side, point);
    share = dls_probe_share(probe, g->dim, g->centre[grain], point);
  }
  if (share == 0) return;
  dls_packing_arm(g, c, side, arm);
  share *= (side ? -1 : 1) / out->volume;
  dls_tensor_add(share, g->force[c], arm, out->stress);
  dls_tensor_add(share * g->normal_force[c], g->normal[c], arm, out->normal);
  if (g->normal_force[c] > mean) dls_tensor_add(share, g->force[c], arm, out->strong);
  double torque[3];
  dls_vector_cross(arm, g->force[c], torque);
  if (inside[grain]) dls_tensor_add((side ? -1 : 1) / out->volume, torque, arm, out->couple);
}

DlsStatus dls_average(const DlsPacking *packing, const DlsProbe *probe, DlsAverageKind kind,
                      DlsAverage *out) {
  const DlsPacking *g = dls_packing_fine(packing);
  unsigned char *inside;
  memset(out, 0, sizeof *out);
  out->volume = dls_probe_volume(probe, packing);
  DLS_CHECK(out->volume > 0, DLS_ERR_ARGUMENT,
            "the region has no volume within the box around the %d grains", packing->grains);
  DLS_TRY(choose(g, probe, &inside));
  const double mean = dls_packing_mean_force(packing);
  sum_grains(g, inside, out);
  for (int c = 0; c < g->contacts; c++) {
    if (!dls_packing_active(g, c)) continue;
    for (int side = 0; side < 2; side++) add_arm(g, probe, kind, inside, c, side, mean, out);
  }
  for (int c = 0; c < packing->contacts; c++)
    out->contacts +=
        dls_packing_active(packing, c) && dls_probe_holds(probe, packing->dim, packing->point[c]);
  dls_stress_state(g->dim, out->stress, &out->state);
  free(inside);
  return DLS_OK;
}

DlsStatus dls_average_outer_moment(const DlsPacking *g, const DlsProbe *probe, double out[9]) {
  unsigned char *inside;
  double origin[3] = {0};
  int count = 0;
  memset(out, 0, 9 * sizeof *out);
  DLS_TRY(choose(g, probe, &inside));
  /* Any origin gives the same; one within the set loses the fewest digits. */
  for (int i = 0; i < g->grains; i++)
    for (int k = 0; k < 3 && inside[i]; k++) origin[k] += g->centre[i][k], count += k == 0;
  for (int k = 0; k < 3 && count; k++) origin[k] /= count;
  for (int c = 0; c < g->contacts; c++) {
    const int other = g->antagonist[c];
    const int first = inside[g->candidate[c]], second = other >= 0 && inside[other];
    if (first == second && !(g->shift && first)) continue; /* within the set */
    for (int side = 0; side < 2; side++) {
      double x[3];
      if (!(side ? second : first)) continue;
      dls_packing_point(g, c, side, x);
      for (int k = 0; k < 3; k++) x[k] -= origin[k];
      dls_tensor_add(side ? -1 : 1, g->force[c], x, out);
    }
  }
  for (int i = 0; i < g->grains; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = g->centre[i][k] - origin[k];
    if (inside[i]) dls_tensor_add(-1, g->resultant[i], x, out);
  }
  free(inside);
  return DLS_OK;
}
