#include "post/deformed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "post/deformed_impl.h"
#include "world/deformable.h"

void dls_tensor_unfold(const double s[6], double out[9]) {
  static const int from[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  for (int k = 0; k < 9; k++) out[k] = s[from[k]];
}

void dls_deformed_clear(DlsDeformed *d) {
  void *const all[] = {d->displacement, d->type,         d->material, d->body,
                       d->energy,       d->stress,       d->strain,   d->error,
                       d->point,        d->place,        d->weight,   d->point_stress,
                       d->point_strain, d->point_energy, d->state,    d->node_stress,
                       d->node_strain,  d->reaction,     d->traction, d->pressure,
                       d->gap,          d->status};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  for (int k = 0; k < d->states; k++) free(d->name[k]);
  free(d->name);
  dls_packing_cells_clear(&d->cells);
  *d = (DlsDeformed){0};
}

static const DlsDeformableMesh *mesh_of(const DlsDeformable *d) {
  return d->kind->mesh ? d->kind->mesh(d->model) : NULL;
}

static int find_name(const DlsDeformed *d, const char *name) {
  for (int k = 0; k < d->states; k++)
    if (strcmp(d->name[k], name) == 0) return k;
  return -1;
}

/* The names of all states, each once. */
static DlsStatus take_names(const DlsWorld *world, DlsDeformed *out) {
  int most = 0;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformableMesh *m = mesh_of(&world->deformable.item[k]);
    most += m ? m->states : 0;
  }
  DLS_NEW(out->name, most + 1);
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformableMesh *m = mesh_of(&world->deformable.item[k]);
    for (int s = 0; m && s < m->states; s++) {
      if (find_name(out, m->state[s]) >= 0) continue;
      out->name[out->states] = strdup(m->state[s]);
      DLS_CHECK(out->name[out->states], DLS_ERR_MEMORY, "out of memory for a state's name");
      out->states++;
    }
  }
  return DLS_OK;
}

static DlsStatus make(const DlsWorld *world, int shares, DlsDeformed *out) {
  size_t nodes = 0, cells = 0, corners = 0, points = 0;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformableMesh *m = mesh_of(&world->deformable.item[k]);
    if (!m) continue;
    nodes += (size_t)m->nodes, cells += (size_t)m->cells;
    corners += (size_t)m->start[m->cells], points += (size_t)m->point[m->cells];
  }
  DLS_TRY(dls_packing_cells_make((int)nodes, (int)cells, (int)corners, shares, &out->cells));
  out->cells.shares = 0;
  DLS_NEW(out->displacement, nodes);
  DLS_NEW(out->type, cells);
  DLS_NEW(out->material, cells);
  DLS_NEW(out->body, nodes);
  DLS_NEW(out->energy, cells);
  DLS_NEW(out->stress, cells);
  DLS_NEW(out->strain, cells);
  DLS_NEW(out->error, cells);
  DLS_NEW(out->point, cells + 1);
  DLS_NEW(out->place, points);
  DLS_NEW(out->weight, points);
  DLS_NEW(out->point_stress, points);
  DLS_NEW(out->point_strain, points);
  DLS_NEW(out->point_energy, points);
  DLS_NEW(out->node_stress, nodes);
  DLS_NEW(out->node_strain, nodes);
  DLS_NEW(out->reaction, nodes);
  DLS_NEW(out->traction, nodes);
  DLS_NEW(out->pressure, nodes);
  DLS_NEW(out->gap, nodes);
  DLS_NEW(out->status, nodes);
  DLS_TRY(take_names(world, out));
  DLS_NEW(out->state, (size_t)out->states * points);
  for (size_t k = 0; k < (size_t)out->states * points; k++) out->state[k] = NAN;
  for (size_t a = 0; a < nodes; a++) out->gap[a] = NAN;
  return DLS_OK;
}

/* Cells of one body, whose nodes, cells, corners and points begin there. */
static void take_cells(const DlsWorld *world, const DlsDeformable *d, const DlsDeformableMesh *m,
                       const DlsBodyPlace *at, DlsDeformed *out) {
  DlsPackingCells *cells = &out->cells;
  for (int a = 0; a < m->nodes; a++) {
    out->body[at->node + a] = (int64_t)world->id[d->body];
    for (int k = 0; k < 3; k++)
      cells->place[at->node + a][k] = m->X[a][k] + out->displacement[at->node + a][k];
  }
  for (int c = 0; c < m->cells; c++) {
    const int own = at->cell + c;
    cells->start[own + 1] = at->corner + m->start[c + 1];
    cells->owner[own] = (int64_t)world->id[d->body];
    out->type[own] = m->type[c];
    out->material[own] = world->material[d->body];
    out->point[own + 1] = at->point + m->point[c + 1];
    for (int e = m->start[c]; e < m->start[c + 1]; e++)
      cells->node[at->corner + e] = at->node + m->node[e];
    for (int p = at->point + m->point[c]; p < out->point[own + 1]; p++) {
      double nine[9];
      dls_tensor_unfold(out->point_stress[p], nine);
      cells->volume[own] += out->weight[p];
      out->energy[own] += out->weight[p] * out->point_energy[p];
      for (int k = 0; k < 9; k++) {
        if (out->dim == 2 && k == 8) continue; /* as all sums over grains in 2-D */
        cells->moment[own][k] += out->weight[p] * nine[k];
      }
      for (int k = 0; k < 6; k++) {
        out->stress[own][k] += out->weight[p] * out->point_stress[p][k];
        out->strain[own][k] += out->weight[p] * out->point_strain[p][k];
      }
    }
    cells->mass[own] = m->mass[c];
    out->energy[own] /= cells->volume[own];
    for (int k = 0; k < 6; k++)
      out->stress[own][k] /= cells->volume[own], out->strain[own][k] /= cells->volume[own];
  }
}

static DlsStatus take_body(const DlsWorld *world, const DlsDeformable *d,
                           const DlsDeformableMesh *m, const DlsBodyPlace *at, DlsDeformed *out) {
  const size_t points = (size_t)m->point[m->cells];
  double *state;
  DLS_NEW(state, (size_t)m->states * points);
  DlsDeformableFields fields = {.displacement = out->displacement + at->node,
                                .velocity = out->cells.velocity + at->node,
                                .force = out->cells.force + at->corner,
                                .place = out->place + at->point,
                                .weight = out->weight + at->point,
                                .stress = out->point_stress + at->point,
                                .strain = out->point_strain + at->point,
                                .energy = out->point_energy + at->point,
                                .state = state};
  const DlsStatus status = d->kind->fields(d->model, world->deformable.state + d->state,
                                           world->deformable.velocity + d->velocity, &fields);
  for (int s = 0; s < m->states && status == DLS_OK; s++) {
    double *to = out->state + (size_t)find_name(out, m->state[s]) * (size_t)at->points + at->point;
    memcpy(to, state + (size_t)s * points, points * sizeof *to);
  }
  free(state);
  if (status != DLS_OK)
    return dls_fail_context(status, "body %llu, a %s", (unsigned long long)world->id[d->body],
                            d->kind->name);
  take_cells(world, d, m, at, out);
  return DLS_OK;
}

/* ---- What nodes have of contacts ---- */

typedef struct {
  const DlsSimulation *simulation;
  const DlsPacking *packing;
  const DlsBodyPlace *place; /* [deformable bodies] */
  int **owner;               /* [deformable bodies]: node * dim + axis of each velocity */
  DlsDeformed *out;
  double (*normal)[3]; /* [nodes]: sums of outward normals of contacts, by their weights */
} Sharing;

/* The node of each velocity of a body; freed by the caller. */
static DlsStatus number_nodes(const DlsDeformable *d, const DlsDeformableMesh *m, int **out) {
  DLS_NEW(*out, d->size.velocities);
  for (int v = 0; v < d->size.velocities; v++) (*out)[v] = -1;
  for (int a = 0; a < m->nodes; a++)
    for (int k = 0; k < m->dim; k++)
      if (m->velocity[a * m->dim + k] >= 0) (*out)[m->velocity[a * m->dim + k]] = a * m->dim + k;
  return DLS_OK;
}

static void share_with(Sharing *g, int contact, int side, int node, const double force[3],
                       double weight) {
  DlsDeformed *out = g->out;
  const double *n = g->packing->normal[contact];
  DlsPackingCells *cells = &out->cells;
  DlsNodeShare *last = cells->shares ? &cells->share[cells->shares - 1] : NULL;
  if (!last || last->contact != contact || last->side != side || last->node != node) {
    last = &cells->share[cells->shares++];
    *last = (DlsNodeShare){.contact = contact, .side = side, .node = node};
    /* Weights of quadratic sides and of mortar may be below 0. */
    for (int k = 0; k < 3; k++) g->normal[node][k] += (side ? 1 : -1) * fabs(weight) * n[k];
  }
  for (int k = 0; k < 3; k++) {
    last->force[k] += force[k];
    out->reaction[node][k] += force[k];
  }
  const int c = g->simulation->last.assembly.step.in_set[contact];
  const double gap = g->simulation->last.contacts.gap[c];
  if (!(out->gap[node] <= gap)) out->gap[node] = gap;
  if (g->packing->status[contact] > out->status[node])
    out->status[node] = g->packing->status[contact];
}

/* An element of deformable body number `which` takes its share of the force of a contact: each
 * velocity that moves it takes `move` . force, along the direction in which it moves its node. */
static void share_element(Sharing *g, int contact, int side, int which, int element, double share) {
  const DlsSimulation *s = g->simulation;
  const DlsWorld *world = s->world;
  const DlsDeformable *d = &world->deformable.item[which];
  DlsPointWeight *w = world->deformable.weights;
  const int c = s->last.assembly.step.in_set[contact], dim = world->dim;
  const int count = d->kind->weights(d->model, world->deformable.state + d->state, element,
                                     s->last.contacts.point[c], w);
  for (int v = 0; v < count; v++) {
    const int number = g->owner[which][w[v].velocity];
    const double size = dls_vector_norm(w[v].move);
    double force[3];
    if (number < 0 || size == 0) continue;
    const double along =
        share * (side ? -1 : 1) * dls_vector_dot(w[v].move, g->packing->force[contact]) / size;
    for (int k = 0; k < 3; k++) force[k] = along * w[v].move[k];
    share_with(g, contact, side, g->place[which].node + number / dim, force, share * size);
  }
}

/* One side of a contact on a deformable body: the elements that make it, or the one it names. */
static void share_side(Sharing *g, int contact, int side) {
  const DlsSimulation *s = g->simulation;
  const DlsWorld *world = s->world;
  const DlsContactSet *set = &s->last.contacts;
  const int c = s->last.assembly.step.in_set[contact];
  const int body = side ? set->antagonist[c] : set->candidate[c];
  const DlsDeformable *d = body < 0 ? NULL : dls_deformable_of(world, body);
  if (!d || !d->kind->mesh) return;
  const int which = (int)(d - world->deformable.item);
  const DlsContactMean mean = set->mean[c][side];
  if (mean.count == 0)
    share_element(g, contact, side, which, dls_contact_element(world, set, c, side), 1);
  for (int m = mean.start; m < mean.start + mean.count; m++)
    share_element(g, contact, side, which, set->element[m], set->weight[m]);
}

static DlsStatus share_contacts(Sharing *g) {
  DlsDeformed *out = g->out;
  const DlsWorld *world = g->simulation->world;
  DlsStatus status = DLS_OK;
  DLS_NEW(g->normal, out->cells.nodes);
  for (int k = 0; k < world->deformable.count && status == DLS_OK; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const DlsDeformableMesh *m = mesh_of(d);
    if (m) status = number_nodes(d, m, &g->owner[k]);
  }
  for (int i = 0; i < g->packing->contacts && status == DLS_OK; i++)
    for (int side = 0; side < 2; side++) share_side(g, i, side);
  if (status == DLS_OK)
    status = dls_deformed_press(world, g->place, (const double(*)[3])g->normal, out);
  free(g->normal);
  for (int k = 0; k < world->deformable.count; k++) free(g->owner[k]);
  return status;
}

/* Where the bodies begin. */
static DlsStatus place_bodies(const DlsWorld *world, DlsBodyPlace **out) {
  DlsBodyPlace at = {0};
  DLS_NEW(*out, world->deformable.count + 1);
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformableMesh *m = mesh_of(&world->deformable.item[k]);
    (*out)[k] = at;
    if (!m) continue;
    at.node += m->nodes, at.cell += m->cells;
    at.corner += m->start[m->cells], at.point += m->point[m->cells];
  }
  for (int k = 0; k < world->deformable.count; k++) (*out)[k].points = at.point;
  return DLS_OK;
}

static DlsStatus take(const DlsSimulation *s, const DlsPacking *packing, const DlsBodyPlace *place,
                      DlsDeformed *out) {
  const DlsWorld *world = s->world;
  int widest = 0;
  for (int k = 0; k < world->deformable.count; k++)
    if (world->deformable.item[k].size.weights > widest)
      widest = world->deformable.item[k].size.weights;
  DLS_TRY(make(world, widest * (2 * packing->contacts + s->last.contacts.weights), out));
  out->dim = world->dim;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const DlsDeformableMesh *m = mesh_of(d);
    if (m) DLS_TRY(take_body(world, d, m, &place[k], out));
  }
  Sharing sharing = {.simulation = s, .packing = packing, .place = place, .out = out};
  DLS_NEW(sharing.owner, world->deformable.count);
  const DlsStatus status = share_contacts(&sharing);
  free(sharing.owner);
  DLS_TRY(status);
  return dls_deformed_recover(out);
}

DlsStatus dls_deformed_take(const DlsSimulation *s, const DlsPacking *packing, DlsDeformed *out) {
  DlsBodyPlace *place;
  *out = (DlsDeformed){0};
  if (s->world->deformable.count == 0) return DLS_OK;
  DLS_TRY(place_bodies(s->world, &place));
  const DlsStatus status = take(s, packing, place, out);
  free(place);
  if (status != DLS_OK) dls_deformed_clear(out);
  return status;
}
