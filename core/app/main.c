/* delassus: the program. Finds the command, runs it. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "app/app.h"
#include "app/guard.h"
#include "app/options.h"
#include "app/ranks.h"
#include "app/streams.h"
#include "base/nearest.h"
#include "base/pool.h"
#include "base/threads.h"

static void print_help(void) {
  int count;
  const AppCommand *const *commands = app_commands(&count);
  printf("delassus %s: a laboratory for frictional contact\n\n", DLS_VERSION);
  for (int i = 0; i < count; i++)
    printf("  delassus %-8s %s\n", commands[i]->name, commands[i]->summary);
  printf("\n  delassus COMMAND --help for each, delassus --version\n"
         "  first steps: delassus demo; delassus solve --sample box\n");
}

static int unknown(const char *word) {
  enum { MOST = 32 };
  const char *names[MOST];
  int count;
  const AppCommand *const *commands = app_commands(&count);
  for (int i = 0; i < count && i < MOST; i++) names[i] = commands[i]->name;
  const char *near = dls_nearest(word, names, count < MOST ? count : MOST);
  if (near)
    fprintf(stderr, "delassus: unknown command %s; did you mean %s?\n", word, near);
  else
    fprintf(stderr, "delassus: unknown command %s; see delassus --help\n", word);
  return APP_WRONG_INPUT;
}

/* What a step frees the next one asks for again: given back to the system in between, its pages
 * cost more than the sweeps of a warm start. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/* The pool takes no notice of what is no number. */
static int check_threads(void) {
  static const char variable[] = "DELASSUS_THREADS";
  const char *text = getenv(variable);
  char *end = NULL;
  const long threads = text ? strtol(text, &end, 10) : 1;
  if (!text || !*text || (end != text && !*end && threads >= 1 && threads <= DLS_POOL_MOST))
    return APP_GO_ON;
  fprintf(stderr, "delassus: %s=%s: give a number of threads from 1 to %d, or unset it\n", variable,
          text, DLS_POOL_MOST);
  return APP_WRONG_INPUT;
}

static int run_command(int argc, char **argv) {
  if (argc < 2) {
    print_help();
    return APP_WRONG_INPUT;
  }
  const char *word = argv[1];
  const int allowed = app_ranks_begin(word);
  if (allowed != APP_GO_ON) return allowed;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    print_help();
    return APP_DONE;
  }
  if (strcmp(word, "--version") == 0) {
    printf("delassus %s\n", DLS_VERSION);
    return APP_DONE;
  }
  int count;
  const AppCommand *const *commands = app_commands(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(commands[i]->name, word) == 0)
      return commands[i]->run(commands[i], argc - 2, argv + 2);
  return unknown(word);
}

int main(int argc, char **argv) {
  app_streams_open();
  app_signals_end();
  (void)dls_threads_one(); /* for all that it does */
  keep_memory();
  int status = check_threads();
  if (status == APP_GO_ON) status = app_guard_begin();
  if (status == APP_GO_ON) status = app_guard_close(run_command(argc, argv));
  return app_streams_close(status);
}
