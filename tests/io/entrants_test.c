/* Who enters a race besides our solvers as they are: PETSc's options side by side, results of
 * others joined from a table, and the libraries that the page names. */
#include "tests/files.h"
#include "tests/io/app_run.h"

static const char *folder(void) { return app_folder("entrants"); }

static void race(const char *arguments, int status, const char *expected) {
  char line[2048];
  snprintf(line, sizeof line, "compare %s --out %s/race", arguments, folder());
  CHECK_RUN(line, status, expected);
}

static char *read_file(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/race/%s", folder(), name);
  return get_text(path);
}

static void write_file(const char *name, const char *text, char path[1024]) {
  snprintf(path, 1024, "%s/%s", folder(), name);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0);
  if (file) fclose(file);
}

#ifndef TEST_NO_PETSC
/* GMRES without a preconditioner solves a table of four legs too, by another road than LU. */
TEST(petsc_settings_are_entrants_with_labels_of_their_own) {
  race("--sample table:4 --solvers newton,newton:-ksp_type=gmres:-pc_type=none --max-time 20 "
       "--tolerance 1e-6",
       0, "newton:-ksp_type=gmres");
  char *runs = read_file("runs.csv");
  CHECK(test_contains(runs, ",newton,1e-06,converged,"));
  CHECK(test_contains(runs, ",newton:-ksp_type=gmres:-pc_type=none,1e-06,converged,"));
}

TEST(misspelt_petsc_options_are_refused) {
  race("--sample table:4 --solvers newton:-ksp_tpye=gmres", 2, "did you mean -ksp_type?");
  race("--sample table:4 --solvers newton:-pc_type=luu", 2, "does not know a value");
  race("--sample table:4 --solvers nsgs:-ksp_type=gmres", 2, "does not stand on PETSc");
  CHECK_RUN("solve --sample table:4 --solver newton -- -ksp_rtoll 1e-3", 2,
            "reads the option -ksp_rtoll; did you mean -ksp_rtol?");
  /* read by the solver that is chosen, not by another */
  CHECK_RUN("solve --sample table:4 --solver newton -- -ksp_gmres_restart 20", 2,
            "reads the option -ksp_gmres_restart");
  CHECK_RUN("solve --sample table:4 --solver newton -- -ksp_type gmres -ksp_gmres_restart 20", 0,
            "converged");
  CHECK_RUN("solve --sample table:4 --solver newton -- -snes_monitor -ksp_view :/dev/null", 0,
            "SNES Function norm");
}
#endif

/* By name and by hash, with a row on a problem that is not raced and one that says nothing of its
 * error; ours are counted apart. */
TEST(results_of_others_are_joined_and_shown_as_such) {
  char path[1024], line[2048], *hash;
  race("--sample table:4 --sample slope --solvers nsgs --tolerance 1e-6", 0, "report:");
  char *runs = read_file("runs.csv"), table[600] = "", key[32] = "";
  hash = strstr(runs, "slope,"); /* the hash stands before the form of W */
  CHECK(hash != NULL);
  const char *end = hash ? strstr(hash, ",factored,") : NULL;
  CHECK(end != NULL);
  if (!end) return;
  snprintf(key, sizeof key, "%.16s", end - 16);
  snprintf(table, sizeof table,
           "solver,problem,hash,tolerance,time_s,iterations,error\n"
           "theirs,table:4,,1e-6,0.25,17,3e-7\n"
           "theirs,another name,%s,1e-6,0.5,20,5e-7\n"
           "worse,table:4,,1e-6,0.1,3,2e-3\n"
           "theirs,unknown,,1e-6,1,1,1e-9\n",
           key);
  write_file("theirs.csv", table, path);
  snprintf(line, sizeof line,
           "--sample table:4 --sample slope --solvers nsgs --tolerance 1e-6 --join %s", path);
  race(line, 0, "3 rows joined as reported, 1 on other problems left out");
  CHECK(test_contains(app_output, "as reported by others, not measured here:"));
  CHECK(test_contains(app_output, "theirs                         2 of 2             0.75"));
  CHECK(test_contains(app_output, "worse                          0 of 2                0"));
  char *kept = read_file("reported.csv");
  CHECK(test_contains(kept, "theirs.csv,slope,") && test_contains(kept, ",solved,20,0.5,5e-07"));
  CHECK(test_contains(kept, ",worse,1e-06,not solved,3,0.1,0.002"));
  char *page = read_file("index.html");
  CHECK(test_contains(page, "As reported by others") && test_contains(page, "<i>theirs</i>"));
  CHECK(!test_contains(read_file("runs.csv"), "theirs")); /* no certified row is theirs */
  race("--sample table:4 --solvers nsgs --tolerance 1e-6 --quiet", 0, "report:");
  CHECK(!test_contains(read_file("index.html"), "As reported by others"));
}

TEST(a_table_that_cannot_be_joined_is_refused) {
  char path[1024], line[2048];
  write_file("wrong.csv", "solver,tolerance,time_s\na,1e-6,1\n", path);
  snprintf(line, sizeof line, "--sample slope --solvers nsgs --join %s", path);
  race(line, 2, "no column `problem` and none `hash`");
  write_file("wrong.csv", "solver,problem,tolerance,hours\na,slope,1e-6,1\n", path);
  race(line, 2, "no column `time_s`");
  race("--sample slope --solvers nsgs --join nowhere.csv", 2, "nowhere.csv");
}

TEST(the_page_names_the_libraries_without_folders) {
  race("--sample slope --solvers nsgs,newton --tolerance 1e-6 --max-time 20", 0, "report:");
  char *page = read_file("index.html");
  CHECK(test_contains(page, "BLAS") && test_contains(page, "libcholmod.so."));
#ifndef TEST_NO_PETSC
  CHECK(test_contains(page, "libpetsc"));
#endif
  CHECK(!test_contains(page, "/usr/lib/"));
}
