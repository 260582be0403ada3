#include "post/diameters.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void measure_one(const DlsPacking *g, const DlsProbe *probe, int k, DlsDiameters *out) {
  const int up = g->dim == 3 ? 2 : 1;
  const double c = cos(out->angle[k]), s = sin(out->angle[k]);
  double along[3] = {0};
  DlsCut cut = {.kind = DLS_CUT_DISK, .radius = probe->radius};
  DlsCutForce through;
  memcpy(cut.centre, probe->centre, sizeof cut.centre);
  cut.normal[0] = c, cut.normal[up] = s;
  along[0] = -s, along[up] = c;
  dls_cut(g, &cut, &through);
  for (int i = 0; i < 3; i++) {
    double traction = 0;
    for (int j = 0; j < 3; j++) traction += out->average.stress[3 * i + j] * cut.normal[j];
    out->cut[k][0] += through.traction[i] * cut.normal[i];
    out->cut[k][1] += through.traction[i] * along[i];
    out->fit[k][0] += traction * cut.normal[i];
    out->fit[k][1] += traction * along[i];
  }
  out->crossing += (double)through.contacts / out->count;
}

static void compare(DlsDiameters *out) {
  double sum[2] = {0}, square[2] = {0}, product = 0, apart = 0;
  const int n = 2 * out->count;
  for (int k = 0; k < n; k++) {
    sum[0] += out->cut[k / 2][k % 2] / n;
    sum[1] += out->fit[k / 2][k % 2] / n;
  }
  for (int k = 0; k < n; k++) {
    const double a = out->cut[k / 2][k % 2], b = out->fit[k / 2][k % 2];
    square[0] += (a - sum[0]) * (a - sum[0]);
    square[1] += (b - sum[1]) * (b - sum[1]);
    product += (a - sum[0]) * (b - sum[1]);
    apart += (a - b) * (a - b);
  }
  const double size = sqrt(square[0] * square[1]), pressure = fabs(out->average.state.pressure);
  out->correlation = size > 0 ? product / size : 0;
  out->deviation = pressure > 0 ? sqrt(apart / n) / pressure : 0;
}

DlsStatus dls_diameters(const DlsPacking *g, const DlsProbe *probe, DlsAverageKind kind, int count,
                        DlsDiameters *out) {
  memset(out, 0, sizeof *out);
  DLS_CHECK(probe->kind == DLS_PROBE_SPHERE, DLS_ERR_ARGUMENT,
            "diameters are those of a sphere:CENTRE:RADIUS, not of another region");
  DLS_CHECK(count >= 1 && count <= DLS_DIAMETERS_MOST, DLS_ERR_ARGUMENT,
            "%d diameters, not 1 to %d", count, DLS_DIAMETERS_MOST);
  DLS_TRY(dls_average(g, probe, kind, &out->average));
  out->count = count;
  for (int k = 0; k < count; k++) {
    out->angle[k] = k * pi / count;
    measure_one(g, probe, k, out);
  }
  compare(out);
  return DLS_OK;
}
