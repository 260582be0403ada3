/* From the world to the page: a camera without perspective, then a frame. */
#include "plot/svg_impl.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Makes a unit vector; false where it has no direction. */
static bool normalise(double a[3]) {
  const double length = sqrt(dot(a, a));
  if (!(length > 0) || !isfinite(length)) return false;
  for (int i = 0; i < 3; i++) a[i] /= length;
  return true;
}

DlsSvgCamera dls_svg_camera_flat(void) { return (DlsSvgCamera){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }

DlsSvgCamera dls_svg_camera_from(const double from[3], const double up[3]) {
  DlsSvgCamera camera = {.toward = {from[0], from[1], from[2]}};
  if (!normalise(camera.toward)) return dls_svg_camera_flat();
  cross(up, camera.toward, camera.right);
  if (!normalise(camera.right)) { /* looking along `up`: any direction that is across */
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    cross(fabs(camera.toward[0]) < 0.9 ? x : y, camera.toward, camera.right);
    normalise(camera.right);
  }
  cross(camera.toward, camera.right, camera.up);
  return camera;
}

DlsSvgFrame dls_svg_frame_fit(DlsSvgBox box, const DlsSvgCamera *camera, const double low[3],
                              const double high[3]) {
  double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {-HUGE_VAL, -HUGE_VAL};
  for (int corner = 0; corner < 8; corner++) {
    double point[3];
    for (int i = 0; i < 3; i++) point[i] = corner >> i & 1 ? high[i] : low[i];
    const double seen[2] = {dot(camera->right, point), dot(camera->up, point)};
    for (int i = 0; i < 2; i++) {
      least[i] = fmin(least[i], seen[i]);
      most[i] = fmax(most[i], seen[i]);
    }
  }
  double scale = fmax((most[0] - least[0]) / box.width, (most[1] - least[1]) / box.height);
  if (!(scale > 0) || !isfinite(scale)) scale = 1;
  const double x = 0.5 * (least[0] + most[0]), y = 0.5 * (least[1] + most[1]);
  return (DlsSvgFrame){.box = box,
                       .x = {x - 0.5 * scale * box.width, x + 0.5 * scale * box.width},
                       .y = {y - 0.5 * scale * box.height, y + 0.5 * scale * box.height}};
}

/* 0 at low, 1 at high. */
static double share_of(double value, const double range[2], bool is_log) {
  return is_log ? log(value / range[0]) / log(range[1] / range[0])
                : (value - range[0]) / (range[1] - range[0]);
}

double dls_svg_place_x(const DlsSvgFrame *frame, double x) {
  return frame->box.left + frame->box.width * share_of(x, frame->x, frame->log_x);
}

double dls_svg_place_y(const DlsSvgFrame *frame, double y) {
  return frame->box.top + frame->box.height * (1 - share_of(y, frame->y, frame->log_y));
}

double dls_svg_place(const DlsSvg *svg, const double point[3], double page[2]) {
  page[0] = dls_svg_place_x(&svg->frame, dot(svg->camera.right, point));
  page[1] = dls_svg_place_y(&svg->frame, dot(svg->camera.up, point));
  return dot(svg->camera.toward, point);
}
