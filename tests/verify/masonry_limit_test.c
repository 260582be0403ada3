/* Masonry in the plane at its limit: arches of trapezoidal voussoirs and walls in running bond,
 * stand and fall on the two sides of what a linear program allows (Livesley 1978).
 *
 * The masonry can stand when some forces of the joints (tests/masonry.h) balance force and moment
 * of every block. That is necessary; with Coulomb's friction, whose sliding does not dilate, not
 * sufficient (Gilbert, Casapulla and Ahmed 2006). Walls fall at up to 14 % below it: the program
 * invents a thrust between neighbours of a row, and friction from it, that nothing builds up.
 * Without friction in upright joints it gives what the dynamics find. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/blocks.h"
#include "tests/masonry.h"

/* The least t / R at which the program has an answer. */
static double arch_limit(int n, double mu) {
  static Masonry m;
  double low = 0.05, high = 0.4;
  while (high - low > 1e-7) {
    const double t = 0.5 * (low + high);
    masonry_arch(&m, n, t);
    if (masonry_stands(&m, mu, NULL))
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
static bool stands_by(const char *solver, const Masonry *m, double mu, double sideways,
                      double end) {
  TestScene scene;
  build(&scene, m, mu);
  CHECK_OK(dls_solver_find(solver, &scene.simulation->settings.solver));
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

static bool stands(const Masonry *m, double mu, double sideways, double end) {
  return stands_by("auto", m, mu, sideways, end);
}

static void bracket_arch(int n, double mu, double end) {
  static Masonry m;
  const double limit = arch_limit(n, mu);
  masonry_arch(&m, n, 1.01 * limit);
  CHECK(stands(&m, mu, 0, end));
  masonry_arch(&m, n, 0.99 * limit);
  CHECK(!stands(&m, mu, 0, end));
}

TEST(arches_stand_above_the_limit_and_fall_below) {
  bracket_arch(7, 0.8, 2);
  bracket_arch(7, 0.36, 2);
  bracket_arch(11, 0.36, 2);
}

TEST(an_arch_of_27_stands_above_the_limit_and_falls_below) { bracket_arch(27, 0.8, 2); }

/* Tilted by alpha it feels the share tan(alpha) of its weight sideways: input/tilting-arch.yaml. */
TEST(a_tilted_arch_stands_below_the_share_of_the_program_and_falls_above) {
  static Masonry m;
  double limit = 0;
  masonry_arch(&m, 27, 0.15);
  CHECK(masonry_stands(&m, 0.8, &limit));
  if (getenv("DELASSUS_SHOW")) printf("arch of 27, t/R = 0.15: share %.6f\n", limit);
  CHECK(stands(&m, 0.8, 0.99 * limit, 2));
  CHECK(!stands(&m, 0.8, 1.01 * limit, 2));
}

/* At both frictions: at 0.8 joints only open, at 0.36 they slide as well. */
TEST(arches_of_27_and_101_stand_above_the_limit_and_fall_below) {
  if (!getenv("DELASSUS_LONG")) test_skip("arches of 101 voussoirs take minutes; make check-long");
  bracket_arch(27, 0.36, 2);
  bracket_arch(101, 0.8, 2);
  bracket_arch(101, 0.36, 2);
}

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
      masonry_weigh(m, block);
      if (c > 0) masonry_joint(m, block - 1, block, m->corner[block][0], m->corner[block][3], 1, 0);
      if (r == 0) masonry_joint(m, -1, block, m->corner[block][0], m->corner[block][1], 0, 1);
      for (int k = 0; k < before_count; k++) {
        const double low = fmax(left, m->corner[before + k][3][0]),
                     high = fmin(right, m->corner[before + k][2][0]);
        const double p[2] = {low, r * b}, q[2] = {high, r * b};
        if (high > low + 1e-9) masonry_joint(m, before + k, block, p, q, 0, 1);
      }
    }
    before = first, before_count = count;
  }
}

/* Tilted by alpha a wall feels the share tan(alpha) of its weight sideways. Between the two limits
 * forces that hold it are among those that answer, and others are: sweeps come to these, from
 * which it falls; interior points may come to those. */
static void bracket_wall(int rows, int across, double mu, double end) {
  static Masonry m;
  double limit = 0, upper = 0;
  make_wall(&m, rows, across, 0.2, 0.1);
  masonry_stands(&m, mu, &upper);
  masonry_stands_by(&m, mu, 0, &limit);
  if (getenv("DELASSUS_SHOW"))
    printf("wall %d x %d, mu %g: share %.6f, with friction in upright joints %.6f\n", rows, across,
           mu, limit, upper);
  CHECK(limit <= upper + 1e-9);
  CHECK(stands(&m, mu, 0.99 * limit, end));
  CHECK(!stands_by("nsgs", &m, mu, 1.01 * limit, end));
  CHECK(!stands(&m, mu, 1.01 * upper, end));
}

/* One column of single bricks topples as a block: share = width / height; a low wall slides. */
TEST(the_linear_program_agrees_with_blocks_that_slide_or_topple) {
  static Masonry m;
  double limit = 0;
  make_wall(&m, 1, 1, 0.2, 0.1);
  masonry_stands(&m, 0.6, &limit);
  CHECK_NEAR(limit, 0.6, 1e-9);
  masonry_stands(&m, 5, &limit);
  CHECK_NEAR(limit, 2, 1e-9);
}

TEST(walls_stand_below_the_multiplier_of_the_program_and_fall_above) {
  bracket_wall(4, 3, 0.6, 2);
  bracket_wall(8, 3, 0.75, 2);
  bracket_wall(6, 2, 0.7, 2);
  bracket_wall(6, 4, 0.4, 2);
}
