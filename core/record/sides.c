#include "record/sides.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Walks over the sides of all cells, counting them and, where there is room, writing them. */
static void walk(int dim, const DlsSkin *skin, const int *grain, DlsGrainSides *out, int *corners) {
  const bool write = out->corner != NULL;
  out->count = *corners = 0;
  for (int c = 0; c < skin->count; c++) {
    const int owner = grain[skin->element[c]];
    const int64_t first = c ? skin->end[c - 1] : 0;
    int64_t at = c ? skin->face_end[c - 1] : 0;
    const int64_t sides = dim == 2 ? 1 : skin->face[at++];
    if (owner < 0) continue;
    for (int64_t n = 0; n < sides; n++) {
      const int64_t size = dim == 2 ? skin->end[c] - first : skin->face[at++];
      for (int64_t k = 0; k < size; k++) {
        const int64_t point = dim == 2 ? first + k : skin->face[at++];
        if (write) memcpy(out->corner + 3 * *corners, skin->point + 3 * point, 3 * sizeof(double));
        ++*corners;
      }
      if (write) out->end[out->count] = *corners, out->grain[out->count] = owner;
      out->count++;
    }
  }
}

DlsStatus dls_sides_of_skin(int dim, const DlsSkin *skin, const int *grain, DlsGrainSides *out) {
  int corners;
  memset(out, 0, sizeof *out);
  walk(dim, skin, grain, out, &corners);
  const int sides = out->count;
  DLS_NEW(out->end, sides);
  DLS_NEW(out->grain, sides);
  DLS_NEW(out->corner, 3 * (size_t)corners);
  walk(dim, skin, grain, out, &corners);
  return DLS_OK;
}

/* The way round a side, nodes between corners where they stand. */
static void put_rim(const DlsDeformed *d, const DlsOuterSide *side, DlsGrainSides *out) {
  const int from = out->count ? out->end[out->count - 1] : 0, n = side->kind->nodes;
  const bool quadratic = side->kind->corners < n;
  for (int k = 0; k < n; k++) {
    const int a = side->node[!quadratic ? k : k % 2 ? n / 2 + k / 2 : k / 2];
    memcpy(out->corner + (ptrdiff_t)3 * (from + k), d->cells.place[a], 3 * sizeof(double));
  }
  out->end[out->count] = from + n;
}

/* Room for so many sides more, and corners. */
static DlsStatus grow(DlsGrainSides *sides, int more, int corners) {
  const size_t old = (size_t)sides->count, count = old + (size_t)more;
  const size_t had = old ? 3 * (size_t)sides->end[old - 1] : 0;
  DlsGrainSides new = {.count = sides->count};
  new.corner = dls_memory_array(had + 3 * (size_t)corners, sizeof *new.corner);
  new.end = dls_memory_array(count, sizeof *new.end);
  new.grain = dls_memory_array(count, sizeof *new.grain);
  if (!new.corner || !new.end || !new.grain) {
    dls_grain_sides_clear(&new);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for a picture of %zu sides", count);
  }
  dls_memory_copy(new.corner, sides->corner, had, sizeof *new.corner);
  dls_memory_copy(new.end, sides->end, old, sizeof *new.end);
  dls_memory_copy(new.grain, sides->grain, old, sizeof *new.grain);
  dls_grain_sides_clear(sides);
  *sides = new;
  return DLS_OK;
}

DlsStatus dls_sides_of_cells(const DlsDeformed *d, const int *grain, DlsGrainSides *sides) {
  DlsOuterSide *seen;
  int count, corners = 0;
  DLS_TRY(dls_deformed_seen(d, &count, &seen));
  for (int k = 0; k < count; k++) corners += seen[k].kind->nodes;
  const DlsStatus status = grow(sides, count, corners);
  for (int k = 0; k < count && status == DLS_OK; k++) {
    if (grain[seen[k].cell] < 0) continue;
    put_rim(d, &seen[k], sides);
    sides->grain[sides->count++] = grain[seen[k].cell];
  }
  free(seen);
  return status;
}
