/* The bench of a solver: what every solver must obey, and where this one converges, on problems
 * whose answers are known or that have none. docs/solver-check.md says what each check means.
 *
 * A check is a number of cases. A case is made from (seed, check, number) alone, so that each one
 * can be had again. It measures an error against a tolerance; the worst ratio is kept with the
 * sentence that says what went wrong. Checks run in child processes: a solver that crashes, hangs
 * or exits fails its check, and nothing else. */
#ifndef DELASSUS_SOLVER_BENCH_SOLVER_BENCH_H
#define DELASSUS_SOLVER_BENCH_SOLVER_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/solver.h>

enum { DLS_SOLVER_BENCH_SENTENCE = 480, DLS_SOLVER_BENCH_STORY = 1 << 16 };

typedef struct {
  const DlsSolver *solver;
  const void *options; /* of the solver, option_bytes; NULL: its defaults */
  uint64_t seed;
  long cases;        /* at most so many of every check; 0: as many as it has */
  double time_limit; /* s, of one check */
} DlsSolverBenchOptions;

/* REPORTED: what the solver can do; no fault. NOT_ASKED: nothing could be compared, the sentence
 * says why. */
typedef enum {
  DLS_SOLVER_BENCH_PASSED,
  DLS_SOLVER_BENCH_FAILED,
  DLS_SOLVER_BENCH_NOT_ASKED,
  DLS_SOLVER_BENCH_REPORTED
} DlsSolverBenchOutcome;

typedef struct {
  const char *name;     /* of the check, as in --only */
  const char *question; /* what it asks, in one line */
  DlsSolverBenchOutcome outcome;
  long cases;     /* run to their end */
  long refused;   /* of these: problems that the solver refused with a sentence */
  long converged; /* of these: solves that the solver called converged */
  long measured;  /* comparisons made in them */
  double worst;   /* the largest error / tolerance; fails above 1 */
  long worst_case;
  char sentence[DLS_SOLVER_BENCH_SENTENCE]; /* of the worst case, or what is reported */
  double seconds;
} DlsSolverBenchResult;

/* The checks there are; the number of the one named, or -1. */
int dls_solver_bench_count(void);
int dls_solver_bench_find(const char *name);
const char *dls_solver_bench_name(int check);
const char *dls_solver_bench_question(int check);

/* Runs one check. Fails only where the bench itself cannot go on (no memory, no process). */
DlsStatus dls_solver_bench_run(const DlsSolverBenchOptions *options, int check,
                               DlsSolverBenchResult *out);

/* Runs one case of a check and tells all of it, the problem and what came of it, in `story`
 * [DLS_SOLVER_BENCH_STORY]. */
DlsStatus dls_solver_bench_tell(const DlsSolverBenchOptions *options, int check, long number,
                                DlsSolverBenchResult *out, char *story);

#endif
