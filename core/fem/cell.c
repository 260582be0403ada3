#include "fem/cell.h"

#include <string.h>

/* Corners too: a cell may be inverted there alone. */
static DlsStatus check_corners(const DlsElementKind *kind, const double (*X)[3]) {
  double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3];
  for (int a = 0; a < kind->corners; a++) {
    const double ratio = dls_element_gradient(kind, X, kind->place[a], N, gradient);
    DLS_CHECK(ratio > 0, DLS_ERR_ARGUMENT,
              "a %s is inverted or flat at its corner %d, (%g, %g, %g): mend the mesh or the order "
              "of its nodes",
              kind->name, a, X[a][0], X[a][1], X[a][2]);
  }
  return DLS_OK;
}

DlsStatus dls_cell_prepare(const DlsElementKind *kind, const double (*X)[3], double thickness,
                           DlsCell *out) {
  const double depth = kind->dim == 2 ? thickness : 1;
  double N[DLS_ELEMENT_NODES];
  out->kind = kind;
  out->mean_dilatation = kind->mean_dilatation;
  out->volume = 0;
  memset(out->mean, 0, sizeof out->mean);
  DLS_TRY(check_corners(kind, X));
  for (int p = 0; p < kind->inner->count; p++) {
    const DlsQuadraturePoint *q = &kind->inner->point[p];
    DlsCellPoint *point = &out->point[p];
    const double ratio = dls_element_gradient(kind, X, q->x, N, point->gradient);
    DLS_CHECK(
        ratio > 0, DLS_ERR_ARGUMENT,
        "a %s with its first corner at (%g, %g, %g) is inverted or flat within: mend the mesh",
        kind->name, X[0][0], X[0][1], X[0][2]);
    point->weight = q->weight * ratio * depth;
    out->volume += point->weight;
    for (int a = 0; a < kind->nodes; a++)
      for (int k = 0; k < 3; k++) out->mean[a][k] += point->weight * point->gradient[a][k];
  }
  for (int a = 0; a < kind->nodes; a++)
    for (int k = 0; k < 3; k++) out->mean[a][k] /= out->volume;
  return DLS_OK;
}

/* The columns of B for node a: B[6][dim]. */
static void columns(const DlsCell *cell, int p, int a, double B[6][3]) {
  const double *g = cell->point[p].gradient[a];
  memset(B, 0, 18 * sizeof(double));
  B[0][0] = g[0], B[1][1] = g[1], B[2][2] = g[2];
  B[3][0] = g[1], B[3][1] = g[0];
  B[4][1] = g[2], B[4][2] = g[1];
  B[5][0] = g[2], B[5][2] = g[0];
  if (!cell->mean_dilatation) return;
  for (int k = 0; k < 3; k++) {
    const double more = (cell->mean[a][k] - g[k]) / 3;
    for (int i = 0; i < 3; i++) B[i][k] += more;
  }
}

void dls_cell_strain(const DlsCell *cell, int p, const double *u, double strain[6]) {
  const int dim = cell->kind->dim;
  memset(strain, 0, 6 * sizeof *strain);
  for (int a = 0; a < cell->kind->nodes; a++) {
    double B[6][3];
    columns(cell, p, a, B);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < dim; k++) strain[i] += B[i][k] * u[a * dim + k];
  }
}

void dls_cell_add_force(const DlsCell *cell, int p, const double stress[6], double *f) {
  const int dim = cell->kind->dim;
  for (int a = 0; a < cell->kind->nodes; a++) {
    double B[6][3];
    columns(cell, p, a, B);
    for (int k = 0; k < dim; k++)
      for (int i = 0; i < 6; i++) f[a * dim + k] += cell->point[p].weight * B[i][k] * stress[i];
  }
}

void dls_cell_add_stiffness(const DlsCell *cell, int p, const double tangent[36], double *K) {
  const int dim = cell->kind->dim, nodes = cell->kind->nodes, n = nodes * dim;
  double B[DLS_ELEMENT_NODES][6][3];
  for (int a = 0; a < nodes; a++) columns(cell, p, a, B[a]);
  for (int b = 0; b < nodes; b++) {
    double DB[6][3] = {{0}};
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        for (int k = 0; k < dim; k++) DB[i][k] += tangent[6 * i + j] * B[b][j][k];
    for (int a = 0; a < nodes; a++)
      for (int l = 0; l < dim; l++)
        for (int k = 0; k < dim; k++) {
          double sum = 0;
          for (int i = 0; i < 6; i++) sum += B[a][i][l] * DB[i][k];
          K[(a * dim + l) * n + b * dim + k] += cell->point[p].weight * sum;
        }
  }
}

void dls_cell_mass(const DlsElementKind *kind, const double (*X)[3], double density,
                   double thickness, double *M) {
  const double depth = kind->dim == 2 ? thickness : 1;
  for (int p = 0; p < kind->matter->count; p++) {
    const DlsQuadraturePoint *q = &kind->matter->point[p];
    double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3];
    const double ratio = dls_element_gradient(kind, X, q->x, N, gradient);
    const double w = density * depth * q->weight * ratio;
    for (int a = 0; a < kind->nodes; a++)
      for (int b = 0; b < kind->nodes; b++) M[a * kind->nodes + b] += w * N[a] * N[b];
  }
}
