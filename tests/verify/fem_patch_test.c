/* Elements alone: the patch test of Irons, modes without energy, bending, and no locking of the
 * elements that take volume changes in the mean. */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include <delassus/bulk.h>

#include "base/random.h"
#include "base/small.h"
#include "fem/cell.h"

enum { MAX_NODES = 400, MAX_CELLS = 200 };

/* A small mesh of one kind of element, and its system, dense. */
typedef struct {
  const DlsElementKind *kind;
  int nodes, cells, dim;
  double X[MAX_NODES][3];
  int node[MAX_CELLS][DLS_ELEMENT_NODES];
} Mesh;

static Mesh mesh;

static int add_node(double x, double y, double z) {
  for (int a = 0; a < mesh.nodes; a++)
    if (hypot(hypot(mesh.X[a][0] - x, mesh.X[a][1] - y), mesh.X[a][2] - z) < 1e-9) return a;
  CHECK(mesh.nodes < MAX_NODES);
  mesh.X[mesh.nodes][0] = x, mesh.X[mesh.nodes][1] = y, mesh.X[mesh.nodes][2] = z;
  return mesh.nodes++;
}

/* A cell of these corners; nodes on its edges are halfway. */
static void add_cell(const double (*corner)[3]) {
  static const int edges[DLS_ELEMENTS][6][2] = {
      [DLS_T6] = {{0, 1}, {1, 2}, {2, 0}},
      [DLS_Q8] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
      [DLS_TET10] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  const DlsElementKind *kind = mesh.kind;
  int *node = mesh.node[mesh.cells++];
  for (int a = 0; a < kind->corners; a++)
    node[a] = add_node(corner[a][0], corner[a][1], corner[a][2]);
  for (int a = kind->corners; a < kind->nodes; a++) {
    const int *e = edges[dls_element_find(kind->name)][a - kind->corners];
    const double *p = corner[e[0]], *q = corner[e[1]];
    node[a] = add_node((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
  }
}

/* A block of nx x ny (x nz) boxes, each cut into cells of the kind; boxes are placed by `at`. */
static void block(DlsElementType type, const int count[3],
                  void (*at)(const double x[3], double *)) {
  static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                 {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  static const int wedges[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
  static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
  memset(&mesh, 0, sizeof mesh);
  mesh.kind = dls_element_kind((int)type);
  mesh.dim = mesh.kind->dim;
  const int layers = mesh.dim == 3 ? count[2] : 1, corners = mesh.kind->corners;
  const bool whole = corners == (mesh.dim == 3 ? 8 : 4);
  const int pieces = whole ? 1 : mesh.dim == 2 ? 2 : corners == 6 ? 2 : 6;
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++)
      for (int k = 0; k < layers; k++) {
        double x[8][3], corner[8][3];
        for (int c = 0; c < 8; c++) {
          const double s[3] = {(double)(i + cube[c][0]) / count[0],
                               (double)(j + cube[c][1]) / count[1],
                               mesh.dim == 3 ? (double)(k + cube[c][2]) / count[2] : 0};
          at(s, x[c]);
        }
        for (int p = 0; p < pieces; p++) {
          for (int a = 0; a < corners; a++) {
            const int c = whole           ? a
                          : mesh.dim == 2 ? triangles[p][a]
                          : corners == 6  ? wedges[p][a]
                                          : tets[p][a];
            memcpy(corner[a], x[c], sizeof corner[a]);
          }
          add_cell((const double(*)[3])corner);
        }
      }
}

static double lambda, mu;
static void material(double young, double poisson) { dls_bulk_lame(young, poisson, &lambda, &mu); }

/* K of the mesh, [n][n]; the caller frees it. */
static double *stiffness(void) {
  const int dim = mesh.dim, n = mesh.nodes * dim, own = mesh.kind->nodes * dim;
  double *K = calloc((size_t)n * (size_t)n, sizeof *K), zero[6] = {0}, stress[6], tangent[36];
  dls_bulk_hooke(lambda, mu, zero, stress, tangent);
  for (int c = 0; c < mesh.cells; c++) {
    double X[DLS_ELEMENT_NODES][3], k[DLS_CELL_VELOCITIES * DLS_CELL_VELOCITIES] = {0};
    DlsCell cell;
    for (int a = 0; a < mesh.kind->nodes; a++) memcpy(X[a], mesh.X[mesh.node[c][a]], sizeof X[a]);
    CHECK_OK(dls_cell_prepare(mesh.kind, (const double(*)[3])X, 1, &cell));
    for (int p = 0; p < mesh.kind->inner->count; p++) dls_cell_add_stiffness(&cell, p, tangent, k);
    for (int i = 0; i < own; i++)
      for (int j = 0; j < own; j++) {
        const int row = mesh.node[c][i / dim] * dim + i % dim;
        const int column = mesh.node[c][j / dim] * dim + j % dim;
        K[(size_t)row * (size_t)n + (size_t)column] += k[i * own + j];
      }
  }
  return K;
}

/* K u = f where held[i] is 0, u as given elsewhere: Cholesky, dense. */
static void solve(double *K, const double *f, const int *held, double *u) {
  const int n = mesh.nodes * mesh.dim;
  double *b = calloc((size_t)n, sizeof *b);
  for (int i = 0; i < n; i++) {
    b[i] = f[i];
    for (int j = 0; j < n; j++)
      if (held[j]) b[i] -= K[(size_t)i * (size_t)n + (size_t)j] * u[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (held[i] || held[j]) K[(size_t)i * (size_t)n + (size_t)j] = i == j;
  for (int i = 0; i < n; i++)
    if (held[i]) b[i] = u[i];
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) {
      const double l = K[(size_t)j * (size_t)n + (size_t)k];
      if (l == 0) continue;
      for (int i = j; i < n; i++)
        K[(size_t)i * (size_t)n + (size_t)j] -= K[(size_t)i * (size_t)n + (size_t)k] * l;
    }
    const double pivot = sqrt(K[(size_t)j * (size_t)n + (size_t)j]);
    CHECK(pivot > 0);
    for (int i = j; i < n; i++) K[(size_t)i * (size_t)n + (size_t)j] /= pivot;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) b[i] -= K[(size_t)i * (size_t)n + (size_t)k] * b[k];
    b[i] /= K[(size_t)i * (size_t)n + (size_t)i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= K[(size_t)k * (size_t)n + (size_t)i] * b[k];
    b[i] /= K[(size_t)i * (size_t)n + (size_t)i];
  }
  memcpy(u, b, (size_t)n * sizeof *u);
  free(b);
}

/* Nodes within the unit block are moved, so that no cell is a parallelogram. */
static void distorted(const double s[3], double *x) {
  const double bulge = s[0] * (1 - s[0]) * s[1] * (1 - s[1]);
  const double depth = mesh.dim == 3 ? 4 * s[2] * (1 - s[2]) : 1;
  x[0] = s[0] + 0.9 * bulge * depth;
  x[1] = s[1] - 0.7 * bulge * depth;
  x[2] = mesh.dim == 3 ? s[2] + 0.8 * bulge * s[2] * (1 - s[2]) : 0;
}

static const DlsElementType solids[] = {DLS_T3,   DLS_T6,    DLS_Q4,   DLS_Q8,
                                        DLS_TET4, DLS_TET10, DLS_HEX8, DLS_WEDGE6};

/* Displacements are linear on the border: they are within, and the stress is one everywhere. The
 * block is one of distorted cells. */
TEST(patch_test) {
  static const double G[3][3] = {{1e-3, 2e-3, -5e-4}, {-1e-3, 4e-4, 3e-4}, {2e-4, 7e-4, -9e-4}};
  const int count[3] = {3, 3, 3};
  material(2.1e11, 0.3);
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    if (dls_element_kind((int)solids[t])->nodes == 10) {
      const int few[3] = {2, 2, 2};
      block(solids[t], few, distorted);
    } else {
      block(solids[t], count, distorted);
    }
    const int dim = mesh.dim, n = mesh.nodes * dim;
    double *K = stiffness(), *u = calloc((size_t)n, sizeof *u), *f = calloc((size_t)n, sizeof *f);
    double *exact = calloc((size_t)n, sizeof *exact);
    int *held = calloc((size_t)n, sizeof *held), inner = 0;
    for (int a = 0; a < mesh.nodes; a++) {
      bool border = false;
      for (int k = 0; k < dim; k++) border |= fabs(mesh.X[a][k] * (1 - mesh.X[a][k])) < 1e-12;
      inner += !border;
      for (int k = 0; k < dim; k++) {
        for (int l = 0; l < dim; l++) exact[a * dim + k] += G[k][l] * mesh.X[a][l];
        held[a * dim + k] = border;
        u[a * dim + k] = border ? exact[a * dim + k] : 0;
      }
    }
    CHECK(inner > 0);
    solve(K, f, held, u);
    for (int i = 0; i < n; i++) CHECK_NEAR(u[i], exact[i], 1e-12 * 4e-3);
    double strain[6] = {G[0][0], G[1][1], 0, G[0][1] + G[1][0], 0, 0}, wanted[6], stress[6];
    if (dim == 3) strain[2] = G[2][2], strain[4] = G[1][2] + G[2][1], strain[5] = G[0][2] + G[2][0];
    dls_bulk_hooke(lambda, mu, strain, wanted, NULL);
    for (int c = 0; c < mesh.cells; c++) {
      double X[DLS_ELEMENT_NODES][3], own[DLS_CELL_VELOCITIES];
      DlsCell cell;
      for (int a = 0; a < mesh.kind->nodes; a++) {
        memcpy(X[a], mesh.X[mesh.node[c][a]], sizeof X[a]);
        memcpy(own + a * dim, u + mesh.node[c][a] * dim, (size_t)dim * sizeof *own);
      }
      CHECK_OK(dls_cell_prepare(mesh.kind, (const double(*)[3])X, 1, &cell));
      for (int p = 0; p < mesh.kind->inner->count; p++) {
        double found[6];
        dls_cell_strain(&cell, p, own, found);
        dls_bulk_hooke(lambda, mu, found, stress, NULL);
        for (int i = 0; i < 6; i++) CHECK_NEAR(stress[i], wanted[i], 1e-12 * 2.1e11 * 4e-3);
      }
    }
    free(K), free(u), free(f), free(exact), free(held);
  }
}

/* u = grad of the real part of (x + i y)^4, which keeps volumes and has no curl: it is in
 * equilibrium whatever lambda and mu. */
static void harmonic(const double *X, double *u) {
  const double x = X[0] + 0.3, y = X[1] - 0.2;
  u[0] = x * x * x - 3 * x * y * y;
  u[1] = y * y * y - 3 * x * x * y;
  u[2] = 0;
}

static void straight(const double s[3], double *x) {
  x[0] = s[0] + 0.25 * s[1], x[1] = s[1] + 0.1 * s[0] * s[0], x[2] = s[2];
}

/* Adds the forces that hold the exact field: those of its stress 2 mu epsilon, work for work. */
static void add_exact_forces(double *f) {
  const int dim = mesh.dim;
  DlsElementKind full = *mesh.kind;
  full.mean_dilatation = 0;
  for (int c = 0; c < mesh.cells; c++) {
    double X[DLS_ELEMENT_NODES][3], own[DLS_CELL_VELOCITIES] = {0};
    DlsCell cell;
    for (int a = 0; a < mesh.kind->nodes; a++) memcpy(X[a], mesh.X[mesh.node[c][a]], sizeof X[a]);
    CHECK_OK(dls_cell_prepare(&full, (const double(*)[3])X, 1, &cell));
    for (int p = 0; p < full.inner->count; p++) {
      double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3], x[3] = {0};
      dls_element_gradient(&full, (const double(*)[3])X, full.inner->point[p].x, N, gradient);
      for (int a = 0; a < full.nodes; a++)
        for (int k = 0; k < dim; k++) x[k] += N[a] * X[a][k];
      const double dx = x[0] + 0.3, dy = x[1] - 0.2, plain = 3 * (dx * dx - dy * dy);
      const double stress[6] = {2 * mu * plain, -2 * mu * plain, 0, -12 * mu * dx * dy, 0, 0};
      dls_cell_add_force(&cell, p, stress, own);
    }
    for (int i = 0; i < full.nodes * dim; i++) f[mesh.node[c][i / dim] * dim + i % dim] += own[i];
  }
}

/* The root of the mean square of the error at points of integration, over the largest displacement.
 * The border is moved by the exact field; free: its left side alone, the rest by forces. */
static double field_error(bool free_border) {
  const int dim = mesh.dim, n = mesh.nodes * dim;
  double *K = stiffness(), *u = calloc((size_t)n, sizeof *u), *f = calloc((size_t)n, sizeof *f);
  int *held = calloc((size_t)n, sizeof *held), *sides = calloc((size_t)mesh.nodes, sizeof *sides);
  double error = 0, volume = 0, largest = 0;
  /* Sides that only one cell has are the border: a node is there if such a side has it. */
  for (int c = 0; c < mesh.cells; c++)
    for (int s = 0; s < mesh.kind->sides; s++) {
      const DlsElementSide *side = &mesh.kind->side[s];
      const int count = dls_element_kind((int)side->type)->nodes;
      int owners = 0;
      for (int d = 0; d < mesh.cells; d++) {
        int common = 0;
        for (int a = 0; a < count; a++)
          for (int b = 0; b < mesh.kind->nodes; b++)
            common += mesh.node[d][b] == mesh.node[c][side->node[a]];
        owners += common == count;
      }
      for (int a = 0; a < count && owners == 1; a++) sides[mesh.node[c][side->node[a]]] = 1;
    }
  for (int a = 0; a < mesh.nodes; a++) {
    double exact[3];
    harmonic(mesh.X[a], exact);
    if (free_border) sides[a] = fabs(mesh.X[a][0] - 0.25 * mesh.X[a][1]) < 1e-12;
    for (int k = 0; k < dim; k++) {
      held[a * dim + k] = sides[a];
      if (sides[a]) u[a * dim + k] = exact[k];
      largest = fmax(largest, fabs(exact[k]));
    }
  }
  if (free_border) add_exact_forces(f);
  solve(K, f, held, u);
  for (int c = 0; c < mesh.cells; c++) {
    double X[DLS_ELEMENT_NODES][3], N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3];
    for (int a = 0; a < mesh.kind->nodes; a++) memcpy(X[a], mesh.X[mesh.node[c][a]], sizeof X[a]);
    for (int p = 0; p < mesh.kind->matter->count; p++) {
      const DlsQuadraturePoint *q = &mesh.kind->matter->point[p];
      const double w =
          q->weight * dls_element_gradient(mesh.kind, (const double(*)[3])X, q->x, N, gradient);
      double x[3] = {0}, found[3] = {0}, exact[3];
      for (int a = 0; a < mesh.kind->nodes; a++)
        for (int k = 0; k < dim; k++) {
          x[k] += N[a] * X[a][k];
          found[k] += N[a] * u[mesh.node[c][a] * dim + k];
        }
      harmonic(x, exact);
      for (int k = 0; k < dim; k++) error += w * pow(found[k] - exact[k], 2);
      volume += w;
    }
  }
  free(K), free(u), free(f), free(held), free(sides);
  return sqrt(error / volume) / largest;
}

/* Errors fall as h^2 for linear elements, as h^3 for quadratic ones. */
TEST(errors_fall_by_the_order_of_the_element) {
  material(1, 0.3);
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    const DlsElementKind *kind = dls_element_kind((int)solids[t]);
    const int coarse = kind->dim == 2 ? 4 : 2, fine = 2 * coarse;
    const int few[3] = {coarse, coarse, 1}, many[3] = {fine, fine, kind->nodes == 10 ? 1 : 2};
    block(solids[t], few, straight);
    const double first = field_error(false);
    block(solids[t], many, straight);
    const double second = field_error(false);
    const double order = log2(first / second);
    if (!(order > kind->order + 0.7))
      test_fail(__FILE__, __LINE__, "%s: %g then %g, order %.2f", kind->name, first, second, order);
  }
}

/* Near to nu = 1/2 those that take volume changes in the mean are as good as before. The same
 * elements without it are not. */
TEST(mean_dilatation_keeps_elements_from_locking) {
  const DlsElementType types[] = {DLS_Q4, DLS_HEX8};
  for (int t = 0; t < DLS_COUNT(types); t++) {
    const int count[3] = {6, 6, 2};
    DlsElementKind full = *dls_element_kind((int)types[t]);
    full.mean_dilatation = 0;
    block(types[t], count, straight);
    material(1, 0.3);
    const double soft = field_error(true);
    material(1, 0.49999);
    const double mean = field_error(true);
    mesh.kind = &full;
    const double locked = field_error(true);
    if (!(mean < 3 * soft && locked > 5 * mean))
      test_fail(__FILE__, __LINE__, "%s: %g at 0.3; %g at 0.49999, %g in full", full.name, soft,
                mean, locked);
  }
}

/* Rigid motions, small, give no strain; all else does: K of one cell has as many zeros as there
 * are rigid motions, seen by its pivots with the largest first. */
TEST(rigid_motions_alone_have_no_energy) {
  const int one[3] = {1, 1, 1};
  material(1, 0.3);
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    block(solids[t], one, distorted);
    mesh.cells = 1; /* the first cell alone; its nodes are the first */
    mesh.nodes = mesh.kind->nodes;
    const int n = mesh.nodes * mesh.dim, rigid = mesh.dim == 2 ? 3 : 6;
    double *K = stiffness(), first = 0;
    int rank = 0;
    for (; rank < n; rank++) { /* symmetric elimination with diagonal pivots */
      int best = rank;
      for (int i = rank; i < n; i++)
        if (K[i * n + i] > K[best * n + best]) best = i;
      for (int j = 0; j < n; j++) {
        const double swap = K[rank * n + j];
        K[rank * n + j] = K[best * n + j], K[best * n + j] = swap;
      }
      for (int i = 0; i < n; i++) {
        const double swap = K[i * n + rank];
        K[i * n + rank] = K[i * n + best], K[i * n + best] = swap;
      }
      const double pivot = K[rank * n + rank];
      if (rank == 0) first = pivot;
      if (pivot < 1e-10 * first) break;
      for (int i = rank + 1; i < n; i++)
        for (int j = n - 1; j >= rank; j--)
          K[i * n + j] -= K[i * n + rank] * K[rank * n + j] / pivot;
    }
    CHECK_INT(rank, n - rigid);
    free(K);
  }
}

/* The sum of all entries of M is the mass; inverted cells are refused with their corner. */
TEST(masses_and_refusals) {
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    const int one[3] = {1, 1, 1};
    block(solids[t], one, straight);
    double X[DLS_ELEMENT_NODES][3], M[DLS_ELEMENT_NODES * DLS_ELEMENT_NODES] = {0}, sum = 0;
    DlsCell cell;
    for (int a = 0; a < mesh.kind->nodes; a++) memcpy(X[a], mesh.X[mesh.node[0][a]], sizeof X[a]);
    dls_cell_mass(mesh.kind, (const double(*)[3])X, 7, 0.5, M);
    for (int i = 0; i < mesh.kind->nodes * mesh.kind->nodes; i++) sum += M[i];
    CHECK_OK(dls_cell_prepare(mesh.kind, (const double(*)[3])X, 0.5, &cell));
    CHECK_NEAR(sum, 7 * cell.volume, 1e-13);
    for (int k = 0; k < 3; k++) {
      const double swap = X[0][k];
      X[0][k] = X[1][k], X[1][k] = swap;
    }
    CHECK_FAILS(dls_cell_prepare(mesh.kind, (const double(*)[3])X, 0.5, &cell), DLS_ERR_ARGUMENT,
                "is inverted or flat at its corner");
  }
}
