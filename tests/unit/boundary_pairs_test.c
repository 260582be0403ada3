/* Every kind of body against every kind of boundary, in 2-D and 3-D, from outside and inside: they
 * rest on each other with the boundary's own distance for their gap. None is refused. */
#include <math.h>

#include "detect/detect.h"
#include "tests/blocks.h"
#include "tests/facets.h"
#include "world/boundary/kind.h"

/* The boundary with its surface across the vertical at the origin: bodies are above it. */
static DlsBoundary at_origin(int dim, DlsBoundaryKind kind, bool inside, DlsFacets *facets) {
  DlsBoundary b = {.kind = kind, .inside = inside, .orientation = {1, 0, 0, 0}};
  const double side = inside ? 1 : -1;
  for (int k = 0; k < dim; k++) b.length[k] = 6;
  b.radius[0] = kind == DLS_BOUNDARY_PLATE ? 0 : 3, b.radius[1] = 3;
  switch (kind) {
  case DLS_BOUNDARY_BOX:
  case DLS_BOUNDARY_SPHERE:
    b.position[dim - 1] = 3 * side;
    break;
  case DLS_BOUNDARY_CYLINDER: /* a circle; in 3-D on its cap */
  case DLS_BOUNDARY_FRUSTUM:
    b.position[dim - 1] = 3 * side;
    break;
  case DLS_BOUNDARY_MESH:
  case DLS_BOUNDARY_POLYLINE:
    b.facets = facets;
    break;
  default:
    break;
  }
  return b;
}

enum { BALL, CLUSTER, BOX, ROUND_BOX, HULL, CAPSULE, FORMS };

/* A body whose lowest points are `gap` above 0. */
static void add_form(TestScene *scene, int form, double gap) {
  const int dim = scene->world->dim;
  double x[3] = {0};
  x[dim - 1] = gap + 0.2;
  if (form == BALL) {
    test_scene_sphere(scene, 0.2, x[0], x[1], x[2]);
  } else if (form == CLUSTER) {
    const DlsElement two[2] = {{.offset = {-0.1, 0, 0}, .radius = 0.2},
                               {.offset = {0.1, 0, 0}, .radius = 0.2}};
    test_scene_body(scene, 2, two, x[0], x[1], x[2]);
  } else {
    const double length[3] = {0.4, 0.4, 0.4};
    double point[8][3];
    DlsConvexNumbers n;
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 3; i++) point[k][i] = i == dim ? 0 : (k >> i & 1) ? 0.2 : -0.2;
    if (form == CAPSULE)
      CHECK_OK(dls_convex_capsule(dim, 0.2, 0.2, &n));
    else if (form == HULL)
      CHECK_OK(dls_convex_hull(dim, 0, dim == 2 ? 4 : 8, (const double(*)[3])point, &n));
    else
      CHECK_OK(dls_convex_box(dim, form == ROUND_BOX ? 0.05 : 0, length, &n));
    test_scene_convex(scene, &n, x, NULL, 0);
  }
}

static void meet(int dim, DlsBoundaryKind kind, bool inside, int form) {
  const double line[2][3] = {{-3, 0, 0}, {3, 0, 0}}, gap = 1e-3;
  TestScene scene;
  DlsContactSet set = {0};
  DlsDetector *detector;
  test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
  DlsFacets *facets = dim == 3 ? test_ground(6, 3, test_flat, 3) : test_line(2, line, false, false);
  const DlsBoundary boundary = at_origin(dim, kind, inside, facets);
  CHECK_OK(dls_world_add_boundary(scene.world, &boundary));
  dls_facets_release(&facets);
  add_form(&scene, form, gap);
  CHECK_OK(dls_detector_create(&detector));
  const DlsDetection where = {.alert = 0.01};
  const DlsStatus status = dls_detect(detector, scene.world, &where, &set);
  double least = HUGE_VAL;
  CHECK_OK(status);
  for (int c = 0; c < set.count; c++) {
    least = fmin(least, set.gap[c]);
    CHECK(set.frame[c][dim - 1] > 0.9);
  }
  /* On what is curved, radius 3, what is within 0.3 of the middle is off by 0.3^2 / 6. */
  const bool curved = kind == DLS_BOUNDARY_SPHERE || (kind == DLS_BOUNDARY_CYLINDER && dim == 2);
  CHECK_TOLD(set.count > 0 && fabs(least - gap) < (curved ? 0.015 : 1e-9),
             "%s of form %d in %d-D: %d contacts, gap %g", dls_boundary_text(kind), form, dim,
             set.count, least);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_simulation_destroy(&scene.simulation);
}

TEST(every_body_meets_every_boundary) {
  for (int dim = 2; dim <= 3; dim++)
    for (int kind = 0; kind < DLS_BOUNDARY_KINDS; kind++) {
      const DlsBoundaryOperations *own = dls_boundary_operations((DlsBoundaryKind)kind);
      if (own->only_dim && own->only_dim != dim) continue;
      for (int inside = 0; inside <= own->has_inside; inside++)
        for (int form = 0; form < FORMS; form++) meet(dim, (DlsBoundaryKind)kind, inside, form);
    }
}
