/* The mass of one rigid body, dense and small: M = L U (Cholesky where M is symmetric), L and U
 * sharing the square roots of the pivots as diagonal, in the place of M: L below the diagonal, U
 * above. */
#ifndef DELASSUS_PROBLEM_OPERATOR_RIGID_MASS_H
#define DELASSUS_PROBLEM_OPERATOR_RIGID_MASS_H

#include <delassus/status.h>
#include <stdbool.h>

enum { DLS_RIGID_MAX_DOF = 64 };

/* M [n][n] becomes its factors; *symmetric tells what it was. `body` stands in the sentence of an M
 * that is not finite, or whose symmetric part is not positive definite. */
DlsStatus dls_rigid_factor(int n, int body, double *M, bool *symmetric);

/* x <- M^-1 x;  x <- U^-1 x. */
void dls_rigid_solve(int n, const double *LU, double *x);
void dls_rigid_solve_upper(int n, const double *LU, double *x);

/* Entry (i, j) of M = L U. */
double dls_rigid_entry(int n, const double *LU, int i, int j);

/* Rows H [rows][n] times U^-1 (upper), or L^-T. */
void dls_rigid_scale_rows(int rows, int n, const double *LU, bool upper, double *H);

#endif
