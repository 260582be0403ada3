/* The solver `siconos`: those of Siconos' numerics by name, on the standard form of the problem. It
 * is given the tolerance, and measures by its own rule, which is the natural error; what its
 * answers are worth is for dls_solve() to say. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solvers/siconos/peer.h"

#include <delassus/solver_tools.h>

#define METHODS(X)                                                                                 \
  X(nsgs)                                                                                          \
  X(nsgs_quartic)                                                                                  \
  X(nsgs_projection)                                                                               \
  X(nsn_ac)                                                                                        \
  X(nsn_fb)                                                                                        \
  X(nsn_nm)                                                                                        \
  X(prox)                                                                                          \
  X(admm)                                                                                          \
  X(aclm)                                                                                          \
  X(tfp)                                                                                           \
  X(soclcp)                                                                                        \
  X(dsfp)                                                                                          \
  X(fpp)                                                                                           \
  X(eg)                                                                                            \
  X(vi_fpp)                                                                                        \
  X(vi_eg)                                                                                         \
  X(cpg)                                                                                           \
  X(lemke)
#define NAME(method) #method,
#define WORD(method) "|" #method
static const char *const method_names[] = {METHODS(NAME)};

enum {
  ROUNDS = 8
}; /* calls of Siconos in one solve: its tolerance down to 6e-5 of what is asked */

typedef struct {
  int method;
} Options;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(Options, method, 0, &(METHODS(WORD))[1],
                      "which of its solvers, named as Siconos does"),
};

typedef struct {
  Peer *peer;
  const PeerVariant *method;
  size_t size;
  double *r, *best, *u; /* [contacts][block] */
} Self;

static void destroy(void *self) {
  Self *s = self;
  if (!s) return;
  peer_destroy(&s->peer);
  free(s->r);
  free(s);
}

/* The method among those for this kind of problem. */
static DlsStatus choose(const Options *chosen, Self *s) {
  const char *name = method_names[chosen->method];
  char there[256] = "";
  int count;
  const PeerVariant *methods = peer_methods(s->peer, &count);
  for (int k = 0; k < count; k++) {
    const size_t used = strlen(there);
    if (strcmp(methods[k].name, name) == 0) s->method = &methods[k];
    snprintf(there + used, sizeof there - used, "%s%s", used ? ", " : "", methods[k].name);
  }
  DLS_CHECK(s->method, DLS_ERR_SOLVER,
            "siconos: it has no method %s for problems of this kind; there are %s", name, there);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  *out = NULL;
  Self *s = calloc(1, sizeof *s);
  DLS_CHECK(s, DLS_ERR_MEMORY, "out of memory for Siconos");
  s->size = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  DlsStatus status = peer_create(problem, &s->peer);
  if (status == DLS_OK) status = choose(chosen, s);
  if (status == DLS_OK) {
    s->r = calloc(3 * s->size, sizeof *s->r);
    if (!s->r) status = dls_fail(DLS_ERR_MEMORY, "out of memory for Siconos");
  }
  if (status != DLS_OK) {
    destroy(s);
    return status;
  }
  s->best = s->r + s->size;
  s->u = s->best + s->size;
  *out = s;
  return DLS_OK;
}

/* What ends a solve from inside. */
typedef struct {
  const DlsLimits *limits;
  const DlsMonitor *monitor;
  double begin; /* s */
  long before;  /* iterations of the calls before this one */
  bool light;   /* what it calls the error on the way is the change of r, and no claim */
  bool stopped;
} Ear;

static double seconds(DlsClock by) {
  struct timespec now;
  clock_gettime(by == DLS_CLOCK_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Its word goes to the monitor as it is, where it is one about the error. */
static int hear(void *context, long iteration, double error) {
  Ear *ear = context;
  const double time_s = seconds(ear->limits->clock) - ear->begin;
  const double told = ear->light ? INFINITY : error;
  const long count = ear->before + iteration;
  if (ear->monitor->call && ear->monitor->call(ear->monitor->context, count, time_s, told))
    ear->stopped = true;
  return ear->stopped || (ear->limits->max_time > 0 && time_s > ear->limits->max_time);
}

/* An iteration passes over the rows of W and over the contacts once at least; what it does beyond
 * that, and its factors, Siconos does not tell. */
static void count_work(const PeerVariant *method, long contacts, long iterations, DlsWork *work) {
  dls_work_count(iterations * contacts, iterations * contacts, 0);
  if (method->iteration == PEER_SWEEP) work->sweeps = iterations;
  if (method->iteration == PEER_NEWTON_STEP) work->newton_steps = work->factorisations = iterations;
}

/* Neither within the tolerance nor at a limit: it gave up, or took its own word for it. */
static DlsReason reason_of(const Ear *ear, const PeerRun *run, long most) {
  if (ear->stopped) return DLS_REASON_MONITOR;
  if (run->ended) return DLS_REASON_TIME_LIMIT;
  return run->iterations >= most ? DLS_REASON_ITERATION_LIMIT : DLS_REASON_STAGNATED;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  Self *s = self;
  Ear ear = {limits, monitor, seconds(limits->clock), 0, s->method->iteration == PEER_SWEEP, false};
  const PeerListener listener = {hear, &ear};
  const long most = limits->max_iterations > 0 && limits->max_iterations < INT_MAX
                        ? limits->max_iterations
                        : INT_MAX / 2;
  DlsStopping stopping;
  PeerRun run;
  memcpy(s->r, r, s->size * sizeof *r);
  dls_problem_to_standard(problem, s->r);
  /* The guess may be good enough, and must not be made worse. */
  dls_stopping_begin(&stopping, problem, limits, &silent, report, s->best, s->u, 0);
  if (dls_stopping_measure(&stopping, 0, s->r)) return dls_stopping_end(&stopping, r);
  /* A tolerance asks for more than its number (theory.md), of which Siconos knows nothing: an
   * answer that it takes for right and that is not goes back to it, with a quarter of that. */
  double asked = limits->tolerance;
  long iterations = 0;
  bool over = false;
  for (int round = 0; round < ROUNDS && !over; round++, asked /= 4) {
    ear.before = iterations;
    peer_solve(s->peer, s->method, asked, most - iterations, &listener, s->r, &run);
    iterations += run.iterations;
    over = dls_stopping_measure(&stopping, iterations, s->r);
    if (ear.stopped || run.ended || run.info != 0 || iterations >= most) break;
  }
  run.iterations = iterations;
  if (!over || ear.stopped) dls_report_end(report, reason_of(&ear, &run, most));
  report->iterations = iterations;
  count_work(s->method, dls_problem_contacts(problem), iterations, &report->work);
  snprintf(report->note, sizeof report->note, "%s, which says %.2e%s", s->method->name, run.claim,
           run.ended || run.info == 0 ? "" : " and that it did not converge");
  return dls_stopping_end(&stopping, r);
}

static const DlsSolver siconos = {
    DLS_SOLVER_HEAD,
    .name = "siconos",
    .summary = "the solvers of Siconos' numerics, another library",
    .description =
        "An adaptor: the problem is copied to Siconos' storage in standard form and given to the "
        "method named, with its own defaults. Friction of Coulomb, isotropic, in the plane and in "
        "space, and rolling in space. A limit of time is kept by the methods that tell their "
        "iterations (what they had allocated is then lost); others stop when they stop, and may "
        "print, exit or crash: a race runs them in processes of their own, and ends those. Not "
        "part of `all`.",
    .references = "Acary, Brémond and Huber 2018; the Siconos manual",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(Options),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};

const DlsSolver *dls_solver_entry(void) { return &siconos; }
