/* A step in which no motion is possible: a ball under a lid that closes, all defaults. The run
 * stops there, says who squeezes whom, keeps everything, and ends with a status of its own; so it
 * is by every scheme and every command. */
#include "tests/files.h"
#include "tests/io/app_run.h"

static const char lid[] = "time: {step: 0.5 ms, end: 0.1}\n"
                          "materials: {steel: {density: 7800}}\n"
                          "laws: [{between: ['*', '*'], law: coulomb}]\n"
                          "bodies: [{material: steel, radius: 0.05, position: [0, 0, 0.05]}]\n"
                          "gravity: [0, 0, -9.81]\n"
                          "boundaries:\n"
                          "  floor: {shape: plane, material: steel}\n"
                          "  lid: {shape: plane, material: steel, position: [0, 0, 0.12], axis: "
                          "[0, 0, -1], velocity: [0, 0, -1]}\n";

static const char squeezed[] = "no motion is possible: body 1 (sphere, 0.05 m) is squeezed between "
                               "boundary 'floor' and boundary 'lid', which close at 1 m/s";

/* The deck in the folder of the test; returns its path. */
static const char *write_deck(const char *text) {
  static char path[600];
  snprintf(path, sizeof path, "%s/lid.yaml", app_folder("no_solution"));
  put_text(path, text);
  return path;
}

/* What is in a file of the results; "" where there is none. */
static const char *result(const char *run, const char *name) {
  char path[700];
  snprintf(path, sizeof path, "%s/%s/%s", app_folder("no_solution"), run, name);
  return get_text(path);
}

static void run_lid(const char *out, const char *more, int status, const char *says) {
  char arguments[2048];
  snprintf(arguments, sizeof arguments, "run '%s' --out '%s/%s' %s", write_deck(lid),
           app_folder("no_solution"), out, more);
  CHECK_RUN(arguments, status, says);
}

TEST(a_closing_lid_stops_the_run_and_names_who_is_squeezed) {
  char arguments[1024];
  run_lid("stop", "", 4, squeezed);
  CHECK(test_contains(app_output, "step 41, t = 0.02 s")); /* the lid is 0.02 m above the ball */
  const char *summary = result("stop", "summary.json");
  CHECK(json_valid(summary));
  CHECK(test_contains(summary, squeezed));
  CHECK_INT(json_number(summary, "steps"), 40);
  CHECK_INT(json_number(summary, "steps_without_solution"), 1);
  CHECK_BELOW(json_number(summary, "worst_penetration"), 1e-12); /* nothing was crushed */
  CHECK(test_contains(result("stop", "bodies.pvd"), "0.02"));    /* the last state is a frame */
  snprintf(arguments, sizeof arguments, "solve '%s/stop/no-solution.hdf5'",
           app_folder("no_solution"));
  CHECK_RUN(arguments, 1, "contacts 0 and 1 push each other and close at 1 m/s");
  CHECK(test_contains(app_output, "outcome      no solution exists"));
}

/* The checkpoint of the stop is the state before the step: from there it happens again. */
TEST(a_run_that_stopped_goes_on_from_its_checkpoint) {
  char more[1024];
  run_lid("again", "", 4, squeezed);
  snprintf(more, sizeof more, "--restart '%s/again/checkpoint.h5'", app_folder("no_solution"));
  run_lid("again", more, 4, squeezed);
  CHECK_INT(json_number(result("again", "summary.json"), "steps"), 40);
}

TEST(a_run_that_is_told_to_continue_counts_such_steps) {
  run_lid("continue", "--set solver.no_solution=continue --set time.end=0.03", 1, squeezed);
  CHECK(test_contains(app_output, "20 steps had no solution"));
  CHECK_INT(json_number(result("continue", "summary.json"), "steps_without_solution"), 20);
  CHECK_INT(json_number(result("continue", "summary.json"), "steps_not_converged"), 20);
}

/* Whatever the scheme, the solver and the tolerance; also as slow as a micrometre a second, and
 * captured or watched. */
TEST(every_scheme_solver_and_tolerance_tells) {
  static const char *const ways[] = {
      "--set time.scheme=euler",        "--set time.control=halve --set time.fraction=0.02",
      "--set solver.tolerance=0.01",    "--set solver.tolerance=1e-10",
      "--set solver.name=nsgs",         "--capture 1",
      "--shadow nsgs --shadow-every 1",
  };
  for (int k = 0; k < (int)(sizeof ways / sizeof *ways); k++) run_lid("way", ways[k], 4, squeezed);
  run_lid("slow",
          "--set 'boundaries.lid.velocity=[0, 0, -1e-6]' --set 'boundaries.lid.position=[0, 0, "
          "0.1]'",
          4, "which close at 1e-06 m/s");
  run_lid("first",
          "--set time.scheme=first-order --set 'gravity=[0, 0, 0]' --set 'desired=[{velocity: [0, "
          "0, -0.1]}]'",
          4, squeezed);
}

/* A box that moves as a whole, and one that stands still, squeeze nothing, however tight. */
TEST(a_box_that_moves_as_a_whole_squeezes_nothing) {
  run_lid("box",
          "--set time.end=0.02 --set 'boundaries.lid.position=[0, 0, 0.1]' --set "
          "'boundaries.lid.velocity=[0, 0, 0.3]' --set 'boundaries.floor.velocity=[0, 0, 0.3]' "
          "--set 'bodies[0].velocity=[0, 0, 0.3]'",
          0, "0 steps not converged");
  run_lid("still",
          "--set time.end=0.02 --set 'boundaries.lid.position=[0, 0, 0.1]' --set "
          "'boundaries.lid.velocity=[0, 0, 0]'",
          0, "0 steps not converged");
}

/* A problem without a solution is solved by no one, and counted apart. */
TEST(compare_counts_what_has_no_solution_apart) {
  char arguments[2048];
  const char *folder = app_folder("no_solution");
  run_lid("raced", "--overwrite", 4, squeezed);
  snprintf(arguments, sizeof arguments,
           "compare '%s/raced/no-solution.hdf5' --solvers nsgs,auto --tolerance 1e-1,1e-4 "
           "--max-time 2 --out '%s/race'",
           folder, folder);
  const int status = app_run(arguments);
  CHECK(status == 0 || status == 1);
  CHECK(test_contains(app_output, "1 of 1 problems have no solution, which was proved"));
  CHECK(test_contains(app_output, "0 of 1"));
  CHECK(!test_contains(app_output, "1 of 1   "));
  CHECK(test_contains(result("race", "runs.csv"), "no solution exists"));
}
