#include "app/halved.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/panel.h"
#include "record/columns.h"
#include "record/csv.h"

/* Columns of the table: what is known of a run, and behind each the same of the second run. */
#define MEASURES(X)                                                                                \
  X(kinetic, "J", energy.kinetic)                                                                  \
  X(potential, "J", energy.potential)                                                              \
  X(stored, "J", energy.stored)                                                                    \
  X(dissipated, "J", energy.dissipated)                                                            \
  X(balance, "J", energy.balance)                                                                  \
  X(penetration, "m", penetration)

typedef enum {
#define NUMBER(name, unit, field) MEASURE_##name,
  MEASURES(NUMBER)
#undef NUMBER
      MEASURE_COUNT
} Measure;

enum { TIME, FIRST, MEAN_APART = FIRST + 2 * MEASURE_COUNT, LARGEST_APART, COLUMNS };

/* How far the bodies of both runs are apart: mean and largest distance of centres, m. */
typedef struct {
  double mean, largest;
  uint64_t body; /* the id of the largest */
  int count;     /* of bodies that both have */
} Apart;

struct AppHalved {
  DlsRun *run, *half; /* lent, own */
  DlsCsv *csv;
  char folder[2048];
  bool more;              /* of the second run */
  double worst[2];        /* J: largest difference of kinetic and of potential energy, */
  double when[2];         /* s: at that time; */
  double sum[2];          /* J: of all rows, for the mean */
  double low[2], high[2]; /* J: of the run, of all rows */
  Apart apart;            /* at the last row */
};

static void measure(const DlsRunReport *r, double out[MEASURE_COUNT]) {
#define TAKE(name, unit, field) out[MEASURE_##name] = r->field;
  MEASURES(TAKE)
#undef TAKE
}

static DlsStatus open_table(AppHalved *self) {
  char path[2300];
  DlsCsvColumn columns[COLUMNS] = {[TIME] = {"time", "s"},
                                   [MEAN_APART] = {"mean_apart", "m"},
                                   [LARGEST_APART] = {"largest_apart", "m"}};
#define NAME(name, unit, field)                                                                    \
  columns[FIRST + 2 * MEASURE_##name] = (DlsCsvColumn){#name, unit};                               \
  columns[FIRST + 2 * MEASURE_##name + 1] = (DlsCsvColumn){#name "_halved", unit};
  MEASURES(NAME)
#undef NAME
  const DlsCsvOptions options = {.flush_s = 1};
  snprintf(path, sizeof path, "%s/halved.csv", self->folder);
  return dls_csv_create(path, columns, COLUMNS, &options, &self->csv);
}

/* The second run: the options of the first, with half its step, and no captures and shadows. */
static DlsStatus open_half(AppHalved *self, const char *deck, const DlsRunOptions *options) {
  const bool restarts = options->restart && !options->stage;
  char step[64], folder[2300];
  DlsRunOptions half = *options;
  const char **set;
  DLS_NEW(set, options->nset + options->nchange + 2);
  const char **change = set + options->nset + 1;
  for (int k = 0; k < options->nset; k++) set[k] = options->set[k];
  for (int k = 0; k < options->nchange; k++) change[k] = options->change[k];
  snprintf(step, sizeof step, "time.step=%.17g", 0.5 * dls_run_report(self->run).step_length);
  snprintf(folder, sizeof folder, "%s/halved", self->folder);
  set[half.nset++] = step;
  if (restarts) change[half.nchange++] = "time.step";
  half.set = set;
  half.change = change;
  half.out = folder;
  half.capture = 0;
  half.shadow = NULL;
  half.tell = NULL; /* the first run has told all of it */
  const DlsStatus status = dls_run_open(deck, &half, &self->half);
  free(set);
  return status;
}

DlsStatus app_halved_open(DlsRun *run, const char *deck, const DlsRunOptions *options,
                          AppHalved **out) {
  AppHalved *self = calloc(1, sizeof *self);
  *out = NULL;
  DLS_CHECK(self, DLS_ERR_MEMORY, "out of memory for the run with half the step");
  self->run = run;
  self->more = true;
  for (int k = 0; k < 2; k++) self->low[k] = INFINITY, self->high[k] = -INFINITY;
  self->low[0] = 0; /* the kinetic energy is compared with its largest */
  snprintf(self->folder, sizeof self->folder, "%s", options->out);
  DlsStatus status = open_half(self, deck, options);
  if (status == DLS_OK) status = open_table(self);
  if (status == DLS_OK)
    *out = self;
  else
    app_halved_close(&self);
  return status;
}

/* Ids ascend in both runs; bodies that one of them alone has are passed over. */
static Apart compare_places(const DlsRunBodies *a, const DlsRunBodies *b) {
  Apart apart = {0};
  for (int i = 0, j = 0; i < a->count && j < b->count;) {
    if (a->id[i] != b->id[j]) {
      if (a->id[i] < b->id[j])
        i++;
      else
        j++;
      continue;
    }
    const double *x = a->position[i], *y = b->position[j];
    const double d = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    apart.mean += d;
    if (!apart.count || d > apart.largest) apart.largest = d, apart.body = a->id[i];
    apart.count++, i++, j++;
  }
  if (apart.count) apart.mean /= apart.count;
  return apart;
}

static void note_energy(AppHalved *self, int which, double time, double one, double two) {
  const double difference = one - two;
  self->low[which] = fmin(self->low[which], one);
  self->high[which] = fmax(self->high[which], one);
  self->sum[which] += fabs(difference);
  if (!(fabs(difference) > self->worst[which])) return;
  self->worst[which] = fabs(difference);
  self->when[which] = time;
}

static DlsStatus put_row(AppHalved *self) {
  const DlsRunReport one = dls_run_report(self->run), two = dls_run_report(self->half);
  const DlsRunBodies a = dls_run_bodies(self->run), b = dls_run_bodies(self->half);
  double x[MEASURE_COUNT], y[MEASURE_COUNT], row[COLUMNS];
  DLS_CHECK(a.count >= 0 && b.count >= 0, DLS_ERR_MEMORY, "%s", dls_error_message());
  self->apart = compare_places(&a, &b);
  measure(&one, x);
  measure(&two, y);
  row[TIME] = one.time;
  for (int k = 0; k < MEASURE_COUNT; k++) {
    row[FIRST + 2 * k] = x[k];
    row[FIRST + 2 * k + 1] = y[k];
  }
  row[MEAN_APART] = self->apart.mean;
  row[LARGEST_APART] = self->apart.largest;
  note_energy(self, 0, one.time, x[MEASURE_kinetic], y[MEASURE_kinetic]);
  note_energy(self, 1, one.time, x[MEASURE_potential], y[MEASURE_potential]);
  return dls_csv_row(self->csv, row);
}

DlsStatus app_halved_follow(AppHalved *self) {
  const DlsRunReport one = dls_run_report(self->run);
  const double enough = one.time - 0.25 * one.step_length;
  while (self->more && dls_run_report(self->half).time < enough)
    DLS_TRY(dls_run_step(self->half, &self->more));
  if (dls_run_report(self->half).time < enough) return DLS_OK; /* it ended before */
  return put_row(self);
}

/* Energies and the distance of the bodies over the time. */
static DlsStatus draw_table(const DlsColumns *table, const char *path) {
  static const struct {
    const char *title, *label, *column[2];
  } wanted[] = {{"Kinetic energy", "J", {"kinetic", "kinetic_halved"}},
                {"Potential energy", "J", {"potential", "potential_halved"}},
                {"Distance of the bodies of both runs", "m", {"mean_apart", "largest_apart"}}};
  enum { PANELS = DLS_COUNT(wanted) };
  DlsPlotPanel panels[PANELS];
  DlsPlotCurve curves[PANELS][2];
  const size_t rows = (size_t)table->rows;
  double *place = calloc(rows * (1 + 2 * (size_t)PANELS) + 1, sizeof *place);
  DLS_CHECK(place, DLS_ERR_MEMORY, "out of memory for %d rows", table->rows);
  for (int i = 0; i < table->rows; i++)
    place[i] = dls_columns_at(table, i, dls_columns_find(table, "time"));
  for (int k = 0; k < PANELS; k++) {
    for (int c = 0; c < 2; c++) {
      double *y = place + rows * (size_t)(1 + 2 * k + c);
      const int column = dls_columns_find(table, wanted[k].column[c]);
      for (int i = 0; i < table->rows; i++) y[i] = dls_columns_at(table, i, column);
      curves[k][c] =
          (DlsPlotCurve){.label = k == PANELS - 1 ? (c ? "largest" : "mean") : (c ? "h/2" : "h"),
                         .x = place,
                         .y = y,
                         .count = table->rows,
                         .ink = dls_plot_inks[c]};
    }
    panels[k] = (DlsPlotPanel){.title = wanted[k].title,
                               .x_label = "time, s",
                               .y_label = wanted[k].label,
                               .curves = curves[k],
                               .count = 2};
  }
  const DlsStatus status = dls_plot_panels(panels, PANELS, 3, 520, 300, path);
  free(place);
  return status;
}

static DlsStatus draw(AppHalved *self) {
  char table[2300], path[2300];
  DlsColumns columns;
  snprintf(table, sizeof table, "%s/halved.csv", self->folder);
  snprintf(path, sizeof path, "%s/halved.svg", self->folder);
  DLS_TRY(dls_csv_flush(self->csv));
  DLS_TRY(dls_columns_read(table, &columns));
  const DlsStatus status = draw_table(&columns, path);
  dls_columns_clear(&columns);
  return status;
}

/* The mean says whether the step is short enough; the largest is often an impact that one of both
 * takes a step before the other. */
static void say_energy(const AppHalved *self, int which, const char *what) {
  const int64_t rows = dls_csv_rows(self->csv);
  const double mean = rows ? self->sum[which] / (double)rows : 0;
  printf("  %s energy: %.3g J apart in the mean, %.3g J at most (t = %.4g s)", what, mean,
         self->worst[which], self->when[which]);
  const double range = self->high[which] - self->low[which];
  if (range > 0)
    printf(": %.2g %% and %.2g %% of %s", 100 * mean / range, 100 * self->worst[which] / range,
           which ? "its range" : "its largest");
  printf("\n");
}

DlsStatus app_halved_say(AppHalved *self, bool quiet, bool *whole) {
  const DlsRunReport one = dls_run_report(self->run), two = dls_run_report(self->half);
  const bool arrived = two.time > one.time - 0.25 * one.step_length;
  *whole = arrived && !two.not_converged;
  DLS_TRY(draw(self));
  if (quiet) return DLS_OK;
  printf("the same with half the step, %.6g s: worst error %.2e, %ld steps not converged, deepest "
         "penetration %.3g m (%.3g m)\n",
         two.step_length, two.worst_error, two.not_converged, two.worst_penetration,
         one.worst_penetration);
  if (!arrived)
    printf("  it ended before, at t = %.6g s%s%s\n", two.time, *two.reason ? ": " : "", two.reason);
  say_energy(self, 0, "kinetic");
  say_energy(self, 1, "potential");
  if (self->apart.count)
    printf("  %d bodies end %.3g m apart in the mean, %.3g m at most (body %llu)\n",
           self->apart.count, self->apart.mean, self->apart.largest,
           (unsigned long long)self->apart.body);
  printf("  table: %s/halved.csv   figure: %s/halved.svg   its run: %s/halved\n", self->folder,
         self->folder, self->folder);
  return DLS_OK;
}

DlsStatus app_halved_close(AppHalved **self) {
  if (!*self) return DLS_OK;
  DlsStatus status = dls_csv_close(&(*self)->csv);
  const DlsStatus closed = dls_run_close(&(*self)->half);
  if (status == DLS_OK) status = closed;
  free(*self);
  *self = NULL;
  return status;
}
