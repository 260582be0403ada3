/* Work that may print, exit, crash, hang or eat memory, done in a child process: whatever happens
 * there is an outcome here. */
#ifndef DELASSUS_BASE_CHILD_H
#define DELASSUS_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

typedef enum {
  DLS_CHILD_DONE,
  DLS_CHILD_CRASHED, /* by a signal, or by exit() */
  DLS_CHILD_TIMEOUT,
  DLS_CHILD_STOPPED, /* because `stop` said so */
  DLS_CHILD_NOT_STARTED,
} DlsChildOutcome;

typedef struct {
  double seconds;     /* of wall clock; <= 0: no limit */
  double cpu_seconds; /* of the processor's clock; <= 0: no limit */
  size_t megabyte;    /* that the child may add to the address space of its parent; 0: no limit */
  bool loud;          /* what it prints is seen */
  int threads;        /* of its pool; 0: one */
  /* Asked ten times a second while the child works: true ends it. NULL: nobody asks. A child that
   * somebody may stop does not hear Ctrl-C itself: who started it decides. */
  bool (*stop)(void *context);
  void *stop_context;
} DlsChildLimits;

typedef struct {
  DlsChildOutcome outcome;
  int signal;     /* that ended it, 0 for none */
  int status;     /* that it gave to exit(), where no signal ended it */
  double peak_mb; /* resident memory at its largest */
  int left;       /* processes that it started and that outlived it: they are ended */
} DlsChildEnd;

/* A child that does not hear its alarm is killed so many seconds after its limit. */
enum { DLS_CHILD_GRACE = 2 };

/* Calls work(context, result) in a child. Nothing that it starts outlives it, nor does it outlive
 * the caller, in whatever way that ends. `result` is the only thing that comes back, of `bytes`
 * bytes: as the child left it when it ended, also when it crashed or ran out of time. */
DlsChildEnd dls_child_run(void (*work)(void *context, void *result), void *context,
                          const DlsChildLimits *limits, void *result, size_t bytes);

/* For a child: from now on so much processor time is left, of all threads together; then SIGPROF
 * ends it. */
void dls_child_wind_up(double seconds);

const char *dls_child_text(DlsChildOutcome outcome);

#endif
