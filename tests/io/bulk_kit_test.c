/* `delassus bulk new | path | draw | page`: what is written builds without a warning and passes its
 * own check, as C and as C++; paths have closed forms; every law is drawn and described; wrong
 * words are refused. */
#include "bulk/bulk.h"
#include "tests/io/app_run.h"

static char folder[512];

static void begin(void) { snprintf(folder, sizeof folder, "%s", app_folder("bulk_kit")); }

static void write_text(const char *name, const char *text) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The last row of a path, numbers from t on. */
static int end_of(const char *law, const char *path, const char *options, double *row, int size) {
  char arguments[4096], *at = app_output;
  int count = 0;
  write_text("path.yaml", path);
  snprintf(arguments, sizeof arguments,
           "bulk path %s %s/path.yaml %s --out %s/path.csv > %s/log && tail -1 %s/path.csv", law,
           folder, options, folder, folder, folder);
  CHECK_RUN(arguments, 0, ",");
  for (char *end; count < size; at = end + 1) {
    row[count++] = strtod(at, &end);
    if (*end != ',') break;
  }
  return count;
}

enum { XX = 1, YY, ZZ, XY, YZ, XZ, S_XX, S_YY, S_ZZ, S_XY };

TEST(paths_have_closed_forms) {
  double r[32];
  const double E = 1e9, nu = 0.3;
  begin();
  static const char pull[] = "{step: 10 ms, end: 1, strain: {xx: 0.01*t}}";
  CHECK_INT(end_of("elastic", pull, "", r, 32), 16);
  CHECK_NEAR(r[S_XX], E * 0.01, 1e-9 * E);
  CHECK_NEAR(r[YY], -nu * 0.01, 1e-12);
  end_of("elastic", pull, "--mode plane-strain", r, 32);
  CHECK_NEAR(r[S_XX], E / (1 - nu * nu) * 0.01, 1e-9 * E);
  CHECK_NEAR(r[ZZ], 0, 0);
  end_of("elastic", pull, "--mode held", r, 32);
  CHECK_NEAR(r[S_XX], E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) * 0.01, 1e-9 * E);
  end_of("elastic", "{end: 1, step: 0.1, strain: {xx: 0.01*t, yy: 0}}", "--mode plane-stress", r,
         32);
  CHECK_NEAR(r[S_YY], nu * E / (1 - nu * nu) * 0.01, 1e-9 * E);
  CHECK_NEAR(r[S_ZZ], 0, 1e-9 * E * 0.01);
  end_of("elastic", "{end: 1, step: 0.1, stress: {xy: 1e6*t}}", "", r, 32);
  CHECK_NEAR(r[XY], 1e6 * 2 * (1 + nu) / E, 1e-12);
  /* Beyond yield: slope E H / (E + H). */
  end_of("j2", pull, "--set hardening=1e8", r, 32);
  CHECK_NEAR(r[S_XX], 1e6 + 1e17 / 1.1e9 * 0.009, 1e-3);
  end_of("j2", "{end: 1, step: 10 ms, stress: {xx: 1.5e6*t}}",
         "--mode uniaxial --set hardening=1e8", r, 32);
  CHECK_NEAR(r[XX], 1.5e-3 + 0.5e6 / 1e8, 1e-9);
  /* A rubber with nu = 0 pulled along x alone: S = mu (1 - 1 / l^2). */
  end_of("neo-hookean", "{end: 1, step: 0.1, strain: {xx: 0.5*t}}", "--set poisson=0", r, 32);
  CHECK_NEAR(r[S_XX], 0.5e9 * (1 - 1 / 2.0), 1);
}

TEST(what_cannot_be_is_said) {
  char arguments[1024];
  begin();
  write_text("strong.yaml", "{end: 1, step: 0.1, stress: {xx: 2e6*t}}");
  write_text("across.yaml", "{end: 1, step: 0.1, strain: {zz: t}}");
  write_text("both.yaml", "{end: 1, strain: {xx: t}, stress: {xx: 1}}");
  write_text("odd.csv", "t,strain_xy,strain_yx\n0,0,0\n1,1,1\n");
  static const struct {
    const char *words;
    int status;
    const char *part;
  } cases[] = {{"path j2 %s/strong.yaml", 1, "no strain was found"},
               {"path j2 %s/across.yaml --mode plane-stress", 2, "does not leave free"},
               {"path j2 %s/both.yaml", 2, "driven by strain and by stress"},
               {"path j2 %s/odd.csv", 2, "'strain_yx' is not known"},
               {"path j2 %s/strong.yaml --measure green", 2, "takes small, log"},
               {"path j2 --out %s/x.csv", 2, "bulk path NAME PATH.yaml"},
               {"draw --out %s/x.svg", 2, "which law?"},
               {"draw j3 --out %s/x.svg", 2, "j2"},
               {"page j2 --readme %s/nowhere.md", 2, "nowhere.md"},
               {"new Big --out %s/big", 2, "no name of a law"},
               {"new j3 --language pascal --out %s/j3", 2, "c++"},
               {"new j3 --out %s", 2, "is there already"}};
  for (int i = 0; i < DLS_COUNT(cases); i++) {
    char words[768];
    snprintf(words, sizeof words, cases[i].words, folder);
    snprintf(arguments, sizeof arguments, "bulk %s", words);
    CHECK_RUN(arguments, cases[i].status, cases[i].part);
  }
}

/* The committed pages are what the program prints now; `make law-pages` makes them anew. */
TEST(every_law_is_drawn_and_described) {
  const DlsBulk *const *laws;
  int count;
  char arguments[2048], expected[128];
  begin();
  CHECK_OK(dls_bulk_list(&laws, &count));
  for (int i = 0; i < count; i++) {
    snprintf(arguments, sizeof arguments, "bulk draw %s --out %s/%s.svg", laws[i]->name, folder,
             laws[i]->name);
    snprintf(expected, sizeof expected, "%s: ", laws[i]->name);
    CHECK_RUN(arguments, 0, expected);
    snprintf(arguments, sizeof arguments,
             "bulk page %s --picture ../pictures/bulk/%s.svg | cmp - " TEST_SOURCE_DIR
             "/docs/bulk/%s.md",
             laws[i]->name, laws[i]->name, laws[i]->name);
    CHECK_RUN(arguments, 0, "");
  }
  CHECK_RUN("bulk page --index | cmp - " TEST_SOURCE_DIR "/docs/bulk/index.md", 0, "");
}

TEST(a_new_law_builds_and_passes_its_check_as_c_and_as_cpp) {
  static const char *const languages[] = {"c", "c++"};
  static const char *const compilers[] = {
      "cc -Wall -Wextra -Werror",
      "c++ -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Werror"};
  char arguments[4096];
  begin();
  for (int k = 0; k < 2; k++) {
    snprintf(arguments, sizeof arguments, "rm -rf %s/mine%d", folder, k);
    CHECK_INT(system(arguments), 0);
    snprintf(arguments, sizeof arguments, "bulk new mine%d --language %s --out %s/mine%d", k,
             languages[k], folder, k);
    CHECK_RUN(arguments, 0, "build it, check it");
    snprintf(arguments, sizeof arguments,
             "%s -shared -fPIC -O2 -I" TEST_BINARY_DIR "/include %s/mine%d/mine%d.%s -o "
             "%s/mine%d/mine%d.so -lm",
             compilers[k], folder, k, k, k ? "cpp" : "c", folder, k, k);
    CHECK_INT(system(arguments), 0);
    snprintf(arguments, sizeof arguments, "bulk check %s/mine%d/mine%d.so --cases 100", folder, k,
             k);
    CHECK_RUN(arguments, 0, "all checks passed");
    snprintf(arguments, sizeof arguments,
             "bulk path %s/mine%d/mine%d.so %s/mine%d/pull.yaml --out %s/pull.csv", folder, k, k,
             folder, k, folder);
    CHECK_RUN(arguments, 0, "100 steps");
  }
}
