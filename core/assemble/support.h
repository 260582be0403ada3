/* What contacts rest on: the rows of H and the masses behind them, or, where all bodies are spheres
 * in 3-D and blocks have three components, the frame and four numbers of DlsSphereContact. */
#ifndef DELASSUS_ASSEMBLE_SUPPORT_H
#define DELASSUS_ASSEMBLE_SUPPORT_H

#include <stdbool.h>

#include "assemble/assemble.h"

/* Before the contacts of a step: which of the two forms, and the masses. */
DlsStatus dls_support_begin(DlsAssembly *assembly, const DlsWorld *world);

/* Where the supports of the contacts lie that are chosen; before any is filled. */
void dls_support_begin_contacts(DlsAssembly *assembly, const DlsWorld *world,
                                const DlsContactSet *set);

/* Contact c of the set becomes number i: its supports, w, u_before and q. */
void dls_support_fill(DlsAssembly *assembly, const DlsWorld *world, const DlsContactSet *set,
                      const double *free_velocity, int c, int i);

/* kg: the reduced mass 1 / W_NN of contact i; 0 where nothing can move along n. */
double dls_support_mass(const DlsAssembly *assembly, const DlsWorld *world, int i);

/* The operator of all contacts; it may keep the assembly's arrays, lent until the next step. */
DlsStatus dls_support_operator(const DlsAssembly *assembly, const DlsWorld *world,
                               DlsOperator **out);

/* ---- What rows are made of, for those of worlds that are not all rigid too (coupling.h) ---- */

/* The axis of component k of a block, and whether it is a velocity (true) or a spin. */
const double *dls_support_axis(int dim, int k, const double *frame, bool *is_velocity);

/* The rows H [block][dof] of a rigid body at a point, `sign` times, and what its fixed components
 * add to w [block]. */
void dls_support_side(const DlsAssembly *assembly, const DlsWorld *world, int body, double sign,
                      const double *point, const double *frame, double *H, double *w);

/* The same of what carries a boundary, as its antagonist: its body, or its radius. */
void dls_support_carrier(const DlsAssembly *assembly, const DlsWorld *world, int boundary,
                         const double *point, const double *frame, double *H, double *w);

/* Adds -T v_boundary(p) to w [block], and the spin of the boundary in the rows of spins. */
void dls_support_boundary(const DlsAssembly *assembly, const DlsWorld *world, int boundary,
                          const double *point, const double *frame, double *w);

/* The velocities [6] of a rigid body in the order of its columns of H, [dof]; its mass matrix
 * [dof][dof]. */
void dls_support_columns(int dim, const double *velocity, double *out);
void dls_support_body_mass(const DlsWorld *world, int body, double *M);

#endif
