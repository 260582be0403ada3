/* Patches of surfaces, numbered in the axes of the body or boundary, so that they move with it.
 *
 * A ball's are cells of direction of equal area: two caps about the poles +z and -z, and collars
 * between them, each of as many cells as make them about as long as wide (Leopardi 2006). The
 * first cell of a collar is centred on its meridian through +x. In 2-D arcs of equal length, the
 * first centred on +x. Elements of another shape likewise, by the direction from their origin.
 *
 * A boundary's are the cells of a grid on the plane of its axes that its normal is nearest to; one
 * is centred on its origin. */
#ifndef DELASSUS_ASSEMBLE_PATCH_H
#define DELASSUS_ASSEMBLE_PATCH_H

#include "detect/contact.h"
#include "world/world.h"

enum { DLS_PATCH_MOST_CELLS = 10000, DLS_PATCH_COLLARS = 128 };

/* What a user sets. */
typedef struct {
  int directions; /* cells of a ball or disk, 2 to DLS_PATCH_MOST_CELLS */
  double cell;    /* m, of the grid of a boundary */
} DlsPatchSizes;

/* Cells of direction: those of collar k are numbers first[k] to first[k + 1] - 1. */
typedef struct {
  int dim, cells, collars;
  int first[DLS_PATCH_COLLARS + 1];
} DlsDirections;

void dls_directions_make(int dim, int cells, DlsDirections *out);

/* The cell of a direction, whatever its length; and the unit vector in the middle of one. */
int dls_directions_find(const DlsDirections *directions, const double direction[3]);
void dls_directions_centre(const DlsDirections *directions, int cell, double out[3]);

/* A patch: its number among those of its body or boundary, and what the number does not tell of its
 * place, m: how far it is from the origin of its element, or from that of its boundary along the
 * normal. */
typedef struct {
  uint64_t number;
  double height;
} DlsPatch;

/* Where contact c of the set touches its antagonist (side 0) or candidate (1). */
DlsPatch dls_patch_find(const DlsDirections *directions, double cell, const DlsWorld *world,
                        const DlsContactSet *set, int c, int side);

/* Where a patch of a body, or of boundary -1 - who, is: its middle, m, and the unit normal out of
 * the solid, space axes; its area, m2 (in 2-D its length, m). False where the number is none of
 * theirs. */
bool dls_patch_place(const DlsDirections *directions, double cell, const DlsWorld *world, int who,
                     const DlsPatch *patch, double point[3], double normal[3], double *area);

#endif
