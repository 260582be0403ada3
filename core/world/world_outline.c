/* The world in lines, for pictures and files. */
#include "world/boundary/kind.h"
#include "world/world.h"

DlsStatus dls_world_outline_boundaries(const DlsWorld *world, double reach, DlsOutline *out) {
  for (int b = 0; b < world->boundary_count; b++) {
    const DlsBoundary *boundary = &world->boundary[b];
    const DlsPose pose = dls_boundary_pose(boundary);
    if (boundary->flags & DLS_BODY_GHOST) continue;
    DLS_TRY(dls_boundary_operations(boundary->kind)
                ->outline(world->dim, boundary, reach, &pose, b, out));
  }
  return DLS_OK;
}
