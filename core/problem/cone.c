/* The cones: projection, its derivative, De Saxcé's shift.
 *
 * ROLLING and isotropic COULOMB are intersections of second-order cones that share the normal: with
 * groups g of components x_g and coefficients mu_g,
 *   K = { |x_g| <= mu_g x_N },   P_K(x)_N = (x_N + Σ_A mu_g |x_g|) / (1 + Σ_A mu_g^2),
 * A the groups that end on their boundary; for one group this is Sanni et al. 2009, eq. 26.
 * Elliptic COULOMB has no closed form; its normal part N is the root of
 *   Σ (mu_i x_i / d_i)^2 = 1,   d_i = (1 + mu_i^2) N - x_N,   P_i = mu_i^2 x_i N / d_i. */
#include "problem/cone_impl.h"

#include "base/small.h"

const char *dls_cone_name(DlsCone cone) {
  static const char *const names[] = {
#define NAME(code, text) text,
      DLS_CONE_LIST(NAME)
#undef NAME
  };
  return (int)cone >= 0 && cone < DLS_CONE_COUNT ? names[cone] : "unknown";
}

DlsRelation dls_relation_default(void) { return (DlsRelation){.cone = DLS_CONE_FREE}; }

DlsLayout dls_cone_layout(DlsCone cone, int dim, int block) {
  DlsLayout layout = {block, 0, 0, 0};
  if (cone == DLS_CONE_COULOMB || cone == DLS_CONE_ROLLING)
    layout.tangents = dim == 2 || block == 2 ? 1 : 2;
  if (cone == DLS_CONE_ROLLING) {
    layout.rollings = dim == 2 ? 1 : 2;
    layout.torsions = block == 6;
  }
  return layout;
}

int dls_cone_groups(const DlsRelation *relation, int dim, int block, DlsConeGroup groups[3]) {
  const DlsLayout layout = dls_cone_layout(relation->cone, dim, block);
  int count = 0;
  if (layout.tangents) groups[count++] = (DlsConeGroup){1, layout.tangents, relation->mu[DLS_MU_1]};
  if (layout.rollings)
    groups[count++] =
        (DlsConeGroup){1 + layout.tangents, layout.rollings, relation->mu[DLS_MU_ROLL]};
  if (layout.torsions) groups[count++] = (DlsConeGroup){5, 1, relation->mu[DLS_MU_TORSION]};
  return count;
}

static bool is_elliptic(const DlsRelation *relation, int dim, int block) {
  return relation->cone == DLS_CONE_COULOMB && dim == 3 && block > 2 &&
         relation->mu[DLS_MU_1] != relation->mu[DLS_MU_2];
}

/* Components that no group holds carry no reaction. */
static void clear_tail(const DlsLayout *layout, double *x) {
  for (int k = 1 + layout->tangents + layout->rollings + layout->torsions; k < layout->block; k++)
    x[k] = 0;
}

/* The normal part of the projection on the intersection of the groups' cones, and which groups end
 * on their boundary: added by falling |x_g| / mu_g for as long as the cone is violated. */
static double project_normal(double x_normal, int count, const DlsConeGroup *groups,
                             const double *norms, bool *active) {
  double sum = x_normal, weight = 1, normal = x_normal;
  for (int g = 0; g < count; g++) active[g] = false;
  for (int round = 0; round < count; round++) {
    int worst = -1;
    for (int g = 0; g < count; g++)
      if (!active[g] && norms[g] > groups[g].mu * normal &&
          (worst < 0 || norms[g] * groups[worst].mu > norms[worst] * groups[g].mu))
        worst = g;
    if (worst < 0) break;
    active[worst] = true;
    sum += groups[worst].mu * norms[worst];
    weight += groups[worst].mu * groups[worst].mu;
    normal = sum / weight;
  }
  return normal;
}

static void project_groups(const DlsRelation *relation, int dim, int block, double *x) {
  DlsConeGroup groups[3] = {{0}};
  double norms[3] = {0};
  bool active[3];
  const int count = dls_cone_groups(relation, dim, block, groups);
  for (int g = 0; g < count; g++) norms[g] = dls_small_norm(groups[g].size, x + groups[g].first);
  const double normal = project_normal(x[0], count, groups, norms, active);
  if (!(normal > 0)) {
    memset(x, 0, (size_t)block * sizeof *x);
    return;
  }
  x[0] = normal;
  for (int g = 0; g < count; g++) {
    if (!active[g]) continue;
    const double scale = groups[g].mu * normal / norms[g];
    for (int k = 0; k < groups[g].size; k++) x[groups[g].first + k] *= scale;
  }
}

/* N of the elliptic projection, for x outside the cone and outside its polar. Newton's method on
 * (Σ (mu_i x_i / d_i)^2)^(-1/2) = 1, concave and nearly linear, from the left: it rises to the
 * root. */
static double elliptic_normal(const double *mu, const double *x) {
  double normal = fmax(x[0], 0.0);
  for (int i = 0; i < 2; i++)
    normal = fmax(normal, (x[0] + mu[i] * fabs(x[1 + i])) / (1 + mu[i] * mu[i]));
  for (int iteration = 0; iteration < 60; iteration++) {
    double sum = 0, slope = 0;
    for (int i = 0; i < 2; i++) {
      if (mu[i] == 0 || x[1 + i] == 0) continue;
      const double d = (1 + mu[i] * mu[i]) * normal - x[0], term = mu[i] * x[1 + i] / d;
      sum += term * term;
      slope += term * term * (1 + mu[i] * mu[i]) / d;
    }
    /* d/dN sum^(-1/2) = sum^(-3/2) slope. */
    const double step = (1 - 1 / sqrt(sum)) * sum * sqrt(sum) / slope;
    if (!(step > 0)) break; /* at the root, to round-off */
    normal += step;
    if (step <= 1e-16 * normal) break;
  }
  return normal;
}

static double elliptic_shift(const double *mu, const double *u) {
  const double scaled[2] = {mu[0] * u[1], mu[1] * u[2]};
  return dls_small_norm(2, scaled);
}

/* A tangent without friction carries no reaction: K lies in the plane across it. */
static void flatten(const double *mu, double *x) {
  for (int i = 0; i < 2; i++)
    if (mu[i] == 0) x[1 + i] = 0;
}

/* -1: P_K(x) = 0; +1: x ∈ K; 0: on the boundary. */
static int elliptic_side(const double *mu, const double *x) {
  if (x[0] <= -elliptic_shift(mu, x)) return -1;
  double inside[2];
  for (int i = 0; i < 2; i++) inside[i] = mu[i] == 0 ? 0 : x[1 + i] / mu[i];
  return x[0] >= dls_small_norm(2, inside) ? 1 : 0;
}

static void project_ellipse(const double *mu, double *x) {
  flatten(mu, x);
  const int side = elliptic_side(mu, x);
  if (side > 0) return;
  if (side < 0) {
    x[0] = x[1] = x[2] = 0;
    return;
  }
  const double normal = elliptic_normal(mu, x);
  for (int i = 0; i < 2; i++) {
    const double d = (1 + mu[i] * mu[i]) * normal - x[0];
    x[1 + i] = mu[i] == 0 ? 0 : mu[i] * mu[i] * x[1 + i] * normal / d;
  }
  x[0] = normal;
}

void dls_cone_project(const DlsRelation *relation, int dim, int block, double *x) {
  const DlsLayout layout = dls_cone_layout(relation->cone, dim, block);
  switch (relation->cone) {
  case DLS_CONE_FREE:
    memset(x, 0, (size_t)block * sizeof *x);
    return;
  case DLS_CONE_BILATERAL:
  case DLS_CONE_CUSTOM:
    return;
  case DLS_CONE_SLIDER:
    clear_tail(&layout, x);
    return;
  case DLS_CONE_SIGNORINI:
    clear_tail(&layout, x);
    x[0] = x[0] > 0 ? x[0] : 0;
    return;
  case DLS_CONE_COULOMB:
  case DLS_CONE_ROLLING:
  default:
    break;
  }
  clear_tail(&layout, x);
  if (is_elliptic(relation, dim, block))
    project_ellipse(relation->mu, x);
  else
    project_groups(relation, dim, block, x);
}

void dls_cone_project_dual(const DlsRelation *relation, int dim, int block, double *x) {
  double p[DLS_MAX_BLOCK];
  for (int k = 0; k < block; k++) p[k] = -x[k];
  dls_cone_project(relation, dim, block, p);
  for (int k = 0; k < block; k++) x[k] += p[k];
}

static void derivative_ellipse(const double *mu, const double *point, int block, double *J) {
  double x[3] = {point[0], point[1], point[2]};
  flatten(mu, x);
  const int side = elliptic_side(mu, x);
  if (side < 0) return;
  if (side > 0) {
    for (int k = 0; k < 3; k++) J[k * block + k] = k == 0 || mu[k - 1] > 0;
    return;
  }
  const double N = elliptic_normal(mu, x);
  double d[2], dN[3] = {0}, weight = 0; /* dN: gradient of N */
  for (int i = 0; i < 2; i++) {
    d[i] = (1 + mu[i] * mu[i]) * N - x[0];
    if (mu[i] == 0) continue;
    const double mx = mu[i] * x[1 + i] / d[i];
    dN[0] += mx * mx / d[i];
    dN[1 + i] = mu[i] * mx / d[i];
    weight += (1 + mu[i] * mu[i]) * mx * mx / d[i];
  }
  for (int k = 0; k < 3; k++) J[k] = dN[k] /= weight;
  for (int i = 0; i < 2; i++) {
    if (mu[i] == 0) continue;
    const double m2 = mu[i] * mu[i], xi = x[1 + i];
    for (int k = 0; k < 3; k++) {
      const double dd = (1 + m2) * dN[k] - (k == 0);
      J[(1 + i) * block + k] =
          m2 * (N / d[i] * (k == 1 + i) + xi / d[i] * dN[k] - xi * N / (d[i] * d[i]) * dd);
    }
  }
}

static void derivative_groups(const DlsRelation *relation, int dim, int block, const double *x,
                              double *J) {
  DlsConeGroup groups[3] = {{0}};
  double norms[3] = {0}, dN[DLS_MAX_BLOCK] = {1}, weight = 1;
  bool active[3];
  const int count = dls_cone_groups(relation, dim, block, groups);
  for (int g = 0; g < count; g++) norms[g] = dls_small_norm(groups[g].size, x + groups[g].first);
  const double normal = project_normal(x[0], count, groups, norms, active);
  if (!(normal > 0)) return;
  for (int g = 0; g < count; g++) {
    if (!active[g]) continue;
    weight += groups[g].mu * groups[g].mu;
    for (int k = groups[g].first; k < groups[g].first + groups[g].size; k++)
      dN[k] = groups[g].mu * x[k] / norms[g];
  }
  for (int k = 0; k < block; k++) J[k] = dN[k] /= weight;
  for (int g = 0; g < count; g++) {
    const int first = groups[g].first, end = first + groups[g].size;
    for (int i = first; i < end; i++) {
      if (!active[g]) {
        J[i * block + i] = groups[g].mu > 0;
        continue;
      }
      const double along = x[i] / norms[g];
      for (int k = 0; k < block; k++) J[i * block + k] = groups[g].mu * along * dN[k];
      for (int k = first; k < end; k++)
        J[i * block + k] += groups[g].mu * normal / norms[g] * ((i == k) - along * x[k] / norms[g]);
    }
  }
}

void dls_cone_project_derivative(const DlsRelation *relation, int dim, int block, const double *x,
                                 double *J) {
  memset(J, 0, (size_t)(block * block) * sizeof *J);
  switch (relation->cone) {
  case DLS_CONE_FREE:
    return;
  case DLS_CONE_BILATERAL:
  case DLS_CONE_CUSTOM:
    for (int k = 0; k < block; k++) J[k * block + k] = 1;
    return;
  case DLS_CONE_SLIDER:
    J[0] = 1;
    return;
  case DLS_CONE_SIGNORINI:
    J[0] = x[0] > 0;
    return;
  case DLS_CONE_COULOMB:
  case DLS_CONE_ROLLING:
  default:
    break;
  }
  if (is_elliptic(relation, dim, block))
    derivative_ellipse(relation->mu, x, block, J);
  else
    derivative_groups(relation, dim, block, x, J);
}

double dls_cone_gauge(const DlsRelation *relation, int dim, int block, const double *u,
                      double *gradient) {
  if (gradient) memset(gradient, 0, (size_t)block * sizeof *gradient);
  if (relation->cone != DLS_CONE_COULOMB && relation->cone != DLS_CONE_ROLLING) return 0;
  if (is_elliptic(relation, dim, block)) {
    const double *mu = relation->mu, shift = elliptic_shift(mu, u);
    for (int i = 0; gradient && shift > 0 && i < 2; i++)
      gradient[1 + i] = mu[i] * mu[i] * u[1 + i] / shift;
    return shift;
  }
  DlsConeGroup groups[3] = {{0}};
  const int count = dls_cone_groups(relation, dim, block, groups);
  double shift = 0;
  for (int g = 0; g < count; g++) {
    const double norm = dls_small_norm(groups[g].size, u + groups[g].first);
    shift += groups[g].mu * norm;
    for (int k = groups[g].first; gradient && norm > 0 && k < groups[g].first + groups[g].size; k++)
      gradient[k] = groups[g].mu * u[k] / norm;
  }
  return shift;
}

double dls_cone_shift(const DlsRelation *relation, int dim, int block, const double *u,
                      double *gradient) {
  const double share = 1 - relation->associated;
  const double shift = dls_cone_gauge(relation, dim, block, u, gradient);
  for (int k = 0; gradient && k < block; k++) gradient[k] *= share;
  return share * shift;
}
