#include "record/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 48, GENERATORS = 12 };

void dls_outline_clear(DlsOutline *outline) {
  free(outline->ends);
  free(outline->boundary);
  *outline = (DlsOutline){0};
}

/* A segment in local axes. */
static DlsStatus add(DlsOutline *o, const DlsWorld *world, int b, double ax, double ay, double az,
                     double bx, double by, double bz) {
  if (o->count == o->capacity) {
    const int capacity = 2 * o->capacity + 64;
    double *ends = realloc(o->ends, (size_t)capacity * 6 * sizeof *ends);
    if (ends) o->ends = ends;
    int *boundary = realloc(o->boundary, (size_t)capacity * sizeof *boundary);
    if (boundary) o->boundary = boundary;
    DLS_CHECK(ends && boundary, DLS_ERR_MEMORY, "out of memory for the outline of boundaries");
    o->capacity = capacity;
  }
  double *end = o->ends + 6 * (size_t)o->count;
  const double local[2][3] = {{ax, ay, az}, {bx, by, bz}};
  for (int k = 0; k < 2; k++) {
    dls_rotation_apply(world->boundary[b].orientation, local[k], end + 3 * k);
    for (int e = 0; e < 3; e++) end[3 * k + e] += world->boundary[b].position[e];
  }
  o->boundary[o->count++] = b;
  return DLS_OK;
}

static DlsStatus add_circle(DlsOutline *o, const DlsWorld *world, int b, double radius, double z) {
  const double step = 6.283185307179586 / ROUND;
  for (int k = 0; k < ROUND && radius > 0; k++)
    DLS_TRY(add(o, world, b, radius * cos(k * step), radius * sin(k * step), z,
                radius * cos((k + 1) * step), radius * sin((k + 1) * step), z));
  return DLS_OK;
}

static DlsStatus add_round(DlsOutline *o, const DlsWorld *world, int b, double low, double high,
                           double half) {
  const double step = 6.283185307179586 / GENERATORS;
  DLS_TRY(add_circle(o, world, b, low, -half));
  if (world->dim == 2) return DLS_OK;
  DLS_TRY(add_circle(o, world, b, high, half));
  for (int k = 0; k < GENERATORS; k++)
    DLS_TRY(add(o, world, b, low * cos(k * step), low * sin(k * step), -half, high * cos(k * step),
                high * sin(k * step), half));
  return DLS_OK;
}

static DlsStatus add_box(DlsOutline *o, const DlsWorld *world, int b) {
  const double *length = world->boundary[b].length;
  const int flat = world->dim == 2;
  const double h[3] = {length[0] / 2, length[1] / 2, flat ? 0 : length[2] / 2};
  for (int axis = 0; axis < (flat ? 2 : 3); axis++)
    for (int corner = 0; corner < (flat ? 2 : 4); corner++) {
      double p[3] = {0}, q[3];
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const double su = corner & 1 ? 1 : -1, sv = corner & 2 ? 1 : -1;
      p[u] = su * h[u];
      p[v] = sv * h[v];
      if (flat) p[1 - axis] = su * h[1 - axis];
      memcpy(q, p, sizeof q);
      p[axis] = -h[axis];
      q[axis] = h[axis];
      DLS_TRY(add(o, world, b, p[0], p[1], p[2], q[0], q[1], q[2]));
    }
  return DLS_OK;
}

/* A part of an endless plane: a segment in 2-D, a square and its middle lines in 3-D. */
static DlsStatus add_plane(DlsOutline *o, const DlsWorld *world, int b, double reach) {
  if (world->dim == 2) return add(o, world, b, -reach, 0, 0, reach, 0, 0);
  for (int k = -1; k <= 1; k++) {
    DLS_TRY(add(o, world, b, -reach, k * reach, 0, reach, k * reach, 0));
    DLS_TRY(add(o, world, b, k * reach, -reach, 0, k * reach, reach, 0));
  }
  return DLS_OK;
}

static DlsStatus add_boundary(DlsOutline *o, const DlsWorld *world, int b, double reach) {
  const DlsBoundary *s = &world->boundary[b];
  const double half = fmin(s->length[0] / 2, reach);
  switch (s->kind) {
  case DLS_BOUNDARY_PLANE:
    return add_plane(o, world, b, reach);
  case DLS_BOUNDARY_SEGMENT:
    return add(o, world, b, -half, 0, 0, half, 0, 0);
  case DLS_BOUNDARY_BOX:
    return add_box(o, world, b);
  case DLS_BOUNDARY_CYLINDER:
    return add_round(o, world, b, s->radius[0], s->radius[0], world->dim == 2 ? 0 : half);
  case DLS_BOUNDARY_FRUSTUM:
    return add_round(o, world, b, s->radius[0], s->radius[1], s->length[0] / 2);
  case DLS_BOUNDARY_PLATE:
    DLS_TRY(add_circle(o, world, b, s->radius[0], 0));
    return add_circle(o, world, b, s->radius[1], 0);
  case DLS_BOUNDARY_SPHERE:
  default:
    return add_circle(o, world, b, s->radius[0], 0);
  }
}

DlsStatus dls_outline_make(const DlsWorld *world, double reach, DlsOutline *out) {
  out->count = 0;
  for (int b = 0; b < world->boundary_count; b++)
    if (!(world->boundary[b].flags & DLS_BODY_GHOST)) DLS_TRY(add_boundary(out, world, b, reach));
  return DLS_OK;
}
