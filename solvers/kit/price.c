/* Prices by the size of islands, dimension and blocks a row; price.h says what for. */
#include "solvers/kit/price.h"

#include <delassus/islands.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

#include <math.h>
#include <stdlib.h>

/* Nanoseconds a contact, of each kind of iteration, medians over the tuned half of
 * tests/bench/families.c, one core. Contacts that roll are dear one by one, in sweeps, and cheap
 * together: their one-contact problem is solved by iterations, their cone is projected on in closed
 * form. */
typedef struct {
  double sweep; /* one-contact problems in turn */
  double step;  /* a product with W, a projection, and vectors */
  double split; /* the same with a solve by a factor in the place of the product */
} ContactPrice;

static ContactPrice contact_price(const DlsProblem *problem) {
  static const ContactPrice disks = {16, 21, 38}, spheres = {29, 44, 85},
                            rolling_disks = {185, 90, 90}, rolling = {480, 150, 180};
  const int block = dls_problem_block(problem), dim = dls_problem_dim(problem);
  return block == dim ? (dim == 2 ? disks : spheres) : dim == 2 ? rolling_disks : rolling;
}

/* Seconds of the factors of a matrix with the pattern of W: writing it, and factors of UMFPACK by a
 * fit to spheres in 3-D (0.16 s for 1936 contacts, 20 ms for 570, 2.6 ms for 256, 2.8 ms for 112 of
 * 20 blocks a row) and to disks (17 ms for 7000 of 4.5). Up to 150 unknowns dense: 21, 58 and 140
 * us were measured for 64, 99 and 135. */
static double factor_seconds(int contacts, int block, double blocks) {
  const double n = (double)contacts * block, write = 1e-7 * n * blocks;
  if (contacts == 1) return 0;
  if (n <= 150) return 1e-7 * n + 5e-11 * n * n * n;
  if (block == 2) return write + 0.01 * pow(contacts / 7000.0, 1.5) * pow(blocks / 4.5, 2);
  return write + 0.2 * pow(n / 7200.0, 2) * pow(blocks / 10, 2);
}

/* Those of one Newton iteration on an island, all but factors included. Where the bodies are known
 * and the island is not dense its factor is of their velocities (solvers/newton/reduced.c), which
 * where contacts are many are few: 0.8 ms for 364 contacts of 27 blocks a row on 52 bodies, of W
 * itself it would be 40. */
static double newton_seconds(const DlsOperator *W, int contacts, double blocks) {
  const int block = dls_operator_block(W), all = dls_operator_contacts(W);
  const double n = (double)contacts * block, own = factor_seconds(contacts, block, blocks);
  if (contacts > 1 && n <= 150) return 3.5e-7 * n + 1.7e-11 * n * n * n; /* dense */
  if (contacts == 1 || !dls_operator_has_parts(W)) return own;
  const double velocities = dls_operator_freedom(W) * (double)contacts / all;
  const double fill = block == 2 ? fmin(velocities, 21 * sqrt(velocities)) : velocities;
  return fmin(own, n * (3e-7 + 2.2e-9 * fill * fmin(1, pow(blocks / 8, 2))));
}

double dls_price_factor_flops(int contacts, int block, double blocks_per_row) {
  return 1e9 * factor_seconds(contacts, block, blocks_per_row);
}

double dls_price_sweep(const DlsProblem *problem) {
  return 1e-9 * dls_problem_contacts(problem) * contact_price(problem).sweep;
}

/* Seconds of an iteration of interior points: writing the rows, and the factor of the matrix of the
 * bodies, of which neighbours in space are coupled, with some solves. Iterations 3 to 8 of walls of
 * 3120, 13,925 and 15,424 contacts took 10, 45 and 52 to 65 ms (the model: 10, 40, 42), of an
 * aqueduct of 6307 15 ms (12), of spheres in a box, 971, 4164 and 8341 contacts, 8, 36 and 118 ms
 * (9, 71, 196); pyramids of spheres three times the model. Asked only where reactions are so many
 * more than velocities that they are not unique. */
static double interior_seconds(const DlsProblem *problem) {
  const DlsOperator *W = dls_problem_operator(problem);
  const int contacts = dls_operator_contacts(W), block = dls_operator_block(W);
  const double velocities = dls_operator_freedom(W), more = 1.2;
  if (!dls_operator_has_parts(W) || block != dls_problem_dim(problem) ||
      (double)contacts * block < more * velocities)
    return 0;
  for (int i = 0; i < contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    const bool circle = block == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2];
    if (relation->cone != DLS_CONE_SIGNORINI && !(relation->cone == DLS_CONE_COULOMB && circle))
      return 0;
  }
  const double factor = block == 2 ? 1e-8 : 5e-8;
  return 4e-7 * contacts * block + factor * pow(velocities, 1.5);
}

static DlsStatus count_islands(const DlsOperator *W, int *island, int *size, int *islands) {
  const int contacts = dls_operator_contacts(W);
  DLS_TRY(dls_islands_find(W, island, islands));
  for (int i = 0; i < contacts; i++) size[island[i]]++;
  return DLS_OK;
}

/* work: two numbers for each contact, zero. */
static DlsStatus estimate(const DlsOperator *W, int *work, DlsPrice *out) {
  const int contacts = dls_operator_contacts(W);
  int islands = 0;
  double blocks;
  DLS_TRY(count_islands(W, work, work + contacts, &islands));
  DLS_TRY(dls_operator_count_blocks(W, &blocks));
  out->blocks = blocks;
  for (int k = 0; k < islands; k++) {
    const int size = work[contacts + k];
    const double time = newton_seconds(W, size, blocks);
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
  const ContactPrice each = contact_price(problem);
  *out = (DlsPrice){.sweep = 1e-9 * (double)contacts * each.sweep,
                    .step = 1e-9 * (double)contacts * each.step,
                    .split = 1e-9 * (double)contacts * each.split};
  if (contacts == 0) return DLS_OK;
  out->interior = interior_seconds(problem);
  int *work = dls_memory_array(2 * contacts, sizeof *work);
  const DlsStatus status =
      work ? estimate(W, work, out)
           : dls_fail(DLS_ERR_MEMORY, "out of memory to price %zu contacts", contacts);
  free(work);
  return status;
}
