#include <string.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/rotation.h"
#include "world/shape.h"

static const double pi = 3.14159265358979323846;

TEST(sphere_and_disk_have_their_textbook_moments) {
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(3, 2, &shape));
  CHECK_NEAR(shape.volume, 4.0 / 3 * pi * 8, 1e-13);
  for (int k = 0; k < 3; k++) CHECK_NEAR(shape.inertia[k], 0.4 * shape.volume * 4, 1e-13);
  CHECK(shape.isotropic);
  CHECK_NEAR(shape.reach, 2, 0);
  dls_shape_clear(&shape);
  CHECK_OK(dls_shape_sphere(2, 2, &shape));
  CHECK_NEAR(shape.volume, pi * 4, 1e-14);
  CHECK_NEAR(shape.inertia[2], 0.5 * shape.volume * 4, 1e-14);
  dls_shape_clear(&shape);
}

/* Two equal spheres that touch, on an oblique axis away from the origin: exact by Steiner. */
TEST(spheres_apart_are_exact) {
  const double r = 0.5, u[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3};
  DlsElement e[2];
  DlsShape shape;
  for (int k = 0; k < 3; k++) {
    e[0].offset[k] = 1 + r * u[k];
    e[1].offset[k] = 1 - r * u[k];
  }
  e[0].radius = e[1].radius = r;
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  const double v = 4.0 / 3 * pi * r * r * r, axial = 2 * 0.4 * v * r * r;
  CHECK_NEAR(shape.volume, 2 * v, 1e-14);
  double low = 1e9, high = 0, tensor[9] = {0};
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(shape.centre[k], 1, 1e-14);
    low = fmin(low, shape.inertia[k]);
    high = fmax(high, shape.inertia[k]);
    /* The tensor put together again: axial along u. */
    double axis[3] = {k == 0, k == 1, k == 2};
    dls_rotation_apply(shape.rotation, axis, axis);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) tensor[3 * i + j] += shape.inertia[k] * axis[i] * axis[j];
  }
  CHECK_NEAR(low, axial, 1e-14);
  CHECK_NEAR(high, axial + 2 * v * r * r, 1e-14);
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += tensor[3 * i + j] * u[j];
    CHECK_NEAR(sum, axial * u[i], 1e-14);
  }
  /* Turned back into the given axes, the elements are where they were. */
  for (int i = 0; i < 2; i++) {
    double x[3];
    dls_rotation_apply(shape.rotation, shape.element[i].offset, x);
    for (int k = 0; k < 3; k++) CHECK_NEAR(x[k] + shape.centre[k], e[i].offset[k], 1e-14);
  }
  dls_shape_clear(&shape);
}

/* The lens of two unit spheres at distance d: V = pi (2 - d)^2 (d^2 + 4 d) / (12 d). */
TEST(overlap_is_counted_once) {
  const double d = 1.2;
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{0, d, 0}, 1}};
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  const double lens = pi * (2 - d) * (2 - d) * (d * d + 4 * d) / (12 * d);
  CHECK_NEAR(shape.volume, 8.0 / 3 * pi - lens, 1e-5 * lens);
  CHECK_NEAR(shape.centre[1], d / 2, 1e-12);
  dls_shape_clear(&shape);
  CHECK_OK(dls_shape_cluster(2, 2, e, &shape));
  const double area = 2 * acos(d / 2) - d / 2 * sqrt(4 - d * d);
  CHECK_NEAR(shape.volume, 2 * pi - area, 1e-6 * area);
  dls_shape_clear(&shape);
}

/* A sphere within a sphere adds nothing; nor does a copy. */
TEST(hidden_spheres_add_nothing) {
  const DlsElement e[3] = {{{0, 0, 0}, 1}, {{0.3, 0.2, 0.1}, 0.5}, {{0, 0, 0}, 1}};
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(3, 3, e, &shape));
  CHECK_NEAR(shape.volume, 4.0 / 3 * pi, 1e-4);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(shape.centre[k], 0, 1e-4);
    CHECK_NEAR(shape.inertia[k], 0.4 * 4.0 / 3 * pi, 1e-3);
  }
  dls_shape_clear(&shape);
}

/* Inertia of an overlapping cluster against random points in its box. */
TEST(inertia_agrees_with_random_points) {
  const DlsElement e[3] = {{{0, 0, 0}, 1}, {{1.2, 0, 0}, 0.8}, {{0.3, 0.9, 0.4}, 0.7}};
  enum { POINTS = 400000 };
  double volume = 0, first[3] = {0}, tensor[9] = {0}, trace = 0, sum = 0;
  DlsRandom random;
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(3, 3, e, &shape));
  dls_random_seed(&random, 7);
  for (int n = 0; n < POINTS; n++) {
    double x[3], weight = 27.0 / POINTS;
    bool within = false;
    for (int k = 0; k < 3; k++) x[k] = dls_random_between(&random, -1, 2);
    for (int i = 0; i < 3; i++) {
      double square = 0;
      for (int k = 0; k < 3; k++) square += (x[k] - e[i].offset[k]) * (x[k] - e[i].offset[k]);
      within = within || square < e[i].radius * e[i].radius;
    }
    if (!within) continue;
    volume += weight;
    for (int k = 0; k < 3; k++) {
      first[k] += weight * x[k];
      tensor[4 * k] += weight * (x[k] - shape.centre[k]) * (x[k] - shape.centre[k]);
    }
  }
  CHECK_NEAR(shape.volume, volume, 0.02 * volume);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(shape.centre[k], first[k] / volume, 0.01);
    trace += 2 * tensor[4 * k];
    sum += shape.inertia[k];
  }
  CHECK_NEAR(sum, trace, 0.02 * trace);
  CHECK(!shape.isotropic);
  dls_shape_clear(&shape);
}

TEST(given_mass_replaces_that_of_the_union) {
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{3, 0, 0}, 1}};
  const double centre[3] = {1, 0, 0}, tensor[9] = {1, 0, 0, 0, 2, 0.5, 0, 0.5, 2};
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  CHECK_OK(dls_shape_set_mass(&shape, 7, centre, tensor));
  CHECK_NEAR(shape.volume, 7, 0);
  double product = 1, x[3];
  for (int k = 0; k < 3; k++) product *= shape.inertia[k];
  CHECK_NEAR(product, 1 * 1.5 * 2.5, 1e-13);
  dls_rotation_apply(shape.rotation, shape.element[1].offset, x);
  CHECK_NEAR(x[0], 2, 1e-14);
  CHECK_NEAR(x[1], 0, 1e-14);
  CHECK_NEAR(shape.reach, 3, 1e-14);
  const double impossible[9] = {1, 0, 0, 0, 1, 0, 0, 0, 3};
  CHECK_FAILS(dls_shape_set_mass(&shape, 7, centre, impossible), DLS_ERR_ARGUMENT, "no solid");
  CHECK_NEAR(shape.volume, 7, 0);
  dls_shape_clear(&shape);
}

TEST(wrong_shapes_are_refused) {
  const DlsElement negative = {{0, 0, 0}, -1}, out_of_plane = {{0, 0, 1}, 1};
  const DlsElement endless = {{INFINITY, 0, 0}, 1};
  DlsShape shape;
  CHECK_FAILS(dls_shape_cluster(3, 1, &negative, &shape), DLS_ERR_ARGUMENT, "radius");
  CHECK_FAILS(dls_shape_cluster(2, 1, &out_of_plane, &shape), DLS_ERR_ARGUMENT, "plane");
  CHECK_FAILS(dls_shape_cluster(3, 1, &endless, &shape), DLS_ERR_ARGUMENT, "finite");
  CHECK_FAILS(dls_shape_cluster(4, 1, &negative, &shape), DLS_ERR_ARGUMENT, "dimension");
  CHECK_FAILS(dls_shape_cluster(3, 0, &negative, &shape), DLS_ERR_ARGUMENT, "0 spheres");
}
