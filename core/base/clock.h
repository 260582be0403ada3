/* Seconds of wall clock since some moment, monotonic. */
#ifndef DELASSUS_BASE_CLOCK_H
#define DELASSUS_BASE_CLOCK_H

#include <time.h>

static inline double dls_clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
