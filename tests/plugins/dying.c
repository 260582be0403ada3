/* A sound law that dies: where, how and from when on its parameters say. CASE_x: it dies while it
 * is loaded or closed. tests/io/law_dies_test.c has what must be said of each. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <delassus/law.h>

enum { WHERE, HOW, WHEN };
enum { NOWHERE, RANGE, ORIENT, BEGIN, PREPARE, RESIDUAL, SOLVE, PROJECT, FORCE, COMMIT, ENERGY };
enum { SEGFAULT, ABORT, EXIT, EXIT_AT_ONCE, LOOP, OVERFLOW, DIVISION, TRAP, FREE, LAST = FREE };

static const DlsParam params[] = {
    [WHERE] = {"where", "1", "the function", .value = NOWHERE, .min = NOWHERE, .max = ENERGY},
    [HOW] = {"how", "1", "it dies so", .value = SEGFAULT, .min = SEGFAULT, .max = LAST},
    [WHEN] = {"when", "s", "from this time on", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};
static const DlsParam states[] = {
    {"steps", "1", "so far", .value = 0, .min = 0, .max = DLS_NO_BOUND}};

static volatile int nothing; /* what the compiler must not foresee */

__attribute__((noinline)) static int deeper(volatile char *above) {
  volatile char room[4096];
  room[0] = above ? above[0] : 0;
  return nothing ? 1 : deeper(room) + room[0];
}

static void die(int how) {
  switch (how) {
  case SEGFAULT:
    *(volatile int *)(uintptr_t)(8 + nothing) = 1;
    break;
  case ABORT:
    abort();
  case EXIT:
    exit(0);
  case EXIT_AT_ONCE:
    _exit(0);
  case LOOP:
    while (!nothing) continue;
    break;
  case OVERFLOW:
    nothing = deeper(NULL);
    break;
  case DIVISION:
    raise(SIGFPE); /* as 1 / nothing does, which other processors let pass */
    break;
  case TRAP:
    __builtin_trap();
  case FREE: { /* the C library ends a process that frees what was freed */
    char *volatile one = malloc(2000);
    free(one);
    free(one);
    break;
  }
  default:
    break;
  }
}

static void at(int where, const DlsContact *c, const double *p) {
  if ((int)p[WHERE] == where && c->time >= p[WHEN]) die((int)p[HOW]);
}

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  if ((int)p[WHERE] == RANGE) die((int)p[HOW]);
  return 0;
}

static DlsStatus orient(const DlsContact *c, const double *p, double t1[3]) {
  (void)t1;
  at(ORIENT, c, p);
  return DLS_OK;
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)state;
  at(BEGIN, c, p);
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  at(PREPARE, c, p);
  out->cone = DLS_CONE_COULOMB;
  if (p[WHERE] >= RESIDUAL && p[WHERE] <= PROJECT) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  out->b[0] = c->gap_rate;
  return DLS_OK;
}

/* 0 <= u_N + gap_rate ⟂ r_N >= 0 without friction: F = r - max(0, r_N - m (u_N + gap_rate)) n. */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  const int n = c->block;
  const double m = c->mass > 0 ? c->mass : 1, z = r[0] - m * (u[0] + c->gap_rate);
  (void)state;
  at(RESIDUAL, c, p);
  for (int i = 0; i < n; i++) F[i] = r[i];
  F[0] = r[0] - fmax(0, z);
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = k == 0 && z > 0 ? m : 0;
    dF_dr[k] = k % (n + 1) == 0 && (k > 0 || z <= 0);
  }
  return DLS_OK;
}

static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)state;
  at(SOLVE, c, p);
  for (int i = 0; i < c->block; i++) r[i] = 0;
  r[0] = fmax(0, -(q[0] + c->gap_rate) / D[0]);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  at(PROJECT, c, p);
  const double z = r[0] - rho * (u[0] + c->gap_rate);
  for (int i = 0; i < c->block; i++) r[i] = 0;
  r[0] = fmax(0, z);
  return DLS_OK;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  (void)state, (void)u;
  at(FORCE, c, p);
  out[0] = c->gap < 0 ? -1e4 * c->gap : 0;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)u, (void)r;
  at(COMMIT, c, p);
  state[0] += 1;
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  at(ENERGY, c, p);
  return dls_law_dissipates(c, p, state, u, r, stored, dissipated);
}

static const DlsLaw law = {
    DLS_LAW_HEAD,
    .name = CASE_NAME,
    .summary = "dies where and how it is told",
    .references = "",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .range = range,
    .orient = orient,
    .begin = begin,
    .prepare = prepare,
    .residual = residual,
    .solve = solve,
    .project = project,
    .force = force,
    .commit = commit,
    .energy = energy,
};

#if defined(CASE_opening_segfault)
#define OPENING SEGFAULT
#elif defined(CASE_opening_exit)
#define OPENING EXIT
#elif defined(CASE_opening_exit_at_once)
#define OPENING EXIT_AT_ONCE
#elif defined(CASE_opening_loop)
#define OPENING LOOP
#elif defined(CASE_entering_abort)
#define ENTERING ABORT
#elif defined(CASE_entering_loop)
#define ENTERING LOOP
#elif defined(CASE_closing_segfault)
#define CLOSING SEGFAULT
#endif

#ifdef OPENING
__attribute__((constructor)) static void open_and_die(void) { die(OPENING); }
#endif
#ifdef CLOSING
__attribute__((destructor)) static void close_and_die(void) { die(CLOSING); }
#endif

const DlsLaw *dls_law_entry(void) {
#ifdef ENTERING
  die(ENTERING);
#endif
  return &law;
}
