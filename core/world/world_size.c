/* Elements as their kinds see them, and the lengths of bodies. */
#include <math.h>
#include <string.h>

#include "world/deformable.h"

DlsSolid dls_world_solid(const DlsWorld *world, int e) {
  if (dls_world_is_ball(world, e))
    return (DlsSolid){.dim = world->dim, .kind = DLS_SHAPE_BALL, .scale = world->element[e].radius};
  const DlsFigure *figure = &world->figure[e];
  return (DlsSolid){.dim = world->dim,
                    .kind = figure->numbers->kind,
                    .count = figure->numbers->count,
                    .number = figure->numbers->number,
                    .scale = figure->scale};
}

void dls_world_element_pose(const DlsWorld *world, int e, const double position[3],
                            const double orientation[4], DlsPose *out) {
  dls_rotation_apply(orientation, world->element[e].offset, out->position);
  for (int k = 0; k < 3; k++) out->position[k] += position[k];
  if (dls_world_is_ball(world, e))
    memcpy(out->orientation, orientation, sizeof out->orientation);
  else
    dls_rotation_multiply(orientation, world->figure[e].rotation, out->orientation);
}

double dls_world_size(const DlsWorld *world, int body) {
  double size = INFINITY;
  for (int e = world->first[body]; e < world->first[body + 1]; e++)
    size = fmin(size, dls_world_element_size(world, e));
  return size;
}

double dls_world_reach(const DlsWorld *world, int body) {
  double reach = 0;
  for (int e = world->first[body]; e < world->first[body + 1]; e++)
    reach = fmax(reach, dls_vector_norm(world->element[e].offset) + world->element[e].radius);
  return reach;
}

double dls_world_arm(const DlsWorld *world, int body) {
  double arm = 0;
  for (int e = world->first[body]; e < world->first[body + 1]; e++) {
    const double offset = dls_vector_norm(world->element[e].offset);
    arm = fmax(arm, dls_world_is_ball(world, e) ? offset : offset + world->element[e].radius);
  }
  return arm;
}

void dls_world_sizes(const DlsWorld *world, double *least, double *largest) {
  *least = INFINITY;
  *largest = 0;
  for (int e = 0; e < world->first[world->count]; e++) {
    const double size = dls_world_element_size(world, e);
    *least = fmin(*least, size);
    *largest = fmax(*largest, size);
  }
}

int dls_world_element_of(const DlsWorld *world, int body, uint32_t feature) {
  int low = world->first[body], high = world->first[body + 1];
  if (feature >= DLS_FEATURE_POINT) return 0; /* of a body that meets by faces, none of them */
  if (!world->figure) return (int)feature;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (dls_world_first_feature(world, middle) <= feature)
      low = middle;
    else
      high = middle;
  }
  return low - world->first[body];
}

double dls_world_radius_at(const DlsWorld *world, int body, uint32_t feature) {
  const int e = world->first[body] + dls_world_element_of(world, body, feature);
  const DlsDeformable *soft = dls_deformable_of(world, body);
  if (soft && soft->faces) return 0;
  return dls_world_is_ball(world, e) ? world->element[e].radius : 0;
}
