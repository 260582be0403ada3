/* What a law is told of a contact, by a law that writes it down. */
#include <stdlib.h>
#include <string.h>

#include "detect/meeting.h"
#include "tests/simulating.h"

enum { MOST = 64 };

/* Of the last step, in the order in which they were asked. */
static DlsContact prepared[MOST], committed[MOST];
static int prepares, commits;

static DlsStatus prepare(const DlsContact *c, const double *params, const double *state,
                         DlsRelation *out) {
  (void)params;
  (void)state;
  out->cone = DLS_CONE_COULOMB;
  out->mu[0] = out->mu[1] = 0.4;
  out->b[0] = c->gap_rate;
  if (prepares < MOST) prepared[prepares++] = *c;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *params, const double *u, const double *r,
                        double *state) {
  (void)params;
  (void)u;
  (void)r;
  state[0] += 1;
  if (commits < MOST) committed[commits++] = *c;
  return DLS_OK;
}

static const DlsParam states[] = {{"age", "1", "steps", 0, 0, DLS_NO_BOUND, DLS_SCALAR}};
static const DlsLaw spy = {DLS_LAW_HEAD,       .name = "spy",    .summary = "writes down",
                           .references = "",   .states = states, .nstates = DLS_COUNT(states),
                           .prepare = prepare, .commit = commit};

/* Two materials; the spy everywhere. */
static void open_spied(TestScene *scene, int dim, const DlsScheme *scheme) {
  int number;
  test_scene_open(scene, dim, scheme, 1e-3, "coulomb");
  DlsInteractions *laws = &scene->simulation->settings.laws;
  CHECK_OK(dls_materials_add(&scene->world->materials, "steel", 7800, &number));
  dls_interactions_clear(laws);
  CHECK_OK(dls_law_check(&spy, "spy"));
  CHECK_OK(dls_interactions_create(2, laws));
  CHECK_OK(dls_interactions_add(laws, &spy, &number));
  CHECK_OK(dls_interactions_give(laws, -1, -1, number));
}

static void step(TestScene *scene) {
  prepares = commits = 0;
  test_scene_run(scene, 1);
}

/* A ball of a pair, which turns about the line of the pair, on another, on a plane that turns. */
TEST(a_contact_knows_its_bodies) {
  static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    TestScene scene;
    const DlsElement two[2] = {{.radius = 0.02}, {.offset = {0.1, 0, 0}, .radius = 0.03}};
    open_spied(&scene, 3, schemes[k]);
    DlsBoundary *plane = test_scene_boundary(&scene, 0);
    plane->material = 1;
    plane->velocity[5] = 0.7;
    const int low = test_scene_sphere(&scene, 0.05, 0.1, 0, 0.05);
    const int high = test_scene_body(&scene, 2, two, 0, 0, 0.13);
    DlsWorld *world = scene.world;
    world->material[high] = 1;
    world->velocity[low][3] = 2, world->velocity[high][3] = -3;
    step(&scene);
    CHECK_INT(prepares, 2);
    CHECK_INT(commits, 2);
    for (int i = 0; i < 2; i++) {
      const DlsContact *c = &prepared[i];
      const int wall = c->body[0] < 0;
      CHECK(c->body[0] == (int64_t)world->id[low] || c->body[1] == (int64_t)world->id[low]);
      if (!c->material[0] || !c->material[1]) continue;
      CHECK(c->deformable[0] == 0 && c->deformable[1] == 0 && c->area == 0);
      const int side = c->body[1] == (int64_t)world->id[low]; /* where the low one is */
      CHECK(strcmp(c->material[side], "stone") == 0 && strcmp(c->material[!side], "steel") == 0);
      CHECK_NEAR(c->radii[side], 0.05, 0);
      CHECK_NEAR(c->radii[!side], wall ? 0 : 0.03, 0);
      CHECK_NEAR(c->radius, wall ? 0.05 : 0.05 * 0.03 / 0.08, 1e-16);
      CHECK_NEAR(c->spin[side][0], 2, 0);
      CHECK_NEAR(c->spin[!side][wall ? 2 : 0], wall ? 0.7 : -3, 0);
      CHECK_NEAR(c->point[2], wall ? 0 : 0.1, 1e-4);
      if (wall) CHECK_INT(c->body[0], -(int64_t)world->boundary[0].id);
      /* After the step it is told the same, whatever the step has changed. */
      CHECK(memcmp(c->spin, committed[i].spin, sizeof c->spin) == 0);
      CHECK(memcmp(c->point, committed[i].point, sizeof c->point) == 0);
      CHECK(memcmp(c->turn, committed[i].turn, sizeof c->turn) == 0);
    }
    CHECK(world->velocity[low][3] != 2); /* it did change */
    dls_simulation_destroy(&scene.simulation);
  }
}

static DlsStatus report(const DlsContact *c, const double *params, const double *state,
                        const double *u, const double *r, int *status, double *limit,
                        double *outputs) {
  (void)c, (void)params, (void)state, (void)u, (void)r, (void)status, (void)limit, (void)outputs;
  return DLS_OK;
}

static void check_untold(const DlsContact *c) {
  for (int side = 0; side < 2; side++) {
    CHECK(!c->material[side] && c->body[side] == 0 && c->radii[side] == 0);
    for (int e = 0; e < 3; e++) CHECK(c->spin[side][e] == 0);
    for (int e = 0; e < 9; e++) CHECK(c->axes[side][e / 3][e % 3] == 0);
  }
  CHECK_NEAR(c->radius, 0.05, 0); /* of the contact it knows all */
  CHECK(c->frame[0][2] != 0 && c->mass > 0 && c->block == 3);
}

/* Balls on balls under a law that looks at bodies, balls on a plane under one that does not; as the
 * pile falls apart and is built anew, the places of the contacts in memory change. A law that
 * reports is told once for the whole step. */
TEST(a_law_that_looks_at_the_contact_alone_is_told_nothing_of_bodies) {
  for (int keeps = 0; keeps < 2; keeps++) {
    DlsLaw all = spy, alone = spy;
    TestScene scene;
    int number, plain = 0, told = 0;
    alone.claims = DLS_CLAIM_PLAIN;
    if (keeps) all.report = report;
    open_spied(&scene, 3, &dls_scheme_moreau);
    DlsInteractions *laws = &scene.simulation->settings.laws;
    CHECK_OK(dls_law_check(&alone, "alone"));
    CHECK_OK(dls_interactions_add(laws, &all, &number));
    CHECK_OK(dls_interactions_give(laws, 0, 0, number));
    CHECK_OK(dls_interactions_add(laws, &alone, &number));
    CHECK_OK(dls_interactions_give(laws, 0, 1, number));
    test_scene_boundary(&scene, 0)->material = 1;
    for (int b = 0; b < 4; b++) test_scene_sphere(&scene, 0.05, 0.05 * b, 0, b % 2 ? 0.13 : 0.05);
    for (int n = 0; n < 20; n++) {
      for (int b = 0; b < 4; b++) scene.world->velocity[b][2] = (n + b) % 3 - 1;
      step(&scene);
      CHECK_INT(prepares, commits);
      for (int i = 0; i < prepares; i++) {
        const bool wall = prepared[i].point[2] < 0.01; /* on the plane, which is plain */
        plain += wall, told += !wall;
        if (wall) check_untold(&prepared[i]), check_untold(&committed[i]);
        if (!wall) CHECK(prepared[i].radii[0] == 0.05 && committed[i].radii[1] == 0.05);
        if (!wall) CHECK(prepared[i].axes[0][0][0] != 0 && prepared[i].material[1]);
      }
    }
    CHECK(plain > 5 && told > 5);
    dls_simulation_destroy(&scene.simulation);
  }
}

static const DlsParam vector[] = {DLS_VECTOR_STATE("spring", "m", "elongation", DLS_TANGENT)};

/* A ball that spins about the normal of a plane that does so, too: from its second step on the pair
 * turns by the mean of both, whether the law is told of the spins or not. Laws that keep no vector
 * are told nothing of it, and no frames are remembered for them. */
TEST(a_law_that_keeps_vectors_knows_how_the_pair_turns) {
  for (int way = 0; way < 4; way++) {
    const bool keeps = way % 2, plain = way / 2;
    DlsLaw law = spy;
    TestScene scene;
    if (keeps) law.states = vector, law.nstates = DLS_COUNT(vector);
    if (plain) law.claims = DLS_CLAIM_PLAIN;
    open_spied(&scene, 3, &dls_scheme_moreau);
    DlsInteractions *laws = &scene.simulation->settings.laws;
    int number;
    CHECK_OK(dls_interactions_add(laws, &law, &number));
    CHECK_OK(dls_interactions_give(laws, -1, -1, number));
    test_scene_boundary(&scene, 0)->velocity[5] = 0.7;
    test_scene_sphere(&scene, 0.05, 0, 0, 0.05);
    scene.world->velocity[0][5] = 2;
    for (int n = 0; n < 3; n++) {
      step(&scene);
      CHECK_INT(prepares, 1);
      CHECK_NEAR(prepared[0].turn[2], keeps && n ? 1e-3 * 1.35 : 0, 1e-15);
      CHECK(prepared[0].turn[0] == 0 && prepared[0].turn[1] == 0);
      CHECK_NEAR(committed[0].turn[2], prepared[0].turn[2], 0);
      CHECK((scene.simulation->state.frame != NULL) == keeps);
    }
    dls_simulation_destroy(&scene.simulation);
  }
}

/* A face by hand: the ball stands for a stamp of side `edge` on the plane, with points at its
 * corners, each a quarter of the area. */
static const double edge = 0.03;

static void stamp(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b, DlsManifold *out) {
  (void)meeting;
  (void)b;
  for (uint32_t k = 0; k < 4; k++) {
    const double *x = a->pose.position;
    DlsManifoldPoint p = {.gap = x[2] - a->ball->radius,
                          .normal = {0, 0, 1},
                          .point = {x[0] + (k % 2 ? 0.5 : -0.5) * edge,
                                    x[1] + (k / 2 ? 0.5 : -0.5) * edge, x[2] - a->ball->radius},
                          .area = edge * edge / 4,
                          .feature = {0, k}};
    dls_manifold_add(out, &p);
  }
}

/* The table of meetings is of the process: this comes last, and puts back what was there. */
TEST(the_area_of_a_point_is_what_its_meeting_gives) {
  TestScene scene;
  double sum = 0;
  CHECK_OK(dls_meeting_register_boundary(DLS_SHAPE_BALL, DLS_BOUNDARY_PLANE, stamp));
  open_spied(&scene, 3, &dls_scheme_moreau);
  test_scene_boundary(&scene, 0);
  test_scene_sphere(&scene, 0.02, 0, 0, 0.02);
  step(&scene);
  CHECK_INT(prepares, 4);
  for (int i = 0; i < prepares; i++) {
    sum += prepared[i].area;
    CHECK_NEAR(fabs(prepared[i].point[0]), edge / 2, 1e-15);
    CHECK_NEAR(prepared[i].area, committed[i].area, 0);
  }
  CHECK_NEAR(sum, edge * edge, 1e-18);
  dls_simulation_destroy(&scene.simulation);
  CHECK_OK(
      dls_meeting_register_boundary(DLS_SHAPE_BALL, DLS_BOUNDARY_PLANE, dls_meet_ball_boundary));
}
