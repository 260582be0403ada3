#include "post/field_grid.h"

#include <stdlib.h>

DlsStatus dls_field_points_read(const char *text, int dim, int out[3]) {
  const char *at = text;
  out[0] = out[1] = out[2] = 1;
  for (int k = 0; k < dim; k++) {
    char *end;
    const long n = strtol(at, &end, 10);
    const bool last = k + 1 == dim;
    DLS_CHECK(end != at && n >= 2 && n <= 100000 && (last ? *end == '\0' : *end == 'x'),
              DLS_ERR_ARGUMENT, "%s: a grid is written %s, points along each axis, 2 and more",
              text, dim == 3 ? "40x40x40" : "40x40");
    out[k] = (int)n;
    at = end + 1;
  }
  return DLS_OK;
}

DlsStatus dls_field_grid_read(const char *text, const DlsGranulate *g, const DlsProbe *region,
                              DlsFieldGrid *out) {
  *out = (DlsFieldGrid){.points = {40, 1, 1}};
  dls_granulate_box(g, out->low, out->high);
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
