#include "record/sides.h"

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
