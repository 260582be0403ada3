#include "app/law/report.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

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

static void put(const char *text, DlsFile *file) { dls_file_put(file, text, strlen(text)); }

static void escape(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '<'   ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '&' ? "&amp;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    if (entity)
      put(entity, file);
    else
      dls_file_put(file, text, 1);
  }
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    ":root{--ink:#1c2430;--soft:#5b6776;--line:#dde3ea;--paper:#fff;--good:#1a7f4b;--bad:#c0322b;"
    "--mild:#8794a3;--tint:#f5f7fa}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa7b6;--line:#323c48;"
    "--paper:#151a20;--good:#4cc38a;--bad:#ff7a70;--mild:#7c8896;--tint:#1d242c}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:62rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.7rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}\n"
    ".soft{color:var(--soft)}code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}\n"
    ".verdict{display:inline-block;margin:1rem 0;padding:.4rem 1rem;border-radius:.4rem;"
    "color:#fff;font-weight:600}.verdict.good{background:#1a7f4b}.verdict.bad{background:#c0322b}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;"
    "padding:.45rem .6rem;border-bottom:1px solid var(--line)}\n"
    "th{color:var(--soft);font-weight:500;font-size:.85rem}td.number{text-align:right;"
    "font-variant-numeric:tabular-nums}\n"
    ".passed{color:var(--good)}.failed{color:var(--bad);font-weight:600}.other{color:var(--mild)}\n"
    ".scale{width:7rem;height:.5rem;background:var(--tint);border:1px solid var(--line);"
    "border-radius:.3rem;position:relative;overflow:hidden}"
    ".scale i{display:block;height:100%;background:var(--good)}.scale i.over{background:var(--bad)}"
    "\n.fault{background:var(--tint);border-left:3px solid var(--bad);padding:.5rem .8rem;"
    "margin:.3rem 0}\n</style>\n";

static const char *class_of(DlsLawBenchOutcome outcome) {
  return outcome == DLS_LAW_BENCH_PASSED   ? "passed"
         : outcome == DLS_LAW_BENCH_FAILED ? "failed"
                                           : "other";
}

/* error / tolerance by decades: an empty bar at 1e-10, three quarters full at 1, full at 1e3. */
static void write_scale(DlsFile *file, const DlsLawBenchResult *result) {
  if (result->cases == 0 && result->outcome != DLS_LAW_BENCH_FAILED) return;
  const double worst = fmin(fmax(result->worst, 1e-10), 1e3);
  const double percent = 100 * (log10(worst) + 10) / 13;
  dls_file_print(file, "<div class=\"scale\"><i%s style=\"width:%.0f%%\"></i></div>",
                 result->worst > 1 && result->outcome == DLS_LAW_BENCH_FAILED ? " class=\"over\""
                                                                              : "",
                 percent);
  if (isfinite(result->worst))
    dls_file_print(file, "<span class=\"soft\">%.1e</span>", result->worst);
  else
    put("<span class=\"soft\">broken</span>", file);
}

static void write_check(DlsFile *file, const LawReport *report, const DlsLawBenchResult *result) {
  char command[2048];
  const char *class = class_of(result->outcome);
  law_report_command(report, result, command, sizeof command);
  dls_file_print(file, "<tr><td class=\"%s\">%s</td><td><b>%s</b><br><span class=\"soft\">", class,
                 law_report_outcome(result->outcome), result->name);
  escape(file, result->question);
  put("</span>", file);
  const bool tells = result->outcome != DLS_LAW_BENCH_PASSED;
  if (tells && result->sentence[0]) {
    dls_file_print(file, "<div class=\"%s\">",
                   result->outcome == DLS_LAW_BENCH_FAILED ? "fault" : "soft");
    escape(file, result->sentence);
    put("</div>", file);
  }
  if (command[0]) {
    put("<details><summary class=\"soft\">see its worst case</summary><code>", file);
    escape(file, command);
    put("</code></details>", file);
  }
  put("</td><td>", file);
  write_scale(file, result);
  dls_file_print(file, "</td><td class=\"number\">%ld</td><td class=\"number\">%ld</td></tr>\n",
                 result->cases, result->measured);
}

static void write_params(DlsFile *file, const LawReport *report) {
  const DlsLaw *law = report->options->law;
  if (law->nparams == 0) return;
  put("<h2>Parameters</h2>\n<table><tr><th>name</th><th>value</th><th>unit</th><th>drawn "
      "between</th><th>meaning</th></tr>\n",
      file);
  for (int i = 0; i < law->nparams; i++) {
    const DlsParam *p = &law->params[i];
    dls_file_print(file, "<tr><td><b>%s</b></td><td class=\"number\">%g</td><td>", p->name,
                   report->options->params[i]);
    escape(file, p->unit);
    put("</td><td>", file);
    if (report->options->pinned[i])
      put("held by --set", file);
    else
      dls_file_print(file, "%g and %g", p->min, p->max);
    put("</td><td>", file);
    escape(file, p->meaning);
    put("</td></tr>\n", file);
  }
  put("</table>\n", file);
}

static void write_page(DlsFile *file, const LawReport *report) {
  const DlsLaw *law = report->options->law;
  const int failures = law_report_failures(report);
  put(head, file);
  dls_file_print(file, "<title>%s: law check</title></head>\n<body>\n<h1>%s</h1>\n<div>", law->name,
                 law->name);
  escape(file, law->summary);
  put("</div>\n<div class=\"soft\">", file);
  escape(file, law->references);
  dls_file_print(file, "</div>\n<div class=\"verdict %s\">", failures ? "bad" : "good");
  if (failures)
    dls_file_print(file, "%d check%s failed", failures, failures == 1 ? "" : "s");
  else
    put("all checks passed", file);
  put("</div>\n<h2>Checks</h2>\n<table><tr><th></th><th>check</th><th>worst error / "
      "tolerance</th><th>cases</th><th>comparisons</th></tr>\n",
      file);
  for (int k = 0; k < report->count; k++) write_check(file, report, &report->results[k]);
  put("</table>\n", file);
  write_params(file, report);
  dls_file_print(
      file,
      "<p class=\"soft\">Seed %llu. Bars are by decades; three quarters full is the tolerance. "
      "What each check means: docs/law-check.md.</p>\n</body></html>\n",
      (unsigned long long)report->options->seed);
}

DlsStatus law_report_write(const LawReport *report, const char *path) {
  DlsFile *file;
  DLS_TRY(dls_file_begin(path, &file));
  write_page(file, report);
  return dls_file_commit(&file);
}
