/* Interpolations, rules of integration and sides of the elements. */
#include "tests/test.h"

#include <string.h>

#include "base/random.h"
#include "fem/element.h"
#include "fem/quadrature.h"

/* The integral of x^i y^j z^k over the reference cell of a kind. */
static double monomial(DlsElementType type, int i, int j, int k) {
  static const double factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};
  const double line[3] = {i % 2 ? 0 : 2.0 / (i + 1), j % 2 ? 0 : 2.0 / (j + 1),
                          k % 2 ? 0 : 2.0 / (k + 1)};
  switch (type) {
  case DLS_LINE2:
  case DLS_LINE3:
    return j || k ? 0 : line[0];
  case DLS_Q4:
  case DLS_Q8:
    return k ? 0 : line[0] * line[1];
  case DLS_HEX8:
    return line[0] * line[1] * line[2];
  case DLS_WEDGE6:
    return factorial[i] * factorial[j] / factorial[i + j + 2] * line[2];
  case DLS_T3:
  case DLS_T6:
    return k ? 0 : factorial[i] * factorial[j] / factorial[i + j + 2];
  default:
    return factorial[i] * factorial[j] * factorial[k] / factorial[i + j + k + 3];
  }
}

/* Largest error over monomials of which each exponent, or in simplices their sum, is at most
 * `degree`; `third` bounds the exponent along the axis of a wedge. */
static double rule_error(DlsElementType type, const DlsQuadrature *rule, int degree, int third) {
  const DlsElementKind *kind = dls_element_kind(type);
  const bool sum = kind->corners == kind->dim + 1 && kind->dim > 1;
  double worst = 0;
  for (int i = 0; i <= degree; i++)
    for (int j = 0; j <= (kind->dim > 1 ? degree : 0); j++)
      for (int k = 0; k <= (kind->dim > 2 ? third : 0); k++) {
        if ((sum && i + j + k > degree) || (type == DLS_WEDGE6 && i + j > degree)) continue;
        double value = 0;
        for (int p = 0; p < rule->count; p++) {
          const double *x = rule->point[p].x;
          value += rule->point[p].weight * pow(x[0], i) * pow(x[1], j) * pow(x[2], k);
        }
        worst = fmax(worst, fabs(value - monomial(type, i, j, k)));
      }
  return worst;
}

TEST(rules_are_exact_to_their_degree_and_no_further) {
  const struct {
    DlsElementType type;
    const DlsQuadrature *rule;
    int degree;
  } rules[] = {
      {DLS_LINE2, &dls_line_1, 1},       {DLS_LINE2, &dls_line_3, 3},
      {DLS_LINE2, &dls_line_5, 5},       {DLS_T3, &dls_triangle_1, 1},
      {DLS_T3, &dls_triangle_2, 2},      {DLS_T3, &dls_triangle_4, 4},
      {DLS_Q4, &dls_square_3, 3},        {DLS_Q4, &dls_square_5, 5},
      {DLS_TET4, &dls_tetrahedron_1, 1}, {DLS_TET4, &dls_tetrahedron_2, 2},
      {DLS_TET4, &dls_tetrahedron_5, 5}, {DLS_HEX8, &dls_cube_3, 3},
  };
  for (int r = 0; r < DLS_COUNT(rules); r++) {
    const int degree = rules[r].degree;
    CHECK_BELOW(rule_error(rules[r].type, rules[r].rule, degree, degree), 1e-15);
    CHECK(rule_error(rules[r].type, rules[r].rule, degree + 1, degree + 1) > 1e-6);
  }
  CHECK_BELOW(rule_error(DLS_WEDGE6, &dls_wedge_2_3, 2, 3), 1e-15);
}

TEST(interpolations_are_one_at_their_node_and_sum_to_one) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int type = 0; type < DLS_ELEMENTS; type++) {
    const DlsElementKind *kind = dls_element_kind(type);
    double N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3];
    CHECK_INT(dls_element_find(kind->name), type);
    CHECK(kind->nodes <= DLS_ELEMENT_NODES && kind->matter->count <= DLS_ELEMENT_POINTS);
    for (int a = 0; a < kind->nodes; a++) {
      kind->interpolate(kind->place[a], N, dN);
      for (int b = 0; b < kind->nodes; b++) CHECK_NEAR(N[b], a == b, 1e-15);
    }
    for (int trial = 0; trial < 20; trial++) {
      double x[3] = {0}, sum = 0, slope[3] = {0};
      for (int k = 0; k < kind->dim; k++) x[k] = dls_random_between(&random, -1, 1);
      kind->interpolate(x, N, dN);
      for (int a = 0; a < kind->nodes; a++) {
        sum += N[a];
        for (int k = 0; k < 3; k++) slope[k] += dN[a][k];
      }
      CHECK_NEAR(sum, 1, 1e-14);
      for (int k = 0; k < 3; k++) CHECK_NEAR(slope[k], 0, 1e-14);
      for (int k = 0; k < kind->dim; k++) { /* quadratics are exact by central differences; the
                                               cubic terms leave step^2 */
        const double step = 1e-4;
        double left[DLS_ELEMENT_NODES], right[DLS_ELEMENT_NODES], unused[DLS_ELEMENT_NODES][3];
        double at[3] = {x[0], x[1], x[2]};
        at[k] = x[k] - step;
        kind->interpolate(at, left, unused);
        at[k] = x[k] + step;
        kind->interpolate(at, right, unused);
        for (int a = 0; a < kind->nodes; a++)
          CHECK_NEAR((right[a] - left[a]) / (2 * step), dN[a][k], 1e-7);
      }
    }
  }
}

/* A cell whose nodes stand at A x + b, x those of the reference cell. */
static void affine(const DlsElementKind *kind, double X[DLS_ELEMENT_NODES][3]) {
  static const double A[3][3] = {{1.1, 0.2, 0.1}, {-0.1, 0.9, 0.3}, {0.05, -0.2, 1.3}};
  for (int a = 0; a < kind->nodes; a++)
    for (int i = 0; i < 3; i++) {
      X[a][i] = 0.5 * i;
      for (int k = 0; k < kind->dim && i < kind->dim; k++) X[a][i] += A[i][k] * kind->place[a][k];
    }
}

/* Sum of outward area vectors is 0; the integral of x . n over them is dim times the volume, which
 * fails for a side that looks inwards. */
TEST(sides_close_the_element_and_look_outwards) {
  for (int type = DLS_T3; type < DLS_ELEMENTS; type++) {
    const DlsElementKind *kind = dls_element_kind(type);
    double X[DLS_ELEMENT_NODES][3], sum[3] = {0}, flux = 0;
    affine(kind, X);
    for (int s = 0; s < kind->sides; s++) {
      const DlsElementKind *side = dls_element_kind(kind->side[s].type);
      double Y[DLS_ELEMENT_NODES][3], w[DLS_ELEMENT_NODES], area[3], total = 0, mean[3] = {0};
      for (int a = 0; a < side->nodes; a++) memcpy(Y[a], X[kind->side[s].node[a]], sizeof Y[a]);
      dls_element_side_weights(side, (const double(*)[3])Y, w, area);
      for (int a = 0; a < side->nodes; a++) {
        total += w[a];
        for (int k = 0; k < 3; k++) mean[k] += w[a] * Y[a][k];
      }
      for (int k = 0; k < 3; k++) {
        sum[k] += area[k];
        flux += area[k] * mean[k] / total; /* flat sides: n is constant */
      }
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(sum[k], 0, 1e-14);
    const double volume = dls_element_volume(kind, (const double(*)[3])X);
    CHECK(volume > 0);
    CHECK_NEAR(flux, kind->dim * volume, 1e-13);
  }
}

TEST(linear_fields_have_their_gradient_and_masses_are_above_zero) {
  const double g[3] = {0.7, -1.3, 0.4};
  for (int type = DLS_T3; type < DLS_ELEMENTS; type++) {
    const DlsElementKind *kind = dls_element_kind(type);
    double X[DLS_ELEMENT_NODES][3], share[DLS_ELEMENT_NODES], sum = 0;
    affine(kind, X);
    for (int p = 0; p < kind->inner->count; p++) {
      double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3], found[3] = {0};
      const double ratio =
          dls_element_gradient(kind, (const double(*)[3])X, kind->inner->point[p].x, N, gradient);
      CHECK(ratio > 0);
      for (int a = 0; a < kind->nodes; a++)
        for (int k = 0; k < 3; k++)
          found[k] += gradient[a][k] *
                      (g[0] * X[a][0] + g[1] * X[a][1] + (kind->dim == 3 ? g[2] * X[a][2] : 0));
      for (int k = 0; k < kind->dim; k++) CHECK_NEAR(found[k], g[k], 1e-13);
    }
    dls_element_lump(kind, (const double(*)[3])X, share);
    for (int a = 0; a < kind->nodes; a++) {
      CHECK(share[a] > 0);
      sum += share[a];
    }
    CHECK_NEAR(sum, 1, 1e-14);
  }
}

/* Turned inside out: two nodes changed places. */
TEST(an_inverted_cell_is_seen) {
  const DlsElementKind *kind = dls_element_kind(DLS_TET4);
  double X[DLS_ELEMENT_NODES][3], swap[3];
  affine(kind, X);
  memcpy(swap, X[0], sizeof swap);
  memcpy(X[0], X[1], sizeof swap);
  memcpy(X[1], swap, sizeof swap);
  CHECK(dls_element_volume(kind, (const double(*)[3])X) < 0);
}
