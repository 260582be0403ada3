/* delassus law draw: the graphs of a law as one SVG picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/law/choice.h"
#include "app/law/failed.h"
#include "app/params.h"
#include "law_bench/graph.h"
#include "plot/graphs.h"

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

enum { PANELS = 7 };
typedef DlsStatus (*Graph)(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
static const Graph graphs[PANELS] = {dls_graph_normal,  dls_graph_tangential, dls_graph_section,
                                     dls_graph_closing, dls_graph_pulling,    dls_graph_slipping,
                                     dls_graph_states};

/* "coulomb: dry friction ...", the parameters, the graphs. */
static DlsStatus draw_page(const AppLawChoice *choice, const DlsGraphScale *scale,
                           const DlsGraph *g, int count, const char *path) {
  DlsPlotPanel panels[PANELS];
  DlsPlotCurve curves[PANELS][DLS_GRAPH_CURVES];
  char title[512], step[32];
  AppParamsLines text;
  snprintf(step, sizeof step, "h = %g s", scale->h);
  app_params_lines(choice->law->params, choice->law->nparams, choice->params, step, &text);
  const DlsPlotHead head = {.title = title,
                            .size = strlen(choice->law->summary) > 60 ? 15 : 18,
                            .lines = text.lines,
                            .count = text.count};
  snprintf(title, sizeof title, "%s: %s", choice->law->name, choice->law->summary);
  for (int k = 0; k < count; k++) {
    for (int c = 0; c < g[k].curves; c++) {
      const DlsCurve *curve = &g[k].curve[c];
      curves[k][c] = (DlsPlotCurve){
          .label = curve->label, .x = curve->x, .y = curve->y, .count = curve->count};
    }
    panels[k] = (DlsPlotPanel){.title = g[k].title,
                               .x_label = g[k].x_label,
                               .y_label = g[k].y_label,
                               .curves = curves[k],
                               .count = g[k].curves,
                               .equal = g[k].equal};
  }
  return dls_plot_graphs(&head, panels, count, path);
}

static DlsStatus draw(const Job *job, const char *path, int *drawn) {
  const AppLawChoice *choice = &job->choice;
  DlsPoint point;
  DlsGraph *g = NULL;
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
  if (status == DLS_OK) status = draw_page(choice, &scale, g, count, path);
  free(g);
  *drawn = count;
  return status;
}

static int draw_law(const AppCommand *self, Job *job) {
  char name[128];
  int drawn = 0;
  if (!job->choice.name) return app_refuse(self, "which law? delassus law draw NAME");
  if (!app_law_choose(self, &job->choice)) return app_refused();
  const DlsLaw *law = job->choice.law;
  snprintf(name, sizeof name, "%s.svg", law->name);
  const char *out = job->out ? job->out : name;
  const DlsStatus status = draw(job, out, &drawn);
  if (status != DLS_OK) return app_law_failed(self, status, out);
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
    "A law that fails or dies gives no picture: what it was asked stands in law-failure.yaml "
    "beside\n"
    "the place of it, and the exit status is 1.\n"
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
