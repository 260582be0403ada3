/* What the files of coupling.h share: the inertia of the bodies (coupling_bodies.c) and the rows of
 * the contacts on it (coupling.c). */
#ifndef DELASSUS_ASSEMBLE_COUPLING_IMPL_H
#define DELASSUS_ASSEMBLE_COUPLING_IMPL_H

#include "assemble/coupling.h"

#include "problem/operator/inertia_impl.h"

struct DlsCoupling {
  /* What the inertia was made of. */
  DlsInertia *inertia;
  int soft;            /* deformable bodies: parts 0 .. soft - 1 */
  uint64_t *id;        /* [soft] */
  int *first;          /* [soft + 1]: numbers of each matrix in the next two */
  double *value;       /* those that are factored */
  double *next;        /* those of the step at hand */
  double *load, *size; /* p of all, N s, and the sizes of its terms by body */
  bool *loose;         /* [soft]: nothing but contacts hold it, in a quasi-static step */
  double *drag;        /* [soft], on each of its velocities, or where M^ is not positive; else 0 */
  int bodies, room;    /* of the world; that the next two arrays are long enough for */
  int *part;           /* [bodies] */
  double *mass;        /* [rigid bodies][dof^2] */
  double *b, *x, *dv;  /* scratch: [most velocities of a part] twice; [freedom] */
  int most, freedom;

  /* Rows of the step. */
  int contacts, widest; /* room: contacts, and weights of a side */
  int *start, *of, *begin, *velocity;
  double *weight;
  double *reduced; /* kg, [contacts]: 1 / W_NN */
  double *H;       /* scratch, [block][dof] */
};

/* Whether the inertia stands on the deformable bodies that there are. */
bool dls_coupling_is_of(const DlsCoupling *coupling, const DlsWorld *world);

/* out += H^T r of part p, N s. */
void dls_coupling_add_push(const DlsAssembly *assembly, int p, double *out);

#endif
