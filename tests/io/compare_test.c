/* `delassus compare`: the tables and the page, solvers that misbehave, and a race that goes on. */
#include "tests/files.h"
#include "tests/io/app_run.h"

static const char *folder(void) { return app_folder("compare"); }

static char *read_file(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  return get_text(path);
}

static int lines_of(const char *text) {
  int count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}

static void compare(const char *arguments, int status, const char *expected) {
  char line[2048];
  snprintf(line, sizeof line, "compare %s", arguments);
  CHECK_RUN(line, status, expected);
}

static void in_folder(const char *arguments, const char *name, const char *expected) {
  char line[2048];
  snprintf(line, sizeof line, "%s --out %s/%s", arguments, folder(), name);
  compare(line, 0, expected);
}

TEST(two_solvers_on_three_problems) {
  in_folder("--sample table:4 --sample column:3 --sample slope --solvers nsgs,nsgs:omega=0.9 "
            "--tolerance 1e-10,1e-3 --max-time 5",
            "three", "nsgs:omega=0.9");
  char *runs = read_file("three/runs.csv");
  CHECK(strncmp(runs,
                "problem,contacts,dimension,solver,tolerance,status,iterations,time_s,wall_s,cpu_s,"
                "work,error_natural,error_bipotential,peak_rss_mb",
                130) == 0);
  CHECK(lines_of(runs) == 1 + 3 * 2 * 2);
  CHECK(test_contains(runs, ",nsgs,0.001,converged,") && test_contains(runs, ",1e-10,converged,"));
  CHECK(strncmp(read_file("three/convergence.csv"),
                "problem,solver,iteration,time_s,wall_s,cpu_s,work,error,", 56) == 0);
  char *page = read_file("three/index.html");
  CHECK(test_contains(page, "Performance profile") && test_contains(page, "What is reached"));
  CHECK(test_contains(page, "</html>") && !test_contains(page, "<script"));
  CHECK(!test_contains(page, "src=") && !test_contains(page, "<link"));
  CHECK(strlen(read_file("three/figures/profile-time-0.001.svg")) > 1000);
}

/* A crash, an exit, a hang, a greedy one, a refusal, a boast: one row each, and the honest solver
 * beside them is not harmed. */
TEST(naughty_solvers_cost_one_row) {
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/naughty", 1);
  in_folder("--sample table:4 --solvers crashing,leaving,hanging,greedy,refusing,boasting,nsgs "
            "--tolerance 1e-4 --max-time 0.4 --max-memory 300",
            "naughty", "report:");
  char *runs = read_file("naughty/runs.csv");
  CHECK(lines_of(runs) == 8);
  CHECK(test_contains(runs, ",crashing,0.0001,crashed,"));
  CHECK(test_contains(runs, ",leaving,0.0001,crashed,"));
  CHECK(test_contains(runs, ",hanging,0.0001,killed,"));
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory does not fit any limit */
  CHECK(test_contains(runs, ",greedy,0.0001,memory,"));
  CHECK(test_contains(runs, ",nsgs,0.0001,converged,"));
#endif
  CHECK(test_contains(runs, ",refusing,0.0001,refused,"));
  CHECK(test_contains(runs, "takes no such problem"));
  CHECK(!test_contains(runs, ",boasting,0.0001,converged,"));
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* What stands between two words. */
static void copy_part(const char *text, const char *from, const char *to, char *out, size_t size) {
  const char *begin = strstr(text, from), *end = begin ? strstr(begin, to) : NULL;
  snprintf(out, size, "%.*s", end ? (int)(end - begin) : 0, begin ? begin : "");
}

/* Tables, and the page below the figures, are the same after a race that had nothing left to do. */
TEST(a_race_goes_on) {
  const char *first = "--sample column:3 --solvers nsgs --tolerance 1e-6 --max-time 5";
  in_folder(first, "resumed", "report:");
  char before[4096], page[1 << 14];
  snprintf(before, sizeof before, "%s", read_file("resumed/runs.csv"));
  copy_part(read_file("resumed/index.html"), "How the others ended", "<details", page, sizeof page);
  in_folder("--sample column:3 --solvers nsgs --tolerance 1e-6 --max-time 5 --resume", "resumed",
            "1 runs are there already");
  CHECK(strcmp(before, read_file("resumed/runs.csv")) == 0);
  char again[1 << 14];
  copy_part(read_file("resumed/index.html"), "How the others ended", "<details", again,
            sizeof again);
  CHECK(test_contains(page, "The problems") && strcmp(page, again) == 0);
  in_folder("--sample column:3 --sample slope --solvers nsgs,uzawa --tolerance 1e-6 --max-time 5 "
            "--resume",
            "resumed", "4 of 4");
  CHECK(lines_of(read_file("resumed/runs.csv")) == 5);
}

/* At 1e-4 nsgs stops on the long chain far from the answer: marked in all three places. */
TEST(the_scoreboard_tells_residual_from_truth) {
  in_folder("--analytic --solvers nsgs,nsgs:omega=0.9 --tolerance 1e-4 --max-time 5", "board",
            "analytic.csv");
  CHECK(test_contains(app_output, "! converged, and wrong"));
  char *table = read_file("board/analytic.csv");
  CHECK(strncmp(table, "case,contacts,dimension,solver,tolerance,status,verdict,", 56) == 0);
  CHECK(test_contains(table, "chain-100,99,3,nsgs,0.0001,converged,misled,"));
  CHECK(test_contains(table, "slope-1.1,1,3,nsgs:omega=0.9,0.0001,converged,right,"));
  char *page = read_file("board/index.html");
  CHECK(test_contains(page, "<td class=misled") && test_contains(page, "Residual against truth"));
  CHECK(test_contains(page, "</html>") && !test_contains(page, "src="));
  compare("--analytic --sample slope", 2, "brings its own problems");
}

static int shell(const char *format, const char *where) {
  char command[2048];
  snprintf(command, sizeof command, format, where, where, where, where);
  return system(command);
}

/* The run gives the same bytes with shadows as without, and the report is there. */
TEST(shadow_solvers_do_not_touch_the_run) {
  char line[2048];
  const char *deck =
      TEST_SOURCE_DIR "/input/pyramid.yaml --set time.end=0.02 --set output.every=0.01";
  snprintf(line, sizeof line, "run %s --out %s/alone", deck, folder());
  CHECK_RUN(line, 0, "done after 20 steps");
  snprintf(line, sizeof line,
           "run %s --shadow uzawa,nsgs:omega=0.9 --shadow-every 5 --out %s/watched", deck,
           folder());
  CHECK_RUN(line, 0, "shadow solvers on 4 steps");
  CHECK(shell("cd %s && for f in alone/*.vtu; do cmp $f watched/${f#alone/} || exit 1; done",
              folder()) == 0);
  char *runs = read_file("watched/shadow/runs.csv");
  CHECK(test_contains(runs, "step 5,") && test_contains(runs, "auto (run)") &&
        lines_of(runs) == 13);
  CHECK(test_contains(read_file("watched/shadow/index.html"), "Shadow solvers"));
  CHECK(test_contains(read_file("watched/shadow/disagree.pvd"), "disagree_000020.vtu"));
  CHECK(strlen(read_file("watched/shadow/figures/profile-time-1e-06.csv")) > 20);
  snprintf(line, sizeof line,
           "compare --redraw %s/watched/shadow --solvers uzawa --problems ^step.5$", folder());
  CHECK_RUN(line, 0, "1 of 1");
}

TEST(wrong_words_are_refused) {
  CHECK_RUN("run deck.yaml --shadow nsg", 2, "nsgs");
  compare("", 2, "which problems?");
  compare("--sample slope --solvers nsgs,nsg", 2, "nsgs");
  compare("--sample slope --solvers nsgs:omega", 2, "no key=value");
  compare("--sample slope --solvers nsgs:omga=1", 2, "omega");
  compare("--sample slope --tolerance 1e-4,x", 2, "positive numbers with commas");
  compare("--sample slope --measure size", 2, "natural, scaled");
  compare("nowhere.hdf5", 2, "nowhere.hdf5");
  compare("--redraw nowhere", 2, "runs.csv");
  compare("--redraw nowhere --sample slope", 2, "--problems REGEX chooses");
  compare("--sample slope --problems x", 2, "goes with --redraw");
}
