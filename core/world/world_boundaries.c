/* Boundaries of a world: they come, go and are found; few, so nothing is clever here. */
#include <stdlib.h>
#include <string.h>

#include "world/world_impl.h"

DlsStatus dls_world_add_boundary(DlsWorld *world, const DlsBoundary *boundary) {
  DlsBoundary new = *boundary;
  DLS_TRY(dls_boundary_check(world->dim, &new));
  DLS_CHECK(new.material >= 0 && (new.material == 0 || new.material < world->materials.count),
            DLS_ERR_ARGUMENT, "boundary %d: no material number %d", world->boundary_count,
            new.material);
  DLS_CHECK(new.id == 0 || (new.id >= world->next_boundary_id &&new.id < DLS_END_OF_IDS),
            DLS_ERR_ARGUMENT, "boundary %d: id %llu is not above those given so far",
            world->boundary_count, (unsigned long long)new.id);
  if (new.id == 0) new.id = world->next_boundary_id;
  DLS_TRY(dls_facets_hold(&world->facets, new.facets));
  if (world->boundary_count == world->boundary_capacity) {
    const int capacity = world->boundary_capacity ? 2 * world->boundary_capacity : 8;
    DLS_TRY(
        dls_world_grow(&world->boundary, world->boundary_count, capacity, sizeof *world->boundary));
    world->boundary_capacity = capacity;
  }
  world->next_boundary_id = new.id + 1;
  world->boundary[world->boundary_count++] = new;
  world->revision++;
  return DLS_OK;
}

DlsStatus dls_world_remove_boundary(DlsWorld *world, int boundary) {
  DLS_CHECK(boundary >= 0 && boundary < world->boundary_count, DLS_ERR_ARGUMENT,
            "no boundary number %d of %d", boundary, world->boundary_count);
  world->boundary_count--;
  memmove(&world->boundary[boundary], &world->boundary[boundary + 1],
          (size_t)(world->boundary_count - boundary) * sizeof *world->boundary);
  world->revision++;
  return DLS_OK;
}

int dls_world_carrier(const DlsWorld *world, int boundary) {
  const uint64_t id = world->boundary[boundary].carrier;
  return id ? dls_world_find(world, id) : -1;
}

void dls_world_carry(DlsWorld *world) {
  for (int b = 0; b < world->boundary_count; b++) {
    const int body = dls_world_carrier(world, b);
    DlsBoundary *boundary = &world->boundary[b];
    boundary->growth = 0;
    if (body < 0) continue;
    if (boundary->flags & DLS_BOUNDARY_SWELLS) {
      boundary->radius[0] = world->position[body][0] - boundary->position[0];
      boundary->growth = world->velocity[body][0];
      continue;
    }
    memcpy(boundary->position, world->position[body], sizeof world->position[body]);
    memcpy(boundary->velocity, world->velocity[body], sizeof world->velocity[body]);
  }
}

int dls_world_find_boundary(const DlsWorld *world, uint64_t id) {
  for (int i = 0; i < world->boundary_count; i++)
    if (world->boundary[i].id == id) return i;
  return -1;
}
