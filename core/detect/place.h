/* Where contacts are on their two bodies: in the axes of each, so that it stays what it is while
 * they move. By it a contact that is known by other features than a step ago, as where a corner
 * crosses an edge, is the one that was there: it inherits impulses and states of laws. */
#ifndef DELASSUS_DETECT_PLACE_H
#define DELASSUS_DETECT_PLACE_H

#include "detect/detect.h"

/* Sides: [0] antagonist, [1] candidate. */
struct DlsContactPlace {
  double at[2][3];     /* m, on its surface, from its centre of mass or the origin of a boundary */
  double normal[2][3]; /* unit, from antagonist to candidate */
};

/* Whether contacts in this world may be known by other features from step to step. */
bool dls_places_matter(const DlsWorld *world);

/* Where contact c of a set is, the bodies standing where it was detected. */
void dls_place_take(const DlsWorld *world, const DlsDetection *where, const DlsContactSet *set,
                    int c, DlsContactPlace *out);

/* Adds to a memory where its contacts, of this set, are: of number source[i], NULL: i. */
DlsStatus dls_places_remember(DlsContactMemory *memory, const DlsWorld *world,
                              const DlsContactSet *set, const int *source);

/* Fills previous of contacts of the set that have none: the nearest contact of the same pair that
 * was remembered with its place, that no contact of the set has, within a twentieth of the size of
 * the pair and 45 degrees. Each has one heir; of equally near ones the first. After
 * dls_contact_memory_match(); poses are those that the set was detected with. */
DlsStatus dls_places_inherit(const DlsContactMemory *memory, const DlsWorld *world,
                             const DlsDetection *where, DlsContactSet *set);

#endif
