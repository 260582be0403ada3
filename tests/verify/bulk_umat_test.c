/* UMATs behind delassus/bulk_umat.h answer as the bulk laws of the same name do, component by
 * component. */
#include "tests/test.h"

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
