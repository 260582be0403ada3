/* The equations that tie reactions with the same velocities: E r' = E r. Where the operator tells
 * its bodies, their impulses, H^T r' = H^T r, a row for each velocity of a body; else W r' = W r.
 * A component with a compliance C > 0 has a row of its own, r'_c = r_c: there û says what r is.
 * Rows are scaled to a largest entry of 1. */
#ifndef DELASSUS_PROBLEM_FORCES_EQUATIONS_H
#define DELASSUS_PROBLEM_FORCES_EQUATIONS_H

#include <delassus/problem.h>

/* E by columns: column c, a component of a reaction, has the entries start[c] <= k < start[c + 1]
 * in the rows row[k]. */
typedef struct {
  int rows, columns;
  int *start, *row;
  double *value;
} DlsEquations;

/* A zeroed one; ended with dls_equations_clear() whatever is returned. */
DlsStatus dls_equations_make(const DlsProblem *problem, DlsEquations *out);
void dls_equations_clear(DlsEquations *equations);

/* b = E r. */
void dls_equations_apply(const DlsEquations *equations, const double *r, double *b);

/* The columns of another basis: new column j is the sum over k of weight[j][k] times column
 * of[j] * block + k of E. */
DlsStatus dls_equations_combine(const DlsEquations *equations, int block, const int *of,
                                const double *weight, int count, DlsEquations *out);

#endif
