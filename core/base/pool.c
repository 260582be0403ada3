/* A loop is published as a generation: its fields first, then for each lane, a range of chunks, how
 * many are left, and last the number of the generation. Who does a chunk has taken it from the lane
 * by comparing generation and rest with what it saw, so that a thread that wakes late finds nothing
 * and touches nothing; the caller waits for chunks, never for threads. Each thread begins with the
 * lane that it had before, whose data its caches may have, and then helps the others. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/guard.h"
#include "base/ledger.h"

enum { LINE = 64, SENTENCE = 1024, PAUSES = 64 };

static const double patience = 50e-6; /* s of looking out before a thread sleeps */

/* A cache line each: generation in the upper half, chunks left in the lower one. */
typedef struct {
  _Alignas(LINE) _Atomic uint64_t state;
} Lane;

/* The loop under way. Read by threads that may be late, hence atomic, and valid for who takes a
 * chunk of its generation. */
typedef struct {
  _Atomic(DlsPoolWork) work;
  _Atomic(DlsPoolTry) attempt; /* NULL: it cannot fail */
  _Atomic(void *) context;
  _Atomic size_t n, chunk, chunks;
  _Atomic int lanes;
} Fields;

typedef struct {
  DlsPoolWork work;
  DlsPoolTry attempt;
  void *context;
  size_t n, chunk, chunks;
  int lanes;
} Loop;

static Lane lane[DLS_POOL_MOST];
static Fields fields;
static _Alignas(LINE) _Atomic uint32_t generation;
static _Alignas(LINE) _Atomic size_t finished; /* chunks of the loop */
static _Alignas(LINE) atomic_int sleepers;
static atomic_bool waits, ending; /* the caller sleeps until the loop is done; threads shall end */

static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER; /* by the thread whose loop it is */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;   /* of the sleep, and of a failure */
static pthread_cond_t to_do = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_t worker[DLS_POOL_MOST];
static int workers;
static atomic_bool looks_out;     /* each thread of a loop has a processor */
static _Thread_local bool inside; /* a chunk */

static atomic_int wanted; /* what dls_pool_set() said; 0: nothing */

/* The first chunk that failed. */
static _Atomic size_t failed_chunk;
static DlsStatus failed_status;
static char failed_sentence[SENTENCE];

/* What threads other than the caller counted in the loop. */
static atomic_long counted[4];

int dls_pool_processors(void) {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
  const long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than a cpu_set_t can tell */
  return online > 0 ? (int)online : 1;
}

static int limited(long threads) {
  return threads < 1 ? 1 : threads > DLS_POOL_MOST ? DLS_POOL_MOST : (int)threads;
}

static atomic_int by_default; /* of the environment or the system, looked up once */

int dls_pool_threads(void) {
  int threads = atomic_load_explicit(&wanted, memory_order_relaxed);
  if (threads) return threads;
  threads = atomic_load_explicit(&by_default, memory_order_relaxed);
  if (threads) return threads;
  const char *text = getenv("DELASSUS_THREADS");
  char *end = NULL;
  const long asked = text ? strtol(text, &end, 10) : 0;
  threads =
      limited(text && end != text && *end == '\0' && asked > 0 ? asked : dls_pool_processors());
  atomic_store(&by_default, threads);
  return threads;
}

void dls_pool_set(int threads) {
  atomic_store(&wanted, threads > 0 ? limited(threads) : 0);
  atomic_store(&by_default, 0);
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&to_do);
  pthread_mutex_unlock(&lock);
}

static void pause_shortly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* True as soon as `ready` is; false after a while. Threads that have no processor of their own do
 * not look out: who works needs it. */
static bool look_out(bool (*ready)(uint32_t), uint32_t about) {
  if (ready(about)) return true;
  if (!atomic_load_explicit(&looks_out, memory_order_relaxed)) return false;
  const double last = dls_clock_now() + patience;
  do {
    for (int k = 0; k < PAUSES; k++) {
      if (ready(about)) return true;
      pause_shortly();
    }
  } while (dls_clock_now() < last);
  return false;
}

static size_t first_of(size_t chunks, int lanes, int k) {
  return (size_t)k * chunks / (size_t)lanes;
}

/* True with the next chunk of lane k in *chunk. */
static bool take(const Loop *loop, uint32_t number, int k, size_t *chunk) {
  uint64_t state = atomic_load_explicit(&lane[k].state, memory_order_acquire);
  while ((uint32_t)(state >> 32) == number && (uint32_t)state > 0)
    if (atomic_compare_exchange_weak_explicit(&lane[k].state, &state, state - 1,
                                              memory_order_acq_rel, memory_order_acquire)) {
      *chunk = first_of(loop->chunks, loop->lanes, k + 1) - (uint32_t)state;
      return true;
    }
  return false;
}

static void keep_failure(size_t chunk, DlsStatus status) {
  pthread_mutex_lock(&lock);
  if (chunk < atomic_load(&failed_chunk)) {
    atomic_store(&failed_chunk, chunk);
    failed_status = status;
    strncpy(failed_sentence, dls_error_message(), SENTENCE - 1);
  }
  pthread_mutex_unlock(&lock);
}

static void do_chunk(const Loop *loop, size_t chunk, int mine) {
  const size_t begin = chunk * loop->chunk;
  const size_t end = loop->n - begin > loop->chunk ? begin + loop->chunk : loop->n;
  if (!loop->attempt) {
    loop->work(loop->context, begin, end, mine);
  } else if (chunk < atomic_load_explicit(&failed_chunk, memory_order_relaxed)) {
    const DlsStatus status = loop->attempt(loop->context, begin, end, mine);
    if (status != DLS_OK) keep_failure(chunk, status);
  }
}

/* As much of the loop as there is left to take. How many chunks it was. */
static size_t take_part(const Loop *loop, uint32_t number, int mine) {
  size_t did = 0, chunk;
  inside = true;
  for (int k = 0; k < loop->lanes; k++)
    while (take(loop, number, (mine + k) % loop->lanes, &chunk)) {
      do_chunk(loop, chunk, mine);
      did++;
    }
  inside = false;
  return did;
}

static void hand_over_ledger(void) {
  const long mine[] = {dls_ledger.rows, dls_ledger.contacts, dls_ledger.flops, dls_ledger.measures};
  for (int k = 0; k < DLS_COUNT(mine); k++)
    if (mine[k]) atomic_fetch_add(&counted[k], mine[k]);
  dls_ledger = (DlsLedger){0};
}

static void take_ledger_over(void) {
  dls_ledger.rows += atomic_exchange(&counted[0], 0);
  dls_ledger.contacts += atomic_exchange(&counted[1], 0);
  dls_ledger.flops += atomic_exchange(&counted[2], 0);
  dls_ledger.measures += atomic_exchange(&counted[3], 0);
}

static bool has_come(uint32_t seen) {
  return atomic_load(&generation) != seen || atomic_load(&ending);
}

/* Chunks are counted when all that they left is there to be read. */
static void help(uint32_t number, int mine) {
  const Loop loop = {.work = atomic_load_explicit(&fields.work, memory_order_relaxed),
                     .attempt = atomic_load_explicit(&fields.attempt, memory_order_relaxed),
                     .context = atomic_load_explicit(&fields.context, memory_order_relaxed),
                     .n = atomic_load_explicit(&fields.n, memory_order_relaxed),
                     .chunk = atomic_load_explicit(&fields.chunk, memory_order_relaxed),
                     .chunks = atomic_load_explicit(&fields.chunks, memory_order_relaxed),
                     .lanes = atomic_load_explicit(&fields.lanes, memory_order_relaxed)};
  if (mine >= dls_pool_threads()) return; /* there were more before */
  const size_t did = take_part(&loop, number, mine);
  if (!did) return;
  dls_guard_forget(); /* what died here is for the caller to ask again */
  hand_over_ledger();
  atomic_fetch_add(&finished, did);
  if (!atomic_load(&waits)) return;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&lock);
}

/* A thread that is one too many neither looks out nor is waited for: dls_pool_set() wakes it. */
static void *be_worker(void *place) {
  const int mine = (int)(intptr_t)place;
  void *stack = dls_guard_join();
  uint32_t seen = 0;
  while (!atomic_load(&ending)) {
    const bool needed = mine < dls_pool_threads();
    if (!needed || !look_out(has_come, seen)) {
      pthread_mutex_lock(&lock);
      atomic_fetch_add(&sleepers, needed);
      while (!has_come(seen) && needed == (mine < dls_pool_threads()))
        pthread_cond_wait(&to_do, &lock);
      atomic_fetch_sub(&sleepers, needed);
      pthread_mutex_unlock(&lock);
    }
    const uint32_t now = atomic_load(&generation);
    if (now != seen) help(now, mine);
    seen = now;
  }
  dls_guard_leave(stack);
  return NULL;
}

/* Its faults are a thread's own, and the look of the watchdog; all else is for those that were
 * there before. */
static void start_workers(int count) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  if (workers >= count) return;
  sigset_t others, before;
  sigfillset(&others);
  for (int k = 0; k < DLS_COUNT(own); k++) sigdelset(&others, own[k]);
  sigdelset(&others, dls_guard_signal());
  pthread_sigmask(SIG_SETMASK, &others, &before);
  for (; workers < count; workers++)
    if (pthread_create(&worker[workers], NULL, be_worker, (void *)(intptr_t)(workers + 1))) break;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A child has the one thread that forked. */
static void begin_anew(void) {
  pthread_mutex_init(&in_use, NULL);
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&to_do, NULL);
  pthread_cond_init(&done, NULL);
  atomic_store(&sleepers, 0);
  atomic_store(&waits, false);
  for (int k = 0; k < DLS_COUNT(counted); k++) atomic_store(&counted[k], 0);
  workers = 0;
  dls_guard_alone();
}

static void mind_forks(void) { pthread_atfork(NULL, NULL, begin_anew); }

/* Threads end before the code that they run is unloaded; where a loop is under way the process ends
 * in the middle of it, and they with it. */
__attribute__((destructor)) static void end_workers(void) {
  if (inside || pthread_mutex_trylock(&in_use) != 0) return;
  pthread_mutex_lock(&lock);
  atomic_store(&ending, true);
  pthread_cond_broadcast(&to_do);
  pthread_mutex_unlock(&lock);
  dls_guard_alone();
  for (; workers > 0; workers--) pthread_join(worker[workers - 1], NULL);
  atomic_store(&ending, false);
  pthread_mutex_unlock(&in_use);
}

static bool is_done(uint32_t unused) {
  (void)unused;
  return atomic_load(&finished) == atomic_load_explicit(&fields.chunks, memory_order_relaxed);
}

static void wait_for_others(void) {
  if (look_out(is_done, 0)) return;
  pthread_mutex_lock(&lock);
  atomic_store(&waits, true);
  while (!is_done(0)) pthread_cond_wait(&done, &lock);
  atomic_store(&waits, false);
  pthread_mutex_unlock(&lock);
}

static uint32_t publish(const Loop *loop) {
  const uint32_t number = atomic_load_explicit(&generation, memory_order_relaxed) + 1;
  atomic_store_explicit(&fields.work, loop->work, memory_order_relaxed);
  atomic_store_explicit(&fields.attempt, loop->attempt, memory_order_relaxed);
  atomic_store_explicit(&fields.context, loop->context, memory_order_relaxed);
  atomic_store_explicit(&fields.n, loop->n, memory_order_relaxed);
  atomic_store_explicit(&fields.chunk, loop->chunk, memory_order_relaxed);
  atomic_store_explicit(&fields.chunks, loop->chunks, memory_order_relaxed);
  atomic_store_explicit(&fields.lanes, loop->lanes, memory_order_relaxed);
  atomic_store(&finished, 0);
  for (int k = 0; k < loop->lanes; k++) {
    const size_t count =
        first_of(loop->chunks, loop->lanes, k + 1) - first_of(loop->chunks, loop->lanes, k);
    atomic_store_explicit(&lane[k].state, (uint64_t)number << 32 | (uint64_t)count,
                          memory_order_release);
  }
  atomic_store(&generation, number);
  if (atomic_load(&sleepers) > 0) {
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&to_do);
    pthread_mutex_unlock(&lock);
  }
  return number;
}

static void share(Loop *loop, int threads) {
  static int looked_at; /* threads of the last loop */
  static pthread_once_t forks = PTHREAD_ONCE_INIT;
  pthread_once(&forks, mind_forks);
  start_workers(threads - 1);
  if (threads != looked_at) {
    looked_at = threads;
    atomic_store(&looks_out, threads <= dls_pool_processors());
  }
  loop->lanes = loop->chunks < (size_t)threads ? (int)loop->chunks : threads;
  const uint32_t number = publish(loop);
  atomic_fetch_add(&finished, take_part(loop, number, 0));
  wait_for_others();
  take_ledger_over();
}

/* One thread, or a loop within a loop: chunk by chunk. */
static DlsStatus do_alone(const Loop *loop) {
  for (size_t begin = 0; begin < loop->n;) {
    const size_t end = loop->n - begin > loop->chunk ? begin + loop->chunk : loop->n;
    if (loop->attempt)
      DLS_TRY(loop->attempt(loop->context, begin, end, 0));
    else
      loop->work(loop->context, begin, end, 0);
    begin = end;
  }
  return DLS_OK;
}

/* *shared: whether other threads had a part in it. */
static DlsStatus do_loop(Loop *loop, bool *shared) {
  if (loop->chunk < 1) loop->chunk = 1;
  while (loop->n / loop->chunk >= UINT32_MAX) loop->chunk *= 2; /* more than can be counted */
  loop->chunks = loop->n / loop->chunk + (loop->n % loop->chunk > 0);
  const int threads = loop->chunks > 1 && !inside ? dls_pool_threads() : 1;
  *shared = false;
  if (threads < 2 || pthread_mutex_trylock(&in_use) != 0) return do_alone(loop);
  *shared = true;
  atomic_store(&failed_chunk, SIZE_MAX);
  share(loop, threads);
  DlsStatus status = DLS_OK;
  if (atomic_load(&failed_chunk) != SIZE_MAX)
    status = dls_fail(failed_status, "%s", failed_sentence);
  pthread_mutex_unlock(&in_use);
  return status;
}

void dls_pool_for(size_t n, size_t chunk, DlsPoolWork work, void *context) {
  bool shared;
  Loop loop = {.work = work, .context = context, .n = n, .chunk = chunk};
  (void)do_loop(&loop, &shared); /* cannot fail */
}

DlsStatus dls_pool_try(size_t n, size_t chunk, DlsPoolTry work, void *context) {
  bool shared;
  Loop loop = {.attempt = work, .context = context, .n = n, .chunk = chunk};
  return do_loop(&loop, &shared);
}

typedef struct {
  DlsPoolItem item;
  void *context;
  _Atomic size_t first; /* that failed */
} Each;

/* A thread that has seen a law die goes on asking: what it does next may come before it. */
static DlsStatus do_items(void *context, size_t begin, size_t end, int mine) {
  Each *each = context;
  for (size_t i = begin; i < end; i++) {
    const int dead = dls_guard.dead;
    const DlsStatus status = each->item(each->context, i, mine);
    if (status == DLS_OK) continue;
    size_t first = atomic_load(&each->first);
    while (i < first && !atomic_compare_exchange_weak(&each->first, &first, i)) continue;
    if (!dead && inside) dls_guard_forget();
    return status;
  }
  return DLS_OK;
}

DlsStatus dls_pool_each(size_t n, size_t chunk, DlsPoolItem item, void *context) {
  Each each = {.item = item, .context = context, .first = SIZE_MAX};
  Loop loop = {.attempt = do_items, .context = &each, .n = n, .chunk = chunk};
  char sentence[SENTENCE];
  bool shared;
  const DlsStatus status = do_loop(&loop, &shared);
  if (status == DLS_OK || !shared) return status;
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  DLS_TRY(item(context, atomic_load(&each.first), 0));
  return dls_fail(status, "%s", sentence);
}

enum { PIECES = 512, TOGETHER = 8 }; /* sums that are kept; of these, in a chunk of a loop */

typedef struct {
  DlsPoolTerms terms;
  void *context;
  size_t from, n; /* terms before these pieces, and all */
  int width;
  double *piece; /* [PIECES][width] */
} Sum;

static void add_pieces(void *context, size_t begin, size_t end, int unused) {
  const Sum *sum = context;
  (void)unused;
  for (size_t k = begin; k < end; k++) {
    const size_t first = sum->from + k * DLS_POOL_TERMS;
    const size_t last = sum->n - first > DLS_POOL_TERMS ? first + DLS_POOL_TERMS : sum->n;
    sum->terms(sum->context, first, last, sum->piece + k * (size_t)sum->width);
  }
}

void dls_pool_sum(size_t n, int width, DlsPoolTerms terms, void *context, double *sum) {
  double piece[PIECES * DLS_POOL_WIDTH];
  for (int i = 0; i < width; i++) sum[i] = 0;
  for (size_t from = 0; from < n; from += (size_t)PIECES * DLS_POOL_TERMS) {
    const size_t left = (n - from + DLS_POOL_TERMS - 1) / DLS_POOL_TERMS;
    const size_t pieces = left < PIECES ? left : PIECES;
    Sum part = {terms, context, from, n, width, piece};
    memset(piece, 0, pieces * (size_t)width * sizeof *piece);
    dls_pool_for(pieces, TOGETHER, add_pieces, &part);
    for (size_t k = 0; k < pieces; k++)
      for (int i = 0; i < width; i++) sum[i] += piece[k * (size_t)width + (size_t)i];
  }
}
