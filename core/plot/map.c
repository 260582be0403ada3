#include "plot/map.h"

#include <stddef.h>

static void place(const DlsPlotMap *map, int i, int j, double x[3]) {
  const int at[2] = {i, j};
  for (int k = 0; k < 2; k++)
    x[k] = map->low[k] +
           (map->points[k] > 1 ? at[k] * (map->high[k] - map->low[k]) / (map->points[k] - 1) : 0);
  x[2] = 0;
}

static void draw(DlsSvg *svg, const DlsPlotMap *map, double most) {
  const int nx = map->points[0], ny = map->points[1];
  const DlsSvgFrame frame = {
      .box = map->box, .x = {map->low[0], map->high[0]}, .y = {map->low[1], map->high[1]}};
  const DlsSvgAxes axes = {map->title, "x (m)", "y (m)", false};
  dls_svg_frame(svg, &frame);
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) { /* cells shaded by the mean of their corners */
      static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      double points[12], mean = 0;
      for (int c = 0; c < 4; c++) {
        const int x = i + corner[c][0], y = j + corner[c][1];
        place(map, x, y, points + 3 * c);
        mean += 0.25 * map->values[y * nx + x];
      }
      const DlsColour ink = dls_map_colour(DLS_MAP_WARM, most > 0 ? mean / most : 0);
      const DlsSvgStyle style = {.fill = ink, .stroke = ink, .width = 0.6};
      dls_svg_polygon(svg, points, 4, &style);
    }
  dls_svg_axes(svg, &axes);
}

DlsStatus dls_plot_maps(const DlsPlotMap *maps, int count, double most, DlsSvgBox bar,
                        const char *label, double width, double height, const char *path) {
  DlsSvg *svg = NULL;
  DLS_TRY(dls_svg_create(width, height, &svg));
  for (int k = 0; k < count; k++) draw(svg, &maps[k], most);
  dls_svg_colour_bar(svg, bar, DLS_MAP_WARM, 0, most, label);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
