#include "solver_bench/units.h"

#include "base/memory.h"

#include <stdlib.h>

double bench_unit_of_reaction(int dim, int k, BenchUnits units) {
  return units.mass * units.length / units.time * (k < dim ? 1 : units.length);
}

static double unit_of_velocity(int dim, int k, BenchUnits units) {
  return (k < dim ? units.length : 1) / units.time;
}

typedef struct {
  DlsOperator *assembled, *scaled;
  double *value, *q;
  DlsRelation *relations;
} Copy;

static DlsStatus fill(const DlsProblem *problem, BenchUnits units, Copy *copy) {
  DLS_TRY(dls_operator_assemble(dls_problem_operator(problem), &copy->assembled));
  const DlsBlockRows rows = dls_operator_block_rows(copy->assembled);
  const int block = rows.block, dim = dls_problem_dim(problem);
  const size_t square = (size_t)(block * block), n = (size_t)rows.contacts * (size_t)block;
  const size_t numbers = (size_t)rows.start[rows.contacts] * square;
  DLS_NEW(copy->value, numbers + 1);
  DLS_NEW(copy->q, n + 1);
  DLS_NEW(copy->relations, rows.contacts + 1);
  for (size_t k = 0; k < numbers; k++) {
    const int row = (int)(k % square) / block, column = (int)(k % square) % block;
    copy->value[k] = rows.value[k] * unit_of_velocity(dim, row, units) /
                     bench_unit_of_reaction(dim, column, units);
  }
  for (size_t k = 0; k < n; k++)
    copy->q[k] = dls_problem_q(problem)[k] * unit_of_velocity(dim, (int)(k % (size_t)block), units);
  for (int i = 0; i < rows.contacts; i++) {
    copy->relations[i] = *dls_problem_relation(problem, i);
    copy->relations[i].mu[DLS_MU_ROLL] *= units.length;
    copy->relations[i].mu[DLS_MU_TORSION] *= units.length;
  }
  return dls_operator_create_assembled(rows.contacts, block, rows.start, rows.column, copy->value,
                                       &copy->scaled);
}

DlsStatus bench_in_units(const DlsProblem *problem, BenchUnits units, DlsProblem **out) {
  Copy copy = {0};
  *out = NULL;
  DlsStatus status = fill(problem, units, &copy);
  if (status == DLS_OK)
    status = dls_problem_create(dls_problem_dim(problem), &copy.scaled, copy.q, copy.relations,
                                NULL, out);
  dls_operator_destroy(&copy.assembled);
  free(copy.value);
  free(copy.q);
  free(copy.relations);
  return status;
}
