#include "record/frames/frames_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/fabric.h"
#include "world/convex.h"
#include "world/deformable.h"

void dls_frame_view_clear(DlsFrameView *v) {
  void *const all[] = {v->centre,        v->radius,       v->velocity,
                       v->spin,          v->axes,         v->load,
                       v->energy,        v->id,           v->material,
                       v->slip,          v->gap,          v->candidate,
                       v->law,           v->antagonist,   v->normal_velocity,
                       v->ends,          v->chain_force,  v->coordination,
                       v->body_load,     v->chain_status, v->chain_tangential,
                       v->body_contacts, v->cohesion,     v->state,
                       v->states,        v->state_name,   v->grain,
                       v->dissipated,    v->torque,       v->body,
                       v->neighbours,    v->corners,      v->area};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  dls_packing_clear(&v->packing);
  dls_post_arrays_clear(&v->post);
  dls_report_arrays_clear(&v->reports);
}

/* free() of an array that others may still ask for. */
#define LET_GO(array) (free(array), (array) = NULL)

void dls_frame_view_let_go(DlsFrameView *v) {
  dls_packing_clear(&v->packing);
  dls_post_arrays_clear(&v->post);
  dls_report_arrays_clear(&v->reports);
  LET_GO(v->velocity), LET_GO(v->spin), LET_GO(v->axes), LET_GO(v->energy);
  LET_GO(v->material), LET_GO(v->coordination), LET_GO(v->neighbours), LET_GO(v->corners);
  LET_GO(v->normal_velocity), LET_GO(v->slip), LET_GO(v->gap), LET_GO(v->area);
  LET_GO(v->candidate), LET_GO(v->antagonist), LET_GO(v->law), LET_GO(v->cohesion);
  LET_GO(v->dissipated), LET_GO(v->torque), LET_GO(v->state), LET_GO(v->states);
  LET_GO(v->state_name), LET_GO(v->ends), LET_GO(v->chain_force);
  LET_GO(v->chain_tangential), LET_GO(v->chain_status);
  v->state_count = 0;
}

static int count_elements(const DlsWorld *world) {
  int count = 0;
  for (int b = 0; b < world->count; b++)
    if (dls_frame_shows(world, b)) count += world->first[b + 1] - world->first[b];
  return count;
}

static DlsStatus view_make(DlsFrameView *v, const DlsSimulation *s) {
  const size_t e = (size_t)count_elements(s->world), c = (size_t)v->packing.contacts;
  const size_t b = (size_t)s->world->count;
  int block; /* of the laws: those of a frame before the first step too */
  DLS_TRY(dls_interactions_block(&s->settings.laws, s->world->dim, &block));
  v->elements = (int)e;
  v->contacts = (int)c;
  DLS_NEW(v->grain, e);
  DLS_NEW(v->body, e);
  DLS_NEW(v->centre, 3 * e);
  DLS_NEW(v->radius, e);
  DLS_NEW(v->velocity, 3 * e);
  DLS_NEW(v->spin, 3 * e);
  DLS_NEW(v->axes, 9 * e);
  DLS_NEW(v->load, e);
  DLS_NEW(v->energy, e);
  DLS_NEW(v->id, e);
  DLS_NEW(v->material, e);
  DLS_NEW(v->coordination, e);
  DLS_NEW(v->neighbours, e);
  DLS_NEW(v->corners, e);
  DLS_NEW(v->normal_velocity, c);
  DLS_NEW(v->slip, c);
  DLS_NEW(v->gap, c);
  DLS_NEW(v->area, c);
  DLS_NEW(v->candidate, c);
  DLS_NEW(v->antagonist, c);
  DLS_NEW(v->law, c);
  DLS_NEW(v->cohesion, c);
  DLS_NEW(v->dissipated, c);
  if (block > s->world->dim) DLS_NEW(v->torque, 3 * c);
  DLS_NEW(v->ends, 6 * c);
  DLS_NEW(v->chain_force, 2 * c);
  DLS_NEW(v->chain_tangential, 2 * c);
  DLS_NEW(v->chain_status, 2 * c);
  DLS_NEW(v->body_load, b);
  DLS_NEW(v->body_contacts, b);
  return DLS_OK;
}

static double length(int n, const double *x) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* A line between the bodies of contact i, if it carries anything. */
static void fill_chain(DlsFrameView *v, const DlsSimulation *s, int i, int c) {
  const DlsPacking *g = &v->packing;
  if (g->normal_force[i] == 0 && !(g->tangential_force[i] > 0)) return;
  const int own = s->last.contacts.candidate[c], who = s->last.contacts.antagonist[c];
  const int k = v->chains++;
  const double *point = s->last.contacts.point[c];
  const bool soft[2] = {dls_deformable_of(s->world, own),
                        who >= 0 && dls_deformable_of(s->world, who)};
  const bool mixed = who >= 0 && soft[0] != soft[1];
  const double *from = mixed && soft[0] ? point : s->world->position[own];
  const double *to = who < 0 || (mixed && soft[1]) ? point : s->world->position[who];
  memcpy(v->ends + 6 * k, from, 3 * sizeof *from);
  memcpy(v->ends + 6 * k + 3, to, 3 * sizeof *to);
  for (int e = 0; e < 3; e++) v->ends[6 * k + 3 + e] += s->last.contacts.shift[c][e];
  for (int end = 2 * k; end < 2 * k + 2; end++) {
    v->chain_force[end] = g->normal_force[i];
    v->chain_tangential[end] = g->tangential_force[i];
    v->chain_status[end] = g->status[i];
  }
}

/* On the candidate: rows of spins are those of t1, t2 and n, in 2-D the axis of the plane. */
static void fill_torque(const DlsSimulation *s, int i, int c, double *torque) {
  const DlsAssembly *a = &s->last.assembly;
  const double *frame = s->last.contacts.frame[c],
               *r = a->solve.r + (size_t)i * (size_t)a->run.block;
  static const int row[] = {3, 6, 0};
  const int dim = s->world->dim;
  if (dim == 2) torque[2] = r[2] / s->last.report.h;
  for (int k = dim; dim == 3 && k < a->run.block; k++)
    for (int e = 0; e < 3; e++) torque[e] += frame[row[k - dim] + e] * r[k] / s->last.report.h;
}

static void fill_contacts(DlsFrameView *v, const DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsWorld *world = s->world;
  for (int i = 0; i < v->contacts; i++) {
    const int c = a->step.in_set[i], who = s->last.contacts.antagonist[c],
              body = s->last.contacts.candidate[c];
    const double *r = a->solve.r + (size_t)i * (size_t)a->run.block;
    const double *u = a->solve.u + (size_t)i * (size_t)a->run.block;
    v->normal_velocity[i] = u[0];
    v->slip[i] = length(world->dim - 1, u + 1);
    v->gap[i] = s->last.contacts.gap[c];
    v->area[i] = s->last.contacts.area[c];
    v->candidate[i] = (int64_t)world->id[body];
    v->antagonist[i] = who >= 0 ? (int64_t)world->id[who] : -(int64_t)world->boundary[-1 - who].id;
    v->law[i] = a->step.interaction[i];
    v->cohesion[i] = r[0] < 0 ? 2 : dls_assemble_relation(a, i)->a[0] > 0;
    v->dissipated[i] = dls_assemble_dissipated(a, i);
    if (v->torque) fill_torque(s, i, c, v->torque + 3 * i);
    const int touching = r[0] != 0;
    const double load = fabs(v->packing.normal_force[i]);
    v->body_load[body] += load;
    v->body_contacts[body] += touching;
    if (who >= 0) {
      v->body_load[who] += load;
      v->body_contacts[who] += touching;
    }
    fill_chain(v, s, i, c);
  }
}

/* Vertices of its core; 0 of a ball. */
static int corners_of(const DlsWorld *world, int e) {
  if (dls_world_is_ball(world, e)) return 0;
  const DlsSolid solid = dls_world_solid(world, e);
  return solid.kind == DLS_SHAPE_CONVEX ? dls_convex_view(&solid).vertices : 1;
}

/* Element e of body b as the k-th of the view. */
static void fill_element(DlsFrameView *v, const DlsWorld *world, int b, int e, int k) {
  dls_world_element_centre(world, e, v->centre + 3 * k);
  memcpy(v->velocity + 3 * k, world->velocity[b], 3 * sizeof *v->velocity);
  memcpy(v->spin + 3 * k, world->velocity[b] + 3, 3 * sizeof *v->spin);
  dls_rotation_matrix(world->orientation[b], v->axes + 9 * k);
  v->radius[k] = dls_world_element_size(world, e);
  v->id[k] = (int64_t)world->id[b];
  v->material[k] = world->material[b];
  v->load[k] = v->body_load[b];
  v->coordination[k] = v->body_contacts[b];
  v->corners[k] = corners_of(world, e);
  v->energy[k] = dls_world_body_energy(world, b);
}

static void fill_elements(DlsFrameView *v, const DlsWorld *world) {
  int k = 0, grain = 0;
  for (int b = 0; b < world->count; b++) {
    if (!dls_frame_shows(world, b)) continue;
    for (int e = world->first[b]; e < world->first[b + 1]; e++) {
      v->grain[k] = grain;
      v->body[k] = b;
      fill_element(v, world, b, e, k++);
    }
    grain++;
  }
}

/* The array of a law's first state variable, made when it is met first; the others follow. */
static int states_of(DlsFrameView *v, const DlsLaw *law) {
  char name[DLS_STATE_NAME];
  snprintf(name, sizeof name, "%s.%s", law->name, law->states[0].name);
  for (int k = 0; k < v->state_count; k++)
    if (strcmp(v->state_name[k], name) == 0) return k;
  for (int k = 0; k < law->nstates; k++) {
    char *own = v->state_name[v->state_count + k];
    snprintf(own, DLS_STATE_NAME, "%s.%s", law->name, law->states[k].name);
    v->states[v->state_count + k] =
        (DlsVtuArray){.name = own,
                      .values = v->state + (size_t)(v->state_count + k) * (size_t)v->contacts,
                      .type = DLS_VTU_FLOAT64,
                      .components = 1};
  }
  v->state_count += law->nstates;
  return v->state_count - law->nstates;
}

/* State variables of contacts, zero where another law acts. */
static DlsStatus fill_states(DlsFrameView *v, const DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  int most = 0;
  for (int k = 0; k < s->settings.laws.count; k++) {
    const DlsLawUse use = dls_interaction_use(&s->settings.laws.item[k], -1, NULL, NULL);
    most += dls_law_count_states(&use);
  }
  DLS_NEW(v->state, (size_t)most * (size_t)v->contacts);
  DLS_NEW(v->states, most);
  DLS_NEW(v->state_name, most);
  for (int k = 0; k < s->settings.laws.count; k++) {
    const DlsInteraction *item = &s->settings.laws.item[k];
    int at = 0, next = 0;
    for (const DlsLaw *law = item->law; law; at += law->nstates, law = item->then[next++]) {
      if (law->nstates == 0) continue;
      const int first = states_of(v, law);
      for (int i = 0; i < v->contacts; i++)
        for (int n = 0; n < law->nstates && a->step.interaction[i] == k; n++)
          v->state[(size_t)(first + n) * (size_t)v->contacts + (size_t)i] =
              a->step.state[(size_t)i * (size_t)a->run.states + (size_t)(at + n)];
    }
  }
  return DLS_OK;
}

static DlsStatus fill_neighbours(DlsFrameView *v) {
  int32_t *number;
  DLS_NEW(number, v->packing.grains);
  const DlsStatus status = dls_fabric_neighbours(&v->packing, number);
  for (int e = 0; e < v->elements && status == DLS_OK; e++) v->neighbours[e] = number[v->grain[e]];
  free(number);
  return status;
}

DlsStatus dls_frame_view_fill(const DlsSimulation *s, DlsFrameView *v) {
  DLS_TRY(dls_packing_take(s, &v->packing));
  DLS_TRY(view_make(v, s));
  fill_contacts(v, s);
  fill_elements(v, s->world);
  DLS_TRY(fill_neighbours(v));
  DLS_TRY(fill_states(v, s));
  return dls_report_arrays_make(s, &v->packing, &v->reports);
}
