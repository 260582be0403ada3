/* The report of the checks of a law as one page of HTML that needs nothing else. */
#ifndef DELASSUS_APP_LAW_REPORT_H
#define DELASSUS_APP_LAW_REPORT_H

#include "law_bench/law_bench.h"

typedef struct {
  const DlsLawBenchOptions *options;
  const char *given;    /* the law as the user named it */
  const char *settings; /* " --set mu=0.3 ...", or "" */
  const DlsLawBenchResult *results;
  int count;
} LawReport;

/* "passed", "FAILED", "not claimed", "reported". */
const char *law_report_outcome(DlsLawBenchOutcome outcome);

/* The command that shows the worst case of a check; "" when it has none. */
void law_report_command(const LawReport *report, const DlsLawBenchResult *result, char *out,
                        size_t bytes);

/* How many checks failed. */
int law_report_failures(const LawReport *report);

/* DLS_ERR_FILE where the file cannot be written. */
DlsStatus law_report_write(const LawReport *report, const char *path);

#endif
