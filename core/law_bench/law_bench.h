/* The bench of a contact law: one contact, driven through random and nasty kinematics, against what
 * every law must obey and what this one claims. docs/law-check.md has the equations.
 *
 * A check is a number of cases. A case is made from (seed, check, number) alone, so that each one
 * can be had again. It measures an error against a tolerance; the worst ratio is kept with the
 * sentence that says what went wrong. Checks run in child processes: a law that crashes, hangs or
 * exits fails its check, and nothing else. */
#ifndef DELASSUS_LAW_BENCH_LAW_BENCH_H
#define DELASSUS_LAW_BENCH_LAW_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/laws.h>

enum { DLS_LAW_BENCH_SENTENCE = 480, DLS_LAW_BENCH_STORY = 1 << 16 };

typedef struct {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS]; /* the values of cases that do not draw their own */
  bool pinned[DLS_MAX_PARAMS];   /* given by the user: never drawn */
  uint64_t seed;
  long starts;       /* cases of the check `solve` */
  long cases;        /* at most so many of every other check; 0: as many as it has */
  double time_limit; /* s, of one check */
} DlsLawBenchOptions;

/* The defaults of the law, seed 1, a million starts, five minutes a check. */
void dls_law_bench_defaults(const DlsLaw *law, DlsLawBenchOptions *out);

/* NOT_CLAIMED: the law does not claim it, or has no such function. REPORTED: numbers to know of,
 * that are no fault. */
typedef enum {
  DLS_LAW_BENCH_PASSED,
  DLS_LAW_BENCH_FAILED,
  DLS_LAW_BENCH_NOT_CLAIMED,
  DLS_LAW_BENCH_REPORTED
} DlsLawBenchOutcome;

typedef struct {
  const char *name;     /* of the check, as in --only */
  const char *question; /* what it asks, in one line */
  DlsLawBenchOutcome outcome;
  long cases;    /* run to their end */
  long refused;  /* of these: drawn parameters that the law refused by DLS_ERR_LAW */
  long measured; /* comparisons made in them */
  long unsolved; /* one-contact problems of a custom law that the core found no solution of */
  double worst;  /* the largest error / tolerance; fails above 1 */
  long worst_case;
  char sentence[DLS_LAW_BENCH_SENTENCE]; /* of the worst case, or why it was not run */
  double seconds;
} DlsLawBenchResult;

/* The checks there are; the number of the one named, or -1. */
int dls_law_bench_count(void);
int dls_law_bench_find(const char *name);
const char *dls_law_bench_name(int check);
const char *dls_law_bench_question(int check);

/* Runs one check. Fails only where the bench itself cannot go on (no memory, no process). */
DlsStatus dls_law_bench_run(const DlsLawBenchOptions *options, int check, DlsLawBenchResult *out);

/* Runs one case of a check and tells all of it, kinematics, D, q, u and r, in `story`
 * [DLS_LAW_BENCH_STORY]. */
DlsStatus dls_law_bench_tell(const DlsLawBenchOptions *options, int check, long number,
                             DlsLawBenchResult *out, char *story);

#endif
