#include "world/skin.h"

#include <stdlib.h>

void dls_skin_clear(DlsSkin *s) {
  free(s->point);
  free(s->end);
  free(s->element);
  free(s->face);
  free(s->face_end);
  *s = (DlsSkin){0};
}

DlsStatus dls_skin_begin(DlsSkin *s, int element) {
  if (s->count == s->room) {
    const int room = 2 * s->room + 64;
    int64_t *end = realloc(s->end, (size_t)room * sizeof *end);
    if (end) s->end = end;
    int64_t *face_end = realloc(s->face_end, (size_t)room * sizeof *face_end);
    if (face_end) s->face_end = face_end;
    int *owner = realloc(s->element, (size_t)room * sizeof *owner);
    if (owner) s->element = owner;
    DLS_CHECK(end && face_end && owner, DLS_ERR_MEMORY, "out of memory for %d solids of a frame",
              room);
    s->room = room;
  }
  s->end[s->count] = s->points;
  s->face_end[s->count] = s->entries;
  s->element[s->count++] = element;
  return DLS_OK;
}

DlsStatus dls_skin_point(DlsSkin *s, const DlsPose *pose, const double x[3]) {
  if (s->points == s->capacity) {
    const int64_t capacity = 2 * s->capacity + 256;
    double *point = realloc(s->point, 3 * (size_t)capacity * sizeof *point);
    DLS_CHECK(point, DLS_ERR_MEMORY, "out of memory for the solids of a frame");
    s->point = point;
    s->capacity = capacity;
  }
  dls_pose_to_space(pose, x, s->point + 3 * s->points);
  s->end[s->count - 1] = ++s->points;
  return DLS_OK;
}

DlsStatus dls_skin_face(DlsSkin *s, int corners, const int *corner) {
  const int64_t start = s->count > 1 ? s->face_end[s->count - 2] : 0;
  const int64_t first = s->count > 1 ? s->end[s->count - 2] : 0;
  if (s->entries + corners + 2 > s->face_room) {
    const int64_t room = 2 * s->face_room + corners + 256;
    int64_t *face = realloc(s->face, (size_t)room * sizeof *face);
    DLS_CHECK(face, DLS_ERR_MEMORY, "out of memory for the faces of solids");
    s->face = face;
    s->face_room = room;
  }
  if (s->entries == start) s->face[s->entries++] = 0; /* how many faces */
  s->face[start]++;
  s->face[s->entries++] = corners;
  for (int k = 0; k < corners; k++) s->face[s->entries++] = first + corner[k];
  s->face_end[s->count - 1] = s->entries;
  return DLS_OK;
}
