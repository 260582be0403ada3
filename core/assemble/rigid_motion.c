/* Whether the matrix of a body lets it move as a rigid one; see rigid_motion.h. */
#include "assemble/rigid_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of x . M^ x over x . D x, D the diagonal of M^: what of a rigid motion is round-off. */
static const double rigid_share = 1e-12;
enum { RIGID = 6 };

/* Rigid motion m of a mesh, a translation or a turn about the middle, of velocities that are free.
 */
static void rigid_motion(const DlsDeformableMesh *mesh, int m, double *out) {
  const int turns = m - mesh->dim, axis = mesh->dim == 2 ? 2 : turns;
  double middle[3] = {0}, size = 0;
  for (int a = 0; a < mesh->nodes; a++)
    for (int k = 0; k < mesh->dim; k++) middle[k] += mesh->X[a][k] / mesh->nodes;
  for (int a = 0; a < mesh->nodes; a++)
    for (int k = 0; k < mesh->dim; k++) size = fmax(size, fabs(mesh->X[a][k] - middle[k]));
  for (int a = 0; a < mesh->nodes; a++)
    for (int k = 0; k < mesh->dim; k++) {
      const int number = mesh->velocity[a * mesh->dim + k], next = (axis + 1) % 3;
      if (number < 0) continue;
      if (turns < 0)
        out[number] = k == m;
      else if (k != axis)
        out[number] = k == next ? -(mesh->X[a][(axis + 2) % 3] - middle[(axis + 2) % 3]) / size
                                : (mesh->X[a][next] - middle[next]) / size;
    }
}

/* sum over the matrix, or over its diagonal alone, of x_i M^_ij y_j. */
static double product_of(const DlsSparse *M, bool diagonal, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < M->rows; i++)
    for (int e = M->start[i]; e < M->start[i + 1]; e++)
      if (!diagonal || M->column[e] == i) sum += x[i] * M->value[e] * y[M->column[e]];
  return sum;
}

/* Whether a mix of the rigid motions that are free has no more energy than round-off: M^ on them,
 * less the share of the diagonal, is not positive definite. A factor alone does not tell: the pivot
 * that should be 0 may come out as anything. x [count][rows], the motions, is scratch. */
static bool is_rigid(const DlsSparse *M, int count, double *x) {
  const int n = M->rows;
  double A[RIGID][RIGID];
  int kept = 0;
  for (int m = 0; m < count; m++) { /* orthonormal in the diagonal; those that others make up go */
    double *own = x + (size_t)kept * (size_t)n;
    if (kept < m) memmove(own, x + (size_t)m * (size_t)n, (size_t)n * sizeof *own);
    const double whole = product_of(M, true, own, own);
    for (int twice = 0; twice < 2; twice++)
      for (int l = 0; l < kept; l++) {
        const double *other = x + (size_t)l * (size_t)n, share = product_of(M, true, own, other);
        for (int i = 0; i < n; i++) own[i] -= share * other[i];
      }
    const double left = product_of(M, true, own, own);
    if (!(left > 1e-8 * whole)) continue;
    for (int i = 0; i < n; i++) own[i] /= sqrt(left);
    kept++;
  }
  for (int m = 0; m < kept; m++)
    for (int l = 0; l <= m; l++) {
      A[m][l] = product_of(M, false, x + (size_t)m * (size_t)n, x + (size_t)l * (size_t)n) -
                (m == l ? rigid_share : 0);
      for (int j = 0; j < l; j++) A[m][l] -= A[m][j] * A[l][j];
      if (m == l && !(A[m][m] > 0)) return true;
      A[m][l] = m == l ? sqrt(A[m][m]) : A[m][l] / A[l][l];
    }
  return false;
}

DlsStatus dls_rigid_motion_left(const DlsDeformableMesh *mesh, const DlsSparse *M, bool *out) {
  const int count = mesh->dim == 2 ? 3 : RIGID;
  double *x = NULL;
  DLS_NEW(x, (size_t)count * (size_t)M->rows);
  for (int m = 0; m < count; m++) rigid_motion(mesh, m, x + (size_t)m * (size_t)M->rows);
  *out = is_rigid(M, count, x);
  free(x);
  return DLS_OK;
}
