/* delassus plot: columns of a table against one of them, as SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/options.h"
#include "plot/panel.h"
#include "record/columns.h"
#include "record/columns_formula.h"

enum { MOST_CURVES = 8, MOST_POINTS = 600, LABEL = 160 };

typedef struct {
  AppTexts words; /* FILE, X, Y ... */
  const char *out, *title;
  int log; /* 0 of x, 1 of y, 2 of both; -1: linear */
  bool dots;
} Job;

static const AppOption options[] = {
    APP_OPERANDS_ROW(Job, words),
    APP_CHOICE_ROW(Job, log, "log", "x|y|xy", "x|y|xy",
                   "logarithmic axes; what is not above 0 is left out"),
    APP_TEXT_ROW(Job, out, "out", "FILE.svg", "the picture (default: the table's name, as .svg)"),
    APP_TEXT_ROW(Job, title, "title", "TEXT", "above it (default: the table's name)"),
    APP_FLAG_ROW(Job, dots, "dots", "points, not lines"),
};

/* "kinetic [J]": what a formula is of, with its unit. */
static void name_axis(char label[LABEL], const char *text, const DlsColumnsFormula *formula) {
  const char *unit = dls_columns_formula_unit(formula);
  snprintf(label, LABEL, *unit ? "%s [%s]" : "%s", text, unit);
}

/* Of many points two of each stretch stay, the lowest and the highest: what a line shows. */
static int thin(const double *x, const double *y, int count, double *to_x, double *to_y) {
  if (count <= MOST_POINTS) {
    memcpy(to_x, x, (size_t)count * sizeof *x);
    memcpy(to_y, y, (size_t)count * sizeof *y);
    return count;
  }
  const int parts = MOST_POINTS / 2;
  int kept = 0;
  for (int part = 0; part < parts; part++) {
    const int from = (int)((long)count * part / parts),
              to = (int)((long)count * (part + 1) / parts);
    int low = from, high = from;
    for (int i = from; i < to; i++) {
      if (!(y[i] >= y[low])) low = i;
      if (!(y[i] <= y[high])) high = i;
    }
    const int first = low < high ? low : high, second = low < high ? high : low;
    to_x[kept] = x[first], to_y[kept++] = y[first];
    if (second != first) to_x[kept] = x[second], to_y[kept++] = y[second];
  }
  return kept;
}

static DlsStatus read_points(const DlsColumns *table, DlsColumnsFormula *fx, DlsColumnsFormula *fy,
                             DlsPlotCurve *curve, double **memory) {
  const size_t n = (size_t)table->rows;
  double *all = calloc(4 * n + 1, sizeof *all), *x = all, *y = all + n;
  DLS_CHECK(all, DLS_ERR_MEMORY, "out of memory for %d rows", table->rows);
  *memory = all;
  for (int i = 0; i < table->rows; i++) {
    x[i] = dls_columns_formula_at(fx, i);
    y[i] = dls_columns_formula_at(fy, i);
  }
  curve->x = all + 2 * n;
  curve->y = all + 3 * n;
  curve->count = thin(x, y, table->rows, all + 2 * n, all + 3 * n);
  int good = 0;
  for (int i = 0; i < table->rows; i++) good += isfinite(x[i]) && isfinite(y[i]);
  DLS_CHECK(good, DLS_ERR_FORMAT, "%s: has no row with numbers for `%s`; nothing to draw",
            table->path, curve->label);
  return DLS_OK;
}

static DlsStatus draw(const Job *job, const DlsColumns *table, const char *out) {
  const char *const *word = job->words.item;
  const int curves = job->words.count - 2;
  char x_label[LABEL], y_label[LABEL], label[MOST_CURVES][LABEL];
  DlsPlotCurve curve[MOST_CURVES] = {0};
  double *memory[MOST_CURVES] = {0};
  DlsColumnsFormula *x = NULL;
  DlsStatus status = dls_columns_formula_create(word[1], table, &x);
  if (status == DLS_OK) name_axis(x_label, word[1], x);
  for (int k = 0; k < curves && status == DLS_OK; k++) {
    DlsColumnsFormula *y = NULL;
    status = dls_columns_formula_create(word[k + 2], table, &y);
    if (status != DLS_OK) break;
    name_axis(label[k], word[k + 2], y);
    curve[k].label = label[k];
    curve[k].ink = dls_plot_inks[k % DLS_PLOT_INKS];
    curve[k].dots = job->dots;
    status = read_points(table, x, y, &curve[k], &memory[k]);
    dls_columns_formula_destroy(&y);
  }
  snprintf(y_label, sizeof y_label, "%s", curves == 1 ? label[0] : "");
  const char *slash = strrchr(table->path, '/');
  const DlsPlotPanel panel = {.title = job->title ? job->title
                                       : slash    ? slash + 1
                                                  : table->path,
                              .x_label = x_label,
                              .y_label = curves == 1 ? y_label : NULL,
                              .curves = curve,
                              .count = curves,
                              .log_x = job->log == 0 || job->log == 2,
                              .log_y = job->log == 1 || job->log == 2};
  if (status == DLS_OK) status = dls_plot_panels(&panel, 1, 1, 720, 440, out);
  for (int k = 0; k < curves; k++) free(memory[k]);
  dls_columns_formula_destroy(&x);
  return status;
}

static int run_job(const AppCommand *self, const Job *job) {
  char out[2300];
  DlsColumns table;
  if (job->words.count < 3)
    return app_refuse(self, "what? delassus plot FILE.csv X Y, such as history.csv t kinetic");
  if (job->words.count - 2 > MOST_CURVES)
    return app_refuse(self, "%d curves are too many for one picture; at most %d",
                      job->words.count - 2, (int)MOST_CURVES);
  const char *path = job->words.item[0];
  const size_t length = strlen(path);
  const bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
  if (strlen(path) + 5 > sizeof out) return app_refuse(self, "%.80s...: is too long a path", path);
  snprintf(out, sizeof out, "%.*s.svg", (int)(csv ? length - 4 : length), path);
  const char *to = job->out ? job->out : out;
  if (dls_columns_read(path, &table) != DLS_OK) return app_refuse_status(self);
  const DlsStatus status = draw(job, &table, to);
  dls_columns_clear(&table);
  if (status != DLS_OK) return app_refuse_status(self);
  printf("picture: %s\n", to);
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.log = -1};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = run_job(self, &job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "FILE.csv is any table that this program writes, such as history.csv of a run, series.csv of\n"
    "post stress --series or results.csv of a study. X and Y are columns, or expressions of them;\n"
    "t stands for time. Names and units on the axes come from the first line of the file.\n"
    "\n"
    "  delassus plot out/silo/history.csv t kinetic potential\n"
    "  delassus plot out/silo/history.csv t error --log y --out error.svg\n"
    "  delassus plot out/triaxial/series.csv 0-axial_strain stress_ratio\n";

const AppCommand app_plot = {
    .name = "plot",
    .usage = "FILE.csv X Y [Y ...] [options]",
    .summary = "Draws columns of a table",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
