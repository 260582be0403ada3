#ifndef DELASSUS_ASSEMBLE_MOTION_H
#define DELASSUS_ASSEMBLE_MOTION_H

#include "assemble/assemble.h"

/* Tells the problem of the assembly how fast the bodies and boundaries are that q was made of and,
 * where one was found among a few that are likely, that there is a motion which obeys every
 * contact. O(contacts). */
void dls_motion_tell(const DlsAssembly *assembly);

#endif
