/* Fields that laws ask for, as arrays of a frame, under the name of the field. Of contacts what the
 * laws were told in the step, two components: of the antagonist and of the candidate; NaN where no
 * law of the contact asks. Of bodies their own, at the centre, now. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_FIELD_H
#define DELASSUS_RECORD_FRAMES_FRAMES_FIELD_H

#include "record/vtu/vtu.h"
#include "step/simulation.h"

typedef struct {
  int count;
  DlsVtuArray *array; /* [count] */
  double *value;      /* [count][length][components] */
} DlsFieldArrays;

/* *out is zeroed, ended with dls_field_arrays_clear(), also on failure. `body` [length]: of each
 * row. */
DlsStatus dls_field_arrays_contacts(const DlsSimulation *simulation, DlsFieldArrays *out);
DlsStatus dls_field_arrays_bodies(const DlsSimulation *simulation, int length, const int *body,
                                  DlsFieldArrays *out);
void dls_field_arrays_clear(DlsFieldArrays *arrays);

#endif
