#include "app/force_starts.h"

#include <math.h>
#include <stdlib.h>

#include <delassus/solver.h>

#include "base/memory.h"
#include "base/random.h"

/* One contact problem with the answers so far. */
typedef struct {
  const DlsProblem *problem;
  const DlsSolver *solver;
  void *chosen; /* its options */
  DlsLimits limits;
  size_t n; /* of r */
  int contacts, block;
  double mean, speed; /* N s; m/s, that the mean reaction gives to a contact */
  double *r, *u;      /* of this start */
  double *given_u;    /* of the given answer */
  double *low, *high; /* [contacts]: seen so far */
  double *kept;       /* [networks][contacts]: normal reactions */
} Starts;

static void clear(Starts *s) {
  free(s->r);
  free(s->low);
  free(s->kept);
  free(s->chosen);
}

/* Normal reactions as those of a disordered packing, exp(-r / mean); tangential ones anywhere. */
static void guess(Starts *s, DlsRandom *random) {
  for (size_t i = 0; i < s->n; i++) s->r[i] = 0;
  for (int i = 0; i < s->contacts; i++) {
    double *r = s->r + (size_t)i * (size_t)s->block;
    const DlsRelation *relation = dls_problem_relation(s->problem, i);
    r[0] = -s->mean * log(1 - dls_random_unit(random));
    for (int k = 1; k < s->block; k++)
      r[k] = r[0] * relation->mu[DLS_MU_1] * dls_random_between(random, -0.7, 0.7);
  }
}

/* Not by dls_solve(), which begins at zero where a guess is worse than none. */
static DlsStatus solve(Starts *s, bool *converged) {
  const DlsMonitor silent = {0};
  DlsReport report = {0};
  void *self = NULL;
  double error = 0;
  DLS_TRY(s->solver->create(s->problem, s->chosen, &self));
  DlsStatus status = s->solver->solve(self, s->problem, &s->limits, &silent, s->r, &report);
  s->solver->destroy(self);
  DLS_TRY(status);
  dls_problem_to_standard(s->problem, s->r);
  status = dls_solver_measure(s->problem, &s->limits, s->r, s->u, &error);
  dls_problem_from_standard(s->problem, s->r);
  dls_problem_velocity(s->problem, s->r, s->u);
  *converged = error <= s->limits.tolerance;
  return status;
}

static bool same_motion(const Starts *s) {
  const double near = 1e-4;
  for (size_t i = 0; i < s->n; i++)
    if (!(fabs(s->u[i] - s->given_u[i]) <= near * s->speed)) return false;
  return true;
}

/* Whether these normal reactions are not among those kept; they are then. */
static bool is_new(Starts *s, int networks) {
  const double near = 1e-4;
  double *next = s->kept + (size_t)networks * (size_t)s->contacts;
  for (int i = 0; i < s->contacts; i++) next[i] = s->r[(size_t)i * (size_t)s->block];
  for (int k = 0; k < networks; k++) {
    double apart = 0;
    for (int i = 0; i < s->contacts; i++)
      apart = fmax(apart, fabs(next[i] - s->kept[(size_t)k * (size_t)s->contacts + (size_t)i]));
    if (apart <= near * s->mean) return false;
  }
  return true;
}

static void compare(Starts *s, const DlsForceInterval *interval, AppForceStarts *out) {
  for (int i = 0; i < s->contacts; i++) {
    const double r = s->r[(size_t)i * (size_t)s->block];
    s->low[i] = fmin(s->low[i], r);
    s->high[i] = fmax(s->high[i], r);
    if (isnan(interval[i].low)) continue;
    const double way = fmax(interval[i].outer_low - r, r - interval[i].outer_high);
    out->outside = fmax(out->outside, way / s->mean);
  }
}

static void measure_cover(const Starts *s, const DlsForceInterval *interval, AppForceStarts *out) {
  int wide = 0;
  for (int i = 0; i < s->contacts; i++) {
    const double width = interval[i].high - interval[i].low;
    if (!(width > 1e-3 * s->mean) || isinf(width)) continue;
    out->covered += fmax(0, fmin(1, (s->high[i] - s->low[i]) / width));
    wide++;
  }
  if (wide > 0) out->covered /= wide;
}

static DlsStatus prepare(Starts *s, const double *r, const DlsIndeterminacy *found, int starts) {
  DLS_TRY(dls_solver_find("nsgs", &s->solver));
  s->chosen = dls_memory_array(1, s->solver->option_bytes);
  DLS_CHECK(s->chosen, DLS_ERR_MEMORY, "out of memory for the options of nsgs");
  dls_solver_defaults(s->solver, s->chosen);
  DLS_NEW(s->r, 3 * s->n);
  s->u = s->r + s->n, s->given_u = s->u + s->n;
  DLS_NEW(s->low, 2 * (size_t)s->contacts);
  s->high = s->low + s->contacts;
  DLS_NEW(s->kept, (size_t)starts * (size_t)s->contacts);
  for (int i = 0; i < s->contacts; i++) s->low[i] = INFINITY, s->high[i] = -INFINITY;
  dls_problem_velocity(s->problem, r, s->given_u);
  s->mean = found->mean > 0 ? found->mean : 1;
  double *D;
  DLS_NEW(D, s->n * (size_t)s->block);
  dls_problem_standard_diagonal(s->problem, D);
  for (int i = 0; i < s->contacts; i++)
    s->speed += s->mean * D[(size_t)i * (size_t)(s->block * s->block)] / s->contacts;
  free(D);
  return DLS_OK;
}

static DlsStatus run(Starts *s, const DlsForceInterval *interval, int starts, uint64_t seed,
                     AppForceStarts *out) {
  for (int k = 0; k < starts; k++) {
    DlsRandom random;
    dls_random_stream(&random, seed, (uint64_t)k);
    guess(s, &random);
    bool converged = false;
    DLS_TRY(solve(s, &converged));
    out->starts++;
    if (!converged) continue;
    out->converged++;
    out->networks += is_new(s, out->networks);
    if (same_motion(s))
      compare(s, interval, out);
    else
      out->motions++;
  }
  measure_cover(s, interval, out);
  return DLS_OK;
}

DlsStatus app_force_starts(const DlsProblem *problem, const double *r,
                           const DlsIndeterminacy *found, const DlsForceInterval *interval,
                           int starts, uint64_t seed, double tolerance, double max_time,
                           AppForceStarts *out) {
  Starts s = {.problem = problem, .limits = dls_limits_default()};
  s.contacts = dls_problem_contacts(problem), s.block = dls_problem_block(problem);
  s.n = (size_t)s.contacts * (size_t)s.block;
  s.limits.tolerance = tolerance, s.limits.max_time = max_time;
  *out = (AppForceStarts){0};
  DlsStatus status = prepare(&s, r, found, starts);
  if (status == DLS_OK) status = run(&s, interval, starts, seed, out);
  clear(&s);
  return status;
}
