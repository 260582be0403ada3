/* The world in lines, for pictures and files. */
#include "world/boundary/kind.h"
#include "world/world.h"

DlsStatus dls_world_outline_boundaries(const DlsWorld *world, const DlsSight *sight,
                                       DlsOutline *out) {
  for (int b = 0; b < world->boundary_count; b++) {
    const DlsBoundary *boundary = &world->boundary[b];
    const DlsPose pose = dls_boundary_pose(boundary);
    if (boundary->flags & DLS_BODY_GHOST) continue;
    DLS_TRY(dls_boundary_operations(boundary->kind)
                ->outline(world->dim, boundary, sight, &pose, b, out));
  }
  return DLS_OK;
}

DlsStatus dls_world_faces(const DlsWorld *world, const DlsSight *sight, DlsFaces *out) {
  for (int b = 0; b < world->boundary_count; b++) {
    const DlsBoundary *boundary = &world->boundary[b];
    const DlsBoundaryOperations *kind = dls_boundary_operations(boundary->kind);
    const DlsPose pose = dls_boundary_pose(boundary);
    if (boundary->flags & DLS_BODY_GHOST || !kind->faces) continue;
    DLS_TRY(kind->faces(boundary, sight, &pose, b, out));
  }
  return DLS_OK;
}

DlsStatus dls_world_outline_bodies(const DlsWorld *world, DlsOutline *out) {
  if (!world->figure) return DLS_OK;
  for (int e = 0; e < world->first[world->count]; e++) {
    const int body = world->element_body[e];
    if (dls_world_is_ball(world, e) || world->flags[body] & DLS_BODY_GHOST) continue;
    const DlsSolid solid = dls_world_solid(world, e);
    DlsPose pose;
    dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
    DLS_TRY(dls_shape_operations(solid.kind)->outline(&solid, &pose, body, out));
  }
  return DLS_OK;
}
