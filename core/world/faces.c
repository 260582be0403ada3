#include "world/faces.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ROUND = 48 }; /* faces around */

void dls_faces_clear(DlsFaces *faces) {
  free(faces->point);
  free(faces->end);
  free(faces->owner);
  *faces = (DlsFaces){0};
}

static DlsStatus make_room(DlsFaces *f, int corners) {
  if (f->count == f->room) {
    const int room = 2 * f->room + 64;
    int64_t *end = realloc(f->end, (size_t)room * sizeof *end);
    if (end) f->end = end;
    int *owner = realloc(f->owner, (size_t)room * sizeof *owner);
    if (owner) f->owner = owner;
    DLS_CHECK(end && owner, DLS_ERR_MEMORY, "out of memory for %d faces of boundaries", room);
    f->room = room;
  }
  if (f->points + corners > f->capacity) {
    const int64_t capacity = 2 * f->capacity + corners + 256;
    double *point = realloc(f->point, 3 * (size_t)capacity * sizeof *point);
    DLS_CHECK(point, DLS_ERR_MEMORY, "out of memory for the faces of boundaries");
    f->point = point;
    f->capacity = capacity;
  }
  return DLS_OK;
}

DlsStatus dls_faces_polygon(DlsFaces *f, const DlsPose *pose, int owner, const double (*corner)[3],
                            int corners) {
  DLS_TRY(make_room(f, corners));
  for (int k = 0; k < corners; k++)
    dls_pose_to_space(pose, corner[k], f->point + 3 * (f->points + k));
  f->points += corners;
  f->end[f->count] = f->points;
  f->owner[f->count++] = owner;
  return DLS_OK;
}

DlsStatus dls_faces_turned(DlsFaces *f, const DlsPose *pose, int owner, const double (*line)[2],
                           int points) {
  const double step = 6.283185307179586 / ROUND;
  for (int k = 0; k + 1 < points; k++)
    for (int turn = 0; turn < ROUND; turn++) {
      double corner[4][3];
      int count = 0;
      for (int way = 0; way < 4; way++) { /* along the line, and back a turn further */
        const double *p = line[way == 1 || way == 2 ? k + 1 : k];
        const double angle = (turn + (way >= 2)) * step;
        if (p[0] == 0 && way >= 2) continue; /* the point on the axis is there already */
        corner[count][0] = p[0] * cos(angle);
        corner[count][1] = p[0] * sin(angle);
        corner[count++][2] = p[1];
      }
      DLS_TRY(dls_faces_polygon(f, pose, owner, corner, count));
    }
  return DLS_OK;
}
