/* A law asked at a point; see body_ask.h. */
#include "fem/body_ask.h"

#include <math.h>
#include <string.h>

#include "bulk/bulk.h"
#include "fem/log_strain.h"
#include "fem/plane_stress.h"

/* Newton in the strain across the plane, until the stress across is nothing beside the others. */
static DlsStatus ask_plane(const DlsBodyAsked *a, const double *before, double *strain,
                           double *stress, double *tangent, double *next) {
  strain[2] = a->across;
  for (int round = 0; round < 50; round++) {
    double largest = 0;
    DLS_TRY(dls_bulk_stress(a->matter->law, &a->point, a->matter->params, a->state, before, strain,
                            stress, tangent, next));
    for (int i = 0; i < 6; i++) largest = fmax(largest, fabs(stress[i]));
    const double own = tangent[14]; /* zz, zz */
    DLS_CHECK(own > 0, DLS_ERR_LAW, "bulk law '%s' has no stiffness across the plane",
              a->matter->law->name);
    const double change = -stress[2] / own;
    if (fabs(stress[2]) <= 1e-12 * largest || fabs(change) <= 1e-15 * (1 + fabs(strain[2])))
      return dls_plane_stress_tangent(tangent);
    /* Green's strain stays where it has a stretch. */
    strain[2] +=
        a->point.measure == DLS_BULK_GREEN ? fmax(change, -0.5 * (strain[2] + 0.5)) : change;
  }
  return dls_fail(DLS_ERR_LAW, "bulk law '%s': no strain across the plane makes its stress 0",
                  a->matter->law->name);
}

DlsStatus dls_body_ask(const DlsBodyAsked *a, const double *start, const double *end, bool energy,
                       DlsBodyEnd *out) {
  double before[6], after[6];
  const double *state = a->state;
  const DlsBulk *law = a->matter->law;
  DlsLogStrain log[2];
  memcpy(out->strain, end, sizeof out->strain);
  if (a->point.measure == DLS_BULK_LOG) {
    DLS_TRY(dls_log_strain(start, &log[0], before));
    DLS_TRY(dls_log_strain(end, &log[1], after));
  } else {
    memcpy(before, start, sizeof before);
    memcpy(after, end, sizeof after);
  }
  if (a->m->plane_stress) {
    before[2] = a->across;
    DLS_TRY(ask_plane(a, before, after, out->stress, out->D, out->next));
  } else {
    DLS_TRY(dls_bulk_stress(law, &a->point, a->matter->params, state, before, after, out->stress,
                            out->D, out->next));
  }
  out->across = after[2];
  if (energy)
    DLS_TRY(dls_bulk_energy(law, &a->point, a->matter->params, state, before, after, out->next,
                            &out->energy, &out->lost));
  if (a->point.measure == DLS_BULK_LOG) dls_log_stress(&log[1], out->stress, out->D);
  return DLS_OK;
}
