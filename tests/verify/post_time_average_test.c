/* Means over time against what momentum says: they hold for any motion, to round-off. */
#include "tests/packing.h"

#include "post/time_average.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct {
  double gravity[3]; /* first: test_gravity() reads it */
  double amplitude, frequency;
} Shaking;

/* The boundary at its place at t, with its velocity at t + h: a body that sticks to it has the
 * exact velocity at the end of each step. */
static DlsStatus shake(void *context, DlsWorld *world, double t, double h) {
  const Shaking *s = context;
  const double w = 2 * pi * s->frequency;
  const int up = world->dim - 1;
  static double rest;
  if (t == 0) rest = world->boundary[0].position[up];
  world->boundary[0].position[up] = rest + s->amplitude * sin(w * t);
  world->boundary[0].velocity[up] = s->amplitude * w * cos(w * (t + h));
  return DLS_OK;
}

static Shaking start_shaking(TestScene *scene, Shaking *s, double amplitude, double frequency) {
  s->amplitude = amplitude;
  s->frequency = frequency;
  memcpy(s->gravity, scene->gravity, sizeof s->gravity);
  scene->simulation->settings.influence.context = s;
  scene->simulation->settings.influence.move = shake;
  scene->simulation->state.time = 0;
  return *s;
}

static DlsTimeAverage *open_average(DlsObservableKind kind, const char *region, DlsWindow window) {
  DlsTimeAverage *average = NULL;
  const DlsObservableRequest request = {.kind = kind, .region = region};
  CHECK_OK(dls_time_average_create(&request, 2, &window, &average));
  return average;
}

static double value(const DlsTimeAverage *average, int bin, int row, const char *array,
                    int component) {
  DlsMeanValue v = {.mean = NAN};
  CHECK_OK(dls_time_average_value(average, bin, row, array, component, &v));
  return v.mean;
}

/* A disk that rests on a floor moved by A sin(w t), A w^2 < g: the reaction in the bin from a to b
 * of the period is m (g + (A w cos w b - A w cos w a) / (b - a)), the integral of m (g + a(t)) over
 * the bin. */
TEST(the_phase_average_of_a_disk_on_a_moving_floor) {
  enum { BINS = 10, PER_BIN = 8, PERIODS = 5 };
  const double frequency = 10, period = 1 / frequency, w = 2 * pi * frequency;
  const double amplitude = 0.8 * test_g / (w * w), h = period / (BINS * PER_BIN);
  TestScene scene;
  Shaking shaking;
  DlsPacking g = {0};
  test_scene_open(&scene, 2, &dls_scheme_moreau, h, "coulomb");
  test_scene_boundary(&scene, 0);
  const int disk =
      test_scene_sphere(&scene, 0.01, 0, 0.01 - 1e-4, 0); /* pressed in: it stays in touch */
  const double mass = scene.world->mass[disk];
  scene.world->velocity[disk][1] = amplitude * w;
  start_shaking(&scene, &shaking, amplitude, frequency);
  DlsTimeAverage *average =
      open_average(DLS_OBSERVABLE_WALLS, NULL,
                   (DlsWindow){.to = PERIODS * period, .period = period, .bins = BINS});
  dls_simulation_recount(scene.simulation);
  for (int k = 0; k < BINS * PER_BIN * PERIODS; k++) {
    CHECK_OK(dls_simulation_step(scene.simulation));
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    CHECK_OK(dls_time_average_add(average, &g));
  }
  for (int bin = 0; bin < BINS; bin++) {
    const double from = bin * period / BINS, to = from + period / BINS;
    const double change = amplitude * w * (cos(w * to) - cos(w * from)) / (to - from);
    CHECK_INT(dls_mean_instants(dls_time_average_mean(average), bin), PER_BIN * PERIODS);
    CHECK_NEAR(value(average, bin, 0, "reaction", 1), mass * (test_g + change),
               1e-9 * mass * test_g);
    CHECK_NEAR(value(average, bin, 1, "normal", 0), mass * (test_g + change), 1e-9 * mass * test_g);
    CHECK_NEAR(value(average, bin, 0, "reaction", 0), 0, 1e-12 * mass * test_g);
  }
  dls_time_average_destroy(&average);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* Sums of a step that the averages must add up to, components yy. */
typedef struct {
  double outer, weight, bulk, ends; /* N m: f y of walls, m g c; kg m2/s2: M V V; kg m2/s: m v c */
  double momentum, flux, mass;
} Sums;

static Sums sums_of(const DlsPacking *g) {
  Sums s = {0};
  for (int i = 0; i < g->grains; i++) {
    const double m = g->mass[i], v = g->velocity[i][1];
    s.mass += m;
    s.momentum += m * v;
    s.flux += m * v * v;
    s.ends += m * v * g->centre[i][1];
    s.weight += m * g->gravity[1] * g->centre[i][1];
  }
  for (int c = 0; c < g->contacts; c++)
    if (g->antagonist[c] < 0) s.outer += g->force[c][1] * g->point[c][1];
  s.bulk = s.momentum * s.momentum / s.mass;
  return s;
}

/* A box of disks thrown up and caught again. Over N steps of length h:
 *   the mean reaction of the box is the weight and the change of momentum over N h;
 *   the mean of contact and kinetic stress is, by summation by parts of m (v_k - v_k-1) c_k, c_k -
 *       c_k-1 = h v_k-1,
 *   V <sigma> = <f y of walls + m g c + M V V> - [m v_N c_N - m v_0 c_1] / (N h) - m v_N v_N /
 *       N. */
TEST(means_of_a_vibrated_box_are_those_of_momentum) {
  enum { STEPS = 400 };
  TestScene scene;
  Shaking shaking;
  DlsPacking g = {0};
  test_packing(&scene, 2, 8, 6, 0.4, 200);
  start_shaking(&scene, &shaking, 2e-3, 20); /* 3.2 g */
  scene.simulation->settings.limits.tolerance = 1e-6;
  scene.simulation->settings.limits.max_iterations = 5000;
  const double h = scene.simulation->settings.h, V = 4; /* of the region */
  const DlsWindow window = {.to = STEPS * h, .blocks = 8, .bins = 1};
  DlsTimeAverage *walls = open_average(DLS_OBSERVABLE_WALLS, NULL, window);
  DlsTimeAverage *stress = open_average(DLS_OBSERVABLE_STRESS, "box:-1,-1:1,1", window);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  const Sums before = sums_of(&g);
  double *v0 = malloc((size_t)g.grains * sizeof *v0), start = 0;
  for (int i = 0; i < g.grains; i++) v0[i] = g.velocity[i][1];
  Sums now = before;
  double total = 0, least = INFINITY;
  for (int k = 0; k < STEPS; k++) {
    CHECK_OK(dls_simulation_step(scene.simulation));
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    CHECK_OK(dls_time_average_add(walls, &g));
    CHECK_OK(dls_time_average_add(stress, &g));
    now = sums_of(&g);
    total += now.outer + now.weight + now.bulk;
    double push = 0;
    for (int c = 0; c < g.contacts; c++) push += g.antagonist[c] < 0 ? g.normal_force[c] : 0;
    least = fmin(least, push);
    for (int i = 0; i < g.grains && k == 0; i++) start += g.mass[i] * v0[i] * g.centre[i][1];
  }
  const double weight = now.mass * test_g, T = STEPS * h;
  CHECK_BELOW(least, 0.1 * weight); /* it flies */
  CHECK_NEAR(value(walls, 0, 0, "reaction", 1), weight + (now.momentum - before.momentum) / T,
             1e-10 * weight);
  const double wanted = total / STEPS - (now.ends - start) / T - now.flux / STEPS;
  const double mean = value(stress, 0, 0, "stress", 4) + value(stress, 0, 0, "kinetic_stress", 4);
  CHECK_NEAR(V * mean, wanted, 1e-9 * fabs(wanted));
  CHECK(value(stress, 0, 0, "kinetic_stress", 4) < 0 && wanted < 0);
  free(v0);
  dls_time_average_destroy(&walls);
  dls_time_average_destroy(&stress);
  dls_packing_clear(&g);
  scene.simulation->state.unconverged = 0; /* whatever is left of the laws, momentum is kept */
  test_scene_close(&scene);
}

/* All that can be read, saved in the middle and gone on with: the same bytes at the end. */
TEST(tallies_go_on_where_they_were) {
  static const char *const cuts[] = {"plane:0,0.02:0,1"};
  TestScene scene;
  DlsPacking g = {0};
  DlsTimeAverage *one[DLS_OBSERVABLE_KINDS], *two[DLS_OBSERVABLE_KINDS];
  test_packing(&scene, 2, 5, 4, 0.4, 100);
  const double from = scene.simulation->state.time;
  const DlsWindow window = {.from = from, .to = from + 1, .period = 0.01, .bins = 3};
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
    const DlsObservableRequest request = {.kind = (DlsObservableKind)k,
                                          .cuts = cuts,
                                          .ncuts = k == DLS_OBSERVABLE_CUT,
                                          .grid = k == DLS_OBSERVABLE_FIELD ? "6x5" : NULL};
    CHECK_OK(dls_time_average_create(&request, 2, &window, &one[k]));
    CHECK_OK(dls_time_average_create(&request, 2, &window, &two[k]));
  }
  for (int step = 0; step < 30; step++) {
    test_scene_run(&scene, 1);
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
      CHECK_OK(dls_time_average_add(one[k], &g));
      const size_t size = dls_time_average_bytes(one[k]);
      char *bytes = malloc(size);
      dls_time_average_save(one[k], bytes);
      if (step == 17) CHECK_OK(dls_time_average_restore(two[k], bytes, size));
      if (step == 17 && k == 0)
        CHECK_FAILS(dls_time_average_restore(two[1], bytes, size), DLS_ERR_FORMAT,
                    "something else");
      if (step > 17) CHECK_OK(dls_time_average_add(two[k], &g));
      if (step == 29) {
        char *other = malloc(size);
        CHECK_INT(dls_time_average_bytes(two[k]), size);
        dls_time_average_save(two[k], other);
        CHECK(memcmp(bytes, other, size) == 0);
        free(other);
      }
      free(bytes);
    }
  }
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
    dls_time_average_destroy(&one[k]);
    dls_time_average_destroy(&two[k]);
  }
  dls_packing_clear(&g);
  test_scene_close(&scene);
}
