/* The relations that signorini and coulomb prepare, against Moreau 1994, eqs. 6.1 to 6.4; what
 * coulomb remembers; the checks of a custom relation. Broken laws: base_plugin_test.c. */
#include "tests/test.h"

#include <delassus/cone.h>
#include <delassus/laws.h>

typedef struct {
  const DlsLaw *law;
  DlsContact contact;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
} Scene;

static Scene scene(const char *name, int dim, int block) {
  Scene s = {.contact = {.dim = dim, .block = block, .h = 1e-3, .mass = 2}};
  if (dls_law_find(name, &s.law) != DLS_OK) test_skip("the law is not built");
  dls_law_defaults(s.law, s.params);
  dls_law_new_state(s.law, s.state);
  for (int i = 0; i < block; i++) s.contact.u_before[i] = -1.0 - i;
  return s;
}

static DlsLawUse use_of(const Scene *s) {
  return (DlsLawUse){.law = s->law,
                     .contact = 3,
                     .kinematics = &s->contact,
                     .params = s->params,
                     .state = s->state};
}

static DlsRelation relation_of(const Scene *s) {
  DlsRelation relation;
  const DlsLawUse use = use_of(s);
  CHECK_OK(dls_law_prepare(&use, &relation));
  return relation;
}

TEST(signorini_bounces_when_closed) {
  Scene s = scene("signorini", 3, 3);
  CHECK_OK(dls_law_set(s.law, s.params, "rho", 0.5));
  DlsRelation relation = relation_of(&s);
  CHECK_INT(relation.cone, DLS_CONE_SIGNORINI);
  CHECK_NEAR(relation.b[0], -0.5, 0);
  CHECK_NEAR(relation.b[1], 0, 0);
  s.contact.gap_rate = 4; /* apart by 4 h m/s: no bounce before it has closed */
  CHECK_NEAR(relation_of(&s).b[0], 4, 0);
  s.contact.gap_rate = -0.25; /* interpenetrated: pushed out, and bounces */
  CHECK_NEAR(relation_of(&s).b[0], -0.75, 0);
}

TEST(coulomb_has_both_restitutions) {
  Scene s = scene("coulomb", 3, 3);
  CHECK_OK(dls_law_set(s.law, s.params, "rho", 0.5));
  CHECK_OK(dls_law_set(s.law, s.params, "tau", 0.25));
  CHECK_OK(dls_law_set(s.law, s.params, "mu", 0.6));
  DlsRelation relation = relation_of(&s);
  CHECK_INT(relation.cone, DLS_CONE_COULOMB);
  CHECK_NEAR(relation.mu[DLS_MU_1], 0.6, 0);
  CHECK_NEAR(relation.mu[DLS_MU_2], 0.6, 0);
  CHECK_NEAR(relation.b[0], -0.5, 0);
  CHECK_NEAR(relation.b[1], -0.5, 0);
  CHECK_NEAR(relation.b[2], -0.75, 0);
  s.contact.gap_rate = 4;
  relation = relation_of(&s);
  CHECK_NEAR(relation.b[0], 4, 0);
  CHECK_NEAR(relation.b[1], 0, 0);
}

/* In blocks with spins the cone must keep torques at zero. */
TEST(coulomb_carries_no_torque) {
  const int dims[] = {2, 3, 3}, blocks[] = {3, 5, 6};
  for (int k = 0; k < 3; k++) {
    Scene s = scene("coulomb", dims[k], blocks[k]);
    const DlsRelation relation = relation_of(&s);
    double r[DLS_MAX_BLOCK] = {1, 0.1, 0.1, 1, 1, 1};
    dls_cone_project(&relation, dims[k], blocks[k], r);
    for (int i = dims[k]; i < blocks[k]; i++) CHECK_NEAR(r[i], 0, 1e-15);
    CHECK_NEAR(r[1], 0.1, 1e-15);
    for (int i = dims[k]; i < blocks[k]; i++) CHECK_NEAR(relation.b[i], 0, 0);
  }
}

/* mu_static holds a contact until it has slid; then mu, until it has come to rest. */
TEST(coulomb_remembers_sliding) {
  Scene s = scene("coulomb", 2, 2);
  CHECK_OK(dls_law_set(s.law, s.params, "mu", 0.3));
  CHECK_NEAR(relation_of(&s).mu[0], 0.3, 0); /* mu_static below mu does not count */
  CHECK_OK(dls_law_set(s.law, s.params, "mu_static", 0.5));
  CHECK_NEAR(relation_of(&s).mu[0], 0.5, 0);
  const DlsLawUse use = use_of(&s);
  const double at_rest[2] = {0, 1e-9}, moving[2] = {0, -0.1}, noisy[2] = {0, 1e-4};
  const double inside[2] = {2, 0.8}, on_static[2] = {2, 1.0}, on_dynamic[2] = {2, 0.6};
  const double none[2] = {0, 0};
  CHECK_OK(dls_law_commit(&use, noisy, inside, s.state)); /* what a solver leaves at rest */
  CHECK_NEAR(s.state[0], 0, 0);
  CHECK_OK(dls_law_commit(&use, moving, on_static, s.state));
  CHECK_NEAR(s.state[0], 1, 0);
  CHECK_NEAR(relation_of(&s).mu[0], 0.3, 0);
  CHECK_OK(dls_law_commit(&use, moving, on_dynamic, s.state));
  CHECK_NEAR(s.state[0], 1, 0);
  CHECK_OK(dls_law_commit(&use, moving, none, s.state)); /* open, still moving along */
  CHECK_NEAR(s.state[0], 1, 0);
  CHECK_OK(dls_law_commit(&use, at_rest, on_dynamic, s.state));
  CHECK_NEAR(s.state[0], 0, 0);
  CHECK_NEAR(relation_of(&s).mu[0], 0.5, 0);
}

/* A ball of mass m that falls on the floor at speed v and leaves at rho v: m v² (1 - rho²)/2 is
 * lost. */
TEST(energy_is_what_the_bodies_lose) {
  const char *names[] = {"signorini", "coulomb"};
  for (int k = 0; k < 2; k++) {
    Scene s = scene(names[k], 3, 3);
    const double m = 2, v = 1, rho = 0.5;
    const double u[3] = {rho * v, 0, 0}, r[3] = {m * v * (1 + rho), 0, 0};
    double stored, dissipated;
    const DlsLawUse use = use_of(&s);
    CHECK_OK(dls_law_energy(&use, u, r, &stored, &dissipated));
    CHECK_NEAR(stored, 0, 0);
    CHECK_NEAR(dissipated, 0.5 * m * v * v * (1 - rho * rho), 1e-15);
  }
}

TEST(a_wrong_contact_is_refused) {
  Scene s = scene("coulomb", 3, 3);
  const DlsLawUse use = use_of(&s);
  DlsRelation relation;
  DlsCustomRelation custom;
  s.contact.block = 4;
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW, "blocks of 4 components");
  s.contact.block = 2;
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW, "blocks of 2 components in 3");
  s.contact.block = 3;
  s.contact.dim = 1;
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW, "space has 1 dimensions");
  s.contact.dim = 3;
  s.contact.h = 0;
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW,
              "contact law 'coulomb', contact 3: the time-step is 0 s");
  s.contact.h = 1;
  s.contact.u_before[0] = NAN;
  s.params[2] = 1;
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW, "prepare gives b[0] = nan");
  CHECK_FAILS(dls_law_custom(&use, &custom), DLS_ERR_LAW, "it has no residual");
}

TEST(a_custom_law_becomes_a_custom_relation) {
  Scene s = scene("stribeck", 3, 3);
  const DlsLawUse use = use_of(&s);
  DlsCustomRelation custom;
  CHECK_INT(relation_of(&s).cone, DLS_CONE_CUSTOM);
  CHECK_OK(dls_law_custom(&use, &custom));
  CHECK(custom.residual && custom.project && !custom.solve);
  const double u[3] = {0, 0, 0}, r[3] = {1, 0, 0}, bad[3] = {NAN, 0, 0};
  double F[3];
  CHECK_OK(custom.residual(custom.context, u, r, F, NULL, NULL));
  for (int i = 0; i < 3; i++) CHECK_NEAR(F[i], 0, 0); /* pressed, at rest: the law holds */
  CHECK_FAILS(custom.residual(custom.context, u, bad, F, NULL, NULL), DLS_ERR_LAW,
              "contact law 'stribeck', contact 3: residual gives F[0] = nan");
}
