/* What surfaces remember as vectors of a checkpoint, and back. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"

/* "law scope variable ..." */
static void describe(FILE *out, const DlsLaw *law) {
  fprintf(out, "%s %s", law->name, law->surface_scope == DLS_SURFACE_PATCH ? "patch" : "body");
  for (int k = 0; k < law->nsurfaces; k++) fprintf(out, " %s", law->surfaces[k].name);
  fputc('\n', out);
}

/* The lines of the laws; freed by the caller. */
static DlsStatus describe_all(const DlsSurfaces *s, char **out) {
  size_t size;
  *out = NULL;
  FILE *text = open_memstream(out, &size);
  DLS_CHECK(text, DLS_ERR_MEMORY, "checkpoint: out of memory");
  for (int k = 0; k < s->count; k++) describe(text, s->of[k].law);
  const bool whole = !ferror(text);
  if (fclose(text) == 0 && whole) return DLS_OK;
  free(*out);
  *out = NULL;
  return dls_fail(DLS_ERR_MEMORY, "checkpoint: out of memory");
}

DlsStatus dls_snapshot_take_surfaces(const DlsSimulation *simulation, DlsSnapshot *out) {
  const DlsSurfaces *s = &simulation->state.surfaces;
  int sets = 0, values = 0;
  char *text;
  for (int k = 0; k < s->count; k++) {
    sets += s->of[k].count;
    values += s->of[k].count * s->of[k].law->nsurfaces;
  }
  DLS_TRY(describe_all(s, &text));
  const DlsStatus status = dls_snapshot_make_surfaces(out, (int)strlen(text), sets, values);
  if (status == DLS_OK) memcpy(out->surface_law, text, strlen(text));
  free(text);
  DLS_TRY(status);
  if (s->count) out->patch_sizes[0] = s->sizes.directions, out->patch_sizes[1] = s->sizes.cell;
  int set = 0, value = 0;
  for (int k = 0; k < s->count; k++) {
    const DlsSurface *of = &s->of[k];
    for (int n = 0; n < of->count; n++, set++) {
      const uint64_t key[3] = {(uint64_t)k, of->key[n].owner, of->key[n].patch.number};
      memcpy(out->surface_key + 3 * (size_t)set, key, sizeof key);
      out->surface_height[set] = of->key[n].patch.height;
    }
    const int count = of->count * of->law->nsurfaces;
    if (count) memcpy(out->surface_value + value, of->value, (size_t)count * sizeof *of->value);
    value += count;
  }
  return DLS_OK;
}

/* The law of now with this line, NULL: none. */
static DlsSurface *find_line(DlsSurfaces *s, const char *line, size_t length) {
  for (int k = 0; k < s->count; k++) {
    char own[DLS_MAX_PARAMS * 34 + 128] = "";
    FILE *text = fmemopen(own, sizeof own, "w");
    if (!text) continue;
    describe(text, s->of[k].law);
    fclose(text);
    if (strlen(own) == length && memcmp(own, line, length) == 0) return &s->of[k];
  }
  return NULL;
}

/* Variables of the law that a line tells of: what stands behind its name and its scope. */
static int count_variables(const char *line, size_t length) {
  int blanks = 0;
  for (size_t k = 0; k < length; k++) blanks += line[k] == ' ';
  return blanks - 1;
}

/* The sets of law number `number` in the file, from number *set on; `to` NULL: they are left out.
 * */
static DlsStatus put_law(const DlsSnapshot *s, const char *path, int number, int width, int *set,
                         int *value, DlsSurface *to) {
  for (; *set < s->surfaces && s->surface_key[3 * (size_t)*set] == (uint64_t)number; (*set)++) {
    const uint64_t *key = s->surface_key + 3 * (size_t)*set;
    const double *from = s->surface_value + *value;
    const uint64_t end = key[1] & DLS_KEY_BOUNDARY ? s->world->next_boundary_id : s->world->next_id;
    double *numbers;
    DLS_CHECK(*value + width <= s->surface_values, DLS_ERR_FORMAT,
              "%s: /surfaces/value: holds %d numbers, which is too few", path, s->surface_values);
    DLS_CHECK(
        dls_key_id(key[1]) > 0 && dls_key_id(key[1]) < end && isfinite(s->surface_height[*set]),
        DLS_ERR_FORMAT, "%s: /surfaces/key: set %d is of no body or boundary that was", path, *set);
    *value += width;
    if (!to) continue;
    const DlsSurfaceKey own = {key[1], {key[2], s->surface_height[*set]}};
    DLS_TRY(dls_surface_insert(to, &own, &numbers));
    for (int k = 0; k < width; k++) {
      const DlsParam *row = &to->law->surfaces[k];
      DLS_CHECK(from[k] >= row->min && from[k] <= row->max && isfinite(from[k]), DLS_ERR_FORMAT,
                "%s: /surfaces/value: %s of set %d is %g", path, row->name, *set, from[k]);
      numbers[k] = from[k];
    }
  }
  return DLS_OK;
}

static DlsStatus put_all(const DlsSnapshot *s, const char *path, const DlsPatchSizes *now,
                         DlsSurfaces *out) {
  const char *line = (const char *)s->surface_law, *end;
  const bool same_patches = s->patch_sizes[0] == now->directions && s->patch_sizes[1] == now->cell;
  int set = 0, value = 0;
  for (int number = 0; (end = strchr(line, '\n')); number++, line = end + 1) {
    const size_t length = (size_t)(end + 1 - line);
    const int width = count_variables(line, length);
    DlsSurface *to = find_line(out, line, length);
    if (to && to->law->surface_scope == DLS_SURFACE_PATCH && !same_patches) to = NULL;
    DLS_CHECK(width > 0 && width <= DLS_MAX_PARAMS, DLS_ERR_FORMAT,
              "%s: /surfaces/laws: line %d is of no law", path, number + 1);
    DLS_CHECK(!to || to->count == 0, DLS_ERR_FORMAT, "%s: /surfaces/laws: line %d stands twice",
              path, number + 1);
    DLS_TRY(put_law(s, path, number, width, &set, &value, to));
  }
  DLS_CHECK(set == s->surfaces && value == s->surface_values, DLS_ERR_FORMAT,
            "%s: /surfaces/key: has sets of laws that /surfaces/laws does not", path);
  return DLS_OK;
}

DlsStatus dls_snapshot_put_surfaces(const DlsSnapshot *s, const char *path,
                                    const DlsSimulation *simulation, DlsSurfaces *out) {
  const DlsPatchSizes *sizes = &simulation->settings.patches;
  DLS_TRY(dls_surfaces_ready(out, &simulation->settings.laws, s->world, sizes));
  return put_all(s, path, sizes, out);
}
