/* One body of sixty velocities, a standing chain of masses and springs, between a floor and a rigid
 * ball of six: the step of moreau written out on the flat vector of all velocities, of which an
 * inertia gives the start of each part. With theta = 1/2 and M^ = M + h^2 theta^2 K,
 *
 *   M^ v_free = M^ v + h (F - K (q + h theta v));   v+ = v_free + M^-1 H^T r;   q+ = q + h (v +
 *   v+) / 2
 *
 * K moves nothing as a whole, so that in every step the momentum of all changes by the weight and
 * by the impulse of the floor alone; and a chain at rest carries what stands above. */
#include "tests/solving.h"

#include <delassus/inertia.h>

#include <float.h>
#include <math.h>

enum { BALL, CHAIN, PARTS };
enum { NODES = 20, CHAIN_DOF = 3 * NODES, BALL_DOF = 6, FREEDOM = BALL_DOF + CHAIN_DOF };
enum { FLOOR, TOP, CONTACTS, BLOCK = 3 };

static const double h = 1e-3, theta = 0.5, g = 9.81, stiffness = 4e4; /* s, 1, m/s2, N/m */
static const double node_mass = 0.1, ball_mass = 1.5, ball_inertia = 0.02;

typedef struct {
  DlsInertia *inertia;
  double q[CHAIN_DOF]; /* m, from where springs are at ease */
  double v[FREEDOM];
  double r[CONTACTS * BLOCK];
} Chain;

/* out = K x: springs of one stiffness along all axes. */
static void multiply_K(const double *x, double *out) {
  memset(out, 0, CHAIN_DOF * sizeof *out);
  for (int i = 0; i + 3 < CHAIN_DOF; i++) {
    const double pull = stiffness * (x[i + 3] - x[i]);
    out[i] -= pull;
    out[i + 3] += pull;
  }
}

static void open_chain(Chain *c) {
  int start[CHAIN_DOF + 1] = {0}, column[3 * CHAIN_DOF], count = 0;
  double value[3 * CHAIN_DOF], ball[36] = {0};
  const double k = h * h * theta * theta * stiffness;
  memset(c, 0, sizeof *c);
  for (int i = 0; i < 6; i++) ball[7 * i] = i < 3 ? ball_mass : ball_inertia;
  for (int i = 0; i < CHAIN_DOF; i++) {
    const bool below = i >= 3, above = i + 3 < CHAIN_DOF;
    if (below) column[count] = i - 3, value[count++] = -k;
    column[count] = i, value[count++] = node_mass + k * (below + above);
    if (above) column[count] = i + 3, value[count++] = -k;
    start[i + 1] = count;
  }
  const DlsSparse M = {CHAIN_DOF, CHAIN_DOF, start, column, value};
  CHECK_OK(dls_inertia_create(&c->inertia));
  CHECK_OK(dls_inertia_add_rigid(c->inertia, 1, BALL_DOF, ball));
  CHECK_OK(dls_inertia_add_sparse(c->inertia, &M));
  CHECK_INT(dls_inertia_freedom(c->inertia), FREEDOM);
}

/* Frames (z, x, y). The first node stands on the floor, the ball on the last one, its centre 0.2 m
 * above. */
static DlsOperator *rows_of(const Chain *c) {
  static const int start[] = {0, 1, 3}, part[] = {CHAIN, BALL, CHAIN}, first[] = {0, 3, 8, 11};
  static const int velocity[] = {
      2, 0, 1, 2, 0, 1, 3, 4, CHAIN_DOF - 1, CHAIN_DOF - 3, CHAIN_DOF - 2};
  static const double weight[][BLOCK] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {1, 0, 0},
                                         {0, 1, 0},  {0, 0, 1},  {0, 0, 0.2}, {0, -0.2, 0},
                                         {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  DlsOperator *W = NULL;
  const DlsContactRows H = {CONTACTS, BLOCK, start, part, first, velocity, &weight[0][0]};
  CHECK_OK(dls_operator_create(&H, c->inertia, &W));
  return W;
}

static void step(Chain *c) {
  const int at = dls_inertia_start(c->inertia, CHAIN), ball = dls_inertia_start(c->inertia, BALL);
  double load[FREEDOM] = {0}, change[FREEDOM], middle[CHAIN_DOF], pull[CHAIN_DOF], *v = c->v;
  const DlsRelation relation[CONTACTS] = {{.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                                          {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}}};
  for (int i = 0; i < CHAIN_DOF; i++) middle[i] = c->q[i] + h * theta * v[at + i];
  multiply_K(middle, pull);
  for (int i = 0; i < CHAIN_DOF; i++)
    load[at + i] = h * ((i % 3 == 2 ? -node_mass * g : 0) - pull[i]);
  load[ball + 2] = -h * ball_mass * g;
  CHECK_OK(dls_inertia_solve(c->inertia, load, change));
  double free_velocity[FREEDOM], q[CONTACTS * BLOCK];
  for (int i = 0; i < FREEDOM; i++) free_velocity[i] = v[i] + change[i];
  const double *low = free_velocity + at, *high = free_velocity + at + CHAIN_DOF - 3;
  const double *b = free_velocity + ball;
  const double written[] = {low[2],
                            low[0],
                            low[1],
                            b[2] - high[2],
                            b[0] - 0.2 * b[4] - high[0],
                            b[1] + 0.2 * b[3] - high[1]};
  memcpy(q, written, sizeof q);
  DlsOperator *W = rows_of(c);
  DlsProblem *problem = NULL;
  const DlsSolver *solver;
  CHECK_OK(dls_problem_create(3, &W, q, relation, NULL, &problem));
  CHECK_OK(dls_solver_find("nsgs", &solver));
  TestRun run = test_solve(solver, problem, 1e-13);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  memcpy(c->r, run.r, sizeof c->r);
  CHECK_OK(dls_operator_velocity(dls_problem_operator(problem), c->r, change));
  for (int i = 0; i < FREEDOM; i++) {
    const double next = free_velocity[i] + change[i];
    if (i >= at && i < at + CHAIN_DOF) c->q[i - at] += h * ((1 - theta) * v[i] + theta * next);
    v[i] = next;
  }
  test_end(&run);
  dls_problem_destroy(&problem);
}

static double momentum(const Chain *c) {
  const int at = dls_inertia_start(c->inertia, CHAIN), ball = dls_inertia_start(c->inertia, BALL);
  double sum = ball_mass * c->v[ball + 2];
  for (int i = 2; i < CHAIN_DOF; i += 3) sum += node_mass * c->v[at + i];
  return sum;
}

/* Each spring is shortened by what stands above it. */
TEST(a_chain_of_sixty_velocities_carries_a_ball_at_rest) {
  const double all = ball_mass + NODES * node_mass;
  Chain chain;
  open_chain(&chain);
  for (int i = 1; i < NODES; i++)
    chain.q[3 * i + 2] = chain.q[3 * i - 1] - (ball_mass + (NODES - i) * node_mass) * g / stiffness;
  for (int n = 0; n < 20; n++) {
    step(&chain);
    CHECK_NEAR(chain.r[FLOOR * BLOCK] / h, all * g, 1e-9 * all * g);
    CHECK_NEAR(chain.r[TOP * BLOCK] / h, ball_mass * g, 1e-9 * all * g);
    for (int i = 0; i < FREEDOM; i++) CHECK_NEAR(chain.v[i], 0, 1e-9 * g * h);
  }
  CHECK_INT(dls_inertia_factorisations(chain.inertia), 1);
  dls_inertia_destroy(&chain.inertia);
}

/* The chain and the ball fall on the floor at 1 m/s: only weight and floor change the momentum. */
TEST(a_chain_that_lands_keeps_the_balance_of_momentum) {
  const double all = ball_mass + NODES * node_mass;
  double most = 0;
  Chain chain;
  open_chain(&chain);
  for (int i = 0; i < NODES; i++) chain.v[dls_inertia_start(chain.inertia, CHAIN) + 3 * i + 2] = -1;
  chain.v[dls_inertia_start(chain.inertia, BALL) + 2] = -1;
  for (int n = 0; n < 100; n++) {
    const double before = momentum(&chain);
    step(&chain);
    const double floor = chain.r[FLOOR * BLOCK];
    /* roundings of sums of FREEDOM numbers, through a factor of condition 1 + 4 h² theta² k / m */
    CHECK_NEAR(momentum(&chain) - before, floor - h * all * g, 1e3 * DBL_EPSILON * FREEDOM * all);
    CHECK(floor >= 0 && chain.r[TOP * BLOCK] >= 0);
    most = fmax(most, floor / h);
  }
  CHECK(most > all * g); /* it was caught */
  dls_inertia_destroy(&chain.inertia);
}
