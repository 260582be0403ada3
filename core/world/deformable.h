/* Bodies of a world that are not rigid; what they are made of is in deformable_kind.h. In the
 * arrays of the world such a body has the position and velocity of its centre of mass, does not
 * turn, and its elements change their offsets. Elements of one body do not meet each other. */
#ifndef DELASSUS_WORLD_DEFORMABLE_H
#define DELASSUS_WORLD_DEFORMABLE_H

#include "world/world.h"

/* The new body is number count - 1. `body` gives shape, material and id: no mass, pose, velocity or
 * fixed components, which the kind has. state and velocity are copied. The world takes the model
 * over, unless it fails. */
DlsStatus dls_world_add_deformable(DlsWorld *world, const DlsBody *body,
                                   const DlsDeformableOperations *kind, void *model,
                                   const double *state, const double *velocity);

/* The deformable body of this number; NULL: the body is rigid. */
const DlsDeformable *dls_deformable_of(const DlsWorld *world, int body);

/* DLS_ERR_UNSUPPORTED, in the name of the first one, where there are any: "`what` serve rigid
 * bodies alone". */
DlsStatus dls_deformable_refuse(const DlsWorld *world, const char *what);

/* m/s of the point of an element that is at `point`, where the body has these velocities. */
void dls_deformable_velocity(const DlsWorld *world, const DlsDeformable *deformable, int element,
                             const double point[3], const double *velocity, double out[3]);

/* m, that a step must not pass over: the mean edge of the faces by which it meets others, or of its
 * cells; of a kind without a mesh the size of its elements. The balls at nodes are no length: they
 * are as small as one likes. */
double dls_deformable_length(const DlsWorld *world, const DlsDeformable *deformable);

/* m/s: of the fastest of its elements, beside one that moves with `beside`. */
double dls_deformable_speed(const DlsWorld *world, const DlsDeformable *deformable,
                            const double *velocity, const double beside[3]);

/* J of deformation, of all. */
double dls_world_strain_energy(const DlsWorld *world);

/* 64 bits that follow from its kind, its sizes, its mesh and which nodes of it are held; not from
 * what it is made of. */
uint64_t dls_deformable_digest(const DlsDeformable *deformable);

/* For who reads another world from a file: its deformable bodies are those of `from` with these
 * ids, by their numbers `body` in the new world. *out is zeroed and has room for their numbers,
 * zeroed too; the models stay with `from` until dls_deformables_pass(), which ends those that are
 * not asked for. What cannot be: an id twice or out of order, or of a body that is rigid. */
DlsStatus dls_deformables_choose(const DlsWorld *from, int count, const uint64_t *id,
                                 const int *body, DlsDeformables *out);
void dls_deformables_pass(DlsDeformables *from, const DlsDeformables *to);

void dls_deformables_clear(DlsDeformables *all);

/* Position, velocity and offsets of elements in the arrays of the world, from state and velocity:
 * for who has written these. */
void dls_deformables_show(DlsWorld *world);

/* ---- Of this room alone ---- */

/* All go on for h seconds, and the world follows. */
void dls_deformables_drift(DlsWorld *world, double h);

/* Before bodies are compacted: those that are doomed go, the others take their new numbers. */
void dls_deformables_compact(DlsWorld *world);

#endif
