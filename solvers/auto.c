/* The default solver. A guess that is good already comes back at once, with its certificate; a
 * problem of a handful of contacts is tried without ceremony (solvers/kit/small_problem.h). Else it
 * begins with sweeps (momentum), watches how fast the error falls, and hands over when the sweeps
 * would take longer than direct solves (proximal) are estimated to, or stand still: to all ways by
 * turns, plain sweeps among them, each turn twice as long as the one before (auto_turns.c).
 *
 *   left in sweeps   log(e / tolerance) / rate, the rate that of the second half of the sweeps so
 *                    far
 *   direct solves    Σ over islands of `newtons` factorisations (price.h)
 *
 * So it costs at most a small multiple of the best of its ways, whichever that is. Seconds are
 * those of a model, never of the clock: the same problem and guess give the same answer to the last
 * bit on machines that run the same code (base/dispatch.h: with and without FMA sums are rounded
 * differently), unless a time limit cuts in. */
#include "solvers/auto_impl.h"

#include "base/ledger.h"
#include "base/memory.h"
#include "solvers/kit/solver_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const DlsOption options[] = {
    DLS_INT_OPTION(AutoOptions, newtons, 40, 1, 1e6,
                   "factorisations that the direct solves of an island are taken to need"),
    DLS_REAL_OPTION(AutoOptions, patience, 0.2, 0.0, 1e30,
                    "share of the time of the direct solves that the sweeps get in any case"),
    DLS_INT_OPTION(AutoOptions, rounds, 8, 1, 1e6,
                   "turns of all ways without the error halved, after which it has stalled"),
};

enum { FEW_SWEEPS = 30 }; /* before which nothing but sweeps is thought of */

/* The solver of each way, and an option of it. */
static const struct {
  const char *name, *option, *value;
} solvers[AUTO_WAYS] = {
    [AUTO_DRIVEN] = {"momentum", NULL, NULL},  [AUTO_ANCHORED] = {"momentum", "anchor", "3e-3"},
    [AUTO_FRESH] = {"momentum", NULL, NULL},   [AUTO_CENTRED] = {"momentum", NULL, NULL},
    [AUTO_PLAIN] = {"nsgs", NULL, NULL},       [AUTO_SPECTRAL] = {"bb", NULL, NULL},
    [AUTO_ACCELERATED] = {"apgd", NULL, NULL}, [AUTO_SPLIT] = {"admm", NULL, NULL},
    [AUTO_CONJUGATE] = {"cpg", NULL, NULL},
};

static bool is_sweeps(AutoWay way) { return way <= AUTO_PLAIN; }

static void destroy(void *self) {
  Auto *s = self;
  if (!s) return;
  for (int way = 0; way < AUTO_WAYS; way++)
    if (s->state[way]) s->solver[way]->destroy(s->state[way]);
  for (int way = 0; way < AUTO_WAYS; way++) free(s->at[way]);
  free(s->r);
  free(s->guess);
  free(s->sweep);
  free(s);
}

/* With the default options, but for one where it is named. */
static DlsStatus make(const DlsSolver *solver, const DlsProblem *problem, const char *option,
                      const char *value, void **out) {
  enum { OPTION_BYTES = 256 };
  double chosen[OPTION_BYTES / sizeof(double)];
  DLS_CHECK(solver->option_bytes <= sizeof chosen, DLS_ERR_SOLVER,
            "auto: %s has %zu bytes of options, %zu at most are known", solver->name,
            solver->option_bytes, sizeof chosen);
  dls_solver_defaults(solver, chosen);
  if (option) DLS_TRY(dls_solver_set_option(solver, chosen, option, value));
  return solver->create(problem, chosen, out);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Auto *s = self;
  s->n = dls_solver_state_size(problem);
  DLS_NEW(s->r, s->n);
  return DLS_OK;
}

/* What only those need who come so far. */
static DlsStatus prepare_sweeps(Auto *s) {
  if (!s->sweep) {
    DLS_NEW(s->guess, s->n);
    DLS_NEW(s->sweep, 2 * AUTO_SAMPLES);
    s->error = s->sweep + AUTO_SAMPLES;
  }
  memcpy(s->guess, s->best, s->n * sizeof *s->guess);
  memset(s->begun, 0, sizeof s->begun);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Auto), sizeof(AutoOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

DlsStatus auto_estimate(Auto *s) {
  if (s->direct_time >= 0) return DLS_OK;
  DLS_TRY(dls_solver_find("proximal", &s->direct));
  DLS_TRY(dls_solver_find("interior", &s->interior));
  DLS_TRY(dls_price_estimate(s->problem, &s->price));
  s->direct_time = s->options.newtons * s->price.direct;
  return DLS_OK;
}

/* What the limits leave to a phase of at most so many iterations; false: nothing. */
static bool limits_left(const Auto *s, const DlsLimits *limits, double most, DlsLimits *out) {
  *out = *limits;
  if (limits->max_iterations > 0) most = fmin(most, (double)(limits->max_iterations - s->done));
  out->max_iterations = most < 1e15 ? (long)most : 0;
  if (limits->max_time > 0) out->max_time = limits->max_time - (dls_ledger_clock() - s->begin);
  return most >= 1 && (limits->max_time <= 0 || out->max_time > 0) && !dls_ledger_is_spent();
}

/* A phase that was asked for less than the tolerance, from s->r, measures what it returns by other
 * rules: 0.1 % of the load is asked for within a tolerance alone (dls_solver_measure). So again, as
 * the caller asks. */
static DlsStatus measure_as_asked(Auto *s, const DlsLimits *limits, DlsReport *report) {
  DlsLimits asked = *limits;
  asked.tolerance = s->tolerance;
  dls_problem_to_standard(s->problem, s->r);
  DLS_TRY(dls_solver_measure(s->problem, &asked, s->r, s->guess, &report->error));
  dls_problem_from_standard(s->problem, s->r);
  return DLS_OK;
}

/* Runs one solver from x, and keeps the better iterate. */
static DlsStatus run_phase(Auto *s, AutoWay way, const DlsSolver *solver, void *state,
                           const DlsLimits *limits, double *x, DlsReport *report) {
  const bool iterates = way < AUTO_WAYS, direct = solver == s->direct;
  const bool interior = solver == s->interior;
  const DlsMonitor monitor = {iterates   ? auto_watch_sweeps
                              : interior ? auto_watch_interior
                                         : auto_watch_direct,
                              s};
  s->phase_begin = dls_ledger_clock() - s->begin;
  s->phase_error = s->best_error;
  s->phase_least = s->phase_mark = INFINITY;
  s->phase_halved = 0;
  s->samples = 0;
  s->switched = false;
  DLS_TRY(solver->solve(state, s->problem, limits, &monitor, x, report));
  if (limits->tolerance < s->tolerance) DLS_TRY(measure_as_asked(s, limits, report));
  const double iterations = (double)report->iterations;
  s->done += report->iterations;
  dls_work_add(&s->work, &report->work);
  *(iterates   ? is_sweeps(way) ? &s->sweep_count : &s->step_count
    : direct   ? &s->newton_count
    : interior ? &s->interior_count
               : &s->case_count) += report->iterations;
  s->spent += iterates || direct ? iterations * auto_price(s, way)
              : interior         ? iterations * s->price.interior
                                 : 0;
  if (report->error < s->best_error || s->best_error == INFINITY) {
    s->best_error = report->error;
    if (x != s->best) memcpy(s->best, x, s->n * sizeof *x);
  }
  return DLS_OK;
}

/* Where a way stands. */
static DlsStatus stand(Auto *s, AutoWay way, double **out) {
  if (!s->at[way]) DLS_NEW(s->at[way], s->n);
  if (!s->begun[way]) memcpy(s->at[way], s->guess, s->n * sizeof *s->guess);
  s->begun[way] = true;
  *out = s->at[way];
  return DLS_OK;
}

DlsStatus auto_sweep(Auto *s, AutoWay way, const DlsLimits *limits, double most,
                     DlsReport *report) {
  const bool shared = way == AUTO_FRESH || way == AUTO_CENTRED;
  const bool turns = s->stage == AUTO_TURNS;
  void **state = &s->state[shared ? AUTO_DRIVEN : way];
  double *x = s->r;
  DlsLimits left;
  if (!s->solver[way]) DLS_TRY(dls_solver_find(solvers[way].name, &s->solver[way]));
  const DlsSolver *solver = s->solver[way];
  if (!*state) DLS_TRY(make(solver, s->problem, solvers[way].option, solvers[way].value, state));
  if (!limits_left(s, limits, most, &left)) return DLS_OK;
  if (way == AUTO_FRESH)
    memset(s->r, 0, s->n * sizeof *s->r);
  else if (way == AUTO_ANCHORED || (way == AUTO_DRIVEN && turns))
    memcpy(s->r, s->best, s->n * sizeof *s->r);
  else
    DLS_TRY(stand(s, way, &x));
  return run_phase(s, way, solver, *state, &left, x, report);
}

/* Analysing matrices takes time too. */
DlsStatus auto_run_other(Auto *s, const DlsSolver *solver, const DlsLimits *limits, double most,
                         bool fresh, DlsReport *report) {
  void *state = NULL;
  DlsStatus status = DLS_OK;
  DlsLimits left;
  DLS_TRY(make(solver, s->problem, NULL, NULL, &state));
  s->fresh = fresh;
  for (size_t e = 0; e < s->n; e++) s->r[e] = fresh ? 0 : s->best[e];
  if (limits_left(s, limits, most, &left)) {
    status = run_phase(s, solver == s->direct ? AUTO_DIRECT : AUTO_NONE, solver, state, &left, s->r,
                       report);
    const double spent = dls_ledger_clock() - s->begin - s->phase_begin;
    if (solver == s->direct)
      s->measured = fmax(s->measured, spent / (double)(report->iterations + 1));
  }
  solver->destroy(state);
  return status;
}

/* Steps of all contacts at once from the best iterate: where interior points end, what is left
 * often takes some tens of them. */
static DlsStatus step_from_best(Auto *s, const DlsLimits *limits, DlsReport *report) {
  const double some = 100;
  double *x = NULL;
  if (s->stopped || s->best_error <= s->tolerance || dls_problem_has(s->problem, DLS_CONE_CUSTOM))
    return DLS_OK;
  DLS_TRY(stand(s, AUTO_SPECTRAL, &x));
  memcpy(x, s->best, s->n * sizeof *x);
  return auto_sweep(s, AUTO_SPECTRAL, limits, some, report);
}

DlsStatus auto_run_interior(Auto *s, const DlsLimits *limits, DlsReport *report) {
  const double many = 600; /* iterations; far fewer as a rule */
  void *state = NULL;
  double *centre = NULL;
  DlsStatus status = DLS_OK;
  DlsLimits left;
  s->centred = true;
  DLS_TRY(make(s->interior, s->problem, NULL, NULL, &state));
  status = stand(s, AUTO_CENTRED, &centre);
  if (status == DLS_OK && limits_left(s, limits, many, &left)) {
    memset(centre, 0, s->n * sizeof *centre); /* what they end with is never the guess */
    status = run_phase(s, AUTO_NONE, s->interior, state, &left, centre, report);
  }
  s->interior->destroy(state);
  const bool broken = s->switched;
  if (status == DLS_OK) status = step_from_best(s, limits, report);
  s->switched = s->broken = broken;
  return status;
}

bool auto_is_over(const Auto *s, const DlsLimits *limits, DlsReport *report) {
  DlsLimits left;
  if (s->best_error <= s->tolerance)
    dls_report_end(report, DLS_REASON_WITHIN_TOLERANCE);
  else if (s->stopped)
    dls_report_end(report, DLS_REASON_MONITOR);
  else if (!limits_left(s, limits, INFINITY, &left))
    dls_report_end(report, limits->max_iterations > 0 && s->done >= limits->max_iterations
                               ? DLS_REASON_ITERATION_LIMIT
                               : DLS_REASON_TIME_LIMIT);
  else
    return false;
  return true;
}

bool auto_may_factor(const Auto *s, const DlsLimits *limits) {
  const double left = limits->max_time - (dls_ledger_clock() - s->begin), most = 10;
  if (limits->max_time <= 0) return s->price.largest < most;
  return s->price.largest < fmin(0.1 * left, most) && 4 * s->measured < left;
}

static void describe(const Auto *s, double handed, double expected, const DlsReport *report,
                     char *note, size_t size) {
  const DlsSmallProblemCounts *small = &s->small;
  char cases[32] = "", steps[48] = "", interior[48] = "";
  if (s->interior_count)
    snprintf(interior, sizeof interior, ", %ld interior points", s->interior_count);
  if (s->case_count) snprintf(cases, sizeof cases, ", %ld cases", s->case_count);
  if (s->step_count) snprintf(steps, sizeof steps, ", %ld steps", s->step_count);
  if (s->done == 0 && report->outcome == DLS_CONVERGED)
    strcpy(note, "the guess is good");
  else if (s->sweep_count == small->sweeps && s->newton_count == small->newtons && !s->step_count)
    dls_small_problem_describe(small, note);
  else if (s->far > 0)
    snprintf(note, size,
             "%ld sweeps with momentum, slow enough to end %.1g times their error away from the "
             "answer; then %ld Newton iterations",
             s->sweep_count, s->far, s->newton_count);
  else if (!isfinite(handed) && s->first == AUTO_DRIVEN)
    snprintf(note, size, "%ld sweeps with momentum%s", s->sweep_count,
             small->sweeps ? ", after a quick try" : "");
  else if (!isfinite(handed))
    snprintf(note, size, "%ld steps of %s: %s", s->step_count, solvers[s->first].name,
             s->first == AUTO_SPLIT ? "contacts that roll" : "few bodies hold many contacts");
  else
    snprintf(note, size,
             "%ld sweeps%s%s and %ld Newton iterations%s by turns: the first sweeps, to %.1e, "
             "would have "
             "needed %.2g more, the direct solves the time of %.2g%s",
             s->sweep_count, steps, interior, s->newton_count, cases, handed, expected,
             s->direct_time / s->price.sweep,
             report->outcome == DLS_CONVERGED ? "" : "; neither gets there");
}

static void begin(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                  const DlsMonitor *monitor, double *r) {
  s->problem = problem;
  s->status = DLS_OK;
  s->direct_time = -1;
  s->price = (DlsPrice){.sweep = dls_price_sweep(problem)};
  s->monitor = monitor;
  s->begin = dls_ledger_clock();
  s->measured = s->spent = 0;
  s->best_error = INFINITY;
  s->tolerance = limits->tolerance;
  s->limit = limits->max_iterations;
  s->done = s->sweep_count = s->step_count = s->newton_count = s->case_count = 0;
  s->interior_count = 0;
  s->centred = s->broken = false;
  s->small = (DlsSmallProblemCounts){0};
  s->work = (DlsWork){0};
  s->far = 0;
  s->stopped = s->late = false;
  s->stage = AUTO_FIRST;
  s->plan = NULL;
  memset(s->track, 0, sizeof s->track);
  s->first = AUTO_DRIVEN;
  s->warm = false;
  for (size_t e = 0; e < s->n && !s->warm; e++) s->warm = r[e] != 0;
  s->best = r;
}

/* The guess, and a problem of a handful of contacts: *over when that was all. */
static DlsStatus try_quickly(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                             DlsReport *report, bool *over) {
  const size_t many =
      300; /* numbers, for which the sweeps measure the guess themselves, once; zero is no guess */
  *over = false;
  if (s->n > many || (s->n > DLS_SMALL_PROBLEM_ROWS && !s->warm)) return DLS_OK;
  dls_problem_to_standard(problem, s->best);
  DLS_TRY(dls_solver_measure(problem, limits, s->best, s->r, &report->error));
  dls_problem_from_standard(problem, s->best);
  *over = report->error <= limits->tolerance;
  dls_report_end(report, DLS_REASON_GOOD_GUESS);
  if (*over && s->monitor->call) s->monitor->call(s->monitor->context, 0, 0, report->error);
  if (!*over && s->n <= DLS_SMALL_PROBLEM_ROWS) {
    DLS_TRY(dls_small_problem_solve(problem, limits, s->monitor, s->best, report, &s->small));
    *over = report->outcome != DLS_STALLED;
    s->done = report->iterations;
    s->work = report->work;
    s->sweep_count = s->small.sweeps;
    s->newton_count = s->small.newtons;
  }
  s->best_error = report->error;
  return DLS_OK;
}

static bool is_chain(const Auto *s) { return s->plan && strcmp(s->plan->kind, "chain") == 0; }

/* What was left of the error by slow sweeps lies in the softest directions of W, where a small
 * error is a large distance. With momentum the sweeps for a factor e grow like the root of the
 * condition of W, so the distance is about error k², k their number (over 30, by chains of
 * spheres). Direct solves take that away; they are asked where the tolerance is tight and they cost
 * two fifths of the sweeps at most. */
static DlsStatus polish(Auto *s, const DlsLimits *limits, DlsReport *report) {
  const bool chain = is_chain(s);
  const double length = chain ? (double)s->price.most : 0; /* news of it takes as many sweeps */
  const double k = fmax(auto_sweeps_per_fold(s), length), tight = 1e-6, much = 50;
  const double far = k * k / 30, few = 4; /* iterations */
  DlsLimits tighter = *limits;
  if (s->tolerance > tight || far * s->best_error < much * s->tolerance || s->direct_time < 0 ||
      few * s->price.direct > (chain && s->stage == AUTO_RACE ? 4 : 0.4) * s->spent ||
      !auto_may_factor(s, limits))
    return DLS_OK;
  tighter.tolerance = s->tolerance / fmax(far, 10);
  s->far = far;
  DLS_TRY(auto_run_other(s, s->direct, &tighter, 2 * few * s->price.islands, false, report));
  dls_report_end(report, DLS_REASON_WITHIN_TOLERANCE);
  return DLS_OK;
}

/* Sweeps, and all ways where they are slow; *handed and *expected say where they stood then. */
static DlsStatus work(Auto *s, const DlsLimits *limits, DlsReport *report, double *handed,
                      double *expected) {
  DLS_TRY(prepare_sweeps(s));
  if (auto_is_over(s, limits, report)) return DLS_OK;
  s->first = auto_first_way(s);
  const long before = s->done;
  if (s->first != AUTO_DRIVEN) DLS_TRY(auto_choose_plan(s));
  s->way = s->first;
  s->least = FEW_SWEEPS;
  DLS_TRY(auto_sweep(s, s->first, limits, INFINITY, report));
  DLS_TRY(s->status);
  if (report->outcome == DLS_CONVERGED)
    return s->first == AUTO_DRIVEN ? polish(s, limits, report) : DLS_OK;
  if (!s->switched && report->outcome != DLS_STALLED && report->outcome != DLS_DIVERGED)
    return DLS_OK;
  DLS_TRY(auto_choose_plan(s));
  *handed = s->best_error;
  *expected = auto_iterations_left(s);
  auto_mark(s, (double)(s->done - before));
  s->stage = AUTO_RACE;
  DLS_TRY(auto_race(s, limits, report));
  const bool direct = s->way == AUTO_DIRECT || s->way == AUTO_INTERIOR;
  if (is_chain(s) && !direct && s->best_error <= s->tolerance) return polish(s, limits, report);
  s->stage = AUTO_TURNS;
  return auto_take_turns(s, limits, report);
}

/* What is told is the error of solver.h, not what the ways were judged by; and who measures next
 * foresees nothing. */
static DlsStatus end_foresight(Auto *s, const DlsLimits *limits, DlsOutcome outcome) {
  const bool foresaw = dls_ledger_rules.foresee != DLS_SEEN;
  dls_ledger_rules.foresee = DLS_SEEN;
  if (!foresaw || outcome == DLS_CONVERGED) return DLS_OK;
  dls_problem_to_standard(s->problem, s->best);
  const DlsStatus status = dls_solver_measure(s->problem, limits, s->best, s->r, &s->best_error);
  dls_problem_from_standard(s->problem, s->best);
  return status;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Auto *s = self;
  double handed = INFINITY, expected = 0;
  bool over;
  begin(s, problem, limits, monitor, r);
  DLS_TRY(try_quickly(s, problem, limits, report, &over));
  const DlsStatus status = over ? DLS_OK : work(s, limits, report, &handed, &expected);
  DLS_TRY(end_foresight(s, limits, report->outcome));
  DLS_TRY(status);
  report->error = s->best_error;
  report->iterations = s->done;
  report->work = s->work;
  describe(s, handed, expected, report, report->note, sizeof report->note);
  return DLS_OK;
}

const DlsSolver dls_solver_auto = {
    DLS_SOLVER_HEAD,
    .name = "auto",
    .summary = "sweeps with momentum, direct solves where those are faster",
    .description =
        "Begins with momentum, watches the rate of convergence, and where sweeps are slow goes all "
        "ways by turns: nsgs, momentum in proximal steps, bb, proximal, each as long as the "
        "others; interior points where reactions are far from unique. "
        "Takes "
        "every law. The note of its report says what it did.",
    .references = "solvers momentum, nsgs, bb, interior and proximal",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(AutoOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
