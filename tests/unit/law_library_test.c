/* The search for laws: by name, by path, in the order of the folders; and the registry of solvers,
 * which rests on the same search. */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <delassus/laws.h>
#include <delassus/solver.h>

#define LAWS   TEST_BINARY_DIR "/lib/delassus/laws"
#define SCRAPS TEST_BINARY_DIR "/tests/tmp/law_library"

static void set_path(const char *path) { setenv("DELASSUS_PLUGIN_PATH", path, 1); }

static void make_folder(const char *path) {
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(SCRAPS, 0777);
  mkdir(path, 0777);
}

static void copy_file(const char *from, const char *to) {
  char buffer[4096];
  size_t bytes;
  unlink(to);
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  CHECK(in && out);
  while (in && out && (bytes = fread(buffer, 1, sizeof buffer, in)) > 0)
    CHECK_INT(fwrite(buffer, 1, bytes, out), bytes);
  if (in) fclose(in);
  if (out) fclose(out);
}

TEST(a_law_is_found_by_name_and_by_path) {
  const DlsLaw *by_name, *again, *by_path;
  unsetenv("DELASSUS_PLUGIN_PATH");
  CHECK_OK(dls_law_find("coulomb", &by_name));
  CHECK_OK(dls_law_find("coulomb", &again));
  CHECK_OK(dls_law_find(LAWS "/coulomb.so", &by_path));
  CHECK(by_name && by_name == again && by_name == by_path);
  CHECK_INT(strcmp(by_name->name, "coulomb"), 0);
  CHECK(test_contains(dls_law_path(by_name), "/laws/coulomb.so"));
  CHECK(!dls_law_path(NULL));
}

TEST(a_relative_path_is_a_path) {
  const DlsLaw *law;
  char here[4096];
  CHECK(getcwd(here, sizeof here) != NULL);
  CHECK(chdir(LAWS) == 0);
  CHECK_OK(dls_law_find("signorini.so", &law));
  CHECK_OK(dls_law_load("signorini.so", &law));
  CHECK_OK(dls_law_find("./signorini.so", &law));
  CHECK(chdir(here) == 0);
}

TEST(a_misspelt_name_gives_the_nearest) {
  const DlsLaw *law;
  unsetenv("DELASSUS_PLUGIN_PATH");
  CHECK_FAILS(dls_law_find("coulom", &law), DLS_ERR_PLUGIN, "did you mean 'coulomb'?");
  CHECK_FAILS(dls_law_find("culomb", &law), DLS_ERR_PLUGIN, "did you mean 'coulomb'?");
  CHECK_FAILS(dls_law_find("Signorini", &law), DLS_ERR_PLUGIN, "did you mean 'signorini'?");
  CHECK_FAILS(dls_law_find("singorini", &law), DLS_ERR_PLUGIN, "did you mean 'signorini'?");
  CHECK_FAILS(dls_law_find("zzzzzz", &law), DLS_ERR_PLUGIN, "'zzzzzz' is not known; there are: ");
  CHECK(test_contains(dls_error_message(), "coulomb, "));
  CHECK(test_contains(dls_error_message(), LAWS));
  CHECK_FAILS(dls_law_find("", &law), DLS_ERR_ARGUMENT, "the name is empty");
  CHECK_FAILS(dls_law_find(NULL, &law), DLS_ERR_ARGUMENT, "the name is empty");
  CHECK(!law);
}

/* An entry of the variable counts itself and its folder `laws`, before the library's own. */
TEST(the_variable_comes_first) {
  const DlsLaw *built_in, *direct, *below;
  make_folder(SCRAPS "/one");
  make_folder(SCRAPS "/two");
  make_folder(SCRAPS "/two/laws");
  copy_file(LAWS "/coulomb.so", SCRAPS "/one/coulomb.so");
  copy_file(LAWS "/coulomb.so", SCRAPS "/two/laws/coulomb.so");
  unsetenv("DELASSUS_PLUGIN_PATH");
  CHECK_OK(dls_law_find("coulomb", &built_in));
  set_path(SCRAPS "/absent::" SCRAPS "/one:" SCRAPS "/two");
  CHECK_OK(dls_law_find("coulomb", &direct));
  set_path(":" SCRAPS "/two:");
  CHECK_OK(dls_law_find("coulomb", &below));
  CHECK(direct != built_in && below != built_in && direct != below);
  CHECK(test_contains(dls_law_path(direct), SCRAPS "/one/coulomb.so"));
  CHECK(test_contains(dls_law_path(below), SCRAPS "/two/laws/coulomb.so"));
  CHECK(test_contains(dls_law_folders(), SCRAPS "/two\n" SCRAPS "/two/laws\n"));
  unsetenv("DELASSUS_PLUGIN_PATH");
}

TEST(a_list_is_sorted_and_has_each_name_once) {
  const DlsLaw *const *laws;
  int count, found = 0;
  make_folder(SCRAPS "/three");
  copy_file(LAWS "/coulomb.so", SCRAPS "/three/coulomb.so");
  set_path(SCRAPS "/three:" LAWS);
  CHECK_OK(dls_law_list(&laws, &count));
  CHECK(count >= 3);
  for (int i = 1; i < count; i++) CHECK(strcmp(laws[i - 1]->name, laws[i]->name) < 0);
  for (int i = 0; i < count; i++) found += strcmp(laws[i]->name, "coulomb") == 0;
  CHECK_INT(found, 1);
  CHECK_INT(strlen(dls_law_failures()), 0);
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* Another name for the file of a loaded law is another name for the law, which must bear it. */
TEST(an_alias_is_refused) {
  const DlsLaw *law;
  make_folder(SCRAPS "/four");
  unlink(SCRAPS "/four/alias.so");
  CHECK(symlink(LAWS "/coulomb.so", SCRAPS "/four/alias.so") == 0);
  CHECK_OK(dls_law_find("coulomb", &law));
  CHECK_FAILS(dls_law_load(SCRAPS "/four/alias.so", &law), DLS_ERR_PLUGIN,
              "call the file coulomb.so");
}

/* A law that a program brings itself. */
TEST(a_law_in_the_program_is_checked_the_same_way) {
  const DlsLaw *sound;
  CHECK_OK(dls_law_find("stribeck", &sound));
  DlsLaw law = *sound;
  CHECK_OK(dls_law_check(&law, "here"));
  law.abi = 9;
  CHECK_FAILS(dls_law_check(&law, "here"), DLS_ERR_PLUGIN, "its ABI number and size are 9 and");
  law = *sound;
  law.name = "no good";
  CHECK_FAILS(dls_law_check(&law, "here"), DLS_ERR_PLUGIN, "its name is not of the form");
  law = *sound;
  law.residual = NULL;
  CHECK_FAILS(dls_law_check(&law, "here"), DLS_ERR_PLUGIN,
              "neither prepare nor traction nor residual");
  CHECK_FAILS(dls_law_check(NULL, "here"), DLS_ERR_ARGUMENT, "it is NULL");
}

TEST(solvers_are_found_and_listed) {
  const DlsSolver *solver;
  const DlsSolver *const *solvers;
  int count;
  unsetenv("DELASSUS_PLUGIN_PATH");
  CHECK_OK(dls_solver_list(&solvers, &count));
  for (int i = 0; i < count; i++) {
    CHECK_OK(dls_solver_find(solvers[i]->name, &solver));
    CHECK(solver == solvers[i]);
  }
  CHECK_FAILS(dls_solver_find("no-such-solver", &solver), DLS_ERR_SOLVER, "is not known");
  CHECK(test_contains(dls_error_message(), "there are: "));
  CHECK(test_contains(dls_solver_folders(), "/delassus/solvers"));
  CHECK_FAILS(dls_solver_find("", &solver), DLS_ERR_ARGUMENT, "the name is empty");
}

/* A solver in a folder of laws is no failure of theirs, and the other way round. */
TEST(kinds_may_lie_in_one_folder) {
  const DlsLaw *const *laws;
  const DlsSolver *const *solvers;
  int count;
  make_folder(SCRAPS "/five");
  copy_file(LAWS "/coulomb.so", SCRAPS "/five/coulomb.so");
  copy_file(TEST_BINARY_DIR "/tests/plugins/solvers/sound-solver.so",
            SCRAPS "/five/sound-solver.so");
  set_path(SCRAPS "/five");
  CHECK_OK(dls_law_list(&laws, &count));
  CHECK_INT(strlen(dls_law_failures()), 0);
  CHECK_OK(dls_solver_list(&solvers, &count));
  CHECK(count > 0 && strcmp(solvers[count - 1]->name, "sound-solver") == 0);
  CHECK_INT(strlen(dls_solver_failures()), 0);
  CHECK(dls_solver_path(solvers[count - 1]) != NULL);
  unsetenv("DELASSUS_PLUGIN_PATH");
}
