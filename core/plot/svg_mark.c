/* Marks: each kind fills about the same area, so that none looks larger than the others. */
#include <math.h>

#include "plot/svg_impl.h"

static const SvgGroup on_page = {.frame = SVG_PAGE, .stroke = DLS_COLOUR_NONE, .opacity = 1};

/* Corners of the polygons in halves of the size, y down. */
typedef struct {
  int corners;
  double corner[12][2];
} Outline;

static const Outline outlines[DLS_MARK_COUNT] = {
    [DLS_MARK_SQUARE] = {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
    [DLS_MARK_TRIANGLE] = {3, {{0, -1.2}, {1.15, 0.85}, {-1.15, 0.85}}},
    [DLS_MARK_DOWN] = {3, {{0, 1.2}, {-1.15, -0.85}, {1.15, -0.85}}},
    [DLS_MARK_DIAMOND] = {4, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}},
    [DLS_MARK_CROSS] = {12,
                        {{0, -0.45},
                         {0.75, -1.2},
                         {1.2, -0.75},
                         {0.45, 0},
                         {1.2, 0.75},
                         {0.75, 1.2},
                         {0, 0.45},
                         {-0.75, 1.2},
                         {-1.2, 0.75},
                         {-0.45, 0},
                         {-1.2, -0.75},
                         {-0.75, -1.2}}},
};

static void put_round(DlsSvg *svg, double x, double y, bool hollow, double half, DlsColour ink) {
  dls_svg_put_px(svg, "<circle cx=\"", x);
  dls_svg_put_px(svg, "\" cy=\"", y);
  dls_svg_put_px(svg, "\" r=\"", hollow ? 0.85 * half : half);
  dls_svg_put(svg, hollow ? "\" fill=\"#ffffff\"" : "\" fill=\"#%06x\"", (unsigned)ink & 0xffffffu);
}

void dls_svg_page_mark(DlsSvg *svg, double x, double y, DlsMark mark, double size, DlsColour ink) {
  const size_t start = svg->used;
  const Outline *shape = &outlines[mark];
  const bool ring = mark == DLS_MARK_RING;
  SvgGroup group = on_page;
  if (mark == DLS_MARK_NONE) return;
  if (!isfinite(x) || !isfinite(y)) {
    svg->left_out++;
    return;
  }
  if (shape->corners) {
    dls_svg_put(svg, "<path d=\"");
    for (int k = 0; k < shape->corners; k++) {
      dls_svg_put_px(svg, k ? "L" : "M", x + 0.5 * size * shape->corner[k][0]);
      dls_svg_put_px(svg, " ", y + 0.5 * size * shape->corner[k][1]);
    }
    dls_svg_put(svg, "Z\" fill=\"#%06x\"", (unsigned)ink & 0xffffffu);
  } else {
    put_round(svg, x, y, ring, 0.5 * size, ink);
  }
  dls_svg_put(svg, "/>\n");
  group.stroke = ring ? ink : 0xffffff; /* a white rim parts it from the lines below */
  group.width = ring ? 1.5 : 0.6;
  dls_svg_item(svg, start, SVG_ABOVE, 0, group);
}

void dls_svg_mark(DlsSvg *svg, const double at[3], DlsMark mark, double size, DlsColour ink) {
  double page[2];
  dls_svg_place(svg, at, page);
  dls_svg_page_mark(svg, page[0], page[1], mark, size, ink);
}
