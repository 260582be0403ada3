/* Non-smooth Gauss-Seidel: one contact at a time, each solved exactly with the others held (Moreau
 * 1994, sec. 7; Jean 1999). On the assembled form the velocity comes from a block row of W, on the
 * factored form from the velocities of the bodies, which every update moves (eq. 7.6). Sweeps may
 * be mixed by Anderson's method (anderson.h). */
#include <delassus/solver.h>

#include "base/memory.h"
#include "base/random.h"
#include "problem/parted.h"
#include "solvers/kit/anderson.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"
#include "solvers/kit/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENTIAL, SYMMETRIC, RANDOM, DRAWN };
enum { PLAIN, ANDERSON };
enum { NOT_MIXING, MIXING, PAUSED };

/* Contacts below which a call is worth more than a hint. */
enum { FEW = 100 };

typedef struct {
  int form, sweep, cluster, seed, acceleration, window, refresh, check_every, rescue;
  double omega, change;
} NsgsOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(NsgsOptions, form, 0, "auto|assembled|factored",
                      "operator: block rows of W, or body velocities; auto takes what there is"),
    DLS_CHOICE_OPTION(NsgsOptions, sweep, 0, "sequential|symmetric|random|drawn",
                      "order of the contacts: as given, there and back, shuffled each time, or as "
                      "many as there are drawn one by one, the same perhaps twice"),
    DLS_INT_OPTION(NsgsOptions, cluster, 0, 0, 2147483647,
                   "contacts of a cluster of the coloured order; 0: by the number of contacts"),
    DLS_INT_OPTION(NsgsOptions, seed, 1, 0, 2147483647, "of the shuffles"),
    DLS_REAL_OPTION(NsgsOptions, omega, 1.0, 1e-3, 1.999, "relaxation of one local solve"),
    DLS_CHOICE_OPTION(NsgsOptions, acceleration, 0, "none|anderson",
                      "of the sweeps; anderson mixes the last ones, and goes back where it fails"),
    DLS_INT_OPTION(NsgsOptions, window, 5, 1, DLS_ANDERSON_MOST, "sweeps that anderson mixes"),
    DLS_CHOICE_OPTION(NsgsOptions, rescue, 1, "no|yes",
                      "relax more, by 4/5 a time, when sweeps go round in a cycle"),
    DLS_INT_OPTION(NsgsOptions, refresh, 200, 1, 2147483647,
                   "sweeps between two refreshes of the body velocities against drift (factored)"),
    DLS_INT_OPTION(NsgsOptions, check_every, 0, 0, 2147483647,
                   "sweeps between two measures of the error; 0: as the rate suggests"),
    DLS_REAL_OPTION(NsgsOptions, change, 0, 0, 1,
                    "stop when a sweep changes the reactions by this share or less; 0: never"),
};

typedef struct {
  NsgsOptions options;
  DlsSweep *sweep;
  DlsAnderson *anderson;  /* NULL without */
  int *order;             /* of a random sweep; NULL for the others */
  double *memory, *r, *u; /* [contacts][block] each, in one array */
  double *weight;         /* diagonal of Ŵ, for anderson */
  double *guess;          /* the first r̂, for anderson */
  int mixing;
  DlsCycle cycle;
} Nsgs;

static void destroy(void *self) {
  Nsgs *s = self;
  if (!s) return;
  dls_sweep_destroy(s->sweep);
  dls_anderson_destroy(s->anderson);
  free(s->weight);
  free(s->order);
  free(s->memory);
  free(s);
}

static DlsStatus prepare_anderson(Nsgs *s, size_t n) {
  DLS_NEW(s->weight, 2 * n);
  s->guess = s->weight + n;
  dls_sweep_diagonal(s->sweep, s->weight);
  return dls_anderson_create(n, dls_sweep_body_numbers(s->sweep), s->options.window, s->weight,
                             &s->anderson);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Nsgs *s = self;
  const int contacts = dls_problem_contacts(problem);
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(dls_sweep_create(problem, (DlsSweepForm)s->options.form, &s->sweep));
  DLS_TRY(dls_sweep_colour(s->sweep, s->options.cluster));
  if (s->options.sweep >= RANDOM) DLS_NEW(s->order, contacts);
  if (s->options.acceleration == ANDERSON) DLS_TRY(prepare_anderson(s, n));
  DLS_NEW(s->memory, 2 * n);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Nsgs), sizeof(NsgsOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

static void shuffle(DlsRandom *random, int count, int *order) {
  for (int i = count - 1; i > 0; i--) {
    const int j = dls_random_below(random, i + 1), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

/* The order of the next sweep: every contact once, or the random sequential update. */
static void put_in_order(const Nsgs *s, DlsRandom *random, int contacts) {
  if (!s->order) return;
  if (s->options.sweep == RANDOM) shuffle(random, contacts, s->order);
  for (int i = 0; s->options.sweep == DRAWN && i < contacts; i++)
    s->order[i] = dls_random_below(random, contacts);
}

/* Without symmetry and with friction a sweep may enter a cycle; a shorter step leaves it. What
 * anderson mixes may stand where plain sweeps do not: then no more of it, and if that does not help
 * plain sweeps from the guess. */
static void relax_in_cycle(Nsgs *s, const DlsStopping *stopping, long k) {
  const double least = 0.3;
  if (!s->options.rescue || !dls_stopping_cycles(stopping, k, 100, &s->cycle)) return;
  if (s->mixing == MIXING) {
    s->mixing = PAUSED;
  } else if (s->mixing == PAUSED) {
    s->mixing = NOT_MIXING;
    memcpy(s->r, s->guess, dls_solver_state_size(s->sweep->problem) * sizeof *s->r);
    dls_sweep_refresh(s->sweep, s->r);
  } else if (s->sweep->omega > least)
    s->sweep->omega *= 0.8;
}

/* Moreau's rule (1994, sec. 7): the size of S_corr - S_esti, of all contacts, beside that of S. */
static bool changes_little(const Nsgs *s, size_t n) {
  double size2 = 0;
  for (size_t k = 0; k < n; k++) size2 += s->r[k] * s->r[k];
  return s->sweep->moved2 <= s->options.change * s->options.change * size2;
}

static void describe(const Nsgs *s, DlsReport *report) {
  report->work.sweeps = report->iterations;
  report->work.mixed_sweeps = s->anderson ? dls_anderson_taken(s->anderson) : 0;
  report->work.local_failures = s->sweep->unsolved;
  report->work.newton_fallbacks = s->sweep->newton_fallbacks;
  const char *form = s->sweep->factored ? "factored form" : "assembled form";
  strcpy(report->note, form);
  if (s->sweep->omega == s->options.omega && !s->sweep->unsolved && !s->sweep->newton_fallbacks &&
      !s->anderson)
    return;
  char relaxed[48] = "", unsolved[64] = "", newton_fallbacks[64] = "", mixed[96] = "";
  if (s->anderson)
    snprintf(mixed, sizeof mixed, "; %ld sweeps mixed, %ld taken back%s",
             dls_anderson_taken(s->anderson), dls_anderson_undone(s->anderson),
             s->mixing == MIXING   ? ""
             : s->mixing == PAUSED ? ", then none"
                                   : ", then plain from the guess");
  if (s->sweep->omega != s->options.omega)
    snprintf(relaxed, sizeof relaxed, "; relaxed to %.2g out of a cycle", s->sweep->omega);
  if (s->sweep->unsolved)
    snprintf(unsolved, sizeof unsolved, "; %ld one-contact problems had no solution",
             s->sweep->unsolved);
  if (s->sweep->newton_fallbacks)
    snprintf(newton_fallbacks, sizeof newton_fallbacks,
             "; Newton's method stood in %ld times for a law", s->sweep->newton_fallbacks);
  snprintf(report->note, sizeof report->note, "%s%s%s%s%s", form, mixed, relaxed, unsolved,
           newton_fallbacks);
}

static DlsStatus sweep_on(Nsgs *s, const DlsProblem *problem, const DlsLimits *limits,
                          const DlsMonitor *monitor, double *r, DlsReport *report) {
  const int contacts = dls_problem_contacts(problem);
  DlsRandom random;
  DlsStopping stopping;
  dls_random_seed(&random, (uint64_t)s->options.seed);
  for (int i = 0; s->order && i < contacts; i++) s->order[i] = i;
  memcpy(s->r, r, dls_solver_state_size(problem) * sizeof *r);
  dls_problem_to_standard(problem, s->r);
  dls_sweep_refresh(s->sweep, s->r);
  s->sweep->unsolved = s->sweep->newton_fallbacks = 0;
  s->sweep->status = DLS_OK;
  s->sweep->omega = s->options.omega;
  s->cycle = (DlsCycle){0};
  s->mixing = s->anderson ? MIXING : NOT_MIXING;
  if (s->anderson) {
    memcpy(s->guess, s->r, dls_solver_state_size(problem) * sizeof *r);
    dls_anderson_begin(s->anderson, s->r, s->sweep->y);
  }
  dls_stopping_begin(&stopping, problem, limits, monitor, report, r, s->u, s->options.check_every);
  for (long k = 0; !dls_stopping_due(&stopping, k) || !dls_stopping_measure(&stopping, k, s->r);) {
    /* Sweeps until the next measure or refresh, all at once where they are all alike. */
    const long refresh = s->options.refresh, measure = stopping.next - k;
    const long until = k == 0 ? 1 : refresh - k % refresh,
               alike = until < measure ? until : measure;
    const bool by_change = s->options.change > 0;
    const int many = s->options.sweep == SEQUENTIAL && contacts < FEW && !s->anderson && !by_change;
    const long passes = many ? alike : 1;
    relax_in_cycle(s, &stopping, k);
    if (s->mixing == MIXING && k > 0) dls_anderson_step(s->anderson, s->r, s->sweep->y);
    put_in_order(s, &random, contacts);
    dls_sweep_pass(s->sweep, s->order, s->options.sweep == SYMMETRIC && k % 2 == 1, passes, s->r);
    DLS_TRY(s->sweep->status);
    k += passes;
    if (contacts >= FEW) dls_stopping_hint(&stopping, k, sqrt(s->sweep->moved2));
    if (k == 1) dls_sweep_settle(s->sweep, s->r);
    if (k % refresh == 0) dls_sweep_refresh(s->sweep, s->r);
    if (by_change && changes_little(s, dls_solver_state_size(problem))) {
      if (!dls_stopping_measure(&stopping, k, s->r))
        dls_report_end(report, DLS_REASON_LITTLE_CHANGE);
      break;
    }
  }
  describe(s, report);
  return dls_stopping_end(&stopping, r);
}

/* What draws contacts, mixes sweeps or stops by their change reads all of them: every rank does
 * it. */
static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Nsgs *s = self;
  bool parted = false;
  if (!s->order && !s->anderson && !(s->options.change > 0))
    DLS_TRY(dls_sweep_share(s->sweep, limits, &parted));
  const DlsStatus status = sweep_on(s, problem, limits, monitor, r, report);
  DLS_TRY(dls_problem_join(problem, parted, r));
  return status;
}

const DlsSolver dls_solver_nsgs = {
    DLS_SOLVER_HEAD,
    .name = "nsgs",
    .summary = "non-smooth Gauss-Seidel, one contact at a time",
    .description =
        "Solves each contact exactly with the others held, in turn. Robust, and fast to a few "
        "digits; on "
        "hyperstatic or ill-conditioned problems the last digits come slowly. Takes every law.",
    .references = "Moreau 1994, sec. 7; Jean 1999; Anderson 1965",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(NsgsOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
