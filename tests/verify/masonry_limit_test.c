/* Masonry in the plane at its limit: arches of trapezoidal voussoirs and walls in running bond,
 * stand and fall on the two sides of what a linear program allows (Livesley 1978).
 *
 * A joint transmits forces at its two ends; each is a sum, with coefficients x >= 0, of the two
 * edges of its friction cone: n + mu t, n - mu t. The masonry can stand when some x balances force
 * and moment of every block. That is necessary; with Coulomb's friction, whose sliding does not
 * dilate, not sufficient (Gilbert, Casapulla and Ahmed 2006). Walls fall at up to 14 % below it:
 * the program invents a thrust between neighbours of a row, and friction from it, that nothing
 * builds up. Without friction in upright joints it gives what the dynamics find. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/blocks.h"
#include "tests/linear_program.h"

static const double pi = 3.14159265358979323846;

enum { MOST_BLOCKS = 128, MOST_JOINTS = 400 };

typedef struct {
  int first, second; /* the normal leads from the first, -1 the ground, to the second */
  double end[2][2], normal[2];
} Joint;

typedef struct {
  int blocks, joints;
  double corner[MOST_BLOCKS][4][3]; /* counter-clockwise */
  double centre[MOST_BLOCKS][2], weight[MOST_BLOCKS];
  Joint joint[MOST_JOINTS];
} Masonry;

/* Area and centre of a quadrilateral, by two triangles. */
static void weigh(Masonry *m, int b) {
  double(*c)[3] = m->corner[b];
  double area = 0, first[2] = {0};
  for (int k = 1; k < 3; k++) {
    const double a = 0.5 * ((c[k][0] - c[0][0]) * (c[k + 1][1] - c[0][1]) -
                            (c[k][1] - c[0][1]) * (c[k + 1][0] - c[0][0]));
    area += a;
    for (int i = 0; i < 2; i++) first[i] += a * (c[0][i] + c[k][i] + c[k + 1][i]) / 3;
  }
  m->weight[b] = area;
  for (int i = 0; i < 2; i++) m->centre[b][i] = first[i] / area;
}

static void add_joint(Masonry *m, int first, int second, const double a[2], const double b[2],
                      double nx, double ny) {
  CHECK(m->joints < MOST_JOINTS);
  m->joint[m->joints++] = (Joint){first, second, {{a[0], a[1]}, {b[0], b[1]}}, {nx, ny}};
}

/* A force at the end e of a joint, on one of its blocks: its three rows of the program. */
static void add_force(LinearProgram *lp, const Masonry *m, int block, const double at[2],
                      const double force[2], double sign, int column) {
  if (block < 0) return;
  *lp_at(lp, 3 * block, column) += sign * force[0];
  *lp_at(lp, 3 * block + 1, column) += sign * force[1];
  *lp_at(lp, 3 * block + 2, column) +=
      sign * ((at[0] - m->centre[block][0]) * force[1] - (at[1] - m->centre[block][1]) * force[0]);
}

/* Whether the masonry can stand under its weight, or (share not NULL) the largest share of the
 * weight that it bears besides, sideways. Joints with a normal along x have a friction of their
 * own. */
static bool can_stand_by(const Masonry *m, double mu, double mu_upright, double *share) {
  LinearProgram lp;
  double total = 0, *cost = NULL;
  lp_open(&lp, 3 * m->blocks, 4 * m->joints + (share ? 1 : 0));
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 4; k++) {
      const Joint *joint = &m->joint[j];
      const double *n = joint->normal, *at = joint->end[k / 2];
      const double s = (k % 2 ? 1 : -1) * (fabs(n[0]) == 1 ? mu_upright : mu);
      const double force[2] = {n[0] - s * n[1], n[1] + s * n[0]};
      add_force(&lp, m, joint->second, at, force, 1, 4 * j + k);
      add_force(&lp, m, joint->first, at, force, -1, 4 * j + k);
    }
  for (int b = 0; b < m->blocks; b++) total += m->weight[b];
  for (int b = 0; b < m->blocks; b++) {
    lp.b[3 * b + 1] = m->weight[b] / total * m->blocks;
    if (share) *lp_at(&lp, 3 * b, 4 * m->joints) = m->weight[b] / total * m->blocks;
  }
  if (share) {
    cost = calloc((size_t)lp.columns, sizeof *cost);
    CHECK(cost);
    cost[lp.columns - 1] = 1;
  }
  const LpOutcome outcome = lp_solve(&lp, cost, share);
  CHECK(outcome == LP_OPTIMAL || (!share && outcome == LP_INFEASIBLE));
  free(cost);
  lp_close(&lp);
  return outcome == LP_OPTIMAL;
}

static bool can_stand(const Masonry *m, double mu, double *share) {
  return can_stand_by(m, mu, mu, share);
}

/* A half circle of mean radius 1 in n voussoirs, corners on the circles of radius 1 -+ t/2. */
static void make_arch(Masonry *m, int n, double t) {
  memset(m, 0, sizeof *m);
  m->blocks = n;
  for (int k = 0; k <= n; k++) {
    const double angle = pi * k / n, x = k == n ? -1 : cos(angle),
                 y = k == 0 || k == n ? 0 : sin(angle);
    const double in[2] = {(1 - t / 2) * x, (1 - t / 2) * y},
                 out[2] = {(1 + t / 2) * x, (1 + t / 2) * y};
    for (int i = 0; i < 2; i++) {
      if (k < n) m->corner[k][0][i] = in[i], m->corner[k][1][i] = out[i];
      if (k > 0) m->corner[k - 1][2][i] = out[i], m->corner[k - 1][3][i] = in[i];
    }
    if (k < n)
      add_joint(m, k - 1, k, in, out, -y, x);
    else
      add_joint(m, -1, n - 1, in, out, 0, 1);
  }
  for (int b = 0; b < n; b++) weigh(m, b);
}

/* The least t / R at which the program has an answer. */
static double arch_limit(int n, double mu) {
  static Masonry m;
  double low = 0.05, high = 0.4;
  while (high - low > 1e-7) {
    const double t = 0.5 * (low + high);
    make_arch(&m, n, t);
    if (can_stand(&m, mu, NULL))
      high = t;
    else
      low = t;
  }
  return high;
}

/* Numbers of design note B6, by scipy's HiGHS: all digits that it gives. With many voussoirs the
 * limit is that of radial joints, 0.107426 (Cocchetti and Rizzi 2020). */
TEST(the_linear_program_finds_the_published_limits_of_arches) {
  static const struct {
    int n;
    double mu, limit;
  } known[] = {{5, 0.8, 0.09498},   {7, 0.8, 0.09570},   {9, 0.8, 0.10153},  {11, 0.8, 0.10459},
               {15, 0.8, 0.10607},  {21, 0.8, 0.10669},  {27, 0.8, 0.10672}, {11, 0.36, 0.13870},
               {27, 0.36, 0.14089}, {27, 0.32, 0.18384}, {51, 0.8, 0.10736}, {101, 0.8, 0.10745}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (known[k].n > 27 && !getenv("DELASSUS_LONG")) continue;
    CHECK_NEAR(arch_limit(known[k].n, known[k].mu), known[k].limit, 1.0e-5);
  }
}

static void build(TestScene *scene, const Masonry *m, double mu) {
  test_scene_open(scene, 2, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(scene, 0, "mu", mu);
  scene->simulation->settings.limits.tolerance = 1e-8;
  test_scene_boundary(scene, 0);
  for (int b = 0; b < m->blocks; b++) {
    DlsConvexNumbers n;
    CHECK_OK(dls_convex_build(2, 0, 4, m->corner[b], 0, NULL, NULL, &n));
    const int body = test_scene_convex(scene, &n, NULL, NULL, 0);
    for (int i = 0; i < 2; i++) CHECK_NEAR(scene->world->position[body][i], m->centre[b][i], 1e-12);
  }
}

/* Farthest way of a block, in m. */
static double moved(const TestScene *scene, const Masonry *m) {
  double most = 0;
  for (int b = 0; b < m->blocks; b++)
    most = fmax(most, hypot(scene->world->position[b][0] - m->centre[b][0],
                            scene->world->position[b][1] - m->centre[b][1]));
  return most;
}

/* Runs until something has gone 2 cm, or to the end; `sideways` of the weight acts along x.
 * What a solver leaves at 1e-8 opens joints by 1e-11 m a step, corners change their names, and an
 * arch near its limit comes down where those that are renamed are not kept (scheme_moreau.c). */
static bool stands(const Masonry *m, double mu, double sideways, double end) {
  TestScene scene;
  build(&scene, m, mu);
  scene.gravity[0] = sideways * test_g;
  double way = 0;
  for (int k = 0; k < (int)(end / 1e-3 + 0.5) && way < 0.02; k += 10) {
    test_scene_run(&scene, 10);
    way = moved(&scene, m);
  }
  if (getenv("DELASSUS_SHOW"))
    printf("%d blocks, mu %g, sideways %g: way %g m at %g s, %ld unconverged\n", m->blocks, mu,
           sideways, way, scene.simulation->state.time, scene.simulation->state.unconverged);
  CHECK(way >= 0.02 || way < 1e-5);
  dls_simulation_destroy(&scene.simulation);
  return way < 0.02;
}

static void bracket_arch(int n, double mu, double end) {
  static Masonry m;
  const double limit = arch_limit(n, mu);
  make_arch(&m, n, 1.01 * limit);
  CHECK(stands(&m, mu, 0, end));
  make_arch(&m, n, 0.99 * limit);
  CHECK(!stands(&m, mu, 0, end));
}

TEST(arches_stand_above_the_limit_and_fall_below) {
  bracket_arch(7, 0.8, 2);
  bracket_arch(7, 0.36, 2);
  bracket_arch(11, 0.36, 2);
}

TEST(an_arch_of_27_stands_above_the_limit_and_falls_below) { bracket_arch(27, 0.8, 2); }

/* Bricks a x b in rows, every other row shifted by half a brick and closed by halves. */
static void make_wall(Masonry *m, int rows, int across, double a, double b) {
  int before = -1, before_count = 0;
  memset(m, 0, sizeof *m);
  for (int r = 0; r < rows; r++) {
    const int first = m->blocks, count = across + r % 2;
    for (int c = 0; c < count; c++) {
      const double left = r % 2 ? fmax(0, (c - 0.5) * a) : c * a,
                   right = r % 2 ? fmin(across * a, (c + 0.5) * a) : (c + 1) * a;
      const double x[4] = {left, right, right, left},
                   y[4] = {r * b, r * b, (r + 1) * b, (r + 1) * b};
      const int block = m->blocks++;
      CHECK(block < MOST_BLOCKS);
      for (int k = 0; k < 4; k++) m->corner[block][k][0] = x[k], m->corner[block][k][1] = y[k];
      weigh(m, block);
      if (c > 0) add_joint(m, block - 1, block, m->corner[block][0], m->corner[block][3], 1, 0);
      if (r == 0) add_joint(m, -1, block, m->corner[block][0], m->corner[block][1], 0, 1);
      for (int k = 0; k < before_count; k++) {
        const double low = fmax(left, m->corner[before + k][3][0]),
                     high = fmin(right, m->corner[before + k][2][0]);
        const double p[2] = {low, r * b}, q[2] = {high, r * b};
        if (high > low + 1e-9) add_joint(m, before + k, block, p, q, 0, 1);
      }
    }
    before = first, before_count = count;
  }
}

/* Tilted by alpha a wall feels the share tan(alpha) of its weight sideways. */
static void bracket_wall(int rows, int across, double mu, double end) {
  static Masonry m;
  double limit = 0, upper = 0;
  make_wall(&m, rows, across, 0.2, 0.1);
  can_stand(&m, mu, &upper);
  can_stand_by(&m, mu, 0, &limit);
  if (getenv("DELASSUS_SHOW"))
    printf("wall %d x %d, mu %g: share %.6f, with friction in upright joints %.6f\n", rows, across,
           mu, limit, upper);
  CHECK(limit <= upper + 1e-9);
  CHECK(stands(&m, mu, 0.99 * limit, end));
  CHECK(!stands(&m, mu, 1.01 * limit, end));
  CHECK(!stands(&m, mu, 1.01 * upper, end));
}

/* One column of single bricks topples as a block: share = width / height; a low wall slides. */
TEST(the_linear_program_agrees_with_blocks_that_slide_or_topple) {
  static Masonry m;
  double limit = 0;
  make_wall(&m, 1, 1, 0.2, 0.1);
  can_stand(&m, 0.6, &limit);
  CHECK_NEAR(limit, 0.6, 1e-9);
  can_stand(&m, 5, &limit);
  CHECK_NEAR(limit, 2, 1e-9);
}

TEST(walls_stand_below_the_multiplier_of_the_program_and_fall_above) {
  bracket_wall(4, 3, 0.6, 2);
  bracket_wall(8, 3, 0.75, 2);
  bracket_wall(6, 2, 0.7, 2);
  bracket_wall(6, 4, 0.4, 2);
}
