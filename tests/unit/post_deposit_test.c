/* Fields against plain sums, node by node: tiles, batches and rows of the deposit change
 * nothing. */
#include "tests/test.h"

#include <math.h>

#include "base/random.h"
#include "post/field/field.h"
#include "post/probe.h"

enum { GRAINS = 30, CONTACTS = 45 };

/* Grains anywhere, contacts of any two or with a wall, at points off the line of centres; some
 * grains are held. */
static void make(DlsPacking *g, int dim) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  CHECK_OK(dls_packing_reserve(g, GRAINS, CONTACTS));
  g->dim = dim;
  for (int i = 0; i < GRAINS; i++) {
    g->mass[i] = 1 + dls_random_unit(&random);
    g->volume[i] = dls_random_unit(&random);
    g->radius[i] = 0.5;
    g->held[i] = i % 7 == 6;
    for (int k = 0; k < dim; k++) {
      g->centre[i][k] = 4 * dls_random_unit(&random);
      g->velocity[i][k] = dls_random_normal(&random);
    }
  }
  for (int c = 0; c < CONTACTS; c++) {
    const int i = g->candidate[c] = c % GRAINS;
    g->antagonist[c] = c % 4 == 3 ? -1 : (i + 1 + c / GRAINS) % GRAINS;
    const double *x = g->centre[i];
    const double *y = g->antagonist[c] < 0 ? x : g->centre[g->antagonist[c]];
    g->normal_force[c] = 1;
    for (int k = 0; k < dim; k++) {
      const double off = c % 3 ? 0.3 * dls_random_normal(&random) : 0; /* else on the line */
      g->point[c][k] = 0.5 * (x[k] + y[k]) + (g->antagonist[c] < 0 ? 0.5 : off);
      g->force[c][k] = dls_random_normal(&random);
      g->normal[c][k] = k == c % dim;
    }
  }
}

/* The mean of phi(x - .) along the way from a to b: by Gauss's rule on pieces of at most 1.5
 * widths, of 2 points where the way has at most one; of a top-hat exactly. Widths of Lucy's kernel
 * count half. */
static double mean_phi(const DlsKernel *kernel, int dim, const double x[3], const double a[3],
                       const double b[3]) {
  static const double place[2][3] = {{0.21132486540518713, 0.78867513459481287},
                                     {0.11270166537925831, 0.5, 0.88729833462074169}};
  static const double share[2][3] = {{0.5, 0.5}, {5.0 / 18, 8.0 / 18, 5.0 / 18}};
  double length = 0, sum = 0;
  for (int k = 0; k < 3; k++) length += (b[k] - a[k]) * (b[k] - a[k]);
  if (kernel->kind == DLS_KERNEL_TOP_HAT && length > 0) {
    DlsProbe ball = {.kind = DLS_PROBE_SPHERE, .radius = kernel->width};
    for (int k = 0; k < 3; k++) ball.centre[k] = x[k];
    return dls_kernel_factor(kernel, dim) * dls_probe_share(&ball, dim, a, b);
  }
  length = sqrt(length) / (kernel->kind == DLS_KERNEL_LUCY ? 0.5 : 1) / kernel->width;
  const int points = length > 1 ? 3 : 2, pieces = length > 1.5 ? (int)ceil(length / 1.5) : 1;
  for (int n = 0; n < points * pieces; n++) {
    const int piece = n / points;
    const double t = (piece + place[points - 2][n % points]) / pieces;
    double offset[3];
    for (int k = 0; k < 3; k++) offset[k] = x[k] - a[k] - t * (b[k] - a[k]);
    sum += share[points - 2][n % points] / pieces * dls_kernel_value(kernel, dim, offset);
  }
  return sum;
}

static void add_arm(const DlsPacking *g, const DlsKernel *kernel, const double x[3], int grain,
                    int c, double sign, double stress[9], double wall[3]) {
  const double *a = g->centre[grain], *b = g->point[c];
  const double phi = mean_phi(kernel, g->dim, x, a, b);
  for (int n = 0; n < 9; n++) stress[n] += sign * g->force[c][n / 3] * (b[n % 3] - a[n % 3]) * phi;
  for (int k = 0; k < 3; k++) wall[k] += sign * g->force[c][k] * mean_phi(kernel, g->dim, x, b, b);
}

/* Of balls in a row the rule goes from centre to centre, else along each arm; both are right, and
 * differ by its error. */
static bool is_straight(const DlsPacking *g, int c) { return g->antagonist[c] >= 0 && c % 3 == 0; }

static void check_node(const DlsPacking *g, const DlsField *f, int node) {
  double x[3], density = 0, momentum[3] = {0}, stress[9] = {0}, wall[3] = {0}, contacts = 0;
  dls_field_place(&f->grid, node, x);
  for (int i = 0; i < g->grains; i++) {
    const double phi = mean_phi(&f->kernel, g->dim, x, g->centre[i], g->centre[i]);
    if (g->held[i]) continue;
    density += g->mass[i] * phi;
    for (int k = 0; k < 3; k++) momentum[k] += g->mass[i] * g->velocity[i][k] * phi;
  }
  for (int c = 0; c < g->contacts; c++) {
    const int i = g->candidate[c], j = g->antagonist[c];
    const bool first = !g->held[i], second = dls_packing_is_free(g, j);
    double none[3];
    contacts += mean_phi(&f->kernel, g->dim, x, g->point[c], g->point[c]);
    if (first && second && is_straight(g, c)) {
      const double phi = mean_phi(&f->kernel, g->dim, x, g->centre[i], g->centre[j]);
      for (int n = 0; n < 9; n++)
        stress[n] += g->force[c][n / 3] * (g->centre[j][n % 3] - g->centre[i][n % 3]) * phi;
      continue;
    }
    if (first) add_arm(g, &f->kernel, x, i, c, 1, stress, second ? none : wall);
    if (second) add_arm(g, &f->kernel, x, j, c, -1, stress, first ? none : wall);
  }
  const double scale = dls_kernel_factor(&f->kernel, g->dim); /* of one grain at the node */
  CHECK_NEAR(f->density[node], density, 1e-10 * scale);
  CHECK_NEAR(f->contacts[node], contacts, 1e-10 * scale);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(f->velocity[node][k] * density, momentum[k], 1e-10 * scale);
    CHECK_NEAR(f->wall_force[node][k], wall[k], 1e-10 * scale);
  }
  for (int n = 0; n < 9; n++) CHECK_NEAR(f->stress[node][n], stress[n], 1e-10 * scale);
}

static void check_fields(int dim, DlsFieldGrid grid, int every) {
  static const char *const texts[] = {"gauss:0.15", "gauss:0.7",   "gauss:2",    "lucy:0.4",
                                      "lucy:1.5",   "top-hat:0.3", "top-hat:1.1"};
  DlsPacking g = {0};
  make(&g, dim);
  for (int n = 0; n < DLS_COUNT(texts); n++) {
    DlsKernel kernel;
    DlsField field = {0};
    CHECK_OK(dls_kernel_read(texts[n], 1, &kernel));
    CHECK_OK(dls_field(&g, &grid, &kernel, 0, &field));
    for (int node = 0; node < field.nodes; node += every) check_node(&g, &field, node);
    dls_field_clear(&field);
  }
  dls_packing_clear(&g);
}

/* Rows so long that a tile holds a few alone: 8 of the 21 in the plane, 2 x 2 of the 5 x 5 in
 * space. */
TEST(fields_in_the_plane_are_the_plain_sums) {
  check_fields(2, (DlsFieldGrid){{1001, 21, 1}, {-1.03, -0.52, 0}, {5.11, 4.57, 0}}, 17);
}
TEST(fields_in_space_are_the_plain_sums) {
  check_fields(3, (DlsFieldGrid){{1803, 5, 5}, {-0.71, -0.52, 0.13}, {4.37, 4.57, 3.29}}, 37);
}
TEST(fields_at_one_node_are_the_plain_sums) {
  check_fields(3, (DlsFieldGrid){{1, 1, 1}, {1.93, 2.11, 1.57}, {1.93, 2.11, 1.57}}, 1);
}
