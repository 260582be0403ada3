#include "assemble/reach.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The radii that a material has in this world: the least and the largest of its balls, 0 and the
 * size of what is no ball, 0 of its boundaries. */
enum { LEAST, LARGEST, FIGURE, RADII };
typedef struct {
  double radius[RADII]; /* m; < 0 none */
  bool walls;
} Extremes;

bool dls_reach_is_asked(const DlsInteraction *item) {
  if (item->law->range) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->range) return true;
  return false;
}

static void find_extremes(const DlsWorld *world, Extremes *of, int materials) {
  for (int m = 0; m < materials; m++) of[m] = (Extremes){.radius = {-1, -1, -1}};
  for (int b = 0; b < world->boundary_count; b++) of[world->boundary[b].material].walls = true;
  for (int b = 0; b < world->count; b++) {
    Extremes *e = &of[world->material[b]];
    if (world->flags[b] & (DLS_BODY_GHOST | DLS_BODY_DOOMED)) continue;
    for (int k = world->first[b]; k < world->first[b + 1]; k++) {
      const double size = dls_world_element_size(world, k);
      if (!dls_world_is_ball(world, k)) {
        e->radius[FIGURE] = fmax(e->radius[FIGURE], size);
        continue;
      }
      e->radius[LARGEST] = fmax(e->radius[LARGEST], size);
      if (e->radius[LEAST] < 0 || size < e->radius[LEAST]) e->radius[LEAST] = size;
    }
  }
}

/* Whom the laws are asked about: at a place and time, where parameters are formulas. */
typedef struct {
  const DlsInteraction *item;
  int dim;
  double time;
  const double *place; /* NULL: parameters are numbers */
} Question;

/* The laws asked about a pair, either one of which may be the antagonist. Formulas that give
 * nothing that a law takes in the middle of a body are looked at where its contacts are. */
static DlsStatus ask(const Question *q, const DlsPair *pair, double *range) {
  DlsLawUse use = dls_interaction_use(q->item, -1, NULL, NULL);
  double params[DLS_MAX_PARAMS];
  if (q->place) {
    if (dls_interaction_params(q->item, q->time, q->place, pair->radius, params) != DLS_OK)
      return DLS_OK;
    use.params = params;
  }
  for (int side = 0; side < 2; side++) {
    const DlsPair seen = {pair->dim,
                          pair->radius,
                          {pair->radii[side], pair->radii[!side]},
                          dls_interaction_tables(q->item)};
    double own;
    DLS_TRY(dls_law_range(&use, &seen, &own));
    *range = fmax(*range, own);
  }
  return DLS_OK;
}

/* A body of radius R, or of size R where it is no ball, against what a material has. */
static DlsStatus ask_against(const Question *q, double R, bool ball, const Extremes *other,
                             double *range) {
  const int dim = q->dim;
  for (int k = 0; k < RADII; k++) {
    const double S = other->radius[k];
    const bool both = ball && k != FIGURE;
    if (R < 0 || S < 0) continue;
    DLS_TRY(ask(q, &(DlsPair){dim, R * S / (R + S), {both ? R : 0, both ? S : 0}, NULL}, range));
    if (!both) DLS_TRY(ask(q, &(DlsPair){.dim = dim}, range)); /* no radius is known */
  }
  if (!other->walls || R < 0) return DLS_OK;
  DLS_TRY(ask(q, &(DlsPair){dim, R, {0, ball ? R : 0}, NULL}, range));
  return ball ? DLS_OK : ask(q, &(DlsPair){.dim = dim}, range);
}

static DlsStatus ask_materials(const Question *q, const Extremes *one, const Extremes *other,
                               double *range) {
  for (int k = 0; k < RADII; k++) {
    DLS_TRY(ask_against(q, one->radius[k], k != FIGURE, other, range));
    DLS_TRY(ask_against(q, other->radius[k], k != FIGURE, one, range));
  }
  return DLS_OK;
}

/* Formulas are asked where each body of the material is. */
static DlsStatus ask_bodies(Question *q, const DlsWorld *world, int material, const Extremes *other,
                            double *range) {
  for (int b = 0; b < world->count; b++) {
    if (world->material[b] != material || world->flags[b] & (DLS_BODY_GHOST | DLS_BODY_DOOMED))
      continue;
    q->place = world->position[b];
    for (int e = world->first[b]; e < world->first[b + 1]; e++)
      DLS_TRY(ask_against(q, dls_world_element_size(world, e), dls_world_is_ball(world, e), other,
                          range));
  }
  return DLS_OK;
}

/* Of the pair of materials i and j. */
static DlsStatus bound(const DlsInteraction *item, const DlsWorld *world, double time,
                       const Extremes *of, int i, int j, double *range) {
  Question q = {item, world->dim, time, NULL};
  if (item->formulas == 0) return ask_materials(&q, &of[i], &of[j], range);
  DLS_TRY(ask_bodies(&q, world, i, &of[j], range));
  return ask_bodies(&q, world, j, &of[i], range);
}

/* Whether interaction k is that of the materials i and j, or of one and a boundary of the other. */
static bool is_between(const DlsInteractions *laws, int k, int i, int j) {
  if (laws->pair[i * laws->materials + j] == k) return true;
  for (int b = 0; b < laws->boundaries; b++) {
    const int of = laws->boundary_material[b];
    if ((of == j && laws->wall[i * laws->boundaries + b] == k) ||
        (of == i && laws->wall[j * laws->boundaries + b] == k))
      return true;
  }
  return false;
}

static DlsStatus bound_all(const DlsInteractions *laws, const DlsWorld *world, double time,
                           const Extremes *of, double *range, double *farthest) {
  for (int k = 0; k < laws->count; k++) {
    double own = 0;
    if (dls_reach_is_asked(&laws->item[k]))
      for (int i = 0; i < laws->materials; i++)
        for (int j = i; j < laws->materials; j++)
          if (is_between(laws, k, i, j))
            DLS_TRY(bound(&laws->item[k], world, time, of, i, j, &own));
    if (range) range[k] = own;
    *farthest = fmax(*farthest, own);
  }
  return DLS_OK;
}

DlsStatus dls_reach_bounds(const DlsInteractions *laws, const DlsWorld *world, double time,
                           double *range, double *farthest) {
  bool any = false;
  *farthest = 0;
  for (int k = 0; k < laws->count; k++) {
    any |= dls_reach_is_asked(&laws->item[k]);
    if (range) range[k] = 0;
  }
  if (!any) return DLS_OK;
  Extremes *of;
  const int materials =
      world->materials.count > laws->materials ? world->materials.count : laws->materials;
  DLS_NEW(of, materials);
  find_extremes(world, of, materials);
  const DlsStatus status = bound_all(laws, world, time, of, range, farthest);
  free(of);
  return status;
}
