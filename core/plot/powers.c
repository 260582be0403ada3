#include "plot/powers.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "plot/runner.h"
#include "plot/table.h"

enum { WIDTH = 208, HEIGHT = 186, LEFT = 62, TOP = 30, BOTTOM = 26 }; /* px */

/* As many as keep the figure on a page. */
static int columns_of(const DlsPlotRace *race) { return race->runners > 16 ? 6 : 4; }

/* The part of the line that lies inside the frame of panel number `s`. */
static void draw_line(DlsSvg *svg, const DlsSvgFrame *frame, const DlsPlotPower *power) {
  const DlsSvgStyle style = {.fill = DLS_COLOUR_NONE, .stroke = 0x333333, .width = 1.5};
  const double ends[2][3] = {{frame->x[0], power->factor * pow(frame->x[0], power->exponent), 0},
                             {frame->x[1], power->factor * pow(frame->x[1], power->exponent), 0}};
  dls_svg_line(svg, ends[0], ends[1], &style);
}

static void draw_panel(DlsSvg *svg, const DlsPlotRace *race, int s, const DlsPlotRun *run,
                       const DlsPlotPower *power) {
  const int column = s % columns_of(race), row = s / columns_of(race);
  const DlsSvgFrame frame = {
      .box = {LEFT + column * WIDTH, TOP + row * HEIGHT + 20, WIDTH - 46, HEIGHT - 62},
      .x = {race->x[0], race->x[1]},
      .y = {race->y[0], race->y[1]},
      .log_x = true,
      .log_y = true};
  const DlsSvgAxes axes = {.grid = true};
  const DlsSvgText name = {.size = 12, .anchor = -1, .bold = true, .ink = dls_plot_colour(s)};
  const DlsSvgText told = {.size = 11, .anchor = 1, .ink = 0x333333};
  const double top = frame.box.top - 6;
  dls_svg_frame(svg, &frame);
  dls_svg_axes(svg, &axes);
  if (power->line) draw_line(svg, &frame, power);
  for (int k = 0; k < run->count; k++) {
    const double at[3] = {run->point[k][0], run->point[k][1], 0};
    dls_svg_mark(svg, at, dls_plot_mark(s), 6, dls_plot_colour(s));
  }
  char text[40];
  snprintf(text, sizeof text, "%.22s", race->names[s]);
  dls_svg_text(svg, frame.box.left, top, text, &name);
  /* Costs rise to the right: the lower corner there is free. */
  dls_svg_text(svg, frame.box.left + frame.box.width - 5, frame.box.top + frame.box.height - 6,
               power->text, &told);
}

DlsStatus dls_plot_powers(const DlsPlotRace *race, const DlsPlotRun *runs,
                          const DlsPlotPower *powers, const char *stem) {
  const int columns = columns_of(race), rows = (race->runners + columns - 1) / columns;
  const double width = LEFT + columns * WIDTH - 30, height = TOP + rows * HEIGHT + BOTTOM;
  const DlsSvgText title = {.size = 15, .anchor = 0, .bold = true, .ink = 0x333333};
  const DlsSvgText across = {.size = 13, .anchor = 0, .ink = 0x333333};
  const DlsSvgText upright = {.size = 13, .anchor = 0, .turn = 90, .ink = 0x333333};
  char path[PATH_MAX];
  DlsFile *table;
  DlsSvg *svg = NULL;
  snprintf(path, sizeof path, "%s.csv", stem);
  DLS_TRY(dls_file_begin(path, &table));
  DlsStatus status = dls_svg_create(width, height, &svg);
  dls_file_print(table, "%s\n", race->columns);
  for (int s = 0; s < race->runners && status == DLS_OK; s++) {
    draw_panel(svg, race, s, &runs[s], &powers[s]);
    for (int k = 0; k < runs[s].count; k++)
      dls_plot_row(table, race->names[s], runs[s].point[k][0], runs[s].point[k][1]);
  }
  if (status == DLS_OK) {
    dls_svg_text(svg, 0.5 * width, 20, race->title, &title);
    dls_svg_text(svg, 0.5 * width, height - 8, race->x_label, &across);
    dls_svg_text(svg, 16, 0.5 * height, race->y_label, &upright);
    snprintf(path, sizeof path, "%s.svg", stem);
    status = dls_svg_write(svg, path);
  }
  dls_svg_destroy(&svg);
  if (status == DLS_OK) return dls_file_place(&table);
  dls_file_abandon(&table);
  return status;
}
