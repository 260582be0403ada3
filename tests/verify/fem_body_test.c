/* Bodies of finite elements by kinematics and laws: patches, turns, tangents, flights. */
#include "tests/fem_cells.h"

#include "base/random.h"

static const DlsElementType solids[] = {DLS_T3,   DLS_T6,    DLS_Q4,   DLS_Q8,
                                        DLS_TET4, DLS_TET10, DLS_HEX8, DLS_WEDGE6};
static Block block;

/* No cell is a parallelogram. */
static void distort(double x[3]) {
  const double bulge = x[0] * (1 - x[0]) * x[1] * (1 - x[1]);
  const double depth = x[2] > 0 && x[2] < 1 ? 4 * x[2] * (1 - x[2]) : x[2] == 0 ? 1 : 0;
  x[0] += 0.9 * bulge * depth;
  x[1] -= 0.7 * bulge * depth;
  if (x[2] > 0 && x[2] < 1) x[2] += 0.8 * bulge;
}

static void make(DlsElementType type, const char *law, DlsKinematics kinematics) {
  const double size[3] = {1, 1, 1};
  const int count[3] = {2, 2, dls_element_kind((int)type)->dim == 3 ? 2 : 1};
  block_make(&block, type, size, count, distort, law, kinematics);
}

static bool on_border(const double *X, int dim) {
  for (int k = 0; k < dim; k++)
    if (fabs(X[k] * (1 - X[k])) < 1e-12) return true;
  return false;
}

/* Displacements that are linear in space give one stress, so that inner nodes are in balance. */
static void check_patch(const char *law, DlsKinematics kinematics, double by, bool plane_stress) {
  static const double G[3][3] = {{0.1, 0.2, -0.05}, {-0.1, 0.04, 0.03}, {0.02, 0.07, -0.09}};
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    const int dim = dls_element_kind((int)solids[t])->dim;
    if (plane_stress && dim == 3) continue;
    make(solids[t], law, kinematics);
    block.setup.plane_stress = plane_stress;
    void *model;
    CHECK_OK(dls_body_create(&block.setup, &model));
    double *state = calloc((size_t)block_size(model).states, sizeof *state), largest = 0;
    double *f = calloc((size_t)(block.setup.nodes * dim), sizeof *f);
    dls_body_new_state(model, state);
    for (int i = 0; i < block.setup.nodes * dim; i++)
      for (int k = 0; k < dim; k++) state[i] += by * G[i % dim][k] * block.X[i / dim][k];
    CHECK_OK(dls_body_settle(model, state));
    CHECK_OK(dls_body_forces(model, state, f));
    for (int i = 0; i < block.setup.nodes * dim; i++) largest = fmax(largest, fabs(f[i]));
    CHECK(largest > 1e-6 * 1e9 * by * by);
    int inner = 0;
    for (int i = 0; i < block.setup.nodes * dim; i++) {
      if (on_border(block.X[i / dim], dim)) continue;
      inner++;
      CHECK_TOLD(fabs(f[i]) <= 1e-12 * largest, "%s, %s: %g of %g",
                 dls_element_kind((int)solids[t])->name, law, f[i], largest);
    }
    CHECK(inner > 0);
    free(state), free(f);
    dls_body_destroy(model);
  }
}

TEST(patch_test) {
  check_patch("elastic", DLS_KINEMATICS_SMALL, 1e-3, false);
  check_patch("elastic", DLS_KINEMATICS_SMALL, 1e-3, true);
  check_patch("j2", DLS_KINEMATICS_SMALL, 0.1, false);
  check_patch("j2", DLS_KINEMATICS_SMALL, 0.1, true);
  check_patch("elastic", DLS_KINEMATICS_TOTAL_LAGRANGIAN, 1, false);
  check_patch("neo-hookean", DLS_KINEMATICS_TOTAL_LAGRANGIAN, 1, false);
  check_patch("neo-hookean", DLS_KINEMATICS_TOTAL_LAGRANGIAN, 1, true);
  check_patch("j2", DLS_KINEMATICS_TOTAL_LAGRANGIAN, 1, false);
}

/* Turned by a right angle about an axis, and moved: no force. */
TEST(a_turn_gives_no_force) {
  static const char *const laws[] = {"elastic", "neo-hookean", "j2", "elastic"};
  for (int l = 0; l < DLS_COUNT(laws); l++)
    for (int t = 0; t < DLS_COUNT(solids); t++) {
      make(solids[t], laws[l],
           l == 3 ? DLS_KINEMATICS_COROTATIONAL : DLS_KINEMATICS_TOTAL_LAGRANGIAN);
      const int dim = block.setup.dim;
      static const double turn[2][3][3] = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                                           {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
      void *model;
      CHECK_OK(dls_body_create(&block.setup, &model));
      double *state = calloc((size_t)block_size(model).states, sizeof *state);
      double *f = calloc((size_t)(block.setup.nodes * dim), sizeof *f);
      dls_body_new_state(model, state);
      for (int i = 0; i < block.setup.nodes * dim; i++) {
        state[i] = 3 - block.X[i / dim][i % dim];
        for (int k = 0; k < dim; k++) state[i] += turn[dim - 2][i % dim][k] * block.X[i / dim][k];
      }
      CHECK_OK(dls_body_settle(model, state));
      CHECK_OK(dls_body_forces(model, state, f));
      for (int i = 0; i < block.setup.nodes * dim; i++) CHECK_NEAR(f[i], 0, 1e-14 * 1e9 * 10);
      /* Round-off of terms of the size of Young's modulus that cancel. */
      CHECK_NEAR(dls_body_kind(model)->strain(model, state), 0, 1e-15 * 1e9);
      free(state), free(f);
      dls_body_destroy(model);
    }
}

/* M^ of a step against differences of p, for theta = 1, where it is exact. */
static void check_tangent(DlsElementType type, const char *law, DlsKinematics kinematics,
                          bool plane_stress, double beta) {
  const double size[3] = {1, 1, 1};
  const int count[3] = {1, 1, 1};
  DlsRandom random;
  dls_random_seed(&random, 11);
  block_make(&block, type, size, count, NULL, law, kinematics);
  block.setup.plane_stress = plane_stress;
  block.setup.beta = beta;
  const DlsBodySpring spring = {.node = 1, .axis = 0, .stiffness = 1e8};
  block.setup.springs = 1, block.setup.spring = &spring;
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < block.setup.nodes; a++)
      if (k < block.setup.dim) block.X[a][k] += dls_random_between(&random, -0.05, 0.05);
  void *model;
  CHECK_OK(dls_body_create(&block.setup, &model));
  const DlsDeformableOperations *kind = dls_body_kind(model);
  const DlsDeformableSize all = block_size(model);
  const int n = all.velocities;
  double *state = calloc((size_t)all.states, sizeof *state), scale;
  double *v = calloc((size_t)n, sizeof *v), *guess = calloc((size_t)n, sizeof *v);
  double *p[2] = {calloc((size_t)n, sizeof *v), calloc((size_t)n, sizeof *v)};
  const DlsSparse *pattern = kind->pattern(model);
  double *value = calloc((size_t)pattern->start[n], sizeof *value), largest = 0, worst = 0;
  DlsDeformableStep step = {.h = 1e-2, .after = 1e-2, .still = 1};
  const double far = kinematics == DLS_KINEMATICS_SMALL ? 3e-3 : 0.04;
  dls_body_new_state(model, state);
  for (int i = 0; i < n; i++) state[i] = far * dls_random_between(&random, -1, 1);
  CHECK_OK(dls_body_settle(model, state));
  kind->begin(model, &step, state, v);
  for (int i = 0; i < n; i++) guess[i] = far / step.h * dls_random_between(&random, -1, 1);
  CHECK_OK(kind->linearise(model, state, &step, v, guess, value, p[0], &scale));
  for (int e = 0; e < pattern->start[n]; e++) largest = fmax(largest, fabs(value[e]));
  for (int j = 0; j < n; j++) {
    const double d = 1e-6 * far / step.h, keep = guess[j];
    for (int s = 0; s < 2; s++) {
      guess[j] = keep + (s ? d : -d);
      CHECK_OK(kind->linearise(model, state, &step, v, guess, NULL, p[s], &scale));
    }
    guess[j] = keep;
    for (int i = 0; i < n; i++) {
      double entry = 0;
      for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
        if (pattern->column[e] == j) entry = value[e];
      worst = fmax(worst, fabs(entry + (p[1][i] - p[0][i]) / (2 * d)));
    }
  }
  CHECK_TOLD(worst <= 2e-7 * largest, "%s, %s: %g of %g", dls_element_kind((int)type)->name, law,
             worst, largest);
  free(state), free(v), free(guess), free(p[0]), free(p[1]), free(value);
  dls_body_destroy(model);
}

TEST(tangents_are_the_slopes_of_forces) {
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    const bool flat = dls_element_kind((int)solids[t])->dim == 2;
    for (int plane_stress = 0; plane_stress <= flat; plane_stress++) {
      check_tangent(solids[t], "j2", DLS_KINEMATICS_SMALL, plane_stress, 0);
      check_tangent(solids[t], "elastic", DLS_KINEMATICS_TOTAL_LAGRANGIAN, plane_stress, 0);
      check_tangent(solids[t], "neo-hookean", DLS_KINEMATICS_TOTAL_LAGRANGIAN, plane_stress, 0);
      check_tangent(solids[t], "j2", DLS_KINEMATICS_TOTAL_LAGRANGIAN, plane_stress, 0);
    }
    check_tangent(solids[t], "maxwell", DLS_KINEMATICS_SMALL, false, 0);
    check_tangent(solids[t], "maxwell", DLS_KINEMATICS_TOTAL_LAGRANGIAN, false, 0);
  }
}

/* The forces of a co-rotational body are the slope of what it stores, and have no torque. */
TEST(a_turning_body_has_forces_of_an_energy) {
  for (int t = 0; t < DLS_COUNT(solids); t++) {
    DlsRandom random;
    dls_random_seed(&random, 5);
    make(solids[t], "elastic", DLS_KINEMATICS_COROTATIONAL);
    void *model;
    CHECK_OK(dls_body_create(&block.setup, &model));
    const int dim = block.setup.dim, n = block.setup.nodes * dim;
    double *state = calloc((size_t)block_size(model).states, sizeof *state);
    double *f = calloc((size_t)n, sizeof *f), largest = 0, torque[3] = {0};
    dls_body_new_state(model, state);
    for (int i = 0; i < n; i++)
      state[i] = 0.1 * dls_random_between(&random, -1, 1) +
                 (i % dim == 0 ? -block.X[i / dim][1] : block.X[i / dim][0] * (i % dim == 1));
    CHECK_OK(dls_body_forces(model, state, f));
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(f[i]));
    for (int i = 0; i < n; i++) {
      const double d = 1e-5, keep = state[i];
      double stored[2];
      for (int s = 0; s < 2; s++) {
        state[i] = keep + (s ? d : -d);
        CHECK_OK(dls_body_settle(model, state));
        stored[s] = dls_body_kind(model)->strain(model, state);
      }
      state[i] = keep;
      CHECK_NEAR(f[i], (stored[1] - stored[0]) / (2 * d), 1e-8 * largest);
    }
    for (int a = 0; a < block.setup.nodes; a++) {
      double x[3], own[3] = {0}, moment[3];
      dls_body_place(model, state, a, x);
      memcpy(own, f + a * dim, (size_t)dim * sizeof *own);
      dls_vector_cross(x, own, moment);
      for (int k = 0; k < 3; k++) torque[k] += moment[k];
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(torque[k], 0, 1e-12 * largest);
    free(state), free(f);
    dls_body_destroy(model);
  }
}
