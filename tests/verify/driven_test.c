/* Bodies whose motion is prescribed rub on what they touch: boundaries, at rest or moving, and
 * other bodies alike. */
#include "tests/simulating.h"

static const double ball_radius = 0.05, mu = 0.4, step_h = 1e-3;

/* What a ball of prescribed motion lies on. */
typedef enum { PLANE, ROUND, BODY, GROUNDS } Ground; /* BODY: a held body in the place of ROUND */

typedef struct {
  unsigned fixed;    /* of the ball */
  double vx, spin;   /* of the ball: m/s; rad/s about y (2-D: about z), where they are fixed */
  double under_vx;   /* m/s, of the ground */
  double under_spin; /* rad/s, likewise about y or z */
} Drive;

/* After one step of the ball over the ground's top, where both stand when contacts are looked for:
 * moreau's in the middle of the step. Contact 0 is that of the two. */
static void drive_once(TestScene *scene, int dim, const DlsScheme *scheme, Ground ground,
                       const Drive *d) {
  const double under = 0.2;
  const int turn = dim == 3 ? 4 : 5;
  const double ahead = scheme == &dls_scheme_moreau ? 0.5 * step_h : 0;
  test_scene_open(scene, dim, scheme, step_h, "coulomb");
  test_scene_set(scene, 0, "mu", mu);
  const double top = ground == PLANE ? ball_radius : ball_radius + under;
  if (ground == BODY) {
    const int b = test_scene_sphere(scene, under, -ahead * d->under_vx, 0, 0);
    scene->world->fixed[b] = DLS_FIXED_ALL;
    scene->world->velocity[b][0] = d->under_vx;
    scene->world->velocity[b][turn] = d->under_spin;
  } else {
    DlsBoundary *b = test_scene_boundary(scene, ground == ROUND ? under : 0);
    b->position[0] = -ahead * d->under_vx;
    b->velocity[0] = d->under_vx;
    if (ground != PLANE) b->velocity[turn] = d->under_spin; /* a plane would tilt */
  }
  const int ball =
      test_scene_sphere(scene, ball_radius, -ahead * d->vx, dim == 2 ? top : 0, dim == 3 ? top : 0);
  scene->world->fixed[ball] = (uint8_t)d->fixed;
  if (d->fixed & DLS_FIXED_X) scene->world->velocity[ball][0] = d->vx;
  if (d->fixed & (1u << turn)) scene->world->velocity[ball][turn] = d->spin;
  test_scene_run(scene, 1);
  CHECK_INT(scene->simulation->last.assembly.step.count, 1);
}

/* What moves along x at the contact: v + w x lever, the lever of the ball down, that of the ground
 * up. In 3-D a turn about y carries the point below the ball towards -x, in 2-D one about z towards
 * +x. */
static double relative_slip(int dim, Ground ground, const Drive *d) {
  const double sense = dim == 3 ? -1 : 1, under = ground == PLANE ? 0 : 0.2;
  return d->vx + sense * d->spin * ball_radius - (d->under_vx - sense * d->under_spin * under);
}

static double mass_of(const TestScene *scene) {
  return scene->world->mass[scene->world->count - 1];
}

static const Drive drives[] = {
    {DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z, 0.1, 0, 0, 0},
    {DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z, 0.1, 3, 0, 0},
    {DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z, 0.1, 4, 0.25, -2},
    {DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z, 0, 0, -0.3, 0},
};

/* Slip is the relative velocity, friction mu m g against it, on planes, disks, balls and bodies. */
TEST(a_driven_body_rubs_on_what_it_touches) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int dim = 2; dim <= 3; dim++)
    for (int s = 0; s < 2; s++)
      for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < DLS_COUNT(drives); k++) {
          TestScene scene;
          drive_once(&scene, dim, schemes[s], (Ground)ground, &drives[k]);
          const DlsAssembly *a = &scene.simulation->last.assembly;
          const double slip = relative_slip(dim, (Ground)ground, &drives[k]);
          const double weight = mass_of(&scene) * test_g * step_h;
          /* x in the frame of the contact; the ball may be either of the two */
          const double *frame = scene.simulation->last.contacts.frame[a->step.in_set[0]];
          const double side =
              scene.simulation->last.contacts.candidate[a->step.in_set[0]] == scene.world->count - 1
                  ? 1
                  : -1;
          double u = 0, r = 0;
          for (int t = 1; t < dim; t++) {
            u += side * frame[3 * t] * a->solve.u[t];
            r += side * frame[3 * t] * a->solve.r[t];
          }
          CHECK_NEAR(u, slip, 1e-12);
          CHECK_NEAR(a->solve.r[0], weight, 1e-10 * weight);
          CHECK_NEAR(r, slip > 0 ? -mu * weight : mu * weight, 1e-10 * weight);
          test_scene_close(&scene);
        }
}

/* A component that is free beside one that is driven: a ball dragged along x and free to turn ends
 * rolling, its rim at the velocity of the ground. */
TEST(a_dragged_ball_rolls_on_a_moving_ground) {
  for (int dim = 2; dim <= 3; dim++)
    for (int ground = PLANE; ground <= PLANE; ground++) {
      const Drive d = {DLS_FIXED_X, 0.1, 0, 0.04, 0};
      TestScene scene;
      drive_once(&scene, dim, &dls_scheme_moreau, (Ground)ground, &d);
      CHECK(fabs(scene.simulation->last.assembly.solve.u[1]) +
                fabs(scene.simulation->last.assembly.solve.u[dim - 1]) >
            1e-3);
      test_scene_run(&scene, 200);
      const double *v = scene.world->velocity[0];
      const double rim = dim == 3 ? v[0] - v[4] * ball_radius : v[0] + v[5] * ball_radius;
      CHECK_NEAR(v[0], 0.1, 0);
      CHECK_NEAR(rim, 0.04, 1e-9);
      test_scene_close(&scene);
    }
}

/* Against a plane that runs under a free ball: the same motion seen from the plane. */
TEST(only_relative_motion_counts) {
  for (int dim = 2; dim <= 3; dim++) {
    const unsigned turns = DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
    const Drive driven = {DLS_FIXED_X | turns, 0.1, 0, 0, 0},
                belt = {DLS_FIXED_X | turns, 0, 0, -0.1, 0};
    TestScene one, other;
    drive_once(&one, dim, &dls_scheme_moreau, PLANE, &driven);
    drive_once(&other, dim, &dls_scheme_moreau, PLANE, &belt);
    for (int k = 0; k < dim; k++) {
      CHECK_NEAR(one.simulation->last.assembly.solve.r[k],
                 other.simulation->last.assembly.solve.r[k], 1e-15);
      CHECK_NEAR(one.simulation->last.assembly.solve.u[k],
                 other.simulation->last.assembly.solve.u[k], 1e-15);
    }
    test_scene_close(&one);
    test_scene_close(&other);
  }
}

/* Friction takes mu m g per metre, what drives gives it, and nothing is left over. */
TEST(the_work_of_dragging_is_what_friction_takes) {
  for (int dim = 2; dim <= 3; dim++)
    for (int moving = 0; moving < 2; moving++) {
      const Drive d = {DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z, 0.1, 0,
                       moving ? -0.05 : 0, 0};
      TestScene scene;
      drive_once(&scene, dim, &dls_scheme_moreau, PLANE, &d);
      test_scene_run(&scene, 99);
      const double way = (d.vx - d.under_vx) * 100 * step_h;
      const double work = mu * mass_of(&scene) * test_g * way;
      const DlsLedger *ledger = &scene.simulation->state.ledger;
      CHECK_NEAR(ledger->dissipated, work, 1e-9 * work);
      CHECK_NEAR(ledger->boundary, work, 1e-9 * work);
      CHECK_NEAR(ledger->balance, 0, 1e-12 * work);
      test_scene_close(&scene);
    }
}
