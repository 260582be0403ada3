/* The conjugate projected gradient of Renouf and Alart (2005), in scaled variables. The normal and
 * frictional parts are treated as one quadratic programme whose disks |r_g| <= mu_g r_N move with
 * the iterates:
 *
 *   alpha = p·w / p·W'p,   r <- P(r + alpha p),   w = -(W' r + q')
 *   z = T(w),   beta = -z·W'p / p·W'p,   p <- z + beta T(p)
 *
 * P cuts r_N at 0 and then each r_g at its disk, T projects on the tangent cone of the disks at r. A
 * fixed point is a solution of Coulomb's law, without De Saxcé's shift: r_N is the normal one with
 * friction given, r_g is the nearest to r_g - u_g in the disk. Without friction it is the conjugate
 * gradient method on the active set, and converges in few iterations; with friction convergence is
 * not proven. In a cycle beta becomes 0 and alpha a share of 1 / the largest curvature seen, that
 * is, the projected gradient. Two products with W an iteration. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/scaled_problem.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"

#include <stdio.h>
#include <stdlib.h>

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
  CpgOptions options;
  DlsScaled *scaled;
  double *memory;
  double *r, *w, *z, *p, *Wp; /* [contacts][block] each, as the next three */
  double *r_hat, *best, *u;
  double share, curvature; /* of a step after a rescue; the largest p·W'p / p·p */
  long restarts;
  DlsCycle cycle;
} Cpg;

static void destroy(void *self) {
  Cpg *s = self;
  if (!s) return;
  dls_scaled_destroy(s->scaled);
  free(s->memory);
  free(s);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Cpg *s = self;
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(dls_solver_needs_cones(problem, "cpg"));
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_NEW(s->memory, 8 * n);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->w = dls_solver_state_slice(&next, n);
  s->z = dls_solver_state_slice(&next, n);
  s->p = dls_solver_state_slice(&next, n);
  s->Wp = dls_solver_state_slice(&next, n);
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Cpg), sizeof(CpgOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
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
  const DlsScaled *scaled = s->scaled;
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
  const DlsScaled *scaled = s->scaled;
  for (int i = 0; i < scaled->contacts; i++) {
    double *r = s->r + (size_t)i * (size_t)scaled->block;
    if (dls_scaled_rubs(scaled, i))
      dls_scaled_disks(scaled, i, NULL, r);
    else
      dls_cone_project(&scaled->relations[i], scaled->dim, scaled->block, r);
  }
}

/* w = -(W' r + q'), z = T(w). */
static void evaluate(Cpg *s) {
  dls_scaled_velocity(s->scaled, s->r, s->w);
  for (size_t e = 0; e < s->scaled->n; e++) s->w[e] = -s->w[e];
  project_tangent(s, s->w, s->z);
}

static void begin(Cpg *s, const DlsProblem *problem, const double *r) {
  memcpy(s->r_hat, r, s->scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  dls_scaled_take(s->scaled, s->r_hat, s->r);
  project(s);
  evaluate(s);
  memcpy(s->p, s->z, s->scaled->n * sizeof *s->p);
  s->share = 0;
  s->curvature = 0;
  s->restarts = 0;
  s->cycle = (DlsCycle){0};
}

static void iterate(Cpg *s) {
  const DlsScaled *scaled = s->scaled;
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
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Cpg *s = self;
  const double least = 0.05;
  DlsStopping watch;
  begin(s, problem, r);
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&watch, k)) {
      if (k > 0) dls_scaled_give(s->scaled, s->r, s->r_hat);
      if (dls_stopping_measure(&watch, k, s->r_hat)) break;
    }
    if (s->options.rescue && dls_stopping_cycles(&watch, k, 50, &s->cycle))
      s->share = s->share > 0 ? fmax(0.7 * s->share, least) : 1;
    iterate(s);
  }
  report->work.products = 1 + 2 * report->iterations; /* of the guess; W p and W r of each */
  char rescued[64] = "";
  if (s->share > 0)
    snprintf(rescued, sizeof rescued, "; projected gradient out of a cycle, step %.2g", s->share);
  snprintf(report->note, sizeof report->note, "%ld restarts%s", s->restarts, rescued);
  return dls_stopping_end(&watch, r);
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
    .solve = solve,
    .destroy = destroy,
};
