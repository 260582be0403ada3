#include "fem/cell_large.h"

#include <math.h>
#include <string.h>

static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

static double determinant(const double (*F)[3]) {
  return F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) -
         F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
         F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
}

/* F^-1. */
static void invert(const double (*F)[3], double J, double out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[i][j] = (F[a][c] * F[b][d] - F[a][d] * F[b][c]) / J;
    }
}

static DlsStatus prepare_point(const DlsCell *cell, int p, const double *u,
                               DlsCellLargePoint *out) {
  const int dim = cell->kind->dim, nodes = cell->kind->nodes;
  double inverse[3][3];
  memset(out->G, 0, sizeof out->G);
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) out->G[i][j] += u[a * dim + i] * cell->point[p].gradient[a][j];
  const double(*G)[3] = (const double(*)[3])out->G;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out->F[i][j] = (i == j) + G[i][j];
  out->gain = G[0][0] + G[1][1] + G[2][2] + G[0][0] * G[1][1] - G[0][1] * G[1][0] +
              G[1][1] * G[2][2] - G[1][2] * G[2][1] + G[0][0] * G[2][2] - G[0][2] * G[2][0] +
              determinant(G);
  out->J = 1 + out->gain;
  DLS_CHECK(out->J > 0, DLS_ERR_NUMERIC,
            "a %s is turned inside out: its volume is %g of what it was", cell->kind->name, out->J);
  out->beyond = 0;
  invert((const double(*)[3])out->F, out->J, inverse);
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < 3; k++) {
      out->g[a][k] = 0;
      for (int j = 0; j < 3; j++) out->g[a][k] += inverse[j][k] * cell->point[p].gradient[a][j];
    }
  return DLS_OK;
}

DlsStatus dls_cell_large_prepare(const DlsCell *cell, const double *u, DlsCellLarge *out) {
  const int points = cell->kind->inner->count, nodes = cell->kind->nodes;
  double room = 0, gain = 0;
  out->cell = cell;
  memset(out->mean, 0, sizeof out->mean);
  for (int p = 0; p < points; p++) {
    DLS_TRY(prepare_point(cell, p, u, &out->point[p]));
    const double w = cell->point[p].weight * out->point[p].J;
    room += w;
    gain += cell->point[p].weight * out->point[p].gain / cell->volume;
    for (int a = 0; a < nodes; a++)
      for (int k = 0; k < 3; k++) out->mean[a][k] += w * out->point[p].g[a][k];
  }
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < 3; k++) out->mean[a][k] /= room;
  out->mean_J = room / cell->volume;
  if (!cell->mean_dilatation) return DLS_OK;
  for (int p = 0; p < points; p++)
    out->point[p].beyond = expm1(2.0 / 3 * (log1p(gain) - log1p(out->point[p].gain)));
  return DLS_OK;
}

/* C = F^T F, gamma-wise: twice the entries off the diagonal. */
static void right_cauchy(const DlsCellLargePoint *point, double C[6]) {
  for (int i = 0; i < 6; i++) {
    C[i] = 0;
    for (int k = 0; k < 3; k++) C[i] += point->F[k][at[i][0]] * point->F[k][at[i][1]];
    if (i >= 3) C[i] *= 2;
  }
}

/* (ratio C - 1) / 2 by grad u, so that small strains keep their digits. */
void dls_cell_large_strain(const DlsCellLarge *large, int p, double E[6]) {
  const DlsCellLargePoint *point = &large->point[p];
  for (int i = 0; i < 6; i++) {
    const int a = at[i][0], b = at[i][1];
    double e = (point->G[a][b] + point->G[b][a]) / 2;
    for (int k = 0; k < 3; k++) e += point->G[k][a] * point->G[k][b] / 2;
    E[i] = (i < 3 ? 1 : 2) * (1 + point->beyond) * e + (i < 3 ? point->beyond / 2 : 0);
  }
}

/* B for all nodes, and the derivative of ln (Jm / J) of each. */
static void rows(const DlsCellLarge *large, int p, double (*B)[6][3], double (*phi)[3]) {
  const DlsCellLargePoint *point = &large->point[p];
  const DlsCell *cell = large->cell;
  double C[6];
  right_cauchy(point, C);
  for (int a = 0; a < cell->kind->nodes; a++) {
    const double *N = cell->point[p].gradient[a];
    for (int k = 0; k < 3; k++) {
      phi[a][k] = cell->mean_dilatation ? large->mean[a][k] - point->g[a][k] : 0;
      for (int i = 0; i < 6; i++) {
        const int c = at[i][0], d = at[i][1];
        B[a][i][k] = point->F[k][c] * N[d] + (i < 3 ? 0 : point->F[k][d] * N[c]);
      }
    }
  }
}

/* The same with the mean dilatation: ratio (B + C phi / 3). */
static void mean_rows(const DlsCellLarge *large, int p, const double C[6], double (*B)[6][3],
                      double (*phi)[3]) {
  if (!large->cell->mean_dilatation) return;
  for (int a = 0; a < large->cell->kind->nodes; a++)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 3; k++)
        B[a][i][k] = (1 + large->point[p].beyond) * (B[a][i][k] + C[i] * phi[a][k] / 3);
}

void dls_cell_large_add_force(const DlsCellLarge *large, int p, const double S[6], double *f) {
  const int dim = large->cell->kind->dim, nodes = large->cell->kind->nodes;
  const double w = large->cell->point[p].weight;
  double B[DLS_ELEMENT_NODES][6][3], phi[DLS_ELEMENT_NODES][3], C[6];
  rows(large, p, B, phi);
  right_cauchy(&large->point[p], C);
  mean_rows(large, p, C, B, phi);
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < dim; k++)
      for (int i = 0; i < 6; i++) f[a * dim + k] += w * B[a][i][k] * S[i];
}

void dls_cell_large_curve(DlsCellLarge *large) {
  const DlsCell *cell = large->cell;
  const int dim = cell->kind->dim, n = cell->kind->nodes * dim;
  if (!cell->mean_dilatation) return;
  memset(large->curve, 0, sizeof large->curve);
  for (int q = 0; q < cell->kind->inner->count; q++) {
    const double(*g)[3] = (const double(*)[3])large->point[q].g;
    const double w = cell->point[q].weight * large->point[q].J / (large->mean_J * cell->volume);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int a = i / dim, k = i % dim, b = j / dim, l = j % dim;
        large->curve[i][j] += w * (g[a][k] * g[b][l] - g[a][l] * g[b][k]);
      }
  }
}

/* Of volumes in the mean: what S : d2E / du du has beyond that of F alone, [a k][b l]. */
static double mean_curvature(const DlsCellLarge *large, int p, const double (*phi)[3],
                             const double (*s)[3], double SC, int a, int k, int b, int l) {
  const double(*g)[3] = (const double(*)[3])large->point[p].g;
  const int dim = large->cell->kind->dim;
  const double second = large->curve[a * dim + k][b * dim + l] -
                        large->mean[a][k] * large->mean[b][l] + g[a][l] * g[b][k];
  return 2.0 / 3 * (phi[a][k] * s[b][l] + phi[b][l] * s[a][k]) +
         SC * (2.0 / 9 * phi[a][k] * phi[b][l] + second / 3);
}

void dls_cell_large_add_stiffness(const DlsCellLarge *large, int p, const double D[36],
                                  const double S[6], double factor, double *K) {
  const DlsCell *cell = large->cell;
  const int dim = cell->kind->dim, nodes = cell->kind->nodes, n = nodes * dim;
  const double w = cell->point[p].weight, ratio = 1 + large->point[p].beyond;
  double B[DLS_ELEMENT_NODES][6][3], phi[DLS_ELEMENT_NODES][3], s[DLS_ELEMENT_NODES][3], C[6];
  double SC = 0;
  rows(large, p, B, phi);
  right_cauchy(&large->point[p], C);
  for (int i = 0; i < 6; i++) SC += S[i] * C[i];
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < 3; k++) {
      s[a][k] = 0;
      for (int i = 0; i < 6; i++) s[a][k] += S[i] * B[a][i][k];
    }
  mean_rows(large, p, C, B, phi);
  for (int b = 0; b < nodes; b++) {
    const double *Nb = cell->point[p].gradient[b];
    const double SN[3] = {S[0] * Nb[0] + S[3] * Nb[1] + S[5] * Nb[2],
                          S[3] * Nb[0] + S[1] * Nb[1] + S[4] * Nb[2],
                          S[5] * Nb[0] + S[4] * Nb[1] + S[2] * Nb[2]};
    double DB[6][3] = {{0}};
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        for (int l = 0; l < dim; l++) DB[i][l] += D[6 * i + j] * B[b][j][l];
    for (int a = 0; a < nodes; a++) {
      const double *Na = cell->point[p].gradient[a];
      const double along = Na[0] * SN[0] + Na[1] * SN[1] + Na[2] * SN[2];
      for (int k = 0; k < dim; k++)
        for (int l = 0; l < dim; l++) {
          double curved = k == l ? along : 0, sum = 0;
          for (int i = 0; i < 6; i++) sum += B[a][i][k] * DB[i][l];
          if (cell->mean_dilatation)
            curved += mean_curvature(large, p, (const double(*)[3])phi, (const double(*)[3])s, SC,
                                     a, k, b, l);
          K[(a * dim + k) * n + b * dim + l] += w * (sum + factor * ratio * curved);
        }
    }
  }
}

/* sigma = F~ S F~^T / det F~, F~ = sqrt(1 + beyond) F. */
void dls_cell_large_cauchy(const DlsCellLarge *large, int p, const double S[6], double sigma[6]) {
  static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  const DlsCellLargePoint *point = &large->point[p];
  const double J = large->cell->mean_dilatation ? large->mean_J : point->J;
  for (int i = 0; i < 6; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        sum += point->F[at[i][0]][k] * S[place[k][l]] * point->F[at[i][1]][l];
    sigma[i] = (1 + point->beyond) * sum / J;
  }
}
