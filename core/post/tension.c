#include "post/tension.h"

#include "post/tensor.h"

#include <math.h>
#include <string.h>

static int counts(const DlsPacking *g, const DlsProbe *probe, int c) {
  return g->normal_force[c] != 0 && dls_probe_holds(probe, g->dim, g->point[c]);
}

/* Numbers, means and directions. */
static void sum_up(const DlsPacking *g, const DlsProbe *probe, DlsTension *out) {
  for (int c = 0; c < g->contacts; c++) {
    const double f = g->normal_force[c];
    if (!counts(g, probe, c)) continue;
    const int pulls = f < 0;
    *(pulls ? &out->pull : &out->push) += 1;
    *(pulls ? &out->mean_pull : &out->mean_push) += fabs(f);
    if (pulls) out->strongest = fmax(out->strongest, -f);
    dls_tensor_add(1, g->normal[c], g->normal[c], pulls ? out->pull_fabric : out->push_fabric);
  }
  const int all = out->push + out->pull;
  if (!all) return;
  out->share = (double)out->pull / all;
  out->mean = (out->mean_push + out->mean_pull) / all;
  if (out->push) out->mean_push /= out->push;
  if (out->pull) out->mean_pull /= out->pull;
  for (int k = 0; k < 9; k++) {
    if (out->push) out->push_fabric[k] /= out->push;
    if (out->pull) out->pull_fabric[k] /= out->pull;
  }
}

void dls_tension(const DlsPacking *g, const DlsProbe *probe, DlsTension *out) {
  memset(out, 0, sizeof *out);
  out->width = 5.0 / DLS_TENSION_BINS;
  sum_up(g, probe, out);
  const int all = out->push + out->pull;
  for (int c = 0; c < g->contacts && all; c++) {
    if (!counts(g, probe, c)) continue;
    const double share = fabs(g->normal_force[c]) / out->mean;
    if (!(share < 5)) {
      out->beyond += 1.0 / all;
      continue;
    }
    double *density = g->normal_force[c] < 0 ? out->pull_density : out->push_density;
    density[(int)(share / out->width)] += 1 / (out->width * all);
  }
}
