#include "post/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "post/deformed.h"
#include "world/layout.h"

static const double pi = 3.14159265358979323846;

void dls_packing_clear(DlsPacking *g) {
  void *const all[] = {g->spin,           g->inertia,   g->position,     g->id,
                       g->centre,         g->velocity,  g->mass,         g->volume,
                       g->radius,         g->low,       g->high,         g->resultant,
                       g->held,           g->candidate, g->antagonist,   g->point,
                       g->normal,         g->force,     g->normal_force, g->tangential_force,
                       g->friction_limit, g->status,    g->reports.word, g->reports.output,
                       g->wall,           g->part,      g->moment,       g->shift};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  if (g->fine) dls_packing_clear(g->fine);
  free(g->fine);
  dls_facets_list_clear(&g->facets);
  memset(g, 0, sizeof *g);
}

DlsStatus dls_packing_reserve(DlsPacking *g, int grains, int contacts) {
  dls_packing_clear(g);
  DLS_NEW(g->id, grains);
  DLS_NEW(g->centre, grains);
  DLS_NEW(g->position, grains);
  DLS_NEW(g->spin, grains);
  DLS_NEW(g->inertia, grains);
  DLS_NEW(g->velocity, grains);
  DLS_NEW(g->mass, grains);
  DLS_NEW(g->volume, grains);
  DLS_NEW(g->radius, grains);
  DLS_NEW(g->low, grains);
  DLS_NEW(g->high, grains);
  DLS_NEW(g->resultant, grains);
  DLS_NEW(g->held, grains);
  DLS_NEW(g->candidate, contacts);
  DLS_NEW(g->antagonist, contacts);
  DLS_NEW(g->point, contacts);
  DLS_NEW(g->normal, contacts);
  DLS_NEW(g->force, contacts);
  DLS_NEW(g->normal_force, contacts);
  DLS_NEW(g->tangential_force, contacts);
  DLS_NEW(g->friction_limit, contacts);
  DLS_NEW(g->status, contacts);
  g->grains = grains;
  g->contacts = contacts;
  return DLS_OK;
}

DlsStatus dls_packing_copies(DlsPacking *g) {
  free(g->shift);
  DLS_NEW(g->shift, g->contacts);
  return DLS_OK;
}

DlsStatus dls_packing_walls(DlsPacking *g, int walls) {
  free(g->wall);
  dls_facets_list_clear(&g->facets);
  g->walls = 0;
  DLS_NEW(g->wall, walls);
  g->walls = walls;
  return DLS_OK;
}

double dls_packing_lag(const DlsSimulation *s) {
  return s->settings.scheme->after(s->settings.theta, s->last.report.h);
}

static void take_grain(const DlsSimulation *s, int body, int k, DlsPacking *g) {
  const DlsWorld *world = s->world;
  g->id[k] = (int64_t)world->id[body];
  g->mass[k] = world->mass[body];
  g->volume[k] = world->volume[body];
  g->radius[k] = world->dim == 3 ? cbrt(0.75 * g->volume[k] / pi) : sqrt(g->volume[k] / pi);
  g->held[k] = dls_world_is_fixed(world, body);
  memcpy(g->spin[k], world->velocity[body] + 3, sizeof g->spin[k]);
  dls_world_inertia(world, body, NULL, g->inertia[k]);
  if (!dls_world_is_round(world, body)) {
    dls_world_bounds(world, body, g->low[k], g->high[k]);
    for (int i = 0; i < 3; i++) {
      g->low[k][i] -= world->position[body][i];
      g->high[k][i] -= world->position[body][i];
    }
  }
  for (int i = 0; i < 3; i++) {
    const double v = world->velocity[body][i];
    g->velocity[k][i] = v;
    g->position[k][i] = world->position[body][i];
    g->centre[k][i] = g->position[k][i] - g->lag * v;
    if (s->last.report.h > 0 && !g->held[k])
      g->resultant[k][i] = world->mass[body] *
                           (v - dls_layout_six(s->last.free_velocity)[body][i]) / s->last.report.h;
  }
}

static void take_contact(const DlsSimulation *s, int i, const int *number, DlsPacking *g) {
  const DlsAssembly *a = &s->last.assembly;
  const int c = a->step.in_set[i], who = s->last.contacts.antagonist[c], dim = s->world->dim;
  const double *frame = s->last.contacts.frame[c],
               *r = a->solve.r + (size_t)i * (size_t)a->run.block;
  const double h = s->last.report.h;
  g->candidate[i] = number[s->last.contacts.candidate[c]];
  g->antagonist[i] = who >= 0 ? number[who] : -(int)s->world->boundary[-1 - who].id;
  memcpy(g->point[i], s->last.contacts.point[c], sizeof g->point[i]);
  if (g->shift) memcpy(g->shift[i], s->last.contacts.shift[c], sizeof g->shift[i]);
  memcpy(g->normal[i], frame, sizeof g->normal[i]);
  for (int k = 0; k < dim; k++)
    for (int e = 0; e < 3; e++) g->force[i][e] += frame[3 * k + e] * r[k] / h;
  g->normal_force[i] = r[0] / h;
  g->tangential_force[i] = dls_small_norm(dim - 1, r + 1) / h;
}

/* Stick and slip as the errors module sees them. */
static DlsStatus take_status(const DlsSimulation *s, DlsPacking *g) {
  DlsContactStatus *status;
  g->reports.outputs = dls_interactions_outputs(&s->settings.laws);
  DLS_NEW(g->reports.word, g->contacts);
  if (g->reports.outputs)
    DLS_NEW(g->reports.output, (size_t)g->contacts * (size_t)g->reports.outputs);
  DLS_NEW(status, g->contacts);
  const DlsStatus outcome =
      dls_assemble_status(&s->last.assembly, status, g->friction_limit, &g->reports);
  for (int i = 0; i < g->contacts; i++) {
    g->status[i] = (int32_t)status[i];
    g->friction_limit[i] /= s->last.report.h;
  }
  free(status);
  return outcome;
}

/* Back to where the contacts of the step were found. */
static DlsStatus take_walls(const DlsWorld *world, DlsPacking *g) {
  int count = 0;
  for (int b = 0; b < world->boundary_count; b++)
    count += !(world->boundary[b].flags & DLS_BODY_GHOST);
  DLS_TRY(dls_packing_walls(g, count));
  DlsBoundary *wall = g->wall;
  for (int b = 0; b < world->boundary_count; b++) {
    if (world->boundary[b].flags & DLS_BODY_GHOST) continue;
    DLS_TRY(dls_facets_hold(&g->facets, world->boundary[b].facets));
    *wall = world->boundary[b];
    dls_boundary_drift(-g->lag, wall++);
  }
  return DLS_OK;
}

static DlsStatus take_all(const DlsSimulation *s, const int *number, int shown, DlsPacking *g) {
  const DlsWorld *world = s->world;
  const int contacts =
      s->last.report.h > 0 ? s->last.assembly.step.count : 0; /* else no step yet */
  DLS_CHECK(world->next_boundary_id <= DLS_PACKING_BOUNDARIES + 1, DLS_ERR_UNSUPPORTED,
            "boundaries have been numbered up to %llu; a frame holds up to %d",
            (unsigned long long)world->next_boundary_id - 1, DLS_PACKING_BOUNDARIES);
  DLS_TRY(dls_packing_reserve(g, shown, contacts));
  g->dim = world->dim;
  g->time = s->state.time;
  g->lag = dls_packing_lag(s);
  g->h = s->last.report.h;
  g->boundaries = (int)world->next_boundary_id - 1;
  g->cell = world->cell;
  if (g->cell.axes) {
    dls_cell_drift(&g->cell, -g->lag);
    DLS_TRY(dls_packing_copies(g));
  }
  DLS_TRY(take_walls(world, g));
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, g->gravity);
  for (int b = 0; b < world->count; b++)
    if (number[b] >= 0) take_grain(s, b, number[b], g);
  for (int i = 0; i < contacts; i++) take_contact(s, i, number, g);
  if (contacts) DLS_TRY(take_status(s, g));
  if (world->deformable.count == 0) return DLS_OK;
  DlsDeformed deformed;
  DLS_TRY(dls_deformed_take(s, g, &deformed));
  const DlsStatus status = dls_packing_refine(g, &deformed.cells);
  dls_deformed_clear(&deformed);
  return status;
}

DlsStatus dls_packing_take(const DlsSimulation *s, DlsPacking *out) {
  int *number, shown = 0;
  DLS_NEW(number, s->world->count + 1);
  for (int b = 0; b < s->world->count; b++)
    number[b] = s->world->flags[b] & DLS_BODY_GHOST ? -1 : shown++;
  const DlsStatus status = take_all(s, number, shown, out);
  free(number);
  if (status != DLS_OK) dls_packing_clear(out);
  return status;
}

void dls_packing_box(const DlsPacking *g, double low[3], double high[3]) {
  int first = 1;
  for (int k = 0; k < 3; k++) low[k] = high[k] = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    for (int k = 0; k < g->dim; k++) {
      const double a = dls_packing_side(g, i, k, -1), b = dls_packing_side(g, i, k, 1);
      low[k] = first ? a : fmin(low[k], a);
      high[k] = first ? b : fmax(high[k], b);
    }
    first = 0;
  }
  for (int k = 0; k < g->dim && !first; k++) {
    if (!(g->cell.axes & (1u << k))) continue;
    low[k] = g->cell.corner[k];
    high[k] = low[k] + g->cell.edge[k][k];
  }
}

double dls_packing_volume(const DlsPacking *g) {
  double low[3], high[3], volume = g->cell.axes ? dls_cell_room(&g->cell) : 1;
  dls_packing_room(g, low, high);
  for (int k = 0; k < g->dim; k++)
    if (!(g->cell.axes & (1u << k))) volume *= high[k] - low[k];
  return volume;
}

void dls_packing_room(const DlsPacking *g, double low[3], double high[3]) {
  const double near = 0.1 * dls_packing_diameter(g);
  double middle[3];
  dls_packing_box(g, low, high);
  for (int k = 0; k < 3; k++) middle[k] = 0.5 * (low[k] + high[k]);
  for (int b = 0; b < g->walls; b++)
    for (int k = 0; k < g->dim; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const double way[3] = {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
        double *side = sign < 0 ? &low[k] : &high[k], leaves;
        const double far = dls_boundary_ray(g->dim, &g->wall[b], middle, way, near, &leaves);
        const double at = middle[k] + sign * (far - g->wall[b].rounding);
        if (fabs(at - *side) < near) *side = at;
      }
}

void dls_packing_leave_walls(DlsPacking *g) {
  for (int c = 0; c < g->contacts; c++)
    if (!dls_packing_is_free(g, g->candidate[c]) || !dls_packing_is_free(g, g->antagonist[c]))
      g->normal_force[c] = g->tangential_force[c] = 0;
}

double dls_packing_diameter(const DlsPacking *g) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < g->grains; i++)
    if (!g->held[i]) sum += 2 * g->radius[i], count++;
  return count ? sum / count : 0;
}

double dls_packing_mean_force(const DlsPacking *g) {
  double sum = 0;
  int count = 0;
  for (int c = 0; c < g->contacts; c++)
    if (g->normal_force[c] > 0) sum += g->normal_force[c], count++;
  return count ? sum / count : 0;
}
