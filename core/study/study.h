/* A study: runs of decks, or solves of problems, that differ in the values of some keys, side by
 * side in processes of their own, with one table of results and figures with error bars over seeds.
 *
 * It can be killed at any moment: started again in the same folder it keeps the runs that have
 * finished, goes on with the others from their checkpoints, and leaves the same tables, byte for
 * byte, as one that was left alone. */
#ifndef DELASSUS_STUDY_STUDY_H
#define DELASSUS_STUDY_STUDY_H

#include <stdbool.h>

#include <delassus/problem.h>

#include "study/schema.h"

typedef struct DlsStudy DlsStudy;

/* How a run of the study ended. The first two have results. */
#define DLS_STUDY_STATE_LIST(X)                                                                    \
  X(DONE, "done")                                                                                  \
  X(UNCONVERGED, "not converged") /* a solve was not within its tolerance */                       \
  X(IMPOSSIBLE, "impossible")     /* a step had no solution */                                     \
  X(FAILED, "failed")             /* with a sentence */                                            \
  X(TIMEOUT, "timeout")           /* at its limit; started again it goes on */                     \
  X(CRASHED, "crashed")                                                                            \
  X(WAITING, "waiting") /* not begun, or stopped with the study */

typedef enum {
#define DLS_STUDY_STATE_ENUM(code, text) DLS_STUDY_##code,
  DLS_STUDY_STATE_LIST(DLS_STUDY_STATE_ENUM)
#undef DLS_STUDY_STATE_ENUM
      DLS_STUDY_STATES
} DlsStudyState;

const char *dls_study_state_text(DlsStudyState state);

typedef struct {
  int rows, ended, working;
  double left; /* s until the end, by the pace so far; NAN: not known yet */
} DlsStudyProgress;

/* Pointers are lent for the life of the study. */
typedef struct {
  const char *const *set; /* [nset] overrides of keys of the study, such as "seeds.count=2" */
  int nset;
  int jobs;     /* side by side; 0: as many as the machine has cores */
  double limit; /* s for each run, in the place of the study's; 0: that */
  bool (*stop)(void *context);
  void (*mistake)(void *context, const char *text); /* of the study's file, or of a deck */
  void (*progress)(void *context, const DlsStudyProgress *progress); /* some times a second */
  /* A problem as the command line names it, for studies of solves. */
  DlsStatus (*load)(const char *name, DlsProblem **out);
  void *context;
} DlsStudyOptions;

/* Reads the file, makes its table, and tries the keys of every row on the decks. On failure *out is
 * NULL, and `mistake` has heard all. */
DlsStatus dls_study_open(const char *path, const DlsStudyOptions *options, DlsStudy **out);
void dls_study_close(DlsStudy **study); /* NULL is fine */

/* All runs that are not there yet, in `folder`, and results.csv. */
DlsStatus dls_study_run(DlsStudy *study, const char *folder);

/* Figures and index.html, from what dls_study_run() has left in the folder. */
DlsStatus dls_study_report(const DlsStudy *study);

int dls_study_rows(const DlsStudy *study);
int dls_study_count(const DlsStudy *study, DlsStudyState state);
/* The note of the first row in that state, "" where there is none; its number from 1. */
const char *dls_study_note(const DlsStudy *study, DlsStudyState state, int *row);

#endif
