/* What most solvers need besides the problem: when to measure the error and when to stop, the
 * problem in variables without units, and how to refuse a law. The built-in solvers use nothing
 * else for it. Projections on cones: delassus/cone.h; one contact alone: delassus/local.h.
 *
 * A solver that iterates on r' in scaled variables, as docs/solver-author.md builds one:
 *
 *   dls_problem_to_standard(problem, r_hat), dls_scaled_take(scaled, r_hat, r)
 *   dls_stopping_begin(...)
 *   for (long k = 0;; k++) {
 *     if (dls_stopping_due(&stopping, k)) {
 *       dls_scaled_give(scaled, r, r_hat);
 *       if (dls_stopping_measure(&stopping, k, r_hat)) break;
 *     }
 *     ... one iteration on r ...
 *   }
 *   return dls_stopping_end(&stopping, r_out); */
#ifndef DELASSUS_SOLVER_TOOLS_H
#define DELASSUS_SOLVER_TOOLS_H

#include <delassus/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stopping rule. It measures r̂ by dls_solver_measure(), keeps the best iterate, tells the
 * monitor, and ends the solve at the tolerance, at a limit, at the monitor's word, at a number that
 * is not finite, or when the error has not fallen by 2 % while the iterations grew tenfold (2000 at
 * least). Without `every` the next measure comes when the rate since the last one foretells 4/5 of
 * what is left, at least a tenth and at most half of the iterations done.
 *
 * Lives on the stack of solve(). A solver may read the fields; it sets `patient` alone. */
typedef struct {
  const DlsProblem *problem;
  const DlsLimits *limits;
  const DlsMonitor *monitor;
  DlsReport *report;
  double *best,
      *u;       /* [contacts][block] each, owned by the solver; best may be the r of its caller */
  double begin; /* s, by dls_stopping_begin() */
  double best_error, last_error, mark_error;
  long last, next, mark; /* iterations: last and next measure, and when mark_error was taken */
  long latest;           /* iteration by which to measure whatever the hints say */
  double per_size;       /* error over the size of the change; < 0 until a hint follows a measure */
  int every;             /* 0: as the rate of convergence suggests */
  int hinted;            /* some hint was given */
  int patient;      /* set by the solver: goes on within the tolerance, and is not found to stall */
  DlsStatus status; /* of a law that failed while measuring */
} DlsStopping;

/* `best` and `u`, [contacts][block], are the solver's and stay its own; `every` iterations between
 * two measures, 0 to let the rate decide. Clears the reason and the work of the report. */
DLS_EXPORT void dls_stopping_begin(DlsStopping *stopping, const DlsProblem *problem,
                                   const DlsLimits *limits, const DlsMonitor *monitor,
                                   DlsReport *report, double *best, double *u, int every);

/* Whether iteration k is to be measured; the guess is iteration 0, and is. */
static inline int dls_stopping_due(const DlsStopping *stopping, long k) {
  return k >= stopping->next;
}

/* Measures r̂ after iteration k; nonzero when the solve is over: outcome, reason and iterations of
 * the report are set. */
DLS_EXPORT int dls_stopping_measure(DlsStopping *stopping, long k, const double *r_hat);

/* The best iterate, physical, into r, its error into the report; the status of the solve. */
DLS_EXPORT DlsStatus dls_stopping_end(DlsStopping *stopping, double *r);

/* The problem in variables without units:
 *
 *   r̂ = S r',   u' = S û,   u' = W' r' + q',   W' = S Ŵ S,   q' = S q̂
 *
 * S is diagonal, with one value per group of components (normal, tangents, rolling, torsion), such
 * that the mean diagonal entry of W' over the group is 1. A cone |r_g| <= mu_g r_N keeps its form,
 * with mu'_g = mu_g S_N / S_g; so does De Saxcé's shift. An ellipse becomes a circle: S_i ~ mu_i.
 * A custom law has one S for all components. Vectors are [contacts][block]. Not reentrant: it has
 * one scratch. */
typedef struct DlsScaled DlsScaled;

DLS_EXPORT DlsStatus dls_scaled_create(const DlsProblem *problem, DlsScaled **out);
DLS_EXPORT void dls_scaled_destroy(DlsScaled *scaled); /* NULL is fine */

/* y = W' x; u = W' r + q'. No overlap. */
DLS_EXPORT void dls_scaled_multiply(const DlsScaled *scaled, const double *x, double *y);
DLS_EXPORT void dls_scaled_velocity(const DlsScaled *scaled, const double *r, double *u);

/* r' from r̂, and back; both may be one array. */
DLS_EXPORT void dls_scaled_take(const DlsScaled *scaled, const double *r_hat, double *r);
DLS_EXPORT void dls_scaled_give(const DlsScaled *scaled, const double *r, double *r_hat);

/* Γ(u') of each contact, [contacts]. */
DLS_EXPORT void dls_scaled_shift(const DlsScaled *scaled, const double *u, double *shift);

/* out = P_K(r - step (u + shift n)), shift [contacts] or NULL for 0; a custom law projects (r, u)
 * by its own function, and only there can it fail. */
DLS_EXPORT DlsStatus dls_scaled_project(const DlsScaled *scaled, double step, const double *shift,
                                        const double *u, const double *r, double *out);

/* For create(): refuse, with a sentence that begins with `solver`, a problem with a custom law that
 * brings no projection; with any custom law, for a solver that knows the cones alone. */
DLS_EXPORT DlsStatus dls_solver_needs_project(const DlsProblem *problem, const char *solver);
DLS_EXPORT DlsStatus dls_solver_needs_cones(const DlsProblem *problem, const char *solver);

/* The word that was meant: the nearest of names [count], NULL where none is near; for sentences
 * about misspelt names. */
DLS_EXPORT const char *dls_solver_nearest(const char *word, const char *const *names, int count);

#ifdef __cplusplus
}
#endif
#endif
