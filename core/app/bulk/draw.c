/* delassus bulk draw: the graphs of a bulk law as one SVG picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/bulk/choice.h"
#include "app/bulk/words.h"
#include "app/params.h"
#include "plot/graphs.h"

enum {
  STEPS = 800,
  ROWS = STEPS + 1,
  PANELS = 6,
  STATES = 4
}; /* rows of a track; panels of a page */

typedef struct {
  AppBulkChoice choice;
  double strain, time;
  const char *out;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, choice.name, "law"),
    APP_BULK_ROWS(Job, choice),
    APP_REAL_ROW(Job, strain, "strain", "E", APP_ABOVE_0, APP_ANY,
                 "largest strain of the paths; 0.01, of green alone 0.5"),
    APP_REAL_ROW(Job, time, "time", "S", APP_ABOVE_0, APP_ANY, "of a path to and fro; 1"),
    APP_TEXT_ROW(Job, out, "out", "FILE.svg", "the picture; NAME.svg unless given"),
};

/* What a path is drawn from. */
typedef struct {
  double t[ROWS], strain[ROWS], stress[ROWS], state[STATES][ROWS], energy[3][ROWS];
  int count;
} Track;

/* Where a path goes: to and fro, of growing size; or at once out and held. */
static double at(const Job *job, bool held, double s) {
  if (held) return job->strain * fmin(1, 100 * s) / 4;
  return job->strain * (0.4 + 0.6 * s) * sin(4 * 3.14159265358979 * s);
}

/* `kind`: 0 a pull along xx, free beside; 1 shear xy; 2 as under water; 3 shear, held. A law that
 * fails ends the track. */
static void follow(const Job *job, const DlsBulkDrive *start, int kind, Track *out) {
  DlsBulkDrive point = *start;
  memset(out, 0, sizeof *out);
  out->count = 1;
  for (int k = 1; k <= STEPS; k++) {
    const double s = (double)k / STEPS, e = at(job, kind == 3, s);
    DlsDrive drive[6] = {{0}};
    for (int i = 0; i < 6; i++) drive[i].force = kind == 0 && i > 0;
    drive[kind == 1 || kind == 3 ? 3 : 0].value = e;
    if (kind == 2) drive[1].value = drive[2].value = e;
    if (dls_bulk_drive_step(&point, job->time / STEPS, drive) != DLS_OK) break;
    const int row = out->count++, shown = kind == 1 || kind == 3 ? 3 : 0;
    out->t[row] = point.point.time;
    out->strain[row] = point.strain[shown];
    out->stress[row] = point.stress[shown];
    for (int i = 0; i < STATES && i < point.law->nstates; i++)
      out->state[i][row] =
          point.state[point.law->nstates > STATES && i == STATES - 1 ? point.law->nstates - 1 : i];
    out->energy[0][row] = point.stored;
    out->energy[1][row] = point.dissipated;
    out->energy[2][row] = point.work;
  }
}

static int most_states(const DlsBulk *law) { return law->nstates < STATES ? law->nstates : STATES; }

/* The panels of the tracks; how many. */
static int make_panels(const DlsBulk *law, const Track *tracks, DlsPlotCurve curves[PANELS][STATES],
                       DlsPlotPanel *panels) {
  static const char *const titles[] = {"pulled along x, free beside", "sheared",
                                       "swollen and pressed from all sides", "sheared, and held"};
  static const char *const energies[] = {"stored", "dissipated", "work"};
  int count = 0;
  for (int k = 0; k < 4; k++) {
    const Track *t = &tracks[k];
    if (t->count < 3 || (k == 3 && !(law->claims & DLS_BULK_RATE))) continue;
    curves[count][0] =
        (DlsPlotCurve){.x = k == 3 ? t->t : t->strain, .y = t->stress, .count = t->count};
    panels[count] =
        (DlsPlotPanel){.title = titles[k],
                       .x_label = k == 3   ? "t  [s]"
                                  : k == 1 ? "gamma"
                                           : "strain xx",
                       .y_label = k == 1 || k == 3 ? "stress xy  [Pa]" : "stress xx  [Pa]",
                       .curves = curves[count],
                       .count = 1};
    count++;
  }
  if (law->nstates && tracks[0].count > 2) {
    const int shown = most_states(law);
    for (int i = 0; i < shown; i++)
      curves[count][i] = (DlsPlotCurve){
          .label =
              law->states[law->nstates > STATES && i == STATES - 1 ? law->nstates - 1 : i].name,
          .x = tracks[0].t,
          .y = tracks[0].state[i],
          .count = tracks[0].count};
    panels[count] = (DlsPlotPanel){.title = "state while it is pulled",
                                   .x_label = "t  [s]",
                                   .y_label = "state",
                                   .curves = curves[count],
                                   .count = shown};
    count++;
  }
  for (int i = 0; i < 3; i++)
    curves[count][i] = (DlsPlotCurve){
        .label = energies[i], .x = tracks[0].t, .y = tracks[0].energy[i], .count = tracks[0].count};
  panels[count] = (DlsPlotPanel){.title = "energy while it is pulled",
                                 .x_label = "t  [s]",
                                 .y_label = "J/m3",
                                 .curves = curves[count],
                                 .count = 3};
  return count + (tracks[0].count > 2);
}

static DlsStatus draw(const Job *job, const DlsBulkDrive *start, const char *path, int *drawn) {
  DlsPlotPanel panels[PANELS + 1];
  DlsPlotCurve curves[PANELS + 1][STATES];
  AppParamsLines text;
  char title[512], tail[96];
  const DlsBulk *law = start->law;
  Track *tracks = calloc(4, sizeof *tracks);
  DLS_CHECK(tracks, DLS_ERR_MEMORY, "out of memory for the graphs");
  for (int k = 0; k < 4; k++) follow(job, start, k, &tracks[k]);
  *drawn = make_panels(law, tracks, curves, panels);
  snprintf(tail, sizeof tail, "strains %s, %g s", app_bulk_measure(start->point.measure),
           job->time);
  app_params_lines(law->params, law->nparams, start->params, tail, &text);
  snprintf(title, sizeof title, "%s: %s", law->name, law->summary);
  const DlsPlotHead head = {.title = title,
                            .size = strlen(law->summary) > 60 ? 15 : 18,
                            .lines = text.lines,
                            .count = text.count};
  const DlsStatus status =
      *drawn ? dls_plot_graphs(&head, panels, *drawn, path)
             : dls_fail(DLS_ERR_LAW, "%s: no path gave two points to draw", dls_error_message());
  free(tracks);
  return status;
}

static int draw_law(const AppCommand *self, Job *job) {
  DlsBulkDrive point;
  char name[128];
  int drawn = 0;
  if (!job->choice.name) return app_refuse(self, "which law? delassus bulk draw NAME");
  if (!app_bulk_choose(self, &job->choice, &point)) return app_refused();
  if (!(job->strain > 0)) job->strain = point.point.measure == DLS_BULK_GREEN ? 0.5 : 0.01;
  snprintf(name, sizeof name, "%s.svg", point.law->name);
  const char *out = job->out ? job->out : name;
  const DlsStatus status = draw(job, &point, out, &drawn);
  if (status != DLS_OK) {
    const int refused = app_refuse_status(self);
    return status == DLS_ERR_LAW ? APP_NOT_CONVERGED : refused;
  }
  printf("%s: %d graphs in %s\n", point.law->name, drawn, out);
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.time = 1};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = draw_law(self, &job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "Stress against strain to and fro: a pull with free sides, shear, all sides at once; laws of\n"
    "the rate also sheared and held; then states and energies of the pull.\n"
    "\n"
    "  delassus bulk draw j2 --set kinematic=5e7 --strain 0.005 --out j2.svg\n";

const AppCommand app_bulk_draw = {
    .name = "bulk draw",
    .usage = "NAME [options]",
    .summary = "Draws the graphs of a bulk law as SVG",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
