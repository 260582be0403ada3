/* A law that fails stops the run, says which law at which contact, and leaves a file that asks it
 * again. The laws are those of tests/plugins/broken.c, each with one fault. */
#include "tests/io/app_run.h"

#include <unistd.h>

#include "law_bench/failure_file.h"

#define PLUGINS TEST_BINARY_DIR "/tests/plugins"
#define SCRAPS  TEST_BINARY_DIR "/tests/tmp/law_failure"

typedef struct {
  const char *law, *function, *sentence;
  bool local; /* it came to a problem: D and q are known */
} Case;

/* A sphere lies on the floor: contact 0 is there from the first step. */
static int run_case(const char *law) {
  char arguments[1024];
  FILE *deck = fopen(SCRAPS "/deck.yaml", "w");
  CHECK(deck != NULL);
  if (!deck) return -1;
  fprintf(deck,
          "time: {step: 1 ms, end: 5 ms}\ngravity: [0, 0, -9.81]\nmaterials: {rock: {}}\n"
          "laws: [{law: %s}]\nbodies: [{material: rock, radius: 1, position: [0, 0, 1]}]\n"
          "boundaries: {floor: {material: rock, shape: plane}}\nsolver: {"
          "max_iterations: 20}\n",
          law);
  fclose(deck);
  remove(SCRAPS "/out/law-failure.yaml");
  snprintf(arguments, sizeof arguments, "run %s/deck.yaml --out %s/out --quiet", SCRAPS, SCRAPS);
  return app_run(arguments);
}

TEST(a_failing_law_stops_the_run_and_is_asked_again) {
  static const Case cases[] = {
      {PLUGINS "/laws/prepare-nan-b.so", "prepare", "prepare gives b[1] = nan", false},
      {PLUGINS "/laws/prepare-error.so", "prepare", "prepare failed at t = 0 s", false},
      {PLUGINS "/laws/residual-nan.so", "residual", "residual gives F[1] = nan", true},
      {PLUGINS "/laws/residual-error.so", "residual", "residual failed", true},
      {PLUGINS "/laws/commit-outside.so", "commit", "the state wear = 2, not within", true},
      {PLUGINS "/failing/residual-none.so", "relation", "no reaction was found that", true},
  };
  app_folder("law_failure");
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    const Case *c = &cases[k];
    DlsLawFailure failure;
    CHECK_INT(run_case(c->law), 1);
    CHECK(strstr(app_output, ", contact 0: "));
    CHECK(strstr(app_output, c->sentence));
    CHECK(strstr(app_output, "--replay"));
    const DlsStatus status = dls_failure_read(SCRAPS "/out/law-failure.yaml", &failure);
    CHECK_OK(status);
    if (status != DLS_OK) continue;
    CHECK(strcmp(failure.function, c->function) == 0);
    CHECK_NEAR(failure.kinematics.h, 1e-3, 0);
    CHECK_NEAR(failure.kinematics.frame[0][2], 1, 0);
    CHECK_NEAR(failure.params[0], 0.3, 0);
    CHECK(failure.kinematics.mass > 0);
    CHECK_INT(failure.local, c->local);
    if (c->local) CHECK_NEAR(failure.D[0] * failure.kinematics.mass, 1, 1e-12);
    CHECK_FAILS(dls_law_failure_repeat(&failure), DLS_ERR_LAW, failure.sentence);
    CHECK_RUN("law path --replay " SCRAPS "/out/law-failure.yaml", 1, c->sentence);
  }
}

/* All that the law was told of the contact is in the file: it fails alone as it did in the run. */
TEST(a_failure_keeps_what_the_law_was_told) {
  DlsLawFailure failure;
  app_folder("law_failure");
  FILE *deck = fopen(SCRAPS "/told.yaml", "w");
  CHECK(deck != NULL);
  if (!deck) return;
  fprintf(deck, "time: {step: 1 ms, end: 5 ms}\ngravity: [0, 0, -9.81]\n"
                "materials: {rock: {}, iron: {}}\n"
                "laws: [{law: [" PLUGINS "/composed/warm.so, " PLUGINS "/composed/damp.so],\n"
                "        parameters: {warm: {mu: 0.2 + x}}}]\n"
                "fields: {temperature: [{value: 300 + 2e6*t}], humidity: [{value: 0.75}]}\n"
                "bodies: [{material: rock, radius: 1, position: [0.25, 0, 1], spin: [0, 0, 3]}]\n"
                "boundaries: {floor: {material: iron, shape: plane}}\n");
  fclose(deck);
  CHECK_RUN("run " SCRAPS "/told.yaml --out " SCRAPS "/told --quiet", 1,
            "told.yaml:4: laws[0]: contact law 'warm', contact 0: prepare failed at t = 0.002 s");
  const DlsStatus status = dls_failure_read(SCRAPS "/told/law-failure.yaml", &failure);
  CHECK_OK(status);
  if (status != DLS_OK) return;
  const DlsLawUse use = dls_law_failure_use(&failure);
  const DlsContact *c = use.kinematics;
  CHECK_NEAR(use.params[0], 0.45, 1e-12);
  CHECK_NEAR(c->fields[0][0], 4300, 1e-9); /* of warm, then of damp */
  CHECK_NEAR(c->fields[1][1], 0.75, 0);
  CHECK_NEAR(c->radii[0], 0, 0);
  CHECK_NEAR(c->radii[1], 1, 0);
  CHECK_NEAR(c->point[0], 0.25, 1e-12);
  CHECK_NEAR(c->spin[1][2], 3, 0.5);
  CHECK(c->body[0] == -1 && c->body[1] == 1);
  CHECK(c->material[0] && strcmp(c->material[0], "iron") == 0);
  CHECK(c->material[1] && strcmp(c->material[1], "rock") == 0);
  CHECK_FAILS(dls_law_failure_repeat(&failure), DLS_ERR_LAW, failure.sentence);
  CHECK_RUN("law path --replay " SCRAPS "/told/law-failure.yaml", 1, "prepare failed");
  /* One contact alone has the fields of the law's table. */
  CHECK_RUN("law draw " PLUGINS "/composed/warm.so --out " SCRAPS "/warm.svg", 0, "");
  CHECK_RUN("law show " PLUGINS "/composed/warm.so", 0, "temperature");
}

/* Functions that no run of a sphere comes to. */
TEST(every_function_can_be_asked_again) {
  static const char *const names[] = {"project-inf", "solve-nan", "energy-nan-stored"};
  app_folder("law_failure");
  for (int k = 0; k < DLS_COUNT(names); k++) {
    const DlsContact contact = {.dim = 3, .block = 3, .time = 0.25, .h = 1e-3, .gap = 1e-4};
    const double params[] = {0.3, 1}, state[] = {0.5}, D[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double u[3] = {-1, 2, 3}, q[3] = {-4, 5, 6};
    double r[3] = {0.1, 0.2, 0.3}, stored, dissipated;
    char file[512];
    const DlsLaw *law = NULL;
    DlsCustomRelation custom;
    DlsLawFailure kept, read;
    snprintf(file, sizeof file, "%s/laws/%s.so", PLUGINS, names[k]);
    CHECK_OK(dls_law_load(file, &law));
    if (!law) continue;
    const DlsLawUse use = {
        .law = law, .contact = 7, .kinematics = &contact, .params = params, .state = state};
    if (law->residual) CHECK_OK(dls_law_custom(&use, &custom));
    const DlsStatus status = k == 0   ? custom.project(custom.context, u, 2.5, r)
                             : k == 1 ? custom.solve(custom.context, D, q, r)
                                      : dls_law_energy(&use, u, r, &stored, &dissipated);
    CHECK_INT(status, DLS_ERR_LAW);
    CHECK(dls_law_failure_last(&kept));
    CHECK_OK(dls_failure_write(&kept, SCRAPS "/one.yaml"));
    CHECK_OK(dls_failure_read(SCRAPS "/one.yaml", &read));
    CHECK_FAILS(dls_law_failure_repeat(&read), DLS_ERR_LAW, kept.sentence);
    CHECK_INT(read.kinematics.block, contact.block);
    CHECK_NEAR(read.kinematics.time, contact.time, 0);
    CHECK_NEAR(read.kinematics.gap, contact.gap, 0);
    CHECK_NEAR(read.state[0], 0.5, 0);
    CHECK_NEAR(read.r[2], 0.3, 0); /* before the call */
    if (k == 0) CHECK_NEAR(read.rho, 2.5, 0);
    if (k == 1) CHECK_NEAR(read.q[1], 5, 0);
    if (k != 1) CHECK_NEAR(read.u[1], 2, 0);
    (void)dls_fail(DLS_ERR_FILE, "something else");
    CHECK(!dls_law_failure_last(&kept));
  }
}

/* Newton's method on the residual stands in for a solve that fails. */
TEST(a_run_goes_on_where_the_laws_own_solve_fails) {
  app_folder("law_failure");
  CHECK_INT(run_case(PLUGINS "/laws/solve-nan.so"), 0);
  CHECK(access(SCRAPS "/out/law-failure.yaml", F_OK) != 0);
}

TEST(files_of_failures_are_checked) {
  DlsLawFailure failure;
  app_folder("law_failure");
  FILE *file = fopen(SCRAPS "/wrong.yaml", "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs("function: prepare\nlaws: coulomb\nparameters: [1, 2]\ncontact: {dimension: 3, block: 3, "
        "h: 1e-3}\n",
        file);
  fclose(file);
  CHECK_FAILS(dls_failure_read(SCRAPS "/wrong.yaml", &failure), DLS_ERR_FORMAT,
              "wrong.yaml: parameters: has 2 numbers, needs");
  CHECK_RUN("law path --replay " SCRAPS "/nothing.yaml", 2, "nothing.yaml");
}
