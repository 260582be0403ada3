/* What of an observable a checkpoint keeps: the places that the first instant has fixed. All else
 * follows from the request. */
#include <math.h>

#include "base/checked.h"
#include "base/small.h"
#include "post/field/grid.h"
#include "post/observable.h"

void dls_observable_pack(DlsObservable *r, DlsPack *pack, bool *fits) {
  double *const vectors[] = {r->profile.low, r->profile.high, r->floor.centre,
                             r->floor.up,    r->grid.low,     r->grid.high};
  double *const numbers[] = {&r->floor.low, &r->floor.high, &r->floor.across, &r->kernel.width};
  for (int k = 0; k < DLS_COUNT(vectors); k++) {
    dls_pack_reals(pack, vectors[k], 3);
    *fits = *fits && dls_small_finite(3, vectors[k]);
  }
  for (int k = 0; k < DLS_COUNT(numbers); k++) {
    dls_pack_reals(pack, numbers[k], 1);
    *fits = *fits && isfinite(*numbers[k]);
  }
  dls_pack_int(pack, &r->boundaries, -1, DLS_PACKING_BOUNDARIES, fits);
  for (int k = 0; k < 3; k++) dls_pack_int(pack, &r->grid.points[k], 0, DLS_FIELD_MOST, fits);
}

/* Whether the places could be those of an observable of this kind: as its `begin` refuses
 * others. */
static bool is_possible(const DlsObservableRequest *request, const DlsObservable *r) {
  const int *n = r->grid.points, axis = r->profile.axis;
  int points[3];
  size_t nodes = 1;
  switch (r->kind) {
  case DLS_OBSERVABLE_WALLS:
    return r->boundaries >= 0;
  case DLS_OBSERVABLE_PROFILE:
    return r->profile.high[axis] > r->profile.low[axis];
  case DLS_OBSERVABLE_FLOOR:
    return r->floor.high > r->floor.low && r->floor.across > 0;
  case DLS_OBSERVABLE_FIELD:
    if (request->grid && dls_field_points_read(request->grid, r->dim, points) != DLS_OK)
      return false;
    for (int k = 0; k < 3; k++)
      if (n[k] < 1 || (k >= r->dim && n[k] != 1) || (request->grid && n[k] != points[k]) ||
          !dls_checked_product(nodes, (size_t)n[k], DLS_FIELD_MOST, &nodes))
        return false;
    return r->kernel.width > 0;
  default:
    return true;
  }
}

DlsStatus dls_observable_resume(const DlsObservableRequest *request, int dim, DlsPack *pack,
                                DlsObservable *out) {
  bool fits = true;
  DLS_TRY(dls_observable_words(request, dim, out));
  dls_observable_pack(out, pack, &fits);
  DLS_CHECK(!pack->ended && fits && is_possible(request, out), DLS_ERR_FORMAT,
            "average: its places are impossible; the bytes are damaged");
  return DLS_OK;
}
