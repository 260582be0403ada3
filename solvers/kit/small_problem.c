/* Sweeps r <- S(r), each followed by a measure of the error, until they are solved or their rate
 * says that Newton's method is cheaper,
 *
 *   log(e_k / tolerance) / log(e_{k-1} / e_k)  sweeps  >  a few factorisations of n x n numbers.
 *
 * Then, in scaled variables (solvers/kit/contact_scale.h), full steps on Alart and Curnier's
 * equations F = 0,
 *
 *   (A + B (W' + alpha)) dr = -F,   A = dF/dr, B = dF/du,
 *
 * alpha being 0, or 1e-10 from the first system on that is singular: F is exact, so that alpha
 * costs nothing but rate. If they do not get there more sweeps follow, and Newton again, a few
 * times. */
#include "solvers/kit/small_problem.h"

#include "base/ledger.h"
#include "base/small.h"
#include "solvers/kit/contact_scale.h"
#include "solvers/kit/sweep.h"
#include "solvers/newton/residual.h"

#include <math.h>
#include <string.h>

enum { ROWS = DLS_SMALL_PROBLEM_ROWS, CONTACTS = DLS_SMALL_PROBLEM_ROWS / 2 };

typedef struct {
  const DlsProblem *problem;
  const DlsLimits *limits;
  const DlsMonitor *monitor;
  DlsReport *report;
  DlsSmallProblemCounts *counts;
  DlsSweep *sweep;
  int contacts, block, n;
  double begin;                                /* s, where the monitor listens */
  double r[ROWS + 1], best[ROWS + 1], u[ROWS]; /* r̂; one number more, which kernels may load */
  double best_error;
  DlsStatus status; /* of a law that failed */
} Quick;

/* The scaled problem, dense. */
typedef struct {
  NewtonContact contact[CONTACTS];
  double W[ROWS * ROWS], q[ROWS], scale[ROWS];
} Dense;

/* Measures s->r; true when the solve is over, and the outcome says why. */
static bool measure(Quick *s, double *error) {
  const DlsLimits *limits = s->limits;
  const long k = s->counts->sweeps + s->counts->newtons;
  s->status = dls_solver_measure(s->problem, limits, s->r, s->u, error);
  if (s->status != DLS_OK) return true;
  if (*error < s->best_error) {
    s->best_error = *error;
    memcpy(s->best, s->r, sizeof s->best);
  }
  const double time = s->monitor->call ? dls_ledger_clock() - s->begin : 0;
  const bool stopped = s->monitor->call && s->monitor->call(s->monitor->context, k, time, *error);
  if (*error <= limits->tolerance)
    dls_report_end(s->report, DLS_REASON_WITHIN_TOLERANCE);
  else if (stopped)
    dls_report_end(s->report, DLS_REASON_MONITOR);
  else if (limits->max_iterations > 0 && k >= limits->max_iterations)
    dls_report_end(s->report, DLS_REASON_ITERATION_LIMIT);
  else
    return false;
  return true;
}

/* Of one sweep with its measure, and of one Newton iteration; ns on some machine. */
static double sweep_price(const Quick *s) {
  const DlsOperator *W = dls_problem_operator(s->problem);
  const double blocks =
      dls_operator_has_rows(W) ? dls_operator_block_rows(W).start[s->contacts] : 4.0 * s->contacts;
  return 40 + (s->block < 5 ? 50 : 500) * s->contacts + s->block * s->block * blocks;
}

static double newton_price(const Quick *s) {
  const double n = s->n;
  return 150 + 100.0 * s->contacts + (s->block + 1.0) * n * n + 0.4 * n * n * n;
}

/* Sweeps until they are over (true), or slower than Newton's method would be when they have cost as
 * much already, or `most`. A measure costs as much as a sweep: it waits for a part of what the rate
 * foretells, and for half of what was done at most. */
static bool run_sweeps(Quick *s, int most) {
  const double price = sweep_price(s), newton = 2 * newton_price(s), far = 1e6;
  double last = INFINITY, error = INFINITY;
  for (int k = 1, seen = 0, next = 1; k <= most; k++) {
    dls_sweep_pass(s->sweep, NULL, 0, 1, s->r);
    s->counts->sweeps++;
    s->status = s->sweep->status;
    if (s->status != DLS_OK) return true;
    const long all = s->counts->sweeps + s->counts->newtons, limit = s->limits->max_iterations;
    if (k < next && k < most && !(limit > 0 && all >= limit)) continue;
    if (measure(s, &error)) return true;
    if (!isfinite(error)) return false;
    const double fall = log(last / error) / (k - seen);
    const double left = log(error / s->limits->tolerance);
    const double more = k > 1 && fall > 0 ? fmin(left / fall, far) : far;
    if (k > 1) s->counts->slow = (long)more;
    if (k > 1 && more * price > newton && k * price > newton) return false;
    next = k + 1 + (int)fmin(0.6 * fmax(more - 1, 0), 0.5 * (k - 1));
    seen = k;
    last = error;
  }
  return false;
}

static DlsStatus make_dense(const Quick *s, Dense *dense) {
  DlsOperator *own;
  DlsBlockRows rows;
  DLS_TRY(dls_operator_rows(dls_problem_operator(s->problem), &own, &rows));
  const DlsCustomRelation *custom = dls_problem_custom(s->problem);
  const double *q = dls_problem_standard_q(s->problem);
  const int block = s->block, dim = dls_problem_dim(s->problem), n = s->n;
  double D[ROWS * DLS_MAX_BLOCK];
  dls_problem_standard_diagonal(s->problem, D);
  memset(dense->W, 0, (size_t)(n * n) * sizeof *dense->W);
  for (int i = 0; i < s->contacts; i++) {
    NewtonContact *contact = &dense->contact[i];
    contact->relation = *dls_problem_relation(s->problem, i);
    contact->custom = contact->relation.cone == DLS_CONE_CUSTOM ? &custom[i] : NULL;
    dls_contact_scale(dim, block, D + i * block * block, &contact->relation, contact->scale);
    for (int k = 0; k < block; k++) dense->scale[i * block + k] = contact->scale[k];
  }
  for (int i = 0; i < s->contacts; i++)
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) {
          const int row = i * block + a, column = rows.column[k] * block + b;
          dense->W[row * n + column] =
              dense->scale[row] * rows.value[(k * block + a) * block + b] * dense->scale[column];
        }
  for (int e = 0; e < n; e++) {
    const double C = dls_problem_relation(s->problem, e / block)->C[e % block];
    dense->W[e * n + e] += dense->scale[e] * C * dense->scale[e];
    dense->q[e] = dense->scale[e] * q[e];
  }
  dls_operator_destroy(&own);
  return DLS_OK;
}

/* F and J = A + B (W' + alpha) at r'. */
static DlsStatus linearise(const Quick *s, const Dense *dense, double alpha, const double *r,
                           double *F, double *J) {
  const int block = s->block, n = s->n, dim = dls_problem_dim(s->problem);
  double u[ROWS];
  dls_small_affine(n, dense->W, r, dense->q, u);
  for (int i = 0; i < s->contacts; i++) {
    const int at = i * block;
    double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK], B[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
    DLS_TRY(newton_residual(NEWTON_ALART_CURNIER, &dense->contact[i], dim, block, u + at, r + at,
                            F + at, A, B));
    for (int a = 0; a < block; a++) {
      double *row = J + (at + a) * n;
      memset(row, 0, (size_t)n * sizeof *row);
      for (int c = 0; c < block; c++) {
        const double factor = B[a * block + c], *W = dense->W + (at + c) * n;
        if (factor == 0) continue;
        for (int j = 0; j < n; j++) row[j] += factor * W[j];
      }
      for (int c = 0; c < block; c++) row[at + c] += A[a * block + c] + alpha * B[a * block + c];
    }
  }
  return DLS_OK;
}

/* The Newton step from r' into F; false when there is none. */
static bool find_step(Quick *s, const Dense *dense, double *alpha, const double *r, double *F) {
  double J[ROWS * ROWS];
  for (;; *alpha = 1e-10) {
    s->status = linearise(s, dense, *alpha, r, F, J);
    if (s->status != DLS_OK) return false;
    dls_ledger.rows += (long)(s->block + 1) * s->contacts; /* u, and J as newton_step_rows() */
    dls_ledger.flops += dls_ledger_dense(s->n);
    if (dls_small_eliminate(s->n, *alpha > 0 ? 1e-15 : 1e-12, J, F)) return true;
    if (*alpha > 0) return false;
  }
}

/* Full steps from the best iterate; true when the solve is over. */
static bool run_newton(Quick *s, const Dense *dense) {
  const int most = 12, patience = 4;
  double r[ROWS], F[ROWS], error, least = s->best_error, alpha = 0;
  for (int e = 0; e < s->n; e++) r[e] = s->best[e] / dense->scale[e];
  for (int k = 0, idle = 0; k < most && idle < patience; k++) {
    if (!find_step(s, dense, &alpha, r, F)) return s->status != DLS_OK;
    for (int e = 0; e < s->n; e++) {
      r[e] -= F[e];
      s->r[e] = dense->scale[e] * r[e];
    }
    if (!dls_small_finite(s->n, r)) return false;
    s->counts->newtons++;
    if (measure(s, &error)) return true;
    idle = error < 0.5 * least ? 0 : idle + 1;
    least = fmin(least, error);
  }
  return false;
}

/* Both by turns: from a guess three times, since those who come after have sweeps of the same kind
 * alone to offer; from zero once, since there they have other ways. */
static DlsStatus run(Quick *s, bool guessed) {
  const int rounds = guessed ? 3 : 1;
  int most = 60;
  Dense dense;
  for (int round = 0; round < rounds; round++, most *= 2) {
    if (run_sweeps(s, most)) return s->status;
    if (round == 0) DLS_TRY(make_dense(s, &dense));
    if (run_newton(s, &dense)) return s->status;
    memcpy(s->r, s->best, sizeof s->r);
    dls_sweep_refresh(s->sweep, s->r);
  }
  return DLS_OK;
}

/* printf would take as long as a sweep of a few contacts: "N what", 0 <= N < 1e18; returns the
 * end. */
static char *put(char *at, const char *before, long number, const char *what) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  at = stpcpy(at, before);
  while (count > 0) *at++ = digits[--count];
  return stpcpy(at, what);
}

void dls_small_problem_describe(const DlsSmallProblemCounts *counts, char *note) {
  note = put(note, "small: ", counts->sweeps, counts->sweeps == 1 ? " sweep" : " sweeps");
  if (counts->newtons == 0) return;
  note = put(note, ", about ", counts->slow, " more to go, so ");
  put(note, "", counts->newtons,
      counts->newtons == 1 ? " Newton iteration on a dense system"
                           : " Newton iterations on a dense system");
}

DlsStatus dls_small_problem_solve(const DlsProblem *problem, const DlsLimits *limits,
                                  const DlsMonitor *monitor, double *r, DlsReport *report,
                                  DlsSmallProblemCounts *counts) {
  Quick s = {.problem = problem, .limits = limits, .monitor = monitor, .report = report};
  bool guessed = false;
  s.counts = counts;
  s.contacts = dls_problem_contacts(problem);
  s.block = dls_problem_block(problem);
  s.n = s.contacts * s.block;
  s.best_error = report->error;
  s.begin = monitor->call ? dls_ledger_clock() : 0;
  *counts = (DlsSmallProblemCounts){0};
  dls_report_end(report, DLS_REASON_EXHAUSTED);
  for (int e = 0; e < s.n && !guessed; e++) guessed = r[e] != 0;
  memcpy(s.r, r, (size_t)s.n * sizeof *r);
  dls_problem_to_standard(problem, s.r);
  memcpy(s.best, s.r, sizeof s.best);
  DLS_TRY(dls_sweep_create(problem, DLS_SWEEP_AUTO, &s.sweep));
  dls_sweep_refresh(s.sweep, s.r);
  const DlsStatus status = run(&s, guessed);
  report->work = (DlsWork){.sweeps = counts->sweeps,
                           .newton_steps = counts->newtons,
                           .factorisations = counts->newtons,
                           .local_failures = s.sweep->unsolved,
                           .newton_fallbacks = s.sweep->newton_fallbacks};
  dls_sweep_destroy(s.sweep);
  memcpy(r, s.best, (size_t)s.n * sizeof *r);
  dls_problem_from_standard(problem, r);
  report->error = s.best_error;
  report->iterations = counts->sweeps + counts->newtons;
  return status;
}
