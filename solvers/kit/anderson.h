/* Anderson's mixing of a fixed-point iteration x <- S(x), with a way back. With g_k = S(x_k) - x_k
 * and the differences of the last `window` steps as columns of ΔG and ΔS,
 *
 *   x_{k+1} = S(x_k) - ΔS γ,   γ = argmin |g_k - ΔG γ|_D   (Anderson 1965; Walker and Ni 2011)
 *
 * When |g|_D grows after such a step, the step is taken back, x = S(x_k), the columns are dropped
 * and the iteration runs plain for a while, twice as long each time: what is lost stays a small
 * share of the sweeps. D is the diagonal of Ŵ: units do not matter. */
#ifndef DELASSUS_SOLVERS_KIT_ANDERSON_H
#define DELASSUS_SOLVERS_KIT_ANDERSON_H

#include <delassus/status.h>

#include <stddef.h>

enum { DLS_ANDERSON_MOST = 20 }; /* columns */

typedef struct DlsAnderson DlsAnderson;

/* x is (r, y) of n and m numbers, y linear in r and moved along; weight [n] is D, lent. */
DlsStatus dls_anderson_create(size_t n, size_t m, int window, const double *weight,
                              DlsAnderson **out);
void dls_anderson_destroy(DlsAnderson *anderson);

/* Forgets all; (r, y) is where the next sweep begins. y may be NULL when m is 0. */
void dls_anderson_begin(DlsAnderson *anderson, const double *r, const double *y);

/* (r, y): S(x_k) on entry, x_{k+1} on return. */
void dls_anderson_step(DlsAnderson *anderson, double *r, double *y);

/* Steps taken, and steps taken back, since the beginning. */
long dls_anderson_taken(const DlsAnderson *anderson);
long dls_anderson_undone(const DlsAnderson *anderson);

#endif
