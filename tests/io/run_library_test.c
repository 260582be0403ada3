/* A run through delassus/run.h: what can be read of it obeys the equations, what is asked of it
 * happens, and it is silent. */
#include <delassus/run.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/files.h"
#include "tests/io/app_run.h"

/* Three balls of 1 kg that fall 1 cm on a floor, on each other, and lie; gravity 10 m/s2. */
static const char column[] =
    "time: {step: 1 ms, end: 0.3 s, scheme: euler, alert: 1 mm}\n"
    "gravity: [0, 0, -10]\n"
    "materials: {rubber: {density: 1200}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
    "solver: {tolerance: 1e-12, max_iterations: 100000}\n"
    "bodies:\n"
    "  - {material: rubber, radius: 5 cm, mass: 1 kg, position: [0, 0, 0.06]}\n"
    "  - {material: rubber, radius: 5 cm, mass: 1 kg, position: [0, 0, 0.17], spin: [0, 0, 3]}\n"
    "  - {material: rubber, radius: 5 cm, mass: 1 kg, position: [0, 0, 0.28]}\n"
    "boundaries: {floor: {shape: plane, material: rubber}}\n";

static DlsRun *open_text(const char *text, DlsRunOptions options) {
  DlsRun *run = NULL;
  options.text = text;
  CHECK_OK(dls_run_open("column.yaml", &options, &run));
  if (!run) exit(1); /* no test can go on without it */
  return run;
}

enum { MOST = 64 };

/* m (v+ - v) / h = m g + the contact forces, with velocities of two steps and forces of one. */
TEST(bodies_and_contacts_of_each_step_obey_newton) {
  DlsRunOptions options = dls_run_options_default();
  DlsRun *run = open_text(column, options);
  double before[MOST][3] = {{0}};
  bool more = true;
  int met = 0;
  while (more) {
    CHECK_OK(dls_run_step(run, &more));
    const DlsRunReport report = dls_run_report(run);
    const DlsRunBodies bodies = dls_run_bodies(run);
    const DlsRunContacts contacts = dls_run_contacts(run);
    const DlsRunBoundaries boundaries = dls_run_boundaries(run);
    double force[MOST][3] = {{0}}, floor[3] = {0};
    CHECK_INT(bodies.count, 3);
    CHECK_INT(contacts.count, report.contacts);
    CHECK_INT(boundaries.count, 1);
    for (int c = 0; c < contacts.count; c++)
      for (int k = 0; k < 3; k++) {
        force[contacts.candidate[c]][k] += contacts.force[c][k];
        if (contacts.antagonist[c] > 0) force[contacts.antagonist[c]][k] -= contacts.force[c][k];
        if (contacts.antagonist[c] == -boundaries.id[0]) floor[k] -= contacts.force[c][k];
      }
    for (int b = 0; b < bodies.count; b++)
      for (int k = 0; k < 3; k++) {
        const double weight = k == 2 ? -10 * bodies.mass[b] : 0;
        const double change = bodies.mass[b] * (bodies.velocity[b][k] - before[b][k]);
        /* Velocities up to 1 m/s and impulses up to 3 N s, each rounded a few times. */
        CHECK_NEAR(change, report.step_length * (weight + force[bodies.id[b]][k]), 1e-14);
        before[b][k] = bodies.velocity[b][k];
      }
    for (int k = 0; k < 3; k++) CHECK_NEAR(boundaries.force[0][k], floor[k], 1e-10);
    met += contacts.count > 0;
    CHECK(report.converged && report.error <= 1e-12);
  }
  CHECK(met > 100);
  /* At rest at the end: the floor bears three weights; the spin that friction does not meet, about
   * the normal, goes on. */
  CHECK_NEAR(dls_run_boundaries(run).force[0][2], -30, 30 * 1e-9);
  CHECK_NEAR(dls_run_bodies(run).spin[1][2], 3, 1e-12);
  CHECK_NEAR(dls_run_bodies(run).radius[0], 0.05, 1e-15);
  CHECK(strcmp(dls_run_boundaries(run).name[0], "floor") == 0);
  CHECK_INT(dls_run_report(run).state, DLS_RUN_FINISHED);
  CHECK_NEAR(dls_run_report(run).time, 0.3, 1e-12);
  CHECK_OK(dls_run_close(&run));
}

TEST(before_the_first_step_there_are_bodies_and_no_contacts) {
  DlsRun *run = open_text(column, dls_run_options_default());
  CHECK_INT(dls_run_bodies(run).count, 3);
  CHECK_NEAR(dls_run_bodies(run).position[2][2], 0.28, 1e-15);
  CHECK_INT(dls_run_contacts(run).count, 0);
  CHECK_INT(dls_run_boundaries(run).count, 1);
  CHECK_INT(dls_run_report(run).state, DLS_RUN_GOES_ON);
  CHECK_OK(dls_run_close(&run));
  CHECK(run == NULL);
  CHECK_OK(dls_run_close(&run));
}

/* In a folder of its own, nothing appears there; on neither stream anything is said. */
TEST(a_run_without_a_folder_writes_and_prints_nothing) {
  char here[4096], log[700];
  const char *folder = app_folder("run_library_silent");
  CHECK(getcwd(here, sizeof here) && chdir(folder) == 0);
  snprintf(log, sizeof log, "%s/../run_library.log", folder);
  fflush(stdout);
  fflush(stderr);
  const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  DlsRun *run = NULL;
  bool more = true;
  DlsRunOptions options = dls_run_options_default();
  options.text = column;
  DlsStatus status = dls_run_open("column.yaml", &options, &run);
  while (status == DLS_OK && more) status = dls_run_step(run, &more);
  if (status == DLS_OK) status = dls_run_close(&run);
  options.text = "time: {end: 1 s, stp: 1}\n";
  const DlsStatus refused = dls_run_open("wrong.yaml", &options, &run);
  fflush(stdout);
  fflush(stderr);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out), close(err), close(file);
  CHECK_INT(status, DLS_OK);
  CHECK_INT(refused, DLS_ERR_FORMAT);
  CHECK(run == NULL);
  CHECK(get_text(log)[0] == '\0');
  int files = 0;
  DIR *dir = opendir(".");
  for (struct dirent *entry; dir && (entry = readdir(dir));) files += entry->d_name[0] != '.';
  if (dir) closedir(dir);
  CHECK_INT(files, 0);
  CHECK(chdir(here) == 0);
}

typedef struct {
  int count[DLS_RUN_SQUEEZED + 1];
  char last[1024];
  DlsRun *run;      /* NULL: any question will do; else one within a solve */
  int asked, until; /* stop is asked so often, and says yes from the number on */
  long step;        /* of the last question */
} Listener;

static void hear(void *context, DlsRunEvent event, const char *text) {
  Listener *l = context;
  l->count[event]++;
  snprintf(l->last, sizeof l->last, "%s", text);
}

static bool stop(void *context) {
  Listener *l = context;
  const long step = l->run ? dls_run_report(l->run).step : 0;
  const bool within = step == l->step; /* asked after each step, and while a solve is at work */
  l->step = step;
  return ++l->asked >= l->until && within;
}

TEST(every_mistake_of_a_deck_is_told) {
  Listener listener = {.until = 1};
  DlsRunOptions options = dls_run_options_default();
  DlsRun *run;
  options.text = "time: {end: 1 s, stp: 1}\ngravty: 3\n";
  options.tell = hear;
  options.context = &listener;
  CHECK_FAILS(dls_run_open("wrong.yaml", &options, &run), DLS_ERR_FORMAT, "wrong.yaml:1: ");
  CHECK(listener.count[DLS_RUN_MISTAKE] >= 2);
  CHECK(test_contains(listener.last, "mistakes in wrong.yaml; nothing was run"));
  CHECK_INT(listener.count[DLS_RUN_PLACED], 0);
}

TEST(options_that_do_not_go_together_are_refused) {
  DlsRunOptions options = dls_run_options_default();
  DlsRun *run;
  CHECK_FAILS(dls_run_open(NULL, NULL, &run), DLS_ERR_ARGUMENT, "which deck?");
  options.text = column;
  options.stage = true;
  CHECK_FAILS(dls_run_open("a", &options, &run), DLS_ERR_ARGUMENT, "go with a checkpoint");
  options.stage = false;
  options.capture = 1;
  CHECK_FAILS(dls_run_open("a", &options, &run), DLS_ERR_ARGUMENT, "give `out`");
}

static void empty(const char *folder) {
  char line[1024];
  snprintf(line, sizeof line, "rm -rf %s", folder);
  CHECK_INT(system(line), 0);
}

/* The last state of the column in one piece. */
static double height_at_end(void) {
  DlsRun *run = open_text(column, dls_run_options_default());
  bool more = true;
  CHECK_OK(dls_run_until(run, INFINITY, &more));
  CHECK(!more);
  const double height = dls_run_bodies(run).position[2][2];
  CHECK_OK(dls_run_close(&run));
  return height;
}

/* Stopped by its own question, within a solve or between two steps; by a call; by its end being
 * called: all files are whole, and it goes on to the same last bit. */
TEST(where_there_is_no_run_nothing_crashes) {
  bool more = true;
  DlsRun *run = NULL;
  CHECK_INT(dls_run_open("no-such-deck.yaml", NULL, &run), DLS_ERR_FILE);
  CHECK(!run);
  CHECK_INT(dls_run_step(run, &more), DLS_ERR_ARGUMENT);
  CHECK(!more && strstr(dls_error_message(), "there is no run"));
  CHECK_INT(dls_run_step(run, NULL), DLS_ERR_ARGUMENT);
  CHECK_INT(dls_run_until(run, 1, &more), DLS_ERR_ARGUMENT);
  CHECK_INT(dls_run_save(run, "x.h5"), DLS_ERR_ARGUMENT);
  CHECK_INT(dls_run_open("no-such-deck.yaml", NULL, NULL), DLS_ERR_ARGUMENT);
  dls_run_stop(run);
  CHECK(dls_run_bodies(run).count == 0 && dls_run_contacts(run).count == 0);
  CHECK(dls_run_boundaries(run).count == 0 && !dls_run_average(run, 0));
  CHECK_INT(dls_run_report(run).state, DLS_RUN_FAILED);
  CHECK_OK(dls_run_close(&run));

  static const char *const nothing[] = {NULL};
  DlsRunOptions options = dls_run_options_default();
  options.nset = 1;
  CHECK_INT(dls_run_open("deck.yaml", &options, &run), DLS_ERR_ARGUMENT);
  options.set = nothing;
  CHECK_INT(dls_run_open("deck.yaml", &options, &run), DLS_ERR_ARGUMENT);
  options = dls_run_options_default();
  options.capture = -3;
  CHECK_INT(dls_run_open("deck.yaml", &options, &run), DLS_ERR_ARGUMENT);
  options = dls_run_options_default();
  options.max_time = NAN;
  CHECK_INT(dls_run_open("deck.yaml", &options, &run), DLS_ERR_ARGUMENT);
}

TEST(a_run_that_is_stopped_goes_on_as_if_it_had_not_been) {
  const char *folder = app_folder("run_library");
  const double height = height_at_end();
  for (int way = 0; way < 4; way++) {
    Listener listener = {.until = way < 2 ? 50 : 1 << 30};
    char out[700], checkpoint[800], path[800];
    DlsRunOptions options = dls_run_options_default();
    bool more = true;
    snprintf(out, sizeof out, "%s/stopped-%d", folder, way);
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint.h5", out);
    snprintf(path, sizeof path, "%s/summary.json", out);
    empty(out);
    options.out = out;
    options.stop = stop;
    options.context = &listener;
    DlsRun *run = open_text(column, options);
    listener.run = way == 1 ? run : NULL;
    for (int step = 0; more && step < 100; step++) {
      if (way == 2 && step == 57) dls_run_stop(run);
      CHECK_OK(dls_run_step(run, &more));
    }
    const long done = dls_run_report(run).step;
    CHECK_INT(dls_run_report(run).state, way == 3 ? DLS_RUN_GOES_ON : DLS_RUN_STOPPED);
    CHECK(done > 0 && done <= 100);
    CHECK_OK(dls_run_close(&run));
    CHECK(test_contains(get_text(path), "\"finished\": false"));
    options = dls_run_options_default();
    options.out = out;
    options.restart = checkpoint;
    CHECK_OK(dls_run_open(NULL, &options, &run));
    if (!run) return;
    CHECK_INT(dls_run_report(run).first_step, done);
    CHECK_OK(dls_run_until(run, INFINITY, &more));
    CHECK(test_same_bits(dls_run_bodies(run).position[2][2], height));
    CHECK_OK(dls_run_close(&run));
    CHECK(test_contains(get_text(path), "\"finished\": true"));
  }
}

/* A checkpoint of a run without a folder begins a series of its own, also in the folder where the
 * checkpoint stands; as a stage it begins anew. */
TEST(a_saved_state_is_a_beginning) {
  char save[800], out[700], path[800];
  DlsRunOptions options = dls_run_options_default();
  bool more = true;
  const double height = height_at_end();
  snprintf(out, sizeof out, "%s/saved", app_folder("run_library"));
  empty(out);
  CHECK_INT(mkdir(out, 0777), 0);
  snprintf(save, sizeof save, "%s/mid.h5", out);
  snprintf(path, sizeof path, "%s/history.csv", out);
  DlsRun *run = open_text(column, options);
  CHECK_OK(dls_run_until(run, 0.1, &more));
  CHECK_INT(dls_run_report(run).step, 100);
  CHECK_OK(dls_run_save(run, save));
  CHECK_OK(dls_run_close(&run));
  options.out = out;
  options.restart = save;
  CHECK_OK(dls_run_open(NULL, &options, &run));
  if (!run) return;
  CHECK_OK(dls_run_until(run, INFINITY, &more));
  CHECK(test_same_bits(dls_run_bodies(run).position[2][2], height));
  CHECK_OK(dls_run_close(&run));
  CHECK(test_contains(get_text(path), "\n101,"));
  CHECK(!test_contains(get_text(path), "\n100,"));
  options.out = NULL;
  options.stage = true;
  options.text = column;
  CHECK_OK(dls_run_open("column.yaml", &options, &run));
  if (!run) return;
  CHECK(dls_run_report(run).time == 0 && dls_run_report(run).step == 0);
  CHECK_OK(dls_run_close(&run));
}

/* A lid that comes down at 1 m/s on a ball on a floor: the proof is told, not printed. */
TEST(a_step_without_a_solution_ends_the_run_and_says_why) {
  static const char lid[] =
      "time: {step: 1 ms, end: 14 ms, scheme: euler}\n"
      "gravity: [0, 0, -10]\n"
      "materials: {rubber: {density: 1200}}\n"
      "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
      "bodies: [{material: rubber, radius: 5 cm, position: [0, 0, 0.05]}]\n"
      "boundaries:\n"
      "  floor: {shape: plane, material: rubber}\n"
      "  lid: {shape: plane, material: rubber, axis: [0, 0, -1], position: [0, 0, 0.11],\n"
      "        velocity: [0, 0, -1]}\n";
  Listener listener = {.until = 1 << 30};
  DlsRunOptions options = dls_run_options_default();
  const char *const set[] = {"solver.no_solution=continue"};
  bool more = true;
  DlsRun *run = open_text(lid, options);
  CHECK_OK(dls_run_until(run, INFINITY, &more));
  CHECK_INT(dls_run_report(run).state, DLS_RUN_IMPOSSIBLE);
  CHECK(test_contains(dls_run_report(run).reason, "is squeezed between"));
  CHECK_OK(dls_run_step(run, &more));
  CHECK(!more);
  CHECK_OK(dls_run_close(&run));
  options.tell = hear;
  options.context = &listener;
  options.set = set;
  options.nset = 1;
  run = open_text(lid, options);
  CHECK_OK(dls_run_until(run, INFINITY, &more));
  CHECK_INT(dls_run_report(run).state, DLS_RUN_FINISHED);
  CHECK(dls_run_report(run).without_solution > 0);
  CHECK_INT(listener.count[DLS_RUN_SQUEEZED], dls_run_report(run).without_solution);
  CHECK_OK(dls_run_close(&run));
}
