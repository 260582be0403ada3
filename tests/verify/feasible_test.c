/* Feasibility (Maury): with euler no pair overlaps at the end of a step, however long the step is.
 * The judge is a second loop over all pairs and walls, and convexity: g(x + h v) >= g(x) + h u_N
 * for spheres and flat walls, so that nothing but the -u_N that the solver leaves can let a pair
 * in. */
#include "tests/simulating.h"

#include "base/random.h"

#include <delassus/errors.h>

enum { GRAINS = 20 };
static const double wide = 0.4; /* m, of the box */

/* The smallest gap between two elements of different bodies, or of one and the walls of the box
 * from 0 to `wide`, open above; the floor stands at `floor`. */
static double least_gap(const DlsWorld *world, double floor) {
  const int dim = world->dim, up = dim - 1;
  double least = INFINITY;
  const int elements = world->first[world->count];
  for (int e = 0; e < elements; e++) {
    double x[3], y[3];
    const int i = world->element_body[e];
    dls_rotation_apply(world->orientation[i], world->element[e].offset, x);
    for (int k = 0; k < 3; k++) x[k] += world->position[i][k];
    least = fmin(least, x[up] - floor - world->element[e].radius);
    for (int k = 0; k < up; k++)
      least = fmin(least, fmin(x[k], wide - x[k]) - world->element[e].radius);
    for (int f = 0; f < e; f++) {
      const int j = world->element_body[f];
      if (i == j) continue;
      dls_rotation_apply(world->orientation[j], world->element[f].offset, y);
      double square = 0;
      for (int k = 0; k < 3; k++) {
        y[k] += world->position[j][k] - x[k];
        square += y[k] * y[k];
      }
      least = fmin(least, sqrt(square) - world->element[e].radius - world->element[f].radius);
    }
  }
  return least;
}

static void add_wall(TestScene *scene, int axis, double sense, double at) {
  /* A plane's normal is its own y in 2-D, z in 3-D: turned to `sense` times the axis. */
  double from[3] = {0}, to[3] = {0}, cross[3];
  from[scene->world->dim - 1] = 1;
  to[axis] = sense;
  dls_vector_cross(from, to, cross);
  const double cosine = dls_vector_dot(from, to), w = sqrt((1 + cosine) / 2);
  DlsBoundary wall = {.kind = DLS_BOUNDARY_PLANE, .orientation = {w, 0, 0, 0}};
  for (int k = 0; k < 3; k++) wall.orientation[1 + k] = cross[k] / (2 * w);
  wall.position[axis] = at;
  CHECK_OK(dls_world_add_boundary(scene->world, &wall));
}

typedef struct {
  int dim;
  const DlsScheme *scheme;
  double h;
  uint64_t seed;
  bool clusters; /* of two */
  double lift;   /* m/s, of the floor */
  const char *law;
} Case;

static void open_case(TestScene *scene, const Case *c) {
  const int up = c->dim - 1, row = c->dim == 2 ? 5 : 3;
  DlsRandom random;
  dls_random_seed(&random, c->seed);
  test_scene_open(scene, c->dim, c->scheme, c->h, c->law);
  scene->simulation->settings.limits.tolerance = 1e-8;
  scene->simulation->settings.limits.max_iterations = 200000;
  for (int axis = 0; axis < up; axis++) {
    add_wall(scene, axis, 1, 0);
    add_wall(scene, axis, -1, wide);
  }
  add_wall(scene, up, 1, 0);
  scene->world->boundary[scene->world->boundary_count - 1].velocity[up] = c->lift;
  const double pitch = wide / row;
  for (int n = 0; n < GRAINS; n++) {
    const int place[3] = {n % row, c->dim == 2 ? n / row : n / row % row, n / (row * row)};
    const double size = (c->dim == 2 ? 0.3 : 0.35) * pitch * (0.8 + 0.3 * dls_random_unit(&random));
    const DlsElement pair[2] = {{{-0.4 * size, 0, 0}, 0.6 * size},
                                {{0.4 * size, 0, 0}, 0.6 * size}};
    const DlsElement one = {.radius = size};
    double x[3] = {0};
    for (int k = 0; k < c->dim; k++) x[k] = (place[k] + 0.5) * pitch;
    const int b =
        test_scene_body(scene, c->clusters ? 2 : 1, c->clusters ? pair : &one, x[0], x[1], x[2]);
    for (int k = 0; k < c->dim; k++)
      scene->world->velocity[b][k] = 4 * dls_random_unit(&random) - 2;
    scene->world->velocity[b][5] = c->clusters ? 10 * dls_random_unit(&random) : 0;
  }
}

/* m: half of h² w² r, twice: how far the fastest two turning elements leave their tangents in a
 * step. */
static double sag_of(const DlsWorld *world, double h) {
  double most = 0;
  for (int e = 0; e < world->first[world->count]; e++) {
    const double *w = world->velocity[world->element_body[e]] + 3;
    most =
        fmax(most, 0.5 * h * h * dls_vector_dot(w, w) * dls_vector_norm(world->element[e].offset));
  }
  return 2 * most;
}

/* Some steps of a case; every one ends with no overlap but what the solver left, and that is
 * little. Returns the solves that new pairs asked for. */
static int run_case(const Case *c, int steps) {
  TestScene scene;
  open_case(&scene, c);
  DlsSimulation *s = scene.simulation;
  const int floor = s->world->boundary_count - 1, up = c->dim - 1;
  double allowed = 0;
  int rounds = 0;
  CHECK(least_gap(s->world, 0) > 0);
  for (int k = 0; k < steps && s->state.unconverged == 0; k++) {
    DlsErrors errors = {0};
    CHECK_OK(dls_simulation_step(s));
    rounds += s->last.report.rounds;
    if (s->last.assembly.step.count)
      CHECK_OK(dls_errors_measure(s->last.assembly.solve.problem, s->last.assembly.solve.r, NULL,
                                  &errors));
    allowed += s->settings.h * errors.penetration + 1e-13;
    if (c->clusters) allowed += sag_of(s->world, s->settings.h);
    const double gap = least_gap(s->world, s->world->boundary[floor].position[up]);
    if (!(gap >= -allowed) || !(errors.penetration < 1e-4)) {
      test_fail(
          __FILE__, __LINE__,
          "%d-D %s, h = %g s, seed %d, clusters %d, lift %g, step %d: gap %.3g m, allowed %.3g; "
          "u_N left %.3g m/s",
          c->dim, c->scheme->name, c->h, (int)c->seed, c->clusters, c->lift, k, gap, -allowed,
          -errors.penetration);
      break;
    }
  }
  test_scene_close(&scene);
  return rounds;
}

static const double lengths[] = {1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.5};

TEST(disks_and_spheres_never_overlap_with_euler) {
  int rounds = 0;
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(lengths); k++)
      for (uint64_t seed = 1; seed <= 4; seed++) {
        const Case c = {dim, &dls_scheme_euler, lengths[k], seed, false, 0, "coulomb"};
        rounds += run_case(&c, 12);
      }
  CHECK(rounds > 20); /* there were pairs that the first solve closed */
}

TEST(nor_over_a_floor_that_rises) {
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(lengths); k++) {
      const Case c = {dim, &dls_scheme_euler, lengths[k], 7, false, 0.3, "signorini"};
      run_case(&c, 12);
    }
}

/* What turns leaves its tangent: by no more than that do clusters overlap. */
TEST(clusters_overlap_by_their_turn_at_most) {
  for (int k = 0; k < DLS_COUNT(lengths); k++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      const Case c = {2, &dls_scheme_euler, lengths[k], seed, true, 0, "coulomb"};
      run_case(&c, 8);
    }
}

/* Slow grains at rest: the check asks for no solve. */
TEST(where_nothing_is_new_nothing_is_solved_again) {
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_euler, 1e-3, "coulomb");
  test_scene_boundary(&scene, 0);
  for (int k = 0; k < 5; k++) test_scene_sphere(&scene, 0.05, 0, 0, 0.05 + 0.1 * k);
  for (int k = 0; k < 50; k++) {
    test_scene_run(&scene, 1);
    CHECK_INT(scene.simulation->last.report.rounds, 0);
  }
  test_scene_close(&scene);
}

/* A ball at rest between a fast one and a third: thrown by the first it would pass the third. */
TEST(what_is_thrown_by_an_impulse_of_the_step_meets_what_is_in_its_way) {
  TestScene scene;
  test_scene_open(&scene, 2, &dls_scheme_euler, 0.1, "coulomb");
  scene.gravity[1] = 0;
  const int first = test_scene_sphere(&scene, 0.05, 0, 0, 0);
  const int second = test_scene_sphere(&scene, 0.05, 0.15, 0, 0);
  const int third = test_scene_sphere(&scene, 0.05, 0.3, 0, 0);
  scene.world->velocity[first][0] = 10;
  test_scene_run(&scene, 1);
  const double(*x)[3] = (const double(*)[3])scene.world->position;
  CHECK(scene.simulation->last.report.rounds > 0);
  CHECK(x[second][0] - x[first][0] >= 0.1 - 1e-9);
  CHECK(x[third][0] - x[second][0] >= 0.1 - 1e-9);
  /* Momentum is that of the first. */
  CHECK_NEAR(scene.world->velocity[0][0] + scene.world->velocity[1][0] +
                 scene.world->velocity[2][0],
             10, 1e-9);
  test_scene_close(&scene);
}
