#include "post/packing_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "post/tensor.h"

DlsStatus dls_packing_cells_make(int nodes, int cells, int corners, int shares,
                                 DlsPackingCells *out) {
  *out = (DlsPackingCells){.nodes = nodes, .cells = cells, .shares = shares};
  DLS_NEW(out->place, nodes);
  DLS_NEW(out->velocity, nodes);
  DLS_NEW(out->start, cells + 1);
  DLS_NEW(out->node, corners);
  DLS_NEW(out->force, corners);
  DLS_NEW(out->owner, cells);
  DLS_NEW(out->volume, cells);
  DLS_NEW(out->mass, cells);
  DLS_NEW(out->moment, cells);
  DLS_NEW(out->share, shares);
  return DLS_OK;
}

void dls_packing_cells_clear(DlsPackingCells *c) {
  free(c->place), free(c->velocity), free(c->start), free(c->node), free(c->force);
  free(c->owner), free(c->volume), free(c->mass), free(c->moment), free(c->share);
  *c = (DlsPackingCells){0};
}

/* Where things stand in the fine packing: rigid grains, cells, nodes, points of contacts. */
typedef struct {
  const DlsPacking *from;
  const DlsPackingCells *cells;
  DlsPacking *fine;
  int *number; /* [grains of `from`], in the fine one; -1: deformable */
  int first_cell, first_node, points, contacts;
} Refining;

static bool is_soft(const DlsPacking *g, int grain) {
  return grain >= 0 && g->part[grain] == DLS_PART_BODY;
}

static void put_grain(const Refining *r, int i) {
  const DlsPacking *g = r->from;
  DlsPacking *f = r->fine;
  const int k = r->number[i];
  f->id[k] = g->id[i];
  f->mass[k] = g->mass[i], f->volume[k] = g->volume[i], f->radius[k] = g->radius[i];
  f->held[k] = g->held[i];
  memcpy(f->centre[k], g->centre[i], sizeof *f->centre);
  memcpy(f->velocity[k], g->velocity[i], sizeof *f->velocity);
  memcpy(f->position[k], g->position[i], sizeof *f->position);
  memcpy(f->spin[k], g->spin[i], sizeof *f->spin);
  memcpy(f->inertia[k], g->inertia[i], sizeof *f->inertia);
  memcpy(f->low[k], g->low[i], sizeof *f->low);
  memcpy(f->high[k], g->high[i], sizeof *f->high);
  memcpy(f->resultant[k], g->resultant[i], sizeof *f->resultant);
}

/* One more contact of the fine packing, with all that contact c has (-1: nothing) but for `force`
 * on the candidate. */
static int add_contact(Refining *r, int c, int candidate, int antagonist, const double point[3],
                       const double force[3]) {
  const DlsPacking *g = r->from;
  DlsPacking *f = r->fine;
  const int n = r->contacts++;
  f->candidate[n] = candidate;
  f->antagonist[n] = antagonist;
  memcpy(f->point[n], point, sizeof *f->point);
  memcpy(f->force[n], force, sizeof *f->force);
  f->friction_limit[n] = NAN;
  /* Forces within bodies are no contacts that push: neither normal nor strong. */
  f->tangential_force[n] = dls_vector_norm(force);
  if (c < 0) return n;
  memcpy(f->normal[n], g->normal[c], sizeof *f->normal);
  return n;
}

/* The end of contact c at a rigid body or a boundary; side 0: of the candidate. */
static void add_end(Refining *r, int c, int side, int point) {
  const DlsPacking *g = r->from;
  const int who = side ? g->antagonist[c] : g->candidate[c];
  const int end = who < 0 ? who : r->number[who];
  const int n = add_contact(r, c, side ? point : end, side ? end : point, g->point[c], g->force[c]);
  r->fine->normal_force[n] = g->normal_force[c];
  r->fine->tangential_force[n] = g->tangential_force[c];
  r->fine->friction_limit[n] = g->friction_limit[c];
  r->fine->status[n] = g->status[c];
}

static void put_contacts(Refining *r) {
  const DlsPacking *g = r->from;
  const DlsPackingCells *cells = r->cells;
  int share = 0;
  for (int c = 0; c < g->contacts; c++) {
    const bool soft[2] = {is_soft(g, g->candidate[c]), is_soft(g, g->antagonist[c])};
    if (!soft[0] && !soft[1]) {
      const int a = g->antagonist[c];
      const int n = add_contact(r, c, r->number[g->candidate[c]], a < 0 ? a : r->number[a],
                                g->point[c], g->force[c]);
      r->fine->normal_force[n] = g->normal_force[c];
      r->fine->tangential_force[n] = g->tangential_force[c];
      r->fine->friction_limit[n] = g->friction_limit[c];
      r->fine->status[n] = g->status[c];
      continue;
    }
    const int point = r->points++;
    r->fine->part[point] = DLS_PART_NODE;
    memcpy(r->fine->centre[point], g->point[c], sizeof *g->point);
    for (int side = 0; side < 2; side++)
      if (!soft[side]) add_end(r, c, side, point);
    for (; share < cells->shares && cells->share[share].contact == c; share++) {
      const DlsNodeShare *s = &cells->share[share];
      add_contact(r, c, r->first_node + s->node, point, g->point[c], s->force);
    }
  }
}

/* Centre and velocity: means of its nodes. */
static void put_cell(Refining *r, int c) {
  const DlsPackingCells *cells = r->cells;
  DlsPacking *f = r->fine;
  const int k = r->first_cell + c, count = cells->start[c + 1] - cells->start[c];
  double moved[9] = {0};
  f->id[k] = cells->owner[c];
  f->part[k] = DLS_PART_CELL;
  f->mass[k] = cells->mass[c], f->volume[k] = cells->volume[c];
  for (int e = cells->start[c]; e < cells->start[c + 1]; e++)
    for (int i = 0; i < 3; i++) {
      f->centre[k][i] += f->centre[r->first_node + cells->node[e]][i] / count;
      f->velocity[k][i] += cells->velocity[cells->node[e]][i] / count;
    }
  for (int e = cells->start[c]; e < cells->start[c + 1]; e++) {
    const int node = r->first_node + cells->node[e];
    double arm[3];
    for (int i = 0; i < 3; i++) arm[i] = f->centre[node][i] - f->centre[k][i];
    dls_tensor_add(1, cells->force[e], arm, moved);
    add_contact(r, -1, k, node, f->centre[node], cells->force[e]);
  }
  for (int i = 0; i < 9; i++) f->moment[k][i] = cells->moment[c][i] - moved[i];
}

static void put_nodes(Refining *r) {
  DlsPacking *f = r->fine;
  for (int a = 0; a < r->cells->nodes; a++) {
    const int k = r->first_node + a;
    f->part[k] = DLS_PART_NODE;
    for (int i = 0; i < 3; i++) {
      f->velocity[k][i] = r->cells->velocity[a][i];
      f->position[k][i] = r->cells->place[a][i];
      f->centre[k][i] = f->position[k][i] - f->lag * f->velocity[k][i];
    }
  }
}

static int find_grain(const DlsPacking *g, int64_t id) {
  int low = 0, high = g->grains - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (g->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low <= high && g->id[low] == id ? low : -1;
}

/* Parts, moments and boxes of the deformable bodies of the packing itself. */
static DlsStatus mark_bodies(DlsPacking *g, const DlsPackingCells *cells) {
  int last = -1;
  DLS_NEW(g->part, g->grains + 1);
  DLS_NEW(g->moment, g->grains + 1);
  for (int c = 0; c < cells->cells; c++) {
    const int i =
        last >= 0 && g->id[last] == cells->owner[c] ? last : find_grain(g, cells->owner[c]);
    DLS_CHECK(i >= 0, DLS_ERR_FORMAT, "cell %d is of body %lld, which is none of the frame", c,
              (long long)cells->owner[c]);
    last = i;
    if (g->part[i] != DLS_PART_BODY)
      for (int k = 0; k < g->dim; k++) g->low[i][k] = INFINITY, g->high[i][k] = -INFINITY;
    g->part[i] = DLS_PART_BODY;
    for (int k = 0; k < 9; k++) g->moment[i][k] += cells->moment[c][k];
    for (int e = cells->start[c]; e < cells->start[c + 1]; e++)
      for (int k = 0; k < g->dim; k++) {
        const int a = cells->node[e];
        const double away = cells->place[a][k] - g->lag * cells->velocity[a][k] - g->centre[i][k];
        g->low[i][k] = fmin(g->low[i][k], away);
        g->high[i][k] = fmax(g->high[i][k], away);
      }
  }
  return DLS_OK;
}

static DlsStatus refine(Refining *r) {
  const DlsPacking *g = r->from;
  const DlsPackingCells *cells = r->cells;
  int rigid = 0, points = 0, ends = 0;
  DLS_NEW(r->number, g->grains + 1);
  for (int i = 0; i < g->grains; i++) r->number[i] = is_soft(g, i) ? -1 : rigid++;
  for (int c = 0; c < g->contacts; c++) {
    const int soft = is_soft(g, g->candidate[c]) + is_soft(g, g->antagonist[c]);
    points += soft > 0;
    ends += soft < 2;
  }
  r->first_cell = rigid;
  r->first_node = rigid + cells->cells;
  r->points = r->first_node + cells->nodes;
  DLS_TRY(dls_packing_reserve(r->fine, r->points + points,
                              ends + cells->shares + cells->start[cells->cells]));
  DLS_NEW(r->fine->part, r->fine->grains);
  DLS_NEW(r->fine->moment, r->fine->grains);
  r->fine->dim = g->dim, r->fine->time = g->time, r->fine->lag = g->lag, r->fine->h = g->h;
  r->fine->boundaries = g->boundaries;
  memcpy(r->fine->gravity, g->gravity, sizeof g->gravity);
  for (int i = 0; i < g->grains; i++)
    if (r->number[i] >= 0) put_grain(r, i);
  put_nodes(r);
  put_contacts(r);
  r->fine->contacts_between = r->contacts;
  for (int c = 0; c < cells->cells; c++) put_cell(r, c);
  return DLS_OK;
}

DlsStatus dls_packing_refine(DlsPacking *g, const DlsPackingCells *cells) {
  Refining r = {.from = g, .cells = cells};
  if (cells->cells == 0) return DLS_OK;
  DLS_TRY(mark_bodies(g, cells));
  DLS_NEW(g->fine, 1);
  r.fine = g->fine;
  const DlsStatus status = refine(&r);
  free(r.number);
  return status;
}
