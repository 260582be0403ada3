/* A solver that works as nsgs does and says of it what is not so, in the way that CASE_x names: for
 * `delassus compare`. */
#include <delassus/solver.h>

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* nsgs, and the monitor that is told other numbers. */
typedef struct {
  const DlsSolver *solver;
  void *self;
  const DlsMonitor *told;
} Disguise;

static double lie(double error) {
#if defined(CASE_flattering)
  return 1e-3 * error;
#elif defined(CASE_dazed)
  (void)error;
  return NAN;
#elif defined(CASE_early)
  (void)error;
  return 1e-12; /* from the first sweep on; it works on until it is there */
#else
  return error;
#endif
}

static int tell(void *context, long iteration, double time_s, double error) {
  const Disguise *disguise = context;
  if (!disguise->told || !disguise->told->call) return 0;
  const int stop = disguise->told->call(disguise->told->context, iteration, time_s, lie(error));
#ifdef CASE_early /* does not stop when it is asked to */
  return 0 * stop;
#else
  return stop;
#endif
}

static void destroy(void *given) {
  Disguise *disguise = given;
  if (!disguise) return;
  if (disguise->solver) disguise->solver->destroy(disguise->self);
  disguise->solver = NULL;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static Disguise disguise;
  static char options[4096];
  (void)chosen;
  *out = &disguise;
  disguise = (Disguise){0};
  DLS_TRY(dls_solver_find("nsgs", &disguise.solver));
  dls_solver_defaults(disguise.solver, options);
  return disguise.solver->create(problem, options, &disguise.self);
}

static void wait_for(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&time, NULL);
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Disguise *disguise = self;
  const DlsMonitor ours = {tell, disguise};
  DlsLimits mine = *limits;
  disguise->told = monitor;
#ifdef CASE_flattering
  mine.tolerance *= 1e3;
#endif
#ifdef CASE_dazed
  mine.max_iterations = 1;
#endif
#ifdef CASE_deaf
  signal(SIGALRM, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  while (dls_problem_contacts(problem) > 1) pause();
#endif
#ifdef CASE_claiming /* and hangs */
  while (dls_problem_contacts(problem) > 1) {
    monitor->call(monitor->context, 1, 0, 1e-12);
    pause();
  }
#endif
#ifdef CASE_forging /* the problem becomes one that nothing answers */
  memset((void *)(size_t)dls_problem_standard_q(problem), 0,
         (size_t)(dls_problem_contacts(problem) * dls_problem_block(problem)) * sizeof(double));
#endif
  const DlsStatus status =
      disguise->solver->solve(disguise->self, problem, &mine, &ours, r, report);
#ifdef CASE_late
  if (dls_problem_contacts(problem) > 1) wait_for(1.2 * limits->max_time);
#else
  (void)wait_for;
#endif
  report->error = lie(report->error);
#if defined(CASE_dazed) || defined(CASE_flattering)
  report->outcome = DLS_CONVERGED;
#endif
#ifdef CASE_despairing /* of a problem that has a solution */
  memset(r, 0, (size_t)(dls_problem_contacts(problem) * dls_problem_block(problem)) * sizeof *r);
  report->outcome = DLS_NO_SOLUTION;
#endif
  return status;
}

static const DlsSolver solver = {
    DLS_SOLVER_HEAD,  .name = CASE_NAME, .summary = "lies",  .references = "",
    .create = create, .solve = solve,    .destroy = destroy,
};

const DlsSolver *dls_solver_entry(void) { return &solver; }
