/* The table of the benchmark set: the best of a race on it. */
#ifndef DELASSUS_APP_BENCHMARK_TABLE_H
#define DELASSUS_APP_BENCHMARK_TABLE_H

#include <delassus/status.h>

/* Prints Markdown: a row for each problem of FOLDER/manifest.csv, with the fastest solver to each
 * tolerance and the smallest error of RACE/runs.csv; problems are matched by their hash. */
DlsStatus app_set_table(const char *folder, const char *race);

#endif
