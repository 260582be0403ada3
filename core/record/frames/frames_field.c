#include "record/frames/frames_field.h"

#include <math.h>
#include <stdlib.h>

#include "assemble/kinematics.h"
#include "base/memory.h"

void dls_field_arrays_clear(DlsFieldArrays *f) {
  free(f->array);
  free(f->value);
  *f = (DlsFieldArrays){0};
}

/* An array for each field of the laws, all of it NaN. */
static DlsStatus make(const DlsInteractions *laws, int length, int components,
                      DlsFieldArrays *out) {
  const size_t each = (size_t)length * (size_t)components;
  if (laws->fields == 0) return DLS_OK;
  DLS_NEW(out->array, laws->fields);
  DLS_NEW(out->value, (size_t)laws->fields * each);
  for (size_t e = 0; e < (size_t)laws->fields * each; e++) out->value[e] = NAN;
  for (int k = 0; k < laws->fields; k++)
    out->array[out->count++] = (DlsVtuArray){.name = laws->field[k].name,
                                             .values = out->value + (size_t)k * each,
                                             .type = DLS_VTU_FLOAT64,
                                             .components = components,
                                             .unknown = true};
  return DLS_OK;
}

DlsStatus dls_field_arrays_contacts(const DlsSimulation *s, DlsFieldArrays *out) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsInteractions *laws = &s->settings.laws;
  const size_t contacts = (size_t)a->step.count;
  DLS_TRY(make(laws, a->step.count, 2, out));
  for (size_t i = 0; out->count && i < contacts; i++) {
    const DlsInteraction *item = &laws->item[a->step.interaction[i]];
    double told[2 * DLS_MAX_PARAMS];
    if (item->fields == 0) continue;
    DLS_TRY(dls_kinematics_fields(a, item, a->step.in_set[i], told));
    for (int k = item->fields - 1; k >= 0; k--) /* two laws may ask: the first one's */
      for (int side = 0; side < 2; side++)
        out->value[2 * ((size_t)item->field[k] * contacts + i) + (size_t)side] =
            told[side * DLS_MAX_PARAMS + k];
  }
  return DLS_OK;
}

DlsStatus dls_field_arrays_bodies(const DlsSimulation *s, int length, const int *body,
                                  DlsFieldArrays *out) {
  const DlsWorld *world = s->world;
  DLS_TRY(make(&s->settings.laws, length, 1, out));
  for (int f = 0; f < out->count; f++)
    for (int k = 0; k < length; k++) {
      const int b = body[k];
      const DlsFieldOwner owner = {
          .boundary = -1, .material = world->material[b], .id = world->id[b]};
      out->value[(size_t)f * (size_t)length + (size_t)k] = dls_interactions_field_at(
          &s->settings.laws, f, &owner, s->state.time, world->position[b]);
    }
  return DLS_OK;
}
