/* Fixed point on convex problems (Acary, Cadoux, Lemaréchal and Malick 2011): with the shift s
 * given,
 *
 *   min 1/2 r·W'r + r·(q' + s n)  over r ∈ K
 *
 * is a convex programme over second-order cones; s <- Γ(u) of its solution. A fixed point obeys
 * Coulomb's law. */
#include "solvers/kit/fixed_point.h"

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  return dls_fixed_point_create(DLS_FREEZE_SHIFT, problem, chosen, out);
}

const DlsSolver dls_solver_aclm = {
    DLS_SOLVER_HEAD,
    .name = "aclm",
    .summary = "fixed point on convex problems, De Saxcé's shift frozen in each",
    .description =
        "Freezes De Saxcé's shift, solves the convex programme over the cones by accelerated "
        "projected gradient, brings the shift up to date. Needs no W, only its product. Takes "
        "every canonical law, and custom laws that bring a projection.",
    .references = "Acary, Cadoux, Lemaréchal and Malick 2011; De Saxcé and Feng 1998",
    .options = dls_fixed_point_options,
    .noptions = DLS_FIXED_POINT_OPTIONS,
    .option_bytes = sizeof(DlsFixedPointOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
