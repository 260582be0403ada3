/* Loads of a body of finite elements of its own: pressures, tractions, forces in its volume. */
#include <math.h>
#include <string.h>

#include "base/small.h"
#include "fem/body_impl.h"

double dls_body_amount(const DlsBodyModel *m, const DlsBodyAmount *amount, double t) {
  if (amount->function < 0) return amount->value;
  return amount->value * m->functions.at(m->functions.context, amount->function, t);
}

/* Of a side: integrals of each interpolation times the normal (out of the element), m2. */
static void side_normals(const DlsBodyModel *m, const DlsElementKind *side, const double (*x)[3],
                         double (*out)[3]) {
  const double depth = m->dim == 2 ? m->thickness : 1;
  memset(out, 0, (size_t)side->nodes * sizeof *out);
  for (int p = 0; p < side->matter->count; p++) {
    const DlsQuadraturePoint *q = &side->matter->point[p];
    double N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3], t[2][3] = {{0}}, normal[3];
    side->interpolate(q->x, N, dN);
    for (int a = 0; a < side->nodes; a++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 2; l++) t[l][k] += dN[a][l] * x[a][k];
    if (m->dim == 2) t[1][0] = t[1][1] = 0, t[1][2] = 1; /* to the right of the way */
    normal[0] = t[0][1] * t[1][2] - t[0][2] * t[1][1];
    normal[1] = t[0][2] * t[1][0] - t[0][0] * t[1][2];
    normal[2] = t[0][0] * t[1][1] - t[0][1] * t[1][0];
    for (int a = 0; a < side->nodes; a++)
      for (int k = 0; k < 3; k++) out[a][k] += q->weight * depth * N[a] * normal[k];
  }
}

/* The nodes of a side, and their number. */
static const DlsElementKind *side_nodes(const DlsBodyModel *m, const DlsBodySide *side, int *node) {
  const DlsElementSide *of = &dls_element_kind((int)m->type[side->cell])->side[side->side];
  const DlsElementKind *kind = dls_element_kind((int)of->type);
  for (int a = 0; a < kind->nodes; a++) node[a] = m->node[m->first[side->cell] + of->node[a]];
  return kind;
}

void dls_body_add_loads(const DlsBodyModel *m, const DlsDeformableStep *step, const double *turn,
                        const double *u, double *out) {
  const double t = step->time + 0.5 * (1 + step->still) * step->h;
  int node[DLS_ELEMENT_NODES];
  double x[DLS_ELEMENT_NODES][3], normal[DLS_ELEMENT_NODES][3];
  for (int k = 0; k < m->pressures; k++) {
    const DlsElementKind *side = side_nodes(m, &m->pressure[k].side, node);
    const double p = dls_body_amount(m, &m->pressure[k].pressure, t);
    for (int a = 0; a < side->nodes; a++)
      for (int i = 0; i < 3; i++)
        x[a][i] = m->X[node[a]][i] + (u && i < m->dim ? u[node[a] * m->dim + i] : 0);
    side_normals(m, side, (const double(*)[3])x, normal);
    for (int a = 0; a < side->nodes; a++)
      for (int i = 0; i < m->dim; i++)
        out[node[a] * m->dim + i] -=
            p * (turn ? dls_small_dot(3, turn + 3 * i, normal[a]) : normal[a][i]);
  }
  for (int k = 0; k < m->tractions; k++) {
    const DlsElementKind *side = side_nodes(m, &m->traction[k].side, node);
    const double p = dls_body_amount(m, &m->traction[k].traction, t);
    double w[DLS_ELEMENT_NODES], area[3];
    for (int a = 0; a < side->nodes; a++) memcpy(x[a], m->X[node[a]], sizeof x[a]);
    dls_element_side_weights(side, (const double(*)[3])x, w, area);
    for (int a = 0; a < side->nodes; a++)
      out[node[a] * m->dim + m->traction[k].axis] += p * w[a] * (m->dim == 2 ? m->thickness : 1);
  }
  for (int k = 0; k < m->forces; k++) {
    const double f = dls_body_amount(m, &m->force[k].force, t);
    for (int a = 0; a < m->nodes; a++) out[a * m->dim + m->force[k].axis] += f * m->room[a];
  }
}
