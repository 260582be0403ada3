/* A free box that turns about its middle axis and flips again and again (Dzhanibekov), against the
 * closed form. With principal inertias J1 < J2 < J3, 2 E the sum of J W^2 and M^2 that of (J W)^2,
 * M^2 > 2 E J2 (Landau and Lifshitz, Mechanics, sec. 37):
 *   W2 = sqrt((2 E J3 - M^2) / (J2 (J3 - J2))) sn(rate t | m),    W3 like dn, W1 like cn,
 *   rate^2 = (J3 - J2) (M^2 - 2 E J1) / (J1 J2 J3),
 *   m = (J2 - J1) (2 E J3 - M^2) / ((J3 - J2) (M^2 - 2 E J1)),
 * so that W2 changes its sign every 2 K(m) / rate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/blocks.h"
#include "world/rotation.h"

/* K(m) by the arithmetic-geometric mean of 1 and sqrt(1 - m). */
static double quarter_period(double m) {
  double a = 1, b = sqrt(1 - m);
  for (int k = 0; k < 40 && fabs(a - b) > 1e-16; k++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b), a = mean;
  }
  return acos(-1.0) / (2 * a);
}

typedef struct {
  double first, between; /* s: the first flip, and the mean time between two */
  int flips;
  double momentum, energy; /* largest relative change of either */
  double least;            /* of the component that is 5 rad/s at the start */
} Flips;

/* A minute. `start` are the spins in body axes, the one about `axis` the large one. */
static Flips tumble(double h, const double start[3], int axis, double inertia[3]) {
  TestScene scene;
  Flips out = {.least = start[axis]};
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "coulomb");
  scene.gravity[2] = 0;
  /* Edges fall, so inertias about x, y, z rise; turned, so that no axis of space is special. */
  const double length[3] = {0.3, 0.2, 0.06}, turn[3] = {0.3, -0.5, 0.9};
  double q[4];
  dls_rotation_exp(turn, q);
  const int body = test_scene_box(&scene, length, (const double[3]){0, 0, 0}, q, 0);
  DlsWorld *world = scene.world;
  memcpy(inertia, world->inertia[body], 3 * sizeof *inertia);
  CHECK(inertia[0] < inertia[1] && inertia[1] < inertia[2]);
  for (int k = 0; k < 3; k++) {
    const double edges = length[0] * length[0] + length[1] * length[1] + length[2] * length[2];
    CHECK_NEAR(inertia[k], world->mass[body] * (edges - length[k] * length[k]) / 12, 1e-12);
  }
  dls_rotation_apply(world->orientation[body], start, world->velocity[body] + 3);
  double M[3], energy = 0, size = 0, last_flip = 0, before = 0;
  for (int k = 0; k < 3; k++) M[k] = inertia[k] * start[k], energy += M[k] * start[k];
  dls_rotation_apply(world->orientation[body], M, M);
  size = dls_vector_norm(M);
  for (int step = 0; step * h < 60; step++) {
    double spin[3], now[3], L[3];
    test_scene_run(&scene, 1);
    const double *p = world->orientation[body], t = scene.simulation->state.time;
    memcpy(spin, world->velocity[body] + 3, sizeof spin);
    dls_rotation_apply_inverse(p, spin, now);
    if (step > 0 && before * now[1] < 0) {
      last_flip = t - h * now[1] / (now[1] - before);
      if (out.flips++ == 0) out.first = last_flip;
    }
    before = now[1];
    out.least = fmin(out.least, now[axis]);
    for (int k = 0; k < 3; k++) L[k] = inertia[k] * now[k];
    out.energy = fmax(out.energy, fabs(dls_vector_dot(L, now) / energy - 1));
    dls_rotation_apply(p, L, L);
    for (int k = 0; k < 3; k++) out.momentum = fmax(out.momentum, fabs(L[k] - M[k]) / size);
  }
  out.between = (last_flip - out.first) / (out.flips - 1);
  for (int k = 0; k < 3; k++) CHECK_NEAR(world->position[body][k], 0, 1e-13);
  test_scene_close(&scene);
  return out;
}

TEST(a_box_about_its_middle_axis_flips_by_the_elliptic_period) {
  const double start[3] = {0.02, 5, 0.03};
  double J[3], error[2];
  for (int level = 0; level < 2; level++) {
    const Flips ours = tumble(level ? 1e-3 : 2e-3, start, 1, J);
    double E2 = 0, M2 = 0;
    for (int k = 0; k < 3; k++) E2 += J[k] * start[k] * start[k], M2 += pow(J[k] * start[k], 2);
    CHECK(M2 > E2 * J[1]);
    const double rate = sqrt((J[2] - J[1]) * (M2 - E2 * J[0]) / (J[0] * J[1] * J[2]));
    const double m = (J[1] - J[0]) * (E2 * J[2] - M2) / ((J[2] - J[1]) * (M2 - E2 * J[0]));
    const double expected = 2 * quarter_period(m) / rate;
    error[level] = ours.between / expected - 1;
    if (getenv("DELASSUS_SHOW"))
      printf("m %.9f: every %.6f s, simulated %.6f (%.2e), %d flips; energy %.1e, momentum %.1e\n",
             m, expected, ours.between, error[level], ours.flips, ours.energy, ours.momentum);
    CHECK(abs(ours.flips - (int)(60 / expected)) <= 1);
    CHECK_NEAR(ours.least, -start[1], 1e-2);
    CHECK_BELOW(fabs(error[level]), 1e-4);
    CHECK_BELOW(ours.energy, 1e-10); /* round-off alone, some 1e-15 a step */
    CHECK_BELOW(ours.momentum, 1e-10);
  }
  CHECK_NEAR(error[0] / error[1], 4, 0.4); /* second order */
}

/* About the axes of the least and of the largest inertia the same disturbance stays small. */
TEST(a_box_about_its_other_axes_does_not_flip) {
  for (int axis = 0; axis < 3; axis += 2) {
    double start[3] = {0.02, 0.03, 0.02}, J[3];
    start[axis] = 5;
    const Flips ours = tumble(2e-3, start, axis, J);
    CHECK(ours.flips > 20); /* the middle component swings about 0 */
    CHECK(ours.least > 0.999 * start[axis]);
    CHECK_BELOW(ours.energy, 1e-10);
  }
}
