/* What the benches of laws and of solvers share.
 *
 * A check is a number of cases. A case is made from (seed, check, number) alone, so that each one
 * can be had again. It measures an error against a tolerance; the worst ratio is kept with the
 * sentence that says what went wrong. Checks run in child processes: what stands on the bench may
 * crash, hang or exit; it fails its check, and nothing else. */
#ifndef DELASSUS_BENCH_BENCH_H
#define DELASSUS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <delassus/status.h>

#include "base/random.h"

enum { DLS_BENCH_SENTENCE = 480, DLS_BENCH_STORY = 1 << 16 };

/* NOT_ASKED: it is not claimed, or nothing could be compared; the sentence says why. REPORTED:
 * numbers to know of, that are no fault. */
typedef enum {
  DLS_BENCH_PASSED,
  DLS_BENCH_FAILED,
  DLS_BENCH_NOT_ASKED,
  DLS_BENCH_REPORTED
} DlsBenchOutcome;

typedef struct {
  const char *name;     /* of the check, as in --only */
  const char *question; /* what it asks, in one line */
  DlsBenchOutcome outcome;
  long cases;     /* run to their end */
  long refused;   /* of these: parameters or problems refused with a sentence */
  long measured;  /* comparisons made in them */
  long unsolved;  /* laws: one-contact problems of a custom law without a solution found */
  long converged; /* solvers: solves that the solver called converged */
  double worst;   /* the largest error / tolerance; fails above 1 */
  long worst_case;
  bool alone; /* a failure: its worst case fails by itself too, without the cases before it */
  char sentence[DLS_BENCH_SENTENCE]; /* of the worst case, or why it was not run */
  char remark[DLS_BENCH_SENTENCE];   /* what to know besides, whatever the outcome; "" for none */
  double seconds;
} DlsBenchResult;

/* A bench and its checks, numbered from 0. `options` are those of the bench: what stands on it. */
typedef struct {
  const char *noun; /* "law" */
  int count;
  const char *(*name)(int check);
  const char *(*question)(int check);
  const char *(*tolerance)(int check); /* what an error is measured by, in words */
  /* Runs one check; or, with `only` at 0 and above, that case alone, and tells all of it in `story`
   * [DLS_BENCH_STORY]. Fails only where the bench itself cannot go on (no memory, no process). */
  DlsStatus (*run)(const void *options, int check, long only, DlsBenchResult *out, char *story);
} DlsBench;

/* The number of the check named, or -1. */
int dls_bench_find(const DlsBench *bench, const char *name);

/* One case of one check, for who runs it. */
typedef struct {
  DlsRandom random; /* by seed, check and number alone */
  uint64_t seed;
  long number;
  DlsBenchResult *result;
  void *notes; /* what else comes back from the child; see below */
  char *story; /* NULL unless this case is told */
} DlsBenchCase;

/* The judge: error / tolerance is kept with the sentence when it is the worst so far. An error that
 * is no number is infinite. dls_bench_broken is the verdict of what must never happen. */
void dls_bench_judge(DlsBenchCase *c, double error, double tolerance, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void dls_bench_broken(DlsBenchCase *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number to know of, that is no fault however large: kept as the worst is, and never above 1. */
void dls_bench_report(DlsBenchCase *c, double share, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a told case says; nothing in others. */
void dls_bench_say(DlsBenchCase *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One check as it is run. */
typedef struct {
  const char *noun;            /* of what stands on the bench */
  const char *name, *question; /* of the check */
  const char *reason;          /* why it is not asked; NULL: it is */
  uint64_t seed;
  long cases, only;  /* so many cases; or that one alone where it is 0 or more */
  double time_limit; /* s of wall clock: no case begins later */
  double case_limit; /* s of processor time of one case: a case that takes more fails; 0: none,
                        and the check itself fails at its time_limit */
  bool loud;         /* what it prints is seen */
  void (*run)(const DlsBenchCase *start, const void *context); /* one case */
  const void *context;
  /* After the last case, in the parent: the outcome, PASSED or FAILED by the worst, and the
   * sentence may be others. Not called where the child did not come to its end. */
  void (*conclude)(DlsBenchResult *result, const void *notes, const void *context);
  size_t note_bytes; /* of DlsBenchCase.notes, zero before the first case */
} DlsBenchCheck;

DlsStatus dls_bench_run(const DlsBenchCheck *check, DlsBenchResult *out, char *story);

#endif
