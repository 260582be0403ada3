/* Linear programmes, by COIN-OR's Clp, which is loaded when the first one is opened and never
 * before:
 *
 *   least or largest c.x   over   A x = b,  low <= x
 *
 * One programme is asked with many c, each from the basis of the one before. */
#ifndef DELASSUS_PROBLEM_FORCES_LINEAR_PROGRAM_H
#define DELASSUS_PROBLEM_FORCES_LINEAR_PROGRAM_H

#include <delassus/status.h>

typedef struct DlsLinearProgram DlsLinearProgram;

/* A by columns: of column j the entries start[j] <= k < start[j + 1], in the rows row[k]. `low`
 * [columns]: 0 or -INFINITY. All is copied. */
DlsStatus dls_linear_program_open(int rows, int columns, const int *start, const int *row,
                                  const double *value, const double *b, const double *low,
                                  DlsLinearProgram **out);
void dls_linear_program_close(DlsLinearProgram **program);

typedef enum { DLS_PROGRAM_SOLVED, DLS_PROGRAM_EMPTY, DLS_PROGRAM_UNLIMITED } DlsProgramOutcome;

/* The least c.x for sense 1, the largest for -1; *value only where it is solved. x [columns],
 * unless NULL: where it is taken. */
DlsStatus dls_linear_program_solve(DlsLinearProgram *self, const double *c, int sense,
                                   DlsProgramOutcome *outcome, double *value, double *x);

#endif
