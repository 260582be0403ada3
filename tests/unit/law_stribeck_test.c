/* The custom law: its derivatives against differences, its projection against its residual, the
 * limit in which it is Coulomb's law, and the one-contact problem by the core's Newton. */
#include "tests/test.h"

#include <string.h>

#include <delassus/laws.h>
#include <delassus/local.h>
#include <delassus/solver.h>

#include "base/random.h"

typedef struct {
  const DlsLaw *law;
  DlsContact contact;
  double params[DLS_MAX_PARAMS];
  DlsLawUse use;
  DlsCustomRelation custom;
} Scene;

/* Strengthening with sliding speed, so that one-contact problems have one solution. */
static void set_scene(Scene *s, int dim, int block) {
  memset(s, 0, sizeof *s);
  if (dls_law_find("stribeck", &s->law) != DLS_OK) test_skip("stribeck is not built");
  dls_law_defaults(s->law, s->params);
  s->contact = (DlsContact){.dim = dim, .block = block, .h = 1e-3, .mass = 0.7};
  s->use = (DlsLawUse){.law = s->law, .kinematics = &s->contact, .params = s->params};
  CHECK_OK(dls_law_set(s->law, s->params, "mu_slow", 0.3));
  CHECK_OK(dls_law_set(s->law, s->params, "mu_fast", 0.8));
  CHECK_OK(dls_law_set(s->law, s->params, "v_scale", 0.5));
  CHECK_OK(dls_law_set(s->law, s->params, "eta", 0.1));
  CHECK_OK(dls_law_custom(&s->use, &s->custom));
}

static double friction(double v) { return 0.8 - 0.5 * exp(-v / 0.5) + 0.1 * v; }

static void fill(DlsRandom *random, double *x, int count) {
  for (int i = 0; i < count; i++) x[i] = dls_random_between(random, -1, 1);
}

static double length(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum = hypot(sum, x[i]);
  return sum;
}

/* F is smooth around (u, r): away from touching, from the cone and from u_T = 0. */
static bool smooth(const Scene *s, const double *u, const double *r) {
  const double rho = s->contact.mass, margin = 1e-3;
  const double g = r[0] - rho * (u[0] + s->contact.gap_rate);
  const int tangents = s->contact.dim - 1;
  double x[2];
  for (int i = 0; i < tangents; i++) x[i] = r[1 + i] - rho * u[1 + i];
  const double v = length(u + 1, tangents), radius = friction(v) * fmax(0, g);
  return fabs(g) > margin && v > margin && fabs(length(x, tangents) - radius) > margin;
}

/* Column j of dF/dx by a central difference, x being u or r. */
static void difference(Scene *s, double *u, double *r, double *x, int j, double *column) {
  const double step = 1e-6, kept = x[j];
  double above[DLS_MAX_BLOCK], below[DLS_MAX_BLOCK];
  x[j] = kept + step;
  CHECK_OK(s->custom.residual(&s->use, u, r, above, NULL, NULL));
  x[j] = kept - step;
  CHECK_OK(s->custom.residual(&s->use, u, r, below, NULL, NULL));
  x[j] = kept;
  for (int i = 0; i < s->contact.block; i++) column[i] = (above[i] - below[i]) / (2 * step);
}

static void check_derivatives(Scene *s, double *u, double *r) {
  const int n = s->contact.block;
  double F[DLS_MAX_BLOCK], du[36], dr[36], column[DLS_MAX_BLOCK];
  CHECK_OK(s->custom.residual(&s->use, u, r, F, du, dr));
  for (int j = 0; j < n; j++) {
    difference(s, u, r, u, j, column);
    for (int i = 0; i < n; i++) CHECK_NEAR(du[i * n + j], column[i], 1e-6);
    difference(s, u, r, r, j, column);
    for (int i = 0; i < n; i++) CHECK_NEAR(dr[i * n + j], column[i], 1e-6);
  }
}

TEST(derivatives_are_those_of_the_residual) {
  const int dims[] = {2, 3, 2, 3, 3}, blocks[] = {2, 3, 3, 5, 6};
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int k = 0; k < DLS_COUNT(dims); k++) {
    Scene s;
    int checked = 0;
    set_scene(&s, dims[k], blocks[k]);
    for (int trial = 0; trial < 2000; trial++) {
      double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
      s.contact.gap_rate = dls_random_between(&random, -0.1, 0.1);
      fill(&random, u, blocks[k]);
      fill(&random, r, blocks[k]);
      if (!smooth(&s, u, r)) continue;
      checked++;
      check_derivatives(&s, u, r);
    }
    CHECK(checked > 1500);
  }
}

/* F(u, r) = r - P(r - rho u) at velocity u: the law's two faces are one. */
TEST(projection_and_residual_agree) {
  DlsRandom random;
  dls_random_seed(&random, 2);
  for (int dim = 2; dim <= 3; dim++) {
    Scene s;
    set_scene(&s, dim, dim);
    for (int trial = 0; trial < 2000; trial++) {
      double u[3], r[3], p[3], F[3];
      fill(&random, u, dim);
      fill(&random, r, dim);
      s.contact.gap_rate = dls_random_between(&random, -0.1, 0.1);
      for (int i = 0; i < dim; i++) p[i] = r[i];
      CHECK_OK(s.custom.residual(&s.use, u, r, F, NULL, NULL));
      CHECK_OK(s.custom.project(&s.use, u, s.contact.mass, p));
      for (int i = 0; i < dim; i++) CHECK_NEAR(F[i], r[i] - p[i], 1e-14);
    }
  }
}

/* A symmetric D = A Aᵀ + 0.1, and q. */
static void random_problem(DlsRandom *random, int n, double *D, double *q) {
  double A[9];
  fill(random, A, n * n);
  fill(random, q, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      D[i * n + j] = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++) D[i * n + j] += A[i * n + k] * A[j * n + k];
    }
}

static const DlsRelation custom_cone = {.cone = DLS_CONE_CUSTOM};

TEST(a_constant_coefficient_is_coulomb) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int dim = 2; dim <= 3; dim++) {
    Scene s;
    set_scene(&s, dim, dim);
    CHECK_OK(dls_law_set(s.law, s.params, "mu_slow", 0.3));
    CHECK_OK(dls_law_set(s.law, s.params, "mu_fast", 0.3));
    CHECK_OK(dls_law_set(s.law, s.params, "eta", 0));
    const DlsRelation coulomb = {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
    for (int trial = 0; trial < 500; trial++) {
      double D[9], q[3], r[3] = {0}, other[3] = {0};
      random_problem(&random, dim, D, q);
      CHECK(dls_local_solve(&coulomb, dim, dim, NULL, D, q, r) != DLS_LOCAL_NONE);
      CHECK(dls_local_solve(&custom_cone, dim, dim, &s.custom, D, q, other) != DLS_LOCAL_NONE);
      for (int i = 0; i < dim; i++) CHECK_NEAR(other[i], r[i], 1e-8 * (1 + length(r, dim)));
    }
  }
}

/* The law itself, read off the answer. */
static void check_law(int dim, const double *D, const double *q, const double *r) {
  const double scale = 1 + length(r, dim), near = 1e-7 * scale;
  double u[3] = {0};
  for (int i = 0; i < dim; i++) {
    u[i] = q[i];
    for (int j = 0; j < dim; j++) u[i] += D[i * dim + j] * r[j];
  }
  CHECK(u[0] >= -near && r[0] >= -near && fabs(u[0] * r[0]) <= near * scale);
  const double v = length(u + 1, dim - 1), bound = friction(v) * r[0];
  CHECK(length(r + 1, dim - 1) <= bound + near);
  if (v < 1e-6) return;
  for (int i = 1; i < dim; i++) CHECK_NEAR(r[i], -bound * u[i] / v, 10 * near);
}

/* Weakening friction gives |F| minima that are no zeros; starts from many sides find the zero in
 * each of these matrices, whose condition reaches 100.
 */
TEST(one_contact_is_solved_by_newton) {
  const int trials = 1000;
  DlsRandom random;
  dls_random_seed(&random, 4);
  for (int dim = 2; dim <= 3; dim++) {
    Scene s;
    int unsolved = 0;
    set_scene(&s, dim, dim);
    for (int trial = 0; trial < trials; trial++) {
      double D[9], q[3], r[3] = {0};
      random_problem(&random, dim, D, q);
      s.contact.mass = 1 / D[0];
      if (dls_local_solve(&custom_cone, dim, dim, &s.custom, D, q, r) == DLS_LOCAL_NONE)
        unsolved++;
      else
        check_law(dim, D, q, r);
    }
    CHECK_INT(unsolved, 0);
  }
}

/* A body of mass m, pressed by m v_N and thrown along the floor at w: u_T + mu(u_T) v_N = w. */
TEST(a_sliding_body_slows_as_the_curve_says) {
  Scene s;
  set_scene(&s, 2, 2);
  const double m = 2, v_normal = 0.5, w = 1.5;
  const double D[4] = {1 / m, 0, 0, 1 / m}, q[2] = {-v_normal, w};
  double r[2] = {0, 0}, low = 0, high = w;
  CHECK(dls_local_solve(&custom_cone, 2, 2, &s.custom, D, q, r) != DLS_LOCAL_NONE);
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    if (middle + friction(middle) * v_normal < w)
      low = middle;
    else
      high = middle;
  }
  CHECK_NEAR(r[0], m * v_normal, 1e-12);
  CHECK_NEAR(r[1], m * (low - w), 1e-10);
}

/* Two bodies one behind the other: contact 1 pushes on what contact 0 carries. */
static DlsStatus coupled_problem(const DlsRelation *relations, const DlsCustomRelation *custom,
                                 DlsProblem **out) {
  const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  const double q[] = {-1, 0.5, 0.2, -0.5, -1, 0.3};
  double W[4 * 9] = {0};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++) W[9 * k + 4 * i] = k == 0 || k == 3 ? 1 : 0.3;
  DlsOperator *W_handle = NULL;
  DLS_TRY(dls_operator_create_assembled(2, 3, start, column, W, &W_handle));
  return dls_problem_create(3, &W_handle, q, relations, custom, out);
}

static void solve_problem(const DlsRelation *relations, const DlsCustomRelation *custom,
                          double *r) {
  const DlsLimits limits = {.tolerance = 1e-11, .max_iterations = 10000};
  const DlsSolver *solver;
  DlsProblem *problem = NULL;
  DlsReport report = {0};
  CHECK_OK(dls_solver_find("nsgs", &solver));
  CHECK_OK(coupled_problem(relations, custom, &problem));
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  dls_problem_destroy(&problem);
}

TEST(nsgs_takes_the_custom_law) {
  Scene s;
  set_scene(&s, 3, 3);
  CHECK_OK(dls_law_set(s.law, s.params, "mu_slow", 0.3));
  CHECK_OK(dls_law_set(s.law, s.params, "mu_fast", 0.3));
  CHECK_OK(dls_law_set(s.law, s.params, "eta", 0));
  const DlsRelation coulomb = {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
  const DlsRelation canonical[2] = {coulomb, coulomb}, own[2] = {custom_cone, custom_cone};
  const DlsCustomRelation custom[2] = {s.custom, s.custom};
  double r[6] = {0}, other[6] = {0};
  solve_problem(canonical, NULL, r);
  solve_problem(own, custom, other);
  for (int i = 0; i < 6; i++) CHECK_NEAR(other[i], r[i], 1e-9);
}
