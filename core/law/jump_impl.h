/* A step of a contact under a law of a jump, and its one-contact problem; letters as in jump.h. */
#ifndef DELASSUS_LAW_JUMP_IMPL_H
#define DELASSUS_LAW_JUMP_IMPL_H

#include "law/jump.h"

enum { MAX_SQUARE = DLS_MAX_BLOCK * DLS_MAX_BLOCK };

/* A step of a contact: jump = start + way w. */
typedef struct {
  const DlsLawUse *use;
  int n;
  double area, start[DLS_MAX_BLOCK], way[DLS_MAX_BLOCK];
  double share; /* s of jump.h */
} DlsJumpStep;

/* I(w), and its slope T where that is wanted. */
DlsStatus dls_jump_impulse(const DlsJumpStep *s, const double *w, double *I, double *T);

/* The one-contact problem G(w) = w - q - D I(w) = 0. */
typedef struct {
  DlsJumpStep step;
  const double *D, *q;
  double unit[DLS_MAX_BLOCK]; /* m, of spins: they count like velocities */
} DlsJumpContact;

DlsJumpContact dls_jump_contact(const DlsJumpStep *step, const double *D, const double *q);

/* By Newton's method from w, which becomes the solution; r = I(w), to more digits than w has. */
bool dls_jump_newton(const DlsJumpContact *p, double *w, double *r);

/* By whatever finds one, from w first. */
bool dls_jump_find(const DlsJumpContact *p, double *w, double *r);

#endif
