/* explicit: x_M = x + h/2 v; M (v+ - v) = h F(x_M, v_M) + h H^T f, f the forces of the laws at x_M
 * and v_M = v + h/2 M^-1 (F + H^T f(x_M, v)); x+ = x_M + h/2 v+: velocity Verlet, its kicks in the
 * middle of the step, where one detection serves (Molecular Dynamics). */
#include "step/step_impl.h"

static DlsStatus check_law(const DlsScheme *scheme, const DlsLaw *law) {
  DLS_CHECK(law->force || law->traction, DLS_ERR_LAW,
            "the contact law '%s' gives no force, which the %s scheme needs; take "
            "spring-dashpot, or set time.scheme to moreau or euler",
            law->name, scheme->name);
  return DLS_OK;
}

static double after(double theta, double h) {
  (void)theta;
  return 0.5 * h;
}

/* r = h f(gap, u), at velocities u. */
static DlsStatus apply(DlsSimulation *s, const double *u) {
  DlsAssembly *a = &s->last.assembly;
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    DLS_TRY(dls_law_force(&a->step.use[i], u + e, a->solve.r + e));
    for (int k = 0; k < a->run.block; k++) a->solve.r[e + (size_t)k] *= s->settings.h;
  }
  return DLS_OK;
}

/* A force that depends on the velocity meets that of the middle, (v + v+)/2, with v+ from the force
 * at v: of second order, as the scheme is without it. */
static DlsStatus evaluate(DlsSimulation *s) {
  DlsAssembly *a = &s->last.assembly;
  s->last.report.contacts = a->step.count;
  s->last.report.active = 0;
  if (a->step.count == 0) return DLS_OK;
  DLS_TRY(dls_stiffness_check(s));
  DLS_TRY(apply(s, a->step.u_before));
  dls_problem_velocity(a->solve.problem, a->solve.r, a->solve.u);
  for (size_t e = 0; e < (size_t)a->step.count * (size_t)a->run.block; e++)
    a->solve.u[e] = 0.5 * (a->solve.u[e] + a->step.u_before[e]);
  DLS_TRY(apply(s, a->solve.u));
  dls_problem_velocity(a->solve.problem, a->solve.r, a->solve.u);
  for (int i = 0; i < a->step.count; i++)
    s->last.report.active += a->solve.r[(size_t)i * (size_t)a->run.block] != 0;
  return DLS_OK;
}

/* The laws of springs and dashpots say themselves what they keep and what they lose. */
static DlsStatus account(DlsSimulation *s, const double gravity[3], const DlsStepPlan *plan) {
  DlsAssembly *a = &s->last.assembly;
  DlsLedger *ledger = &s->state.ledger;
  dls_ledger_add_boundaries(s);
  ledger->stored = 0;
  for (int i = 0; i < a->step.count; i++) {
    const size_t e = (size_t)i * (size_t)a->run.block;
    double stored, dissipated;
    DLS_TRY(dls_law_energy(&a->step.use[i], a->solve.u + e, a->solve.r + e, &stored, &dissipated));
    ledger->stored += stored;
    ledger->dissipated += dissipated;
    ledger->dissipated_by[s->settings.laws.item[a->step.interaction[i]].account] += dissipated;
    a->step.dissipated[i] = dissipated;
  }
  dls_ledger_add_loads(s, gravity, plan);
  return DLS_OK;
}

const DlsScheme dls_scheme_explicit = {
    DLS_SCHEME_HEAD(explicit),
    .asks = DLS_ASKS_FORCES,
    .loads = DLS_LOADS_ARE_FORCES,
    .check_law = check_law,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = dls_scheme_accelerate,
    .seek = dls_scheme_seek_closed,
    .impulses = evaluate,
    .account = account,
    .stable_step = dls_stiffness_longest,
};
