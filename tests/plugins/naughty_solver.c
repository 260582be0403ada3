/* A solver that misbehaves on problems of more than one contact, in the way that CASE_x names: for
 * `delassus compare`. */
#include <delassus/solver.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  (void)chosen;
  *out = NULL;
#ifdef CASE_refusing
  DLS_CHECK(dls_problem_contacts(problem) < 2, DLS_ERR_SOLVER, "refusing takes no such problem");
#else
  (void)problem;
#endif
  return DLS_OK;
}

static void misbehave(void) {
#if defined(CASE_crashing)
  raise(SIGSEGV);
#elif defined(CASE_leaving)
  exit(0);
#elif defined(CASE_hanging)
  for (;;) pause();
#elif defined(CASE_greedy)
  for (size_t bytes = 64 << 20;; bytes += 64 << 20) {
    char *more = malloc(bytes);
    if (!more) return;
    memset(more, 1, bytes);
  }
#endif
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  (void)self, (void)r, (void)limits;
  if (dls_problem_contacts(problem) > 1) {
    if (monitor && monitor->call) monitor->call(monitor->context, 1, 0.0, 0.5);
    misbehave();
#ifdef CASE_greedy
    return dls_fail(DLS_ERR_MEMORY, "greedy wants more memory");
#endif
  }
  report->outcome = DLS_CONVERGED; /* r = 0 is hardly ever an answer: the certificate tells */
  report->iterations = 1;
  return DLS_OK;
}

static void destroy(void *self) { (void)self; }

static const DlsSolver solver = {
    DLS_SOLVER_HEAD,  .name = CASE_NAME, .summary = "misbehaves", .references = "",
    .create = create, .solve = solve,    .destroy = destroy,
};

const DlsSolver *dls_solver_entry(void) { return &solver; }
