/* Cylinders and cones: the mass of the true solid, the surface of a prism or pyramid. */
#include "world/revolved.h"

#include <math.h>
#include <string.h>

#include "detect/detect.h"
#include "tests/test.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

/* Textbook: m (3 R^2 + h^2) / 12 and m R^2 / 2. */
TEST(a_cylinder_has_the_mass_of_the_true_one) {
  const double r = 0.3, h = 1.1, v = pi * r * r * h;
  for (int sides = 3; sides <= DLS_REVOLVED_SIDES; sides += 39) {
    DlsShape s;
    CHECK_OK(dls_shape_cylinder(sides, r, h, &s));
    double least = INFINITY, most = 0;
    for (int k = 0; k < 3; k++) least = fmin(least, s.inertia[k]), most = fmax(most, s.inertia[k]);
    CHECK_NEAR(s.volume, v, 1e-15);
    CHECK_NEAR(least, v * r * r / 2, 1e-15);
    CHECK_NEAR(most, v * (3 * r * r + h * h) / 12, 1e-15);
    CHECK_NEAR(s.reach, hypot(r, h / 2), 1e-12);
    for (int k = 0; k < 3; k++) CHECK_NEAR(s.centre[k], 0, 1e-15);
    dls_shape_clear(&s);
  }
}

/* 3 m (4 R^2 + h^2) / 80 about the centre, 3 m R^2 / 10 about the axis. */
TEST(a_cone_has_the_mass_of_the_true_one) {
  const double r = 0.3, h = 1.1, v = pi * r * r * h / 3;
  DlsShape s;
  CHECK_OK(dls_shape_cone(24, r, h, &s));
  double least = INFINITY, most = 0;
  for (int k = 0; k < 3; k++) least = fmin(least, s.inertia[k]), most = fmax(most, s.inertia[k]);
  CHECK_NEAR(s.volume, v, 1e-15);
  CHECK_NEAR(least, v * 3 * r * r / 10, 1e-15);
  CHECK_NEAR(most, v * 3 * (4 * r * r + h * h) / 80, 1e-15);
  CHECK_NEAR(s.reach, 0.75 * h, 1e-12); /* its tip */
  dls_shape_clear(&s);
}

/* Standing on a floor: eight points on the rim, whose middle is below the centre. */
TEST(a_cylinder_and_a_cone_stand_on_eight_points_of_their_rim) {
  const double r = 0.3, h = 1.1;
  for (int cone = 0; cone < 2; cone++) {
    const double low = cone ? h / 4 : h / 2;
    const DlsBoundary floor = {.kind = DLS_BOUNDARY_PLANE};
    const DlsDetection where = {.alert = 1e-3};
    DlsShape s;
    DlsWorld *world;
    DlsDetector *detector;
    DlsContactSet set = {0};
    double middle[2] = {0};
    CHECK_OK(cone ? dls_shape_cone(24, r, h, &s) : dls_shape_cylinder(24, r, h, &s));
    CHECK_OK(dls_world_create(3, &world));
    CHECK_OK(dls_detector_create(&detector));
    CHECK_OK(dls_world_add_boundary(world, &floor));
    const DlsBody body = {.shape = &s, .density = 1000, .position = {0, 0, low}};
    CHECK_OK(dls_world_add_body(world, &body));
    CHECK_OK(dls_detect(detector, world, &where, &set));
    CHECK_INT(set.count, 8);
    for (int c = 0; c < set.count; c++) {
      CHECK_NEAR(set.gap[c], 0, 1e-15);
      CHECK_NEAR(hypot(set.point[c][0], set.point[c][1]), r, 1e-14);
      for (int k = 0; k < 2; k++) middle[k] += set.point[c][k] / 8;
    }
    CHECK_BELOW(hypot(middle[0], middle[1]), 0.1 * r);
    dls_contact_set_clear(&set);
    dls_detector_destroy(&detector);
    dls_world_destroy(&world);
    dls_shape_clear(&s);
  }
}

TEST(what_is_no_cylinder_is_refused) {
  DlsShape s;
  CHECK_FAILS(dls_shape_cylinder(2, 1, 1, &s), DLS_ERR_ARGUMENT, "2 sides");
  CHECK_FAILS(dls_shape_cylinder(24, 0, 1, &s), DLS_ERR_ARGUMENT, "radius and a height above 0");
  CHECK_FAILS(dls_shape_cone(24, 1, NAN, &s), DLS_ERR_ARGUMENT, "radius and a height above 0");
  CHECK_FAILS(dls_shape_cone(1000, 1, 1, &s), DLS_ERR_ARGUMENT, "from 3 to 120");
}
