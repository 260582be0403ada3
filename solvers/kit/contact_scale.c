#include "solvers/kit/contact_scale.h"

#include <delassus/cone.h>

#include <math.h>

static double largest_of(int block, const double *D, int first, int end) {
  double largest = 0;
  for (int k = first; k < end; k++) largest = fmax(largest, D[k * block + k]);
  return largest;
}

/* What counts as nothing is told from numbers of the same unit: velocities, or spins. */
double dls_contact_scale_group(int dim, int block, const double *D, int first, int end) {
  double mean = 0;
  const double largest =
      first < dim ? largest_of(block, D, 0, dim) : largest_of(block, D, dim, block);
  for (int k = first; k < end; k++) mean += D[k * block + k] / (end - first);
  if (!(mean > 1e-14 * largest)) mean = largest > 0 ? largest : largest_of(block, D, 0, block);
  return mean > 0 && isfinite(1 / sqrt(mean)) ? 1 / sqrt(mean) : 1.0;
}

/* The tangential scales of a Coulomb cone whose ellipse has both axes: S_i ~ mu_i. */
static void round_ellipse(DlsRelation *relation, double *S) {
  const double mu1 = relation->mu[DLS_MU_1], mu2 = relation->mu[DLS_MU_2];
  const double middle = sqrt(mu1) * sqrt(mu2);
  if (!(middle > 0)) return;
  S[1] *= mu1 / middle;
  S[2] *= mu2 / middle;
  relation->mu[DLS_MU_1] = relation->mu[DLS_MU_2] = middle;
}

void dls_contact_scale(int dim, int block, const double *D, DlsRelation *relation, double *S) {
  const DlsLayout layout = dls_cone_layout(relation->cone, dim, block);
  const int sizes[3] = {layout.tangents, layout.rollings, layout.torsions};
  double group[3] = {1, 1, 1}, *mu = relation->mu;
  S[0] = dls_contact_scale_group(dim, block, D, 0, 1);
  int first = 1;
  for (int g = 0; g < 3; g++) {
    if (!sizes[g]) continue;
    group[g] = dls_contact_scale_group(dim, block, D, first, first + sizes[g]);
    for (int k = first; k < first + sizes[g]; k++) S[k] = group[g];
    first += sizes[g];
  }
  for (int k = first; k < block; k++) S[k] = dls_contact_scale_group(dim, block, D, k, k + 1);
  if (relation->cone == DLS_CONE_COULOMB && layout.tangents == 2) round_ellipse(relation, S);
  mu[DLS_MU_1] *= S[0] / group[0];
  mu[DLS_MU_2] *= S[0] / group[0];
  mu[DLS_MU_ROLL] *= S[0] / group[1];
  mu[DLS_MU_TORSION] *= S[0] / group[2];
}
