/* Exact by cases, for a handful of contacts: every combination of open, sticking and sliding is
 * tried (solvers/kit/status_cases.h), island by island, beginning with the one that a few sweeps of
 * nsgs suggest and going on with those that differ from it in one contact, then in two ... The
 * first that obeys the law is taken; `all` goes through all of them and counts the solutions. The
 * oracle of the tests. */
#include <delassus/islands.h>
#include <delassus/solver.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/status_cases.h"
#include "solvers/kit/stopping_rule.h"
#include "solvers/kit/sweep.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_SOLUTIONS = 32 };

typedef struct {
  int contacts, starts, sweeps, all;
  double enough;
} EnumerateOptions;

static const DlsOption options[] = {
    DLS_INT_OPTION(EnumerateOptions, contacts, 6, 1, DLS_STATUS_CASES_CONTACTS,
                   "most contacts of an island; the number of cases is 3 and more to this power"),
    DLS_INT_OPTION(EnumerateOptions, sweeps, 50, 0, 2147483647,
                   "of nsgs, for the case to begin with and for directions of slip"),
    DLS_INT_OPTION(EnumerateOptions, starts, 8, 1, 64,
                   "directions of slip to start from, for each sliding contact in 3-D"),
    DLS_REAL_OPTION(EnumerateOptions, enough, 1e-12, 1e-16, 1e-3,
                    "relative error below which a case holds; the tolerance where that is less"),
    DLS_CHOICE_OPTION(EnumerateOptions, all, 0, "no|yes",
                      "go through all cases and count the different solutions"),
};

typedef struct {
  EnumerateOptions options;
  DlsScaled *scaled;
  DlsSweep *sweep;
  DlsStatusCases *island;
  int islands;
  double *memory;
  double *r, *r_hat, *best, *u; /* [contacts][block] each */
  /* of the search under way */
  const DlsStatusCases *cases;
  const DlsLimits *limits;
  double begin, enough, least;
  double guess[DLS_STATUS_CASES_ROWS], found[DLS_STATUS_CASES_ROWS];
  int base[DLS_STATUS_CASES_CONTACTS], state[DLS_STATUS_CASES_CONTACTS];
  int solutions;
  double solution[MOST_SOLUTIONS][DLS_STATUS_CASES_ROWS];
  long tried;
  int over;
} Enumerate;

static void destroy(void *self) {
  Enumerate *s = self;
  if (!s) return;
  dls_sweep_destroy(s->sweep);
  dls_scaled_destroy(s->scaled);
  free(s->island);
  free(s->memory);
  free(s);
}

/* The contacts of each island; refuses one of too many. */
static DlsStatus deal(Enumerate *s, const int *island) {
  DLS_NEW(s->island, s->islands);
  for (int i = 0; i < s->scaled->contacts; i++) {
    DlsStatusCases *cases = &s->island[island[i]];
    DLS_CHECK(cases->contacts < s->options.contacts, DLS_ERR_SOLVER,
              "enumerate takes islands of %d contacts, and one of %s has more; raise the option "
              "contacts (at most %d), or use nsgs, proximal or newton",
              s->options.contacts, dls_problem_name(s->scaled->problem), DLS_STATUS_CASES_CONTACTS);
    cases->number[cases->contacts++] = i;
    cases->rows = cases->contacts * s->scaled->block;
    cases->scaled = s->scaled;
    cases->starts = s->options.starts;
  }
  return DLS_OK;
}

/* Column (place, k) of W' in all islands by one product: islands are not coupled. */
static void fill(Enumerate *s, int place, int k) {
  const size_t block = (size_t)s->scaled->block;
  memset(s->r, 0, s->scaled->n * sizeof *s->r);
  for (int m = 0; m < s->islands; m++)
    if (place < s->island[m].contacts)
      s->r[(size_t)s->island[m].number[place] * block + (size_t)k] = 1;
  dls_scaled_multiply(s->scaled, s->r, s->u);
  for (int m = 0; m < s->islands; m++) {
    DlsStatusCases *c = &s->island[m];
    for (int row = 0; row < c->rows && place < c->contacts; row++)
      c->W[row * c->rows + place * (int)block + k] =
          s->u[(size_t)c->number[row / (int)block] * block + (size_t)row % block];
  }
}

static DlsStatus cut(Enumerate *s, const DlsProblem *problem) {
  int *island;
  DLS_NEW(island, s->scaled->contacts);
  DlsStatus status = dls_islands_find(dls_problem_operator(problem), island, &s->islands);
  if (status == DLS_OK) status = deal(s, island);
  free(island);
  DLS_TRY(status);
  int most = 0;
  for (int m = 0; m < s->islands; m++)
    if (s->island[m].contacts > most) most = s->island[m].contacts;
  for (int place = 0; place < most; place++)
    for (int k = 0; k < s->scaled->block; k++) fill(s, place, k);
  return DLS_OK;
}

/* Numbers of an island from the whole, x [contacts][block]. */
static void take(const DlsStatusCases *c, const double *x, double *out) {
  const size_t block = (size_t)c->scaled->block;
  for (int i = 0; i < c->contacts; i++)
    memcpy(out + (size_t)i * block, x + (size_t)c->number[i] * block, block * sizeof *out);
}

static void give(const DlsStatusCases *c, const double *in, double *x) {
  const size_t block = (size_t)c->scaled->block;
  for (int i = 0; i < c->contacts; i++)
    memcpy(x + (size_t)c->number[i] * block, in + (size_t)i * block, block * sizeof *in);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Enumerate *s = self;
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(dls_solver_needs_cones(problem, "enumerate"));
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_TRY(dls_sweep_create(problem, DLS_SWEEP_AUTO, &s->sweep));
  DLS_NEW(s->memory, 4 * n);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  DLS_TRY(cut(s, problem));
  for (int m = 0; m < s->islands; m++) {
    take(&s->island[m], s->scaled->q, s->island[m].q);
    dls_status_cases_count(&s->island[m]);
  }
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Enumerate), sizeof(EnumerateOptions), prepare,
                                      destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

/* Counts a solution unless one like it is known. */
static void keep(Enumerate *s, const double *r) {
  const int n = s->cases->rows;
  for (int k = 0; k < s->solutions; k++) {
    double apart[DLS_STATUS_CASES_ROWS];
    for (int e = 0; e < n; e++) apart[e] = r[e] - s->solution[k][e];
    if (dls_small_norm(n, apart) <= 1e-6 * fmax(dls_small_norm(n, r), s->cases->scale)) return;
  }
  if (s->solutions < MOST_SOLUTIONS) memcpy(s->solution[s->solutions++], r, (size_t)n * sizeof *r);
}

static void try_case(Enumerate *s) {
  double r[DLS_STATUS_CASES_ROWS] = {0};
  const DlsLimits *limits = s->limits;
  const double error = dls_status_cases_solve(s->cases, s->state, s->guess, s->enough, r);
  s->tried++;
  if (error < s->least) {
    s->least = error;
    memcpy(s->found, r, (size_t)s->cases->rows * sizeof *r);
  }
  if (error <= s->enough) {
    keep(s, r);
    if (!s->options.all) s->over = 1;
  }
  if (limits->max_iterations > 0 && s->tried >= limits->max_iterations) s->over = 1;
  if (limits->max_time > 0 && dls_ledger_clock() - s->begin >= limits->max_time) s->over = 1;
  if (dls_ledger_is_spent()) s->over = 1;
}

/* Cases whose contacts from i on differ from the base in exactly `apart` places. */
static void search(Enumerate *s, int i, int apart) {
  const int left = s->cases->contacts - i;
  if (s->over || apart > left) return;
  if (left == 0) {
    try_case(s);
    return;
  }
  for (int k = 0; k < s->cases->states[i]; k++) {
    s->state[i] = (s->base[i] + k) % s->cases->states[i];
    if (k == 0 || apart > 0) search(s, i + 1, k == 0 ? apart : apart - 1);
  }
}

/* Searches one island, whose r in the whole becomes what was found. */
static void solve_island(Enumerate *s, const DlsStatusCases *cases) {
  s->cases = cases;
  s->least = INFINITY;
  s->solutions = 0;
  s->over = 0;
  take(cases, s->r, s->guess);
  dls_status_cases_guess(cases, s->guess, s->base);
  for (int apart = 0; apart <= cases->contacts && !s->over; apart++) search(s, 0, apart);
  if (isfinite(s->least)) give(cases, s->found, s->r);
}

static void begin(Enumerate *s, const DlsProblem *problem, const DlsLimits *limits,
                  const double *r) {
  memcpy(s->r_hat, r, s->scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  s->limits = limits;
  s->begin = dls_ledger_clock();
  s->enough = fmin(s->options.enough, fmax(limits->tolerance, 1e-16));
  s->tried = 0;
  s->sweep->unsolved = 0;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Enumerate *s = self;
  DlsStopping stopping;
  int most = 0, failed = 0;
  begin(s, problem, limits, r);
  dls_stopping_begin(&stopping, problem, limits, monitor, report, s->best, s->u, 1);
  int over = dls_stopping_measure(&stopping, 0, s->r_hat);
  if (over && !s->options.all) return dls_stopping_end(&stopping, r);
  dls_sweep_refresh(s->sweep, s->r_hat);
  const double deadline = limits->max_time > 0 ? s->begin + limits->max_time : INFINITY;
  report->work.sweeps = dls_sweep_passes(s->sweep, s->options.sweeps, deadline, s->r_hat);
  dls_scaled_take(s->scaled, s->r_hat, s->r);
  over = 0;
  for (int m = 0; m < s->islands && !over; m++) {
    solve_island(s, &s->island[m]);
    most = s->solutions > most ? s->solutions : most;
    failed += !(s->least <= s->enough);
    dls_scaled_give(s->scaled, s->r, s->r_hat);
    over = dls_stopping_measure(&stopping, s->tried, s->r_hat) && !s->options.all;
  }
  if (!over && stopping.best_error > limits->tolerance)
    dls_report_end(report, DLS_REASON_EXHAUSTED);
  report->work.local_failures = s->sweep->unsolved;
  report->work.cases = s->tried;
  report->work.solutions = most;
  if (failed)
    snprintf(report->note, sizeof report->note, "%ld cases, none holds in %d of %d islands",
             s->tried, failed, s->islands);
  else if (s->options.all)
    snprintf(report->note, sizeof report->note, "%ld cases; %d solution%s%s", s->tried, most,
             most == 1 ? "" : "s", s->islands > 1 ? " at most in an island" : "");
  else
    snprintf(report->note, sizeof report->note, "case %ld holds", s->tried);
  return dls_stopping_end(&stopping, r);
}

const DlsSolver dls_solver_enumerate = {
    DLS_SOLVER_HEAD,
    .name = "enumerate",
    .summary = "exact by cases, for a handful of contacts",
    .description =
        "Tries every combination of open, sticking and sliding contacts, each solved to round-off. "
        "For islands of a few contacts: an oracle, and a count of solutions where there are "
        "several. Takes every canonical law.",
    .references = "Klarbring 1990; Acary, Brémond and Huber 2018",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(EnumerateOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
