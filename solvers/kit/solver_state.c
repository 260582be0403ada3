#include "solvers/kit/solver_state.h"

#include "base/memory.h"

#include <string.h>

DlsStatus dls_solver_state_create(const DlsSolverState *kind, const DlsProblem *problem,
                                  const void *options, void **out) {
  *out = NULL;
  void *self = dls_memory_array(1, kind->bytes);
  DLS_CHECK(self, DLS_ERR_MEMORY, "out of memory: %zu bytes for a solver", kind->bytes);
  memcpy(self, options, kind->option_bytes);
  const DlsStatus status = kind->prepare(self, problem);
  if (status == DLS_OK)
    *out = self;
  else
    kind->destroy(self);
  return status;
}

size_t dls_solver_state_size(const DlsProblem *problem) {
  return (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
}

double *dls_solver_state_slice(double **next, size_t n) {
  double *slice = *next;
  *next += n;
  return slice;
}

DlsStatus dls_solver_needs_project(const DlsProblem *problem, const char *solver) {
  const DlsCustomRelation *custom = dls_problem_custom(problem);
  for (int i = 0; custom && i < dls_problem_contacts(problem); i++)
    DLS_CHECK(dls_problem_relation(problem, i)->cone != DLS_CONE_CUSTOM || custom[i].project,
              DLS_ERR_SOLVER,
              "%s projects, and the law %s of contact %d brings no `project`; use nsgs or newton",
              solver, custom[i].law, i);
  return DLS_OK;
}

DlsStatus dls_solver_needs_cones(const DlsProblem *problem, const char *solver) {
  const DlsCustomRelation *custom = dls_problem_custom(problem);
  for (int i = 0; custom && i < dls_problem_contacts(problem); i++)
    DLS_CHECK(
        dls_problem_relation(problem, i)->cone != DLS_CONE_CUSTOM, DLS_ERR_SOLVER,
        "%s needs a cone, and the law %s of contact %d has none, but a `residual` of its own; "
        "use nsgs or newton",
        solver, custom[i].law, i);
  return DLS_OK;
}
