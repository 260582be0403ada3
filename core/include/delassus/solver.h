/* What a solver is: one constant DlsSolver. Built-in ones join by a line in solvers/list.h; others
 * are shared objects that export dls_solver_entry(), found as NAME.so in the solver directories. */
#ifndef DELASSUS_SOLVER_H
#define DELASSUS_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_SOLVER_ABI  3
#define DLS_SOLVER_HEAD .abi = DLS_SOLVER_ABI, .size = (uint32_t)sizeof(DlsSolver)

/* Options: typed fields of one struct, described by one table that parser, help and docs share. */
typedef enum { DLS_OPTION_REAL, DLS_OPTION_INT, DLS_OPTION_CHOICE } DlsOptionKind;

typedef struct {
  const char *name;
  DlsOptionKind kind;
  size_t offset;
  double value, min, max; /* default and bounds; of a choice: the number of the default */
  const char *choices; /* "first|second|third" for a choice, stored as an int from 0; else NULL */
  const char *meaning;
} DlsOption;

/* double, int and int fields of `type`. */
#define DLS_REAL_OPTION(type, field, value, min, max, meaning)                                     \
  { #field, DLS_OPTION_REAL, offsetof(type, field), value, min, max, NULL, meaning }
#define DLS_INT_OPTION(type, field, value, min, max, meaning)                                      \
  { #field, DLS_OPTION_INT, offsetof(type, field), value, min, max, NULL, meaning }
#define DLS_CHOICE_OPTION(type, field, value, choices, meaning)                                    \
  { #field, DLS_OPTION_CHOICE, offsetof(type, field), value, 0, 0, choices, meaning }

/* Which error a solve drives below its tolerance; see errors.h. */
#define DLS_MEASURE_LIST(X)                                                                        \
  X(NATURAL, "natural")                                                                            \
  X(SCALED, "scaled")                                                                              \
  X(NATURAL_Q, "natural_q")                                                                        \
  X(BIPOTENTIAL, "bipotential")
typedef enum {
#define DLS_MEASURE_ENUM(code, word) DLS_MEASURE_##code,
  DLS_MEASURE_LIST(DLS_MEASURE_ENUM)
#undef DLS_MEASURE_ENUM
      DLS_MEASURE_COUNT
} DlsMeasure;
DLS_EXPORT const char *dls_measure_word(DlsMeasure measure); /* "natural" ... */

/* By what clock: that on the wall, or that of the processor at work for this process. */
#define DLS_CLOCK_LIST(X)                                                                          \
  X(WALL, "wall")                                                                                  \
  X(CPU, "cpu")
typedef enum {
#define DLS_CLOCK_ENUM(code, word) DLS_CLOCK_##code,
  DLS_CLOCK_LIST(DLS_CLOCK_ENUM)
#undef DLS_CLOCK_ENUM
} DlsClock;

typedef struct {
  double tolerance;    /* of the error that `measure` names */
  double max_time;     /* s of `clock`; <= 0: no limit */
  long max_iterations; /* <= 0: no limit */
  DlsMeasure measure;
  DlsClock clock;
  double max_work; /* products with W that all may cost, see dls_work_units(); <= 0: no limit */
} DlsLimits;

/* A natural error of 1e-6, within 60 s, in any number of iterations. */
DLS_EXPORT DlsLimits dls_limits_default(void);

/* Gets (iteration, seconds, error) at each measure; returns nonzero to stop the solve,
 * which then ends with DLS_STOPPED. `call` may be NULL. */
typedef struct {
  int (*call)(void *context, long iteration, double time_s, double error);
  void *context;
} DlsMonitor;

#define DLS_OUTCOME_LIST(X)                                                                        \
  X(CONVERGED, "converged")                                                                        \
  X(ITERATION_LIMIT, "iteration limit")                                                            \
  X(TIME_LIMIT, "time limit")                                                                      \
  X(STALLED, "stalled")                                                                            \
  X(DIVERGED, "diverged")                                                                          \
  X(STOPPED, "stopped")                                                                            \
  X(NO_SOLUTION, "no solution exists") /* proved: see squeeze.h */                                 \
  X(WORK_LIMIT, "work limit")

typedef enum {
#define DLS_OUTCOME_ENUM(code, text) DLS_##code,
  DLS_OUTCOME_LIST(DLS_OUTCOME_ENUM)
#undef DLS_OUTCOME_ENUM
      DLS_OUTCOME_COUNT
} DlsOutcome;

/* Why a solve ended as it did: code, the outcome that goes with it, text. */
#define DLS_REASON_LIST(X)                                                                         \
  X(UNTOLD, DIVERGED, "not told")                                                                  \
  X(WITHIN_TOLERANCE, CONVERGED, "converged")                                                      \
  X(GOOD_GUESS, CONVERGED, "good guess") /* within the tolerance before any iteration */           \
  X(CERTIFIED, CONVERGED, "converged, which the certificate found") /* dls_solve() alone */        \
  X(ITERATION_LIMIT, ITERATION_LIMIT, "iteration limit")                                           \
  X(TIME_LIMIT, TIME_LIMIT, "time limit")                                                          \
  X(MONITOR, STOPPED, "stopped by the monitor")                                                    \
  X(STAGNATED, STALLED, "no progress")                                                             \
  X(EXHAUSTED, STALLED, "every way tried in vain")                                                 \
  X(LOCAL_FAILURE, STALLED, "no progress, and one-contact problems without a solution")            \
  X(OVERRULED, STALLED, "said converged, and is not")                     /* dls_solve() alone */  \
  X(UNPROVED, STALLED, "said that there is no solution, without a proof") /* dls_solve() alone */  \
  X(NOT_FINITE, DIVERGED, "a number that is not finite")                                           \
  X(LAW_FAILED, DIVERGED, "a contact law failed")                                                  \
  X(NO_SOLUTION, NO_SOLUTION, "no solution exists")                                                \
  X(WORK_LIMIT, WORK_LIMIT, "work limit")                                                          \
  X(LITTLE_CHANGE, STALLED, "changes as little as was asked for")

typedef enum {
#define DLS_REASON_ENUM(code, outcome, text) DLS_REASON_##code,
  DLS_REASON_LIST(DLS_REASON_ENUM)
#undef DLS_REASON_ENUM
      DLS_REASON_COUNT
} DlsReason;

/* What a solve did, counted; what a solver does not do stays 0. Up to newton_fallbacks it is the
 * solver that counts, and measures of the error are not among it. The last four are counted where
 * they are done, in the operator, in sweeps, in factors, by create and solve together, whoever the
 * solver is: dls_solve() fills them in, measures included. */
#define DLS_WORK_LIST(X)                                                                           \
  X(sweeps)           /* over all contacts, each solved or projected by itself in turn */          \
  X(partial_sweeps)   /* over the contacts in need alone */                                        \
  X(mixed_sweeps)     /* that Anderson's method mixed */                                           \
  X(products)         /* with W, all contacts at once */                                           \
  X(factorisations)   /* of matrices that couple contacts */                                       \
  X(newton_steps)     /* of Newton's method over contacts that are coupled */                      \
  X(cases)            /* of open, sticking and sliding contacts that were tried */                 \
  X(solutions)        /* found among them, at most in an island */                                 \
  X(local_failures)   /* one-contact problems without a solution */                                \
  X(newton_fallbacks) /* Newton's method in the place of a law's own solve, which failed */        \
  X(measures)         /* of the error */                                                           \
  X(rows_applied)     /* of W, those of a contact together: a product has as many as contacts */   \
  X(contacts_solved)  /* one-contact problems, solved or projected */                              \
  X(factor_flops)     /* of matrices that couple contacts: factored, and solved with */

typedef struct {
#define DLS_WORK_FIELD(name) long name;
  DLS_WORK_LIST(DLS_WORK_FIELD)
#undef DLS_WORK_FIELD
} DlsWork;

typedef struct {
  DlsOutcome outcome;
  DlsReason reason; /* of the outcome; dls_report_end() sets both */
  long iterations;
  double time_s; /* wall clock of create and solve; dls_solve() sets it */
  double cpu_s;  /* the same of the processor's clock */
  double error;  /* measured, of the r that is returned */
  DlsWork work;
  char note[240]; /* what the solver did, in a sentence for people; may be empty */
} DlsReport;

typedef struct DlsSolver {
  uint32_t abi, size; /* DLS_SOLVER_HEAD, always the first two fields */
  const char *name;   /* [a-z][a-z0-9-]* */
  const char *summary;
  const char *description; /* may be NULL */
  const char *references;
  const DlsOption *options;
  int noptions;
  size_t option_bytes;

  /* Makes what solve needs for this problem, which stays as it is until destroy. Refuses a problem
   * that the solver cannot take: DLS_ERR_SOLVER, with a sentence that names the law and what is
   * missing; then *out is NULL. `options` points to option_bytes filled bytes, which may go after
   * the call. */
  DlsStatus (*create)(const DlsProblem *problem, const void *options, void **out);

  /* r: a guess on entry, the best iterate seen on return, physical (not r̂), [contacts][block].
   * Fills outcome, reason, iterations, error, work and note; dls_stopping_begin() and its like do
   * the first four. Not converging is DLS_OK. May be called again, with another guess or other
   * limits. It may allocate, and writes nothing but r, the report and its own state. */
  DlsStatus (*solve)(void *self, const DlsProblem *problem, const DlsLimits *limits,
                     const DlsMonitor *monitor, double *r, DlsReport *report);

  void (*destroy)(void *self); /* NULL is fine */
} DlsSolver;

/* The one symbol that a solver plugin exports. */
DLS_EXPORT const DlsSolver *dls_solver_entry(void);
typedef const DlsSolver *(*DlsSolverEntry)(void);

/* By name: a built-in solver or a plugin; DLS_ERR_SOLVER lists the names there are. */
DLS_EXPORT DlsStatus dls_solver_find(const char *name, const DlsSolver **out);

/* All solvers there are, built-in first, then the plugins that load. *count solvers in *out, an
 * array that stays valid until the next call. */
DLS_EXPORT DlsStatus dls_solver_list(const DlsSolver *const **out, int *count);

/* The solvers of other libraries behind an adaptor, in the same way. They are found by name, and
 * are in no other list. */
DLS_EXPORT DlsStatus dls_solver_peers(const DlsSolver *const **out, int *count);

/* What the last list left out: one sentence a line, "" when nothing. The file of a plugin, NULL for
 * a built-in solver. The folders searched, one a line, valid until the next call in this thread. */
DLS_EXPORT const char *dls_solver_failures(void);
DLS_EXPORT const char *dls_solver_path(const DlsSolver *solver);
DLS_EXPORT const char *dls_solver_folders(void);

/* Fills option_bytes with the defaults; sets one option from text, checking its bounds. */
DLS_EXPORT void dls_solver_defaults(const DlsSolver *solver, void *options);
DLS_EXPORT DlsStatus dls_solver_set_option(const DlsSolver *solver, void *options, const char *name,
                                           const char *value);

/* The error of r_hat by the measure of the limits, u_hat receiving û; for solvers. */
DLS_EXPORT DlsStatus dls_solver_measure(const DlsProblem *problem, const DlsLimits *limits,
                                        const double *r_hat, double *u_hat, double *error);

/* create + solve + destroy, and a certificate: the error is measured from scratch, and the outcome
 * is CONVERGED if it is within the tolerance, whatever the solver said (unless the monitor stopped
 * it), and only then; what it called converged and is not has "said 7e-09, measured 7e-06" before
 * its note. Where it is proved that there is no solution the outcome is NO_SOLUTION, however small
 * the error, and the note begins with the reason; dls_squeeze_find() with the same r gives the
 * proof again. `options` NULL stands for the defaults, monitor may be NULL; u, unless NULL,
 * receives W r + q. */
DLS_EXPORT DlsStatus dls_solve(const DlsSolver *solver, const DlsProblem *problem,
                               const void *options, const DlsLimits *limits,
                               const DlsMonitor *monitor, double *r, double *u, DlsReport *report);

DLS_EXPORT const char *dls_outcome_text(DlsOutcome outcome);
DLS_EXPORT const char *dls_reason_text(DlsReason reason);
DLS_EXPORT DlsOutcome dls_reason_outcome(DlsReason reason);

/* The reason, and the outcome that goes with it; for solvers. */
DLS_EXPORT void dls_report_end(DlsReport *report, DlsReason reason);

/* sum += work, for solvers that call others. */
DLS_EXPORT void dls_work_add(DlsWork *sum, const DlsWork *work);

/* What all solvers can be compared by: rows, contacts and flops in units of one product with W.
 * A product is taken for 2 block² flops a block of W as it would be assembled, a one-contact
 * problem for DLS_CONTACT_FLOPS: see docs/solvers/index.md. Analysing the pattern of a matrix is
 * not counted. */
#define DLS_CONTACT_FLOPS(block) (10 * (block) * (block))
typedef struct {
  double row, contact; /* flops */
  double product;      /* flops: contacts rows */
} DlsWorkPrice;
DLS_EXPORT DlsStatus dls_work_price(const DlsProblem *problem, DlsWorkPrice *out);
DLS_EXPORT double dls_work_units(const DlsWorkPrice *price, const DlsWork *work);

/* Adds to what is counted: for solvers that apply W, solve contacts or factor matrices by other
 * means than the functions of this library. */
DLS_EXPORT void dls_work_count(long rows, long contacts, long flops);

#ifdef __cplusplus
}
#endif
#endif
