/* delassus solve, as a user runs it. */
#include <float.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <delassus/errors.h>
#include <delassus/fclib.h>

#include "tests/io/app_run.h"

TEST(one_object_with_the_promised_keys) {
  static const char *const keys[] = {
      "problem",   "contacts", "block",     "solver", "status",      "iterations", "time_s",
      "errors",    "natural",  "natural_q", "scaled", "bipotential", "energy",     "penetration",
      "undecided", "open",     "slip",      "stick",  "dimension",   "form"};
  CHECK_RUN("solve --sample column:4 --tolerance 1e-10 --json", 0, "\"status\": \"converged\"");
  CHECK(json_valid(app_output));
  CHECK(app_output[0] == '{');
  for (int i = 0; i < DLS_COUNT(keys); i++) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", keys[i]);
    if (!strstr(app_output, quoted)) test_fail(__FILE__, __LINE__, "no key %s", keys[i]);
  }
  CHECK_NEAR(json_number(app_output, "contacts"), 4, 0);
  CHECK_NEAR(json_number(app_output, "stick"), 4, 0);
  CHECK_BELOW(json_number(app_output, "natural"), 1e-10);
}

TEST(exit_status_tells_the_outcome) {
  CHECK_RUN("solve --sample box:100 --tolerance 1e-14 --max-iterations 1", 1, "iteration limit");
  CHECK_RUN("solve --sample slope --quiet", 0, "");
  CHECK(app_output[0] == '\0');
  CHECK_RUN("solve", 2, "no problem given");
  CHECK_RUN("solve missing.hdf5", 2, "missing.hdf5");
  CHECK_RUN("solve --sample slope --solver nsgz", 2, "nsgs");
  CHECK_RUN("solve --sample slope --tolerance -1", 2, "--tolerance -1");
  CHECK_RUN("solve --sample slope --max-iterations 1.5", 2, "whole number");
  CHECK_RUN("solve --sample slope --form dense", 2, "auto, assembled or factored");
  CHECK_RUN("solve --sample slope --option omega", 2, "key=value");
  CHECK_RUN("solve --sample slope --option omega=7", 2, "omega");
  CHECK_RUN("solve --sample slope --solver nsgs --option omgea=1", 2, "omega");
  CHECK_RUN("solve --sample slope --guess file", 2, "no solution/r");
  CHECK_RUN("solve --sample slope --guess 3", 2, "no guess number 3");
  CHECK_RUN("solve --sample slope --guess some", 2, "--guess some");
  CHECK_RUN("solve --sample slope --convergence /no/such/folder/h.csv", 2, "/no/such/folder/h.csv");
  CHECK_RUN("solve --sample slope --write /no/such/folder/w.hdf5", 2, "/no/such/folder/w.hdf5");
}

TEST(several_problems_give_a_table_or_an_array) {
  CHECK_RUN("solve --sample slope --sample column:3 --tolerance 1e-8", 0, "column:3");
  CHECK(test_contains(app_output, "problem") && test_contains(app_output, "iterations"));
  CHECK_RUN("solve --sample slope --sample column:3 --json", 0, "column:3");
  CHECK(json_valid(app_output));
  CHECK(app_output[0] == '[');
  CHECK_RUN("solve --sample slope missing.hdf5 --sample column:3", 2, "column:3");
  CHECK_RUN("solve --sample slope --sample column --write x.hdf5", 2, "one problem");
}

/* A block on a slope that it slides down, under Coulomb's law and under the associated one: two
 * problems, of which the second dilates. */
TEST(friction_is_made_associated_on_request) {
  CHECK_RUN("solve --sample slope:1:mu=0.1 --associated 0,0.5,1", 0, "mu=0.1 associated 0.5");
  CHECK(test_contains(app_output, "mu=0.1 associated 0 ") &&
        test_contains(app_output, "mu=0.1 associated 1 "));
  CHECK_RUN("solve --sample slope --associated 1 --json", 0, "slope associated 1");
  CHECK_RUN("solve --sample slope --associated 1.5", 2, "numbers from 0 to 1");
  CHECK_RUN("solve --sample slope --associated 0,x", 2, "numbers from 0 to 1");
  CHECK_RUN("solve --sample slope --associated 0,1 --write x.hdf5", 2, "one problem");
}

/* What is written holds the answer: read back as the guess, nothing is left to do. The name has all
 * that JSON must escape. */
TEST(written_problems_read_back_solved) {
  char arguments[2048];
  const char *folder = app_folder("app_solve");
  snprintf(arguments, sizeof arguments,
           "solve --sample pile:3 --tolerance 1e-6 --json --write '%s/odd \"na\\me\xff.hdf5'",
           folder);
  CHECK_RUN(arguments, 0, "converged");
  snprintf(arguments, sizeof arguments,
           "solve '%s/odd \"na\\me\xff.hdf5' --guess file --tolerance 1e-5 --json", folder);
  CHECK_RUN(arguments, 0, "odd \\\"na\\\\me\\ufffd");
  CHECK(json_valid(app_output));
  CHECK(test_contains(app_output, "\"form\": \"factored\"")); /* the file has the bodies too */
  CHECK_BELOW(json_number(app_output, "iterations"), 1);
  snprintf(arguments, sizeof arguments,
           "solve '%s/odd \"na\\me\xff.hdf5' --form assembled --write '%s/plain.hdf5' --quiet",
           folder, folder);
  CHECK_RUN(arguments, 0, "");
  snprintf(arguments, sizeof arguments, "solve '%s/plain.hdf5' --form factored", folder);
  CHECK_RUN(arguments, 2, "--form auto");
}

TEST(convergence_has_a_line_per_measure) {
  char arguments[1024], line[256], path[600];
  const char *folder = app_folder("app_convergence");
  snprintf(path, sizeof path, "%s/h.csv", folder);
  snprintf(arguments, sizeof arguments, "solve --sample box:200 --tolerance 1e-4 --convergence %s",
           path);
  CHECK_RUN(arguments, 0, "converged");
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (!file) return;
  CHECK(fgets(line, sizeof line, file) != NULL);
  CHECK(strcmp(line, "problem,solver,iteration,time_s,error_natural\n") == 0);
  long last = -1;
  int rows = 0;
  while (fgets(line, sizeof line, file)) {
    long iteration;
    double seconds, error;
    const int read = sscanf(line, "box:200,auto,%ld,%lf,%lf", &iteration, &seconds, &error);
    CHECK_INT(read, 3);
    CHECK(iteration >= last);
    last = iteration;
    rows++;
  }
  CHECK(rows > 2);
  fclose(file);
}

/* A file that solve wrote: its problem and the answer in it. */
static DlsProblem *read_answer(const char *path, DlsFclibExtra *extra) {
  DlsProblem *problem = NULL;
  CHECK_OK(dls_fclib_read(path, &problem, extra));
  if (!problem || !extra->solution_r) {
    test_fail(__FILE__, __LINE__, "no answer in %s", path);
    exit(1);
  }
  return problem;
}

/* max |x - y| over the largest |x|. */
static double apart(size_t n, const double *x, const double *y) {
  double worst = 0, size = 0;
  for (size_t k = 0; k < n; k++) {
    worst = fmax(worst, fabs(x[k] - y[k]));
    size = fmax(size, fabs(x[k]));
  }
  return worst / size;
}

/* The sample as it comes and with its rows of W: one problem, so q, and W on the answer, are the
 * same to the round-off of sums over a row (96 terms of it at most, each of three roundings), and
 * the answer that one form gives has the other's error too. */
TEST(forms_agree) {
  static const char *const forms[] = {"factored", "assembled"};
  DlsProblem *problem[2];
  DlsFclibExtra extra[2];
  char path[600], arguments[800], form[64];
  for (int k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/%s.hdf5", app_folder("app_forms"), forms[k]);
    snprintf(arguments, sizeof arguments,
             "solve --sample random:60 --tolerance 1e-10 --form %s --write %s --json", forms[k],
             path);
    snprintf(form, sizeof form, "\"form\": \"%s\"", forms[k]);
    CHECK_RUN(arguments, 0, form);
    CHECK_BELOW(json_number(app_output, "natural"), 1e-10);
    problem[k] = read_answer(path, &extra[k]);
  }
  const size_t n = (size_t)dls_problem_contacts(problem[0]) * (size_t)dls_problem_block(problem[0]);
  CHECK_INT(dls_problem_contacts(problem[1]), dls_problem_contacts(problem[0]));
  CHECK_BELOW(apart(n, dls_problem_q(problem[0]), dls_problem_q(problem[1])), 300 * DBL_EPSILON);
  double *u[2] = {calloc(n, sizeof(double)), calloc(n, sizeof(double))};
  for (int k = 0; k < 2; k++) {
    DlsErrors errors;
    CHECK_OK(dls_errors_measure(problem[1 - k], extra[k].solution_r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1e-10 + 300 * DBL_EPSILON);
    for (int other = 0; other < 2; other++)
      dls_problem_velocity(problem[other], extra[k].solution_r, u[other]);
    CHECK_BELOW(apart(n, u[0], u[1]), 300 * DBL_EPSILON);
    CHECK_BELOW(apart(n, u[k], extra[k].solution_u), 300 * DBL_EPSILON);
  }
  for (int k = 0; k < 2; k++) {
    free(u[k]);
    dls_problem_destroy(&problem[k]);
    dls_fclib_extra_clear(&extra[k]);
  }
}

/* Ctrl-C, when the table has its first rows, which are on the disk as soon as they are told: some
 * kilobytes of them would take minutes on a slow machine. */
TEST(interrupt_stops_and_reports) {
  char convergence[600], output[600];
  const char *folder = app_folder("app_interrupt");
  snprintf(convergence, sizeof convergence, "%s/h.csv", folder);
  snprintf(output, sizeof output, "%s/out.txt", folder);
  unlink(convergence);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen(output, "w", stdout)) _exit(99);
    execl(APP_PROGRAM, "delassus", "solve", "--sample", "wall:30", "--tolerance", "0", "--max-time",
          "300", "--convergence", convergence, (char *)NULL);
    _exit(99);
  }
  struct stat file_status = {0};
  for (int i = 0; i < 30000 && file_status.st_size < 1000; i++) {
    usleep(10000);
    stat(convergence, &file_status);
  }
  CHECK_INT(kill(child, SIGINT), 0);
  int status = 0;
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  char text[4096] = "";
  FILE *file = fopen(output, "r");
  CHECK(file != NULL);
  if (!file) return;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(test_contains(text, "stopped"));
  CHECK(test_contains(text, "natural"));
}

/* nsgs starts in milliseconds because PETSc and MPI are not loaded for it: the loader's own log. */
TEST(nsgs_loads_no_petsc) {
  char command[1024], line[1024];
  snprintf(command, sizeof command, "LD_DEBUG=files %s solve --sample slope --quiet 2>&1",
           APP_PROGRAM);
  FILE *pipe = popen(command, "r");
  int petsc = 0, hdf5 = 0;
  CHECK(pipe != NULL);
  while (pipe && fgets(line, sizeof line, pipe)) {
    petsc |= strstr(line, "libpetsc") != NULL || strstr(line, "libmpi.") != NULL;
    hdf5 |= strstr(line, "libhdf5") != NULL;
  }
  if (pipe) CHECK_INT(pclose(pipe), 0);
  CHECK(hdf5);
  CHECK(!petsc);
}
