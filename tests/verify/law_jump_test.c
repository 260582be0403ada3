/* Laws that give the traction of a jump: the implicit and the explicit scheme go the same way as
 * the step goes to zero; a cohesive zone takes its fracture energy, whatever the number of points
 * that share its face; areas that are not known are refused; where a law that softens has several
 * answers, one is taken that satisfies it. */
#include "tests/test.h"

#include <delassus/laws.h>
#include <delassus/local.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  DlsContact contact;
  DlsLawUse use;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
  double gap, u[DLS_MAX_BLOCK], mass;
} Body;

/* At the gap 0, at rest, n = x, before its first step. */
static void open_body(Body *b, const DlsLaw *law, int dim, double h, double area, double mass) {
  *b = (Body){.contact = dls_contact_default(dim), .mass = mass};
  b->contact.h = h;
  b->contact.area = area;
  b->contact.radius = 0.01;
  b->contact.mass = mass;
  dls_law_defaults(law, b->params);
  b->use =
      (DlsLawUse){.law = law, .kinematics = &b->contact, .params = b->params, .state = b->state};
  CHECK_OK(dls_law_begin(&b->use, b->state));
}

/* A step of moreau's scheme, or of the explicit one, under a force. */
static void step_body(Body *b, bool by_force, const double *load) {
  DlsContact *c = &b->contact;
  const int n = c->block;
  double q[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK] = {0}, u[DLS_MAX_BLOCK], D[36] = {0};
  c->gap = b->gap + 0.5 * c->h * b->u[0];
  c->gap_rate = fmax(c->gap, 0) / c->h;
  memcpy(c->u_before, b->u, sizeof b->u);
  b->use.forces = by_force;
  for (int i = 0; i < n; i++) {
    q[i] = b->u[i] + c->h * load[i] / b->mass;
    D[i * (n + 1)] = 1 / b->mass;
  }
  memcpy(u, b->u, sizeof u);
  for (int round = 0; by_force && round < 2; round++) { /* at v, then at the mean of v and v+ */
    CHECK_OK(dls_law_force(&b->use, u, r));
    for (int i = 0; i < n; i++) r[i] *= c->h;
    for (int i = 0; i < n; i++) u[i] = 0.5 * (b->u[i] + q[i] + r[i] / b->mass);
  }
  if (!by_force) {
    DlsRelation relation;
    DlsCustomRelation custom;
    CHECK_OK(dls_law_prepare(&b->use, &relation));
    CHECK_OK(dls_law_custom(&b->use, &custom));
    CHECK(dls_local_solve(&relation, c->dim, n, &custom, D, q, r) < DLS_LOCAL_NONE);
  }
  for (int i = 0; i < n; i++) b->u[i] = q[i] + r[i] / b->mass;
  CHECK_OK(dls_law_commit(&b->use, b->u, r, b->state));
  b->gap = c->gap + 0.5 * c->h * b->u[0];
  c->time += c->h;
}

/* m, how far the two schemes are apart after `seconds`. */
static double apart(const DlsLaw *law, int dim, double seconds, int steps, const double *load,
                    const double *speed) {
  double place[2][3] = {{0}};
  for (int by_force = 0; by_force < 2; by_force++) {
    Body b;
    open_body(&b, law, dim, seconds / steps, 1e-2, 1);
    memcpy(b.u, speed, (size_t)dim * sizeof *speed);
    for (int k = 0; k < steps; k++) {
      const double before[3] = {b.u[0], b.u[1], b.u[2]};
      step_body(&b, by_force, load);
      for (int i = 1; i < dim; i++) place[by_force][i] += 0.5 * b.contact.h * (before[i] + b.u[i]);
    }
    place[by_force][0] = b.gap;
  }
  double sum = 0;
  for (int i = 0; i < dim; i++) sum = hypot(sum, place[1][i] - place[0][i]);
  return sum;
}

/* Loads that a law's stiffness k, N/m, answers by motions of 10 micrometres, in units of k and of
 * sqrt(k/m): pressed and sheared; pulled and sheared, which tears a bond. */
static const double loads[][6] = {{0, 0, 0, -1, 0.5, 0.3}, {1.5e0, 0.4, 0.2, 0, 0, 0}};

TEST(implicit_and_explicit_go_the_same_way) {
  const DlsLaw *const *laws;
  int count, tried = 0;
  CHECK_OK(dls_law_list(&laws, &count));
  for (int l = 0; l < count; l++)
    for (int which = 0; laws[l]->traction && which < 2; which++)
      for (int dim = 2; dim <= 3; dim++) {
        Body probe;
        double k[DLS_MAX_BLOCK], c[DLS_MAX_BLOCK], load[3], speed[3], error[4];
        int others;
        open_body(&probe, laws[l], dim, 1e-6, 1e-2, 1);
        probe.contact.gap = -1e-6;
        CHECK_OK(dls_law_stiffness(&probe.use, k, c, &others));
        CHECK(k[0] > 0);
        const double way = 1e-5, rate = sqrt(k[0]);
        for (int i = 0; i < 3; i++) {
          load[i] = loads[which][i] * k[0] * way;
          speed[i] = loads[which][3 + i] * rate * way;
        }
        for (int e = 0; e < 4; e++) error[e] = apart(laws[l], dim, 4 / rate, 100 << e, load, speed);
        const double order = log2(error[0] / error[3]) / 3;
        printf("%s, %d-D, load %d: apart by %.2e %.2e %.2e %.2e m, order %.2f\n", laws[l]->name,
               dim, which, error[0], error[1], error[2], error[3], order);
        /* Both schemes are of first order. With h w = 1/200 and w T = 4 the implicit one loses
         * ½ (h w) (w T) = 0.01 of an amplitude: 1 way where it is pressed, 1.5 ways until it
         * tears; the break comes up to a step late, 1.5 (h w) (w T) = 0.03 ways: 0.045 in all. */
        CHECK(error[3] < 0.05 * way);
        if (error[0] > 0) CHECK(order > 0.9); /* both may be exact: constant forces */
        tried++;
      }
  CHECK(tried >= 4);
}

/* J that opening, shear or both by the same share take from a face of n x n points until all is
 * broken; a hinge opens one side before the other. */
static void tear(int n, double opening, double slip, bool hinged, bool implicit, double work[2]) {
  const DlsLaw *law = NULL;
  const double A = 1e-3, h = 1e-5, seconds = 0.02;
  work[0] = work[1] = 0;
  if (dls_law_find("cohesive-zone", &law) != DLS_OK) test_skip("the law is not built");
  for (int point = 0; point < n * n; point++) {
    Body b;
    open_body(&b, law, 3, h, A / (n * n), 1);
    const double share = hinged ? (point % n + 0.5) / n : 1;
    const double v[3] = {opening * share / seconds, slip * share / seconds, 0}, none[3] = {0};
    double D[9] = {1e-12, 0, 0, 0, 1e-12, 0, 0, 0, 1e-12};
    for (int step = 0; step < (int)(seconds / h) * (hinged ? 2 * n : 1); step++) {
      double f[3] = {0}, r[3] = {0};
      b.contact.gap = b.gap + 0.5 * h * v[0];
      memcpy(b.contact.u_before, v, sizeof v);
      b.use.forces = !implicit;
      if (implicit) {
        DlsCustomRelation custom;
        CHECK_OK(dls_law_custom(&b.use, &custom));
        CHECK_OK(custom.solve(custom.context, D, v, r));
        for (int i = 0; i < 3; i++) f[i] = r[i] / h;
      } else {
        CHECK_OK(dls_law_force(&b.use, v, f));
      }
      CHECK_OK(dls_law_commit(&b.use, v, none, b.state));
      for (int i = 0; i < 2; i++) work[i] -= f[i] * v[i] * h;
      b.gap += h * v[0];
    }
    CHECK_NEAR(b.state[0], 1, 0);
  }
}

TEST(fracture_energy_does_not_depend_on_the_points_of_a_face) {
  const double A = 1e-3, G_I = 20, G_II = 100; /* the defaults */
  const double opening = 2 * G_I / 2e5, slip = 2 * G_II / 3e5;
  for (int implicit = 0; implicit < 2; implicit++)
    for (int n = 1; n <= 8; n *= 2) {
      double work[2];
      tear(n, 1.2 * opening, 0, false, implicit, work);
      CHECK_NEAR(work[0], G_I * A, 0.01 * G_I * A);
      tear(n, 0, 1.2 * slip, false, implicit, work);
      CHECK_NEAR(work[1], G_II * A, 0.01 * G_II * A);
      tear(n, opening, slip, false, implicit, work);
      CHECK_NEAR(work[0] / (G_I * A) + work[1] / (G_II * A), 1, 0.01);
      if (n > 4) continue;
      tear(n, 1.2 * opening, 0, true, implicit, work);
      CHECK_NEAR(work[0], G_I * A, 0.01 * G_I * A);
    }
}

/* The zone itself softens by the damage of its beginning: stress up to the strength (1 - D) s f_t
 * of that damage, s = 1/(1 - D (1 - elastic)), which has one answer whatever h² A k / m; then the
 * damage of the new jump. */
TEST(a_zone_that_softens_within_a_step_has_one_answer) {
  const DlsLaw *law = NULL;
  if (dls_law_find("cohesive-zone", &law) != DLS_OK) test_skip("the law is not built");
  const double f_t = 2e5, G_I = 20, elastic = 0.1, k_n = f_t * f_t / (2 * elastic * G_I);
  const double A = 1e-2, h = 1e-3, damages[] = {0, 0.4, 0.9}, ways[] = {0.5, 3, 30};
  int capped = 0, torn = 0;
  for (int e = 0; e < 3 * 3 * 7 * 2; e++) {
    const double D0 = damages[e % 3], m = pow(10, e / 9 % 7 - 3), sound = 1 - D0;
    const double s = 1 / (1 - D0 * (1 - elastic)), q[2] = {ways[e / 3 % 3] * f_t / k_n / h, 0};
    const double W[4] = {1 / m, 0, 0, 1 / m};
    double d = h * q[0] / (1 + h * h * A * sound * k_n / m), r[2], stress = sound * k_n * d;
    if (k_n * d > s * f_t) stress = sound * s * f_t, capped++;
    d = h * (q[0] - h * A * stress / m);
    Body b;
    DlsCustomRelation custom;
    open_body(&b, law, 2, h, A, m);
    b.state[0] = D0;
    CHECK_OK(dls_law_custom(&b.use, &custom));
    r[0] = e >= 63 ? -h * A * f_t : 0, r[1] = 0; /* from torn, from bonded */
    CHECK_OK(custom.solve(custom.context, W, q, r));
    CHECK_NEAR(r[0], -h * A * stress, 1e-11 * (h * A * f_t + m * q[0]));
    const double u[2] = {q[0] + r[0] / m, 0}, x = d * k_n / f_t;
    CHECK_OK(dls_law_commit(&b.use, u, r, b.state));
    const double after = x <= 1 ? D0 : fmin(1, fmax(D0, (x - 1) / (x * (1 - elastic))));
    CHECK_NEAR(b.state[0], after, 1e-9);
    torn += after >= 1;
  }
  CHECK(capped > 20 && torn > 5);
}

TEST(an_area_that_is_not_known_is_refused) {
  const DlsLaw *law = NULL;
  Body b;
  double f[3];
  const double u[3] = {0};
  if (dls_law_find("cohesive-zone", &law) != DLS_OK) test_skip("the law is not built");
  open_body(&b, law, 3, 1e-3, 0, 1);
  CHECK_FAILS(dls_law_force(&b.use, u, f), DLS_ERR_LAW,
              "its traction is a stress, and the area that the contact stands for is 0 m2");
}

/* A bond that softens within the step: t = -k d up to d = w, then falling to 0 at 2 w. */
static const double k = 1e6, w = 1e-5;
static DlsStatus soft_traction(const DlsContact *c, const double *p, const double *state,
                               const double *jump, const double *u, double *t, double *dt_djump,
                               double *dt_du, double *next) {
  (void)p, (void)state, (void)u, (void)next;
  const double d = jump[0];
  const int n = c->block;
  for (int i = 0; i < n; i++) t[i] = 0;
  t[0] = d <= w ? -k * d : d < 2 * w ? -k * (2 * w - d) : 0;
  for (int i = 0; dt_djump && i < n * n; i++) dt_djump[i] = dt_du[i] = 0;
  if (dt_djump) dt_djump[0] = d <= w ? -k : d < 2 * w ? k : 0;
  return DLS_OK;
}

TEST(of_several_answers_the_one_near_the_step_before_is_taken) {
  static const DlsLaw soft = {DLS_LAW_HEAD, .name = "soft", .summary = "", .references = "",
                              .traction = soft_traction};
  CHECK_OK(dls_law_check(&soft, "here"));
  const double h = 1e-2, m = 1; /* h² k = 100 m: bonded, softening and torn may all be answers */
  Body b;
  DlsCustomRelation custom;
  open_body(&b, &soft, 2, h, 0, m);
  CHECK_OK(dls_law_custom(&b.use, &custom));
  const double D[4] = {1 / m, 0, 0, 1 / m}, q[2] = {5 * w / h, 0};
  const double bonded = -k * h * 5 * w / (1 + h * h * k / m);
  for (int guess = 0; guess < 2; guess++) {
    double r[2] = {guess ? 0 : bonded * 0.9, 0}, F[2], u[2];
    CHECK_OK(custom.solve(custom.context, D, q, r));
    CHECK_NEAR(r[0], guess ? 0 : bonded, 1e-12 * fabs(bonded));
    u[0] = q[0] + r[0] / m, u[1] = 0;
    CHECK_OK(custom.residual(custom.context, u, r, F, NULL, NULL));
    CHECK_NEAR(F[0], 0, 1e-12 * fabs(bonded));
  }
}
