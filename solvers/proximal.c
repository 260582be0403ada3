/* Proximal point iteration around semismooth Newton, island by island, with direct solves of our
 * own (dense LU, UMFPACK). The algorithm is solvers/newton/driver.c; `newton` is the same on
 * PETSc. */
#include "solvers/newton/direct.h"
#include "solvers/newton/driver.h"

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  return dls_newton_create(problem, chosen, &newton_direct, false, out);
}

const DlsSolver dls_solver_proximal = {
    DLS_SOLVER_HEAD,
    .name = "proximal",
    .summary = "proximal point around semismooth Newton, island by island",
    .description =
        "Solves each island of contacts by proximal steps, W + alpha with alpha falling to "
        "nothing, each by semismooth Newton with a direct solve. Reaches high accuracy where "
        "sweeps stall: stacked rigid bodies (W singular), ill-conditioned and unsymmetric "
        "problems. Takes every law. The same as newton, without PETSc.",
    .references = "Alart and Curnier 1991; Acary, Brémond and Huber 2018",
    .options = newton_options,
    .noptions = NEWTON_OPTIONS,
    .option_bytes = sizeof(NewtonOptions),
    .create = create,
    .solve = dls_newton_solve,
    .destroy = dls_newton_destroy,
};
