/* Moreau's check of the stress tensor (2001, sec. 3.4 and Fig. 3) on the biaxial tests of
 * input/biaxial.yaml, disks, and input/biaxial-polygons.yaml, irregular polygons as his; and which
 * contacts bear the deviator. */
#include "tests/decks.h"

#include "post/diameters.h"

/* A diameter is crossed by n contacts. Their forces fluctuate by about their mean, so that the
 * traction across one cut is known to 1 / sqrt(n) of the pressure; the deviation of 31 cuts from
 * the tensor stays below that. The sinusoids have an amplitude of a third of the pressure: the
 * correlation is high. */
static void check_diameters(const DlsPacking *g, const double low[3], const double high[3]) {
  DlsDiameters *d = calloc(1, sizeof *d);
  CHECK(d);
  if (!d) return;
  const DlsProbe probe = {.kind = DLS_PROBE_SPHERE,
                          .centre = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])},
                          .radius = 0.35 * fmin(high[0] - low[0], high[1] - low[1])};
  for (int kind = 0; kind < 2; kind++) {
    CHECK_OK(dls_diameters(g, &probe, (DlsAverageKind)kind, 31, d));
    if (getenv("SHOW"))
      printf("%d grains, %.1f contacts a diameter, correlation %.3f, deviation %.3f\n",
             d->average.grains, d->crossing, d->correlation, d->deviation);
    CHECK(d->average.grains > 100 && d->crossing > 8);
    CHECK_BELOW(d->deviation, 1 / sqrt(d->crossing));
    CHECK(d->correlation > 0.95);
  }
  free(d);
}

/* Contacts that push more than the mean bear the deviator, the others press alike from all sides
 * (Radjai et al. 1998; Brendel et al. 2004, sec. 1.9). Of n weak contacts in directions without
 * preference the deviator over the pressure is of the order of 1 / sqrt(n); about half of all are
 * weak, and three such errors are allowed. */
static void check_strong_and_weak(const DlsPacking *g) {
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  DlsAverage average;
  double p[3], q[3]; /* Pa: of all contacts, of strong and of weak ones, in the axes of loading */
  CHECK_OK(dls_average(g, &all, DLS_AVERAGE_CENTRES, &average));
  for (int k = 0; k < 2; k++) {
    const double *stress = k ? average.strong : average.stress;
    p[k] = -(stress[0] + stress[4]) / 2;
    q[k] = (stress[0] - stress[4]) / 2;
  }
  p[2] = p[0] - p[1];
  q[2] = q[0] - q[1];
  if (getenv("SHOW"))
    printf("%d contacts, deviator over pressure %.3f, strong %.3f, weak %.3f\n", average.contacts,
           q[0] / p[0], q[1] / p[1], q[2] / p[2]);
  CHECK(p[1] > 0 && p[2] > 0);
  CHECK(fabs(q[1] / p[1]) > fabs(q[0] / p[0]));
  CHECK_BELOW(fabs(q[2] / p[2]), 3 / sqrt(0.5 * average.contacts));
}

TEST(the_tensor_of_a_probe_gives_the_tractions_across_its_diameters) {
  double low[3], high[3];
  TestDeck deck;
  test_deck_open(&deck, "biaxial.yaml", (const char *const[]){NULL});
  test_deck_run(&deck, 0.5);
  test_deck_take(&deck);
  const DlsPacking *g = &deck.packing;
  dls_packing_box(g, low, high);
  check_diameters(g, low, high);
  check_strong_and_weak(g);
  /* Whatever the force chains do, a band from wall to wall transmits what the walls press with, but
   * for what still moves: left and right, bottom and top, boundaries 0 and 2, 1 and 3. */
  for (int axis = 0; axis < 2; axis++) {
    DlsProbe band = {.kind = DLS_PROBE_BOX};
    DlsAverage average;
    memcpy(band.low, low, sizeof low);
    memcpy(band.high, high, sizeof high);
    band.low[axis] += 0.3 * (high[axis] - low[axis]);
    band.high[axis] -= 0.3 * (high[axis] - low[axis]);
    CHECK_OK(dls_average(g, &band, DLS_AVERAGE_LINES, &average));
    const double(*force)[6] = (const double(*)[6])deck.simulation->state.boundary_force;
    const double wide = high[1 - axis] - low[1 - axis];
    const double pressure = 0.5 * (fabs(force[axis][axis]) + fabs(force[axis + 2][axis])) / wide;
    CHECK(pressure > 900);
    CHECK_NEAR(average.stress[4 * axis], -pressure, 0.03 * pressure);
  }
  test_deck_close(&deck);
}

/* Two sides are driven inward, the others press: the loading of his Fig. 3. */
TEST(so_it_does_among_irregular_polygons) {
  double low[3], high[3];
  TestDeck deck;
  test_deck_open(&deck, "biaxial-polygons.yaml", (const char *const[]){NULL});
  test_deck_run(&deck, 1.5);
  test_deck_take(&deck);
  dls_packing_box(&deck.packing, low, high);
  check_diameters(&deck.packing, low, high);
  check_strong_and_weak(&deck.packing);
  test_deck_close(&deck);
}
