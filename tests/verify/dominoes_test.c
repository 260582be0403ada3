/* A wave of dominoes against van Leeuwen's recursion (arXiv physics/0401018), solved here.
 *
 * Dominoes of height H and thickness d stand a pitch p = d + s apart and turn about their front
 * feet. The foremost that moves, at theta, leans on nobody yet; each behind leans with its top edge
 * on the back of the one before it (theta'):
 *   H sin(theta - theta') = p cos theta' - d.
 * So all angles follow from that of the foremost: theta_j' = w_j, from one to the next behind it
 *   u = 1 - p sin theta' / (H cos(theta - theta')).
 * A push f with friction mu f, the edge going down the back, has the arms
 *   a = H cos(theta - theta') + mu H sin(theta - theta')         about the foot of the one behind
 *   b = H cos(theta - theta') - p sin theta' - mu d              about that of the one before.
 * Torque balances, each times r_j with r = 1 for the foremost and r_j a = r_(j-1) b behind it, add
 * up to one without pushes:
 *   sum r_j (I theta_j'' - T_j) = 0,
 *   T = m g (H sin theta - d cos theta) / 2,   I = m (H^2 + d^2) / 3.
 * Where the foremost hits the next, at sin theta = s / H, impulses are such pushes, nobody bounces,
 * and sum r_j I (omega_j+ - omega_j-) = 0 with the angles of the longer train. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/decks.h"
#include "world/rotation.h"

enum {
  LONGEST = 40,
  SLICES = 200
}; /* dominoes that lean; steps of the integral between two hits */

typedef struct {
  double H, d, p, mu;
  int count; /* that lean or fall, the foremost first */
  double angle[LONGEST], w[LONGEST], r[LONGEST];
  double bend[LONGEST]; /* theta_j'' = w_j theta'' + bend_j theta'^2 */
} Train;

static void train_at(Train *t, double front) {
  t->angle[0] = front, t->w[0] = t->r[0] = 1, t->bend[0] = 0;
  for (int j = 1; j < t->count; j++) {
    const double before = t->angle[j - 1], lean = asin((t->p * cos(before) - t->d) / t->H);
    const double u = 1 - t->p * sin(before) / (t->H * cos(lean));
    const double slope = -t->p / t->H *
                         (cos(before) * cos(lean) + sin(before) * sin(lean) * (u - 1)) /
                         (cos(lean) * cos(lean));
    const double a = t->H * cos(lean) + t->mu * t->H * sin(lean);
    const double b = t->H * cos(lean) - t->p * sin(before) - t->mu * t->d;
    t->angle[j] = before + lean;
    t->w[j] = u * t->w[j - 1];
    t->bend[j] = u * t->bend[j - 1] + slope * t->w[j - 1] * t->w[j - 1];
    t->r[j] = t->r[j - 1] * b / a;
  }
}

/* d(omega^2 / 2) / d theta of the foremost. */
static double acceleration(Train *t, double front, double half_square) {
  const double inertia = (t->H * t->H + t->d * t->d) / 3; /* over the mass */
  double push = 0, heavy = 0;
  train_at(t, front);
  for (int j = 0; j < t->count; j++) {
    const double torque = 9.81 * (t->H * sin(t->angle[j]) - t->d * cos(t->angle[j])) / 2;
    push += t->r[j] * (torque - 2 * inertia * t->bend[j] * half_square);
    heavy += t->r[j] * inertia * t->w[j];
  }
  return push / heavy;
}

/* Pitch over the time between two hits, after so many of them that it does not change any more. */
static double steady_speed(double H, double d, double s, double mu) {
  Train t = {.H = H, .d = d, .p = s + d, .mu = mu, .count = 1};
  const double hit = asin(s / H), slice = hit / SLICES;
  double omega = 10, time = 0, last = 0, rate[LONGEST];
  for (int hits = 0; hits < 100; hits++) {
    double z = omega * omega / 2;
    last = time, time = 0;
    for (int k = 0; k < SLICES; k++) { /* midpoint rule */
      const double middle = z + slice / 2 * acceleration(&t, k * slice, z);
      z += slice * acceleration(&t, (k + 0.5) * slice, middle);
      time += slice / sqrt(2 * middle);
    }
    train_at(&t, hit);
    for (int j = 0; j < t.count; j++) rate[j] = t.w[j] * sqrt(2 * z);
    const int behind = t.count < LONGEST ? t.count : LONGEST - 1;
    t.count = behind + 1;
    train_at(&t, 0);
    double momentum = 0, heavy = 1;
    for (int j = 0; j < behind; j++) {
      momentum += t.r[j + 1] * rate[j];
      heavy += t.r[j + 1] * t.w[j + 1];
    }
    omega = momentum / heavy;
  }
  CHECK_NEAR(time, last, 1e-9);
  return t.p / time;
}

/* The deck with a friction of the dominoes: the mean from domino 18 to 29. */
static double simulated_speed(const char *mu) {
  TestDeck test;
  double hit[30] = {0};
  test_deck_open(&test, "dominoes.yaml", (const char *[]){mu, NULL});
  const DlsWorld *world = test.simulation->world;
  CHECK_INT(world->count, 30);
  while (test.simulation->state.time < 2 && !(hit[29] > 0)) {
    CHECK_OK(dls_scene_step(test.scene));
    for (int k = 0; k < 30; k++)
      if (!(hit[k] > 0) && fabs(world->velocity[k][5]) > 0.5) hit[k] = test.simulation->state.time;
  }
  CHECK(hit[29] > hit[18]);
  CHECK_INT(test.simulation->state.unconverged, 0);
  for (int k = 0; k < 30; k++) { /* no front foot has slipped or lifted */
    double foot[3];
    dls_rotation_apply(world->orientation[k], (const double[3]){0.00375, -0.024, 0}, foot);
    CHECK_NEAR(world->position[k][0] + foot[0], 0.0225 * k + 0.00375, 1e-4);
    CHECK_NEAR(world->position[k][1] + foot[1], 0, 1e-4);
  }
  test_deck_close(&test);
  return 0.0225 * 11 / (hit[29] - hit[18]);
}

TEST(a_wave_of_dominoes_goes_as_fast_as_van_leeuwen_says) {
  static const struct {
    const char *set;
    double mu;
  } cases[] = {{"laws[0].parameters.mu=0.2", 0.2}, {"laws[0].parameters.mu=0", 0}};
  for (int k = 0; k < 2; k++) {
    const double speed = steady_speed(0.048, 0.0075, 0.015, cases[k].mu);
    const double ours = simulated_speed(cases[k].set);
    if (getenv("DELASSUS_SHOW"))
      printf("mu %g: %.5f m/s by the recursion, %.5f simulated\n", cases[k].mu, speed, ours);
    CHECK_NEAR(ours, speed, 0.02 * speed);
  }
}
