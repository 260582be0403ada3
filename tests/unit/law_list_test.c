/* Laws that act together: who may follow whom, whose slice is whose, and the sums. The law `pull`
 * is tests/plugins/pull.c. */
#include "tests/test.h"

#include <delassus/laws.h>

#include <string.h>

#define PULL TEST_BINARY_DIR "/tests/plugins/composed/pull.so"

enum { PARAMS = 16, STATES = 8 };

typedef struct {
  const DlsLaw *first, *then[DLS_MAX_LAWS];
  DlsContact contact;
  double params[PARAMS], state[STATES];
  DlsLawUse use;
} List;

static DlsStatus broken_direction(const DlsContact *c, const double *p, double t1[3]) {
  (void)c;
  (void)p;
  t1[0] = NAN;
  return DLS_OK;
}

static double negative_range(const DlsPair *pair, const double *p) {
  (void)pair;
  (void)p;
  return -1;
}

/* coulomb, one state variable, then pull with two parameters and two. */
static void open_list(List *list) {
  memset(list, 0, sizeof *list);
  list->contact = (DlsContact){.dim = 3, .block = 3, .h = 0.5, .gap = 0.25, .gap_rate = 0.5};
  if (dls_law_find("coulomb", &list->first) != DLS_OK) test_skip("coulomb is not built");
  CHECK_OK(dls_law_find(PULL, &list->then[0]));
  dls_law_defaults(list->first, list->params);
  dls_law_defaults(list->then[0], list->params + list->first->nparams);
  list->params[list->first->nparams] = 4;     /* N */
  list->params[list->first->nparams + 1] = 1; /* m */
  list->use = (DlsLawUse){.law = list->first,
                          .contact = 7,
                          .kinematics = &list->contact,
                          .params = list->params,
                          .state = list->state,
                          .then = list->then};
}

TEST(each_law_adds_to_one_relation) {
  List list;
  DlsRelation relation;
  double range;
  open_list(&list);
  CHECK_INT(dls_law_count_params(&list.use), list.first->nparams + 2);
  CHECK_INT(dls_law_count_states(&list.use), list.first->nstates + 2);
  CHECK_OK(dls_law_prepare(&list.use, &relation));
  CHECK_INT(relation.cone, DLS_CONE_COULOMB);
  CHECK_NEAR(relation.mu[0], 0.3, 0);
  CHECK_NEAR(relation.b[0], 0.5, 0); /* of coulomb */
  CHECK_NEAR(relation.a[0], 2, 0);   /* h F of pull */
  CHECK_OK(dls_law_range(&list.use, &(DlsPair){0}, &range));
  CHECK_NEAR(range, 1, 0);
}

TEST(each_law_has_its_slice_of_the_state) {
  List list;
  const double u[3] = {0, 1, 0}, r[3] = {1, -0.3, 0};
  double stored, dissipated;
  open_list(&list);
  CHECK_OK(dls_law_begin(&list.use, list.state));
  CHECK_NEAR(list.state[0], 0, 0);    /* sliding */
  CHECK_NEAR(list.state[1], 0.25, 0); /* found */
  CHECK_OK(dls_law_commit(&list.use, u, r, list.state));
  CHECK_OK(dls_law_commit(&list.use, u, r, list.state));
  CHECK_NEAR(list.state[0], 1, 0);
  CHECK_NEAR(list.state[1], 0.25, 0);
  CHECK_NEAR(list.state[2], 2, 0);
  CHECK_OK(dls_law_energy(&list.use, u, r, &stored, &dissipated));
  CHECK_NEAR(stored, 4 * 0.25, 0);      /* F g of pull, at rest along n */
  CHECK_NEAR(dissipated, 0.5 * 0.3, 0); /* of coulomb: u_before is 0 */
  /* The last law fails: nothing has changed. */
  list.state[2] = 10000;
  list.state[0] = 0;
  CHECK_FAILS(dls_law_commit(&list.use, u, r, list.state), DLS_ERR_LAW,
              "contact law 'pull', contact 7: commit gives the state age = 10001, not within");
  CHECK_NEAR(list.state[0], 0, 0);
  CHECK_NEAR(list.state[2], 10000, 0);
}

TEST(forces_are_summed_and_all_must_have_one) {
  List list;
  double force[3];
  const double u[3] = {0};
  open_list(&list);
  CHECK_FAILS(dls_law_force(&list.use, u, force), DLS_ERR_LAW,
              "contact law 'coulomb', contact 7: it has no force");
  DlsLaw spring = *list.then[0];
  const DlsLaw *const then[] = {list.then[0], NULL};
  spring.name = "spring";
  const double params[] = {3, 1, 4, 1}; /* N, m of each */
  const DlsLawUse use = {.law = &spring,
                         .contact = 7,
                         .kinematics = &list.contact,
                         .params = params,
                         .state = list.state,
                         .then = then};
  CHECK_OK(dls_law_force(&use, u, force));
  CHECK_NEAR(force[0], -7, 0);
  CHECK_NEAR(force[1], 0, 0);
}

TEST(a_law_that_cannot_follow_is_refused) {
  List list;
  const DlsLaw *stribeck = NULL, *signorini = NULL;
  open_list(&list);
  CHECK_OK(dls_law_find("signorini", &signorini));
  CHECK_OK(dls_law_find("stribeck", &stribeck));
  CHECK_FAILS(dls_law_may_follow(&list.use, signorini), DLS_ERR_ARGUMENT,
              "contact law 'signorini' does not compose, so it cannot follow 'coulomb'");
  CHECK_FAILS(dls_law_may_follow(&list.use, list.then[0]), DLS_ERR_ARGUMENT,
              "contact law 'pull' stands twice");
  const DlsLawUse custom = {.law = stribeck, .contact = -1};
  CHECK_OK(dls_law_may_follow(&custom, list.then[0])); /* a law of its own relation may be first */
  DlsLaw copy[3] = {*list.then[0], *list.then[0], *list.then[0]};
  CHECK_OK(dls_law_may_follow(&list.use, &copy[0]));
  for (int k = 0; k < 2; k++) list.then[k + 1] = &copy[k];
  CHECK_FAILS(dls_law_may_follow(&list.use, &copy[2]), DLS_ERR_ARGUMENT,
              "would be number 5; at most 4 act together");
  list.then[1] = NULL;
  copy[0].nparams = 60;
  CHECK_FAILS(dls_law_may_follow(&list.use, &copy[0]), DLS_ERR_ARGUMENT, "more than 64 parameters");
  copy[1].orient = copy[2].orient = broken_direction;
  list.then[1] = &copy[1];
  CHECK_FAILS(dls_law_may_follow(&list.use, &copy[2]), DLS_ERR_ARGUMENT, "both turn the frame");
}

TEST(wrong_ranges_and_directions_are_refused) {
  List list;
  double range, t1[3];
  open_list(&list);
  DlsLaw broken = *list.then[0];
  broken.range = negative_range;
  list.then[0] = &broken;
  CHECK_FAILS(dls_law_range(&list.use, &(DlsPair){0}, &range), DLS_ERR_LAW,
              "contact law 'pull', contact 7: its range is -1 m");
  CHECK_OK(dls_law_orient(&list.use, t1));
  for (int k = 0; k < 3; k++) CHECK_NEAR(t1[k], 0, 0);
  broken.orient = broken_direction;
  CHECK_FAILS(dls_law_orient(&list.use, t1), DLS_ERR_LAW, "orient gives t1[0] = nan");
}

TEST(a_law_of_forces_alone_is_for_the_explicit_scheme) {
  List list;
  DlsRelation relation;
  open_list(&list);
  DlsLaw explicit_only = *list.then[0];
  explicit_only.prepare = NULL;
  list.use.law = &explicit_only;
  list.use.then = NULL;
  CHECK_FAILS(dls_law_prepare(&list.use, &relation), DLS_ERR_LAW, "it has force alone");
}
