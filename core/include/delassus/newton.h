/* Newton's method on islands, with linear algebra of one's own.
 *
 * The solvers `proximal` and `newton` are one method: each group of contacts that W does not couple
 * to others, an island, is solved by proximal steps,
 *
 *   find r with  F_i(u_i, r_i) = 0 for each contact,   u = W' r + q' + alpha (r - centre),
 *
 * in variables r' and u' that have no units. The method is in the library; who solves the equations
 * of a step is passed in: `proximal` brings direct solves (dense LU, UMFPACK), the plugin `newton`
 * PETSc's SNES. A solver on another library of linear algebra is a DlsSolver whose options come
 * from dls_newton_options(), whose solve and destroy are dls_newton_solve() and
 * dls_newton_destroy(), and whose create calls dls_newton_create() with its own table.
 *
 * Kept: the names and arguments below, and the layouts of the Jacobian. What F is, how alpha moves
 * and when a step is given up may change between versions. */
#ifndef DELASSUS_NEWTON_H
#define DELASSUS_NEWTON_H

#include <stdbool.h>

#include <delassus/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DlsNewtonStep DlsNewtonStep; /* one step: opaque, lent for the solve of it */

/* Who solves the equations of a step. */
typedef struct {
  /* A system for steps on the island whose W' has these block rows (lent for the call), and where
   * `dense` for all islands of as many contacts. On failure *out is what destroy takes, or NULL. */
  DlsStatus (*create)(const DlsBlockRows *rows, bool dense, void **out);
  /* Solves a step from r [contacts][block], which receives the solution where *converged, and is
   * left alone elsewhere; *iterations counts those done. A step that does not converge is no error:
   * a larger alpha may do. What a law returned from residual or jacobian below is handed on. */
  DlsStatus (*solve)(void *system, DlsNewtonStep *step, double *r, int *iterations,
                     bool *converged);
  void (*destroy)(void *system); /* NULL is fine */
} DlsNewtonAlgebra;

/* W' of the island at hand. */
DLS_EXPORT DlsBlockRows dls_newton_step_rows(const DlsNewtonStep *step);

/* F [contacts][block] at r; fails where a law does. */
DLS_EXPORT DlsStatus dls_newton_step_residual(DlsNewtonStep *step, const double *r, double *F);

/* J = dF/dr at r into `value`:
 *   sparse  each scalar row holds the blocks of its contact in the order of the block rows; the
 *           rows of contact i begin at start[i] block^2
 *   dense   by columns, (contacts block)^2 numbers */
DLS_EXPORT DlsStatus dls_newton_step_jacobian(DlsNewtonStep *step, bool dense, const double *r,
                                              double *value);

/* To be asked in every iteration, from 0 on, with |F| there. */
typedef enum { DLS_NEWTON_GO_ON, DLS_NEWTON_CONVERGED, DLS_NEWTON_GIVE_UP } DlsNewtonVerdict;
DLS_EXPORT DlsNewtonVerdict dls_newton_step_judge(DlsNewtonStep *step, int iteration, double norm);

/* The line search: whether |F| = norm at r - t (the Newton step) is small enough in this iteration,
 * after it was judged; else t is halved, DLS_NEWTON_HALVINGS times at most. |F| is compared with
 * the largest of its last values (Grippo, Lampariello and Lucidi 1986), and with many times that in
 * the first iterations, when the active set is still being found and a full step pays more than a
 * decrease. */
enum { DLS_NEWTON_HALVINGS = 12 };
DLS_EXPORT bool dls_newton_step_accepts(const DlsNewtonStep *step, int iteration, double t,
                                        double norm);

/* The options of the method, for the fields of a DlsSolver. */
DLS_EXPORT const DlsOption *dls_newton_options(int *count, size_t *bytes);

/* As create, solve and destroy of a DlsSolver; `options` as dls_newton_options() describes them.
 * The table is lent for the life of *out. `sparse`: no dense matrices, whatever the options. */
DLS_EXPORT DlsStatus dls_newton_create(const DlsProblem *problem, const void *options,
                                       const DlsNewtonAlgebra *algebra, bool sparse, void **out);
DLS_EXPORT DlsStatus dls_newton_solve(void *self, const DlsProblem *problem,
                                      const DlsLimits *limits, const DlsMonitor *monitor, double *r,
                                      DlsReport *report);
DLS_EXPORT void dls_newton_destroy(void *self);

#ifdef __cplusplus
}
#endif
#endif
