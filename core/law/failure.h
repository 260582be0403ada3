/* The last failure of a law in this thread, with all that the law was asked: it can be looked at,
 * written to a file and repeated alone. It belongs to the sentence of dls_error_message() as long
 * as that ends with `sentence`. */
#ifndef DELASSUS_LAW_FAILURE_H
#define DELASSUS_LAW_FAILURE_H

#include <stdbool.h>

#include <delassus/laws.h>

enum { DLS_FAILURE_TEXT = 1024, DLS_FAILURE_NAME = 64 };

typedef struct {
  char function[16]; /* range, orient, begin, prepare, residual, solve, project, force, commit,
                        energy, surface, report; or relation: no reaction was found that
                        satisfies it; or constructor, dls_law_entry, destructor: it died as it was
                        loaded, there is no law, and `file` has its path */
  char sentence[DLS_FAILURE_TEXT];
  const DlsLaw *law[DLS_MAX_LAWS + 1]; /* those that act together, NULL behind the last */
  int contact;
  bool forces;                   /* in the explicit scheme */
  double params[DLS_MAX_PARAMS]; /* of all laws, and their states at the start of the step */
  double state[DLS_MAX_PARAMS];
  DlsContact kinematics; /* without what it points to, which is below; "" is no name */
  double fields[2][DLS_MAX_PARAMS], surface[2][DLS_MAX_PARAMS];
  DlsLawTable table[DLS_MAX_TABLES]; /* of all laws; their numbers are below, x before y */
  double rows[2 * DLS_MAX_ROWS];
  char material[2][DLS_FAILURE_NAME];
  char file[DLS_FAILURE_TEXT];
  /* Arguments of the call, [block], D [block][block]; zero where the function has no such one. */
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK], rho;
  bool local; /* D and q are known: u = D r + q at this contact, the others held */
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
} DlsLawFailure;

/* Copies it; false when there is none, or the sentence of this moment is another's. */
bool dls_law_failure_last(DlsLawFailure *out);

/* The law that died as it was loaded in this thread, if one did since dls_plugin_forget(). */
bool dls_law_failure_load(DlsLawFailure *out);

/* Whether it is such a one: `function` says so. */
bool dls_law_failure_is_load(const DlsLawFailure *failure);

/* Calls the function again with the same arguments: DLS_ERR_LAW with the same sentence, unless the
 * law has changed. */
DlsStatus dls_law_failure_repeat(DlsLawFailure *failure);

/* The laws of a failure as a use; everything in it belongs to the failure, whose contact is told of
 * its fields, surfaces and materials where it stands now. */
DlsLawUse dls_law_failure_use(DlsLawFailure *failure);

/* A custom relation for which the one-contact problem u = D r + q found no answer, r being the
 * best: DLS_ERR_LAW. */
DlsStatus dls_law_unsolved(const DlsLawUse *use, const double *D, const double *q, const double *r);

/* Under a guard (base/guard.h) a law that dies has failed, and no law of this thread is asked again
 * until dls_guard_forget(): all calls end with its sentence. This gives it too: DLS_ERR_LAW. */
DlsStatus dls_law_dead(void);

/* For the calls of this room: the arguments of one; NULL where there are none. */
typedef struct {
  const char *function;
  const double *u, *r, *D, *q;
  double rho;
  const double *state; /* NULL: use->state */
} DlsLawCall;

/* Keeps a call that failed; returns `status`. */
DlsStatus dls_law_keep_failure(const DlsLawUse *use, const DlsLawCall *call, DlsStatus status);

/* The same for what may have failed or not. */
static inline DlsStatus dls_law_keep(const DlsLawUse *use, const DlsLawCall *call,
                                     DlsStatus status) {
  return status == DLS_OK ? DLS_OK : dls_law_keep_failure(use, call, status);
}

#endif
