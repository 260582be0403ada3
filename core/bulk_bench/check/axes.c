/* A law without axes of its own: strains turned give stresses turned. */
#include "bulk_bench/bulk_bench_impl.h"

static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

/* Q a Q^T; `half`: 1/2 where shears count twice, as in strains, else 1. */
static void turn(const double (*Q)[3], const double *a, double half, double *out) {
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) sum += Q[i][k] * Q[j][l] * a[place[k][l]] * (k == l ? 1 : half);
      out[place[i][j]] = i == j ? sum : sum / half;
    }
}

static void run_isotropic(BulkCase *c) {
  BulkCasePoint one, other;
  double Q[3][3], strain[6], turned[6], wanted[6];
  if (!bulk_case_begin(c, false, &one)) return;
  other = one;
  dls_bench_draw_rotation(&c->bench.random, Q);
  const int steps = 1 + dls_random_below(&c->bench.random, 5);
  double work = 0;
  for (int k = 0; k < steps; k++) {
    const double time = c->point.time;
    bulk_case_draw_strain(c, c->scale, strain);
    turn((const double(*)[3])Q, strain, 0.5, turned);
    if (bulk_case_step(c, &one, strain, NULL) != BULK_CASE_OK) return;
    c->point.time = time;
    if (bulk_case_step(c, &other, turned, NULL) != BULK_CASE_OK) return;
    turn((const double(*)[3])Q, one.stress, 1, wanted);
    const double size =
        fmax(bulk_case_largest(wanted, 6), c->stiffness * bulk_case_largest(strain, 6));
    bulk_case_judge(c, bulk_case_apart(other.stress, wanted, 6), 1e-8 * size + 1e-300,
                    "turned strains give (%.6g, %.6g, %.6g, ...) Pa, not the turned stress "
                    "(%.6g, %.6g, %.6g, ...)",
                    other.stress[0], other.stress[1], other.stress[2], wanted[0], wanted[1],
                    wanted[2]);
    work = fmax(work, size * bulk_case_largest(strain, 6));
    bulk_case_judge(c, fabs(one.stored - other.stored), 1e-8 * work + 1e-300,
                    "turned strains store %.9g J/m3, not %.9g", other.stored, one.stored);
    bulk_case_judge(c, fabs(one.dissipated - other.dissipated), 1e-8 * work + 1e-300,
                    "turned strains dissipate %.9g J/m3, not %.9g", other.dissipated,
                    one.dissipated);
  }
}

static const char *claims_isotropic(const DlsBulk *law) {
  return law->claims & DLS_BULK_ISOTROPIC ? NULL : "the law does not claim DLS_BULK_ISOTROPIC";
}

const BulkCaseCheck bulk_case_isotropic = {
    .name = "isotropic",
    .question = "strains in turned axes give the stress in turned axes, and the same energies",
    .tolerance = "1e-8 of stiffness times strain",
    .cases = 1000,
    .applies = claims_isotropic,
    .run = run_isotropic,
};

/* All measures are one for small strains: so are the tangents at rest of a law that takes several.
 */
static void run_measures(BulkCase *c) {
  BulkCasePoint point;
  double first[36], strain[6], stress[2][6];
  if (!bulk_case_begin(c, false, &point)) return;
  int measure = 0;
  for (int i = 0; i < 6; i++) strain[i] = 1e-9 * dls_random_between(&c->bench.random, -1, 1);
  for (int bit = DLS_BULK_SMALL; bit <= DLS_BULK_LOG; bit *= 2) {
    if (!(c->law->measures & (uint32_t)bit)) continue;
    c->point.measure = bit;
    if (!bulk_case_enter(c, &point)) return;
    if (bulk_case_stress(c, point.state, point.strain, strain, stress[measure > 0], NULL, NULL) !=
        BULK_CASE_OK)
      return;
    if (measure == 0) {
      memcpy(first, c->rest, sizeof first);
      measure = bit;
      continue;
    }
    bulk_case_judge(c, bulk_case_apart(first, c->rest, 36), 1e-9 * c->stiffness,
                    "the tangent at rest is %.9g Pa (xx, xx) with measure %d, %.9g with %d",
                    c->rest[0], bit, first[0], measure);
    bulk_case_judge(c, bulk_case_apart(stress[0], stress[1], 6), 1e-6 * c->stiffness * 1e-9,
                    "a strain of 1e-9 gives %.9g Pa (xx) with measure %d, %.9g with %d",
                    stress[1][0], bit, stress[0][0], measure);
  }
}

static const char *several(const DlsBulk *law) {
  return law->measures & (law->measures - 1) ? NULL : "the law takes one measure of strain";
}

const BulkCaseCheck bulk_case_measures = {
    .name = "measures",
    .question = "all measures that it takes give one answer to small strains",
    .tolerance = "1e-9 of the tangent at rest, 1e-6 of the stress",
    .cases = 300,
    .applies = several,
    .run = run_measures,
};
