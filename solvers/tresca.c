/* Fixed point on problems with given friction (Tresca's): with the radii g = mu r_N of the disks
 * given,
 *
 *   min 1/2 r·W'r + r·q'  over r_N >= 0, |r_T| <= g
 *
 * is a convex programme over cylinders; g <- mu r_N of its solution (Panagiotopoulos 1975;
 * Haslinger 1983). A fixed point obeys Coulomb's law, without De Saxcé's shift. */
#include "solvers/kit/fixed_point.h"

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  return dls_fixed_point_create(DLS_FREEZE_RADII, problem, chosen, out);
}

const DlsSolver dls_solver_tresca = {
    DLS_SOLVER_HEAD,
    .name = "tresca",
    .summary = "fixed point on problems with given friction, radii of the disks frozen in each",
    .description =
        "Freezes the radii of the friction disks, solves the convex programme over cylinders by "
        "accelerated projected gradient, brings the radii up to date. Needs no W, only its "
        "product. Takes every canonical law, and custom laws that bring a projection.",
    .references = "Panagiotopoulos 1975; Haslinger 1983; Acary, Brémond and Huber 2018",
    .options = dls_fixed_point_options,
    .noptions = DLS_FIXED_POINT_OPTIONS,
    .option_bytes = sizeof(DlsFixedPointOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
