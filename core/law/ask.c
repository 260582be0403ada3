/* Every call of a law's functions, one line each: under the guard where one stands (base/guard.h),
 * so that a law that dies there is a law that failed. */
#include <stdio.h>

#include "base/guard.h"
#include "law/failure.h"
#include "law/law_impl.h"

/* Of the last law that died in this thread. */
static _Thread_local char sentence[1024];

DlsStatus dls_law_guard(double seconds) {
  DLS_CHECK(seconds >= 0 && seconds <= 1e6, DLS_ERR_ARGUMENT,
            "a call of a law may last %g s; give 0 (no limit) to 1e6", seconds);
  return dls_guard_begin(&(DlsGuardOptions){.seconds = seconds});
}

void dls_law_unguard(void) { dls_guard_end(); }

#define RARE __attribute__((noinline, cold))

RARE DlsStatus dls_law_dead(void) { return dls_fail(DLS_ERR_LAW, "%s", sentence); }

RARE static DlsStatus tell_death(const DlsLawUse *use, const char *function) {
  const DlsContact *c = use->kinematics;
  char how[160];
  dls_guard_describe(how, sizeof how);
  if (c)
    dls_fail(DLS_ERR_LAW, "%s %s, at t = %g s, gap %g m", function, how, c->time, c->gap);
  else
    dls_fail(DLS_ERR_LAW, "%s %s", function, how);
  dls_law_blame(use);
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  dls_guard_keep_words(sentence);
  return DLS_ERR_LAW;
}

/* dls_law_ask_NAME(use, arguments): what law.h has behind `params` and `state`. */
#define ASK(name, parameters, ...)                                                                 \
  DlsStatus dls_law_ask_##name parameters {                                                        \
    DLS_GUARD(guard, return dls_law_dead(), return tell_death(use, #name));                        \
    const DlsStatus answer = use->law->name(use->kinematics, use->params, __VA_ARGS__);            \
    DLS_GUARD_END(guard);                                                                          \
    return answer == DLS_OK ? DLS_OK : dls_law_check_status(use, #name, answer);                   \
  }

ASK(orient, (const DlsLawUse *use, double t1[3]), t1)
ASK(begin, (const DlsLawUse *use, double *state), state)
ASK(prepare, (const DlsLawUse *use, DlsRelation *out), use->state, out)
ASK(residual,
    (const DlsLawUse *use, const double *u, const double *r, double *F, double *dF_du,
     double *dF_dr),
    use->state, u, r, F, dF_du, dF_dr)
ASK(solve, (const DlsLawUse *use, const double *D, const double *q, double *r), use->state, D, q, r)
ASK(project, (const DlsLawUse *use, const double *u, double rho, double *r), use->state, u, rho, r)
ASK(force, (const DlsLawUse *use, const double *u, double *force), use->state, u, force)
ASK(commit, (const DlsLawUse *use, const double *u, const double *r, double *state), u, r, state)
ASK(energy,
    (const DlsLawUse *use, const double *u, const double *r, double *stored, double *dissipated),
    use->state, u, r, stored, dissipated)
ASK(traction,
    (const DlsLawUse *use, const double *jump, const double *u, double *t, double *dt_djump,
     double *dt_du, double *next),
    use->state, jump, u, t, dt_djump, dt_du, next)
ASK(surface, (const DlsLawUse *use, const double *u, const double *r, double *change), use->state,
    u, r, change)
ASK(report,
    (const DlsLawUse *use, const double *u, const double *r, int *status, double *friction_limit,
     double *outputs),
    use->state, u, r, status, friction_limit, outputs)

DlsStatus dls_law_ask_range(const DlsLawUse *use, const DlsPair *pair, double *range) {
  DLS_GUARD(guard, return dls_law_dead(), return tell_death(use, "range"));
  *range = use->law->range(pair, use->params);
  DLS_GUARD_END(guard);
  return DLS_OK;
}
