/* Work that may print, exit, crash or hang, done in a child process: whatever happens there is an
 * outcome here. */
#ifndef DELASSUS_TESTS_CHILD_H
#define DELASSUS_TESTS_CHILD_H

#include <stddef.h>

typedef enum { CHILD_DONE, CHILD_CRASHED, CHILD_TIMEOUT, CHILD_NOT_STARTED } ChildOutcome;

/* Calls work(context, result) in a silenced child that has `limit_s` seconds of wall clock.
 * `result` is the only thing that comes back, of `bytes` bytes: as the child left it when it ended,
 * also when it crashed or ran out of time. */
ChildOutcome child_run(void (*work)(void *context, void *result), void *context, double limit_s,
                       void *result, size_t bytes);

const char *child_text(ChildOutcome outcome);

#endif
