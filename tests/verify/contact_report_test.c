/* What frames say of contacts besides their forces: words and numbers of their laws, limits of
 * friction that only a law knows, torques, and what each contact dissipated. */
#include "tests/simulating.h"

#include "record/frames/frames.h"
#include "record/packing_read.h"
#include "record/vtu/vtu_read.h"

#include <math.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/contact_report"

static const double radius = 0.05, h = 1e-3;

static double weight_of(const TestScene *scene, int body) {
  return scene->world->mass[body] * test_g;
}

/* Frictionless along the normal, a drag r_T = -drag u_T along the tangents, which holds up to a
 * limit that no projection can tell. `residual` alone: it has no project. */
enum { DRAG, LIMIT };
static const DlsParam drag_params[] = {
    [DRAG] = {"drag", "kg", "impulse per velocity", .value = 1, .min = 0, .max = DLS_NO_BOUND},
    [LIMIT] = {"limit", "N s", "that is told", .value = 1, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  const int n = c->block;
  const double rho = c->mass, z = r[0] - rho * (u[0] + c->gap_rate);
  (void)state;
  F[0] = r[0] - fmax(z, 0);
  for (int i = 1; i < n; i++) F[i] = r[i] + p[DRAG] * u[i];
  if (!dF_du) return DLS_OK;
  for (int k = 0; k < n * n; k++) {
    const int diagonal = k % (n + 1) == 0;
    dF_dr[k] = diagonal;
    dF_du[k] = diagonal ? p[DRAG] : 0;
  }
  dF_dr[0] = z > 0 ? 0 : 1;
  dF_du[0] = z > 0 ? rho : 0;
  return DLS_OK;
}

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)c, (void)state;
  CHECK(isnan(*friction_limit)); /* nobody knew */
  *friction_limit = p[LIMIT];
  *status = u[1] != 0 ? 1 : -1;
  outputs[0] = r[0];
  return DLS_OK;
}

static const char *const words[] = {"dry", "dragged"};
static const DlsParam outputs[] = {
    {"pushed", "N s", "impulse", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND}};
static const DlsLaw drag = {DLS_LAW_HEAD,      .name = "drag",        .summary = "",
                            .references = "",  .params = drag_params, .nparams = 2,
                            .statuses = words, .nstatuses = 2,        .outputs = outputs,
                            .noutputs = 1,     .residual = residual,  .report = report};

/* Two balls on a plane, each dragged at 0.1 m/s: one by `drag`, one by coulomb, since it is of
 * another material. */
static void two_balls(TestScene *scene, bool reports, double limit) {
  static DlsLaw law;
  int other, number;
  law = drag;
  if (!reports) law.report = NULL, law.nstatuses = law.noutputs = 0;
  CHECK_OK(dls_law_check(&law, "drag"));
  test_scene_open(scene, 3, &dls_scheme_euler, h, "coulomb");
  CHECK_OK(dls_materials_add(&scene->world->materials, "oil", 2500, &other));
  DlsInteractions *laws = &scene->simulation->settings.laws;
  dls_interactions_clear(laws);
  CHECK_OK(dls_interactions_create(2, laws));
  CHECK_OK(dls_interactions_add(laws, scene->law[0], &number));
  CHECK_OK(dls_interactions_give(laws, -1, -1, number));
  CHECK_OK(dls_interactions_add(laws, &law, &number));
  laws->item[number].params[LIMIT] = limit;
  CHECK_OK(dls_interactions_give(laws, other, -1, number));
  test_scene_boundary(scene, 0);
  for (int k = 0; k < 2; k++) {
    const int ball = test_scene_sphere(scene, radius, 0.5 * k, 0, radius);
    scene->world->fixed[ball] =
        DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
    scene->world->velocity[ball][0] = 0.1;
    if (k == 0) scene->world->material[ball] = other;
  }
  test_scene_run(scene, 1);
}

/* r_T = -drag u_T = 0.1 N s. Without a word from the law the limit is unknown, and what moves
 * slips; below the limit that is told it sticks, at it it slips. */
TEST(a_limit_that_a_law_reports_decides_slip_or_stick) {
  const struct {
    bool reports;
    double limit;
    int status;
  } cases[] = {{false, 0, DLS_SLIP}, {true, 1, DLS_STICK}, {true, 0.1, DLS_SLIP}};
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    TestScene scene;
    DlsPacking g = {0};
    two_balls(&scene, cases[k].reports, cases[k].limit);
    CHECK_OK(dls_packing_take(scene.simulation, &g));
    CHECK_INT(g.contacts, 2);
    CHECK_NEAR(g.tangential_force[0], 0.1 / h, 1e-9 / h);
    CHECK_INT(g.status[0], cases[k].status);
    CHECK_INT(g.status[1], DLS_SLIP);
    if (cases[k].reports) CHECK_NEAR(g.friction_limit[0], cases[k].limit / h, 1e-12 / h);
    if (!cases[k].reports) CHECK(isnan(g.friction_limit[0]));
    CHECK_NEAR(g.friction_limit[1], 0.3 * weight_of(&scene, 1), 1e-9);
    dls_packing_clear(&g);
    test_scene_close(&scene);
  }
}

static DlsVtuFile *write_frame(const TestScene *scene) {
  DlsFrames *frames;
  DlsVtuFile *file = NULL;
  CHECK_OK(dls_frames_create(SCRAPS, NULL, -INFINITY, &frames));
  CHECK_OK(dls_frames_write(frames, scene->simulation));
  dls_frames_destroy(&frames);
  CHECK_OK(dls_vtu_open(SCRAPS "/contacts_000000.vtu", &file));
  return file;
}

TEST(words_and_numbers_of_laws_are_in_frames) {
  static const char *const legend[] = {"law_status.open", "law_status.slip", "law_status.stick",
                                       "law_status.drag.dry", "law_status.drag.dragged"};
  TestScene scene;
  int64_t status[2], seen[2], number;
  double pushed[2];
  two_balls(&scene, true, 1);
  DlsVtuFile *file = write_frame(&scene);
  CHECK_OK(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "law_status", 2, status));
  CHECK_OK(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "status", 2, seen));
  CHECK_INT(status[0], 4); /* what the law says */
  CHECK_INT(seen[0], DLS_STICK);
  CHECK_INT(status[1], DLS_SLIP); /* a law without words: what the core sees */
  for (int k = 0; k < DLS_COUNT(legend); k++) {
    CHECK_OK(dls_vtu_integers(file, DLS_VTU_OF_FIELD, legend[k], 1, &number));
    CHECK_INT(number, k);
  }
  CHECK_OK(dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "drag.pushed", 1, 2, pushed));
  CHECK_NEAR(pushed[0], h * weight_of(&scene, 0), 1e-9);
  CHECK(isnan(pushed[1]));
  CHECK(!dls_vtu_has(file, DLS_VTU_OF_POINTS, "torque"));
  dls_vtu_close(&file);
  test_scene_close(&scene);
}

/* Whoever reads the frame of a law that does not tell its limit finds that it is not known. */
TEST(a_frame_with_an_unknown_limit_is_read_again) {
  TestScene scene;
  DlsPacking g = {0};
  two_balls(&scene, false, 1);
  DlsVtuFile *file = write_frame(&scene);
  dls_vtu_close(&file);
  CHECK_OK(dls_packing_read(SCRAPS, 0, &g));
  CHECK_INT(g.contacts, 2);
  CHECK(g.contacts == 2 && isnan(g.friction_limit[0]) && !isnan(g.friction_limit[1]));
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* A ball that rolls along x turns about +y; rolling friction holds it back by roll f_N about -y. */
TEST(torques_of_contacts_are_in_frames) {
  const double roll = 1e-3, turn[2][3] = {{0, 1, 0}, {0, 0, 1}};
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    double torque[3];
    test_scene_open(&scene, dim, &dls_scheme_moreau, h, "rolling");
    test_scene_set(&scene, 0, "roll", roll);
    test_scene_set(&scene, 0, "roll_ratio", 0);
    test_scene_boundary(&scene, 0);
    const int ball = dim == 3 ? test_scene_sphere(&scene, radius, 0, 0, radius)
                              : test_scene_sphere(&scene, radius, 0, radius, 0);
    scene.world->velocity[ball][0] = 0.4;
    scene.world->velocity[ball][dim == 3 ? 4 : 5] = (dim == 3 ? 0.4 : -0.4) / radius;
    DlsVtuFile *file = write_frame(&scene); /* the arrays are those of the frames that follow */
    CHECK(dls_vtu_has(file, DLS_VTU_OF_POINTS, "torque"));
    dls_vtu_close(&file);
    test_scene_run(&scene, 5);
    file = write_frame(&scene);
    CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "torque", 3, 1, torque));
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(torque[k], (dim == 3 ? -1 : 1) * roll * weight_of(&scene, ball) * turn[3 - dim][k],
                 1e-9 * weight_of(&scene, ball));
    dls_vtu_close(&file);
    test_scene_close(&scene);
  }
}

/* A ball bounces and slides: the sum of what its contacts dissipated, step by step, is what the
 * accounts of the run say; of laws that store energy and of those that do not, by relations and by
 * forces. Elastic ones are left in contact, so that nothing stored is lost with a contact. */
TEST(what_contacts_dissipate_adds_up_to_the_accounts) {
  const struct {
    const DlsScheme *scheme;
    const char *law, *set[4];
    double h;
    long steps;
  } cases[] = {
      {&dls_scheme_moreau, "coulomb", {"rho=0.5"}, 1e-3, 300},
      {&dls_scheme_euler, "elastic", {"k=1e4", "mu=0.4", "k_t=1e3"}, 1e-3, 20},
      {&dls_scheme_euler, "elastic", {"k=1e4", "exponent=1.5", "mu=0.4"}, 1e-3, 20},
      {&dls_scheme_explicit, "spring-dashpot", {"kn=1e4", "kt=1e4", "mu=0.2"}, 1e-5, 2000},
      {&dls_scheme_moreau, "rolling", {"roll=1e-3"}, 1e-3, 100},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    TestScene scene;
    double sum = 0;
    test_scene_open(&scene, 3, cases[k].scheme, cases[k].h, cases[k].law);
    for (const char *const *set = cases[k].set; *set; set++)
      CHECK_OK(dls_law_set_text(scene.law[0], scene.params[0], *set));
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
    scene.world->velocity[ball][0] = 0.4;
    scene.world->velocity[ball][2] = -0.1;
    for (long step = 0; step < cases[k].steps; step++) {
      test_scene_run(&scene, 1);
      const DlsAssembly *a = &scene.simulation->last.assembly;
      for (int i = 0; i < a->step.count; i++) sum += dls_assemble_dissipated(a, i);
    }
    const double all = scene.simulation->state.ledger.dissipated;
    if (!(all > 1e-3 * scene.simulation->state.ledger.start))
      test_fail(__FILE__, __LINE__, "case %d dissipates %g J of %g J", k, all,
                scene.simulation->state.ledger.start);
    CHECK_NEAR(sum, all, 1e-9 * scene.simulation->state.ledger.start);
    test_scene_close(&scene);
  }
}
