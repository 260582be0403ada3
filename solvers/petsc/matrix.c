#include "solvers/petsc/matrix.h"

static PetscErrorCode create_sparse(const DlsBlockRows *rows, Mat *out) {
  const PetscInt block = rows->block, n = rows->contacts * block;
  PetscInt *counts;
  PetscCall(PetscMalloc1(n, &counts));
  for (int i = 0; i < rows->contacts; i++)
    for (int k = 0; k < block; k++)
      counts[i * block + k] = (rows->start[i + 1] - rows->start[i]) * block;
  PetscCall(MatCreate(PETSC_COMM_SELF, out));
  PetscCall(MatSetSizes(*out, n, n, n, n));
  PetscCall(MatSetBlockSize(*out, block));
  PetscCall(MatSetType(*out, MATSEQAIJ));
  PetscCall(MatSeqAIJSetPreallocation(*out, 0, counts));
  PetscCall(PetscFree(counts));
  for (PetscInt i = 0; i < rows->contacts; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      const PetscInt column = rows->column[k];
      PetscCall(MatSetValuesBlocked(*out, 1, &i, 1, &column,
                                    rows->value + (size_t)k * (size_t)(block * block),
                                    INSERT_VALUES));
    }
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  return 0;
}

PetscErrorCode newton_matrix_create(const DlsBlockRows *rows, bool dense, Mat *out) {
  const PetscInt n = rows->contacts * rows->block;
  if (!dense) return create_sparse(rows, out);
  return MatCreateSeqDense(PETSC_COMM_SELF, n, n, NULL, out);
}

/* Both pivot. KLU is twice as fast on the sparse matrices of 2-D, UMFPACK on those of 3-D. */
MatSolverType newton_matrix_solver(Mat A) {
  const double few = 24; /* entries of a row */
  MatInfo info;
  PetscInt rows = 1;
  if (MatGetInfo(A, MAT_LOCAL, &info) || MatGetSize(A, &rows, NULL)) return MATSOLVERUMFPACK;
  return info.nz_used < few * rows ? MATSOLVERKLU : MATSOLVERUMFPACK;
}
