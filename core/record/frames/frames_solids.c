/* Bodies with corners as cells: polygons in 2-D, polyhedra in 3-D, one for each element that is no
 * ball, with all arrays of bodies. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/frames/arrays.h"
#include "record/frames/frames_impl.h"

/* Where each element of the world stands among those of the view; -1: it is not shown. */
static DlsStatus number_elements(const DlsWorld *world, int **out) {
  int k = 0;
  DLS_NEW(*out, world->first[world->count]);
  for (int e = 0; e < world->first[world->count]; e++)
    (*out)[e] = dls_frame_shows(world, world->element_body[e]) ? k++ : -1;
  return DLS_OK;
}

static DlsStatus put_cells(DlsFrames *f, const DlsSimulation *s, const DlsSkin *skin,
                           int64_t *order, uint8_t *type, const DlsPickedArrays *cells) {
  const bool solid = s->world->dim == 3;
  for (int64_t k = 0; k < skin->points; k++) order[k] = k;
  memset(type, solid ? DLS_VTU_POLYHEDRON : DLS_VTU_POLYGON, (size_t)skin->count);
  const DlsVtuGrid grid = {.points = skin->points,
                           .cells = skin->count,
                           .position = skin->point,
                           .connectivity = order,
                           .end = skin->end,
                           .type = type,
                           .face = solid ? skin->face : NULL,
                           .face_end = solid ? skin->face_end : NULL,
                           .cell_data = cells->array,
                           .cell_arrays = cells->count,
                           .timed = true,
                           .time = s->state.time};
  DLS_TRY(dls_frames_open(f, DLS_FRAMES_SOLIDS));
  return dls_frames_put(f, DLS_FRAMES_SOLIDS, &grid);
}

DlsStatus dls_frames_put_solids(DlsFrames *f, const DlsSimulation *s, const DlsVtuArray *array,
                                int arrays) {
  DlsSkin skin = {0};
  DlsPickedArrays cells = {0};
  int *number = NULL;
  DlsStatus status = number_elements(s->world, &number);
  if (status == DLS_OK) status = dls_world_skin(s->world, &skin);
  for (int k = 0; k < skin.count && status == DLS_OK; k++)
    skin.element[k] = number[skin.element[k]];
  if (status == DLS_OK) status = dls_arrays_pick(array, arrays, skin.count, skin.element, &cells);
  int64_t *order = dls_memory_array((size_t)skin.points, sizeof *order);
  uint8_t *type = dls_memory_array((size_t)skin.count, sizeof *type);
  if (status == DLS_OK && (!order || !type))
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the solids of a frame");
  if (status == DLS_OK && skin.count) /* kinds without a surface have lines alone */
    status = put_cells(f, s, &skin, order, type, &cells);
  free(order);
  free(type);
  free(number);
  dls_arrays_clear(&cells);
  dls_skin_clear(&skin);
  return status;
}
