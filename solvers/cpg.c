/* The conjugate projected gradient of Renouf and Alart (2005), in scaled variables. The normal and
 * frictional parts are treated as one quadratic programme whose disks |r_g| <= mu_g r_N move with
 * the iterates:
 *
 *   alpha = p·w / p·W'p,   r <- P(r + alpha p),   w = -(W' r + q')
 *   z = T(w),   beta = -z·W'p / p·W'p,   p <- z + beta T(p)
 *
 * P cuts r_N at 0 and then each r_g at its disk, T projects on the tangent cone of the disks at r.
 * A fixed point is a solution of Coulomb's law, without De Saxcé's shift: r_N is the normal one
 * with friction given, r_g is the nearest to r_g - u_g in the disk. Where contacts dilate, w_N is
 * -(u_N - associated mu |u_T|). Without friction it is the
 * conjugate gradient method on the active set, and converges in few iterations; with friction
 * convergence is not proven. In a cycle beta becomes 0 and alpha a share of 1 / the largest
 * curvature seen, that is, the projected gradient. Two products with W an iteration. */
#include <delassus/solver.h>

#include "base/ledger.h"
#include "base/small.h"
#include "solvers/kit/first_order.h"

#include <stdio.h>

typedef struct {
  int conjugate, rescue, check_every;
} CpgOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(CpgOptions, conjugate, 1, "no|yes", "directions; no: projected gradient"),
    DLS_CHOICE_OPTION(CpgOptions, rescue, 1, "no|yes",
                      "short steps without conjugation when the iteration goes round in a cycle"),
    DLS_INT_OPTION(CpgOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  DlsFirstOrder base;
  CpgOptions options;
  double *r, *w, *z, *p, *Wp; /* [contacts][block] each */
  double share, curvature;    /* of a step after a rescue; the largest p·W'p / p·p */
  long restarts;
} Cpg;

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Cpg *s = self;
  (void)problem;
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  s->r = dls_first_order_array(&s->base);
  s->w = dls_first_order_array(&s->base);
  s->z = dls_first_order_array(&s->base);
  s->p = dls_first_order_array(&s->base);
  s->Wp = dls_first_order_array(&s->base);
  return DLS_OK;
}

/* out = T(x) of one contact with friction, at r: no way out of r_N >= 0 and of the disks. */
static void tangent(const DlsScaled *scaled, int i, const double *r, const double *x, double *out) {
  const double edge = 1 - 1e-10; /* of the radius, from where on a contact slides */
  DlsConeGroup groups[3] = {{0}};
  const int count = dls_scaled_groups(scaled, i, groups);
  for (int k = 0; k < scaled->block; k++) out[k] = 0;
  out[0] = r[0] > 0 ? x[0] : fmax(x[0], 0.0);
  for (int g = 0; g < count && r[0] > 0; g++) {
    const int first = groups[g].first, end = first + groups[g].size;
    const double radius = groups[g].mu * r[0], norm = dls_small_norm(groups[g].size, r + first);
    const double outward = dls_small_dot(groups[g].size, x + first, r + first);
    if (!(radius > 0)) continue;
    const int slides = norm >= edge * radius && outward > 0;
    for (int k = first; k < end; k++)
      out[k] = x[k] - (slides ? outward / norm * (r[k] / norm) : 0.0);
  }
}

static void project_tangent(const Cpg *s, const double *x, double *out) {
  const DlsScaled *scaled = s->base.scaled;
  const size_t block = (size_t)scaled->block;
  for (size_t i = 0; i < (size_t)scaled->contacts; i++) {
    const size_t at = i * block;
    double in[DLS_MAX_BLOCK] = {0};
    memcpy(in, x + at, block * sizeof *in);
    if (dls_scaled_rubs(scaled, (int)i)) {
      tangent(scaled, (int)i, s->r + at, in, out + at);
      continue;
    }
    /* The tangent cone of a half-line at 0 is the half-line; of a space the space. */
    const DlsRelation *relation = &scaled->relations[i];
    const double normal = in[0];
    dls_cone_project(relation, scaled->dim, scaled->block, in);
    if (relation->cone == DLS_CONE_SIGNORINI && s->r[at] > 0) in[0] = normal;
    memcpy(out + at, in, block * sizeof *in);
  }
}

/* r <- P(r). */
static void project(Cpg *s) {
  const DlsScaled *scaled = s->base.scaled;
  dls_ledger.contacts += scaled->contacts;
  for (int i = 0; i < scaled->contacts; i++) {
    double *r = s->r + (size_t)i * (size_t)scaled->block;
    if (dls_scaled_rubs(scaled, i))
      dls_scaled_disks(scaled, i, NULL, r);
    else
      dls_cone_project(&scaled->relations[i], scaled->dim, scaled->block, r);
  }
}

/* w = -(W' r + q'), its normal without what a contact dilates by; z = T(w). */
static void evaluate(Cpg *s) {
  const DlsScaled *scaled = s->base.scaled;
  dls_scaled_velocity(scaled, s->r, s->w);
  for (int i = 0; i < scaled->contacts; i++) {
    double *u = s->w + (size_t)i * (size_t)scaled->block;
    u[0] -= dls_scaled_dilation(scaled, i, u);
  }
  for (size_t e = 0; e < s->base.scaled->n; e++) s->w[e] = -s->w[e];
  project_tangent(s, s->w, s->z);
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Cpg *s = self;
  (void)problem;
  dls_scaled_take(s->base.scaled, s->base.r_hat, s->r);
  s->base.r = s->r;
  project(s);
  evaluate(s);
  memcpy(s->p, s->z, s->base.scaled->n * sizeof *s->p);
  s->share = 0;
  s->curvature = 0;
  s->restarts = 0;
  return DLS_OK;
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Cpg *s = self;
  (void)problem, (void)k;
  const DlsScaled *scaled = s->base.scaled;
  const int gradient = s->share > 0 || !s->options.conjugate;
  dls_scaled_multiply(scaled, s->p, s->Wp);
  const double pp = dls_scaled_dot(scaled, s->p, s->p), pWp = dls_scaled_dot(scaled, s->p, s->Wp);
  const double along = dls_scaled_dot(scaled, s->p, s->w);
  if (pp > 0) s->curvature = fmax(s->curvature, pWp / pp);
  /* A direction that W takes to round-off has no length of its own: r would run away along it. */
  const int curved = pWp > 1e-12 * s->curvature * pp;
  const double share = s->share > 0 ? s->share : 1;
  const double alpha = s->share > 0 || !curved ? share / fmax(s->curvature, 1e-30) : along / pWp;
  /* After a rescue the step goes along w itself, not along its projection: the plain method. */
  const double *direction = s->share > 0 ? s->w : s->p;
  for (size_t e = 0; e < scaled->n; e++) s->r[e] += alpha * direction[e];
  project(s);
  evaluate(s);
  project_tangent(s, s->p, s->p);
  double beta = gradient || !curved ? 0 : -dls_scaled_dot(scaled, s->z, s->Wp) / pWp;
  for (size_t e = 0; e < scaled->n; e++) s->p[e] = s->z[e] + beta * s->p[e];
  if (beta != 0 && !(dls_scaled_dot(scaled, s->p, s->w) > 0)) { /* no way down: begin again */
    memcpy(s->p, s->z, scaled->n * sizeof *s->p);
    s->restarts++;
  }
  return DLS_OK;
}

static void leave_cycle(void *self) {
  const double least = 0.05;
  Cpg *s = self;
  s->share = s->share > 0 ? fmax(0.7 * s->share, least) : 1;
}

static void describe(const void *self, DlsReport *report) {
  const Cpg *s = self;
  report->work.products = 1 + 2 * report->iterations; /* of the guess; W p and W r of each */
  char rescued[64] = "";
  if (s->share > 0)
    snprintf(rescued, sizeof rescued, "; projected gradient out of a cycle, step %.2g", s->share);
  snprintf(report->note, sizeof report->note, "%ld restarts%s", s->restarts, rescued);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "cpg",
      .bytes = sizeof(Cpg),
      .options_at = offsetof(Cpg, options),
      .option_bytes = sizeof(CpgOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_CONE,
      .few = 50,
      .arrays = 5,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .leave_cycle = leave_cycle,
      .describe = describe,
  };
  return dls_first_order_create(&method, problem, chosen, out);
}

const DlsSolver dls_solver_cpg = {
    DLS_SOLVER_HEAD,
    .name = "cpg",
    .summary = "conjugate projected gradient, disks of friction moving with the iterates",
    .description =
        "Conjugate gradients on the sliding and sticking contacts of the moment, projected on "
        "disks whose radii follow the normal reactions. Few iterations where friction is low; may "
        "go round in a cycle where it is not, and then falls back on the projected gradient. Needs "
        "no W, only its product. Takes every canonical law.",
    .references = "Renouf and Alart 2005",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(CpgOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
