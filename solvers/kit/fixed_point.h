/* A fixed point around convex programmes, for the two solvers that freeze a part of Coulomb's law:
 * aclm the shift s = Γ(u), tresca the radii mu r_N of the disks, and s = -associated mu |u_T| where
 * contacts dilate. In scaled variables,
 *
 *   r <- argmin 1/2 r·W'r + r·(q' + s n)  over cones (s given) or cylinders (radii given)
 *
 * by accelerated projected gradient to `eta` times the residual that the last change of s or of the
 * radii left, then s or the radii anew. */
#ifndef DELASSUS_SOLVERS_KIT_FIXED_POINT_H
#define DELASSUS_SOLVERS_KIT_FIXED_POINT_H

#include "solvers/kit/first_order.h"

typedef enum { DLS_FREEZE_SHIFT, DLS_FREEZE_RADII } DlsFreeze;

typedef struct {
  int inner, rescue, check_every;
  double eta;
} DlsFixedPointOptions;

enum { DLS_FIXED_POINT_OPTIONS = 4 };
extern const DlsOption dls_fixed_point_options[DLS_FIXED_POINT_OPTIONS];

/* create of a DlsSolver; solve and destroy are those of first_order.h. */
DlsStatus dls_fixed_point_create(DlsFreeze freeze, const DlsProblem *problem, const void *chosen,
                                 void **out);

#endif
