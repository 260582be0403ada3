/* The scheme from event to event: collisions at their instants, however long the step.
 *
 *   - a ball that bounces, and one that slides down a slope between bounces off a wall, in closed
 *     form
 *   - disks in a box without friction, elastic: against a second event-driven program, which is
 *     here, and knows quadratics alone; steps of moreau close in on both as they get shorter */
#include "tests/simulating.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void open_scene(TestScene *scene, const DlsScheme *scheme, int dim, double h, double rho) {
  test_scene_open(scene, dim, scheme, h, "coulomb");
  test_scene_set(scene, 0, "mu", 0);
  test_scene_set(scene, 0, "rho", rho);
}

static void add_plane(TestScene *scene, double x, double y, double angle) {
  const DlsBoundary wall = {.kind = DLS_BOUNDARY_PLANE,
                            .position = {x, y, 0},
                            .orientation = {cos(angle / 2), 0, 0, sin(angle / 2)}};
  CHECK_OK(dls_world_add_boundary(scene->world, &wall));
}

/* m: how high a ball that is let go from `height` above the floor is at time t; 0 when its bounces
 * have ended. */
static double bounced(double height, double rho, double t) {
  double speed = sqrt(2 * test_g * height), left = t - speed / test_g;
  if (left < 0) return height - 0.5 * test_g * t * t;
  for (;;) {
    speed *= rho;
    const double flight = 2 * speed / test_g;
    if (flight < 1e-12) return 0;
    if (left < flight) return left * (speed - 0.5 * test_g * left);
    left -= flight;
  }
}

/* A bounce that would rise by less than 1e-9 of the radius is a contact that lasts: slower than
 * √(2 g 1e-9 r), it may lead half a step too deep. */
TEST(a_ball_bounces_as_its_closed_form_says) {
  const double radius = 0.1, height = 0.2, rho = 0.5, h = 0.02;
  double worst = 0, by_steps = 0;
  for (int k = 0; k < 2; k++) {
    TestScene scene;
    open_scene(&scene, k ? &dls_scheme_moreau : &dls_scheme_events, 3, h, rho);
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + height);
    for (int n = 1; n <= 60; n++) {
      test_scene_run(&scene, 1);
      const double off =
          fabs(scene.world->position[ball][2] - radius - bounced(height, rho, n * h));
      double *most = k ? &by_steps : &worst;
      *most = fmax(*most, off);
    }
    CHECK_NEAR(scene.world->velocity[ball][2], 0, 1e-3);
    if (k == 0) CHECK_BELOW(fabs(scene.simulation->state.ledger.balance), 1e-12);
    test_scene_close(&scene);
  }
  if (getenv("SHOW")) printf("events %.2g m, steps %.2g m\n", worst, by_steps);
  CHECK_BELOW(worst, 0.5 * h * sqrt(2 * test_g * 1e-9 * radius));
  CHECK(by_steps > 1e-3);
}

/* On a slope without friction, between bounces off a wall across it: the contact with the slope
 * lasts, that with the wall is an event each 2 √(2 d / g sin a). */
TEST(a_ball_slides_between_bounces) {
  const double radius = 0.1, angle = 0.4, away = 0.3, h = 0.05, g = test_g * sin(angle);
  const double fall = sqrt(2 * away / g);
  double worst = 0;
  TestScene scene;
  open_scene(&scene, &dls_scheme_events, 2, h, 1);
  scene.gravity[0] = -test_g * sin(angle);
  scene.gravity[1] = -test_g * cos(angle);
  add_plane(&scene, 0, 0, 0);
  add_plane(&scene, 0, 0, -acos(-1) / 2);
  const int ball = test_scene_sphere(&scene, radius, radius + away, radius, 0);
  for (int n = 1; n <= 60; n++) {
    test_scene_run(&scene, 1);
    const double t = fmod(n * h + fall, 2 * fall) - fall; /* 0 at the highest place */
    const double *x = scene.world->position[ball];
    worst = fmax(worst, fabs(x[0] - radius - away + 0.5 * g * t * t));
    worst = fmax(worst, fabs(x[1] - radius));
  }
  if (getenv("SHOW")) printf("slides: %.2g m\n", worst);
  CHECK_BELOW(worst, 1e-9);
  CHECK_BELOW(fabs(scene.simulation->state.ledger.balance), 1e-10);
  test_scene_close(&scene);
}

enum { DISKS = 12 };
static const double side = 1; /* m */

typedef struct {
  double x[DISKS][2], v[DISKS][2], radius[DISKS];
  int collisions;
} Gas;

static Gas gas_at_random(void) {
  Gas gas = {.collisions = 0};
  DlsRandom random;
  dls_random_seed(&random, 7);
  for (int i = 0; i < DISKS; i++) {
    gas.radius[i] = 0.04 + 0.02 * dls_random_between(&random, 0, 1);
    gas.x[i][0] = side * (i % 4 + 0.5) / 4, gas.x[i][1] = side * (i / 4 + 0.5) / 3;
    for (int k = 0; k < 2; k++) gas.v[i][k] = 2 * dls_random_between(&random, 0, 1) - 1;
  }
  return gas;
}

/* When disks i and j, or i and wall j - DISKS, meet: INFINITY never. */
static double meets(const Gas *gas, int i, int j) {
  if (j >= DISKS) {
    const int axis = (j - DISKS) / 2, up = (j - DISKS) % 2;
    const double v = gas->v[i][axis], x = gas->x[i][axis], r = gas->radius[i];
    if (up) return v > 0 ? (side - r - x) / v : INFINITY;
    return v < 0 ? (r - x) / v : INFINITY;
  }
  const double p[2] = {gas->x[i][0] - gas->x[j][0], gas->x[i][1] - gas->x[j][1]};
  const double v[2] = {gas->v[i][0] - gas->v[j][0], gas->v[i][1] - gas->v[j][1]};
  const double sum = gas->radius[i] + gas->radius[j], b = p[0] * v[0] + p[1] * v[1];
  const double vv = v[0] * v[0] + v[1] * v[1], c = p[0] * p[0] + p[1] * p[1] - sum * sum;
  const double under = b * b - vv * c;
  return b < 0 && under > 0 ? c / (-b + sqrt(under)) : INFINITY;
}

static void collide(Gas *gas, int i, int j) {
  if (j >= DISKS) {
    gas->v[i][(j - DISKS) / 2] *= -1;
    return;
  }
  double n[2] = {gas->x[i][0] - gas->x[j][0], gas->x[i][1] - gas->x[j][1]};
  const double size = hypot(n[0], n[1]);
  for (int k = 0; k < 2; k++) n[k] /= size;
  const double a = gas->radius[i] * gas->radius[i], b = gas->radius[j] * gas->radius[j];
  const double u = (gas->v[i][0] - gas->v[j][0]) * n[0] + (gas->v[i][1] - gas->v[j][1]) * n[1];
  for (int k = 0; k < 2; k++) {
    gas->v[i][k] -= 2 * b / (a + b) * u * n[k];
    gas->v[j][k] += 2 * a / (a + b) * u * n[k];
  }
}

static void go_on(Gas *gas, double seconds) {
  while (seconds > 0) {
    double first = seconds;
    int who[2] = {-1, -1};
    for (int i = 0; i < DISKS; i++)
      for (int j = i + 1; j < DISKS + 4; j++) {
        const int other = j < DISKS ? j : j;
        const double t = meets(gas, i, other);
        if (t < first) first = t, who[0] = i, who[1] = other;
      }
    for (int w = DISKS; w < DISKS + 4; w++) {
      const double t = meets(gas, DISKS - 1, w);
      if (t < first) first = t, who[0] = DISKS - 1, who[1] = w;
    }
    for (int i = 0; i < DISKS; i++)
      for (int k = 0; k < 2; k++) gas->x[i][k] += first * gas->v[i][k];
    if (who[0] >= 0) collide(gas, who[0], who[1]), gas->collisions++;
    seconds -= first;
  }
}

/* m: the largest distance of a disk from where the program above has it, after `time`. */
static double off(const DlsScheme *scheme, double h, double time, const Gas *begin,
                  const Gas *end) {
  double worst = 0;
  TestScene scene;
  open_scene(&scene, scheme, 2, h, 1);
  scene.gravity[1] = 0;
  add_plane(&scene, 0, 0, 0);
  add_plane(&scene, 0, side, acos(-1));
  add_plane(&scene, 0, 0, -acos(-1) / 2);
  add_plane(&scene, side, 0, acos(-1) / 2);
  for (int i = 0; i < DISKS; i++) {
    const int ball = test_scene_sphere(&scene, begin->radius[i], begin->x[i][0], begin->x[i][1], 0);
    memcpy(scene.world->velocity[ball], begin->v[i], sizeof begin->v[i]);
  }
  test_scene_run(&scene, lround(time / h));
  for (int i = 0; i < DISKS; i++)
    worst = fmax(worst, hypot(scene.world->position[i][0] - end->x[i][0],
                              scene.world->position[i][1] - end->x[i][1]));
  test_scene_close(&scene);
  return worst;
}

/* Each collision multiplies an error by the free path over a radius, some ten times, and a disk has
 * three to five of them: from the round-off of places 1e-16 to 1e-11. */
TEST(disks_in_a_box_go_as_a_second_program_says) {
  const double time = 0.6;
  const Gas begin = gas_at_random();
  Gas end = begin;
  go_on(&end, time);
  CHECK(end.collisions >= 15);
  const double events = off(&dls_scheme_events, 0.1, time, &begin, &end);
  const double coarse = off(&dls_scheme_moreau, 1e-3, time, &begin, &end),
               fine = off(&dls_scheme_moreau, 1e-5, time, &begin, &end);
  if (getenv("SHOW"))
    printf("%d collisions; events %.2g m, steps of 1 ms %.2g m, of 0.01 ms %.2g m\n",
           end.collisions, events, coarse, fine);
  CHECK_BELOW(events, 1e-9);
  CHECK(coarse > 1e-4 && fine < 0.1 * coarse);
}

TEST(other_shapes_are_refused) {
  const DlsElement two[2] = {{.radius = 0.1}, {.offset = {0.1, 0, 0}, .radius = 0.1}};
  TestScene scene;
  open_scene(&scene, &dls_scheme_events, 3, 1e-3, 0);
  test_scene_body(&scene, 2, two, 0, 0, 1);
  dls_simulation_recount(scene.simulation);
  CHECK_INT(dls_simulation_step(scene.simulation), DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "moreau") != NULL);
  dls_simulation_destroy(&scene.simulation);
}

/* Each of them went on through a million events, or lost its force where bodies do not touch. */
TEST(laws_that_an_instant_cannot_take_are_refused) {
  static const char *const laws[] = {"gluey", "crush",    "elastic",     "viscoelastic", "jkr",
                                     "wear",  "cohesive", "lubrication", "capillary"};
  for (int k = 0; k < DLS_COUNT(laws); k++) {
    TestScene scene;
    test_scene_open(&scene, 3, &dls_scheme_events, 1e-2, laws[k]);
    test_scene_boundary(&scene, 0);
    test_scene_sphere(&scene, 0.1, 0, 0, 0.1);
    CHECK_INT(dls_simulation_step(scene.simulation), DLS_ERR_LAW);
    if (!strstr(dls_error_message(), "acts over time or across a gap"))
      test_fail(__FILE__, __LINE__, "%s: %s", laws[k], dls_error_message());
    test_scene_close(&scene);
  }
}
