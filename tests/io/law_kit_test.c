/* `delassus law draw | path | page | show` on every law that is there, and on wrong words. */
#include <delassus/laws.h>

#include "tests/io/app_run.h"

TEST(every_law_is_drawn_and_described) {
  const DlsLaw *const *laws;
  int count;
  char arguments[1024], expected[128];
  CHECK_OK(dls_law_list(&laws, &count));
  CHECK(count >= 3);
  for (int i = 0; i < count; i++) {
    snprintf(arguments, sizeof arguments, "law draw %s --out %s/%s.svg", laws[i]->name,
             app_folder("law_kit"), laws[i]->name);
    snprintf(expected, sizeof expected, "%s: ", laws[i]->name);
    CHECK_RUN(arguments, 0, expected);
    CHECK(!test_contains(app_output, ": 0 graphs"));
    snprintf(arguments, sizeof arguments, "law page %s", laws[i]->name);
    CHECK_RUN(arguments, 0, "| maturity |");
    snprintf(arguments, sizeof arguments, "law show %s", laws[i]->name);
    CHECK_RUN(arguments, 0, "claims");
  }
}

/* A law per area: forces go as the area that is chosen; without one it says what it lacks. A bond
 * of 1e10 Pa/m, opened by 1e-5 m: 1e5 Pa. */
TEST(a_path_has_the_area_that_is_chosen) {
  const char *folder = app_folder("law_area");
  char arguments[2048];
  snprintf(arguments, sizeof arguments, "%s/open.csv", folder);
  FILE *file = fopen(arguments, "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs("t,u_N\n0,0\n1e-3,1e-2\n", file);
  fclose(file);
  static const double areas[] = {1e-4, 2e-3, 0.5};
  for (int i = 0; i < DLS_COUNT(areas); i++) {
    double t, gap, u[3], f = 0;
    snprintf(arguments, sizeof arguments,
             "law path cohesive-zone %s/open.csv --area %g --out %s/open-out.csv >/dev/null; "
             "tail -1 %s/open-out.csv",
             folder, areas[i], folder, folder);
    CHECK_RUN(arguments, 0, ",");
    CHECK_INT(sscanf(app_output, "%lf,%lf,%lf,%lf,%lf,%lf", &t, &gap, u, u + 1, u + 2, &f), 6);
    /* The machine of 1e9 kg yields by h f / 1e9: at most 5e-6 of the speed. */
    CHECK_NEAR(f, -1e5 * areas[i], 1e-5 * 1e5 * areas[i]);
  }
  snprintf(arguments, sizeof arguments,
           "law path cohesive-zone %s/open.csv --area 0 --out %s/no.csv", folder, folder);
  CHECK_RUN(arguments, 1, "its traction is a stress");
}

/* The committed pages are what the program prints now; `make law-pages` makes them anew. */
TEST(committed_pages_tell_the_truth) {
  static const char compare[] = "law page %s --readme %s/plugins/%s/README.md "
                                "--picture ../pictures/laws/%s.svg | cmp - %s/docs/laws/%s.md";
  static const char *const laws[] = {
      "bilateral", "capillary",    "cohesive", "coulomb",        "coulomb-anisotropic",
      "elastic",   "gluey",        "mortar",   "rolling",        "lubrication",
      "signorini", "mohr-coulomb", "stribeck", "spring-dashpot", "viscoelastic",
      "dilatant",
  };
  for (int i = 0; i < DLS_COUNT(laws); i++) {
    char arguments[2048];
    snprintf(arguments, sizeof arguments, compare, laws[i], TEST_SOURCE_DIR, laws[i], laws[i],
             TEST_SOURCE_DIR, laws[i]);
    CHECK_RUN(arguments, 0, "");
    snprintf(arguments, sizeof arguments,
             "law page --index | grep -F '| [%s](' | grep -Fxf - %s/docs/laws/index.md", laws[i],
             TEST_SOURCE_DIR);
    CHECK_RUN(arguments, 0, laws[i]);
  }
}

TEST(a_path_becomes_a_table) {
  char arguments[2048];
  const char *folder = app_folder("law_kit");
  snprintf(arguments, sizeof arguments,
           "law path coulomb %s/slide.yaml --set mu=0.5 --out %s/slide.csv; cat %s/slide.csv",
           folder, folder, folder);
  char file[600];
  snprintf(file, sizeof file, "%s/slide.yaml", folder);
  FILE *out = fopen(file, "w");
  CHECK(out);
  fputs("{step: 1 ms, end: 10 ms, u: {T1: 1}, f: {N: -10}}\n", out);
  fclose(out);
  CHECK_RUN(arguments, 0, "0.01,0,0,0.99999999");
  CHECK(test_contains(app_output, "f_T1 [N]"));
}

TEST(wrong_words_are_refused) {
  CHECK_RUN("law draw", 2, "which law?");
  CHECK_RUN("law draw culomb", 2, "coulomb");
  CHECK_RUN("law draw coulomb --set nu=1", 2, "mu");
  CHECK_RUN("law draw coulomb --set mu=-1", 2, "mu");
  CHECK_RUN("law draw coulomb --block 4", 2, "2, 3, 5 or 6");
  CHECK_RUN("law draw coulomb --dimension 3 --block 2", 2, "does not serve a block of 2 in 3-D");
  CHECK_RUN("law draw coulomb signorini", 2, "one law at a time");
  CHECK_RUN("law path coulomb", 2, "law path NAME PATH.csv");
  CHECK_RUN("law path coulomb nowhere.csv", 2, "nowhere.csv");
  CHECK_RUN("law page coulomb --readme nowhere.md", 2, "nowhere.md");
}

/* A page is shown by browsers: what a plugin says of itself stays words there. */
TEST(the_page_of_a_hostile_law_holds_no_tag_and_no_link) {
  static const char source[] =
      "#include <delassus/law.h>\n"
      "#define EVIL \"<script>a</script> | [x](javascript:1) `b` &amp; ![y](z)\"\n"
      "static const DlsParam params[] = {{\"mu\", \"<b>|\", EVIL, .max = 1}};\n"
      "static DlsStatus prepare(const DlsContact *c, const double *p, const double *s, DlsRelation "
      "*out) {\n"
      "  (void)c, (void)p, (void)s, (void)out;\n  return DLS_OK;\n}\n"
      "static const DlsLaw law = {DLS_LAW_HEAD, .name = \"evil\", .summary = EVIL, .description = "
      "EVIL,\n"
      "  .references = EVIL, .params = params, .nparams = 1, .prepare = "
      "prepare};\n"
      "const DlsLaw *dls_law_entry(void) { return &law; }\n";
  char command[2048], path[1024];
  const char *folder = app_folder("law_page");
  snprintf(path, sizeof path, "%s/evil.c", folder);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(source, file) >= 0 && fclose(file) == 0);
  snprintf(command, sizeof command, "cc -shared -fPIC -I%s/core/include %s -o %s/evil.so",
           TEST_SOURCE_DIR, path, folder);
  CHECK_INT(system(command), 0);
  for (int index = 0; index < 2; index++) {
    snprintf(command, sizeof command, index ? "law page --index" : "law page %s/evil.so", folder);
    if (index) CHECK_INT(setenv("DELASSUS_PLUGIN_PATH", folder, 1), 0);
    CHECK_RUN(command, 0, "&lt;script&gt;a&lt;/script&gt; \\| \\[x\\](javascript:1)");
    CHECK(!test_contains(app_output, "<script>") && !test_contains(app_output, "<b>"));
    CHECK(!test_contains(app_output, " [x](") && !test_contains(app_output, "![y]"));
    CHECK(!test_contains(app_output, "`b`"));
  }
  CHECK_INT(unsetenv("DELASSUS_PLUGIN_PATH"), 0);
}
