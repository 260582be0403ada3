/* One solve: how it is asked for, and what came of it. */
#ifndef DELASSUS_APP_RESULT_H
#define DELASSUS_APP_RESULT_H

#include "app/problem_argument.h"
#include "app/progress.h"
#include "base/json.h"
#include <delassus/errors.h>
#include <delassus/solver.h>

typedef struct {
  const char *problem; /* its name, lent by the problem */
  int contacts, block, dim;
  const char *form; /* of W */
  const char *solver;
  double tolerance;
  DlsMeasure measure;
  DlsReport report;
  double work;      /* all that the solver did, in products with W */
  DlsErrors errors; /* measured from scratch, not by the solver */
} AppResult;

/* Solves from the guess in r, which receives the answer; u, unless NULL, its velocities. */
DlsStatus app_result_solve(const DlsProblem *problem, const DlsSolver *solver, const void *options,
                           const DlsLimits *limits, AppProgress *progress, double *r, double *u,
                           AppResult *out);

/* A page for one result; a head and a row for many. */
void app_result_print(const AppResult *self);
void app_result_table_head(int name_width);
void app_result_table_row(const AppResult *self, int name_width);
void app_result_json(const AppResult *self, DlsJson *json, const char *title);

#endif
