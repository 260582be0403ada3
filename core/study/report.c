/* What is drawn of a study: a picture and a table for each figure, and one page of all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "base/file.h"
#include "base/number.h"
#include "plot/page.h"
#include "plot/panel.h"
#include "study/curves.h"

static const double width = 560, height = 380; /* px */

static void name_file(const DlsStudy *s, int figure, const char *suffix,
                      char path[DLS_STUDY_PATH + 64]) {
  snprintf(path, DLS_STUDY_PATH + 64, "%s/figure_%d.%s", s->folder, figure + 1, suffix);
}

/* The curves as numbers, for other programs. */
static DlsStatus write_curves(const DlsStudyCurves *curves, const char *path) {
  DlsFile *file = NULL;
  char a[DLS_NUMBER_BYTES], b[DLS_NUMBER_BYTES], c[DLS_NUMBER_BYTES];
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "curve,x,y,error,runs\n");
  for (int k = 0; k < curves->count; k++) {
    const DlsStudyCurve *curve = &curves->curve[k];
    for (int i = 0; i < curve->count; i++)
      dls_file_print(file, "\"%s\",%s,%s,%s,%d\n", curve->label, dls_number_text(a, curve->x[i], 0),
                     dls_number_text(b, curve->y[i], 0), dls_number_text(c, curve->error[i], 0),
                     curve->runs[i]);
  }
  return dls_file_commit(&file);
}

/* Points of results have bars, and a line that leads the eye; curves have bands. */
static DlsStatus draw_curves(const DlsStudyFigure *f, const DlsStudyCurves *curves,
                             const char *path) {
  const bool dots = strcmp(f->of, "results") == 0;
  DlsPlotCurve *drawn = calloc(2 * (size_t)curves->count + 1, sizeof *drawn);
  DLS_CHECK(drawn, DLS_ERR_MEMORY, "out of memory for a figure");
  int count = 0;
  for (int k = 0; k < curves->count; k++) {
    const DlsStudyCurve *c = &curves->curve[k];
    const DlsPlotCurve plain = {
        .x = c->x, .y = c->y, .count = c->count, .ink = dls_plot_inks[k % DLS_PLOT_INKS]};
    if (dots) drawn[count++] = plain;
    drawn[count] = plain;
    drawn[count].label = c->label[0] ? c->label : NULL;
    drawn[count].error = c->error;
    drawn[count++].dots = dots;
  }
  const DlsPlotPanel panel = {
      .title = f->title,
      .x_label = curves->x_label,
      .y_label = curves->y_label,
      .curves = drawn,
      .count = count,
      .log_x = f->log == DLS_STUDY_LOG_OF_X || f->log == DLS_STUDY_LOG_OF_XY,
      .log_y = f->log == DLS_STUDY_LOG_OF_Y || f->log == DLS_STUDY_LOG_OF_XY};
  const DlsStatus status = dls_plot_panels(&panel, 1, 1, width, height, path);
  free(drawn);
  return status;
}

/* Where no run has ended there is nothing to draw, and no file. */
static DlsStatus make_figure(const DlsStudy *s, int number, bool *drawn) {
  const DlsStudyFigure *f = (const DlsStudyFigure *)s->data.figures.items + number;
  char path[DLS_STUDY_PATH + 64];
  DlsStudyCurves curves;
  *drawn = false;
  if (dls_study_curves(s, f, &curves) != DLS_OK)
    return dls_fail_context(DLS_ERR_ARGUMENT, "figures[%d]", number);
  int points = 0;
  for (int k = 0; k < curves.count; k++) points += curves.curve[k].count;
  DlsStatus status = DLS_OK;
  name_file(s, number, "csv", path);
  if (points) status = write_curves(&curves, path);
  name_file(s, number, "svg", path);
  if (points && status == DLS_OK) status = draw_curves(f, &curves, path);
  *drawn = points > 0;
  dls_study_curves_clear(&curves);
  return status;
}

static void put_results(const DlsStudy *s, DlsFile *file) {
  const DlsStudyResult *results = s->data.results.items;
  char heads[8192] = "run";
  size_t used = 3;
  for (int c = 0; c < s->table.columns && used < sizeof heads; c++)
    used += (size_t)snprintf(heads + used, sizeof heads - used, "|%s", s->table.column[c].name);
  for (int k = -1; k < s->data.results.count && used < sizeof heads; k++)
    used += (size_t)snprintf(heads + used, sizeof heads - used, "|%s",
                             k < 0 ? ":status" : results[k].name);
  dls_file_print(file, "<h2>Runs</h2>");
  dls_page_table(file, NULL, heads);
  dls_file_print(file, "</tr>");
  for (int row = 0; row < s->table.rows; row++) {
    const DlsStudyOutcome *out = dls_study_outcome(s, row);
    const bool good = out->state == DLS_STUDY_DONE;
    dls_file_print(file, "<tr><td>%d", row + 1);
    for (int c = 0; c < s->table.columns; c++) {
      dls_file_print(file, "<td>");
      dls_page_text(file, dls_study_cell(&s->table, row, c));
    }
    dls_file_print(file, good ? "<td class=left>" : "<td class='left bad'>");
    dls_page_text(file, dls_study_state_text(out->state));
    if (out->note[0]) {
      dls_file_print(file, ": ");
      dls_page_text(file, out->note);
    }
    for (int k = 0; k < s->data.results.count; k++) {
      char number[DLS_NUMBER_BYTES];
      dls_file_print(file, "<td>%s", dls_number_text(number, out->value[k].value, 6));
    }
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

static DlsStatus put_page(const DlsStudy *s, const bool *drawn, DlsFile *file) {
  char path[DLS_STUDY_PATH + 64];
  dls_file_print(file, "<div class=figures>");
  for (int k = 0; k < s->data.figures.count; k++) {
    name_file(s, k, "svg", path);
    if (drawn[k]) DLS_TRY(dls_page_figure(file, path));
  }
  dls_file_print(file, "</div>\n");
  put_results(s, file);
  return DLS_OK;
}

static DlsStatus write_page(const DlsStudy *s, const bool *drawn) {
  char path[DLS_STUDY_PATH + 64], about[600];
  DlsFile *file = NULL;
  const int done = dls_study_count(s, DLS_STUDY_DONE), rows = s->table.rows;
  snprintf(about, sizeof about,
           "delassus %s. %d of %d runs done, %d with steps or solves not converged. Bars and bands "
           "are the standard error of the mean over runs.",
           DLS_VERSION, done, rows, dls_study_count(s, DLS_STUDY_UNCONVERGED));
  snprintf(path, sizeof path, "%s/index.html", s->folder);
  DLS_TRY(dls_page_begin(path, s->data.title, about, &file));
  return dls_page_end(put_page(s, drawn, file),
                      "Tables: results.csv; curves of figures: figure_K.csv; runs: runs/.", &file);
}

DlsStatus dls_study_report(const DlsStudy *s) {
  bool *drawn = calloc((size_t)s->data.figures.count + 1, sizeof *drawn);
  DLS_CHECK(drawn, DLS_ERR_MEMORY, "out of memory for the page");
  DlsStatus status = DLS_OK;
  for (int k = 0; k < s->data.figures.count && status == DLS_OK; k++)
    status = make_figure(s, k, &drawn[k]);
  if (status == DLS_OK) status = write_page(s, drawn);
  free(drawn);
  return status;
}
