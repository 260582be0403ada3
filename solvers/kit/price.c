/* Prices by the size of islands, dimension and blocks a row; price.h says what for. */
#include "solvers/kit/price.h"

#include <delassus/islands.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

#include <math.h>
#include <stdlib.h>

/* Seconds of one Newton iteration on an island. Up to 150 unknowns dense: 21, 58 and 140 us were
 * measured for 64, 99 and 135. Beyond, writing the matrix, and factors of UMFPACK by a fit to
 * spheres in 3-D (0.16 s for 1936 contacts, 20 ms for 570, 2.6 ms for 256, 2.8 ms for 112 of 20
 * blocks a row) and to disks (17 ms for 7000 of 4.5). */
static double newton_seconds(int contacts, int block, double blocks) {
  const double n = (double)contacts * block, write = 1e-7 * n * blocks;
  if (contacts == 1) return 0;
  if (n <= 150) return 1e-7 * n + 5e-11 * n * n * n;
  if (block == 2) return write + 0.01 * pow(contacts / 7000.0, 1.5) * pow(blocks / 4.5, 2);
  return write + 0.2 * pow(n / 7200.0, 2) * pow(blocks / 10, 2);
}

double dls_price_factor_flops(int contacts, int block, double blocks_per_row) {
  return 1e9 * newton_seconds(contacts, block, blocks_per_row);
}

double dls_price_sweep(const DlsProblem *problem) {
  const int block = dls_problem_block(problem);
  return dls_problem_contacts(problem) * (block == 2 ? 20e-9 : block == 3 ? 40e-9 : 400e-9);
}

/* Seconds of an iteration of interior points: writing the matrix of the bodies, its factor and some
 * solves. 0.08 s were measured for 6300 contacts of 321 bodies, 0.27 s for 9900 of 1012. Asked only
 * where reactions are so many more than velocities that they are not unique. */
static double interior_seconds(const DlsProblem *problem) {
  const DlsOperator *W = dls_problem_operator(problem);
  const int contacts = dls_operator_contacts(W), block = dls_operator_block(W);
  const double velocities = dls_operator_freedom(W), more = 1.5;
  if (!dls_operator_has_parts(W) || block != dls_problem_dim(problem) ||
      (double)contacts * block < more * velocities)
    return 0;
  for (int i = 0; i < contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    const bool circle = block == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2];
    if (relation->cone != DLS_CONE_SIGNORINI && !(relation->cone == DLS_CONE_COULOMB && circle))
      return 0;
  }
  return 8e-6 * contacts + 4e-7 * pow(velocities, 1.5);
}

static DlsStatus count_islands(const DlsOperator *W, int *island, int *size, int *islands) {
  const int contacts = dls_operator_contacts(W);
  DLS_TRY(dls_islands_find(W, island, islands));
  for (int i = 0; i < contacts; i++) size[island[i]]++;
  return DLS_OK;
}

/* work: two numbers for each contact, zero. */
static DlsStatus estimate(const DlsOperator *W, int *work, DlsPrice *out) {
  const int contacts = dls_operator_contacts(W), block = dls_operator_block(W);
  int islands = 0;
  double blocks;
  DLS_TRY(count_islands(W, work, work + contacts, &islands));
  DLS_TRY(dls_operator_count_blocks(W, &blocks));
  for (int k = 0; k < islands; k++) {
    const int size = work[contacts + k];
    const double time = newton_seconds(size, block, blocks);
    out->islands += size > 1;
    if (size > out->most) out->most = size;
    out->direct += time;
    out->largest = fmax(out->largest, time);
  }
  return DLS_OK;
}

DlsStatus dls_price_estimate(const DlsProblem *problem, DlsPrice *out) {
  const DlsOperator *W = dls_problem_operator(problem);
  const size_t contacts = (size_t)dls_operator_contacts(W);
  *out = (DlsPrice){.sweep = dls_price_sweep(problem)};
  if (contacts == 0) return DLS_OK;
  out->interior = interior_seconds(problem);
  int *work = dls_memory_array(2 * contacts, sizeof *work);
  const DlsStatus status =
      work ? estimate(W, work, out)
           : dls_fail(DLS_ERR_MEMORY, "out of memory to price %zu contacts", contacts);
  free(work);
  return status;
}
