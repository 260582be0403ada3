/* Laws that act at a distance, remember, and turn frames, in motion. The law `pull` is
 * tests/plugins/pull.c: a constant pull at gaps up to its reach. */
#include "tests/test.h"

#include "step/simulation.h"

#include <string.h>

#define PULL TEST_BINARY_DIR "/tests/plugins/composed/pull.so"

static const double radius = 1, density = 1, force = 2, reach = 0.5;

/* Spheres of one material in 3-D without weight; signorini or coulomb, followed by pull; a
 * floor. */
static DlsSimulation *open_scene(const char *first, const DlsScheme *scheme, double h) {
  DlsWorld *world = NULL;
  DlsSimulation *s = NULL;
  const DlsLaw *law = NULL, *pull = NULL;
  const DlsBoundary plane = {.kind = DLS_BOUNDARY_PLANE, .orientation = {1, 0, 0, 0}};
  double *params = NULL;
  int number;
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_materials_add(&world->materials, "stone", density, &number));
  CHECK_OK(dls_world_add_boundary(world, &plane));
  CHECK_OK(dls_simulation_create(&world, &s));
  CHECK_OK(dls_interactions_create(1, &s->settings.laws));
  CHECK_OK(dls_law_find(first, &law));
  CHECK_OK(dls_law_find(PULL, &pull));
  CHECK_OK(dls_interactions_add(&s->settings.laws, law, &number));
  CHECK_OK(dls_interactions_follow(&s->settings.laws, number, pull, &params));
  params[0] = force;
  params[1] = reach;
  CHECK_OK(dls_interactions_give(&s->settings.laws, -1, -1, number));
  s->settings.scheme = scheme;
  s->settings.h = h;
  s->settings.limits.tolerance = 1e-12;
  return s;
}

static void add_sphere(DlsSimulation *s, double z, double vx, double vz) {
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(3, radius, &shape));
  const DlsBody body = {
      .shape = &shape, .density = density, .position = {0, 0, z}, .velocity = {vx, 0, vz}};
  CHECK_OK(dls_world_add_body(s->world, &body));
  dls_shape_clear(&shape);
}

static void run(DlsSimulation *s, int steps) {
  dls_simulation_recount(s);
  for (int k = 0; k < steps; k++) CHECK_OK(dls_simulation_step(s));
}

/* v = F t / m while it is within reach; then it lies on the floor, pressed by nothing but F: r_N =
 * 0, since pull and push cancel, and stays. */
TEST(a_sphere_is_pulled_to_the_floor_and_stays) {
  static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    DlsSimulation *s = open_scene("signorini", schemes[k], 1e-3);
    add_sphere(s, radius + 0.4, 0, 0);
    const double m = s->world->mass[0];
    run(s, 100);
    CHECK_INT(s->last.report.contacts, 1);
    CHECK_NEAR(s->world->velocity[0][2], -force * 0.1 / m, 1e-12);
    CHECK_NEAR(s->state.boundary_force[0][2], force, 1e-9); /* the floor is pulled up */
    run(s, 2000);
    CHECK_NEAR(s->world->position[0][2], radius, 1e-9);
    CHECK_NEAR(s->world->velocity[0][2], 0, 1e-9);
    CHECK_NEAR(s->state.boundary_force[0][2], 0, 1e-9);
    dls_simulation_destroy(&s);
  }
}

/* Coulomb's cone is that of r + a, so what is pulled by F at contact has friction up to mu F. */
TEST(a_pulled_sphere_slides_to_rest) {
  DlsSimulation *s = open_scene("coulomb", &dls_scheme_moreau, 1e-3);
  add_sphere(s, radius, 0.1, 0);
  const double m = s->world->mass[0], mu = s->settings.laws.item[0].params[0];
  run(s, 50);
  CHECK_NEAR(s->world->velocity[0][0], 0.1 - mu * force * 0.05 / m, 1e-9);
  dls_simulation_destroy(&s);
}

/* What is beyond reach is not there for moreau; what was there within reach keeps its state, and a
 * contact that comes again is a new one. */
TEST(a_state_lives_as_long_as_the_gap_is_within_reach) {
  DlsSimulation *s = open_scene("signorini", &dls_scheme_moreau, 1e-3);
  add_sphere(s, radius + 0.6, 0, 0);
  run(s, 3);
  CHECK_INT(s->last.report.contacts, 0);
  CHECK_NEAR(s->world->velocity[0][2], 0, 0);
  s->world->position[0][2] = radius + 0.45;
  run(s, 7);
  CHECK_INT(s->last.report.contacts, 1);
  CHECK_NEAR(s->last.assembly.step.state[0], 0.45, 1e-12); /* where it was found */
  CHECK_NEAR(s->last.assembly.step.state[1], 7, 0);
  s->world->position[0][2] = radius; /* closed and open again within reach: the same contact */
  run(s, 1);
  s->world->position[0][2] = radius + 0.3;
  run(s, 1);
  CHECK_NEAR(s->last.assembly.step.state[1], 9, 0);
  s->world->position[0][2] = radius + 0.6;
  run(s, 1);
  CHECK_INT(s->last.report.contacts, 0);
  s->world->position[0][2] = radius + 0.2;
  run(s, 1);
  CHECK_NEAR(s->last.assembly.step.state[0], 0.2, 1e-3);
  CHECK_NEAR(s->last.assembly.step.state[1], 1, 0);
  dls_simulation_destroy(&s);
}

/* The pair without a range does not see the other pair's. */
TEST(each_pair_of_materials_has_its_own_range) {
  DlsSimulation *s = open_scene("signorini", &dls_scheme_moreau, 1e-3);
  const DlsLaw *law = NULL;
  int material, plain;
  CHECK_OK(dls_materials_add(&s->world->materials, "wood", density, &material));
  DlsInteractions laws = {0};
  CHECK_OK(dls_interactions_create(2, &laws));
  CHECK_OK(dls_law_find("signorini", &law));
  CHECK_OK(dls_interactions_add(&laws, law, &plain));
  CHECK_OK(dls_interactions_give(&laws, -1, -1, plain));
  int number;
  double *params = NULL;
  CHECK_OK(dls_interactions_add(&laws, law, &number));
  CHECK_OK(dls_interactions_follow(&laws, number, s->settings.laws.item[0].then[0], &params));
  params[0] = force;
  params[1] = reach;
  CHECK_OK(dls_interactions_give(&laws, 0, 0, number));
  dls_interactions_clear(&s->settings.laws);
  s->settings.laws = laws;
  add_sphere(s, radius + 0.2, 0, 0);
  add_sphere(s, radius + 0.2, 0, 0);
  s->world->position[1][0] = 50;
  s->world->material[1] = material;
  run(s, 10);
  CHECK_INT(s->last.report.contacts, 1);
  CHECK(s->world->velocity[0][2] < 0);
  CHECK_NEAR(s->world->velocity[1][2], 0, 0);
  dls_simulation_destroy(&s);
}

/* Along the candidate's first material axis, which a law may not know to be no tangent. */
static DlsStatus along_body(const DlsContact *c, const double *p, double t1[3]) {
  (void)p;
  memcpy(t1, c->axes[1][0], sizeof c->axes[1][0]);
  return DLS_OK;
}

/* t1 is the body's axis, projected; round friction does the same in any frame. */
TEST(frames_are_turned_as_the_law_wants) {
  const double turn = 0.7, tilt = 0.4;
  double force_before[3] = {0}, velocity[6] = {0};
  for (int turned = 0; turned < 2; turned++) {
    DlsSimulation *s = open_scene("coulomb", &dls_scheme_moreau, 1e-3);
    DlsLaw oriented = *s->settings.laws.item[0].law;
    oriented.orient = along_body;
    if (turned) s->settings.laws.item[0].law = &oriented;
    add_sphere(s, radius, 0.3, -0.2);
    double *q = s->world->orientation[0], about_z[4] = {cos(turn / 2), 0, 0, sin(turn / 2)};
    const double about_y[4] = {cos(tilt / 2), 0, sin(tilt / 2), 0};
    dls_rotation_multiply(about_z, about_y, q);
    run(s, 3);
    CHECK_INT(s->last.report.contacts, 1);
    if (!turned) {
      memcpy(force_before, s->state.boundary_force[0], sizeof force_before);
      memcpy(velocity, s->world->velocity[0], sizeof velocity);
      dls_simulation_destroy(&s);
      continue;
    }
    const double *frame = s->last.contacts.frame[0], *n = frame, *t1 = frame + 3;
    double x[3], cross[3];
    const double first[3] = {1, 0, 0};
    dls_rotation_apply(s->world->orientation[0], first, x);
    CHECK_NEAR(dls_vector_dot(n, t1), 0, 1e-15);
    CHECK_NEAR(dls_vector_norm(t1), 1, 1e-15);
    /* In the plane of n and the axis (of the middle of the step, half a step of spin ago). */
    dls_vector_cross(n, x, cross);
    CHECK_NEAR(dls_vector_dot(cross, t1), 0, 1e-3);
    CHECK(dls_vector_dot(x, t1) > 0.5);
    dls_vector_cross(n, t1, cross);
    for (int k = 0; k < 3; k++) CHECK_NEAR(cross[k], frame[6 + k], 1e-15);
    for (int k = 0; k < 3; k++) CHECK_NEAR(s->state.boundary_force[0][k], force_before[k], 1e-9);
    for (int k = 0; k < 6; k++) CHECK_NEAR(s->world->velocity[0][k], velocity[k], 1e-12);
    dls_simulation_destroy(&s);
  }
}

TEST(a_direction_along_the_normal_leaves_the_frame) {
  const double n[3] = {0, 0.6, 0.8}, along[3] = {0, -6, -8}, none[3] = {0};
  double frame[9], before[9];
  dls_contact_frame(3, n, before);
  memcpy(frame, before, sizeof frame);
  dls_contact_turn(along, frame);
  for (int k = 0; k < 9; k++) CHECK_NEAR(frame[k], before[k], 0);
  dls_contact_turn(none, frame);
  for (int k = 0; k < 9; k++) CHECK_NEAR(frame[k], before[k], 0);
}
