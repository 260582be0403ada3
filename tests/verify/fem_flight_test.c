/* Free flight of bodies that turn and swing: energy, momentum and angular momentum are kept. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fem_cells.h"

static Block block;

typedef struct {
  double energy, momentum[3], angular[3];
  int rounds;           /* of Newton's loop, in all */
  double fastest, most; /* m/s, of a node, and J, in the last half of the steps */
} Flight;

/* Nodes at x = 0 meet others, and have no mass. */
static bool massless;

static Flight look(const TestScene *scene) {
  const DlsWorld *world = scene->world;
  const DlsDeformable *d = &world->deformable.item[0];
  const double *state = world->deformable.state + d->state;
  const double *v = world->deformable.velocity + d->velocity;
  Flight out = {.energy = d->kind->kinetic(d->model, state, v) + d->kind->strain(d->model, state)};
  d->kind->mean_velocity(d->model, state, v, out.momentum);
  d->kind->angular_momentum(d->model, state, v, out.angular);
  return out;
}

/* Turning at 20 rad/s, drifting, and stretching along x at a rate; h = 2 ms, some 2 turns. */
static Flight fly(DlsElementType type, const char *law, DlsKinematics kinematics, int steps,
                  double h, Flight *before) {
  const double size[3] = {1, 0.4, 0.3};
  const int count[3] = {4, 2, 1};
  TestScene scene;
  void *model;
  block_make(&block, type, size, count, NULL, law, kinematics);
  block_set(&block, "young", 1e7);
  block.setup.tolerance = 1e-11;
  if (massless) block.setup.mass = DLS_MASS_FREE_CONTACT, block.setup.contacts = 0;
  for (int a = 0; massless && a < block.setup.nodes; a++)
    if (block.X[a][0] == 0) block.contact[block.setup.contacts++] = a;
  test_scene_open(&scene, block.setup.dim, &dls_scheme_moreau, h, "signorini");
  memset(scene.gravity, 0, sizeof scene.gravity);
  scene.simulation->settings.theta = 0.5;
  CHECK_OK(dls_body_create(&block.setup, &model));
  const int dim = block.setup.dim;
  double *state = calloc((size_t)block_size(model).states, sizeof *state);
  double *v = calloc((size_t)(block.setup.nodes * dim), sizeof *v);
  dls_body_new_state(model, state);
  for (int a = 0; a < block.setup.nodes; a++) {
    const double x = block.X[a][0] - 0.5, y = block.X[a][1] - 0.2, z = block.X[a][2] - 0.15;
    const double w[3] = {dim == 3 ? 5 : 0, dim == 3 ? -3 : 0, 20};
    v[a * dim] = w[1] * z - w[2] * y + 4 * x + 1;
    v[a * dim + 1] = w[2] * x - w[0] * z - 2;
    if (dim == 3) v[a * dim + 2] = w[0] * y - w[1] * x - 1.5 * z;
  }
  block_add(&scene, model, state, v);
  *before = look(&scene);
  const double *now = scene.world->deformable.velocity;
  double fastest = 0, most = 0;
  int rounds = 0;
  for (int k = 0; k < steps; k++) {
    test_scene_run(&scene, 1);
    rounds += scene.simulation->last.report.newton;
    for (int i = 0; k >= steps / 2 && i < scene.world->deformable.velocities; i++)
      fastest = fmax(fastest, fabs(now[i]));
    if (k >= steps / 2) most = fmax(most, look(&scene).energy);
  }
  Flight out = look(&scene);
  out.rounds = rounds, out.fastest = fastest, out.most = most;
  CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-9 * before->energy);
  test_scene_close(&scene);
  free(state), free(v);
  return out;
}

static double angular_error(const Flight *now, const Flight *before) {
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = now->angular[k] - before->angular[k];
  return dls_vector_norm(d) / dls_vector_norm(before->angular);
}

/* Without the mean dilatation a total Lagrangian body keeps all three to what is left by Newton's
 * loop. */
TEST(total_lagrangian_flights_keep_energy_and_momenta) {
  static const DlsElementType types[] = {DLS_T3, DLS_T6, DLS_Q8, DLS_TET4, DLS_TET10, DLS_WEDGE6};
  static const char *const laws[] = {"elastic", "neo-hookean"};
  for (int l = 0; l < DLS_COUNT(laws); l++)
    for (int t = 0; t < DLS_COUNT(types); t++) {
      Flight before;
      const Flight now = fly(types[t], laws[l], DLS_KINEMATICS_TOTAL_LAGRANGIAN, 50, 2e-3, &before);
      /* Of rubber: less than 1e-9 of the stiffness times the volume, 4e6 J, is missing in each of
       * 50 steps (body_points.c); the energy is some 1e4 J. */
      CHECK_NEAR(now.energy, before.energy, (l ? 2e-5 : 1e-9) * before.energy);
      CHECK(now.rounds < 50 * 10);
      for (int k = 0; k < 3; k++) CHECK_NEAR(now.momentum[k], before.momentum[k], 1e-9);
      CHECK_BELOW(angular_error(&now, &before), 1e-9);
    }
}

/* With it momenta are, and the error of the energy falls as the square of the step. */
TEST(mean_dilatation_keeps_momenta) {
  static const DlsElementType types[] = {DLS_Q4, DLS_HEX8};
  for (int t = 0; t < DLS_COUNT(types); t++) {
    Flight before;
    double error[2];
    for (int level = 0; level < 2; level++) {
      const Flight now = fly(types[t], "elastic", DLS_KINEMATICS_TOTAL_LAGRANGIAN, level ? 100 : 50,
                             level ? 1e-3 : 2e-3, &before);
      CHECK_BELOW(angular_error(&now, &before), 1e-9);
      error[level] = fabs(now.energy / before.energy - 1);
    }
    CHECK_BELOW(error[0], 1e-5);
    CHECK_BELOW(error[1], error[0] / 2.5);
  }
}

/* A co-rotational body is asked once a step, keeps its momentum, and the rest to the second order
 * of the step: to the square of its turn, (20 / s h)^2. */
TEST(turning_bodies_fly) {
  static const DlsElementType types[] = {DLS_T3, DLS_Q4, DLS_TET4, DLS_HEX8};
  for (int t = 0; t < DLS_COUNT(types); t++) {
    Flight before;
    for (int level = 0; level < 2; level++) {
      const double h = level ? 5e-4 : 1e-3;
      const Flight now =
          fly(types[t], "elastic", DLS_KINEMATICS_COROTATIONAL, level ? 200 : 100, h, &before);
      for (int k = 0; k < 3; k++) CHECK_NEAR(now.momentum[k], before.momentum[k], 1e-9);
      CHECK_INT(now.rounds, 0);
      CHECK_NEAR(now.energy, before.energy, 400 * h * h * before.energy);
      CHECK_BELOW(angular_error(&now, &before), 400 * h * h);
    }
  }
}

/* Nodes without mass go with the body for ever: no node of it is faster than turning, drifting and
 * all of the stretching at its far corner. Energy is kept to the square of the turn of a step; of
 * co-rotational bodies, as above, in each 0.1 s. */
TEST(nodes_without_mass_fly_with_the_body) {
  const double h = 1e-3, corner = sqrt(0.5 * 0.5 + 0.2 * 0.2);
  massless = true;
  for (int k = 0; k < 2; k++)
    for (int t = 0; t < 3; t++) {
      static const DlsElementType types[] = {DLS_T3, DLS_Q4, DLS_T6};
      const DlsKinematics kinematics =
          k ? DLS_KINEMATICS_TOTAL_LAGRANGIAN : DLS_KINEMATICS_COROTATIONAL;
      Flight before;
      const Flight now = fly(types[t], "elastic", kinematics, 2000, h, &before);
      if (getenv("SHOW"))
        printf("%s: fastest %.3g m/s, energy %.3g, momenta %.3g %.3g\n", k ? "large" : "turning",
               now.fastest, now.most / before.energy - 1, now.momentum[0] - before.momentum[0],
               angular_error(&now, &before));
      CHECK_BELOW(now.fastest, 20 * corner + sqrt(5) + 4 * corner);
      CHECK_BELOW(now.most / before.energy - 1, 400 * h * h * (k ? 1 : 2000 * h / 0.1));
    }
  massless = false;
}
