/* The commands other than solve: help, wrong words, lists, show, doctor. */
#include "tests/io/app_run.h"

static const char *const commands[] = {"solve", "show", "sample", "solver",
                                       "law",   "demo", "doctor"};

TEST(every_command_has_help) {
  CHECK_RUN("--help", 0, "laboratory for frictional contact");
  CHECK_RUN("", 2, "delassus solve");
  for (int i = 0; i < DLS_COUNT(commands); i++) {
    char arguments[64], title[64];
    snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
    snprintf(title, sizeof title, "delassus %s", commands[i]);
    CHECK_RUN(arguments, 0, title);
    snprintf(arguments, sizeof arguments, "%s --version", commands[i]);
    CHECK_RUN(arguments, 0, "delassus 0.");
  }
  CHECK_RUN("--version", 0, "delassus 0.");
}

TEST(misspelt_words_get_the_nearest_one) {
  CHECK_RUN("sovle", 2, "did you mean solve?");
  CHECK_RUN("xyzzyplugh", 2, "see delassus --help");
  CHECK_RUN("solve --tolerence 1e-4 --sample box", 2, "did you mean --tolerance?");
  CHECK_RUN("solve --frobnicate", 2, "see delassus solve --help");
  CHECK_RUN("show -x", 2, "unknown option -x");
  CHECK_RUN("solve --json=yes --sample slope", 2, "takes no value");
  CHECK_RUN("solve --sample slope --tolerance", 2, "--tolerance needs a value");
}

TEST(lists_name_what_there_is) {
  CHECK_RUN("solver list", 0, "nsgs");
  CHECK_RUN("solver show nsgs", 0, "omega");
  CHECK_RUN("solver show nsg", 2, "nsgs");
  CHECK_RUN("solver", 2, "list | show NAME");
  CHECK_RUN("law list", 0, "coulomb");
  CHECK_RUN("law show coulomb", 0, "friction coefficient");
  CHECK_RUN("law show culomb", 2, "coulomb");
  CHECK_RUN("law show", 2, "list | show NAME");
  CHECK_RUN("sample list", 0, "wall");
  CHECK_RUN("sample lits", 2, "list");
}

TEST(show_gives_statistics) {
  CHECK_RUN("show --sample table:7", 0, "6 of 21 rows");
  CHECK_RUN("show --sample table:7 --json", 0, "\"rank\": 6");
  CHECK(json_valid(app_output));
  CHECK_RUN("show", 2, "give a problem: a file, or --sample NAME[:SIZE]");
  CHECK_RUN("show --sample slope --sample table:7", 0, "6 of 21 rows");
  CHECK_RUN("show --csv --sample slope --sample table:7", 0, "\nslope,");
  CHECK(test_contains(app_output, "\ntable:7,"));
  CHECK_RUN("show /no/such/file.hdf5", 2, "/no/such/file.hdf5");
}

TEST(samples_are_named_with_size_and_keys) {
  CHECK_RUN("show --sample slope:5:mu=0.25 --json", 0, "\"contacts\": 5");
  CHECK_NEAR(json_number(app_output, "mu_max"), 0.25, 0);
  CHECK_RUN("show --sample column::h=0.01,seed=3", 0, "10 of 3 components");
  CHECK_RUN("show --sample bxo", 2, "box");
  CHECK_RUN("show --sample box:many", 2, "size \"many\"");
  CHECK_RUN("show --sample box:0", 2, "whole number");
  CHECK_RUN("show --sample box:99999999999", 2, "whole number");
  CHECK_RUN("show --sample box:9:mass=3", 2, "no key \"mass\"");
  CHECK_RUN("show --sample box:9:mu=x", 2, "not a number");
  CHECK_RUN("show --sample box:9:mu", 2, "not key=value");
  CHECK_RUN("show --sample box:9:mu=-1", 2, "mu = -1");
}

TEST(doctor_finds_laws_and_solvers) {
  CHECK_RUN("doctor", 0, "nsgs");
  CHECK(test_contains(app_output, "coulomb"));
  CHECK(test_contains(app_output, "HDF5         1."));
  CHECK(test_contains(app_output, "ns per contact and sweep"));
  CHECK_RUN("doctor now", 2, "no argument");
}
