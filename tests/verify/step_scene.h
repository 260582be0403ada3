/* A world with one material and perhaps a floor, for the tests of time-stepping. */
#ifndef DELASSUS_TESTS_STEP_SCENE_H
#define DELASSUS_TESTS_STEP_SCENE_H

#include "tests/test.h"

#include "step/simulation.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static inline void fall(void *context, double t, double out[3]) {
  (void)t;
  const double *gravity = context;
  memcpy(out, gravity, 3 * sizeof *out);
}

typedef struct {
  DlsSimulation *simulation;
  double gravity[3];
} Scene;

static inline void set_law(const Scene *scene, const char *name, double value) {
  const DlsInteraction *item = &scene->simulation->settings.laws.item[0];
  CHECK_OK(dls_law_set(item->law, scene->simulation->settings.laws.item[0].params, name, value));
}

/* A world with one material, a floor through the origin, and a law with its defaults. */
static inline void open_world(Scene *scene, int dim, const DlsScheme *scheme, double h, bool floor,
                              const char *name) {
  DlsWorld *world = NULL;
  int material, interaction;
  const DlsLaw *law = NULL;
  memset(scene, 0, sizeof *scene);
  CHECK_OK(dls_world_create(dim, &world));
  CHECK_OK(dls_materials_add(&world->materials, "stone", 2500, &material));
  if (floor) {
    const DlsBoundary plane = {.kind = DLS_BOUNDARY_PLANE, .orientation = {1, 0, 0, 0}};
    CHECK_OK(dls_world_add_boundary(world, &plane));
  }
  CHECK_OK(dls_simulation_create(&world, &scene->simulation));
  DlsSimulation *s = scene->simulation;
  CHECK_OK(dls_interactions_create(1, &s->settings.laws));
  CHECK_OK(dls_law_find(name, &law));
  CHECK_OK(dls_interactions_add(&s->settings.laws, law, &interaction));
  CHECK_OK(dls_interactions_give(&s->settings.laws, -1, -1, interaction));
  s->settings.scheme = scheme;
  s->settings.h = h;
  s->settings.limits.tolerance = 1e-12;
  scene->gravity[dim - 1] = -g;
  s->settings.influence.gravity = fall;
  s->settings.influence.context = scene->gravity;
}

/* The same with Coulomb contact. */
static inline void open_scene(Scene *scene, int dim, const DlsScheme *scheme, double h, bool floor,
                              double mu, double rho, double tau) {
  open_world(scene, dim, scheme, h, floor, "coulomb");
  set_law(scene, "mu", mu);
  set_law(scene, "rho", rho);
  set_law(scene, "tau", tau);
}

/* The number of a new sphere. */
static inline int add_sphere(Scene *scene, double radius, double x, double y, double z) {
  DlsWorld *world = scene->simulation->world;
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(world->dim, radius, &shape));
  const DlsBody body = {.shape = &shape, .density = 2500, .position = {x, y, z}};
  CHECK_OK(dls_world_add_body(world, &body));
  dls_shape_clear(&shape);
  return world->count - 1;
}

static inline void run(Scene *scene, int steps) {
  dls_simulation_recount(scene->simulation);
  for (int k = 0; k < steps; k++) CHECK_OK(dls_simulation_step(scene->simulation));
}

/* The balance of works is zero by algebra (ledger.c), so what is left of it is rounding: J. In a
 * step of one body no more than 64 roundings of size DBL_EPSILON / 2 touch a number of the size of
 * twice the energy: 8 in the free velocity, 20 each in the velocities of body and contact after the
 * impulse, 16 in the products and sums. They have either sign, so that over n bodies and steps they
 * add up like sqrt(n) (Higham and Mary 2019). `energy`: the largest that is in motion. */
static inline double rounding(const Scene *scene, double energy) {
  const DlsSimulation *s = scene->simulation;
  return 64 * DBL_EPSILON * sqrt((double)s->state.step * s->world->count) * energy;
}

static inline void close_scene(Scene *scene) { dls_simulation_destroy(&scene->simulation); }

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
#define FOR_EACH_SCHEME(scheme)                                                                    \
  for (int scheme##_k = 0; scheme##_k < DLS_COUNT(schemes); scheme##_k++)                          \
    for (const DlsScheme *scheme = schemes[scheme##_k], **scheme##_once = &scheme; scheme##_once;  \
         scheme##_once = NULL)

#endif
