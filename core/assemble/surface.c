#include "assemble/surface.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void clear_one(DlsSurface *s) {
  free(s->key);
  free(s->value);
  free(s->slot);
  *s = (DlsSurface){0};
}

void dls_surfaces_clear(DlsSurfaces *s) {
  for (int k = 0; k < s->count; k++) clear_one(&s->of[k]);
  free(s->of);
  *s = (DlsSurfaces){0};
}

static bool same_key(const DlsSurfaceKey *a, const DlsSurfaceKey *b) {
  return a->owner == b->owner && a->patch.number == b->patch.number;
}

/* Where the search for a key begins (Fibonacci hashing of both words). */
static int first_slot(const DlsSurface *s, const DlsSurfaceKey *key) {
  uint64_t h = (key->owner ^ key->patch.number * 0x9e3779b97f4a7c15u) * 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  return (int)(h & (uint64_t)(s->slots - 1));
}

/* The number of a key, -1 where it is not there; *at is then the slot that it would have. */
static int find(const DlsSurface *s, const DlsSurfaceKey *key, int *at) {
  if (s->slots == 0) return -1;
  for (*at = first_slot(s, key); s->slot[*at]; *at = (*at + 1) & (s->slots - 1))
    if (same_key(&s->key[s->slot[*at] - 1], key)) return s->slot[*at] - 1;
  return -1;
}

static void fill_slots(DlsSurface *s) {
  int at = 0;
  memset(s->slot, 0, (size_t)s->slots * sizeof *s->slot);
  for (int k = 0; k < s->count; k++)
    if (find(s, &s->key[k], &at) < 0) s->slot[at] = k + 1;
}

static DlsStatus grow(DlsSurface *s, int count) {
  if (count <= s->capacity) return DLS_OK;
  const size_t width = (size_t)s->law->nsurfaces;
  const int capacity = count + count / 2 + 16;
  int slots = 64;
  while (slots < 2 * capacity) slots *= 2;
  DlsSurface more = {.law = s->law, .count = s->count, .capacity = capacity, .slots = slots};
  DlsStatus status = DLS_OK;
  more.key = dls_memory_array((size_t)capacity, sizeof *more.key);
  more.value = dls_memory_array((size_t)capacity * width, sizeof *more.value);
  more.slot = dls_memory_array((size_t)slots, sizeof *more.slot);
  if (!more.key || !more.value || !more.slot)
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for %d patches of surfaces", capacity);
  if (status != DLS_OK) {
    clear_one(&more);
    return status;
  }
  if (s->count) {
    memcpy(more.key, s->key, (size_t)s->count * sizeof *s->key);
    memcpy(more.value, s->value, (size_t)s->count * width * sizeof *s->value);
  }
  fill_slots(&more);
  clear_one(s);
  *s = more;
  return DLS_OK;
}

DlsStatus dls_surface_insert(DlsSurface *s, const DlsSurfaceKey *key, double **value) {
  int at = 0;
  DLS_TRY(grow(s, s->count + 1));
  (void)find(s, key, &at);
  s->slot[at] = ++s->count;
  s->key[s->count - 1] = *key;
  *value = s->value + (size_t)(s->count - 1) * (size_t)s->law->nsurfaces;
  return DLS_OK;
}

void dls_surface_get(const DlsSurface *s, const DlsSurfaceKey *key, double *out) {
  const int width = s->law->nsurfaces;
  int at;
  const int number = find(s, key, &at);
  const double *value = s->value + (size_t)(number < 0 ? 0 : number) * (size_t)width;
  for (int k = 0; k < width; k++) out[k] = number < 0 ? s->law->surfaces[k].value : value[k];
}

DlsStatus dls_surface_add(DlsSurface *s, const DlsSurfaceKey *key, const double *change) {
  const DlsLaw *law = s->law;
  bool any = false;
  int at;
  for (int k = 0; k < law->nsurfaces; k++) any |= change[k] != 0;
  if (!any) return DLS_OK;
  const int number = find(s, key, &at);
  double *value = s->value + (size_t)(number < 0 ? 0 : number) * (size_t)law->nsurfaces;
  if (number < 0) {
    DLS_TRY(dls_surface_insert(s, key, &value));
    for (int k = 0; k < law->nsurfaces; k++) value[k] = law->surfaces[k].value;
  }
  for (int k = 0; k < law->nsurfaces; k++)
    value[k] = fmin(fmax(value[k] + change[k], law->surfaces[k].min), law->surfaces[k].max);
  return DLS_OK;
}

DlsSurface *dls_surfaces_of(const DlsSurfaces *s, const DlsLaw *law) {
  for (int k = 0; k < s->count; k++)
    if (s->of[k].law == law) return &s->of[k];
  return NULL;
}

static DlsStatus copy_one(const DlsSurface *from, DlsSurface *to) {
  to->law = from->law;
  DLS_TRY(grow(to, from->count));
  to->count = from->count;
  if (!from->count) return DLS_OK;
  memcpy(to->key, from->key, (size_t)from->count * sizeof *to->key);
  memcpy(to->value, from->value,
         (size_t)from->count * (size_t)from->law->nsurfaces * sizeof *to->value);
  fill_slots(to);
  return DLS_OK;
}

DlsStatus dls_surfaces_copy(const DlsSurfaces *from, DlsSurfaces *to) {
  dls_surfaces_clear(to);
  to->sizes = from->sizes;
  to->directions = from->directions;
  to->revision = from->revision;
  if (!from->count) return DLS_OK;
  DLS_NEW(to->of, from->count);
  to->count = from->count;
  for (int k = 0; k < from->count; k++) DLS_TRY(copy_one(&from->of[k], &to->of[k]));
  return DLS_OK;
}

int dls_surface_owner(const DlsWorld *world, const DlsSurfaceKey *key) {
  const uint64_t id = dls_key_id(key->owner);
  if (!(key->owner & DLS_KEY_BOUNDARY)) {
    const int body = dls_world_find(world, id);
    return body >= 0 ? body : INT_MAX;
  }
  const int boundary = dls_world_find_boundary(world, id);
  return boundary >= 0 ? -1 - boundary : INT_MAX;
}

static void drop_gone(DlsSurface *s, const DlsWorld *world) {
  const size_t width = (size_t)s->law->nsurfaces;
  int kept = 0;
  for (int k = 0; k < s->count; k++) {
    if (dls_surface_owner(world, &s->key[k]) == INT_MAX) continue;
    s->key[kept] = s->key[k];
    memmove(s->value + (size_t)kept * width, s->value + (size_t)k * width,
            width * sizeof *s->value);
    kept++;
  }
  if (kept == s->count) return;
  s->count = kept;
  fill_slots(s);
}

/* Whether the laws with .surfaces are those of the table, in its order. */
static bool is_current(const DlsSurfaces *s, const DlsInteractions *laws, int *count) {
  bool same = true;
  const DlsLaw *law;
  *count = 0;
  for (int k = 0; (law = dls_interactions_law(laws, k)); k++) {
    if (law->nsurfaces == 0) continue;
    same &= *count < s->count && s->of[*count].law == law;
    (*count)++;
  }
  return same && *count == s->count;
}

static DlsStatus choose_laws(DlsSurfaces *s, const DlsInteractions *laws) {
  int count;
  const DlsLaw *law;
  if (is_current(s, laws, &count)) return DLS_OK;
  DlsSurface *of;
  DLS_NEW(of, count);
  for (int k = 0, n = 0; (law = dls_interactions_law(laws, k)); k++) {
    if (law->nsurfaces == 0) continue;
    of[n].law = law;
    for (int old = 0; old < s->count; old++) {
      if (s->of[old].law != law) continue;
      of[n] = s->of[old];
      s->of[old] = (DlsSurface){0};
    }
    n++;
  }
  for (int old = 0; old < s->count; old++) clear_one(&s->of[old]);
  free(s->of);
  s->of = of;
  s->count = count;
  return DLS_OK;
}

DlsStatus dls_surfaces_ready(DlsSurfaces *s, const DlsInteractions *laws, const DlsWorld *world,
                             const DlsPatchSizes *sizes) {
  DLS_TRY(choose_laws(s, laws));
  if (s->count == 0) return DLS_OK;
  DLS_CHECK(sizes->directions >= 2 && sizes->directions <= DLS_PATCH_MOST_CELLS &&
                sizes->cell > 0 && isfinite(sizes->cell),
            DLS_ERR_ARGUMENT, "surfaces: %d directions and cells of %g m; take 2 to %d, above 0 m",
            sizes->directions, sizes->cell, (int)DLS_PATCH_MOST_CELLS);
  s->sizes = *sizes;
  if (s->directions.cells != sizes->directions || s->directions.dim != world->dim)
    dls_directions_make(world->dim, sizes->directions, &s->directions);
  if (s->revision == world->revision) return DLS_OK;
  for (int k = 0; k < s->count; k++) drop_gone(&s->of[k], world);
  s->revision = world->revision;
  return DLS_OK;
}

void dls_surfaces_keys(const DlsSurfaces *s, const DlsWorld *world, const DlsContactSet *set, int c,
                       const DlsLaw *law, DlsSurfaceKey out[2]) {
  for (int side = 0; side < 2; side++) {
    const int who = side ? set->candidate[c] : set->antagonist[c];
    out[side] = (DlsSurfaceKey){
        who >= 0 ? world->id[who] : DLS_KEY_BOUNDARY | world->boundary[-1 - who].id, {0, 0}};
    if (law->surface_scope == DLS_SURFACE_PATCH)
      out[side].patch = dls_patch_find(&s->directions, s->sizes.cell, world, set, c, side);
  }
}
