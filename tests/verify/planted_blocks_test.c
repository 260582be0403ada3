/* Walls of bricks with many points in each joint and an answer planted in them: joints stick,
 * slide, gape, rock about an edge, or touch without a force; within a joint some points carry, some
 * stand at the limit of friction, and some neither carry nor move. The reactions are far from
 * unique, and q = u - W r. Judged by the error, measured from scratch. */
#include "tests/solving.h"

#include "base/random.h"

#include <math.h>

enum { COURSES = 5, BRICKS = 4, DOF = 6, POINTS = 6, BODIES = COURSES * BRICKS };
enum { MOST = 2 * BODIES * POINTS };

typedef enum { STICKS, SLIDES, GAPES, ROCKS, TOUCHES, MODES } Mode;

typedef struct {
  DlsRandom random;
  int contacts, touches, start[MOST + 1], body[2 * MOST];
  double H[2 * MOST * 3 * DOF], M[BODIES * DOF * DOF], q[3 * MOST], u[3 * MOST], r[3 * MOST];
  DlsRelation relations[MOST];
} Wall;

static double between(Wall *wall, double low, double high) {
  return low + (high - low) * dls_random_unit(&wall->random);
}

/* Rows of a point in the velocities of a brick, seen from its centre: u = v + omega x arm; axes z,
 * x, y. */
static void touch(Wall *wall, int body, double sign, const double arm[3]) {
  static const int axis[3] = {2, 0, 1};
  double *H = wall->H + (size_t)wall->touches * 3 * DOF;
  for (int a = 0; a < 3; a++) {
    const int i = axis[a], j = (i + 1) % 3, k = (i + 2) % 3;
    H[a * DOF + i] = sign;
    H[a * DOF + 3 + j] = sign * arm[k];
    H[a * DOF + 3 + k] = -sign * arm[j];
  }
  wall->body[wall->touches++] = body;
}

/* (u, r) of the point that stands `along` (-1 to 1) in a joint of that mode; `way` is where it
 * slides to, `size` the force there. */
static void plant(Wall *wall, Mode mode, double along, double way, double size) {
  const double mu = wall->relations[wall->contacts].mu[0], speed = 0.01;
  double *u = wall->u + 3 * wall->contacts, *r = wall->r + 3 * wall->contacts;
  const bool carries = dls_random_unit(&wall->random) < 0.7;
  const double direction = between(wall, 0, 2 * M_PI);
  if (mode == GAPES || (mode == ROCKS && along > -0.5)) {
    u[0] = speed * (1.1 + along);
    u[1] = speed * between(wall, -1, 1);
    return;
  }
  if (mode == SLIDES) {
    u[1] = speed * cos(way);
    u[2] = speed * sin(way);
  }
  if (mode == TOUCHES || !carries) return;
  const bool limit = mode == SLIDES || dls_random_unit(&wall->random) < 0.2;
  const double share = limit ? 1 : sqrt(dls_random_unit(&wall->random));
  const double angle = mode == SLIDES ? way + M_PI : direction;
  r[0] = size * between(wall, 0.1, 1);
  r[1] = share * mu * r[0] * cos(angle);
  r[2] = share * mu * r[0] * sin(angle);
}

/* The joint of a brick with one below (-1: the ground), whose centre is `shift` to its right. */
static void join(Wall *wall, int above, int below, double shift) {
  const Mode mode = (Mode)fmin(MODES - 1, floor(MODES * dls_random_unit(&wall->random)));
  const double mu = between(wall, 0.2, 1), way = between(wall, 0, 2 * M_PI);
  const double middle = below < 0 ? 0 : 0.5 * shift, half = below < 0 ? 0.5 : 0.25;
  for (int k = 0; k < POINTS; k++) {
    const double along = (k % 3) - 1.0, across = k < 3 ? -0.25 : 0.25;
    const double x = middle + half * along;
    wall->start[wall->contacts] = wall->touches;
    touch(wall, above, 1, (double[]){x, across, -0.2});
    if (below >= 0) touch(wall, below, -1, (double[]){x - shift, across, 0.2});
    wall->relations[wall->contacts] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
    plant(wall, mode, along, way, 0.1);
    wall->contacts++;
  }
  wall->start[wall->contacts] = wall->touches;
}

/* Running bond: each brick stands on two of the course below, those at an end on one at times. */
static DlsProblem *make_wall(Wall *wall, unsigned seed) {
  *wall = (Wall){0};
  dls_random_stream(&wall->random, seed, 1);
  for (int b = 0; b < BODIES; b++) {
    const double mass = exp(between(wall, -1, 1));
    const int course = b / BRICKS, place = b % BRICKS;
    for (int k = 0; k < DOF; k++) wall->M[(b * DOF + k) * DOF + k] = k < 3 ? mass : 0.1 * mass;
    if (course == 0) join(wall, b, -1, 0);
    for (int side = 0; side < 2 && course > 0; side++) {
      const int below = place + side - (course % 2 == 0);
      if (below >= 0 && below < BRICKS)
        join(wall, b, (course - 1) * BRICKS + below, side == 0 ? -0.5 : 0.5);
    }
  }
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_factored(wall->contacts, 3, BODIES, DOF, wall->start, wall->body,
                                        wall->H, wall->M, &W));
  dls_operator_apply(W, wall->r, wall->q);
  for (int e = 0; e < 3 * wall->contacts; e++) wall->q[e] = wall->u[e] - wall->q[e];
  CHECK_OK(dls_problem_create(3, &W, wall->q, wall->relations, NULL, &problem));
  return problem;
}

/* `auto` solves them to 1e-8; with patience 0 it hands over as soon as it may. */
static void solve_walls(int walls, const char *patience) {
  static Wall wall;
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("auto", &solver));
  for (int k = 0; k < walls; k++) {
    DlsProblem *problem = make_wall(&wall, (unsigned)(1 + k));
    TestRun run =
        test_solve_from(solver, problem, 1e-8, NULL, patience ? "patience" : NULL, patience);
    CHECK_INT(run.report.outcome, DLS_CONVERGED);
    CHECK_BELOW(run.errors.natural, 1e-8);
    test_end(&run);
    dls_problem_destroy(&problem);
  }
}

TEST(what_is_planted_is_an_answer) {
  static Wall wall;
  DlsErrors errors;
  DlsProblem *problem = make_wall(&wall, 1);
  CHECK_OK(dls_errors_measure(problem, wall.r, NULL, &errors));
  CHECK_BELOW(errors.natural, 1e-14);
  dls_problem_destroy(&problem);
}

TEST(auto_solves_planted_walls) { solve_walls(25, NULL); }

TEST(so_it_does_in_a_hurry) { solve_walls(25, "0"); }
