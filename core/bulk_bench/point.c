/* One point: its parameters, its strains, its steps. */
#include "bulk_bench/bulk_bench_impl.h"

static int draw_measure(BulkCase *c) {
  int claimed[3], count = 0;
  for (int bit = DLS_BULK_SMALL; bit <= DLS_BULK_LOG; bit *= 2)
    if (c->law->measures & (uint32_t)bit) claimed[count++] = bit;
  return claimed[dls_random_below(&c->bench.random, count)];
}

void bulk_case_new(const BulkCase *c, BulkCasePoint *point) {
  memset(point, 0, sizeof *point);
  dls_bulk_new_state(c->law, point->state);
}

bool bulk_case_enter(BulkCase *c, BulkCasePoint *point) {
  const char *why = "";
  static const double zero[6];
  double stress[6];
  bulk_case_new(c, point);
  bulk_case_say_vector(c, "parameters", c->params, c->law->nparams, "");
  bulk_case_say(c, "  measure %d, t = %.17g s, dt = %.17g s, size %.17g m, strains of %.3g\n",
                c->point.measure, c->point.time, c->point.dt, c->point.size, c->scale);
  if (c->law->check && c->law->check(c->params, &why) != DLS_OK) {
    bulk_case_say(c, "refused: %s\n", why);
    if (!c->drawn) bulk_case_broken(c, "the parameters as given are refused: %s", why);
    c->bench.result->refused++;
    return false;
  }
  const BulkCaseOutcome outcome =
      bulk_case_stress(c, point->state, zero, zero, stress, c->rest, NULL);
  if (outcome == BULK_CASE_REFUSED) {
    c->bench.result->refused++;
    if (!c->drawn && c->finite)
      bulk_case_broken(c, "at rest, with the parameters as given, stress fails");
  }
  c->stiffness = bulk_case_largest(c->rest, 36);
  return outcome == BULK_CASE_OK;
}

bool bulk_case_begin(BulkCase *c, bool at_bounds, BulkCasePoint *point) {
  DlsRandom *random = &c->bench.random;
  const DlsBulkBenchOptions *o = c->options;
  memcpy(c->params, o->params, sizeof c->params);
  if (c->bench.number % 4 != 0 || at_bounds)
    c->drawn = dls_bench_draw_params(random, c->law->params, c->law->nparams, o->params, o->pinned,
                                     at_bounds, c->params);
  /* A bound that only says "above 0" is no value to compute with, but for the check of bounds. */
  for (int i = 0; i < c->law->nparams && !at_bounds; i++) {
    const double least = c->law->params[i].min;
    if (c->params[i] == least && least > 0 && least < 1e-100 * o->params[i])
      c->params[i] = 1e-3 * o->params[i];
  }
  c->point = (DlsBulkPoint){.measure = draw_measure(c),
                            .time = dls_random_between(random, 0, 10),
                            .dt = dls_bench_log_uniform(random, -5, 1),
                            .size = c->drawn ? dls_bench_log_uniform(random, -3, -1) : 0.01};
  for (int k = 0; k < 3; k++) c->point.point[k] = dls_random_between(random, -1, 1);
  c->scale = dls_bench_log_uniform(random, -5, -0.7);
  return bulk_case_enter(c, point);
}

/* a b of symmetric matrices that commute, as xx yy zz xy yz xz of tensors. */
static void multiply(const double *a, const double *b, double *out) {
  static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += a[place[i][k]] * b[place[k][j]];
      out[place[i][j]] = sum;
    }
}

void bulk_case_measure(int measure, const double *log_strain, double *strain) {
  double twice[6], term[6], next[6], sum[6] = {0};
  if (measure != DLS_BULK_GREEN) {
    memcpy(strain, log_strain, 6 * sizeof *strain);
    return;
  }
  for (int i = 0; i < 6; i++) twice[i] = term[i] = (i < 3 ? 2 : 1) * log_strain[i];
  for (int n = 2; n < 60; n++) { /* exp A - 1 = A + A A / 2 + ... */
    for (int i = 0; i < 6; i++) sum[i] += term[i];
    multiply(term, twice, next);
    for (int i = 0; i < 6; i++) term[i] = next[i] / n;
  }
  for (int i = 0; i < 6; i++) strain[i] = i < 3 ? sum[i] / 2 : sum[i];
}

void bulk_case_draw_strain(BulkCase *c, double size, double *strain) {
  DlsRandom *random = &c->bench.random;
  double e[6];
  const int kind = dls_random_below(random, 8);
  for (int i = 0; i < 6; i++) e[i] = size * dls_random_between(random, -1, 1);
  if (kind == 0) /* one component alone */
    for (int i = 0, one = dls_random_below(random, 6); i < 6; i++) e[i] *= i == one;
  if (kind == 1) e[1] = e[2] = e[0], e[3] = e[4] = e[5] = 0; /* as under water */
  if (kind == 2) e[2] = e[4] = e[5] = 0;                     /* plane */
  bulk_case_measure(c->point.measure, e, strain);
}

BulkCaseOutcome bulk_case_step(BulkCase *c, BulkCasePoint *point, const double *strain,
                               double *tangent) {
  double next[DLS_MAX_PARAMS], stress[6], stored, dissipated;
  BulkCaseOutcome outcome =
      bulk_case_stress(c, point->state, point->strain, strain, stress, tangent, next);
  if (outcome == BULK_CASE_OK)
    outcome =
        bulk_case_ask_energy(c, point->state, point->strain, strain, next, &stored, &dissipated);
  if (outcome == BULK_CASE_REFUSED) c->bench.result->refused++;
  if (outcome != BULK_CASE_OK) return outcome;
  if (c->bench.story) {
    bulk_case_say_vector(c, "strain", strain, 6, "");
    bulk_case_say_vector(c, "stress", stress, 6, "Pa");
    bulk_case_say_vector(c, "state", next, c->law->nstates, "");
    bulk_case_say(c, "  stored %.17g, dissipated %.17g J/m3\n", stored, dissipated);
  }
  memcpy(point->state, next, (size_t)c->law->nstates * sizeof *next);
  memcpy(point->strain, strain, sizeof point->strain);
  memcpy(point->stress, stress, sizeof stress);
  point->stored = stored;
  point->dissipated = dissipated;
  c->point.time += c->point.dt;
  return BULK_CASE_OK;
}

bool bulk_case_wander(BulkCase *c, BulkCasePoint *point) {
  const int steps = dls_random_below(&c->bench.random, 6);
  for (int k = 0; k < steps; k++) {
    double strain[6];
    bulk_case_draw_strain(c, c->scale, strain);
    if (bulk_case_step(c, point, strain, NULL) != BULK_CASE_OK) return false;
  }
  return true;
}

void bulk_case_draw_way(BulkCase *c, double size, BulkCaseWay *way) {
  DlsRandom *random = &c->bench.random;
  way->size = size;
  for (int i = 0; i < 6; i++) {
    way->turns[i] = dls_random_between(random, 1, 8);
    way->phase[i] = dls_random_between(random, -3, 3);
  }
}

/* From 0: the differences of sines to what they begin with. */
void bulk_case_on_way(const BulkCase *c, const BulkCaseWay *way, double s, double *strain) {
  double e[6];
  for (int i = 0; i < 6; i++)
    e[i] = way->size / 2 * (sin(way->turns[i] * s + way->phase[i]) - sin(way->phase[i]));
  bulk_case_measure(c->point.measure, e, strain);
}
