/* Profiles, floors and tallies of packings at rest: against averages layer by layer, the weight,
 * and themselves. */
#include "tests/packing.h"

#include "post/time_average.h"

#include <stdlib.h>

static DlsProbe probe_of(const char *text, int dim) {
  DlsProbe probe = {0};
  CHECK_OK(dls_probe_read(text, dim, &probe));
  return probe;
}

/* Each layer is what dls_average() gives for its box. */
static void check_layers(const DlsPacking *g, const char *region, DlsAverageKind kind, int axis) {
  enum { LAYERS = 9 };
  const DlsProbe all = probe_of(region, g->dim);
  DlsProfileGrid grid;
  DlsLayer layer[LAYERS];
  CHECK_OK(dls_profile_grid(g, &all, kind, axis, LAYERS, &grid));
  CHECK_OK(dls_profile(g, &grid, layer));
  for (int n = 0; n < LAYERS; n++) {
    DlsProbe box = {.kind = DLS_PROBE_BOX};
    DlsAverage a;
    const double step = (grid.high[axis] - grid.low[axis]) / LAYERS;
    for (int k = 0; k < 3; k++) {
      const double room = all.kind == DLS_PROBE_ALL ? 1e-3 : 0; /* nothing sticks out there */
      box.low[k] = grid.low[k] - room, box.high[k] = grid.high[k] + room;
    }
    box.low[axis] = grid.low[axis] + n * step;
    box.high[axis] = box.low[axis] + step;
    CHECK_OK(dls_average(g, &box, kind, &a));
    const double share = a.volume / layer[n].volume; /* of the room */
    double size = 0;
    for (int k = 0; k < 9; k++) size = fmax(size, fabs(a.stress[k]));
    CHECK_NEAR(layer[n].place, box.low[axis] + 0.5 * step, 1e-15);
    for (int k = 0; k < 9; k++) {
      CHECK_NEAR(layer[n].stress[k], a.stress[k] * share, 1e-9 * (size + 1));
      CHECK_NEAR(layer[n].kinetic[k], a.kinetic[k] * share, 1e-9 * (fabs(a.kinetic[k]) + 1e-12));
    }
    CHECK_NEAR(layer[n].solid, a.solid * share, 1e-12);
    CHECK_INT(layer[n].grains, a.grains);
    CHECK(a.stress[4 * axis] == 0 || layer[n].error[4 * axis] > 0);
  }
}

/* What the floor carries, and the walls: the weight, as far as the packing is at rest. */
static void check_floor(const DlsPacking *g, const char *along) {
  const int up = g->dim - 1;
  const DlsProbe all = probe_of("all", g->dim);
  DlsFloorGrid grid;
  DlsFloorPart part[12];
  double weight = 0, walls = 0, floor = 0, error = 0;
  CHECK_OK(dls_floor_grid(g, &all, along[0], 12, NULL, &grid));
  dls_floor(g, &grid, part);
  for (int n = 0; n < 12; n++) {
    floor += part[n].pressure * part[n].area;
    error += part[n].error * part[n].error * part[n].area * part[n].area;
  }
  for (int i = 0; i < g->grains; i++) weight -= g->mass[i] * g->gravity[up];
  double squares = 0;
  for (int c = 0; c < g->contacts; c++) {
    if (g->antagonist[c] >= 0) continue;
    if (g->normal[c][up] < 0.5)
      walls += g->force[c][up];
    else
      squares += g->force[c][up] * g->force[c][up];
  }
  CHECK_NEAR(floor + walls, weight, 1e-5 * weight);
  CHECK_NEAR(error, squares, 1e-9 * squares);
}

TEST(profiles_and_floors_of_packings) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsPacking g = {0};
    test_packing(&scene, dim, dim == 2 ? 10 : 5, dim == 2 ? 12 : 7, 0.4, 900);
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    for (int kind = 0; kind < 2; kind++) {
      check_layers(&g, "all", (DlsAverageKind)kind, dim - 1);
      check_layers(&g, dim == 2 ? "box:0.02,0.01:0.1,0.11" : "box:0.01,0.012,0:0.05,0.06,0.06",
                   (DlsAverageKind)kind, dim - 1);
    }
    check_layers(&g, "all", DLS_AVERAGE_LINES, 0);
    check_floor(&g, "x");
    if (dim == 3) check_floor(&g, "r");
    dls_packing_clear(&g);
    test_scene_close(&scene);
  }
}

/* A cylinder along the axis; the volume of a layer is its own. */
TEST(a_profile_in_a_cylinder) {
  TestScene scene;
  DlsPacking g = {0};
  DlsProfileGrid grid;
  DlsLayer layer[1];
  DlsAverage a;
  const DlsProbe one = probe_of("cylinder:0.03,0.03,0.03:0,0,1:0.025:0.05", 3);
  test_packing(&scene, 3, 5, 7, 0.4, 300);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_OK(dls_profile_grid(&g, &one, DLS_AVERAGE_LINES, 2, 1, &grid));
  CHECK_OK(dls_profile(&g, &grid, layer));
  CHECK_OK(dls_average(&g, &one, DLS_AVERAGE_LINES, &a));
  CHECK_NEAR(layer[0].volume, a.volume, 1e-12 * a.volume);
  for (int k = 0; k < 9; k++)
    CHECK_NEAR(layer[0].stress[k], a.stress[k], 1e-9 * (fabs(a.stress[8])));
  CHECK_FAILS(dls_profile_grid(&g, &one, DLS_AVERAGE_LINES, 0, 1, &grid), DLS_ERR_ARGUMENT,
              "does not stand along x");
  dls_packing_clear(&g);
  test_scene_close(&scene);
}
