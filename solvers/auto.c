/* The default solver. A guess that is good already comes back at once, with its certificate; a problem
 * of a handful of contacts is tried without ceremony (solvers/quick.h). Else it begins with sweeps
 * (momentum), watches how fast the error falls, and hands over to direct solves (proximal) when the
 * sweeps would take longer than those are estimated to; when they fail too the two take turns, each
 * twice as long as before, sweeps in proximal steps, the best iterate kept, and a handful of contacts is solved by cases.
 *
 *   left in sweeps   log(e / tolerance) / rate, the rate that of the second half of the sweeps so far
 *   direct solves    Σ over islands of `newtons` factorisations, by size, dimension and blocks a row
 *
 * So it costs at most a small multiple of the better of the two, whichever that is. Seconds are those
 * of a model, never of the clock: the same problem and guess give the same answer to the last bit on
 * any machine, unless a time limit cuts in. */
#include <delassus/islands.h>
#include <delassus/solver.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solvers/quick.h"
#include "solvers/self.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int newtons, rounds;
  double patience;
} AutoOptions;

static const DlsOption options[] = {
    DLS_INT_OPTION(AutoOptions, newtons, 40, 1, 1e6,
                   "factorisations that the direct solves of an island are taken to need"),
    DLS_REAL_OPTION(AutoOptions, patience, 0.2, 0.0, 1e30,
                    "share of the time of the direct solves that the sweeps get in any case"),
    DLS_INT_OPTION(AutoOptions, rounds, 8, 1, 1e6,
                   "rounds of both without the error halved, after which it has stalled"),
};

enum {
  SAMPLES = 64,    /* of the error in time: a ring that spans half of it */
  FEW_SWEEPS = 30, /* before which nothing but sweeps is thought of */
};

typedef struct {
  AutoOptions options;
  const DlsSolver *sweeps, *direct;
  void *sweeping;  /* state of `sweeps`, made when they begin */
  void *anchored;  /* the same in proximal steps, made when the others have stalled */
  double largest;  /* s: one Newton iteration of the largest island, estimated */
  double measured; /* s: one Newton iteration, by the clock; for limits of time alone */
  int islands;     /* of more than one contact */
  int most;        /* contacts of the largest island */
  double *r;       /* [contacts][block], physical */
  size_t n;
  /* Of the solve under way: */
  const DlsProblem *problem;
  const DlsMonitor *monitor;
  DlsStatus status; /* of the estimate */
  double *best;     /* the r of the caller */
  double begin, best_error, tolerance;
  double phase_begin;    /* s since begin */
  double direct_time;    /* s: all direct solves, estimated; < 0 until then */
  double sweep_time;     /* s: one sweep, estimated */
  double *sweep, *error; /* [SAMPLES] of this phase: number, and the least error up to it */
  DlsQuickCounts quick;  /* of the first attempt on a small problem */
  int samples;
  long done, sweep_count, newton_count, case_count; /* iterations of finished phases; by kind */
  double far; /* distance from the answer over the error; 0: no polish */
  bool stopped, switched, taking_turns;
} Auto;

static void destroy(void *self) {
  Auto *s = self;
  if (!s) return;
  if (s->sweeping) s->sweeps->destroy(s->sweeping);
  if (s->anchored) s->sweeps->destroy(s->anchored);
  free(s->r);
  free(s->sweep);
  free(s);
}

/* Blocks a row of W: contacts that share a body, counted once for each that they share. */
static double blocks_per_row(const DlsOperator *W, int *touch) {
  const int contacts = dls_operator_contacts(W);
  double sum = 0;
  switch (dls_operator_form(W)) {
  case DLS_FORM_ASSEMBLED:
    return (double)dls_operator_block_rows(W).start[contacts] / contacts;
  case DLS_FORM_FACTORED: {
    const DlsSupports s = dls_operator_supports(W);
    for (int k = 0; k < s.start[contacts]; k++) touch[s.body[k]]++;
    for (int k = 0; k < s.start[contacts]; k++) sum += touch[s.body[k]];
    return sum / contacts;
  }
  case DLS_FORM_SPHERES: {
    const DlsSpheres s = dls_operator_spheres(W);
    for (int i = 0; i < contacts; i++)
      for (int k = 0; k < 2; k++) touch[s.contact[i].body[k]]++;
    touch[s.bodies] = 0; /* the ground couples nothing */
    for (int i = 0; i < contacts; i++)
      for (int k = 0; k < 2; k++) sum += touch[s.contact[i].body[k]];
    return sum / contacts;
  }
  default:
    return contacts;
  }
}

static int count_bodies(const DlsOperator *W) {
  switch (dls_operator_form(W)) {
  case DLS_FORM_FACTORED:
    return dls_operator_supports(W).bodies;
  case DLS_FORM_SPHERES:
    return dls_operator_spheres(W).bodies + 1;
  default:
    return 0;
  }
}

/* Seconds of one Newton iteration: writing the matrix, and factors of UMFPACK by a fit to spheres in
 * 3-D (0.1 s for 2400 contacts of 10 blocks a row) and disks (11 ms for 7000 of 4.5) on one core;
 * dense below 150 unknowns. */
static double newton_seconds(int contacts, int block, double blocks) {
  const double n = (double)contacts * block, write = 1e-7 * n * blocks;
  if (contacts == 1) return 0;
  if (n <= 150) return 1e-9 * n * n * n + 2e-8 * n * n;
  if (block == 2) return write + 0.005 * pow(contacts / 7000.0, 1.5) * pow(blocks / 4.5, 2);
  return write + 0.1 * pow(n / 7200.0, 2) * pow(blocks / 10, 2);
}

/* Seconds of one sweep, measures of the error included. */
static double sweep_seconds(int contacts, int block) {
  return contacts * (block == 2 ? 20e-9 : block == 3 ? 40e-9 : 400e-9);
}

static DlsStatus count_islands(const DlsOperator *W, int *island, int *size, int *islands) {
  const int contacts = dls_operator_contacts(W);
  DLS_TRY(dls_islands_find(W, island, islands));
  for (int i = 0; i < contacts; i++) size[island[i]]++;
  return DLS_OK;
}

static DlsStatus estimate(Auto *s, const DlsProblem *problem) {
  const DlsOperator *W = dls_problem_operator(problem);
  const int contacts = dls_operator_contacts(W), block = dls_operator_block(W);
  int *work, islands = 0;
  s->direct_time = s->largest = s->islands = s->most = 0;
  if (contacts == 0) return DLS_OK;
  DLS_NEW(work, 2 * (size_t)contacts + (size_t)count_bodies(W));
  const DlsStatus status = count_islands(W, work, work + contacts, &islands);
  const double blocks = blocks_per_row(W, work + 2 * (size_t)contacts);
  for (int k = 0; k < islands; k++) {
    const double time = newton_seconds(work[contacts + k], block, blocks);
    s->islands += work[contacts + k] > 1;
    if (work[contacts + k] > s->most) s->most = work[contacts + k];
    s->direct_time += s->options.newtons * time;
    s->largest = fmax(s->largest, time);
  }
  free(work);
  return status;
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
  s->n = dls_self_size(problem);
  DLS_NEW(s->r, s->n);
  return DLS_OK;
}

/* What only those need who come so far. */
static DlsStatus prepare_sweeps(Auto *s, const DlsProblem *problem) {
  if (s->sweeping) return DLS_OK;
  DLS_TRY(dls_solver_find("momentum", &s->sweeps));
  DLS_TRY(dls_solver_find("proximal", &s->direct));
  DLS_NEW(s->sweep, 2 * SAMPLES);
  s->error = s->sweep + SAMPLES;
  return make(s->sweeps, problem, NULL, NULL, &s->sweeping);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSelf kind = {sizeof(Auto), sizeof(AutoOptions), prepare, destroy};
  return dls_self_create(&kind, problem, chosen, out);
}

/* Sweeps in which the error falls by e, by the rate since half of those of this phase. */
static double sweeps_per_fold(const Auto *s) {
  const double now = s->sweep[(s->samples - 1) % SAMPLES];
  const double least = s->error[(s->samples - 1) % SAMPLES];
  const int oldest = s->samples > SAMPLES ? s->samples - SAMPLES : 0;
  int k = s->samples - 1;
  while (k > oldest && s->sweep[k % SAMPLES] > 0.5 * now) k--;
  const double fall = log(s->error[k % SAMPLES] / least), span = now - s->sweep[k % SAMPLES];
  return fall > 0 ? span / fall : INFINITY;
}

static double sweeps_left(const Auto *s) {
  return log(s->error[(s->samples - 1) % SAMPLES] / s->tolerance) * sweeps_per_fold(s);
}

/* The monitor of the sweeps: passes on what it hears, and stops them when they are too slow. */
static int watch_sweeps(void *context, long iteration, double time, double error) {
  Auto *s = context;
  const double since = s->phase_begin + time;
  if (s->monitor->call && s->monitor->call(s->monitor->context, s->done + iteration, since, error))
    return s->stopped = true;
  const double last = s->samples ? s->error[(s->samples - 1) % SAMPLES] : INFINITY;
  s->sweep[s->samples % SAMPLES] = (double)iteration;
  s->error[s->samples++ % SAMPLES] = fmin(last, error);
  if (iteration >= FEW_SWEEPS && s->direct_time < 0) {
    s->status = estimate(s, s->problem);
    if (s->status != DLS_OK) return true;
  }
  if (s->taking_turns || s->direct_time < 0 || error <= s->tolerance) return false;
  s->switched = (double)iteration * s->sweep_time > s->options.patience * s->direct_time &&
                sweeps_left(s) * s->sweep_time > s->direct_time;
  return s->switched;
}

static int watch_direct(void *context, long iteration, double time, double error) {
  Auto *s = context;
  if (s->monitor->call &&
      s->monitor->call(s->monitor->context, s->done + iteration, s->phase_begin + time, error))
    s->stopped = true;
  return s->stopped;
}

/* What the limits leave to a phase of at most so many iterations; false: nothing. */
static bool limits_left(const Auto *s, const DlsLimits *limits, double most, DlsLimits *out) {
  *out = *limits;
  if (limits->max_iterations > 0) most = fmin(most, (double)(limits->max_iterations - s->done));
  out->max_iterations = most < 1e15 ? (long)most : 0;
  if (limits->max_time > 0) out->max_time = limits->max_time - (dls_clock_now() - s->begin);
  return most >= 1 && (limits->max_time <= 0 || out->max_time > 0);
}

/* Runs one solver from x, s->r or s->best itself, and keeps the better iterate. */
static DlsStatus run_phase(Auto *s, const DlsSolver *solver, void *state, const DlsProblem *problem,
                           const DlsLimits *limits, double *x, DlsReport *report) {
  const DlsMonitor monitor = {solver == s->sweeps ? watch_sweeps : watch_direct, s};
  s->phase_begin = dls_clock_now() - s->begin;
  s->samples = 0;
  s->switched = false;
  DLS_TRY(solver->solve(state, problem, limits, &monitor, x, report));
  s->done += report->iterations;
  *(solver == s->sweeps   ? &s->sweep_count
    : solver == s->direct ? &s->newton_count
                          : &s->case_count) += report->iterations;
  if (report->error < s->best_error || s->best_error == INFINITY) {
    s->best_error = report->error;
    if (x != s->best) memcpy(s->best, x, s->n * sizeof *x);
  }
  return DLS_OK;
}

/* Another solver from the best iterate, for at most so many iterations, in what the limits leave: analysing
 * matrices takes time too. */
static DlsStatus run_other(Auto *s, const DlsSolver *solver, const DlsProblem *problem,
                           const DlsLimits *limits, double most, DlsReport *report) {
  void *state = NULL;
  DlsStatus status = DLS_OK;
  DlsLimits left;
  DLS_TRY(make(solver, problem, NULL, NULL, &state));
  memcpy(s->r, s->best, s->n * sizeof *s->r);
  if (limits_left(s, limits, most, &left)) {
    status = run_phase(s, solver, state, problem, &left, s->r, report);
    const double spent = dls_clock_now() - s->begin - s->phase_begin;
    if (solver == s->direct)
      s->measured = fmax(s->measured, spent / (double)(report->iterations + 1));
  }
  solver->destroy(state);
  return status;
}

/* A handful of contacts, which no iteration may reach: W singular and friction large. */
static DlsStatus run_cases(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                           DlsReport *report) {
  const int few = 6; /* contacts that enumerate takes */
  const DlsSolver *cases;
  if (s->most > few || dls_problem_has(problem, DLS_CONE_CUSTOM)) return DLS_OK;
  DLS_TRY(dls_solver_find("enumerate", &cases));
  return run_other(s, cases, problem, limits, 20000, report);
}

/* Whether a phase has settled the solve: solved, stopped from outside, or at a limit of the whole. */
static bool is_over(const Auto *s, const DlsLimits *limits, DlsReport *report) {
  DlsLimits left;
  if (s->best_error <= s->tolerance)
    report->outcome = DLS_CONVERGED;
  else if (s->stopped)
    report->outcome = DLS_STOPPED;
  else if (!limits_left(s, limits, INFINITY, &left))
    report->outcome = limits->max_iterations > 0 && s->done >= limits->max_iterations
                          ? DLS_ITERATION_LIMIT
                          : DLS_TIME_LIMIT;
  else
    return false;
  return true;
}

/* A factorisation cannot be broken off: it must be short beside the time that is left. */
static bool may_factor(const Auto *s, const DlsLimits *limits) {
  const double left = limits->max_time - (dls_clock_now() - s->begin), most = 10;
  if (limits->max_time <= 0) return s->largest < most;
  return s->largest < fmin(0.1 * left, most) && 4 * s->measured < left;
}

/* Sweeps in proximal steps from the best iterate, or plain ones from zero, another basin. */
static DlsStatus sweep_again(Auto *s, const DlsProblem *problem, const DlsLimits *left,
                             bool from_best, DlsReport *report) {
  if (!s->anchored) DLS_TRY(make(s->sweeps, problem, "anchor", "3e-3", &s->anchored));
  for (size_t e = 0; e < s->n; e++) s->r[e] = from_best ? s->best[e] : 0;
  void *state = from_best ? s->anchored : s->sweeping;
  return run_phase(s, s->sweeps, state, problem, left, s->r, report);
}

/* Direct solves and sweeps by turns, each turn twice as long as the one before. */
static DlsStatus take_turns(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                            DlsReport *report) {
  double mark = s->best_error, newtons = 4.0 * s->options.newtons * fmax(s->islands, 1);
  double sweeps = fmax(4 * s->direct_time / s->sweep_time, 1000);
  /* Dense packings, on which direct solves mostly fail: half their price in proximal steps before. */
  const double many = 1e4, price = s->direct_time / s->sweep_time;
  DlsLimits left;
  if (price > many && limits_left(s, limits, 0.5 * price, &left))
    DLS_TRY(sweep_again(s, problem, &left, true, report));
  for (int idle = 0; !is_over(s, limits, report); newtons *= 2, sweeps *= 2) {
    if (may_factor(s, limits)) {
      DLS_TRY(run_other(s, s->direct, problem, limits, newtons, report));
      if (is_over(s, limits, report)) break;
    }
    if (s->case_count == 0) {
      DLS_TRY(run_cases(s, problem, limits, report));
      if (is_over(s, limits, report)) break;
    }
    if (!limits_left(s, limits, sweeps, &left)) continue;
    DLS_TRY(sweep_again(s, problem, &left, idle % 2 == 0, report));
    idle = s->best_error < 0.5 * mark ? 0 : idle + 1;
    if (idle == 0) mark = s->best_error;
    if (idle >= s->options.rounds && !is_over(s, limits, report)) {
      report->outcome = DLS_STALLED;
      break;
    }
  }
  return DLS_OK;
}

static void describe(const Auto *s, double handed, double expected, const DlsReport *report,
                     char *note, size_t size) {
  const DlsQuickCounts *quick = &s->quick;
  char cases[32] = "";
  if (s->case_count) snprintf(cases, sizeof cases, ", %ld cases", s->case_count);
  if (s->done == 0 && report->outcome == DLS_CONVERGED)
    strcpy(note, "the guess is good");
  else if (!s->sweeping)
    dls_quick_describe(quick, note);
  else if (s->far > 0)
    snprintf(note, size,
             "%ld sweeps with momentum, slow enough to end %.1g times their error away from the "
             "answer; then %ld Newton iterations",
             s->sweep_count, s->far, s->newton_count);
  else if (!isfinite(handed))
    snprintf(note, size, "%ld sweeps with momentum%s", s->sweep_count,
             quick->sweeps ? ", after a quick try" : "");
  else
    snprintf(note, size,
             "%ld sweeps with momentum and %ld Newton iterations%s by turns: the first sweeps, to "
             "%.1e, would have needed %.2g more, the direct solves the time of %.2g%s",
             s->sweep_count, s->newton_count, cases, handed, expected,
             s->direct_time / s->sweep_time,
             report->outcome == DLS_CONVERGED ? "" : "; neither gets there");
}

static void begin(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                  const DlsMonitor *monitor, double *r) {
  s->problem = problem;
  s->status = DLS_OK;
  s->direct_time = -1;
  s->sweep_time = sweep_seconds(dls_problem_contacts(problem), dls_problem_block(problem));
  s->monitor = monitor;
  s->begin = dls_clock_now();
  s->measured = 0;
  s->best_error = INFINITY;
  s->tolerance = limits->tolerance;
  s->done = s->sweep_count = s->newton_count = s->case_count = 0;
  s->quick = (DlsQuickCounts){0};
  s->far = 0;
  s->stopped = s->taking_turns = false;
  s->best = r;
}

/* The guess, and a problem of a handful of contacts: *over when that was all. */
static DlsStatus try_quickly(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                             DlsReport *report, bool *over) {
  const size_t many = 300; /* numbers, for which the sweeps measure the guess themselves, once */
  *over = false;
  if (s->n > many) return DLS_OK;
  dls_problem_to_standard(problem, s->best);
  DLS_TRY(dls_solver_measure(problem, limits, s->best, s->r, &report->error));
  dls_problem_from_standard(problem, s->best);
  *over = report->error <= limits->tolerance;
  report->outcome = DLS_CONVERGED;
  if (*over && s->monitor->call) s->monitor->call(s->monitor->context, 0, 0, report->error);
  if (!*over && s->n <= DLS_QUICK_ROWS) {
    DLS_TRY(dls_quick_solve(problem, limits, s->monitor, s->best, report, &s->quick));
    *over = report->outcome != DLS_STALLED;
    s->done = report->iterations;
    s->sweep_count = s->quick.sweeps;
    s->newton_count = s->quick.newtons;
  }
  s->best_error = report->error;
  return DLS_OK;
}

/* What was left of the error by slow sweeps lies in the softest directions of W, where a small error
 * is a large distance. With momentum the sweeps for a factor e grow like the root of the condition of W,
 * so the distance is about error k², k their number (over 30, by chains of spheres). Direct solves take
 * that away; they are asked where the tolerance is tight and they cost half of the sweeps at most. */
static DlsStatus polish(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                        DlsReport *report) {
  const double k = sweeps_per_fold(s), tight = 1e-6, much = 50;
  const double far = k * k / 30, few = 4; /* iterations */
  DlsLimits tighter = *limits;
  if (s->tolerance > tight || far * s->best_error < much * s->tolerance || s->direct_time < 0 ||
      few / s->options.newtons * s->direct_time > 0.5 * (double)s->sweep_count * s->sweep_time ||
      !may_factor(s, limits))
    return DLS_OK;
  tighter.tolerance = s->tolerance / fmax(far, 10);
  s->far = far;
  DLS_TRY(run_other(s, s->direct, problem, &tighter, 2 * few * s->islands, report));
  report->outcome = DLS_CONVERGED;
  return DLS_OK;
}

/* Sweeps, and direct solves where they are slow; *handed and *expected say where they stood then. */
static DlsStatus work(Auto *s, const DlsProblem *problem, const DlsLimits *limits,
                      DlsReport *report, double *handed, double *expected) {
  DlsLimits left;
  DLS_TRY(prepare_sweeps(s, problem));
  if (!limits_left(s, limits, INFINITY, &left)) {
    is_over(s, limits, report);
    return DLS_OK;
  }
  DLS_TRY(run_phase(s, s->sweeps, s->sweeping, problem, &left, s->best, report));
  DLS_TRY(s->status);
  if (report->outcome == DLS_CONVERGED) return polish(s, problem, limits, report);
  if (!s->switched && report->outcome != DLS_STALLED && report->outcome != DLS_DIVERGED)
    return DLS_OK;
  if (s->direct_time < 0) DLS_TRY(estimate(s, problem));
  *handed = s->best_error;
  *expected = sweeps_left(s);
  s->taking_turns = true;
  return take_turns(s, problem, limits, report);
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Auto *s = self;
  double handed = INFINITY, expected = 0;
  bool over;
  begin(s, problem, limits, monitor, r);
  DLS_TRY(try_quickly(s, problem, limits, report, &over));
  if (!over) DLS_TRY(work(s, problem, limits, report, &handed, &expected));
  report->error = s->best_error;
  report->iterations = s->done;
  describe(s, handed, expected, report, report->note, sizeof report->note);
  return DLS_OK;
}

const DlsSolver dls_solver_auto = {
    DLS_SOLVER_HEAD,
    .name = "auto",
    .summary = "sweeps with momentum, direct solves where those are faster",
    .description =
        "Begins with momentum, watches the rate of convergence, and hands over to proximal when "
        "sweeps would take longer; both by turns when neither gets there. Takes every law. The "
        "note of its report says what it did.",
    .references = "solvers momentum and proximal",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(AutoOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
