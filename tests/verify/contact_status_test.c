/* Open, slip, stick: slip if and only if at the limit and moving, open if and only if nothing is
 * carried. The figures of a contact decide, not the code that is tested: forces and velocities of
 * the step against the law as it is written. */
#include "tests/decks.h"
#include "tests/simulating.h"

#include <delassus/errors.h>

static const double radius = 0.05;

/* A contact of a packing with Coulomb's law of coefficient mu: what it is by its own numbers.
 * `sure` is how far from the border between two statuses a number must be to decide: of the mean
 * force, and m/s. */
typedef struct {
  int open, slip, stick, limit; /* limit: at the limit, moving or not */
} Tally;

static Tally compare_statuses(const DlsSimulation *s, const DlsPacking *g, double mu,
                              double sure_force, double sure_speed) {
  const DlsAssembly *a = &s->last.assembly;
  const double mean = dls_packing_mean_force(g);
  const double still = 0.5 * s->settings.limits.tolerance * test_g *
                       s->settings.h; /* m/s: less than the solve resolves */
  Tally t = {0};
  for (int c = 0; c < g->contacts; c++) {
    const double *u = a->solve.u + (size_t)c * (size_t)a->run.block;
    const double speed = s->world->dim == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
    const double limit = mu * g->normal_force[c], held = g->tangential_force[c];
    const bool carries = g->normal_force[c] > sure_force * mean;
    const bool below = held<limit - sure_force * mean, at = held> limit - sure_force * mean;
    const int status = g->status[c];
    t.open += status == DLS_OPEN;
    t.slip += status == DLS_SLIP;
    t.stick += status == DLS_STICK;
    t.limit += carries && held >= 0.99 * limit;
    CHECK_NEAR(g->friction_limit[c], limit, 1e-12 * mean);
    const bool wrong = (carries && status == DLS_OPEN) ||
                       (g->normal_force[c] == 0 && status != DLS_OPEN) ||
                       (carries && below && status == DLS_SLIP) ||
                       (carries && at && speed > sure_speed && status != DLS_SLIP) ||
                       (speed < still && status == DLS_SLIP);
    if (wrong)
      test_fail(__FILE__, __LINE__,
                "contact %d: status %d with f_N / mean %.3g, |f_T| / limit %.6g, |u_T| %.3g m/s", c,
                status, g->normal_force[c] / mean, held / limit, speed);
  }
  return t;
}

/* A heap long at rest: hardly any contact slips, and none that is not at its limit; at the
 * tolerance of the deck, 1e-3, and exactly. Between the two it is not at rest: overlaps that the
 * first tolerance leaves are pushed apart under the second, at 0.2 mm/s, contacts slip and grains
 * fall into another place; so it comes to rest again first. */
TEST(a_heap_at_rest_sticks) {
  const char *const sets[] = {"sources[0].until=0.4 s", "solver.name=nsgs", NULL};
  const double mu = 0.6;
  TestDeck heap;
  test_deck_open(&heap, "heap.yaml", sets);
  test_deck_run(&heap, 1.6);
  for (int exact = 0; exact < 2; exact++) {
    if (exact) {
      heap.simulation->settings.limits.tolerance = 1e-9;
      test_deck_run(&heap, 2.2);
      heap.simulation->settings.limits.max_iterations = 1000000;
      CHECK_OK(dls_scene_step(heap.scene));
      CHECK_INT(heap.simulation->last.report.solver.outcome, DLS_CONVERGED);
      CHECK_BELOW(heap.simulation->state.ledger.kinetic,
                  1e-12); /* J: at rest, of 3 J above the plate */
    }
    test_deck_take(&heap);
    const Tally t = compare_statuses(heap.simulation, &heap.packing, mu, exact ? 1e-5 : 0.1,
                                     exact ? 1e-3 : 0.1);
    CHECK(t.stick > 100);
    CHECK(t.slip <= t.limit);
    CHECK(10 * t.slip < t.stick);
  }
  test_deck_close(&heap);
}

/* A drum half of which flows: those that slip are at the limit and move, all that are so slip, and
 * nothing that carries is open. */
TEST(slip_in_a_drum_is_at_the_limit_and_moves) {
  const char *const sets[] = {"grains[0].sizes.min=10 mm", "grains[0].sizes.max=16 mm",
                              "solver.name=nsgs", NULL};
  TestDeck drum;
  test_deck_open(&drum, "drum.yaml", sets);
  test_deck_run(&drum, 0.9);
  test_deck_take(&drum); /* at the deck's own tolerance, 1e-3 */
  Tally t = compare_statuses(drum.simulation, &drum.packing, 0.5, 0.1, 0.1);
  CHECK(t.slip >= 5); /* it flows */
  CHECK(t.stick >= 20);
  drum.simulation->settings.limits.tolerance = 1e-9; /* and exactly */
  drum.simulation->settings.limits.max_iterations = 1000000;
  CHECK_OK(dls_scene_step(drum.scene));
  CHECK_INT(drum.simulation->last.report.solver.outcome, DLS_CONVERGED);
  test_deck_take(&drum);
  t = compare_statuses(drum.simulation, &drum.packing, 0.5, 1e-5, 1e-3);
  CHECK(t.slip >= 5);
  test_deck_close(&drum);
}

/* One ball on a plane that leans so that friction holds it with this share of what it could give.
 * */
static int ball_status(double share, double vx, double spin, double *slip) {
  TestScene scene;
  DlsPacking g = {0};
  const double mu = 0.5;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", mu);
  test_scene_boundary(&scene, 0);
  scene.gravity[0] = share * mu * test_g;
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
  if (vx == 0 && spin == 0) scene.world->fixed[ball] = DLS_FIXED_TURN_Y; /* it would roll */
  scene.world->velocity[ball][0] = vx;
  scene.world->velocity[ball][4] = spin;
  test_scene_run(&scene, 1);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_INT(g.contacts, 1);
  const int status = g.contacts ? g.status[0] : -1;
  *slip =
      hypot(scene.simulation->last.assembly.solve.u[1], scene.simulation->last.assembly.solve.u[2]);
  dls_packing_clear(&g);
  test_scene_close(&scene);
  return status;
}

TEST(one_ball) {
  double slip;
  CHECK_INT(ball_status(0.17, 0, 0, &slip), DLS_STICK);
  CHECK_INT(ball_status(0.999, 0, 0, &slip), DLS_STICK);
  CHECK_INT(ball_status(1.01, 0, 0, &slip), DLS_SLIP);
  CHECK_INT(ball_status(0, 0.4, 0.4 / radius, &slip), DLS_STICK); /* it rolls */
  CHECK_BELOW(slip, 1e-15);
  CHECK_INT(ball_status(0.3, 0.4, 0.4 / radius, &slip), DLS_STICK);
  CHECK_INT(ball_status(0, 0.4, 0, &slip), DLS_SLIP); /* it slides */
  CHECK(slip > 0.1);
}

/* A ball that rolls against its rolling friction is at the limit of a torque, and sticks. */
TEST(rolling_friction_is_no_slip) {
  TestScene scene;
  DlsPacking g = {0};
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "rolling");
  test_scene_set(&scene, 0, "roll", 1e-3);
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
  scene.world->velocity[ball][0] = 0.4;
  scene.world->velocity[ball][4] = 0.4 / radius;
  test_scene_run(&scene, 5);
  CHECK(scene.world->velocity[ball][0] < 0.4); /* it slows down */
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_INT(g.contacts, 1);
  CHECK_INT(g.status[0], DLS_STICK);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* W = 1, q_N = -1 + ε: the reaction 1 leaves u_N = ε > 0, round-off. With load it is closed; so it
 * is when u_T too is round-off, with and without friction. */
TEST(a_load_is_not_open_by_round_off) {
  const int start[] = {0, 1}, column[] = {0};
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, r[3] = {1, 0, 0};
  const double tiny[] = {1.2e-16, -1.2e-16, 1e-15};
  for (int smooth = 0; smooth < 2; smooth++)
    for (int k = 0; k < DLS_COUNT(tiny); k++) {
      const DlsRelation relation = {.cone = smooth ? DLS_CONE_SIGNORINI : DLS_CONE_COULOMB,
                                    .mu = {0.3, 0.3}};
      const double q[3] = {-1 + tiny[k], 1e-17, 0};
      double u[3];
      DlsOperator *operator= NULL;
      DlsProblem *problem = NULL;
      DlsContactStatus status;
      DlsErrors errors;
      CHECK_OK(dls_operator_create_assembled(1, 3, start, column, W, &operator));
      CHECK_OK(dls_problem_create(3, &operator, q, &relation, NULL, &problem));
      dls_problem_velocity(problem, r, u);
      CHECK(u[0] != 0);
      dls_errors_status(problem, r, u, &status);
      CHECK_INT(status, DLS_STICK);
      CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
      CHECK_INT(errors.stick, 1); /* the counts are of the same definition */
      dls_problem_destroy(&problem);
    }
}

/* Laws without a cone: what they need so that it is their own relation that decides, and their
 * friction. */
typedef struct {
  const char *law;
  const DlsScheme *scheme;
  const char *set[6]; /* KEY=VALUE */
  double sinks;       /* m, how deep a ball at rest lies in the plane */
} Custom;

static const double weight = 2500 * 4.0 / 3 * 3.14159265358979323846 * 0.05 * 0.05 * 0.05 * 9.81;

static const Custom customs[] = {
    {"elastic", &dls_scheme_euler, {"k=1e6", "exponent=1.5", "mu=0.5"}, -1.5},
    {"elastic", &dls_scheme_euler, {"k=1e6", "exponent=1.5", "mu=0.5", "k_t=1e4"}, -1.5},
    {"elastic",
     &dls_scheme_euler,
     {"k=1e6", "mu=0.5", "k_t=1e4"},
     -1}, /* canonical, with a spring */
    {"elastic", &dls_scheme_explicit, {"k=1e6", "mu=0.5", "k_t=1e4"}, -1},
    {"viscoelastic",
     &dls_scheme_euler,
     {"k=1e6", "exponent=1.5", "restitution=0.5", "mu=0.5"},
     -1.5},
    {"viscoelastic", &dls_scheme_euler, {"k=1e6", "restitution=0.5", "mu=0.5"}, -1},
    {"lubrication", &dls_scheme_euler, {"viscosity=0.01", "mu=0.5"}, 0},
    {"mohr-coulomb", &dls_scheme_euler, {"mu=0.5", "tension=1", "cohesion=2"}, 0},
    {"coulomb-anisotropic", &dls_scheme_euler, {"mu1=0.5", "mu2=0.3"}, 0},
    {"coulomb-polygon", &dls_scheme_euler, {NULL}, 0},
    {"stribeck", &dls_scheme_euler, {"mu_slow=0.5", "mu_fast=0.4"}, 0},
    {"table", &dls_scheme_euler, {NULL}, 0},
    {"mortar", &dls_scheme_euler, {"mu=0.5"}, 0},
    {"rate-and-state", &dls_scheme_euler, {"mu_0=0.5", "a=0", "b=0"}, 0},
    {"sliding-torsion", &dls_scheme_euler, {"mu=0.5"}, 0},
    {"rolling-viscous", &dls_scheme_euler, {"mu=0.5"}, 0},
    {"crush", &dls_scheme_euler, {"k=1e6", "strength=1e4", "mu=0.5"}, -1},
    {"crush", &dls_scheme_explicit, {"k=1e6", "strength=1e4", "mu=0.5"}, -1},
    {"spring-dashpot", &dls_scheme_explicit, {"kn=1e6", "kt=1e4", "mu=0.5"}, -1},
};

typedef enum { REST, SLIDE, AWAY } Situation;

/* Status and limit, N, after `steps` steps; DLS_OPEN where no contact was there. */
static int custom_status(const Custom *custom, Situation what, int steps, double *limit) {
  TestScene scene;
  DlsPacking g = {0};
  const double h = custom->scheme == &dls_scheme_explicit ? 1e-5 : 1e-3;
  const double sunk = custom->sinks < 0 ? pow(weight / 1e6, -1 / custom->sinks) : 0;
  test_scene_open(&scene, 3, custom->scheme, h, custom->law);
  for (const char *const *set = custom->set; *set; set++)
    CHECK_OK(dls_law_set_text(scene.law[0], scene.params[0], *set));
  test_scene_boundary(&scene, 0);
  scene.simulation->settings.alert = 5e-3;
  const double height = what == AWAY ? 3e-3 : -sunk;
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + height);
  scene.world->fixed[ball] = DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
  if (what == REST) scene.gravity[0] = 0.1 * test_g;
  if (what == SLIDE) {
    scene.world->fixed[ball] |= DLS_FIXED_X;
    scene.world->velocity[ball][0] = 0.1;
  }
  if (what == AWAY) scene.world->velocity[ball][2] = -0.5;
  test_scene_run(&scene, steps);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  const int status = g.contacts ? g.status[0] : DLS_OPEN;
  *limit = g.contacts ? g.friction_limit[0] : 0;
  dls_packing_clear(&g);
  test_scene_close(&scene);
  return status;
}

/* A ball that is dragged along x and free along y drifts until the reaction has no share of y: it
 * lies where the edge between the corners (0.4, -2.4 rad) and (0.5, 1.7 rad) crosses the axis. */
static double back_of_default_polygon(void) {
  const double a[2] = {0.4 * cos(-2.4), 0.4 * sin(-2.4)}, b[2] = {0.5 * cos(1.7), 0.5 * sin(1.7)};
  return -(a[0] - a[1] * (b[0] - a[0]) / (b[1] - a[1]));
}

/* A ball at rest that friction holds with a fifth of what it could sticks, also where a spring
 * gives way; dragged at 0.1 m/s it slips, once the spring is at its limit; above the ground it is
 * open. The limit is mu times the weight. */
TEST(laws_without_a_cone_stick_slip_and_open) {
  for (int k = 0; k < DLS_COUNT(customs); k++) {
    const Custom *custom = &customs[k];
    const bool explicit = custom->scheme == &dls_scheme_explicit;
    const bool bond =
        strcmp(custom->law, "mohr-coulomb") == 0 || strcmp(custom->law, "mortar") == 0;
    double limit;
    const int rest = custom_status(custom, REST, 1, &limit);
    if (rest != DLS_STICK)
      test_fail(__FILE__, __LINE__, "case %d, %s at rest: status %d, limit %g N", k, custom->law,
                rest, limit);
    const int slides = custom_status(custom, SLIDE, explicit ? 2000 : 20, &limit);
    if (slides != DLS_SLIP)
      test_fail(__FILE__, __LINE__, "case %d, %s dragged: status %d, limit %g N", k, custom->law,
                slides, limit);
    const double mu = strcmp(custom->law, "stribeck") == 0          ? 0.4 + 0.1 * exp(-1)
                      : strcmp(custom->law, "table") == 0           ? 0.336788
                      : strcmp(custom->law, "coulomb-polygon") == 0 ? back_of_default_polygon()
                                                                    : 0.5;
    if (!bond) CHECK_NEAR(limit, mu * weight, 1e-2 * weight);
    const int away = custom_status(custom, AWAY, 1, &limit);
    if (away != DLS_OPEN)
      test_fail(__FILE__, __LINE__, "case %d, %s away: status %d, limit %g N", k, custom->law, away,
                limit);
  }
}

/* A bond slides in the one step in which its own relation lets it: |r_T| = h C + mu r_N. */
TEST(a_bond_that_gives_way_slips) {
  const Custom bond = {
      "mohr-coulomb", &dls_scheme_euler, {"mu=0.5", "tension=1", "cohesion=1000"}, 0};
  double limit;
  CHECK_INT(custom_status(&bond, SLIDE, 1, &limit), DLS_SLIP);
  const double area = 3.14159265358979323846 * radius * radius;
  CHECK_NEAR(limit, 1000 * area + 0.5 * weight, 1e-6 * weight);
  const Custom held = {
      "mohr-coulomb", &dls_scheme_euler, {"mu=0.5", "tension=1e9", "cohesion=1e9"}, 0};
  CHECK_INT(custom_status(&held, REST, 1, &limit), DLS_STICK);
}

/* Every law that is not canonical stands in the table above. */
TEST(no_law_without_a_cone_is_left_out) {
  const DlsLaw *const *laws;
  int count;
  CHECK_OK(dls_law_list(&laws, &count));
  for (int l = 0; l < count; l++) {
    bool there = !laws[l]->residual && !laws[l]->force;
    for (int k = 0; k < DLS_COUNT(customs); k++)
      there |= strcmp(customs[k].law, laws[l]->name) == 0;
    if (!there) test_fail(__FILE__, __LINE__, "%s is not in the table of this test", laws[l]->name);
  }
}
