/* A squeeze: the proof that a problem has no solution, because no motion is possible at all.
 *
 * Every law with û_N >= 0 (signorini, coulomb, rolling) or û = 0 (bilateral; slider: û_N = 0) asks
 * for it whatever the reactions. û = Ŵ r̂ + q̂ cannot give it where pushes λ balance each other and
 * yet the contacts close:
 *
 *   Ŵᵀ λ = 0,   λ·(q + b) < 0,   λ >= 0 on normals (any sign where û = 0 is asked for), 0 elsewhere
 *
 * for then λ·û = λ·(q + b) < 0 for all r̂ (Farkas). Friction does not matter; a contact with
 * compliance, a free one and one with a custom law are never part of it. Between rigid bodies Ŵᵀ λ
 * = 0 reads Hᵀ λ = 0: a body between a floor and a lid that come nearer to each other. */
#ifndef DELASSUS_SQUEEZE_H
#define DELASSUS_SQUEEZE_H

#include <stddef.h>

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int count;      /* contacts that push; 0: nothing is proved */
  int *contact;   /* [count], ascending */
  double *push;   /* [count][block]: λ, the largest 1 */
  double closing; /* m/s: -λ·(q + b), how fast what pushes hardest would have to give way */
} DlsSqueeze;

/* Looks for a squeeze, island by island, and proves it beyond round-off; the first one found is
 * told. `r` [contacts][block], or NULL: a solver's answer, which spares islands whose velocities
 * are admissible already; it changes what is looked at, not what is proved. Nothing found is no
 * proof of the contrary: islands of more than 600 rows are passed over, and so is what closes at
 * less than 1e-10 of its load. The caller ends *out with dls_squeeze_clear(). */
DLS_EXPORT DlsStatus dls_squeeze_find(const DlsProblem *problem, const double *r, DlsSqueeze *out);
/* The sentence of a squeeze, such as "no motion is possible: contacts 0 and 1 push each other and
 * close at 1 m/s". */
DLS_EXPORT void dls_squeeze_describe(const DlsSqueeze *squeeze, char *text, size_t bytes);
DLS_EXPORT void dls_squeeze_clear(DlsSqueeze *squeeze); /* zeroes it; a zeroed one is fine */

#ifdef __cplusplus
}
#endif
#endif
