/* Pictures as SVG files: a page, frames that turn world coordinates into places on it, shapes,
 * axes, a colour bar, a legend. In 3-D a camera looks at the world without perspective, and what is
 * far is drawn first.
 *
 * Drawing never fails: memory that is short is told by dls_svg_write(), shapes with numbers that
 * are not finite are left out and counted. The same calls give the same bytes. */
#ifndef DELASSUS_PLOT_SVG_H
#define DELASSUS_PLOT_SVG_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

typedef struct DlsSvg DlsSvg;

typedef int32_t DlsColour; /* 0xRRGGBB of sRGB */
enum { DLS_COLOUR_NONE = -1 };

typedef struct {
  double left, top, width, height; /* px */
} DlsSvgBox;

/* Shapes of the world are clipped to the box of their frame. */
typedef struct {
  DlsSvgBox box;
  double x[2], y[2]; /* world at left and right, at bottom and top */
  bool log_x, log_y;
} DlsSvgFrame;

/* An orthonormal frame of the eye. */
typedef struct {
  double right[3], up[3], toward[3]; /* toward the eye */
} DlsSvgCamera;

typedef struct {
  DlsColour fill;   /* of circles and polygons */
  DlsColour stroke; /* drawn where width > 0 */
  double width;     /* px */
  double opacity;   /* 0 stands for 1 */
  double dash;      /* px; 0: none */
  double gap;       /* px, between dashes; 0 stands for 0.75 dash */
  double dot;       /* px, between two dashes, with gaps about it; 0: none */
  bool ball;        /* a circle lit as a sphere */
} DlsSvgStyle;

typedef struct {
  double size;   /* px; 0 stands for 13 */
  double turn;   /* degrees, counter-clockwise */
  int anchor;    /* -1 starts, 0 is centred, 1 ends at the place */
  DlsColour ink; /* 0: black */
  bool bold;
} DlsSvgText;

DlsStatus dls_svg_create(double width, double height, DlsSvg **out); /* px */
void dls_svg_destroy(DlsSvg **svg); /* NULL is fine; sets *svg to NULL */

/* What holds for the shapes that follow. Higher layers come above lower ones (0 at the start);
 * inside a layer the order is by depth, then as drawn. */
void dls_svg_frame(DlsSvg *svg, const DlsSvgFrame *frame);
void dls_svg_camera(DlsSvg *svg, const DlsSvgCamera *camera);
void dls_svg_layer(DlsSvg *svg, int layer);

/* 2-D: x to the right, y up. 3-D: from the direction `from`, with `up` upright. */
DlsSvgCamera dls_svg_camera_flat(void);
DlsSvgCamera dls_svg_camera_from(const double from[3], const double up[3]);

/* The frame with equal scales in which the world's box low..high just fits into `box`. */
DlsSvgFrame dls_svg_frame_fit(DlsSvgBox box, const DlsSvgCamera *camera, const double low[3],
                              const double high[3]);

/* Shapes in world coordinates, points [..][3]. A radius is scaled with x. */
void dls_svg_circle(DlsSvg *svg, const double centre[3], double radius, const DlsSvgStyle *style);
void dls_svg_line(DlsSvg *svg, const double a[3], const double b[3], const DlsSvgStyle *style);
void dls_svg_polyline(DlsSvg *svg, const double *points, int count, const DlsSvgStyle *style);
void dls_svg_polygon(DlsSvg *svg, const double *points, int count, const DlsSvgStyle *style);

/* Marks of one size for all kinds, to tell curves apart without colour. */
typedef enum {
  DLS_MARK_NONE,
  DLS_MARK_DISC,
  DLS_MARK_SQUARE,
  DLS_MARK_TRIANGLE,
  DLS_MARK_DIAMOND,
  DLS_MARK_CROSS,
  DLS_MARK_DOWN, /* a triangle on its head */
  DLS_MARK_RING,
  DLS_MARK_COUNT
} DlsMark;
/* At a point of the world, and at a place on the page; `size` in px. Neither is clipped. */
void dls_svg_mark(DlsSvg *svg, const double at[3], DlsMark mark, double size, DlsColour ink);
void dls_svg_page_mark(DlsSvg *svg, double x, double y, DlsMark mark, double size, DlsColour ink);

/* On the page, in px, above all layers. Text is UTF-8 and escaped; style NULL: 13 px, black. */
void dls_svg_text(DlsSvg *svg, double x, double y, const char *text, const DlsSvgText *style);
void dls_svg_rule(DlsSvg *svg, double x0, double y0, double x1, double y1, DlsColour ink,
                  double width);
void dls_svg_stroke(DlsSvg *svg, double x0, double y0, double x1, double y1,
                    const DlsSvgStyle *style); /* a rule with dashes */
void dls_svg_panel(DlsSvg *svg, DlsSvgBox box, const DlsSvgStyle *style);

/* Axes of the current frame with ticks outside; labels and title may be NULL. */
typedef struct {
  const char *title, *x_label, *y_label;
  bool grid; /* pale lines at the ticks, below all */
} DlsSvgAxes;
void dls_svg_axes(DlsSvg *svg, const DlsSvgAxes *axes);

/* Colour maps, uniform to the eye: equal steps of value are equal distances in Oklab. WARM goes
 * from nearly white to dark red, COOL from dark violet to yellow, both also in grey prints; SIGNED
 * from blue through white to red, for values around 0. */
typedef enum { DLS_MAP_WARM, DLS_MAP_COOL, DLS_MAP_SIGNED, DLS_MAP_GREY, DLS_MAP_COUNT } DlsMap;
DlsColour dls_map_colour(DlsMap map, double share); /* 0 to 1; cut at the ends */

/* A bar of values from low to high, ticks on its right. */
void dls_svg_colour_bar(DlsSvg *svg, DlsSvgBox box, DlsMap map, double low, double high,
                        const char *label);

/* Rows of a sample and a label, in a box with the upper left corner at x, y. */
typedef struct {
  const char *label;
  DlsSvgStyle style;
  bool dot; /* a dot, not a line */
} DlsSvgLegend;
void dls_svg_legend(DlsSvg *svg, double x, double y, const DlsSvgLegend *rows, int count);

/* Ticks at 1, 2 or 5 times a power of ten, from low to high, at most `room` of them; returns how
 * many. When `log`, and there are two decades or more, at powers of ten. */
int dls_svg_ticks(double low, double high, bool log, int room, double *ticks);

int dls_svg_left_out(const DlsSvg *svg); /* shapes with numbers that are not finite */

/* Writes the page, whole or not at all. May be called more than once. */
DlsStatus dls_svg_write(DlsSvg *svg, const char *path);

#endif
