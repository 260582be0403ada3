/* Surfaces of triangles in 3-D, lines of segments in 2-D: as many features as they have patches,
 * edges and corners. */
#include <math.h>

#include "world/boundary/kind.h"

static DlsStatus check_mesh(int dim, DlsBoundary *b) {
  DLS_CHECK(b->facets, DLS_ERR_ARGUMENT, "%s: has no facets", dls_boundary_text(b->kind));
  DLS_CHECK(b->facets->dim == dim, DLS_ERR_ARGUMENT, "%s: its facets are of %d-D",
            dls_boundary_text(b->kind), b->facets->dim);
  return DLS_OK;
}

static void near_mesh(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  DlsFacetPoint point[DLS_MAX_FEATURES];
  const int count = dls_facets_near(b->facets, c, list->reach, b->depth, DLS_MAX_FEATURES, point);
  (void)dim;
  for (int k = 0; k < count; k++)
    dls_near_add(list, point[k].feature, point[k].edge, point[k].distance, point[k].normal);
}

typedef struct {
  DlsRay *ray;
  bool both;
} Crossing;

static void cross(void *context, double t, double along) {
  const Crossing *c = context;
  dls_ray_meet(c->ray, t, along, c->both);
}

static void ray_mesh(const DlsBoundary *b, DlsRay *ray) {
  Crossing crossing = {ray, b->facets->both};
  dls_facets_cross(b->facets, ray->from, ray->way, cross, &crossing);
}

/* What is closed and has one front has a behind. */
static bool behind_mesh(int dim, const DlsBoundary *b, const double x[3], double depth) {
  (void)dim;
  return b->facets->closed && !b->facets->both && dls_facets_depth(b->facets, x) < -depth;
}

static bool flat_mesh(int dim, const DlsBoundary *b, const double x[3], double reach) {
  (void)dim;
  return dls_facets_flat(b->facets, x, reach);
}

/* Every edge, once. */
static DlsStatus outline_mesh(int dim, const DlsBoundary *b, const DlsSight *sight,
                              const DlsPose *pose, int owner, DlsOutline *out) {
  const DlsFacets *f = b->facets;
  (void)sight;
  for (int t = 0; t < f->count; t++)
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
      const int *c = f->corner[t];
      if (dim == 3 && f->neighbour[t][k] >= 0 && f->neighbour[t][k] < t) continue;
      DLS_TRY(dls_outline_line(out, pose, owner, f->node[c[k]], f->node[c[(k + 1) % dim]]));
    }
  return DLS_OK;
}

static DlsStatus faces_mesh(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                            int owner, DlsFaces *out) {
  const DlsFacets *f = b->facets;
  (void)sight;
  for (int t = 0; t < f->count && f->dim == 3; t++) {
    double corner[3][3];
    for (int k = 0; k < 9; k++) corner[k / 3][k % 3] = f->node[f->corner[t][k / 3]][k % 3];
    DLS_TRY(dls_faces_polygon(out, pose, owner, (const double(*)[3])corner, 3));
  }
  return DLS_OK;
}

#define OPERATIONS                                                                                 \
  .check = check_mesh, .near = near_mesh, .ray = ray_mesh, .behind = behind_mesh,                  \
  .flat = flat_mesh, .outline = outline_mesh, .faces = faces_mesh

const DlsBoundaryOperations dls_boundary_mesh = {
    .name = "mesh",
    .only_dim = 3,
    .instead = "in 2-D take a polyline",
    .of_facets = true,
    OPERATIONS,
};

const DlsBoundaryOperations dls_boundary_polyline = {
    .name = "polyline",
    .only_dim = 2,
    .instead = "in 3-D take a mesh",
    .of_facets = true,
    OPERATIONS,
};
