/* Cost of detection, in ns per sphere: the jittered deposit of equal spheres, kept pairs reused and
 * built anew, a mixture of radii 1 to 100, and the deposit with grains that flew far away. Prints a
 * table; judges nothing.   usage: delassus_bench_detect [largest N] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/random.h"
#include "detect/detect.h"
#include "tests/bench/cost.h"

static void add_sphere(DlsWorld *world, const DlsShape *unit, double radius, const double *x) {
  DlsBody body = {.shape = unit, .scale = radius, .density = 2500};
  memcpy(body.position, x, sizeof body.position);
  must(dls_world_add_body(world, &body));
}

/* Lattice of pitch 2.2 r, jitter 0.1 r, settled to contact by a squeeze of the lattice to 2.02
 * r. */
static DlsWorld *deposit(int n, const DlsShape *unit, int strays) {
  const double r = 5e-3, pitch = 2.02 * r;
  const int side = (int)ceil(cbrt(n));
  DlsWorld *world;
  DlsRandom random;
  must(dls_world_create(3, &world));
  must(dls_world_reserve(world, n, n));
  dls_random_seed(&random, 1);
  for (int i = 0; i < n; i++) {
    const int row = i / side % side, layer = i / side / side;
    double x[3] = {(i % side + 0.5) * pitch, (row + 0.5) * pitch, (layer + 0.5) * pitch};
    for (int k = 0; k < 3; k++) x[k] += dls_random_between(&random, -0.1, 0.1) * r;
    if (i < strays) x[2] = -1e3 * (i + 1);
    add_sphere(world, unit, r, x);
  }
  const double length = side * pitch;
  const DlsBoundary box = {.kind = DLS_BOUNDARY_BOX,
                           .inside = true,
                           .open = DLS_OPEN_Z1,
                           .length = {length, length, 2 * length},
                           .position = {length / 2, length / 2, length}};
  must(dls_world_add_boundary(world, &box));
  return world;
}

/* Radii from r to 100 r, the same volume in each of seven sizes, spread at random in a cube of
 * twice their volume: overlaps do not matter here. */
static DlsWorld *mixture(int n, const DlsShape *unit) {
  const double r = 1e-3;
  double share[7], sum = 0, volume = 0;
  DlsWorld *world;
  DlsRandom random;
  must(dls_world_create(3, &world));
  must(dls_world_reserve(world, n, n));
  dls_random_seed(&random, 2);
  for (int i = 0; i < 7; i++) sum += share[i] = pow(100, -3.0 * i / 6);
  for (int i = 0; i < 7; i++) volume += share[i] / sum * n * pow(r * pow(100, i / 6.0), 3) * 4.19;
  const double side = cbrt(2 * volume);
  for (int i = 0; i < n; i++) {
    double x[3], u = dls_random_unit(&random) * sum;
    int size = 0;
    while (size < 6 && u > share[size]) u -= share[size++];
    /* At least one of the largest. */
    if (i == 0) size = 6;
    for (int k = 0; k < 3; k++) x[k] = dls_random_between(&random, 0, side);
    add_sphere(world, unit, r * pow(100, size / 6.0), x);
  }
  return world;
}

static void measure(const char *name, DlsWorld *world) {
  const int n = world->count, repeat = n > 200000 ? 4 : 400000 / n + 4;
  const DlsDetection where = {.alert = 1e-4, .horizon = 1e-3};
  DlsDetector *detector;
  DlsContactSet set = {0};
  DlsContactMemory memory = {0};
  double build = 0, keep = 0, match = 0;
  must(dls_detector_create(&detector));
  must(dls_detect(detector, world, &where, &set));
  for (int i = 0; i < repeat; i++) {
    dls_detector_forget(detector);
    double start = now();
    must(dls_detect(detector, world, &where, &set));
    build += now() - start;
    start = now();
    must(dls_detect(detector, world, &where, &set));
    keep += now() - start;
    start = now();
    must(dls_contact_memory_remember(&memory, set.count, set.key, NULL));
    dls_contact_memory_match(&memory, &set);
    match += now() - start;
  }
  const double scale = 1e9 / repeat / n;
  printf("%-9s %9d %10.2f %9.2f %9.0f %9.0f %9.0f %8.0f %8.0f\n", name, n, (double)set.count / n,
         (double)dls_detector_report(detector).pairs / n, build * scale, keep * scale,
         match * scale, (double)dls_detector_bytes(detector) / n,
         (double)(dls_contact_set_bytes(&set) + dls_contact_memory_bytes(&memory)) / n);
  fflush(stdout);
  dls_contact_memory_clear(&memory);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_world_destroy(&world);
}

int main(int argc, char **argv) {
  dls_pool_set(1); /* processor time of one core */
  const int largest = argc > 1 ? atoi(argv[1]) : 1000000;
  DlsShape unit;
  must(dls_shape_sphere(3, 1, &unit));
  printf("%-9s %9s %10s %9s %9s %9s %9s %8s %8s\n", "", "spheres", "contacts/N", "pairs/N",
         "build ns", "keep ns", "match ns", "lists B", "contacts B");
  for (int n = 1000; n <= largest; n *= 10) {
    measure("deposit", deposit(n, &unit, 0));
    measure("strays", deposit(n, &unit, 10));
    measure("mixture", mixture(n, &unit));
  }
  dls_shape_clear(&unit);
  return 0;
}
