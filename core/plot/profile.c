#include "plot/profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plot/panel.h"

enum { WIDTH = 420, HEIGHT = 420 };

/* Columns of a profile as arrays: compression of the diagonal, shears, and their errors. */
typedef struct {
  double *value[9], *error[9];
} Columns;

static DlsStatus take_columns(const DlsPlotProfile *p, Columns *c) {
  for (int k = 0; k < 9; k++) {
    DLS_NEW(c->value[k], (size_t)p->count + 1);
    DLS_NEW(c->error[k], (size_t)p->count + 1);
    for (int n = 0; n < p->count; n++) {
      c->value[k][n] = k % 4 == 0 ? -p->stress[n][k] : p->stress[n][k];
      c->error[k][n] = p->error[n][k];
    }
  }
  return DLS_OK;
}

/* Upward places go upward in the picture: the axis of the place is vertical where the profile is
 * along the last axis. */
static DlsPlotCurve curve_of(const DlsPlotProfile *p, const char *label, const double *value,
                             const double *error, DlsColour ink) {
  if (p->axis == p->dim - 1)
    return (DlsPlotCurve){label, value, p->place, p->count, ink, false, error, true};
  return (DlsPlotCurve){label, p->place, value, p->count, ink, false, error, false};
}

static void draw_panel(DlsSvg *svg, const DlsPlotProfile *p, double left, const char *title,
                       const char *value, const DlsPlotCurve *curves, int count) {
  const bool upward = p->axis == p->dim - 1;
  const char place[] = {"xyz"[p->axis], ' ', '(', 'm', ')', '\0'};
  const DlsPlotPanel panel = {.title = title,
                              .x_label = upward ? value : place,
                              .y_label = upward ? place : value,
                              .curves = curves,
                              .count = count,
                              .zero_x = upward,
                              .zero_y = !upward};
  dls_plot_panel(svg, (DlsSvgBox){left, 24, WIDTH, HEIGHT}, &panel);
}

/* Where hardly anything is carried, K is noise: values at less than 3 % of the largest stress are
 * not shown. */
static int keep_ratio(const DlsPlotProfile *p, double *place, double *K, double *error) {
  double most = 0;
  int count = 0;
  for (int n = 0; n < p->count; n++) most = fmax(most, fabs(p->stress[n][4 * p->axis]));
  for (int n = 0; n < p->count; n++) {
    if (!(fabs(p->stress[n][4 * p->axis]) > 0.03 * most)) continue;
    place[count] = p->place[n];
    K[count] = p->K[n];
    error[count++] = p->K_error[n];
  }
  return count;
}

static DlsStatus draw_profile(const DlsPlotProfile *p, const Columns *c, const char *title,
                              DlsSvg *svg) {
  static const char *const diagonal[] = {"-xx", "-yy", "-zz"};
  static const char *const shears[] = {"xy", "yz", "xz"};
  static const int shear[] = {1, 5, 2};
  const DlsSvgText text = {.bold = true, .size = 14};
  DlsPlotCurve curves[3];
  for (int k = 0; k < p->dim; k++)
    curves[k] = curve_of(p, diagonal[k], c->value[4 * k], c->error[4 * k], dls_plot_inks[k]);
  draw_panel(svg, p, 0, "stress profile", "compression (Pa)", curves, p->dim);
  const int count = p->dim == 3 ? 3 : 1;
  for (int k = 0; k < count; k++)
    curves[k] = curve_of(p, shears[k], c->value[shear[k]], c->error[shear[k]],
                         dls_plot_inks[p->dim == 3 ? k : 0]);
  draw_panel(svg, p, WIDTH, "shear", p->dim == 2 ? "stress xy (Pa)" : "shear stress (Pa)", curves,
             count);
  /* Columns that are drawn hold what is shown of K. */
  DlsPlotProfile kept = *p;
  kept.count = keep_ratio(p, c->value[0], c->value[1], c->value[2]);
  kept.place = c->value[0];
  curves[0] = curve_of(&kept, NULL, c->value[1], c->value[2], dls_plot_inks[4]);
  draw_panel(svg, &kept, 2 * WIDTH, "K: stress across over along", "K", curves, 1);
  dls_svg_text(svg, 1.5 * WIDTH, 20, title, &text);
  return DLS_OK;
}

DlsStatus dls_plot_profile(const DlsPlotProfile *p, const char *title, const char *path) {
  Columns columns = {0};
  DlsSvg *svg = NULL;
  DlsStatus status = take_columns(p, &columns);
  if (status == DLS_OK) status = dls_svg_create(3 * WIDTH, HEIGHT + 30, &svg);
  if (status == DLS_OK) status = draw_profile(p, &columns, title, svg);
  if (status == DLS_OK) status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  for (int k = 0; k < 9; k++) {
    free(columns.value[k]);
    free(columns.error[k]);
  }
  return status;
}

DlsStatus dls_plot_floor(const DlsPlotFloor *f, const char *title, const char *path) {
  const DlsPlotCurve curves[] = {{"pressure", f->place, f->pressure, f->count, dls_plot_inks[0],
                                  false, f->pressure_error, false},
                                 {f->letter == 'r' ? "shear, outward" : "shear", f->place, f->shear,
                                  f->count, dls_plot_inks[1], false, f->shear_error, false}};
  const char place[] = {f->letter, ' ', '(', 'm', ')', '\0'};
  const DlsPlotPanel panel = {.title = title,
                              .x_label = place,
                              .y_label = "on the floor (Pa)",
                              .curves = curves,
                              .count = 2,
                              .zero_x = f->letter == 'r',
                              .zero_y = true};
  return dls_plot_panels(&panel, 1, 1, 560, 400, path);
}
