/* Cohesive powders (Brendel, Unger and Wolf 2004, sec. 1.9): input/powder.yaml, compacted by a weak
 * piston, with and without rolling and torsion friction. In short 50 spheres and four seeds, in
 * the long form the deck's own 120 and eight. */
#include "tests/decks.h"

#include "post/tension.h"

#include <math.h>

enum { MOST = 8, KINDS = 4 }; /* kind: 1 with rolling, 2 with torsion friction */

typedef struct {
  double porosity;
  DlsTension tension;
} Powder;

static const DlsProbe everywhere = {.kind = DLS_PROBE_ALL};
static Powder powder[KINDS][MOST];
static int seeds;

static Powder compact(int kind, int seed) {
  char roll[80], torsion[80], from[40];
  const bool whole = getenv("DELASSUS_LONG") != NULL;
  Powder out = {0};
  TestDeck deck;
  snprintf(roll, sizeof roll, "laws[0].parameters.rolling.roll_ratio=%g", kind & 1 ? 0.4 : 0);
  snprintf(torsion, sizeof torsion, "laws[0].parameters.rolling.torsion_ratio=%g",
           kind & 2 ? 0.4 : 0);
  snprintf(from, sizeof from, "grains[0].seed=%d", seed);
  const char *const sets[] = {roll,
                              torsion,
                              from,
                              whole ? NULL : "grains[0].count=50",
                              "grains[0].region.high=[5 mm, 5 mm, 10 mm]",
                              "cell.high=[5 mm, 5 mm, 12 mm]",
                              "boundaries.piston.position=[0, 0, 10 mm]",
                              "time.step=0.5 ms",
                              NULL};
  test_deck_open(&deck, "powder.yaml", sets);
  test_deck_run(&deck, whole ? 0.5 : 0.3);
  test_deck_take(&deck);
  const DlsPacking *g = &deck.packing;
  double solid = 0;
  for (int i = 0; i < g->grains; i++) solid += 4.18879020478639098 * pow(g->radius[i], 3);
  out.porosity = 1 - solid / (25e-6 * deck.simulation->world->boundary[1].position[2]);
  dls_tension(g, &everywhere, &out.tension);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
  return out;
}

static void compact_all(void) {
  if (seeds) return;
  seeds = getenv("DELASSUS_LONG") ? MOST : 4;
  for (int kind = 0; kind < KINDS; kind++)
    for (int s = 0; s < seeds; s++) powder[kind][s] = compact(kind, s + 1);
}

/* Mean and standard error of numbers of the seeds. */
static double mean_of(const double *x, double *error) {
  double mean = 0, square = 0;
  for (int s = 0; s < seeds; s++) mean += x[s] / seeds;
  for (int s = 0; s < seeds; s++) square += (x[s] - mean) * (x[s] - mean);
  *error = sqrt(square / seeds / (seeds - 1));
  return mean;
}

/* Either friction keeps pores open: what it adds, in the mean of with and without the other, is
 * more than three standard errors above 0; and both leave more than either alone. */
TEST(rolling_and_torsion_friction_keep_a_powder_porous) {
  compact_all();
  double mean[KINDS], error;
  for (int kind = 0; kind < KINDS; kind++) {
    double x[MOST];
    for (int s = 0; s < seeds; s++) x[s] = powder[kind][s].porosity;
    mean[kind] = mean_of(x, &error);
    if (getenv("SHOW"))
      printf("rolling %d torsion %d: porosity %.4f +- %.4f\n", kind & 1, kind >> 1, mean[kind],
             error);
  }
  for (int which = 1; which <= 2; which++) {
    double gain[MOST];
    for (int s = 0; s < seeds; s++)
      gain[s] = 0.5 * (powder[which][s].porosity - powder[0][s].porosity + powder[3][s].porosity -
                       powder[3 - which][s].porosity);
    const double all = mean_of(gain, &error);
    if (getenv("SHOW"))
      printf("%s adds %.4f +- %.4f\n", which == 1 ? "rolling" : "torsion", all, error);
    CHECK(all > 3 * error);
  }
  CHECK(mean[3] > mean[1] && mean[3] > mean[2]);
}

/* Tension in the powder without rolling friction, as in the reference of Brendel et al. for
 * tensile forces, with and without torsion: no pull beyond F_C; much of the net pulls, though the
 * whole is pressed; contacts that push stand along the load, those that pull across it, by more
 * than three errors. */
TEST(tensile_forces_are_a_net_across_the_load) {
  compact_all();
  double share[MOST], tilt[MOST], error;
  for (int s = 0; s < seeds; s++) {
    share[s] = tilt[s] = 0;
    for (int kind = 0; kind <= 2; kind += 2) {
      const DlsTension *t = &powder[kind][s].tension;
      share[s] += 0.5 * t->share;
      tilt[s] += 0.5 * (t->push_fabric[8] - t->pull_fabric[8]);
      CHECK(t->strongest <= 1e-3 * (1 + 1e-3));
      CHECK(t->mean_push * t->push > t->mean_pull * t->pull);
    }
  }
  const double part = mean_of(share, &error);
  if (getenv("SHOW")) printf("pulls: %.3f +- %.3f of the contacts\n", part, error);
  CHECK(part > 3 * error && part < 0.5);
  const double across = mean_of(tilt, &error);
  if (getenv("SHOW")) printf("n_z² of pushes less pulls %.3f +- %.3f\n", across, error);
  CHECK(across > 3 * error);
}

enum { POINTS = 15 };

/* The slope of y over x; the residuals' root mean square. */
static double line(int count, const double *x, const double *y, double *off) {
  double mx = 0, my = 0, xx = 0, xy = 0, square = 0;
  for (int k = 0; k < count; k++) mx += x[k] / count, my += y[k] / count;
  for (int k = 0; k < count; k++) {
    xx += (x[k] - mx) * (x[k] - mx);
    xy += (x[k] - mx) * (y[k] - my);
  }
  for (int k = 0; k < count; k++) square += pow(y[k] - my - xy / xx * (x[k] - mx), 2);
  *off = sqrt(square / count);
  return xy / xx;
}

/* input/powder-compaction-study.yaml: ln porosity at POINTS stresses from 300 to 5000 Pa, 200 Pa
 * exp(6 (t - 0.3)). */
static void press(int seed, const double *stress, double *out) {
  char from[40];
  TestDeck deck;
  const bool whole = getenv("DELASSUS_LONG") != NULL;
  snprintf(from, sizeof from, "grains[0].seed=%d", seed);
  const char *const sets[] = {
      from,
      "boundaries.piston.servo.force=[0, 0, \"-5e-3*exp(6*max(0, t-0.3))\"]",
      "grains[0].region.high=[5 mm, 5 mm, 12 mm]",
      "cell.high=[5 mm, 5 mm, 14 mm]",
      "boundaries.piston.position=[0, 0, 12 mm]",
      whole ? "grains[0].count=60" : "grains[0].count=40",
      whole ? "time.step=0.25 ms" : "time.step=0.5 ms",
      whole ? "solver.tolerance=1e-4" : "solver.tolerance=3e-4",
      NULL};
  const double solid = (whole ? 60 : 40) * 0.52359877559829882e-9;
  test_deck_open(&deck, "powder.yaml", sets);
  for (int k = 0; k < POINTS; k++) {
    test_deck_run(&deck, 0.3 + log(stress[k] / 200) / 6);
    out[k] = log(1 - solid / (25e-6 * deck.simulation->world->boundary[1].position[2]));
  }
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}

/* Uniaxial compaction (sec. 1.9, ref. 4): the porosity falls as a power of the stress, whose
 * exponent is below 0 by more than three standard errors of the samples; their mean is off that
 * power by less than 3 % (a bound by eye: small samples give way in jumps). */
TEST(porosity_is_a_power_of_the_stress_of_compaction) {
  const int samples = getenv("DELASSUS_LONG") ? MOST : 4;
  double stress[POINTS], x[POINTS], mean[POINTS] = {0}, exponent[MOST], off, error;
  for (int k = 0; k < POINTS; k++) {
    x[k] = log(300) + log(5000.0 / 300) * k / (POINTS - 1);
    stress[k] = exp(x[k]);
  }
  for (int s = 0; s < samples; s++) {
    double y[POINTS];
    press(s + 1, stress, y);
    exponent[s] = line(POINTS, x, y, &off);
    for (int k = 0; k < POINTS; k++) mean[k] += y[k] / samples;
  }
  seeds = samples; /* of mean_of() */
  const double power = mean_of(exponent, &error);
  line(POINTS, x, mean, &off);
  if (getenv("SHOW"))
    printf("porosity ~ stress^(%.4f +- %.4f), the mean off by %.4f\n", power, error, off);
  CHECK(-power > 3 * error);
  CHECK_BELOW(off, 0.03);
}
