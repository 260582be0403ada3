/* The world in lines and polygons, for pictures and files. */
#include <math.h>
#include <string.h>

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

DlsStatus dls_world_skin(const DlsWorld *world, DlsSkin *out) {
  if (!world->figure) return DLS_OK;
  for (int e = 0; e < world->first[world->count]; e++) {
    const int body = world->element_body[e];
    if (dls_world_is_ball(world, e) || world->flags[body] & DLS_BODY_GHOST) continue;
    const DlsSolid solid = dls_world_solid(world, e);
    const DlsShapeOperations *kind = dls_shape_operations(solid.kind);
    DlsPose pose;
    if (!kind->skin) continue;
    dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
    DLS_TRY(dls_skin_begin(out, e));
    DLS_TRY(kind->skin(&solid, &pose, out));
  }
  return DLS_OK;
}

/* Of a body of one solid the centre of mass; in others the solid's own. */
void dls_world_element_centre(const DlsWorld *world, int e, double out[3]) {
  const int body = world->element_body[e];
  DlsPose pose;
  dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
  memcpy(out, pose.position, sizeof pose.position);
  if (dls_world_is_ball(world, e)) return;
  if (world->first[body + 1] - world->first[body] == 1) {
    memcpy(out, world->position[body], 3 * sizeof *out);
    return;
  }
  const DlsSolid solid = dls_world_solid(world, e);
  DlsMoments moments = {0};
  dls_shape_operations(solid.kind)->moments(&solid, &moments);
  if (!(moments.volume > 0)) return;
  for (int k = 0; k < 3; k++) out[k] = moments.first[k] / moments.volume;
  dls_pose_to_space(&pose, out, out);
}

void dls_world_bounds(const DlsWorld *world, int body, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (int e = world->first[body]; e < world->first[body + 1]; e++) {
    const DlsSolid solid = dls_world_solid(world, e);
    double a[3], b[3];
    DlsPose pose;
    dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
    dls_shape_operations(solid.kind)->bounds(&solid, &pose, a, b);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], a[k]);
      high[k] = fmax(high[k], b[k]);
    }
  }
}
