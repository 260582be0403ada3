#ifndef DELASSUS_PROBLEM_PROBLEM_IMPL_H
#define DELASSUS_PROBLEM_PROBLEM_IMPL_H

#include <delassus/problem.h>

/* m/s: 1e-10 of it, the least closing speed that counts as one, is 2.2e-16, below which errors.h
 * counts nothing. */
#define DLS_UNKNOWN_SPEED 2.2e-6

struct DlsProblem {
  int dim, contacts, block;
  DlsOperator *W;
  const double *q;
  const DlsRelation *relations; /* [distinct] */
  const int *which;             /* [contacts], a number among them; NULL: contact i has number i */
  int distinct;
  const double *q_hat;        /* q̂ = q + b - Ŵ a; the array q itself when a = b = 0 */
  DlsCustomRelation *custom;  /* NULL when no contact is custom */
  double *own_q, *own_q_hat;  /* what is freed with the problem; NULL where the array is lent or */
  DlsRelation *own_relations; /* the same as another */
  int *own_which;
  double *compliance; /* C by component; NULL when C = 0 */
  double *rho;        /* 1 / Ŵ_NN by contact, 1 where that is not positive */
  double *length; /* m, by contact, in blocks with spins: ℓ = sqrt(Ŵ_NN / mean Ŵ of the spins); else
                     NULL */
  double pull;               /* N s, |a| */
  double q_size;             /* N s, |ρ q̂|; spins count times ℓ */
  double load;               /* N s, the larger of q_size and |a| */
  double fastest;            /* m/s, the largest |q̂_α| */
  double allowance;          /* A of errors.h */
  int still;                 /* q̂ is round-off, |q̂| <= 2.2e-12 */
  double round_off;          /* velocities and impulses below this are none; see problem.c */
  double speed;              /* m/s: of the velocities that q was made of; DLS_UNKNOWN_SPEED */
  int moves;                 /* some motion is known to obey every contact */
  int shifted;               /* some a is not zero */
  int cones[DLS_CONE_COUNT]; /* contacts with each cone */
  char *name;
};

/* The relation of a contact. */
static inline const DlsRelation *dls_problem_shared(const DlsProblem *p, int contact) {
  return &p->relations[p->which ? p->which[contact] : contact];
}

/* |r| in N s, torques over ℓ; |ρ u| in N s, spins times ℓ: r and u [contacts][block]. */
double dls_problem_impulse_size(const DlsProblem *p, const double *r);
double dls_problem_velocity_size(const DlsProblem *p, const double *u);

#endif
