/* What the benchmark prints: tables as it goes, a summary at the end, rows of a CSV file. */
#ifndef DELASSUS_TESTS_REPORT_H
#define DELASSUS_TESTS_REPORT_H

#include <stdio.h>

#include "tests/bench/contender.h"

typedef struct {
  double value;
  char where[96];
} Worst;

typedef struct {
  FILE *csv; /* NULL: none */
  int rates, races;
  Worst rate_default, rate_quartic, rate_fastest; /* their time over ours: the smallest */
  Worst rate_factored;                            /* ns, the largest of ours for spheres */
  Worst race_default, race_any;   /* their time over ours, to a tolerance that both reach */
  int slower_default, slower_any; /* races that ours lost ... */
  int slower_visible;             /* ... of them to the default, of more than 0.1 ms */
  int unsolved_ours, unsolved_theirs, disagreements;
} Report;

DlsStatus report_open(const char *csv_path, Report *report); /* NULL: no file */
void report_close(Report *report);

/* Sweeps: contenders [0] ours, [1] Siconos' default, then its other variants. */
void report_rate_head(void);
void report_rate(Report *report, const char *name, const Contender *contenders, int count,
                 const Rate *rates);

/* The factored form: ours on factors and on block rows, Siconos' default and quartic. */
void report_factored_head(void);
void report_factored(Report *report, const char *name, const Contender *contenders, int count,
                     const Rate *rates);

/* Time to a tolerance, contenders as in report_rate. */
void report_race_head(double tolerance);
void report_race(Report *report, const char *name, const Contender *contenders, int count,
                 double tolerance, const Attempt *attempts);

void report_summary(const Report *report);

#endif
