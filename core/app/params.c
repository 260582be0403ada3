#include "app/params.h"

#include <stdio.h>
#include <string.h>

#include "plot/page.h"

static void print_bound(double bound, const char *none) {
  if (bound <= -DLS_NO_BOUND || bound >= DLS_NO_BOUND)
    printf("%s", none);
  else
    printf("%g", bound);
}

void app_params_print(const char *title, const DlsParam *rows, int count) {
  if (count == 0) return;
  printf("\n%s\n", title);
  for (int i = 0; i < count; i++) {
    printf("  %-12s %-8s %-10g [", rows[i].name, rows[i].unit, rows[i].value);
    print_bound(rows[i].min, "-inf");
    printf(", ");
    print_bound(rows[i].max, "inf");
    printf("]  %s\n", rows[i].meaning);
  }
}

void app_params_pin(const DlsParam *rows, int count, const char *text, bool *pinned) {
  char name[64];
  if (sscanf(text, " %63[^= \t]", name) != 1) return;
  for (int i = 0; i < count; i++)
    if (strcmp(rows[i].name, name) == 0) pinned[i] = true;
}

void app_params_write(DlsFile *file, const DlsParam *rows, int count, const double *values,
                      const bool *pinned) {
  if (count == 0) return;
  dls_file_print(file, "<h2>Parameters</h2>");
  dls_page_table(file, "told", "name|value|:unit|:drawn between|:meaning</tr>\n");
  for (int i = 0; i < count; i++) {
    const DlsParam *p = &rows[i];
    dls_file_print(file, "<tr><td><b>%s</b><td>%g<td class=left>", p->name, values[i]);
    dls_page_text(file, p->unit);
    dls_file_print(file, "<td class=left>");
    if (pinned[i])
      dls_file_print(file, "held by --set");
    else
      dls_file_print(file, "%g and %g", p->min, p->max);
    dls_file_print(file, "<td class=left>");
    dls_page_text(file, p->meaning);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

void app_params_lines(const DlsParam *rows, int count, const double *values, const char *tail,
                      AppParamsLines *out) {
  int at = 0;
  memset(out, 0, sizeof *out);
  for (int k = 0; k < APP_PARAMS_LINES; k++) out->lines[k] = out->text[k];
  for (int k = 0; k <= count; k++) {
    char word[96];
    if (k == count)
      snprintf(word, sizeof word, "%s", tail);
    else if (strcmp(rows[k].unit, "1") == 0)
      snprintf(word, sizeof word, "%s = %g,  ", rows[k].name, values[k]);
    else
      snprintf(word, sizeof word, "%s = %g %.20s,  ", rows[k].name, values[k], rows[k].unit);
    if (strlen(out->text[at]) + strlen(word) > APP_PARAMS_LINE && at + 1 < APP_PARAMS_LINES) at++;
    const size_t used = strlen(out->text[at]);
    snprintf(out->text[at] + used, sizeof out->text[at] - used, "%s", word);
  }
  out->count = at + 1;
}
