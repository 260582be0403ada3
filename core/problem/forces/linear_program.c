#include "problem/forces/linear_program.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The few things of Clp 1.17 that are used, as its C interface has them. */
#define FUNCTIONS(X)                                                                               \
  X(void *, Clp_newModel, (void))                                                                  \
  X(void, Clp_deleteModel, (void *))                                                               \
  X(void, Clp_setLogLevel, (void *, int))                                                          \
  X(void, Clp_loadProblem,                                                                         \
    (void *, int, int, const int *, const int *, const double *, const double *, const double *,   \
     const double *, const double *, const double *))                                              \
  X(void, Clp_setPrimalTolerance, (void *, double))                                                \
  X(void, Clp_setDualTolerance, (void *, double))                                                  \
  X(void, Clp_chgObjCoefficients, (void *, const double *))                                        \
  X(void, Clp_setOptimizationDirection, (void *, double))                                          \
  X(int, Clp_primal, (void *, int))                                                                \
  X(int, Clp_status, (void *))                                                                     \
  X(double, Clp_objectiveValue, (void *))                                                          \
  X(double *, Clp_primalColumnSolution, (void *))

struct DlsLinearProgram {
  void *library, *model;
  int columns;
#define MEMBER(result, name, arguments) result(*name) arguments;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

static DlsStatus find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  DLS_CHECK(found, DLS_ERR_PLUGIN,
            "linear programmes: %s is not in libClp; install Clp 1.17 (Debian: coinor-libclp1)",
            name);
  memcpy(function, &found, sizeof found);
  return DLS_OK;
}

/* The library stays open for the life of the process. */
static DlsStatus load(DlsLinearProgram *self) {
  self->library = dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
  DLS_CHECK(self->library, DLS_ERR_PLUGIN,
            "linear programmes: %s; install COIN-OR's Clp (Debian: coinor-libclp1)", dlerror());
#define FIND(result, name, arguments) DLS_TRY(find(self->library, #name, &self->name));
  FUNCTIONS(FIND)
#undef FIND
  return DLS_OK;
}

static DlsStatus fill(DlsLinearProgram *self, int rows, const int *start, const int *row,
                      const double *value, const double *b, const double *low) {
  const double tolerance = 1e-9; /* of rows, and of reduced costs */
  double *high, *none;
  self->model = self->Clp_newModel();
  DLS_CHECK(self->model, DLS_ERR_MEMORY, "out of memory for a linear programme");
  self->Clp_setLogLevel(self->model, 0);
  DLS_NEW(high, 2 * (size_t)self->columns);
  none = high + self->columns;
  for (int j = 0; j < self->columns; j++) high[j] = HUGE_VAL;
  self->Clp_loadProblem(self->model, self->columns, rows, start, row, value, low, high, none, b, b);
  self->Clp_setPrimalTolerance(self->model, tolerance);
  self->Clp_setDualTolerance(self->model, tolerance);
  free(high);
  return DLS_OK;
}

DlsStatus dls_linear_program_open(int rows, int columns, const int *start, const int *row,
                                  const double *value, const double *b, const double *low,
                                  DlsLinearProgram **out) {
  DlsLinearProgram *self;
  *out = NULL;
  DLS_NEW(self, 1);
  self->columns = columns;
  DlsStatus status = load(self);
  if (status == DLS_OK) status = fill(self, rows, start, row, value, b, low);
  if (status == DLS_OK)
    *out = self;
  else
    dls_linear_program_close(&self);
  return status;
}

void dls_linear_program_close(DlsLinearProgram **program) {
  if (*program && (*program)->model) (*program)->Clp_deleteModel((*program)->model);
  free(*program);
  *program = NULL;
}

DlsStatus dls_linear_program_solve(DlsLinearProgram *self, const double *c, int sense,
                                   DlsProgramOutcome *outcome, double *value, double *x) {
  enum { OPTIMAL, INFEASIBLE, UNBOUNDED };
  self->Clp_chgObjCoefficients(self->model, c);
  self->Clp_setOptimizationDirection(self->model, sense);
  (void)self->Clp_primal(self->model, 0);
  const int ended = self->Clp_status(self->model);
  DLS_CHECK(ended == OPTIMAL || ended == INFEASIBLE || ended == UNBOUNDED, DLS_ERR_SOLVER,
            "linear programmes: Clp gave up with status %d", ended);
  *outcome = ended == OPTIMAL      ? DLS_PROGRAM_SOLVED
             : ended == INFEASIBLE ? DLS_PROGRAM_EMPTY
                                   : DLS_PROGRAM_UNLIMITED;
  if (ended == OPTIMAL) *value = self->Clp_objectiveValue(self->model);
  if (ended == OPTIMAL && x)
    memcpy(x, self->Clp_primalColumnSolution(self->model), (size_t)self->columns * sizeof *x);
  return DLS_OK;
}
