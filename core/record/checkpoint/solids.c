/* Solids that are no balls as vectors of a checkpoint, and back: each set of numbers once, however
 * many elements share it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "record/checkpoint/checkpoint_impl.h"
#include "world/shape_impl.h"

DlsStatus dls_snapshot_make_solids(DlsSnapshot *s, int solids, int numbers, int figures) {
  s->solids = solids, s->solid_numbers = numbers, s->figures = figures;
  DLS_NEW(s->solid_kind, solids);
  DLS_NEW(s->solid_count, solids);
  DLS_NEW(s->solid_number, numbers);
  DLS_NEW(s->figure_solid, figures);
  DLS_NEW(s->figure_place, 5 * (size_t)figures);
  return DLS_OK;
}

/* The sets in the order of the elements that use them first. */
typedef struct {
  const DlsShapeNumbers **set;
  int count, numbers;
} Sets;

/* Shared ones stand together most often: the search begins with the last. */
static int find(Sets *sets, const DlsShapeNumbers *numbers) {
  for (int k = sets->count - 1; k >= 0; k--)
    if (sets->set[k] == numbers) return k;
  sets->set[sets->count] = numbers;
  sets->numbers += numbers->count;
  return sets->count++;
}

DlsStatus dls_snapshot_take_solids(const DlsWorld *world, DlsSnapshot *out) {
  const int elements = world->figure ? world->first[world->count] : 0;
  Sets sets = {0};
  int *solid;
  DLS_NEW(solid, elements);
  sets.set = dls_memory_array((size_t)elements, sizeof *sets.set);
  DlsStatus status = sets.set ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "checkpoint: out of memory");
  for (int e = 0; e < elements && status == DLS_OK; e++)
    solid[e] = dls_world_is_ball(world, e) ? -1 : find(&sets, world->figure[e].numbers);
  if (status == DLS_OK) status = dls_snapshot_make_solids(out, sets.count, sets.numbers, elements);
  if (status == DLS_OK) {
    double *to = out->solid_number;
    for (int k = 0; k < sets.count; k++) {
      const DlsShapeNumbers *from = sets.set[k];
      out->solid_kind[k] = (int32_t)from->kind;
      out->solid_count[k] = from->count;
      dls_memory_copy(to, from->number, (size_t)from->count, sizeof *to);
      to += from->count;
    }
    for (int e = 0; e < elements; e++) {
      double *place = out->figure_place + 5 * (size_t)e;
      out->figure_solid[e] = solid[e];
      place[0] = world->figure[e].scale;
      memcpy(place + 1, world->figure[e].rotation, 4 * sizeof *place);
    }
  }
  free(sets.set);
  free(solid);
  return status;
}

static DlsStatus make_set(const DlsSnapshot *s, const char *path, int k, const double *number,
                          DlsShapeNumbers **out) {
  const DlsShapeOperations *kind = dls_shape_operations((DlsShapeKind)s->solid_kind[k]);
  DLS_CHECK(kind && s->solid_kind[k] > DLS_SHAPE_BALL && s->solid_kind[k] < DLS_SHAPE_KINDS,
            DLS_ERR_FORMAT, "%s: /solids/kind: solid %d is of an unknown kind %d", path, k,
            (int)s->solid_kind[k]);
  const DlsSolid solid = {.dim = s->dim,
                          .kind = (DlsShapeKind)s->solid_kind[k],
                          .count = s->solid_count[k],
                          .number = number,
                          .scale = 1};
  if (kind->check(&solid) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s: /solids/number: solid %d", path, k);
  *out = dls_memory_array(1, sizeof **out + (size_t)solid.count * sizeof *number);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory: %d numbers of a shape", solid.count);
  (*out)->kind = solid.kind;
  (*out)->count = solid.count;
  dls_memory_copy((*out)->number, number, (size_t)solid.count, sizeof *number);
  return DLS_OK;
}

/* Features are counted through the elements of a body. */
static DlsStatus put_figure(const DlsSnapshot *s, const char *path, int e, uint32_t first_feature,
                            DlsShapeNumbers **set, DlsFigure *out, uint32_t *features) {
  const double *place = s->figure_place + 5 * (size_t)e;
  const int k = s->figure_solid[e];
  out->first_feature = first_feature;
  *features = 1;
  DLS_CHECK(k >= -1 && k < s->solids, DLS_ERR_FORMAT,
            "%s: /solids/element: element %d is of solid %d, there are %d", path, e, k, s->solids);
  DLS_CHECK(dls_small_finite(5, place), DLS_ERR_FORMAT,
            "%s: /solids/place: element %d has no finite turn or scale", path, e);
  memcpy(out->rotation, place + 1, sizeof out->rotation);
  out->scale = place[0];
  if (k < 0) return DLS_OK; /* a ball: its radius is its size */
  const double norm = dls_small_norm(4, out->rotation);
  DLS_CHECK(norm > 0.999 && norm < 1.001 && out->scale > 0, DLS_ERR_FORMAT,
            "%s: /solids/place: element %d has an impossible turn or scale", path, e);
  out->numbers = set[k];
  set[k]->users++;
  const DlsShapeOperations *kind = dls_shape_operations(set[k]->kind);
  const DlsSolid solid = {.dim = s->dim,
                          .kind = set[k]->kind,
                          .count = set[k]->count,
                          .number = set[k]->number,
                          .scale = out->scale};
  out->size = kind->size(&solid);
  if (kind->features) *features = kind->features(&solid);
  return DLS_OK;
}

static DlsStatus put_figures(const DlsSnapshot *s, const char *path, DlsShapeNumbers **set) {
  DlsWorld *world = s->world;
  for (int i = 0; i < world->count; i++) {
    uint32_t first = 0, own;
    for (int e = world->first[i]; e < world->first[i + 1]; e++) {
      DLS_CHECK(e >= 0 && e < s->figures, DLS_ERR_FORMAT,
                "%s: /bodies/first: body %d has elements that are not there", path, i);
      DLS_TRY(put_figure(s, path, e, first, set, &world->figure[e], &own));
      first += own;
    }
  }
  return DLS_OK;
}

DlsStatus dls_snapshot_put_solids(const DlsSnapshot *s, const char *path) {
  long long numbers = 0;
  if (s->figures == 0) return DLS_OK;
  DLS_CHECK(s->figures == s->elements, DLS_ERR_FORMAT,
            "%s: /solids/element: tells of %d elements, there are %d", path, s->figures,
            s->elements);
  for (int k = 0; k < s->solids; k++) {
    DLS_CHECK(s->solid_count[k] >= 0, DLS_ERR_FORMAT, "%s: /solids/count: solid %d has %d numbers",
              path, k, (int)s->solid_count[k]);
    numbers += s->solid_count[k];
  }
  DLS_CHECK(numbers == s->solid_numbers, DLS_ERR_FORMAT,
            "%s: /solids/number: holds %d numbers, not the %lld of /solids/count", path,
            s->solid_numbers, numbers);
  DlsShapeNumbers **set;
  DLS_NEW(set, s->solids);
  DlsStatus status = DLS_OK;
  const double *number = s->solid_number;
  for (int k = 0; k < s->solids && status == DLS_OK; number += s->solid_count[k++])
    status = make_set(s, path, k, number, &set[k]);
  if (status == DLS_OK) {
    s->world->figure =
        dls_memory_array((size_t)s->world->element_capacity, sizeof *s->world->figure);
    if (!s->world->figure) status = dls_fail(DLS_ERR_MEMORY, "checkpoint: out of memory");
  }
  if (status == DLS_OK) status = put_figures(s, path, set);
  for (int k = 0; k < s->solids; k++)
    if (set[k] && set[k]->users == 0) free(set[k]);
  free(set);
  return status;
}
