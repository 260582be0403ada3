/* Simulations in tests: a world of one material, a law or several that act together, gravity. */
#ifndef DELASSUS_TESTS_SIMULATING_H
#define DELASSUS_TESTS_SIMULATING_H

#include "tests/test.h"

#include "step/simulation.h"

#include <string.h>

static const double test_g = 9.81; /* m/s2 */

typedef struct {
  DlsSimulation *simulation;
  DlsWorld *world;   /* the simulation's */
  double *params[3]; /* of each law */
  const DlsLaw *law[3];
  double gravity[3];
} TestScene;

static inline void test_gravity(void *context, double t, double out[3]) {
  (void)t;
  memcpy(out, context, 3 * sizeof *out);
}

/* `laws` is a name, or names joined by blanks. Gravity is down the last axis. */
static inline void test_scene_open(TestScene *scene, int dim, const DlsScheme *scheme, double h,
                                   const char *laws) {
  DlsWorld *world = NULL;
  int material, interaction = -1, count = 0;
  char names[100], *rest = names;
  memset(scene, 0, sizeof *scene);
  CHECK_OK(dls_world_create(dim, &world));
  CHECK_OK(dls_materials_add(&world->materials, "stone", 2500, &material));
  CHECK_OK(dls_simulation_create(&world, &scene->simulation));
  DlsSimulation *s = scene->simulation;
  scene->world = s->world;
  CHECK_OK(dls_interactions_create(1, &s->settings.laws));
  strncpy(names, laws, sizeof names - 1);
  names[sizeof names - 1] = 0;
  for (char *name; (name = strtok_r(rest, " ", &rest)); count++) {
    CHECK_OK(dls_law_find(name, &scene->law[count]));
    if (count == 0) {
      CHECK_OK(dls_interactions_add(&s->settings.laws, scene->law[0], &interaction));
      scene->params[0] = s->settings.laws.item[0].params;
    } else {
      CHECK_OK(dls_interactions_follow(&s->settings.laws, interaction, scene->law[count],
                                       &scene->params[count]));
    }
  }
  CHECK_OK(dls_interactions_give(&s->settings.laws, -1, -1, interaction));
  s->settings.scheme = scheme;
  s->settings.h = h;
  s->settings.limits.tolerance = 1e-12;
  scene->gravity[dim - 1] = -test_g;
  s->settings.influence.gravity = test_gravity;
  s->settings.influence.context = scene->gravity;
}

/* A parameter of law number k. */
static inline void test_scene_set(const TestScene *scene, int k, const char *name, double value) {
  CHECK_OK(dls_law_set(scene->law[k], scene->params[k], name, value));
}

/* The plane through the origin, or a fixed ball about it where the radius is above 0. */
static inline DlsBoundary *test_scene_boundary(TestScene *scene, double radius) {
  const DlsBoundary boundary = {.kind = radius > 0 ? DLS_BOUNDARY_SPHERE : DLS_BOUNDARY_PLANE,
                                .radius = {radius},
                                .orientation = {1, 0, 0, 0}};
  CHECK_OK(dls_world_add_boundary(scene->world, &boundary));
  return &scene->world->boundary[scene->world->boundary_count - 1];
}

/* A body of `count` spheres with its origin at (x, y, z); returns its number. */
static inline int test_scene_body(TestScene *scene, int count, const DlsElement *element, double x,
                                  double y, double z) {
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(scene->world->dim, count, element, &shape));
  const DlsBody body = {.shape = &shape, .density = 2500, .position = {x, y, z}};
  CHECK_OK(dls_world_add_body(scene->world, &body));
  dls_shape_clear(&shape);
  return scene->world->count - 1;
}

static inline int test_scene_sphere(TestScene *scene, double radius, double x, double y, double z) {
  const DlsElement element = {.radius = radius};
  return test_scene_body(scene, 1, &element, x, y, z);
}

static inline void test_scene_run(TestScene *scene, long steps) {
  if (scene->simulation->state.step == 0) dls_simulation_recount(scene->simulation);
  for (long k = 0; k < steps; k++) CHECK_OK(dls_simulation_step(scene->simulation));
}

static inline void test_scene_close(TestScene *scene) {
  CHECK_INT(scene->simulation->state.unconverged, 0);
  dls_simulation_destroy(&scene->simulation);
}

#endif
