/* A fixed point around convex programmes, for the two solvers that freeze a part of Coulomb's law:
 * aclm the shift s = Γ(u), tresca the radii mu r_N of the disks. In scaled variables,
 *
 *   r <- argmin 1/2 r·W'r + r·(q' + s n)  over cones (s given) or cylinders (radii given)
 *
 * by accelerated projected gradient to `eta` times the residual that the last change of s or of the
 * radii left, then s or the radii anew. */
#ifndef DELASSUS_SOLVERS_KIT_FIXED_POINT_H
#define DELASSUS_SOLVERS_KIT_FIXED_POINT_H

#include <delassus/solver.h>

typedef enum { DLS_FREEZE_SHIFT, DLS_FREEZE_RADII } DlsFreeze;

typedef struct {
  int inner, rescue, check_every;
  double eta;
} DlsFixedPointOptions;

enum { DLS_FIXED_POINT_OPTIONS = 4 };
extern const DlsOption dls_fixed_point_options[DLS_FIXED_POINT_OPTIONS];

/* The functions of a DlsSolver; `name` is that of the solver. */
DlsStatus dls_fixed_point_create(const char *name, DlsFreeze freeze, const DlsProblem *problem,
                                 const void *chosen, void **out);
DlsStatus dls_fixed_point_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                                const DlsMonitor *monitor, double *r, DlsReport *report);
void dls_fixed_point_destroy(void *self);

#endif
