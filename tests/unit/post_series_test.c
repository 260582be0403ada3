/* The series of a test on a sample whose motion and forces are given: a lattice of balls stretched
 * along each axis, and chains of contacts along z with one force each. */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

#include "post/series.h"

enum { SIDE = 4 };

static const double a = 0.01, r = 0.004; /* m: spacing, radius */

/* A lattice of SIDE^dim grains with spacings a stretch[k]. Neighbours along the last axis press on
 * one another with the force `push`, N; no contacts where it is 0. */
static void lattice(int dim, const double stretch[3], double push, DlsPacking *g) {
  const int layers = dim == 3 ? SIDE : 1, count = SIDE * SIDE * layers;
  const int axis = dim - 1, chains = count / SIDE, contacts = push > 0 ? chains * (SIDE - 1) : 0;
  CHECK_OK(dls_packing_reserve(g, count, contacts));
  g->dim = dim;
  g->h = push > 0 ? 1e-3 : 0;
  for (int i = 0; i < count; i++) {
    const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    g->id[i] = i + 1;
    g->radius[i] = r;
    g->mass[i] = 1;
    g->volume[i] = dim == 3 ? 4.0 / 3.0 * M_PI * r * r * r : M_PI * r * r;
    for (int k = 0; k < dim; k++) g->centre[i][k] = g->position[i][k] = a * stretch[k] * at[k];
  }
  const int pace = dim == 3 ? SIDE * SIDE : SIDE; /* to the neighbour along the axis */
  for (int c = 0, i = 0; c < contacts; i++) {
    if (i / pace % SIDE == SIDE - 1) continue;
    g->candidate[c] = i + pace;
    g->antagonist[c] = i;
    for (int k = 0; k < dim; k++) g->point[c][k] = 0.5 * (g->centre[i][k] + g->centre[i + pace][k]);
    g->normal[c][axis] = 1;
    g->force[c][axis] = g->normal_force[c] = push;
    g->status[c] = 2;
    c++;
  }
}

static void check_dimension(int dim) {
  const double one[3] = {1, 1, 1}, pressed[3] = {1.05, 1.02, dim == 3 ? 0.9 : 0};
  const double flat[3] = {1.05, 0.9, 0};
  const double *stretch = dim == 3 ? pressed : flat;
  DlsSeries series = {.axis = -1};
  DlsSeriesRow row;
  DlsPacking g = {0};
  CHECK_OK(dls_probe_read("all", dim, &series.region));
  lattice(dim, one, 0, &g);
  CHECK_OK(dls_series_row(&series, &g, 0, &row));
  CHECK(row.frame == 0 && row.axial_strain == 0 && row.volumetric_strain == 0);
  CHECK(isnan(row.pressure) && isnan(row.coordination)); /* no step has been made */
  dls_packing_clear(&g);

  const double push = 2;
  lattice(dim, stretch, push, &g);
  g.time = 0.5;
  CHECK_OK(dls_series_row(&series, &g, 1, &row));
  double volume = 1, first = 1, sides[3];
  for (int k = 0; k < dim; k++) {
    sides[k] = (SIDE - 1) * a * stretch[k] + 2 * r;
    volume *= sides[k];
    first *= (SIDE - 1) * a + 2 * r;
  }
  CHECK(row.frame == 1 && row.time == 0.5);
  CHECK_NEAR(row.axial_strain, log(sides[dim - 1] / ((SIDE - 1) * a + 2 * r)), 1e-12);
  CHECK(row.axial_strain < 0);
  CHECK_NEAR(row.volumetric_strain, log(volume / first), 1e-12);
  CHECK_NEAR(row.volume, volume, 1e-12 * volume);
  CHECK_NEAR(row.solid, g.grains * g.volume[0] / volume, 1e-12);
  /* sigma = -sum f l / V along the chains, each contact with the way from centre to centre. */
  const double sigma = -g.contacts * push * a * stretch[dim - 1] / volume;
  CHECK_NEAR(dim == 3 ? row.stress_zz : row.stress_yy, sigma, 1e-9 * fabs(sigma));
  CHECK_NEAR(row.stress_xx, 0, 1e-9 * fabs(sigma));
  CHECK_NEAR(row.pressure, -sigma / dim, 1e-9 * fabs(sigma));
  CHECK_NEAR(row.deviator, dim == 3 ? -sigma : -0.5 * sigma, 1e-9 * fabs(sigma));
  CHECK_NEAR(row.stress_ratio, dim == 3 ? 3 : 1, 1e-9);
  CHECK_NEAR(row.fabric_axial, 1, 1e-12);
  CHECK_NEAR(row.coordination, 2.0 * g.contacts / g.grains, 1e-12);
  CHECK_INT(row.contacts, g.contacts);
  /* Ends of chains have one contact. */
  CHECK_INT(row.rattlers, 2 * g.grains / SIDE);
  /* Another axis: the sample has become longer along x. */
  DlsSeries across = {.axis = 0, .begun = true, .length = (SIDE - 1) * a + 2 * r, .solid = 1};
  across.region = series.region;
  CHECK_OK(dls_series_row(&across, &g, 1, &row));
  CHECK_NEAR(row.axial_strain, log(sides[0] / ((SIDE - 1) * a + 2 * r)), 1e-12);
  CHECK_NEAR(row.fabric_axial, 0, 1e-12);
  dls_packing_clear(&g);
}

TEST(strains_and_stresses_of_a_plane_sample) { check_dimension(2); }
TEST(strains_and_stresses_of_a_sample_in_space) { check_dimension(3); }

/* Bodies that give way: all of a sample is pressed, and the room between them is what it was. */
TEST(volumes_of_deformable_bodies_are_told_by_their_mass) {
  const double one[3] = {1, 1, 1}, pressed[3] = {0.95, 0.9, 0.85};
  DlsSeries series = {.axis = -1};
  DlsSeriesRow row;
  double volume = 1, first = 1;
  CHECK_OK(dls_probe_read("all", 3, &series.region));
  for (int frame = 0; frame < 2; frame++) {
    DlsPacking g = {0};
    lattice(3, frame ? pressed : one, 2, &g);
    g.part = calloc((size_t)g.grains, sizeof *g.part);
    for (int i = 0; i < g.grains; i++) g.volume[i] *= frame ? 0.7 : 1;
    CHECK_OK(dls_series_row(&series, &g, frame, &row));
    for (int k = 0; k < 3 && frame; k++) {
      volume *= (SIDE - 1) * a * pressed[k] + 2 * r;
      first *= (SIDE - 1) * a + 2 * r;
    }
    CHECK_NEAR(row.volumetric_strain, log(volume / first), 1e-12);
    dls_packing_clear(&g);
  }
}

TEST(a_plane_has_no_axis_z) {
  const double one[3] = {1, 1, 1};
  DlsSeries series = {.axis = 2};
  DlsSeriesRow row;
  DlsPacking g = {0};
  CHECK_OK(dls_probe_read("all", 2, &series.region));
  lattice(2, one, 0, &g);
  CHECK_FAILS(dls_series_row(&series, &g, 0, &row), DLS_ERR_ARGUMENT, "take x or y");
  dls_packing_clear(&g);
}
