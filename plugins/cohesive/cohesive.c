/* Cohesion of strength F_C and range d_C (Brendel, Unger and Wolf 2004, sec. 1.8, Fig. 1.9b), with
 * DMT friction |r_T| <= mu (r_N + h F_C); E_C = F_C d_C is the work that breaks a bond.
 *   bond, closed gap          û_N = u_N,          r̂_N = r_N + h F_C       held up to the pull F_C
 *   bond, 0 < gap < d_C       û_N = u_N,          r̂_N = r_N + h F_C       weakened: opens or stays
 *   the same, pushed          û_N = u_N + gap/h,  r̂_N = r_N               closes; not pulled back
 *   no bond                   û_N = u_N + gap/h,  r̂_N = r_N
 * Bonds form at contact and end when the gap passes d_C. The weakened contact has a normal graph
 * with two steps; each row of the table is one of them, and the state says which: README.md. After
 * another law it changes û_N and r̂_N of that law's relation and leaves its cone. */
#include <delassus/law.h>

enum { F_C, D_C, MU };
static const DlsParam params[] = {
    [F_C] = {"F_C", "N", "greatest pull", .value = 1e-3, .min = 0, .max = DLS_NO_BOUND},
    [D_C] = {"d_C", "m", "gap at which a bond breaks: E_C / F_C; 0 depends on the time-step",
             .value = 1e-6, .min = 0, .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient; not read where the law follows another", .value = 0.3,
            .min = 0, .max = DLS_NO_BOUND},
};

enum { BOND };
enum { NONE, HOLDS, CLOSES };
static const DlsParam states[] = {
    [BOND] = {"bond", "1", "0 none, 1 holds, 2 weakened and pushed together", .value = NONE,
              .min = NONE, .max = CLOSES},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[D_C];
}

static double touch(const DlsContact *c) { return 1e-9 * c->radius; } /* m, round-off */

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  state[BOND] = c->gap <= touch(c) ? HOLDS : NONE;
  return DLS_OK;
}

/* s, how long the bond pulls in this step: to its end, or until the gap passes d_C at the speed it
 * opens with. So the step that breaks it takes no more than is left of E_C. */
static double pull_time(const DlsContact *c, const double *p) {
  const double left = fmax(p[D_C] - fmax(c->gap, 0), 0), speed = c->u_before[0];
  return p[D_C] > 0 && speed * c->h > left ? left / speed : c->h;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  if (out->cone == DLS_CONE_FREE) { /* alone */
    out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  if (state[BOND] != HOLDS) return DLS_OK;
  if (c->gap > touch(c)) /* the weakened bond keeps its gap */
    for (int i = 0; i < c->block; i++) out->b[i] = 0;
  out->a[0] += p[F_C] * pull_time(c, p);
  return DLS_OK;
}

/* h u_N on from here is the gap of the next step, in every scheme. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  const double gap = c->gap + c->h * u[0];
  const int closed = fmin(c->gap, gap) <= touch(c);
  if (gap > p[D_C] + touch(c))
    state[BOND] = NONE;
  else if (closed)
    state[BOND] = HOLDS;
  else if (state[BOND] == HOLDS && r[0] > 0)
    state[BOND] = CLOSES;
  else if (state[BOND] == CLOSES && u[0] > 0)
    state[BOND] = HOLDS;
  return DLS_OK;
}

static const DlsLaw cohesive = {
    DLS_LAW_HEAD,
    .name = "cohesive",
    .summary = "cohesion with strength, range and DMT friction, alone or after another law",
    .references = "Brendel, Unger and Wolf 2004, sec. 1.8; Derjaguin, Muller and Toporov 1975",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .composes = 1,
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .commit = commit,
    .energy = dls_law_dissipates, /* a weakened bond does not pull back */
};

const DlsLaw *dls_law_entry(void) { return &cohesive; }
