/* The page behind the handle: text of every shape, and what it is sorted and grouped by. */
#ifndef DELASSUS_PLOT_SVG_IMPL_H
#define DELASSUS_PLOT_SVG_IMPL_H

#include <limits.h>
#include <stddef.h>

#include "plot/svg.h"

enum {
  SVG_BALLS = 1 << 15, /* colours of lit circles: 5 bits for each of red, green, blue */
  SVG_BELOW = INT_MIN, /* layer of grids */
  SVG_ABOVE = INT_MAX, /* layer of what stands on the page */
  SVG_PAGE = -1,       /* instead of the number of a frame: not clipped */
  SVG_FONT_SIZE = 13
};

/* Attributes that neighbours share are written once, on a group around them. */
typedef struct {
  int frame;
  DlsColour stroke;
  double width, opacity, dash, gap, dot;
} SvgGroup;

typedef struct {
  int layer;
  double depth; /* greater is nearer */
  long order;
  SvgGroup group;
  size_t start, length; /* in the text */
} SvgItem;

struct DlsSvg {
  double width, height;
  DlsSvgFrame frame;
  DlsSvgCamera camera;
  int layer;

  char *text;
  size_t used, room;
  SvgItem *items;
  long count, items_room;
  DlsSvgBox *clips; /* [frames] */
  int frames, clips_room;
  bool balls[SVG_BALLS], bars[DLS_MAP_COUNT]; /* gradients that are used */
  int left_out;
  bool short_of_memory;
};

/* Text of the item that is being made; numbers with two decimals at most. */
void dls_svg_put(DlsSvg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dls_svg_put_px(DlsSvg *svg, const char *before, double value);
void dls_svg_put_escaped(DlsSvg *svg, const char *text);

/* The dashes of a style, as a group has them. */
void dls_svg_dashes(const DlsSvgStyle *style, SvgGroup *group);

/* Ends an item: the text since `start`. */
void dls_svg_item(DlsSvg *svg, size_t start, int layer, double depth, SvgGroup group);

/* Where a point of the world stands on the page; its depth. */
double dls_svg_place(const DlsSvg *svg, const double point[3], double page[2]);
double dls_svg_place_x(const DlsSvgFrame *frame, double x);
double dls_svg_place_y(const DlsSvgFrame *frame, double y);

#endif
