/* Private pieces of the one-contact solve. */
#ifndef DELASSUS_PROBLEM_LOCAL_LOCAL_IMPL_H
#define DELASSUS_PROBLEM_LOCAL_LOCAL_IMPL_H

#include <delassus/local.h>

/* Isotropic Coulomb friction of `tangents` 1 or 2 by every case in extended precision: open, stick
 * and each positive root of the quartic, D definite or not; the answer of smallest error wins. */
DlsLocalOutcome dls_local_coulomb_cases(double mu, int tangents, const double *D, const double *q,
                                        double *out);

/* Isotropic friction of `tangents` 1 or 2 that dilates, 0 < associated <= 1; r holds a guess. */
typedef struct {
  double mu, associated;
  int tangents;
} DlsDilatant;

DlsLocalOutcome dls_local_dilatant(const DlsDilatant *contact, const double *D, const double *q,
                                   double *r);

/* The same by every case in extended precision, D of any kind; the answer of smallest error wins.
 * */
DlsLocalOutcome dls_local_dilatant_cases(const DlsDilatant *contact, const double *D,
                                         const double *q, double *r);

/* ROLLING, and COULOMB with one coefficient, by Newton's method on a product of discs, then by
 * bisection on the push. */
DlsLocalOutcome dls_local_discs(const DlsRelation *relation, int dim, int block, const double *D,
                                const double *q, double *r);

/* A custom law: its own solve, or Newton's method on its residual. */
DlsLocalOutcome dls_local_custom(const DlsCustomRelation *custom, int block, const double *D,
                                 const double *q, double *r);

#endif
