/* Open, slip or stick of the contacts of a step, and the limits of their friction. */
#include "assemble/assemble.h"

#include "base/memory.h"
#include "base/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A force law is asked at a tangential velocity beyond all measure, before and after the step,
 * whose spring or dashpot then gives all that it can; twice as fast it gives the same, or has no
 * limit. N s. */
static double ask_force(const DlsAssembly *a, int i, const double *u, const double *r) {
  const double fast = 1e12; /* m/s */
  const int tangents = a->step.kinematics[i].dim - 1;
  const double length = dls_small_norm(tangents, r + 1);
  double found[2];
  for (int try = 0; try < 2; try++) {
    DlsContact contact = a->step.kinematics[i];
    DlsLawUse use = a->step.use[i];
    double v[DLS_MAX_BLOCK] = {0}, force[DLS_MAX_BLOCK];
    use.kinematics = &contact;
    v[0] = 0.5 * (u[0] + contact.u_before[0]); /* as the explicit scheme asks */
    for (int k = 0; k < tangents; k++) {
      const double along = length > 0 ? -r[1 + k] / length : k == 0;
      v[1 + k] = contact.u_before[1 + k] = (1 + try) * fast * along;
    }
    if (dls_law_force(&use, v, force) != DLS_OK) return NAN;
    found[try] = contact.h * dls_small_norm(tangents, force + 1);
  }
  return fabs(found[1] - found[0]) <= 1e-6 * found[0] ? found[0] : NAN;
}

/* Laws that give forces obey themselves exactly: nothing but round-off is no reaction and no
 * motion. */
static void ask_forces(const DlsAssembly *a, DlsContactStatus *status, double *limit) {
  const double round_off = 1e-13;
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    const double *u = a->solve.u + e, *r = a->solve.r + e, *before = a->step.u_before + e;
    const double speed = dls_small_norm(a->run.block, u) + dls_small_norm(a->run.block, before);
    limit[i] = dls_small_norm(a->run.block, r) > 0 ? ask_force(a, i, u, r) : 0;
    status[i] = dls_errors_status_of(a->step.kinematics[i].dim, a->run.block, u, r, limit[i], 0,
                                     round_off * speed);
  }
}

DlsStatus dls_assemble_status(const DlsAssembly *a, DlsContactStatus *status, double *limit) {
  const size_t n = (size_t)a->step.count * (size_t)a->run.block;
  if (a->step.asked.forces) {
    ask_forces(a, status, limit);
    return DLS_OK;
  }
  if (!n || !a->solve.problem) return DLS_OK;
  double *r;
  DLS_NEW(r, 2 * n);
  memcpy(r, a->solve.r, n * sizeof *r);
  dls_problem_to_standard(a->solve.problem, r);
  dls_problem_standard_velocity(a->solve.problem, r, r + n);
  dls_errors_status(a->solve.problem, r, r + n, status);
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    limit[i] = dls_errors_limit(a->solve.problem, i, r + e, r + n + e);
  }
  free(r);
  return DLS_OK;
}
