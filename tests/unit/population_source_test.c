/* Sources and sinks: rates, free places, and the same grains whether or not the run was broken. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "world/source.h"

static const double pi = 3.14159265358979323846;

static DlsSource funnel(void) {
  return (DlsSource){
      .region = {.kind = DLS_REGION_CYLINDER, .centre = {0, 0, 1}, .radius = 1, .height = 0.5},
      .sizes = {.kind = DLS_SIZES_UNIFORM, .min = 0.01, .max = 0.03},
      .seed = 9,
      .rate = 1000,
      .begin = 0.5,
      .end = INFINITY,
      .velocity = {0, 0, -2},
      .spread = 0.1};
}

/* All grains poured from 0 to 1 s in `steps` steps, one after the other. */
typedef struct {
  double row[4000][7]; /* x, r, v */
  int count;
} Poured;

static void pour(const DlsSource *source, int dim, int steps, int break_at,
                 DlsSourceBlocked *blocked, void *context, Poured *out) {
  DlsSourceState state = {0};
  DlsPopulation p = {0};
  double *v = NULL;
  out->count = 0;
  for (int k = 1; k <= steps; k++) {
    CHECK_OK(dls_source_pour(source, dim, (double)k / steps, 0, blocked, context, &state, &p, &v));
    for (int i = 0; i < p.count && out->count < 4000; i++, out->count++) {
      double *row = out->row[out->count];
      memcpy(row, p.centre + 3 * i, 3 * sizeof(double));
      row[3] = p.radius[i];
      memcpy(row + 4, v + 3 * i, 3 * sizeof(double));
    }
    if (k == break_at) { /* as a checkpoint does: the bytes of the state alone */
      unsigned char kept[sizeof state];
      memcpy(kept, &state, sizeof state);
      memset(&state, 0xff, sizeof state);
      memcpy(&state, kept, sizeof state);
      dls_population_clear(&p);
      free(v);
      v = NULL;
    }
  }
  CHECK_INT(state.poured, out->count);
  dls_population_clear(&p);
  free(v);
}

static Poured one, two;

TEST(a_source_keeps_its_rate_and_its_bounds) {
  const DlsSource source = funnel();
  pour(&source, 3, 100, 0, NULL, NULL, &one);
  CHECK_INT(one.count, 501); /* at 0.5, 0.501 ... 1.0 */
  CHECK_INT(one.count, dls_source_due(&source, 1));
  CHECK_INT(dls_source_due(&source, 0.4999), 0);
  CHECK_INT(dls_source_due(&source, 0.5), 1);
  for (int i = 0; i < one.count; i++) {
    CHECK(dls_region_depth(&source.region, 3, one.row[i]) >= one.row[i][3]);
    CHECK(one.row[i][3] >= 0.01 && one.row[i][3] <= 0.03);
    for (int a = 0; a < 3; a++)
      CHECK_NEAR(one.row[i][4 + a], source.velocity[a], 0.1 * (1 + 1e-12));
  }
}

TEST(what_is_poured_does_not_depend_on_the_steps_or_on_a_restart) {
  const DlsSource source = funnel();
  pour(&source, 3, 1000, 0, NULL, NULL, &one);
  pour(&source, 3, 1000, 777, NULL, NULL, &two);
  CHECK_INT(one.count, two.count);
  CHECK(memcmp(one.row, two.row, sizeof one.row[0] * (size_t)one.count) == 0);
  /* Other steps: the same sizes and velocities; places differ only where grains of one call met. */
  pour(&source, 3, 50, 0, NULL, NULL, &two);
  CHECK_INT(one.count, two.count);
  for (int i = 0; i < one.count; i++) CHECK(one.row[i][3] == two.row[i][3]);
}

TEST(a_mass_flow_pours_its_mass) {
  DlsSource source = funnel();
  double mass = 0, largest = 2500 * 4.0 / 3 * pi * 0.03 * 0.03 * 0.03;
  source.rate = 0;
  source.mass_rate = 40;
  source.density = 2500;
  pour(&source, 3, 100, 50, NULL, NULL, &one);
  for (int i = 0; i < one.count; i++) mass += 2500 * 4.0 / 3 * pi * pow(one.row[i][3], 3);
  CHECK_INT(dls_source_due(&source, 1), -1);
  CHECK(mass >= 40 * 0.5);
  CHECK_BELOW(mass, 40 * 0.5 + largest);
}

TEST(limit_and_end_stop_a_source) {
  DlsSource source = funnel();
  source.limit = 7;
  pour(&source, 3, 10, 0, NULL, NULL, &one);
  CHECK_INT(one.count, 7);
  CHECK_INT(dls_source_due(&source, 1), 7);
  source.limit = 0;
  source.end = 0.6;
  pour(&source, 3, 10, 0, NULL, NULL, &one);
  CHECK_INT(one.count, dls_source_due(&source, 9));
  CHECK(one.count == 100 || one.count == 101); /* 0.6 is not a binary number */
  /* At most so many a call. */
  DlsSourceState state = {0};
  DlsPopulation p = {0};
  double *v = NULL;
  CHECK_OK(dls_source_pour(&source, 3, 0.55, 10, NULL, NULL, &state, &p, &v));
  CHECK(p.count == 10 && state.poured == 10);
  dls_population_clear(&p);
  free(v);
}

/* A wall that opens: all places are blocked while *context counts down. */
static int closed(void *context, const double *x, double radius) {
  int *calls = context;
  (void)x;
  (void)radius;
  return ++*calls <= 2000;
}

TEST(a_blocked_source_waits_and_owes) {
  const DlsSource source = funnel();
  int calls = 0, again = 0;
  pour(&source, 3, 1000, 0, closed, &calls, &one);
  CHECK_INT(one.count, 501);
  pour(&source, 3, 1000, 510, closed, &again, &two); /* broken while it waits */
  CHECK_INT(calls, again);
  CHECK(memcmp(one.row, two.row, sizeof one.row[0] * (size_t)one.count) == 0);
}

/* Keeps the first place it is asked about, and lets nothing in. */
static int first_place(void *context, const double *x, double radius) {
  double *first = context;
  (void)radius;
  if (isnan(first[0]))
    for (int a = 0; a < 3; a++) first[a] = x[a];
  return 1;
}

TEST(a_waiting_grain_tries_other_places_in_the_next_call) {
  const DlsSource source = funnel();
  DlsSourceState state = {0};
  DlsPopulation p = {0};
  double first[3] = {NAN, 0, 0}, second[3] = {NAN, 0, 0}, *v = NULL;
  CHECK_OK(dls_source_pour(&source, 3, 1, 0, first_place, first, &state, &p, &v));
  CHECK_OK(dls_source_pour(&source, 3, 1, 0, first_place, second, &state, &p, &v));
  CHECK(state.poured == 0 && p.count == 0);
  for (int a = 0; a < 3; a++) CHECK(first[a] != second[a]);
  dls_population_clear(&p);
  free(v);
}

TEST(grains_of_one_call_do_not_overlap) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsSource source = funnel();
    DlsSourceState state = {0};
    DlsPopulation p = {0};
    DlsOverlap overlap;
    double *v = NULL;
    source.region = (DlsRegion){.kind = DLS_REGION_BOX, .high = {0.3, 0.3, 0.3}};
    CHECK_OK(dls_source_pour(&source, dim, 100, 0, NULL, NULL, &state, &p, &v));
    CHECK(p.count > 10 && p.count < 2000); /* until the box is full */
    CHECK(state.tries > 0);
    CHECK_OK(dls_population_overlap(&p, 0, &overlap));
    CHECK_INT(overlap.pairs, 0);
    if (dim == 2) CHECK(p.centre[2] == 0 && v[2] == 0);
    dls_population_clear(&p);
    free(v);
  }
}

TEST(sources_that_cannot_pour_are_refused) {
  DlsSource source = funnel();
  source.mass_rate = 1;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "one of them");
  source = funnel();
  source.rate = 0;
  source.mass_rate = 1;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "needs a density");
  source = funnel();
  source.end = 0.1;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "from 0.5 to 0.1");
  source = funnel();
  source.sizes.max = 0.4;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "no place");
  source = funnel();
  source.velocity[1] = NAN;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "along y");
  source = funnel();
  source.spread = -1;
  CHECK_FAILS(dls_source_check(&source, 3), DLS_ERR_ARGUMENT, "spread");
}

TEST(a_sink_takes_what_is_in_it_or_what_has_left) {
  const DlsSink pit = {.region = {.kind = DLS_REGION_BOX, .low = {-1, -1, -2}, .high = {1, 1, -1}}};
  const DlsSink hall = {.region = {.kind = DLS_REGION_SPHERE, .radius = 5}, .outside = 1};
  const double below[3] = {0, 0, -1.5}, above[3] = {0, 0, 1}, far[3] = {0, 4, 4};
  CHECK(dls_sink_takes(&pit, 3, below) && !dls_sink_takes(&pit, 3, above));
  CHECK(!dls_sink_takes(&hall, 3, below) && dls_sink_takes(&hall, 3, far));
}
