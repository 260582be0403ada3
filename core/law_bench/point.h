/* One contact, alone, driven step by step: the one-point test that every author of a law does
 * first.
 *
 * Each component k is driven by a velocity, as by a machine that hardly yields, or by a force on a
 * mass m:
 *   u_k = value + r_k / (m s)
 *       velocity; s, the stiffness of the machine: 1e9 unless set
 *   u_k = u⁻_k + (h value + r_k) / m          force
 * so that u = D r + q with D diagonal, and the law gives r. The gap follows: g⁺ = g + h u_N; an
 * open one may close within the step, as in the scheme `euler`. */
#ifndef DELASSUS_LAW_BENCH_POINT_H
#define DELASSUS_LAW_BENCH_POINT_H

#include <stdbool.h>

#include <delassus/laws.h>

#include "bench/path.h"

typedef struct {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  double state[DLS_MAX_PARAMS];
  double surface[2][DLS_MAX_PARAMS];  /* of both sides, which the contact never leaves */
  double mass;                        /* kg; for spins kg m² */
  double machine;                     /* s above */
  DlsContact contact;                 /* of the next step: time, gap, u_before */
  double fields[2][DLS_MAX_PARAMS];   /* of both sides: the law's defaults unless set */
  DlsLawTable tables[DLS_MAX_TABLES]; /* the law's defaults unless set; their numbers are lent */
  bool fresh;                         /* no step was done yet */

  /* After a step. */
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK]; /* m/s, N s */
  bool held;                                 /* a machine that drives a velocity was held back */
  double stored, dissipated;                 /* J: now; since the beginning */
  double work;                               /* J done on the contact since the beginning */
} DlsPoint;

/* The contact before its first step: block 0 stands for the smallest that the law serves. */
DlsStatus dls_point_begin(const DlsLaw *law, const double *params, int dim, int block, double mass,
                          DlsPoint *out);

/* One step of h seconds, drive [block]; the law's state is committed. */
DlsStatus dls_point_step(DlsPoint *point, double h, const DlsDrive *drive);

/* The same without commit or motion: u and r of one step from q with D = 1/mass, as drawings
 * need. */
DlsStatus dls_point_answer(const DlsPoint *point, double h, const double *q, double *u, double *r);

/* The contact as the law is told of it; lives as long as the point. */
static inline DlsContact dls_point_contact(const DlsPoint *point) {
  DlsContact c = point->contact;
  for (int side = 0; side < 2; side++) {
    c.fields[side] = point->law->nfields ? point->fields[side] : NULL;
    c.surface[side] = point->law->nsurfaces ? point->surface[side] : NULL;
  }
  c.tables = point->law->ntables ? point->tables : NULL;
  return c;
}

/* N, T or T1, T2, R1, R2, S: the name of a component. */
const char *dls_point_component(int dim, int block, int k);

/* How its paths are written: u_N, u_T1 ... (m/s, rad/s) and f_N, f_T1 ... (N, N m); components that
 * are not named do not move. */
DlsStatus dls_point_path(const char *file, int dim, int block, DlsPath *out);

#endif
