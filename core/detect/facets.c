/* Balls and facets. */
#include <math.h>

#include "detect/meeting.h"

enum { MOST_STRIDES = 64 };

static bool has_feature(const DlsManifold *m, int feature) {
  for (int k = 0; k < m->count; k++)
    if (m->point[k].feature[1] == (uint32_t)feature) return true;
  return false;
}

/* The point with its gap of now: the ball has come `passed` along its way when it was found. */
static void add(const DlsBall *a, const DlsNear *near, const double passed[3], DlsManifold *out) {
  const double gap = near->distance - dls_vector_dot(near->normal, passed) - a->radius;
  DlsManifoldPoint p = {.gap = gap, .radius = a->radius, .feature = {0, (uint32_t)near->feature}};
  for (int k = 0; k < 3; k++) {
    p.normal[k] = near->normal[k];
    p.point[k] = a->x[k] - p.normal[k] * (a->radius + gap / 2);
  }
  if (out->count == DLS_MANIFOLD_POINTS) return;
  int at = out->count++;
  for (; at > 0 && out->point[at - 1].feature[1] > p.feature[1]; at--)
    out->point[at] = out->point[at - 1];
  out->point[at] = p;
}

/* What is near now, and what the way leads to: the facets near places on it, half a radius apart,
 * that it approaches. */
void dls_ball_meets_facets(const DlsMeeting *meeting, const DlsBall *a, const DlsBoundary *b,
                           DlsManifold *out) {
  DlsNear near[DLS_MAX_FEATURES];
  double way[3], passed[3] = {0}, x[3];
  out->count = 0;
  dls_boundary_velocity(b, a->x, way);
  for (int k = 0; k < 3; k++) way[k] = a->way[k] - meeting->horizon * way[k];
  const double length = dls_vector_norm(way), limit = a->radius + meeting->alert + a->sag;
  const int strides =
      length > 0.01 * a->radius ? (int)fmin(MOST_STRIDES, ceil(2 * length / a->radius)) : 0;
  const double stride = strides ? length / strides : length;
  int count = dls_boundary_near(meeting->dim, b, a->x, limit + stride, near);
  for (int i = 0; i < count; i++)
    if (near[i].distance <= limit ||
        near[i].distance + dls_vector_dot(near[i].normal, way) <= limit)
      add(a, &near[i], passed, out);
  for (int s = 1; s <= strides; s++) {
    for (int k = 0; k < 3; k++) {
      passed[k] = way[k] * s / strides;
      x[k] = a->x[k] + passed[k];
    }
    count = dls_boundary_near(meeting->dim, b, x, limit + stride / 2, near);
    for (int i = 0; i < count; i++)
      if (dls_vector_dot(near[i].normal, way) < 0 && !has_feature(out, near[i].feature))
        add(a, &near[i], passed, out);
  }
}
