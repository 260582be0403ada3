/* Convergence of the projection scheme for a single contact (Maury, slides 33 to 41; Maury 2006):
 * q_h -> q in W^{1,1}, impulses as measures, u_h of bounded variation, no step infeasible,
 * u+ = P_C u-. Two motions in closed form: a ball that falls on a floor, rests and is lifted again,
 * and two disks that meet at an angle. */
#include "tests/decks.h"

#include <delassus/errors.h>

typedef struct {
  double distance;  /* m: integral of |u_h - u| */
  double variation; /* m/s: of u_h */
  double impulse;   /* N s, largest difference of what the contact has given until t */
  double least;     /* m: smallest gap */
} Error;

/* f = -9 + 12 t from q = 1: q = 1 - 4.5 t² + 2 t³ until it is 0 at t1, then 0, and from 3/4 on,
 * when f > 0, 2 (t - 3/4)³. */
static double landing(void) {
  double low = 0, high = 0.75;
  for (int k = 0; k < 100; k++) {
    const double t = 0.5 * (low + high);
    *(1 - 4.5 * t * t + 2 * t * t * t > 0 ? &low : &high) = t;
  }
  return low;
}

static double ball_speed(double t, double t1) {
  if (t < t1) return -9 * t + 6 * t * t;
  return t < 0.75 ? 0 : 6 * (t - 0.75) * (t - 0.75);
}

/* N s of 1 kg until t: the shock, then what holds it. */
static double ball_impulse(double t, double t1) {
  if (t < t1) return 0;
  const double until = fmin(t, 0.75);
  return -ball_speed(t1 * (1 - 1e-15), t1) + 9 * (until - t1) - 6 * (until * until - t1 * t1);
}

enum { POINTS = 16 }; /* of a step, for integrals */
static const double ball_end = 1.3;

static Error ball(double h) {
  char text[700];
  TestDeck deck;
  Error e = {.least = INFINITY};
  const double t1 = landing();
  snprintf(text, sizeof text,
           "dimension: 2\n"
           "time: {step: %.17g, end: 2, scheme: euler}\n"
           "gravity: [0, -9 + 12*t]\n"
           "materials: {ball: {}, floor: {}}\n"
           "laws: [{law: signorini}]\n"
           "bodies: [{material: ball, radius: 0.1, mass: 1, position: [0, 1.1]}]\n"
           "boundaries: {floor: {shape: plane, material: floor}}\n"
           "solver: {tolerance: 1e-12}\n",
           h);
  test_deck_parse(&deck, text);
  const DlsSimulation *s = deck.simulation;
  double before = 0, given = 0;
  while (s->state.time < ball_end - 0.5 * h) {
    const double t = s->state.time;
    CHECK_OK(dls_scene_step(deck.scene));
    const double u = s->world->velocity[0][1];
    for (int k = 0; k < POINTS; k++)
      e.distance += h / POINTS * fabs(u - ball_speed(t + (k + 0.5) * h / POINTS, t1));
    e.variation += fabs(u - before);
    before = u;
    for (int c = 0; c < s->last.assembly.step.count; c++)
      given += s->last.assembly.solve.r[c * s->last.assembly.run.block];
    if (fabs(s->state.time - t1) > h) /* the shock is in the step of it, or in the next */
      e.impulse = fmax(e.impulse, fabs(given - ball_impulse(s->state.time, t1)));
    e.least = fmin(e.least, s->world->position[0][1] - 0.1);
  }
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
  return e;
}

static const double steps[] = {1e-2, 3.1e-3, 1e-3, 3.1e-4, 1e-4};

TEST(a_ball_that_lands_rests_and_leaves) {
  const double t1 = landing(), hit = fabs(ball_speed(t1 * (1 - 1e-15), t1)), strongest = 9;
  const double variation = 2 * hit + ball_speed(ball_end, t1);
  double first = 0;
  for (int k = 0; k < DLS_COUNT(steps); k++) {
    const double h = steps[k];
    const Error e = ball(h);
    if (getenv("DELASSUS_SHOW"))
      printf("ball, h = %g s: %.3g m in W11, variation %.4f of %.4f m/s, impulse %.2g N s, least "
             "gap %.2g m\n",
             h, e.distance, e.variation, variation, e.impulse, e.least);
    /* Within a step u_h is a value of u, so no more than h |f| off; in that of the shock, |u|. */
    CHECK_BELOW(e.distance, h * (strongest * ball_end + 2 * hit));
    /* Both part of the way down and the shock by what f does in a step. */
    CHECK_NEAR(e.variation, variation, 3 * h * strongest);
    CHECK_BELOW(e.impulse, 3 * h * strongest);
    CHECK(e.least > -1e-12);
    if (k == 0) first = e.distance / h;
    CHECK(e.distance / h < 2 * first); /* first order: the quotient stays */
  }
}

/* Disks of radius 0.1, the second at rest at the origin, the first from (-0.5, 0.1) at (1, 0): they
 * meet when the centres are sqrt(0.03) apart along x. Frictionless and without rebound each keeps
 * half of the approach: u+ = u- -+ (n . u-) n / 2. */
static Error disks(double h) {
  char text[700];
  TestDeck deck;
  Error e = {.least = INFINITY};
  snprintf(text, sizeof text,
           "dimension: 2\n"
           "time: {step: %.17g, end: 2, scheme: euler}\n"
           "materials: {disk: {}}\n"
           "laws: [{law: signorini}]\n"
           "bodies:\n"
           "  - {material: disk, radius: 0.1, mass: 1, position: [-0.5, 0.1], velocity: [1, 0]}\n"
           "  - {material: disk, radius: 0.1, mass: 1, position: [0, 0]}\n"
           "solver: {tolerance: 1e-12}\n",
           h);
  test_deck_parse(&deck, text);
  const DlsSimulation *s = deck.simulation;
  const double apart = sqrt(0.03), t1 = 0.5 - apart;
  const double n[2] = {apart / 0.2, -0.1 / 0.2}, push = 0.5 * n[0];
  double before[2] = {1, 0};
  while (s->state.time < 1 - 0.5 * h) {
    const double t = s->state.time;
    CHECK_OK(dls_scene_step(deck.scene));
    const double(*u)[6] = (const double(*)[6])s->world->velocity;
    const double(*x)[3] = (const double(*)[3])s->world->position;
    for (int k = 0; k < POINTS; k++) {
      const double hit = t + (k + 0.5) * h / POINTS > t1 ? push : 0;
      e.distance += h / POINTS * hypot(u[0][0] - 1 + hit * n[0], u[0][1] + hit * n[1]);
    }
    e.variation += hypot(u[0][0] - before[0], u[0][1] - before[1]);
    memcpy(before, u[0], sizeof before);
    e.least = fmin(e.least, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]) - 0.2);
  }
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
  return e;
}

TEST(two_disks_that_meet_at_an_angle) {
  const double variation = 0.5 * sqrt(0.03) / 0.2;
  double first = 0;
  for (int k = 0; k < DLS_COUNT(steps); k++) {
    const double h = steps[k];
    const Error e = disks(h);
    if (getenv("DELASSUS_SHOW"))
      printf("disks, h = %g s: %.3g m in W11, variation %.4f of %.4f m/s, least gap %.2g m\n", h,
             e.distance, e.variation, variation, e.least);
    /* The way of a step turns the normal by h u / 2 r at most, twice while they slide past. */
    CHECK_BELOW(e.distance, h * (1 + 2 / 0.2));
    CHECK_NEAR(e.variation, variation, 2 * h / 0.2);
    CHECK(e.least > -1e-12);
    if (k == 0) first = e.distance / h;
    CHECK(e.distance / h < 2 * first);
  }
}

/* Many bodies, steps in which a disk falls through several others (input/large-steps.yaml; slides
 * 19, 25, 37 and 39): gaps are convex, so that u_N + g/h >= 0 leaves no overlap but the -h u_N of
 * the solver. In the end they are at rest. */
TEST(no_two_of_many_overlap_with_large_steps) {
  static const char *const sets[] = {NULL};
  TestDeck deck;
  double allowed = 0, least = 0;
  test_deck_open(&deck, "large-steps.yaml", sets);
  const DlsSimulation *s = deck.simulation;
  const DlsWorld *world = s->world;
  int rounds = 0;
  while (s->state.time < 2.4 - 1e-9) {
    DlsErrors errors = {0};
    CHECK_OK(dls_scene_step(deck.scene));
    rounds += s->last.report.rounds;
    if (s->last.assembly.step.count)
      CHECK_OK(dls_errors_measure(s->last.assembly.solve.problem, s->last.assembly.solve.r, NULL,
                                  &errors));
    allowed += s->settings.h * errors.penetration + 1e-13;
    for (int i = 0; i < world->count; i++) {
      const double *x = world->position[i], r = world->element[world->first[i]].radius;
      double gap = fmin(x[1], fmin(x[0], 0.6 - x[0])) - r;
      for (int j = 0; j < i; j++)
        gap = fmin(gap, hypot(x[0] - world->position[j][0], x[1] - world->position[j][1]) - r -
                            world->element[world->first[j]].radius);
      least = fmin(least, gap);
      CHECK(gap >= -allowed);
    }
  }
  if (getenv("DELASSUS_SHOW"))
    printf("%d disks, h = 0.1 s: least gap %.2g m, the solver leaves %.2g m; solved again %d "
           "times\n",
           world->count, least, allowed, rounds);
  CHECK(rounds > 0);                 /* pairs that the first solve of a step closed */
  CHECK_BELOW(allowed, 0.01 * 0.02); /* a hundredth of the smallest radius */
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}
