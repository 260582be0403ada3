#include "post/series.h"

#include <math.h>

#include "post/fabric.h"

static int axis_of(const DlsSeries *s, const DlsPacking *g) {
  return s->axis >= 0 ? s->axis : g->dim - 1;
}

/* Lengths and volumes now over those of the first moment. */
static void put_strains(DlsSeries *s, const DlsPacking *g, const DlsAverage *a, DlsSeriesRow *out) {
  double low[3], high[3];
  const int axis = axis_of(s, g);
  dls_packing_room(g, low, high);
  if (!s->begun) {
    s->begun = true;
    s->length = high[axis] - low[axis];
    s->solid = a->solid;
    s->density = a->density;
  }
  out->axial_strain = log((high[axis] - low[axis]) / s->length);
  out->volumetric_strain = g->part ? log(s->density / a->density) : log(s->solid / a->solid);
  out->solid = a->solid;
  out->volume = a->volume;
  out->grains = a->grains;
}

static void put_stress(const DlsAverage *a, DlsSeriesRow *out) {
  const double *s = a->stress;
  out->pressure = a->state.pressure;
  out->deviator = a->state.deviator;
  out->stress_ratio = a->state.ratio;
  out->stress_xx = s[0], out->stress_yy = s[4], out->stress_zz = s[8];
  /* What is left of an antisymmetric part is no part of the stress at rest. */
  out->stress_xy = 0.5 * (s[1] + s[3]);
  out->stress_yz = 0.5 * (s[5] + s[7]);
  out->stress_xz = 0.5 * (s[2] + s[6]);
  out->contacts = a->contacts;
}

static void put_fabric(const DlsFabric *f, int axis, DlsSeriesRow *out) {
  out->coordination = f->coordination;
  out->backbone = f->backbone;
  out->rattlers = f->rattlers;
  out->anisotropy = f->anisotropy;
  out->fabric_axial = f->fabric[4 * axis];
  out->mobilised = f->mobilised;
  out->slipping = f->slipping;
}

DlsStatus dls_series_row(DlsSeries *s, const DlsPacking *g, int frame, DlsSeriesRow *out) {
  DlsAverage average;
  DlsFabric fabric;
#define SERIES_NAN(name, unit) out->name = NAN;
  DLS_SERIES_LIST(SERIES_NAN)
#undef SERIES_NAN
  out->frame = frame;
  out->time = g->time;
  DLS_CHECK(axis_of(s, g) < g->dim, DLS_ERR_ARGUMENT, "the axis z is none of a plane; take x or y");
  DLS_TRY(dls_average(g, &s->region, s->average, &average));
  put_strains(s, g, &average, out);
  if (!(g->h > 0)) return DLS_OK; /* no step has been made, there are no forces */
  DLS_TRY(dls_fabric(g, &s->region, &fabric));
  put_stress(&average, out);
  put_fabric(&fabric, axis_of(s, g), out);
  return DLS_OK;
}
