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
  double area, radius; /* as of the contact */
};
enum { DLS_PLACE_NUMBERS = 14 };

/* Whether contacts in this world may be known by other features from step to step. */
bool dls_places_matter(const DlsWorld *world);

/* Where contact c of a set is, the bodies standing where it was detected. */
void dls_place_take(const DlsWorld *world, const DlsDetection *where, const DlsContactSet *set,
                    int c, DlsContactPlace *out);

/* Adds to a memory where its contacts, of this set, are: of number source[i]. One that is frozen
 * and was in the memory before, keeps its place: `before`, numbered by previous of the set, NULL:
 * none is known; frozen [of the memory], NULL: none is. */
DlsStatus dls_places_remember(DlsContactMemory *memory, const DlsWorld *world,
                              const DlsContactSet *set, const int *source, const bool *frozen,
                              const DlsContactPlace *before);

/* Contact c of the set, which is number `old` of the memory, as the point that was remembered: on
 * both bodies where it was on them, n between what the axes of either say, the gap between the two
 * along n; area, radius and key as then. False, and nothing changed, where the two have slid along
 * each other by more than a twentieth of their size. */
bool dls_place_restore(const DlsContactMemory *memory, int old, const DlsWorld *world,
                       const DlsDetection *where, DlsContactSet *set, int c);

/* Fills previous of contacts of the set that have none: the nearest contact of the same pair that
 * was remembered with its place, that no contact of the set has, within a twentieth of the size of
 * the pair and 45 degrees. Each has one heir; of equally near ones the first. After
 * dls_contact_memory_match(); poses are those that the set was detected with. */
DlsStatus dls_places_inherit(const DlsContactMemory *memory, const DlsWorld *world,
                             const DlsDetection *where, DlsContactSet *set);

#endif
