/* Stress of packings at rest: what must hold by mechanics, whatever the packing. */
#include "tests/packing.h"

#include "post/average.h"
#include "post/cut.h"

#include <stdlib.h>

static double largest(const double *x, int n) {
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}

static DlsProbe probe_of(const char *text, int dim) {
  DlsProbe probe = {0};
  CHECK_OK(dls_probe_read(text, dim, &probe));
  return probe;
}

/* Two balls pressed between two plates by F: each has sigma_xx = -F 2R / V, nothing else; all
 * contacts are alike. */
TEST(a_pair_of_balls_under_two_forces) {
  DlsPacking g = {0};
  DlsGrainStress stress = {0};
  const double F = 3, R = 0.5, V = 4.0 / 3 * 3.14159265358979323846 * R * R * R;
  CHECK_OK(dls_packing_reserve(&g, 2, 3));
  g.dim = 3;
  for (int i = 0; i < 2; i++) {
    g.centre[i][0] = 2 * R * i;
    g.radius[i] = R;
    g.volume[i] = V;
    g.mass[i] = 1;
  }
  for (int c = 0; c < 3; c++) { /* left plate, pair, right plate */
    g.candidate[c] = c == 2;
    g.antagonist[c] = c == 1 ? 1 : -1;
    g.point[c][0] = R * (2 * c - 1);
    if (c > 0) g.point[c][0] = c == 1 ? R : 3 * R;
    g.normal[c][0] = c == 0 ? 1 : -1;
    g.force[c][0] = F * g.normal[c][0];
    g.normal_force[c] = F;
  }
  CHECK_OK(dls_grain_stress(&g, 1, &stress));
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 9; k++) {
      CHECK_NEAR(stress.stress[i][k], k == 0 ? -F * 2 * R / V : 0, 1e-14);
      CHECK_NEAR(stress.normal[i][k], stress.stress[i][k], 1e-14);
      CHECK_NEAR(stress.strong[i][k], 0, 0); /* none is above the mean */
    }
  CHECK_NEAR(stress.state[0].pressure, F * 2 * R / V / 3, 1e-14);
  dls_grain_stress_clear(&stress);
  dls_packing_clear(&g);
}

/* A disk that turns freely: by elasticity, whatever Poisson's ratio is, the mean of sigma_r +
 * sigma_theta is rho w2 R2 / 2 (Timoshenko and Goodier, sec. 32); a ball: each of the two
 * directions across the axis has rho w2 R2 / 5. The moment of one contact force about the centre is
 * its couple. */
TEST(spin_tension_and_couples) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsPacking g = {0};
    DlsAverage average;
    const double R = 0.02, w = 30, rho = 2500;
    test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, R, 0, dim == 2 ? R : 0, dim == 2 ? 0 : R);
    scene.world->velocity[ball][5] = w;
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    CHECK_OK(dls_average(&g, &(DlsProbe){.kind = DLS_PROBE_SPHERE, .radius = 1},
                         DLS_AVERAGE_CENTRES, &average));
    const double share = g.volume[0] / average.volume;
    const double each = rho * w * w * R * R * (dim == 2 ? 0.25 : 0.2) * share;
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(average.spin[k], k == 0 || k == 4 ? each : 0, 1e-12 * each);
    /* On the floor it slips: in 2-D friction mu m g along x acts below the centre. */
    test_scene_set(&scene, 0, "mu", 0.3);
    test_scene_run(&scene, 1);
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    CHECK_OK(dls_average(&g, &(DlsProbe){.kind = DLS_PROBE_SPHERE, .radius = 1},
                         DLS_AVERAGE_CENTRES, &average));
    const double friction = -0.3 * g.mass[0] * test_g; /* its foot goes to the right */
    if (dim == 2) {
      CHECK_NEAR(g.force[0][0], friction, -1e-9 * friction);
      CHECK_NEAR(average.couple[7], R * friction * -R / average.volume,
                 -1e-6 * friction * R * R / average.volume);
      CHECK_NEAR(average.couple[6], 0, -1e-9 * friction * R * R / average.volume);
    }
    dls_packing_clear(&g);
    test_scene_close(&scene);
  }
}

/* A cluster with a mass of its own keeps the volume of its union. */
TEST(the_volume_of_a_cluster_with_a_given_mass) {
  TestScene scene;
  DlsPacking g = {0};
  DlsShape shape;
  const double R = 0.01, V = 4.0 / 3 * 3.14159265358979323846 * R * R * R;
  const DlsElement apart[2] = {{{-R, 0, 0}, R}, {{R, 0, 0}, R}},
                   within[2] = {{{0}, R}, {{0}, R / 2}};
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  for (int k = 0; k < 2; k++) {
    CHECK_OK(dls_shape_cluster(3, 2, k ? within : apart, &shape));
    const DlsBody body = {.shape = &shape, .mass = 7, .position = {0.1 * k, 0, 0}};
    CHECK_OK(dls_world_add_body(scene.world, &body));
    dls_shape_clear(&shape);
  }
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_NEAR(g.volume[0], 2 * V, 1e-12 * V);
  CHECK_NEAR(g.volume[1], V, 1e-4 * V); /* a raster of lines */
  CHECK_NEAR(g.mass[0], 7, 0);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* sigma is symmetric up to the torque that turns the grain, and every arm of the contacts belongs
 * to it: the resultant by momentum is the sum of the contact forces. */
static void check_grains(const DlsPacking *g) {
  DlsGrainStress stress = {0};
  double(*sum)[3] = calloc((size_t)g->grains, sizeof *sum);
  CHECK_OK(dls_grain_stress(g, 1, &stress));
  double size = 0, force = 0;
  for (int c = 0; c < g->contacts; c++)
    for (int k = 0; k < 3; k++) {
      sum[g->candidate[c]][k] += g->force[c][k];
      if (g->antagonist[c] >= 0) sum[g->antagonist[c]][k] -= g->force[c][k];
      force = fmax(force, fabs(g->force[c][k]));
    }
  for (int i = 0; i < g->grains; i++) size = fmax(size, largest(stress.stress[i], 9));
  for (int i = 0; i < g->grains; i++) {
    double skew[3];
    dls_tensor_axial(stress.stress[i], skew);
    CHECK_BELOW(largest(skew, 3),
                1e-6 * size); /* at rest the torques balance, as far as it is at rest */
    for (int k = 0; k < 3; k++) CHECK_NEAR(sum[i][k], g->resultant[i][k], 1e-12 * force);
  }
  free(sum);
  dls_grain_stress_clear(&stress);
}

/* Both sides from different numbers: internal forces and arms; forces from outside and the
 * motion. */
static void check_outer_moment(const DlsPacking *g, const char *text) {
  const DlsProbe probe = probe_of(text, g->dim);
  DlsAverage average;
  double outer[9];
  CHECK_OK(dls_average(g, &probe, DLS_AVERAGE_CENTRES, &average));
  CHECK_OK(dls_average_outer_moment(g, &probe, outer));
  CHECK(average.grains > 10);
  const double size = largest(average.stress, 9);
  for (int k = 0; k < 9; k++)
    CHECK_NEAR(outer[k] / average.volume, average.stress[k], 1e-10 * size);
}

/* A horizontal cut at height z carries the weight above, less what the walls carry there.
 * `round_off` of the forces with the motion that is left, `rest` of the weight as if there were
 * none. */
static void check_cut(const DlsPacking *g, double z, double rest) {
  const int up = g->dim - 1;
  DlsCut cut = {.kind = DLS_CUT_PLANE};
  DlsCutForce through;
  double weight = 0, moved[3] = {0}, walls[3] = {0};
  cut.normal[up] = 1;
  cut.centre[up] = z;
  dls_cut(g, &cut, &through);
  for (int i = 0; i < g->grains; i++) {
    if (g->centre[i][up] <= z) continue;
    weight -= g->mass[i] * g->gravity[up];
    for (int k = 0; k < 3; k++) moved[k] += g->resultant[i][k];
  }
  for (int c = 0; c < g->contacts; c++) /* walls met above by grains above */
    for (int k = 0; k < 3; k++)
      if (g->antagonist[c] < 0 && g->centre[g->candidate[c]][up] > z && g->point[c][up] > z)
        walls[k] += g->force[c][k];
  CHECK(weight > 0 && through.contacts > 2);
  for (int k = 0; k < 3; k++) CHECK_NEAR(-through.force[k] + walls[k], moved[k], 1e-11 * weight);
  CHECK_NEAR(-through.force[up] + walls[up], weight, rest * weight);
}

static void check_packing(int dim, int wide, int high, double mu, const char *const *probes) {
  TestScene scene;
  DlsPacking g = {0};
  test_packing(&scene, dim, wide, high, mu, 900);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_INT(g.grains, scene.world->count);
  check_grains(&g);
  for (int k = 0; k < 3; k++) check_outer_moment(&g, probes[k]);
  for (int k = 1; k < 5; k++) check_cut(&g, 0.0094 * k, 1e-5);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

TEST(a_packing_of_disks) {
  static const char *const probes[] = {"all", "sphere:0.06,0.05:0.03", "half:0.06,0.04:1,1"};
  check_packing(2, 10, 12, 0.5, probes);
}

TEST(a_packing_of_spheres) {
  static const char *const probes[] = {"all", "sphere:0.03,0.03,0.03:0.02",
                                       "box:0.005,0.005,0.01:0.05,0.05,0.05"};
  check_packing(3, 5, 7, 0.5, probes);
}

/* Averages by lines are the means of cuts: over a box that the planes fill, sigma n is the mean
 * traction. */
TEST(the_average_by_lines_is_the_mean_of_cuts) {
  TestScene scene;
  DlsPacking g = {0};
  DlsAverage average;
  double mean[3] = {0};
  enum { CUTS = 4000 };
  const double low = 0.02, high = 0.07;
  test_packing(&scene, 2, 10, 12, 0.5, 600);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  const DlsProbe probe = probe_of("box:0.03,0.02:0.09,0.07", 2);
  CHECK_OK(dls_average(&g, &probe, DLS_AVERAGE_LINES, &average));
  for (int k = 0; k < CUTS; k++) {
    DlsCut cut = {.kind = DLS_CUT_SEGMENT, .normal = {0, 1, 0}, .radius = 0.03};
    DlsCutForce through;
    cut.centre[0] = 0.06;
    cut.centre[1] = low + (high - low) * (k + 0.5) / CUTS;
    dls_cut(&g, &cut, &through);
    for (int i = 0; i < 3; i++) mean[i] += through.traction[i] / CUTS;
  }
  /* A sum over 4000 cuts knows each of some 100 arms to a 4000th of the box. */
  for (int i = 0; i < 2; i++)
    CHECK_NEAR(mean[i], average.stress[3 * i + 1], 2e-3 * average.state.pressure);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* Smooth walls: the mean vertical stress over a layer is the weight above its middle, to a grain's
 * height. */
TEST(vertical_stress_is_the_weight_above) {
  TestScene scene;
  DlsPacking g = {0};
  DlsAverage average;
  test_packing(&scene, 2, 10, 12, 0.0, 1500);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  const DlsProbe probe = probe_of("box:0,0.03:0.125,0.05", 2);
  CHECK_OK(dls_average(&g, &probe, DLS_AVERAGE_LINES, &average));
  double weight = 0;
  for (int i = 0; i < g.grains; i++) { /* the share of each grain's fall past the layer */
    const double t = (g.centre[i][1] - 0.03) / 0.02;
    weight += g.mass[i] * test_g * fmin(fmax(t, 0), 1);
  }
  CHECK_NEAR(-average.stress[4], weight / 0.125, 1e-4 * weight / 0.125);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}
