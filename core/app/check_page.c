#include "app/check_page.h"

#include <math.h>
#include <string.h>

void app_check_page_put(DlsFile *file, const char *text) { dls_file_put(file, text, strlen(text)); }

void app_check_page_escape(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '<'   ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '&' ? "&amp;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    if (entity)
      app_check_page_put(file, entity);
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

/* error / tolerance by decades: an empty bar at 1e-10, three quarters full at 1, full at 1e3. */
static void write_scale(DlsFile *file, const AppCheckRow *row) {
  if (row->cases == 0 && !row->failed) return;
  const double worst = fmin(fmax(row->worst, 1e-10), 1e3);
  const double percent = 100 * (log10(worst) + 10) / 13;
  dls_file_print(file, "<div class=\"scale\"><i%s style=\"width:%.0f%%\"></i></div>",
                 row->worst > 1 && row->failed ? " class=\"over\"" : "", percent);
  if (isfinite(row->worst))
    dls_file_print(file, "<span class=\"soft\">%.1e</span>", row->worst);
  else
    app_check_page_put(file, "<span class=\"soft\">broken</span>");
}

static void write_row(DlsFile *file, const AppCheckRow *row) {
  dls_file_print(file, "<tr><td class=\"%s\">%s</td><td><b>%s</b><br><span class=\"soft\">",
                 row->passed   ? "passed"
                 : row->failed ? "failed"
                               : "other",
                 row->outcome, row->name);
  app_check_page_escape(file, row->question);
  app_check_page_put(file, "</span>");
  if (!row->passed && row->sentence[0]) {
    dls_file_print(file, "<div class=\"%s\">", row->failed ? "fault" : "soft");
    app_check_page_escape(file, row->sentence);
    app_check_page_put(file, "</div>");
  }
  if (row->command[0]) {
    app_check_page_put(file, "<details><summary class=\"soft\">see its worst case</summary><code>");
    app_check_page_escape(file, row->command);
    app_check_page_put(file, "</code></details>");
  }
  app_check_page_put(file, "</td><td>");
  write_scale(file, row);
  dls_file_print(file, "</td><td class=\"number\">%ld</td><td class=\"number\">%ld</td></tr>\n",
                 row->cases, row->measured);
}

static void write_page(DlsFile *file, const AppCheckPage *page) {
  int failures = 0;
  for (int k = 0; k < page->count; k++) failures += page->rows[k].failed;
  app_check_page_put(file, head);
  dls_file_print(file, "<title>%s: %s</title></head>\n<body>\n<h1>%s</h1>\n<div>", page->name,
                 page->what, page->name);
  app_check_page_escape(file, page->summary);
  app_check_page_put(file, "</div>\n<div class=\"soft\">");
  app_check_page_escape(file, page->references);
  dls_file_print(file, "</div>\n<div class=\"verdict %s\">", failures ? "bad" : "good");
  if (failures)
    dls_file_print(file, "%d check%s failed", failures, failures == 1 ? "" : "s");
  else
    app_check_page_put(file, "all checks passed");
  app_check_page_put(file,
                     "</div>\n<h2>Checks</h2>\n<table><tr><th></th><th>check</th><th>worst error / "
                     "tolerance</th><th>cases</th><th>comparisons</th></tr>\n");
  for (int k = 0; k < page->count; k++) write_row(file, &page->rows[k]);
  app_check_page_put(file, "</table>\n");
  if (page->more) page->more(file, page->context);
  dls_file_print(file,
                 "<p class=\"soft\">Seed %llu. Bars are by decades; three quarters full is the "
                 "tolerance. What each check means: %s.</p>\n</body></html>\n",
                 page->seed, page->manual);
}

DlsStatus app_check_page_write(const AppCheckPage *page, const char *path) {
  DlsFile *file;
  DLS_TRY(dls_file_begin(path, &file));
  write_page(file, page);
  return dls_file_commit(&file);
}
