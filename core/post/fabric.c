#include "post/fabric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"

static const double pi = 3.14159265358979323846;

static int carries(const DlsPacking *g, int c) { return g->normal_force[c] != 0; }

void dls_fabric_grains(const DlsPacking *g, int32_t *coordination, double (*fabric)[9]) {
  if (coordination) memset(coordination, 0, (size_t)g->grains * sizeof *coordination);
  if (fabric) memset(fabric, 0, (size_t)g->grains * sizeof *fabric);
  for (int c = 0; c < g->contacts; c++) {
    if (!carries(g, c)) continue;
    for (int side = 0; side < 2; side++) {
      const int grain = side ? g->antagonist[c] : g->candidate[c];
      if (grain < 0) continue;
      if (coordination) coordination[grain]++;
      if (fabric) dls_tensor_add(1, g->normal[c], g->normal[c], fabric[grain]);
    }
  }
  for (int i = 0; fabric && i < g->grains; i++) { /* trace 1 */
    const double trace = fabric[i][0] + fabric[i][4] + fabric[i][8];
    for (int k = 0; k < 9 && trace > 0; k++) fabric[i][k] /= trace;
  }
}

/* Two sides, the lesser first. */
typedef struct {
  int a, b;
} Pair;

static int compare_pairs(const void *one, const void *other) {
  const Pair *p = one, *q = other;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return p->b < q->b ? -1 : p->b > q->b;
}

DlsStatus dls_fabric_neighbours(const DlsPacking *g, int32_t *neighbours) {
  Pair *pair;
  int count = 0;
  memset(neighbours, 0, (size_t)g->grains * sizeof *neighbours);
  DLS_NEW(pair, g->contacts);
  for (int c = 0; c < g->contacts; c++) {
    const int i = g->candidate[c], j = g->antagonist[c];
    if (carries(g, c)) pair[count++] = i < j ? (Pair){i, j} : (Pair){j, i};
  }
  qsort(pair, (size_t)count, sizeof *pair, compare_pairs);
  for (int k = 0; k < count; k++) {
    if (k > 0 && compare_pairs(&pair[k], &pair[k - 1]) == 0) continue;
    if (pair[k].a >= 0) neighbours[pair[k].a]++;
    if (pair[k].b >= 0) neighbours[pair[k].b]++;
  }
  free(pair);
  return DLS_OK;
}

static void count_grains(const DlsPacking *g, const DlsProbe *probe, const int32_t *number,
                         const int32_t *neighbours, DlsFabric *out) {
  double sum = 0, loose = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i] || !dls_probe_holds(probe, g->dim, g->centre[i])) continue;
    out->grains++;
    sum += number[i];
    out->neighbours += neighbours[i];
    if (number[i] >= 2) continue;
    out->rattlers++;
    loose += number[i];
  }
  out->coordination = out->grains ? sum / out->grains : 0;
  if (out->grains) out->neighbours /= out->grains;
  out->backbone = out->grains > out->rattlers ? (sum - loose) / (out->grains - out->rattlers) : 0;
}

static void sum_contacts(const DlsPacking *g, const DlsProbe *probe, DlsFabric *out) {
  int pushing = 0, rubbing = 0, slipping = 0;
  for (int c = 0; c < g->contacts; c++) {
    if (!carries(g, c) || !dls_probe_holds(probe, g->dim, g->point[c])) continue;
    out->contacts++;
    dls_tensor_add(1, g->normal[c], g->normal[c], out->fabric);
    slipping += g->status[c] == 1;
    if (g->normal_force[c] > 0) out->mean_force += g->normal_force[c], pushing++;
    if (g->friction_limit[c] > 0)
      out->mobilised += g->tangential_force[c] / g->friction_limit[c], rubbing++;
  }
  for (int k = 0; k < 9 && out->contacts; k++) out->fabric[k] /= out->contacts;
  if (pushing) out->mean_force /= pushing;
  if (rubbing) out->mobilised /= rubbing;
  if (out->contacts) out->slipping = (double)slipping / out->contacts;
}

DlsStatus dls_fabric(const DlsPacking *g, const DlsProbe *probe, DlsFabric *out) {
  int32_t *number;
  double negative[9];
  memset(out, 0, sizeof *out);
  DLS_NEW(number, 2 * (size_t)g->grains + 1);
  dls_fabric_grains(g, number, NULL);
  const DlsStatus status = dls_fabric_neighbours(g, number + g->grains);
  if (status == DLS_OK) count_grains(g, probe, number, number + g->grains, out);
  free(number);
  DLS_TRY(status);
  sum_contacts(g, probe, out);
  for (int k = 0; k < 9; k++) negative[k] = -out->fabric[k];
  dls_stress_state(g->dim, negative, &out->state);
  const double spread = out->state.principal[g->dim - 1] - out->state.principal[0];
  out->anisotropy = g->dim == 2 ? 2 * spread : 3.75 * spread;
  return DLS_OK;
}

static int bin(double share, int bins) { return dls_checked_cell(share * bins, bins); }

/* One sense of a normal of contact c. Those on the edge of bins, such as of walls along the axes,
 * count by half in each: a little to both sides of them is looked at. */
static void add_normal(const DlsPacking *g, int c, int sense, DlsRose *out) {
  const double nudge = 1e-9, sign = sense ? -1 : 1, *n = g->normal[c];
  const double turn = atan2(sign * n[1], sign * n[0]) / (2 * pi), up = 0.5 + 0.5 * sign * n[2];
  for (int side = 0; side < 4; side++) {
    const double at = turn + (side % 2 ? nudge : -nudge), height = up + (side / 2 ? nudge : -nudge);
    const int sector = bin(at - floor(at), DLS_ROSE_SECTORS);
    const int band = g->dim == 3 ? bin(height, DLS_ROSE_BANDS) : 0;
    out->count[band][sector] += 0.25;
    out->force[band][sector] += 0.25 * g->normal_force[c];
    out->total += 0.25;
  }
}

void dls_rose(const DlsPacking *g, const DlsProbe *probe, DlsRose *out) {
  memset(out, 0, sizeof *out);
  for (int c = 0; c < g->contacts; c++) {
    if (!carries(g, c) || !dls_probe_holds(probe, g->dim, g->point[c])) continue;
    const double angle = atan2(g->normal[c][1], g->normal[c][0]);
    add_normal(g, c, 0, out);
    add_normal(g, c, 1, out);
    for (int k = 0; k < 3; k++) { /* both senses have the same even harmonics */
      out->a[k] += 4 * cos(2 * (k + 1) * angle);
      out->b[k] += 4 * sin(2 * (k + 1) * angle);
    }
  }
  for (int k = 0; k < 3 && out->total > 0; k++) out->a[k] /= out->total, out->b[k] /= out->total;
  for (int i = 0; i < DLS_ROSE_BANDS; i++)
    for (int j = 0; j < DLS_ROSE_SECTORS; j++)
      if (out->count[i][j] > 0) out->force[i][j] /= out->count[i][j];
}

double dls_rose_fit(const DlsRose *rose, double theta) {
  double sum = 1;
  for (int k = 0; k < 3; k++)
    sum += rose->a[k] * cos(2 * (k + 1) * theta) + rose->b[k] * sin(2 * (k + 1) * theta);
  return sum / (2 * pi);
}

void dls_forces(const DlsPacking *g, const DlsProbe *probe, int tangential, DlsForces *out) {
  const double *force = tangential ? g->tangential_force : g->normal_force;
  double excess = 0;
  int tail = 0;
  memset(out, 0, sizeof *out);
  out->width = 8.0 / DLS_FORCE_BINS;
  for (int pass = 0; pass < 2; pass++) { /* the mean, then what is counted in its unit */
    for (int c = 0; c < g->contacts; c++) {
      if (!(force[c] > 0) || !dls_probe_holds(probe, g->dim, g->point[c])) continue;
      if (pass == 0) {
        out->contacts++;
        out->mean += force[c];
        continue;
      }
      const double share = force[c] / out->mean;
      if (share < 8)
        out->density[bin(share / 8, DLS_FORCE_BINS)] += 1 / (out->width * out->contacts);
      else
        out->beyond++;
      if (share > 1) excess += share - 1, tail++;
    }
    if (pass == 0 && out->contacts) out->mean /= out->contacts;
  }
  out->decay = excess > 0 ? tail / excess : 0;
}
