/* Shared by the files of `interior`: interior.c iterates, interior_direction.c solves the equations
 * of an iteration, interior_shift.c finds De Saxcé's shift. */
#ifndef DELASSUS_SOLVERS_INTERIOR_IMPL_H
#define DELASSUS_SOLVERS_INTERIOR_IMPL_H

#include <delassus/solver.h>

#include "solvers/kit/anderson.h"
#include "solvers/kit/cone_scaling.h"
#include "solvers/kit/first_order.h"
#include "solvers/kit/shifted_solve.h"

typedef struct {
  double way;
  int rounds;
} InteriorOptions;

enum {
  INTERIOR_KEPT = 24,    /* points on the way to the answer of a round */
  INTERIOR_REFINED = 20, /* solves with one factor for one direction */
  INTERIOR_MIXED = 5     /* columns of Anderson's mixing */
};

/* A point of the way, to begin the next round from. */
typedef struct {
  double *y, *z, *shift, gap, left;
} InteriorPoint;

typedef struct {
  DlsFirstOrder base;
  InteriorOptions options;
  DlsShifted *factor;
  double *r, *u, *y, *z, *dr, *dy, *dz, *b, *left, *x; /* [contacts][block]; y, z in their cones */
  double *D, *inverse;                                 /* [contacts][block][block] */
  DlsConeScaling *scaling;                             /* [contacts] */
  double *memory, *step[INTERIOR_REFINED], *image[INTERIOR_REFINED]; /* of interior_direction.c */
  double floor; /* of F in the factor, beside the diagonal of W', which is 1 */
  long factors;
  int short_steps; /* one after the other */
  bool stuck;      /* y and z get no further with this shift */
  double gap;      /* mean y·z */
  /* the shift, [contacts] each */
  double *shift, *next; /* as it is held (where > 0), what y and z make of it */
  double *ones;         /* weights of 1 */
  DlsAnderson *mixed;
  InteriorPoint kept[INTERIOR_KEPT]; /* the gap falls along it */
  int points, round, idle, still;    /* rounds without a change of s that is smaller, iterations */
  double part;                       /* of the way from shift to next that a round goes */
  double mark;                       /* |next - shift| of the last round that was better */
  double last_gap, least_gap;        /* when it had last halved; of all rounds */
  double start;                      /* y and z at the start */
} Interior;

/* Components of contact i in its cone: the normal alone where there is no friction. */
static inline int interior_cone_size(const Interior *s, int i) {
  return s->base.scaled->plain[i] > 0 ? s->base.scaled->block : 1;
}

/* P of component k of contact i. */
static inline double interior_weight(const Interior *s, int i, int k) {
  const double mu = s->base.scaled->plain[i];
  return k == 0 && mu > 0 ? mu : 1;
}

/* r of y, and u = W' r + q' + s n. */
void interior_evaluate(Interior *s);

/* The factor of W' + P F P at y and z. */
DlsStatus interior_factor(Interior *s);

/* dr, dy and dz; `target` of y∘z, < 0: the predictor. After interior_evaluate(). */
DlsStatus interior_find_direction(Interior *s, double target);

/* Every y and z to the axis of its cone. */
void interior_start(Interior *s);

/* The shift is 0, and no point is kept. */
void interior_shift_begin(Interior *s);

/* After interior_evaluate(): keeps the point, and where the round is over begins the next, from
 * another point. False: neither y and z nor the shift get any further. */
bool interior_shift_follow(Interior *s);

#endif
