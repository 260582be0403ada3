/* Many broken copies of good files, each to be read or refused: in children that have a time and a
 * memory limit, so that one that crashes or hangs is named and the next goes on behind it. Under
 * sanitizers in this process: their shadow does not fit the limit. */
#ifndef DELASSUS_TESTS_MUTATIONS_H
#define DELASSUS_TESTS_MUTATIONS_H

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

#ifdef __SANITIZE_ADDRESS__
enum { MUTATIONS_FORKED = 0 };
#else
enum { MUTATIONS_FORKED = 1 };
#endif

/* The bytes of a small file. */
enum { MUTATION_BYTES = 1 << 17 };
typedef struct {
  unsigned char bytes[MUTATION_BYTES];
  size_t count;
} Bytes;

static inline void mutation_save(const char *path, const Bytes *bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes->bytes, 1, bytes->count, file) != bytes->count)
    test_fail(__FILE__, __LINE__, "%s cannot be written", path);
  if (file) fclose(file);
}

static inline bool mutation_load(const char *path, Bytes *out) {
  FILE *file = fopen(path, "rb");
  out->count = file ? fread(out->bytes, 1, MUTATION_BYTES, file) : 0;
  if (file) fclose(file);
  return out->count > 0 && out->count < MUTATION_BYTES;
}

/* What a child tells its parent, in shared memory. */
typedef struct {
  int next;        /* the mutation under way */
  int good;        /* answered as they should be */
  int accepted;    /* of them read, not refused */
  char wrong[256]; /* what the child found wrong; "" */
} Mutations;

/* Makes and reads mutation `index`; NULL when the answer is right, else what is wrong with it. */
typedef const char *(*MutationReader)(int index, bool *accepted);

static inline void mutation_read(MutationReader read, int seconds, int index, Mutations *m) {
  bool accepted = false;
  if (MUTATIONS_FORKED) alarm((unsigned)seconds);
  const char *wrong = read(index, &accepted);
  m->accepted += accepted;
  if (!wrong) {
    m->good++;
    return;
  }
  snprintf(m->wrong, sizeof m->wrong, "mutation %d: %s: %s", index, wrong, dls_error_message());
  if (!MUTATIONS_FORKED) test_fail(__FILE__, __LINE__, "%s", m->wrong);
}

static inline void mutation_child(MutationReader read, int seconds, int end, Mutations *m) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit memory = {(rlim_t)1 << 30, (rlim_t)1 << 30}, no_core = {0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &no_core);
    for (; m->next < end && !m->wrong[0]; m->next++) mutation_read(read, seconds, m->next, m);
    _exit(0);
  }
  int state = 0;
  waitpid(child, &state, 0);
  const bool ended = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  if (m->wrong[0])
    test_fail(__FILE__, __LINE__, "%s", m->wrong);
  else if (!ended)
    test_fail(__FILE__, __LINE__, "mutation %d: %s", m->next++,
              WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM ? "hangs" : "crashes");
  m->wrong[0] = '\0';
}

/* `count` of them, a child for each hundred; `seconds` for one. How many were good and accepted. */
static inline Mutations mutations_run(int count, int seconds, MutationReader read) {
  enum { BATCH = 100 };
  Mutations *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (MUTATIONS_FORKED)
    while (m->next < count)
      mutation_child(read, seconds, m->next + BATCH < count ? m->next + BATCH : count, m);
  else
    for (int k = 0; k < count; k++) mutation_read(read, seconds, k, m);
  const Mutations out = *m;
  munmap(m, sizeof *m);
  CHECK_INT(out.good, count);
  return out;
}

#endif
