/* A wedge of rock on two planes (Hoek and Bray): planes of dip / dip direction 40/130 and 60/220
 * meet in a line that plunges 37.058 degrees, and one friction angle on both holds the wedge from
 * phi = 33.3572 degrees on. Reactions on planes i with inward normals n_i:
 *   N_A n_A + N_B n_B = component of the weight across the line,
 *   W sin(plunge) = (N_A + N_B) tan phi            at the limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/small.h"
#include "tests/blocks.h"

static const double degree = 3.14159265358979323846 / 180;

/* Upward normal of a plane: x east, y north, z up. */
static void normal_of(double dip, double direction, double n[3]) {
  n[0] = sin(dip * degree) * sin(direction * degree);
  n[1] = sin(dip * degree) * cos(direction * degree);
  n[2] = cos(dip * degree);
}

typedef struct {
  double a[3], b[3], line[3]; /* normals into the wedge; their line, downwards */
  double plunge, limit;       /* rad; tan phi */
} Wedge;

static Wedge make_wedge(void) {
  Wedge w;
  normal_of(40, 130, w.a);
  normal_of(60, 220, w.b);
  dls_vector_cross(w.a, w.b, w.line);
  const double size = dls_vector_norm(w.line);
  for (int k = 0; k < 3; k++) w.line[k] /= w.line[2] > 0 ? -size : size;
  w.plunge = asin(-w.line[2]);
  /* -weight across the line: z less its part along the line = N_A a + N_B b. */
  double up[3], ab = dls_vector_dot(w.a, w.b);
  for (int k = 0; k < 3; k++) up[k] = (k == 2) + w.line[k] * sin(w.plunge);
  const double ua = dls_vector_dot(up, w.a), ub = dls_vector_dot(up, w.b);
  const double na = (ua - ab * ub) / (1 - ab * ab), nb = (ub - ab * ua) / (1 - ab * ab);
  CHECK(na > 0 && nb > 0);
  w.limit = sin(w.plunge) / (na + nb);
  return w;
}

TEST(the_limit_of_the_wedge_is_the_published_one) {
  const Wedge w = make_wedge();
  CHECK_NEAR(w.plunge / degree, 37.058, 1e-3);
  CHECK_NEAR(atan(w.limit) / degree, 33.3572, 1e-4);
}

/* A prism along the line: it rests with two sides on the planes, and its centre of mass is such
 * that both bear without its turning. The ground is two planes, or two slabs. */
static double wedge_speed(double mu, bool blocks) {
  const Wedge w = make_wedge();
  TestScene scene;
  DlsConvexNumbers n;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", mu);
  scene.simulation->settings.limits.tolerance = 1e-10;
  /* A prism along the line: its section has the two planes as sides from the line up. */
  double side[2][3], up[3];
  for (int k = 0; k < 3; k++) up[k] = (k == 2) + w.line[k] * sin(w.plunge);
  dls_vector_cross(w.line, w.a, side[0]);
  dls_vector_cross(w.line, w.b, side[1]);
  double point[6][3];
  for (int s = 0; s < 2; s++) {
    for (int e = 0; e < 3; e++) point[3 * s][e] = (s ? 0.5 : -0.5) * w.line[e];
    for (int i = 0; i < 2; i++)
      for (int e = 0; e < 3; e++) {
        const double slope = dls_vector_dot(side[i], up) > 0 ? 1 : -1;
        point[3 * s + 1 + i][e] = (s ? 0.5 : -0.5) * w.line[e] + 0.6 * slope * side[i][e];
      }
  }
  CHECK_OK(dls_convex_hull(3, 0, 6, (const double(*)[3])point, &n));
  const int body = test_scene_convex(&scene, &n, NULL, NULL, 0);
  const double *normal[2] = {w.a, w.b};
  for (int s = 0; s < 2; s++) {
    if (blocks) { /* a slab with its face in the plane; slabs overlap below and are both fixed */
      const double length[3] = {6, 6, 1}, z[3] = {0, 0, 1};
      double q[4], axis[3], x[3];
      dls_vector_cross(z, normal[s], axis);
      q[0] = 1 + normal[s][2];
      for (int k = 0; k < 3; k++) q[1 + k] = axis[k], x[k] = -0.5 * normal[s][k];
      const double size = sqrt(q[0] * q[0] + dls_vector_dot(axis, axis));
      for (int k = 0; k < 4; k++) q[k] /= size;
      test_scene_box(&scene, length, x, q, DLS_FIXED_ALL);
    } else {
      DlsBoundary *plane = test_scene_boundary(&scene, 0);
      double axis[3];
      const double z[3] = {0, 0, 1};
      dls_vector_cross(z, normal[s], axis);
      const double c = 1 + normal[s][2], size = sqrt(c * c + dls_vector_dot(axis, axis));
      plane->orientation[0] = c / size;
      for (int k = 0; k < 3; k++) plane->orientation[1 + k] = axis[k] / size;
    }
  }
  test_scene_run(&scene, 300);
  const double speed = dls_vector_dot(scene.world->velocity[body], w.line);
  test_scene_close(&scene);
  return speed;
}

/* Above the limit it rests; below it goes down the line at a = g (sin plunge) (1 - mu / limit). */
TEST(the_wedge_holds_above_its_friction_angle_and_slides_below) {
  const Wedge w = make_wedge();
  for (int blocks = 0; blocks < 2; blocks++) {
    const double held = wedge_speed(1.005 * w.limit, blocks),
                 sliding = wedge_speed(0.995 * w.limit, blocks);
    if (getenv("DELASSUS_SHOW")) printf("wedge: %.3g and %.6g m/s\n", held, sliding);
    CHECK_BELOW(fabs(held), 1e-8);
    CHECK_NEAR(sliding, test_g * sin(w.plunge) * 0.005 * 0.3, 1e-4 * sliding);
  }
}
