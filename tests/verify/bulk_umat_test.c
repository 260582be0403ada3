/* UMATs behind delassus/bulk_umat.h, and those that are there as shared objects (umat:FILE), answer
 * as the bulk laws of the same name do, component by component. */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "bulk/bulk.h"

#define PLUGINS TEST_BINARY_DIR "/tests/plugins/umat/"

typedef struct {
  const DlsBulk *law;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS], strain[6];
  double stress[6], tangent[36], stored, dissipated;
} Point;

static Point begin(const char *name) {
  Point p = {0};
  CHECK_OK(dls_bulk_find(name, &p.law));
  if (!p.law) return p;
  dls_bulk_defaults(p.law, p.params);
  dls_bulk_new_state(p.law, p.state);
  return p;
}

static void step(Point *p, const double *strain) {
  const DlsBulkPoint point = {.measure = DLS_BULK_SMALL, .dt = 0.1, .size = 0.01};
  double next[DLS_MAX_PARAMS];
  CHECK_OK(dls_bulk_stress(p->law, &point, p->params, p->state, p->strain, strain, p->stress,
                           p->tangent, next));
  CHECK_OK(dls_bulk_energy(p->law, &point, p->params, p->state, p->strain, strain, next, &p->stored,
                           &p->dissipated));
  memcpy(p->state, next, (size_t)p->law->nstates * sizeof *next);
  memcpy(p->strain, strain, sizeof p->strain);
}

static void compare(Point *one, Point *other, double size) {
  DlsRandom random;
  dls_random_seed(&random, 11);
  for (int k = 0; k < 200; k++) {
    double strain[6];
    for (int i = 0; i < 6; i++) strain[i] = size * dls_random_between(&random, -1, 1);
    step(one, strain);
    step(other, strain);
    for (int i = 0; i < 6; i++) CHECK_NEAR(one->stress[i], other->stress[i], 1e-9 * 1e9 * size);
    for (int i = 0; i < 36; i++) CHECK_NEAR(one->tangent[i], other->tangent[i], 1e-9 * 1e9);
    CHECK_NEAR(one->stored, other->stored, 1e-9 * 1e9 * size * size * k + 1e-9);
  }
}

TEST(components_are_where_they_belong) {
  static const char *const theirs[] = {"e_11", "e_22", "e_33", "g_12", "g_13", "g_23"};
  static const char *const ours[] = {"young_1",  "young_2",  "young_3",
                                     "shear_12", "shear_13", "shear_23"};
  static const char *const ratios[] = {"poisson_12", "poisson_23", "poisson_13"};
  Point umat = begin(PLUGINS "umat-orthotropic.so"), law = begin("orthotropic");
  for (int k = 0; k < 6; k++) {
    CHECK_OK(dls_bulk_set(umat.law, umat.params, theirs[k], 1e8 * (k + 1)));
    CHECK_OK(dls_bulk_set(law.law, law.params, ours[k], 1e8 * (k + 1)));
  }
  for (int k = 0; k < 3; k++) CHECK_OK(dls_bulk_set(law.law, law.params, ratios[k], 0));
  compare(&umat, &law, 1e-3);
}

TEST(plasticity_by_increments_is_that_of_j2) {
  Point umat = begin(PLUGINS "umat-j2.so"), law = begin("j2");
  CHECK_OK(dls_bulk_set(law.law, law.params, "hardening", 1e7));
  compare(&umat, &law, 5e-3);
  CHECK(umat.state[0] > 0.1);
  CHECK_NEAR(umat.state[0], law.state[6], 1e-9);
}

/* ---- By umat:FILE:PROPS:STATEV ---- */

static void set(Point *p, const char *const *names, const double *values, int count) {
  for (int k = 0; k < count; k++) CHECK_OK(dls_bulk_set(p->law, p->params, names[k], values[k]));
}

static const char *const props[] = {"prop_1", "prop_2", "prop_3", "prop_4"};

TEST(a_shared_object_with_a_umat_is_a_law) {
  static const double values[] = {1e9, 0.3, 1e6, 1e7};
  Point umat = begin("umat:" PLUGINS "umat-j2.so:4:1:symmetric+isotropic"), law = begin("j2");
  const DlsBulk *again;
  CHECK_OK(dls_bulk_find("umat:" PLUGINS "umat-j2.so:4:1:symmetric+isotropic", &again));
  CHECK(again == umat.law);
  CHECK_INT(umat.law->claims, DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC);
  CHECK_FAILS(dls_bulk_check_params(umat.law, umat.params), DLS_ERR_ARGUMENT, "prop_1");
  set(&umat, props, values, 4);
  CHECK_OK(dls_bulk_set(law.law, law.params, "hardening", 1e7));
  compare(&umat, &law, 5e-3);
  CHECK_NEAR(umat.state[0], law.state[6], 1e-9);
  CHECK(umat.state[0] > 0.1);
}

#ifdef HAVE_FORTRAN
TEST(a_umat_in_fortran_is_hookes_law) {
  static const double values[] = {1e9, 0.25};
  static const char *const names[] = {"young", "poisson"};
  Point umat = begin("umat:" PLUGINS "fortran-elastic.so:2:0"), law = begin("elastic");
  set(&umat, props, values, 2);
  set(&law, names, values, 2);
  compare(&umat, &law, 1e-2);
}
#endif

/* Two of them at once: each answers for itself. */
TEST(two_umats_do_not_meet) {
  static const double soft[] = {1e8, 0.3, 1e6, 1e7};
  static const char *const names[] = {"young", "poisson", "yield", "hardening"};
  Point one = begin("umat:" PLUGINS "umat-j2.so:4:1"), law = begin("j2");
  Point other = begin("umat:" PLUGINS "umat-orthotropic.so:9:0");
  const double zero[6] = {0};
  char name[20];
  CHECK(one.law != other.law);
  if (other.law) CHECK_INT(other.law->nparams, 9);
  set(&one, props, soft, 4);
  set(&law, names, soft, 4);
  for (int k = 0; k < 6; k++) {
    snprintf(name, sizeof name, "prop_%d", k + 1);
    CHECK_OK(dls_bulk_set(other.law, other.params, name, 1e8));
  }
  step(&other, zero);
  compare(&one, &law, 5e-3);
}

TEST(what_is_no_umat_is_told) {
  static const struct {
    const char *name, *reason;
  } cases[] = {
      {"umat:steel.so", "write umat:FILE:PROPS:STATEV"},
      {"umat:steel.so:4", "write umat:FILE:PROPS:STATEV"},
      {"umat:steel.so:4:1:fast", "write umat:FILE:PROPS:STATEV"},
      {"umat:steel.so:4:99", "state variables (up to 56)"},
      {"umat:" PLUGINS "none.so:4:1", "cannot open shared object"},
      {"mgis:steel.so", "not in Debian, and not supported"},
      {"mfront:steel.so", "umat:FILE:PROPS:STATEV"},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    const DlsBulk *law = NULL;
    CHECK_FAILS(dls_bulk_find(cases[k].name, &law), DLS_ERR_PLUGIN, cases[k].reason);
    CHECK(!law);
  }
  const DlsBulk *elastic = NULL, *law = NULL;
  char name[2000];
  CHECK_OK(dls_bulk_find("elastic", &elastic));
  snprintf(name, sizeof name, "umat:%s:2:0", dls_bulk_path(elastic));
  CHECK_FAILS(dls_bulk_find(name, &law), DLS_ERR_PLUGIN, "has no symbol umat_");
}
