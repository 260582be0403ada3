/* The ways by turns, for a problem on which the first sweeps are slow or have stalled. In turn t
 *
 *   plain      sweeps of nsgs, from the guess and then from where they stood:  2^t b of them
 *   another    sweeps with momentum, in proximal steps from the best iterate, or plain from there,
 *              or from zero; or spectral steps, which no order of contacts leads round in a circle,
 *              at their price:                                                 2^t b of them
 *   centred    where reactions are far from unique, and interior points have been asked (once):
 *              sweeps with momentum from where these ended:                     2^t b of them
 *   direct     when all sweeps since the last time have cost `patience` of what is asked of it now,
 *              and, all that is left, where the next sweeps would spend the limit of iterations
 *
 * b being the sweeps done before. So nsgs, had it been asked alone and needed N sweeps, has been
 * given as many as all other sweeps together, and these as many as direct solves have cost times
 * `patience`: by work no more than 2 N + 2 b and (1 + 1 / patience) times that is ever spent,
 * whatever the problem does. Likewise for each of the other ways, with its share. */
#include "solvers/auto_impl.h"

#include <math.h>

/* A handful of contacts, which no iteration may reach: W singular and friction large. */
static DlsStatus run_cases(Auto *s, const DlsLimits *limits, DlsReport *report) {
  const int few = 6; /* contacts that enumerate takes */
  const DlsSolver *cases;
  if (s->case_count > 0 || s->price.most > few || dls_problem_has(s->problem, DLS_CONE_CUSTOM))
    return DLS_OK;
  DLS_TRY(dls_solver_find("enumerate", &cases));
  return auto_run_other(s, cases, limits, 20000, false, report);
}

/* Where the next sweeps would spend the limit: from the best iterate with half of what is left, and
 * from zero with the rest, which few need. */
static DlsStatus run_last(Auto *s, const DlsLimits *limits, DlsReport *report) {
  for (int fresh = 0; fresh < 2 && !auto_is_over(s, limits, report); fresh++) {
    const double left = (double)(s->limit - s->done);
    DLS_TRY(auto_run_other(s, s->direct, limits, fresh ? left : 0.5 * left, fresh, report));
  }
  return DLS_OK;
}

/* Direct solves, `times` what an island is taken to need; then cases. *due is the work, by the
 * model, at which they are to be asked again; for the first time before `sweeps` that would spend
 * the limit of iterations. */
static DlsStatus run_direct(Auto *s, const DlsLimits *limits, double sweeps, double *times,
                            double *due, DlsReport *report) {
  const double newtons = *times * s->options.newtons * fmax(s->price.islands, 1);
  const bool last = auto_is_last_chance(s, sweeps);
  if (s->spent < *due && !last) return DLS_OK;
  /* By turns from the best iterate and from zero: where the guess of a step leads sweeps astray it
   * leads Newton's method astray too, which from zero takes a hundred steps. */
  const bool fresh = ilogb(*times) % 2 == 1;
  if (auto_may_factor(s, limits) && last)
    DLS_TRY(run_last(s, limits, report));
  else if (auto_may_factor(s, limits))
    DLS_TRY(auto_run_other(s, s->direct, limits, newtons, fresh, report));
  *times *= 2;
  *due = s->spent + s->options.patience * *times * s->direct_time;
  return auto_is_over(s, limits, report) ? DLS_OK : run_cases(s, limits, report);
}

/* Spectral steps need projections, which custom laws do not have. */
static AutoWay passable(const Auto *s, AutoWay way) {
  const bool closed = way == AUTO_SPECTRAL && dls_problem_has(s->problem, DLS_CONE_CUSTOM);
  return closed ? AUTO_DRIVEN : way;
}

DlsStatus auto_take_turns(Auto *s, const DlsLimits *limits, DlsReport *report) {
  static const AutoWay others[] = {AUTO_ANCHORED, AUTO_SPECTRAL, AUTO_DRIVEN,
                                   AUTO_ANCHORED, AUTO_SPECTRAL, AUTO_FRESH};
  const double few = 100, many = 1000; /* sweeps: of a turn at least; below which none is idle */
  double sweeps = fmax((double)s->sweep_count, few), mark = s->best_error, times = 1;
  double due = s->options.patience * s->direct_time;
  for (int turn = 0, idle = 0; !auto_is_over(s, limits, report); turn++, sweeps *= 2) {
    const long before = s->done;
    const AutoWay ways[] = {AUTO_CENTRED, AUTO_PLAIN,
                            passable(s, others[turn % DLS_COUNT(others)])};
    if ((!s->centred || s->broken) && s->spent >= s->options.patience * auto_interior_time(s))
      DLS_TRY(auto_run_interior(s, limits, report));
    for (int k = !s->centred; k < DLS_COUNT(ways) && !auto_is_over(s, limits, report); k++) {
      const double most = ways[k] == AUTO_SPECTRAL ? sweeps / AUTO_SPECTRAL_PRICE : sweeps;
      DLS_TRY(run_direct(s, limits, most, &times, &due, report));
      if (!auto_is_over(s, limits, report)) DLS_TRY(auto_sweep(s, ways[k], limits, most, report));
    }
    const bool better = s->best_error<0.5 * mark, tried = times> 2;
    if (better) mark = s->best_error;
    idle = better ? 0 : idle + (sweeps >= many && tried);
    /* Numbers so large that no way takes a step would be looked at for ever. */
    const bool stuck = s->done == before;
    if ((idle >= s->options.rounds || stuck) && !auto_is_over(s, limits, report)) {
      dls_report_end(report, DLS_REASON_EXHAUSTED);
      break;
    }
  }
  return DLS_OK;
}
