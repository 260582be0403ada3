/* What the programs that measure costs have in common. */
#ifndef DELASSUS_BENCH_COST_H
#define DELASSUS_BENCH_COST_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <delassus/status.h>

/* Seconds of processor time: the machine may be busy with other things. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void must(DlsStatus status) {
  if (status == DLS_OK) return;
  fprintf(stderr, "%s\n", dls_error_message());
  exit(1);
}

#endif
