/* What the checks share: a case and its judge, the law asked with everything about it watched,
 * strains drawn at random, steps of one point. Strains and stresses are 6 numbers as in
 * delassus/bulk.h. */
#ifndef DELASSUS_BULK_BENCH_BULK_BENCH_IMPL_H
#define DELASSUS_BULK_BENCH_BULK_BENCH_IMPL_H

#include "bulk_bench/bulk_bench.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/small.h"
#include "bench/draw.h"

/* One case of one check: parameters, place and step of the point. */
typedef struct {
  DlsBenchCase bench;
  const DlsBulkBenchOptions *options;
  const DlsBulk *law;
  bool bounds; /* states beyond their bounds are judged; elsewhere such a case ends unjudged */
  bool finite; /* what is not finite is judged, likewise */
  bool watch;  /* what is written where nothing may be, and other answers to the same, are judged */
  bool drawn;  /* parameters drawn at random: the law may refuse them */
  double params[DLS_MAX_PARAMS];
  DlsBulkPoint point;
  double scale;     /* of the strains of this case */
  double stiffness; /* Pa: the largest number of the tangent at rest */
  double rest[36];  /* that tangent */
} BulkCase;

/* A check: `applies` returns NULL, or why it is not asked; NULL stands for always. */
typedef struct {
  const char *name, *question;
  const char *tolerance; /* what an error is measured by, in words */
  long cases;
  const char *(*applies)(const DlsBulk *law);
  void (*run)(BulkCase *c);
  void (*conclude)(const DlsBulk *law, DlsBenchResult *result, const void *notes); /* bench.h */
  size_t note_bytes;
} BulkCaseCheck;

extern const BulkCaseCheck bulk_case_tangent, bulk_case_symmetric, bulk_case_isotropic,
    bulk_case_linear, bulk_case_rate, bulk_case_rest, bulk_case_dissipation, bulk_case_energy,
    bulk_case_steps, bulk_case_state, bulk_case_bounds, bulk_case_limits, bulk_case_parameters,
    bulk_case_measures;

#define bulk_case_judge(c, ...)  dls_bench_judge(&(c)->bench, __VA_ARGS__)
#define bulk_case_broken(c, ...) dls_bench_broken(&(c)->bench, __VA_ARGS__)
#define bulk_case_say(c, ...)    dls_bench_say(&(c)->bench, __VA_ARGS__)
void bulk_case_say_vector(BulkCase *c, const char *name, const double *x, int count,
                          const char *unit);

/* ask.c. REFUSED: the law answers DLS_ERR_LAW, which it may where parameters are drawn or strains
 * are large. BROKEN: judged so. */
typedef enum { BULK_CASE_OK, BULK_CASE_REFUSED, BULK_CASE_BROKEN } BulkCaseOutcome;
BulkCaseOutcome bulk_case_stress(BulkCase *c, const double *state, const double *before,
                                 const double *strain, double *stress, double *tangent,
                                 double *next);
BulkCaseOutcome bulk_case_ask_energy(BulkCase *c, const double *state, const double *before,
                                     const double *strain, const double *next, double *stored,
                                     double *dissipated);

/* One point on its way. */
typedef struct {
  double state[DLS_MAX_PARAMS], strain[6], stress[6];
  double stored, dissipated; /* J/m3: now; in the last step */
} BulkCasePoint;

/* point.c. Draws parameters, place, step and scale, and finds the tangent at rest: false where the
 * law refuses the parameters, or fails. The point is new. */
bool bulk_case_begin(BulkCase *c, bool at_bounds, BulkCasePoint *point);
/* The same of parameters that are in c->params. */
bool bulk_case_enter(BulkCase *c, BulkCasePoint *point);
void bulk_case_new(const BulkCase *c, BulkCasePoint *point);
/* A strain of that size; of green, one of a body that is not inverted. */
void bulk_case_draw_strain(BulkCase *c, double size, double *strain);
/* ln U to the strain of the measure: small and log as it is, green (exp 2 ln U - 1) / 2. */
void bulk_case_measure(int measure, const double *log_strain, double *strain);
/* One step to a strain; tangent NULL: not wanted. */
BulkCaseOutcome bulk_case_step(BulkCase *c, BulkCasePoint *point, const double *strain,
                               double *tangent);
/* Up to five steps to strains drawn at random; false where the law refuses one, or fails. */
bool bulk_case_wander(BulkCase *c, BulkCasePoint *point);
/* A smooth way out and back to somewhere, of that size: the strain at time s in 0 ... 1. */
typedef struct {
  double size, turns[6], phase[6];
} BulkCaseWay;
void bulk_case_draw_way(BulkCase *c, double size, BulkCaseWay *way);
void bulk_case_on_way(const BulkCase *c, const BulkCaseWay *way, double s, double *strain);

static inline double bulk_case_largest(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static inline double bulk_case_apart(const double *x, const double *y, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

#endif
