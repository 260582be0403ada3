/* The layout of a picture of grains: one panel (2-D) or two (3-D), a colour bar, title and
 * caption. */
#include "plot/grains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/grain_order.h"

enum { PANEL = 760, MARGIN = 16, TITLE = 40, CAPTION = 34, BAR = 110 };
enum { RIM_PX = 4, SMALLEST = 160 }; /* px */
enum {
  CHAIN_INK = 0x10243f,
  PULL_INK = 0x1f6fd0,
  WALL_INK = 0x4a4a4a,
  GRAIN_INK = 0xcdd3da,
  RIM = 0x5b5b5b
};

void dls_grain_sides_clear(DlsGrainSides *sides) {
  free(sides->corner);
  free(sides->end);
  free(sides->grain);
  *sides = (DlsGrainSides){0};
}

void dls_polygon_area(const double *x, int count, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int k = 1; k + 1 < count; k++) {
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
      a[i] = x[3 * k + i] - x[i];
      b[i] = x[3 * k + 3 + i] - x[i];
    }
    for (int i = 0; i < 3; i++)
      out[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

typedef struct {
  double low[2], high[2]; /* of what is seen, m in the plane of the picture */
  double load_low, load_high, force_high;
  double mean_radius;
  DlsSvgCamera camera;
  DlsSvgFrame frame; /* of the first panel */
  double gap;        /* px from one panel to the next */
  bool *cornered;    /* [grains]: it has sides */
  int *rank;         /* [grains]: the order of drawing; NULL: by depth */
} View;

/* Widens the window to a ball of the world; numbers that are not finite do not count. */
static void include(View *view, const double *point, double radius) {
  for (int k = 0; k < 2; k++) {
    const double *axis = k == 0 ? view->camera.right : view->camera.up;
    const double seen = axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
    if (!isfinite(seen) || !isfinite(radius)) continue;
    view->low[k] = fmin(view->low[k], seen - radius);
    view->high[k] = fmax(view->high[k], seen + radius);
  }
}

static void find_window(const DlsGrainPicture *s, View *view) {
  for (int k = 0; k < 2; k++) {
    view->low[k] = HUGE_VAL;
    view->high[k] = -HUGE_VAL;
  }
  for (int corner = 0; s->framed && corner < 8; corner++) {
    double point[3];
    for (int i = 0; i < 3; i++) point[i] = corner >> i & 1 ? s->high[i] : s->low[i];
    include(view, point, 0);
  }
  if (!s->framed) {
    for (int i = 0; i < s->grains; i++)
      if (!view->cornered[i]) include(view, s->position + 3 * i, s->radius[i]);
    for (int i = 0; s->sides.count && i < s->sides.end[s->sides.count - 1]; i++)
      include(view, s->sides.corner + 3 * i, 0);
    for (int i = 0; i < 2 * s->walls; i++) include(view, s->wall + 3 * i, 0);
    for (int i = 0; i < s->chains; i++) include(view, s->from + 3 * i, 0);
  }
  for (int k = 0; k < 2; k++) /* nothing there */
    if (!(view->low[k] <= view->high[k])) view->low[k] = view->high[k] = 0;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The range of the shades: from 0 where all values are positive, to the 99 % quantile, so that one
 * grain under a great load does not leave the others white. */
static DlsStatus find_loads(const DlsGrainPicture *s, View *view) {
  double *sorted;
  int count = 0;
  view->load_low = 0;
  view->load_high = 1;
  if (!s->load) return DLS_OK;
  DLS_NEW(sorted, s->grains);
  for (int i = 0; i < s->grains; i++)
    if (isfinite(s->load[i])) sorted[count++] = s->load[i];
  if (count > 0) {
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    view->load_low = fmin(0, sorted[(int)(0.01 * (count - 1))]);
    view->load_high = sorted[(int)ceil(0.99 * (count - 1))];
    if (s->map == DLS_MAP_SIGNED) {
      view->load_high = fmax(fabs(view->load_low), fabs(view->load_high));
      view->load_low = -view->load_high;
    }
    if (!(view->load_high > view->load_low)) view->load_high = view->load_low + 1;
  }
  free(sorted);
  return DLS_OK;
}

static void find_sizes(const DlsGrainPicture *s, View *view) {
  double sum = 0;
  for (int i = 0; i < s->grains; i++) sum += isfinite(s->radius[i]) ? s->radius[i] : 0;
  view->mean_radius = s->grains ? sum / s->grains : 0;
  view->force_high = 0;
  for (int i = 0; i < s->chains; i++)
    if (isfinite(s->force[i])) view->force_high = fmax(view->force_high, fabs(s->force[i]));
}

static void find_camera(const DlsGrainPicture *s, View *view) {
  const double front[3] = {0.35, -1, 0.4}, up[3] = {0, 0, 1}, *from = s->from_direction;
  const bool chosen = from[0] != 0 || from[1] != 0 || from[2] != 0;
  view->camera =
      s->dim == 2 ? dls_svg_camera_flat() : dls_svg_camera_from(chosen ? from : front, up);
}

/* The longer side of the window takes PANEL pixels, the other what it needs; RIM_PX more around,
 * for the width of lines there. */
static void find_frame(const DlsGrainPicture *s, View *view) {
  const double size[2] = {view->high[0] - view->low[0], view->high[1] - view->low[1]};
  double scale = fmax(size[0], size[1]) / PANEL; /* m/px */
  if (!(scale > 0)) scale = 1;
  const double width = fmax(size[0] / scale, SMALLEST) + 2 * RIM_PX;
  const double height = fmax(size[1] / scale, SMALLEST) + 2 * RIM_PX;
  view->frame.box = (DlsSvgBox){MARGIN, s->title ? TITLE : MARGIN, width, height};
  for (int k = 0; k < 2; k++) {
    const double side = k == 0 ? -0.5 : 0.5;
    view->frame.x[k] = 0.5 * (view->low[0] + view->high[0]) + side * scale * width;
    view->frame.y[k] = 0.5 * (view->low[1] + view->high[1]) + side * scale * height;
  }
  view->gap = width + 2 * MARGIN;
}

static double pixels_per_metre(const View *view) {
  return view->frame.box.width / (view->frame.x[1] - view->frame.x[0]);
}

static void draw_walls(DlsSvg *svg, const DlsGrainPicture *s) {
  const DlsSvgStyle style = {.stroke = WALL_INK, .width = s->dim == 2 ? 2 : 1.25};
  for (int i = 0; i < s->walls; i++)
    dls_svg_line(svg, s->wall + 6 * i, s->wall + 6 * i + 3, &style);
}

static DlsColour colour_of(const DlsGrainPicture *s, const View *view, int grain) {
  const double range = view->load_high - view->load_low;
  return s->load ? dls_map_colour(s->map, (s->load[grain] - view->load_low) / range)
                 : (DlsColour)GRAIN_INK;
}

/* Darker the more the side is turned away from a light that stands above the eye, to its left. */
static DlsColour shade(DlsColour colour, const double area[3], const DlsSvgCamera *camera) {
  double size = 0, light = 0, toward[3];
  for (int i = 0; i < 3; i++)
    toward[i] = 0.64 * camera->toward[i] + 0.6 * camera->up[i] - 0.48 * camera->right[i];
  for (int i = 0; i < 3; i++) size += area[i] * area[i], light += area[i] * toward[i];
  const double share = 0.7 + 0.3 * fmax(0, light / sqrt(size));
  DlsColour out = 0;
  for (int shift = 16; shift >= 0; shift -= 8)
    out |= (DlsColour)lround(share * (colour >> shift & 255)) << shift;
  return out;
}

static void draw_sides(DlsSvg *svg, const DlsGrainPicture *s, const View *view, double rim) {
  DlsSvgStyle style = {.stroke = RIM, .width = rim};
  for (int n = 0; n < s->sides.count; n++) {
    const int from = n ? s->sides.end[n - 1] : 0, count = s->sides.end[n] - from;
    const double *x = s->sides.corner + (ptrdiff_t)3 * from;
    style.fill = colour_of(s, view, s->sides.grain[n]);
    if (s->dim == 3) {
      double area[3], facing = 0;
      dls_polygon_area(x, count, area);
      for (int i = 0; i < 3; i++) facing += area[i] * view->camera.toward[i];
      if (facing <= 0) continue; /* NaN goes on, and is counted */
      style.fill = shade(style.fill, area, &view->camera);
    }
    if (view->rank) dls_svg_layer(svg, 1 + view->rank[s->sides.grain[n]]);
    dls_svg_polygon(svg, x, count, &style);
  }
}

static void draw_grains(DlsSvg *svg, const DlsGrainPicture *s, const View *view) {
  const double seen = view->mean_radius * pixels_per_metre(view); /* px */
  DlsSvgStyle style = {.stroke = RIM, .width = fmin(0.6, 0.12 * seen), .ball = s->dim == 3};
  draw_sides(svg, s, view, style.width);
  if (s->dim == 3) style.width = 0;
  for (int i = 0; i < s->grains; i++) {
    if (view->cornered[i]) continue;
    style.fill = colour_of(s, view, i);
    if (view->rank) dls_svg_layer(svg, 1 + view->rank[i]);
    dls_svg_circle(svg, s->position + 3 * i, s->radius[i], &style);
  }
}

static void draw_chains(DlsSvg *svg, const DlsGrainPicture *s, const View *view) {
  const double seen = view->mean_radius * pixels_per_metre(view); /* px */
  const double widest = fmax(1.5, fmin(9, 0.9 * seen));
  for (int i = 0; i < s->chains; i++) {
    const double share = fabs(s->force[i]) / view->force_high;
    if (share <= 0.02) continue; /* NaN goes on, and is counted */
    const DlsColour push =
        s->dim == 3 ? dls_map_colour(DLS_MAP_WARM, 0.25 + 0.75 * share) : (DlsColour)CHAIN_INK;
    const DlsSvgStyle style = {
        .stroke = s->force[i] < 0 ? (DlsColour)PULL_INK : push,
        .width = isfinite(share) ? widest * share : 1,
    };
    dls_svg_line(svg, s->from + 3 * i, s->to + 3 * i, &style);
  }
}

static void draw_words(DlsSvg *svg, const DlsGrainPicture *s, const View *view, double right) {
  const DlsSvgBox *box = &view->frame.box;
  const DlsSvgText title = {.size = 16, .anchor = -1, .bold = true, .ink = 0x222222};
  const DlsSvgText caption = {.size = 12, .anchor = -1, .ink = 0x555555};
  if (s->title) dls_svg_text(svg, MARGIN, 26, s->title, &title);
  if (s->caption) dls_svg_text(svg, MARGIN, box->top + box->height + 20, s->caption, &caption);
  if (!s->load) return;
  const double height = fmin(box->height, 420);
  const DlsSvgBox bar = {right + 4, box->top + 0.5 * (box->height - height), 16, height};
  dls_svg_colour_bar(svg, bar, s->map, view->load_low, view->load_high,
                     s->load_label ? s->load_label : "load (N)");
}

static void draw(DlsSvg *svg, const DlsGrainPicture *s, const View *view, int panels) {
  dls_svg_camera(svg, &view->camera);
  dls_svg_frame(svg, &view->frame);
  draw_grains(svg, s, view);
  dls_svg_layer(svg, 0);
  draw_walls(svg, s);
  if (panels == 2) {
    DlsSvgFrame beside = view->frame;
    beside.box.left += view->gap;
    dls_svg_frame(svg, &beside);
    draw_walls(svg, s);
  } else {
    dls_svg_layer(svg, 1);
  }
  if (view->force_high > 0) draw_chains(svg, s, view);
  draw_words(svg, s, view,
             view->frame.box.left + (panels - 1) * view->gap + view->frame.box.width + MARGIN);
}

static DlsStatus find_view(const DlsGrainPicture *picture, View *view) {
  DLS_NEW(view->cornered, picture->grains);
  for (int n = 0; n < picture->sides.count; n++) view->cornered[picture->sides.grain[n]] = true;
  find_camera(picture, view);
  find_window(picture, view);
  find_sizes(picture, view);
  DLS_TRY(find_loads(picture, view));
  find_frame(picture, view);
  if (picture->dim == 2 || picture->sides.count == 0) return DLS_OK;
  DLS_NEW(view->rank, picture->grains);
  return dls_grain_order(picture, &view->camera, view->rank);
}

static DlsStatus write_view(const DlsGrainPicture *picture, const View *view, const char *path,
                            int *left_out) {
  DlsSvg *svg;
  const int panels = picture->dim == 3 && picture->chains > 0 && picture->grains > 0 ? 2 : 1;
  const DlsSvgBox *box = &view->frame.box;
  const double width =
      box->left + (panels - 1) * view->gap + box->width + MARGIN + (picture->load ? BAR : 0);
  const double height = box->top + box->height + (picture->caption ? CAPTION : MARGIN);
  DLS_TRY(dls_svg_create(ceil(width), ceil(height), &svg));
  draw(svg, picture, view, panels);
  if (left_out) *left_out = dls_svg_left_out(svg);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}

DlsStatus dls_grain_picture_write(const DlsGrainPicture *picture, const char *path, int *left_out) {
  View view = {0};
  DLS_CHECK(picture->dim == 2 || picture->dim == 3, DLS_ERR_ARGUMENT,
            "%s: %d dimensions, not 2 or 3", path, picture->dim);
  DlsStatus status = find_view(picture, &view);
  if (status == DLS_OK) status = write_view(picture, &view, path, left_out);
  free(view.cornered);
  free(view.rank);
  return status;
}
