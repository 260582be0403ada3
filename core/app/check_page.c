#include "app/check_page.h"

#include <math.h>
#include <stdio.h>

#include "plot/page.h"

/* error / tolerance by decades: an empty bar at 1e-10, three quarters full at 1, full at 1e3. */
static void write_scale(DlsFile *file, const AppCheckRow *row) {
  if (row->cases == 0 && !row->failed) return;
  const double worst = fmin(fmax(row->worst, 1e-10), 1e3);
  const double percent = 100 * (log10(worst) + 10) / 13;
  dls_file_print(file, "<div class=scale><i%s style='width:%.0f%%'></i></div>",
                 row->worst > 1 && row->failed ? " class=bad" : "", percent);
  if (isfinite(row->worst))
    dls_file_print(file, "<span class=quiet>%.1e</span>", row->worst);
  else
    dls_file_print(file, "<span class=quiet>broken</span>");
}

static void write_row(DlsFile *file, const AppCheckRow *row) {
  dls_file_print(file, "<tr><td class=%s>%s<td class=left><b>%s</b><br><span class=quiet>",
                 row->passed   ? "good"
                 : row->failed ? "bad"
                               : "quiet",
                 row->outcome, row->name);
  dls_page_text(file, row->question);
  dls_file_print(file, "</span>");
  if (!row->passed && row->sentence[0]) {
    dls_file_print(file, "<div class=%s>", row->failed ? "fault" : "quiet");
    dls_page_text(file, row->sentence);
    dls_file_print(file, "</div>");
  }
  if (row->remark[0]) {
    dls_file_print(file, "<div class=quiet>");
    dls_page_text(file, row->remark);
    dls_file_print(file, "</div>");
  }
  if (row->command[0]) {
    dls_file_print(file, "<details><summary class=quiet>see its worst case</summary><code>");
    dls_page_text(file, row->command);
    dls_file_print(file, "</code></details>");
  }
  dls_file_print(file, "<td class=left>");
  write_scale(file, row);
  dls_file_print(file, "<td>%ld<td>%ld</tr>\n", row->cases, row->measured);
}

DlsStatus app_check_page_write(const AppCheckPage *page, const char *path) {
  DlsFile *file;
  char title[256], last[512];
  int failures = 0;
  for (int k = 0; k < page->count; k++) failures += page->rows[k].failed;
  snprintf(title, sizeof title, "%s: %s", page->name, page->what);
  DLS_TRY(dls_page_begin(path, title, page->summary, &file));
  dls_file_print(file, "<p class=quiet>");
  dls_page_text(file, page->references);
  dls_file_print(file, "</p>\n<div class='verdict%s'>", failures ? " bad" : "");
  if (failures)
    dls_file_print(file, "%d check%s failed", failures, failures == 1 ? "" : "s");
  else
    dls_file_print(file, "all checks passed");
  dls_file_print(file, "</div>\n<h2>Checks</h2>");
  dls_page_table(file, "told", "|:check|:worst error / tolerance|cases|comparisons</tr>\n");
  for (int k = 0; k < page->count; k++) write_row(file, &page->rows[k]);
  dls_page_table_end(file);
  if (page->more) page->more(file, page->context);
  snprintf(last, sizeof last,
           "Seed %llu. Bars are by decades; three quarters full is the tolerance. What each check "
           "means: %s.",
           page->seed, page->manual);
  return dls_page_end(DLS_OK, last, &file);
}
