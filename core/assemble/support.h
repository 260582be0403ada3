/* What contacts rest on: the rows of H and the masses behind them, or, where all bodies are spheres
 * in 3-D and blocks have three components, the frame and four numbers of DlsSphereContact. */
#ifndef DELASSUS_ASSEMBLE_SUPPORT_H
#define DELASSUS_ASSEMBLE_SUPPORT_H

#include "assemble/assemble.h"

/* Before the contacts of a step: which of the two forms, and the masses. */
DlsStatus dls_support_begin(DlsAssembly *assembly, const DlsWorld *world);

/* Contact c of the set becomes number i: its supports, w, u_before and q. */
void dls_support_fill(DlsAssembly *assembly, const DlsWorld *world, const DlsContactSet *set,
                      const double (*free_velocity)[6], int c, int i);

/* kg: the reduced mass 1 / W_NN of contact i; 0 where nothing can move along n. */
double dls_support_mass(const DlsAssembly *assembly, const DlsWorld *world, int i);

/* The operator of all contacts; it may keep the assembly's arrays, lent until the next step. */
DlsStatus dls_support_operator(const DlsAssembly *assembly, const DlsWorld *world,
                               DlsOperator **out);

#endif
