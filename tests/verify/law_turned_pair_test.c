/* What a law remembers of its contact plane turns with the pair: two spheres that are sheared along
 * x and then turned together, as one rigid body, keep the force that they had, turned with them. */
#include "tests/simulating.h"

#include "base/file.h"
#include "record/checkpoint/checkpoint.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/law_turned_pair"

static const double pi = 3.14159265358979323846;
static const double radius = 0.01, overlap = 1e-4, sheared = 2e-5, spin = 10; /* m, rad/s */

typedef struct {
  const char *law;
  const DlsScheme *scheme;
  double shear; /* N/m */
} Kind;

static const Kind kinds[] = {
    {"elastic", &dls_scheme_moreau, 5e3},   {"elastic", &dls_scheme_euler, 5e3},
    {"elastic", &dls_scheme_explicit, 5e3}, {"spring-dashpot", &dls_scheme_explicit, 5e3},
    {"mortar", &dls_scheme_moreau, 5e3},
};

/* Two spheres, n along z. One moves as it is told, the other is so heavy that it does too: bodies
 * that cannot move at all have no contacts. */
static void open_pair(TestScene *scene, const Kind *kind, double h) {
  test_scene_open(scene, 3, kind->scheme, h, kind->law);
  memset(scene->gravity, 0, sizeof scene->gravity);
  if (strcmp(kind->law, "elastic") == 0) {
    test_scene_set(scene, 0, "k", 1e5);
    test_scene_set(scene, 0, "mu", 1);
    test_scene_set(scene, 0, "k_t", kind->shear);
  } else if (strcmp(kind->law, "mortar") == 0) {
    const double area = 1e-4;
    test_scene_set(scene, 0, "k_t", kind->shear / area);
    test_scene_set(scene, 0, "area", area);
    test_scene_set(scene, 0, "c", 1e9);
    test_scene_set(scene, 0, "f_t", 1e9);
    test_scene_set(scene, 0, "reach", 1e-3);
  } else {
    test_scene_set(scene, 0, "kt", kind->shear);
    test_scene_set(scene, 0, "mu", 1);
  }
  test_scene_sphere(scene, radius, 0, 0, radius - overlap / 2);
  test_scene_sphere(scene, radius, 0, 0, -radius + overlap / 2);
  DlsWorld *world = scene->world;
  const double heavier = 1e6 / world->mass[1];
  world->mass[1] *= heavier;
  for (int k = 0; k < 3; k++) world->inertia[1][k] *= heavier;
  world->fixed[0] = DLS_FIXED_ALL;
}

/* The tangential force on the first body, in space axes. */
static void force_of(const TestScene *scene, double out[3]) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  CHECK_INT(a->step.count, 1);
  const double *frame = s->last.contacts.frame[a->step.in_set[0]];
  const double sign = s->last.contacts.candidate[a->step.in_set[0]] == 0 ? 1 : -1;
  for (int e = 0; e < 3; e++) {
    out[e] = 0;
    for (int k = 1; k < 3; k++) out[e] += sign * frame[3 * k + e] * a->solve.r[k] / s->settings.h;
  }
}

/* Shears by `sheared` in a hundred steps. */
static void shear(TestScene *scene) {
  const double h = scene->simulation->settings.h;
  DlsWorld *world = scene->world;
  for (int step = 0; step < 100; step++) {
    for (int b = 0; b < 2; b++) memset(world->velocity[b], 0, sizeof *world->velocity);
    world->velocity[0][0] = sheared / (100 * h);
    CHECK_OK(dls_simulation_step(scene->simulation));
  }
}

/* Turns both about the axis through the origin by angle / steps in each of the steps: every body
 * goes straight from place to place of its circle, and turns by the same. Where contacts are met at
 * the start of the step, straight ways from there would slip by h², and bodies leave along their
 * circle and are put back on it. */
static void turn(TestScene *scene, const double axis[3], double angle, int steps) {
  const DlsStepSettings *set = &scene->simulation->settings;
  const bool from_start = set->scheme->after(set->theta, set->h) == set->h;
  DlsWorld *world = scene->world;
  const double by[3] = {angle / steps * axis[0], angle / steps * axis[1], angle / steps * axis[2]};
  double q[4], to[2][3];
  dls_rotation_exp(by, q);
  for (int step = 0; step < steps; step++) {
    for (int b = 0; b < 2; b++) {
      double along[3];
      dls_vector_cross(by, world->position[b], along);
      dls_rotation_apply(q, world->position[b], to[b]);
      for (int k = 0; k < 3; k++) {
        world->velocity[b][k] = (from_start ? along[k] : to[b][k] - world->position[b][k]) / set->h;
        world->velocity[b][3 + k] = by[k] / set->h;
      }
    }
    CHECK_OK(dls_simulation_step(scene->simulation));
    memcpy(world->position, to, sizeof to);
  }
}

static void expect_turned(const Kind *kind, const double axis[3], double angle) {
  const int steps = 2000;
  TestScene scene;
  const double full = kind->shear * sheared;
  double before[3], after[3], wanted[3], q[4];
  const double whole[3] = {angle * axis[0], angle * axis[1], angle * axis[2]};
  open_pair(&scene, kind, angle / steps / spin);
  shear(&scene);
  force_of(&scene, before);
  CHECK_NEAR(before[0], -full, 0.02 * full); /* the last slip may be on its way into the spring */
  turn(&scene, axis, angle, steps);
  force_of(&scene, after);
  dls_rotation_exp(whole, q);
  dls_rotation_apply(q, before, wanted);
  const double settled = full / dls_vector_norm(before);
  for (int k = 0; k < 3; k++) CHECK_NEAR(after[k], settled * wanted[k], 2e-3 * full);
  test_scene_close(&scene);
}

TEST(force_turns_with_the_pair_about_its_normal) {
  const double z[3] = {0, 0, 1};
  for (int k = 0; k < DLS_COUNT(kinds); k++) expect_turned(&kinds[k], z, pi / 2);
}

TEST(force_turns_with_the_pair_about_any_axis) {
  const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0.6, 0, 0.8}, {2.0 / 3, -1.0 / 3, 2.0 / 3}};
  for (int k = 0; k < DLS_COUNT(kinds); k++)
    for (int a = 0; a < DLS_COUNT(axes); a++) expect_turned(&kinds[k], axes[a], pi / 2);
}

/* The mean of both spins counts: one body that turns alone takes half the angle with it. */
TEST(half_a_turn_of_one_body_is_a_quarter_of_the_pair) {
  const Kind *kind = &kinds[0];
  const int steps = 2000;
  TestScene scene;
  double force[3], sign;
  open_pair(&scene, kind, pi / steps / spin);
  shear(&scene);
  for (int step = 0; step < steps; step++) {
    for (int b = 0; b < 2; b++) memset(scene.world->velocity[b], 0, sizeof *scene.world->velocity);
    for (int k = 0; k < 3; k++)
      scene.world->velocity[0][3 + k] = spin * scene.simulation->last.contacts.frame[0][k];
    CHECK_OK(dls_simulation_step(scene.simulation));
  }
  force_of(&scene, force);
  sign = scene.simulation->last.contacts.frame[0][2]; /* n is up or down */
  CHECK_NEAR(force[0], 0, 2e-3 * kind->shear * sheared);
  CHECK_NEAR(force[1], -sign * kind->shear * sheared, 2e-3 * kind->shear * sheared);
  test_scene_close(&scene);
}

/* A run that goes on from a checkpoint in the middle of the turn is the same to the last bit. */
TEST(restart_in_the_middle_of_the_turn) {
  const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  const char *path = FOLDER "/turn.h5";
  CHECK_OK(dls_file_make_folder(FOLDER));
  for (int k = 0; k < DLS_COUNT(kinds); k++) {
    TestScene unbroken, later;
    const double h = pi / 2 / 200 / spin;
    open_pair(&unbroken, &kinds[k], h);
    shear(&unbroken);
    turn(&unbroken, axis, pi / 4, 100);
    CHECK_OK(dls_checkpoint_write(path, unbroken.simulation, NULL));
    open_pair(&later, &kinds[k], h);
    CHECK_OK(dls_checkpoint_read(path, later.simulation, false, NULL));
    turn(&unbroken, axis, pi / 4, 100);
    turn(&later, axis, pi / 4, 100);
    const DlsStepState *a = &unbroken.simulation->state, *b = &later.simulation->state;
    const int states = unbroken.simulation->last.assembly.run.states;
    CHECK(states > 0 && a->memory.count == 1 && b->memory.count == 1);
    CHECK(memcmp(a->law_state, b->law_state, (size_t)states * sizeof *a->law_state) == 0);
    CHECK(memcmp(a->frame, b->frame, sizeof *a->frame) == 0);
    CHECK(memcmp(a->r, b->r, 3 * sizeof *a->r) == 0);
    CHECK(memcmp(unbroken.world->position, later.world->position, sizeof(double[2][3])) == 0);
    test_scene_close(&unbroken);
    test_scene_close(&later);
  }
}
