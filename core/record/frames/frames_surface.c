#include "record/frames/frames_surface.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void dls_surface_arrays_clear(DlsSurfaceArrays *a) {
  free(a->array);
  free(a->value);
  free(a->name);
  *a = (DlsSurfaceArrays){0};
}

void dls_patch_arrays_clear(DlsPatchArrays *a) {
  free(a->point);
  free(a->normal);
  free(a->area);
  free(a->owner);
  free(a->law);
  dls_surface_arrays_clear(&a->values);
  *a = (DlsPatchArrays){0};
}

static bool of_patches(const DlsSurface *s) { return s->law->surface_scope == DLS_SURFACE_PATCH; }

static DlsStatus make_room(int arrays, int length, DlsSurfaceArrays *out) {
  DLS_NEW(out->array, arrays);
  DLS_NEW(out->value, (size_t)arrays * (size_t)length);
  DLS_NEW(out->name, arrays);
  return DLS_OK;
}

/* The next array, its values where they will be. */
static double *add(const DlsSurface *s, int variable, const char *ending, int length,
                   DlsSurfaceArrays *out) {
  char *name = out->name[out->count];
  double *values = out->value + (size_t)out->count * (size_t)length;
  snprintf(name, DLS_SURFACE_NAME, "%s.%s%s", s->law->name, s->law->surfaces[variable].name,
           ending);
  out->array[out->count++] = (DlsVtuArray){
      .name = name, .values = values, .type = DLS_VTU_FLOAT64, .components = 1, .unknown = true};
  return values;
}

/* Those of the simulation; before its first step, as they will be, in *own, which is zeroed and
 * ends with dls_surfaces_clear(). */
static DlsStatus surfaces_of(const DlsSimulation *simulation, DlsSurfaces *own,
                             const DlsSurfaces **out) {
  *out = &simulation->state.surfaces;
  if ((*out)->count) return DLS_OK;
  *out = own;
  return dls_surfaces_ready(own, &simulation->settings.laws, simulation->world,
                            &simulation->settings.patches);
}

/* Of all bodies, then of all boundaries, in the order of the world: what they have of a variable;
 * `most`: the largest of their patches, else their sum. */
static void gather(const DlsSurface *s, const DlsWorld *world, int variable, bool most,
                   double *of) {
  const double begin = most || !of_patches(s) ? s->law->surfaces[variable].value : 0;
  const int owners = world->count + world->boundary_count;
  for (int k = 0; k < owners; k++) of[k] = begin;
  for (int n = 0; n < s->count; n++) {
    const int who = dls_surface_owner(world, &s->key[n]);
    if (who == INT_MAX) continue;
    double *own = &of[who >= 0 ? who : world->count + (-1 - who)];
    const double value = s->value[n * s->law->nsurfaces + variable];
    *own = !of_patches(s) ? value : most ? fmax(*own, value) : *own + value;
  }
}

static void fill_owners(const DlsSurfaces *all, const DlsWorld *world, int length, const int *owner,
                        double *work, DlsSurfaceArrays *out) {
  for (int k = 0; k < all->count; k++) {
    const DlsSurface *s = &all->of[k];
    for (int variable = 0; variable < s->law->nsurfaces; variable++)
      for (int most = 0; most < (of_patches(s) ? 2 : 1); most++) {
        const char *ending = !of_patches(s) ? "" : most ? "_max" : "_sum";
        double *values = add(s, variable, ending, length, out);
        gather(s, world, variable, most, work);
        for (int n = 0; n < length; n++)
          values[n] = work[owner[n] >= 0 ? owner[n] : world->count + (-1 - owner[n])];
      }
  }
}

static DlsStatus make_arrays(const DlsSurfaces *all, const DlsWorld *world, int length,
                             const int *owner, DlsSurfaceArrays *out) {
  int arrays = 0;
  double *work;
  for (int k = 0; k < all->count; k++)
    arrays += all->of[k].law->nsurfaces * (of_patches(&all->of[k]) ? 2 : 1);
  if (arrays == 0) return DLS_OK;
  DLS_TRY(make_room(arrays, length, out));
  DLS_NEW(work, world->count + world->boundary_count);
  fill_owners(all, world, length, owner, work, out);
  free(work);
  return DLS_OK;
}

DlsStatus dls_surface_arrays_make(const DlsSimulation *simulation, int length, const int *owner,
                                  DlsSurfaceArrays *out) {
  DlsSurfaces own = {0};
  const DlsSurfaces *all;
  DlsStatus status = surfaces_of(simulation, &own, &all);
  if (status == DLS_OK) status = make_arrays(all, simulation->world, length, owner, out);
  dls_surfaces_clear(&own);
  return status;
}

bool dls_surface_has_patches(const DlsSimulation *simulation) {
  const DlsLaw *law;
  for (int k = 0; (law = dls_interactions_law(&simulation->settings.laws, k)); k++)
    if (law->nsurfaces && law->surface_scope == DLS_SURFACE_PATCH) return true;
  return false;
}

/* The patches of one law, and its numbers in the arrays behind `first`. */
static void put_patches(const DlsSurfaces *all, const DlsWorld *world, const DlsSurface *s,
                        int first, int number, int length, DlsPatchArrays *out) {
  const int width = s->law->nsurfaces;
  for (int n = 0; n < s->count; n++) {
    const int who = dls_surface_owner(world, &s->key[n]), at = out->count;
    if (who == INT_MAX ||
        !dls_patch_place(&all->directions, all->sizes.cell, world, who, &s->key[n].patch,
                         out->point + 3 * at, out->normal + 3 * at, out->area + at))
      continue;
    out->owner[at] = who >= 0 ? (int64_t)world->id[who] : -(int64_t)world->boundary[-1 - who].id;
    out->law[at] = number;
    for (int k = 0; k < width; k++)
      out->values.value[(size_t)(first + k) * (size_t)length + (size_t)at] =
          s->value[n * width + k];
    out->count++;
  }
}

static DlsStatus make_patches(const DlsSurfaces *all, const DlsWorld *world, DlsPatchArrays *out) {
  int length = 0, arrays = 0, number = 0;
  for (int k = 0; k < all->count; k++) {
    if (!of_patches(&all->of[k])) continue;
    length += all->of[k].count;
    arrays += all->of[k].law->nsurfaces;
  }
  DLS_NEW(out->point, 3 * (size_t)length);
  DLS_NEW(out->normal, 3 * (size_t)length);
  DLS_NEW(out->area, length);
  DLS_NEW(out->owner, length);
  DLS_NEW(out->law, length);
  DLS_TRY(make_room(arrays, length, &out->values));
  for (size_t e = 0; e < (size_t)arrays * (size_t)length; e++) out->values.value[e] = NAN;
  for (int k = 0; k < all->count; k++) {
    const DlsSurface *s = &all->of[k];
    const int first = out->values.count;
    if (!of_patches(s)) continue;
    for (int v = 0; v < s->law->nsurfaces; v++) (void)add(s, v, "", length, &out->values);
    put_patches(all, world, s, first, number++, length, out);
  }
  return DLS_OK;
}

DlsStatus dls_patch_arrays_make(const DlsSimulation *simulation, DlsPatchArrays *out) {
  DlsSurfaces own = {0};
  const DlsSurfaces *all;
  DlsStatus status = surfaces_of(simulation, &own, &all);
  if (status == DLS_OK) status = make_patches(all, simulation->world, out);
  dls_surfaces_clear(&own);
  return status;
}
