/* Contacts of a world with deformable bodies: an inertia that lives across steps, the sparse parts
 * of deformable bodies first and then the rigid bodies, and rows of H that are lists of (part,
 * weights). Worlds of rigid bodies alone have masses and dense rows instead (support.h). */
#ifndef DELASSUS_ASSEMBLE_COUPLING_H
#define DELASSUS_ASSEMBLE_COUPLING_H

#include "assemble/assemble.h"

/* Of a step, before its contacts: M^ of all bodies where they stand now, and v_free of the
 * deformable ones in their places of the flat vector (world/layout.h). A part is factored where its
 * numbers are not those of the step before. What was assembled before is dropped. step->force is
 * filled here, from force [bodies][6]; a torque is refused. Bodies that are not linear are taken
 * about a guess of v+, flat; NULL: v. */
DlsStatus dls_coupling_free_velocity(DlsAssembly *assembly, const DlsWorld *world,
                                     DlsDeformableStep *step, const double (*force)[6],
                                     const double *guess, double *free_velocity);

/* What is left of the balance of impulses of bodies that are not linear, at the v+ (flat) that was
 * solved for: the worst of all, over the tolerance of its body, whose number it is; -1: all are
 * linear. */
DlsStatus dls_coupling_balance(const DlsAssembly *assembly, const DlsWorld *world,
                               DlsDeformableStep *step, const double (*force)[6],
                               const double *velocity, double *left, int *body);

/* Factorisations of deformable bodies so far. */
long dls_coupling_factorisations(const DlsAssembly *assembly);

/* As the functions of support.h of these names, for such a world. */
DlsStatus dls_coupling_begin(DlsAssembly *assembly, const DlsWorld *world);
void dls_coupling_fill(DlsAssembly *assembly, const DlsWorld *world, const DlsContactSet *set,
                       const double *free_velocity, int c, int i);
double dls_coupling_mass(const DlsAssembly *assembly, int i);
DlsStatus dls_coupling_operator(const DlsAssembly *assembly, DlsOperator **out);

/* As dls_assemble_velocity(). */
DlsStatus dls_coupling_velocity(const DlsAssembly *assembly, const DlsWorld *world,
                                const double *free_velocity, double *velocity);

/* out = H^T r of the last solve, [world->deformable.velocities], N s. */
void dls_coupling_push(const DlsAssembly *assembly, const DlsWorld *world, double *out);

/* out = M^ v of the deformable bodies, [world->deformable.velocities], N s: M^ of the last free
 * velocities. */
DlsStatus dls_coupling_impulses(const DlsAssembly *assembly, const DlsWorld *world,
                                const double *velocity, double *out);

void dls_coupling_destroy(DlsCoupling **coupling); /* NULL is fine; sets it to NULL */

#endif
