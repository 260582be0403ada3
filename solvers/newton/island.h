/* One island of the problem (a group of contacts that W does not couple to others), in standard
 * form and scaled so that units are gone:
 *
 *   r̂ = S r',   u' = S û,   u' = W' r' + q',   W' = S Ŵ S,   q' = S q̂
 *
 * S is diagonal, with one value per group of components (normal, tangents, rolling, torsion), such
 * that the mean diagonal entry of W' over the group is 1. A cone |r_g| <= mu_g r_N keeps its form,
 * with mu'_g = mu_g S_N / S_g; so does De Saxcé's shift. An ellipse becomes a circle: S_i ~ mu_i.
 */
#ifndef DELASSUS_SOLVERS_NEWTON_ISLAND_H
#define DELASSUS_SOLVERS_NEWTON_ISLAND_H

#include <delassus/solver.h>
#include <stdbool.h>

#include "solvers/kit/part_rows.h"
#include "solvers/newton/residual.h"

typedef struct {
  int contacts, block, dim;
  int *number;               /* [contacts], in the problem */
  int *start, *column;       /* block rows of W', columns ascending */
  int *diagonal;             /* [contacts], the block of each contact with itself */
  double *value;             /* block^2 each, row-major */
  double *q;                 /* q' */
  NewtonContact *contact;    /* scaled relations */
  DlsPartRows *parts;        /* W' = G T^T + C', where parts have fewer velocities; else NULL */
  double *compliance;        /* C', [contacts][block]; NULL where it is 0, or parts are */
  const DlsProblem *problem; /* lent */
  bool unitless;             /* errors are those of the scaled pair alone */
} NewtonIsland;

/* Whether a measure has no units, and an island is to be `unitless` for it. */
static inline bool newton_is_unitless(DlsMeasure measure) {
  return measure == DLS_MEASURE_SCALED || measure == DLS_MEASURE_BIPOTENTIAL;
}

/* The islands of a problem: *count of them in *out, to be ended with newton_islands_destroy(). */
DlsStatus newton_islands_create(const DlsProblem *problem, NewtonIsland **out, int *count);
void newton_islands_destroy(NewtonIsland *islands, int count); /* NULL is fine */

/* W' as a view. */
static inline DlsBlockRows newton_island_rows(const NewtonIsland *island) {
  return (DlsBlockRows){.contacts = island->contacts,
                        .block = island->block,
                        .start = island->start,
                        .column = island->column,
                        .diagonal = island->diagonal,
                        .value = island->value};
}

/* u = W' r + q'. */
void newton_island_velocity(const NewtonIsland *island, const double *r, double *u);

/* r' from the r̂ of the whole problem, and back. */
void newton_island_take(const NewtonIsland *island, const double *r_hat, double *r);
void newton_island_give(const NewtonIsland *island, const double *r, double *r_hat);

/* Norms of the natural map of the pair (u', r'): in physical units, as `natural` counts it (but
 * where the island is unitless), and in scaled ones. *size is the largest of the norms of q', r'
 * and u'. */
DlsStatus newton_island_error(const NewtonIsland *island, const double *u, const double *r,
                              double *physical, double *scaled, double *size);

/* Whether the reactions of the pair (u', r') are so large beside the load that they have run off
 * along the null space of W': what is asked of them there has no answer. */
bool newton_island_ran_off(const NewtonIsland *island, const double *u, const double *r);

#endif
