#include "record/sides_read.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/packing_read.h"
#include "record/sides.h"
#include "record/vtu/vtu_read.h"

/* A file as it is. */
typedef struct {
  DlsVtuFile *file;
  DlsSkin skin;
  int64_t *order; /* [points]: the connectivity */
  int64_t *id;    /* [cells]: of the body */
  int *grain;     /* [cells]: of the packing */
} Solids;

static void clear(Solids *s) {
  dls_skin_clear(&s->skin);
  free(s->order);
  free(s->id);
  free(s->grain);
  dls_vtu_close(&s->file);
}

static DlsStatus get(int dim, const char *path, Solids *s) {
  int64_t cells, order, entries;
  DLS_TRY(dls_vtu_open(path, &s->file));
  DlsSkin *skin = &s->skin;
  skin->points = dls_vtu_points(s->file);
  DLS_TRY(dls_vtu_length(s->file, DLS_VTU_OF_MESH, "offsets", &cells));
  DLS_TRY(dls_vtu_length(s->file, DLS_VTU_OF_MESH, "connectivity", &order));
  DLS_TRY(dls_vtu_length(s->file, DLS_VTU_OF_MESH, "faces", &entries));
  DLS_CHECK(cells < INT_MAX && order == skin->points && (dim == 2) == (entries == 0),
            DLS_ERR_FORMAT, "%s: is no file of solids in %d-D; write the frame again", path, dim);
  skin->count = (int)cells;
  skin->entries = entries;
  DLS_NEW(skin->point, 3 * (size_t)skin->points);
  DLS_NEW(skin->end, cells);
  DLS_NEW(skin->element, cells);
  DLS_NEW(skin->face, entries);
  DLS_NEW(skin->face_end, cells);
  DLS_NEW(s->order, order);
  DLS_NEW(s->id, cells);
  DLS_NEW(s->grain, cells);
  DLS_TRY(dls_vtu_reals(s->file, DLS_VTU_OF_POINTS, "Points", 3, skin->points, skin->point));
  DLS_TRY(dls_vtu_integers(s->file, DLS_VTU_OF_MESH, "connectivity", order, s->order));
  DLS_TRY(dls_vtu_integers(s->file, DLS_VTU_OF_MESH, "offsets", cells, skin->end));
  DLS_TRY(dls_vtu_integers(s->file, DLS_VTU_OF_CELLS, "id", cells, s->id));
  if (dim == 2) return DLS_OK;
  DLS_TRY(dls_vtu_integers(s->file, DLS_VTU_OF_MESH, "faces", entries, skin->face));
  return dls_vtu_integers(s->file, DLS_VTU_OF_MESH, "faceoffsets", cells, skin->face_end);
}

/* Whether the faces of a cell, [from, to) of the list, are whole and of its own points. */
static bool are_faces(const DlsSkin *skin, int64_t from, int64_t to, int64_t first, int64_t last) {
  if (from >= to) return false;
  int64_t sides = skin->face[from++];
  for (; sides > 0 && from < to; sides--) {
    int64_t corners = skin->face[from++];
    if (corners < 0 || corners > to - from) return false;
    for (; corners > 0; corners--, from++)
      if (skin->face[from] < first || skin->face[from] >= last) return false;
  }
  return sides == 0 && from == to;
}

/* Points in order, each cell with its own: what our frames are. */
static DlsStatus check(int dim, const char *path, const Solids *s) {
  const DlsSkin *skin = &s->skin;
  int64_t first = 0, face = 0;
  bool good = true;
  for (int64_t k = 0; k < skin->points; k++) good = good && s->order[k] == k;
  for (int c = 0; c < skin->count && good; c++) {
    const int64_t last = skin->end[c], next = dim == 2 ? 0 : skin->face_end[c];
    good = last >= first && last <= skin->points && next >= face && next <= skin->entries;
    good = good && (dim == 2 || are_faces(skin, face, next, first, last));
    first = last;
    face = next;
  }
  DLS_CHECK(good, DLS_ERR_FORMAT, "%s: its cells are spoilt; write the frame again", path);
  return DLS_OK;
}

/* Ids ascend in both. */
static DlsStatus find_grains(const char *path, const DlsPacking *g, Solids *s) {
  DlsSkin *skin = &s->skin;
  int grain = 0;
  for (int c = 0; c < skin->count; c++) {
    while (grain < g->grains && g->id[grain] < s->id[c]) grain++;
    DLS_CHECK(grain < g->grains && g->id[grain] == s->id[c], DLS_ERR_FORMAT,
              "%s: body %" PRId64 " is none of the frame, or not in order; write the frame again",
              path, s->id[c]);
    skin->element[c] = c;
    s->grain[c] = grain;
    for (int64_t p = c ? skin->end[c - 1] : 0; p < skin->end[c]; p++)
      for (int k = 0; k < 3; k++)
        skin->point[3 * p + k] += g->centre[grain][k] - g->position[grain][k];
  }
  return DLS_OK;
}

DlsStatus dls_sides_read(const char *folder, int number, const DlsPacking *packing,
                         DlsGrainSides *out) {
  char path[4096];
  int frames = 0;
  Solids solids = {0};
  memset(out, 0, sizeof *out);
  if (number < 0) {
    DLS_TRY(dls_packing_frames(folder, &frames));
    number = frames - 1;
  }
  snprintf(path, sizeof path, "%s/solids_%06d.vtu", folder, number);
  if (access(path, F_OK) != 0) return DLS_OK;
  DlsStatus status = get(packing->dim, path, &solids);
  if (status == DLS_OK) status = check(packing->dim, path, &solids);
  if (status == DLS_OK) status = find_grains(path, packing, &solids);
  if (status == DLS_OK) status = dls_sides_of_skin(packing->dim, &solids.skin, solids.grain, out);
  clear(&solids);
  return status;
}
