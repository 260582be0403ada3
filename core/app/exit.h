/* The exit statuses of every command; docs/guide.md has the table for users. A script can tell by
 * them what to do next: use the answer, look at it, mend the input, go on later, change the
 * scene. */
#ifndef DELASSUS_APP_EXIT_H
#define DELASSUS_APP_EXIT_H

enum {
  APP_DONE = 0,          /* all that was asked is done and true */
  APP_NOT_CONVERGED = 1, /* done, but a solve is not within its tolerance, or a check failed; or
                            a contact law failed or died */
  APP_WRONG_INPUT = 2,   /* a sentence says which file, key or option, and the cure */
  APP_INTERRUPTED = 3,   /* SIGINT, SIGTERM, SIGHUP or --max-time ended it before its end */
  APP_NO_SOLUTION = 4    /* a step has no solution: bodies are squeezed */
};

#endif
