/* The adaptor of peer.h: block rows to SparseBlockStructuredMatrix, and Siconos' measure. */
#include "solvers/siconos/peer_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SparseBlockMatrix.h>
#include <fc2d_compute_error.h>
#include <fc3d_compute_error.h>
#include <rolling_fc3d_compute_error.h>

static double *transposed(int block, const double *value) {
  double *copy = malloc((size_t)(block * block) * sizeof *copy);
  if (!copy) return NULL;
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++) copy[i + block * j] = value[block * i + j];
  return copy;
}

/* Block k of row i of Ŵ, whose diagonal blocks are given apart: they hold the compliance. */
static const double *value_at(const DlsBlockRows *rows, const double *diagonal, int i, int k) {
  const size_t size = (size_t)(rows->block * rows->block);
  return rows->column[k] == i ? diagonal + (size_t)i * size : rows->value + (size_t)k * size;
}

/* Everything by malloc and freed by Siconos: NM_free ends a half-made matrix too, nbblocks counting
 * the blocks that are there. */
static DlsStatus fill_blocks(const DlsBlockRows *rows, const double *diagonal,
                             SparseBlockStructuredMatrix *matrix) {
  const unsigned contacts = (unsigned)rows->contacts, block = (unsigned)rows->block;
  const size_t blocks = (size_t)rows->start[contacts];
  matrix->blocknumber0 = matrix->blocknumber1 = contacts;
  matrix->blocksize0 = malloc(contacts * sizeof *matrix->blocksize0);
  matrix->blocksize1 = malloc(contacts * sizeof *matrix->blocksize1);
  matrix->index1_data = malloc((contacts + 1) * sizeof *matrix->index1_data);
  matrix->index2_data = malloc(blocks * sizeof *matrix->index2_data);
  matrix->block = malloc(blocks * sizeof *matrix->block);
  DLS_CHECK(matrix->blocksize0 && matrix->blocksize1 && matrix->index1_data &&
                matrix->index2_data && matrix->block,
            DLS_ERR_MEMORY, "out of memory for %d contacts of Siconos", rows->contacts);
  matrix->filled1 = contacts + 1;
  matrix->filled2 = blocks;
  for (unsigned i = 0; i < contacts; i++) /* cumulated sizes */
    matrix->blocksize0[i] = matrix->blocksize1[i] = (i + 1) * block;
  for (unsigned i = 0; i <= contacts; i++) matrix->index1_data[i] = (size_t)rows->start[i];
  for (int i = 0; i < rows->contacts; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      matrix->index2_data[k] = (size_t)rows->column[k];
      matrix->block[k] = transposed(rows->block, value_at(rows, diagonal, i, k));
      DLS_CHECK(matrix->block[k], DLS_ERR_MEMORY, "out of memory for a matrix of Siconos");
      matrix->nbblocks = (unsigned)(k + 1);
    }
  return DLS_OK;
}

/* Its rolling nsgs stops on an assertion with block storage: plain sparse rows there. */
static DlsStatus fill_sparse(const DlsBlockRows *rows, const double *diagonal,
                             NumericsMatrix *matrix) {
  const int block = rows->block;
  NM_triplet_alloc(matrix, rows->start[rows->contacts] * block * block);
  for (int i = 0; i < rows->contacts; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      const double *value = value_at(rows, diagonal, i, k);
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++)
          NM_entry(matrix, block * i + a, block * rows->column[k] + b, value[block * a + b]);
    }
  return DLS_OK;
}

static bool stated(const DlsRelation *relation, int block) {
  if (relation->associated != 0) return false;
  if (block == 5) return relation->cone == DLS_CONE_ROLLING;
  return relation->cone == DLS_CONE_COULOMB &&
         (block == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2]);
}

static double *copied(size_t count, const double *values) {
  double *copy = malloc(count * sizeof *copy);
  if (copy) memcpy(copy, values, count * sizeof *copy);
  return copy;
}

static double *coefficients(const DlsProblem *problem, int which) {
  const int contacts = dls_problem_contacts(problem);
  double *mu = malloc((size_t)contacts * sizeof *mu);
  for (int i = 0; mu && i < contacts; i++) mu[i] = dls_problem_relation(problem, i)->mu[which];
  return mu;
}

static DlsStatus fill(Peer *peer, const DlsBlockRows *rows, const DlsProblem *problem) {
  const double *q = dls_problem_standard_q(problem);
  const size_t n = (size_t)(rows->contacts * rows->block);
  peer->contacts = rows->contacts;
  peer->block = rows->block;
  peer->r = calloc(n + 1, sizeof *peer->r);
  peer->u = calloc(n + 1, sizeof *peer->u);
  double *diagonal = malloc((n + 1) * (size_t)rows->block * sizeof *diagonal);
  NumericsMatrix *M = NM_create(rows->block == 5 ? NM_SPARSE : NM_SPARSE_BLOCK, (int)n, (int)n);
  double *q_copy = copied(n, q), *mu = coefficients(problem, DLS_MU_1);
  if (rows->block == 5) {
    peer->rolling = rollingFrictionContactProblem_new_with_data(5, rows->contacts, M, q_copy, mu,
                                                                coefficients(problem, DLS_MU_ROLL));
  } else {
    peer->coulomb =
        frictionContactProblem_new_with_data(rows->block, rows->contacts, M, q_copy, mu);
  }
  DlsStatus status = DLS_OK;
  if (!peer->r || !peer->u || !diagonal || !M || !q_copy || !mu)
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for Siconos");
  for (size_t i = 0; i < n; i++) peer->norm_q = hypot(peer->norm_q, q[i]);
  if (status == DLS_OK) {
    dls_problem_standard_diagonal(problem, diagonal);
    status =
        rows->block == 5 ? fill_sparse(rows, diagonal, M) : fill_blocks(rows, diagonal, M->matrix1);
  }
  free(diagonal);
  return status;
}

static DlsStatus create(const DlsBlockRows *rows, const DlsProblem *problem, Peer **out) {
  const int dim = dls_problem_dim(problem);
  DLS_CHECK(rows->contacts > 0, DLS_ERR_SOLVER, "siconos: a problem without contacts is not taken");
  DLS_CHECK(rows->block == (dim == 2 ? 2 : 3) || (dim == 3 && rows->block == 5), DLS_ERR_SOLVER,
            "siconos: there is no problem of %d components a contact in dimension %d", rows->block,
            dim);
  for (int i = 0; i < rows->contacts; i++)
    DLS_CHECK(stated(dls_problem_relation(problem, i), rows->block), DLS_ERR_SOLVER,
              "siconos: it cannot state the relation of contact %d; it knows Coulomb's friction, "
              "isotropic and without dilatancy, and rolling in space",
              i);
  Peer *peer = calloc(1, sizeof *peer);
  DLS_CHECK(peer, DLS_ERR_MEMORY, "out of memory for Siconos");
  numerics_set_verbose(0);
  const DlsStatus status = fill(peer, rows, problem);
  if (status != DLS_OK) peer_destroy(&peer);
  *out = peer;
  return status;
}

DlsStatus peer_create(const DlsProblem *problem, Peer **out) {
  *out = NULL;
  DlsOperator *assembled = NULL;
  DlsBlockRows rows;
  DLS_TRY(dls_operator_rows(dls_problem_operator(problem), &assembled, &rows));
  const DlsStatus status = create(&rows, problem, out);
  dls_operator_destroy(&assembled);
  return status;
}

void peer_destroy(Peer **peer) {
  Peer *p = *peer;
  if (!p) return;
  if (p->coulomb) frictionContactProblem_free(p->coulomb);
  if (p->rolling) rollingFrictionContactProblem_free(p->rolling);
  free(p->r);
  free(p->u);
  free(p);
  *peer = NULL;
}

double peer_error(Peer *peer, const double *r) {
  double error = INFINITY;
  memcpy(peer->r, r, (size_t)(peer->contacts * peer->block) * sizeof *r);
  switch (peer->block) {
  case 2:
    fc2d_compute_error(peer->coulomb, peer->r, peer->u, 0, peer->norm_q, &error);
    break;
  case 3:
    fc3d_compute_error(peer->coulomb, peer->r, peer->u, 0, NULL, peer->norm_q, &error);
    break;
  default:
    rolling_fc3d_compute_error(peer->rolling, peer->r, peer->u, 0, NULL, peer->norm_q, &error);
    break;
  }
  return error;
}
