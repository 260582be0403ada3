#include "app/law/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check_page.h"
#include "plot/page.h"

const char *law_report_outcome(DlsLawBenchOutcome outcome) {
  static const char *const texts[] = {"passed", "FAILED", "not claimed", "reported"};
  return texts[outcome];
}

void law_report_command(const LawReport *report, const DlsLawBenchResult *result, char *out,
                        size_t bytes) {
  out[0] = '\0';
  if (result->worst_case < 0) return;
  snprintf(out, bytes, "delassus law check %s%s --only %s --case %ld --seed %llu", report->given,
           report->settings, result->name, result->worst_case,
           (unsigned long long)report->options->seed);
}

int law_report_failures(const LawReport *report) {
  int failures = 0;
  for (int k = 0; k < report->count; k++)
    failures += report->results[k].outcome == DLS_LAW_BENCH_FAILED;
  return failures;
}

static void write_params(DlsFile *file, const void *context) {
  const LawReport *report = context;
  const DlsLaw *law = report->options->law;
  if (law->nparams == 0) return;
  dls_file_print(file, "<h2>Parameters</h2>");
  dls_page_table(file, "told", "name|value|:unit|:drawn between|:meaning</tr>\n");
  for (int i = 0; i < law->nparams; i++) {
    const DlsParam *p = &law->params[i];
    dls_file_print(file, "<tr><td><b>%s</b><td>%g<td class=left>", p->name,
                   report->options->params[i]);
    dls_page_text(file, p->unit);
    dls_file_print(file, "<td class=left>");
    if (report->options->pinned[i])
      dls_file_print(file, "held by --set");
    else
      dls_file_print(file, "%g and %g", p->min, p->max);
    dls_file_print(file, "<td class=left>");
    dls_page_text(file, p->meaning);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

DlsStatus law_report_write(const LawReport *report, const char *path) {
  const DlsLaw *law = report->options->law;
  AppCheckRow *rows = calloc((size_t)report->count + 1, sizeof *rows);
  DLS_CHECK(rows, DLS_ERR_MEMORY, "out of memory for %s", path);
  for (int k = 0; k < report->count; k++) {
    const DlsLawBenchResult *result = &report->results[k];
    rows[k] = (AppCheckRow){.outcome = law_report_outcome(result->outcome),
                            .passed = result->outcome == DLS_LAW_BENCH_PASSED,
                            .failed = result->outcome == DLS_LAW_BENCH_FAILED,
                            .name = result->name,
                            .question = result->question,
                            .sentence = result->sentence,
                            .worst = result->worst,
                            .cases = result->cases,
                            .measured = result->measured};
    law_report_command(report, result, rows[k].command, sizeof rows[k].command);
  }
  const AppCheckPage page = {.what = "law check",
                             .name = law->name,
                             .summary = law->summary,
                             .references = law->references,
                             .manual = "docs/law-check.md",
                             .seed = (unsigned long long)report->options->seed,
                             .rows = rows,
                             .count = report->count,
                             .more = write_params,
                             .context = report};
  const DlsStatus status = app_check_page_write(&page, path);
  free(rows);
  return status;
}
