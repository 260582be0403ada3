/* What the contacts of a step were: open, slip or stick, the limits of their friction, what their
 * laws report, and what they dissipated. */
#include "assemble/assemble.h"

#include "base/memory.h"
#include "base/small.h"
#include "problem/contact_status.h"

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

bool dls_assemble_reports(const DlsAssembly *a, int i) {
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  for (int k = 0; dls_interaction_law(item, k); k++)
    if (dls_interaction_law(item, k)->report) return true;
  return false;
}

/* What laws say of their contacts, limits in the place of what is known. *changed where one says
 * anything else. */
static DlsStatus ask_reports(const DlsAssembly *a, double *limit, DlsLawReports *out,
                             bool *changed) {
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    const double known = limit[i];
    double outputs[DLS_MAX_PARAMS];
    int word = -1;
    if (dls_assemble_reports(a, i)) {
      DlsLawUse use = a->step.use[i];
      use.state = a->step.state + (size_t)i * (size_t)a->run.states;
      DLS_TRY(dls_law_report(&use, a->solve.u + e, a->solve.r + e, &word, &limit[i], outputs));
      if (out && out->outputs)
        memcpy(out->output + (size_t)i * (size_t)out->outputs, outputs,
               (size_t)dls_law_count_outputs(&use) * sizeof *outputs);
    }
    if (out) out->word[i] = word;
    *changed |= limit[i] != known && !(isnan(known) && isnan(limit[i]));
  }
  return DLS_OK;
}

/* Laws that give forces obey themselves exactly: nothing but round-off is no reaction and no
 * motion. */
static DlsStatus ask_forces(const DlsAssembly *a, DlsContactStatus *status, double *limit,
                            DlsLawReports *reports) {
  const double round_off = 1e-13;
  const size_t block = (size_t)a->run.block;
  bool changed = false;
  for (int i = 0; i < a->step.count; i++) {
    const double *u = a->solve.u + (size_t)i * block, *r = a->solve.r + (size_t)i * block;
    limit[i] = dls_small_norm(a->run.block, r) > 0 ? ask_force(a, i, u, r) : 0;
  }
  DLS_TRY(ask_reports(a, limit, reports, &changed));
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * block;
    const double *u = a->solve.u + e, *r = a->solve.r + e, *before = a->step.u_before + e;
    const double speed = dls_small_norm(a->run.block, u) + dls_small_norm(a->run.block, before);
    status[i] = dls_errors_status_of(a->step.kinematics[i].dim, a->run.block, u, r, limit[i], 0,
                                     round_off * speed);
  }
  return DLS_OK;
}

/* r and u are in standard form. A relation without a cone has no limit but the one that is
 * told. */
static DlsStatus judge(const DlsAssembly *a, const double *r, const double *u,
                       DlsContactStatus *status, double *limit, DlsLawReports *reports) {
  bool changed = false;
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    limit[i] = dls_errors_limit(a->solve.problem, i, r + e, u + e);
  }
  dls_errors_status(a->solve.problem, r, u, status);
  DLS_TRY(ask_reports(a, limit, reports, &changed));
  if (!changed) return DLS_OK;
  double *told;
  DLS_NEW(told, a->step.count);
  for (int i = 0; i < a->step.count; i++) {
    const bool free_relation = dls_assemble_relation(a, i)->cone == DLS_CONE_FREE;
    told[i] = free_relation && !dls_assemble_reports(a, i) ? NAN : limit[i];
  }
  dls_status_by_limits(a->solve.problem, r, u, told, status);
  free(told);
  return DLS_OK;
}

DlsStatus dls_assemble_status(const DlsAssembly *a, DlsContactStatus *status, double *limit,
                              DlsLawReports *reports) {
  const size_t n = (size_t)a->step.count * (size_t)a->run.block;
  if (a->step.asked.forces) return ask_forces(a, status, limit, reports);
  if (!n || !a->solve.problem) return DLS_OK;
  double *r;
  DLS_NEW(r, 2 * n);
  memcpy(r, a->solve.r, n * sizeof *r);
  dls_problem_to_standard(a->solve.problem, r);
  dls_problem_standard_velocity(a->solve.problem, r, r + n);
  const DlsStatus outcome = judge(a, r, r + n, status, limit, reports);
  free(r);
  return outcome;
}

/* Whether a law of contact i says what it dissipates. */
static bool tells_energy(const DlsAssembly *a, int i) {
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  for (int k = 0; dls_interaction_law(item, k); k++)
    if (dls_interaction_law(item, k)->energy) return true;
  return false;
}

double dls_assemble_dissipated(const DlsAssembly *a, int i) {
  const size_t e = (size_t)i * (size_t)a->run.block;
  if ((a->step.asked.forces || dls_assemble_may_store(a, i)) && tells_energy(a, i))
    return a->step.dissipated[i];
  double work = 0;
  for (size_t k = e; k < e + (size_t)a->run.block; k++)
    work += 0.5 * a->solve.r[k] * (a->solve.u[k] + a->step.u_before[k]);
  return -work;
}
