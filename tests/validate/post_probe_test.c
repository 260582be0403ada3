/* Moreau's check of the stress tensor (2001, sec. 3.4 and Fig. 3) on the biaxial test of
 * input/biaxial.yaml. */
#include "tests/test.h"

#include "post/diameters.h"
#include "scene/scene.h"

#include <stdlib.h>

/* A diameter is crossed by n contacts. Their forces fluctuate by about their mean, so that the
 * traction across one cut is known to 1 / sqrt(n) of the pressure; the deviation of 31 cuts from
 * the tensor stays below that. The sinusoids have an amplitude of a third of the pressure: the
 * correlation is high. */
TEST(the_tensor_of_a_probe_gives_the_tractions_across_its_diameters) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  DlsPacking g = {0};
  DlsDiameters *d = calloc(1, sizeof *d);
  CHECK_OK(dls_deck_open(TEST_SOURCE_DIR "/input/biaxial.yaml", &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  CHECK(d && scene);
  if (!d || !scene) {
    free(d);
    return;
  }
  while (scene->simulation->state.time < 0.5 - 1e-9) CHECK_OK(dls_scene_step(scene));
  CHECK_OK(dls_packing_take(scene->simulation, &g));
  double low[3], high[3];
  dls_packing_box(&g, low, high);
  const DlsProbe probe = {.kind = DLS_PROBE_SPHERE,
                          .centre = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])},
                          .radius = 0.35 * fmin(high[0] - low[0], high[1] - low[1])};
  for (int kind = 0; kind < 2; kind++) {
    CHECK_OK(dls_diameters(&g, &probe, (DlsAverageKind)kind, 31, d));
    CHECK(d->average.grains > 100 && d->crossing > 8);
    CHECK_BELOW(d->deviation, 1 / sqrt(d->crossing));
    CHECK(d->correlation > 0.95);
  }
  /* Whatever the force chains do, a band from wall to wall transmits what the walls press with, but
   * for what still moves: left and right, bottom and top, boundaries 0 and 2, 1 and 3. */
  for (int axis = 0; axis < 2; axis++) {
    DlsProbe band = {.kind = DLS_PROBE_BOX};
    DlsAverage average;
    memcpy(band.low, low, sizeof low);
    memcpy(band.high, high, sizeof high);
    band.low[axis] += 0.3 * (high[axis] - low[axis]);
    band.high[axis] -= 0.3 * (high[axis] - low[axis]);
    CHECK_OK(dls_average(&g, &band, DLS_AVERAGE_LINES, &average));
    const double(*force)[6] = (const double(*)[6])scene->simulation->state.boundary_force;
    const double wide = high[1 - axis] - low[1 - axis];
    const double pressure = 0.5 * (fabs(force[axis][axis]) + fabs(force[axis + 2][axis])) / wide;
    CHECK(pressure > 900);
    CHECK_NEAR(average.stress[4 * axis], -pressure, 0.03 * pressure);
  }
  dls_packing_clear(&g);
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  free(d);
}
