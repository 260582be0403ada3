/* Pictures of what depends on a place: profiles, floors, maps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/post/plot.h"

enum { WIDTH = 420, HEIGHT = 420 };

/* Columns of a profile as arrays: compression of the diagonal, shears, and their errors. */
typedef struct {
  double *value[9], *error[9];
} Columns;

static DlsStatus take_columns(const PostProfile *p, Columns *c) {
  for (int k = 0; k < 9; k++) {
    DLS_TRY(post_reals((size_t)p->count, &c->value[k]));
    DLS_TRY(post_reals((size_t)p->count, &c->error[k]));
    for (int n = 0; n < p->count; n++) {
      c->value[k][n] = k % 4 == 0 ? -p->stress[n][k] : p->stress[n][k];
      c->error[k][n] = p->error[n][k];
    }
  }
  return DLS_OK;
}

/* Upward places go upward in the picture: the axis of the place is vertical where the profile is along the last axis. */
static PostCurve curve_of(const PostProfile *p, const char *label, const double *value,
                          const double *error, DlsColour ink) {
  if (p->axis == p->dim - 1)
    return (PostCurve){label, value, p->place, p->count, ink, false, error, true};
  return (PostCurve){label, p->place, value, p->count, ink, false, error, false};
}

static void draw_panel(DlsSvg *svg, const PostProfile *p, double left, const char *title,
                       const char *value, const PostCurve *curves, int count) {
  const bool upward = p->axis == p->dim - 1;
  const char place[] = {"xyz"[p->axis], ' ', '(', 'm', ')', '\0'};
  const PostPanel panel = {.title = title,
                           .x_label = upward ? value : place,
                           .y_label = upward ? place : value,
                           .curves = curves,
                           .count = count,
                           .zero_x = upward,
                           .zero_y = !upward};
  post_draw_panel(svg, (DlsSvgBox){left, 24, WIDTH, HEIGHT}, &panel);
}

/* Where hardly anything is carried, K is noise: values at less than 3 % of the largest stress are not shown. */
static int keep_ratio(const PostProfile *p, double *place, double *K, double *error) {
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

static DlsStatus draw_profile(const PostProfile *p, const Columns *c, const char *title,
                              DlsSvg *svg) {
  static const char *const diagonal[] = {"-xx", "-yy", "-zz"};
  static const char *const shears[] = {"xy", "yz", "xz"};
  static const int shear[] = {1, 5, 2};
  const DlsSvgText text = {.bold = true, .size = 14};
  PostCurve curves[3];
  for (int k = 0; k < p->dim; k++)
    curves[k] = curve_of(p, diagonal[k], c->value[4 * k], c->error[4 * k], post_inks[k]);
  draw_panel(svg, p, 0, "stress profile", "compression (Pa)", curves, p->dim);
  const int count = p->dim == 3 ? 3 : 1;
  for (int k = 0; k < count; k++)
    curves[k] = curve_of(p, shears[k], c->value[shear[k]], c->error[shear[k]],
                         post_inks[p->dim == 3 ? k : 0]);
  draw_panel(svg, p, WIDTH, "shear", p->dim == 2 ? "stress xy (Pa)" : "shear stress (Pa)", curves,
             count);
  /* Columns that are drawn hold what is shown of K. */
  PostProfile kept = *p;
  kept.count = keep_ratio(p, c->value[0], c->value[1], c->value[2]);
  kept.place = c->value[0];
  curves[0] = curve_of(&kept, NULL, c->value[1], c->value[2], post_inks[4]);
  draw_panel(svg, &kept, 2 * WIDTH, "K: stress across over along", "K", curves, 1);
  dls_svg_text(svg, 1.5 * WIDTH, 20, title, &text);
  return DLS_OK;
}

DlsStatus post_plot_profile(const PostProfile *p, const char *title, const char *path) {
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

DlsStatus post_plot_floor(const PostFloor *f, const char *title, const char *path) {
  const PostCurve curves[] = {
      {"pressure", f->place, f->pressure, f->count, post_inks[0], false, f->pressure_error, false},
      {f->letter == 'r' ? "shear, outward" : "shear", f->place, f->shear, f->count, post_inks[1],
       false, f->shear_error, false}};
  const char place[] = {f->letter, ' ', '(', 'm', ')', '\0'};
  const PostPanel panel = {.title = title,
                           .x_label = place,
                           .y_label = "on the floor (Pa)",
                           .curves = curves,
                           .count = 2,
                           .zero_x = f->letter == 'r',
                           .zero_y = true};
  DlsSvg *svg = NULL;
  DLS_TRY(dls_svg_create(560, 400, &svg));
  post_draw_panel(svg, (DlsSvgBox){0, 0, 560, 400}, &panel);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}

void post_draw_map(DlsSvg *svg, DlsSvgBox box, const DlsFieldGrid *grid, const double *values,
                   double most, const char *title) {
  const int nx = grid->points[0], ny = grid->points[1];
  const DlsSvgFrame frame = {
      .box = box, .x = {grid->low[0], grid->high[0]}, .y = {grid->low[1], grid->high[1]}};
  const DlsSvgAxes axes = {title, "x (m)", "y (m)", false};
  dls_svg_frame(svg, &frame);
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) { /* cells shaded by the mean of their corners */
      const int corner[4] = {j * nx + i, j * nx + i + 1, (j + 1) * nx + i + 1, (j + 1) * nx + i};
      double points[12], mean = 0;
      for (int c = 0; c < 4; c++) {
        dls_field_place(grid, corner[c], points + 3 * c);
        mean += 0.25 * values[corner[c]];
      }
      const DlsColour ink = dls_map_colour(DLS_MAP_WARM, most > 0 ? mean / most : 0);
      const DlsSvgStyle style = {.fill = ink, .stroke = ink, .width = 0.6};
      dls_svg_polygon(svg, points, 4, &style);
    }
  dls_svg_axes(svg, &axes);
}
