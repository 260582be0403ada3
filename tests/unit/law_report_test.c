/* What laws tell after a step, report and surface: each law of a list in its own slices, checked,
 * and what fails can be asked again. */
#include "tests/test.h"

#include "law/failure.h"

#include <math.h>
#include <string.h>

/* Answers that a test sets; a law of this file gives them. */
static int word;
static double limit, number;

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)c, (void)p, (void)state, (void)out;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)c, (void)p, (void)u, (void)r, (void)state;
  return DLS_OK;
}

/* What it is told of its own surfaces, state and parameters comes back as outputs. */
static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)u, (void)r;
  *status = word;
  if (!isnan(limit)) *friction_limit = limit;
  outputs[0] = c->surface[0][0] + number;
  outputs[1] = 100 * c->surface[1][1] + 10 * p[0] + state[0];
  return DLS_OK;
}

static DlsStatus surface(const DlsContact *c, const double *p, const double *state, const double *u,
                         const double *r, double *change) {
  (void)p, (void)state, (void)u;
  change[0] = c->surface[0][0];
  change[3] = r[0] + number;
  return DLS_OK;
}

#define FREE .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND
static const DlsParam one[] = {{"p", "1", "a number", FREE}};
static const DlsParam state_table[] = {{"s", "1", "a number", FREE}};
static const DlsParam two[] = {{"x", "1", "a number", FREE}, {"y", "1", "another", FREE}};
static const char *const words[] = {"wet", "dry"};

#define LAW(name_)                                                                                 \
  {                                                                                                \
    DLS_LAW_HEAD, .name = name_, .summary = "", .references = "", .params = one, .nparams = 1,     \
                  .states = state_table, .nstates = 1, .composes = 1, .surfaces = two,             \
                  .nsurfaces = 2, .statuses = words, .nstatuses = 2, .outputs = two,               \
                  .noutputs = 2, .prepare = prepare, .commit = commit, .surface = surface,         \
                  .report = report                                                                 \
  }
static const DlsLaw first = LAW("first"), second = LAW("second");
static const DlsLaw silent = {DLS_LAW_HEAD, .name = "silent", .summary = "", .references = "",
                              .prepare = prepare};

static const double params[] = {1, 2}, state[] = {3, 4};
static const double side[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static const double u[3], r[3] = {0.5};

static DlsContact contact_of(void) {
  DlsContact c = {.dim = 3, .block = 3, .h = 1e-3};
  for (int k = 0; k < 2; k++) c.surface[k] = side[k];
  word = -1, limit = NAN, number = 0;
  return c;
}

TEST(laws_of_a_list_see_and_change_their_own_surfaces) {
  const DlsContact c = contact_of();
  const DlsLaw *const then[] = {&silent, &second, NULL};
  const DlsLawUse use = {
      .law = &first, .kinematics = &c, .params = params, .state = state, .then = then};
  double change[8], outputs[4], known = 7;
  int status;
  CHECK_OK(dls_law_check(&first, "first"));
  CHECK_INT(dls_law_count_surfaces(&use), 4);
  CHECK_INT(dls_law_count_outputs(&use), 4);
  CHECK_OK(dls_law_surface(&use, u, r, change));
  const double wanted[8] = {1, 0, 3, 0, 0, 0.5, 0, 0.5};
  for (int k = 0; k < 8; k++) CHECK_NEAR(change[k], wanted[k], 0);
  CHECK_OK(dls_law_report(&use, u, r, &status, &known, outputs));
  CHECK_INT(status, -1);
  CHECK_NEAR(known, 7, 0);
  const double told[4] = {1, 600 + 10 + 3, 3, 800 + 20 + 4};
  for (int k = 0; k < 4; k++) CHECK_NEAR(outputs[k], told[k], 0);
  word = 1, limit = 2.5;
  CHECK_OK(dls_law_report(&use, u, r, &status, &known, outputs));
  CHECK_INT(status, 3); /* the second law's second */
  CHECK_NEAR(known, 2.5, 0);
}

typedef enum { REPORT, SURFACE } Function;

static void check_refused(Function what, const char *sentence) {
  const DlsContact c = {.dim = 3, .block = 3, .h = 1e-3, .surface = {side[0], side[1]}};
  const DlsLawUse use = {
      .law = &first, .contact = 5, .kinematics = &c, .params = params, .state = state};
  double change[4], outputs[2], known = NAN;
  int status;
  DlsLawFailure failure, other;
  if (what == REPORT)
    CHECK_FAILS(dls_law_report(&use, u, r, &status, &known, outputs), DLS_ERR_LAW, sentence);
  else
    CHECK_FAILS(dls_law_surface(&use, u, r, change), DLS_ERR_LAW, sentence);
  CHECK(dls_law_failure_last(&failure));
  CHECK(strcmp(failure.function, what == REPORT ? "report" : "surface") == 0);
  memcpy(&other, &failure, sizeof other); /* wherever it stands, it has its own surfaces */
  memset(&failure, 0xff, sizeof failure);
  CHECK_NEAR(other.surface[1][1], side[1][1], 0);
  CHECK_FAILS(dls_law_failure_repeat(&other), DLS_ERR_LAW, sentence);
}

TEST(what_laws_report_is_checked_and_asked_again) {
  (void)contact_of();
  word = 2;
  check_refused(REPORT, "contact law 'first', contact 5: report gives the status 2; it has 2");
  word = -2;
  check_refused(REPORT, "report gives the status -2");
  word = 0, limit = -1;
  check_refused(REPORT, "report gives the limit of friction -1 N s");
  limit = HUGE_VAL;
  check_refused(REPORT, "report gives the limit of friction inf N s");
  limit = 1, number = NAN;
  check_refused(REPORT, "report gives outputs[0] = nan");
  check_refused(SURFACE, "surface gives change[3] = nan");
}

TEST(an_output_called_as_a_state_is_refused) {
  DlsLaw law = first;
  law.outputs = state_table, law.noutputs = 1;
  CHECK_FAILS(dls_law_check(&law, "first"), DLS_ERR_PLUGIN,
              "the output 's' is called as a state variable");
}
