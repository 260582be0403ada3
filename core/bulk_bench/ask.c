/* A law asked with everything about it watched: words behind each array, what it must not change,
 * numbers that it must fill in. */
#include "bulk_bench/bulk_bench_impl.h"

#include <stdio.h>

enum { WATCHED = 4 };
static const double watched = 0.6180339887498949; /* behind every array: it must stay */

typedef struct {
  double params[DLS_MAX_PARAMS + WATCHED], state[DLS_MAX_PARAMS + WATCHED];
  double next[DLS_MAX_PARAMS + WATCHED], before[6 + WATCHED], strain[6 + WATCHED];
  double stress[6 + WATCHED], tangent[36 + WATCHED];
  DlsBulkPoint point;
} Call;

static void place(double *to, const double *from, int count, int size) {
  for (int i = 0; i < size; i++) to[i] = i < count && from ? from[i] : i < count ? NAN : watched;
}

/* NULL: nothing was written where nothing may be. */
static const char *meddled(const BulkCase *c, const Call *call, const double *state,
                           const double *before, const double *strain) {
  const struct {
    const char *name;
    const double *now, *was;
    int count, size;
  } arrays[] = {
      {"params", call->params, c->params, c->law->nparams, DLS_COUNT(call->params)},
      {"state", call->state, state, c->law->nstates, DLS_COUNT(call->state)},
      {"strain_before", call->before, before, 6, DLS_COUNT(call->before)},
      {"strain", call->strain, strain, 6, DLS_COUNT(call->strain)},
      {"next", call->next, NULL, c->law->nstates, DLS_COUNT(call->next)},
      {"stress", call->stress, NULL, 6, DLS_COUNT(call->stress)},
      {"tangent", call->tangent, NULL, 36, DLS_COUNT(call->tangent)},
  };
  for (int k = 0; k < DLS_COUNT(arrays); k++)
    for (int i = 0; i < arrays[k].size; i++) {
      const double *was = i >= arrays[k].count ? &watched
                          : arrays[k].was      ? arrays[k].was + i
                                               : NULL;
      if (was && !dls_small_same(1, was, arrays[k].now + i)) return arrays[k].name;
    }
  const DlsBulkPoint *now = &call->point, *was = &c->point;
  const bool same = now->measure == was->measure && now->time == was->time && now->dt == was->dt &&
                    now->size == was->size && dls_small_same(3, now->point, was->point);
  return same ? NULL : "point";
}

static void begin(const BulkCase *c, const double *state, const double *before,
                  const double *strain, Call *call) {
  place(call->params, c->params, c->law->nparams, DLS_COUNT(call->params));
  place(call->state, state, c->law->nstates, DLS_COUNT(call->state));
  place(call->next, state, c->law->nstates, DLS_COUNT(call->next));
  place(call->before, before, 6, DLS_COUNT(call->before));
  place(call->strain, strain, 6, DLS_COUNT(call->strain));
  place(call->stress, NULL, 6, DLS_COUNT(call->stress));
  place(call->tangent, NULL, 36, DLS_COUNT(call->tangent));
  call->point = c->point;
}

static BulkCaseOutcome refuse(BulkCase *c, DlsStatus status, const char *function) {
  if (status == DLS_ERR_LAW) return BULK_CASE_REFUSED;
  bulk_case_broken(c, "%s returns '%s'; it returns DLS_OK or DLS_ERR_LAW", function,
                   dls_status_text(status));
  return BULK_CASE_BROKEN;
}

/* Whether states are within their bounds. */
static bool within(BulkCase *c, const double *next) {
  bool inside = true;
  for (int i = 0; i < c->law->nstates; i++) {
    const DlsParam *s = &c->law->states[i];
    const bool good = next[i] >= s->min && next[i] <= s->max;
    if (c->bounds)
      bulk_case_judge(c, good ? 0 : INFINITY, 1, "state %s becomes %.17g, not within %g and %g",
                      s->name, next[i], s->min, s->max);
    inside = inside && good;
  }
  return inside;
}

/* What is not finite is judged by the checks that look for it, so that an error fails one check. */
static BulkCaseOutcome judge_finite(BulkCase *c, const Call *call, bool tangent, bool next) {
  const struct {
    const char *name;
    const double *at;
    int count;
  } arrays[] = {{"stress", call->stress, 6},
                {"tangent", call->tangent, tangent ? 36 : 0},
                {"next", call->next, next ? c->law->nstates : 0}};
  for (int k = 0; k < DLS_COUNT(arrays); k++)
    for (int i = 0; i < arrays[k].count; i++) {
      if (isfinite(arrays[k].at[i])) continue;
      if (!c->finite) return BULK_CASE_REFUSED;
      bulk_case_broken(c, "%s[%d] is %g, or is not set", arrays[k].name, i, arrays[k].at[i]);
      return BULK_CASE_BROKEN;
    }
  return BULK_CASE_OK;
}

BulkCaseOutcome bulk_case_stress(BulkCase *c, const double *state, const double *before,
                                 const double *strain, double *stress, double *tangent,
                                 double *next) {
  Call call;
  const int n = c->law->nstates;
  begin(c, state, before, strain, &call);
  const DlsStatus status =
      c->law->stress(&call.point, call.params, call.state, call.before, call.strain, call.stress,
                     tangent ? call.tangent : NULL, next ? call.next : NULL);
  const char *where = c->watch ? meddled(c, &call, state, before, strain) : NULL;
  if (where) {
    bulk_case_broken(c, "stress writes into, or behind, %s", where);
    return BULK_CASE_BROKEN;
  }
  if (status != DLS_OK) return refuse(c, status, "stress");
  const BulkCaseOutcome numbers = judge_finite(c, &call, tangent != NULL, next != NULL);
  if (numbers != BULK_CASE_OK) return numbers;
  if (next && !within(c, call.next)) return c->bounds ? BULK_CASE_BROKEN : BULK_CASE_REFUSED;
  memcpy(stress, call.stress, 6 * sizeof *stress);
  if (tangent) memcpy(tangent, call.tangent, 36 * sizeof *tangent);
  if (next) memcpy(next, call.next, (size_t)n * sizeof *next);
  return BULK_CASE_OK;
}

BulkCaseOutcome bulk_case_ask_energy(BulkCase *c, const double *state, const double *before,
                                     const double *strain, const double *next, double *stored,
                                     double *dissipated) {
  Call call;
  begin(c, state, before, strain, &call);
  place(call.next, next, c->law->nstates, DLS_COUNT(call.next));
  *stored = *dissipated = NAN;
  const DlsStatus status = c->law->energy(&call.point, call.params, call.state, call.before,
                                          call.strain, call.next, stored, dissipated);
  const char *where = c->watch ? meddled(c, &call, state, before, strain) : NULL;
  if (c->watch && !where && !dls_small_same(c->law->nstates, next, call.next)) where = "next";
  if (where) {
    bulk_case_broken(c, "energy writes into, or behind, %s", where);
    return BULK_CASE_BROKEN;
  }
  if (status != DLS_OK) return refuse(c, status, "energy");
  if (isfinite(*stored) && isfinite(*dissipated)) return BULK_CASE_OK;
  if (!c->finite) return BULK_CASE_REFUSED;
  bulk_case_broken(c, "energy gives stored %g, dissipated %g", *stored, *dissipated);
  return BULK_CASE_BROKEN;
}

void bulk_case_say_vector(BulkCase *c, const char *name, const double *x, int count,
                          const char *unit) {
  char line[1024] = "";
  for (int i = 0; i < count; i++) {
    const size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, "%s%.17g", i ? ", " : "", x[i]);
  }
  bulk_case_say(c, "  %-12s (%s) %s\n", name, line, unit);
}
