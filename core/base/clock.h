/* Seconds since some moment, monotonic: of wall clock, and of processors at work for this
 * process. */
#ifndef DELASSUS_BASE_CLOCK_H
#define DELASSUS_BASE_CLOCK_H

#include <time.h>

static inline double dls_clock_of(clockid_t which) {
  struct timespec now;
  clock_gettime(which, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double dls_clock_now(void) { return dls_clock_of(CLOCK_MONOTONIC); }
static inline double dls_clock_cpu(void) { return dls_clock_of(CLOCK_PROCESS_CPUTIME_ID); }

#endif
