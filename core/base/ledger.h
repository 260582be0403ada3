/* What this thread has done for solvers, counted where it is done, so that nobody can forget to
 * count: rows of W in the operator and in sweeps, one-contact problems where they are solved,
 * flops where matrices are factored. dls_solve() reads it before and after a solve.
 *
 * In one number, flops of a model that depends on the problem alone:
 *
 *   effort = rows row_flops + contacts contact_flops + flops
 *
 * docs/solvers/README.md says what a row and a contact cost, and why. */
#ifndef DELASSUS_BASE_LEDGER_H
#define DELASSUS_BASE_LEDGER_H

#include <math.h>
#include <stdbool.h>

#include "base/clock.h"

typedef struct {
  long rows;     /* of W, those of a contact together, applied: a product has all of them */
  long contacts; /* one-contact problems, solved or projected */
  long flops;    /* of matrices that couple contacts: factored, and solved with */
  long measures; /* of the error */
} DlsLedger;

typedef enum {
  DLS_SEEN,          /* the error alone, until it is small enough */
  DLS_FORESEEN_NEXT, /* all that is asked, from the next measure on */
  DLS_FORESEEN
} DlsForesight;

/* By what the solve under way is limited. */
typedef struct {
  bool cpu;                        /* its clock is the processor's */
  double row_flops, contact_flops; /* prices; 0 where nobody asks */
  double most;                     /* effort at which all time is over; 0: no limit */
  /* Asked for by who foresees when a solve ends: each measure leaves in `times` the largest of all
   * that is asked of the pair over what it may be, also where the error alone is too large yet. The
   * error of solver.h jumps when it comes within the tolerance; this falls by one rate. */
  DlsForesight foresee;
  double times;
  DlsLedger begin;
} DlsLedgerRules;

extern _Thread_local DlsLedger dls_ledger;
extern _Thread_local DlsLedgerRules dls_ledger_rules;

/* Flops of the LU factors of a dense matrix of n rows, and of one solve. */
static inline long dls_ledger_dense(long n) { return 2 * n * n * n / 3 + 2 * n * n; }

/* Since the begin of the rules. */
static inline double dls_ledger_effort(void) {
  const DlsLedgerRules *rules = &dls_ledger_rules;
  return (double)(dls_ledger.rows - rules->begin.rows) * rules->row_flops +
         (double)(dls_ledger.contacts - rules->begin.contacts) * rules->contact_flops +
         (double)(dls_ledger.flops - rules->begin.flops);
}

static inline bool dls_ledger_is_spent(void) {
  return dls_ledger_rules.most > 0 && dls_ledger_effort() >= dls_ledger_rules.most;
}

/* s: the clock that a solve is limited by. */
static inline double dls_ledger_clock(void) {
  return dls_ledger_rules.cpu ? dls_clock_cpu() : dls_clock_now();
}

/* The same for who asks whether a deadline has come: past all of them when the work is spent. */
static inline double dls_ledger_now(void) {
  return dls_ledger_is_spent() ? INFINITY : dls_ledger_clock();
}

#endif
