/* What surfaces remember: the numbers of laws with .surfaces, of each body or boundary or of each
 * of its patches, that outlive contacts. Sparse: a set that no step has changed is not here and has
 * the values of the law's table. Sets stand in the order in which they were first changed, which
 * follows from the contacts alone: a run that goes on from a checkpoint has the same. */
#ifndef DELASSUS_ASSEMBLE_SURFACE_H
#define DELASSUS_ASSEMBLE_SURFACE_H

#include "assemble/interaction.h"
#include "assemble/patch.h"

typedef struct {
  uint64_t owner; /* id of a body; of a boundary DLS_KEY_BOUNDARY | id */
  DlsPatch patch; /* zero where the scope is DLS_SURFACE_BODY */
} DlsSurfaceKey;

/* Of one law. */
typedef struct {
  const DlsLaw *law;
  int count, capacity;
  DlsSurfaceKey *key;
  double *value; /* [count][law->nsurfaces] */
  int slots;     /* power of two */
  int *slot;     /* open addressing: number of a key + 1, 0 empty */
} DlsSurface;

typedef struct {
  DlsPatchSizes sizes;
  DlsDirections directions;
  int count; /* laws with .surfaces, in the order of dls_interactions_law() */
  DlsSurface *of;
  uint64_t revision; /* of the world, when those of the gone were dropped last */
} DlsSurfaces;

/* Before a step: one for each law of the table that has such; those there are stay where their laws
 * do, without the sets of bodies and boundaries that are gone. A zeroed one is fine. */
DlsStatus dls_surfaces_ready(DlsSurfaces *surfaces, const DlsInteractions *laws,
                             const DlsWorld *world, const DlsPatchSizes *sizes);
void dls_surfaces_clear(DlsSurfaces *surfaces);

/* A copy, in the place of what *to held. */
DlsStatus dls_surfaces_copy(const DlsSurfaces *from, DlsSurfaces *to);

/* Where contact c of the set touches: of a law, its keys on both sides. */
void dls_surfaces_keys(const DlsSurfaces *surfaces, const DlsWorld *world, const DlsContactSet *set,
                       int c, const DlsLaw *law, DlsSurfaceKey out[2]);

/* The numbers of a set [nsurfaces]; those of the table where it is not here. */
DlsSurface *dls_surfaces_of(const DlsSurfaces *surfaces, const DlsLaw *law);
void dls_surface_get(const DlsSurface *surface, const DlsSurfaceKey *key, double *out);

/* Adds to them, within the bounds of the table. */
DlsStatus dls_surface_add(DlsSurface *surface, const DlsSurfaceKey *key, const double *change);

/* Room for a set that is not there yet, and its numbers to be filled: for restarts. */
DlsStatus dls_surface_insert(DlsSurface *surface, const DlsSurfaceKey *key, double **value);

/* The body or, as -1 - b, the boundary of a key; INT_MAX where it is gone. */
int dls_surface_owner(const DlsWorld *world, const DlsSurfaceKey *key);

#endif
