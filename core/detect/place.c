#include "detect/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rotation.h"
#include "detect/link.h"
#include "world/boundary/kind.h"
#include "world/deformable.h"

static const double near = 0.05;                  /* of the size of the pair */
static const double alike = 0.707106781186547524; /* cosine: of 45 degrees */

enum { MOST_OF_PAIR = 128 };

bool dls_places_matter(const DlsWorld *world) {
  for (int b = 0; b < world->boundary_count; b++)
    if (dls_boundary_operations(world->boundary[b].kind)->of_facets) return true;
  return world->figure != NULL;
}

void dls_place_take(const DlsWorld *world, const DlsDetection *where, const DlsContactSet *set,
                    int c, DlsContactPlace *out) {
  const int who[2] = {set->antagonist[c], set->candidate[c]};
  const double *n = set->frame[c];
  for (int side = 0; side < 2; side++) {
    const double away = (side == 0 ? -0.5 : 0.5) * set->gap[c];
    double x[3];
    const DlsPose pose = dls_side_pose(world, where, who[side]);
    for (int k = 0; k < 3; k++) x[k] = set->point[c][k] + away * n[k];
    dls_pose_to_local(&pose, x, out->at[side]);
    dls_rotation_apply_inverse(pose.orientation, n, out->normal[side]);
  }
  out->area = set->area[c];
  out->radius = set->radius[c];
}

/* A place now: the two points, n and the gap; false where the two have slid by too much. */
static bool place_now(const DlsContactPlace *place, const DlsWorld *world,
                      const DlsDetection *where, const int who[2], double size, double x[2][3],
                      double n[3], double *gap) {
  double slid = 0;
  n[0] = n[1] = n[2] = *gap = 0;
  for (int side = 0; side < 2; side++) {
    const DlsPose pose = dls_side_pose(world, where, who[side]);
    double own[3];
    dls_pose_to_space(&pose, place->at[side], x[side]);
    dls_rotation_apply(pose.orientation, place->normal[side], own);
    for (int k = 0; k < 3; k++) n[k] += own[k];
  }
  const double length = dls_vector_norm(n);
  if (!(length > 0)) return false;
  for (int k = 0; k < 3; k++) n[k] /= length, *gap += n[k] * (x[1][k] - x[0][k]);
  for (int k = 0; k < 3; k++) {
    const double along = x[1][k] - x[0][k] - *gap * n[k];
    slid += along * along;
  }
  return sqrt(slid) <= near * size;
}

bool dls_place_restore(const DlsContactMemory *memory, int old, const DlsWorld *world,
                       const DlsDetection *where, DlsContactSet *set, int c) {
  const DlsContactPlace *place = &memory->place[old];
  const int who[2] = {set->antagonist[c], set->candidate[c]};
  double x[2][3], n[3], gap;
  if (!place_now(place, world, where, who, dls_contact_size(world, set, c), x, n, &gap))
    return false;
  for (int k = 0; k < 3; k++) set->point[c][k] = 0.5 * (x[0][k] + x[1][k]);
  dls_contact_frame(world->dim, n, set->frame[c]);
  set->gap[c] = gap;
  set->area[c] = place->area;
  set->radius[c] = place->radius;
  set->key[c] = memory->key[old];
  set->previous[c] = old;
  return true;
}

/* Whether contact c of the set is still where it was remembered to be. */
static bool holds(const DlsContactPlace *place, const DlsWorld *world, const DlsDetection *where,
                  const DlsContactSet *set, int c) {
  const int who[2] = {set->antagonist[c], set->candidate[c]};
  double x[2][3], n[3], gap;
  return place_now(place, world, where, who, dls_contact_size(world, set, c), x, n, &gap);
}

DlsStatus dls_places_remember(DlsContactMemory *memory, const DlsWorld *world,
                              const DlsContactSet *set, const int *source, const bool *frozen,
                              const DlsContactPlace *before) {
  const DlsDetection here = {0};
  DLS_TRY(dls_contact_memory_make_places(memory));
  for (int i = 0; i < memory->count; i++) {
    const int old = set->previous[source[i]];
    if (frozen && frozen[i] && before && old >= 0 &&
        holds(&before[old], world, &here, set, source[i]))
      memory->place[i] = before[old];
    else
      dls_place_take(world, &here, set, source[i], &memory->place[i]);
  }
  return DLS_OK;
}

/* A new contact of the set, an old one, and how far they are from each other on the candidate. */
typedef struct {
  double distance; /* m */
  int contact, old;
} Kinship;

typedef struct {
  int count, capacity;
  Kinship *item;
} Kin;

static int compare(const void *a, const void *b) {
  const Kinship *x = a, *y = b;
  if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
  if (x->contact != y->contact) return x->contact < y->contact ? -1 : 1;
  return x->old < y->old ? -1 : x->old > y->old;
}

static DlsStatus add(Kin *kin, const Kinship *one) {
  if (kin->count == kin->capacity) {
    const int capacity = 2 * kin->capacity + 64;
    Kinship *more = realloc(kin->item, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d contacts", capacity);
    kin->item = more;
    kin->capacity = capacity;
  }
  kin->item[kin->count++] = *one;
  return DLS_OK;
}

static bool may_inherit(const DlsWorld *world, const DlsContactSet *set, int c) {
  if (set->previous[c] >= 0 || dls_key_is_link(&set->key[c])) return false;
  if (world->deformable.count == 0) return true;
  return !dls_deformable_of(world, set->candidate[c]) &&
         (set->antagonist[c] < 0 || !dls_deformable_of(world, set->antagonist[c]));
}

/* The old contacts near contact c. */
static DlsStatus find_kin(const DlsContactMemory *memory, const DlsWorld *world,
                          const DlsDetection *where, const DlsContactSet *set, int c, Kin *kin) {
  int old[MOST_OF_PAIR];
  const int count = dls_contact_memory_pair(memory, &set->key[c], MOST_OF_PAIR, old);
  const double reach = count ? near * dls_contact_size(world, set, c) : 0;
  DlsContactPlace now;
  if (count == 0) return DLS_OK;
  dls_place_take(world, where, set, c, &now);
  for (int k = 0; k < count; k++) {
    const DlsContactPlace *then = &memory->place[old[k]];
    double away[3];
    for (int i = 0; i < 3; i++) away[i] = now.at[1][i] - then->at[1][i];
    const Kinship one = {dls_vector_norm(away), c, old[k]};
    if (dls_key_is_link(&memory->key[old[k]]) || !(one.distance <= reach) ||
        dls_vector_dot(now.normal[1], then->normal[1]) < alike)
      continue;
    DLS_TRY(add(kin, &one));
  }
  return DLS_OK;
}

DlsStatus dls_places_inherit(const DlsContactMemory *memory, const DlsWorld *world,
                             const DlsDetection *where, DlsContactSet *set) {
  Kin kin = {0};
  DlsStatus status = DLS_OK;
  if (memory->count == 0 || !memory->placed) return DLS_OK;
  for (int c = 0; c < set->count && status == DLS_OK; c++)
    if (may_inherit(world, set, c)) status = find_kin(memory, world, where, set, c, &kin);
  bool *taken = kin.count ? dls_memory_array((size_t)memory->count, sizeof *taken) : NULL;
  if (status == DLS_OK && kin.count && !taken)
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for %d contacts", memory->count);
  if (status == DLS_OK && kin.count) {
    for (int c = 0; c < set->count; c++)
      if (set->previous[c] >= 0) taken[set->previous[c]] = true;
    qsort(kin.item, (size_t)kin.count, sizeof *kin.item, compare);
    for (int k = 0; k < kin.count; k++) {
      const Kinship *one = &kin.item[k];
      if (set->previous[one->contact] >= 0 || taken[one->old]) continue;
      set->previous[one->contact] = one->old;
      taken[one->old] = true;
    }
  }
  free(kin.item);
  free(taken);
  return status;
}
