/* Beads in a shaken cylinder (input/shaken-vessel.yaml; Moreau 1994, sec. 8 and Fig. 3), over
 * periods that begin with the vessel at its lowest.
 *
 * By mechanics: over whole periods side and bottom together give the weight times the time and the
 * change of momentum. Told there:
 *   - at t = 0 the beads fly and the side feels practically nothing; the bottom hits them in the
 *     first 10 ms, and the forces decrease while they fly; the vertical force of the side is
 *     downward in the mean, and from 15 to 30 ms, when beads slide upward along it
 *   - the normal reaction of the side nearly reproduces the mean internal pressure
 *   - over periods beads rise within and sink in a layer at the side
 *   - beads at the side fly lower than those within, from where a free bead leaves the bottom on,
 *     come down on it first, and are then relatively dense there
 * Bounds are three errors of the periods, two for what rises in the short form; "practically
 * nothing" is a tenth of the largest force of the side, "nearly" a correlation of 0.95 over the
 * parts of the period.
 *
 * The short form has a quarter of the beads in half the width, and so the height of the pack: too
 * few to tell a circulation or a denser layer; DELASSUS_LONG=1 takes all 3630, settled for 0.4 s,
 * over ten periods as he does. */
#include "tests/validate/shakes.h"

#include <math.h>

enum { SIDE, BOTTOM, PARTS = 50, PERIODS = 10 };
enum { OUTER, INNER }; /* beads that may touch the side; those within half of its radius */

static const double period = 0.04, bead = 1e-3; /* s; m, radius */

/* A mean over periods, and its error. */
typedef struct {
  double mean, error;
} Mean;

static Mean mean_of(const double *value, int count) {
  double sum = 0, squares = 0;
  for (int p = 0; p < count; p++) sum += value[p], squares += value[p] * value[p];
  const double mean = sum / count;
  return (Mean){mean, sqrt(fmax(0, squares / count - mean * mean) / (count - 1))};
}

typedef struct {
  double force[2][PERIODS][PARTS]; /* weights, upward, of side and bottom */
  double normal[PERIODS][PARTS];   /* weights, of the side */
  double pressure[PERIODS][PARTS]; /* J, a third of the moment of the forces between beads */
  double given, expected;          /* N s: by both; by the weight and the change of momentum */
  double rise[2][PERIODS];         /* m: from where the pack leaves the bottom to the top, mean */
  double landing[2][PERIODS];      /* s: of a bead's first contact with the bottom, mean */
  double low[2][PERIODS][PARTS];   /* of the beads of a region, share within LOWEST of the bottom */
  DlsTracks tracks;
} Vessel;

static const double lowest = 6e-3; /* m: three layers */

/* A bead leaves the bottom where that is braked by more than g: a w^2 cos(w t) = -g. */
static double leaving(void) {
  const double w = 2 * acos(-1) / period;
  return acos(-9.81 / (1e-3 * w * w)) / w;
}

static double momentum(const DlsWorld *world) {
  double sum = 0;
  for (int i = 0; i < world->count; i++) sum += world->mass[i] * world->velocity[i][2];
  return sum;
}

/* One period of steps: what each bead did. */
typedef struct {
  int count;
  int *region;                  /* OUTER, INNER, or -1: between */
  double *first, *top, *landed; /* m, m, s; landed NAN: not yet */
} Flight;

static void begin_flight(Flight *f, const DlsPacking *g, double radius) {
  f->count = g->grains;
  f->region = malloc((size_t)f->count * sizeof *f->region);
  f->first = malloc(3 * (size_t)f->count * sizeof *f->first);
  f->top = f->first + f->count, f->landed = f->top + f->count;
  for (int i = 0; i < f->count; i++) {
    const double away = hypot(g->position[i][0], g->position[i][1]);
    f->region[i] = away > radius - 2 * bead ? OUTER : away < 0.5 * radius ? INNER : -1;
    f->first[i] = f->top[i] = g->position[i][2];
    f->landed[i] = NAN;
  }
}

static void end_flight(Flight *f, Vessel *v, int p) {
  double rise[2] = {0}, time[2] = {0};
  int beads[2] = {0}, landed[2] = {0};
  for (int i = 0; i < f->count; i++) {
    const int r = f->region[i];
    if (r < 0) continue;
    rise[r] += f->top[i] - f->first[i], beads[r]++;
    if (!isnan(f->landed[i])) time[r] += f->landed[i], landed[r]++;
  }
  for (int r = 0; r < 2; r++) {
    CHECK(beads[r] > 20 && landed[r] > 2);
    v->rise[r][p] = rise[r] / beads[r];
    v->landing[r][p] = time[r] / landed[r];
  }
  free(f->region), free(f->first);
}

static void follow(Flight *f, Vessel *v, const DlsPacking *g, int p, int part, double time,
                   double floor, int steps) {
  int low[2] = {0}, all[2] = {0};
  for (int i = 0; i < f->count; i++) {
    if (time <= leaving()) f->first[i] = f->top[i] = g->position[i][2];
    f->top[i] = fmax(f->top[i], g->position[i][2]);
    if (f->region[i] < 0) continue;
    all[f->region[i]]++;
    low[f->region[i]] += g->position[i][2] < floor + lowest;
  }
  for (int r = 0; r < 2; r++) v->low[r][p][part] += (double)low[r] / all[r] * PARTS / steps;
  for (int c = 0; c < g->contacts; c++) {
    const int i = g->candidate[c], j = g->antagonist[c];
    double moment = 0;
    if (j >= 0) {
      for (int k = 0; k < 3; k++) moment += g->force[c][k] * (g->centre[i][k] - g->centre[j][k]);
      v->pressure[p][part] += moment / 3 * PARTS / steps;
    } else if (-j == BOTTOM + 1 && isnan(f->landed[i]) && g->normal_force[c] > 0)
      f->landed[i] = time;
    else if (-j == SIDE + 1)
      v->normal[p][part] += g->normal_force[c] * PARTS / steps;
  }
}

static void shake(Vessel *v) {
  static const char *const all[] = {NULL}, *const quarter[] = {"grains[0].count=907",
                                                               "grains[0].region.radius=8.75 mm",
                                                               "boundaries.side.radius=[8.75 mm]",
                                                               NULL};
  const bool full = getenv("DELASSUS_LONG") != NULL;
  const double settled = full ? 0.4 : 0.2, radius = full ? 17.5e-3 : 8.75e-3;
  TestDeck deck;
  test_deck_open(&deck, "shaken-vessel.yaml", full ? all : quarter);
  test_deck_run(&deck, settled);
  test_deck_take(&deck);
  CHECK_OK(dls_tracks_add(&v->tracks, &deck.packing));
  const DlsSimulation *s = deck.simulation;
  const double h = s->settings.h, before = momentum(s->world);
  const int steps = (int)lround(period / h);
  double weight = 0;
  for (int i = 0; i < s->world->count; i++) weight += s->world->mass[i] * 9.81;
  for (int p = 0; p < PERIODS; p++) {
    Flight flight;
    begin_flight(&flight, &deck.packing, radius);
    for (int k = 0; k < steps; k++) {
      const double time = (k + 1) * h, floor = 1e-3 * (1 - cos(2 * acos(-1) * time / period));
      CHECK_OK(dls_scene_step(deck.scene));
      test_deck_take(&deck);
      for (int wall = SIDE; wall <= BOTTOM; wall++) {
        const double force = -s->state.boundary_force[wall][2];
        v->force[wall][p][k * PARTS / steps] += force * PARTS / steps / weight;
        v->given += force * h;
      }
      follow(&flight, v, &deck.packing, p, k * PARTS / steps, time, floor, steps);
    }
    end_flight(&flight, v, p);
    CHECK_OK(dls_tracks_add(&v->tracks, &deck.packing));
    for (int n = 0; n < PARTS; n++) v->normal[p][n] /= weight;
    if (full) {
      printf("period %d of %d\n", p + 1, PERIODS);
      fflush(stdout);
    }
  }
  v->expected = weight * period * PERIODS + momentum(s->world) - before;
  test_deck_close(&deck);
}

/* One run, which all tests look at. */
static Vessel *vessel(void) {
  static Vessel made;
  if (made.tracks.moments == 0) shake(&made);
  return &made;
}

/* Of part n over the periods. */
static Mean part_of(double (*value)[PARTS], int n) {
  double part[PERIODS];
  for (int p = 0; p < PERIODS; p++) part[p] = value[p][n];
  return mean_of(part, PERIODS);
}

TEST(the_side_of_a_shaken_vessel_pulls_beads_down) {
  Vessel *v = vessel();
  double peak = 0, at = 0, first = 0, most = 0, down[PERIODS] = {0};
  CHECK_NEAR(v->given, v->expected, 1e-9 * v->expected);
  for (int n = 0; n < PARTS; n++) {
    const Mean side = part_of(v->force[SIDE], n), bottom = part_of(v->force[BOTTOM], n);
    const double both = side.mean + bottom.mean, ms = (n + 0.5) * 1e3 * period / PARTS;
    if (getenv("SHOW"))
      printf(
          "%4.1f ms: side %7.3f +- %.3f, both %7.3f; normal %.3f, pressure %.3g, low %.3f %.3f\n",
          ms, side.mean, side.error, both, part_of(v->normal, n).mean, part_of(v->pressure, n).mean,
          part_of(v->low[OUTER], n).mean, part_of(v->low[INNER], n).mean);
    if (n == 0) first = fabs(side.mean);
    most = fmax(most, fabs(side.mean));
    if (both > peak) peak = both, at = ms;
    if (ms > 15 && ms < 30)
      CHECK_TOLD(side.mean < 3 * side.error, "%g ms: %g +- %g weights", ms, side.mean, side.error);
    for (int p = 0; p < PERIODS; p++) down[p] += v->force[SIDE][p][n] / PARTS;
  }
  const Mean side = mean_of(down, PERIODS);
  if (getenv("SHOW"))
    printf("side %.3f +- %.3f weights, peak of both %.2f at %.1f ms\n", side.mean, side.error, peak,
           at);
  CHECK_TOLD(side.mean < -3 * side.error, "%g +- %g weights", side.mean, side.error);
  CHECK(at < 10);
  CHECK_BELOW(first, 0.1 * most);
}

TEST(the_normal_reaction_of_the_side_follows_the_mean_pressure) {
  Vessel *v = vessel();
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int n = 0; n < PARTS; n++) {
    const double a = part_of(v->normal, n).mean, b = part_of(v->pressure, n).mean;
    x += a / PARTS, y += b / PARTS, xx += a * a / PARTS, yy += b * b / PARTS, xy += a * b / PARTS;
  }
  const double correlation = (xy - x * y) / sqrt((xx - x * x) * (yy - y * y));
  if (getenv("SHOW")) printf("correlation of normal reaction and pressure %.4f\n", correlation);
  CHECK_TOLD(correlation > 0.95, "%g", correlation);
}

/* In the half plane (distance from the axis, height) a flow that rises within and sinks outside
 * turns clockwise. */
TEST(beads_rise_within_and_sink_at_the_side) {
  const Vessel *v = vessel();
  const double axis[3] = {0};
  double low[3], high[3], radius;
  DlsTracks t = v->tracks; /* places are turned in place: once, by this test alone */
  DlsFlow flow;
  dls_tracks_meridian(&t, axis);
  dls_tracks_box(&t, low, high);
  radius = high[0] + bead;
  CHECK_OK(dls_flow_take(&t, 0, 1, 6, 8, low, high, &flow));
  const DlsFlowLoop loop = dls_flow_circulation(&flow, 0, 5, dls_flow_rows(&flow, 0, 5));
  dls_flow_clear(&flow);
  const double everywhere = 1;
  const DlsTrackMove side = dls_tracks_move(
                         &t, (double[3]){radius - 2.7 * bead, -everywhere, -everywhere},
                         (double[3]){everywhere, everywhere, everywhere}),
                     within = dls_tracks_move(&t, (double[3]){0, -everywhere, -everywhere},
                                              (double[3]){0.6 * radius, everywhere, everywhere});
  if (getenv("SHOW"))
    printf("circulation %.3g +- %.2g m2, side %.3g +- %.2g m, within %.3g +- %.2g m in a period\n",
           loop.mean, loop.error, side.mean[1], side.error[1], within.mean[1], within.error[1]);
  const double apart = within.mean[1] - side.mean[1], error = hypot(within.error[1], side.error[1]);
  CHECK_TOLD(apart > (getenv("DELASSUS_LONG") ? 3 : 2) * error, "%g +- %g m", apart, error);
  if (getenv("DELASSUS_LONG"))
    CHECK_TOLD(loop.mean < -3 * loop.error, "%g +- %g m2", loop.mean, loop.error);
}

TEST(beads_at_the_side_fly_lower_and_land_first) {
  Vessel *v = vessel();
  double lower[PERIODS], sooner[PERIODS];
  for (int p = 0; p < PERIODS; p++) {
    lower[p] = v->rise[INNER][p] - v->rise[OUTER][p];
    sooner[p] = v->landing[INNER][p] - v->landing[OUTER][p];
  }
  /* The share of the lowest layers beside that of the packed bed, while the first ones land. */
  const int packed = (int)(leaving() / period * PARTS);
  double denser[PERIODS] = {0};
  for (int p = 0; p < PERIODS; p++)
    for (int n = 1; n < 3; n++)
      for (int r = 0; r < 2; r++)
        denser[p] += (r == OUTER ? 0.5 : -0.5) * v->low[r][p][n] / v->low[r][p][packed];
  const Mean l = mean_of(lower, PERIODS), s = mean_of(sooner, PERIODS),
             d = mean_of(denser, PERIODS);
  if (getenv("SHOW")) {
    for (int r = 0; r < 2; r++)
      printf("%s: rise %.3g +- %.2g m, landing at %.3g +- %.2g s\n", r ? "inner" : "outer",
             mean_of(v->rise[r], PERIODS).mean, mean_of(v->rise[r], PERIODS).error,
             mean_of(v->landing[r], PERIODS).mean, mean_of(v->landing[r], PERIODS).error);
    printf("lower by %.3g +- %.2g m, sooner by %.3g +- %.2g s, denser by %.3g +- %.2g\n", l.mean,
           l.error, s.mean, s.error, d.mean, d.error);
  }
  CHECK_TOLD(l.mean > 3 * l.error, "%g +- %g m", l.mean, l.error);
  CHECK_TOLD(s.mean > 3 * s.error, "%g +- %g s", s.mean, s.error);
  if (getenv("DELASSUS_LONG")) CHECK_TOLD(d.mean > 3 * d.error, "%g +- %g", d.mean, d.error);
}
