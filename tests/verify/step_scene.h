/* A world with one material and perhaps a floor, for the tests of time-stepping. */
#ifndef DELASSUS_TESTS_STEP_SCENE_H
#define DELASSUS_TESTS_STEP_SCENE_H

#include "tests/simulating.h"

#include <float.h>
#include <stdlib.h>

typedef TestScene Scene;

static inline void set_law(const Scene *scene, const char *name, double value) {
  test_scene_set(scene, 0, name, value);
}

/* A world with one material, perhaps a floor through the origin, and a law with its defaults. */
static inline void open_world(Scene *scene, int dim, const DlsScheme *scheme, double h, bool floor,
                              const char *law) {
  test_scene_open(scene, dim, scheme, h, law);
  if (floor) test_scene_boundary(scene, 0);
}

/* The same with Coulomb contact. */
static inline void open_scene(Scene *scene, int dim, const DlsScheme *scheme, double h, bool floor,
                              double mu, double rho, double tau) {
  open_world(scene, dim, scheme, h, floor, "coulomb");
  set_law(scene, "mu", mu);
  set_law(scene, "rho", rho);
  set_law(scene, "tau", tau);
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
