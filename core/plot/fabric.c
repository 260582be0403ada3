#include "plot/fabric.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plot/panel.h"

static const double pi = 3.14159265358979323846;
enum { WIDTH = 420, HEIGHT = 400, SLICE = 7 };

/* Filled sectors with the fit about them. */
static void draw_rose(DlsSvg *svg, const DlsPlotFabric *f) {
  const double sector = 2 * pi / f->sectors;
  const DlsSvgStyle grey = {.fill = 0xb8b8b8, .stroke = 0x777777, .width = 0.7};
  const DlsSvgStyle red = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 2};
  const DlsSvgText text = {.anchor = 0, .bold = true};
  double most = 0, points[3 * DLS_PLOT_FIT] = {0};
  dls_svg_text(svg, 210, 24, "contact normals, 24 sectors, and the fit", &text);
  for (int k = 0; k < f->sectors; k++) most = fmax(most, f->count[k]);
  const double unit = f->total > 0 ? 1 / (f->total * sector) : 0; /* to a density */
  most = fmax(most * unit, 1e-9) * 1.1;
  const DlsSvgFrame frame = {
      .box = {30, 50, 360, 320}, .x = {-most * 1.125, most * 1.125}, .y = {-most, most}};
  dls_svg_frame(svg, &frame);
  for (int k = 0; k < f->sectors; k++) {
    double slice[3 * (SLICE + 1)] = {0};
    for (int i = 0; i < SLICE; i++) {
      const double angle = (k + i / (SLICE - 1.0)) * sector, r = f->count[k] * unit;
      slice[3 * (i + 1)] = r * cos(angle), slice[3 * (i + 1) + 1] = r * sin(angle);
    }
    dls_svg_polygon(svg, slice, SLICE + 1, &grey);
  }
  for (int k = 0; k < DLS_PLOT_FIT; k++) {
    const double angle = 2 * pi * k / (DLS_PLOT_FIT - 1), r = f->fit[k];
    points[3 * k] = r * cos(angle), points[3 * k + 1] = r * sin(angle);
  }
  dls_svg_polyline(svg, points, DLS_PLOT_FIT, &red);
}

/* The share of each band of height, as steps. */
static DlsStatus draw_bands(DlsSvg *svg, const DlsPlotFabric *f) {
  double *x;
  DLS_NEW(x, 4 * f->bands);
  double *y = x + 2 * f->bands;
  for (int i = 0; i < f->bands; i++) {
    double sum = 0;
    for (int j = 0; j < f->sectors; j++) sum += f->count[i * f->sectors + j];
    for (int end = 0; end < 2; end++) {
      x[2 * i + end] = -1 + 2.0 * (i + end) / f->bands;
      y[2 * i + end] = f->total > 0 ? sum / f->total * f->bands : 0;
    }
  }
  const DlsPlotCurve curve = {.x = x, .y = y, .count = 2 * f->bands, .ink = dls_plot_inks[0]};
  const DlsPlotPanel panel = {.title = "contact normals by height on the sphere",
                              .x_label = "n . z",
                              .y_label = "density, 1: isotropic",
                              .curves = &curve,
                              .count = 1};
  dls_plot_panel(svg, (DlsSvgBox){0, 0, WIDTH, HEIGHT}, &panel);
  free(x);
  return DLS_OK;
}

static DlsStatus draw_forces(DlsSvg *svg, const DlsPlotFabric *f) {
  double *x;
  DLS_NEW(x, f->bins);
  for (int k = 0; k < f->bins; k++) x[k] = (k + 0.5) * f->width;
  const DlsPlotCurve curves[] = {
      {"normal", x, f->density[0], f->bins, dls_plot_inks[0], true, f->error[0], false},
      {"tangential", x, f->density[1], f->bins, dls_plot_inks[1], true, f->error[1], false}};
  const DlsPlotPanel panel = {.title = "forces over their mean",
                              .x_label = "f / mean f",
                              .y_label = "P(f)",
                              .curves = curves,
                              .count = DLS_COUNT(curves),
                              .log_y = true,
                              .floor_y = 1e-3};
  dls_plot_panel(svg, (DlsSvgBox){WIDTH, 0, WIDTH, HEIGHT}, &panel);
  free(x);
  return DLS_OK;
}

DlsStatus dls_plot_fabric(const DlsPlotFabric *f, const char *path) {
  DlsSvg *svg = NULL;
  DlsStatus status = DLS_OK;
  DLS_TRY(dls_svg_create(2 * WIDTH, HEIGHT, &svg));
  if (f->dim == 2)
    draw_rose(svg, f);
  else
    status = draw_bands(svg, f);
  if (status == DLS_OK) status = draw_forces(svg, f);
  if (status == DLS_OK) status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
