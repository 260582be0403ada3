#include "run/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/csv.h"

struct DlsHistory {
  DlsCsv *csv;
  int count; /* of columns */
  DlsCsvColumn *column;
  bool deformable; /* there are such bodies, or were: accounts of theirs too */
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
  if (s->settings.correction != DLS_CORRECTION_NONE) {
    put(w, "corrections", "", r->corrections);
    put(w, "overlap", "m", r->overlap);
    put(w, "corrected", "J", l->corrected);
  }
  if (!w->history->deformable) return;
  put(w, "strain", "J", l->strain);
  put(w, "lost_within", "J", l->within);
  put(w, "lost_plastic", "J", l->plastic);
  put(w, "lost_viscous", "J", l->viscous);
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

static const char *const force[] = {"force_x", "force_y", "force_z"};
static const char *const torque[] = {"torque_x", "torque_y", "torque_z"};
static const char *const position[] = {"position_x", "position_y", "position_z"};
static const char *const angle[] = {"angle_x", "angle_y", "angle_z"};

/* Pa, what contacts do to the side of a round wall: their normal forces over the area as it is now.
 * Mean of the step, of its last part where it is halved. */
static double pressure_on(const DlsScene *scene, const DlsServo *servo) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  const DlsBoundary *wall = &s->world->boundary[servo->boundary];
  double push = 0; /* N s, along the growing radius */
  for (int i = 0; i < a->step.count && s->last.report.h > 0; i++) {
    const int c = a->step.in_set[i];
    if (s->last.contacts.antagonist[c] != -1 - servo->boundary) continue;
    push -= a->solve.r[(size_t)i * (size_t)a->run.block] *
            dls_boundary_outward(s->world->dim, wall, s->last.contacts.point[c],
                                 s->last.contacts.frame[c]);
  }
  const double area = dls_scene_servo_area(scene, servo);
  return s->last.report.h > 0 ? -servo->side * push / s->last.report.h / area : 0;
}

static void put_servo(Walk *w, const DlsScene *scene, const DlsServo *servo) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const DlsBoundary *wall = &scene->simulation->world->boundary[servo->boundary];
  const char *name = items[servo->boundary].name;
  if (!servo->swells) {
    put_of(w, position[servo->axis], name, "m", wall->position[servo->axis]);
    return;
  }
  put_of(w, "radius", name, "m", wall->radius[0]);
  put_of(w, "pressure", name, "Pa", pressure_on(scene, servo));
}

/* Force and torque on each boundary, mean of the step, the torque about its origin; where servos
 * have taken theirs. */
static void put_boundaries(Walk *w, const DlsScene *scene) {
  const DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const int dim = s->world->dim;
  for (int b = 0; b < scene->data.boundaries.count; b++) {
    const double zero[6] = {0}, *f = s->state.boundary_force ? s->state.boundary_force[b] : zero;
    for (int k = 0; k < dim; k++) put_of(w, force[k], items[b].name, "N", f[k]);
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) put_of(w, torque[k], items[b].name, "N m", f[3 + k]);
    for (int k = 0; k < scene->servos; k++)
      if (scene->servo[k].boundary == b) put_servo(w, scene, &scene->servo[k]);
  }
}

/* J since the start, law by law. */
static void put_laws(Walk *w, const DlsSimulation *s) {
  for (int k = 0; k < s->settings.laws.accounts; k++) {
    char name[200];
    dls_interactions_account_name(&s->settings.laws, k, name, sizeof name);
    put_of(w, "dissipated", name, "J", s->state.ledger.dissipated_by[k]);
  }
}

/* The turn from the deck's axes to the boundary's own, as a vector: its axis times its angle, from
 * 0 to pi; in 2-D about z alone, from -pi to pi. */
static void turn_of(const double q[4], int dim, double out[3]) {
  const double side = q[0] < 0 ? -1 : 1, sine = dls_vector_norm(q + 1);
  const double factor = sine > 0 ? 2 * atan2(sine, side * q[0]) / sine : 0;
  for (int k = 0; k < 3; k++) out[k] = dim == 2 && k < 2 ? 0 : side * factor * q[1 + k];
}

/* Where walls are that a deck drives: of a servo wall the axis that is its own stands above. */
static void put_driven_walls(Walk *w, const DlsScene *scene) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const DlsWorld *world = scene->simulation->world;
  for (int b = 0; b < scene->data.boundaries.count; b++) {
    const DlsBoundary *boundary = &world->boundary[b];
    double turn[3];
    turn_of(boundary->orientation, world->dim, turn);
    for (int k = 0; k < world->dim; k++)
      if (!items[b].servo && (items[b].displacement[0] || items[b].velocity[0]))
        put_of(w, position[k], items[b].name, "m", boundary->position[k]);
    for (int k = world->dim == 2 ? 2 : 0; k < 3; k++)
      if (items[b].spin[0]) put_of(w, angle[k], items[b].name, "rad", turn[k]);
  }
}

/* What contacts do to the bodies of an entry that are driven or held: the sum of the forces, N, and
 * of the torques about the centre of each, N m. Mean of the step, of its last part where it is
 * halved. */
static void push_of(const DlsScene *scene, const DlsRosterEntry *entry, double out[6]) {
  static const int row[] = {3, 6, 0}; /* of the frame, for rows of spins */
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  const DlsWorld *world = s->world;
  memset(out, 0, 6 * sizeof *out);
  for (int i = 0; i < a->step.count && s->last.report.h > 0; i++) {
    const int c = a->step.in_set[i];
    const int who[] = {s->last.contacts.candidate[c], s->last.contacts.antagonist[c]};
    const double *frame = s->last.contacts.frame[c];
    const double *r = a->solve.r + (size_t)i * (size_t)a->run.block;
    for (int side = 0; side < 2; side++) {
      if (who[side] < 0 || world->id[who[side]] < entry->first ||
          world->id[who[side]] >= entry->first + (uint64_t)dls_roster_led(entry))
        continue;
      const double factor = (side ? -1 : 1) / s->last.report.h;
      double f[3] = {0}, lever[3], moment[3];
      for (int k = 0; k < world->dim; k++)
        for (int e = 0; e < 3; e++) f[e] += factor * frame[3 * k + e] * r[k];
      for (int e = 0; e < 3; e++)
        lever[e] = s->last.contacts.point[c][e] - world->position[who[side]][e] -
                   (side ? s->last.contacts.shift[c][e] : 0);
      dls_vector_cross(lever, f, moment);
      if (world->dim == 2 && a->run.block > 2) moment[2] += factor * r[2];
      for (int k = 3; world->dim == 3 && k < a->run.block; k++)
        for (int e = 0; e < 3; e++) moment[e] += factor * frame[row[k - 3] + e] * r[k];
      for (int e = 0; e < 3; e++) out[e] += f[e], out[3 + e] += moment[e];
    }
  }
}

static void put_driven_bodies(Walk *w, const DlsScene *scene) {
  const int dim = scene->simulation->world->dim;
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    char name[220];
    double push[6];
    if (!dls_scene_entry_drives(scene, e, name, sizeof name)) continue;
    push_of(scene, entry, push);
    for (int k = 0; k < dim; k++) put_of(w, force[k], name, "N", push[k]);
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) put_of(w, torque[k], name, "N m", push[3 + k]);
  }
}

static int walk(DlsHistory *history, const DlsScene *scene, bool named) {
  const DlsStepReport *r = &scene->simulation->last.report;
  Walk w = {.history = history, .named = named};
  put_step(&w, scene);
  put_scene(&w, scene);
  put_boundaries(&w, scene);
  put_laws(&w, scene->simulation);
  put_driven_walls(&w, scene);
  put_driven_bodies(&w, scene);
  put(&w, "detect_time", "s", r->detect_s);
  put(&w, "assemble_time", "s", r->assemble_s);
  put(&w, "solve_time", "s", r->solve_s);
  put(&w, "integrate_time", "s", r->integrate_s);
  return w.next;
}

static DlsStatus open_table(DlsHistory *h, const char *path, const DlsScene *scene, long rows) {
  const DlsCsvOptions options = {.flush_s = 1};
  const DlsLedger *ledger = &scene->simulation->state.ledger;
  h->deformable = scene->simulation->world->deformable.count > 0 || ledger->within != 0;
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
