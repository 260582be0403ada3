/* The numbers of an observable, in the order of its arrays. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/fabric.h"
#include "post/observable.h"

static double *put(double *to, int count, const double *values) {
  memcpy(to, values, (size_t)count * sizeof *to);
  return to + count;
}

static double pressure_of(int dim, const double stress[9]) {
  double trace = 0;
  for (int k = 0; k < dim; k++) trace += stress[4 * k];
  return -trace / dim;
}

static DlsStatus take_stress(const DlsObservable *r, const DlsPacking *g, double *to) {
  DlsAverage a;
  DLS_TRY(dls_average(g, &r->region, r->average, &a));
  *to++ = a.volume;
  *to++ = a.grains;
  *to++ = a.contacts;
  *to++ = a.solid;
  to = put(to, 3, a.velocity);
  to = put(to, 9, a.stress);
  to = put(to, 9, a.normal);
  to = put(to, 9, a.strong);
  to = put(to, 9, a.kinetic);
  *to++ = a.state.pressure;
  to = put(to, 9, a.spin);
  to = put(to, 9, a.couple);
  put(to, 9, a.kinetic_couple);
  return DLS_OK;
}

static DlsStatus take_fabric(const DlsObservable *r, const DlsPacking *g, double *to) {
  DlsFabric f;
  DlsRose rose;
  DlsForces normal, tangential;
  DLS_TRY(dls_fabric(g, &r->region, &f));
  dls_rose(g, &r->region, &rose);
  dls_forces(g, &r->region, 0, &normal);
  dls_forces(g, &r->region, 1, &tangential);
  *to++ = f.contacts;
  *to++ = normal.contacts;
  *to++ = tangential.contacts;
  *to++ = f.grains;
  *to++ = f.rattlers;
  *to++ = f.coordination;
  *to++ = f.backbone;
  to = put(to, 9, f.fabric);
  *to++ = f.mobilised;
  *to++ = f.slipping;
  *to++ = f.mean_force;
  to = put(to, 3, rose.a);
  to = put(to, 3, rose.b);
  to = put(to, DLS_FORCE_BINS, normal.density);
  to = put(to, DLS_FORCE_BINS, tangential.density);
  put(to, DLS_ROSE_SECTORS * (g->dim == 3 ? DLS_ROSE_BANDS : 1), rose.count[0]);
  return DLS_OK;
}

static void take_cuts(const DlsObservable *r, const DlsPacking *g, double *to) {
  for (int k = 0; k < r->cuts; k++) {
    const DlsCut *cut = &r->cut[k];
    DlsCutForce f;
    dls_cut(g, cut, &f);
    to = put(to, 3, f.force);
    to = put(to, 3, f.traction);
    *to++ = cut->kind == DLS_CUT_CYLINDER ? f.normal_force : dls_vector_dot(f.force, cut->normal);
    *to++ = f.contacts;
  }
}

static DlsStatus take_walls(const DlsObservable *r, const DlsPacking *g, double *to) {
  enum { WIDTH = 5 };
  memset(to, 0, (size_t)(r->boundaries + 1) * WIDTH * sizeof *to);
  for (int c = 0; c < g->contacts; c++) {
    const int wall = -g->antagonist[c];
    if (wall <= 0 || !dls_probe_holds(&r->region, g->dim, g->point[c])) continue;
    DLS_CHECK(wall <= r->boundaries, DLS_ERR_FORMAT, "walls: boundary %d of %d", wall,
              r->boundaries);
    if (!dls_packing_active(g, c)) continue;
    for (int n = 0; n < 2; n++) { /* row 0 is of all */
      double *row = to + (n ? wall : 0) * WIDTH;
      for (int k = 0; k < 3; k++) row[k] += g->force[c][k];
      row[3] += g->normal_force[c];
      row[4]++;
    }
  }
  return DLS_OK;
}

static DlsStatus take_profile(const DlsObservable *r, const DlsPacking *g, double *to) {
  DlsLayer *layers;
  DLS_NEW(layers, r->profile.layers);
  const DlsStatus status = dls_profile(g, &r->profile, layers);
  for (int n = 0; n < r->profile.layers && status == DLS_OK; n++) {
    const DlsLayer *l = &layers[n];
    *to++ = l->mass / l->volume;
    *to++ = -l->stress[4 * r->profile.axis];
    *to++ = l->solid;
    *to++ = l->grains;
    *to++ = l->contacts;
    to = put(to, 3, l->velocity);
    to = put(to, 9, l->stress);
    to = put(to, 9, l->kinetic);
    *to++ = pressure_of(g->dim, l->stress);
    *to++ = dls_profile_ratio(g->dim, r->profile.axis, l->stress);
  }
  free(layers);
  return status;
}

static DlsStatus take_floor(const DlsObservable *r, const DlsPacking *g, double *to) {
  DlsFloorPart *parts;
  DLS_NEW(parts, r->floor.count);
  dls_floor(g, &r->floor, parts);
  for (int n = 0; n < r->floor.count; n++) {
    *to++ = parts[n].pressure;
    *to++ = parts[n].shear;
    *to++ = parts[n].contacts;
  }
  free(parts);
  return DLS_OK;
}

static DlsStatus take_field(const DlsObservable *r, const DlsPacking *g, double *to) {
  DlsField f = {0};
  DLS_TRY(dls_field(g, &r->grid, &r->kernel, !r->plain, &f));
  for (int n = 0; n < f.nodes; n++) {
    *to++ = f.density[n];
    *to++ = f.contacts[n];
    *to++ = f.solid[n];
    *to++ = pressure_of(g->dim, f.stress[n]);
    to = put(to, 3, f.velocity[n]);
    to = put(to, 9, f.stress[n]);
    to = put(to, 9, f.kinetic[n]);
    to = put(to, 9, f.fabric[n]);
    to = put(to, 3, f.wall_force[n]);
  }
  dls_field_clear(&f);
  return DLS_OK;
}

static DlsStatus take_grains(const DlsPacking *g, double *to) {
  DlsGrainStress s = {0};
  int32_t *number;
  DLS_NEW(number, g->grains + 1);
  const DlsStatus status = dls_grain_stress(g, 0, &s);
  dls_fabric_grains(g, number, NULL);
  for (int i = 0; i < g->grains && status == DLS_OK; i++) {
    to = put(to, 3, g->position[i]);
    *to++ = g->radius[i];
    to = put(to, 3, g->velocity[i]);
    *to++ = s.state[i].pressure;
    to = put(to, 9, s.stress[i]);
    to = put(to, 9, s.kinetic[i]);
    *to++ = number[i];
  }
  dls_grain_stress_clear(&s);
  free(number);
  return status;
}

DlsStatus dls_observable_take(const DlsObservable *r, const DlsPacking *g, double *values) {
  switch (r->kind) {
  case DLS_OBSERVABLE_STRESS:
    return take_stress(r, g, values);
  case DLS_OBSERVABLE_FABRIC:
    return take_fabric(r, g, values);
  case DLS_OBSERVABLE_CUT:
    take_cuts(r, g, values);
    return DLS_OK;
  case DLS_OBSERVABLE_WALLS:
    return take_walls(r, g, values);
  case DLS_OBSERVABLE_PROFILE:
    return take_profile(r, g, values);
  case DLS_OBSERVABLE_FLOOR:
    return take_floor(r, g, values);
  case DLS_OBSERVABLE_FIELD:
    return take_field(r, g, values);
  default:
    return take_grains(g, values);
  }
}
