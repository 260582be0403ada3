/* Boundaries in frames: as lines, and as surfaces; the force on each with both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/frames/arrays.h"
#include "record/frames/frames_impl.h"
#include "record/frames/frames_surface.h"

/* The middle of the box around the grains, and half of its greatest edge and a fifth more; where
 * there are none, of the box around the boundaries' origins. */
DlsSight dls_frames_sight(const DlsFrameView *v, const DlsWorld *world) {
  DlsSight sight = {.reach = 0};
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int e = 0; e < v->elements; e++) {
      low = fmin(low, v->centre[3 * e + k] - v->radius[e]);
      high = fmax(high, v->centre[3 * e + k] + v->radius[e]);
    }
    for (int b = 0; b < world->boundary_count && v->elements == 0; b++) {
      low = fmin(low, world->boundary[b].position[k]);
      high = fmax(high, world->boundary[b].position[k]);
    }
    if (!(high >= low)) continue;
    sight.centre[k] = (low + high) / 2;
    sight.reach = fmax(sight.reach, 0.6 * (high - low));
  }
  if (!(sight.reach > 0)) sight.reach = 1;
  return sight;
}

/* Number and force of the boundary, and what laws remember of it, for each of `count` cells. */
typedef struct {
  int32_t *number;
  double *force;
  DlsSurfaceArrays surfaces;
  DlsVtuArray *array;
  int arrays;
} Cells;

static void cells_clear(Cells *c) {
  free(c->number);
  free(c->force);
  free(c->array);
  dls_surface_arrays_clear(&c->surfaces);
}

static DlsStatus cells_fill(const DlsSimulation *s, int count, const int *owner, Cells *c) {
  DLS_NEW(c->force, 3 * (size_t)count);
  DLS_NEW(c->number, count);
  for (int k = 0; k < count; k++) {
    c->number[k] = -1 - owner[k];
    if (s->state.step > 0)
      memcpy(c->force + 3 * k, s->state.boundary_force[owner[k]], 3 * sizeof *c->force);
  }
  DLS_TRY(dls_surface_arrays_make(s, count, c->number, &c->surfaces));
  for (int k = 0; k < count; k++) c->number[k] = owner[k];
  const DlsVtuArray data[] = {
      DLS_FRAMES_NUMBERS("boundary", c->number, DLS_VTU_INT32),
      DLS_FRAMES_REALS("force", c->force, 3, DLS_VTU_VECTORS),
  };
  const DlsArrayList parts[] = {{data, DLS_COUNT(data)}, {c->surfaces.array, c->surfaces.count}};
  return dls_arrays_join(parts, DLS_COUNT(parts), &c->array, &c->arrays);
}

DlsStatus dls_frames_put_boundaries(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsSight sight = dls_frames_sight(v, s->world);
  DlsOutline outline = {0};
  Cells cells = {0};
  DlsStatus status = dls_world_outline_boundaries(s->world, &sight, &outline);
  if (status == DLS_OK) status = cells_fill(s, outline.count, outline.owner, &cells);
  if (status == DLS_OK) {
    DlsVtuGrid grid = dls_frames_grid(s, DLS_VTU_LINE, outline.count, outline.ends, NULL, 0);
    grid.cell_data = cells.array;
    grid.cell_arrays = cells.arrays;
    status = dls_frames_put(f, DLS_FRAMES_BOUNDARIES, &grid);
  }
  cells_clear(&cells);
  dls_outline_clear(&outline);
  return status;
}

static DlsStatus put_faces(DlsFrames *f, const DlsSimulation *s, const DlsFaces *faces,
                           int64_t *order, uint8_t *type, Cells *cells) {
  for (int64_t k = 0; k < faces->points; k++) order[k] = k;
  for (int k = 0; k < faces->count; k++) {
    const int64_t corners = faces->end[k] - (k ? faces->end[k - 1] : 0);
    type[k] = corners == 3 ? DLS_VTU_TRIANGLE : corners == 4 ? DLS_VTU_QUAD : DLS_VTU_POLYGON;
  }
  DLS_TRY(cells_fill(s, faces->count, faces->owner, cells));
  const DlsVtuGrid grid = {.points = faces->points,
                           .cells = faces->count,
                           .position = faces->point,
                           .connectivity = order,
                           .end = faces->end,
                           .type = type,
                           .cell_data = cells->array,
                           .cell_arrays = cells->arrays,
                           .timed = true,
                           .time = s->state.time};
  return dls_frames_put(f, DLS_FRAMES_WALLS, &grid);
}

DlsStatus dls_frames_put_walls(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsSight sight = dls_frames_sight(v, s->world);
  DlsFaces faces = {0};
  Cells cells = {0};
  DlsStatus status = dls_frames_open(f, DLS_FRAMES_WALLS);
  if (status == DLS_OK) status = dls_world_faces(s->world, &sight, &faces);
  int64_t *order = dls_memory_array((size_t)faces.points, sizeof *order);
  uint8_t *type = dls_memory_array((size_t)faces.count, sizeof *type);
  if (status == DLS_OK && (!order || !type))
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the walls of a frame");
  if (status == DLS_OK) status = put_faces(f, s, &faces, order, type, &cells);
  cells_clear(&cells);
  free(order);
  free(type);
  dls_faces_clear(&faces);
  return status;
}
