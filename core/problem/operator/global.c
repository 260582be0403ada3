/* The operator of a global problem. A block-diagonal M gives the factored form, with one "body" per
 * block and, for each contact, the bodies that its rows of H touch; any other M the coupled form.
 */
#include "base/memory.h"
#include "problem/operator/coupled.h"
#include "problem/operator/sparse.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_block_diagonal(const DlsSparse *M, int dof) {
  if (M->rows % dof != 0) return false;
  for (int i = 0; i < M->rows; i++)
    for (int k = M->start[i]; k < M->start[i + 1]; k++)
      if (M->column[k] / dof != i / dof && M->value[k] != 0) return false;
  return true;
}

/* The supports of a grouping by dof: body[] of each contact in turn, unless NULL, and their number.
 * `seen` is scratch, one per body, all -1; it is left with the last contact that touched each. */
static long long list_supports(const DlsSparse *H, int contacts, int block, int dof, int *seen,
                               int *start, int *body) {
  long long count = 0;
  for (int i = 0; i < contacts; i++) {
    for (int k = H->start[i * block]; k < H->start[(i + 1) * block]; k++) {
      const int touched = H->column[k] / dof;
      if (H->value[k] == 0 || seen[touched] == i) continue;
      seen[touched] = i;
      if (body) body[count] = touched;
      count++;
    }
    if (start) start[i + 1] = (int)count;
  }
  return count;
}

/* The grouping of velocities into bodies: of those that leave M block-diagonal the largest, unless
 * a smaller one saves a third of H (planar bodies of 3 also pass as pairs of 6). 0 when there is
 * none. */
static int choose_dof(const DlsSparse *M, const DlsSparse *H, int contacts, int block, int *seen) {
  static const int sizes[] = {6, 3, 2, 1};
  double best = 0;
  int chosen = 0;
  for (int s = 0; s < DLS_COUNT(sizes); s++) {
    const int dof = sizes[s];
    if (!is_block_diagonal(M, dof)) continue;
    for (int k = 0; k < M->rows; k++) seen[k] = -1;
    const double cost =
        (double)dof * (double)list_supports(H, contacts, block, dof, seen, NULL, NULL);
    if (chosen && cost > 0.67 * best) continue;
    best = cost;
    chosen = dof;
  }
  return chosen;
}

typedef struct {
  int *seen, *start, *body, *slot;
  double *rows, *mass;
} Supports;

static void supports_clear(Supports *a) {
  free(a->seen);
  free(a->start);
  free(a->body);
  free(a->slot);
  free(a->rows);
  free(a->mass);
}

/* Dense block x dof pieces of H, one per support. */
static void gather_rows(const DlsSparse *H, int contacts, int block, int dof, Supports *a) {
  for (int i = 0; i < contacts; i++) {
    for (int s = a->start[i]; s < a->start[i + 1]; s++) a->slot[a->body[s]] = s;
    for (int c = 0; c < block; c++)
      for (int k = H->start[i * block + c]; k < H->start[i * block + c + 1]; k++) {
        if (H->value[k] == 0) continue;
        const size_t s = (size_t)a->slot[H->column[k] / dof];
        a->rows[(s * (size_t)block + (size_t)c) * (size_t)dof + (size_t)(H->column[k] % dof)] =
            H->value[k];
      }
  }
}

static DlsStatus create_factored(const DlsSparse *M, const DlsSparse *H, int contacts, int block,
                                 int dof, Supports *a, DlsOperator **out) {
  const int bodies = M->rows / dof;
  DLS_NEW(a->start, contacts + 1);
  DLS_NEW(a->body, H->start[H->rows]);
  DLS_NEW(a->slot, bodies);
  for (int k = 0; k < bodies; k++) a->seen[k] = -1;
  list_supports(H, contacts, block, dof, a->seen, a->start, a->body);
  DLS_NEW(a->rows, (size_t)a->start[contacts] * (size_t)(block * dof));
  gather_rows(H, contacts, block, dof, a);
  DLS_NEW(a->mass, (size_t)bodies * (size_t)(dof * dof));
  for (int i = 0; i < M->rows; i++)
    for (int k = M->start[i]; k < M->start[i + 1]; k++)
      if (M->column[k] / dof == i / dof)
        a->mass[(size_t)i * (size_t)dof + (size_t)(M->column[k] % dof)] = M->value[k];
  return dls_operator_create_factored(contacts, block, bodies, dof, a->start, a->body, a->rows,
                                      a->mass, out);
}

static DlsStatus create(const DlsSparse *M, const DlsSparse *H, int contacts, int block,
                        Supports *a, DlsOperator **out) {
  DLS_NEW(a->seen, M->rows);
  const int dof = choose_dof(M, H, contacts, block, a->seen);
  if (dof) return create_factored(M, H, contacts, block, dof, a, out);
  DlsInertia *inertia;
  DlsSparse copy = {0};
  DLS_TRY(dls_inertia_create(&inertia));
  DlsStatus status = dls_inertia_add_sparse(inertia, M);
  if (status == DLS_OK) status = dls_sparse_copy(H, &copy);
  if (status == DLS_OK) status = dls_operator_create_coupled(contacts, block, inertia, &copy, out);
  dls_inertia_destroy(&inertia);
  return status;
}

DlsStatus dls_operator_create_global(int contacts, int block, const DlsSparse *M,
                                     const DlsSparse *H, DlsOperator **out) {
  *out = NULL;
  DLS_TRY(dls_operator_check_shape(contacts, block));
  DLS_TRY(dls_sparse_check(M, "M"));
  DLS_TRY(dls_sparse_check(H, "H"));
  DLS_CHECK(M->rows == M->columns, DLS_ERR_ARGUMENT, "M is %d x %d; it must be square", M->rows,
            M->columns);
  DLS_CHECK(H->rows == contacts * block && H->columns == M->rows, DLS_ERR_ARGUMENT,
            "H is %d x %d; it must be %d x %d", H->rows, H->columns, contacts * block, M->rows);
  Supports supports = {0};
  const DlsStatus status = create(M, H, contacts, block, &supports, out);
  supports_clear(&supports);
  return status;
}
