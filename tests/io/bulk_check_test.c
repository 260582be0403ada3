/* `delassus bulk check`: every bulk law that is shipped passes; list, show, page and object say
 * what they should; wrong words are refused. Laws with errors: bulk_wrong_test.c. */
#include "bulk/bulk.h"
#include "tests/io/app_run.h"

/* The laws of the build, whoever added them, on seeds 1 to 5; with DELASSUS_SEEDS=N in the
 * environment 1 to N. */
TEST(every_bulk_law_that_is_shipped_passes) {
  const DlsBulk *const *laws;
  int count;
  const char *wish = getenv("DELASSUS_SEEDS");
  const int seeds = wish ? atoi(wish) : 5;
  CHECK_OK(dls_bulk_list(&laws, &count));
  CHECK(count >= 8);
  for (int i = 0; i < count; i++)
    for (int seed = 1; seed <= seeds; seed++) {
      char arguments[512];
      snprintf(arguments, sizeof arguments, "bulk check %s --seed %d %s", laws[i]->name, seed,
               wish ? "" : "--cases 60");
      CHECK_RUN(arguments, 0, "all checks passed");
    }
}

TEST(umats_pass_too) {
  CHECK_RUN("bulk check " TEST_BINARY_DIR "/tests/plugins/umat/umat-orthotropic.so --cases 300", 0,
            "all checks passed");
  CHECK_RUN("bulk check " TEST_BINARY_DIR "/tests/plugins/umat/umat-j2.so --cases 300", 0,
            "all checks passed");
}

TEST(laws_are_listed_and_shown) {
  CHECK_RUN("bulk list", 0, "neo-hookean      compressible rubber");
  CHECK_RUN("bulk show j2", 0, "strains      small, log");
  CHECK(test_contains(app_output, "claims       symmetric, isotropic"));
  CHECK(test_contains(app_output, "hardening"));
  CHECK(test_contains(app_output, "equivalent_plastic"));
  CHECK_RUN("bulk show neo-hooken", 2, "neo-hookean");
  CHECK_RUN("bulk show coulomb", 2, "coulomb");
}

TEST(the_report_is_a_page_and_the_json_an_object) {
  char arguments[1024], page[600];
  snprintf(page, sizeof page, "%s/elastic.html", app_folder("bulk_check"));
  snprintf(arguments, sizeof arguments,
           "bulk check elastic --set poisson=0.2 --cases 100 --json --report %s", page);
  CHECK_RUN(arguments, 0, "\"bulk\": \"elastic\"");
  CHECK(json_valid(app_output));
  CHECK_NEAR(json_number(app_output, "failed"), 0, 0);
  FILE *file = fopen(page, "r");
  CHECK(file != NULL);
  if (!file) return;
  static char text[1 << 16];
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(test_contains(text, "all checks passed") && test_contains(text, "held by --set"));
}

TEST(wrong_input_is_refused) {
  CHECK_RUN("bulk check", 2, "give a bulk law");
  CHECK_RUN("bulk check elastik", 2, "elastic");
  CHECK_RUN("bulk check elastic --set poison=1", 2, "did you mean 'poisson'");
  CHECK_RUN("bulk check elastic --set poisson=1", 2, "not within");
  CHECK_RUN("bulk check elastic --set poisson", 2, "name=number");
  CHECK_RUN("bulk check elastic --only tangents", 2, "did you mean tangent");
  CHECK_RUN("bulk check elastic --case 3", 2, "--only");
  CHECK_RUN("bulk check --list", 0, "dissipation");
}
