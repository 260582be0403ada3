/* A race: every solver on every problem, each in a process of its own, so that a crash, a hang or a
 * greedy solver is one row and not the end. Each tolerance is a solve of its own. In one pass,
 * where that is asked for, one solve goes to the tightest tolerance; what its monitor said on the
 * way is its own word, so that each looser tolerance it claims is put to the test: the same solve
 * again, stopped where the claim is made.
 *
 * A tolerance counts as reached by a solve that ended within the limits of time and work, with an
 * answer whose error, measured by dls_solver_measure() in another process than the solver's, is
 * within it; and by nothing else. Times are from the call of solve to its return, create included,
 * by the wall clock and by the processor's; a solve of one contact before it loads the libraries
 * that a solver stands on. Work is dls_work_units() of solver.h: products with W. */
#ifndef DELASSUS_COMPARE_RACE_RACE_H
#define DELASSUS_COMPARE_RACE_RACE_H

#include <stdbool.h>

#include <delassus/errors.h>
#include <delassus/solver.h>
#include <delassus/statistics.h>

enum { DLS_RACE_SAMPLES = 1024, DLS_RACE_TOLERANCES = 8, DLS_RACE_NAME = 96, DLS_RACE_WORD = 16 };

/* What a solver's monitor said. */
typedef struct {
  long iteration;
  double time_s; /* by the clock of the race */
  double wall_s, cpu_s, work;
  double error;
} DlsRaceSample;

/* How a run ended, besides the outcomes of solver.h. */
#define DLS_RACE_END_LIST(X)                                                                       \
  X(NONE, "not run")                                                                               \
  X(ENDED, "ended")     /* by itself: see outcome */                                               \
  X(REFUSED, "refused") /* the solver does not take the problem: see note */                       \
  X(CRASHED, "crashed")                                                                            \
  X(KILLED, "killed") /* it did not stop at its time limit */                                      \
  X(MEMORY, "memory") /* it wanted more than it may have */

#define DLS_RACE_MISTAKEN "mistaken" /* the status of a claim that the measure did not bear out */

typedef enum {
#define DLS_RACE_END_ENUM(code, text) DLS_RACE_##code,
  DLS_RACE_END_LIST(DLS_RACE_END_ENUM)
#undef DLS_RACE_END_ENUM
      DLS_RACE_ENDS
} DlsRaceEnd;

/* A claim put to the test: a solve that ended, what the solver said of its answer, and what that is
 * worth. */
typedef struct {
  DlsRaceEnd end;
  DlsOutcome outcome;
  DlsReason reason; /* of the outcome */
  long iteration;
  double time_s; /* to its return, by the clock of the race; infinite where there is no answer */
  double wall_s, cpu_s, work; /* likewise */
  double
      said;   /* error; NaN where it gave a number that is none, infinite where it gave no number */
  bool boast; /* it called the answer converged */
  double measured; /* infinite where there is no answer */
  double peak_mb;
  DlsErrors errors; /* of the answer; infinite where there is none */
  DlsWork counts;   /* what the solve did */
  char note[240];
} DlsRaceProof;

/* One solver on one problem. What stands here is of the solve to the tightest tolerance, and stands
 * in the last of the proofs too. */
typedef struct {
  DlsRaceEnd end;
  DlsOutcome outcome;
  DlsReason reason; /* of the outcome */
  DlsWork counts;
  char note[240];
  long iterations;
  double time_s; /* by the clock of the race */
  double wall_s, cpu_s, work, peak_mb;
  double limit_s, limit_work; /* that it had: one that was cut is redone where there is more */
  long limit_mb;
  DlsErrors errors; /* of the answer; infinite where there is none */
  /* The solve to each tolerance; in one pass, of its first claim, the end last. */
  DlsRaceProof proof[DLS_RACE_TOLERANCES];
  int count; /* samples, thinned: those that matter for the tolerances and for a curve are there */
  DlsRaceSample *sample;
} DlsRaceRun;

typedef struct {
  char name[DLS_RACE_NAME];
  char hash[DLS_FINGERPRINT]; /* tells problems apart, whatever their names */
  char form[DLS_RACE_WORD];   /* of W */
  int contacts, dim, block;
  DlsWorkPrice price; /* what work is counted in */
  bool measured;      /* statistics are there: they may be too dear for a large problem */
  DlsStatistics statistics;
} DlsRaceProblem;

typedef struct {
  int tolerances;
  double tolerance[DLS_RACE_TOLERANCES]; /* the loosest first */
  double max_time;                       /* s, by the clock */
  DlsClock clock;
  bool one_pass;   /* one solve for all tolerances, its claims on the way put to the test */
  double max_work; /* products with W; 0: no limit */
  long max_memory; /* MB beyond the program's own; 0: no limit */
  int repeat;      /* the fastest of so many runs, for runs below half a second */
  DlsMeasure measure;
  bool as_it_stands;           /* dls_race_resume() takes over what a smaller limit cut, too */
  char start[DLS_RACE_WORD];   /* where solves begin, in a word: "zero", "file" ... */
  bool (*stop)(void *context); /* true: the race is to end; NULL: nobody asks */
  void *stop_context;
  int problems, solvers;
  DlsRaceProblem *problem;
  char (*solver)[DLS_RACE_NAME];
  DlsRaceRun *run; /* [problems][solvers] */
  /* Rows of the folder's tables, which dls_race_resume() found: those of runs that are not in this
   * race stay. */
  struct DlsRaceRow *row;
  int rows, row_room;
} DlsRace;

/* Room for the race; tolerances are sorted. Ended with dls_race_clear(). */
DlsStatus dls_race_create(int problems, int solvers, DlsRace *out);
void dls_race_clear(DlsRace *race);
void dls_race_sort_tolerances(DlsRace *race);

static inline DlsRaceRun *dls_race_at(const DlsRace *race, int problem, int solver) {
  return &race->run[(size_t)problem * (size_t)race->solvers + (size_t)solver];
}

/* Names, fingerprint and statistics of problem number `problem`. */
DlsStatus dls_race_describe(DlsRace *race, int problem, const DlsProblem *what);

/* One run, from zero or from `guess`; `answer`, unless NULL, receives r, [contacts][block], zeros
 * where there is none. Fails only where this process is short of memory. A run during which `stop`
 * spoke is none: then *out has the end DLS_RACE_NONE. Several may be made side by side. */
DlsStatus dls_race_run(const DlsRace *race, int problem, const DlsProblem *what,
                       const DlsSolver *with, const void *options, const double *guess,
                       double *answer, DlsRaceRun *out);
/* Puts a run, which it takes over, in the place of the one there is, unless it is none. */
void dls_race_put(DlsRace *race, int problem, int solver, const char *name, DlsRaceRun *new);

/* The two, one after the other. */
DlsStatus dls_race_start(DlsRace *race, int problem, int solver, const DlsProblem *what,
                         const DlsSolver *with, const void *options, const double *guess,
                         double *answer);

/* The solve that counts for tolerance number `which`: the one to it, in one pass that of the fewest
 * iterations, whose measured error is within the tolerance, and its time and work within the
 * limits; NULL when there is none. */
const DlsRaceProof *dls_race_proof(const DlsRace *race, const DlsRaceRun *run, int which);

/* Seconds by the clock of the race, iterations and work of the solve that counts for one of the
 * race's tolerances; INFINITY when there is none. */
double dls_race_time(const DlsRace *race, const DlsRaceRun *run, double tolerance);
double dls_race_iterations(const DlsRace *race, const DlsRaceRun *run, double tolerance);
double dls_race_work(const DlsRace *race, const DlsRaceRun *run, double tolerance);

/* Whether all that was tested is as the solver said: then its curve may be shown. */
bool dls_race_true(const DlsRace *race, const DlsRaceRun *run);

/* The least error until `time_s`: measured, and as the solver said where dls_race_true(); INFINITY
 * before the first. */
double dls_race_error(const DlsRace *race, const DlsRaceRun *run, double time_s);

/* "converged", "mistaken", "time limit", "crashed" ...; for tolerance number `which`. */
const char *dls_race_status(const DlsRace *race, const DlsRaceRun *run, int which);
/* "said 7e-09, measured 7e-06" where the claim of that tolerance is not true; else "". */
const char *dls_race_claim(const DlsRace *race, const DlsRaceRun *run, int which, char text[64]);
const char *dls_race_end_text(DlsRaceEnd end);
/* "wall" or "cpu"; "each" or "one". */
const char *dls_race_clock_word(const DlsRace *race);
static inline const char *dls_race_pass_word(const DlsRace *race) {
  return race->one_pass ? "one" : "each";
}

static inline int dls_race_last(const DlsRace *race) { return race->tolerances - 1; }

#endif
