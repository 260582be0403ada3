#include "record/field_write.h"

#include <stdlib.h>

#include "base/memory.h"
#include "record/field_mesh.h"

typedef struct {
  DlsFieldMesh mesh;
  double *pressure, *deviator;
} Writing;

static DlsStatus make(const DlsField *f, Writing *w) {
  DLS_TRY(dls_field_mesh_make(&f->grid, f->dim, &w->mesh));
  DLS_NEW(w->pressure, f->nodes);
  DLS_NEW(w->deviator, f->nodes);
  for (int node = 0; node < f->nodes; node++) {
    DlsStressState state;
    dls_stress_state(f->dim, f->stress[node], &state);
    w->pressure[node] = state.pressure;
    w->deviator[node] = state.deviator;
  }
  return DLS_OK;
}

#define ARRAY(name_, values_, n, role_)                                                            \
  { .name = (name_), .values = (values_), .components = (n), .role = (role_) }

static DlsStatus put(const DlsField *f, const Writing *w, double time, const DlsVtuOptions *options,
                     const char *path) {
  const DlsVtuArray data[] = {
      ARRAY("pressure", w->pressure, 1, DLS_VTU_SCALARS),
      ARRAY("deviator", w->deviator, 1, DLS_VTU_PLAIN),
      ARRAY("stress", f->stress, 9, DLS_VTU_TENSORS),
      ARRAY("kinetic_stress", f->kinetic, 9, DLS_VTU_PLAIN),
      ARRAY("velocity", f->velocity, 3, DLS_VTU_VECTORS),
      ARRAY("density", f->density, 1, DLS_VTU_PLAIN),
      ARRAY("solid_fraction", f->solid, 1, DLS_VTU_PLAIN),
      ARRAY("contact_density", f->contacts, 1, DLS_VTU_PLAIN),
      ARRAY("fabric", f->fabric, 9, DLS_VTU_PLAIN),
      ARRAY("wall_force", f->wall_force, 3, DLS_VTU_PLAIN),
  };
  const DlsVtuGrid grid = dls_field_mesh_grid(&w->mesh, data, DLS_COUNT(data), time);
  return dls_vtu_write(path, &grid, options, NULL);
}

DlsStatus dls_field_write(const DlsField *field, double time, const DlsVtuOptions *options,
                          const char *path) {
  Writing writing = {0};
  DlsStatus status = make(field, &writing);
  if (status == DLS_OK) status = put(field, &writing, time, options, path);
  dls_field_mesh_clear(&writing.mesh);
  free(writing.pressure);
  free(writing.deviator);
  return status;
}
