/* What a test of a sample tells at one moment: stress, strains since the first moment, texture.
 *
 *   pressure, deviator, stress_ratio  of the mean stress of the region (post/tensor.h): p, q, q/p
 *   axial_strain       ln(L / L0), L the length of the room of the sample along the axis
 *   volumetric_strain  ln(V / V0) = ln(solid0 / solid), solid that of the region, where grains are
 *                      rigid; where bodies are deformable ln(density0 / density), the mass of the
 *                      region over its volume
 *
 * Logarithmic, and extension positive as tension is: a sample that is pressed has an axial strain
 * below 0, one that dilates a volumetric one above. Before the first step there are no forces:
 * what is read off them is NaN. */
#ifndef DELASSUS_POST_SERIES_H
#define DELASSUS_POST_SERIES_H

#include "post/average.h"

/* Names and units of the numbers of a moment, in their order. */
#define DLS_SERIES_LIST(X)                                                                         \
  X(frame, "")                                                                                     \
  X(time, "s")                                                                                     \
  X(pressure, "Pa")                                                                                \
  X(deviator, "Pa")                                                                                \
  X(stress_ratio, "")                                                                              \
  X(axial_strain, "")                                                                              \
  X(volumetric_strain, "")                                                                         \
  X(solid, "")                                                                                     \
  X(coordination, "")                                                                              \
  X(backbone, "")                                                                                  \
  X(rattlers, "")                                                                                  \
  X(anisotropy, "")                                                                                \
  X(fabric_axial, "")                                                                              \
  X(mobilised, "")                                                                                 \
  X(slipping, "")                                                                                  \
  X(stress_xx, "Pa")                                                                               \
  X(stress_yy, "Pa")                                                                               \
  X(stress_zz, "Pa")                                                                               \
  X(stress_xy, "Pa")                                                                               \
  X(stress_yz, "Pa")                                                                               \
  X(stress_xz, "Pa")                                                                               \
  X(volume, "m3")                                                                                  \
  X(grains, "")                                                                                    \
  X(contacts, "")

typedef struct {
#define DLS_SERIES_FIELD(name, unit) double name;
  DLS_SERIES_LIST(DLS_SERIES_FIELD)
#undef DLS_SERIES_FIELD
} DlsSeriesRow;

/* What is wanted, and the first moment, which dls_series_row() notes by itself; zeroed but for the
 * wishes. */
typedef struct {
  DlsProbe region;
  DlsAverageKind average;
  int axis; /* 0 to 2; -1: y in 2-D, z in 3-D */
  bool begun;
  double length, solid, density; /* of the first moment */
} DlsSeries;

/* The row of a packing; `frame` is its number. */
DlsStatus dls_series_row(DlsSeries *series, const DlsPacking *packing, int frame,
                         DlsSeriesRow *out);

#endif
