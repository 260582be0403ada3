/* Every bulk law that is shipped: tangents against differences, symmetry where it is claimed,
 * dissipation, the balance of energy, and closed forms. */
#include "tests/test.h"

#include <string.h>

#include "base/random.h"
#include "bulk/bulk.h"

enum { STATES = 16 };

typedef struct {
  const DlsBulk *law;
  double params[DLS_MAX_PARAMS], state[STATES], strain[6], stress[6];
  DlsBulkPoint point;
} Sample;

static Sample sample(const char *name) {
  Sample s = {.point = {.dt = 1e-2, .size = 0.01}};
  CHECK_OK(dls_bulk_find(name, &s.law));
  CHECK(s.law->nstates <= STATES);
  dls_bulk_defaults(s.law, s.params);
  dls_bulk_new_state(s.law, s.state);
  s.point.measure = s.law->measures & DLS_BULK_SMALL ? DLS_BULK_SMALL : DLS_BULK_GREEN;
  return s;
}

static void set(Sample *s, const char *name, double value) {
  CHECK_OK(dls_bulk_set(s->law, s->params, name, value));
}

/* One step to a strain; tells stored and dissipated, unless NULL. */
static void step(Sample *s, const double *strain, double *tangent, double *stored, double *lost) {
  double next[STATES];
  CHECK_OK(dls_bulk_stress(s->law, &s->point, s->params, s->state, s->strain, strain, s->stress,
                           tangent, next));
  if (stored)
    CHECK_OK(dls_bulk_energy(s->law, &s->point, s->params, s->state, s->strain, strain, next,
                             stored, lost));
  memcpy(s->state, next, (size_t)s->law->nstates * sizeof *next);
  memcpy(s->strain, strain, sizeof s->strain);
}

/* A strain at which the laws of these parameters are well beyond their limits of elasticity. */
static void draw(DlsRandom *random, double size, double *strain) {
  for (int i = 0; i < 6; i++) strain[i] = size * dls_random_between(random, -1, 1);
}

static const double reach = 8e-3; /* of strains; yield at 1e-3 by the defaults */

TEST(tangents_are_the_slopes_of_stresses) {
  const DlsBulk *const *laws;
  int count;
  DlsRandom random;
  dls_random_seed(&random, 3);
  CHECK_OK(dls_bulk_list(&laws, &count));
  CHECK(count >= 8);
  for (int l = 0; l < count; l++) {
    Sample s = sample(laws[l]->name);
    if (laws[l]->nstates) { /* plastic laws harden, so that both branches have slopes */
      dls_bulk_set(s.law, s.params, "hardening", 5e7);
      dls_bulk_set(s.law, s.params, "kinematic", 3e7);
    }
    for (int trial = 0; trial < 200; trial++) {
      Sample one = s;
      double strain[6], tangent[36], worst = 0, size = 0;
      draw(&random, reach, strain);
      step(&one, strain, NULL, NULL, NULL); /* a first step, so that there is a history */
      draw(&random, reach, strain);
      Sample two = one;
      step(&two, strain, tangent, NULL, NULL);
      for (int j = 0; j < 6; j++) {
        const double d = 1e-6 * reach;
        double side[2][6];
        for (int k = 0; k < 2; k++) {
          Sample three = one;
          double moved[6];
          memcpy(moved, strain, sizeof moved);
          moved[j] += k ? d : -d;
          step(&three, moved, NULL, NULL, NULL);
          memcpy(side[k], three.stress, sizeof side[k]);
        }
        for (int i = 0; i < 6; i++) {
          worst = fmax(worst, fabs((side[1][i] - side[0][i]) / (2 * d) - tangent[6 * i + j]));
          size = fmax(size, fabs(tangent[6 * i + j]));
        }
      }
      /* Differences: 1e-16 stress / d is some 1e-10 of the tangent, and their d^2. At the tip of a
       * cone there is no slope; 1e9 stands for the elastic one. */
      CHECK_TOLD(worst <= 1e-6 * fmax(size, 1e9), "%s: %g of %g", laws[l]->name, worst, size);
      if (laws[l]->claims & DLS_BULK_SYMMETRIC)
        for (int i = 0; i < 36; i++)
          CHECK_NEAR(tangent[i], tangent[6 * (i % 6) + i / 6], 1e-12 * size);
    }
  }
}

/* Nothing is made, and work is what is stored and dissipated: the difference falls with the step.
 */
TEST(work_is_stored_or_dissipated) {
  const DlsBulk *const *laws;
  int count;
  CHECK_OK(dls_bulk_list(&laws, &count));
  for (int l = 0; l < count; l++) {
    double error[2];
    for (int level = 0; level < 2; level++) {
      const int steps = level ? 8000 : 1000;
      Sample s = sample(laws[l]->name);
      s.point.dt = 1.0 / steps;
      double work = 0, stored = 0, lost, all = 0, before[6] = {0}, most = 0;
      for (int k = 1; k <= steps; k++) {
        const double t = 6.283185307179586 * k / steps;
        const double strain[6] = {reach * sin(t),           -0.4 * reach * sin(2 * t),  0,
                                  0.5 * reach * sin(3 * t), 0.3 * reach * (1 - cos(t)), 0};
        double old[6];
        memcpy(old, s.strain, sizeof old);
        step(&s, strain, NULL, &stored, &lost);
        for (int i = 0; i < 6; i++) work += 0.5 * (s.stress[i] + before[i]) * (strain[i] - old[i]);
        memcpy(before, s.stress, sizeof before);
        CHECK_TOLD(lost >= -1e-12 * fabs(stored) - 1e-12, "%s dissipates %g", laws[l]->name, lost);
        all += lost;
        most = fmax(most, fabs(stored) + all);
      }
      error[level] = fabs(work - stored - all) / most;
    }
    CHECK_TOLD(error[1] < 2e-3 && (error[1] < error[0] / 4 || error[0] < 1e-6), "%s: %g then %g",
               laws[l]->name, error[0], error[1]);
  }
}

/* Pure shear beyond yield: tau = yield / sqrt 3 + mu h / (3 mu + h) (gamma - gamma_y). */
TEST(j2_shears_by_its_closed_form) {
  Sample s = sample("j2");
  set(&s, "hardening", 2e7), set(&s, "kinematic", 1e7);
  const double mu = 1e9 / 2.6, h = 3e7, tau_y = 1e6 / sqrt(3), gamma_y = tau_y / mu;
  for (int k = 1; k <= 50; k++) {
    const double gamma = 2e-4 * k, strain[6] = {0, 0, 0, gamma};
    step(&s, strain, NULL, NULL, NULL);
    const double wanted =
        gamma < gamma_y ? mu * gamma : tau_y + mu * h / (3 * mu + h) * (gamma - gamma_y);
    CHECK_NEAR(s.stress[3], wanted, 1e-12 * 1e6);
  }
}

/* On the cone, and dilating by beta: the trace of the plastic strain over its equivalent shear. */
TEST(drucker_prager_stays_on_its_cone) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  const double phi = 0.5, psi = 0.1, c = 1e5;
  const double alpha = 2 * sin(phi) / (sqrt(3) * (3 - sin(phi)));
  const double beta = 2 * sin(psi) / (sqrt(3) * (3 - sin(psi)));
  const double k = 6 * c * cos(phi) / (sqrt(3) * (3 - sin(phi)));
  int cone = 0, tip = 0;
  for (int trial = 0; trial < 500; trial++) {
    Sample s = sample("drucker-prager");
    double strain[6], deviator[6], shear = 0;
    draw(&random, 2e-3, strain);
    step(&s, strain, NULL, NULL, NULL);
    const double I1 = s.stress[0] + s.stress[1] + s.stress[2];
    const double trace = s.state[0] + s.state[1] + s.state[2];
    for (int i = 0; i < 6; i++) deviator[i] = s.stress[i] - (i < 3 ? I1 / 3 : 0);
    const double q = sqrt(dls_bulk_stress_product(deviator, deviator) / 2);
    CHECK(q + alpha * I1 - k <= 1e-9 * 1e6);
    for (int i = 0; i < 6; i++)
      shear += i < 3 ? pow(s.state[i] - trace / 3, 2) : pow(s.state[i], 2) / 2;
    if (trace == 0 && shear == 0) continue; /* elastic */
    if (q < 1e-6 * c) {
      tip++;
      CHECK_NEAR(I1, k / alpha, 1e-9 * k / alpha);
    } else { /* e_p = g (s / 2q + beta 1): |dev| = g / sqrt 2, trace = 3 beta g */
      cone++;
      CHECK_NEAR(trace, 3 * beta * sqrt(2 * shear), 1e-9 * 2e-3);
    }
  }
  CHECK(cone > 50 && tip > 20);
  Sample s = sample("drucker-prager");
  set(&s, "dilation", 0.6);
  CHECK_FAILS(dls_bulk_check_params(s.law, s.params), DLS_ERR_ARGUMENT, "it would make energy");
}

TEST(maxwell_relaxes_exponentially) {
  double error[2];
  for (int level = 0; level < 2; level++) {
    Sample s = sample("maxwell");
    const double strain[6] = {0, 0, 0, 1e-3}, mu = 1e9 / 2.6;
    s.point.dt = 0; /* at once */
    step(&s, strain, NULL, NULL, NULL);
    CHECK_NEAR(s.stress[3], mu * 1e-3, 1e-9 * mu * 1e-3);
    const int steps = level ? 2000 : 1000;
    s.point.dt = 2.0 / steps;
    for (int k = 0; k < steps; k++) step(&s, strain, NULL, NULL, NULL);
    error[level] = fabs(s.stress[3] / (mu * 1e-3) - (0.5 + 0.5 * exp(-2)));
  }
  CHECK_BELOW(error[1], 1e-3);
  CHECK_NEAR(error[0] / error[1], 2, 0.05); /* implicit: first order */
}

/* Pulled apart, an element takes the fracture energy, whatever its size. */
TEST(damage_takes_the_fracture_energy_whatever_the_size) {
  for (int k = 0; k < 3; k++) {
    Sample s = sample("damage");
    set(&s, "poisson", 0);
    s.point.size = 0.01 * (k + 1);
    double work = 0, before = 0;
    const int steps = 200000;
    for (int n = 1; n <= steps; n++) {
      const double strain[6] = {0.5 * n / steps};
      step(&s, strain, NULL, NULL, NULL);
      work += 0.5 * (s.stress[0] + before) * 0.5 / steps;
      before = s.stress[0];
    }
    CHECK_NEAR(work * s.point.size, 100, 0.1);
  }
  Sample s = sample("damage");
  const double strain[6] = {0.1};
  double out[6];
  s.point.size = 10; /* so large that it would snap back */
  CHECK_FAILS(
      dls_bulk_stress(s.law, &s.point, s.params, s.state, s.strain, strain, out, NULL, NULL),
      DLS_ERR_LAW, "stress failed");
}

/* With equal axes it is isotropic, by whatever angle it is turned; with others, a pull along an
 * axis that is turned to y answers by that axis' modulus. */
TEST(orthotropic_has_axes) {
  DlsRandom random;
  dls_random_seed(&random, 7);
  Sample iso = sample("elastic"), s = sample("orthotropic");
  static const char *const shears[] = {"shear_12", "shear_23", "shear_13"};
  for (int k = 0; k < 3; k++) set(&s, shears[k], 1e9 / 2.6);
  for (int trial = 0; trial < 20; trial++) {
    double strain[6];
    draw(&random, 1e-3, strain);
    set(&s, "angle", dls_random_between(&random, -3, 3));
    step(&s, strain, NULL, NULL, NULL);
    step(&iso, strain, NULL, NULL, NULL);
    for (int i = 0; i < 6; i++) CHECK_NEAR(s.stress[i], iso.stress[i], 1e-12 * 1e6);
  }
  static const char *const ratios[] = {"poisson_12", "poisson_23", "poisson_13"};
  for (int k = 0; k < 3; k++) set(&s, ratios[k], 0);
  set(&s, "young_1", 7e9), set(&s, "angle", 1.5707963267948966);
  const double pull[6] = {0, 1e-3};
  step(&s, pull, NULL, NULL, NULL);
  CHECK_NEAR(s.stress[1], 7e6, 1e-9 * 7e6);
  set(&s, "poisson_12", 4);
  CHECK_FAILS(dls_bulk_check_params(s.law, s.params), DLS_ERR_ARGUMENT, "negative energy");
}

/* Uniaxial stretch of a rubber with nu = 0 (lambda = 0): S = mu (1 - 1/l^2). */
TEST(rubber_by_hand) {
  Sample s = sample("neo-hookean");
  set(&s, "poisson", 0);
  const double l = 1.7, strain[6] = {(l * l - 1) / 2};
  step(&s, strain, NULL, NULL, NULL);
  CHECK_NEAR(s.stress[0], 0.5e9 * (1 - 1 / (l * l)), 1e-3);
  double out[6], flat[6] = {-0.5};
  CHECK_FAILS(dls_bulk_stress(s.law, &s.point, s.params, s.state, s.strain, flat, out, NULL, NULL),
              DLS_ERR_LAW, "stress failed");
  s.point.measure = DLS_BULK_SMALL;
  CHECK_FAILS(
      dls_bulk_stress(s.law, &s.point, s.params, s.state, s.strain, strain, out, NULL, NULL),
      DLS_ERR_LAW, "not meant for the strain");
  CHECK_FAILS(dls_bulk_set(s.law, s.params, "yuong", 1), DLS_ERR_ARGUMENT, "did you mean 'young'?");
  CHECK_FAILS(dls_bulk_set(s.law, s.params, "poisson", 0.5), DLS_ERR_ARGUMENT, "is not within");
}
