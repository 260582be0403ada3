/* The tangent: against differences, symmetric, one for all. */
#include "bulk_bench/bulk_bench_impl.h"

static const char components[6][3] = {"xx", "yy", "zz", "xy", "yz", "xz"};

/* A column of the tangent beside D_j = (sigma(e + d) - sigma(e - d)) / 2d. */
typedef struct {
  double error, tolerance, own, wanted; /* own, wanted: where they are farthest apart */
  int row;
} Column;

/* Where the stress has a kink, both slopes are there: what they differ by is granted, and where it
 * has none that is of the order of d. Besides, round-off: 1e-16 of the stress that the law works
 * with, over d. */
static bool compare(BulkCase *c, const BulkCasePoint *point, const BulkCasePoint *end,
                    const double *tangent, int j, double part, Column *out) {
  const double d = part * c->scale;
  double side[2][6], kink = 0, size = 0;
  *out = (Column){0};
  for (int k = 0; k < 2; k++) {
    double moved[6];
    memcpy(moved, end->strain, sizeof moved);
    moved[j] += k ? d : -d;
    if (bulk_case_stress(c, point->state, point->strain, moved, side[k], NULL, NULL) !=
        BULK_CASE_OK)
      return false;
  }
  for (int i = 0; i < 6; i++) {
    const double slope = (side[1][i] - side[0][i]) / (2 * d), own = tangent[6 * i + j];
    kink = fmax(kink, fabs(side[1][i] - 2 * end->stress[i] + side[0][i]) / d);
    size = fmax(size, fmax(fabs(slope), fabs(own)));
    if (i > 0 && !(fabs(slope - own) > out->error)) continue;
    *out = (Column){.error = fabs(slope - own), .own = own, .wanted = slope, .row = i};
  }
  const double works = fmax(c->stiffness, bulk_case_largest(end->stress, 6) / c->scale);
  out->tolerance = 1e-5 * size + kink + 1e-14 / part * works;
  return true;
}

/* With a smaller d where the column does not agree: an elastic domain may be narrower. */
static void run_tangent(BulkCase *c) {
  static const double parts[] = {1e-5, 1e-7, 1e-9};
  BulkCasePoint point;
  double strain[6], tangent[36];
  if (!bulk_case_begin(c, false, &point) || !bulk_case_wander(c, &point)) return;
  bulk_case_draw_strain(c, c->scale, strain);
  BulkCasePoint end = point;
  const double time = c->point.time;
  if (bulk_case_step(c, &end, strain, tangent) != BULK_CASE_OK) return;
  c->point.time = time;
  for (int j = 0; j < 6; j++) {
    Column best, column;
    if (!compare(c, &point, &end, tangent, j, parts[0], &best)) return;
    for (int k = 1; k < DLS_COUNT(parts) && best.error > best.tolerance; k++) {
      if (!compare(c, &point, &end, tangent, j, parts[k], &column)) return;
      if (column.error * best.tolerance < best.error * column.tolerance) best = column;
    }
    bulk_case_judge(c, best.error, best.tolerance,
                    "d sigma_%s / d epsilon_%s is %.9g Pa by the tangent, %.9g by differences",
                    components[best.row], components[j], best.own, best.wanted);
  }
}

const BulkCaseCheck bulk_case_tangent = {
    .name = "tangent",
    .question = "the tangent is the slope of the stress, for the step taken whole",
    .tolerance = "1e-5 of the column, and what the slopes of both sides differ by",
    .cases = 1500,
    .run = run_tangent,
};

static void run_symmetric(BulkCase *c) {
  BulkCasePoint point;
  double strain[6], T[36];
  if (!bulk_case_begin(c, false, &point) || !bulk_case_wander(c, &point)) return;
  bulk_case_draw_strain(c, c->scale, strain);
  if (bulk_case_step(c, &point, strain, T) != BULK_CASE_OK) return;
  const double size = fmax(bulk_case_largest(T, 36), 1e-3 * c->stiffness);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++)
      bulk_case_judge(c, fabs(T[6 * i + j] - T[6 * j + i]), 1e-9 * size,
                      "tangent[%s][%s] = %.9g, tangent[%s][%s] = %.9g Pa", components[i],
                      components[j], T[6 * i + j], components[j], components[i], T[6 * j + i]);
}

static const char *claims_symmetric(const DlsBulk *law) {
  return law->claims & DLS_BULK_SYMMETRIC ? NULL : "the law does not claim DLS_BULK_SYMMETRIC";
}

const BulkCaseCheck bulk_case_symmetric = {
    .name = "symmetric",
    .question = "the tangent is symmetric",
    .tolerance = "1e-9 of the tangent",
    .cases = 1000,
    .applies = claims_symmetric,
    .run = run_symmetric,
};

/* sigma = T epsilon with the tangent at rest, whatever the strain, its history, and dt. */
static void run_linear(BulkCase *c) {
  BulkCasePoint point;
  double strain[6], T[36], wanted[6];
  if (!bulk_case_begin(c, false, &point)) return;
  bulk_case_draw_strain(c, c->scale, point.strain);
  bulk_case_draw_strain(c, 10 * c->scale, strain);
  c->point.dt *= dls_bench_log_uniform(&c->bench.random, -2, 2);
  if (bulk_case_step(c, &point, strain, T) != BULK_CASE_OK) return;
  for (int i = 0; i < 6; i++) wanted[i] = dls_small_dot(6, c->rest + 6 * i, strain);
  bulk_case_judge(c, bulk_case_apart(T, c->rest, 36), 1e-12 * c->stiffness,
                  "the tangent is another than at rest, by %.3g of %.3g Pa",
                  bulk_case_apart(T, c->rest, 36), c->stiffness);
  bulk_case_judge(c, bulk_case_apart(point.stress, wanted, 6),
                  1e-9 * c->stiffness * bulk_case_largest(strain, 6),
                  "sigma_xx is %.9g Pa, tangent . strain %.9g", point.stress[0], wanted[0]);
}

static const char *claims_linear(const DlsBulk *law) {
  return law->claims & DLS_BULK_LINEAR ? NULL : "the law does not claim DLS_BULK_LINEAR";
}

const BulkCaseCheck bulk_case_linear = {
    .name = "linear",
    .question = "the stress is the tangent at rest times the strain",
    .tolerance = "1e-9 of stiffness times strain",
    .cases = 500,
    .applies = claims_linear,
    .run = run_linear,
};
