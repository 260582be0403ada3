#include "fem/element.h"

#include <math.h>
#include <string.h>

#include "fem/quadrature.h"

/* ---- Products of lines: corners at the signs of `place` ---- */

static void line2(const double x[3], double *N, double (*dN)[3]) {
  memset(dN, 0, 2 * sizeof *dN);
  N[0] = (1 - x[0]) / 2, N[1] = (1 + x[0]) / 2;
  dN[0][0] = -0.5, dN[1][0] = 0.5;
}

static void line3(const double x[3], double *N, double (*dN)[3]) {
  memset(dN, 0, 3 * sizeof *dN);
  N[0] = x[0] * (x[0] - 1) / 2, N[1] = x[0] * (x[0] + 1) / 2, N[2] = 1 - x[0] * x[0];
  dN[0][0] = x[0] - 0.5, dN[1][0] = x[0] + 0.5, dN[2][0] = -2 * x[0];
}

static const double line_place[][3] = {{-1}, {1}, {0}};
static const double square_place[][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                         {0, -1},  {1, 0},  {0, 1}, {-1, 0}};
static const double cube_place[][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void q4(const double x[3], double *N, double (*dN)[3]) {
  for (int a = 0; a < 4; a++) {
    const double *s = square_place[a], f = 1 + s[0] * x[0], g = 1 + s[1] * x[1];
    N[a] = f * g / 4;
    dN[a][0] = s[0] * g / 4, dN[a][1] = f * s[1] / 4, dN[a][2] = 0;
  }
}

/* Serendipity. */
static void q8(const double x[3], double *N, double (*dN)[3]) {
  for (int a = 0; a < 4; a++) {
    const double *s = square_place[a], f = 1 + s[0] * x[0], g = 1 + s[1] * x[1];
    const double k = s[0] * x[0] + s[1] * x[1] - 1;
    N[a] = f * g * k / 4;
    dN[a][0] = s[0] * g * (k + f) / 4, dN[a][1] = s[1] * f * (k + g) / 4, dN[a][2] = 0;
  }
  for (int a = 4; a < 8; a++) {
    const int along = square_place[a][0] == 0 ? 0 : 1, across = !along; /* of its side */
    const double s = square_place[a][across], f = 1 - x[along] * x[along], g = 1 + s * x[across];
    N[a] = f * g / 2;
    dN[a][along] = -x[along] * g, dN[a][across] = f * s / 2, dN[a][2] = 0;
  }
}

static void hex8(const double x[3], double *N, double (*dN)[3]) {
  for (int a = 0; a < 8; a++) {
    const double *s = cube_place[a];
    const double f = 1 + s[0] * x[0], g = 1 + s[1] * x[1], h = 1 + s[2] * x[2];
    N[a] = f * g * h / 8;
    dN[a][0] = s[0] * g * h / 8, dN[a][1] = f * s[1] * h / 8, dN[a][2] = f * g * s[2] / 8;
  }
}

/* ---- Simplices, by their barycentric coordinates L_0 = 1 - sum x, L_i = x_(i - 1) ---- */

static const double triangle_place[][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const double tetrahedron_place[][3] = {
    {0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
    {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const double wedge_place[][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1},
                                        {0, 0, 1},  {1, 0, 1},  {0, 1, 1}};

static void barycentric(int dim, const double x[3], double L[4], double dL[4][3]) {
  memset(dL, 0, 4 * sizeof *dL);
  L[0] = 1;
  for (int k = 0; k < dim; k++) {
    L[0] -= x[k];
    L[k + 1] = x[k];
    dL[0][k] = -1, dL[k + 1][k] = 1;
  }
}

static void simplex1(int dim, const double x[3], double *N, double (*dN)[3]) {
  double L[4], dL[4][3];
  barycentric(dim, x, L, dL);
  memcpy(N, L, (size_t)(dim + 1) * sizeof *N);
  memcpy(dN, dL, (size_t)(dim + 1) * sizeof *dN);
}

static void simplex2(int dim, const double x[3], double *N, double (*dN)[3]) {
  static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  double L[4], dL[4][3];
  barycentric(dim, x, L, dL);
  for (int a = 0; a <= dim; a++) {
    N[a] = L[a] * (2 * L[a] - 1);
    for (int k = 0; k < 3; k++) dN[a][k] = (4 * L[a] - 1) * dL[a][k];
  }
  const int edges = dim == 2 ? 3 : 6;
  for (int e = 0; e < edges; e++) {
    const int i = edge[e][0], j = edge[e][1], a = dim + 1 + e;
    N[a] = 4 * L[i] * L[j];
    for (int k = 0; k < 3; k++) dN[a][k] = 4 * (L[i] * dL[j][k] + dL[i][k] * L[j]);
  }
}

static void t3(const double x[3], double *N, double (*dN)[3]) { simplex1(2, x, N, dN); }
static void t6(const double x[3], double *N, double (*dN)[3]) { simplex2(2, x, N, dN); }
static void tet4(const double x[3], double *N, double (*dN)[3]) { simplex1(3, x, N, dN); }
static void tet10(const double x[3], double *N, double (*dN)[3]) { simplex2(3, x, N, dN); }

static void wedge6(const double x[3], double *N, double (*dN)[3]) {
  double L[3], dL[3][3];
  simplex1(2, x, L, dL);
  for (int a = 0; a < 6; a++) {
    const double s = a < 3 ? -1 : 1, f = (1 + s * x[2]) / 2;
    N[a] = L[a % 3] * f;
    dN[a][0] = dL[a % 3][0] * f, dN[a][1] = dL[a % 3][1] * f, dN[a][2] = L[a % 3] * s / 2;
  }
}

/* ---- The kinds ---- */

#define KIND(name_, dim_, nodes_, corners_, order_, inner_, matter_, place_, function)             \
  .name = name_, .dim = dim_, .nodes = nodes_, .corners = corners_, .order = order_,               \
  .place = place_, .interpolate = function, .inner = &inner_, .matter = &matter_

static const DlsElementKind kinds[] = {
    [DLS_LINE2] = {KIND("LINE2", 1, 2, 2, 1, dls_line_1, dls_line_3, line_place, line2)},
    [DLS_LINE3] = {KIND("LINE3", 1, 3, 2, 2, dls_line_3, dls_line_5, line_place, line3)},
    [DLS_T3] = {KIND("T3", 2, 3, 3, 1, dls_triangle_1, dls_triangle_2, triangle_place, t3),
                .sides = 3,
                .side = {{DLS_LINE2, {0, 1}}, {DLS_LINE2, {1, 2}}, {DLS_LINE2, {2, 0}}}},
    [DLS_T6] = {KIND("T6", 2, 6, 3, 2, dls_triangle_2, dls_triangle_4, triangle_place, t6),
                .sides = 3,
                .side = {{DLS_LINE3, {0, 1, 3}}, {DLS_LINE3, {1, 2, 4}}, {DLS_LINE3, {2, 0, 5}}}},
    [DLS_Q4] = {KIND("Q4", 2, 4, 4, 1, dls_square_3, dls_square_3, square_place, q4),
                .mean_dilatation = 1, .sides = 4,
                .side = {{DLS_LINE2, {0, 1}},
                         {DLS_LINE2, {1, 2}},
                         {DLS_LINE2, {2, 3}},
                         {DLS_LINE2, {3, 0}}}},
    [DLS_Q8] = {KIND("Q8", 2, 8, 4, 2, dls_square_5, dls_square_5, square_place, q8), .sides = 4,
                .side = {{DLS_LINE3, {0, 1, 4}},
                         {DLS_LINE3, {1, 2, 5}},
                         {DLS_LINE3, {2, 3, 6}},
                         {DLS_LINE3, {3, 0, 7}}}},
    [DLS_TET4] = {KIND("TET4", 3, 4, 4, 1, dls_tetrahedron_1, dls_tetrahedron_2, tetrahedron_place,
                       tet4),
                  .sides = 4,
                  .side = {{DLS_T3, {0, 2, 1}},
                           {DLS_T3, {0, 1, 3}},
                           {DLS_T3, {1, 2, 3}},
                           {DLS_T3, {2, 0, 3}}}},
    [DLS_TET10] = {KIND("TET10", 3, 10, 4, 2, dls_tetrahedron_2, dls_tetrahedron_5,
                        tetrahedron_place, tet10),
                   .sides = 4,
                   .side = {{DLS_T6, {0, 2, 1, 6, 5, 4}},
                            {DLS_T6, {0, 1, 3, 4, 8, 7}},
                            {DLS_T6, {1, 2, 3, 5, 9, 8}},
                            {DLS_T6, {2, 0, 3, 6, 7, 9}}}},
    [DLS_HEX8] = {KIND("HEX8", 3, 8, 8, 1, dls_cube_3, dls_cube_3, cube_place, hex8),
                  .mean_dilatation = 1, .sides = 6,
                  .side = {{DLS_Q4, {0, 3, 2, 1}},
                           {DLS_Q4, {4, 5, 6, 7}},
                           {DLS_Q4, {0, 1, 5, 4}},
                           {DLS_Q4, {1, 2, 6, 5}},
                           {DLS_Q4, {2, 3, 7, 6}},
                           {DLS_Q4, {3, 0, 4, 7}}}},
    [DLS_WEDGE6] = {KIND("WEDGE6", 3, 6, 6, 1, dls_wedge_2_3, dls_wedge_2_3, wedge_place, wedge6),
                    .sides = 5,
                    .side = {{DLS_T3, {0, 2, 1}},
                             {DLS_T3, {3, 4, 5}},
                             {DLS_Q4, {0, 1, 4, 3}},
                             {DLS_Q4, {1, 2, 5, 4}},
                             {DLS_Q4, {2, 0, 3, 5}}}},
};

const DlsElementKind *dls_element_kind(int type) {
  return type >= 0 && type < DLS_ELEMENTS ? &kinds[type] : NULL;
}

int dls_element_find(const char *name) {
  for (int type = 0; type < DLS_ELEMENTS; type++)
    if (strcmp(kinds[type].name, name) == 0) return type;
  return -1;
}

/* ---- Cells in space ---- */

/* J = dX/dx, [3][3], the identity along axes that the cell has not; its determinant. */
static double jacobian(const DlsElementKind *kind, const double (*X)[3], const double (*dN)[3],
                       double J[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      J[i][k] = i == k && i >= kind->dim;
      for (int a = 0; a < kind->nodes && i < kind->dim && k < kind->dim; a++)
        J[i][k] += X[a][i] * dN[a][k];
    }
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

double dls_element_gradient(const DlsElementKind *kind, const double (*X)[3], const double x[3],
                            double *N, double (*gradient)[3]) {
  double dN[DLS_ELEMENT_NODES][3], J[3][3], inverse[3][3];
  kind->interpolate(x, N, dN);
  const double ratio = jacobian(kind, X, (const double(*)[3])dN, J);
  if (ratio == 0) return 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const int p = (k + 1) % 3, q = (k + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
      inverse[i][k] = (J[p][r] * J[q][s] - J[p][s] * J[q][r]) / ratio;
    }
  for (int a = 0; a < kind->nodes; a++)
    for (int k = 0; k < 3; k++) {
      gradient[a][k] = 0;
      for (int i = 0; i < kind->dim; i++) gradient[a][k] += dN[a][i] * inverse[i][k];
    }
  return ratio;
}

/* The ratio of volumes at a place, and N. */
static double ratio_at(const DlsElementKind *kind, const double (*X)[3], const double x[3],
                       double *N) {
  double dN[DLS_ELEMENT_NODES][3], J[3][3];
  kind->interpolate(x, N, dN);
  return jacobian(kind, X, (const double(*)[3])dN, J);
}

double dls_element_volume(const DlsElementKind *kind, const double (*X)[3]) {
  double N[DLS_ELEMENT_NODES], sum = 0;
  for (int p = 0; p < kind->matter->count; p++) {
    const DlsQuadraturePoint *q = &kind->matter->point[p];
    sum += q->weight * ratio_at(kind, X, q->x, N);
  }
  return sum;
}

void dls_element_side_weights(const DlsElementKind *side, const double (*X)[3], double *w,
                              double area[3]) {
  memset(w, 0, (size_t)side->nodes * sizeof *w);
  memset(area, 0, 3 * sizeof *area);
  for (int p = 0; p < side->matter->count; p++) {
    const DlsQuadraturePoint *q = &side->matter->point[p];
    double N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3], t[2][3] = {{0}};
    side->interpolate(q->x, N, dN);
    for (int a = 0; a < side->nodes; a++)
      for (int k = 0; k < 3; k++) {
        t[0][k] += dN[a][0] * X[a][k];
        t[1][k] += dN[a][1] * X[a][k];
      }
    if (side->dim == 1) t[1][2] = 1; /* out of the plane: t x z is to the right of the way */
    const double normal[3] = {t[0][1] * t[1][2] - t[0][2] * t[1][1],
                              t[0][2] * t[1][0] - t[0][0] * t[1][2],
                              t[0][0] * t[1][1] - t[0][1] * t[1][0]};
    const double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int a = 0; a < side->nodes; a++) w[a] += q->weight * N[a] * size;
    for (int k = 0; k < 3; k++) area[k] += q->weight * normal[k];
  }
}

void dls_element_lump(const DlsElementKind *kind, const double (*X)[3], double *share) {
  double N[DLS_ELEMENT_NODES], sum = 0;
  memset(share, 0, (size_t)kind->nodes * sizeof *share);
  for (int p = 0; p < kind->matter->count; p++) {
    const DlsQuadraturePoint *q = &kind->matter->point[p];
    const double weight = q->weight * ratio_at(kind, X, q->x, N);
    for (int a = 0; a < kind->nodes; a++) share[a] += weight * N[a] * N[a];
  }
  for (int a = 0; a < kind->nodes; a++) sum += share[a];
  for (int a = 0; a < kind->nodes; a++) share[a] /= sum;
}
