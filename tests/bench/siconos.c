/* The adaptor of siconos.h: block rows to SparseBlockStructuredMatrix, variants to SolverOptions.
 */
#include "tests/bench/siconos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc2d_compute_error.h>
#include <fc3d_compute_error.h>
#include <rolling_fc3d_compute_error.h>

struct Peer {
  int contacts, block;
  FrictionContactProblem *coulomb;        /* blocks 2 and 3 */
  RollingFrictionContactProblem *rolling; /* block 5 */
  double norm_q;
  double *r, *u; /* [contacts][block], scratch: Siconos takes no const pointers */
};

/* In 2-D and with rolling there is one local solver. "projection" is one projected step and no
 * solution of the one-contact problem: the cheapest sweep, which may never converge. */
static const PeerVariant plain[] = {
    {"default", PEER_KEEP, PEER_KEEP, PEER_KEEP, 0},
};
static const PeerVariant variants_3d[] = {
    {"default", PEER_KEEP, PEER_KEEP, PEER_KEEP, 0},
    {"quartic", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, PEER_KEEP, PEER_KEEP, 0},
    {"quartic_nu", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU, PEER_KEEP, PEER_KEEP, 0},
    {"newton", SICONOS_FRICTION_3D_ONECONTACT_NSN, PEER_KEEP, PEER_KEEP, 0},
    {"newton_gp", SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, PEER_KEEP, PEER_KEEP, 0},
    {"local_iterations", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     PEER_KEEP, PEER_KEEP, 0},
    {"projection", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone, PEER_KEEP, PEER_KEEP, 0},
};

/* Newton on Alart-Curnier's and on Fischer-Burmeister's function, proximal point around Newton,
 * ADMM, fixed point on convex problems, extragradient. Not here: PATH and GAMS, which Debian does
 * not have, and what the published comparison found slower than these. */
static const PeerVariant rivals_2d[] = {
    {"nsgs", PEER_KEEP, PEER_KEEP, PEER_KEEP, 0},
    {"cpg", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_2D_CPG},
    {"lemke", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_2D_LEMKE},
};
static const PeerVariant rivals_3d[] = {
    {"nsgs", PEER_KEEP, PEER_KEEP, PEER_KEEP, 0},
    {"nsgs_quartic", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, PEER_KEEP, PEER_KEEP, 0},
    {"newton_ac", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_NSN_AC},
    {"newton_fb", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_NSN_FB},
    {"prox", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_PROX},
    {"admm", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_ADMM},
    {"aclm", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_ACLMFP},
    {"vi_eg", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_FRICTION_3D_VI_EG},
};
static const PeerVariant rivals_rolling[] = {
    {"nsgs", PEER_KEEP, PEER_KEEP, PEER_KEEP, 0},
    {"admm", PEER_KEEP, PEER_KEEP, PEER_KEEP, SICONOS_ROLLING_FRICTION_3D_ADMM},
};

const PeerVariant *peer_rivals(const Peer *peer, int *count) {
  switch (peer->block) {
  case 2:
    *count = DLS_COUNT(rivals_2d);
    return rivals_2d;
  case 3:
    *count = DLS_COUNT(rivals_3d);
    return rivals_3d;
  default:
    *count = DLS_COUNT(rivals_rolling);
    return rivals_rolling;
  }
}

const PeerVariant *peer_variants(const Peer *peer, int *count) {
  *count = peer->block == 3 ? DLS_COUNT(variants_3d) : DLS_COUNT(plain);
  return peer->block == 3 ? variants_3d : plain;
}

static double *transposed(int block, const double *value) {
  double *copy = malloc((size_t)(block * block) * sizeof *copy);
  if (!copy) return NULL;
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++) copy[i + block * j] = value[block * i + j];
  return copy;
}

/* Everything by malloc and freed by Siconos: NM_free ends a half-made matrix too, nbblocks counting
 * the blocks that are there. */
static DlsStatus fill_blocks(const DlsBlockRows *rows, SparseBlockStructuredMatrix *matrix) {
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
  for (size_t k = 0; k < blocks; k++) {
    matrix->index2_data[k] = (size_t)rows->column[k];
    matrix->block[k] = transposed(rows->block, rows->value + k * block * block);
    DLS_CHECK(matrix->block[k], DLS_ERR_MEMORY, "out of memory for a matrix of Siconos");
    matrix->nbblocks = (unsigned)(k + 1);
  }
  return DLS_OK;
}

/* Its rolling nsgs stops on an assertion with block storage: plain sparse rows there. */
static DlsStatus fill_sparse(const DlsBlockRows *rows, NumericsMatrix *matrix) {
  const int block = rows->block;
  NM_triplet_alloc(matrix, rows->start[rows->contacts] * block * block);
  for (int i = 0; i < rows->contacts; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      const double *value = rows->value + (size_t)k * (size_t)(block * block);
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++)
          NM_entry(matrix, block * i + a, block * rows->column[k] + b, value[block * a + b]);
    }
  return DLS_OK;
}

static bool stated(const DlsRelation *relation, int block) {
  for (int i = 0; i < block; i++)
    if (relation->a[i] != 0 || relation->b[i] != 0 || relation->C[i] != 0) return false;
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
  const double *q = dls_problem_q(problem);
  const size_t n = (size_t)(rows->contacts * rows->block);
  peer->contacts = rows->contacts;
  peer->block = rows->block;
  peer->r = calloc(n, sizeof *peer->r);
  peer->u = calloc(n, sizeof *peer->u);
  NumericsMatrix *M = NM_create(rows->block == 5 ? NM_SPARSE : NM_SPARSE_BLOCK, (int)n, (int)n);
  double *q_copy = copied(n, q), *mu = coefficients(problem, DLS_MU_1);
  if (rows->block == 5) {
    peer->rolling = rollingFrictionContactProblem_new_with_data(5, rows->contacts, M, q_copy, mu,
                                                                coefficients(problem, DLS_MU_ROLL));
  } else {
    peer->coulomb =
        frictionContactProblem_new_with_data(rows->block, rows->contacts, M, q_copy, mu);
  }
  DLS_CHECK(peer->r && peer->u && M && q_copy && mu, DLS_ERR_MEMORY, "out of memory for Siconos");
  for (size_t i = 0; i < n; i++) peer->norm_q = hypot(peer->norm_q, q[i]);
  return rows->block == 5 ? fill_sparse(rows, M) : fill_blocks(rows, M->matrix1);
}

static DlsStatus create(const DlsBlockRows *rows, const DlsProblem *problem, Peer **out) {
  DLS_CHECK(rows->block == 2 || rows->block == 3 || rows->block == 5, DLS_ERR_UNSUPPORTED,
            "Siconos has no problem of block %d", rows->block);
  for (int i = 0; i < rows->contacts; i++)
    DLS_CHECK(stated(dls_problem_relation(problem, i), rows->block), DLS_ERR_UNSUPPORTED,
              "Siconos cannot state the relation of contact %d", i);
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

PeerVariant peer_without_errors(const PeerVariant *variant) {
  PeerVariant silent = *variant;
  silent.evaluation = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  silent.frequency = 1 << 30;
  return silent;
}

static SolverOptions *options_of(const Peer *peer, const PeerVariant *variant) {
  const int solver = variant->solver    ? variant->solver
                     : peer->block == 2 ? SICONOS_FRICTION_2D_NSGS
                     : peer->block == 3 ? SICONOS_FRICTION_3D_NSGS
                                        : SICONOS_ROLLING_FRICTION_3D_NSGS;
  SolverOptions *options = solver_options_create(solver);
  if (variant->local != PEER_KEEP) solver_options_update_internal(options, 0, variant->local);
  if (variant->evaluation != PEER_KEEP)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = variant->evaluation;
  if (variant->frequency != PEER_KEEP)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = variant->frequency;
  return options;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void peer_solve(Peer *peer, const PeerVariant *variant, double tolerance, long max_iterations,
                double *r, PeerRun *run) {
  SolverOptions *options = options_of(peer, variant);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = (int)max_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const double start = seconds();
  switch (peer->block) {
  case 2:
    run->info = fc2d_driver(peer->coulomb, r, peer->u, options);
    break;
  case 3:
    run->info = fc3d_driver(peer->coulomb, r, peer->u, options);
    break;
  default:
    run->info = rolling_fc3d_driver(peer->rolling, r, peer->u, options);
    break;
  }
  run->time_s = seconds() - start;
  run->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  run->claim = options->dparam[SICONOS_DPARAM_RESIDU];
  solver_options_delete(options);
}
