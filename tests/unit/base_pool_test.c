/* Loops in chunks: every item once, sums to the same bits, failures in their order, whatever the
 * number of threads. */
#define _GNU_SOURCE /* pthread_barrier_t */
#include "base/child.h"
#include "base/guard.h"
#include "base/ledger.h"
#include "base/pool.h"
#include "tests/test.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 10007 };
static const int threads[] = {1, 2, 3, 4, 8, 64};

typedef struct {
  size_t n, chunk;
  atomic_int times[ITEMS];
  atomic_int wrong;
} Visits;

static void visit(void *context, size_t begin, size_t end, int lane) {
  Visits *v = context;
  const size_t length = v->n - begin < v->chunk ? v->n - begin : v->chunk;
  if (begin % v->chunk || end - begin != length || lane < 0 || lane >= dls_pool_threads())
    atomic_fetch_add(&v->wrong, 1);
  for (size_t i = begin; i < end; i++) atomic_fetch_add(&v->times[i], 1);
}

TEST(every_item_is_done_once) {
  static Visits v;
  const size_t n[] = {0, 1, 7, 64, 1000, ITEMS}, chunk[] = {1, 3, 64, ITEMS, 100000};
  for (int t = 0; t < DLS_COUNT(threads); t++)
    for (int i = 0; i < DLS_COUNT(n); i++)
      for (int k = 0; k < DLS_COUNT(chunk); k++) {
        memset(&v, 0, sizeof v);
        v.n = n[i], v.chunk = chunk[k];
        dls_pool_set(threads[t]);
        dls_pool_for(n[i], chunk[k], visit, &v);
        int wrong = v.wrong;
        for (size_t j = 0; j < ITEMS; j++) wrong += v.times[j] != (j < n[i]);
        CHECK_INT(wrong, 0);
      }
  dls_pool_set(0);
}

/* Many short loops, of which threads may still sleep when the next one is there. */
TEST(loops_follow_each_other) {
  static Visits v;
  dls_pool_set(4);
  memset(&v, 0, sizeof v);
  v.n = 9, v.chunk = 2;
  for (int k = 0; k < 20000; k++) {
    dls_pool_for(v.n, v.chunk, visit, &v);
    if (k % 5000 == 0) usleep(1000); /* they fall asleep */
  }
  for (size_t j = 0; j < v.n; j++) CHECK_INT(v.times[j], 20000);
  CHECK_INT(v.wrong, 0);
  dls_pool_set(0);
}

/* Terms of very different sizes, so that another order has other bits. */
static double term(size_t i) { return sin((double)i) * pow(10, (double)(i % 17)); }

static void add_terms(void *context, size_t begin, size_t end, double *sum) {
  (void)context;
  for (size_t i = begin; i < end; i++) sum[0] += term(i), sum[1] += 1;
}

TEST(sums_have_the_same_bits) {
  const size_t n[] = {0, 1, 512, 513, 100000, 600001};
  for (int k = 0; k < DLS_COUNT(n); k++) {
    /* By the definition: chunks of 512 terms, their sums in order. */
    double expected = 0;
    for (size_t from = 0; from < n[k]; from += DLS_POOL_TERMS) {
      double piece = 0;
      for (size_t i = from; i < n[k] && i < from + DLS_POOL_TERMS; i++) piece += term(i);
      expected += piece;
    }
    for (int t = 0; t < DLS_COUNT(threads); t++) {
      double sum[2];
      dls_pool_set(threads[t]);
      dls_pool_sum(n[k], 2, add_terms, NULL, sum);
      CHECK_TOLD(memcmp(sum, &expected, sizeof expected) == 0, "%zu terms, %d threads: %a, not %a",
                 n[k], threads[t], sum[0], expected);
      CHECK(sum[1] == (double)n[k]);
    }
  }
  dls_pool_set(0);
}

/* Items 300 and 9000 fail, the later one at once and the first one late. */
static DlsStatus fail_at(void *context, size_t begin, size_t end, int lane) {
  atomic_int *before = context;
  (void)lane;
  for (size_t i = begin; i < end; i++) {
    if (i < 300) atomic_fetch_add(before, 1);
    if (i == 300) usleep(2000);
    DLS_CHECK(i != 300, DLS_ERR_FORMAT, "item %zu", i);
    DLS_CHECK(i != 9000, DLS_ERR_ARGUMENT, "item %zu", i);
  }
  return DLS_OK;
}

TEST(the_first_failure_is_told) {
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    atomic_int before = 0;
    dls_pool_set(threads[t]);
    CHECK_INT(dls_pool_try(ITEMS, 10, fail_at, &before), DLS_ERR_FORMAT);
    CHECK(strcmp(dls_error_message(), "item 300") == 0);
    CHECK_INT(before, 300);
    CHECK_INT(dls_pool_try(300, 10, fail_at, &before), DLS_OK);
  }
  dls_pool_set(0);
}

static _Thread_local int told; /* what a failure leaves in its thread */

static DlsStatus fail_item(void *context, size_t i, int lane) {
  (void)lane;
  atomic_int *times = context;
  if (i < 300) atomic_fetch_add(times, 1);
  if (i == 300 || i > 5000) told = (int)i;
  if (i == 300) usleep(2000);
  DLS_CHECK(i != 300, DLS_ERR_FORMAT, "item %zu", i);
  DLS_CHECK(i <= 5000, DLS_ERR_ARGUMENT, "item %zu", i);
  return DLS_OK;
}

TEST(what_the_first_failure_leaves_is_the_callers) {
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    atomic_int times = 0;
    told = 0;
    dls_pool_set(threads[t]);
    CHECK_INT(dls_pool_each(ITEMS, 10, fail_item, &times), DLS_ERR_FORMAT);
    CHECK(strcmp(dls_error_message(), "item 300") == 0);
    CHECK_INT(told, 300);
    CHECK_INT(times, 300);
    CHECK_INT(dls_pool_each(300, 10, fail_item, &times), DLS_OK);
  }
  dls_pool_set(0);
}

/* A law that dies in any thread dies in this one. */
static DlsStatus die_at_300(void *context, size_t i, int lane) {
  (void)lane;
  (void)context;
  DLS_GUARD(guard, return dls_fail(DLS_ERR_LAW, "dead"),
            return dls_fail(DLS_ERR_LAW, "item %zu died", i));
  if (i == 300 || i == 700) raise(SIGSEGV);
  DLS_GUARD_END(guard);
  return DLS_OK;
}

static DlsStatus hang_at_700(void *context, size_t i, int lane) {
  (void)lane;
  volatile bool *stop = context;
  DLS_GUARD(guard, return dls_fail(DLS_ERR_LAW, "dead"),
            return dls_fail(DLS_ERR_LAW, "item %zu hangs", i));
  while (i >= 700 && !*stop) continue;
  DLS_GUARD_END(guard);
  return DLS_OK;
}

static void ask_the_dead(void *context, void *result) {
  const DlsGuardOptions options = {.seconds = 0.2};
  volatile bool stop = false;
  char *sentence = result;
  dls_pool_set(*(int *)context);
  dls_guard_begin(&options);
  for (int k = 0; k < 3; k++) {
    const DlsStatus status = dls_pool_each(1000, 10, die_at_300, NULL);
    snprintf(sentence + 64 * k, 64, "%d %s%s", (int)status, dls_error_message(),
             dls_guard.dead ? "" : ", forgotten");
    if (k == 1) dls_guard_forget();
  }
  dls_guard_forget();
  (void)!dls_pool_each(1000, 10, hang_at_700, (void *)&stop);
  snprintf(sentence + 192, 64, "%s", dls_error_message());
  dls_guard_end();
}

TEST(what_dies_or_hangs_in_a_thread_is_told) {
#ifdef __SANITIZE_THREAD__
  test_skip("ThreadSanitizer gives signals when it pleases");
#endif
  for (int t = 0; t < 4; t++) {
    const DlsChildLimits limits = {.seconds = 60};
    int wish = threads[t];
    char sentence[4][64] = {"", "", "", ""}, expected[64];
    snprintf(expected, sizeof expected, "%d item 300 died", (int)DLS_ERR_LAW);
    CHECK_INT(dls_child_run(ask_the_dead, &wish, &limits, sentence, sizeof sentence).outcome,
              DLS_CHILD_DONE);
    CHECK_TOLD(strcmp(sentence[0], expected) == 0, "%s", sentence[0]);
    CHECK_TOLD(strcmp(sentence[2], expected) == 0, "%s", sentence[2]);
    snprintf(expected, sizeof expected, "%d dead", (int)DLS_ERR_LAW);
    CHECK_TOLD(strcmp(sentence[1], expected) == 0, "%s", sentence[1]);
    CHECK_TOLD(strcmp(sentence[3], "item 700 hangs") == 0, "%s", sentence[3]);
  }
}

static void count(void *context, size_t begin, size_t end, int lane) {
  (void)context, (void)lane;
  dls_ledger.rows += (long)(end - begin);
  dls_ledger.contacts += 2;
  dls_ledger.flops += 3;
  dls_ledger.measures += 1;
  usleep(100);
}

TEST(what_is_counted_is_the_callers) {
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    const DlsLedger before = dls_ledger;
    dls_pool_set(threads[t]);
    dls_pool_for(1000, 100, count, NULL);
    CHECK_INT(dls_ledger.rows - before.rows, 1000);
    CHECK_INT(dls_ledger.contacts - before.contacts, 20);
    CHECK_INT(dls_ledger.flops - before.flops, 30);
    CHECK_INT(dls_ledger.measures - before.measures, 10);
  }
  dls_pool_set(0);
}

static void loop_within(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  for (size_t i = begin; i < end; i++) {
    double sum[2];
    dls_pool_sum(2000, 2, add_terms, NULL, sum);
    ((double *)context)[i] = sum[0];
  }
}

TEST(a_loop_within_a_loop_has_the_same_sum) {
  double got[40], expected[2];
  dls_pool_sum(2000, 2, add_terms, NULL, expected);
  dls_pool_set(4);
  dls_pool_for(40, 3, loop_within, got);
  for (int k = 0; k < 40; k++) CHECK(got[k] == expected[0]);
  dls_pool_set(0);
}

static void *loop_beside(void *context) {
  for (int k = 0; k < 200; k++) dls_pool_sum(20000, 2, add_terms, NULL, context);
  return NULL;
}

TEST(loops_beside_each_other_have_the_same_sum) {
  double expected[2], got[3][2];
  pthread_t thread[3];
  dls_pool_sum(20000, 2, add_terms, NULL, expected);
  dls_pool_set(3);
  for (int k = 0; k < 3; k++) CHECK_INT(pthread_create(&thread[k], NULL, loop_beside, got[k]), 0);
  for (int k = 0; k < 3; k++) {
    pthread_join(thread[k], NULL);
    CHECK(got[k][0] == expected[0]);
  }
  dls_pool_set(0);
}

static void sum_in_child(void *context, void *result) {
  dls_pool_set(*(int *)context);
  dls_pool_sum(20000, 2, add_terms, NULL, result);
}

/* After the pool of the parent has started. */
TEST(a_child_has_a_pool_of_its_own) {
  double expected[2], got[2] = {0, 0};
  const DlsChildLimits limits = {.seconds = 60};
  dls_pool_set(4);
  dls_pool_sum(20000, 2, add_terms, NULL, expected);
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    int wish = threads[t];
    CHECK_INT(dls_child_run(sum_in_child, &wish, &limits, got, sizeof got).outcome, DLS_CHILD_DONE);
    CHECK(got[0] == expected[0]);
  }
  dls_pool_sum(20000, 2, add_terms, NULL, got);
  CHECK(got[0] == expected[0]);
  dls_pool_set(0);
}

/* Two chunks that wait for each other: only where two threads do them does the loop come to its
 * end, so that threads there are. */
static void meet(void *context, size_t begin, size_t end, int lane) {
  (void)begin, (void)end, (void)lane;
  pthread_barrier_wait(context);
}

TEST(chunks_are_done_side_by_side) {
  pthread_barrier_t barrier;
  CHECK_INT(pthread_barrier_init(&barrier, NULL, 3), 0);
  dls_pool_set(3);
  for (int k = 0; k < 100; k++) dls_pool_for(3, 1, meet, &barrier);
  pthread_barrier_destroy(&barrier);
  dls_pool_set(0);
}

/* Threads that are too many for some loops, and asleep, are there again for the next. */
TEST(threads_come_back_when_they_are_needed) {
  static const int needed[] = {4, 2, 4, 3, 5, 1, 5};
  for (int t = 0; t < DLS_COUNT(needed); t++) {
    pthread_barrier_t barrier;
    CHECK_INT(pthread_barrier_init(&barrier, NULL, (unsigned)needed[t]), 0);
    dls_pool_set(needed[t]);
    for (int k = 0; k < 20; k++) dls_pool_for((size_t)needed[t], 1, meet, &barrier);
    pthread_barrier_destroy(&barrier);
  }
  dls_pool_set(0);
}

/* Lines of "Threads:" in what the system tells of this process. */
static int threads_now(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int number = -1;
  while (file && fgets(line, sizeof line, file)) sscanf(line, "Threads: %d", &number);
  if (file) fclose(file);
  return number;
}

static void count_threads(void *context, void *result) {
  static Visits v;
  (void)context;
  dls_pool_set(1);
  v.n = 1000, v.chunk = 10;
  dls_pool_for(v.n, v.chunk, visit, &v);
  ((int *)result)[0] = threads_now();
  dls_pool_set(4);
  v.n = 1000, v.chunk = 1000;
  dls_pool_for(v.n, v.chunk, visit, &v);
  ((int *)result)[1] = threads_now();
  v.chunk = 10;
  dls_pool_for(v.n, v.chunk, visit, &v);
  ((int *)result)[2] = threads_now();
}

TEST(no_thread_is_started_that_is_not_needed) {
  const DlsChildLimits limits = {.seconds = 60};
  int seen[3] = {0};
  CHECK_INT(dls_child_run(count_threads, NULL, &limits, seen, sizeof seen).outcome, DLS_CHILD_DONE);
  CHECK_INT(seen[1], seen[0]); /* one chunk */
  CHECK_INT(seen[2], seen[0] + 3);
}

TEST(the_environment_says_how_many) {
  dls_pool_set(5);
  CHECK_INT(dls_pool_threads(), 5);
  dls_pool_set(1000000);
  CHECK_INT(dls_pool_threads(), DLS_POOL_MOST);
  setenv("DELASSUS_THREADS", "3", 1);
  CHECK_INT(dls_pool_threads(), DLS_POOL_MOST); /* who says it aloud wins */
  dls_pool_set(0);
  CHECK_INT(dls_pool_threads(), 3);
  unsetenv("DELASSUS_THREADS");
  CHECK_INT(dls_pool_threads(), 3); /* looked up once */
  dls_pool_set(0);
  CHECK_INT(dls_pool_threads(), dls_pool_processors());
}
