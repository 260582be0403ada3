/* How far the laws act: which gaps detection must see, and which contacts count. */
#ifndef DELASSUS_ASSEMBLE_REACH_H
#define DELASSUS_ASSEMBLE_REACH_H

#include "assemble/interaction.h"
#include "world/world.h"

/* m: the farthest that any interaction acts between what the world holds at this time; range
 * [laws->count], where not NULL, of each. A range grows or falls with each radius (law.h), so that
 * the least and the largest of the materials at hand bound it; where parameters are formulas, they
 * are asked in the middle of each body, and are to change little across one. O(elements) where a
 * law has a range, nothing where none has. */
DlsStatus dls_reach_bounds(const DlsInteractions *laws, const DlsWorld *world, double time,
                           double *range, double *farthest);

/* Whether a law of the interaction has a range of its own. */
bool dls_reach_is_asked(const DlsInteraction *interaction);

#endif
