/* What the laws of a contact are told of it, before and after the solve. */
#ifndef DELASSUS_ASSEMBLE_KINEMATICS_H
#define DELASSUS_ASSEMBLE_KINEMATICS_H

#include "assemble/assemble.h"

/* Whether contact c of the set is apart, and the scheme does not take it as if it were closed. */
bool dls_kinematics_is_open(const DlsAssembly *assembly, int c);

/* The laws of contact i of the assembly, told all. Where nothing is kept, until the next one of
 * that lane (base/pool.h) is. Fails where a formula of the deck gives what the law does not
 * take. */
DlsStatus dls_kinematics_tell(DlsAssembly *assembly, int i, int lane, const DlsLawUse **out);

/* What the laws of an interaction are told of the fields at contact c of the set: of antagonist and
 * candidate, values [2][DLS_MAX_PARAMS]. */
DlsStatus dls_kinematics_fields(const DlsAssembly *a, const DlsInteraction *item, int c,
                                double *values);

/* The states that the deck gives to contact i, which has just been found; those of the law's own
 * beginning are there already. */
DlsStatus dls_kinematics_start(const DlsAssembly *assembly, int i, double *state);

/* m: how far the laws of the interaction act on the pair of contact c of the set. */
DlsStatus dls_kinematics_range(const DlsAssembly *assembly, int c, int interaction, double *out);

/* Whether a law of the interaction has a wish for the frame. */
bool dls_kinematics_turns(const DlsInteraction *interaction);

/* Turns the frame of contact c of the set, number i of the assembly, where its law wants it. */
DlsStatus dls_kinematics_orient(const DlsAssembly *assembly, DlsContactSet *set, int c, int i);

#endif
