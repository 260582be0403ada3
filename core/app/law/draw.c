/* delassus law draw: the graphs of a law as one SVG picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/law/choice.h"
#include "app/legend.h"
#include "law_bench/graph.h"
#include "plot/svg.h"

typedef struct {
  AppLawChoice choice;
  DlsGraphScale wish;
  double mass;
  const char *out;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, choice.name, "law"),
    APP_LAW_ROWS(Job, choice),
    APP_REAL_ROW(Job, wish.h, "step", "S", APP_ABOVE_0, APP_ANY, "time-step of the relation; 1e-3"),
    APP_REAL_ROW(Job, wish.speed, "speed", "M/S", APP_ABOVE_0, APP_ANY,
                 "widest velocity of the graphs; what suits the law"),
    APP_REAL_ROW(Job, wish.depth, "depth", "M", APP_ABOVE_0, APP_ANY,
                 "widest gap and slip of the paths; what suits the law"),
    APP_REAL_ROW(Job, mass, "mass", "KG", APP_ABOVE_0, APP_ANY, "reduced mass of the contact; 1"),
    APP_TEXT_ROW(Job, out, "out", "FILE.svg", "the picture; NAME.svg unless given"),
};

enum { PANELS = 7, PANEL_WIDTH = 400, PANEL_HEIGHT = 300, HEAD = 84 };
typedef DlsStatus (*Graph)(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
static const Graph graphs[PANELS] = {dls_graph_normal,  dls_graph_tangential, dls_graph_section,
                                     dls_graph_closing, dls_graph_pulling,    dls_graph_slipping,
                                     dls_graph_states};

/* Low and high of the curves, widened; a flat curve gets a range of its own size. */
static void range_of(const DlsGraph *g, bool of_x, double range[2]) {
  double low = 0, high = 0; /* the axis is always in sight */
  for (int k = 0; k < g->curves; k++)
    for (int i = 0; i < g->curve[k].count; i++) {
      const double value = of_x ? g->curve[k].x[i] : g->curve[k].y[i];
      low = fmin(low, value);
      high = fmax(high, value);
    }
  const double width = high - low > 0 ? high - low : 1;
  range[0] = low - 0.08 * width;
  range[1] = high + 0.08 * width;
}

static void draw_curves(DlsSvg *svg, const DlsGraph *g, const DlsSvgFrame *frame) {
  static const DlsColour inks[DLS_GRAPH_CURVES] = {0x1f5fa8, 0xc0392b, 0x2e7d32};
  DlsSvgLegend rows[DLS_GRAPH_CURVES];
  AppTrace traces[DLS_GRAPH_CURVES];
  int labels = 0;
  static double points[3 * DLS_GRAPH_POINTS];
  for (int k = 0; k < g->curves; k++) {
    const DlsCurve *curve = &g->curve[k];
    const DlsSvgStyle style = {
        .fill = DLS_COLOUR_NONE, .stroke = inks[k], .width = 2, .dash = k == 1 ? 6 : 0};
    for (int i = 0; i < curve->count; i++) {
      points[3 * i] = curve->x[i];
      points[3 * i + 1] = curve->y[i];
      points[3 * i + 2] = 0;
    }
    dls_svg_polyline(svg, points, curve->count, &style);
    traces[k] = (AppTrace){curve->x, curve->y, curve->count, false};
    if (curve->label) rows[labels++] = (DlsSvgLegend){curve->label, style, false};
  }
  if (labels) app_legend(svg, frame, traces, g->curves, rows, labels);
}

static void draw_panel(DlsSvg *svg, const DlsGraph *g, double left, double top) {
  const DlsSvgStyle axis = {.stroke = 0x999999, .width = 1, .fill = DLS_COLOUR_NONE};
  DlsSvgFrame frame = {.box = {left + 84, top + 30, PANEL_WIDTH - 104, PANEL_HEIGHT - 85}};
  range_of(g, true, frame.x);
  range_of(g, false, frame.y);
  if (g->equal) {
    const double scale = fmax((frame.x[1] - frame.x[0]) / frame.box.width,
                              (frame.y[1] - frame.y[0]) / frame.box.height);
    for (int side = 0; side < 2; side++) {
      const double sign = side ? 0.5 : -0.5;
      const double x = 0.5 * (frame.x[0] + frame.x[1]), y = 0.5 * (frame.y[0] + frame.y[1]);
      if (side == 0)
        frame.x[0] = x + sign * scale * frame.box.width, frame.x[1] = 2 * x - frame.x[0];
      if (side == 1)
        frame.y[1] = y + sign * scale * frame.box.height, frame.y[0] = 2 * y - frame.y[1];
    }
  }
  const double across[2][3] = {{frame.x[0], 0, 0}, {frame.x[1], 0, 0}};
  const double up[2][3] = {{0, frame.y[0], 0}, {0, frame.y[1], 0}};
  const DlsSvgAxes axes = {g->title, g->x_label, g->y_label, true};
  dls_svg_frame(svg, &frame);
  dls_svg_axes(svg, &axes);
  dls_svg_line(svg, across[0], across[1], &axis);
  dls_svg_line(svg, up[0], up[1], &axis);
  draw_curves(svg, g, &frame);
}

/* "coulomb: dry friction ...", and below it the parameters in up to two lines. */
static void draw_head(DlsSvg *svg, const AppLawChoice *choice, const DlsGraphScale *s) {
  enum { LINE = 110, LINES = 2 };
  const DlsLaw *law = choice->law;
  const DlsSvgText large = {
      .size = strlen(law->summary) > 60 ? 15 : 18, .anchor = -1, .bold = true};
  const DlsSvgText small = {.size = 13, .anchor = -1, .ink = 0x444444};
  char title[512], line[LINES][2 * LINE] = {"", ""};
  int at = 0;
  snprintf(title, sizeof title, "%s: %s", law->name, law->summary);
  dls_svg_text(svg, 24, 28, title, &large);
  for (int k = 0; k <= law->nparams; k++) {
    char word[96];
    const DlsParam *p = &law->params[k];
    if (k == law->nparams)
      snprintf(word, sizeof word, "h = %g s", s->h);
    else if (strcmp(p->unit, "1") == 0)
      snprintf(word, sizeof word, "%s = %g,  ", p->name, choice->params[k]);
    else
      snprintf(word, sizeof word, "%s = %g %.20s,  ", p->name, choice->params[k], p->unit);
    if (strlen(line[at]) + strlen(word) > LINE && at + 1 < LINES) at++;
    const size_t used = strlen(line[at]);
    snprintf(line[at] + used, sizeof line[at] - used, "%s", word);
  }
  for (int k = 0; k <= at; k++) dls_svg_text(svg, 24, 50 + 18 * k, line[k], &small);
}

static DlsStatus draw(const Job *job, const char *path, int *drawn) {
  const AppLawChoice *choice = &job->choice;
  DlsPoint point;
  DlsGraph *g = NULL;
  DlsSvg *svg = NULL;
  int count = 0;
  DLS_TRY(dls_point_begin(choice->law, choice->params, (int)choice->dim, (int)choice->block,
                          job->mass, &point));
  const DlsGraphScale scale = dls_graph_scale(&point, job->wish);
  g = calloc(PANELS, sizeof *g);
  DLS_CHECK(g, DLS_ERR_MEMORY, "out of memory for the graphs");
  DlsStatus status = DLS_OK;
  for (int k = 0; k < PANELS && status == DLS_OK; k++) {
    status = graphs[k](&point, &scale, &g[count]);
    count += status == DLS_OK && g[count].curves > 0;
  }
  const int rows = (count + 1) / 2;
  if (status == DLS_OK) status = dls_svg_create(2 * PANEL_WIDTH, HEAD + rows * PANEL_HEIGHT, &svg);
  if (status == DLS_OK) {
    draw_head(svg, choice, &scale);
    for (int k = 0; k < count; k++) {
      const int row = k / 2, column = k % 2;
      draw_panel(svg, &g[k], column * PANEL_WIDTH, HEAD + row * PANEL_HEIGHT);
    }
    status = dls_svg_write(svg, path);
  }
  dls_svg_destroy(&svg);
  free(g);
  *drawn = count;
  return status;
}

static int draw_law(const AppCommand *self, Job *job) {
  char name[128];
  int drawn = 0;
  if (!job->choice.name) return app_refuse(self, "which law? delassus law draw NAME");
  if (!app_law_choose(self, &job->choice)) return APP_WRONG_INPUT;
  const DlsLaw *law = job->choice.law;
  snprintf(name, sizeof name, "%s.svg", law->name);
  const char *out = job->out ? job->out : name;
  if (draw(job, out, &drawn) != DLS_OK) return app_refuse_status(self);
  printf("%s: %d graphs in %s\n", law->name, drawn, out);
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.mass = 1};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = draw_law(self, &job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "Normal and tangential graph, section of the cone, a contact closed "
    "and opened, opened from\n"
    "contact, dragged to and fro, and its state on the way; those that the law has.\n"
    "\n"
    "  delassus law draw coulomb --set mu=0.5 --out coulomb.svg\n";

const AppCommand app_law_draw = {
    .name = "law draw",
    .usage = "NAME [options]",
    .summary = "Draws the graphs of a law as SVG",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
