/* Standard input, output and error. */
#include "app/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"

/* open() gives the lowest descriptor that is free, and those below are taken. The mode is the wrong
 * one on purpose: what a user prints to a closed stream is lost, and shall fail. */
void app_streams_open(void) {
  signal(SIGXFSZ, SIG_IGN); /* write() gives EFBIG instead */
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor)
        _exit(APP_WRONG_INPUT);
}

int app_streams_close(int status) {
  const int earlier = ferror(stdout);
  errno = 0;
  if (fclose(stdout) == 0 && !earlier) return status;
  fprintf(stderr,
          "delassus: standard output could not be written%s%s; what it shows is not whole\n",
          errno ? ": " : "", errno ? strerror(errno) : "");
  return APP_WRONG_INPUT;
}
