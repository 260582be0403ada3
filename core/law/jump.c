/* Laws that give the traction of a jump; formulas in jump.h. */
#include "law/jump.h"

#include <string.h>

#include "base/small.h"
#include "law/law_impl.h"

enum { MAX_SQUARE = DLS_MAX_BLOCK * DLS_MAX_BLOCK };

/* A step of a contact: jump = start + way w. */
typedef struct {
  const DlsLawUse *use;
  int n;
  double area, start[DLS_MAX_BLOCK], way[DLS_MAX_BLOCK];
  double share; /* s of jump.h */
} Step;

/* Number of the first state of kind DLS_JUMP, -1: none. */
static int slip_of(const DlsLaw *law) {
  for (int i = 0; i < law->nstates; i++)
    if (law->states[i].kind == DLS_JUMP) return i;
  return -1;
}

static DlsStatus begin(const DlsLawUse *use, bool forces, Step *out) {
  const DlsContact *c = use->kinematics;
  const int slip = slip_of(use->law);
  DLS_TRY(dls_law_check_use(use));
  *out = (Step){.use = use, .n = c->block, .area = 1, .share = 1};
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

static DlsStatus ask(const Step *s, const double *jump, const double *w, double *t,
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

/* I(w), and its slope T where that is wanted. */
static DlsStatus impulse(const Step *s, const double *w, double *I, double *T) {
  const double scale = s->share * s->use->kinematics->h * s->area;
  double jump[DLS_MAX_BLOCK], dt_djump[MAX_SQUARE], dt_du[MAX_SQUARE];
  for (int i = 0; i < s->n; i++) jump[i] = s->start[i] + s->share * s->way[i] * w[i];
  DLS_TRY(ask(s, jump, w, I, T ? dt_djump : NULL, T ? dt_du : NULL, NULL));
  for (int i = 0; i < s->n; i++) I[i] *= scale;
  for (int k = 0; T && k < s->n * s->n; k++)
    T[k] = scale * (s->share * s->way[k % s->n] * dt_djump[k] + dt_du[k]);
  return DLS_OK;
}

/* The one-contact problem G(w) = w - q - D I(w) = 0. */
typedef struct {
  Step step;
  const double *D, *q;
  double unit[DLS_MAX_BLOCK]; /* m, of spins: they count like velocities */
} Contact;

static double size_of(const Contact *p, const double *x) {
  double y[DLS_MAX_BLOCK];
  for (int i = 0; i < p->step.n; i++) y[i] = p->unit[i] * x[i];
  return dls_small_norm(p->step.n, y);
}

static Contact contact_of(const Step *step, const double *D, const double *q) {
  const DlsContact *c = step->use->kinematics;
  Contact p = {.step = *step, .D = D, .q = q};
  for (int i = 0; i < step->n; i++) p.unit[i] = i < c->dim ? 1 : dls_law_spin_length(c);
  return p;
}

/* |G| at w, with I and T; INFINITY where the law fails. */
static double residual(const Contact *p, const double *w, double *G, double *I, double *T) {
  const int n = p->step.n;
  if (impulse(&p->step, w, I, T) != DLS_OK) return INFINITY;
  for (int i = 0; i < n; i++) G[i] = w[i] - p->q[i] - dls_small_dot(n, p->D + i * n, I);
  const double size = size_of(p, G);
  return isnan(size) ? INFINITY : size;
}

/* d = (1 - D T)^-1 G; false where that is singular. */
static bool newton_step(const Contact *p, const double *G, const double *T, double *d) {
  const int n = p->step.n;
  double J[MAX_SQUARE];
  dls_small_multiply(n, p->D, T, J);
  for (int k = 0; k < n * n; k++) J[k] = (k % (n + 1) == 0) - J[k];
  memcpy(d, G, (size_t)n * sizeof *d);
  return dls_small_eliminate(n, 0, J, d) && dls_small_finite(n, d);
}

/* Whether G is round-off, each component of its own: of w, of q, of D I, and of the jump, which I
 * makes larger by its slope. */
static bool is_settled(const Contact *p, const double *w, const double *G, const double *T) {
  const double round_off = 1e-14, h = p->step.use->kinematics->h;
  const int n = p->step.n;
  double felt[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < n * n; k++)
    felt[k / n] += fabs(T[k]) * (fabs(w[k % n]) + fabs(p->step.start[k % n]) / h);
  for (int i = 0; i < n; i++) {
    double all = fabs(w[i]) + fabs(p->q[i]) + fabs(w[i] - p->q[i] - G[i]);
    for (int j = 0; j < n; j++) all += fabs(p->D[i * n + j]) * felt[j];
    if (!(fabs(G[i]) <= round_off * all)) return false;
  }
  return true;
}

/* Semismooth Newton with a search along the line, from w; whether it came to where the next step is
 * round-off. r = I(w) - T d is the reaction at w - d, also where that differs from w by less than w
 * can tell: D r + q = w - d. */
static bool newton(const Contact *p, double *w, double *r) {
  enum { STEPS = 60, HALVINGS = 20, SQUARES = 5 }; /* 1e-6 and then down to 1e-192 */
  const int n = p->step.n;
  double G[DLS_MAX_BLOCK], I[DLS_MAX_BLOCK], T[MAX_SQUARE], d[DLS_MAX_BLOCK];
  double error = residual(p, w, G, I, T), last = INFINITY;
  for (int step = 0; step < STEPS && isfinite(error); step++) {
    if (!newton_step(p, G, T, d)) return false;
    const bool settled = is_settled(p, w, G, T);
    if (settled && error >= 0.5 * last) {
      for (int i = 0; i < n; i++) r[i] = I[i] - dls_small_dot(n, T + i * n, d);
      return true;
    }
    double trial[DLS_MAX_BLOCK], next[DLS_MAX_BLOCK], part = 1, found = INFINITY;
    for (int half = 0; half < HALVINGS + SQUARES; half++, part *= half < HALVINGS ? 0.5 : part) {
      for (int i = 0; i < n; i++) trial[i] = w[i] - part * d[i];
      found = residual(p, trial, next, r, NULL);
      if (found < (1 - 1e-4 * part) * error || settled) break;
    }
    if (!(found < error) && !settled) return false;
    last = settled ? error : INFINITY;
    memcpy(w, trial, (size_t)n * sizeof *w);
    error = residual(p, w, G, I, T);
  }
  return false;
}

/* The solution that grows with the step: s from next to 0, where the law is as good as not there,
 * to 1, each from the one before. Where it ends before 1, over the edge: to one that Newton's
 * method finds there. */
static bool grow(const Contact *given, double *w, double *r) {
  enum { TRIES = 60 };
  const double first = 1e-8, least = 1.02, most = 16;
  const size_t bytes = (size_t)given->step.n * sizeof *w;
  Contact p = *given;
  double at[DLS_MAX_BLOCK], by = most, s = first;
  memcpy(w, p.q, bytes);
  for (int tries = 0; tries < TRIES && s < 1; tries++) {
    p.step.share = fmin(1, s * by);
    memcpy(at, w, bytes);
    bool found = newton(&p, at, r);
    if (!found && by > least) {
      by = sqrt(by);
      continue;
    }
    if (!found) {
      memcpy(at, p.q, bytes);
      found = newton(&p, at, r);
    }
    s = p.step.share;
    by = fmin(most, by * by);
    if (found) memcpy(w, at, bytes);
    if (!found && s >= 1) return false;
  }
  return s >= 1;
}

/* From other places: free, as before the step, at rest, closed. */
static bool try_others(const Contact *p, double *w, double *r) {
  const DlsContact *c = p->step.use->kinematics;
  const size_t bytes = (size_t)p->step.n * sizeof *w;
  for (int start = 0; start < 4; start++) {
    memset(w, 0, bytes);
    if (start == 0) memcpy(w, p->q, bytes);
    if (start == 1) memcpy(w, c->u_before, bytes);
    if (start == 3) w[0] = -p->step.start[0] / c->h;
    if (newton(p, w, r)) return true;
  }
  return false;
}

/* A reaction that moves nothing, and that the free motion does not ask for, is none. */
static void drop_round_off(const Contact *p, const double *w, double *r) {
  const double round_off = 1e-13;
  const int n = p->step.n;
  double moved[DLS_MAX_BLOCK], stand[DLS_MAX_BLOCK], I[DLS_MAX_BLOCK];
  const double none[DLS_MAX_BLOCK] = {0};
  dls_small_affine(n, p->D, r, none, moved);
  for (int i = 0; i < n; i++) stand[i] = p->step.start[i] / p->step.use->kinematics->h;
  if (size_of(p, moved) > round_off * (size_of(p, w) + size_of(p, stand))) return;
  if (impulse(&p->step, p->q, I, NULL) == DLS_OK && dls_small_norm(n, I) == 0)
    memset(r, 0, (size_t)n * sizeof *r);
}

DlsStatus dls_jump_solve(const DlsLawUse *part, const double *D, const double *q, double *r) {
  Step step;
  double w[DLS_MAX_BLOCK];
  DLS_TRY(begin(part, false, &step));
  const Contact p = contact_of(&step, D, q);
  dls_small_affine(step.n, D, r, q, w);
  if (newton(&p, w, r) || grow(&p, w, r) || try_others(&p, w, r)) {
    drop_round_off(&p, w, r);
    return DLS_OK;
  }
  FAIL(part, "no jump was found at which its traction goes with the motion, gap %g m, q_N = %g m/s",
       part->kinematics->gap, q[0]);
}

/* Raises *most to |T_ii| / rho_i at w: of the normal, the tangents and the spins. */
static void add_slopes(const Step *step, const double *rho, const double *w, double most[3]) {
  const int dim = step->use->kinematics->dim;
  double T[MAX_SQUARE], I[DLS_MAX_BLOCK];
  if (impulse(step, w, I, T) != DLS_OK) return;
  for (int i = 0; i < step->n; i++) {
    double *m = &most[i == 0 ? 0 : i < dim ? 1 : 2];
    *m = fmax(*m, fabs(T[i * (step->n + 1)]) / rho[i]);
  }
}

/* y - rho w = z, from w. */
static bool resolve(const Step *step, const double *rho, const double *z, double *w, double *y) {
  double D[MAX_SQUARE] = {0}, q[DLS_MAX_BLOCK];
  for (int i = 0; i < step->n; i++) {
    D[i * (step->n + 1)] = 1 / rho[i];
    q[i] = -z[i] / rho[i];
  }
  const Contact p = contact_of(step, D, q);
  return newton(&p, w, y) || try_others(&p, w, y);
}

/* The same where rho is next to nothing beside the slope of I, at u or just closed, which may be 0
 * along some direction: rho is raised until both can be told apart, z stays. */
static bool resolve_raised(const Step *step, double *rho, const double *z, const double *u,
                           double *w, double *y) {
  const DlsContact *c = step->use->kinematics;
  const double closed[DLS_MAX_BLOCK] = {-1.001 * fmax(c->gap, 0) / c->h - 1e-9};
  double given[DLS_MAX_BLOCK] = {0}, steep[3] = {0};
  add_slopes(step, rho, u, steep);
  add_slopes(step, rho, closed, steep);
  memcpy(given, rho, (size_t)step->n * sizeof *given);
  for (double least = 1e-12; least < 1; least *= 1e3) {
    for (int i = 0; i < step->n; i++)
      rho[i] = given[i] * fmax(1, least * steep[i == 0 ? 0 : i < c->dim ? 1 : 2]);
    memcpy(w, u, (size_t)step->n * sizeof *w);
    if (resolve(step, rho, z, w, y)) return true;
  }
  return false;
}

/* The same number for spins: law.h, project. */
static void steps_of(const DlsContact *c, double rho, double *out) {
  for (int i = 0; i < c->block; i++) out[i] = rho;
}

DlsStatus dls_jump_project(const DlsLawUse *part, const double *u, double rho, double *r) {
  Step step;
  double rhos[DLS_MAX_BLOCK] = {0}, z[DLS_MAX_BLOCK] = {0}, w[DLS_MAX_BLOCK], y[DLS_MAX_BLOCK];
  double I[DLS_MAX_BLOCK], T[MAX_SQUARE];
  DLS_TRY(begin(part, false, &step));
  steps_of(part->kinematics, rho, rhos);
  for (int i = 0; i < step.n; i++) z[i] = r[i] - rhos[i] * u[i];
  memcpy(w, u, (size_t)step.n * sizeof *w);
  if (!resolve(&step, rhos, z, w, y) && !resolve_raised(&step, rhos, z, u, w, y)) {
    DLS_TRY(impulse(&step, u, y, NULL));
  } else {
    DLS_TRY(impulse(&step, w, I, T)); /* y = z + rho w has lost fewer digits where I is steeper */
    for (int i = 0; i < step.n; i++)
      if (fabs(T[i * (step.n + 1)]) > rhos[i]) y[i] = z[i] + rhos[i] * w[i];
  }
  memcpy(r, y, (size_t)step.n * sizeof *r);
  return DLS_OK;
}

/* dF/dr = rho M and dF/du = rho - rho M rho with M = (rho - T)^-1, T the slope of I at w; *regular:
 * whether M is. */
static DlsStatus slopes(const Step *step, const double *rho, const double *w, double *dF_du,
                        double *dF_dr, bool *regular) {
  const int n = step->n;
  double I[DLS_MAX_BLOCK], T[MAX_SQUARE];
  DLS_TRY(impulse(step, w, I, T));
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
static DlsStatus plain(const Step *step, const double *u, const double *r, double *F, double *dF_du,
                       double *dF_dr) {
  const int n = step->n;
  double T[MAX_SQUARE];
  DLS_TRY(impulse(step, u, F, dF_du ? T : NULL));
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
  Step step;
  double rho[DLS_MAX_BLOCK] = {0}, z[DLS_MAX_BLOCK] = {0}, w[DLS_MAX_BLOCK], y[DLS_MAX_BLOCK];
  DLS_TRY(begin(part, false, &step));
  steps_of(c, c->mass > 0 ? c->mass : 1, rho);
  for (int i = 0; i < step.n; i++) z[i] = r[i] - rho[i] * u[i];
  memcpy(w, u, (size_t)step.n * sizeof *w);
  if (!resolve(&step, rho, z, w, y)) return plain(&step, u, r, F, dF_du, dF_dr);
  for (int i = 0; i < step.n; i++) F[i] = r[i] - y[i];
  bool regular = true;
  if (dF_du && dF_dr) DLS_TRY(slopes(&step, rho, w, dF_du, dF_dr, &regular));
  return regular ? DLS_OK : plain(&step, u, r, F, dF_du, dF_dr);
}

DlsStatus dls_jump_force(const DlsLawUse *part, const double *u, double *force) {
  Step step;
  DLS_TRY(begin(part, true, &step));
  DLS_TRY(impulse(&step, u, force, NULL));
  for (int i = 0; i < step.n; i++) force[i] /= part->kinematics->h;
  return DLS_OK;
}

DlsStatus dls_jump_commit(const DlsLawUse *part, bool forces, const double *u, double *state) {
  const DlsContact *c = part->kinematics;
  const DlsLaw *law = part->law;
  const int slip = slip_of(law);
  Step step;
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
  Step step;
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
