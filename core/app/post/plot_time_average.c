/* Pictures of means over time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post/plot.h"
#include "record/time_average_write.h"

enum { MOST_CURVES = 8, WIDTH = 560, HEIGHT = 340 };

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
  DLS_TRY(post_reals((size_t)count, &l->x));
  DLS_TRY(post_reals((size_t)count, &l->y));
  DLS_TRY(post_reals((size_t)count, &l->e));
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

static DlsStatus draw_wishes(const Job *job, DlsSvg *svg, double top, const char *title,
                             const char *unit, const Wish *wishes, int count) {
  Line lines[MOST_CURVES] = {{0}};
  PostCurve curves[MOST_CURVES];
  DlsStatus status = DLS_OK;
  if (count > MOST_CURVES) count = MOST_CURVES;
  for (int k = 0; k < count && status == DLS_OK; k++) {
    const Wish *w = &wishes[k];
    status = over_bins(job, w->row, w->array, w->component, w->sign, &lines[k]);
    curves[k] = (PostCurve){w->label,     lines[k].x, lines[k].y, lines[k].count,
                            post_inks[k], false,      lines[k].e, false};
  }
  const PostPanel panel = {.title = title,
                           .x_label = "time in the period (s)",
                           .y_label = unit,
                           .curves = curves,
                           .count = count,
                           .zero_y = true};
  if (status == DLS_OK) post_draw_panel(svg, (DlsSvgBox){0, top, WIDTH, HEIGHT}, &panel);
  for (int k = 0; k < MOST_CURVES; k++) line_clear(&lines[k]);
  return status;
}

/* Moreau 1994, Fig. 3: the sum of normal components above, the vertical component below. Without phases a dot for each
 * boundary. */
static DlsStatus draw_walls(const Job *job, DlsSvg *svg) {
  const int up = job->observable->dim - 1;
  Wish normal[MOST_CURVES], vertical[MOST_CURVES];
  char names[MOST_CURVES][48];
  int count = 0;
  for (int row = 0; row < job->rows && count < MOST_CURVES; row++) {
    if (job->rows == 2 && row == 0) continue; /* one boundary is all */
    if (job->labels)
      snprintf(names[count], sizeof names[count], "%.40s", job->labels[row]);
    else
      snprintf(names[count], sizeof names[count], row ? "boundary %d" : "all", row);
    normal[count] = (Wish){names[count], "normal", row, 0, 1};
    vertical[count] = (Wish){names[count], "reaction", row, up, 1};
    count++;
  }
  DLS_TRY(draw_wishes(job, svg, 0, "sum of normal forces on the grains", "N", normal, count));
  return draw_wishes(job, svg, HEIGHT, "vertical force on the grains, upward", "N", vertical,
                     count);
}

static DlsStatus draw_stress(const Job *job, DlsSvg *svg) {
  static const char *const labels[] = {"-xx", "-yy", "-zz"};
  Wish contact[3], kinetic[3];
  for (int k = 0; k < job->observable->dim; k++) {
    contact[k] = (Wish){labels[k], "stress", 0, 4 * k, -1};
    kinetic[k] = (Wish){labels[k], "kinetic_stress", 0, 4 * k, -1};
  }
  DLS_TRY(draw_wishes(job, svg, 0, "contact stress", "compression (Pa)", contact,
                      job->observable->dim));
  return draw_wishes(job, svg, HEIGHT, "kinetic stress", "compression (Pa)", kinetic,
                     job->observable->dim);
}

static DlsStatus draw_fabric(const Job *job, DlsSvg *svg) {
  static const char *const labels[] = {"xx", "yy", "zz"};
  const Wish number[] = {{"coordination", "coordination", 0, 0, 1},
                         {"backbone", "backbone", 0, 0, 1}};
  Wish fabric[3];
  for (int k = 0; k < job->observable->dim; k++)
    fabric[k] = (Wish){labels[k], "fabric", 0, 4 * k, 1};
  DLS_TRY(draw_wishes(job, svg, 0, "contacts of a grain", "", number, 2));
  return draw_wishes(job, svg, HEIGHT, "fabric tensor", "", fabric, job->observable->dim);
}

static DlsStatus draw_cuts(const Job *job, DlsSvg *svg) {
  Wish wishes[MOST_CURVES];
  char names[MOST_CURVES][16];
  int count = 0;
  for (; count < job->rows && count < MOST_CURVES; count++) {
    snprintf(names[count], sizeof names[count], "cut %d", count + 1);
    wishes[count] = (Wish){names[count], "normal_force", count, 0, 1};
  }
  return draw_wishes(job, svg, 0, "force along the normal of the cut, tension positive", "N",
                     wishes, count);
}

/* Up to six bins of the period, each a curve along the places. */
static DlsStatus draw_places(const Job *job, DlsSvg *svg, const char *array, const char *label,
                             double sign) {
  enum { SHOWN = 6 };
  Line lines[SHOWN] = {{0}};
  PostCurve curves[SHOWN];
  char names[SHOWN][32];
  DlsStatus status = DLS_OK;
  int count = 0;
  for (int k = 0; k < SHOWN && k < job->bins && status == DLS_OK; k++) {
    const int bin = job->bins > SHOWN ? k * job->bins / SHOWN : k;
    if (!dls_mean_instants(job->mean, bin)) continue;
    status = over_rows(job, bin, array, &lines[count]);
    for (int n = 0; n < lines[count].count; n++) lines[count].y[n] *= sign;
    snprintf(names[count], sizeof names[count], "%.3g s",
             dls_time_average_moment(job->average, bin));
    curves[count] =
        (PostCurve){names[count],     lines[count].x, lines[count].y, lines[count].count,
                    post_inks[count], false,          lines[count].e, false};
    count++;
  }
  const PostPanel panel = {.title = job->title,
                           .x_label = "place (m)",
                           .y_label = label,
                           .curves = curves,
                           .count = count,
                           .zero_y = true};
  if (status == DLS_OK) post_draw_panel(svg, (DlsSvgBox){0, 0, WIDTH, HEIGHT}, &panel);
  for (int k = 0; k < SHOWN; k++) line_clear(&lines[k]);
  return status;
}

/* Maps of the pressure, one for each bin shown. */
static DlsStatus draw_maps(const Job *job, DlsSvg **svg) {
  enum { SHOWN = 12, SIDE = 200 };
  const DlsFieldGrid *grid = &job->observable->grid;
  const int shown = job->bins < SHOWN ? job->bins : SHOWN, across = shown < 4 ? shown : 4;
  const double side = shown == 1 ? 480 : SIDE;
  const double tall = side * (grid->high[1] - grid->low[1]) / (grid->high[0] - grid->low[0]);
  const int rows = (shown + across - 1) / across;
  double most = 0;
  Line line = {0};
  DLS_TRY(dls_svg_create(across * (side + 80) + 110, rows * (tall + 90), svg));
  DlsStatus status = DLS_OK;
  for (int pass = 0; pass < 2; pass++) /* the largest, then the maps in its unit */
    for (int k = 0; k < shown && status == DLS_OK; k++) {
      const int bin = k * job->bins / shown;
      char title[48];
      status = over_rows(job, bin, "pressure", &line);
      for (int n = 0; n < line.count && pass == 0; n++)
        if (line.y[n] > most) most = line.y[n];
      snprintf(title, sizeof title, job->bins > 1 ? "t = %.3g s" : "mean pressure",
               dls_time_average_moment(job->average, bin));
      const int down = k / across, right = k % across;
      const DlsSvgBox box = {70 + right * (side + 80), 30 + down * (tall + 90), side, tall};
      if (pass && status == DLS_OK) post_draw_map(*svg, box, grid, line.y, most, title);
      line_clear(&line);
    }
  dls_svg_colour_bar(*svg, (DlsSvgBox){across * (side + 80) + 5, 30, 16, tall}, DLS_MAP_WARM, 0,
                     most, "pressure (Pa)");
  return status;
}

static DlsStatus draw_phases(const Job *job) {
  DlsSvg *svg = NULL;
  const DlsObservableKind kind = job->observable->kind;
  const bool two = kind == DLS_OBSERVABLE_WALLS || kind == DLS_OBSERVABLE_STRESS ||
                   kind == DLS_OBSERVABLE_FABRIC;
  DlsStatus status = DLS_OK;
  if (kind == DLS_OBSERVABLE_FIELD)
    status = draw_maps(job, &svg);
  else
    status = dls_svg_create(WIDTH, two ? 2 * HEIGHT : HEIGHT, &svg);
  if (status == DLS_OK) {
    switch (kind) {
    case DLS_OBSERVABLE_STRESS:
      status = draw_stress(job, svg);
      break;
    case DLS_OBSERVABLE_FABRIC:
      status = draw_fabric(job, svg);
      break;
    case DLS_OBSERVABLE_CUT:
      status = draw_cuts(job, svg);
      break;
    case DLS_OBSERVABLE_WALLS:
      status = draw_walls(job, svg);
      break;
    case DLS_OBSERVABLE_PROFILE:
      status = draw_places(job, svg, "axial", "compression along the axis (Pa)", 1);
      break;
    case DLS_OBSERVABLE_FLOOR:
      status = draw_places(job, svg, "pressure", "on the floor (Pa)", 1);
      break;
    default:
      break;
    }
  }
  if (status == DLS_OK) status = dls_svg_write(svg, job->path);
  dls_svg_destroy(&svg);
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
  DLS_TRY(post_reals(21 * (size_t)job->rows, &all));
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
  const PostProfile profile = {.dim = job->observable->dim,
                               .axis = job->observable->profile.axis,
                               .count = job->rows,
                               .place = place,
                               .stress = (const double(*)[9])stress,
                               .error = (const double(*)[9])error,
                               .K = K,
                               .K_error = K_error};
  const DlsStatus status = post_plot_profile(&profile, job->title, job->path);
  free(all);
  return status;
}

static DlsStatus plot_floor(const Job *job) {
  const DlsFloorGrid *grid = &job->observable->floor;
  Line pressure = {0}, shear = {0};
  DlsStatus status = over_rows(job, 0, "pressure", &pressure);
  if (status == DLS_OK) status = over_rows(job, 0, "shear", &shear);
  const PostFloor floor = {.letter = grid->rings  ? 'r'
                                     : grid->axis ? 'y'
                                                  : 'x',
                           .count = pressure.count,
                           .place = pressure.x,
                           .pressure = pressure.y,
                           .pressure_error = pressure.e,
                           .shear = shear.y,
                           .shear_error = shear.e};
  if (status == DLS_OK) status = post_plot_floor(&floor, job->title, job->path);
  line_clear(&pressure);
  line_clear(&shear);
  return status;
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
  return post_plot_fabric(dim, &rose, &normal, &tangential, error[0], error[1], job->path);
}

static DlsStatus plot_mohr(const Job *job) {
  DlsStressState state;
  double stress[9];
  values_of(job, 0, "stress", 9, stress, NULL);
  dls_stress_state(job->observable->dim, stress, &state);
  return post_plot_mohr(job->observable->dim, &state, job->path);
}

DlsStatus post_plot_time_average(const DlsTimeAverage *average, const char *const *labels,
                            const char *title, const char *path) {
  const DlsObservable *r = dls_time_average_reading(average);
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
  if (phases || r->kind == DLS_OBSERVABLE_FIELD) return draw_phases(&job);
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
