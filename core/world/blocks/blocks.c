/* The list of blocks, and the solids that several makers use. */
#include "world/blocks/blocks_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rotation.h"

/* So many shapes are looked at for an equal one: makers repeat themselves soon or not at all. */
enum { LOOK_BACK = 16 };

void dls_blocks_clear(DlsBlocks *blocks) {
  for (int k = 0; k < blocks->shapes; k++) {
    free(blocks->numbers[k].number);
    dls_shape_clear(&blocks->shape[k]);
  }
  free(blocks->numbers);
  free(blocks->shape);
  free(blocks->block);
  *blocks = (DlsBlocks){.dim = blocks->dim};
}

double dls_blocks_volume(const DlsBlocks *blocks) {
  double sum = 0;
  for (int k = 0; k < blocks->count; k++) sum += blocks->shape[blocks->block[k].shape].volume;
  return sum;
}

/* Room for one shape more. */
static DlsStatus widen(DlsBlocks *b) {
  if (b->shapes < b->shape_capacity) return DLS_OK;
  const size_t capacity = 2 * (size_t)b->shape_capacity + 8;
  DlsConvexNumbers *numbers = realloc(b->numbers, capacity * sizeof *numbers);
  if (numbers) b->numbers = numbers;
  DlsShape *shape = realloc(b->shape, capacity * sizeof *shape);
  if (shape) b->shape = shape;
  DLS_CHECK(numbers && shape, DLS_ERR_MEMORY, "out of memory for %zu shapes of blocks", capacity);
  b->shape_capacity = (int)capacity;
  return DLS_OK;
}

/* The numbers belong to the list when it returns DLS_OK. */
static DlsStatus take(DlsConvexNumbers *numbers, DlsBlocks *b, int *shape) {
  const size_t bytes = (size_t)numbers->count * sizeof *numbers->number;
  for (int k = b->shapes - 1; k >= 0 && k >= b->shapes - LOOK_BACK; k--)
    if (b->numbers[k].count == numbers->count &&
        memcmp(b->numbers[k].number, numbers->number, bytes) == 0) {
      *shape = k;
      free(numbers->number);
      return DLS_OK;
    }
  DLS_TRY(widen(b));
  const DlsShapePart part = {
      .kind = DLS_SHAPE_CONVEX, .count = numbers->count, .number = numbers->number};
  DLS_TRY(dls_shape_compose(b->dim, 1, &part, &b->shape[b->shapes]));
  b->numbers[b->shapes] = *numbers;
  *shape = b->shapes++;
  return DLS_OK;
}

DlsStatus dls_blocks_shape(DlsStatus made, DlsConvexNumbers *numbers, DlsBlocks *blocks,
                           int *shape) {
  if (made == DLS_OK) made = take(numbers, blocks, shape);
  if (made != DLS_OK) free(numbers->number);
  return made;
}

DlsStatus dls_blocks_add(DlsBlocks *b, int shape, const double position[3],
                         const double *orientation, bool base) {
  if (b->count == b->capacity) {
    const size_t capacity = 2 * (size_t)b->capacity + 64;
    DlsBlock *block = capacity < INT32_MAX ? realloc(b->block, capacity * sizeof *block) : NULL;
    DLS_CHECK(block, DLS_ERR_MEMORY, "out of memory for %zu blocks", capacity);
    b->block = block;
    b->capacity = (int)capacity;
  }
  DlsBlock *one = &b->block[b->count++];
  *one = (DlsBlock){.shape = shape, .orientation = {1}, .base = base};
  memcpy(one->position, position, sizeof one->position);
  if (orientation) memcpy(one->orientation, orientation, sizeof one->orientation);
  return DLS_OK;
}

DlsStatus dls_blocks_add_box(DlsBlocks *blocks, const double length[3], const double middle[3],
                             bool base) {
  DlsConvexNumbers numbers;
  int shape;
  const DlsStatus made = dls_convex_box(blocks->dim, 0, length, &numbers);
  DLS_TRY(dls_blocks_shape(made, &numbers, blocks, &shape));
  return dls_blocks_add(blocks, shape, middle, NULL, base);
}

DlsStatus dls_blocks_plate(DlsBlocks *blocks, int corners, const double (*corner)[3], double depth,
                           int *shape, double upright[4]) {
  const double quarter[4] = {sqrt(0.5), sqrt(0.5), 0, 0}; /* about x: y becomes z */
  const double none[4] = {1, 0, 0, 0};
  DlsConvexNumbers numbers;
  memcpy(upright, blocks->dim == 3 ? quarter : none, sizeof quarter);
  const DlsStatus made = blocks->dim == 3
                             ? dls_convex_prism(0, corners, corner, depth, &numbers)
                             : dls_convex_build(2, 0, corners, corner, 0, NULL, NULL, &numbers);
  return dls_blocks_shape(made, &numbers, blocks, shape);
}

DlsStatus dls_blocks_finish(DlsBlocks *b) {
  DlsBlock *sorted;
  int next = 0;
  DLS_NEW(sorted, b->count);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < b->count; k++)
      if (b->block[k].base == (pass == 0)) sorted[next++] = b->block[k];
    if (pass == 0) b->base = next;
  }
  free(b->block);
  b->block = sorted;
  b->capacity = b->count;
  return DLS_OK;
}

double dls_blocks_snap(double length, double whole, double gap) {
  const double half = (whole - gap) / 2;
  if (fabs(length - whole) < 1e-12 * whole) return whole;
  return fabs(length - half) < 1e-12 * whole ? half : length;
}

DlsStatus dls_blocks_check_length(const char *what, double length) {
  DLS_CHECK(isfinite(length) && length > 0, DLS_ERR_ARGUMENT, "%s is %g m; give a length above 0",
            what, length);
  return DLS_OK;
}

DlsStatus dls_blocks_check_gap(double gap, double most, const char *what) {
  DLS_CHECK(isfinite(gap) && gap >= 0 && gap < most, DLS_ERR_ARGUMENT,
            "gap %g m is not from 0 on and below %s, %g m; take a smaller one", gap, what, most);
  return DLS_OK;
}
