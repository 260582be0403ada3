/* One contact under a law of a jump: the solution of w = q + D I(w), I steep, flat and with kinks;
 * D of any size, for the resolvent is such a problem too, with D = 1/rho. */
#include <string.h>

#include "base/small.h"
#include "law/jump_impl.h"

DlsJumpContact dls_jump_contact(const DlsJumpStep *step, const double *D, const double *q) {
  const DlsContact *c = step->use->kinematics;
  DlsJumpContact p = {.step = *step, .D = D, .q = q};
  for (int i = 0; i < step->n; i++) p.unit[i] = i < c->dim ? 1 : dls_law_spin_length(c);
  return p;
}

static double size_of(const DlsJumpContact *p, const double *x) {
  double y[DLS_MAX_BLOCK];
  for (int i = 0; i < p->step.n; i++) y[i] = p->unit[i] * x[i];
  return dls_small_norm(p->step.n, y);
}

/* A velocity w and what is known there. Round-off of G_i is that of w, of q, of D I, and of the
 * jump, which I makes larger by its slope; what is no more is 0 in `clear`, component by
 * component. */
typedef struct {
  double w[DLS_MAX_BLOCK], G[DLS_MAX_BLOCK], I[DLS_MAX_BLOCK], T[MAX_SQUARE];
  double clear[DLS_MAX_BLOCK];
  double error, raw; /* m/s: the sizes of `clear` and of G */
} Place;

/* Measured as an impulse, by the largest mass 1/D: D may be 1e200. */
static void clear_noise(const DlsJumpContact *p, Place *at) {
  const double round_off = 2e-15, h = p->step.use->kinematics->h;
  const int n = p->step.n;
  double felt[DLS_MAX_BLOCK] = {0}, most = 0;
  for (int k = 0; k < n * n; k++) {
    felt[k / n] += fabs(at->T[k]) * (fabs(at->w[k % n]) + fabs(p->step.start[k % n]) / h);
    most = fmax(most, fabs(p->D[k]));
  }
  for (int i = 0; i < n; i++) {
    const double moved = fabs(at->w[i] - p->q[i] - at->G[i]);
    double all = (fabs(at->w[i]) + fabs(p->q[i]) + moved) / most;
    for (int j = 0; j < n; j++) all += fabs(p->D[i * n + j]) / most * felt[j];
    const bool is_noise = fabs(at->G[i]) / most <= round_off * all && isfinite(all);
    at->clear[i] = is_noise ? 0 : at->G[i];
  }
}

/* All of a place from its w; the error is INFINITY where the law fails. */
static void look(const DlsJumpContact *p, Place *at) {
  const int n = p->step.n;
  at->error = at->raw = INFINITY;
  if (dls_jump_impulse(&p->step, at->w, at->I, at->T) != DLS_OK) return;
  for (int i = 0; i < n; i++) at->G[i] = at->w[i] - p->q[i] - dls_small_dot(n, p->D + i * n, at->I);
  clear_noise(p, at);
  at->error = size_of(p, at->clear);
  at->raw = size_of(p, at->G);
  if (isnan(at->error)) at->error = at->raw = INFINITY;
}

/* d = (1 - D T)^-1 G; false where that is singular. */
static bool newton_step(const DlsJumpContact *p, const double *G, const double *T, double *d) {
  const int n = p->step.n;
  double J[MAX_SQUARE];
  dls_small_multiply(n, p->D, T, J);
  for (int k = 0; k < n * n; k++) J[k] = (k % (n + 1) == 0) - J[k];
  memcpy(d, G, (size_t)n * sizeof *d);
  return dls_small_eliminate(n, 0, J, d) && dls_small_finite(n, d);
}

static void go(const DlsJumpContact *p, const Place *from, double part, const double *d,
               Place *to) {
  for (int i = 0; i < p->step.n; i++) to->w[i] = from->w[i] - part * d[i];
  look(p, to);
}

/* r = I(w) - T d is the reaction at w - d, also where that differs from w by less than w can tell:
 * D r + q = w - d. What underflows has no digits, and is 0. */
static void take(const DlsJumpContact *p, const Place *at, const double *T, const double *d,
                 double *r) {
  const double underflow = 1e-300;
  const int n = p->step.n;
  for (int i = 0; i < n; i++) {
    r[i] = at->I[i] - dls_small_dot(n, T + i * n, d);
    if (fabs(r[i]) < underflow) r[i] = 0;
  }
}

/* Whether d is round-off of the jump: of its own component, or of the gap, by which all tractions
 * change. */
static bool is_round_off(const DlsJumpContact *p, const double *w, const double *d) {
  const double round_off = 1e-14, h = p->step.use->kinematics->h;
  const double normal = fabs(w[0]) + fabs(p->step.start[0]) / h;
  for (int i = 0; i < p->step.n; i++) {
    const double own = p->unit[i] * (fabs(w[i]) + fabs(p->step.start[i]) / h);
    if (!(p->unit[i] * fabs(d[i]) <= round_off * (own + normal))) return false;
  }
  return true;
}

/* At a kink between two neighbouring w, on whose flat side w is: whether the slope of the other
 * side, where d leads, says that it is round-off from there to the solution. The reaction is
 * between those of both sides. */
static bool settles_beyond(const DlsJumpContact *p, const Place *at, const double *d, double *r) {
  const double digit = 4e-16, h = p->step.use->kinematics->h;
  Place beyond;
  double back[DLS_MAX_BLOCK];
  for (int i = 0; i < p->step.n; i++) {
    const double size = fabs(at->w[i]) + fabs(p->step.start[i]) / h;
    beyond.w[i] = at->w[i] - copysign(digit * size, d[i]);
  }
  look(p, &beyond);
  if (!isfinite(beyond.raw) || !newton_step(p, at->G, beyond.T, back)) return false;
  if (!is_round_off(p, at->w, back)) return false;
  take(p, at, beyond.T, back, r);
  return true;
}

/* G along d, as it is left of round-off. */
static double rise(const DlsJumpContact *p, const Place *at, const double *d) {
  double sum = 0;
  for (int i = 0; i < p->step.n; i++) sum += p->unit[i] * at->clear[i] * (p->unit[i] * d[i]);
  return sum;
}

/* The next part of a way to try: halves, then squares down to 1e-190; once one is `near`, at which
 * G still leads on, between it and `far`, at which it leads back. */
static double next_part(int tries, double part, double near, double far) {
  if (near <= 0) return tries < 10 ? 0.5 * part : part * part;
  return far > 4 * near ? sqrt(near) * sqrt(far) : 0.5 * (near + far);
}

/* From `here` along d to where the error is less. A kink on the way makes only short parts of d
 * good, or none: then Newton's step from beyond it is tried as well, and taken where it halves the
 * error; the part is sought by bisection, for what lies between two kinks, such as a contact that
 * sticks between sliding here and there, may be a very short part of d. */
static bool search(const DlsJumpContact *p, const Place *here, const double *d, Place *out) {
  enum { TRIES = 90 };
  const double long_enough = 0.1, start = rise(p, here, d);
  double part = 1, near = 0, far = INFINITY, on[DLS_MAX_BLOCK];
  bool found = false;
  for (int tries = 0; tries < TRIES && part > 0; tries++) {
    Place trial, ahead;
    go(p, here, part, d, &trial);
    const bool less = trial.error < (1 - 1e-4 * part) * here->error;
    if (less && (!found || trial.error < out->error)) *out = trial;
    found = found || less;
    if (less && part >= long_enough) return true;
    if (isfinite(trial.error) && newton_step(p, trial.clear, trial.T, on)) {
      go(p, &trial, 1, on, &ahead);
      if (ahead.error < 0.5 * here->error) {
        *out = ahead;
        return true;
      }
    }
    const bool leads_on = isfinite(trial.error) && (rise(p, &trial, d) > 0) == (start > 0);
    if (!leads_on) far = part;
    if (leads_on && isfinite(far)) near = part;
    if (far - near <= 1e-16 * near) break;
    part = next_part(tries, part, near, far);
  }
  return found;
}

/* Semismooth Newton with a search along the line, from w; whether it came to where the next step is
 * round-off. */
bool dls_jump_newton(const DlsJumpContact *p, double *w, double *r) {
  enum { STEPS = 60 };
  const size_t bytes = (size_t)p->step.n * sizeof *w;
  Place here, next;
  double d[DLS_MAX_BLOCK];
  memcpy(here.w, w, bytes);
  look(p, &here);
  for (int step = 0; step < STEPS && isfinite(here.raw); step++) {
    const bool settled = here.error <= 0;
    const bool regular = newton_step(p, settled ? here.G : here.clear, here.T, d);
    if (!regular && !settled) return false;
    if (!regular) memset(d, 0, sizeof d); /* nothing tells better than w */
    if (settled) go(p, &here, 1, d, &next);
    if (settled && !(next.error <= 0 && next.raw < 0.9 * here.raw)) {
      take(p, &here, here.T, d, r);
      memcpy(w, here.w, bytes);
      return true;
    }
    if (!settled && !search(p, &here, d, &next)) {
      memcpy(w, here.w, bytes);
      return settles_beyond(p, &here, d, r);
    }
    here = next;
  }
  return false;
}

/* The solution that grows with the step: s from next to 0, where the law is as good as not there,
 * to 1, each from the one before. Where it ends before 1, over the edge: to one that Newton's
 * method finds there. */
static bool grow(const DlsJumpContact *given, double *w, double *r) {
  enum { TRIES = 60 };
  const double first = 1e-8, least = 1.02, most = 16;
  const size_t bytes = (size_t)given->step.n * sizeof *w;
  DlsJumpContact p = *given;
  double at[DLS_MAX_BLOCK], by = most, s = first;
  memcpy(w, p.q, bytes);
  for (int tries = 0; tries < TRIES && s < 1; tries++) {
    p.step.share = fmin(1, s * by);
    memcpy(at, w, bytes);
    bool found = dls_jump_newton(&p, at, r);
    if (!found && by > least) {
      by = sqrt(by);
      continue;
    }
    if (!found) {
      memcpy(at, p.q, bytes);
      found = dls_jump_newton(&p, at, r);
    }
    s = p.step.share;
    by = fmin(most, by * by);
    if (found) memcpy(w, at, bytes);
    if (!found && s >= 1) return false;
  }
  return s >= 1;
}

/* From other places: free, as before the step, at rest, closed. */
static bool try_others(const DlsJumpContact *p, double *w, double *r) {
  const DlsContact *c = p->step.use->kinematics;
  const size_t bytes = (size_t)p->step.n * sizeof *w;
  for (int start = 0; start < 4; start++) {
    memset(w, 0, bytes);
    if (start == 0) memcpy(w, p->q, bytes);
    if (start == 1) memcpy(w, c->u_before, bytes);
    if (start == 3) w[0] = -p->step.start[0] / c->h;
    if (dls_jump_newton(p, w, r)) return true;
  }
  return false;
}

/* A reaction that moves nothing, and that the free motion does not ask for, is none. */
static void drop_round_off(const DlsJumpContact *p, const double *w, double *r) {
  const double round_off = 1e-13;
  const int n = p->step.n;
  double moved[DLS_MAX_BLOCK], stand[DLS_MAX_BLOCK], I[DLS_MAX_BLOCK];
  const double none[DLS_MAX_BLOCK] = {0};
  dls_small_affine(n, p->D, r, none, moved);
  for (int i = 0; i < n; i++) stand[i] = p->step.start[i] / p->step.use->kinematics->h;
  if (size_of(p, moved) > round_off * (size_of(p, w) + size_of(p, stand))) return;
  if (dls_jump_impulse(&p->step, p->q, I, NULL) == DLS_OK && dls_small_norm(n, I) == 0)
    memset(r, 0, (size_t)n * sizeof *r);
}

bool dls_jump_find(const DlsJumpContact *p, double *w, double *r) {
  if (!dls_jump_newton(p, w, r) && !grow(p, w, r) && !try_others(p, w, r)) return false;
  drop_round_off(p, w, r);
  return true;
}
