/* Clusters side by side: the bits are those of clusters one by one, in lanes of any number, and
 * but for rounding those of the pass that knows no lanes. */
#include "base/pool.h"
#include "base/random.h"
#include "problem/operator/spheres.h"
#include "solvers/kit/sweep_lanes.h"
#include "tests/solving.h"

enum { WIDE = 11, BODIES = WIDE * WIDE * WIDE };

static void random_frame(DlsRandom *random, double *frame) {
  double *n = frame, *t1 = frame + 3, *t2 = frame + 6, along = 0;
  for (int k = 0; k < 3; k++) n[k] = dls_random_between(random, -1, 1);
  for (int k = 0; k < 3; k++) t1[k] = dls_random_between(random, -1, 1);
  const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++) n[k] /= size;
  for (int k = 0; k < 3; k++) along += n[k] * t1[k];
  for (int k = 0; k < 3; k++) t1[k] -= along * n[k];
  const double left = sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
  for (int k = 0; k < 3; k++) t1[k] /= left;
  for (int k = 0; k < 3; k++)
    t2[k] = n[(k + 1) % 3] * t1[(k + 2) % 3] - n[(k + 2) % 3] * t1[(k + 1) % 3];
}

typedef struct {
  DlsSphereContact contact[4 * BODIES];
  DlsRelation relation[4 * BODIES];
  double q[12 * BODIES], scale[BODIES][2];
  int contacts;
} Draft;

static void join(Draft *d, DlsRandom *random, int a, int b) {
  const int i = d->contacts++;
  DlsSphereContact *c = &d->contact[i];
  random_frame(random, c->frame);
  for (int k = 0; k < 2; k++) {
    c->body[k] = k ? b : a;
    if (c->body[k] == BODIES) continue;
    c->move[k] = (k ? -1 : 1) * d->scale[c->body[k]][0];
    c->turn[k] = -dls_random_between(random, 0.005, 0.02) * d->scale[c->body[k]][1];
  }
  for (int k = 0; k < 3; k++) d->q[3 * i + k] = dls_random_between(random, -0.02, 0.01);
  d->relation[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.4, 0.4}};
  if (i % 41 == 7) d->relation[i].mu[0] = d->relation[i].mu[1] = 0;
  if (i % 53 == 11) d->relation[i].associated = 0.5;
  if (i % 61 == 13) d->relation[i].mu[1] = 0.2;
}

/* A lattice in which neighbours meet in random directions, some bodies are fixed and some walk on
 * the ground; one meets itself, as in a periodic cell of its own size. Plain friction, none, of two
 * kinds, with dilatancy; `soft`: with compliance. */
static DlsProblem *tangle(bool soft) {
  DlsRandom random;
  DlsOperator *W;
  DlsProblem *problem = NULL;
  Draft *d = calloc(1, sizeof *d);
  dls_random_seed(&random, 11);
  for (int b = 0; b < BODIES; b++) {
    const bool fixed = b % 97 == 5;
    d->scale[b][0] = fixed ? 0 : dls_random_between(&random, 5, 20);
    d->scale[b][1] = fixed ? 0 : d->scale[b][0] * dls_random_between(&random, 100, 200);
  }
  for (int b = 0; b < BODIES; b++) {
    if (b % WIDE) join(d, &random, b, b - 1);
    if (b / WIDE % WIDE) join(d, &random, b, b - WIDE);
    join(d, &random, b, b < WIDE * WIDE ? BODIES : b - WIDE * WIDE);
    if (b == 700) join(d, &random, b, b);
  }
  for (int i = 0; soft && i < d->contacts; i++)
    for (int k = 0; k < 3; k++) d->relation[i].C[k] = k ? 3 : 5;
  CHECK_OK(dls_operator_create_spheres(d->contacts, BODIES, d->contact,
                                       (const double(*)[2])d->scale, DLS_COPY, &W));
  CHECK_OK(dls_problem_create(3, &W, d->q, d->relation, NULL, &problem));
  free(d);
  return problem;
}

/* How clusters are gone through: by dls_sweep_pass() with so many lanes at most; in lanes, but each
 * cluster alone; without lanes. */
typedef enum { NARROW, WIDEST, ALONE, NO_LANES, WAYS } Way;

static void pass_apart(DlsSweep *sweep, Way way, bool backwards, double *r) {
  const DlsColours *colours = sweep->colours;
  for (int n = 0; n < colours->clusters; n++) {
    const int c = backwards ? colours->clusters - 1 - n : n;
    if (way == ALONE) {
      CHECK_OK(dls_sweep_in_lanes(sweep, &c, 1, backwards, r));
      continue;
    }
    DlsSweep part = dls_sweep_part(sweep);
    const DlsSweepList list = dls_sweep_cluster(sweep, c, backwards);
    part.kernel->pass(&part, &list, 1, r);
    dls_sweep_tell(&part, c);
  }
  sweep->moved2 = 0;
  dls_sweep_add_tallies(sweep);
}

typedef struct {
  double *r, *y, moved2;
  size_t n, velocities;
} Outcome;

static Outcome sweep_so(const DlsProblem *problem, Way way, double omega, DlsSweepUpdate update) {
  DlsSweep *sweep;
  CHECK_OK(dls_sweep_create(problem, DLS_SWEEP_AUTO, &sweep));
  CHECK_OK(dls_sweep_colour(sweep, 0));
  sweep->omega = omega;
  sweep->update = update;
  Outcome out = {.n = 3 * (size_t)sweep->contacts, .velocities = sweep->velocities};
  out.r = calloc(out.n, sizeof *out.r);
  out.y = calloc(out.velocities, sizeof *out.y);
  dls_sweep_lanes_limit(way == NARROW ? 4 : 0);
  dls_sweep_refresh(sweep, out.r);
  for (int k = 0; k < 6; k++)
    if (way <= WIDEST)
      dls_sweep_pass(sweep, NULL, k % 3 == 2, 1, out.r);
    else
      pass_apart(sweep, way, k % 3 == 2, out.r);
  dls_sweep_lanes_limit(0);
  memcpy(out.y, sweep->y, out.velocities * sizeof *out.y);
  out.moved2 = sweep->moved2;
  CHECK(sweep->status == DLS_OK);
  dls_sweep_destroy(sweep);
  return out;
}

static void end(Outcome *o) {
  free(o->r);
  free(o->y);
}

static double distance(const double *a, const double *b, size_t n) {
  double most = 0, size = 0;
  for (size_t e = 0; e < n; e++) {
    most = fmax(most, fabs(a[e] - b[e]));
    size = fmax(size, fabs(b[e]));
  }
  return most / size;
}

static void check_ways(const DlsProblem *problem, double omega, DlsSweepUpdate update) {
  Outcome o[WAYS];
  for (int way = 0; way < WAYS; way++) o[way] = sweep_so(problem, (Way)way, omega, update);
  for (int way = WIDEST; way <= ALONE; way++) {
    CHECK(memcmp(o[way].r, o[NARROW].r, o[way].n * sizeof *o[way].r) == 0);
    CHECK(memcmp(o[way].y, o[NARROW].y, o[way].velocities * sizeof *o[way].y) == 0);
    CHECK(memcmp(&o[way].moved2, &o[NARROW].moved2, sizeof o[way].moved2) == 0);
  }
  CHECK_BELOW(distance(o[WIDEST].r, o[NO_LANES].r, o[WIDEST].n), 1e-11);
  CHECK_BELOW(distance(o[WIDEST].y, o[NO_LANES].y, o[WIDEST].velocities), 1e-11);
  CHECK_NEAR(o[WIDEST].moved2, o[NO_LANES].moved2, 1e-9 * o[NO_LANES].moved2);
  CHECK(o[WIDEST].moved2 > 0);
  for (int way = 0; way < WAYS; way++) end(&o[way]);
}

TEST(lanes_are_clusters_one_by_one) {
  for (int soft = 0; soft < 2; soft++) {
    DlsProblem *problem = tangle(soft);
    CHECK(dls_problem_contacts(problem) > 2 * DLS_COLOURS_FROM);
    check_ways(problem, 1, DLS_SWEEP_SOLVE);
    check_ways(problem, 0.7, DLS_SWEEP_SOLVE);
    check_ways(problem, 1, DLS_SWEEP_PROJECT);
    dls_problem_destroy(&problem);
  }
}

/* Threads cut a colour elsewhere, and lanes stay empty. */
TEST(lanes_do_not_depend_on_threads) {
  DlsProblem *problem = tangle(false);
  dls_pool_set(1);
  Outcome one = sweep_so(problem, WIDEST, 1, DLS_SWEEP_SOLVE);
  for (int threads = 2; threads < 6; threads++) {
    dls_pool_set(threads);
    Outcome some = sweep_so(problem, WIDEST, 1, DLS_SWEEP_SOLVE);
    CHECK(memcmp(some.r, one.r, one.n * sizeof *one.r) == 0);
    CHECK(memcmp(&some.moved2, &one.moved2, sizeof one.moved2) == 0);
    end(&some);
  }
  dls_pool_set(0);
  end(&one);
  dls_problem_destroy(&problem);
}
