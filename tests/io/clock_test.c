/* The two clocks of a race on a busy core: two processes that only burn time and the race share one
 * core, so that the wall's clock runs about three times as fast as the processor's; the seconds of
 * the processor stay what they are without the two. Ratios are compared, never times. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "tests/files.h"
#include "tests/io/app_run.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static const char *folder(void) { return app_folder("clock"); }

/* This process, and all that it starts, on one core of those it may use. */
static bool stay_on_one_core(void) {
  cpu_set_t may, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof may, &may) != 0) return false;
  for (size_t k = 0; k < CPU_SETSIZE; k++)
    if (CPU_ISSET(k, &may)) {
      CPU_SET(k, &one);
      return sched_setaffinity(0, sizeof one, &one) == 0;
    }
  return false;
}

static pid_t burn(void) {
  const pid_t child = fork();
  volatile unsigned long count = 0;
  while (child == 0) count++;
  return child;
}

/* The number in a column of the last row of runs.csv. */
static double number(const char *name, const char *column) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/runs.csv", folder(), name);
  char *text = get_text(path), *row = strchr(text, '\n');
  double value = NAN;
  CHECK(row != NULL);
  for (char *head = text; row && *head && *head != '\n';) {
    const size_t length = strcspn(head, ",\n"), cell = strcspn(row + 1, ",\n");
    if (strlen(column) == length && strncmp(head, column, length) == 0) value = atof(row + 1);
    head += length + (head[length] == ',');
    row += cell + 1;
  }
  CHECK(isfinite(value));
  return value;
}

static void race(const char *clock, const char *name) {
  char line[2048];
  snprintf(
      line, sizeof line,
      "compare --sample box:100 --solvers nsgs --tolerance 1e-9 --max-time 60 --clock %s --out "
      "%s/%s",
      clock, folder(), name);
  CHECK_RUN(line, 0, "report:");
}

TEST(the_wall_runs_ahead_on_a_busy_core_and_the_processor_does_not) {
  CHECK(stay_on_one_core());
  race("wall", "alone");
  const double alone = number("alone", "cpu_s");
  CHECK(alone > 0);
  CHECK(number("alone", "time_s") == number("alone", "wall_s"));
  pid_t busy[] = {burn(), burn()};
  race("wall", "busy");
  race("cpu", "cpu");
  for (int k = 0; k < 2; k++) {
    kill(busy[k], SIGKILL);
    waitpid(busy[k], NULL, 0);
  }
  const char *names[] = {"busy", "cpu"};
  for (int k = 0; k < 2; k++) {
    const double wall = number(names[k], "wall_s"), cpu = number(names[k], "cpu_s");
    CHECK(wall > 1.7 * cpu);                      /* about 3 */
    CHECK(cpu < 4 * alone && cpu > 0.25 * alone); /* about 1: caches are shared */
    CHECK(number(names[k], "iterations") == number("alone", "iterations"));
    CHECK(number(names[k], "work") == number("alone", "work"));
  }
  CHECK(number("busy", "time_s") == number("busy", "wall_s"));
  CHECK(number("cpu", "time_s") == number("cpu", "cpu_s"));
}
