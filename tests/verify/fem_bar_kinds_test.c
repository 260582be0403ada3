/* The bar on a wall (fem_bar_test.c) by every kind of body: those that are not linear, where they
 * need not be, do what the linear one does. */
#include "tests/fem_cells.h"

static Block block;

typedef struct {
  TestScene scene;
  int body;
  double energy;
} Bar;

/* E = 900, rho = 1, 10 m high in 40 cells, 5 m above the floor, falling at `speed` = 10 / 1000, so
 * that strains are small: 3e-4. */
static const double speed = 1e-2, gap = 5e-3;

static void open_bar(Bar *bar, DlsKinematics kinematics, const char *law, DlsMassKind mass) {
  const double size[3] = {0.25, 10, 0};
  const int count[3] = {1, 40, 1};
  void *model;
  block_make(&block, DLS_Q4, size, count, NULL, law, kinematics);
  block_set(&block, "young", 900);
  block_set(&block, "poisson", 0);
  if (strcmp(law, "j2") == 0) block_set(&block, "yield", 1e12);
  block.material.density = 1;
  block.setup.radius = 1e-3;
  block.setup.mass = mass;
  block.setup.tolerance = 1e-10;
  block.setup.contacts = 0;
  for (int a = 0; a < block.setup.nodes; a++) {
    if (block.X[a][1] == 0) block.contact[block.setup.contacts++] = a;
    block.X[a][1] += gap + 1e-3;
  }
  test_scene_open(&bar->scene, 2, &dls_scheme_moreau, 0.5 * 0.25 / 30, "signorini");
  bar->scene.gravity[1] = 0;
  bar->scene.simulation->settings.theta = 0.5;
  test_scene_boundary(&bar->scene, 0);
  CHECK_OK(dls_body_create(&block.setup, &model));
  double *state = calloc((size_t)block_size(model).states, sizeof *state);
  double *v = calloc((size_t)(2 * block.setup.nodes), sizeof *v);
  dls_body_new_state(model, state);
  for (int a = 0; a < block.setup.nodes; a++) v[2 * a + 1] = -speed;
  bar->body = block_add(&bar->scene, model, state, v);
  bar->energy = 0.5 * 2.5 * speed * speed;
  free(state), free(v);
}

static double energy_of(const Bar *bar) {
  const DlsLedger *ledger = &bar->scene.simulation->state.ledger;
  return (ledger->kinetic + ledger->strain) / bar->energy;
}

/* All of 1.5 s; the pressure while it lasts, and how many times it was solved again. */
static double fall(Bar *bar, int *rounds) {
  double sum = 0;
  int count = 0;
  *rounds = 0;
  for (int k = 0; k < 360; k++) {
    const double before = bar->scene.world->velocity[bar->body][1];
    test_scene_run(&bar->scene, 1);
    *rounds += bar->scene.simulation->last.report.newton;
    const double t = (k + 1) * bar->scene.simulation->settings.h;
    if (t < 0.57 || t > 1.1) continue;
    sum += 2.5 * (bar->scene.world->velocity[bar->body][1] - before) /
           bar->scene.simulation->settings.h / 0.25;
    count++;
  }
  return sum / count;
}

TEST(every_kind_rebounds_alike) {
  static const struct {
    DlsKinematics kinematics;
    const char *law;
    double apart; /* of the linear one: by Newton's loop; by strains, 3e-4, and their turns */
  } kinds[] = {{DLS_KINEMATICS_SMALL, "elastic", 0},
               {DLS_KINEMATICS_SMALL, "j2", 1e-8},
               {DLS_KINEMATICS_COROTATIONAL, "elastic", 1e-8},
               {DLS_KINEMATICS_TOTAL_LAGRANGIAN, "elastic", 2e-3},
               {DLS_KINEMATICS_TOTAL_LAGRANGIAN, "neo-hookean", 2e-3},
               {DLS_KINEMATICS_TOTAL_LAGRANGIAN, "j2", 2e-3}};
  static const DlsMassKind masses[] = {DLS_MASS_LUMPED, DLS_MASS_FREE_CONTACT};
  for (int mass = 0; mass < 2; mass++) {
    double linear[2] = {0};
    for (int k = 0; k < DLS_COUNT(kinds); k++) {
      Bar bar;
      int rounds;
      open_bar(&bar, kinds[k].kinematics, kinds[k].law, masses[mass]);
      const double pressure = fall(&bar, &rounds);
      const double up = bar.scene.world->velocity[bar.body][1] / speed;
      if (k == 0) linear[0] = pressure, linear[1] = up;
      CHECK_NEAR(pressure, 0.3, 3e-3); /* rho c v */
      CHECK_NEAR(pressure, linear[0], kinds[k].apart * 0.3);
      CHECK_NEAR(up, linear[1], kinds[k].apart);
      if (mass == 1) CHECK_NEAR(energy_of(&bar), 1, 1e-3 * 100 / 40); /* 1e-3 of 100 cells */
      if (k == 0 || k == 2) CHECK_INT(rounds, 0);
      CHECK_NEAR(bar.scene.simulation->state.ledger.balance, 0, 1e-8 * bar.energy);
      test_scene_close(&bar.scene);
    }
  }
}

/* Newton's loop of one body leaves a linear one beside it alone: it falls and rebounds as it does
 * without the other. */
TEST(a_linear_body_beside_one_that_is_not) {
  double up[2];
  for (int both = 0; both < 2; both++) {
    Bar bar;
    int rounds;
    open_bar(&bar, DLS_KINEMATICS_SMALL, "elastic", DLS_MASS_LUMPED);
    if (both) {
      void *model;
      block.setup.kinematics = DLS_KINEMATICS_TOTAL_LAGRANGIAN;
      for (int a = 0; a < block.setup.nodes; a++) block.X[a][0] += 1;
      CHECK_OK(dls_body_create(&block.setup, &model));
      double *state = calloc((size_t)block_size(model).states, sizeof *state);
      double *v = calloc((size_t)(2 * block.setup.nodes), sizeof *v);
      dls_body_new_state(model, state);
      for (int a = 0; a < block.setup.nodes; a++) v[2 * a + 1] = -speed;
      block_add(&bar.scene, model, state, v);
      free(state), free(v);
    }
    fall(&bar, &rounds);
    CHECK((rounds > 0) == (both == 1));
    up[both] = bar.scene.world->velocity[bar.body][1] / speed;
    test_scene_close(&bar.scene);
  }
  CHECK_NEAR(up[1], up[0], 1e-8);
}
