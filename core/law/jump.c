/* Laws that give the traction of a jump; formulas in jump.h. */
#include "law/jump.h"

#include <string.h>

#include "base/small.h"
#include "law/jump_impl.h"
#include "law/law_impl.h"

/* Number of the first state of kind DLS_JUMP, -1: none. */
static int slip_of(const DlsLaw *law) {
  for (int i = 0; i < law->nstates; i++)
    if (law->states[i].kind == DLS_JUMP) return i;
  return -1;
}

static DlsStatus begin(const DlsLawUse *use, bool forces, DlsJumpStep *out) {
  const DlsContact *c = use->kinematics;
  const int slip = slip_of(use->law);
  DLS_TRY(dls_law_check_use(use));
  *out = (DlsJumpStep){.use = use, .n = c->block, .area = 1, .share = 1};
  if (use->law->per_area) out->area = c->area;
  if (!(out->area > 0) || !isfinite(out->area))
    FAIL(use,
         "its traction is a stress, and the area that the contact stands for is %g m2, not known; "
         "let it act between faces, whose contacts have areas, or take a law that gives a force",
         c->area);
  for (int i = 0; i < c->block; i++) {
    const bool kept = i == 0 || (i < c->dim && slip >= 0);
    if (kept) out->start[i] = i == 0 ? c->gap : use->state[slip + i - 1];
    out->way[i] = forces && kept ? 0 : c->h;
  }
  return DLS_OK;
}

static DlsStatus ask(const DlsJumpStep *s, const double *jump, const double *w, double *t,
                     double *dt_djump, double *dt_du, double *next) {
  const DlsLawUse *use = s->use;
  memset(t, 0, (size_t)s->n * sizeof *t);
  if (dt_djump) {
    memset(dt_djump, 0, MAX_SQUARE * sizeof *dt_djump);
    memset(dt_du, 0, MAX_SQUARE * sizeof *dt_du);
  }
  DLS_TRY(dls_law_ask_traction(use, jump, w, t, dt_djump, dt_du, next));
  DLS_TRY(dls_law_check_finite(use, "traction", "t", t, s->n));
  if (!dt_djump) return DLS_OK;
  DLS_TRY(dls_law_check_finite(use, "traction", "dt_djump", dt_djump, s->n * s->n));
  return dls_law_check_finite(use, "traction", "dt_du", dt_du, s->n * s->n);
}

DlsStatus dls_jump_impulse(const DlsJumpStep *s, const double *w, double *I, double *T) {
  const double scale = s->share * s->use->kinematics->h * s->area;
  double jump[DLS_MAX_BLOCK], dt_djump[MAX_SQUARE], dt_du[MAX_SQUARE];
  for (int i = 0; i < s->n; i++) jump[i] = s->start[i] + s->share * s->way[i] * w[i];
  DLS_TRY(ask(s, jump, w, I, T ? dt_djump : NULL, T ? dt_du : NULL, NULL));
  for (int i = 0; i < s->n; i++) I[i] *= scale;
  for (int k = 0; T && k < s->n * s->n; k++)
    T[k] = scale * (s->share * s->way[k % s->n] * dt_djump[k] + dt_du[k]);
  return DLS_OK;
}

DlsStatus dls_jump_solve(const DlsLawUse *part, const double *D, const double *q, double *r) {
  DlsJumpStep step;
  double w[DLS_MAX_BLOCK];
  DLS_TRY(begin(part, false, &step));
  const DlsJumpContact p = dls_jump_contact(&step, D, q);
  dls_small_affine(step.n, D, r, q, w);
  if (dls_jump_find(&p, w, r)) return DLS_OK;
  FAIL(part, "no jump was found at which its traction goes with the motion, gap %g m, q_N = %g m/s",
       part->kinematics->gap, q[0]);
}

/* The steepest |T_ii| / rho_i at u and just closed. */
static double steepness(const DlsJumpStep *step, const double *rho, const double *u) {
  const DlsContact *c = step->use->kinematics;
  const double closed[DLS_MAX_BLOCK] = {-1.001 * fmax(c->gap, 0) / c->h - 1e-9};
  double most = 0, T[MAX_SQUARE], I[DLS_MAX_BLOCK];
  for (int k = 0; k < 2; k++) {
    if (dls_jump_impulse(step, k ? closed : u, I, T) != DLS_OK) continue;
    for (int i = 0; i < step->n; i++) most = fmax(most, fabs(T[i * (step->n + 1)]) / rho[i]);
  }
  return most;
}

/* The resolvent with `times` rho about u: times rho (w - u) = I(w) - r, from w. */
static bool resolve_with(const DlsJumpStep *step, const double *rho, double times, const double *u,
                         const double *r, double *w, double *y) {
  double D[MAX_SQUARE] = {0}, q[DLS_MAX_BLOCK];
  for (int i = 0; i < step->n; i++) {
    D[i * (step->n + 1)] = 1 / (times * rho[i]);
    q[i] = u[i] - r[i] / (times * rho[i]);
  }
  const DlsJumpContact p = dls_jump_contact(step, D, q);
  return dls_jump_newton(&p, w, y);
}

/* y - rho w = r - rho u. From u at once, unless rho is next to nothing beside the slopes of I; else
 * from w = u, which is the answer where rho outweighs them all, down to rho: w changes as 1/rho
 * where I is flat and not where it is steep, and Newton's method leads exactly from one rho to the
 * next in both, as long as (1 - D T) keeps some digits of the 1. */
static bool resolve(const DlsJumpStep *step, const double *rho, const double *u, const double *r,
                    double *w, double *y) {
  enum { TRIES = 80 };
  const double least = 1.02, first = 16, far = 1e10, steep = steepness(step, rho, u);
  const size_t bytes = (size_t)step->n * sizeof *w;
  memcpy(w, u, bytes);
  if (steep < 1e6 && resolve_with(step, rho, 1, u, r, w, y)) return true;
  const double mass = step->use->kinematics->mass / rho[0]; /* I may be steeper elsewhere */
  double at[DLS_MAX_BLOCK], times = first * fmax(fmax(1, steep), mass), by = first;
  memcpy(w, u, bytes);
  for (int tries = 0; tries < TRIES && times > 1; tries++) {
    const double next = fmax(1, times / by);
    memcpy(at, w, bytes);
    bool found = resolve_with(step, rho, next, u, r, at, y);
    if (!found && by > least) {
      by = sqrt(by);
      continue;
    }
    if (!found) { /* over the edge */
      memcpy(at, u, bytes);
      found = resolve_with(step, rho, next, u, r, at, y);
    }
    times = next;
    by = fmin(far, by * by);
    if (found) memcpy(w, at, bytes);
    if (!found && times <= 1) return false;
  }
  return times <= 1;
}

/* The same number for spins: law.h, project. */
static void steps_of(const DlsContact *c, double rho, double *out) {
  for (int i = 0; i < c->block; i++) out[i] = rho;
}

DlsStatus dls_jump_project(const DlsLawUse *part, const double *u, double rho, double *r) {
  DlsJumpStep step;
  double rhos[DLS_MAX_BLOCK] = {0}, w[DLS_MAX_BLOCK], y[DLS_MAX_BLOCK];
  double I[DLS_MAX_BLOCK], T[MAX_SQUARE];
  DLS_TRY(begin(part, false, &step));
  steps_of(part->kinematics, rho, rhos);
  if (!resolve(&step, rhos, u, r, w, y)) {
    DLS_TRY(dls_jump_impulse(&step, u, y, NULL));
  } else {
    DLS_TRY(dls_jump_impulse(&step, w, I,
                             T)); /* r + rho (w - u) loses fewer digits where I is steeper */
    for (int i = 0; i < step.n; i++)
      if (fabs(T[i * (step.n + 1)]) > rhos[i]) y[i] = r[i] + rhos[i] * (w[i] - u[i]);
  }
  memcpy(r, y, (size_t)step.n * sizeof *r);
  return DLS_OK;
}

/* dF/dr = rho M and dF/du = rho - rho M rho with M = (rho - T)^-1, T the slope of I at w; *regular:
 * whether M is. */
static DlsStatus slopes(const DlsJumpStep *step, const double *rho, const double *w, double *dF_du,
                        double *dF_dr, bool *regular) {
  const int n = step->n;
  double I[DLS_MAX_BLOCK], T[MAX_SQUARE];
  DLS_TRY(dls_jump_impulse(step, w, I, T));
  *regular = true;
  for (int j = 0; j < n && *regular; j++) {
    double A[MAX_SQUARE], x[DLS_MAX_BLOCK] = {0};
    for (int k = 0; k < n * n; k++) A[k] = (k % (n + 1) == 0 ? rho[k / n] : 0) - T[k];
    x[j] = 1;
    *regular = dls_small_solve(n, A, x);
    for (int i = 0; i < n; i++) {
      dF_dr[i * n + j] = rho[i] * x[i];
      dF_du[i * n + j] = (i == j ? rho[i] : 0) - rho[i] * x[i] * rho[j];
    }
  }
  return DLS_OK;
}

/* Where no w is found, or w cannot follow u: F = r - I(u), which has the same zeros. */
static DlsStatus plain(const DlsJumpStep *step, const double *u, const double *r, double *F,
                       double *dF_du, double *dF_dr) {
  const int n = step->n;
  double T[MAX_SQUARE];
  DLS_TRY(dls_jump_impulse(step, u, F, dF_du ? T : NULL));
  for (int i = 0; i < n; i++) F[i] = r[i] - F[i];
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = -T[k];
    dF_dr[k] = k % (n + 1) == 0;
  }
  return DLS_OK;
}

DlsStatus dls_jump_residual(const DlsLawUse *part, const double *u, const double *r, double *F,
                            double *dF_du, double *dF_dr) {
  const DlsContact *c = part->kinematics;
  DlsJumpStep step;
  double rho[DLS_MAX_BLOCK] = {0}, w[DLS_MAX_BLOCK], y[DLS_MAX_BLOCK];
  DLS_TRY(begin(part, false, &step));
  steps_of(c, c->mass > 0 ? c->mass : 1, rho);
  if (!resolve(&step, rho, u, r, w, y)) return plain(&step, u, r, F, dF_du, dF_dr);
  for (int i = 0; i < step.n; i++) F[i] = r[i] - y[i];
  bool regular = true;
  if (dF_du && dF_dr) DLS_TRY(slopes(&step, rho, w, dF_du, dF_dr, &regular));
  return regular ? DLS_OK : plain(&step, u, r, F, dF_du, dF_dr);
}

DlsStatus dls_jump_force(const DlsLawUse *part, const double *u, double *force) {
  DlsJumpStep step;
  DLS_TRY(begin(part, true, &step));
  DLS_TRY(dls_jump_impulse(&step, u, force, NULL));
  for (int i = 0; i < step.n; i++) force[i] /= part->kinematics->h;
  return DLS_OK;
}

DlsStatus dls_jump_commit(const DlsLawUse *part, bool forces, const double *u, double *state) {
  const DlsContact *c = part->kinematics;
  const DlsLaw *law = part->law;
  const int slip = slip_of(law);
  DlsJumpStep step;
  double jump[DLS_MAX_BLOCK], w[DLS_MAX_BLOCK], t[DLS_MAX_BLOCK], next[DLS_MAX_PARAMS];
  DlsLawUse use = *part;
  DLS_TRY(begin(part, forces, &step));
  use.state = state;
  step.use = &use;
  memcpy(next, state, (size_t)law->nstates * sizeof *next);
  for (int i = 0; i < step.n; i++) { /* the explicit scheme asked at the mean of the velocities */
    w[i] = forces ? 0.5 * (u[i] + c->u_before[i]) : u[i];
    jump[i] = step.start[i] + step.way[i] * w[i];
    if (slip >= 0 && i >= 1 && i < c->dim) next[slip + i - 1] = jump[i];
  }
  DLS_TRY(ask(&step, jump, w, t, NULL, NULL, next));
  for (int i = 1; forces && slip >= 0 && i < c->dim; i++) next[slip + i - 1] += c->h * u[i];
  memcpy(state, next, (size_t)law->nstates * sizeof *next);
  return DLS_OK;
}

DlsStatus dls_jump_stiffness(const DlsLawUse *part, double *k, double *c) {
  DlsJumpStep step;
  double t[DLS_MAX_BLOCK], dt_djump[MAX_SQUARE], dt_du[MAX_SQUARE];
  const double rest[DLS_MAX_BLOCK] = {0};
  DLS_TRY(begin(part, true, &step));
  DLS_TRY(ask(&step, step.start, rest, t, dt_djump, dt_du, NULL));
  for (int i = 0; i < step.n; i++) {
    k[i] = fmax(0, -step.area * dt_djump[i * (step.n + 1)]);
    c[i] = fmax(0, -step.area * dt_du[i * (step.n + 1)]);
  }
  return DLS_OK;
}
