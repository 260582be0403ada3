/* Two runs in one process do not see each other: step by step in turns, of different decks or of
 * one, in one thread or in two, each leaves the files that it leaves alone. */
#include <delassus/run.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

enum { MOST = 3 };

typedef struct {
  const char *deck, *end;
  char out[600];
  DlsRun *run;
  bool more;
  DlsStatus status;
  char sentence[512];
} Runner;

static void open_run(Runner *r) {
  char path[512], end[64];
  const char *const set[] = {end, "output.every=10 ms", "output.checkpoint=7 ms"};
  DlsRunOptions options = dls_run_options_default();
  snprintf(path, sizeof path, "%s/input/%s.yaml", TEST_SOURCE_DIR, r->deck);
  snprintf(end, sizeof end, "time.end=%s", r->end);
  options.out = r->out;
  options.set = set;
  options.nset = DLS_COUNT(set);
  r->status = dls_run_open(path, &options, &r->run);
  r->more = r->status == DLS_OK;
  snprintf(r->sentence, sizeof r->sentence, "%s", dls_error_message());
}

static void step_run(Runner *r) {
  if (!r->more) return;
  r->status = dls_run_step(r->run, &r->more);
  if (r->status != DLS_OK) snprintf(r->sentence, sizeof r->sentence, "%s", dls_error_message());
}

static void *run_alone(void *context) {
  Runner *r = context;
  open_run(r);
  while (r->more) step_run(r);
  if (dls_run_close(&r->run) != DLS_OK) r->status = DLS_ERR_FILE;
  return NULL;
}

static void place(Runner *runners, int count, const char *word) {
  char line[1024];
  for (int k = 0; k < count; k++) {
    snprintf(runners[k].out, sizeof runners[k].out, "%s/%s-%d", app_folder("run_beside"), word, k);
    snprintf(line, sizeof line, "rm -rf %s", runners[k].out);
    CHECK_INT(system(line), 0);
  }
}

static void check_same(Runner *beside, Runner *alone, int count) {
  for (int k = 0; k < count; k++) {
    if (beside[k].status != DLS_OK) test_fail(__FILE__, __LINE__, "%s", beside[k].sentence);
    CHECK_INT(alone[k].status, DLS_OK);
    CHECK(run_compare_folders(beside[k].out, alone[k].out) > 10);
  }
}

/* Spheres that solve, disks with a source and a sink, and the first deck once more, which begins
 * when the others are on their way. */
static const Runner three[MOST] = {{.deck = "pyramid", .end = "40 ms"},
                                   {.deck = "pour", .end = "60 ms"},
                                   {.deck = "pyramid", .end = "40 ms"}};

static Runner alone[MOST];

static void run_all_alone(void) {
  if (alone[0].deck) return;
  memcpy(alone, three, sizeof alone);
  place(alone, MOST, "alone");
  for (int k = 0; k < MOST; k++) run_alone(&alone[k]);
}

TEST(runs_in_turns_leave_the_files_of_each_alone) {
  Runner runners[MOST];
  run_all_alone();
  memcpy(runners, three, sizeof runners);
  place(runners, MOST, "turns");
  for (int turn = 0; turn < 200; turn++)
    for (int k = 0; k < MOST; k++) {
      if (turn == 3 * k) open_run(&runners[k]);
      if (runners[k].run) step_run(&runners[k]);
    }
  for (int k = 0; k < MOST; k++) {
    CHECK(!runners[k].more);
    CHECK_OK(dls_run_close(&runners[k].run));
  }
  check_same(runners, alone, MOST);
}

TEST(runs_in_threads_leave_the_files_of_each_alone) {
  Runner runners[MOST];
  pthread_t thread[MOST];
  run_all_alone();
  memcpy(runners, three, sizeof runners);
  place(runners, MOST, "threads");
  for (int k = 0; k < MOST; k++)
    CHECK_INT(pthread_create(&thread[k], NULL, run_alone, &runners[k]), 0);
  for (int k = 0; k < MOST; k++) pthread_join(thread[k], NULL);
  check_same(runners, alone, MOST);
}

/* The sentences of failures are those of their threads. Checks are counted by one thread alone. */
typedef struct {
  const char *deck;
  int heard;
} Listener;

static void *fail_often(void *context) {
  Listener *l = context;
  for (int k = 0; k < 50; k++) {
    DlsRun *run;
    const DlsStatus status = dls_run_open(l->deck, NULL, &run);
    l->heard += status == DLS_ERR_FILE && strstr(dls_error_message(), l->deck) != NULL;
  }
  return NULL;
}

TEST(each_thread_hears_of_its_own_failures) {
  pthread_t thread;
  Listener one = {"no-such-deck.yaml", 0}, other = {"nor-this-one.yaml", 0};
  CHECK_INT(pthread_create(&thread, NULL, fail_often, &one), 0);
  fail_often(&other);
  pthread_join(thread, NULL);
  CHECK_INT(one.heard, 50);
  CHECK_INT(other.heard, 50);
}

TEST(a_folder_has_one_run) {
  Runner one = three[0], other = three[0];
  place(&one, 1, "one");
  memcpy(other.out, one.out, sizeof other.out);
  open_run(&one);
  open_run(&other);
  CHECK_INT(one.status, DLS_OK);
  CHECK_INT(other.status, DLS_ERR_FILE);
  CHECK(!other.run && test_contains(other.sentence, "writes its results there"));
  CHECK_OK(dls_run_close(&one.run));
}
