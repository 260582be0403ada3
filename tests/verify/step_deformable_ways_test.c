/* Deformable bodies in all that a step can meet: halves, cuts, bodies that go, solids that turn,
 * elements that are faster than their body; and what is not served is refused with a sentence. */
#include "tests/elastic_chain.h"

#include "assemble/coupling.h"

#include <float.h>
#include <math.h>

enum { NODES = 12, FREEDOM = 3 * NODES };
static const double h = 1e-3, node_mass = 0.1, stiffness = 4e4, radius = 0.05;

/* A standing chain that falls, over the place (x, 0). */
static int add_chain(TestScene *scene, double x, double height, double speed) {
  const double low[3] = {x, 0, radius + height}, apart[3] = {0, 0, 2 * radius};
  return chain_add(scene->world, chain_create(3, NODES, node_mass, stiffness, radius, low, apart),
                   (const double[3]){0.1, 0, -speed});
}

static void open_scene(TestScene *scene, const DlsScheme *scheme) {
  test_scene_open(scene, 3, scheme, h, "coulomb");
  test_scene_set(scene, 0, "mu", 0.3);
  test_scene_boundary(scene, 0);
}

static bool same_chain(const DlsWorld *a, int body, const DlsWorld *b, int other) {
  const size_t bytes = FREEDOM * sizeof(double);
  return memcmp(chain_q(a, body), chain_q(b, other), bytes) == 0 &&
         memcmp(chain_v(a, body), chain_v(b, other), bytes) == 0 &&
         memcmp(a->position[body], b->position[other], sizeof *a->position) == 0;
}

/* Halves are steps of their own: what no account explains is round-off there too; each other h is a
 * factor more. */
TEST(a_step_with_a_chain_is_halved) {
  TestScene scene;
  int in_parts = 0;
  open_scene(&scene, &dls_scheme_moreau);
  DlsSimulation *s = scene.simulation;
  s->settings.control = DLS_CONTROL_HALVE;
  s->settings.fraction = 0.03; /* 1.5 mm */
  add_chain(&scene, 0, 4e-3, 1.4);
  for (int n = 0; n < 100; n++) {
    test_scene_run(&scene, 1);
    in_parts += s->last.report.parts > 1;
    CHECK_NEAR(s->state.ledger.balance, 0, 1e-11 * s->state.ledger.start);
  }
  CHECK(in_parts > 0 && in_parts < 100);
  CHECK(dls_coupling_factorisations(&s->last.assembly) > 1);
  test_scene_close(&scene);
}

/* A node that goes too far is seen, even where its body as a whole stands still. */
TEST(a_node_that_is_too_fast_is_refused) {
  TestScene scene;
  open_scene(&scene, &dls_scheme_moreau);
  scene.simulation->settings.control = DLS_CONTROL_REFUSE;
  const int body = add_chain(&scene, 0, 1, 0);
  chain_v(scene.world, body)[2] = -20;
  chain_v(scene.world, body)[5] = 20;
  dls_deformables_show(scene.world);
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_NUMERIC, "of its radius");
  test_scene_close(&scene);
}

static int calls, stop_at;
static int on_measure(void *context, long iteration, double time_s, double error) {
  (void)context, (void)iteration, (void)time_s, (void)error;
  return ++calls == stop_at;
}

/* As tests/unit/step_cut_test.c says it of rigid bodies. */
TEST(a_step_with_a_chain_that_is_cut_has_not_been) {
  for (int halves = 0; halves < 2; halves++) {
    TestScene alone, cut, *const both[2] = {&alone, &cut};
    int chain = 0, ball = 0, cuts = 0;
    for (int k = 0; k < 2; k++) {
      open_scene(both[k], &dls_scheme_moreau);
      chain = add_chain(both[k], 0, 2e-3, 1);
      ball = test_scene_sphere(both[k], 0.08, 0.02, 0, 2 * radius * NODES + 0.09);
      both[k]->simulation->settings.monitor = (DlsMonitor){on_measure, NULL};
      both[k]->simulation->settings.control = halves ? DLS_CONTROL_HALVE : DLS_CONTROL_NONE;
      both[k]->simulation->settings.fraction = 0.015;
      CHECK_OK(dls_solver_find("nsgs", &both[k]->simulation->settings.solver));
    }
    for (int n = 0; n < 60; n++) {
      stop_at = 0;
      test_scene_run(&alone, 1);
      const double time = cut.simulation->state.time;
      calls = 0, stop_at = 1 + n % 2;
      test_scene_run(&cut, 1);
      if (cut.simulation->last.cut) {
        cuts++;
        CHECK_NEAR(cut.simulation->state.time, time, 0);
        stop_at = 0;
        test_scene_run(&cut, 1);
      }
      CHECK(same_chain(alone.world, chain, cut.world, chain));
      CHECK(memcmp(alone.world->velocity[ball], cut.world->velocity[ball],
                   sizeof *alone.world->velocity) == 0);
      CHECK_NEAR(cut.simulation->state.ledger.balance, alone.simulation->state.ledger.balance, 0);
    }
    CHECK(cuts > 5);
    test_scene_close(&alone);
    test_scene_close(&cut);
  }
}

/* Of three chains the first goes, and a ball between them: the others take their numbers and go on
 * as they do alone. */
TEST(chains_keep_their_numbers_when_bodies_go) {
  TestScene all, rest;
  int remap[5];
  open_scene(&all, &dls_scheme_moreau);
  open_scene(&rest, &dls_scheme_moreau);
  add_chain(&all, -1, 1e-3, 2);
  test_scene_sphere(&all, 0.1, 3, 0, 5);
  add_chain(&all, 0, 2e-3, 1);
  test_scene_sphere(&all, 0.1, 4, 0, 5);
  add_chain(&all, 1, 3e-3, 1);
  add_chain(&rest, 0, 2e-3, 1);
  test_scene_sphere(&rest, 0.1, 4, 0, 5);
  add_chain(&rest, 1, 3e-3, 1);
  test_scene_run(&all, 0);
  dls_world_doom(all.world, 0);
  dls_world_doom(all.world, 1);
  CHECK_INT(dls_world_compact(all.world, remap), 2);
  CHECK_INT(all.world->deformable.count, 2);
  CHECK(dls_deformable_of(all.world, 0) && !dls_deformable_of(all.world, 1) &&
        dls_deformable_of(all.world, 2));
  CHECK_INT(all.world->deformable.velocities, 2 * FREEDOM);
  test_scene_run(&all, 50);
  test_scene_run(&rest, 50);
  CHECK(all.simulation->state.ledger.dissipated > 0); /* they have met the floor */
  for (int body = 0; body < 3; body += 2) CHECK(same_chain(all.world, body, rest.world, body));
  /* one that goes between two steps, and one that comes */
  dls_world_doom(all.world, 0);
  CHECK_INT(dls_world_compact(all.world, remap), 1);
  add_chain(&all, 2, 3e-3, 1);
  test_scene_run(&all, 50);
  test_scene_run(&rest, 50);
  CHECK(same_chain(all.world, 1, rest.world, 2));
  test_scene_close(&all);
  test_scene_close(&rest);
}

/* Masses of a solid that turns are others in every step; the factor of the chain is one. */
TEST(a_solid_that_turns_falls_on_a_chain) {
  const DlsElement part[3] = {{{0, 0, 0}, 0.05}, {{0.06, 0, 0}, 0.03}, {{-0.02, 0.05, 0.01}, 0.03}};
  TestScene scene;
  open_scene(&scene, &dls_scheme_moreau);
  const double low[3] = {-0.5, 0, radius}, apart[3] = {2 * radius, 0, 0};
  const int chain =
      chain_add(scene.world, chain_create(3, NODES, node_mass, stiffness, radius, low, apart),
                (const double[3]){0, 0, 0});
  const int solid = test_scene_body(&scene, 3, part, 0, 0.01, 0.25);
  double *spin = scene.world->velocity[solid] + 3;
  spin[0] = 7, spin[1] = -3, spin[2] = 5;
  int met = 0;
  for (int n = 0; n < 300; n++) {
    test_scene_run(&scene, 1);
    const DlsSimulation *s = scene.simulation;
    const DlsContactSet *set = &s->last.contacts;
    for (int i = 0; i < s->last.assembly.step.count; i++) {
      const int c = s->last.assembly.step.in_set[i];
      met += set->candidate[c] == chain && set->antagonist[c] == solid &&
             s->last.assembly.solve.r[3 * i] > 0;
    }
    CHECK_NEAR(s->state.ledger.balance, 0, 1e-10 * s->state.ledger.dissipated + 1e-13);
  }
  CHECK(met > 0);
  CHECK_INT(dls_coupling_factorisations(&scene.simulation->last.assembly), 1);
  test_scene_close(&scene);
}

/* euler leaves no overlap, though the mean velocity of the chain tells nothing of the node that
 * crosses 15 mm in a step: 20 mm towards the floor, or towards a ball that stands there. */
TEST(a_node_that_is_faster_than_its_body_is_found) {
  for (int to_ball = 0; to_ball < 2; to_ball++) {
    TestScene scene;
    open_scene(&scene, &dls_scheme_euler);
    scene.gravity[2] = 0;
    const int chain = add_chain(&scene, 0, to_ball ? 0.315 : 0.015, 0);
    const int ball = to_ball ? test_scene_sphere(&scene, 0.15, 0, 0, 0.15) : -1;
    double *v = chain_v(scene.world, chain);
    v[2] = -20, v[FREEDOM - 1] = 20;
    for (int i = 0; i < NODES; i++) v[3 * i] = 0;
    dls_deformables_show(scene.world);
    CHECK_NEAR(scene.world->velocity[chain][2], 0, 1e-15);
    test_scene_run(&scene, 1);
    CHECK_INT(scene.simulation->last.report.active, to_ball ? 2 : 1);
    double low = radius + (to_ball ? 0.315 : 0.015) + chain_q(scene.world, chain)[2] - radius;
    if (to_ball) low -= scene.world->position[ball][2] + 0.15;
    CHECK_NEAR(low, 0, 1e-9 * radius);
    test_scene_close(&scene);
  }
}

static DlsStatus twist(void *context, const DlsWorld *world, double t, double (*force)[6]) {
  (void)world, (void)t;
  memcpy(force[0], context, sizeof force[0]);
  return DLS_OK;
}

/* A force on the whole: 3 N along x accelerate 1.2 kg. */
TEST(a_chain_takes_forces_and_refuses_torques) {
  double load[6] = {3, 0, 0, 0, 0, 0};
  TestScene scene;
  open_scene(&scene, &dls_scheme_moreau);
  const int chain = add_chain(&scene, 0, 1, 0);
  scene.simulation->settings.influence.context = load;
  scene.simulation->settings.influence.gravity = NULL;
  scene.simulation->settings.influence.force = twist;
  const double before = scene.world->velocity[chain][0];
  test_scene_run(&scene, 10);
  CHECK_NEAR(scene.world->velocity[chain][0] - before, 10 * h * 3 / (NODES * node_mass), 1e-14);
  CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-14);
  load[4] = 1;
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_UNSUPPORTED,
              "a torque acts on body 1");
  test_scene_close(&scene);
}

TEST(schemes_that_do_not_move_chains_say_so) {
  static const struct {
    const DlsScheme *scheme;
    const char *law;
  } cases[] = {{&dls_scheme_explicit, "spring-dashpot"}, {&dls_scheme_first_order, "coulomb"}};
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    TestScene scene;
    test_scene_open(&scene, 3, cases[k].scheme, h, cases[k].law);
    add_chain(&scene, 0, 1, 0);
    CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_UNSUPPORTED,
                "body 1 is a chain, which is not rigid: the scheme");
    test_scene_close(&scene);
  }
}

TEST(what_does_not_serve_chains_says_so) {
  TestScene scene;
  open_scene(&scene, &dls_scheme_moreau);
  const int chain = add_chain(&scene, 0, 1, 0);
  test_scene_run(&scene, 1);
  CHECK_FAILS(dls_world_resize(scene.world, 1, NODES), DLS_ERR_UNSUPPORTED, "not restarted");
  const DlsLink link = {
      .id = {DLS_KEY_BOUNDARY | scene.world->boundary[0].id, scene.world->id[chain]}};
  CHECK_OK(dls_links_add(&scene.simulation->settings.links, &link));
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_UNSUPPORTED, "link 0 holds body 1");
  dls_links_clear(&scene.simulation->settings.links);
  scene.world->boundary[0].carrier = scene.world->id[chain];
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_UNSUPPORTED,
              "boundary 0 is carried by body 1");
  test_scene_close(&scene);
}

TEST(a_chain_that_does_not_fit_is_refused) {
  const double low[3] = {0}, apart[3] = {0, 0, 1}, zero[3 * CHAIN_MOST] = {0};
  double bad[3 * CHAIN_MOST] = {0};
  DlsWorld *world = NULL;
  Chain *chain = chain_create(3, 4, 1, 1, 0.1, low, apart),
        *longer = chain_create(3, 5, 1, 1, 0.1, low, apart);
  DlsShape shape = chain_shape(chain), other = chain_shape(longer);
  bad[2] = NAN;
  CHECK_OK(dls_world_create(3, &world));
  CHECK_FAILS(dls_world_add_deformable(world, &(DlsBody){.shape = &other}, &elastic_chain, chain,
                                       zero, zero),
              DLS_ERR_ARGUMENT, "a chain of 4 elements, has a shape of 5");
  CHECK_FAILS(dls_world_add_deformable(world, &(DlsBody){.shape = &shape, .fixed = DLS_FIXED_X},
                                       &elastic_chain, chain, zero, zero),
              DLS_ERR_UNSUPPORTED, "cannot have fixed components");
  CHECK_FAILS(dls_world_add_deformable(world, &(DlsBody){.shape = &shape}, &elastic_chain, chain,
                                       bad, zero),
              DLS_ERR_ARGUMENT, "is not finite");
  CHECK_INT(world->count, 0);
  dls_shape_clear(&shape);
  dls_shape_clear(&other);
  free(chain);
  free(longer);
  dls_world_destroy(&world);
}
