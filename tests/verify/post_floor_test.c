/* The floor under grains whose forces are given by hand: areas by geometry, pressure, shear and
 * their errors by sums of a few numbers. Rings about a centre off the origin: the areas fill the
 * disk, π R², and the shear counts outward. */
#include "post/floor.h"
#include "tests/test.h"

#include <math.h>

enum { FORCES = 6, PARTS = 4 };
static const double pi = 3.14159265358979323846;

/* A contact with the floor: where, and the force on the grain. */
typedef struct {
  double point[3], force[3];
} Press;

static void fill(int dim, const Press *press, DlsPacking *g) {
  *g = (DlsPacking){0};
  CHECK_OK(dls_packing_reserve(g, 1, FORCES));
  g->dim = dim;
  g->boundaries = 1;
  g->gravity[dim - 1] = -9.81;
  g->mass[0] = 1;
  g->radius[0] = 0.1;
  for (int c = 0; c < FORCES; c++) {
    g->antagonist[c] = -1;
    g->normal[c][dim - 1] = 1;
    g->normal_force[c] = press[c].force[dim - 1];
    for (int k = 0; k < 3; k++) g->point[c][k] = press[c].point[k];
    for (int k = 0; k < 3; k++) g->force[c][k] = press[c].force[k];
  }
}

/* Of part n: sums over the forces at places within it, of the weight and of the shear. */
static void check_part(const DlsFloorPart *part, double area, int count, const double *down,
                       const double *shear) {
  double sum = 0, squares = 0, shear_sum = 0, shear_squares = 0;
  for (int k = 0; k < count; k++) {
    sum += down[k];
    squares += down[k] * down[k];
    shear_sum += shear[k];
    shear_squares += shear[k] * shear[k];
  }
  CHECK_INT(part->contacts, count);
  CHECK_NEAR(part->area, area, 1e-7 * area); /* the last ring reaches 1e-9 farther */
  CHECK_NEAR(part->pressure * area, sum, 1e-7 * (1 + sum));
  CHECK_NEAR(part->error * area, sqrt(squares), 1e-7 * (1 + sum));
  CHECK_NEAR(part->shear * area, shear_sum, 1e-7 * (1 + sum));
  CHECK_NEAR(part->shear_error * area, sqrt(shear_squares), 1e-7 * (1 + sum));
}

/* Shears that cancel in the sum do not in the error. Floor pressed outward: the grain is pulled
 * inward. */
TEST(rings_fill_the_disk_and_shear_counts_outward) {
  const double centre[2] = {0.7, -0.2}, R = 0.4;
  const double radius[FORCES] = {0.05, 0.15, 0.17, 0.25, 0.28, R};
  const double turn[FORCES] = {0.3, 2, 4, 1, 5, 6}, down[FORCES] = {3, 1, 2, 5, 7, 4};
  const double shear[FORCES] = {0.5, 0.9, -0.9, 2, 1, -3}, swirl = 1.3; /* N; along the ring */
  Press press[FORCES];
  for (int c = 0; c < FORCES; c++) {
    const double x = cos(turn[c]), y = sin(turn[c]);
    press[c] = (Press){{centre[0] + radius[c] * x, centre[1] + radius[c] * y, 0},
                       {-shear[c] * x - swirl * y, -shear[c] * y + swirl * x, down[c]}};
  }
  DlsPacking g;
  DlsProbe all = {0};
  DlsFloorGrid grid;
  DlsFloorPart part[PARTS];
  fill(3, press, &g);
  CHECK_OK(dls_probe_read("all", 3, &all));
  CHECK_OK(dls_floor_grid(&g, &all, 'r', PARTS, centre, &grid));
  dls_floor(&g, &grid, part);
  const int first[PARTS + 1] = {0, 1, 3, 5, 6};
  double disk = 0;
  for (int n = 0; n < PARTS; n++) {
    const double in = R * n / PARTS, out = R * (n + 1) / PARTS;
    check_part(&part[n], pi * (out * out - in * in), first[n + 1] - first[n], down + first[n],
               shear + first[n]);
    CHECK_NEAR(part[n].place, 0.5 * (in + out), 1e-8);
    disk += part[n].area;
  }
  CHECK_NEAR(disk, pi * R * R, 1e-7);
  dls_packing_clear(&g);
}

/* Strips of a box: across its width, in 2-D per metre of depth; shear along the axis. */
TEST(strips_have_the_width_of_the_region) {
  const double low = 0.1, high = 0.9, at[FORCES] = {0.15, 0.32, 0.45, 0.52, 0.65, 0.88};
  const double down[FORCES] = {3, 1, 2, 5, 7, 4}, shear[FORCES] = {0.5, 0.9, -0.9, 2, 1, -3};
  const int first[PARTS + 1] = {0, 1, 3, 5, 6};
  for (int dim = 2; dim <= 3; dim++)
    for (int axis = 0; axis < dim - 1; axis++) {
      Press press[FORCES] = {0};
      for (int c = 0; c < FORCES; c++) {
        press[c].point[axis] = at[c];
        if (dim == 3) press[c].point[1 - axis] = 0.25;
        press[c].force[axis] = -shear[c];
        if (dim == 3) press[c].force[1 - axis] = 11; /* across: it does not count */
        press[c].force[dim - 1] = down[c];
      }
      DlsPacking g;
      DlsProbe box = {.kind = DLS_PROBE_BOX, .low = {-1, -1, -1}, .high = {1, 1, 1}};
      DlsFloorGrid grid;
      DlsFloorPart part[PARTS];
      fill(dim, press, &g);
      box.low[axis] = low, box.high[axis] = high;
      if (dim == 3) box.low[1 - axis] = 0.2, box.high[1 - axis] = 0.5;
      CHECK_OK(dls_floor_grid(&g, &box, "xy"[axis], PARTS, NULL, &grid));
      dls_floor(&g, &grid, part);
      for (int n = 0; n < PARTS; n++)
        check_part(&part[n], (high - low) / PARTS * (dim == 3 ? 0.3 : 1), first[n + 1] - first[n],
                   down + first[n], shear + first[n]);
      dls_packing_clear(&g);
    }
}
