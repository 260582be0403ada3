/* A race: every solver on every problem, each in a process of its own, so that a crash, a hang or a greedy solver is one
 * row and not the end. One solve to the tightest tolerance; its history gives the time to reach each of them.
 *
 * Times are wall clock from the call of solve, create included; a solve of one contact before it loads the libraries that
 * a solver stands on. Errors are those that `measure` names; that of the
 * answer is measured from scratch, after the clock has stopped. */
#ifndef DELASSUS_COMPARE_RACE_H
#define DELASSUS_COMPARE_RACE_H

#include <stdbool.h>

#include <delassus/errors.h>
#include <delassus/solver.h>
#include <delassus/statistics.h>

enum { DLS_RACE_SAMPLES = 1024, DLS_RACE_TOLERANCES = 8, DLS_RACE_NAME = 96 };

typedef struct {
  long iteration;
  double time_s, error;
} DlsRaceSample;

/* How a run ended, besides the outcomes of solver.h. */
#define DLS_RACE_END_LIST(X)                                                                       \
  X(NONE, "not run")                                                                               \
  X(ENDED, "ended")     /* by itself: see outcome */                                               \
  X(REFUSED, "refused") /* the solver does not take the problem: see note */                       \
  X(CRASHED, "crashed")                                                                            \
  X(KILLED, "killed") /* it did not stop at its time limit */                                      \
  X(MEMORY, "memory") /* it wanted more than it may have */

typedef enum {
#define DLS_RACE_END_ENUM(code, text) DLS_RACE_##code,
  DLS_RACE_END_LIST(DLS_RACE_END_ENUM)
#undef DLS_RACE_END_ENUM
} DlsRaceEnd;

typedef struct {
  DlsRaceEnd end;
  DlsOutcome outcome;
  char note[240];
  long iterations;
  double time_s, peak_mb;
  DlsErrors errors; /* of the answer; infinite where there is none */
  int count; /* samples, thinned: those that matter for the tolerances and for a curve are there */
  DlsRaceSample *sample;
} DlsRaceRun;

typedef struct {
  char name[DLS_RACE_NAME];
  int contacts, dim, block;
  bool measured; /* statistics are there: they may be too dear for a large problem */
  DlsStatistics statistics;
} DlsRaceProblem;

typedef struct {
  int tolerances;
  double tolerance[DLS_RACE_TOLERANCES]; /* the loosest first */
  double max_time;                       /* s */
  long max_memory;                       /* MB beyond the program's own; 0: no limit */
  int repeat; /* the fastest of so many runs, for runs below half a second */
  DlsMeasure measure;
  int problems, solvers;
  DlsRaceProblem *problem;
  char (*solver)[DLS_RACE_NAME];
  DlsRaceRun *run; /* [problems][solvers] */
} DlsRace;

/* Room for the race; tolerances are sorted. Ended with dls_race_clear(). */
DLS_EXPORT DlsStatus dls_race_create(int problems, int solvers, DlsRace *out);
DLS_EXPORT void dls_race_clear(DlsRace *race);
DLS_EXPORT void dls_race_sort_tolerances(DlsRace *race);

static inline DlsRaceRun *dls_race_at(const DlsRace *race, int problem, int solver) {
  return &race->run[(size_t)problem * (size_t)race->solvers + (size_t)solver];
}

/* Names and statistics of problem number `problem`. */
DLS_EXPORT void dls_race_describe(DlsRace *race, int problem, const DlsProblem *what);

/* One run, from zero or from `guess`; `answer`, unless NULL, receives r, [contacts][block], zeros where there is none.
 * Fails only where this process is short of memory. */
DLS_EXPORT DlsStatus dls_race_start(DlsRace *race, int problem, int solver, const DlsProblem *what,
                                    const DlsSolver *with, const void *options, const double *guess,
                                    double *answer);

/* Seconds and iterations until the error was first within the tolerance; INFINITY when never. */
DLS_EXPORT double dls_race_time(const DlsRaceRun *run, double tolerance);
DLS_EXPORT double dls_race_iterations(const DlsRaceRun *run, double tolerance);
/* The least error seen until `time_s`; INFINITY before the first measure. */
DLS_EXPORT double dls_race_error(const DlsRaceRun *run, double time_s);

/* "converged", "time limit", "crashed" ...; for one tolerance. */
DLS_EXPORT const char *dls_race_status(const DlsRaceRun *run, double tolerance);
DLS_EXPORT const char *dls_race_end_text(DlsRaceEnd end);

#endif
