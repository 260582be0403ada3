/* What surfaces remember, as arrays of a frame.
 *
 * Of bodies and of boundaries: LAW.NAME where a law keeps one set for each; where it keeps one for
 * each patch LAW.NAME_sum and LAW.NAME_max over the patches that have been changed. Of patches: a
 * point in the middle of each, with its owner, normal, area and the numbers of the laws, NaN where
 * another law acts. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_SURFACE_H
#define DELASSUS_RECORD_FRAMES_FRAMES_SURFACE_H

#include "record/vtu/vtu.h"
#include "step/simulation.h"

enum { DLS_SURFACE_NAME = 112 };

typedef struct {
  int count;
  DlsVtuArray *array; /* [count] */
  double *value;      /* [count][length] */
  char (*name)[DLS_SURFACE_NAME];
} DlsSurfaceArrays;

/* Of `length` rows; row k is of body owner[k], or of boundary -1 - owner[k]. *out is zeroed, ended
 * with dls_surface_arrays_clear(), also on failure. */
DlsStatus dls_surface_arrays_make(const DlsSimulation *simulation, int length, const int *owner,
                                  DlsSurfaceArrays *out);
void dls_surface_arrays_clear(DlsSurfaceArrays *arrays);

/* Whether a law of the simulation keeps numbers of patches. */
bool dls_surface_has_patches(const DlsSimulation *simulation);

typedef struct {
  int count;                     /* patches */
  double *point, *normal, *area; /* [count][3], [count][3], [count] */
  int64_t *owner;                /* [count]: id of a body, minus the id of a boundary */
  int32_t *law;                  /* [count]: number among the laws with patches */
  DlsSurfaceArrays values;
} DlsPatchArrays;

/* Likewise. */
DlsStatus dls_patch_arrays_make(const DlsSimulation *simulation, DlsPatchArrays *out);
void dls_patch_arrays_clear(DlsPatchArrays *arrays);

#endif
