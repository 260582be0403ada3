/* Bodies with corners: what the section `shape` of a body in a deck makes. */
#include "world/convex.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene_impl.h"
#include "world/irregular.h"
#include "world/revolved.h"

/* `points` of a deck, two or three numbers each. */
static DlsStatus points_of(const DlsSceneShape *s, int width, double (**out)[3], int *count) {
  *out = NULL;
  DLS_CHECK(!s->file || s->points.count == 0, DLS_ERR_ARGUMENT,
            "shape: points stand in the deck or in a file, not in both");
  if (s->file) return dls_scene_file_points(s, width, out, count);
  *count = s->points.count / width;
  DLS_CHECK(s->points.count % width == 0 && *count > 0, DLS_ERR_ARGUMENT,
            "shape: points: %d numbers are no list of %s", s->points.count,
            width == 2 ? "x, y" : "x, y, z");
  DLS_NEW(*out, *count);
  for (int p = 0; p < *count; p++)
    memcpy((*out)[p], s->points.values + (size_t)p * (size_t)width, (size_t)width * sizeof(double));
  return DLS_OK;
}

static DlsStatus from_points(const DlsSceneShape *s, int dim, DlsConvexNumbers *out) {
  const bool flat = dim == 2 || s->kind == DLS_SCENE_PRISM;
  double(*point)[3];
  int count;
  DLS_TRY(points_of(s, flat ? 2 : 3, &point, &count));
  const double(*given)[3] = (const double(*)[3])point;
  DlsStatus status;
  if (s->kind == DLS_SCENE_HULL)
    status = dls_convex_hull(dim, s->rounding, count, given, out);
  else if (s->kind == DLS_SCENE_PRISM)
    status = dls_convex_prism(s->rounding, count, given, s->height, out);
  else
    status = dls_convex_build(2, s->rounding, count, given, 0, NULL, NULL, out);
  free(point);
  return status;
}

static DlsStatus irregular(const DlsSceneShape *s, int dim, DlsRandom *random,
                           DlsConvexNumbers *out) {
  const DlsIrregular solid = {.least = s->corners,
                              .most = s->most_corners,
                              .elongation = s->elongation,
                              .flatness = s->flatness,
                              .irregularity = s->irregularity,
                              .radius = s->radius,
                              .rounding = s->rounding};
  return dls_convex_irregular(dim, &solid, random, out);
}

static DlsStatus numbers_of(const DlsSceneShape *s, int dim, DlsRandom *random,
                            DlsConvexNumbers *out) {
  const bool only_2d = s->kind == DLS_SCENE_REGULAR || s->kind == DLS_SCENE_POLYGON;
  *out = (DlsConvexNumbers){0};
  DLS_CHECK(dim == 2 || !only_2d, DLS_ERR_ARGUMENT,
            "shape: a polygon is of 2-D; in 3-D give `prism` with a height, `hull` or `box`");
  DLS_CHECK(dim == 3 || s->kind != DLS_SCENE_PRISM, DLS_ERR_ARGUMENT,
            "shape: a prism is of 3-D; in 2-D give `polygon`");
  switch (s->kind) {
  case DLS_SCENE_BOX:
    return dls_convex_box(dim, s->rounding, s->lengths, out);
  case DLS_SCENE_REGULAR:
    return dls_convex_regular(s->rounding, s->corners, s->radius, out);
  case DLS_SCENE_CAPSULE:
    return dls_convex_capsule(dim, s->radius, s->lengths[0] / 2, out);
  case DLS_SCENE_IRREGULAR:
    return irregular(s, dim, random, out);
  default:
    return from_points(s, dim, out);
  }
}

static DlsStatus revolved(const DlsSceneShape *s, int dim, DlsShape *out) {
  const bool cone = s->kind == DLS_SCENE_CONE;
  DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT, "shape: a %s is of 3-D; in 2-D give `box` or `polygon`",
            cone ? "cone" : "cylinder");
  DLS_CHECK(s->rounding == 0, DLS_ERR_ARGUMENT,
            "shape: a %s cannot be rounded; give `capsule`, or a `hull` with a rounding",
            cone ? "cone" : "cylinder");
  return cone ? dls_shape_cone(s->sides, s->radius, s->height, out)
              : dls_shape_cylinder(s->sides, s->radius, s->height, out);
}

DlsStatus dls_scene_draw_solid(const DlsSceneShape *s, int dim, DlsRandom *random, DlsShape *out) {
  DlsConvexNumbers numbers;
  *out = (DlsShape){0};
  if (s->kind == DLS_SCENE_SOLID || s->kind == DLS_SCENE_PARTS)
    return dls_scene_file_solid(s, dim, out);
  if (s->kind == DLS_SCENE_CYLINDER || s->kind == DLS_SCENE_CONE) return revolved(s, dim, out);
  DLS_TRY(numbers_of(s, dim, random, &numbers));
  const DlsShapePart part = {
      .kind = DLS_SHAPE_CONVEX, .count = numbers.count, .number = numbers.number};
  const DlsStatus status = dls_shape_compose(dim, 1, &part, out);
  free(numbers.number);
  return status;
}

DlsStatus dls_scene_solid(const DlsSceneShape *s, int dim, DlsShape *out) {
  DlsRandom random;
  dls_random_seed(&random, (uint64_t)s->seed);
  return dls_scene_draw_solid(s, dim, &random, out);
}
