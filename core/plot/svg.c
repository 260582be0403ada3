/* The page: shapes become text at once, and are sorted when the page is written. */
#include "plot/svg_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

/* A number inside a print, free of the locale. */
#define TEXT(value) dls_number_text((char[DLS_NUMBER_BYTES]){0}, (value), 6)

static const double FARTHEST = 1e6; /* px: shapes farther off the page are cut there */

/* Grows an array to `need` items; false, and the page remembers it, when memory is short. */
static bool grow(DlsSvg *svg, void **array, size_t *room, size_t need, size_t bytes) {
  if (need <= *room) return true;
  size_t more = *room ? *room : 1024;
  while (more < need) more *= 2;
  void *moved = realloc(*array, more * bytes);
  if (!moved) {
    svg->short_of_memory = true;
    return false;
  }
  *array = moved;
  *room = more;
  return true;
}

void dls_svg_put(DlsSvg *svg, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (!grow(svg, (void **)&svg->text, &svg->room, svg->used + (size_t)length + 1, 1)) return;
  va_start(arguments, format);
  vsnprintf(svg->text + svg->used, (size_t)length + 1, format, arguments);
  va_end(arguments);
  svg->used += (size_t)length;
}

/* Two decimals, without zeros at the end, free of the locale. */
void dls_svg_put_px(DlsSvg *svg, const char *before, double value) {
  const double cut = fmax(-FARTHEST, fmin(FARTHEST, value));
  const long hundredths = lround(100 * cut), size = labs(hundredths);
  const char *sign = hundredths < 0 ? "-" : "";
  if (size % 100 == 0)
    dls_svg_put(svg, "%s%s%ld", before, sign, size / 100);
  else if (size % 10 == 0)
    dls_svg_put(svg, "%s%s%ld.%ld", before, sign, size / 100, size % 100 / 10);
  else
    dls_svg_put(svg, "%s%s%ld.%02ld", before, sign, size / 100, size % 100);
}

void dls_svg_put_escaped(DlsSvg *svg, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '&')
      dls_svg_put(svg, "&amp;");
    else if (*c == '<')
      dls_svg_put(svg, "&lt;");
    else if (*c == '>')
      dls_svg_put(svg, "&gt;");
    else if (*c == '"')
      dls_svg_put(svg, "&quot;");
    else
      dls_svg_put(svg, "%c", *c < 0x20 || *c == 0x7f ? ' ' : *c);
  }
}

void dls_svg_item(DlsSvg *svg, size_t start, int layer, double depth, SvgGroup group) {
  size_t room = (size_t)svg->items_room;
  if (!grow(svg, (void **)&svg->items, &room, (size_t)svg->count + 1, sizeof *svg->items)) return;
  svg->items_room = (long)room;
  svg->items[svg->count] = (SvgItem){.layer = layer,
                                     .depth = depth,
                                     .order = svg->count,
                                     .group = group,
                                     .start = start,
                                     .length = svg->used - start};
  svg->count++;
}

DlsStatus dls_svg_create(double width, double height, DlsSvg **out) {
  DlsSvg *svg;
  *out = NULL;
  DLS_CHECK(width >= 1 && height >= 1 && width <= 1e5 && height <= 1e5, DLS_ERR_ARGUMENT,
            "picture: a page of %g x %g px; take 1 to 1e5", width, height);
  DLS_NEW(svg, 1);
  svg->width = width;
  svg->height = height;
  svg->camera = dls_svg_camera_flat();
  const DlsSvgFrame page = {{0, 0, width, height}, {0, width}, {0, height}, false, false};
  dls_svg_frame(svg, &page);
  *out = svg;
  return DLS_OK;
}

void dls_svg_destroy(DlsSvg **svg) {
  if (!*svg) return;
  free((*svg)->text);
  free((*svg)->items);
  free((*svg)->clips);
  free(*svg);
  *svg = NULL;
}

void dls_svg_frame(DlsSvg *svg, const DlsSvgFrame *frame) {
  size_t room = (size_t)svg->clips_room;
  if (!grow(svg, (void **)&svg->clips, &room, (size_t)svg->frames + 1, sizeof *svg->clips)) return;
  svg->clips_room = (int)room;
  svg->clips[svg->frames++] = frame->box;
  svg->frame = *frame;
}

void dls_svg_camera(DlsSvg *svg, const DlsSvgCamera *camera) { svg->camera = *camera; }

void dls_svg_layer(DlsSvg *svg, int layer) { svg->layer = layer; }

int dls_svg_left_out(const DlsSvg *svg) { return svg->left_out; }

static bool is_good(const double page[2]) { return isfinite(page[0]) && isfinite(page[1]); }

/* Beyond the box of the frame on one side, as all of low .. high is. */
static bool is_outside(const DlsSvg *svg, const double low[2], const double high[2]) {
  const DlsSvgBox *box = &svg->frame.box;
  return high[0] < box->left || low[0] > box->left + box->width || high[1] < box->top ||
         low[1] > box->top + box->height;
}

void dls_svg_dashes(const DlsSvgStyle *style, SvgGroup *group) {
  group->dash = style->dash > 0 ? style->dash : 0;
  group->gap = group->dash > 0 ? style->gap > 0 ? style->gap : 0.75 * group->dash : 0;
  group->dot = group->dash > 0 && style->dot > 0 ? style->dot : 0;
}

static SvgGroup group_of(const DlsSvg *svg, const DlsSvgStyle *style, bool with_stroke) {
  const bool stroked = with_stroke && style->width > 0;
  SvgGroup group = {.frame = svg->frames - 1,
                    .stroke = stroked ? style->stroke : DLS_COLOUR_NONE,
                    .width = stroked ? style->width : 0,
                    .opacity = style->opacity > 0 && style->opacity < 1 ? style->opacity : 1};
  dls_svg_dashes(style, &group);
  return group;
}

static void put_fill(DlsSvg *svg, const DlsSvgStyle *style) {
  if (style->fill == DLS_COLOUR_NONE) {
    dls_svg_put(svg, " fill=\"none\"");
  } else if (style->ball) {
    const int red = (style->fill >> 19) & 31, green = (style->fill >> 11) & 31,
              blue = (style->fill >> 3) & 31;
    const int ball = red << 10 | green << 5 | blue;
    svg->balls[ball] = true;
    dls_svg_put(svg, " fill=\"url(#b%x)\"", (unsigned)ball);
  } else {
    dls_svg_put(svg, " fill=\"#%06x\"", (unsigned)style->fill & 0xffffffu);
  }
}

void dls_svg_circle(DlsSvg *svg, const double centre[3], double radius, const DlsSvgStyle *style) {
  double page[2];
  const double depth = dls_svg_place(svg, centre, page);
  const DlsSvgFrame *f = &svg->frame;
  const double r = radius * f->box.width / (f->x[1] - f->x[0]), wide = r + style->width;
  if (!is_good(page) || !(r >= 0)) {
    svg->left_out++;
    return;
  }
  const double low[2] = {page[0] - wide, page[1] - wide},
               high[2] = {page[0] + wide, page[1] + wide};
  if (is_outside(svg, low, high)) return;
  const size_t start = svg->used;
  dls_svg_put_px(svg, "<circle cx=\"", page[0]);
  dls_svg_put_px(svg, "\" cy=\"", page[1]);
  dls_svg_put_px(svg, "\" r=\"", r);
  dls_svg_put(svg, "\"");
  put_fill(svg, style);
  dls_svg_put(svg, "/>\n");
  dls_svg_item(svg, start, svg->layer, depth, group_of(svg, style, true));
}

/* A path through points; its depth is that of their mean. Colour and width of a line are its own,
 * since they vary with its value; those of a polygon are its group's. */
static void put_path(DlsSvg *svg, const double *points, int count, bool closed,
                     const DlsSvgStyle *style) {
  const size_t start = svg->used;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, depth = 0;
  bool good = count > 0;
  dls_svg_put(svg, "<path d=\"");
  for (int i = 0; i < count; i++) {
    double page[2];
    depth += dls_svg_place(svg, points + 3 * i, page) / count;
    good = good && is_good(page);
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], page[k] - style->width);
      high[k] = fmax(high[k], page[k] + style->width);
    }
    dls_svg_put_px(svg, i ? "L" : "M", good ? page[0] : 0);
    dls_svg_put_px(svg, " ", good ? page[1] : 0);
  }
  dls_svg_put(svg, closed ? "Z\"" : "\"");
  if (!good) svg->left_out++;
  if (!good || is_outside(svg, low, high)) {
    svg->used = start;
    return;
  }
  if (closed) {
    put_fill(svg, style);
  } else {
    dls_svg_put(svg, " fill=\"none\" stroke=\"#%06x\"", (unsigned)style->stroke & 0xffffffu);
    dls_svg_put_px(svg, " stroke-width=\"", style->width);
    dls_svg_put(svg, "\"");
  }
  dls_svg_put(svg, "/>\n");
  dls_svg_item(svg, start, svg->layer, depth, group_of(svg, style, closed));
}

void dls_svg_line(DlsSvg *svg, const double a[3], const double b[3], const DlsSvgStyle *style) {
  const double points[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
  put_path(svg, points, 2, false, style);
}

void dls_svg_polyline(DlsSvg *svg, const double *points, int count, const DlsSvgStyle *style) {
  put_path(svg, points, count, false, style);
}

void dls_svg_polygon(DlsSvg *svg, const double *points, int count, const DlsSvgStyle *style) {
  put_path(svg, points, count, true, style);
}

static int by_place(const void *left, const void *right) {
  const SvgItem *a = left, *b = right;
  if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
  if (a->group.frame != b->group.frame) return a->group.frame < b->group.frame ? -1 : 1;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool same_group(const SvgGroup *a, const SvgGroup *b) {
  return a->frame == b->frame && a->stroke == b->stroke && a->width == b->width &&
         a->opacity == b->opacity && a->dash == b->dash && a->gap == b->gap && a->dot == b->dot;
}

static void write_group(DlsFile *file, const SvgGroup *group) {
  dls_file_print(file, "<g");
  if (group->frame != SVG_PAGE) dls_file_print(file, " clip-path=\"url(#f%d)\"", group->frame);
  if (group->stroke != DLS_COLOUR_NONE)
    dls_file_print(file, " stroke=\"#%06x\" stroke-width=\"%s\"",
                   (unsigned)group->stroke & 0xffffffu, TEXT(group->width));
  if (group->opacity < 1) dls_file_print(file, " opacity=\"%s\"", TEXT(group->opacity));
  if (group->dash > 0)
    dls_file_print(file, " stroke-dasharray=\"%s %s", TEXT(group->dash), TEXT(group->gap));
  if (group->dot > 0) dls_file_print(file, " %s %s", TEXT(group->dot), TEXT(group->gap));
  if (group->dash > 0) dls_file_print(file, "\"");
  dls_file_print(file, ">\n");
}

/* A ball of colour c: light from the upper left, dark at the rim. */
static void write_ball(DlsFile *file, int ball) {
  const int channel[3] = {(ball >> 10) & 31, (ball >> 5) & 31, ball & 31};
  unsigned colour[3] = {0, 0, 0}; /* light, plain, dark */
  for (int i = 0; i < 3; i++) {
    const int c = channel[i] << 3 | channel[i] >> 2;
    colour[0] = colour[0] << 8 | (unsigned)(c + (255 - c) * 55 / 100);
    colour[1] = colour[1] << 8 | (unsigned)c;
    colour[2] = colour[2] << 8 | (unsigned)(c * 50 / 100);
  }
  dls_file_print(file,
                 "<radialGradient id=\"b%x\" cx=\".36\" cy=\".32\" r=\".72\">"
                 "<stop stop-color=\"#%06x\"/><stop offset=\".4\" stop-color=\"#%06x\"/>"
                 "<stop offset=\"1\" stop-color=\"#%06x\"/></radialGradient>\n",
                 (unsigned)ball, colour[0], colour[1], colour[2]);
}

static void write_bar(DlsFile *file, int map) {
  enum { STOPS = 24 };
  dls_file_print(file, "<linearGradient id=\"m%d\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">", map);
  for (int i = 0; i <= STOPS; i++)
    dls_file_print(file, "<stop offset=\"%s\" stop-color=\"#%06x\"/>", TEXT((double)i / STOPS),
                   (unsigned)dls_map_colour((DlsMap)map, (double)i / STOPS));
  dls_file_print(file, "</linearGradient>\n");
}

static void write_head(DlsFile *file, const DlsSvg *svg) {
  dls_file_print(file,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "
                 "viewBox=\"0 0 %s %s\" font-family=\"Helvetica,Arial,sans-serif\" "
                 "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<defs>\n",
                 TEXT(svg->width), TEXT(svg->height), TEXT(svg->width), TEXT(svg->height));
  for (int i = 0; i < svg->frames; i++)
    dls_file_print(file,
                   "<clipPath id=\"f%d\"><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>"
                   "</clipPath>\n",
                   i, TEXT(svg->clips[i].left), TEXT(svg->clips[i].top), TEXT(svg->clips[i].width),
                   TEXT(svg->clips[i].height));
  for (int i = 0; i < SVG_BALLS; i++)
    if (svg->balls[i]) write_ball(file, i);
  for (int i = 0; i < DLS_MAP_COUNT; i++)
    if (svg->bars[i]) write_bar(file, i);
  dls_file_print(file, "</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
}

DlsStatus dls_svg_write(DlsSvg *svg, const char *path) {
  DlsFile *file;
  DLS_CHECK(!svg->short_of_memory, DLS_ERR_MEMORY, "%s: out of memory for the picture", path);
  if (svg->count) qsort(svg->items, (size_t)svg->count, sizeof *svg->items, by_place);
  DLS_TRY(dls_file_begin(path, &file));
  write_head(file, svg);
  for (long i = 0; i < svg->count; i++) {
    const SvgItem *item = &svg->items[i];
    if (i == 0 || !same_group(&item->group, &item[-1].group)) {
      if (i > 0) dls_file_print(file, "</g>\n");
      write_group(file, &item->group);
    }
    dls_file_put(file, svg->text + item->start, item->length);
  }
  dls_file_print(file, svg->count ? "</g>\n</svg>\n" : "</svg>\n");
  return dls_file_place(&file);
}
