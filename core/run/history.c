#include "run/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/csv.h"

struct DlsHistory {
  DlsCsv *csv;
  int count; /* of columns */
  DlsCsvColumn *column;
  char (*name)[400];
  double *value;
};

/* Columns and numbers are told by the same walk: with `named` it notes the names, else the
 * numbers. */
typedef struct {
  DlsHistory *history;
  bool named;
  int next;
} Walk;

static void put(Walk *w, const char *name, const char *unit, double value) {
  DlsHistory *h = w->history;
  const int k = w->next++;
  if (!h->name) return; /* counted alone */
  if (!w->named) {
    h->value[k] = value;
    return;
  }
  snprintf(h->name[k], sizeof h->name[k], "%s", name);
  h->column[k] = (DlsCsvColumn){h->name[k], unit};
}

static void put_of(Walk *w, const char *what, const char *whom, const char *unit, double value) {
  char name[300];
  snprintf(name, sizeof name, "%s_%.200s", what, whom);
  put(w, name, unit, value);
}

static void put_step(Walk *w, const DlsScene *scene) {
  const DlsSimulation *s = scene->simulation;
  const DlsStepReport *r = &s->last.report;
  const DlsLedger *l = &s->state.ledger;
  put(w, "step", "", (double)s->state.step);
  put(w, "time", "s", s->state.time);
  put(w, "bodies", "", dls_scene_bodies(scene));
  put(w, "contacts", "", r->contacts);
  put(w, "active", "", r->active);
  put(w, "parts", "", r->parts);
  put(w, "rounds", "", r->rounds);
  put(w, "iterations", "", (double)r->solver.iterations);
  put(w, "error", "", r->solver.error);
  put(w, "converged", "", r->solver.outcome == DLS_CONVERGED);
  put(w, "penetration", "m", r->penetration);
  put(w, "kinetic", "J", l->kinetic);
  put(w, "potential", "J", l->potential);
  put(w, "stored", "J", l->stored);
  put(w, "dissipated", "J", l->dissipated);
  put(w, "boundary_work", "J", l->boundary);
  put(w, "force_work", "J", l->force);
  put(w, "gravity_work", "J", l->gravity);
  put(w, "scheme_loss", "J", l->scheme);
  put(w, "balance", "J", l->balance);
}

static void put_scene(Walk *w, const DlsScene *scene) {
  const DlsSceneData *data = &scene->data;
  double poured = 0, taken = 0;
  if (scene->springs.springs || scene->springs.bends)
    put(w, "spring_energy", "J", dls_scene_spring_energy(scene));
  if (scene->servos) put(w, "servo_energy", "J", dls_scene_servo_energy(scene));
  for (int k = 0; k < data->sources.count; k++) poured += (double)scene->poured[k].poured;
  for (int k = 0; k < data->sinks.count; k++) taken += (double)scene->taken[k];
  if (data->sources.count) put(w, "poured", "", poured);
  if (data->sinks.count) put(w, "taken", "", taken);
}

/* Force and torque on each boundary, mean of the step, the torque about its origin; where servos
 * have taken theirs. */
static void put_boundaries(Walk *w, const DlsScene *scene) {
  static const char *const force[] = {"force_x", "force_y", "force_z"};
  static const char *const torque[] = {"torque_x", "torque_y", "torque_z"};
  static const char *const position[] = {"position_x", "position_y", "position_z"};
  const DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const int dim = s->world->dim;
  for (int b = 0; b < scene->data.boundaries.count; b++) {
    const double zero[6] = {0}, *f = s->state.boundary_force ? s->state.boundary_force[b] : zero;
    for (int k = 0; k < dim; k++) put_of(w, force[k], items[b].name, "N", f[k]);
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) put_of(w, torque[k], items[b].name, "N m", f[3 + k]);
    for (int k = 0; k < scene->servos; k++)
      if (scene->servo[k].boundary == b)
        put_of(w, position[scene->servo[k].axis], items[b].name, "m",
               s->world->boundary[b].position[scene->servo[k].axis]);
  }
}

static int walk(DlsHistory *history, const DlsScene *scene, bool named) {
  const DlsStepReport *r = &scene->simulation->last.report;
  Walk w = {.history = history, .named = named};
  put_step(&w, scene);
  put_scene(&w, scene);
  put_boundaries(&w, scene);
  put(&w, "detect_time", "s", r->detect_s);
  put(&w, "assemble_time", "s", r->assemble_s);
  put(&w, "solve_time", "s", r->solve_s);
  put(&w, "integrate_time", "s", r->integrate_s);
  return w.next;
}

static DlsStatus open_table(DlsHistory *h, const char *path, const DlsScene *scene, long rows) {
  const DlsCsvOptions options = {.flush_s = 1};
  h->count = walk(h, scene, true);
  h->column = calloc((size_t)h->count, sizeof *h->column);
  h->value = calloc((size_t)h->count, sizeof *h->value);
  h->name = calloc((size_t)h->count, sizeof *h->name);
  DLS_CHECK(h->column && h->value && h->name, DLS_ERR_MEMORY, "out of memory for %d columns",
            h->count);
  walk(h, scene, true);
  return rows < 0 ? dls_csv_create(path, h->column, h->count, &options, &h->csv)
                  : dls_csv_resume(path, h->column, h->count, &options, rows, &h->csv);
}

DlsStatus dls_history_open(const char *path, const DlsScene *scene, long rows, DlsHistory **out) {
  *out = NULL;
  DlsHistory *history = calloc(1, sizeof *history);
  DLS_CHECK(history, DLS_ERR_MEMORY, "out of memory for the history");
  const DlsStatus status = open_table(history, path, scene, rows);
  if (status == DLS_OK)
    *out = history;
  else
    dls_history_close(&history);
  return status;
}

DlsStatus dls_history_row(DlsHistory *history, const DlsScene *scene) {
  walk(history, scene, false);
  return dls_csv_row(history->csv, history->value);
}

DlsStatus dls_history_flush(DlsHistory *history) { return dls_csv_flush(history->csv); }
DlsStatus dls_history_sync(DlsHistory *history) { return dls_csv_sync(history->csv); }

DlsStatus dls_history_close(DlsHistory **history) {
  if (!*history) return DLS_OK;
  const DlsStatus status = dls_csv_close(&(*history)->csv);
  free((*history)->column);
  free((*history)->name);
  free((*history)->value);
  free(*history);
  *history = NULL;
  return status;
}
