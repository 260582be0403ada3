/* A law whose range goes as the cube root of the reduced radius, as that of adhesion by Johnson,
 * Kendall and Roberts does, in worlds of spheres of many sizes: each pair within its own range is
 * in the problem, none beyond. The judge counts pairs by their distances. */
#include "base/random.h"
#include "tests/simulating.h"

#include <stdlib.h>

static const double factor = 4e-3; /* m^(2/3) */
static int told;                   /* how often prepare was called */

static double range(const DlsPair *pair, const double *params) {
  return params[0] * cbrt(pair->radius);
}

/* Falls with the radius of the antagonist, grows with that of the candidate. */
static double one_sided(const DlsPair *pair, const double *params) {
  return params[0] * cbrt(pair->radii[1]) / (1 + 50 * pair->radii[0]);
}

static DlsStatus prepare(const DlsContact *c, const double *params, const double *state,
                         DlsRelation *out) {
  (void)params;
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap_rate;
  told++;
  return DLS_OK;
}

static const DlsParam params[] = {
    {"factor", "1", "of the range", .value = 4e-3, .min = 0, .max = DLS_NO_BOUND}};
static DlsLaw law = {DLS_LAW_HEAD,     .name = "far", .summary = "",     .references = "",
                     .params = params, .nparams = 1,  .prepare = prepare};

enum { BODIES = 400 };

static double gap_of(const DlsWorld *w, int i, int j) {
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = w->position[i][k] - w->position[j][k];
  return dls_vector_norm(d) - w->element[i].radius - w->element[j].radius;
}

/* The pair as detection names it: the candidate is the one of the smaller id. */
static double range_of(const DlsWorld *w, int i, int j) {
  const double r = w->element[i].radius, s = j < 0 ? 0 : w->element[j].radius;
  const DlsPair pair = {.dim = w->dim, .radius = j < 0 ? r : r * s / (r + s), .radii = {s, r}};
  return law.range(&pair, &factor);
}

/* Spheres of radii from 1 to 20 mm at random places over a floor, which may overlap; each of two
 * materials, of which the second has no law at a distance with itself. */
static void fill(TestScene *scene, DlsRandom *random, int dim) {
  test_scene_boundary(scene, 0);
  for (int n = 0; n < BODIES; n++) {
    const double radius = 1e-3 * pow(20, dls_random_unit(random)), side = 0.4;
    const double x = side * dls_random_unit(random), y = side * dls_random_unit(random),
                 z = side * dls_random_unit(random);
    const int b =
        test_scene_sphere(scene, radius, x, dim == 2 ? y + radius : y, dim == 2 ? 0 : z + radius);
    scene->world->material[b] = n % 2;
  }
}

static void open_world(TestScene *scene, int dim, const DlsScheme *scheme) {
  DlsInteractions *laws;
  const DlsLaw *plain;
  int number;
  test_scene_open(scene, dim, scheme, 1e-6, "signorini");
  plain = scene->law[0];
  laws = &scene->simulation->settings.laws;
  CHECK_OK(dls_materials_add(&scene->world->materials, "dull", 2500, &number));
  dls_interactions_clear(laws);
  CHECK_OK(dls_interactions_create(2, laws));
  CHECK_OK(dls_interactions_add(laws, &law, &number));
  CHECK_OK(dls_interactions_give(laws, -1, -1, number));
  CHECK_OK(dls_interactions_add(laws, plain, &number));
  CHECK_OK(dls_interactions_give(laws, 1, 1, number));
}

static int expected(const DlsWorld *w) {
  int count = 0;
  for (int i = 0; i < w->count; i++) {
    for (int j = i + 1; j < w->count; j++) {
      const double gap = gap_of(w, i, j);
      const bool far = w->material[i] == 0 || w->material[j] == 0;
      count += far && gap <= range_of(w, i, j);
    }
    const double gap = w->position[i][w->dim - 1] - w->element[i].radius;
    count += gap <= range_of(w, i, -1); /* the floor is of the first material */
  }
  return count;
}

static void check_pairs(int dim, double (*function)(const DlsPair *, const double *),
                        const DlsScheme *scheme) {
  TestScene scene;
  DlsRandom random;
  law.range = function;
  dls_random_seed(&random, (uint64_t)dim);
  open_world(&scene, dim, scheme);
  fill(&scene, &random, dim);
  told = 0;
  const int wanted = expected(scene.world);
  CHECK(wanted > 20);
  scene.simulation->settings.limits.max_iterations = 1; /* who is asked is what counts */
  scene.simulation->settings.impossible = DLS_IMPOSSIBLE_GOES_ON;
  CHECK_OK(dls_simulation_step(scene.simulation));
  CHECK_INT(told, wanted);
  dls_simulation_destroy(&scene.simulation);
}

TEST(no_pair_within_its_range_is_missed_and_none_beyond_is_there) {
  for (int dim = 2; dim <= 3; dim++) {
    check_pairs(dim, range, &dls_scheme_moreau);
    check_pairs(dim, one_sided, &dls_scheme_moreau);
  }
}

/* Schemes that look ahead see at least those. */
TEST(schemes_that_look_ahead_see_all_within_range) {
  TestScene scene;
  DlsRandom random;
  law.range = range;
  dls_random_seed(&random, 3);
  open_world(&scene, 3, &dls_scheme_euler);
  fill(&scene, &random, 3);
  const DlsWorld *w = scene.world;
  scene.simulation->settings.limits.max_iterations = 1;
  scene.simulation->settings.impossible = DLS_IMPOSSIBLE_GOES_ON;
  told = 0;
  const int wanted = expected(w);
  CHECK_OK(dls_simulation_step(scene.simulation));
  CHECK(told >= wanted);
  dls_simulation_destroy(&scene.simulation);
}

/* A larger grain that comes later is seen as far as its own range, from its first step on. */
TEST(the_range_follows_who_is_there) {
  TestScene scene;
  law.range = range;
  open_world(&scene, 3, &dls_scheme_moreau);
  test_scene_sphere(&scene, 1e-3, 0, 0, 1);
  memset(scene.gravity, 0, sizeof scene.gravity);
  CHECK_OK(dls_simulation_step(scene.simulation));
  const double large = 0.2, reduced = large * 1e-3 / (large + 1e-3);
  test_scene_sphere(&scene, large, 0, 0, 1 + 1e-3 + large + 0.99 * factor * cbrt(reduced));
  CHECK_OK(dls_simulation_step(scene.simulation));
  CHECK_INT(scene.simulation->last.report.contacts, 1);
  scene.world->position[1][2] += 0.02 * factor * cbrt(reduced);
  CHECK_OK(dls_simulation_step(scene.simulation));
  CHECK_INT(scene.simulation->last.report.contacts, 0);
  dls_simulation_destroy(&scene.simulation);
}
