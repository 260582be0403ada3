#include "record/wall_shape.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "world/boundary/kind.h"

/* Endless is -1 in a file: not every reader knows infinite numbers. */
void dls_wall_pack(const DlsBoundary *wall, double out[DLS_WALL_NUMBERS]) {
  out[0] = (double)wall->kind;
  out[1] = wall->inside;
  out[2] = wall->open;
  for (int k = 0; k < 3; k++) out[3 + k] = isinf(wall->length[k]) ? -1 : wall->length[k];
  for (int k = 0; k < 2; k++) out[6 + k] = wall->radius[k];
  out[8] = wall->rounding;
  out[9] = wall->depth;
  memcpy(out + 10, wall->position, sizeof wall->position);
  memcpy(out + 13, wall->orientation, sizeof wall->orientation);
  out[17] = 0;
}

DlsStatus dls_wall_unpack(const double number[DLS_WALL_NUMBERS], int dim, const char *path,
                          DlsBoundary *out) {
  int kind, inside, open;
  DLS_CHECK(dls_checked_real(number[0], 0, INT_MAX, &kind) &&
                dls_boundary_operations((DlsBoundaryKind)kind) &&
                dls_checked_real(number[1], 0, 1, &inside) &&
                dls_checked_real(number[2], 0, 63, &open),
            DLS_ERR_FORMAT, "%s: wall_shape has a wall of kind %g, inside %g, open %g", path,
            number[0], number[1], number[2]);
  *out = (DlsBoundary){.kind = (DlsBoundaryKind)kind,
                       .inside = inside,
                       .open = (unsigned)open,
                       .rounding = number[8],
                       .depth = number[9]};
  for (int k = 0; k < 3; k++) out->length[k] = number[3 + k] < 0 ? HUGE_VAL : number[3 + k];
  for (int k = 0; k < 2; k++) out->radius[k] = number[6 + k];
  memcpy(out->position, number + 10, sizeof out->position);
  memcpy(out->orientation, number + 13, sizeof out->orientation);
  return dls_boundary_check(dim, out);
}
