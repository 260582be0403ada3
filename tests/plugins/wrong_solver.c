/* nsgs with one thing wrong in it, which CASE_x names: for `delassus solver check`. */
#include <delassus/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  double haste;
} Options;

static const DlsOption options[] = {
    DLS_REAL_OPTION(Options, haste, 1.0, 0.0, 2.0, "how much of a hurry it is in"),
};

typedef struct {
  const DlsSolver *solver;
  void *self;
  double haste;
  const DlsMonitor *told;
} Wrong;

static void destroy(void *self) {
  Wrong *s = self;
  if (!s) return;
  s->solver->destroy(s->self);
#ifndef CASE_leaking
  free(s);
#endif
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static double defaults[512];
#ifdef CASE_silent
  DLS_CHECK(!dls_problem_has(problem, DLS_CONE_CUSTOM), DLS_ERR_SOLVER, "it will not do");
#endif
  Wrong *s = calloc(1, sizeof *s);
  *out = NULL;
  DLS_CHECK(s, DLS_ERR_MEMORY, "out of memory");
  s->haste = ((const Options *)chosen)->haste;
  DlsStatus status = dls_solver_find("nsgs", &s->solver);
  if (status == DLS_OK) dls_solver_defaults(s->solver, defaults);
  if (status == DLS_OK) status = s->solver->create(problem, defaults, &s->self);
  if (status == DLS_OK)
    *out = s;
  else
    free(s);
  return status;
}

/* What the monitor says goes on, or not. */
static int pass_on(void *context, long iteration, double time_s, double error) {
  const Wrong *s = context;
  if (!s->told->call) return 0;
  const int stop = s->told->call(s->told->context, iteration, time_s, error);
#ifdef CASE_unstoppable
  return 0 * stop;
#else
  return stop;
#endif
}

static void say(DlsReport *report, DlsReason reason) { dls_report_end(report, reason); }

/* What it does to the answer, and says of it. */
static void spoil(const Wrong *s, const DlsProblem *problem, size_t n, double *r,
                  DlsReport *report) {
  static int calls;
  calls++;
  (void)s, (void)problem, (void)n, (void)r, (void)report, (void)say;
#if defined(CASE_boastful)
  say(report, DLS_REASON_WITHIN_TOLERANCE);
#elif defined(CASE_optimistic)
  report->error *= 0.1;
#elif defined(CASE_hopeless)
  if (report->outcome != DLS_CONVERGED) say(report, DLS_REASON_NO_SOLUTION);
#elif defined(CASE_forgetful)
  for (size_t e = 0; e < n; e++) r[e] *= 2;
  report->error = INFINITY;
  say(report, DLS_REASON_STAGNATED);
#elif defined(CASE_unreasoned)
  report->reason = DLS_REASON_UNTOLD;
#elif defined(CASE_mislabelled)
  report->reason = DLS_REASON_NOT_FINITE;
#elif defined(CASE_infinite)
  if (report->outcome != DLS_CONVERGED && n > 0) r[0] = NAN;
#elif defined(CASE_coarse_r) /* what is below a number with a unit counts as nothing */
  for (size_t e = 0; e < n; e++)
    if (fabs(r[e]) < 1e-12) r[e] = 0;
#elif defined(CASE_numberless)
  for (size_t e = 0; e < n; e++) r[e] = NAN;
#elif defined(CASE_fickle)
  if (calls % 2 && n > 0) r[0] *= 1 + 1e-15;
#elif defined(CASE_overflowing)
  ((volatile double *)r)[n] = 1;
#elif defined(CASE_underflowing)
  ((volatile double *)r)[-1] = 1;
#elif defined(CASE_meddling)
  if (n > 0) ((double *)(size_t)dls_problem_q(problem))[0] += 1e-9;
#elif defined(CASE_dripping) /* 32 bytes, once in 200 solves */
  static void *volatile kept;
  if (calls % 200 == 0) kept = malloc(32);
  (void)kept;
#elif defined(CASE_mapping)  /* a page, once in 100 solves, that no allocator knows of */
  if (calls % 100 == 0) mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif defined(CASE_hasty)
  if (s->haste == 2) say(report, DLS_REASON_WITHIN_TOLERANCE);
#elif defined(CASE_dying)
  abort();
#elif defined(CASE_quitting)
  _exit(0);
#elif defined(CASE_breeding) /* a process of its own session; which one, a file tells */
  if (calls > 1) return;
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    for (;;) pause();
  }
  /* Told here: the child may be ended before it could. */
  FILE *file = getenv("BREEDING") ? fopen(getenv("BREEDING"), "w") : NULL;
  if (file) fprintf(file, "%ld\n", (long)child);
  if (file) fclose(file);
#elif defined(CASE_stuck)
  for (;;) pause();
#endif
}

static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  Wrong *s = self;
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  DlsLimits mine = *limits;
  const DlsMonitor ours = {pass_on, s};
  s->told = monitor;
  const double begin = processor_time();
#ifdef CASE_tireless
  mine.max_iterations *= 2;
#endif
#ifdef CASE_scaled /* the answer of what is heavy, in the units it likes, is not looked for */
  double D[4096] = {0};
  if (n * (size_t)dls_problem_block(problem) < 4096) dls_problem_standard_diagonal(problem, D);
  if (D[0] > 0 && D[0] < 0.01) mine.max_iterations = 1;
#endif
#ifdef CASE_coarse_w /* what does not give way by so much, in 1/kg, does not give way at all */
  double W[4096] = {0};
  if (n * (size_t)dls_problem_block(problem) < 4096) dls_problem_standard_diagonal(problem, W);
  if (W[0] < 1e-12) mine.max_iterations = 1;
#endif
#ifdef CASE_coarse_u /* below so many m/s it is as if all stood still */
  const double *q = dls_problem_standard_q(problem);
  for (size_t e = 0; e < n; e++)
    if (fabs(q[e]) < 1e-11) mine.max_iterations = 1;
#endif
#ifdef CASE_mute
  const DlsMonitor *heard = &silent;
  (void)ours;
#else
  const DlsMonitor *heard = &ours;
  (void)silent;
#endif
  const DlsStatus status = s->solver->solve(s->self, problem, &mine, heard, r, report);
#ifdef CASE_slow
  while (limits->max_time > 0 && processor_time() - begin < limits->max_time + 1.5) {
  }
#else
  (void)begin;
#endif
  spoil(s, problem, n, r, report);
  return status;
}

static const DlsSolver solver = {
    DLS_SOLVER_HEAD,
    .name = CASE_NAME,
    .summary = "has one fault",
    .references = "",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(Options),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};

#ifdef CASE_leaving /* before anybody has asked for anything */
__attribute__((constructor)) static void leave(void) { exit(3); }
#endif

#ifdef CASE_parting /* when all is done */
__attribute__((destructor)) static void part(void) { abort(); }
#endif

const DlsSolver *dls_solver_entry(void) {
#ifdef CASE_fatal
  abort();
#endif
#ifdef CASE_endless
  for (;;) pause();
#endif
  return &solver;
}
