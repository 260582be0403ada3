/* Contacts of meshed bodies: rows of H against sums over nodes written here, one normal on flat
 * faces, surfaces that meet themselves, nodes that are held, a cohesive zone between meshes. */
#include <stdio.h>

#include "tests/meshed_block.h"

#include "post/deformed.h"
#include "world/convex.h"
#include "world/layout.h"

static const double stiff = 1e7, nu = 0.3, density = 1000;

/* Velocities of all nodes of a body, in space, from the flat vector of the step. */
static void node_velocities(const TestScene *scene, const Block *b, const double *flat,
                            double *out) {
  const DlsWorld *world = scene->world;
  const DlsDeformable *d = dls_deformable_of(world, b->body);
  dls_body_node_velocity(b->model, world->deformable.state + d->state,
                         flat + dls_layout_start(world, b->body), out);
}

/* The node of a block that element e of its body is, by its place. */
static int node_of(const TestScene *scene, const Block *b, int e) {
  const DlsWorld *world = scene->world;
  const double *offset = world->element[world->first[b->body] + e].offset;
  for (int a = 0; a < b->nodes; a++) {
    double apart = 0;
    for (int k = 0; k < b->dim; k++)
      apart += fabs(b->X[a][k] + block_u(scene, b, a, k) - world->position[b->body][k] - offset[k]);
    if (apart < 1e-9) return a;
  }
  return -1;
}

/* One side of contact c of the set, number i of the problem: adds what it has of u to u, and its
 * part of H^T r to push [nodes][dim]. */
static void add_side(const TestScene *scene, const Block *b, int c, int i, int side,
                     const double *v, double *u, double *push) {
  const DlsContactSet *set = &scene->simulation->last.contacts;
  const DlsAssembly *a = &scene->simulation->last.assembly;
  const DlsContactMean mean = set->mean[c][side];
  double whole = 0;
  for (int m = mean.start; m < mean.start + mean.count; m++) {
    const int node = node_of(scene, b, set->element[m]);
    CHECK(node >= 0);
    whole += set->weight[m];
    for (int row = 0; row < b->dim; row++)
      for (int e = 0; e < b->dim; e++) {
        const double share = (side == 0 ? 1 : -1) * set->weight[m] * set->frame[c][3 * row + e];
        u[row] += share * v[node * b->dim + e];
        push[node * b->dim + e] += share * a->solve.r[i * a->run.block + row];
      }
  }
  CHECK_NEAR(whole, 1, 1e-12);
}

/* M^ (v+ - v_free) = push. */
static void check_impulses(const TestScene *scene, const Block *b, const double *push) {
  const DlsSimulation *s = scene->simulation;
  const DlsDeformable *d = dls_deformable_of(scene->world, b->body);
  const DlsSparse *M = d->kind->pattern(d->model);
  const double h = s->settings.h;
  const DlsDeformableStep step = {.h = h, .before = h / 2, .after = h / 2};
  const double *after = s->work.velocity + dls_layout_start(scene->world, d->body);
  const double *free_flight = s->last.free_velocity + dls_layout_start(scene->world, d->body);
  double *value = calloc((size_t)M->start[M->rows], sizeof *value), most = 0;
  d->kind->matrix(d->model, scene->world->deformable.state + d->state, &step, value);
  for (int i = 0; i < b->nodes * b->dim; i++) {
    const int row = dls_body_velocity(b->model, i / b->dim, i % b->dim);
    double sum = 0;
    if (row < 0) continue;
    for (int n = M->start[row]; n < M->start[row + 1]; n++)
      sum += value[n] * (after[M->column[n]] - free_flight[M->column[n]]);
    CHECK_NEAR(sum, push[i], 1e-9);
    most = fmax(most, fabs(sum));
  }
  CHECK(most > 0);
  free(value);
}

/* Files have the same forces on nodes: H^T r / h. */
static void check_reactions(const TestScene *scene, const Block *blocks, double **push) {
  const DlsSimulation *s = scene->simulation;
  DlsPacking packing = {0};
  DlsDeformed seen = {0};
  int first = 0;
  CHECK_OK(dls_packing_take(s, &packing));
  CHECK_OK(dls_deformed_take(s, &packing, &seen));
  for (int k = 0; k < 2; first += blocks[k++].nodes)
    for (int i = 0; i < blocks[k].nodes * blocks[k].dim; i++)
      if (dls_body_velocity(blocks[k].model, i / blocks[k].dim, i % blocks[k].dim) >= 0)
        CHECK_NEAR(seen.reaction[first + i / blocks[k].dim][i % blocks[k].dim] * s->settings.h,
                   push[k][i], 1e-9);
  dls_deformed_clear(&seen);
  dls_packing_clear(&packing);
}

/* For every contact of the last step u = T (sum w v of one side - sum w v of the other), and for
 * both bodies M^ (v+ - v_free) = H^T r, with H put together here from nodes and weights. */
static void check_rows(const TestScene *scene, const Block *blocks) {
  const DlsAssembly *a = &scene->simulation->last.assembly;
  const DlsContactSet *set = &scene->simulation->last.contacts;
  double *v[2], *push[2];
  for (int k = 0; k < 2; k++) {
    v[k] = calloc((size_t)(blocks[k].nodes * blocks[k].dim), sizeof **v);
    push[k] = calloc((size_t)(blocks[k].nodes * blocks[k].dim), sizeof **push);
    node_velocities(scene, &blocks[k], scene->simulation->work.velocity, v[k]);
  }
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i], who[2] = {set->candidate[c], set->antagonist[c]};
    double u[3] = {0};
    CHECK(set->mean[c][0].count > 1 || set->mean[c][1].count > 1);
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 2; k++)
        if (who[side] == blocks[k].body) add_side(scene, &blocks[k], c, i, side, v[k], u, push[k]);
    for (int row = 0; row < a->run.block; row++)
      CHECK_NEAR(u[row], a->solve.u[i * a->run.block + row], 1e-10);
  }
  check_reactions(scene, blocks, push);
  for (int k = 0; k < 2; k++) {
    check_impulses(scene, &blocks[k], push[k]);
    free(v[k]), free(push[k]);
  }
}

static unsigned char held_bottom_2(const double X[3]) { return X[1] == 0 ? 3 : 0; }
static unsigned char held_bottom_3(const double X[3]) { return X[2] == 0 ? 7 : 0; }

TEST(rows_are_sums_over_nodes) {
  for (int dim = 2; dim <= 3; dim++)
    for (int meet = 0; meet < 3; meet++) {
      TestScene scene;
      int met = 0;
      BlockSetup low = {.cells = {3, dim == 2 ? 2 : 3, 2},
                        .length = {1, dim == 2 ? 0.5 : 1, 0.5},
                        .E = stiff,
                        .nu = nu,
                        .density = density,
                        .meet = (DlsMeetBy)meet,
                        .held = dim == 2 ? held_bottom_2 : held_bottom_3};
      BlockSetup up = low;
      up.held = NULL;
      up.velocity[1] = dim == 3 ? 0.2 : 0;
      up.cells[0] = 4, up.cells[1] = dim == 2 ? 2 : 3;
      up.low[0] = 0.13, up.low[dim - 1] = 0.5005;
      up.velocity[0] = 0.4, up.velocity[dim - 1] = -1;
      test_scene_open(&scene, dim, &dls_scheme_moreau, 2e-4, "coulomb");
      test_scene_set(&scene, 0, "mu", 0.3);
      scene.simulation->settings.theta = 0.5;
      Block blocks[2] = {block_add(&scene, &low), block_add(&scene, &up)};
      for (int n = 0; n < 12; n++) {
        test_scene_run(&scene, 1);
        if (scene.simulation->last.assembly.step.count == 0) continue;
        dls_world_drift(scene.world, -1e-4); /* back to where the contacts were found */
        check_rows(&scene, blocks);
        dls_world_drift(scene.world, 1e-4);
        met++;
      }
      CHECK(met > 3);
      test_scene_close(&scene);
      for (int k = 0; k < 2; k++) block_clear(&blocks[k]);
    }
}

/* ---- Rigid bodies on faces ---- */

/* A small ball slides over nodes and edges of a flat surface of stiff cells as over a plane: one
 * contact, its normal that of the plane, its speed kept. */
TEST(a_ball_slides_over_inner_edges) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const double radius = 0.03, speed = 2;
    const BlockSetup floor = {.cells = {6, dim == 2 ? 1 : 6, 1},
                              .length = {1, dim == 2 ? 0.2 : 1, 0.2},
                              .low = {0, dim == 2 ? -0.2 : 0, -0.2},
                              .E = 1e12,
                              .nu = nu,
                              .density = density,
                              .meet = DLS_MEET_BY_NODES};
    test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "signorini");
    scene.gravity[dim - 1] = 0;
    Block block = block_add(&scene, &floor);
    const int ball = dim == 2 ? test_scene_sphere(&scene, radius, 0.1, radius, 0)
                              : test_scene_sphere(&scene, radius, 0.1, 0.13, radius);
    double *v = scene.world->velocity[ball];
    v[0] = speed, v[dim - 1] = 0;
    if (dim == 3) v[1] = 0.5 * speed;
    for (int n = 0; n < 300; n++) {
      test_scene_run(&scene, 1);
      const DlsContactSet *set = &scene.simulation->last.contacts;
      CHECK_INT(set->count, 1);
      CHECK_NEAR(fabs(set->frame[0][dim - 1]), 1, 1e-9);
      CHECK_NEAR(set->gap[0], 0, 1e-12);
      CHECK_NEAR(v[0], speed, 1e-12);
      CHECK_NEAR(v[dim - 1], 0, 1e-12);
    }
    test_scene_close(&scene);
    block_clear(&block);
  }
}

/* ---- Past the end of a surface ---- */

static bool is_top(const double X[3], int dim) { return X[dim - 1] > 0.5 - 1e-9; }
static bool top_2(const double X[3]) { return is_top(X, 2); }
static bool top_3(const double X[3]) { return is_top(X, 3); }

/* What is past x = 1 hangs down beside the end. */
static void hang(double x[3], int up) { x[up] -= 0.9 * fmax(0, x[0] - 1); }
static void hang_2(double x[3]) { hang(x, 1); }
static void hang_3(double x[3]) { hang(x, 2); }

static Block floor_that_ends(TestScene *scene, int dim, bool open, DlsMeetBy meet) {
  const BlockSetup floor = {.cells = {4, dim == 2 ? 2 : 4, 2},
                            .length = {1, dim == 2 ? 0.5 : 1, 0.5},
                            .E = stiff,
                            .nu = nu,
                            .density = density,
                            .meet = meet,
                            .meets = !open      ? NULL
                                     : dim == 2 ? top_2
                                                : top_3};
  test_scene_open(scene, dim, &dls_scheme_moreau, 1e-6, "signorini");
  scene->gravity[dim - 1] = 0;
  return block_add(scene, &floor);
}

/* A block whose nodes hang past the end of another, lower than its top but beside it: no overlap,
 * whether the surface ends there or goes on down the side. */
TEST(what_hangs_past_an_end_overlaps_nothing) {
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 4; way++) {
      TestScene scene;
      const DlsMeetBy meet = way % 2 ? DLS_MEET_BY_QUADRATURE : DLS_MEET_BY_NODES;
      Block blocks[2] = {floor_that_ends(&scene, dim, way / 2, meet)};
      BlockSetup over = {.cells = {12, dim == 2 ? 2 : 5, 2},
                         .length = {1, dim == 2 ? 0.3 : 0.8, 0.3},
                         .low = {0.5, dim == 2 ? 0.5 : 0.1, 0.5},
                         .E = stiff,
                         .nu = nu,
                         .density = density,
                         .meet = meet,
                         .bend = dim == 2 ? hang_2 : hang_3};
      blocks[1] = block_add(&scene, &over);
      test_scene_run(&scene, 1);
      const DlsContactSet *set = &scene.simulation->last.contacts;
      int within = 0;
      for (int c = 0; c < set->count; c++) {
        CHECK(set->gap[c] > -1e-9);
        if (set->point[c][0] > 1 - 1e-9 || fabs(set->gap[c]) > 1e-9) continue;
        CHECK_NEAR(fabs(set->frame[c][dim - 1]), 1, 1e-9);
        within++;
      }
      CHECK(within >= (dim == 2 ? 5 : 30));
      test_scene_close(&scene);
      for (int k = 0; k < 2; k++) block_clear(&blocks[k]);
    }
}

/* A ball whose middle is past the end meets the end itself: gap and normal are those of the nearest
 * point, in the plane, at a side and at a corner in space. */
TEST(a_ball_past_an_end_meets_the_end) {
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 4; way++) {
      TestScene scene;
      const bool corner = dim == 3 && way % 2;
      const double r = 0.1, past = 0.4 * r, aside = corner ? 0.2 * r : 0, up = 0.9 * r;
      Block floor = floor_that_ends(&scene, dim, way / 2, DLS_MEET_BY_NODES);
      scene.simulation->settings.h = 1e-2;
      const int ball =
          dim == 2 ? test_scene_sphere(&scene, r, 1 + past, 0.5 + up, 0)
                   : test_scene_sphere(&scene, r, 1 + past, corner ? 1 + aside : 0.4, 0.5 + up);
      memset(scene.world->velocity[ball], 0, sizeof scene.world->velocity[ball]);
      scene.world->velocity[ball][dim - 1] = -1;
      test_scene_run(&scene, 1);
      const DlsContactSet *set = &scene.simulation->last.contacts;
      const double drop = 0.5e-2, high = up - drop; /* found in the middle of the step */
      const double there = sqrt(past * past + aside * aside + high * high);
      CHECK_INT(set->count, 1);
      CHECK_NEAR(set->gap[0], there - r, 1e-12);
      CHECK_NEAR(fabs(set->frame[0][0]), past / there, 1e-12);
      CHECK_NEAR(fabs(set->frame[0][dim - 1]), high / there, 1e-12);
      test_scene_close(&scene);
      block_clear(&floor);
    }
}

/* A rigid box at rest on a block that is at rest on a plane: the floor carries both, the box stands
 * on its corners and on nodes of the block. */
TEST(a_box_rests_on_a_block) {
  TestScene scene;
  const BlockSetup setup = {.cells = {5, 2},
                            .length = {1, 0.3},
                            .E = stiff,
                            .nu = nu,
                            .density = density,
                            .meet = DLS_MEET_BY_NODES};
  const double length[3] = {0.33, 0.2, 1}, box_mass = 0.33 * 0.2 * density;
  DlsConvexNumbers numbers;
  DlsShape shape;
  test_scene_open(&scene, 2, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.5);
  scene.simulation->settings.theta = 1; /* comes to rest */
  test_scene_boundary(&scene, 0);
  Block block = block_add(&scene, &setup);
  CHECK_OK(dls_convex_box(2, 0, length, &numbers));
  const DlsShapePart part = {
      .kind = DLS_SHAPE_CONVEX, .count = numbers.count, .number = numbers.number};
  CHECK_OK(dls_shape_compose(2, 1, &part, &shape));
  const DlsBody box = {.shape = &shape, .density = density, .position = {0.47, 0.4, 0}};
  CHECK_OK(dls_world_add_body(scene.world, &box));
  dls_shape_clear(&shape);
  free(numbers.number);
  test_scene_run(&scene, 400);
  const double weight = test_g * (0.3 * density + box_mass);
  CHECK_NEAR(scene.simulation->state.boundary_force[0][1], -weight, 1e-3 * weight);
  double on_box = 0;
  const DlsAssembly *a = &scene.simulation->last.assembly;
  int corners = 0, nodes = 0;
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i];
    const DlsContactSet *set = &scene.simulation->last.contacts;
    if (set->antagonist[c] != 1) continue;
    CHECK(set->area[c] > 0); /* corners of the box too: a law per unit of area may act there */
    on_box -= a->solve.r[2 * i] * set->frame[c][1] / scene.simulation->settings.h;
    corners += set->mean[c][0].count > 0, nodes += set->mean[c][0].count == 0;
  }
  CHECK_INT(corners, 2);
  CHECK(nodes > 0);
  CHECK_NEAR(on_box, box_mass * test_g, 1e-3 * weight);
  test_scene_close(&scene);
  block_clear(&block);
}

/* ---- A surface on itself ---- */

static void to_horseshoe(double x[3]) {
  const double angle = 1.9 * 3.14159265358979 * x[0] - 0.95 * 3.14159265358979, r = 1 - x[1];
  x[0] = r * sin(angle), x[1] = -r * cos(angle);
}

/* A ring with a slit, its ends thrown at each other: they bounce, no node goes through, momentum
 * stays; without `self` they pass. */
TEST(a_ring_closes_on_itself) {
  double deepest[2] = {0, 0};
  for (int self = 0; self < 2; self++) {
    TestScene scene;
    const DlsKinematics large = DLS_KINEMATICS_TOTAL_LAGRANGIAN;
    const BlockSetup ring = {.cells = {24, 2},
                             .length = {1, 0.1},
                             .E = 1e6,
                             .nu = nu,
                             .density = density,
                             .meet = DLS_MEET_BY_NODES,
                             .kinematics = large,
                             .self = self,
                             .bend = to_horseshoe};
    test_scene_open(&scene, 2, &dls_scheme_moreau, 5e-4, "signorini");
    scene.gravity[1] = 0;
    scene.simulation->settings.theta = 0.5;
    Block b = block_add(&scene, &ring);
    const DlsDeformable *d = dls_deformable_of(scene.world, b.body);
    double *nodes = calloc((size_t)b.nodes * 2, sizeof *nodes), start[3], end[3];
    for (int a = 0; a < b.nodes; a++)
      if (b.X[a][1] > 0) nodes[2 * a] = -8 * b.X[a][1] * (b.X[a][0] > 0 ? 1 : -1);
    dls_body_take_velocity(b.model, scene.world->deformable.state + d->state, nodes,
                           scene.world->deformable.velocity + d->velocity);
    free(nodes);
    dls_deformables_show(scene.world);
    dls_world_momentum(scene.world, start);
    int met = 0;
    for (int n = 0; n < 120; n++) {
      test_scene_run(&scene, 1);
      met += scene.simulation->last.report.contacts > 0;
      /* The ends of the strip: its first and last columns of nodes. */
      for (int j = 0; j < 3; j++) {
        const int right = block_node(&ring, 2, 24, j, 0), left = block_node(&ring, 2, 0, j, 0);
        const double apart = b.X[right][0] + block_u(&scene, &b, right, 0) - b.X[left][0] -
                             block_u(&scene, &b, left, 0);
        deepest[self] = fmin(deepest[self], apart);
      }
    }
    dls_world_momentum(scene.world, end);
    CHECK_NEAR(end[0], start[0], 1e-9);
    CHECK_NEAR(end[1], start[1], 1e-9);
    CHECK(self ? met > 5 : met == 0);
    test_scene_close(&scene);
    block_clear(&b);
  }
  if (getenv("SHOW")) printf("ends of the ring: %g without, %g with\n", deepest[0], deepest[1]);
  CHECK(deepest[0] < -0.05);
  CHECK(deepest[1] > -0.01);
}

/* ---- Held nodes ---- */

static unsigned char held_all_along(const double X[3]) { return X[1] >= 0.5 ? 3 : 0; }

/* A block whose upper nodes are held lies with them, and with its lower ones, which are free, in a
 * floor and under a roof: contacts of held nodes with what does not move are not in the problem. */
TEST(held_nodes_are_left_out) {
  TestScene scene;
  const BlockSetup setup = {.cells = {4, 2},
                            .length = {1, 0.5},
                            .E = stiff,
                            .nu = nu,
                            .density = density,
                            .meet = DLS_MEET_BY_NODES,
                            .held = held_all_along};
  const DlsBoundary roof = {
      .kind = DLS_BOUNDARY_PLANE, .position = {0, 0.5, 0}, .orientation = {0, 0, 0, 1}};
  test_scene_open(&scene, 2, &dls_scheme_moreau, 1e-4, "coulomb");
  test_scene_boundary(&scene, 0);
  CHECK_OK(dls_world_add_boundary(scene.world, &roof));
  Block b = block_add(&scene, &setup);
  test_scene_run(&scene, 3);
  int held = 0;
  const DlsContactSet *set = &scene.simulation->last.contacts;
  for (int c = 0; c < set->count; c++) held += set->antagonist[c] == -2;
  CHECK_INT(held, 5);
  CHECK_INT(scene.simulation->last.report.contacts, 5);
  test_scene_close(&scene);
  block_clear(&b);
}

/* ---- Laws ---- */

TEST(restitution_of_a_surface_is_refused) {
  TestScene scene;
  const BlockSetup setup = {.cells = {2, 2},
                            .length = {1, 0.5},
                            .E = stiff,
                            .nu = nu,
                            .density = density,
                            .meet = DLS_MEET_BY_NODES};
  test_scene_open(&scene, 2, &dls_scheme_moreau, 1e-4, "coulomb");
  test_scene_set(&scene, 0, "rho", 0.5);
  test_scene_boundary(&scene, 0);
  Block b = block_add(&scene, &setup);
  CHECK_INT(dls_simulation_step(scene.simulation), DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "rho = 0.5") && strstr(dls_error_message(), "rho: 0"));
  test_scene_close(&scene);
  block_clear(&b);
}

static unsigned char driven_top_2(const double X[3]) { return X[1] > 0.2 - 1e-9 ? 2 : 0; }
static unsigned char driven_top_3(const double X[3]) { return X[2] > 0.2 - 1e-9 ? 4 : 0; }

/* The energy, J, that a cohesive zone between two meshed blocks takes when the upper one is pulled
 * off: G A, however the meshes divide the face. */
static double delaminate(int dim, double area) {
  const double G = 20, f_t = 2e5, side = 0.2, half = 0.1, opening = 2 * G / f_t, speed = 0.2;
  const int steps = 400;
  TestScene scene;
  BlockSetup low = {.cells = {dim == 2 ? 4 : 2, dim == 2 ? 2 : 3, 1},
                    .length = {side, dim == 2 ? half : side, half},
                    .E = 1e10,
                    .nu = 0.2,
                    .density = 1000,
                    .meet = DLS_MEET_BY_MORTAR,
                    .held = dim == 2 ? held_bottom_2 : held_bottom_3,
                    .driven = dim == 2 ? driven_top_2 : driven_top_3};
  low.speed[dim - 1] = speed;
  BlockSetup up = low;
  up.held = NULL;
  up.cells[0] = dim == 2 ? 7 : 3, up.cells[1] = 2;
  up.low[dim - 1] = half;
  test_scene_open(&scene, dim, &dls_scheme_moreau, opening / (speed * steps), "cohesive-zone");
  memset(scene.gravity, 0, sizeof scene.gravity);
  test_scene_set(&scene, 0, "mu", 0);
  test_scene_set(&scene, 0, "reach", 2e-6);
  scene.simulation->settings.theta = 0.5;
  Block blocks[2] = {block_add(&scene, &low), block_add(&scene, &up)};
  test_scene_run(&scene, 5 * steps / 4);
  const DlsLedger *e = &scene.simulation->state.ledger;
  const double lost = e->dissipated;
  if (getenv("SHOW")) printf("%d-D: %g of G A, stored %g\n", dim, lost / (G * area), e->stored);
  CHECK_NEAR(e->stored, 0, 1e-6 * G * area);
  test_scene_close(&scene);
  for (int k = 0; k < 2; k++) block_clear(&blocks[k]);
  return lost / (G * area);
}

TEST(a_cohesive_zone_between_meshes_takes_its_fracture_energy) {
  CHECK_NEAR(delaminate(2, 0.2), 1, 0.01);
  CHECK_NEAR(delaminate(3, 0.04), 1, 0.01);
}
