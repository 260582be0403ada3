#include "study/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/columns.h"
#include "record/columns_formula.h"

int dls_study_mean(const double *values, int count, double *mean, double *error) {
  double sum = 0, square = 0;
  int n = 0;
  for (int k = 0; k < count; k++)
    if (isfinite(values[k])) sum += values[k], n++;
  *mean = n ? sum / n : NAN;
  for (int k = 0; k < count; k++)
    if (isfinite(values[k])) square += (values[k] - *mean) * (values[k] - *mean);
  *error = n > 1 ? sqrt(square / (n - 1) / n) : NAN;
  return n;
}

/* Which columns tell curves apart: `by` alone; else all with values, but for the one that is x. */
static bool divides(const DlsStudy *s, const DlsStudyFigure *f, int column) {
  const DlsStudyColumn *c = &s->table.column[column];
  if (f->by) return strcmp(c->name, f->by) == 0;
  return c->role == DLS_STUDY_VALUES && c->values > 1 && strcmp(c->name, f->x) != 0;
}

static void name_group(const DlsStudy *s, const DlsStudyFigure *f, int row,
                       char label[DLS_STUDY_LABEL]) {
  size_t used = 0;
  label[0] = '\0';
  for (int c = 0; c < s->table.columns && used < DLS_STUDY_LABEL - 1; c++) {
    if (!divides(s, f, c)) continue;
    const int length = snprintf(label + used, DLS_STUDY_LABEL - used, "%s%s = %s", used ? ", " : "",
                                s->table.column[c].name, dls_study_cell(&s->table, row, c));
    used += length > 0 ? (size_t)length : 0;
  }
}

/* Number of the curve of each row, -1 for runs without results; curves in the order of rows. */
static DlsStatus group_rows(const DlsStudy *s, const DlsStudyFigure *f, int *group,
                            DlsStudyCurves *out) {
  DLS_NEW(out->curve, s->table.rows);
  for (int row = 0; row < s->table.rows; row++) {
    char label[DLS_STUDY_LABEL];
    group[row] = -1;
    if (dls_study_outcome(s, row)->state > DLS_STUDY_UNCONVERGED) continue;
    name_group(s, f, row, label);
    int k = 0;
    while (k < out->count && strcmp(out->curve[k].label, label) != 0) k++;
    if (k == out->count) strcpy(out->curve[out->count++].label, label);
    group[row] = k;
  }
  return DLS_OK;
}

static DlsStatus new_curve(DlsStudyCurve *curve, int count) {
  DLS_NEW(curve->x, count + 1);
  DLS_NEW(curve->y, count + 1);
  DLS_NEW(curve->error, count + 1);
  DLS_NEW(curve->runs, count + 1);
  curve->count = count;
  return DLS_OK;
}

static void name_axis(char label[DLS_STUDY_LABEL], const char *given, const char *text,
                      const DlsColumnsFormula *formula) {
  const char *unit = dls_columns_formula_unit(formula);
  if (given)
    snprintf(label, DLS_STUDY_LABEL, "%s", given);
  else
    snprintf(label, DLS_STUDY_LABEL, *unit ? "%s [%s]" : "%s", text, unit);
}

/* Figures of results: runs of one curve and one x, or of one combination of values where x is a
 * result, are a point. */

typedef struct {
  double x, y;
  int place; /* of the point that it counts for */
} Sample;

static int by_place(const void *a, const void *b) {
  const Sample *p = a, *q = b;
  return (p->place > q->place) - (p->place < q->place);
}

static int by_x(const void *a, const void *b) {
  const Sample *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

/* Samples of one point stand together; each point becomes one sample of means, sorted by x. */
static DlsStatus make_points(Sample *samples, int count, DlsStudyCurve *curve) {
  DLS_TRY(new_curve(curve, count));
  double *values;
  DLS_NEW(values, 2 * (size_t)count + 1);
  qsort(samples, (size_t)count, sizeof *samples, by_place);
  int points = 0;
  for (int from = 0, to; from < count; from = to) {
    int n = 0;
    for (to = from; to < count && samples[to].place == samples[from].place; to++, n++)
      values[n] = samples[to].x, values[count + n] = samples[to].y;
    double none;
    (void)dls_study_mean(values, n, &curve->x[points], &none);
    curve->runs[points] =
        dls_study_mean(values + count, n, &curve->y[points], &curve->error[points]);
    points += curve->runs[points] > 0 && isfinite(curve->x[points]);
  }
  free(values);
  curve->count = points;
  return DLS_OK;
}

/* Points in the order of x. */
static void sort_points(DlsStudyCurve *c) {
  for (int i = 1; i < c->count; i++)
    for (int k = i; k > 0 && c->x[k] < c->x[k - 1]; k--) {
      double *const arrays[] = {c->x, c->y, c->error};
      for (int a = 0; a < 3; a++) {
        const double kept = arrays[a][k];
        arrays[a][k] = arrays[a][k - 1];
        arrays[a][k - 1] = kept;
      }
      const int runs = c->runs[k];
      c->runs[k] = c->runs[k - 1];
      c->runs[k - 1] = runs;
    }
}

/* Rows of the same place: the first row with the same values in all columns that are no seed, and,
 * where `by` leaves others in the mean, in x and `by` alone. */
static int place_of(const DlsStudy *s, const DlsStudyFigure *f, const int *group, int row) {
  const int x = dls_study_column(&s->table, f->x);
  for (int other = 0; other < row; other++) {
    if (group[other] != group[row]) continue;
    bool same = true;
    for (int c = 0; c < s->table.columns && same; c++) {
      const DlsStudyColumn *column = &s->table.column[c];
      const bool matters = x >= 0 ? c == x : column->role == DLS_STUDY_VALUES;
      same = !matters ||
             strcmp(dls_study_cell(&s->table, row, c), dls_study_cell(&s->table, other, c)) == 0;
    }
    if (same) return other;
  }
  return row;
}

static DlsStatus draw_results(const DlsStudy *s, const DlsStudyFigure *f, const int *group,
                              const DlsColumns *table, DlsStudyCurves *out) {
  DlsColumnsFormula *x = NULL, *y = NULL;
  Sample *samples = NULL;
  DlsStatus status = dls_columns_formula_create(f->x, table, &x);
  if (status == DLS_OK) status = dls_columns_formula_create(f->y, table, &y);
  if (status == DLS_OK) {
    name_axis(out->x_label, f->x_label, f->x, x);
    name_axis(out->y_label, f->y_label, f->y, y);
    samples = calloc((size_t)s->table.rows + 1, sizeof *samples);
    if (!samples) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  }
  for (int k = 0; k < out->count && status == DLS_OK; k++) {
    int count = 0;
    for (int row = 0; row < s->table.rows; row++)
      if (group[row] == k)
        samples[count++] = (Sample){dls_columns_formula_at(x, row), dls_columns_formula_at(y, row),
                                    place_of(s, f, group, row)};
    status = make_points(samples, count, &out->curve[k]);
    sort_points(&out->curve[k]);
  }
  free(samples);
  dls_columns_formula_destroy(&x);
  dls_columns_formula_destroy(&y);
  return status;
}

/* Figures of tables within runs. */

typedef struct {
  Sample *samples; /* by x */
  int count;
} Trace;

static DlsStatus read_trace(const DlsStudy *s, const DlsStudyFigure *f, int row, Trace *trace,
                            DlsStudyCurves *out) {
  char folder[DLS_STUDY_PATH], path[DLS_STUDY_PATH + 64];
  DlsColumns table;
  DlsColumnsFormula *x = NULL, *y = NULL;
  dls_study_stage_folder(s, row, dls_study_stage(s, f->stage), folder);
  dls_study_file(f->of, folder, path, sizeof path);
  DLS_TRY(dls_columns_read(path, &table));
  DlsStatus status = dls_columns_formula_create(f->x, &table, &x);
  if (status == DLS_OK) status = dls_columns_formula_create(f->y, &table, &y);
  if (status == DLS_OK) {
    name_axis(out->x_label, f->x_label, f->x, x);
    name_axis(out->y_label, f->y_label, f->y, y);
    trace->samples = calloc((size_t)table.rows + 1, sizeof *trace->samples);
    if (!trace->samples) status = dls_fail(DLS_ERR_MEMORY, "out of memory for %s", path);
  }
  for (int i = 0; status == DLS_OK && i < table.rows; i++) {
    const Sample sample = {.x = dls_columns_formula_at(x, i), .y = dls_columns_formula_at(y, i)};
    if (isfinite(sample.x) && isfinite(sample.y)) trace->samples[trace->count++] = sample;
  }
  if (trace->count) qsort(trace->samples, (size_t)trace->count, sizeof *trace->samples, by_x);
  dls_columns_formula_destroy(&x);
  dls_columns_formula_destroy(&y);
  dls_columns_clear(&table);
  return status;
}

static double interpolate(const Trace *t, double x) {
  int low = 0, high = t->count - 1;
  if (t->count == 0 || x < t->samples[0].x || x > t->samples[high].x) return NAN;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (t->samples[middle].x <= x)
      low = middle;
    else
      high = middle;
  }
  const Sample *a = &t->samples[low], *b = &t->samples[high];
  return b->x > a->x ? a->y + (b->y - a->y) * (x - a->x) / (b->x - a->x) : a->y;
}

/* The mean of the traces at places that all of them have. */
static DlsStatus average_traces(const Trace *traces, int count, int points, DlsStudyCurve *curve) {
  double low = -INFINITY, high = INFINITY, *values;
  for (int k = 0; k < count; k++) {
    if (!traces[k].count) continue;
    low = fmax(low, traces[k].samples[0].x);
    high = fmin(high, traces[k].samples[traces[k].count - 1].x);
  }
  if (!(low < high) || !isfinite(low) || !isfinite(high)) return new_curve(curve, 0);
  DLS_TRY(new_curve(curve, points));
  DLS_NEW(values, count + 1);
  for (int i = 0; i < points; i++) {
    curve->x[i] = i == points - 1 ? high : low + (high - low) * i / (points - 1);
    for (int k = 0; k < count; k++) values[k] = interpolate(&traces[k], curve->x[i]);
    curve->runs[i] = dls_study_mean(values, count, &curve->y[i], &curve->error[i]);
  }
  free(values);
  return DLS_OK;
}

static DlsStatus draw_traces(const DlsStudy *s, const DlsStudyFigure *f, const int *group,
                             DlsStudyCurves *out) {
  Trace *traces = calloc((size_t)s->table.rows + 1, sizeof *traces);
  DLS_CHECK(traces, DLS_ERR_MEMORY, "out of memory for a figure");
  DlsStatus status = DLS_OK;
  for (int k = 0; k < out->count && status == DLS_OK; k++) {
    int count = 0;
    for (int row = 0; row < s->table.rows && status == DLS_OK; row++)
      if (group[row] == k) status = read_trace(s, f, row, &traces[count++], out);
    if (status == DLS_OK) status = average_traces(traces, count, f->points, &out->curve[k]);
    for (int n = 0; n < count; n++) {
      free(traces[n].samples);
      traces[n] = (Trace){0};
    }
  }
  free(traces);
  return status;
}

static DlsStatus make_curves(const DlsStudy *s, const DlsStudyFigure *f, int *group,
                             DlsStudyCurves *out) {
  char path[DLS_STUDY_PATH + 64];
  DlsColumns table;
  DLS_CHECK(!f->by || dls_study_column(&s->table, f->by) >= 0, DLS_ERR_ARGUMENT,
            "by: `%s` is no key of this study", f->by);
  DLS_TRY(group_rows(s, f, group, out));
  if (strcmp(f->of, "results") != 0) return draw_traces(s, f, group, out);
  snprintf(path, sizeof path, "%s/results.csv", s->folder);
  DLS_TRY(dls_columns_read(path, &table));
  const DlsStatus status = draw_results(s, f, group, &table, out);
  dls_columns_clear(&table);
  return status;
}

DlsStatus dls_study_curves(const DlsStudy *s, const DlsStudyFigure *f, DlsStudyCurves *out) {
  *out = (DlsStudyCurves){0};
  int *group = calloc((size_t)s->table.rows + 1, sizeof *group);
  DLS_CHECK(group, DLS_ERR_MEMORY, "out of memory for a figure");
  const DlsStatus status = make_curves(s, f, group, out);
  free(group);
  if (status != DLS_OK) dls_study_curves_clear(out);
  return status;
}

void dls_study_curves_clear(DlsStudyCurves *curves) {
  for (int k = 0; k < curves->count; k++) {
    free(curves->curve[k].x);
    free(curves->curve[k].y);
    free(curves->curve[k].error);
    free(curves->curve[k].runs);
  }
  free(curves->curve);
  *curves = (DlsStudyCurves){0};
}
