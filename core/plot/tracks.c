#include "plot/tracks.h"

#include <math.h>
#include <stddef.h>

#include "plot/svg.h"

static const double *at(const DlsTrackPicture *p, int moment, int body) {
  return p->place + 3 * ((size_t)moment * (size_t)p->bodies + (size_t)body);
}

static void draw_body(const DlsTrackPicture *p, int body, DlsSvg *svg) {
  const DlsSvgStyle outline = {.fill = DLS_COLOUR_NONE, .stroke = 0xc8c8c8, .width = 0.6};
  const int last = p->moments - 1;
  const double *x = at(p, 0, body), first[3] = {x[p->across], x[p->up], 0};
  const double *y = at(p, last, body), end[3] = {y[p->across], y[p->up], 0};
  dls_svg_layer(svg, 0);
  if (p->outlines) dls_svg_circle(svg, first, p->radius[body], &outline);
  dls_svg_layer(svg, 1);
  for (int m = 0; m < last; m++) {
    const double *a = at(p, m, body), *b = at(p, m + 1, body);
    const DlsSvgStyle line = {.stroke = dls_map_colour(DLS_MAP_WARM, 0.35 + 0.65 * (m + 1) / last),
                              .width = 1.1};
    dls_svg_line(svg, (double[3]){a[p->across], a[p->up], 0},
                 (double[3]){b[p->across], b[p->up], 0}, &line);
  }
  dls_svg_circle(svg, end, 0.12 * p->radius[body],
                 &(DlsSvgStyle){.fill = dls_map_colour(DLS_MAP_WARM, 1)});
}

static void find_box(const DlsTrackPicture *p, double low[3], double high[3]) {
  double radius = 0;
  for (int k = 0; k < 3; k++) low[k] = k < 2 ? INFINITY : 0, high[k] = k < 2 ? -INFINITY : 0;
  for (int b = 0; b < p->bodies; b++) radius = fmax(radius, p->radius[b]);
  for (int m = 0; m < p->moments; m++)
    for (int b = 0; b < p->bodies; b++)
      for (int k = 0; k < 2; k++) {
        const double x = at(p, m, b)[k ? p->up : p->across];
        low[k] = fmin(low[k], x - radius), high[k] = fmax(high[k], x + radius);
      }
}

DlsStatus dls_track_picture_write(const DlsTrackPicture *p, const char *path) {
  const double width = 760, left = 70, right = 20, top = 46, bottom = 60, tallest = 1600;
  double low[3], high[3];
  DlsSvg *svg = NULL;
  find_box(p, low, high);
  const double across = width - left - right;
  const double tall = fmin(tallest, across * (high[1] - low[1]) / (high[0] - low[0]));
  DLS_TRY(dls_svg_create(width, top + tall + bottom, &svg));
  const DlsSvgCamera camera = dls_svg_camera_flat();
  const DlsSvgFrame frame =
      dls_svg_frame_fit((DlsSvgBox){left, top, across, tall}, &camera, low, high);
  dls_svg_camera(svg, &camera);
  dls_svg_frame(svg, &frame);
  for (int b = 0; b < p->bodies; b++) draw_body(p, b, svg);
  dls_svg_axes(
      svg, &(DlsSvgAxes){.title = p->title, .x_label = p->across_label, .y_label = p->up_label});
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
