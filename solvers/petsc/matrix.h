/* Matrices with the pattern of an island's W', and the direct solver that suits them. */
#ifndef DELASSUS_SOLVERS_PETSC_MATRIX_H
#define DELASSUS_SOLVERS_PETSC_MATRIX_H

#include <petscmat.h>

#include <delassus/operator.h>

#include <stdbool.h>

/* W' itself: AIJ with the block size of the problem, each scalar row holding the blocks of its
 * contact in the order of `rows`; or a dense matrix, of zeros. */
PetscErrorCode newton_matrix_create(const DlsBlockRows *rows, bool dense, Mat *out);

/* For PCFactorSetMatSolverType(). */
MatSolverType newton_matrix_solver(Mat A);

#endif
