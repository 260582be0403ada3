/* Springs: their forces are the gradients of their energies, and the bound of the frequency is
 * one. */
#include "tests/test.h"

#include "base/random.h"
#include "scene/springs.h"

#include <stdlib.h>

/* Four balls at random places, one entry for all. */
static void make_world(int dim, DlsWorld **world, DlsRoster *roster) {
  DlsShape ball;
  DlsRandom random;
  dls_random_seed(&random, 5);
  CHECK_OK(dls_world_create(dim, world));
  CHECK_OK(dls_shape_sphere(dim, 0.01, &ball));
  for (int b = 0; b < 4; b++) {
    DlsBody body = {.shape = &ball, .mass = 1 + b};
    for (int k = 0; k < dim; k++) body.position[k] = b + dls_random_between(&random, -0.4, 0.4);
    CHECK_OK(dls_world_add_body(*world, &body));
  }
  dls_shape_clear(&ball);
  CHECK_OK(dls_roster_add(roster, &(DlsRosterEntry){.kind = DLS_ROSTER_CHAIN,
                                                    .name = "row",
                                                    .state = DLS_ROSTER_HERE,
                                                    .first = 1,
                                                    .count = 4}));
}

static void make_springs(DlsSprings *springs) {
  CHECK_OK(dls_springs_add(springs,
                           &(DlsSpring){.end = {{0, 0}, {0, 1}}, .stiffness = 3, .length = 0.7}));
  CHECK_OK(dls_springs_add(springs,
                           &(DlsSpring){.end = {{0, 1}, {0, 3}}, .stiffness = 2, .length = 0.2}));
  CHECK_OK(dls_springs_add_bend(springs, &(DlsBend){{{0, 0}, {0, 1}, {0, 2}}, 1.5, 0}));
  CHECK_OK(dls_springs_add_bend(springs, &(DlsBend){{{0, 1}, {0, 2}, {0, 3}}, 2.5, 0.6}));
}

/* F = -dV/dx by central differences; and no net force, no net torque. */
TEST(forces_are_gradients_of_the_energy) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsWorld *world = NULL;
    DlsRoster roster = {0};
    DlsSprings springs = {0};
    double force[4][6] = {{0}}, total[3] = {0}, torque[3] = {0};
    const double e = 1e-5;
    make_world(dim, &world, &roster);
    make_springs(&springs);
    dls_springs_force(&springs, &roster, world, force);
    for (int b = 0; b < 4; b++) {
      double arm[3];
      for (int k = 0; k < dim; k++) {
        const double x = world->position[b][k];
        world->position[b][k] = x + e;
        const double above = dls_springs_energy(&springs, &roster, world);
        world->position[b][k] = x - e;
        const double below = dls_springs_energy(&springs, &roster, world);
        world->position[b][k] = x;
        CHECK_NEAR(force[b][k], (below - above) / (2 * e), 1e-8);
        total[k] += force[b][k];
      }
      dls_vector_cross(world->position[b], force[b], arm);
      for (int k = 0; k < 3; k++) torque[k] += arm[k];
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(total[k], 0, 1e-14);
    for (int k = 0; k < 3; k++) CHECK_NEAR(torque[k], 0, 1e-13);
    dls_springs_clear(&springs);
    dls_roster_clear(&roster);
    dls_world_destroy(&world);
  }
}

/* Two balls on a spring: omega^2 = k (1/m1 + 1/m2); the bound is 2 k / m for equal masses, exact,
 * and with one fixed k / m. */
TEST(the_bound_of_the_frequency_holds) {
  DlsWorld *world = NULL;
  DlsRoster roster = {0};
  DlsSprings springs = {0};
  double omega;
  make_world(3, &world, &roster);
  CHECK_OK(dls_springs_add(&springs,
                           &(DlsSpring){.end = {{0, 0}, {0, 1}}, .stiffness = 8, .length = 1}));
  CHECK_OK(dls_springs_frequency(&springs, &roster, world, &omega));
  CHECK(omega >= sqrt(8 * (1 + 1 / 2.0)));
  world->mass[1] = 1;
  CHECK_OK(dls_springs_frequency(&springs, &roster, world, &omega));
  CHECK_NEAR(omega, 4, 1e-14);
  world->fixed[1] = DLS_FIXED_ALL;
  CHECK_OK(dls_springs_frequency(&springs, &roster, world, &omega));
  CHECK_NEAR(omega, sqrt(8), 1e-14);
  dls_springs_clear(&springs);
  dls_roster_clear(&roster);
  dls_world_destroy(&world);
}

TEST(names_stand_for_bodies_beads_and_chains) {
  DlsWorld *world = NULL;
  DlsRoster roster = {0};
  DlsMember *list = NULL;
  int count = 0;
  make_world(3, &world, &roster);
  CHECK_OK(dls_roster_expand(&roster, "row", &list, &count));
  CHECK_OK(dls_roster_expand(&roster, "row.2", &list, &count));
  CHECK_INT(count, 5);
  CHECK_INT(list[4].offset, 1);
  CHECK_FAILS(dls_roster_expand(&roster, "rows", &list, &count), DLS_ERR_ARGUMENT,
              "did you mean 'row'?");
  CHECK_FAILS(dls_roster_expand(&roster, "row.5", &list, &count), DLS_ERR_ARGUMENT, "row.5");
  CHECK_INT(dls_roster_number(&roster, world, (DlsMember){0, 3}), 3);
  dls_world_doom(world, 1);
  dls_world_compact(world, NULL);
  CHECK_INT(dls_roster_number(&roster, world, (DlsMember){0, 3}), 2);
  CHECK_INT(dls_roster_number(&roster, world, (DlsMember){0, 1}), -1);
  free(list);
  dls_roster_clear(&roster);
  dls_world_destroy(&world);
}
