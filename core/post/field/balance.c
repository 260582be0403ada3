#include <math.h>
#include <string.h>

#include "post/field/field.h"

/* What the residual is compared with, N/m3. */
static double scale_of(const DlsField *f, const double gravity[3]) {
  const double g = dls_vector_norm(gravity);
  double largest = 0, pressure = 0;
  for (int i = 0; i < f->nodes; i++) {
    largest = fmax(largest, f->density[i] * g);
    for (int k = 0; k < f->dim; k++) pressure -= f->stress[i][4 * k] / (f->dim * f->nodes);
  }
  if (largest > 0) return largest;
  return pressure != 0 ? fabs(pressure) / f->kernel.width : 1;
}

/* div sigma at an inner node. */
static void divergence(const DlsField *f, int node, double out[3]) {
  int stride = 1;
  memset(out, 0, 3 * sizeof *out);
  for (int axis = 0; axis < f->dim; stride *= f->grid.points[axis++]) {
    const double step = (f->grid.high[axis] - f->grid.low[axis]) / (f->grid.points[axis] - 1);
    for (int k = 0; k < f->dim; k++)
      out[k] += (f->stress[node + stride][3 * k + axis] - f->stress[node - stride][3 * k + axis]) /
                (2 * step);
  }
}

static int is_inner(const DlsField *f, int node) {
  const int *n = f->grid.points;
  const int at[3] = {node % n[0], node / n[0] % n[1], node / n[0] / n[1]};
  for (int k = 0; k < f->dim; k++)
    if (at[k] == 0 || at[k] + 1 == n[k]) return 0;
  return 1;
}

DlsFieldBalance dls_field_balance(const DlsField *f, const double gravity[3]) {
  DlsFieldBalance out = {0};
  const double scale = scale_of(f, gravity);
  for (int node = 0; node < f->nodes; node++) {
    const double *t = f->wall_force[node];
    double div[3], all = 0, bulk = 0;
    if (!is_inner(f, node)) continue;
    divergence(f, node, div);
    for (int k = 0; k < f->dim; k++) {
      const double rest = div[k] + f->density[node] * gravity[k];
      bulk += rest * rest;
      all += (rest + t[k]) * (rest + t[k]);
    }
    out.everywhere += all;
    out.nodes++;
    if (t[0] != 0 || t[1] != 0 || t[2] != 0 || !(f->density[node] > 0)) continue;
    out.bulk += bulk;
    out.bulk_nodes++;
  }
  out.everywhere = out.nodes ? sqrt(out.everywhere / out.nodes) / scale : 0;
  out.bulk = out.bulk_nodes ? sqrt(out.bulk / out.bulk_nodes) / scale : 0;
  return out;
}
