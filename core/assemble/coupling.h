/* Contacts of a world with deformable bodies: an inertia that lives across steps, the sparse parts
 * of deformable bodies first and then the rigid bodies, and rows of H that are lists of (part,
 * weights). Worlds of rigid bodies alone have masses and dense rows instead (support.h). */
#ifndef DELASSUS_ASSEMBLE_COUPLING_H
#define DELASSUS_ASSEMBLE_COUPLING_H

#include "assemble/assemble.h"

/* Of a step, before its contacts: M^ of all bodies where they stand now, and v_free of the
 * deformable ones in their places of the flat vector (world/layout.h). A part is factored where
 * its numbers are not those of the step before. What was assembled before is dropped. step->force
 * is filled here, from force [bodies][6]; a torque is refused. Bodies that are not linear, or that
 * only contacts hold in a quasi-static step, are taken about a guess of v+, flat; NULL: v. */
DlsStatus dls_coupling_free_velocity(DlsAssembly *assembly, const DlsWorld *world,
                                     DlsDeformableStep *step, const double (*force)[6],
                                     const double *guess, double *free_velocity);

/* The balance p + H^T r of bodies that are not linear, or that only contacts hold in a quasi-static
 * step, at velocities v+ (flat) and pushes H^T r [world->deformable.velocities]. Of those that
 * contacts hold no more is asked than `tolerance`, that of the contacts. */
typedef struct {
  DlsDeformableStep *step;
  const double (*force)[6];
  const double *velocity, *push;
  double tolerance;
} DlsBalance;

/* What is left of it: the worst of all bodies over the tolerance of its own, and which, -1: there
 * are none; N s of all, the root of the sum of squares. */
typedef struct {
  double left, norm;
  int body;
} DlsBalanceLeft;

DlsStatus dls_coupling_balance(const DlsAssembly *assembly, const DlsWorld *world,
                               const DlsBalance *asked, DlsBalanceLeft *out);

/* The same norm where the last free velocities were taken about. */
double dls_coupling_begun(const DlsAssembly *assembly, const DlsWorld *world, const double *push);

/* Whether only contacts hold a body, or any, in the quasi-static step at hand. Contacts of such
 * bodies see through their drag as if they gave way by 1 / looseness more than they do, so that
 * they are to be solved to this share of the tolerance. */
#define DLS_COUPLING_LOOSENESS 0.1
bool dls_coupling_any_loose(const DlsAssembly *assembly);
bool dls_coupling_is_loose(const DlsAssembly *assembly, const DlsWorld *world, int body);

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
