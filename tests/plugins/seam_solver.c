/* A solver that lives here alone: damped Jacobi on one-contact solves, by the public headers. No
 * file of core/ or solvers/ knows of it. */
#include <delassus/local.h>
#include <delassus/solver_tools.h>

#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t n;
  double *memory, *r, *u, *best, *work, *D;
} State;

static void destroy(void *self) {
  State *s = self;
  if (!s) return;
  free(s->memory);
  free(s);
}

static DlsStatus create(const DlsProblem *problem, const void *options, void **out) {
  const size_t block = (size_t)dls_problem_block(problem);
  State *s = calloc(1, sizeof *s);
  (void)options;
  *out = NULL;
  DLS_CHECK(s, DLS_ERR_MEMORY, "seam: out of memory");
  s->n = (size_t)dls_problem_contacts(problem) * block;
  s->memory = calloc((4 + block) * s->n + 1, sizeof *s->memory);
  if (!s->memory) {
    free(s);
    return dls_fail(DLS_ERR_MEMORY, "seam: out of memory");
  }
  s->r = s->memory;
  s->u = s->r + s->n;
  s->best = s->u + s->n;
  s->work = s->best + s->n;
  s->D = s->work + s->n;
  dls_problem_standard_diagonal(problem, s->D);
  *out = s;
  return DLS_OK;
}

static DlsStatus iterate(State *s, const DlsProblem *problem, DlsWork *work) {
  const double share = 0.3;
  const int block = dls_problem_block(problem);
  const DlsCustomRelation *custom = dls_problem_custom(problem);
  dls_problem_standard_velocity(problem, s->r, s->u);
  work->products++;
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    double *r = s->r + i * block, *u = s->u + i * block, q[DLS_MAX_BLOCK], next[DLS_MAX_BLOCK];
    const double *D = s->D + i * block * block;
    for (int k = 0; k < block; k++) {
      q[k] = u[k];
      for (int j = 0; j < block; j++) q[k] -= D[k * block + j] * r[j];
      next[k] = r[k];
    }
    const DlsLocalOutcome outcome =
        dls_local_solve(dls_problem_relation(problem, i), dls_problem_dim(problem), block,
                        custom ? &custom[i] : NULL, D, q, next);
    if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW;
    work->local_failures += outcome == DLS_LOCAL_NONE;
    for (int k = 0; k < block; k++) r[k] += share * (next[k] - r[k]);
  }
  return DLS_OK;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  State *s = self;
  DlsStopping stopping;
  memcpy(s->r, r, s->n * sizeof *r);
  dls_problem_to_standard(problem, s->r);
  dls_stopping_begin(&stopping, problem, limits, monitor, report, s->best, s->work, 0);
  for (long k = 0; !dls_stopping_due(&stopping, k) || !dls_stopping_measure(&stopping, k, s->r);
       k++)
    DLS_TRY(iterate(s, problem, &report->work));
  return dls_stopping_end(&stopping, r);
}

static const DlsSolver solver = {
    DLS_SOLVER_HEAD,    .name = "seam",   .summary = "damped Jacobi of the tests",
    .references = "",   .create = create, .solve = solve,
    .destroy = destroy,
};

const DlsSolver *dls_solver_entry(void) { return &solver; }
