/* What a body that is not rigid knows and can do: one constant struct of functions per kind, as for
 * shapes and boundaries. Such a body has any number of velocities v, and numbers of state: where it
 * stands (displacements of nodes, say) and what it remembers. The world owns both, so that a step
 * can be undone; a kind is pure, and sees them with its model, which no step changes.
 *
 * A step of h seconds changes v where `before` of them have passed, as in every scheme:
 *
 *   M^ (v_free - v) = p,   v+ = v_free + M^ ^-1 H^T r
 *
 * and the body moves by v for `before` seconds, by v+ for `after`.
 *
 * With internal forces f(q) that are taken where the whole step is on the mean, q + theta h v_theta
 * with v_theta = (1 - theta) v + theta v+, theta = after / h, and their stiffness K = -df/dq,
 *
 *   M^ = M + h^2 theta^2 K,   p = h (F + f(q_M + (after - before) v)),   q_M = q + before v;
 *
 * q_M is where the body stands when it is asked. Energy is then kept for theta = 1/2 and a constant
 * K.
 *
 * A body whose internal forces are not linear tells M^ and p about a guess v* of v+ (`linearise`),
 * and the step is solved again about the v+ that it gave, contacts and all, until p, taken there,
 * and H^T r are in balance (Newton's loop; LMGC90 does so):
 *
 *   M^ = M + h^2 theta^2 K(v*),   p = h (F + f(v*)) - M (v* - v),   M^ (v_free - v*) = p.
 *
 * Detection sees the body by its elements, whose centres it tells; they do not turn. */
#ifndef DELASSUS_WORLD_DEFORMABLE_KIND_H
#define DELASSUS_WORLD_DEFORMABLE_KIND_H

#include <delassus/sparse.h>
#include <delassus/status.h>

#include "world/contact_faces.h"
#include "world/deformable_view.h"

typedef struct {
  int velocities, states; /* numbers of each, above 0 and from 0 on */
  int elements;           /* as many as its shape has */
  int weights;            /* the most velocities that move one point */
} DlsDeformableSize;

typedef struct {
  double time;             /* s, at the start of the step */
  double h, before, after; /* s, before + after = h */
  double gravity[3];       /* m/s2 */
  double force[3];         /* N, other loads, on the centre of mass */
  const double *push; /* N s, [velocities], H^T r of the contacts; NULL before the step's end */
  /* 0 in motion. 1 in quasi-static steps: M is left out of M^ and p, but for damping; loads are
   * those of the end of the step, and work along h v+. */
  double still;
} DlsDeformableStep;

/* J, in a step: lost within the body, what its internal forces take, by the mean of v and v+, less
 * what `strain` gains; and the work of its own loads and of what drives its nodes. Of what is lost,
 * as its laws tell: by what flows or breaks in it, and by what resists rates, its own damping too.
 * What is left of `lost` is the step's: second order for each where theta = 1/2, for laws are asked
 * at its end, and nothing where no law remembers. */
typedef struct {
  double lost, force;
  double plastic, viscous;
} DlsDeformableWorks;

/* The point moves by v `move`, and what is about it turns by v `turn`, v the velocity of that
 * number. */
typedef struct {
  int velocity;
  double move[3], turn[3];
} DlsPointWeight;

typedef struct {
  const char *name; /* in messages */

  void (*size)(const void *model, DlsDeformableSize *out);
  double (*mass)(const void *model); /* kg */

  /* m: the centre of mass, and the centres of its elements, space axes. */
  void (*place)(const void *model, const double *state, double centre[3], double (*element)[3]);

  /* A step begins, before the body moves: what drives it takes its values, and axes in which
   * velocities are told may turn. NULL: nothing. */
  void (*begin)(const void *model, const DlsDeformableStep *step, double *state, double *velocity);

  /* Goes on for so many seconds. */
  void (*move)(const void *model, double seconds, const double *velocity, double *state);

  /* M^ of a step: where its entries are, lent for the life of the model (value is not read), and
   * their numbers. It is factored anew where these are not those of the step before. */
  const DlsSparse *(*pattern)(const void *model);
  void (*matrix)(const void *model, const double *state, const DlsDeformableStep *step,
                 double *value);

  /* p, N s, of weights, other loads and internal forces. */
  DlsStatus (*load)(const void *model, const double *state, const DlsDeformableStep *step,
                    const double *velocity, double *out);

  /* N s: the most that round-off of where the body stands is in a component of p, which is what is
   * left of balances of forces far larger. NULL: not known. */
  double (*noise)(const void *model, const double *state, const DlsDeformableStep *step);

  /* In their place, of a body that is not linear: M^ and p about a guess of v+, [velocities] each;
   * *size: the sum of the sizes of the terms of p, by their largest number. value NULL: p alone.
   * NULL: it is linear. */
  DlsStatus (*linearise)(const void *model, const double *state, const DlsDeformableStep *step,
                         const double *velocity, const double *guess, double *value, double *p,
                         double *size);

  /* Newton's loop ends where what is left of p + H^T r is below this share of *size. */
  double (*tolerance)(const void *model);

  /* The velocities that move the point of an element that is at `point` in space; how many. */
  int (*weights)(const void *model, const double *state, int element, const double point[3],
                 DlsPointWeight *out);

  /* m/s, added to out: how the same point moves by what is no velocity of the body, nodes that are
   * driven in the step at hand. NULL: nothing is. */
  void (*driven)(const void *model, const double *state, int element, double out[3]);

  /* The velocities that `weights` may name, of all elements and points, each once; how many. Lent
   * for the life of the model. What contacts do to these is then known from one factorisation, and
   * costs no solve of its own. NULL: not known. */
  const int *(*surface)(const void *model, int *count);

  /* m/s of the centre of mass; kg m2/s about it. */
  void (*mean_velocity)(const void *model, const double *state, const double *velocity,
                        double out[3]);
  void (*angular_momentum)(const void *model, const double *state, const double *velocity,
                           double out[3]);

  /* J, of motion, and of deformation. */
  double (*kinetic)(const void *model, const double *state, const double *velocity);
  double (*strain)(const void *model, const double *state);

  /* The step ends with v+, `after`; the state is still q_M, and what it remembers moves on. Of
   * velocities without mass both may change, before the body moves on. NULL: nothing to remember,
   * nothing lost. */
  DlsStatus (*finish)(const void *model, const DlsDeformableStep *step, const double *before,
                      double *after, double *state, DlsDeformableWorks *out);

  void (*destroy)(void *model); /* NULL: there is nothing to end */

  /* Its mesh and what is in it (deformable_view.h), for files and averages. Both or neither: of a
   * kind without them files show the elements alone, and its volume is theirs. */
  const DlsDeformableMesh *(*mesh)(const void *model);
  DlsStatus (*fields)(const void *model, const double *state, const double *velocity,
                      DlsDeformableFields *out);

  /* The faces between its elements by which it meets others, lent for the life of the model; its
   * elements are then points, whatever their radius. NULL, or none: it meets by its elements. */
  const DlsContactFaces *(*faces)(const void *model);
} DlsDeformableOperations;

/* One of a world. */
typedef struct {
  int body; /* its number */
  const DlsDeformableOperations *kind;
  void *model;
  DlsDeformableSize size;
  const DlsContactFaces *faces; /* NULL: it meets others by its elements */
  int velocity, state;          /* where its numbers begin in the arrays of all */
} DlsDeformable;

/* All of a world, ascending by body. */
typedef struct {
  int count;
  DlsDeformable *item;
  int velocities, states; /* in all */
  double *velocity, *state;
  double (*centre)[3];     /* scratch, of the elements of the largest */
  DlsPointWeight *weights; /* scratch, of the widest */
} DlsDeformables;

#endif
