/* The ball: a sphere, in 2-D a disk, of radius `scale` about its origin. */
#include <math.h>

#include "world/shape_kind.h"

static const double pi = 3.14159265358979323846;

static DlsStatus check_ball(const DlsSolid *s) {
  DLS_CHECK(isfinite(s->scale) && s->scale > 0, DLS_ERR_ARGUMENT, "radius %g is not above 0",
            s->scale);
  return DLS_OK;
}

static double radius_of(const DlsSolid *s) { return s->scale; }

/* Sphere: 4/3 pi r3, second moments V r2/5. Disk: pi r2, A r2/4. */
static void ball_moments(const DlsSolid *s, DlsMoments *out) {
  const double r = s->scale;
  const double volume = s->dim == 3 ? 4.0 / 3.0 * pi * r * r * r : pi * r * r;
  *out = (DlsMoments){.volume = volume};
  for (int k = 0; k < s->dim; k++) out->second[k] = volume * r * r / (s->dim == 3 ? 5 : 4);
}

static void ball_bounds(const DlsSolid *s, const DlsPose *pose, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = pose->position[k] - s->scale;
    high[k] = pose->position[k] + s->scale;
  }
}

static void ball_support(const DlsSolid *s, const double direction[3], double out[3]) {
  const double size = dls_vector_norm(direction);
  for (int k = 0; k < 3; k++) out[k] = s->scale * direction[k] / size;
}

static bool ball_contains(const DlsSolid *s, const double x[3]) {
  return dls_vector_dot(x, x) <= s->scale * s->scale;
}

static DlsStatus ball_outline(const DlsSolid *s, const DlsPose *pose, int owner, DlsOutline *out) {
  return dls_outline_circle(out, pose, owner, s->scale, 0);
}

const DlsShapeOperations dls_shape_ball = {
    .name = "ball",
    .check = check_ball,
    .reach = radius_of,
    .size = radius_of,
    .moments = ball_moments,
    .bounds = ball_bounds,
    .support = ball_support,
    .contains = ball_contains,
    .outline = ball_outline,
};
