/* A law that dies (segmentation fault, abort, exit, endless loop ...) ends a command with status 1
 * and a sentence that names law, function and contact; what it was asked is in law-failure.yaml,
 * and all files are whole. The law is tests/plugins/dying.c, told where and how to die. */
#include "tests/io/app_run.h"

#include <dirent.h>
#include <unistd.h>

#include <delassus/laws.h>
#include <delassus/run.h>

#include "record/vtu/vtu_read.h"

#define PLUGINS TEST_BINARY_DIR "/tests/plugins/dying"
#define DYING   PLUGINS "/dying.so"
#define FIRST   " --set laws[0].parameters.when=0" /* dies in the first step */
#define SCRAPS  TEST_BINARY_DIR "/tests/tmp/law_dies"

/* Numbers of dying.c. */
enum { NOWHERE, RANGE, ORIENT, BEGIN, PREPARE, RESIDUAL, SOLVE, PROJECT, FORCE, COMMIT, ENERGY };
enum { SEGFAULT, ABORT, EXIT, EXIT_AT_ONCE, LOOP, OVERFLOW, DIVISION, TRAP, FREE };
static const char *const names[] = {
    [RANGE] = "range",       [ORIENT] = "orient", [BEGIN] = "begin",     [PREPARE] = "prepare",
    [RESIDUAL] = "residual", [SOLVE] = "solve",   [PROJECT] = "project", [FORCE] = "force",
    [COMMIT] = "commit",     [ENERGY] = "energy"};
static const char *const ways[] = {[SEGFAULT] = "died: Segmentation fault",
                                   [ABORT] = "died: Aborted",
                                   [EXIT] = "called exit(0)",
                                   [EXIT_AT_ONCE] = "called exit(0)",
                                   [LOOP] = "did not return within 0.2 s of processor time",
                                   [OVERFLOW] = "died: Segmentation fault",
                                   [DIVISION] = "died: Floating point exception",
                                   [TRAP] = "died: ",
                                   [FREE] = "died: Aborted"};

/* The address sanitizer finds what is freed twice before the C library does, and ends the process
 * by its own means: of this one death it leaves nothing to see. Signals it leaves to us. */
static bool is_caught(int how) {
#ifdef __SANITIZE_ADDRESS__
  return how != FREE;
#else
  return how <= FREE;
#endif
}

static void begin_test(void) {
  app_folder("law_dies");
  setenv("DELASSUS_LAW_TIME", "0.2", 1);
#ifdef __SANITIZE_ADDRESS__
  static bool told;
  const char *options = getenv("ASAN_OPTIONS");
  char all[1024];
  snprintf(all, sizeof all, "%s:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0",
           options ? options : "");
  if (!told) setenv("ASAN_OPTIONS", all, 1);
  if (!told) printf("not tried under the address sanitizer: what is freed twice\n");
  told = true;
#endif
}

static void format_line(char *out, size_t bytes, const char *first, int where, int how,
                        const char *more) {
  snprintf(out, bytes, "%s --set laws[0].parameters.where=%d --set laws[0].parameters.how=%d %s",
           first, where, how, more);
}

/* A sphere lies on the floor: contact 0 is there from the first step, and the law dies in the
 * fifth. */
static int run_deck(int where, int how, const char *more) {
  char line[2048];
  FILE *deck = fopen(SCRAPS "/deck.yaml", "w");
  CHECK(deck != NULL);
  if (!deck) return -1;
  fprintf(deck,
          "time: {step: 1 ms, end: 8 ms}\ngravity: [0, 0, -9.81]\nmaterials: {rock: {}}\n"
          "laws:\n  - {law: %s, parameters: {when: 3.5 ms}}\n"
          "bodies: [{material: rock, radius: 1, position: [0, 0, 1]}]\n"
          "boundaries: {floor: {material: rock, shape: plane}}\n"
          "output: {every: 1 ms, checkpoint: 2 ms}\n",
          DYING);
  fclose(deck);
  CHECK_INT(system("rm -rf " SCRAPS "/out"), 0);
  format_line(line, sizeof line, "run " SCRAPS "/deck.yaml --quiet --out " SCRAPS "/out", where,
              how, more);
  return app_run(line);
}

static void check_sentence(int where, int how, const char *before) {
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%scontact law 'dying', contact 0: %s %s", before,
           names[where], ways[how]);
  CHECK_TOLD(strstr(app_output, sentence), "not \"%s\" in:\n%s", sentence, app_output);
}

/* What died before the run began: the folder holds this one file, which names the function and
 * repeats the death. */
static void check_early(const char *function, const char *sentence) {
  const char *file = SCRAPS "/out/law-failure.yaml";
  char line[1024];
  snprintf(line, sizeof line, "is kept in %s", file);
  CHECK_TOLD(strstr(app_output, line), "not \"%s\" in:\n%s", line, app_output);
  snprintf(line, sizeof line, "law path --replay %s", file);
  CHECK_INT(system("test \"$(ls " SCRAPS "/out)\" = law-failure.yaml"), 0);
  CHECK_RUN(line, 1, sentence);
  CHECK(strncmp(app_output, function, strlen(function)) == 0);
  CHECK(strstr(app_output, "now: contact law "));
}

/* The command that is printed asks the law again, which dies again, and that is told. */
static void check_repeat(const char *file, int where, int how) {
  char line[1024], now[512];
  snprintf(line, sizeof line, "law path --replay %s", file);
  CHECK_TOLD(strstr(app_output, line), "not \"%s\" in:\n%s", line, app_output);
  snprintf(now, sizeof now, "now: contact law 'dying', contact 0: %s %s", names[where], ways[how]);
  CHECK_RUN(line, 1, now);
}

static bool ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* Every frame can be read, by us and as XML; nothing is left half written; the table ends with a
 * whole row. */
static void check_whole(int frames) {
  DIR *folder = opendir(SCRAPS "/out");
  int count = 0;
  CHECK(folder != NULL);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[1024];
    DlsVtuFile *file = NULL;
    snprintf(path, sizeof path, SCRAPS "/out/%s", entry->d_name);
    CHECK_TOLD(!ends(path, ".part") && !ends(path, ".lock"), "%s is left", path);
    if (!ends(path, ".vtu")) continue;
    CHECK_OK(dls_vtu_open(path, &file));
    dls_vtu_close(&file);
    count += strstr(entry->d_name, "contacts_") != NULL;
  }
  if (folder) closedir(folder);
  CHECK_INT(count, frames);
  if (system("command -v xmllint > /dev/null") == 0)
    CHECK_INT(system("xmllint --noout " SCRAPS "/out/*.pvd"), 0);
  char last[4096] = "";
  int rows = -1;
  FILE *table = fopen(SCRAPS "/out/history.csv", "r");
  CHECK(table != NULL);
  if (!table) return;
  while (fgets(last, sizeof last, table)) rows++;
  fclose(table);
  CHECK_INT(rows, frames - 1);
  CHECK(ends(last, "\n"));
  CHECK_INT(atoi(last), rows);
}

TEST(a_law_that_dies_in_a_run_however_it_does_leaves_whole_files) {
  begin_test();
  for (int how = SEGFAULT; how <= FREE; how++) {
    if (!is_caught(how)) continue;
    CHECK_INT(run_deck(PREPARE, how, ""), 1);
    check_sentence(PREPARE, how, "deck.yaml:5: laws[0]: ");
    check_whole(5);
    check_repeat(SCRAPS "/out/law-failure.yaml", PREPARE, how);
  }
  /* The checkpoint before is sound: mended, the law goes on from it. */
  CHECK_RUN("run --restart " SCRAPS "/out/checkpoint.h5 --quiet --set laws[0].parameters.where=0 "
            "--change laws",
            0, "");
  check_whole(9);
  CHECK(access(SCRAPS "/out/law-failure.yaml", F_OK) != 0);
}

TEST(whichever_function_dies_in_a_run_is_named) {
  static const int places[] = {ORIENT, PREPARE, RESIDUAL, SOLVE, PROJECT, COMMIT, ENERGY};
  begin_test();
  for (int k = 0; k < DLS_COUNT(places); k++)
    for (int how = ABORT; how <= EXIT; how++) {
      /* Of a sphere at rest the answer of the step before is right: nothing is solved anew. */
      const bool at_first = places[k] == SOLVE || places[k] == PROJECT;
      const char *more = places[k] == PROJECT ? "--set solver.name=uzawa" FIRST : FIRST;
      CHECK_INT(run_deck(places[k], how, at_first ? more : ""), 1);
      check_sentence(places[k], how, "deck.yaml:5: laws[0]: ");
      check_whole(at_first ? 1 : 5);
      check_repeat(SCRAPS "/out/law-failure.yaml", places[k], how);
    }
  CHECK_INT(run_deck(BEGIN, EXIT, FIRST), 1);
  check_sentence(BEGIN, EXIT, "deck.yaml:5: laws[0]: ");
  check_whole(1);
  check_repeat(SCRAPS "/out/law-failure.yaml", BEGIN, EXIT);
  CHECK_INT(run_deck(FORCE, ABORT, "--set time.scheme=explicit --set time.step=0.1ms"), 1);
  check_sentence(FORCE, ABORT, "deck.yaml:5: laws[0]: ");
  check_repeat(SCRAPS "/out/law-failure.yaml", FORCE, ABORT);
  /* Before the run: the deck is not begun. */
  CHECK_INT(run_deck(RANGE, EXIT, ""), 1);
  CHECK(strstr(app_output, "deck.yaml:4: laws: contact law 'dying': range called exit(0)"));
  check_early("range of dying", "contact law 'dying': range called exit(0)");
  CHECK_INT(run_deck(FORCE, ABORT, "--set time.scheme=explicit --set time.step=0.1ms" FIRST), 1);
  check_early("force of dying", "contact law 'dying': force died: Aborted");
  CHECK_INT(run_deck(BEGIN, EXIT, "--set time.scheme=explicit --set time.step=0.1ms" FIRST), 1);
  check_early("begin of dying", "contact law 'dying': begin called exit(0)");
  CHECK_INT(run_deck(PREPARE, ABORT, "--equilibrium" FIRST), 1);
  check_sentence(PREPARE, ABORT, "");
}

/* An endless `solve` is met once, not once for each contact and sweep; and although Newton's method
 * could stand in for it, the run does not go on with a law that is broken. */
TEST(a_law_that_has_died_is_not_asked_again) {
  begin_test();
  CHECK_INT(run_deck(SOLVE, LOOP, FIRST), 1);
  check_sentence(SOLVE, LOOP, "deck.yaml:5: laws[0]: ");
  check_whole(1);
}

/* A shadow solver works in a process of its own; what of it is judged in the run's is guarded. */
TEST(a_law_that_dies_beside_shadow_solvers_ends_the_run) {
  begin_test();
  CHECK_INT(run_deck(RESIDUAL, EXIT, "--shadow uzawa --shadow-every 1"), 1);
  check_sentence(RESIDUAL, EXIT, "deck.yaml:5: laws[0]: ");
  check_whole(5);
  CHECK(access(SCRAPS "/out/shadow/disagree.pvd", F_OK) == 0);
}

TEST(a_law_that_dies_on_a_path_leaves_the_rows_before) {
  static const int places[] = {BEGIN, PREPARE, SOLVE, COMMIT, ENERGY};
  static const int hows[] = {ABORT, EXIT, EXIT_AT_ONCE, LOOP};
  begin_test();
  FILE *path = fopen(SCRAPS "/path.yaml", "w");
  CHECK(path && fputs("{step: 1 ms, end: 9 ms, f: {N: -10}}\n", path) >= 0 && fclose(path) == 0);
  for (int k = 0; k < DLS_COUNT(places); k++)
    for (int n = 0; n < (k == 1 ? DLS_COUNT(hows) : 2); n++) {
      char line[1024], text[64];
      const int where = places[k], how = hows[n], rows = where == BEGIN ? 0 : 4;
      remove(SCRAPS "/law-failure.yaml");
      snprintf(line, sizeof line,
               "law path %s %s/path.yaml --set where=%d --set how=%d --set when=%s --out "
               "%s/path.csv",
               DYING, SCRAPS, where, how, where == BEGIN ? "0" : "0.0035", SCRAPS);
      CHECK_INT(app_run(line), 1);
      snprintf(text, sizeof text, "step %d of the path: ", rows + 1);
      check_sentence(where, how, text);
      check_repeat(SCRAPS "/law-failure.yaml", where, how);
      snprintf(line, sizeof line, "test $(wc -l < %s/path.csv) = %d", SCRAPS, rows + 1);
      CHECK_INT(system(line), 0);
    }
}

TEST(a_law_that_dies_while_it_is_drawn_gives_no_picture) {
  static const int places[] = {RANGE, BEGIN, PREPARE, SOLVE, COMMIT, ENERGY};
  begin_test();
  for (int k = 0; k < DLS_COUNT(places); k++)
    for (int how = ABORT; how <= EXIT; how++) {
      char line[1024];
      remove(SCRAPS "/law-failure.yaml");
      remove(SCRAPS "/law.svg");
      snprintf(line, sizeof line, "law draw %s --set where=%d --set how=%d --out %s/law.svg", DYING,
               places[k], how, SCRAPS);
      CHECK_INT(app_run(line), 1);
      check_sentence(places[k], how, "law draw: ");
      check_repeat(SCRAPS "/law-failure.yaml", places[k], how);
      CHECK(access(SCRAPS "/law.svg", F_OK) != 0);
    }
}

/* A law that fails without dying is told in the same way. */
TEST(a_law_that_fails_on_a_path_or_in_a_picture_is_kept_too) {
  const char *failing = TEST_BINARY_DIR "/tests/plugins/laws/prepare-nan-b.so";
  char line[1024];
  begin_test();
  FILE *path = fopen(SCRAPS "/path.yaml", "w");
  CHECK(path && fputs("{step: 1 ms, end: 9 ms, f: {N: -10}}\n", path) >= 0 && fclose(path) == 0);
  for (int k = 0; k < 2; k++) {
    remove(SCRAPS "/law-failure.yaml");
    snprintf(line, sizeof line,
             k ? "law draw %s --out %s/law.svg" : "law path %s %s/path.yaml --out %s/path.csv",
             failing, SCRAPS, SCRAPS);
    CHECK_RUN(line, 1, "prepare gives b[1] = nan");
    CHECK_RUN("law path --replay " SCRAPS "/law-failure.yaml", 1, "now: contact law");
  }
}

TEST(a_law_that_dies_on_the_bench_fails_its_check) {
  static const int hows[] = {ABORT, EXIT, EXIT_AT_ONCE};
  begin_test();
  for (int k = 0; k < DLS_COUNT(hows); k++) {
    char line[1024];
    snprintf(line, sizeof line,
             "law check %s --only frame --set where=%d --set how=%d --set when=0", DYING, COMMIT,
             hows[k]);
    CHECK_RUN(line, 1, k == 0 ? "the law died in case" : "ended the process in case");
  }
}

/* Constructors, dls_law_entry() and destructors: every command names the file, and what is asked of
 * a list lacks it alone. */
TEST(a_law_that_dies_while_it_is_loaded_is_refused) {
  static const struct {
    const char *file, *function, *sentence;
  } cases[] = {
      {"opening-exit", "constructor of ",
       "a constructor, which runs when it is opened, called exit(0)"},
      {"opening-exit-at-once", "constructor of ",
       "a constructor, which runs when it is opened, called exit(0)"},
      {"opening-loop", "constructor of ", "did not return within 0.2 s of processor time"},
      {"entering-loop", "dls_law_entry of ",
       "dls_law_entry() did not return within 0.2 s of processor time"},
      {"entering-abort", "dls_law_entry of ", "dls_law_entry() died: Aborted"},
      {"opening-segfault", "constructor of ",
       "a constructor, which runs when it is opened, died: Segmentation fault"},
      {"closing-segfault", "destructor of ",
       "a destructor, which runs when it is closed, died: Segmentation fault"},
  };
  static const char *const commands[] = {"law show %s/loading/%s.so", "law draw %s/loading/%s.so",
                                         "law page %s/loading/%s.so"};
  begin_test();
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char line[1024], deck[2048];
    for (int n = 0; n < (strstr(cases[k].file, "loop") ? 1 : DLS_COUNT(commands)); n++) {
      snprintf(line, sizeof line, commands[n], PLUGINS, cases[k].file);
      CHECK_RUN(line, 1, cases[k].sentence);
    }
    snprintf(line, sizeof line, "law check %s/loading/%s.so --limit 2", PLUGINS, cases[k].file);
    CHECK_RUN(line, 1, "FAILED       load");
    snprintf(deck, sizeof deck, "--set laws[0].law=%s/loading/%s.so", PLUGINS, cases[k].file);
    CHECK_INT(run_deck(NOWHERE, SEGFAULT, deck), 1);
    CHECK_TOLD(strstr(app_output, cases[k].sentence), "%s", app_output);
    check_early(cases[k].function, cases[k].sentence);
  }
  setenv("DELASSUS_PLUGIN_PATH", PLUGINS "/loading", 1);
  for (int n = 0; n < 2; n++) {
    CHECK_INT(app_run(n ? "doctor" : "law list"), 0);
    CHECK(strstr(app_output, "coulomb"));
    for (int k = 0; k < DLS_COUNT(cases); k++)
      CHECK_TOLD(strstr(app_output, cases[k].sentence), "not \"%s\" in:\n%s", cases[k].sentence,
                 app_output);
  }
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* A program that asks for the guard outlives the law, and may go on with another run. */
TEST(the_library_guards_where_it_is_asked_to) {
  static const char deck[] =
      "time: {step: 1 ms, end: 4 ms}\ngravity: [0, 0, -9.81]\nmaterials: {rock: {}}\n"
      "laws: [{law: " DYING ", parameters: {when: 1.5 ms}}]\n"
      "bodies: [{material: rock, radius: 1, position: [0, 0, 1]}]\n"
      "boundaries: {floor: {material: rock, shape: plane}}\n";
  static const char *const set[] = {"laws[0].parameters.where=5", "laws[0].parameters.how=1"};
  begin_test();
  CHECK_FAILS(dls_law_guard(-1), DLS_ERR_ARGUMENT, "-1 s");
  CHECK_FAILS(dls_law_guard(NAN), DLS_ERR_ARGUMENT, "nan s");
  CHECK_OK(dls_law_guard(0.2));
  for (int turn = 0; turn < 4; turn++) {
    DlsRunOptions options = dls_run_options_default();
    DlsRun *run;
    DlsStatus status = DLS_OK;
    bool more = true;
    options.text = deck;
    options.set = set;
    options.nset = turn % 2 ? 0 : 2;
    CHECK_OK(dls_run_open("deck.yaml", &options, &run));
    while (more && status == DLS_OK) status = dls_run_step(run, &more);
    if (turn % 2)
      CHECK_OK(status);
    else
      CHECK_FAILS(status, DLS_ERR_LAW,
                  "deck.yaml:4: laws[0]: contact law 'dying', contact 0: residual died: Aborted");
    CHECK_INT(dls_run_report(run).step, turn % 2 ? 4 : 2);
    CHECK_OK(dls_run_close(&run));
  }
  dls_law_unguard();
}

TEST(the_limit_of_a_call_is_a_number_of_seconds) {
  static const char *const wrong[] = {"soon", "-1", "1s", "nan", "1e9"};
  begin_test();
  for (int k = 0; k < DLS_COUNT(wrong); k++) {
    setenv("DELASSUS_LAW_TIME", wrong[k], 1);
    CHECK_RUN("law list", 2, "DELASSUS_LAW_TIME=");
  }
  setenv("DELASSUS_LAW_TIME", "0", 1); /* none */
  CHECK_INT(run_deck(PREPARE, EXIT, ""), 1);
  check_sentence(PREPARE, EXIT, "deck.yaml:5: laws[0]: ");
}
