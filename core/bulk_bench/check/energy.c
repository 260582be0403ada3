/* Rest, dissipation, and the balance of work. */
#include "bulk_bench/bulk_bench_impl.h"

/* Whether the symmetric part is definite, by Cholesky's pivots; within round-off of 0 they pass,
 * where what stands below them is 0 too. */
static bool definite(const double *T) {
  double L[6][6] = {{0}};
  const double small = 1e-12 * bulk_case_largest(T, 36);
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) {
      double sum = 0.5 * (T[6 * i + j] + T[6 * j + i]);
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > -small)) return false;
      if (i == j)
        L[i][j] = sum > small ? sqrt(sum) : 0;
      else if (L[j][j] > 0)
        L[i][j] = sum / L[j][j];
      else if (!(fabs(sum) <= small))
        return false;
    }
  return small > 0;
}

static void run_rest(BulkCase *c) {
  static const double zero[6];
  BulkCasePoint point;
  if (!bulk_case_begin(c, false, &point)) return;
  if (bulk_case_step(c, &point, zero, NULL) != BULK_CASE_OK) return;
  bulk_case_judge(c, bulk_case_largest(point.stress, 6), 1e-9 * c->stiffness,
                  "a new point without strain has the stress (%.3g, %.3g, %.3g, %.3g, %.3g, %.3g) "
                  "Pa",
                  point.stress[0], point.stress[1], point.stress[2], point.stress[3],
                  point.stress[4], point.stress[5]);
  bulk_case_judge(c, fabs(point.stored) + fabs(point.dissipated), 1e-18 * c->stiffness,
                  "a new point without strain stores %.3g and dissipates %.3g J/m3", point.stored,
                  point.dissipated);
  bulk_case_judge(c, definite(c->rest) ? 0 : INFINITY, 1,
                  "the tangent at rest is not positive: some small strain has no resistance");
}

const BulkCaseCheck bulk_case_rest = {
    .name = "rest",
    .question = "a new point without strain has no stress and no energy, and resists any strain",
    .tolerance = "1e-9 of the stiffness",
    .cases = 500,
    .run = run_rest,
};

static void run_dissipation(BulkCase *c) {
  BulkCasePoint point;
  double strain[6], turned = 0;
  if (!bulk_case_begin(c, false, &point)) return;
  const int steps = 2 + dls_random_below(&c->bench.random, 8);
  for (int k = 0; k < steps; k++) {
    double way[6];
    bulk_case_draw_strain(c, c->scale, strain);
    for (int i = 0; i < 6; i++) way[i] = strain[i] - point.strain[i];
    if (bulk_case_step(c, &point, strain, NULL) != BULK_CASE_OK) return;
    turned = fmax(turned, fabs(point.stored)) +
             bulk_case_largest(point.stress, 6) * bulk_case_largest(way, 6);
    bulk_case_judge(c, -point.dissipated,
                    1e-10 * turned + 1e-13 * c->stiffness * c->scale * c->scale,
                    "step %d dissipates %.6g J/m3: it makes energy", k + 1, point.dissipated);
  }
}

const BulkCaseCheck bulk_case_dissipation = {
    .name = "dissipation",
    .question = "no step dissipates less than nothing",
    .tolerance = "1e-10 of what is turned over",
    .cases = 1500,
    .run = run_dissipation,
};

/* |work - stored - dissipated| in J/m3 on a smooth way of n steps, and what is turned over on it:
 * what stays below 1e-6 of the elastic energy counts as nothing. Below 0 where the law refuses. The
 * work is that of the mean of the stresses before and after a step. */
static double balance(BulkCase *c, const BulkCaseWay *way, double time, int n, double *over) {
  BulkCasePoint point;
  double work = 0, lost = 0, turned = 0, before[6] = {0}, old[6] = {0}, strain[6];
  char *story = c->bench.story;
  bool there = true;
  bulk_case_new(c, &point);
  c->point.time = 0;
  c->point.dt = time / n;
  c->bench.story = NULL; /* too many steps to tell */
  for (int k = 1; k <= n && there; k++) {
    double step = 0;
    bulk_case_on_way(c, way, (double)k / n, strain);
    there = bulk_case_step(c, &point, strain, NULL) == BULK_CASE_OK;
    for (int i = 0; i < 6; i++) step += 0.5 * (point.stress[i] + before[i]) * (strain[i] - old[i]);
    work += step;
    turned += fabs(step);
    lost += point.dissipated;
    memcpy(before, point.stress, sizeof before);
    memcpy(old, strain, sizeof old);
  }
  c->bench.story = story;
  if (!there) return -1;
  bulk_case_say(c, "%d steps: work %.9g, stored %.9g, dissipated %.9g J/m3\n", n, work,
                point.stored, lost);
  turned = fmax(turned, fabs(point.stored) + fabs(lost));
  *over = turned + 1e-6 * c->stiffness * way->size * way->size;
  return fabs(work - point.stored - lost);
}

static void run_energy(BulkCase *c) {
  BulkCasePoint point;
  BulkCaseWay way;
  if (!bulk_case_begin(c, false, &point)) return;
  const double time = 100 * c->point.dt;
  double error = 0, before = 0, over = 0;
  int n = 4;
  bulk_case_draw_way(c, c->scale, &way);
  while (n < 4096 && !(error < 1e-3 * over)) {
    n *= 4;
    before = error;
    error = balance(c, &way, time, n, &over);
    if (error < 0) return;
  }
  if (error > 1e-3 * over && 3 * error < before) error = 0; /* so brittle: it falls with the step */
  bulk_case_judge(
      c, error, 2e-3 * over,
      "in %d steps, work and what is stored and dissipated are %.3g J/m3 apart, %.3g of "
      "what is turned over",
      n, error, error / over);
}

const BulkCaseCheck bulk_case_energy = {
    .name = "energy",
    .question = "work is what is stored and what is dissipated, as steps get small",
    .tolerance = "2e-3 of what is turned over in at most 4096 steps, or falling as they do",
    .cases = 80,
    .run = run_energy,
};
