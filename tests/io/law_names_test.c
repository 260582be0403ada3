/* Names that a law may not give to its states: every column of `delassus law path` and every array
 * of the frames in which states stand is among them, and a law that takes one is refused at load.
 * */
#include <delassus/laws.h>

#include "tests/io/app_run.h"

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

static DlsStatus try_state(const char *name) {
  const DlsParam states[] = {{name, "1", "of a test", .value = 0, .min = 0, .max = 1}};
  const DlsLaw law = {DLS_LAW_HEAD,     .name = "named", .summary = "",      .references = "",
                      .states = states, .nstates = 1,    .prepare = prepare, .commit = commit};
  return dls_law_check(&law, "named");
}

TEST(a_state_with_a_reserved_name_is_refused_at_load) {
  static const char *const refused[] = {"gap",          "work", "t",    "stored", "status",
                                        "normal_force", "u_N",  "f_T1", "f_S",    "torque"};
  static const char *const taken[] = {"gaps", "works", "u_Q", "f_T3", "bond", "N"};
  for (int k = 0; k < DLS_COUNT(refused); k++) {
    CHECK(try_state(refused[k]) == DLS_ERR_PLUGIN);
    CHECK(test_contains(dls_error_message(), refused[k]));
    CHECK(test_contains(dls_error_message(), "rename it"));
  }
  for (int k = 0; k < DLS_COUNT(taken); k++) CHECK_OK(try_state(taken[k]));
}

/* Counts the words between `open` and `close`, each of which must be reserved. */
static int check_names(const char *text, const char *open, char close) {
  int count = 0;
  for (const char *at = strstr(text, open); at; at = strstr(at, open)) {
    char name[64];
    at += strlen(open);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, (char[]){close, '\0'}), at);
    if (strchr(name, '.')) continue; /* LAW.STATE */
    count++;
    if (!dls_law_name_reserved(name))
      test_fail(__FILE__, __LINE__, "%s stands in a file and is not reserved", name);
  }
  return count;
}

TEST(every_column_of_law_path_is_reserved) {
  char arguments[2048], file[600];
  const char *folder = app_folder("law_names");
  snprintf(file, sizeof file, "%s/rest.yaml", folder);
  FILE *out = fopen(file, "w");
  CHECK(out && fputs("{step: 1 ms, end: 2 ms, f: {N: -1}}\n", out) >= 0 && fclose(out) == 0);
  static const char *const shapes[] = {"--dimension 2", "--dimension 2 --block 3",
                                       "--dimension 3 --block 6"};
  for (int k = 0; k < DLS_COUNT(shapes); k++) {
    snprintf(arguments, sizeof arguments,
             "law path signorini %s %s --out %s/rest.csv > /dev/null && head -1 %s/rest.csv | tr "
             "',' '\\n' | sed 's/^\"*/</; s/ .*//; s/\"*$//'",
             file, shapes[k], folder, folder);
    CHECK_RUN(arguments, 0, "<gap");
    CHECK(check_names(app_output, "<", '\n') >= 9);
  }
}

/* Of a deck with torques, so that none is left out. */
TEST(every_array_of_the_contacts_is_reserved) {
  char arguments[2048];
  const char *folder = app_folder("law_names");
  snprintf(
      arguments, sizeof arguments,
      "run %s/input/rolling.yaml --set time.end=0.02 --set output.every=0.01 --out %s/result > "
      "/dev/null 2>&1; sed -n '/<PointData/,/<.PointData/p' %s/result/contacts_*.vtu | grep -a "
      "-o 'DataArray [^>]*' | grep -o 'Name=\"[^\"]*\"'",
      TEST_SOURCE_DIR, folder, folder);
  CHECK(app_run(arguments) == 0);
  CHECK(check_names(app_output, "Name=\"", '"') >= 14);
}
