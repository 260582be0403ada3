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

/* The committed pages are what the program prints now; `make law-pages` makes them anew. */
TEST(committed_pages_tell_the_truth) {
  static const char compare[] = "law page %s --readme %s/plugins/%s/README.md "
                                "--picture ../pictures/laws/%s.svg | cmp - %s/docs/laws/%s.md";
  static const char *const laws[] = {
      "bilateral", "capillary",    "cohesive", "coulomb",        "coulomb-anisotropic",
      "elastic",   "gluey",        "mortar",   "rolling",        "lubrication",
      "signorini", "mohr-coulomb", "stribeck", "spring-dashpot", "viscoelastic",
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
