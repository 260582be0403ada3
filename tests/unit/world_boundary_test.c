/* Distances to boundaries against clouds of points on their surfaces, and by hand at edges. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/boundary/boundary.h"
#include "world/rotation.h"

static const double pi = 3.14159265358979323846;

typedef struct {
  double (*x)[3];
  int count;
} Cloud;

enum { SIDE = 400, CLOUD = 8 * SIDE * SIDE };

/* A patch origin + s a + t b, 0 <= s, t <= 1. */
static void add_patch(Cloud *cloud, const double o[3], const double a[3], const double b[3]) {
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const double s = i / (SIDE - 1.0), t = j / (SIDE - 1.0);
      for (int k = 0; k < 3; k++) cloud->x[cloud->count][k] = o[k] + s * a[k] + t * b[k];
      cloud->count++;
    }
}

/* The line from (r0, z0) to (r1, z1) turned about z. */
static void add_turned(Cloud *cloud, double r0, double z0, double r1, double z1) {
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const double s = i / (SIDE - 1.0), angle = 2 * pi * j / SIDE, r = r0 + s * (r1 - r0);
      double *x = cloud->x[cloud->count++];
      x[0] = r * cos(angle);
      x[1] = r * sin(angle);
      x[2] = z0 + s * (z1 - z0);
    }
}

static void add_box(Cloud *cloud, const double length[3], unsigned open) {
  for (int face = 0; face < 6; face++) {
    if (open & (1u << face)) continue;
    const int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
    double o[3] = {-length[0] / 2, -length[1] / 2, -length[2] / 2}, a[3] = {0}, b[3] = {0};
    if (face % 2) o[k] += length[k];
    a[i] = length[i];
    b[j] = length[j];
    add_patch(cloud, o, a, b);
  }
}

/* The surface in local axes. */
static Cloud cloud_of(int dim, const DlsBoundary *b) {
  Cloud cloud = {malloc(CLOUD * sizeof *cloud.x), 0};
  const double L = b->length[0], r0 = b->radius[0];
  const double r1 = b->kind == DLS_BOUNDARY_CYLINDER ? r0 : b->radius[1];
  switch (b->kind) {
  case DLS_BOUNDARY_SEGMENT:
    add_patch(&cloud, (double[]){-L / 2, 0, 0}, (double[]){L, 0, 0}, (double[]){0, 0, 0});
    break;
  case DLS_BOUNDARY_BOX:
    if (dim == 3)
      add_box(&cloud, b->length, b->open);
    else
      add_box(&cloud, (double[]){b->length[0], b->length[1], 0}, b->open | 48u);
    break;
  case DLS_BOUNDARY_PLATE:
    add_turned(&cloud, b->radius[0], 0, b->radius[1], 0);
    break;
  case DLS_BOUNDARY_CYLINDER:
  case DLS_BOUNDARY_FRUSTUM:
    add_turned(&cloud, r0, dim == 3 ? -L / 2 : 0, r1, dim == 3 ? L / 2 : 0);
    if (dim == 3 && !(b->open & DLS_OPEN_Z0)) add_turned(&cloud, 0, -L / 2, r0, -L / 2);
    if (dim == 3 && !(b->open & DLS_OPEN_Z1)) add_turned(&cloud, 0, L / 2, r1, L / 2);
    break;
  default:
    break;
  }
  return cloud;
}

static double cloud_distance(const Cloud *cloud, const double c[3], double nearest[3]) {
  double best = HUGE_VAL;
  for (int i = 0; i < cloud->count; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += (c[k] - cloud->x[i][k]) * (c[k] - cloud->x[i][k]);
    if (square < best) {
      best = square;
      memcpy(nearest, cloud->x[i], sizeof cloud->x[i]);
    }
  }
  return sqrt(best);
}

/* The sign of the distance: below zero within a solid, or out of a closed container. */
static int sign_of(int dim, const DlsBoundary *b, const double c[3]) {
  bool within = true;
  const double z = c[2] / b->length[0] + 0.5;
  if (b->kind == DLS_BOUNDARY_SEGMENT || b->kind == DLS_BOUNDARY_PLATE || b->open) return 1;
  if (b->kind == DLS_BOUNDARY_BOX)
    for (int k = 0; k < dim; k++) within = within && fabs(c[k]) <= b->length[k] / 2;
  else {
    const double r1 = b->kind == DLS_BOUNDARY_CYLINDER ? b->radius[0] : b->radius[1];
    within = hypot(c[0], c[1]) <= b->radius[0] + (dim == 3 ? z * (r1 - b->radius[0]) : 0);
    if (dim == 3) within = within && z >= 0 && z <= 1;
  }
  return within == b->inside ? 1 : -1;
}

static void check_against_cloud(int dim, DlsBoundary boundary, int points) {
  DlsRandom random;
  CHECK_OK(dls_boundary_check(dim, &boundary));
  Cloud cloud = cloud_of(dim, &boundary);
  dls_random_seed(&random, 11);
  for (int n = 0; n < points; n++) {
    DlsBoundary b = boundary;
    DlsNear near[DLS_MAX_FEATURES];
    double c[3] = {0}, x[3], q[4] = {1, 0, 0, 0}, nearest[3] = {0};
    for (int k = 0; k < dim; k++) c[k] = dls_random_between(&random, -1.6, 1.6);
    for (int k = 0; k < 4; k++)
      if (dim == 3 || k == 0 || k == 3) q[k] = dls_random_normal(&random);
    dls_rotation_normalise(q);
    memcpy(b.orientation, q, sizeof q);
    for (int k = 0; k < dim; k++) b.position[k] = dls_random_normal(&random);
    dls_rotation_apply(q, c, x);
    for (int k = 0; k < 3; k++) x[k] += b.position[k];
    const int count = dls_boundary_near(dim, &b, x, 10, near);
    const double expected = cloud_distance(&cloud, c, nearest);
    const int sign = sign_of(dim, &b, c);
    CHECK(count > 0);
    /* Positive: the nearest of the features. Negative, out of a closed container: each feature is
     * below zero, none deeper than the cloud. */
    double best = HUGE_VAL;
    for (int i = 0; i < count; i++) {
      best = fmin(best, fabs(near[i].distance));
      CHECK(sign > 0 ? near[i].distance >= 0 : near[i].distance <= 0);
      CHECK_NEAR(dls_vector_norm(near[i].normal), 1, 1e-14);
      CHECK(i == 0 || near[i].feature > near[i - 1].feature);
      for (int k = 0; k < 3; k++)
        CHECK_NEAR(near[i].point[k] + near[i].distance * near[i].normal[k], x[k], 1e-14);
    }
    if (sign > 0 || !b.inside)
      CHECK_NEAR(best, expected, 0.01);
    else
      CHECK_BELOW(best, expected + 0.01);
  }
  free(cloud.x);
}

TEST(distances_agree_with_brute_force_in_3d) {
  const DlsBoundary box = {.kind = DLS_BOUNDARY_BOX, .length = {2, 1.5, 1}};
  const DlsBoundary cylinder = {.kind = DLS_BOUNDARY_CYLINDER, .radius = {0.8}, .length = {1.5}};
  const DlsBoundary frustum = {.kind = DLS_BOUNDARY_FRUSTUM, .radius = {0.3, 1}, .length = {1.2}};
  const DlsBoundary cone = {.kind = DLS_BOUNDARY_FRUSTUM, .radius = {0.9, 0}, .length = {1.2}};
  const DlsBoundary plates[2] = {{.kind = DLS_BOUNDARY_PLATE, .radius = {0.4, 1}},
                                 {.kind = DLS_BOUNDARY_PLATE, .radius = {0, 1}}};
  const DlsBoundary solids[4] = {box, cylinder, frustum, cone};
  const unsigned opens[3] = {0, DLS_OPEN_Z1, DLS_OPEN_Z0 | DLS_OPEN_Z1};
  for (int i = 0; i < 2; i++) check_against_cloud(3, plates[i], 40);
  for (int i = 0; i < 4; i++) {
    DlsBoundary b = solids[i];
    check_against_cloud(3, b, 40);
    b.inside = true;
    for (int open = 0; open < 3; open++) {
      b.open = opens[open];
      check_against_cloud(3, b, 40);
    }
  }
}

TEST(distances_agree_with_brute_force_in_2d) {
  DlsBoundary box = {.kind = DLS_BOUNDARY_BOX, .length = {2, 1.5}};
  DlsBoundary circle = {.kind = DLS_BOUNDARY_CYLINDER, .radius = {0.8}};
  const DlsBoundary segment = {.kind = DLS_BOUNDARY_SEGMENT, .length = {1.5}};
  check_against_cloud(2, segment, 40);
  for (int inside = 0; inside < 2; inside++) {
    box.inside = circle.inside = inside;
    check_against_cloud(2, box, 40);
    check_against_cloud(2, circle, 40);
  }
  box.open = DLS_OPEN_Y1;
  check_against_cloud(2, box, 40);
}

static int near_of(int dim, DlsBoundary b, double x, double y, double z, double reach,
                   DlsNear *near) {
  const double c[3] = {x, y, z};
  CHECK_OK(dls_boundary_check(dim, &b));
  return dls_boundary_near(dim, &b, c, reach, near);
}

TEST(planes_have_two_sides_of_which_one_is_solid) {
  DlsNear near[DLS_MAX_FEATURES];
  const DlsBoundary plane = {.kind = DLS_BOUNDARY_PLANE};
  CHECK_INT(near_of(3, plane, 5, 6, 0.5, 1, near), 1);
  CHECK_NEAR(near[0].distance, 0.5, 0);
  CHECK_NEAR(near[0].normal[2], 1, 0);
  CHECK_INT(near_of(3, plane, 5, 6, -20, 1, near), 1);
  CHECK_NEAR(near[0].distance, -20, 0);
  CHECK_INT(near_of(3, plane, 5, 6, 2, 1, near), 0);
  CHECK_INT(near_of(2, plane, 5, 0.5, 0, 1, near), 1);
  CHECK_NEAR(near[0].normal[1], 1, 0);
}

TEST(a_corner_of_a_box_has_three_walls) {
  DlsNear near[DLS_MAX_FEATURES];
  DlsBoundary box = {.kind = DLS_BOUNDARY_BOX, .inside = true, .length = {2, 2, 2}};
  CHECK_INT(near_of(3, box, 0.95, 0.95, -0.95, 0.1, near), 3);
  CHECK_INT(near[0].feature, 1);
  CHECK_INT(near[1].feature, 3);
  CHECK_INT(near[2].feature, 4);
  CHECK_NEAR(near[0].normal[0], -1, 0);
  CHECK_NEAR(near[2].normal[2], 1, 0);
  /* Over the rim of an open box, above the wall: the rim's nearest point, once. */
  box.open = DLS_OPEN_Z1;
  CHECK_INT(near_of(3, box, 1.03, 0, 1.04, 0.1, near), 1);
  CHECK(near[0].edge);
  CHECK_NEAR(near[0].distance, 0.05, 1e-15);
  CHECK_NEAR(near[0].normal[0], 0.6, 1e-13);
  /* Outside, at a vertical edge that two walls share: one contact. */
  CHECK_INT(near_of(3, box, 1.03, 1.04, 0, 0.1, near), 1);
  CHECK_NEAR(near[0].distance, 0.05, 1e-15);
  /* Outside an open box the wall pushes outwards. */
  CHECK_INT(near_of(3, box, 1.05, 0, 0, 0.1, near), 1);
  CHECK_NEAR(near[0].normal[0], 1, 0);
  /* Unless the centre has come through by less than `depth`. */
  box.depth = 0.06;
  CHECK_INT(near_of(3, box, 1.05, 0, 0, 0.1, near), 1);
  CHECK_NEAR(near[0].normal[0], -1, 0);
  CHECK_NEAR(near[0].distance, -0.05, 1e-15);
}

/* A ball in a hole smaller than it: three contacts on the rim at equal distances. */
TEST(a_plug_is_held_all_around) {
  DlsNear near[DLS_MAX_FEATURES];
  const DlsBoundary plate = {.kind = DLS_BOUNDARY_PLATE, .radius = {0.3, 1}};
  CHECK_INT(near_of(3, plate, 0, 0, 0.4, 0.6, near), 3);
  double sum[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(near[i].distance, 0.5, 1e-15);
    CHECK(near[i].edge);
    for (int k = 0; k < 3; k++) sum[k] += near[i].normal[k];
  }
  CHECK_NEAR(sum[0], 0, 1e-15);
  CHECK_NEAR(sum[1], 0, 1e-15);
  CHECK_NEAR(sum[2], 3 * 0.8, 1e-14);
  /* Small beside the hole: one. Over the solid part: one, from above or below. */
  CHECK_INT(near_of(3, plate, 0.25, 0, 0.01, 0.1, near), 1);
  CHECK_INT(near_of(3, plate, 0.5, 0.2, -0.05, 0.1, near), 1);
  CHECK_NEAR(near[0].normal[2], -1, 0);
  CHECK(!near[0].edge);
}

TEST(closed_containers_push_back_from_any_depth) {
  DlsNear near[DLS_MAX_FEATURES];
  DlsBoundary drum = {.kind = DLS_BOUNDARY_CYLINDER, .inside = true, .radius = {1}, .length = {2}};
  CHECK_INT(near_of(3, drum, 4, 0, 0, 0.1, near), 1);
  CHECK_NEAR(near[0].distance, -3, 1e-15);
  CHECK_NEAR(near[0].normal[0], -1, 0);
  CHECK_INT(near_of(3, drum, 0.97, 0, -0.98, 0.1, near), 2);
  CHECK_INT(near[0].feature, 0);
  CHECK_INT(near[1].feature, 3);
  drum.length[0] = HUGE_VAL;
  CHECK_INT(near_of(3, drum, 0, 0.95, 1e6, 0.1, near), 1);
  CHECK_NEAR(near[0].distance, 0.05, 1e-15);
  const DlsBoundary ball = {.kind = DLS_BOUNDARY_SPHERE, .inside = true, .radius = {1}};
  CHECK_INT(near_of(3, ball, 0, 0, 0.95, 0.1, near), 1);
  CHECK_NEAR(near[0].distance, 0.05, 1e-15);
  CHECK_NEAR(near[0].normal[2], -1, 0);
  CHECK_INT(near_of(2, ball, 0, 3, 0, 0.1, near), 1);
  CHECK_NEAR(near[0].distance, -2, 0);
}

TEST(rounding_thickens_a_segment) {
  DlsNear near[DLS_MAX_FEATURES];
  const DlsBoundary segment = {
      .kind = DLS_BOUNDARY_SEGMENT, .length = {2}, .rounding = 0.1, .position = {1, 0, 0}};
  CHECK_INT(near_of(2, segment, 1, -0.5, 0, 1, near), 1);
  CHECK_NEAR(near[0].distance, 0.4, 1e-15);
  CHECK_NEAR(near[0].point[1], -0.1, 1e-15);
  CHECK_INT(near_of(2, segment, 2.3, 0.4, 0, 1, near), 1);
  CHECK_NEAR(near[0].distance, 0.4, 1e-15);
  CHECK(near[0].edge);
  CHECK_INT(near_of(2, segment, 1, 0.05, 0, 1, near), 1);
  CHECK_NEAR(near[0].distance, -0.05, 1e-15);
}

TEST(a_boundary_moves_as_its_velocity_says) {
  DlsBoundary b = {.kind = DLS_BOUNDARY_PLANE, .velocity = {1, 0, 0, 0, 0, pi}};
  const double at[3] = {0, 2, 0};
  double v[3];
  CHECK_OK(dls_boundary_check(3, &b));
  dls_boundary_velocity(&b, at, v);
  CHECK_NEAR(v[0], 1 - 2 * pi, 1e-15);
  CHECK_NEAR(v[1], 0, 1e-15);
  dls_boundary_drift(0.5, &b);
  CHECK_NEAR(b.position[0], 0.5, 0);
  CHECK_NEAR(b.orientation[3], sin(pi / 4), 1e-15);
}

TEST(wrong_boundaries_are_refused) {
  DlsBoundary b = {.kind = DLS_BOUNDARY_PLATE, .radius = {2, 1}};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "hole");
  CHECK_FAILS(dls_boundary_check(2, &b), DLS_ERR_ARGUMENT, "3-D");
  b = (DlsBoundary){.kind = DLS_BOUNDARY_SEGMENT, .length = {1}};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "2-D");
  CHECK_OK(dls_boundary_check(2, &b));
  CHECK_NEAR(b.area, 1, 0);
  b = (DlsBoundary){.kind = DLS_BOUNDARY_BOX, .length = {1, 1, 0}};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "length");
  CHECK_OK(dls_boundary_check(2, &b));
  b.open = DLS_OPEN_Y1;
  CHECK_FAILS(dls_boundary_check(2, &b), DLS_ERR_ARGUMENT, "container");
  b = (DlsBoundary){.kind = DLS_BOUNDARY_SPHERE, .inside = true, .open = 1, .radius = {1}};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "no such wall");
  b = (DlsBoundary){.kind = DLS_BOUNDARY_PLANE, .orientation = {1, 1, 0, 0}};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "quaternion");
  b = (DlsBoundary){.kind = DLS_BOUNDARY_PLANE, .flags = DLS_BOUNDARY_SWELLS};
  CHECK_FAILS(dls_boundary_check(3, &b), DLS_ERR_ARGUMENT, "no radius that can change");
  CHECK(strcmp(dls_boundary_text(DLS_BOUNDARY_FRUSTUM), "frustum") == 0);
}
