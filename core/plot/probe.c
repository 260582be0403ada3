#include "plot/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/small.h"
#include "plot/panel.h"

static const double pi = 3.14159265358979323846;
enum { SIDE = 460, FINE = 181 };

static void flat(int dim, const double x[3], double out[3]) {
  out[0] = x[0];
  out[1] = dim == 3 ? x[2] : x[1];
  out[2] = 0;
}

static double distance(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return dls_small_norm(3, d);
}

/* Disks, and polygons, about the probe. */
static DlsStatus draw_grains(DlsSvg *svg, const DlsPlotProbe *p, double near) {
  const DlsSvgStyle style = {.fill = 0xeeeeee, .stroke = 0xaaaaaa, .width = 0.6};
  bool *cornered;
  DLS_NEW(cornered, p->grains + 1);
  for (int n = 0; n < p->sides.count; n++) {
    const int from = n ? p->sides.end[n - 1] : 0, grain = p->sides.grain[n];
    double radius = 0;
    for (int k = from; k < p->sides.end[n]; k++)
      radius = fmax(radius, distance(p->sides.corner + (ptrdiff_t)3 * k, p->grain[grain]));
    cornered[grain] = true;
    if (distance(p->grain[grain], p->centre) <= near + radius)
      dls_svg_polygon(svg, p->sides.corner + (ptrdiff_t)3 * from, p->sides.end[n] - from, &style);
  }
  for (int i = 0; i < p->grains; i++)
    if (!cornered[i] && distance(p->grain[i], p->centre) <= near + p->grain_radius[i])
      dls_svg_circle(svg, p->grain[i], p->grain_radius[i], &style);
  free(cornered);
  return DLS_OK;
}

/* Grains about the probe, forces as lines along their direction through the contact point, the
 * probe. */
static DlsStatus draw_place(DlsSvg *svg, const DlsPlotProbe *p) {
  const DlsSvgStyle ring = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 2.5};
  const double reach = 1.35 * p->radius, near = 2 * reach;
  double middle[3], largest = 0;
  flat(p->dim, p->centre, middle);
  const DlsSvgFrame frame = {.box = {20, 40, SIDE - 40, SIDE - 40},
                             .x = {middle[0] - reach, middle[0] + reach},
                             .y = {middle[1] - reach, middle[1] + reach}};
  const double pixel = 2 * reach / frame.box.width;
  dls_svg_frame(svg, &frame);
  if (p->dim == 2) DLS_TRY(draw_grains(svg, p, near));
  for (int c = 0; c < p->contacts; c++)
    if (distance(p->point[c], p->centre) <= near) largest = fmax(largest, p->normal_force[c]);
  for (int c = 0; c < p->contacts && largest > 0; c++) {
    const double size = dls_small_norm(3, p->force[c]);
    if (!(size > 0.02 * largest) || distance(p->point[c], p->centre) > near) continue;
    double ends[2][3], from[3], to[3];
    for (int k = 0; k < 3; k++) {
      ends[0][k] = p->point[c][k] - 0.5 * p->length * p->force[c][k] / size;
      ends[1][k] = p->point[c][k] + 0.5 * p->length * p->force[c][k] / size;
    }
    flat(p->dim, ends[0], from);
    flat(p->dim, ends[1], to);
    const DlsSvgStyle line = {.fill = DLS_COLOUR_NONE,
                              .stroke = 0x222222,
                              .width = fmax(0.3, 0.5 * p->length / pixel * size / largest)};
    dls_svg_line(svg, from, to, &line);
  }
  dls_svg_circle(svg, middle, p->radius, &ring);
  return DLS_OK;
}

/* The cross of the principal stresses, as long as they are strong. */
static void draw_cross(DlsSvg *svg, const DlsPlotProbe *p) {
  const DlsSvgStyle blue = {.fill = DLS_COLOUR_NONE, .stroke = 0x1f5fa8, .width = 4};
  const double most = fmax(fabs(p->principal[0]), fabs(p->principal[p->dim - 1]));
  double middle[3];
  flat(p->dim, p->centre, middle);
  for (int k = 0; k < 2 && most > 0; k++) {
    const int n = k ? p->dim - 1 : 0;
    double way[3], from[3] = {0}, to[3] = {0};
    flat(p->dim, p->axis[n], way);
    for (int i = 0; i < 2; i++) {
      const double part = 0.7 * p->radius * fabs(p->principal[n]) / most * way[i];
      from[i] = middle[i] - part;
      to[i] = middle[i] + part;
    }
    dls_svg_line(svg, from, to, &blue);
  }
}

/* Normal and tangential tractions of the tensor at a fine step, and of the cuts. */
static DlsStatus draw_tractions(DlsSvg *svg, const DlsPlotProbe *p) {
  double *degree, fine[FINE], fit[2][FINE];
  const int up = p->dim == 3 ? 2 : 1;
  const double *s = p->stress;
  char title[160];
  DLS_NEW(degree, 3 * (p->cuts + 1));
  double *normal = degree + p->cuts, *tangential = normal + p->cuts;
  for (int k = 0; k < p->cuts; k++) {
    degree[k] = p->angle[k] * 180 / pi;
    normal[k] = p->cut[k][0], tangential[k] = p->cut[k][1];
  }
  for (int k = 0; k < FINE; k++) {
    const double a = k * pi / (FINE - 1), c = cos(a), n = sin(a);
    const double x = s[0] * c + s[up] * n, y = s[3 * up] * c + s[4 * up] * n;
    fine[k] = a * 180 / pi;
    fit[0][k] = c * x + n * y;
    fit[1][k] = -n * x + c * y;
  }
  const DlsPlotCurve curves[] = {
      {"n, tensor", fine, fit[0], FINE, 0x9bb8d8, false, NULL, false},
      {"t, tensor", fine, fit[1], FINE, 0xe0a8a0, false, NULL, false},
      {"n, cuts", degree, normal, p->cuts, dls_plot_inks[0], true, NULL, false},
      {"t, cuts", degree, tangential, p->cuts, dls_plot_inks[1], true, NULL, false}};
  snprintf(title, sizeof title, "%d cuts: correlation %.4f, deviation %.3f of the pressure",
           p->cuts, p->correlation, p->deviation);
  const DlsPlotPanel panel = {.title = title,
                              .x_label = "direction of the normal (degrees)",
                              .y_label = "traction (Pa), tension positive",
                              .curves = curves,
                              .count = DLS_COUNT(curves)};
  dls_plot_panel(svg, (DlsSvgBox){SIDE, 10, 560, SIDE}, &panel);
  free(degree);
  return DLS_OK;
}

DlsStatus dls_plot_probe(const DlsPlotProbe *p, const char *path) {
  DlsSvg *svg = NULL;
  char title[160];
  const DlsSvgText text = {.anchor = 0, .bold = true};
  DLS_TRY(dls_svg_create(SIDE + 570, SIDE + 20, &svg));
  snprintf(title, sizeof title, "probe of %d grains, solid fraction %.3f", p->inside, p->solid);
  dls_svg_text(svg, 0.5 * SIDE, 26, title, &text);
  DlsStatus status = draw_place(svg, p);
  draw_cross(svg, p);
  if (status == DLS_OK) status = draw_tractions(svg, p);
  if (status == DLS_OK) status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
