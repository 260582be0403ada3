/* Bodies of finite elements at rest under loads, against closed forms: cantilevers that bend a
 * little and far, a bar that flows and is unloaded, a pressure that follows its sides. */
#include "tests/fem_cells.h"

#include <delassus/inertia.h>

#include <stdio.h>

static Block block;

/* A body with its numbers, apart from any world: steps of 1 s without mass, theta = 1, in which
 * velocities are gains of displacement. */
typedef struct {
  void *model;
  const DlsDeformableOperations *kind;
  int n;
  double *state, *v, *guess, *p, *value;
} Still;

static void still_open(Still *s) {
  block.setup.tolerance = 1e-11;
  CHECK_OK(dls_body_create(&block.setup, &s->model));
  s->kind = dls_body_kind(s->model);
  const DlsDeformableSize size = block_size(s->model);
  s->n = size.velocities;
  s->state = calloc((size_t)size.states, sizeof(double));
  s->v = calloc((size_t)s->n, sizeof(double));
  s->guess = calloc((size_t)s->n, sizeof(double));
  s->p = calloc((size_t)s->n, sizeof(double));
  s->value = calloc((size_t)s->kind->pattern(s->model)->start[s->n], sizeof(double));
  dls_body_new_state(s->model, s->state);
}

static void still_close(Still *s) {
  dls_body_destroy(s->model);
  free(s->state), free(s->v), free(s->guess), free(s->p), free(s->value);
}

/* What was left of the balance in each round of the last step, over the sizes of its terms. */
static double still_left[60];
static int still_rounds;

/* One step, about nothing. Its works. */
static DlsDeformableWorks still_step(Still *s, double time) {
  const DlsDeformableStep step = {.time = time, .h = 1, .after = 1, .still = 1};
  DlsDeformableWorks works = {0};
  memset(s->v, 0, (size_t)s->n * sizeof(double));
  memset(s->guess, 0, (size_t)s->n * sizeof(double));
  s->kind->begin(s->model, &step, s->state, s->v);
  for (int round = 0; round < 60; round++) {
    double size = 1, left = 0;
    if (s->kind->linearise) {
      CHECK_OK(
          s->kind->linearise(s->model, s->state, &step, s->v, s->guess, s->value, s->p, &size));
    } else {
      s->kind->matrix(s->model, s->state, &step, s->value);
      CHECK_OK(s->kind->load(s->model, s->state, &step, s->v, s->p));
    }
    for (int i = 0; i < s->n; i++) left = fmax(left, fabs(s->p[i]));
    still_left[round] = left / size;
    still_rounds = round;
    if (s->kind->linearise && left <= s->kind->tolerance(s->model) * size) break;
    DlsSparse K = *s->kind->pattern(s->model);
    DlsInertia *inertia;
    double *x = calloc((size_t)s->n, sizeof *x);
    K.value = s->value;
    CHECK_OK(dls_inertia_create(&inertia));
    CHECK_OK(dls_inertia_add_sparse(inertia, &K));
    CHECK_OK(dls_inertia_solve(inertia, s->p, x));
    for (int i = 0; i < s->n; i++) s->guess[i] += x[i];
    dls_inertia_destroy(&inertia);
    free(x);
    if (!s->kind->linearise) break;
    CHECK_TOLD(round < 59, "left %g of %g", left, size);
  }
  CHECK_OK(s->kind->finish(s->model, &step, s->v, s->guess, s->state, &works));
  s->kind->move(s->model, 1, s->guess, s->state);
  return works;
}

static double ramp(const void *context, int function, double t) {
  const double *table = context;
  return table[(int)t] + 0 * function;
}

static double constant(const void *context, int function, double t) {
  (void)function, (void)t;
  return *(const double *)context;
}

/* Of drives: the number of the function is the axis. */
static double of_axis(const void *context, int function, double t) {
  (void)t;
  return ((const double *)context)[function];
}

/* The node at x. */
static int node_at(double x, double y) {
  const double place[3] = {x, y, 0};
  const int nodes = block.setup.nodes, found = block_node(&block, place);
  CHECK_INT(block.setup.nodes, nodes);
  return found;
}

/* Deflection and shortening of the tip of a beam of length 1 held at one end under a dead force F
 * L^2 / E I = `load` across it: theta'' = -load cos theta, by shooting for theta'(1) = 0. */
static void elastica(double load, double *down, double *back) {
  double low = 0, high = load;
  for (int k = 0; k < 60; k++) {
    const double start = (low + high) / 2;
    const int steps = 2000;
    double theta = 0, slope = start, x = 0, y = 0;
    for (int i = 0; i < steps; i++) { /* by the midpoint, of second order */
      const double h = 1.0 / steps;
      const double middle = theta + h / 2 * slope, bend = slope - h / 2 * load * cos(theta);
      x += h * cos(middle), y += h * sin(middle);
      theta += h * bend, slope -= h * load * cos(middle);
    }
    *down = y, *back = 1 - x;
    if (slope > 0)
      high = start;
    else
      low = start;
  }
}

/* A beam 10 m x 0.25 m of 20 Q8, nu = 0; the tip's deflection and shortening by the length. */
static void bend(DlsKinematics kinematics, double load, int steps, double *down, double *back) {
  const double size[3] = {10, 0.25, 0}, I = 0.25 * 0.25 * 0.25 / 12;
  const int count[3] = {20, 1, 1};
  double force = load * 1e9 * I / 100 / 0.25; /* Pa, of the tip's side */
  Still s;
  block_make(&block, DLS_Q8, size, count, NULL, "elastic", kinematics);
  block_set(&block, "poisson", 0);
  block.setup.plane_stress = true;
  for (int a = 0; a < block.setup.nodes; a++)
    if (block.X[a][0] < 1e-9) block.held[a] = 3;
  const DlsBodyTraction pull = {.side = {19, 1}, .axis = 1, .traction = {1, 0}};
  block.setup.tractions = 1, block.setup.traction = &pull;
  block.setup.functions = (DlsBodyFunctions){&force, constant};
  still_open(&s);
  const double all = force;
  for (int k = 1; k <= steps; k++) {
    force = all * k / steps;
    still_step(&s, 0);
  }
  const int tip = node_at(10, 0.125);
  *down = s.state[2 * tip + 1] / 10;
  *back = -s.state[2 * tip] / 10;
  still_close(&s);
}

TEST(a_cantilever_bends_by_its_closed_form) {
  double down, back;
  /* F L^3 / 3 E I, and of shear 6/5 F L / G A: 6/5 2 H^2 / 12 L^2 3 of it. */
  const double wanted = 1e-3 / 3 * (1 + 1.2 * 2 * 0.25 * 0.25 / 12 / 100 * 3);
  static const DlsKinematics all[] = {DLS_KINEMATICS_SMALL, DLS_KINEMATICS_COROTATIONAL,
                                      DLS_KINEMATICS_TOTAL_LAGRANGIAN};
  for (int k = 0; k < DLS_COUNT(all); k++) {
    bend(all[k], 1e-3, 10, &down, &back);
    CHECK_NEAR(down, wanted, 1e-3 * wanted);
  }
}

/* Fibres are strained by load H / 2 L, 6 % at most, and the beam by shear and along its axis by
 * less: what an elastica does not know is below 1 %. */
TEST(a_cantilever_bends_far_as_an_elastica) {
  static const double loads[] = {1, 2, 5};
  for (int k = 0; k < DLS_COUNT(loads); k++) {
    double wanted[2], found[2];
    elastica(loads[k], &wanted[0], &wanted[1]);
    bend(DLS_KINEMATICS_TOTAL_LAGRANGIAN, loads[k], 10, &found[0], &found[1]);
    for (int i = 0; i < 2; i++) CHECK_NEAR(found[i], wanted[i], 0.01 * wanted[i]);
  }
}

/* Pulled to 1 %, back until the stress is 0 and a bit beyond: sigma = yield + E h / (E + h) (e -
 * yield / E), then down by E. Nothing is held across. */
TEST(a_bar_flows_and_is_unloaded) {
  const double size[3] = {1, 0.5, 0.5}, E = 1e9, yield = 1e6, h = 5e7, step = 5e-4;
  const int count[3] = {2, 1, 1};
  static double rate[40];
  DlsBodyDrive drive[40] = {{0}};
  Still s;
  block_make(&block, DLS_HEX8, size, count, NULL, "j2", DLS_KINEMATICS_SMALL);
  block_set(&block, "hardening", h);
  for (int a = 0; a < block.setup.nodes; a++) {
    for (int k = 0; k < 3; k++)
      if (block.X[a][k] < 1e-9) block.held[a] |= (unsigned char)(1 << k);
    if (block.X[a][0] > 1 - 1e-9)
      drive[block.setup.drives++] = (DlsBodyDrive){.node = a, .axis = 0, .speed = {1, 0}};
  }
  block.setup.drive = drive;
  block.setup.functions = (DlsBodyFunctions){rate, ramp};
  for (int k = 0; k < 40; k++) rate[k] = k < 20 ? step : -step / 2;
  still_open(&s);
  double *f = calloc((size_t)(3 * block.setup.nodes), sizeof *f), strain = 0, work = 0, lost = 0;
  const double at = 20 * step;
  const double top = yield + E * h / (E + h) * (at - yield / E);
  for (int k = 0; k < 25; k++) {
    const DlsDeformableWorks works = still_step(&s, k);
    double pull = 0;
    work += works.force, lost += works.lost;
    strain += rate[k];
    CHECK_OK(dls_body_forces(s.model, s.state, f));
    for (int i = 0; i < 3 * block.setup.nodes; i += 3)
      if (block.X[i / 3][0] > 1 - 1e-9) pull += f[i] / 0.25;
    const double up =
        strain < yield / E ? E * strain : yield + E * h / (E + h) * (strain - yield / E);
    CHECK_NEAR(pull, k < 20 ? up : top + E * (strain - at), 1e-8 * yield);
  }
  /* What was put in is stored or lost, exactly as the accounts go. */
  CHECK_NEAR(work, lost + s.kind->strain(s.model, s.state), 1e-9 * work);
  CHECK(lost > 0);
  free(f);
  still_close(&s);
}

/* A square under a pressure all around: Cauchy's stress, which files see, is -p, while its sides
 * are shorter by a part of a twentieth: the pressure must have followed them. */
TEST(a_pressure_follows_its_sides) {
  const double size[3] = {1, 1, 0}, p = 5e7;
  const int count[3] = {2, 2, 1};
  double amount = p;
  static const DlsKinematics all[] = {DLS_KINEMATICS_SMALL, DLS_KINEMATICS_TOTAL_LAGRANGIAN};
  for (int k = 0; k < DLS_COUNT(all); k++) {
    DlsBodyPressure pressure[8];
    Still s;
    block_make(&block, DLS_Q4, size, count, NULL, "elastic", all[k]);
    for (int c = 0, n = 0; c < 4; c++)
      for (int side = 0; side < 4; side++) {
        const DlsElementSide *of = &dls_element_kind(DLS_Q4)->side[side];
        const double *x = block.X[block.node[4 * c + of->node[0]]];
        const double *y = block.X[block.node[4 * c + of->node[1]]];
        bool rim = false;
        for (int i = 0; i < 2; i++) rim |= x[i] == y[i] && fabs(x[i] - 0.5) > 0.4;
        if (rim) pressure[n++] = (DlsBodyPressure){.side = {c, side}, .pressure = {1, 0}};
        block.setup.pressures = n;
      }
    CHECK_INT(block.setup.pressures, 8);
    block.setup.pressure = pressure;
    block.setup.functions = (DlsBodyFunctions){&amount, constant};
    block.held[node_at(0, 0)] = 3;
    block.held[node_at(1, 0)] = 2;
    still_open(&s);
    still_step(&s, 0);
    DlsDeformableFields out = {.displacement = calloc(9, 24),
                               .velocity = calloc(9, 24),
                               .force = calloc(16, 24),
                               .place = calloc(16, 24),
                               .weight = calloc(16, 8),
                               .stress = calloc(16, 48),
                               .strain = calloc(16, 48),
                               .energy = calloc(16, 8)};
    CHECK_OK(s.kind->fields(s.model, s.state, s.guess, &out));
    for (int q = 0; q < 16; q++) {
      CHECK_NEAR(out.stress[q][0], -p, 1e-9 * p);
      CHECK_NEAR(out.stress[q][1], -p, 1e-9 * p);
      CHECK_NEAR(out.stress[q][3], 0, 1e-9 * p);
    }
    free(out.displacement), free(out.velocity), free(out.force), free(out.place);
    free(out.weight), free(out.stress), free(out.strain), free(out.energy);
    still_close(&s);
  }
}

/* Soil that is not associated, sheared and pressed between two rough plates into flow. Newton's
 * loop squares what is left, 5 and 6 rounds; by a tangent made symmetric the first step takes 35,
 * and in the second M^ is not positive definite any more. */
TEST(newton_converges_quadratically_where_the_tangent_is_not_symmetric) {
  const double size[3] = {1, 1, 0};
  const int count[3] = {6, 6, 1};
  static double speed[2] = {4e-3, -4e-3};
  static DlsBodyDrive drive[32];
  Still s;
  int drives = 0, flowing = 0;
  block_make(&block, DLS_Q4, size, count, NULL, "drucker-prager", DLS_KINEMATICS_SMALL);
  block_set(&block, "young", 1e7);
  block_set(&block, "cohesion", 1e4);
  block_set(&block, "dilation", 0);
  for (int a = 0; a < block.setup.nodes; a++) {
    if (block.X[a][1] < 1e-9) block.held[a] = 3;
    for (int k = 0; k < 2 && block.X[a][1] > 1 - 1e-9; k++)
      drive[drives++] = (DlsBodyDrive){.node = a, .axis = k, .speed = {1, k}};
  }
  block.setup.drives = drives, block.setup.drive = drive;
  block.setup.functions = (DlsBodyFunctions){speed, of_axis};
  still_open(&s);
  for (int k = 0; k < 4; k++) {
    still_step(&s, k);
    if (getenv("SHOW"))
      for (int r = 0; r <= still_rounds; r++)
        printf("step %d round %d: %.3g\n", k, r, still_left[r]);
    CHECK(still_rounds <= 8);
    if (still_rounds < 3) continue; /* elastic */
    for (int r = still_rounds - 1; r <= still_rounds; r++)
      CHECK_BELOW(still_left[r], fmax(1e-13, 100 * still_left[r - 1] * still_left[r - 1]));
    flowing++;
  }
  CHECK(flowing >= 2);
  still_close(&s);
}
