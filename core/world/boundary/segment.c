/* Segment: 2-D, thin, along x, of length[0]. */
#include <math.h>

#include "world/boundary/kind.h"

static DlsStatus check_segment(int dim, DlsBoundary *b) {
  (void)dim;
  DLS_TRY(dls_boundary_check_length(b, 0, false));
  if (b->area == 0) b->area = b->length[0];
  return DLS_OK;
}

static void near_segment(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double half = b->length[0] / 2, foot = fmax(-half, fmin(half, c[0]));
  const double away[3] = {c[0] - foot, c[1], 0}, front[3] = {0, 1, 0};
  (void)dim;
  dls_near_add_wall(b, 0, fabs(c[0]) > half, away, front, list);
}

static void ray_segment(const DlsBoundary *b, DlsRay *ray) {
  const double t = -ray->from[1] / ray->way[1];
  if (isfinite(t) && fabs(dls_ray_at(ray, 0, t)) <= b->length[0] / 2) dls_ray_meet(ray, t, 0, true);
}

static DlsStatus outline_segment(int dim, const DlsBoundary *b, const DlsSight *sight,
                                 const DlsPose *pose, int owner, DlsOutline *out) {
  const double half = b->length[0] / 2;
  const double from[3] = {-half, 0, 0}, to[3] = {half, 0, 0};
  (void)dim, (void)sight;
  return dls_outline_line(out, pose, owner, from, to);
}

const DlsBoundaryOperations dls_boundary_segment = {
    .name = "segment",
    .only_dim = 2,
    .instead = "in 3-D use a thin box",
    .lengths = {1, 1},
    .along_x = true,
    .check = check_segment,
    .near = near_segment,
    .supports = dls_boundary_supports_always,
    .ray = ray_segment,
    .outline = outline_segment,
};
