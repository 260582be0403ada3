/* The trial of a contact law: one contact, driven through random and nasty kinematics, against what
 * every law must obey and what this one claims. docs/law-check.md has the equations.
 *
 * A check is a number of cases. A case is made from (seed, check, number) alone, so that each one
 * can be had again. It measures an error against a tolerance; the worst ratio is kept with the
 * sentence that says what went wrong. Checks run in child processes: a law that crashes, hangs or
 * exits fails its check, and nothing else. */
#ifndef DELASSUS_TRIAL_TRIAL_H
#define DELASSUS_TRIAL_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/laws.h>

enum { DLS_TRIAL_SENTENCE = 480, DLS_TRIAL_STORY = 1 << 16 };

typedef struct {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS]; /* the values of cases that do not draw their own */
  bool pinned[DLS_MAX_PARAMS];   /* given by the user: never drawn */
  uint64_t seed;
  long starts;       /* cases of the check `solve` */
  long cases;        /* at most so many of every other check; 0: as many as it has */
  double time_limit; /* s, of one check */
} DlsTrialOptions;

/* The defaults of the law, seed 1, a million starts, five minutes a check. */
DLS_EXPORT void dls_trial_defaults(const DlsLaw *law, DlsTrialOptions *out);

/* NOT_CLAIMED: the law does not claim it, or has no such function. REPORTED: numbers to know of,
 * that are no fault. */
typedef enum {
  DLS_TRIAL_PASSED,
  DLS_TRIAL_FAILED,
  DLS_TRIAL_NOT_CLAIMED,
  DLS_TRIAL_REPORTED
} DlsTrialOutcome;

typedef struct {
  const char *name;     /* of the check, as in --only */
  const char *question; /* what it asks, in one line */
  DlsTrialOutcome outcome;
  long cases;    /* run to their end */
  long refused;  /* of these: drawn parameters that the law refused by DLS_ERR_LAW */
  long measured; /* comparisons made in them */
  long unsolved; /* one-contact problems of a custom law that the core found no solution of */
  double worst;  /* the largest error / tolerance; fails above 1 */
  long worst_case;
  char sentence[DLS_TRIAL_SENTENCE]; /* of the worst case, or why it was not run */
  double seconds;
} DlsTrialResult;

/* The checks there are; the number of the one named, or -1. */
DLS_EXPORT int dls_trial_count(void);
DLS_EXPORT int dls_trial_find(const char *name);
DLS_EXPORT const char *dls_trial_name(int check);
DLS_EXPORT const char *dls_trial_question(int check);

/* Runs one check. Fails only where the trial itself cannot go on (no memory, no process). */
DLS_EXPORT DlsStatus dls_trial_run(const DlsTrialOptions *options, int check, DlsTrialResult *out);

/* Runs one case of a check and tells all of it, kinematics, D, q, u and r, in `story`
 * [DLS_TRIAL_STORY]. */
DLS_EXPORT DlsStatus dls_trial_tell(const DlsTrialOptions *options, int check, long number,
                                    DlsTrialResult *out, char *story);

#endif
