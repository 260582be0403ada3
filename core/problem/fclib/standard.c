/* The standard form in FCLIB files. FCLIB knows u = W r + q and Coulomb's cone, so that a problem
 * with a, b or C is written as what solvers solve (problem.h):
 *   /fclib_local          Ŵ = W + C,  q̂ = q + b - Ŵ a
 *   /solution, /guesses   r̂ = r + a,  û = u + b + C r
 * which any program reads as the problem that it is. Beside it the group /delassus holds what gives
 * back the physical problem to the last bit:
 *   standard              int [1], 1; absent in older files, whose /fclib_local is W and q
 *   q, W_diagonal         [contacts][block]: q, and the diagonal of W without C
 *   r, u, guess           [contacts][block]: the solution and the start, where they are there
 * Numbers of /fclib_local that another program has changed do not belong to these any more: such a
 * file is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/fclib/fclib_impl.h"

#define GROUP "/delassus"

bool dls_fclib_is_standard(const DlsProblem *problem) {
  const int block = dls_problem_block(problem);
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    for (int k = 0; k < block; k++)
      if (relation->a[k] != 0 || relation->b[k] != 0 || relation->C[k] != 0) return false;
  }
  return true;
}

void dls_fclib_to_standard(const DlsProblem *problem, const double *r, const double *u,
                           double *r_hat, double *u_hat) {
  const int block = dls_problem_block(problem);
  for (int e = 0; e < dls_problem_contacts(problem) * block; e++) {
    const DlsRelation *relation = dls_problem_relation(problem, e / block);
    r_hat[e] = r[e] + relation->a[e % block];
    if (u) u_hat[e] = u[e] + relation->b[e % block] + relation->C[e % block] * r[e];
  }
}

static void from_standard(const DlsProblem *problem, double *r, double *u) {
  const int block = dls_problem_block(problem);
  for (int e = 0; e < dls_problem_contacts(problem) * block; e++) {
    const DlsRelation *relation = dls_problem_relation(problem, e / block);
    if (r) r[e] -= relation->a[e % block];
    if (r && u) u[e] -= relation->b[e % block] + relation->C[e % block] * r[e];
  }
}

DlsStatus dls_fclib_write_standard(const char *path, hid_t group, const DlsProblem *problem,
                                   const double *diagonal, const double *r, const double *u,
                                   const double *guess) {
  const int size = dls_problem_contacts(problem) * dls_problem_block(problem), yes = 1;
  DLS_TRY(dls_h5_write_ints(path, group, "standard", 1, &yes));
  DLS_TRY(dls_h5_write_reals(path, group, "q", size, dls_problem_q(problem)));
  DLS_TRY(dls_h5_write_reals(path, group, "W_diagonal", size, diagonal));
  if (r) DLS_TRY(dls_h5_write_reals(path, group, "r", size, r));
  if (r) DLS_TRY(dls_h5_write_reals(path, group, "u", size, u));
  if (guess) DLS_TRY(dls_h5_write_reals(path, group, "guess", size, guess));
  return DLS_OK;
}

DlsStatus dls_fclib_find_standard(const DlsH5File *file, bool *standard) {
  bool found;
  int value = 0;
  *standard = false;
  DLS_TRY(dls_h5_find(file, GROUP, NULL, &found));
  if (found) DLS_TRY(dls_h5_find(file, GROUP, "standard", &found));
  if (!found) return DLS_OK;
  DLS_TRY(dls_h5_read_int(file, GROUP, "standard", &value));
  DLS_CHECK(value == 0 || value == 1, DLS_ERR_FORMAT, "%s: " GROUP "/standard: is %d, not 0 or 1",
            file->path, value);
  *standard = value == 1;
  return DLS_OK;
}

static DlsStatus restore_diagonal(const DlsH5File *file, int block, const DlsRelation *relations,
                                  const double *diagonal, DlsSparse *W) {
  for (int row = 0; row < W->rows; row++)
    for (int k = W->start[row]; k < W->start[row + 1]; k++) {
      if (W->column[k] != row) continue;
      DLS_CHECK(diagonal[row] + relations[row / block].C[row % block] == W->value[k],
                DLS_ERR_FORMAT,
                "%s: " GROUP "/W_diagonal: entry %d and C do not add up to that of /fclib_local/W, "
                "which has been changed; remove the group " GROUP,
                file->path, row);
      W->value[k] = diagonal[row];
    }
  return DLS_OK;
}

DlsStatus dls_fclib_restore(const DlsH5File *file, int block, const DlsRelation *relations,
                            DlsSparse *W, double **q) {
  double *diagonal = NULL, *physical = NULL;
  DLS_TRY(
      dls_h5_read_reals(file, GROUP, "W_diagonal", W->rows, W->rows, "the rows of W", &diagonal));
  DlsStatus status =
      dls_h5_read_reals(file, GROUP, "q", W->rows, W->rows, "the rows of W", &physical);
  if (status == DLS_OK) status = restore_diagonal(file, block, relations, diagonal, W);
  free(diagonal);
  if (status != DLS_OK) {
    free(physical);
    return status;
  }
  free(*q);
  *q = physical;
  return DLS_OK;
}

/* q̂ is known to the rounding of Ŵ a, which went into it. */
DlsStatus dls_fclib_check_standard(const DlsH5File *file, const double *q_hat,
                                   const DlsProblem *problem) {
  const int block = dls_problem_block(problem), size = dls_problem_contacts(problem) * block;
  const double *q = dls_problem_q(problem), *made = dls_problem_standard_q(problem);
  double scale = 0, apart = 0;
  int worst = 0;
  for (int e = 0; e < size; e++) {
    scale = fmax(scale, fmax(fabs(q[e]), fmax(fabs(made[e]), fabs(q_hat[e]))));
    scale = fmax(scale, fabs(dls_problem_relation(problem, e / block)->b[e % block]));
    if (fabs(made[e] - q_hat[e]) > apart) apart = fabs(made[e] - q_hat[e]), worst = e;
  }
  DLS_CHECK(apart <= 1e-10 * scale, DLS_ERR_FORMAT,
            "%s: " GROUP
            "/q: entry %d does not give the q of /fclib_local, which has been changed; "
            "remove the group " GROUP,
            file->path, worst);
  return DLS_OK;
}

/* A vector of /delassus where it is there; else *out stays NULL. */
static DlsStatus read_own(const DlsH5File *file, const char *name, int size, double **out) {
  bool found;
  *out = NULL;
  DLS_TRY(dls_h5_find(file, GROUP, name, &found));
  if (!found) return DLS_OK;
  return dls_h5_read_reals(file, GROUP, name, size, size, "one block per contact", out);
}

/* r and u as they were, where they are what r̂ and û were made of; else what these give. */
static DlsStatus restore_pair(const DlsProblem *problem, const double *own_r, const double *own_u,
                              double *r, double *u) {
  const size_t size = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  if (!r) return DLS_OK;
  double *made;
  DLS_NEW(made, 2 * size);
  bool same = own_r != NULL;
  if (same) {
    dls_fclib_to_standard(problem, own_r, u ? own_u : NULL, made, made + size);
    same = memcmp(made, r, size * sizeof *r) == 0;
    if (u) same = same && own_u && memcmp(made + size, u, size * sizeof *u) == 0;
  }
  if (same) {
    memcpy(r, own_r, size * sizeof *r);
    if (u) memcpy(u, own_u, size * sizeof *u);
  } else {
    from_standard(problem, r, u);
  }
  free(made);
  return DLS_OK;
}

DlsStatus dls_fclib_restore_extra(const DlsH5File *file, const DlsProblem *problem,
                                  DlsFclibExtra *extra) {
  const int size = dls_problem_contacts(problem) * dls_problem_block(problem);
  double *r = NULL, *u = NULL, *guess = NULL, *start = NULL;
  DlsStatus status = read_own(file, "r", size, &r);
  if (status == DLS_OK) status = read_own(file, "u", size, &u);
  if (status == DLS_OK) status = read_own(file, "guess", size, &guess);
  if (status == DLS_OK)
    status = restore_pair(problem, u ? r : NULL, u, extra->solution_r, extra->solution_u);
  if (status == DLS_OK && guess) {
    start = dls_memory_array((size_t)size, sizeof *start);
    if (!start) status = dls_fail(DLS_ERR_MEMORY, "%s: no memory", file->path);
    if (start) dls_problem_velocity(problem, guess, start);
  }
  for (int k = 0; k < extra->guesses && status == DLS_OK; k++)
    status =
        restore_pair(problem, k == 0 ? guess : NULL, start, extra->guess_r[k], extra->guess_u[k]);
  free(r);
  free(u);
  free(guess);
  free(start);
  return status;
}
