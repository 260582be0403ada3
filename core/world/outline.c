#include "world/outline.h"

#include <math.h>
#include <stdlib.h>

enum { ROUND = 48 }; /* chords of a circle */

void dls_outline_clear(DlsOutline *outline) {
  free(outline->ends);
  free(outline->owner);
  *outline = (DlsOutline){0};
}

DlsStatus dls_outline_line(DlsOutline *o, const DlsPose *pose, int owner, const double a[3],
                           const double b[3]) {
  if (o->count == o->capacity) {
    const int capacity = 2 * o->capacity + 64;
    double *ends = realloc(o->ends, (size_t)capacity * 6 * sizeof *ends);
    if (ends) o->ends = ends;
    int *owners = realloc(o->owner, (size_t)capacity * sizeof *owners);
    if (owners) o->owner = owners;
    DLS_CHECK(ends && owners, DLS_ERR_MEMORY, "out of memory for an outline of %d lines", capacity);
    o->capacity = capacity;
  }
  double *end = o->ends + 6 * (size_t)o->count;
  dls_pose_to_space(pose, a, end);
  dls_pose_to_space(pose, b, end + 3);
  o->owner[o->count++] = owner;
  return DLS_OK;
}

DlsStatus dls_outline_circle(DlsOutline *o, const DlsPose *pose, int owner, double radius,
                             double z) {
  const double step = 6.283185307179586 / ROUND;
  for (int k = 0; k < ROUND && radius > 0; k++) {
    const double a[3] = {radius * cos(k * step), radius * sin(k * step), z};
    const double b[3] = {radius * cos((k + 1) * step), radius * sin((k + 1) * step), z};
    DLS_TRY(dls_outline_line(o, pose, owner, a, b));
  }
  return DLS_OK;
}
