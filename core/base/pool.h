/* Loops in fixed chunks, done by several threads, with the same bits for any number of them: what a
 * chunk is depends on the loop alone, a chunk is done by one thread and in its own order, and sums
 * are made of the sums of chunks, added in order.
 *
 * One pool for the process. Its threads start with the first loop of more than one chunk, sleep
 * while there is nothing to do, and hear no signals but those of their own faults. A loop within a
 * loop, or beside that of another thread, is done by the thread that asks, chunk by chunk. A child
 * after fork() has a pool of its own, not yet started; a chunk itself must not fork.
 *
 * A chunk writes to what is its own alone. One that is worth 10 us or more pays; what it may not
 * depend on is which thread does it, and when. */
#ifndef DELASSUS_BASE_POOL_H
#define DELASSUS_BASE_POOL_H

#include <stddef.h>

#include <delassus/status.h>

enum {
  DLS_POOL_MOST = 256, /* threads */
  DLS_POOL_TERMS = 512 /* of a chunk of a sum */
};

/* Items [begin, end) of a loop. `lane` < dls_pool_threads() is no one else's meanwhile, so that
 * there can be scratch for each lane. */
typedef void (*DlsPoolWork)(void *context, size_t begin, size_t end, int lane);
typedef DlsStatus (*DlsPoolTry)(void *context, size_t begin, size_t end, int lane);

/* work() on all of [0, n), in chunks of `chunk` items from 0 on, the last one shorter. Returns when
 * all are done. dls_ledger has what the chunks counted, as if this thread had done them. */
void dls_pool_for(size_t n, size_t chunk, DlsPoolWork work, void *context);

/* The same for work that can fail: the status of the first chunk that does, with its sentence,
 * whichever failed before it in time. Chunks behind a failed one may be left out. */
DlsStatus dls_pool_try(size_t n, size_t chunk, DlsPoolTry work, void *context);

/* The same, item by item, for what leaves more behind than a sentence when it fails, such as a law:
 * the first item that fails is asked once more by this thread. Until it succeeds an item leaves all
 * as it was. */
typedef DlsStatus (*DlsPoolItem)(void *context, size_t i, int lane);
DlsStatus dls_pool_each(size_t n, size_t chunk, DlsPoolItem item, void *context);

/* Adds terms [begin, end), DLS_POOL_TERMS at most, to `sum`, [width]. */
typedef void (*DlsPoolTerms)(void *context, size_t begin, size_t end, double *sum);
enum { DLS_POOL_WIDTH = 8 };

/* sum[k] = the sum of terms k, for `width` <= DLS_POOL_WIDTH sums at a time: of each chunk of
 * DLS_POOL_TERMS terms from 0, and these one behind the other. */
void dls_pool_sum(size_t n, int width, DlsPoolTerms terms, void *context, double *sum);

/* How many threads a loop may have: what dls_pool_set() said; else DELASSUS_THREADS; else the
 * processors that this process may use. */
int dls_pool_threads(void);
/* 0: as if it had never been called. To be called while no loop is under way. */
void dls_pool_set(int threads);
/* Processors that this process may use. */
int dls_pool_processors(void);

#endif
