#include "record/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/fabric.h"
#include "plot/mohr.h"
#include "plot/panel.h"
#include "plot/profile.h"
#include "record/time_average_write.h"

static const double pi = 3.14159265358979323846;
enum { MOST_CURVES = DLS_PLOT_INKS, MOST_PANELS = 2, WIDTH = 560, HEIGHT = 340 };

typedef struct {
  const DlsTimeAverage *average;
  const DlsObservable *observable;
  const DlsMean *mean;
  const char *const *labels;
  const char *title, *path;
  int bins, rows;
} Job;

/* One number over rows, or over bins: places, means and errors. */
typedef struct {
  int count;
  double *x, *y, *e;
} Line;

static void line_clear(Line *l) {
  free(l->x);
  free(l->y);
  free(l->e);
  memset(l, 0, sizeof *l);
}

static DlsStatus line_make(int count, Line *l) {
  l->count = count;
  DLS_NEW(l->x, (size_t)count + 1);
  DLS_NEW(l->y, (size_t)count + 1);
  DLS_NEW(l->e, (size_t)count + 1);
  return DLS_OK;
}

/* A number of a row over the bins that hold instants; `sign` -1 turns tension into compression. */
static DlsStatus over_bins(const Job *job, int row, const char *array, int component, double sign,
                           Line *l) {
  const int column =
      dls_observable_column(job->observable->kind, job->observable->dim, array) + component;
  DLS_TRY(line_make(job->bins, l));
  l->count = 0;
  for (int bin = 0; bin < job->bins; bin++) {
    const DlsMeanValue v = dls_mean_value(job->mean, bin, row, column);
    if (!v.instants) continue;
    l->x[l->count] = dls_time_average_moment(job->average, bin);
    l->y[l->count] = sign * v.mean;
    l->e[l->count++] = v.error;
  }
  return DLS_OK;
}

static DlsStatus over_rows(const Job *job, int bin, const char *array, Line *l) {
  const int column = dls_observable_column(job->observable->kind, job->observable->dim, array);
  double place[3];
  DLS_TRY(line_make(job->rows, l));
  for (int n = 0; n < job->rows; n++) {
    const DlsMeanValue v = dls_mean_value(job->mean, bin, n, column);
    dls_observable_place(job->observable, n, place);
    l->x[n] = place[0];
    l->y[n] = v.mean;
    l->e[n] = v.error;
  }
  return DLS_OK;
}

/* What a panel of curves over the period shows: a component of an array of one row each. */
typedef struct {
  const char *label, *array;
  int row, component;
  double sign;
} Wish;

/* Panels one below the other, with all that their curves stand on. */
typedef struct {
  int count;
  DlsPlotPanel panel[MOST_PANELS];
  DlsPlotCurve curve[MOST_PANELS][MOST_CURVES];
  Line line[MOST_PANELS][MOST_CURVES];
  char name[MOST_CURVES][48];
} Page;

static void page_clear(Page *page) {
  for (int n = 0; n < MOST_PANELS; n++)
    for (int k = 0; k < MOST_CURVES; k++) line_clear(&page->line[n][k]);
}

static DlsStatus add_wishes(const Job *job, Page *page, const char *title, const char *unit,
                            const Wish *wishes, int count) {
  const int n = page->count++;
  if (count > MOST_CURVES) count = MOST_CURVES;
  for (int k = 0; k < count; k++) {
    const Wish *w = &wishes[k];
    Line *line = &page->line[n][k];
    DLS_TRY(over_bins(job, w->row, w->array, w->component, w->sign, line));
    page->curve[n][k] = (DlsPlotCurve){w->label,         line->x, line->y, line->count,
                                       dls_plot_inks[k], false,   line->e, false};
  }
  page->panel[n] = (DlsPlotPanel){.title = title,
                                  .x_label = "time in the period (s)",
                                  .y_label = unit,
                                  .curves = page->curve[n],
                                  .count = count,
                                  .zero_y = true};
  return DLS_OK;
}

/* Moreau 1994, Fig. 3: the sum of normal components above, the vertical component below. Without
 * phases a dot for each boundary. */
static DlsStatus show_walls(const Job *job, Page *page) {
  const int up = job->observable->dim - 1;
  Wish normal[MOST_CURVES], vertical[MOST_CURVES];
  int count = 0;
  for (int row = 0; row < job->rows && count < MOST_CURVES; row++) {
    char *name = page->name[count];
    if (job->rows == 2 && row == 0) continue; /* one boundary is all */
    if (job->labels)
      snprintf(name, sizeof page->name[0], "%.40s", job->labels[row]);
    else
      snprintf(name, sizeof page->name[0], row ? "boundary %d" : "all", row);
    normal[count] = (Wish){name, "normal", row, 0, 1};
    vertical[count++] = (Wish){name, "reaction", row, up, 1};
  }
  DLS_TRY(add_wishes(job, page, "sum of normal forces on the grains", "N", normal, count));
  return add_wishes(job, page, "vertical force on the grains, upward", "N", vertical, count);
}

static DlsStatus show_stress(const Job *job, Page *page) {
  static const char *const labels[] = {"-xx", "-yy", "-zz"};
  const int dim = job->observable->dim;
  Wish contact[3], kinetic[3];
  for (int k = 0; k < dim; k++) {
    contact[k] = (Wish){labels[k], "stress", 0, 4 * k, -1};
    kinetic[k] = (Wish){labels[k], "kinetic_stress", 0, 4 * k, -1};
  }
  DLS_TRY(add_wishes(job, page, "contact stress", "compression (Pa)", contact, dim));
  return add_wishes(job, page, "kinetic stress", "compression (Pa)", kinetic, dim);
}

static DlsStatus show_fabric(const Job *job, Page *page) {
  static const char *const labels[] = {"xx", "yy", "zz"};
  const Wish number[] = {{"coordination", "coordination", 0, 0, 1},
                         {"backbone", "backbone", 0, 0, 1}};
  Wish fabric[3];
  for (int k = 0; k < job->observable->dim; k++)
    fabric[k] = (Wish){labels[k], "fabric", 0, 4 * k, 1};
  DLS_TRY(add_wishes(job, page, "contacts of a grain", "", number, 2));
  return add_wishes(job, page, "fabric tensor", "", fabric, job->observable->dim);
}

static DlsStatus show_cuts(const Job *job, Page *page) {
  Wish wishes[MOST_CURVES];
  int count = 0;
  for (; count < job->rows && count < MOST_CURVES; count++) {
    snprintf(page->name[count], sizeof page->name[0], "cut %d", count + 1);
    wishes[count] = (Wish){page->name[count], "normal_force", count, 0, 1};
  }
  return add_wishes(job, page, "force along the normal of the cut, tension positive", "N", wishes,
                    count);
}

/* Up to six bins of the period, each a curve along the places. */
static DlsStatus show_places(const Job *job, Page *page, const char *array, const char *label) {
  enum { SHOWN = 6 };
  int count = 0;
  for (int k = 0; k < SHOWN && k < job->bins; k++) {
    const int bin = job->bins > SHOWN ? k * job->bins / SHOWN : k;
    Line *line = &page->line[0][count];
    if (!dls_mean_instants(job->mean, bin)) continue;
    DLS_TRY(over_rows(job, bin, array, line));
    snprintf(page->name[count], sizeof page->name[0], "%.3g s",
             dls_time_average_moment(job->average, bin));
    page->curve[0][count] = (DlsPlotCurve){page->name[count],    line->x, line->y, line->count,
                                           dls_plot_inks[count], false,   line->e, false};
    count++;
  }
  page->count = 1;
  page->panel[0] = (DlsPlotPanel){.title = job->title,
                                  .x_label = "place (m)",
                                  .y_label = label,
                                  .curves = page->curve[0],
                                  .count = count,
                                  .zero_y = true};
  return DLS_OK;
}

DlsPlotMap dls_draw_map(const DlsFieldGrid *grid, DlsSvgBox box, const double *values,
                        const char *title) {
  return (DlsPlotMap){.box = box,
                      .points = {grid->points[0], grid->points[1]},
                      .low = {grid->low[0], grid->low[1]},
                      .high = {grid->high[0], grid->high[1]},
                      .values = values,
                      .title = title};
}

/* Maps of the pressure, one for each bin shown, in the unit of the largest value of all. */
static DlsStatus plot_maps(const Job *job) {
  enum { SHOWN = 12, SIDE = 200 };
  const DlsFieldGrid *grid = &job->observable->grid;
  const int shown = job->bins < SHOWN ? job->bins : SHOWN, across = shown < 4 ? shown : 4;
  const double side = shown == 1 ? 480 : SIDE;
  const double tall = side * (grid->high[1] - grid->low[1]) / (grid->high[0] - grid->low[0]);
  const int rows = (shown + across - 1) / across;
  double most = 0;
  Line line[SHOWN] = {{0}};
  DlsPlotMap maps[SHOWN];
  char title[SHOWN][48];
  DlsStatus status = DLS_OK;
  for (int k = 0; k < shown && status == DLS_OK; k++) {
    const int bin = k * job->bins / shown, down = k / across, right = k % across;
    status = over_rows(job, bin, "pressure", &line[k]);
    for (int n = 0; n < line[k].count && status == DLS_OK; n++)
      if (line[k].y[n] > most) most = line[k].y[n];
    snprintf(title[k], sizeof title[k], job->bins > 1 ? "t = %.3g s" : "mean pressure",
             dls_time_average_moment(job->average, bin));
    const DlsSvgBox box = {70 + right * (side + 80), 30 + down * (tall + 90), side, tall};
    maps[k] = dls_draw_map(grid, box, line[k].y, title[k]);
  }
  const double width = across * (side + 80);
  if (status == DLS_OK)
    status = dls_plot_maps(maps, shown, most, (DlsSvgBox){width + 5, 30, 16, tall}, "pressure (Pa)",
                           width + 110, rows * (tall + 90), job->path);
  for (int k = 0; k < SHOWN; k++) line_clear(&line[k]);
  return status;
}

static DlsStatus show_phases(const Job *job, Page *page) {
  switch (job->observable->kind) {
  case DLS_OBSERVABLE_STRESS:
    return show_stress(job, page);
  case DLS_OBSERVABLE_FABRIC:
    return show_fabric(job, page);
  case DLS_OBSERVABLE_CUT:
    return show_cuts(job, page);
  case DLS_OBSERVABLE_WALLS:
    return show_walls(job, page);
  case DLS_OBSERVABLE_PROFILE:
    return show_places(job, page, "axial", "compression along the axis (Pa)");
  case DLS_OBSERVABLE_FLOOR:
    return show_places(job, page, "pressure", "on the floor (Pa)");
  default:
    return DLS_OK;
  }
}

static DlsStatus plot_phases(const Job *job) {
  Page *page;
  DLS_NEW(page, 1);
  DlsStatus status = show_phases(job, page);
  if (status == DLS_OK)
    status = dls_plot_panels(page->panel, page->count, page->count, WIDTH, HEIGHT, job->path);
  page_clear(page);
  free(page);
  return status;
}

static void values_of(const Job *job, int row, const char *array, int count, double *mean,
                      double *error) {
  const int column = dls_observable_column(job->observable->kind, job->observable->dim, array);
  for (int c = 0; c < count; c++) {
    const DlsMeanValue v = dls_mean_value(job->mean, 0, row, column + c);
    if (mean) mean[c] = v.mean;
    if (error) error[c] = v.error;
  }
}

static DlsStatus plot_profile(const Job *job) {
  double *place, (*stress)[9], (*error)[9], *K, *K_error, x[3];
  double *all;
  DLS_NEW(all, 21 * (size_t)job->rows + 1);
  place = all;
  K = place + job->rows;
  K_error = K + job->rows;
  stress = (double(*)[9])(K_error + job->rows);
  error = stress + job->rows;
  for (int n = 0; n < job->rows; n++) {
    dls_observable_place(job->observable, n, x);
    place[n] = x[0];
    values_of(job, n, "stress", 9, stress[n], error[n]);
    values_of(job, n, "K", 1, &K[n], &K_error[n]);
  }
  const DlsPlotProfile profile = {.dim = job->observable->dim,
                                  .axis = job->observable->profile.axis,
                                  .count = job->rows,
                                  .place = place,
                                  .stress = (const double(*)[9])stress,
                                  .error = (const double(*)[9])error,
                                  .K = K,
                                  .K_error = K_error};
  const DlsStatus status = dls_plot_profile(&profile, job->title, job->path);
  free(all);
  return status;
}

static DlsStatus plot_floor(const Job *job) {
  const DlsFloorGrid *grid = &job->observable->floor;
  Line pressure = {0}, shear = {0};
  DlsStatus status = over_rows(job, 0, "pressure", &pressure);
  if (status == DLS_OK) status = over_rows(job, 0, "shear", &shear);
  const DlsPlotFloor floor = {.letter = grid->rings  ? 'r'
                                        : grid->axis ? 'y'
                                                     : 'x',
                              .count = pressure.count,
                              .place = pressure.x,
                              .pressure = pressure.y,
                              .pressure_error = pressure.e,
                              .shear = shear.y,
                              .shear_error = shear.e};
  if (status == DLS_OK) status = dls_plot_floor(&floor, job->title, job->path);
  line_clear(&pressure);
  line_clear(&shear);
  return status;
}

DlsStatus dls_draw_fabric(int dim, const DlsRose *rose, const DlsForces *normal,
                          const DlsForces *tangential, const double *normal_error,
                          const double *tangential_error, const char *path) {
  double fit[DLS_PLOT_FIT];
  for (int k = 0; k < DLS_PLOT_FIT; k++)
    fit[k] = dls_rose_fit(rose, 2 * pi * k / (DLS_PLOT_FIT - 1));
  const DlsPlotFabric figure = {.dim = dim,
                                .sectors = DLS_ROSE_SECTORS,
                                .bands = DLS_ROSE_BANDS,
                                .count = rose->count[0],
                                .total = rose->total,
                                .fit = fit,
                                .bins = DLS_FORCE_BINS,
                                .width = normal->width,
                                .density = {normal->density, tangential->density},
                                .error = {normal_error, tangential_error}};
  return dls_plot_fabric(&figure, path);
}

static DlsStatus plot_fabric(const Job *job) {
  DlsRose rose = {0};
  DlsForces normal = {.width = 8.0 / DLS_FORCE_BINS}, tangential = normal;
  double error[2][DLS_FORCE_BINS];
  const int dim = job->observable->dim;
  values_of(job, 0, "rose", DLS_ROSE_SECTORS * (dim == 3 ? DLS_ROSE_BANDS : 1), rose.count[0],
            NULL);
  for (int i = 0; i < DLS_ROSE_BANDS; i++)
    for (int j = 0; j < DLS_ROSE_SECTORS; j++) rose.total += rose.count[i][j];
  values_of(job, 0, "cosines", 3, rose.a, NULL);
  values_of(job, 0, "sines", 3, rose.b, NULL);
  values_of(job, 0, "density_normal", DLS_FORCE_BINS, normal.density, error[0]);
  values_of(job, 0, "density_tangential", DLS_FORCE_BINS, tangential.density, error[1]);
  return dls_draw_fabric(dim, &rose, &normal, &tangential, error[0], error[1], job->path);
}

static DlsStatus plot_mohr(const Job *job) {
  DlsStressState state;
  double stress[9];
  values_of(job, 0, "stress", 9, stress, NULL);
  dls_stress_state(job->observable->dim, stress, &state);
  return dls_plot_mohr(job->observable->dim, state.principal, state.pressure, state.deviator,
                       job->path);
}

DlsStatus dls_draw_means(const DlsTimeAverage *average, const char *const *labels,
                         const char *title, const char *path) {
  const DlsObservable *r = dls_time_average_observable(average);
  const DlsMean *mean = dls_time_average_mean(average);
  DLS_CHECK(r, DLS_ERR_ARGUMENT, "%s: no instant in the window; nothing to draw", title);
  const Job job = {.average = average,
                   .observable = r,
                   .mean = mean,
                   .labels = labels,
                   .title = title,
                   .path = path,
                   .bins = dls_mean_window(mean)->bins,
                   .rows = dls_mean_rows(mean)};
  const bool phases = dls_mean_window(mean)->period > 0;
  if (r->kind == DLS_OBSERVABLE_GRAINS || (r->kind == DLS_OBSERVABLE_FIELD && r->dim == 3))
    return DLS_OK;
  if (r->kind == DLS_OBSERVABLE_FIELD) return plot_maps(&job);
  if (phases) return plot_phases(&job);
  switch (r->kind) {
  case DLS_OBSERVABLE_STRESS:
    return plot_mohr(&job);
  case DLS_OBSERVABLE_FABRIC:
    return plot_fabric(&job);
  case DLS_OBSERVABLE_PROFILE:
    return plot_profile(&job);
  case DLS_OBSERVABLE_FLOOR:
    return plot_floor(&job);
  default: /* walls and cuts: their table says it */
    return DLS_OK;
  }
}
