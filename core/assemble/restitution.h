/* A restitution says how fast two bodies part; of a node of a mesh it says nothing: the body's own
 * waves throw back what it meets. So surfaces of deformable bodies want laws with rho: 0. */
#ifndef DELASSUS_ASSEMBLE_RESTITUTION_H
#define DELASSUS_ASSEMBLE_RESTITUTION_H

#include "assemble/interaction.h"
#include "world/world.h"

/* DLS_ERR_ARGUMENT with a sentence where the body (below 0: a boundary) has such a surface and a
 * law of the interaction a restitution. */
DlsStatus dls_restitution_check(const DlsWorld *world, const DlsInteraction *interaction, int body);

/* The same for all pairs that the world holds; of one body with itself where it is not alone of its
 * material. */
DlsStatus dls_restitution_check_all(const DlsWorld *world, const DlsInteractions *laws);

#endif
