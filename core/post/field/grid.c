#include "post/field/grid.h"

#include <string.h>

#include "base/checked.h"

DlsStatus dls_field_points_read(const char *text, int dim, int out[3]) {
  const char *at = text;
  size_t nodes = 1;
  out[0] = out[1] = out[2] = 1;
  for (int k = 0; k < dim; k++) {
    const size_t length = k + 1 == dim ? strlen(at) : strcspn(at, "x");
    int64_t n;
    DLS_CHECK(dls_checked_text(at, length, 2, 100000, &n) && (k + 1 == dim || at[length] == 'x'),
              DLS_ERR_ARGUMENT, "%s: a grid is written %s, points along each axis, 2 and more",
              text, dim == 3 ? "40x40x40" : "40x40");
    DLS_CHECK(dls_checked_product(nodes, (size_t)n, DLS_FIELD_MOST, &nodes), DLS_ERR_ARGUMENT,
              "%s: a grid of more than %d points", text, DLS_FIELD_MOST);
    out[k] = (int)n;
    at += length + 1;
  }
  return DLS_OK;
}

DlsStatus dls_field_grid_read(const char *text, const DlsPacking *g, const DlsProbe *region,
                              DlsFieldGrid *out) {
  *out = (DlsFieldGrid){.points = {40, 1, 1}};
  dls_packing_box(g, out->low, out->high);
  DLS_CHECK(region->kind == DLS_PROBE_ALL || region->kind == DLS_PROBE_BOX, DLS_ERR_ARGUMENT,
            "a field is that of a box: region box:LOW:HIGH");
  for (int k = 0; k < g->dim && region->kind == DLS_PROBE_BOX; k++)
    out->low[k] = region->low[k], out->high[k] = region->high[k];
  if (text) return dls_field_points_read(text, g->dim, out->points);
  const double step = (out->high[0] - out->low[0]) / (out->points[0] - 1);
  for (int k = 1; k < g->dim; k++) {
    const double count = step > 0 ? (out->high[k] - out->low[k]) / step : 1;
    out->points[k] = count < 1 ? 2 : count > 1000 ? 1001 : (int)count + 1;
  }
  return DLS_OK;
}
