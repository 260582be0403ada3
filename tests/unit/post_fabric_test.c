/* Texture of packings whose contacts are known: lattices, given distributions. */
#include "tests/test.h"

#include "base/random.h"
#include "post/chains.h"
#include "post/fabric.h"

static const double pi = 3.14159265358979323846;
static const DlsProbe everywhere = {.kind = DLS_PROBE_ALL};

/* Contacts of one grain with a boundary, normals as told. */
static void add_normals(DlsPacking *g, int dim, int count) {
  CHECK_OK(dls_packing_reserve(g, 1, count));
  g->dim = dim;
  g->volume[0] = g->mass[0] = g->radius[0] = 1;
  for (int c = 0; c < count; c++) {
    g->antagonist[c] = -1;
    g->normal_force[c] = 1;
  }
}

/* Directions of density (1 + a cos 2 (theta - t)) / 2 pi by rejection: the fit finds a and t, F
 * finds the same. */
TEST(the_fit_finds_the_density_of_directions) {
  enum { COUNT = 40000 };
  DlsPacking g = {0};
  DlsRandom random;
  DlsRose rose;
  DlsFabric fabric;
  const double a = 0.4, t = 0.3;
  dls_random_seed(&random, 2);
  add_normals(&g, 2, COUNT);
  for (int c = 0; c < COUNT;) {
    const double theta = dls_random_between(&random, 0, 2 * pi);
    if (dls_random_unit(&random) * (1 + a) > 1 + a * cos(2 * (theta - t))) continue;
    g.normal[c][0] = cos(theta);
    g.normal[c++][1] = sin(theta);
  }
  dls_rose(&g, &everywhere, &rose);
  CHECK_OK(dls_fabric(&g, &everywhere, &fabric));
  const double noise =
      4 * sqrt(2.0 / COUNT); /* four standard deviations of a mean of cosines, doubled */
  CHECK_NEAR(rose.a[0], a * cos(2 * t), noise);
  CHECK_NEAR(rose.b[0], a * sin(2 * t), noise);
  for (int k = 1; k < 3; k++) CHECK_NEAR(hypot(rose.a[k], rose.b[k]), 0, 1.5 * noise);
  CHECK_NEAR(fabric.anisotropy, hypot(rose.a[0], rose.b[0]), 1e-12);
  CHECK_NEAR(fabs(fabric.state.axis[0][0]), cos(t), 0.01);
  double sum = 0;
  for (int k = 0; k < DLS_ROSE_SECTORS; k++) {
    CHECK_NEAR(rose.count[0][k], rose.count[0][(k + 12) % 24], 0);
    const double middle = (k + 0.5) * 2 * pi / DLS_ROSE_SECTORS;
    CHECK_NEAR(rose.count[0][k] / rose.total / (2 * pi / DLS_ROSE_SECTORS),
               dls_rose_fit(&rose, middle), 0.01);
    sum += rose.count[0][k];
  }
  CHECK_NEAR(sum, 2 * COUNT, 0);
  dls_packing_clear(&g);
}

/* Uniform on the sphere: each bin has the same share, F = I / 3. */
TEST(bins_of_the_sphere_have_equal_areas) {
  enum { COUNT = 120000 };
  DlsPacking g = {0};
  DlsRandom random;
  DlsRose rose;
  DlsFabric fabric;
  dls_random_seed(&random, 4);
  add_normals(&g, 3, COUNT);
  for (int c = 0; c < COUNT; c++) {
    const double z = dls_random_between(&random, -1, 1),
                 turn = dls_random_between(&random, 0, 2 * pi);
    g.normal[c][0] = sqrt(1 - z * z) * cos(turn);
    g.normal[c][1] = sqrt(1 - z * z) * sin(turn);
    g.normal[c][2] = z;
  }
  dls_rose(&g, &everywhere, &rose);
  CHECK_OK(dls_fabric(&g, &everywhere, &fabric));
  for (int i = 0; i < DLS_ROSE_BANDS; i++)
    for (int j = 0; j < DLS_ROSE_SECTORS; j++) CHECK_NEAR(rose.count[i][j], 1000, 5 * sqrt(2000.0));
  for (int k = 0; k < 9; k++) CHECK_NEAR(fabric.fabric[k], k % 4 ? 0 : 1.0 / 3, 0.01);
  CHECK_BELOW(fabric.anisotropy, 0.03);
  dls_packing_clear(&g);
}

/* Forces of density exp(-f): the decay is 1, the histogram its integral. */
TEST(an_exponential_law_of_forces_is_found) {
  enum { COUNT = 50000 };
  DlsPacking g = {0};
  DlsRandom random;
  DlsForces forces;
  dls_random_seed(&random, 6);
  add_normals(&g, 2, COUNT);
  for (int c = 0; c < COUNT; c++) g.normal_force[c] = -5 * log(1 - dls_random_unit(&random));
  dls_forces(&g, &everywhere, 0, &forces);
  CHECK_NEAR(forces.mean, 5, 0.1);
  CHECK_NEAR(forces.decay, 1, 0.04);
  double sum = (double)forces.beyond / COUNT;
  for (int k = 0; k < DLS_FORCE_BINS; k++) {
    const double low = exp(-k * forces.width), high = exp(-(k + 1) * forces.width);
    CHECK_NEAR(forces.density[k], (low - high) / forces.width, 0.05);
    sum += forces.density[k] * forces.width;
  }
  CHECK_NEAR(sum, 1, 1e-12);
  dls_packing_clear(&g);
}

enum { SIDE = 6 };

/* A square lattice of balls with a force in each vertical contact, columns[i] of them, and weak
 * horizontal ones. */
static void make_lattice(DlsPacking *g, const double columns[SIDE], double across) {
  CHECK_OK(dls_packing_reserve(g, SIDE * SIDE, SIDE * (SIDE + 1) + SIDE * (SIDE - 1)));
  g->dim = 2;
  int c = 0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const int k = i * SIDE + j;
      g->centre[k][0] = i, g->centre[k][1] = j;
      g->radius[k] = 0.5;
      g->volume[k] = g->mass[k] = 1;
      for (int end = j == 0 ? 0 : 1; end < 2; end++, c++) { /* below at the foot, above always */
        g->candidate[c] = k;
        g->antagonist[c] = end && j + 1 < SIDE ? k + 1 : -1;
        g->point[c][0] = i, g->point[c][1] = j + (end ? 0.5 : -0.5);
        g->normal[c][1] = end ? -1 : 1;
        g->force[c][1] = columns[i] * g->normal[c][1];
        g->normal_force[c] = columns[i];
      }
      if (i + 1 == SIDE) continue;
      g->candidate[c] = k;
      g->antagonist[c] = k + SIDE;
      g->point[c][0] = i + 0.5, g->point[c][1] = j;
      g->normal[c][0] = -1;
      g->force[c][0] = -across;
      g->normal_force[c++] = across;
    }
  CHECK_INT(c, g->contacts);
}

/* Two strong columns among weak ones are the two chains; a narrow angle changes nothing, their load
 * is told. */
TEST(loaded_columns_are_the_chains) {
  static const double columns[SIDE] = {1, 9, 1, 1, 9, 1};
  DlsPacking g = {0};
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  make_lattice(&g, columns, 0.1);
  CHECK_OK(dls_grain_stress(&g, 0, &stress));
  CHECK_OK(dls_chains(&g, &stress, NULL, &chains));
  CHECK_INT(chains.count, 2);
  CHECK_INT(chains.links, 2 * (SIDE - 1));
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      CHECK_INT(chains.number[i * SIDE + j], i == 1 ? 1 : i == 4 ? 2 : 0);
  CHECK_NEAR(chains.grains, 1.0 / 3, 1e-12);
  CHECK_NEAR(chains.load, 18.0 / 22, 1e-12);
  dls_chains_clear(&chains);
  const DlsChainRule long_ones = {0.1, SIDE + 1};
  CHECK_OK(dls_chains(&g, &stress, &long_ones, &chains));
  CHECK_INT(chains.count, 0);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  dls_packing_clear(&g);
}

/* Held grains, such as those glued to a floor, have no say in what is strong: of the free ones one
 * column carries 9 and four carry 1, mean 13/5, while the held column carries 1000. */
TEST(held_grains_do_not_hide_the_chains) {
  static const double columns[SIDE] = {1, 9, 1, 1, 1000, 1};
  DlsPacking g = {0};
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  make_lattice(&g, columns, 0.1);
  for (int j = 0; j < SIDE; j++) g.held[4 * SIDE + j] = 1;
  CHECK_OK(dls_grain_stress(&g, 0, &stress));
  CHECK_OK(dls_chains(&g, &stress, NULL, &chains));
  CHECK_NEAR(chains.mean, 13.0 / 5, 1e-12);
  CHECK_INT(chains.count, 1);
  for (int j = 0; j < SIDE; j++) CHECK_INT(chains.number[SIDE + j], 1);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  dls_packing_clear(&g);
}

/* Upwards a strong column reaches through, sideways the weak contacts alone do. */
TEST(percolation_is_that_of_the_strongest_way) {
  static const double columns[SIDE] = {1, 4, 1, 7, 1, 1};
  DlsPacking g = {0};
  double share[3];
  make_lattice(&g, columns, 0.25);
  const double mean = dls_packing_mean_force(&g);
  CHECK_OK(dls_percolation(&g, share));
  CHECK_NEAR(share[1] * mean, 7, 1e-12);
  CHECK_NEAR(share[0] * mean, 0.25, 1e-12);
  dls_packing_clear(&g);
}

/* A lattice has four contacts for each grain inside; one that is cut off is a rattler. */
TEST(coordination_and_rattlers_are_counted) {
  static const double columns[SIDE] = {1, 1, 1, 1, 1, 1};
  DlsPacking g = {0};
  DlsFabric fabric;
  make_lattice(&g, columns, 1);
  for (int c = 0; c < g.contacts; c++)
    if (g.candidate[c] == 0 || g.antagonist[c] == 0) g.normal_force[c] = 0;
  CHECK_OK(dls_fabric(&g, &everywhere, &fabric));
  CHECK_INT(fabric.rattlers, 1);
  /* Of 36 grains 24 have four contacts, 12 at the sides three; grain 0 loses three, two neighbours
   * one each. */
  CHECK_NEAR(fabric.coordination, (24 * 4 + 12 * 3 - 5) / 36.0, 1e-12);
  CHECK_NEAR(fabric.backbone, (24 * 4 + 12 * 3 - 5) / 35.0, 1e-12);
  dls_packing_clear(&g);
}

/* Normals on the edge of bins, such as those of upright walls, count by half in each: here two
 * normals in both senses along each of x and y make 8, a half in each of the 16 bins around the 4
 * points of the equator. */
TEST(normals_on_edges_count_by_half) {
  DlsPacking g = {0};
  DlsRose rose;
  CHECK_OK(dls_packing_reserve(&g, 1, 4));
  g.dim = 3;
  for (int c = 0; c < 4; c++) {
    g.antagonist[c] = -1;
    g.normal[c][c % 2] = c < 2 ? 1 : -1;
    g.normal_force[c] = 1;
  }
  dls_rose(&g, &everywhere, &rose);
  CHECK_NEAR(rose.total, 8, 0);
  for (int i = 0; i < DLS_ROSE_BANDS; i++)
    for (int j = 0; j < DLS_ROSE_SECTORS; j++)
      CHECK_NEAR(rose.count[i][j],
                 rose.count[DLS_ROSE_BANDS - 1 - i][(j + DLS_ROSE_SECTORS / 2) % DLS_ROSE_SECTORS],
                 0);
  for (int j = 0; j < DLS_ROSE_SECTORS; j++)
    CHECK_NEAR(rose.count[DLS_ROSE_BANDS / 2][j], j % 6 == 0 || j % 6 == 5 ? 0.5 : 0, 0);
  dls_packing_clear(&g);
}
