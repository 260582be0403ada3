/* Maury's own scheme for films (slides 50 and 51) beside that of the law `lubrication`: a column of
 * balls that sinks through its films onto a floor.
 *
 * Scheme I: the distances are unknowns of their own. Of each in turn D" = -kappa D' W / D + f is
 * solved with D implicit and all other distances explicit, W = G·M^-1 G; from the distances comes A
 * = sum of kappa / D G (x) G, from (M + h A) u+ = M u + h Phi velocities, from these places.
 * The equation of motion itself, by Runge and Kutta with tiny steps, is the judge. */
#include "tests/simulating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 3 };

static const double K = 0.3, first_gap = 1e-3, radius = 0.05, end = 0.06;

/* Films k = 0 .. BALLS - 1 below each ball; film 0 stands on the floor. */
typedef struct {
  double mass, gap[BALLS], speed[BALLS]; /* of places; of balls, upwards */
  double distance[BALLS], rate[BALLS];   /* unknowns of scheme I */
} Column;

static Column column_of(double mass) {
  Column c = {.mass = mass};
  for (int k = 0; k < BALLS; k++) c.gap[k] = c.distance[k] = first_gap * (1 + 0.3 * k);
  return c;
}

static double opening(const double *speed, int k) { return speed[k] - (k ? speed[k - 1] : 0); }

/* Acceleration of ball k by its two films, from gaps and velocities. */
static double pulled(const Column *c, const double *gap, const double *speed, int k) {
  const double below = K * opening(speed, k) / gap[k];
  const double above = k + 1 < BALLS ? K * opening(speed, k + 1) / gap[k + 1] : 0;
  return (above - below) / c->mass - test_g;
}

/* Slope of (gaps, velocities). */
static void slope(const Column *c, const double *y, double *out) {
  for (int k = 0; k < BALLS; k++) {
    out[k] = opening(y + BALLS, k);
    out[BALLS + k] = pulled(c, y, y + BALLS, k);
  }
}

static void judge(Column *c) {
  const long steps = 60000;
  const double h = end / (double)steps, part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double y[2 * BALLS];
  memcpy(y, c->gap, sizeof c->gap);
  memcpy(y + BALLS, c->speed, sizeof c->speed);
  for (long n = 0; n < steps; n++) {
    double at[2 * BALLS], k[2 * BALLS] = {0}, sum[2 * BALLS] = {0};
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < 2 * BALLS; i++) at[i] = y[i] + part[stage] * h * k[i];
      slope(c, at, k);
      for (int i = 0; i < 2 * BALLS; i++) sum[i] += weight[stage] * h / 6 * k[i];
    }
    for (int i = 0; i < 2 * BALLS; i++) y[i] += sum[i];
  }
  memcpy(c->gap, y, sizeof c->gap);
}

/* V of V + c ln((D + h V) / D) = v + h f, V > -D/h: the implicit step of one distance. The left
 * side rises from -infinity; by halving. */
static double next_rate(double D, double v, double c, double f, double h) {
  double low = -D / h, high = fmax(v + h * f, 0) + D / h;
  while (high + c * log1p(h * high / D) < v + h * f) high = 2 * high + D / h;
  for (int k = 0; k < 200; k++) {
    const double middle = 0.5 * (low + high);
    *(middle + c * log1p(h * middle / D) < v + h * f ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

/* (M + h A) u+ = M u + h Phi, tridiagonal. */
static void next_speeds(Column *c, double h) {
  double diagonal[BALLS], off[BALLS], b[BALLS];
  for (int k = 0; k < BALLS; k++) {
    const double below = h * K / c->distance[k];
    const double above = k + 1 < BALLS ? h * K / c->distance[k + 1] : 0;
    diagonal[k] = c->mass + below + above;
    off[k] = -above;
    b[k] = c->mass * (c->speed[k] - h * test_g);
  }
  for (int k = 1; k < BALLS; k++) {
    const double share = off[k - 1] / diagonal[k - 1];
    diagonal[k] -= share * off[k - 1];
    b[k] -= share * b[k - 1];
  }
  for (int k = BALLS - 1; k >= 0; k--)
    c->speed[k] = (b[k] - (k + 1 < BALLS ? off[k] * c->speed[k + 1] : 0)) / diagonal[k];
}

static void scheme_one(Column *c, int steps) {
  const double h = end / steps;
  for (int n = 0; n < steps; n++) {
    double rate[BALLS];
    for (int k = 0; k < BALLS; k++) {
      /* f: what accelerates the opening but its own film, at the distances and velocities of now.
       * */
      const double own = K * opening(c->speed, k) / c->distance[k] / c->mass * (k ? 2 : 1);
      const double all =
          pulled(c, c->distance, c->speed, k) - (k ? pulled(c, c->distance, c->speed, k - 1) : 0);
      rate[k] =
          next_rate(c->distance[k], opening(c->speed, k), K / c->mass * (k ? 2 : 1), all + own, h);
    }
    for (int k = 0; k < BALLS; k++) c->distance[k] += h * rate[k];
    next_speeds(c, h);
    for (int k = 0; k < BALLS; k++) c->gap[k] += h * opening(c->speed, k);
  }
}

/* The law in a scene; fills the gaps at the end. */
static double by_law(int steps, double gap[BALLS]) {
  TestScene scene;
  double top = 0;
  const Column start = column_of(1);
  test_scene_open(&scene, 3, &dls_scheme_euler, end / steps, "lubrication");
  test_scene_set(&scene, 0, "kappa", K);
  test_scene_set(&scene, 0, "range", 5 * first_gap);
  test_scene_set(&scene, 0, "cutoff", 1e-12);
  test_scene_boundary(&scene, 0);
  for (int k = 0; k < BALLS; k++) {
    top += start.gap[k];
    test_scene_sphere(&scene, radius, 0, 0, top + (2 * k + 1) * radius);
  }
  test_scene_run(&scene, steps);
  for (int k = 0; k < BALLS; k++)
    gap[k] =
        scene.world->position[k][2] - radius - (k ? scene.world->position[k - 1][2] + radius : 0);
  const double mass = scene.world->mass[0];
  test_scene_close(&scene);
  return mass;
}

static double worst(const double *gap, const Column *right) {
  double most = 0;
  for (int k = 0; k < BALLS; k++) most = fmax(most, fabs(gap[k] - right->gap[k]) / first_gap);
  return most;
}

/* Both tend to the motion with the first order of the step. In that of the slides the distances
 * part from the places, which ours, that has but one of the two, cannot. */
TEST(the_scheme_of_the_slides_and_the_law_tend_to_the_same_motion) {
  double gap[BALLS], error[2][4], apart[4];
  const int steps[4] = {250, 500, 1000, 2000};
  Column right = column_of(by_law(steps[0], gap));
  judge(&right);
  CHECK(right.gap[0] > 0 && right.gap[0] < 0.5 * first_gap);
  for (int k = 0; k < 4; k++) {
    Column own = column_of(right.mass);
    scheme_one(&own, steps[k]);
    by_law(steps[k], gap);
    error[0][k] = worst(own.gap, &right);
    error[1][k] = worst(gap, &right);
    apart[k] = worst(own.distance, &own);
    if (getenv("SHOW"))
      printf("%4d steps: scheme I %.2e, law %.2e of the first gap; distances off places %.2e\n",
             steps[k], error[0][k], error[1][k], apart[k]);
  }
  for (int which = 0; which < 2; which++) {
    const double order = log2(error[which][2] / error[which][3]);
    CHECK(order > 0.8 && order < 1.3);
    CHECK_BELOW(error[which][3], 1e-2);
  }
  CHECK(log2(apart[2] / apart[3]) > 0.8);
}
